//! Surfaces: their roots among the definitions, and the join with their row tables.

use std::collections::{BTreeMap, BTreeSet};

use super::locating::Locator;
use super::members::{joined, members, not_a_union};
use super::picked::expand;
use super::{echoes, set, values};
use crate::canonical::CanonicalModel;
use crate::diagnostics::{Code, Diagnostic};
use crate::ir::Shape;
use crate::plan::{PlannedRow, PlannedSurface, PlannedType, PlannedValue};
use crate::result_unions::Request;
use crate::rows::{RowTable, is_projection};
use crate::source::SourceFile;
use crate::sources::Sources;

/// The unions of results that a provider's surfaces and unions ask for.
pub fn requests<'s>(sources: &'s Sources, provider: &str) -> Vec<Request<'s>> {
    let surfaces = sources
        .surface
        .values()
        .filter(|surface| surface.provider == provider)
        .filter_map(|surface| {
            let requests = surface.results_of.as_ref()?;
            Some(Request {
                name: &surface.union,
                requests,
                listed: &surface.results,
            })
        });
    let unions = sources
        .union
        .iter()
        .filter(|(_, union)| union.provider == provider)
        .filter_map(|(id, union)| {
            Some(Request {
                name: type_name(id),
                requests: union.results_of.as_ref()?,
                listed: &union.results,
            })
        });
    surfaces.chain(unions).collect()
}

/// The type of a union: its id may begin with the provider, where others have a union of that name.
pub fn type_name(id: &str) -> &str {
    id.rsplit('.').next().unwrap_or(id)
}

/// The definitions that surfaces, value surfaces and unions name.
pub fn roots(sources: &Sources, provider: &str) -> BTreeSet<String> {
    let surfaces = sources
        .surface
        .values()
        .filter(|surface| surface.provider == provider && surface.results_of.is_none())
        .map(|surface| surface.union.clone());
    let values = sources
        .value
        .values()
        .filter(|value| value.provider == provider)
        .filter_map(|value| value.ty.clone());
    let unions = sources
        .union
        .iter()
        .filter(|(_, union)| union.provider == provider && union.results_of.is_none());
    surfaces
        .chain(values)
        .chain(unions.map(|(id, _)| type_name(id).to_owned()))
        .collect()
}

/// The roots of each module of generated code.
pub fn owners(sources: &Sources, provider: &str) -> BTreeMap<String, Vec<String>> {
    let mut owners: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for surface in sources
        .surface
        .values()
        .filter(|surface| surface.provider == provider)
    {
        owners
            .entry(surface.module.clone())
            .or_default()
            .push(surface.union.clone());
    }
    for (id, union) in sources
        .union
        .iter()
        .filter(|(_, union)| union.provider == provider)
    {
        owners
            .entry(union.module.clone())
            .or_default()
            .push(type_name(id).to_owned());
    }
    // What only a value surface names is shared.
    for value in sources
        .value
        .values()
        .filter(|value| value.provider == provider)
    {
        owners
            .entry(String::from("types"))
            .or_default()
            .extend(value.ty.clone());
    }
    owners
}

/// Row tables that no surface has.
pub fn unbound_tables(sources: &Sources, tables: &[SourceFile]) -> Vec<Diagnostic> {
    let bound = |stem: &str| sources.surface.contains_key(stem) || sources.value.contains_key(stem);
    tables
        .iter()
        .filter(|file| !bound(file.stem()) && !is_projection(file.stem()))
        .map(|file| {
            let message = format!("no surface or value surface is called `{}`", file.stem());
            Diagnostic::new(Code::BadSource, file.stem(), message)
                .at(file.span(0..0), "this row table belongs to none")
                .help("bind it in schemas/sources.toml, or remove the file")
        })
        .collect()
}

/// Surfaces, value surfaces and unions of a provider that there is not.
pub fn unknown_providers(sources: &Sources) -> Vec<Diagnostic> {
    let unknown = sources
        .bound()
        .filter(|(_, provider)| !sources.provider.contains_key(*provider));
    unknown
        .map(|(id, provider)| {
            let message = format!(
                "`{id}` is of the provider `{provider}`, which schemas/sources.toml does not have"
            );
            Diagnostic::new(Code::BadSource, id, message).help(format!(
                "write a table [provider.{provider}], or correct the name"
            ))
        })
        .collect()
}

/// Joins every surface and value surface of a provider with its rows.
pub fn join_all(
    sources: &Sources,
    provider: &str,
    types: &BTreeMap<String, PlannedType>,
    window: &[String],
    tables: &BTreeMap<String, RowTable>,
    model: &CanonicalModel,
    locator: &Locator<'_>,
) -> Result<(Vec<PlannedSurface>, Vec<PlannedValue>), Vec<Diagnostic>> {
    let mut errors = Vec::new();
    let mut surfaces = Vec::new();
    let functions = values::functions(sources, provider, tables, model);
    for (id, surface) in sources
        .surface
        .iter()
        .filter(|(_, surface)| surface.provider == provider)
    {
        if let Some(table) = tables.get(id).filter(|table| table.target.is_some()) {
            let message = format!("the rows of `{id}` name events, so its table has no `target`");
            let start = table.file.text().find("target").unwrap_or_default();
            let span = table.file.span(start..start + "target".len());
            errors.push(
                Diagnostic::new(Code::BadRow, id.clone(), message)
                    .at(span, "only a value surface has one"),
            );
            continue;
        }
        let is_text = types
            .get(&surface.union)
            .is_some_and(|ty| matches!(ty.definition.shape, Shape::Enum(_) | Shape::Codes(_)));
        match members(types, &surface.union).filter(|_| !is_text) {
            None => errors.push(not_a_union(id, &surface.union, locator)),
            Some(members) => match expand(id, members, &surface.by, types)
                .and_then(|members| joined(id, &members, window, tables, locator))
                .and_then(|rows| {
                    let checker = set::Checker {
                        surface: id,
                        types,
                        model,
                        values: &functions,
                    };
                    said(&checker, rows)
                }) {
                Err(found) => errors.extend(found),
                Ok(rows) => surfaces.push(PlannedSurface {
                    id: id.clone(),
                    module: surface.module.clone(),
                    union: surface.union.clone(),
                    rows,
                    implied: (tables.get(id).map(|table| table.implied.clone()))
                        .unwrap_or_default(),
                    lift: surface.lift.clone(),
                }),
            },
        }
    }
    let (values, found) =
        values::join_all(sources, provider, types, window, tables, model, locator);
    errors.extend(found);
    // Where a surface could not be joined, its messages are missing here.
    if errors.is_empty() {
        errors.extend(echoes::check(&surfaces));
    }
    if errors.is_empty() {
        Ok((surfaces, values))
    } else {
        Err(errors)
    }
}

/// The rows with what they say about their events and ids.
fn said(
    checker: &set::Checker<'_>,
    mut rows: Vec<PlannedRow>,
) -> Result<Vec<PlannedRow>, Vec<Diagnostic>> {
    let mut errors = Vec::new();
    for row in &mut rows {
        let roots = set::Roots::of(row);
        let (set, refs) = (
            checker.set(&row.row, &roots),
            checker.refs(&row.row, &roots),
        );
        match (set, refs) {
            (Ok(set), Ok(refs)) => (row.set, row.refs) = (set, refs),
            (set, refs) => errors.extend(set.err().into_iter().chain(refs.err()).flatten()),
        }
    }
    if errors.is_empty() {
        Ok(rows)
    } else {
        Err(errors)
    }
}
