//! The skeleton of a surface: one trait with a method for each row that emits,
//! and the match over every variant.

mod picked;

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::TokenStream;
use quote::quote;

use super::context::{Context, ident};
use super::lift::lift;
use super::set;
use crate::names;
use crate::plan::{PlannedRow, PlannedSurface};
use crate::rows::{Event, Verb};

/// All of it.
pub fn item(context: &Context<'_>, surface: &PlannedSurface) -> TokenStream {
    let id = &surface.id;
    let markers = markers(surface);
    let methods = surface.rows.iter().filter_map(|row| method(context, row));
    let kind = context.kind_path(&surface.union);
    let arms = variants(surface)
        .into_iter()
        .map(|rows| picked::mapped(context, &surface.union, &kind, &rows));
    let path = tag_path(context, surface, &kind);
    let refs = refs(context, surface, &kind);
    let doc = format!(
        " What each variant of `{id}` becomes. One method a row; the compiler names every one that is missing."
    );
    quote! {
        /// The id of the surface, as the raw source of its events says it.
        pub const SURFACE: &str = #id;

        #markers

        #[doc = #doc]
        pub trait Mapping {
            #(#methods)*
        }

        /// Maps one message: every variant has its arm.
        pub fn map(mapping: &mut impl Mapping, cx: &mut Cx<'_>, message: &#kind<'_>) {
            match message {
                #(#arms)*
                #kind::Unrecognized(unrecognized) => cx.unrecognized(SURFACE, unrecognized),
            }
        }

        #path

        #refs
    }
}

/// The tag path of a message, where rows lie below variants.
fn tag_path(
    context: &Context<'_>,
    surface: &PlannedSurface,
    kind: &TokenStream,
) -> Option<TokenStream> {
    let below = surface.rows.iter().any(|row| !row.picks.is_empty());
    let arms = variants(surface)
        .into_iter()
        .map(|rows| picked::path(context, &surface.union, kind, &rows));
    below.then(|| {
        quote! {
            /// The tag path of a message: the tag of its row, or as much of it as some version
            /// has, with what none has after it.
            pub fn tag_path<'m>(message: &'m #kind<'_>) -> Cow<'m, str> {
                match message {
                    #(#arms)*
                    #kind::Unrecognized(unrecognized) => Cow::Borrowed(&*unrecognized.tag),
                }
            }
        }
    })
}

