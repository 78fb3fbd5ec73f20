//! The canonical model as the generator knows it: read from the text of its Rust files.

mod payloads;

use std::collections::BTreeMap;

use proc_macro2::{Delimiter, Span as TokenSpan, TokenStream, TokenTree};
use quote::ToTokens;
use syn::parse::{ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::{Attribute, Expr, Field, Fields, Ident, Item, Lit, LitStr, Meta, Token, Type, Variant};

use crate::diagnostics::{Code, Diagnostic};
use crate::source::{SourceFile, Span};
pub use payloads::{Kind, Member, Payload};

/// The group under which errors in the canonical files are reported.
const GROUP: &str = "canonical model";

/// The enum in which the events stand.
const EVENTS: &str = "EventPayload";

/// Each `target` that a row table can name, with the canonical enum that it stands for.
pub const TARGETS: &[(&str, &str)] = &[
    ("agent-event", "AgentEventType"),
    ("decision", "Decision"),
    ("error-class", "ErrorClass"),
    ("exit-kind", "ExitKind"),
    ("hook-outcome", "HookOutcome"),
    ("item-status", "ItemStatus"),
    ("item-type", "ItemType"),
    ("plan-step-status", "PlanStepStatus"),
    ("request-type", "RequestType"),
    ("session-state", "SessionState"),
    ("stream-kind", "ContentStreamKind"),
    ("task-status", "TaskStatus"),
    ("thread-state", "ThreadState"),
    ("turn-state", "TurnState"),
    ("universal-event", "UniversalEventType"),
];

/// What rows can name: the events, and the members of the value enums.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CanonicalModel {
    /// The events by their wire name.
    pub events: BTreeMap<String, CanonicalEvent>,
    /// The enums that value surfaces map to, by the name that a row table uses.
    pub targets: BTreeMap<String, TargetEnum>,
    /// The payloads of the events, and the structs that these are names for, by their names in code.
    pub payloads: BTreeMap<String, Payload>,
}

/// One event of the canonical model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CanonicalEvent {
    /// Its name on the wire, such as `content.delta`.
    pub wire: String,
    /// The name of its variant and of its payload type.
    pub rust: String,
    /// Whether it is an addition to the model's source.
    pub extension: bool,
    /// Where its variant stands.
    pub span: Span,
}

/// A canonical enum whose values are strings on the wire.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TargetEnum {
    /// The name of the enum.
    pub name: String,
    /// The path by which generated code names it.
    pub path: String,
    /// Wire string to variant.
    pub members: BTreeMap<String, String>,
}

type Errors = Vec<Diagnostic>;

/// Reads the events from the text of `event.rs`, and the value enums from the other files.
/// An enum that no file declares is no error here: it is one for the row table that names it.
pub fn read(event: &SourceFile, others: &[SourceFile]) -> Result<CanonicalModel, Errors> {
    let mut errors = Vec::new();
    let mut model = CanonicalModel {
        events: BTreeMap::new(),
        targets: BTreeMap::new(),
        payloads: BTreeMap::new(),
    };
    match read_events(event) {
        Ok(events) => model.events = by_wire(event, events, &mut errors),
        Err(found) => errors.extend(found),
    }
    for file in others {
        match read_targets(file) {
            Ok(targets) => model.targets.extend(targets),
            Err(found) => errors.extend(found),
        }
        // The events of projections have payloads of their own.
        if !beside(event, file) {
            continue;
        }
        match payloads::read(file) {
            Ok(payloads) => model.payloads.extend(payloads),
            Err(found) => errors.extend(found),
        }
    }
    if errors.is_empty() {
        Ok(model)
    } else {
        Err(errors)
    }
}

/// Whether two files stand in one folder.
fn beside(one: &SourceFile, other: &SourceFile) -> bool {
    let folder = |file: &SourceFile| {
        file.path()
            .rsplit_once('/')
            .map(|(folder, _)| folder.to_owned())
    };
    folder(one) == folder(other)
}

fn read_events(file: &SourceFile) -> Result<Vec<CanonicalEvent>, Errors> {
    let items = parse(file)?.items;
    for item in items {
        if let Item::Enum(found) = item
            && found.ident == EVENTS
        {
            let events = found
                .variants
                .iter()
                .map(|variant| read_event(file, variant));
            return events
                .collect::<syn::Result<_>>()
                .map_err(|error| unreadable(file, &error));
        }
    }
    let message = format!("{} declares no enum `{EVENTS}`", file.path());
    let error = Diagnostic::new(Code::BadSource, GROUP, message);
    Err(vec![error.at(file.span(0..0), "no such enum in this file")])
}

