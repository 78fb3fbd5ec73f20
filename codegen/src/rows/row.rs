//! One row: its verb, the events that it names, and its remarks.

use std::collections::BTreeMap;

use toml::Spanned;
use toml::de::{DeString, DeValue};

use super::{Errors, Event, Row, Verb, bad_row, entries, is_projection, set, text, unknown_key};
use crate::canonical::{CanonicalModel, TargetEnum};
use crate::diagnostics::{Code, Diagnostic, Fix};
use crate::names::nearest;
use crate::source::{Located, SourceFile, Span};

const KEYS: [&str; 12] = [
    "keep", "rename", "split", "drop", "todo", "set", "refs", "note", "echo", "twin", "where",
    "when",
];

/// What the rows of a table may name.
pub(super) struct Vocabulary<'a> {
    /// Wire name to Rust variant.
    names: BTreeMap<&'a str, &'a str>,
    /// What one of them is called in a message.
    what: String,
    /// Where a person finds them all.
    all: String,
    /// Whether `keep` reads the `/` of a tag as `.`.
    dotted: bool,
}

/// Reads the rows of one file.
pub(super) struct RowReader<'a> {
    pub(super) file: &'a SourceFile,
    pub(super) vocabulary: Vocabulary<'a>,
}

type Value<'a> = Spanned<DeValue<'a>>;

impl<'a> Vocabulary<'a> {
    pub(super) fn events(model: &'a CanonicalModel) -> Self {
        let first = model.events.values().next();
        let path = first.map_or("the canonical model", |event| event.span.file.path());
        Self {
            names: (model.events.values())
                .map(|event| (&*event.wire, &*event.rust))
                .collect(),
            what: "a canonical event".to_owned(),
            all: format!("the canonical events stand in {path}"),
            dotted: true,
        }
    }

    pub(super) fn members(target: &(&'a str, &'a TargetEnum)) -> Self {
        let (_, target) = target;
        let names: BTreeMap<&str, &str> = (target.members.iter())
            .map(|(wire, rust)| (&**wire, &**rust))
            .collect();
        let list: Vec<&str> = names.keys().copied().collect();
        Self {
            what: format!("a member of `{}`", target.name),
            all: format!("its members are {}", list.join(", ")),
            names,
            dotted: false,
        }
    }

    /// The name that a `keep` of this tag must have.
    fn kept(&self, tag: &str) -> String {
        if self.dotted {
            tag.replace('/', ".")
        } else {
            tag.to_owned()
        }
    }
}

