//! The event that a row says whole, as an expression: the payload of the message is at hand, and no
//! code of the mapping is asked.

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::context::ident;
use crate::plan::set::{Access, As, Expr, Filling, Leaf, Opaque, PlannedRef, PlannedSet, Step};

/// The event; `roots` are the payloads that the match binds, from outside in.
pub fn event(set: &PlannedSet, roots: &[Ident]) -> TokenStream {
    let name = ident(&set.payload);
    let members = set.members.iter().map(|(name, filling)| {
        let name = ident(name);
        let value = self::filling(filling, roots);
        quote!(#name: #value)
    });
    let payload = quote!(canonical::#name { #(#members),* });
    match &set.wrapped {
        Some(event) => {
            let event = ident(event);
            quote!(canonical::#event(#payload))
        }
        None => payload,
    }
}

/// The statements that say what the events are about.
pub fn refs(refs: &[PlannedRef], roots: &[Ident]) -> TokenStream {
    let statements = refs.iter().map(|named| match named {
        PlannedRef::LookUpTurn => quote!(cx.look_up_turn();),
        PlannedRef::Named(what, filling) => {
            let what = ident(what);
            let id = self::filling(filling, roots);
            quote!(cx.refs.#what = #id;)
        }
    });
    statements.collect()
}

/// Which of the bound payloads an expression names.
pub fn uses(tokens: &TokenStream, name: &Ident) -> bool {
    tokens.clone().into_iter().any(|token| match token {
        proc_macro2::TokenTree::Ident(found) => found == *name,
        proc_macro2::TokenTree::Group(group) => uses(&group.stream(), name),
        proc_macro2::TokenTree::Punct(_) | proc_macro2::TokenTree::Literal(_) => false,
    })
}

fn filling(filling: &Filling, roots: &[Ident]) -> TokenStream {
    let (value, around) = match filling {
        Filling::Absent => return quote!(None),
        Filling::Optional(expr, options) => (optional(expr, roots), options.saturating_sub(1)),
        Filling::Always(expr, options) => (always(expr, roots), *options),
    };
    (0..around).fold(value, |value, _| quote!(Some(#value)))
}

/// A value that is always there.
fn always(expr: &Expr, roots: &[Ident]) -> TokenStream {
    match expr {
        Expr::Text(text, to) => text_as(quote!(#text), to),
        Expr::Boolean(flag) => quote!(#flag),
        Expr::Integer(number) => quote!(#number),
        Expr::Float(number) => {
            let number = proc_macro2::Literal::f64_unsuffixed(*number as f64);
            quote!(#number)
        }
        Expr::Member(name, member) => {
            let (name, member) = (ident(name), ident(member));
            quote!(canonical::#name::#member)
        }
        Expr::Read(access, to) => read(access, roots, &|place| converted(access, to, place)),
        Expr::Base64(access) => read(access, roots, &|place| {
            let text = text(access.leaf, place);
            quote!(crate::mapping::set::base64(#text))
        }),
        Expr::Table(function, access, or) => {
            let found = table(function, access, roots);
            match or {
                Some((name, member)) => {
                    let (name, member) = (ident(name), ident(member));
                    quote!(#found.unwrap_or(canonical::#name::#member))
                }
                None => found,
            }
        }
        Expr::First(values) => first(values, roots),
        Expr::List(values) => {
            if values.iter().all(|(_, optional)| !optional) {
                let values = values.iter().map(|(value, _)| always(value, roots));
                return quote!(vec![#(#values),*]);
            }
            let values = values.iter().map(|(value, optional)| {
                if *optional {
                    self::optional(value, roots)
                } else {
                    let value = always(value, roots);
                    quote!(Some(#value))
                }
            });
            quote!([#(#values),*].into_iter().flatten().collect())
        }
        Expr::Json(json) => opaque(json),
        Expr::Map(json) => map(json),
        // What may be absent is asked for as such.
        Expr::Filled(_) | Expr::Lines(_) => optional(expr, roots),
    }
}

/// A value that may be absent, as an option.
fn optional(expr: &Expr, roots: &[Ident]) -> TokenStream {
    match expr {
        Expr::Filled(access) => {
            let filled = quote!(crate::mapping::set::filled);
            if access.optional() {
                let found = read(access, roots, &|place| text(access.leaf, place));
                quote!(#found.and_then(#filled))
            } else {
                read(access, roots, &|place| {
                    let text = text(access.leaf, place);
                    quote!(#filled(#text))
                })
            }
        }
        Expr::Lines(access) => {
            let lines = quote!(crate::mapping::set::lines);
            if access.optional() {
                let found = read(access, roots, &|place| texts(access, place));
                quote!(#found.and_then(#lines))
            } else {
                read(access, roots, &|place| {
                    let texts = texts(access, place);
                    quote!(#lines(#texts))
                })
            }
        }
        Expr::Json(Opaque::Raw(path)) => {
            quote!(crate::mapping::set::present(cx, &[#(#path),*]))
        }
        Expr::First(values) => first(values, roots),
        Expr::List(_) => {
            let texts = always(expr, roots);
            quote!(Some(#texts).filter(|texts: &Vec<String>| !texts.is_empty()))
        }
        Expr::Text(..)
        | Expr::Boolean(_)
        | Expr::Integer(_)
        | Expr::Float(_)
        | Expr::Member(..)
        | Expr::Read(..)
        | Expr::Base64(_)
        | Expr::Table(..)
        | Expr::Json(_)
        | Expr::Map(_) => always(expr, roots),
    }
}

fn first(values: &[(Expr, bool)], roots: &[Ident]) -> TokenStream {
    let mut found = TokenStream::new();
    for (index, (value, is_optional)) in values.iter().enumerate() {
        let value = if *is_optional {
            optional(value, roots)
        } else {
            always(value, roots)
        };
        found = match (index, is_optional) {
            (0, _) => value,
            (_, true) => quote!(#found.or_else(|| #value)),
            (_, false) => quote!(#found.unwrap_or_else(|| #value)),
        };
    }
    found
}

fn table(function: &str, access: &Access, roots: &[Ident]) -> TokenStream {
    let function = ident(function);
    let call = |place: Place<'_>| {
        let value = match (access.leaf, &place) {
            (Leaf::Text, _) => text(access.leaf, place),
            (_, Place::Field(place)) => quote!(&#place),
            (_, Place::Bound(place)) => quote!(#place),
        };
        quote!(super::values::#function(#value))
    };
    let found = read(access, roots, &call);
    if access.optional() {
        quote!(#found.flatten())
    } else {
        found
    }
}

/// Where a value is: a member, or a name that is bound to a reference.
enum Place<'t> {
    Field(&'t TokenStream),
    Bound(&'t TokenStream),
}

/// What `end` makes of the value at the end of the way; an option of it, where something on the way
/// may be absent.
fn read(access: &Access, roots: &[Ident], end: &dyn Fn(Place<'_>) -> TokenStream) -> TokenStream {
    let Some(root) = roots.get(access.root) else {
        return TokenStream::new();
    };
    way(&access.steps, &quote!(#root), true, end)
}

fn way(
    steps: &[Step],
    place: &TokenStream,
    bound: bool,
    end: &dyn Fn(Place<'_>) -> TokenStream,
) -> TokenStream {
    let Some((step, rest)) = steps.split_first() else {
        return end(if bound {
            Place::Bound(place)
        } else {
            Place::Field(place)
        });
    };
    let field = match &step.field {
        Some(name) => {
            let name = ident(name);
            quote!(#place.#name)
        }
        None => place.clone(),
    };
    if step.options == 0 {
        return way(rest, &field, false, end);
    }
    let inner = way(rest, &quote!(value), true, end);
    let found = match step.options {
        1 => quote!(#field.as_ref()),
        _ => quote!(#field.as_ref().and_then(Option::as_ref)),
    };
    if rest.iter().any(|step| step.options > 0) {
        quote!(#found.and_then(|value| #inner))
    } else {
        quote!(#found.map(|value| #inner))
    }
}

/// The text at a place, borrowed.
fn text(leaf: Leaf, place: Place<'_>) -> TokenStream {
    match (leaf, place) {
        (Leaf::Named | Leaf::NamedTexts, Place::Field(place) | Place::Bound(place)) => {
            quote!(#place.as_str())
        }
        (_, Place::Field(place)) => quote!(&*#place),
        (_, Place::Bound(place)) => quote!(&**#place),
    }
}

/// The texts of a list, borrowed.
fn texts(access: &Access, place: Place<'_>) -> TokenStream {
    let (Place::Field(place) | Place::Bound(place)) = place;
    let steps = access.each.as_deref().unwrap_or_default();
    let text = way(steps, &quote!(value), true, &|place| {
        text(access.leaf, place)
    });
    quote!(#place.iter().map(|value| #text))
}

fn converted(access: &Access, to: &As, place: Place<'_>) -> TokenStream {
    match to {
        As::Text | As::Id(_) | As::Shared => text_as(text(access.leaf, place), to),
        As::Texts => {
            let texts = texts(access, place);
            quote!(#texts.map(String::from).collect())
        }
        As::Boolean | As::Integer | As::Float => {
            let value = match place {
                Place::Field(place) => place.clone(),
                Place::Bound(place) => quote!(*#place),
            };
            match (access.leaf, to) {
                (Leaf::Narrow, As::Integer) => quote!(i64::from(#value)),
                (Leaf::Narrow, _) => quote!(f64::from(#value)),
                _ => value,
            }
        }
    }
}

fn text_as(text: TokenStream, to: &As) -> TokenStream {
    match to {
        As::Id(name) => {
            let name = ident(name);
            quote!(canonical::#name::from(#text))
        }
        As::Shared => quote!(std::sync::Arc::<str>::from(#text)),
        As::Text | As::Boolean | As::Integer | As::Float | As::Texts => quote!(String::from(#text)),
    }
}

fn opaque(json: &Opaque) -> TokenStream {
    match json {
        Opaque::Raw(path) => quote!(crate::mapping::set::part(cx, &[#(#path),*])),
        Opaque::Body(but) if but.is_empty() => quote!(cx.body()),
        Opaque::Body(but) => quote!(crate::mapping::set::all_but(cx, &[#(#but),*])),
        Opaque::Pick(paths) => {
            let paths = paths.iter().map(|path| quote!(&[#(#path),*]));
            quote!(crate::mapping::set::pick(cx, &[#(#paths),*]))
        }
        Opaque::Object(members) => {
            let members = members.iter().map(|(name, value)| {
                let value = opaque(value);
                quote!((#name, #value))
            });
            quote!(crate::mapping::set::object(&[#(#members),*]))
        }
        Opaque::Page(name) => quote!(crate::mapping::set::page(cx, #name)),
        Opaque::Text(text) => quote!(crate::mapping::set::constant(#text)),
        Opaque::Boolean(flag) => quote!(crate::mapping::set::constant(#flag)),
        Opaque::Integer(number) => quote!(crate::mapping::set::constant(#number)),
        Opaque::Null => quote!(crate::mapping::set::null()),
    }
}

fn map(json: &Opaque) -> TokenStream {
    match json {
        Opaque::Body(but) => quote!(crate::mapping::set::rest(cx, &[#(#but),*])),
        Opaque::Object(members) => {
            let members = members.iter().map(|(name, value)| {
                let value = opaque(value);
                quote!((String::from(#name), #value))
            });
            quote!([#(#members),*].into_iter().collect())
        }
        Opaque::Raw(path) => quote!(crate::mapping::set::members(cx, &[#(#path),*])),
        Opaque::Pick(_)
        | Opaque::Page(_)
        | Opaque::Text(_)
        | Opaque::Boolean(_)
        | Opaque::Integer(_)
        | Opaque::Null => opaque(json),
    }
}
