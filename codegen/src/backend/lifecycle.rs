//! Lifecycle tables as constants: what the ledger of each provider is given.

use std::collections::BTreeMap;

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use crate::lifecycle::LifecycleTable;

/// The file with the tables of all providers, from the root of the repository.
pub fn file(tables: &BTreeMap<String, LifecycleTable>) -> (String, String) {
    let constants: TokenStream = tables.values().map(constant).collect();
    let tokens = quote! {
        use crate::canonical::ItemStatus;
        use crate::kit::ledger::{Close, Correction, Ends, First, Lifecycle};

        #constants
    };
    let path = format!("{}/lifecycles.rs", super::FOLDER);
    (
        path,
        super::print("What the ends of each provider close", tokens),
    )
}

fn constant(table: &LifecycleTable) -> TokenStream {
    let name = format_ident!("{}", table.provider.to_uppercase().replace('-', "_"));
    let doc = format!(" The table of {}.", table.provider);
    let [turn, thread, exit] =
        [&table.turn_ends, &table.thread_closes, &table.exit].map(|it| ends(it));
    let (one, outlive) = (table.one_at_a_time, table.outlive_their_thread);
    let corrections = table.corrections.iter().map(|(later, first)| {
        let later = status(later);
        let first = match *first {
            "closed" => quote!(First::Closed),
            told => {
                let told = status(told);
                quote!(First::Told(#told))
            }
        };
        quote!(Correction { later: #later, first: #first })
    });
    quote! {
        #[doc = #doc]
        pub const #name: Lifecycle = Lifecycle {
            turn_ends: #turn,
            thread_closes: #thread,
            exit: #exit,
            one_turn_at_a_time: #one,
            turns_outlive_their_thread: #outlive,
            corrections: &[#(#corrections),*],
        };
    }
}

fn ends(words: &BTreeMap<&str, &str>) -> TokenStream {
    let members = words.iter().map(|(thing, word)| {
        let thing = format_ident!("{}", thing.replace('-', "_"));
        let close = match *word {
            "keep" => quote!(Keep),
            "stop" => quote!(Stop),
            _ => quote!(Fail),
        };
        quote!(#thing: Close::#close)
    });
    quote!(Ends { #(#members),* })
}

fn status(word: &str) -> TokenStream {
    match word {
        "completed" => quote!(ItemStatus::Completed),
        "declined" => quote!(ItemStatus::Declined),
        _ => quote!(ItemStatus::Failed),
    }
}
