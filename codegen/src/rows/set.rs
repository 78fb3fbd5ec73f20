//! What a row says about its event: `set = { streamKind = "assistant_text", delta = "delta" }`, and
//! `refs = { item = "callId" }` about the ids of what it is about.

use toml::Spanned;
use toml::de::{DeString, DeTable, DeValue};

use super::{Errors, entries, text};
use crate::diagnostics::{Code, Diagnostic, Fix};
use crate::names::nearest;
use crate::source::{Located, SourceFile, Span};

/// The members of an event, each with what it is set to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Set {
    /// The members by their canonical names, in the order of the row.
    pub members: Vec<(Located<String>, Located<Value>)>,
    /// Where it stands.
    pub span: Span,
}

/// What a member is set to. A plain text is a path into the payload, but a constant where the member
/// is one of the canonical enums: what it is, the type of the member decides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// `"a.b"`: the member at this path, or a member of an enum.
    Text(String),
    /// `true`, or `{ const = true }`.
    Boolean(bool),
    /// `3`, or `{ const = 3 }`.
    Integer(i64),
    /// `{ const = "text" }`: this text.
    Constant(String),
    /// `{ null = true }`.
    Null,
    /// `{ body = true }`: the whole payload as sent, but some members.
    Body(Vec<Located<String>>),
    /// `{ pick = ["a", "b.c"] }`: an object of these members as sent; what is absent stays absent.
    Pick(Vec<Located<String>>),
    /// `{ object = { name = … } }`: an object; a path to what is absent gives `null`.
    Object(Vec<(Located<String>, Located<Value>)>),
    /// `{ page = "models" }`: the page of a list: its `data` by this name, and what stands beside that
    /// by this name and its own (`modelsNextCursor`).
    Page(String),
    /// `{ list = [ … ] }`: a list of texts, without those that are absent; absent where all of them are.
    List(Vec<Located<Value>>),
    /// `{ lines = "files[].path" }`: the texts of a list, a line each.
    Lines(Located<String>),
    /// `{ first = [ … ] }`: the first that is there.
    First(Vec<Located<Value>>),
    /// `{ filled = "a.b" }`: a text, absent where it is empty.
    Filled(Located<String>),
    /// `{ base64 = "a.b" }`: the text that is so encoded.
    Base64(Located<String>),
    /// `{ table = "codex.turn-status", path = "turn.status", or = "failed" }`: what the rows of a
    /// value surface say.
    Table {
        /// The value surface.
        table: Located<String>,
        /// Where the value stands.
        path: Located<String>,
        /// What it is where the rows give nothing.
        or: Option<Located<String>>,
    },
}

/// What a row says about the ids that its event names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ref {
    /// `item = "callId"`; `item = false` where the message names one that the event is not about.
    Named {
        /// `item`, `request`, `thread` or `turn`.
        what: &'static str,
        /// The id; none where it is not about one.
        id: Option<Located<Value>>,
    },
    /// `look-up = "turn"`: a turn that the message names is only looked up.
    LookUpTurn,
}

type Key<'a> = Spanned<DeString<'a>>;
type Said<'a> = Spanned<DeValue<'a>>;

/// The keys that give a value its form.
const FORMS: [&str; 13] = [
    "const", "null", "body", "pick", "object", "page", "list", "lines", "first", "filled",
    "base64", "table", "path",
];

/// The ids of what an event is about.
const NAMED: [&str; 4] = ["item", "request", "thread", "turn"];

/// Reads the member `set` of a row.
pub(super) fn read(file: &SourceFile, value: &Said<'_>) -> Result<Set, Errors> {
    let span = file.span(value.span());
    let Some(table) = value.get_ref().as_table() else {
        let error = bad_set(file, "`set` must be a table of members");
        return Err(vec![error.at(span, "such as `{ delta = \"delta\" }`")]);
    };
    let members = members(file, table)?;
    Ok(Set { members, span })
}

