//! Unions without a tag: texts mixed with one-member objects, and unions that only the form of
//! the value tells apart.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::TokenStream;
use quote::quote;

use super::context::{Context, ident};
use super::table::Table;
use super::tagged::lines;
use crate::ir::{Arm, Guard, JsonKind, Type, Variant};
use crate::plan::PlannedType;

/// A union of texts and objects whose only member picks.
pub fn external(
    context: &Context<'_>,
    planned: &PlannedType,
    variants: &BTreeMap<String, Variant>,
) -> String {
    let fact = context.since(&planned.definition.seen);
    let mut table = Table::new("wire_external", &format!("{}<'a>", planned.name), fact);
    let how = |variant: &Variant| match &variant.payload {
        None => "text",
        Some(_) if variant.bare => "either",
        Some(Type::Nullable(_)) => "nullable",
        Some(_) => "keyed",
    };
    lines(context, planned, variants, how, &mut table);
    table.end()
}

/// A union that the form of the value picks; the first arm that lets it in wins.
pub fn item(context: &Context<'_>, planned: &PlannedType, arms: &[Arm]) -> TokenStream {
    let name = ident(&planned.name);
    let label = &planned.name;
    let doc = format!(
        " Picked by the form of the value, first match first. Seen in {}.",
        context.seen(&planned.definition.seen)
    );
    let declared = arms.iter().map(|arm| {
        let variant = ident(&arm.name);
        let facts = format!(
            " {}, seen in {}.",
            describe(&arm.guards),
            context.seen(&arm.seen)
        );
        let payload = context.payload(&arm.ty, planned);
        quote!(#[doc = #facts] #variant(#payload),)
    });
    let reads = arms.iter().map(|arm| {
        let variant = ident(&arm.name);
        let test = test(&arm.guards);
        quote! {
            if #test {
                return Ok(Self::#variant(Wire::read(reader)?));
            }
        }
    });
    // What tells the tagged arms apart names an unrecognized value best.
    let unrecognized = match arms.iter().find_map(|arm| arm.tags.keys().next()) {
        Some(member) => quote! {
            let tagged = kind == JsonKind::Object && reader.has_key(#member)?;
            let tag = if tagged { reader.tag(#member)? } else { Cow::Borrowed(kind.as_str()) };
            Ok(Self::Unrecognized(reader.unrecognized(#label, tag)?))
        },
        None => {
            quote!(Ok(Self::Unrecognized(reader.unrecognized(#label, Cow::Borrowed(kind.as_str()))?)))
        }
    };
    let writes = arms.iter().map(|arm| {
        let variant = ident(&arm.name);
        if arm.tags.is_empty() {
            return quote!(Self::#variant(payload) => payload.write(writer),);
        }
        let tags = arm
            .tags
            .iter()
            .map(|(member, text)| quote!(object.tag(#member, #text);));
        quote! {
            Self::#variant(payload) => {
                let mut object = writer.object();
                #(#tags)*
                object.inline(payload);
                object.end();
            }
        }
    });
    quote! {
        #[doc = #doc]
        #[derive(Clone, Debug, PartialEq)]
        pub enum #name<'a> {
            #(#declared)*
            /// A form that no vendored version has, with the untouched value.
            Unrecognized(Unrecognized<'a>),
        }

        impl<'a> Wire<'a> for #name<'a> {
            fn read(reader: &mut Reader<'a>) -> Result<Self, Malformed> {
                let kind = reader.kind()?;
                #(#reads)*
                #unrecognized
            }

            fn write(&self, writer: &mut Writer) {
                match self {
                    #(#writes)*
                    Self::Unrecognized(unrecognized) => writer.raw(unrecognized.raw.as_str()),
                }
            }
        }

        crate::json::wire_serde!(#name<'a>);
    }
}

fn test(guards: &[Guard]) -> TokenStream {
    let tests = guards.iter().map(|guard| match guard {
        Guard::Kind(kind) => {
            let kind = match kind {
                JsonKind::Boolean => quote!(Boolean),
                JsonKind::Number => quote!(Number),
                JsonKind::String => quote!(String),
                JsonKind::Array => quote!(Array),
                JsonKind::Object => quote!(Object),
            };
            quote!(kind == JsonKind::#kind)
        }
        Guard::Object {
            required,
            constants,
            absent,
        } => {
            let mut parts = vec![quote!(kind == JsonKind::Object)];
            for member in required {
                match constants.get(member) {
                    Some(texts) => parts.push(quote!(reader.member_is(#member, &[#(#texts),*])?)),
                    None => parts.push(quote!(reader.has_key(#member)?)),
                }
            }
            parts.extend(
                absent
                    .iter()
                    .map(|member| quote!(!reader.has_key(#member)?)),
            );
            bracketed(&parts, guards.len() == 1)
        }
    });
    quote!(#(#tests)||*)
}

/// Several conditions of one guard need brackets only beside other guards.
fn bracketed(parts: &[TokenStream], alone: bool) -> TokenStream {
    if alone || parts.len() == 1 {
        quote!(#(#parts)&&*)
    } else {
        quote!((#(#parts)&&*))
    }
}

fn describe(guards: &[Guard]) -> String {
    let texts: Vec<String> = guards
        .iter()
        .map(|guard| match guard {
            Guard::Kind(JsonKind::Boolean) => "a boolean".to_owned(),
            Guard::Kind(JsonKind::Number) => "a number".to_owned(),
            Guard::Kind(JsonKind::String) => "a text".to_owned(),
            Guard::Kind(JsonKind::Array) => "a list".to_owned(),
            Guard::Kind(JsonKind::Object) => "an object".to_owned(),
            Guard::Object {
                required, absent, ..
            } => {
                let listed = |names: &BTreeSet<String>| {
                    names
                        .iter()
                        .map(|name| format!("`{name}`"))
                        .collect::<Vec<_>>()
                        .join(", ")
                };
                let without = if absent.is_empty() {
                    String::new()
                } else {
                    format!(" and without {}", listed(absent))
                };
                format!("an object with {}{without}", listed(required))
            }
        })
        .collect();
    let text = texts.join(", or ");
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| {
        first.to_uppercase().chain(chars).collect()
    })
}
