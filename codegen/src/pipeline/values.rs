//! Value surfaces joined with their rows: the members of a union or enum, or texts that no schema
//! lists.

use std::collections::BTreeMap;

use super::locating::Locator;
use super::members::{joined, members, not_a_union};
use super::set::TEXTS;
use crate::canonical::CanonicalModel;
use crate::diagnostics::{Code, Diagnostic};
use crate::names;
use crate::plan::{PlannedMember, PlannedRow, PlannedType, PlannedValue, Subject};
use crate::rows::{Row, RowTable, Verb};
use crate::sources::{Sources, ValueSurface};

/// The row of every text that no other row speaks of.
const ALL_OTHERS: &str = "*";

/// The functions of a provider's value surfaces, by id, as rows name them.
pub type ValueFunctions = BTreeMap<String, ValueFunction>;

/// The function of a value surface.
pub struct ValueFunction {
    /// Its name in code.
    pub function: String,
    /// The definition that its rows speak of, or that it is texts.
    pub subject: String,
    /// The canonical enum that it gives.
    pub target: String,
}

/// The functions of a provider's value surfaces.
pub fn functions(
    sources: &Sources,
    provider: &str,
    tables: &BTreeMap<String, RowTable>,
    model: &CanonicalModel,
) -> ValueFunctions {
    let stem = stem(sources, provider);
    let own = sources.value.iter();
    let named = own.filter(|(_, value)| value.provider == provider);
    let functions = named.filter_map(|(id, value)| {
        let target = tables.get(id)?.target.as_ref()?;
        let function = ValueFunction {
            function: function_name(id, &stem),
            subject: value.ty.clone().unwrap_or_else(|| TEXTS.to_owned()),
            target: model.targets.get(target)?.name.clone(),
        };
        Some((id.clone(), function))
    });
    functions.collect()
}

/// Joins every value surface of a provider with its rows.
pub fn join_all(
    sources: &Sources,
    provider: &str,
    types: &BTreeMap<String, PlannedType>,
    window: &[String],
    tables: &BTreeMap<String, RowTable>,
    model: &CanonicalModel,
    locator: &Locator<'_>,
) -> (Vec<PlannedValue>, Vec<Diagnostic>) {
    let mut errors = Vec::new();
    let mut values: Vec<PlannedValue> = Vec::new();
    let stem = stem(sources, provider);
    let own = sources.value.iter();
    for (id, value) in own.filter(|(_, value)| value.provider == provider) {
        let found = match subject(id, value) {
            Ok(Subject::Definition(name)) => match members(types, &name) {
                None => Err(vec![not_a_union(id, &name, locator)]),
                Some(members) => joined(id, &members, window, tables, locator)
                    .map(|rows| (Subject::Definition(name), of_members(rows))),
            },
            Ok(subject @ Subject::Texts(_)) => texts(id, tables).map(|members| (subject, members)),
            Err(found) => Err(found),
        };
        let (subject, members) = match found {
            Ok(found) => found,
            Err(found) => {
                errors.extend(found);
                continue;
            }
        };
        let target = tables.get(id).and_then(|table| table.target.as_ref());
        let Some(target) = target.and_then(|name| model.targets.get(name)) else {
            let message = format!(
                "the row table of `{id}` has no `target` that the canonical model declares"
            );
            let mut error = Diagnostic::new(Code::BadRow, id.clone(), message);
            if let Some(table) = tables.get(id) {
                let start = table.file.span(0..0);
                error = error.at(start, "`target = \"…\"` belongs below `surface`");
            }
            errors.push(error);
            continue;
        };
        let function = function_name(id, &stem);
        if let Some(PlannedValue { id: other, .. }) =
            values.iter().find(|value| value.function == function)
        {
            let message =
                format!("the functions of `{other}` and `{id}` would both be called `{function}`");
            errors.push(Diagnostic::new(Code::NameCollision, id.clone(), message));
        }
        errors.extend(
            tables
                .get(id)
                .into_iter()
                .flat_map(|table| splits(id, table)),
        );
        values.push(PlannedValue {
            id: id.clone(),
            function,
            subject,
            target: target.name.clone(),
            members,
        });
    }
    (values, errors)
}