/// Reads the member `refs` of a row.
pub(super) fn read_refs(file: &SourceFile, value: &Said<'_>) -> Result<Vec<Ref>, Errors> {
    let Some(table) = value.get_ref().as_table() else {
        let error = bad_set(file, "`refs` must be a table of ids");
        let span = file.span(value.span());
        return Err(vec![error.at(span, "such as `{ item = \"callId\" }`")]);
    };
    let (mut refs, mut errors) = (Vec::new(), Errors::new());
    for (key, value) in entries(table) {
        let name = &**key.get_ref();
        let read = match NAMED.iter().find(|known| **known == name) {
            Some(what) if value.get_ref().as_bool() == Some(false) => {
                Ok(Ref::Named { what, id: None })
            }
            Some(what) => self::value(file, value).map(|id| Ref::Named { what, id: Some(id) }),
            None if name == "look-up" => {
                text(file, name, value).and_then(|said| match &*said.value {
                    "turn" => Ok(Ref::LookUpTurn),
                    _ => Err(vec![
                        bad_set(file, "only a turn can be looked up").at(said.span, "not `turn`"),
                    ]),
                })
            }
            None => Err(vec![unknown(
                file,
                key,
                "`refs`",
                &["item", "look-up", "request", "thread", "turn"],
            )]),
        };
        match read {
            Ok(read) => refs.push(read),
            Err(found) => errors.extend(found),
        }
    }
    if errors.is_empty() {
        Ok(refs)
    } else {
        Err(errors)
    }
}

/// A member and its value, each with its place.
type Member = (Located<String>, Located<Value>);

fn members(file: &SourceFile, table: &DeTable<'_>) -> Result<Vec<Member>, Errors> {
    let (mut members, mut errors) = (Vec::new(), Errors::new());
    for (key, value) in entries(table) {
        let name = Located::new(key.get_ref().to_string(), file.span(key.span()));
        match self::value(file, value) {
            Ok(value) => members.push((name, value)),
            Err(found) => errors.extend(found),
        }
    }
    if errors.is_empty() {
        Ok(members)
    } else {
        Err(errors)
    }
}

fn value(file: &SourceFile, said: &Said<'_>) -> Result<Located<Value>, Errors> {
    let span = file.span(said.span());
    let found = match said.get_ref() {
        DeValue::String(_) => text(file, "set", said).map(|said| Value::Text(said.value)),
        DeValue::Boolean(flag) => Ok(Value::Boolean(*flag)),
        DeValue::Integer(_) => integer(file, said).map(Value::Integer),
        DeValue::Table(table) => form(file, &span, table),
        DeValue::Float(_) | DeValue::Datetime(_) | DeValue::Array(_) => {
            let message = format!("no value has the form of a {}", said.get_ref().type_str());
            Err(vec![
                bad_set(file, message)
                    .at(span.clone(), "no such form")
                    .help(help()),
            ])
        }
    };
    found.map(|value| Located::new(value, span))
}

fn help() -> String {
    format!(
        "a value is a path, `true`, a number, or a table with one of {}",
        FORMS.join(", ")
    )
}

fn integer(file: &SourceFile, said: &Said<'_>) -> Result<i64, Errors> {
    let number = said.get_ref().as_integer();
    let number = number.and_then(|it| i64::from_str_radix(it.as_str(), it.radix()).ok());
    number.ok_or_else(|| {
        let error = bad_set(file, "the number is no integer of 64 bits");
        vec![error.at(file.span(said.span()), "this one")]
    })
}

/// A value that is a table: the key says which form it has.
fn form(file: &SourceFile, span: &Span, table: &DeTable<'_>) -> Result<Value, Errors> {
    let all = entries(table);
    let get = |name: &str| {
        all.iter()
            .find(|(key, _)| key.get_ref() == name)
            .map(|(_, value)| *value)
    };
    let second: &[&str] = if get("table").is_some() {
        &["table", "path", "or"]
    } else if get("body").is_some() {
        &["body", "but"]
    } else {
        &[]
    };
    let mut forms = Vec::new();
    for (key, value) in &all {
        let name = &**key.get_ref();
        if second.contains(&name) {
            continue;
        }
        if !FORMS.contains(&name) {
            return Err(vec![unknown(file, key, "a value", &FORMS)]);
        }
        forms.push((*key, *value));
    }
    match (second, forms.as_slice()) {
        (["table", ..], []) => by_table(file, span, get("table"), get("path"), get("or")),
        (["body", ..], []) => {
            set_flag(file, "body", get("body"))?;
            let but = get("but").map(|value| texts(file, "but", value));
            Ok(Value::Body(but.transpose()?.unwrap_or_default()))
        }
        ([], [(key, value)]) => single(file, key.get_ref(), value),
        _ => {
            let error = bad_set(file, "a value has one form");
            Err(vec![error.at(span.clone(), "not exactly one").help(help())])
        }
    }
}

