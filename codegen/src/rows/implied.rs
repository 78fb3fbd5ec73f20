//! What a surface tells beside its rows: `implied = ["turn.started: first-sign-of-work"]`.

use toml::de::DeTable;

use super::row::RowReader;
use super::{Errors, Event, bad_row, is_projection, text};
use crate::source::{Located, SourceFile};

/// An event that no row of the surface gives, and the rule by which it comes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Implied {
    /// The event.
    pub event: Event,
    /// The rule, in lower case with hyphens.
    pub rule: String,
}

/// Reads the member `implied` of a table.
pub(super) fn read(reader: &RowReader<'_>, root: &DeTable<'_>) -> (Vec<Implied>, Errors) {
    let file = reader.file;
    let Some(value) = root.get("implied") else {
        return (Vec::new(), Vec::new());
    };
    let whole = file.span(value.span());
    if root.get("target").is_some() || is_projection(file.stem()) {
        let error = bad_row(file, "only the surface of a wire implies events");
        let error = error.at(whole, "not here");
        return (Vec::new(), vec![error]);
    }
    let Some(array) = value.get_ref().as_array() else {
        let error = bad_row(file, "`implied` must be a list of texts").at(whole, "not a list");
        return (Vec::new(), vec![error.help(FORM)]);
    };
    let mut found: Vec<(Implied, Located<String>)> = Vec::new();
    let mut errors = Errors::new();
    for element in array.iter() {
        let said = match text(file, "implied", element) {
            Ok(said) => said,
            Err(problems) => {
                errors.extend(problems);
                continue;
            }
        };
        match entry(reader, &said) {
            Err(problems) => errors.extend(problems),
            Ok(implied) => match found.iter().find(|(known, _)| *known == implied) {
                Some((_, first)) => errors.push(
                    bad_row(file, format!("`{}` is implied twice", said.value))
                        .at(said.span, "the second time")
                        .and(first.span.clone(), "the first time"),
                ),
                None => found.push((implied, said)),
            },
        }
    }
    (
        found.into_iter().map(|(implied, _)| implied).collect(),
        errors,
    )
}

const FORM: &str = "an entry is `\"event: rule\"`, such as `\"item.started: stub\"`";

fn entry(reader: &RowReader<'_>, said: &Located<String>) -> Result<Implied, Errors> {
    let file: &SourceFile = reader.file;
    let parts = said.value.split_once(": ");
    let is_rule = |rule: &str| {
        let known = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        rule.starts_with(|c: char| c.is_ascii_lowercase())
            && rule.chars().all(known)
            && !rule.ends_with('-')
    };
    let Some((event, rule)) = parts.filter(|(_, rule)| is_rule(rule)) else {
        let error = bad_row(file, format!("`{}` is no implied event", said.value));
        return Err(vec![error.at(said.span.clone(), "no such form").help(FORM)]);
    };
    let event = Located::new(event.to_owned(), said.span.clone());
    let event = reader.event("implied", event)?;
    Ok(Implied {
        event: Event {
            span: said.span.clone(),
            ..event
        },
        rule: rule.to_owned(),
    })
}