fn read_event(file: &SourceFile, variant: &Variant) -> syn::Result<CanonicalEvent> {
    let name = &variant.ident;
    let Some(wire) = serde_rename(&variant.attrs)? else {
        let message = format!("the event `{name}` has no `#[serde(rename = \"…\")]`");
        return Err(syn::Error::new(name.span(), message));
    };
    let same_name = match &variant.fields {
        Fields::Unnamed(fields) => {
            let is_named =
                |field: &Field| matches!(&field.ty, Type::Path(path) if path.path.is_ident(name));
            fields.unnamed.len() == 1 && fields.unnamed.iter().all(is_named)
        }
        Fields::Named(_) | Fields::Unit => false,
    };
    if !same_name {
        let message = format!("the event `{name}` must hold exactly a payload type `{name}`");
        return Err(syn::Error::new(name.span(), message));
    }
    Ok(CanonicalEvent {
        wire: wire.value(),
        rust: name.to_string(),
        extension: doc_lines(&variant.attrs).any(|line| line.trim().starts_with("Extension: ")),
        span: span_of(file, name.span()),
    })
}

/// Two events of one name would make one of them unreachable for every row.
fn by_wire(
    file: &SourceFile,
    events: Vec<CanonicalEvent>,
    errors: &mut Errors,
) -> BTreeMap<String, CanonicalEvent> {
    let mut found: BTreeMap<String, CanonicalEvent> = BTreeMap::new();
    for event in events {
        if let Some(first) = found.get(&event.wire) {
            let message = format!("two events of {} are called `{}`", file.path(), event.wire);
            errors.push(
                Diagnostic::new(Code::BadSource, GROUP, message)
                    .at(event.span, "the second one")
                    .and(first.span.clone(), "the first one"),
            );
        } else {
            found.insert(event.wire.clone(), event);
        }
    }
    found
}

/// Finds each target enum of a file, declared plainly or inside the braces of a macro.
fn read_targets(file: &SourceFile) -> Result<BTreeMap<String, TargetEnum>, Errors> {
    let mut targets = BTreeMap::new();
    for item in parse(file)?.items {
        let found = if let Item::Macro(call) = &item {
            // The body of a macro that is declared here is a pattern, not an enum.
            call.ident.is_none().then(|| call.mac.tokens.clone())
        } else if let Item::Enum(plain) = &item {
            Some(plain.to_token_stream())
        } else {
            None
        };
        let tokens: Vec<TokenTree> = found.into_iter().flatten().collect();
        for pair in tokens.windows(2) {
            let [TokenTree::Ident(name), TokenTree::Group(body)] = pair else {
                continue;
            };
            let target = TARGETS.iter().find(|(_, rust)| name == rust);
            let (Some((target, rust)), Delimiter::Brace) = (target, body.delimiter()) else {
                continue;
            };
            let members = read_members
                .parse2(body.stream())
                .map_err(|error| unreadable(file, &error))?;
            let read = TargetEnum {
                name: (*rust).to_owned(),
                path: format!("crate::canonical::{rust}"),
                members,
            };
            targets.insert((*target).to_owned(), read);
        }
    }
    Ok(targets)
}

fn read_members(input: ParseStream<'_>) -> syn::Result<BTreeMap<String, String>> {
    let mut members = BTreeMap::new();
    for (name, wire) in Punctuated::<_, Token![,]>::parse_terminated_with(input, read_member)? {
        if let Some(first) = members.insert(wire.value(), name.to_string()) {
            let message = format!("`{name}` and `{first}` are both \"{}\"", wire.value());
            return Err(syn::Error::new(name.span(), message));
        }
    }
    Ok(members)
}

/// `Variant = "wire"` with any mark behind it, or `#[serde(rename = "wire")] Variant`.
fn read_member(input: ParseStream<'_>) -> syn::Result<(Ident, LitStr)> {
    let attributes = input.call(Attribute::parse_outer)?;
    let name: Ident = input.parse()?;
    let wire = if input.peek(Token![=]) {
        input.parse::<Token![=]>()?;
        Some(input.parse::<LitStr>()?)
    } else {
        serde_rename(&attributes)?
    };
    while !input.is_empty() && !input.peek(Token![,]) {
        input.parse::<TokenTree>()?;
    }
    match wire {
        Some(wire) => Ok((name, wire)),
        None => {
            let message = format!("the member `{name}` has no wire string");
            Err(syn::Error::new(name.span(), message))
        }
    }
}

/// The value of `#[serde(rename = "…")]`, if there is one.
fn serde_rename(attributes: &[Attribute]) -> syn::Result<Option<LitStr>> {
    for attribute in attributes.iter().filter(|it| it.path().is_ident("serde")) {
        let metas = attribute.parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated)?;
        for meta in metas {
            match meta {
                Meta::NameValue(pair) if pair.path.is_ident("rename") => {
                    return string(&pair.value).map(Some);
                }
                Meta::NameValue(_) | Meta::List(_) | Meta::Path(_) => {}
            }
        }
    }
    Ok(None)
}