fn subject(id: &str, value: &ValueSurface) -> Result<Subject, Vec<Diagnostic>> {
    match (&value.ty, &value.texts) {
        (Some(name), None) => Ok(Subject::Definition(name.clone())),
        (None, Some(texts)) => Ok(Subject::Texts(texts.clone())),
        (Some(_), Some(_)) | (None, None) => {
            let message = format!("`{id}` must have either a `type` or `texts`");
            Err(vec![Diagnostic::new(Code::BadSource, id, message).help(
                "`type` names a union or an enum; `texts` says of what they are the texts",
            )])
        }
    }
}

fn splits<'t>(id: &'t str, table: &'t RowTable) -> impl Iterator<Item = Diagnostic> + 't {
    let splits = table
        .rows
        .iter()
        .filter(|row| matches!(row.verb, Verb::Split(_)));
    splits.map(move |row| {
        let message = format!(
            "`{}` is a value, which has one meaning, so its row can't split",
            row.tag
        );
        Diagnostic::new(Code::BadRow, id, message).at(row.span.clone(), "this row splits")
    })
}

fn of_members(rows: Vec<PlannedRow>) -> Vec<PlannedMember> {
    let members = rows.into_iter().map(|row| PlannedMember {
        variant: row.variant,
        carries: row.payload.is_some(),
        target: target(&row.row),
    });
    members.collect()
}

/// The rows of texts that no schema lists: what begins a text may stand for it, and one row must
/// take all others.
fn texts(
    id: &str,
    tables: &BTreeMap<String, RowTable>,
) -> Result<Vec<PlannedMember>, Vec<Diagnostic>> {
    let Some(table) = tables.get(id) else {
        let message = format!("`{id}` has no readable row table at contracts/mapping/{id}.toml");
        return Err(vec![Diagnostic::new(Code::BadSource, id, message)]);
    };
    let mut errors = Vec::new();
    if !table.mentions(ALL_OTHERS) {
        let message = format!("no row of {id} takes the texts that the others leave");
        let (at, line) = table.insertion(
            table.place(ALL_OTHERS).at,
            &format!("\"{ALL_OTHERS}\" = {{ todo = \"all others\" }}"),
        );
        errors.push(
            Diagnostic::new(Code::MissingRow, id, message)
                .at(
                    table.place(ALL_OTHERS).neighbor,
                    "its row belongs before this one",
                )
                .fix(crate::diagnostics::Fix::new(
                    "add it, with the verb that is right for it",
                    at,
                    line,
                )),
        );
    }
    let inner = |row: &&Row| row.tag.trim_end_matches('*').contains('*') || row.tag.ends_with("**");
    errors.extend(table.rows.iter().filter(inner).map(|row| {
        let message = format!("`{}` has a `*` that does not end it", row.tag);
        Diagnostic::new(Code::BadRow, id, message)
            .at(row.span.clone(), "a `*` stands for the rest of a text")
    }));
    if errors.is_empty() {
        let members = table.rows.iter().map(|row| PlannedMember {
            variant: row.tag.clone(),
            carries: false,
            target: target(row),
        });
        Ok(members.collect())
    } else {
        Err(errors)
    }
}

fn target(row: &Row) -> Option<String> {
    match &row.verb {
        Verb::Keep(event) | Verb::Rename(event) => Some(event.rust.clone()),
        Verb::Drop(_) | Verb::Split(_) | Verb::Todo(_) => None,
    }
}

/// `codex.turn-status` gives `turn_status`: what all ids of the provider begin with is left out.
fn function_name(id: &str, stem: &str) -> String {
    let short = id
        .strip_prefix(stem)
        .or_else(|| id.split_once('.').map(|(_, rest)| rest))
        .unwrap_or(id);
    names::field(&short.replace(['.', '-'], "/"))
}

/// What the ids of a provider's surfaces have in common, up to a dot.
fn stem(sources: &Sources, provider: &str) -> String {
    let mut ids = sources
        .surface
        .iter()
        .filter(|(_, surface)| surface.provider == provider)
        .map(|(id, _)| id.as_str());
    let Some(first) = ids.next() else {
        return String::new();
    };
    let mut stem = first.rsplit_once('.').map_or("", |(stem, _)| stem);
    for id in ids {
        while !stem.is_empty()
            && !id
                .strip_prefix(stem)
                .is_some_and(|rest| rest.starts_with('.'))
        {
            stem = stem.rsplit_once('.').map_or("", |(stem, _)| stem);
        }
    }
    format!("{stem}.")
}
