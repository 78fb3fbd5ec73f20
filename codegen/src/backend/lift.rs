//! Lifting: where a message names its thread, turn or item, read from the typed payload.

use proc_macro2::TokenStream;
use quote::quote;

use super::context::{Context, ident};
use super::objects::Members;
use super::texts::variant_names;
use crate::ir::{Shape, Type};

/// An expression of type `Option<&str>` for the first of `paths` that the type has; `value` is a
/// reference to it.
pub fn lift(
    context: &Context<'_>,
    ty: &Type,
    paths: &[String],
    value: &TokenStream,
) -> Option<TokenStream> {
    paths.iter().find_map(|path| {
        let steps: Vec<&str> = path.split('.').collect();
        resolve(context, ty, &steps, value.clone(), 0)
    })
}

fn resolve(
    context: &Context<'_>,
    ty: &Type,
    steps: &[&str],
    value: TokenStream,
    depth: usize,
) -> Option<TokenStream> {
    if depth > 6 {
        return None;
    }
    match ty {
        Type::String if steps.is_empty() => Some(quote!(Some(#value.as_ref()))),
        Type::Nullable(inner) => {
            let rest = resolve(context, inner, steps, quote!(value), depth + 1)?;
            Some(quote!(#value.as_ref().and_then(|value| #rest)))
        }
        Type::Ref(key) => {
            let planned = context.plan.types.get(key)?;
            match &planned.definition.shape {
                Shape::Alias(Type::String) if steps.is_empty() => {
                    Some(quote!(Some(#value.as_str())))
                }
                Shape::Alias(inner) => resolve(context, inner, steps, value, depth + 1),
                Shape::Struct(fields) => {
                    member(context, &Members::new(fields), steps, &value, depth)
                }
                Shape::Tagged {
                    common, variants, ..
                } => {
                    if steps
                        .first()
                        .is_some_and(|first| common.contains_key(*first))
                    {
                        return member(context, &Members::common(common), steps, &value, depth);
                    }
                    let path = context.kind_path(key);
                    let scrutinee = if common.is_empty() {
                        quote!(&#value)
                    } else {
                        quote!(&#value.kind)
                    };
                    let named = variant_names(variants.keys());
                    let mut found = false;
                    let arms: Vec<TokenStream> = variants
                        .iter()
                        .map(|(tag, variant)| {
                            let variant_ident = ident(&named[tag]);
                            let Some(payload) = &variant.payload else {
                                return quote!(#path::#variant_ident => None,);
                            };
                            match resolve(context, payload, steps, quote!(value), depth + 1) {
                                Some(expression) => {
                                    found = true;
                                    quote!(#path::#variant_ident(value) => #expression,)
                                }
                                None => quote!(#path::#variant_ident(_) => None,),
                            }
                        })
                        .collect();
                    found.then(
                        || quote!(match #scrutinee { #(#arms)* #path::Unrecognized(_) => None, }),
                    )
                }
                Shape::External(_) | Shape::Enum(_) | Shape::Codes(_) | Shape::Untagged(_) => None,
            }
        }
        Type::String
        | Type::Boolean
        | Type::Integer(_)
        | Type::Float
        | Type::Json
        | Type::List(_)
        | Type::Map(_) => None,
    }
}

fn member(
    context: &Context<'_>,
    members: &Members<'_>,
    steps: &[&str],
    value: &TokenStream,
    depth: usize,
) -> Option<TokenStream> {
    let (wire, rest) = steps.split_first()?;
    let (field, name) = members.named(wire)?;
    if field.required && !field.ty.nullable() {
        let parenthesised = quote!(#value.#name);
        return resolve(context, &field.ty, rest, parenthesised, depth + 1);
    }
    let inner = resolve(context, field.ty.non_null(), rest, quote!(value), depth + 1)?;
    Some(quote!(#value.#name.as_ref().and_then(|value| #inner)))
}
