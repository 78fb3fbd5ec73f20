//! The skeleton of a projection: its rows as data, one trait with a method for each canonical event
//! that it tells, and the match over every canonical event.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::TokenStream;
use quote::quote;

use super::context::ident;
use super::skeleton::{escaped, verb};
use super::{FOLDER, print};
use crate::names;
use crate::plan::{PlannedProjection, ProjectedRow};
use crate::rows::Verb;

/// All files, by path from the root of the repository; none where there is no projection.
pub fn files(projections: &[PlannedProjection]) -> BTreeMap<String, String> {
    let mut files = BTreeMap::new();
    let mut modules = Vec::new();
    for projection in projections {
        let module = module(projection);
        let title = format!("The projection `{}`", projection.id);
        let path = format!("{FOLDER}/projection/{module}.rs");
        files.insert(path, print(&title, item(projection, &module)));
        let module = ident(&module);
        modules.push(quote!(pub mod #module;));
    }
    if !modules.is_empty() {
        let path = format!("{FOLDER}/projection/mod.rs");
        files.insert(path, print("Projections", quote!(#(#modules)*)));
    }
    files
}

/// `projection.agent-event` stands in the module `agent_event`.
fn module(projection: &PlannedProjection) -> String {
    let short = projection.id.split_once('.').map_or("", |(_, rest)| rest);
    names::field(&short.replace(['.', '-'], "/"))
}

fn item(projection: &PlannedProjection, module: &str) -> TokenStream {
    let id = &projection.id;
    let module = ident(module);
    let model = quote!(crate::projection::#module);
    let rows = rows_table(projection);
    let markers = markers(projection, &model);
    let methods = projection.rows.iter().filter_map(|row| method(row, &model));
    let arms = projection.rows.iter().map(arm);
    let doc = format!(
        " What each canonical event becomes in `{id}`. One method a row; the compiler names every one that is missing."
    );
    quote! {
        use crate::canonical::{self, EventPayload, EventType, RuntimeEvent};
        use crate::mapping::RowVerb;
        use crate::projection::{Out, RowInfo};

        /// The id of the projection.
        pub const PROJECTION: &str = #id;

        #rows
        #markers

        #[doc = #doc]
        pub trait Projection {
            #(#methods)*
        }

        /// Projects one event: every canonical event has its arm.
        pub fn project(
            projection: &mut impl Projection,
            event: &RuntimeEvent,
            out: &mut Vec<#model::Draft>,
        ) {
            match &event.payload {
                #(#arms)*
            }
        }
    }
}

fn rows_table(projection: &PlannedProjection) -> TokenStream {
    let entries = projection.rows.iter().map(|planned| {
        let name = ident(&planned.name);
        let when = match &planned.row.when {
            Some(when) => {
                let when = &when.value;
                quote!(Some(#when))
            }
            None => quote!(None),
        };
        let verb = verb(&planned.row.verb);
        quote!(RowInfo { event: EventType::#name, verb: #verb, when: #when },)
    });
    quote! {
        /// The rows of the projection, sorted by the names of the canonical events.
        pub const ROWS: &[RowInfo] = &[#(#entries)*];
    }
}

/// One type a split row, which stands for the events that the row lists.
fn markers(projection: &PlannedProjection, model: &TokenStream) -> TokenStream {
    let markers = projection.rows.iter().filter_map(|planned| {
        let Verb::Split(events) = &planned.row.verb else {
            return None;
        };
        let name = ident(&planned.name);
        let doc = format!(" `{}`", planned.row.tag);
        let distinct: BTreeSet<&str> = events.iter().map(|event| event.rust.as_str()).collect();
        let listed = distinct.into_iter().map(|event| {
            let event = ident(event);
            quote!(impl crate::projection::GivenBy<#name> for #model::#event {})
        });
        Some(quote! {
            #[doc = #doc]
            #[derive(Debug)]
            pub enum #name {}
            #(#listed)*
        })
    });
    quote! {
        /// Rows that may give several events; each accepts only those that its row lists.
        pub mod row {
            #(#markers)*
        }
    }
}

fn method(planned: &ProjectedRow, model: &TokenStream) -> Option<TokenStream> {
    let payload = ident(&planned.name);
    let name = ident(&names::field(&planned.name));
    let tag = &planned.row.tag;
    let note = planned.row.note.as_ref();
    let note = note.map_or_else(String::new, |note| format!(": {}", escaped(note)));
    match &planned.row.verb {
        Verb::Keep(event) | Verb::Rename(event) => {
            let given = ident(&event.rust);
            let (result, when) = match &planned.row.when {
                Some(when) => (
                    quote!(Option<#model::#given>),
                    format!(" when {}", escaped(&when.value)),
                ),
                None => (quote!(#model::#given), String::new()),
            };
            let doc = format!(" `{tag}` → `{}`{when}{note}.", event.wire);
            Some(quote! {
                #[doc = #doc]
                fn #name(&mut self, event: &RuntimeEvent, payload: &canonical::#payload) -> #result;
            })
        }
        Verb::Split(events) => {
            let list: Vec<String> = events
                .iter()
                .map(|event| format!("`{}`", event.wire))
                .collect();
            let doc = format!(" `{tag}` → {}{note}.", list.join(" and "));
            Some(quote! {
                #[doc = #doc]
                fn #name(
                    &mut self,
                    event: &RuntimeEvent,
                    payload: &canonical::#payload,
                    out: Out<'_, row::#payload, #model::Draft>,
                );
            })
        }
        // A row to be decided never gets past the plan.
        Verb::Drop(_) | Verb::Todo(_) => None,
    }
}

fn arm(planned: &ProjectedRow) -> TokenStream {
    let variant = ident(&planned.name);
    let name = ident(&names::field(&planned.name));
    match &planned.row.verb {
        Verb::Keep(_) | Verb::Rename(_) if planned.row.when.is_some() => quote! {
            EventPayload::#variant(payload) => {
                out.extend(projection.#name(event, payload).map(Into::into));
            }
        },
        Verb::Keep(_) | Verb::Rename(_) => quote! {
            EventPayload::#variant(payload) => {
                out.push(projection.#name(event, payload).into());
            }
        },
        Verb::Split(_) => quote! {
            EventPayload::#variant(payload) => projection.#name(event, payload, Out::new(out)),
        },
        // The reason stands in the rows.
        Verb::Drop(_) | Verb::Todo(_) => quote!(EventPayload::#variant(_) => (),),
    }
}