impl RowReader<'_> {
    /// Reads a row. A row without a readable verb is none, and says why.
    pub(super) fn read(
        &self,
        key: &Spanned<DeString<'_>>,
        value: &Value<'_>,
    ) -> (Option<Row>, Errors) {
        let tag = Located::new(key.get_ref().to_string(), self.file.span(key.span()));
        let body = self.file.span(value.span());
        let table = value.get_ref().as_table();
        let (Some(table), true) = (table, self.is_keyed_line(&tag.span, &body)) else {
            let message = format!("the row `{}` is not one keyed line", tag.value);
            let error = bad_row(self.file, message)
                .at(tag.span, "a row is `\"tag\" = { verb = … }`")
                .help("a tag is always quoted, and each row stands under the one header `[rows]`");
            return (None, vec![error]);
        };
        let mut errors = Vec::new();
        let mut verbs = Vec::new();
        let mut remarks: BTreeMap<&str, String> = BTreeMap::new();
        let mut when = None;
        let (mut set, mut refs) = (None, Vec::new());
        for (key, value) in entries(table) {
            match &**key.get_ref() {
                "keep" | "rename" | "split" | "drop" | "todo" => verbs.push((key, value)),
                name @ ("note" | "echo" | "twin" | "where") => match text(self.file, name, value) {
                    Ok(found) => drop(remarks.insert(name, found.value)),
                    Err(found) => errors.extend(found),
                },
                "when" => match text(self.file, "when", value) {
                    Ok(found) => when = Some(found),
                    Err(found) => errors.extend(found),
                },
                "set" => match set::read(self.file, value) {
                    Ok(found) => set = Some((self.file.span(key.span()), found)),
                    Err(found) => errors.extend(found),
                },
                "refs" => match set::read_refs(self.file, value) {
                    Ok(found) => refs = found,
                    Err(found) => errors.extend(found),
                },
                _ => errors.push(unknown_key(self.file, key, &KEYS)),
            }
        }
        let verb = match verbs.as_slice() {
            [(key, value)] => self.read_verb(&tag, key, value),
            several => Err(vec![self.not_one_verb(&tag, several)]),
        };
        match verb {
            Ok(verb) => {
                errors.extend(self.undecided(&tag, &verb));
                errors.extend(
                    when.as_ref()
                        .and_then(|when| self.idle_when(&tag, &verb, when)),
                );
                errors.extend(
                    set.as_ref()
                        .and_then(|(key, _)| self.idle_set(&tag, &verb, key)),
                );
                let row = Row {
                    tag: tag.value,
                    span: tag.span,
                    verb,
                    set: set.map(|(_, set)| set),
                    refs,
                    note: remarks.remove("note"),
                    echo: remarks.remove("echo"),
                    twin: remarks.remove("twin"),
                    condition: remarks.remove("where"),
                    when,
                };
                (Some(row), errors)
            }
            Err(found) => {
                errors.extend(found);
                (None, errors)
            }
        }
    }

    /// A tag without quotes would be read as a path of keys, and a header of its own would hide
    /// the row from a reader who looks at the lines.
    fn is_keyed_line(&self, tag: &Span, body: &Span) -> bool {
        let line = self.file.line_start(tag.range.start)..tag.range.start;
        let quoted = tag.text().starts_with(['"', '\'']);
        quoted && self.file.span(line).text().trim().is_empty() && body.text().starts_with('{')
    }

    fn read_verb(
        &self,
        tag: &Located<String>,
        key: &Spanned<DeString<'_>>,
        value: &Value<'_>,
    ) -> Result<Verb, Errors> {
        let name = &**key.get_ref();
        if name == "split" {
            return self.read_split(tag, value).map(Verb::Split);
        }
        let said = match text(self.file, name, value) {
            Ok(said) => said,
            Err(errors) if name == "drop" => {
                let help = "a drop needs its reason, as nothing else shows that it is meant";
                return Err(errors.into_iter().map(|error| error.help(help)).collect());
            }
            Err(errors) => return Err(errors),
        };
        match name {
            "drop" => Ok(Verb::Drop(said)),
            "todo" => Ok(Verb::Todo(said)),
            "keep" => {
                let key = self.file.span(key.span());
                self.read_keep(tag, key, said).map(Verb::Keep)
            }
            _ => self.event(&tag.value, said).map(Verb::Rename),
        }
    }

    fn read_keep(
        &self,
        tag: &Located<String>,
        key: Span,
        said: Located<String>,
    ) -> Result<Event, Errors> {
        let event = self.event(&tag.value, said)?;
        let kept = self.vocabulary.kept(&tag.value);
        if event.wire == kept {
            return Ok(event);
        }
        let message = format!("`{}` can't be kept as `{}`", tag.value, event.wire);
        let label = format!("to keep it is to call it `{kept}`");
        let fix = Fix::new("say that it gets another name", key, "rename");
        Err(vec![
            bad_row(self.file, message).at(event.span, label).fix(fix),
        ])
    }

    fn read_split(&self, tag: &Located<String>, value: &Value<'_>) -> Result<Vec<Event>, Errors> {
        let whole = self.file.span(value.span());
        let Some(array) = value.get_ref().as_array() else {
            let message = format!("the split of `{}` must be a list of names", tag.value);
            return Err(vec![bad_row(self.file, message).at(whole, "not a list")]);
        };
        let mut errors = Vec::new();
        let mut events: Vec<Event> = Vec::new();
        for element in array.iter() {
            let event =
                text(self.file, "split", element).and_then(|said| self.event(&tag.value, said));
            match event {
                Ok(event) => match events.iter().find(|known| known.wire == event.wire) {
                    Some(first) => errors.push(
                        bad_row(self.file, format!("the split names `{}` twice", event.wire))
                            .at(event.span, "the second time")
                            .and(first.span.clone(), "the first time"),
                    ),
                    None => events.push(event),
                },
                Err(found) => errors.extend(found),
            }
        }
        if array.len() < 2 {
            let message = format!("the split of `{}` names fewer than two", tag.value);
            let error = bad_row(self.file, message).at(whole, "two or more belong here");
            errors.push(error.help("where there is exactly one, the verb is keep or rename"));
        }
        if errors.is_empty() {
            Ok(events)
        } else {
            Err(errors)
        }
    }

    pub(super) fn event(&self, tag: &str, said: Located<String>) -> Result<Event, Errors> {
        let Vocabulary {
            names, what, all, ..
        } = &self.vocabulary;
        if let Some(rust) = names.get(&*said.value) {
            return Ok(Event {
                wire: said.value,
                rust: (*rust).to_owned(),
                span: said.span,
            });
        }
        let message = format!(
            "the row `{tag}` names `{}`, which is not {what}",
            said.value
        );
        let error = Diagnostic::new(Code::UnknownEvent, self.file.stem(), message)
            .at(said.span.clone(), format!("not {what}"));
        Err(vec![match nearest(&said.value, names.keys().copied()) {
            Some(meant) => error.fix(Fix::new(
                format!("write `{meant}`"),
                said.span,
                format!("\"{meant}\""),
            )),
            None => error.help(&**all),
        }])
    }

    fn not_one_verb(
        &self,
        tag: &Located<String>,
        verbs: &[(&Spanned<DeString<'_>>, &Value<'_>)],
    ) -> Diagnostic {
        let help = "a row has exactly one of keep, rename, split and drop";
        let mut spans = verbs.iter().map(|(key, _)| self.file.span(key.span()));
        let Some(first) = spans.next() else {
            return bad_row(self.file, format!("the row `{}` has no verb", tag.value))
                .at(tag.span.clone(), "nothing says what becomes of it")
                .help(help);
        };
        let message = format!("the row `{}` has {} verbs", tag.value, verbs.len());
        let error = bad_row(self.file, message).at(first, "one");
        spans
            .fold(error, |error, span| error.and(span, "another"))
            .help(help)
    }

    /// Only a projection may give its one event at times: what a provider sends is always told.
    fn idle_when(
        &self,
        tag: &Located<String>,
        verb: &Verb,
        when: &Located<String>,
    ) -> Option<Diagnostic> {
        let problem = match verb {
            Verb::Split(_) | Verb::Drop(_) | Verb::Todo(_) => "only keep and rename need it",
            Verb::Keep(_) | Verb::Rename(_) if !is_projection(self.file.stem()) => {
                "only the rows of a projection have it"
            }
            Verb::Keep(_) | Verb::Rename(_) => return None,
        };
        let message = format!("the row `{}` can't have `when`", tag.value);
        Some(bad_row(self.file, message).at(when.span.clone(), problem))
    }

    /// Only the one event of a message can be set: what several events have, code says.
    fn idle_set(&self, tag: &Located<String>, verb: &Verb, key: &Span) -> Option<Diagnostic> {
        let problem = match verb {
            Verb::Split(_) => "which of its events there are, and what they hold, code says",
            Verb::Drop(_) | Verb::Todo(_) => "it gives no event",
            Verb::Keep(_) | Verb::Rename(_) if !self.vocabulary.dotted => "a value has no members",
            Verb::Keep(_) | Verb::Rename(_) if is_projection(self.file.stem()) => {
                "the events of a projection are made by code"
            }
            Verb::Keep(_) | Verb::Rename(_) => return None,
        };
        let message = format!("the row `{}` can't have `set`", tag.value);
        Some(bad_row(self.file, message).at(key.clone(), problem))
    }

    fn undecided(&self, tag: &Located<String>, verb: &Verb) -> Option<Diagnostic> {
        match verb {
            Verb::Todo(said) => {
                let message = format!("the row `{}` is still to be decided", tag.value);
                Some(
                    Diagnostic::new(Code::TodoRow, self.file.stem(), message)
                        .at(said.span.clone(), "this is no verb that can be built")
                        .help(
                            "write keep, rename or split with what it gives, or drop with a reason",
                        ),
                )
            }
            Verb::Keep(_) | Verb::Rename(_) | Verb::Split(_) | Verb::Drop(_) => None,
        }
    }
}