/// What a row decides, as a value of `RowVerb`.
pub(super) fn verb(verb: &Verb) -> TokenStream {
    match verb {
        Verb::Keep(event) => {
            let event = &event.wire;
            quote!(RowVerb::Keep(#event))
        }
        Verb::Rename(event) => {
            let event = &event.wire;
            quote!(RowVerb::Rename(#event))
        }
        Verb::Split(events) => {
            let events = events.iter().map(|event| &event.wire);
            quote!(RowVerb::Split(&[#(#events),*]))
        }
        Verb::Drop(reason) => {
            let reason = &reason.value;
            quote!(RowVerb::Drop(#reason))
        }
        Verb::Todo(_) => quote!(compile_error!("a row is still to be decided")),
    }
}

/// One type a row that gives events, and one an implied rule: sinks that accept only the events that
/// the table lists.
fn markers(surface: &PlannedSurface) -> TokenStream {
    let rows = surface.rows.iter().filter_map(|planned| {
        let events = distinct(planned.row.verb.events());
        let (tag, name) = (&planned.tag, ident(&planned.name));
        (!events.is_empty()).then(|| quote!(#tag #name: #(#events)*;))
    });
    let mut rules: BTreeMap<&str, Vec<Event>> = BTreeMap::new();
    for implied in &surface.implied {
        let events = rules.entry(&implied.rule).or_default();
        events.push(implied.event.clone());
    }
    let listed = (surface.implied.iter()).map(|implied| {
        let (event, rule) = (&implied.event.wire, &implied.rule);
        quote!(Implied::of(#event, #rule),)
    });
    let rules = rules.into_iter().map(|(rule, events)| {
        let events = distinct(&events);
        let name = ident(&names::variant(rule));
        let function = ident(&names::field(rule));
        quote!(#rule #name #function: #(#events)*;)
    });
    quote! {
        /// Rows that give events; each accepts only those that its row lists.
        pub mod row {
            crate::row_sinks! { #(#rows)* }
        }

        /// What is told beside the rows; each rule accepts only the events that it is listed with.
        pub mod implied {
            crate::implied_sinks! { #(#rules)* }
        }

        /// The events that are told beside the rows, each with its rule.
        pub const IMPLIED: &[Implied] = &[#(#listed)*];
    }
}

/// The payloads of events, each once.
fn distinct(events: &[Event]) -> Vec<proc_macro2::Ident> {
    let names: BTreeSet<&str> = events.iter().map(|event| &*event.rust).collect();
    names.into_iter().map(ident).collect()
}

fn method(context: &Context<'_>, planned: &PlannedRow) -> Option<TokenStream> {
    if planned.set.is_some() {
        return None;
    }
    let name = method_name(planned);
    let payload = picked::parameters(planned).into_iter().map(|(name, ty)| {
        let ty = context.ty(ty, None);
        let ty = anonymous(&ty);
        quote!(, #name: &#ty)
    });
    let payload: TokenStream = payload.collect();
    let note = planned
        .row
        .note
        .as_ref()
        .map(|note| format!(": {}", escaped(note)))
        .unwrap_or_default();
    let seen = context.seen(&planned.seen);
    match &planned.row.verb {
        Verb::Keep(event) | Verb::Rename(event) => {
            let doc = format!(
                " `{}` → `{}`{note}. Seen in {seen}.",
                planned.tag, event.wire
            );
            let event = ident(&event.rust);
            Some(quote! {
                #[doc = #doc]
                fn #name(&mut self, cx: &mut Cx<'_> #payload) -> canonical::#event;
            })
        }
        Verb::Split(events) => {
            let list = events
                .iter()
                .map(|event| format!("`{}`", event.wire))
                .collect::<Vec<_>>()
                .join(" and ");
            let doc = format!(" `{}` → {list}{note}. Seen in {seen}.", planned.tag);
            let marker = ident(&planned.name);
            Some(quote! {
                #[doc = #doc]
                fn #name(&mut self, cx: &mut Cx<'_> #payload, out: Out<row::#marker>);
            })
        }
        // A row to be decided never gets past the plan.
        Verb::Drop(_) | Verb::Todo(_) => None,
    }
}

/// A note as documentation text: brackets would be read as links and as HTML.
pub(super) fn escaped(note: &str) -> String {
    let mut text = String::with_capacity(note.len());
    for character in note.chars() {
        if matches!(character, '[' | ']' | '<' | '>') {
            text.push('\\');
        }
        text.push(character);
    }
    text
}

/// The method of a row, named after its tag.
fn method_name(planned: &PlannedRow) -> proc_macro2::Ident {
    ident(&names::field(&planned.name))
}

/// What the method of a row calls the payload that a member holds.
fn argument_name(member: &str) -> proc_macro2::Ident {
    let name = names::field(member);
    match name.as_str() {
        "cx" | "mapping" | "out" | "params" | "payload" | "unrecognized" => {
            ident(&format!("{name}_"))
        }
        _ => ident(&name),
    }
}

/// The rows of each variant, those of one together.
fn variants(surface: &PlannedSurface) -> Vec<Vec<&PlannedRow>> {
    let mut all: Vec<Vec<&PlannedRow>> = Vec::new();
    for row in &surface.rows {
        let known = all.iter_mut().find(|rows| {
            rows.first()
                .is_some_and(|first| first.variant == row.variant)
        });
        match known {
            Some(rows) => rows.push(row),
            None => all.push(vec![row]),
        }
    }
    all
}

/// What becomes of a row.
fn decided(planned: &PlannedRow, arguments: &TokenStream) -> TokenStream {
    let (method, marker) = (method_name(planned), ident(&planned.name));
    let (said, refs) = said(planned);
    if let Some(event) = said {
        return quote! {
            {
                #refs
                let payload = #event;
                Out::of(row::#marker(())).emit(cx, payload);
            }
        };
    }
    match &planned.row.verb {
        Verb::Keep(_) | Verb::Rename(_) => quote! {
            {
                #refs
                let payload = mapping.#method(cx #arguments);
                Out::of(row::#marker(())).emit(cx, payload);
            }
        },
        Verb::Split(_) if refs.is_empty() => {
            quote!(mapping.#method(cx #arguments, Out::of(row::#marker(()))))
        }
        Verb::Split(_) => quote! {
            {
                #refs
                mapping.#method(cx #arguments, Out::of(row::#marker(())));
            }
        },
        Verb::Drop(reason) => {
            let reason = &reason.value;
            quote!(cx.dropped(#reason))
        }
        Verb::Todo(_) => quote!(()),
    }
}

/// The event and the ids that a row says itself.
fn said(planned: &PlannedRow) -> (Option<TokenStream>, TokenStream) {
    let roots: Vec<_> = picked::parameters(planned)
        .into_iter()
        .map(|(name, _)| name)
        .collect();
    let event = planned.set.as_ref().map(|set| set::event(set, &roots));
    (event, set::refs(&planned.refs, &roots))
}

/// Whether what becomes of a row needs a payload.
fn needs(planned: &PlannedRow, name: &proc_macro2::Ident) -> bool {
    match &planned.row.verb {
        Verb::Drop(_) | Verb::Todo(_) => false,
        Verb::Keep(_) | Verb::Rename(_) | Verb::Split(_) => match said(planned) {
            (Some(event), refs) => set::uses(&quote!(#event #refs), name),
            (None, _) => true,
        },
    }
}

/// `'a` becomes the anonymous lifetime, since a mapping borrows for the call only.
fn anonymous(tokens: &TokenStream) -> TokenStream {
    use proc_macro2::{Group, TokenTree};
    let mut out = Vec::new();
    let mut after_quote = false;
    for token in tokens.clone() {
        match token {
            TokenTree::Punct(punct) if punct.as_char() == '\'' => {
                after_quote = true;
                out.push(TokenTree::Punct(punct));
            }
            TokenTree::Ident(name) if after_quote => {
                after_quote = false;
                out.push(TokenTree::Ident(proc_macro2::Ident::new("_", name.span())));
            }
            TokenTree::Group(group) => {
                out.push(TokenTree::Group(Group::new(
                    group.delimiter(),
                    anonymous(&group.stream()),
                )));
            }
            other @ (TokenTree::Ident(_) | TokenTree::Punct(_) | TokenTree::Literal(_)) => {
                out.push(other)
            }
        }
    }
    out.into_iter().collect()
}

/// Where messages name their thread, turn and item.
fn refs(context: &Context<'_>, surface: &PlannedSurface, kind: &TokenStream) -> TokenStream {
    let firsts = variants(surface);
    let arms = firsts
        .iter()
        .filter_map(|rows| rows.first())
        .map(|planned| {
            let variant = ident(&planned.variant);
            let Some(payload) = &planned.payload else {
                return quote!(#kind::#variant => (),);
            };
            let places = [
                ("item", &surface.lift.item),
                ("thread", &surface.lift.thread),
                ("turn", &surface.lift.turn),
            ];
            let lifted: Vec<TokenStream> = places
                .into_iter()
                .filter_map(|(which, paths)| {
                    let expression = lift(context, payload, paths, &quote!(params))?;
                    let which = ident(which);
                    Some(quote!(refs.#which = #expression;))
                })
                .collect();
            if lifted.is_empty() {
                quote!(#kind::#variant(_) => (),)
            } else {
                quote!(#kind::#variant(params) => { #(#lifted)* })
            }
        });
    quote! {
        /// The ids that a message names.
        pub fn refs<'m>(message: &'m #kind<'_>) -> crate::mapping::WireRefs<'m> {
            let mut refs = crate::mapping::WireRefs::default();
            match message {
                #(#arms)*
                #kind::Unrecognized(_) => (),
            }
            refs
        }
    }
}