fn string(value: &Expr) -> syn::Result<LitStr> {
    if let Expr::Lit(literal) = value
        && let Lit::Str(text) = &literal.lit
    {
        return Ok(text.clone());
    }
    Err(syn::Error::new_spanned(value, "expected a string"))
}

fn doc_lines(attributes: &[Attribute]) -> impl Iterator<Item = String> {
    attributes
        .iter()
        .filter_map(|attribute| match &attribute.meta {
            Meta::NameValue(pair) if pair.path.is_ident("doc") => {
                string(&pair.value).ok().map(|text| text.value())
            }
            Meta::NameValue(_) | Meta::List(_) | Meta::Path(_) => None,
        })
}

fn parse(file: &SourceFile) -> Result<syn::File, Errors> {
    // Taking the tokens first keeps their offsets equal to those of the text.
    let tokens: TokenStream = match file.text().parse() {
        Ok(tokens) => tokens,
        Err(error) => return Err(unreadable(file, &syn::Error::from(error))),
    };
    syn::parse2(tokens).map_err(|error| unreadable(file, &error))
}

fn unreadable(file: &SourceFile, error: &syn::Error) -> Errors {
    let message = format!("{} is not the canonical model: {error}", file.path());
    let unreadable = Diagnostic::new(Code::BadSource, GROUP, message);
    vec![unreadable.at(span_of(file, error.span()), "here")]
}

fn span_of(file: &SourceFile, span: TokenSpan) -> Span {
    file.span(span.byte_range())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic)]
    use super::*;

    const EVENT: &str = "//! Events.\n\npub enum EventPayload {\n    /// Some é text.\n    \
        #[serde(rename = \"content.delta\")]\n    ContentDelta(ContentDelta),\n    \
        // Extension events\n    /// Another.\n    ///\n    /// Extension: because.\n    \
        #[serde(rename = \"turn.mood\")]\n    TurnMood(TurnMood),\n}\n";

    fn event(text: &str) -> SourceFile {
        SourceFile::new("canonical/event.rs", text)
    }

    fn read_one(text: &str) -> Vec<String> {
        let errors = read(&event(text), &[]).unwrap_err();
        errors.iter().map(Diagnostic::to_line).collect()
    }

    #[test]
    fn events_with_their_place_and_mark() {
        let model = read(&event(EVENT), &[]).unwrap();
        let [delta, mood] = model.events.values().collect::<Vec<_>>()[..] else {
            panic!("two events");
        };
        assert_eq!(
            (delta.rust.as_str(), delta.extension),
            ("ContentDelta", false)
        );
        assert_eq!(
            (delta.span.text(), delta.span.range.start),
            ("ContentDelta", 102)
        );
        assert_eq!((mood.wire.as_str(), mood.extension), ("turn.mood", true));
    }

    #[test]
    fn targets_in_a_macro_or_plain() {
        let file = SourceFile::new(
            "canonical/state.rs",
            "wire_enum! {\n /// Doc.\n pub enum ErrorClass {\n /// It.\n Unknown = \"unknown\",\n \
             UsageLimit = \"usage_limit\"\n extension \"a, reason\",\n }\n}\n\
             pub enum TurnState { #[serde(rename = \"failed\")] Failed }\n\
             pub enum Other { A }\nmacro_rules! m { () => { pub enum ItemType { A } } }\n",
        );
        let model = read(&event(EVENT), &[file]).unwrap();
        let targets: Vec<&str> = model.targets.keys().map(String::as_str).collect();
        assert_eq!(targets, ["error-class", "turn-state"]);
        let class = &model.targets["error-class"];
        assert_eq!(class.path, "crate::canonical::ErrorClass");
        assert_eq!(class.members["usage_limit"], "UsageLimit");
        assert_eq!(class.members.len(), 2);
        assert_eq!(model.targets["turn-state"].members["failed"], "Failed");
    }

    #[test]
    fn what_is_not_the_model_is_an_error_with_its_place() {
        let place = "canonical/event.rs:";
        assert!(read_one("enum Other {}")[0].contains("declares no enum `EventPayload`"));
        assert!(read_one("enum EventPayload { A(A) }")[0].contains("has no `#[serde(rename"));
        assert!(read_one("enum EventPayload {\n  é(")[0].starts_with(place));
        let wrong = "enum EventPayload {\n  #[serde(rename = \"a\")]\n  A(B),\n}";
        assert_eq!(
            read_one(wrong),
            [format!(
                "{place}3:3: bad-source: canonical/event.rs is not the canonical model: the event \
                 `A` must hold exactly a payload type `A`"
            )]
        );
        let twice = EVENT.replace("turn.mood", "content.delta");
        assert!(read_one(&twice)[0].contains("are called `content.delta`"));
        let state = SourceFile::new("canonical/state.rs", "wire_enum! { enum TurnState { A } }");
        let errors = read(&event(EVENT), &[state]).unwrap_err();
        assert!(
            errors[0]
                .message
                .contains("the member `A` has no wire string")
        );
    }
}
