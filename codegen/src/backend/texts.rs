//! Text enums and names of their own for plain types.

use std::collections::BTreeMap;

use proc_macro2::TokenStream;
use quote::quote;

use super::context::{Context, generics, ident};
use crate::ir::{Seen, Type};
use crate::names;
use crate::plan::PlannedType;

/// An open enum of texts.
pub fn item(
    context: &Context<'_>,
    planned: &PlannedType,
    values: &BTreeMap<String, Seen>,
) -> TokenStream {
    let name = ident(&planned.name);
    let label = &planned.name;
    let doc = format!(" Seen in {}.", context.seen(&planned.definition.seen));
    let variants = variant_names(values.keys());
    let declarations = values.iter().map(|(wire, seen)| {
        let variant = ident(&variants[wire]);
        let facts = format!(" `{wire}`, seen in {}.", context.seen(seen));
        quote!(#[doc = #facts] #variant,)
    });
    let reads = values.keys().map(|wire| {
        let variant = ident(&variants[wire]);
        quote!(#wire => Self::#variant,)
    });
    let texts = values.keys().map(|wire| {
        let variant = ident(&variants[wire]);
        quote!(Self::#variant => #wire,)
    });
    quote! {
        #[doc = #doc]
        #[derive(Clone, Debug, PartialEq, Eq, Hash)]
        pub enum #name {
            #(#declarations)*
            /// A value that no vendored version has, as sent.
            Unrecognized(Box<str>),
        }

        impl #name {
            /// The text on the wire.
            pub fn as_str(&self) -> &str {
                match self {
                    #(#texts)*
                    Self::Unrecognized(value) => value,
                }
            }
        }

        impl<'a> Wire<'a> for #name {
            fn read(reader: &mut Reader<'a>) -> Result<Self, Malformed> {
                let value = reader.string()?;
                Ok(match &*value {
                    #(#reads)*
                    _ => Self::Unrecognized(reader.unrecognized_value(#label, value)),
                })
            }

            fn write(&self, writer: &mut Writer) {
                writer.string(self.as_str());
            }
        }

        crate::json::serde_bridge!(#name);
    }
}

/// A newtype for a text that the schema names; another name for any other type.
pub fn alias(context: &Context<'_>, planned: &PlannedType, ty: &Type) -> TokenStream {
    let name = ident(&planned.name);
    let generics = generics(planned);
    let doc = format!(" Seen in {}.", context.seen(&planned.definition.seen));
    if *ty != Type::String {
        let ty = context.ty(ty, Some(planned));
        return quote!(#[doc = #doc] pub type #name #generics = #ty;);
    }
    quote! {
        #[doc = #doc]
        #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct #name<'a>(pub Cow<'a, str>);

        impl #name<'_> {
            /// The text on the wire.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl<'a> Wire<'a> for #name<'a> {
            fn read(reader: &mut Reader<'a>) -> Result<Self, Malformed> {
                reader.string().map(Self)
            }

            fn write(&self, writer: &mut Writer) {
                writer.string(&self.0);
            }
        }

        crate::json::serde_bridge!(#name<'a>);
    }
}

/// Names for a set of wire values. That there are such names, the plan has made sure.
pub fn variant_names<'v>(values: impl Iterator<Item = &'v String>) -> BTreeMap<String, String> {
    let wires: Vec<&str> = values.map(String::as_str).collect();
    names::variants(&wires).unwrap_or_else(|_| {
        wires
            .iter()
            .map(|wire| ((*wire).to_owned(), names::variant(wire)))
            .collect()
    })
}
