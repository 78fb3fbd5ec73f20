//! The payloads of the canonical events, member by member: what a row can set.

use std::collections::BTreeMap;

use proc_macro2::{Delimiter, TokenTree};
use syn::{Fields, GenericArgument, Item, ItemStruct, PathArguments, Type};

use super::{Errors, TARGETS, parse, serde_rename, span_of, unreadable};
use crate::source::{SourceFile, Span};

/// A struct of the canonical model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Payload {
    /// The struct that it is a name of its own for, if it is one.
    pub wraps: Option<String>,
    /// Its members, in the order of the declaration.
    pub members: Vec<Member>,
    /// Where its name stands.
    pub span: Span,
}

/// A member of a payload.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    /// Its name in JSON.
    pub wire: String,
    /// Its name in code.
    pub rust: String,
    /// What it holds.
    pub kind: Kind,
    /// How many options lie around it: none, where it is always there.
    pub options: usize,
}

/// What a member holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A text.
    Text,
    /// An id, by the name of its type.
    Id(String),
    /// `true` or `false`.
    Boolean,
    /// An integer of 64 bits.
    Integer,
    /// A number.
    Float,
    /// Opaque JSON.
    Json,
    /// Opaque JSON by name.
    Map,
    /// Texts.
    Texts,
    /// A member of an enum that row tables can name, by the name of the enum.
    Enum(String),
    /// What only code can make.
    Other(String),
}

impl Kind {
    /// What it is, in a message.
    pub fn describe(&self) -> String {
        match self {
            Self::Text => "a text".to_owned(),
            Self::Id(name) => format!("an id (`{name}`)"),
            Self::Boolean => "true or false".to_owned(),
            Self::Integer => "an integer".to_owned(),
            Self::Float => "a number".to_owned(),
            Self::Json => "opaque JSON".to_owned(),
            Self::Map => "opaque JSON by name".to_owned(),
            Self::Texts => "a list of texts".to_owned(),
            Self::Enum(name) => format!("a `{name}`"),
            Self::Other(name) => format!("of the type `{name}`, which only code makes"),
        }
    }
}

/// Every struct of a file, and every `Name(Inner)` that a macro declares as a name of its own.
pub(super) fn read(file: &SourceFile) -> Result<BTreeMap<String, Payload>, Errors> {
    let mut payloads = BTreeMap::new();
    for item in parse(file)?.items {
        match item {
            Item::Struct(found) => {
                let payload = payload(file, &found).map_err(|error| unreadable(file, &error))?;
                payloads.extend(payload.map(|payload| (found.ident.to_string(), payload)));
            }
            Item::Macro(call) if call.ident.is_none() => {
                let tokens: Vec<TokenTree> = call.mac.tokens.into_iter().collect();
                payloads.extend(wrappers(file, &tokens));
            }
            Item::Const(_)
            | Item::Enum(_)
            | Item::ExternCrate(_)
            | Item::Fn(_)
            | Item::ForeignMod(_)
            | Item::Impl(_)
            | Item::Macro(_)
            | Item::Mod(_)
            | Item::Static(_)
            | Item::Trait(_)
            | Item::TraitAlias(_)
            | Item::Type(_)
            | Item::Union(_)
            | Item::Use(_)
            | Item::Verbatim(_)
            | _ => {}
        }
    }
    Ok(payloads)
}

fn payload(file: &SourceFile, found: &ItemStruct) -> syn::Result<Option<Payload>> {
    let Fields::Named(fields) = &found.fields else {
        return Ok(None);
    };
    let mut members = Vec::new();
    for field in &fields.named {
        let Some(name) = &field.ident else { continue };
        let rust = name.to_string();
        let renamed = serde_rename(&field.attrs)?.map(|text| text.value());
        let (kind, options) = kind(&field.ty);
        members.push(Member {
            wire: renamed.unwrap_or_else(|| camel(&rust)),
            rust,
            kind,
            options,
        });
    }
    Ok(Some(Payload {
        wraps: None,
        members,
        span: span_of(file, found.ident.span()),
    }))
}

/// `stream_kind` is `streamKind` in JSON.
fn camel(rust: &str) -> String {
    let mut name = String::new();
    for (index, word) in rust.trim_end_matches('_').split('_').enumerate() {
        let mut letters = word.chars();
        match letters.next() {
            Some(first) if index > 0 => {
                name.push(first.to_ascii_uppercase());
                name.push_str(letters.as_str());
            }
            Some(_) | None => name.push_str(word),
        }
    }
    name
}

/// `Name(Inner);` in the call of a macro.
fn wrappers(file: &SourceFile, tokens: &[TokenTree]) -> Vec<(String, Payload)> {
    let triples = tokens.windows(3).filter_map(|triple| {
        let [
            TokenTree::Ident(name),
            TokenTree::Group(inner),
            TokenTree::Punct(end),
        ] = triple
        else {
            return None;
        };
        let mut inside = inner.stream().into_iter();
        let (Some(TokenTree::Ident(wraps)), None) = (inside.next(), inside.next()) else {
            return None;
        };
        let is_one = inner.delimiter() == Delimiter::Parenthesis && end.as_char() == ';';
        is_one.then(|| {
            let payload = Payload {
                wraps: Some(wraps.to_string()),
                members: Vec::new(),
                span: span_of(file, name.span()),
            };
            (name.to_string(), payload)
        })
    });
    triples.collect()
}

fn kind(ty: &Type) -> (Kind, usize) {
    let Type::Path(path) = ty else {
        return (Kind::Other("?".to_owned()), 0);
    };
    let Some(last) = path.path.segments.last() else {
        return (Kind::Other("?".to_owned()), 0);
    };
    let name = last.ident.to_string();
    let arguments: Vec<&Type> = match &last.arguments {
        PathArguments::AngleBracketed(list) => {
            let types = list.args.iter().filter_map(|argument| match argument {
                GenericArgument::Type(ty) => Some(ty),
                GenericArgument::Lifetime(_)
                | GenericArgument::Const(_)
                | GenericArgument::AssocType(_)
                | GenericArgument::AssocConst(_)
                | GenericArgument::Constraint(_)
                | _ => None,
            });
            types.collect()
        }
        PathArguments::None | PathArguments::Parenthesized(_) => Vec::new(),
    };
    let found = match (name.as_str(), arguments.as_slice()) {
        ("Option", [inner]) => {
            let (kind, options) = kind(inner);
            return (kind, options + 1);
        }
        ("String", []) => Kind::Text,
        ("bool", []) => Kind::Boolean,
        ("i64", []) => Kind::Integer,
        ("f64", []) => Kind::Float,
        ("OwnedJson", []) => Kind::Json,
        ("BTreeMap", [key, value]) if kind(key).0 == Kind::Text && kind(value).0 == Kind::Json => {
            Kind::Map
        }
        ("Vec", [inner]) if kind(inner) == (Kind::Text, 0) => Kind::Texts,
        (name, []) if TARGETS.iter().any(|(_, rust)| *rust == name) => Kind::Enum(name.to_owned()),
        (name, []) if name.ends_with("Id") => Kind::Id(name.to_owned()),
        (name, _) => Kind::Other(name.to_owned()),
    };
    (found, 0)
}