fn single(file: &SourceFile, name: &str, said: &Said<'_>) -> Result<Value, Errors> {
    let path = || text(file, name, said);
    match name {
        "const" => match said.get_ref() {
            DeValue::String(text) => Ok(Value::Constant(text.to_string())),
            DeValue::Boolean(flag) => Ok(Value::Boolean(*flag)),
            DeValue::Integer(_) => integer(file, said).map(Value::Integer),
            DeValue::Float(_) | DeValue::Datetime(_) | DeValue::Array(_) | DeValue::Table(_) => {
                Err(vec![
                    bad_set(file, "a constant is a text, a flag or an integer")
                        .at(file.span(said.span()), "none of these"),
                ])
            }
        },
        "null" => set_flag(file, name, Some(said)).map(|()| Value::Null),
        "pick" => texts(file, name, said).map(Value::Pick),
        "object" => match said.get_ref().as_table() {
            Some(table) => members(file, table).map(Value::Object),
            None => Err(vec![
                bad_set(file, "`object` must be a table of members")
                    .at(file.span(said.span()), "not a table"),
            ]),
        },
        "list" => values(file, name, said).map(Value::List),
        "first" => values(file, name, said).map(Value::First),
        "page" => path().map(|name| Value::Page(name.value)),
        "lines" => path().map(Value::Lines),
        "filled" => path().map(Value::Filled),
        "base64" => path().map(Value::Base64),
        _ => Err(vec![
            bad_set(file, format!("`{name}` says no value alone"))
                .at(file.span(said.span()), "`table` belongs beside it"),
        ]),
    }
}

fn by_table(
    file: &SourceFile,
    span: &Span,
    table: Option<&Said<'_>>,
    path: Option<&Said<'_>>,
    or: Option<&Said<'_>>,
) -> Result<Value, Errors> {
    let (Some(table), Some(path)) = (table, path) else {
        let error = bad_set(
            file,
            "a table needs the `path` of the value that it speaks of",
        );
        return Err(vec![error.at(span.clone(), "`path = \"…\"` belongs here")]);
    };
    Ok(Value::Table {
        table: text(file, "table", table)?,
        path: text(file, "path", path)?,
        or: or.map(|or| text(file, "or", or)).transpose()?,
    })
}

/// What can only be said by `true`.
fn set_flag(file: &SourceFile, name: &str, said: Option<&Said<'_>>) -> Result<(), Errors> {
    match said {
        Some(said) if said.get_ref().as_bool() != Some(true) => Err(vec![
            bad_set(file, format!("`{name}` is `true` or not there"))
                .at(file.span(said.span()), "not `true`"),
        ]),
        Some(_) | None => Ok(()),
    }
}

fn texts(file: &SourceFile, name: &str, said: &Said<'_>) -> Result<Vec<Located<String>>, Errors> {
    array(file, name, said, |element| text(file, name, element))
}

fn values(file: &SourceFile, name: &str, said: &Said<'_>) -> Result<Vec<Located<Value>>, Errors> {
    array(file, name, said, |element| value(file, element))
}

fn array<T>(
    file: &SourceFile,
    name: &str,
    said: &Said<'_>,
    read: impl Fn(&Said<'_>) -> Result<T, Errors>,
) -> Result<Vec<T>, Errors> {
    match said.get_ref().as_array() {
        Some(array) if !array.is_empty() => array.iter().map(read).collect(),
        Some(_) | None => Err(vec![
            bad_set(file, format!("`{name}` must be a list"))
                .at(file.span(said.span()), "not a list, or an empty one"),
        ]),
    }
}

fn unknown(file: &SourceFile, key: &Key<'_>, of: &str, known: &[&str]) -> Diagnostic {
    let span = file.span(key.span());
    let error = bad_set(file, format!("`{}` is no key of {of}", key.get_ref()));
    let error = error.at(span.clone(), "unknown key");
    match nearest(key.get_ref(), known.iter().copied()) {
        Some(meant) => error.fix(Fix::new(format!("write `{meant}`"), span, meant)),
        None => error.help(format!("the keys are {}", known.join(", "))),
    }
}

fn bad_set(file: &SourceFile, message: impl Into<String>) -> Diagnostic {
    Diagnostic::new(Code::BadSet, file.stem(), message)
}
