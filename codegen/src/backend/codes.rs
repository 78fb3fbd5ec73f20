//! Integers with a meaning each.

use std::collections::BTreeMap;

use proc_macro2::TokenStream;
use quote::quote;

use super::context::{Context, ident};
use super::texts::variant_names;
use crate::ir::Seen;
use crate::plan::PlannedType;

/// An open enum of integers.
pub fn item(
    context: &Context<'_>,
    planned: &PlannedType,
    values: &BTreeMap<i64, Seen>,
) -> TokenStream {
    let name = ident(&planned.name);
    let label = &planned.name;
    let doc = format!(" Seen in {}.", context.seen(&planned.definition.seen));
    let texts: Vec<String> = values.keys().map(i64::to_string).collect();
    let key = (planned.module.clone(), planned.name.clone());
    let given = context.plan.code_names.get(&key).cloned();
    let named = given.unwrap_or_else(|| variant_names(texts.iter()));
    let variants: Vec<_> = texts.iter().map(|text| ident(&named[text])).collect();
    let numbers: Vec<i64> = values.keys().copied().collect();
    let declarations = values
        .iter()
        .zip(&variants)
        .map(|((number, seen), variant)| {
            let facts = format!(" `{number}`, seen in {}.", context.seen(seen));
            quote!(#[doc = #facts] #variant,)
        });
    quote! {
        #[doc = #doc]
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum #name {
            #(#declarations)*
            /// An integer that no vendored version has, as sent.
            Unrecognized(i64),
        }

        impl #name {
            /// The meaning of an integer.
            pub fn of(number: i64) -> Self {
                match number {
                    #(#numbers => Self::#variants,)*
                    _ => Self::Unrecognized(number),
                }
            }

            /// The integer on the wire.
            pub fn number(&self) -> i64 {
                match self {
                    #(Self::#variants => #numbers,)*
                    Self::Unrecognized(number) => *number,
                }
            }
        }

        impl<'a> Wire<'a> for #name {
            fn read(reader: &mut Reader<'a>) -> Result<Self, Malformed> {
                let value = Self::of(reader.integer()?);
                if let Self::Unrecognized(number) = value {
                    reader.unrecognized_value(#label, Cow::Owned(number.to_string()));
                }
                Ok(value)
            }

            fn write(&self, writer: &mut Writer) {
                writer.integer(self.number());
            }
        }

        crate::json::wire_serde!(#name);
    }
}
