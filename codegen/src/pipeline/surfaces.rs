//! Surfaces: their roots among the definitions, and the join with their row tables.

use std::collections::{BTreeMap, BTreeSet};

use super::listing::TABLES;
use super::locating::Locator;
use super::picked::expand;
use super::{set, values};
use crate::canonical::CanonicalModel;
use crate::ir::{Definition, Module, Place, Seen, Shape, Type, Variant};
use crate::join::{VariantFact, join};
use crate::names;
use crate::plan::{Pick, PlannedRow, PlannedSurface, PlannedType, PlannedValue};
use crate::report::{Code, Diagnostic};
use crate::results::Request;
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
pub(super) fn type_name(id: &str) -> &str {
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
        errors.extend(super::echoes::check(&surfaces));
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

/// A variant, or one value of a member of a variant, which needs a row.
#[derive(Clone)]
pub(super) struct Member {
    pub(super) tag: String,
    /// The tag of the variant itself.
    pub(super) variant: String,
    pub(super) payload: Option<Type>,
    pub(super) seen: Seen,
    pub(super) at: Place,
    pub(super) picks: Vec<Pick>,
}

/// Definitions by name, wherever they are kept.
pub(super) trait Definitions {
    /// A definition, with the name that it is kept by.
    fn definition(&self, name: &str) -> Option<(&str, &Definition)>;
}

impl Definitions for BTreeMap<String, PlannedType> {
    fn definition(&self, name: &str) -> Option<(&str, &Definition)> {
        let (name, planned) = self.get_key_value(name)?;
        Some((name, &planned.definition))
    }
}

impl Definitions for Module {
    fn definition(&self, name: &str) -> Option<(&str, &Definition)> {
        let (name, definition) = self.definitions.get_key_value(name)?;
        Some((name, definition))
    }
}

/// The members of a union or of a text enum.
pub(super) fn members(types: &impl Definitions, name: &str) -> Option<Vec<Member>> {
    let (_, definition) = types.definition(name)?;
    let from_variants = |variants: &BTreeMap<String, Variant>| {
        variants
            .iter()
            .map(|(tag, variant)| Member {
                tag: tag.clone(),
                variant: tag.clone(),
                payload: variant.payload.clone(),
                seen: variant.seen.clone(),
                at: variant.at.clone(),
                picks: Vec::new(),
            })
            .collect()
    };
    let plain = |tag: String, seen: &Seen| Member {
        variant: tag.clone(),
        tag,
        payload: None,
        seen: seen.clone(),
        at: definition.at.clone(),
        picks: Vec::new(),
    };
    match &definition.shape {
        Shape::Tagged { variants, .. } | Shape::External(variants) => Some(from_variants(variants)),
        Shape::Enum(values) => Some(
            values
                .iter()
                .map(|(value, seen)| plain(value.clone(), seen))
                .collect(),
        ),
        Shape::Codes(values) => Some(
            values
                .iter()
                .map(|(value, seen)| plain(value.to_string(), seen))
                .collect(),
        ),
        Shape::Struct(_) | Shape::Untagged(_) | Shape::Alias(_) => None,
    }
}

pub(super) fn joined(
    id: &str,
    members: &[Member],
    window: &[String],
    tables: &BTreeMap<String, RowTable>,
    locator: &Locator<'_>,
) -> Result<Vec<PlannedRow>, Vec<Diagnostic>> {
    let Some(table) = tables.get(id) else {
        let message = format!("`{id}` has no readable row table at contracts/mapping/{id}.toml");
        return Err(vec![Diagnostic::new(Code::BadSource, id, message)]);
    };
    let facts: Vec<VariantFact> = members
        .iter()
        .map(|member| VariantFact {
            tag: member.tag.clone(),
            span: locator.span(&member.at),
            seen: member.seen.describe(window),
        })
        .collect();
    let tags: Vec<&str> = members.iter().map(|member| member.tag.as_str()).collect();
    let of_variants: Vec<&str> = members
        .iter()
        .map(|member| member.variant.as_str())
        .collect();
    let collides = |collision: names::Collision| {
        vec![Diagnostic::new(
            Code::NameCollision,
            id,
            format!("of the tags, {collision}"),
        )]
    };
    let named = names::variants(&tags).map_err(collides)?;
    let variant_names = names::variants(&of_variants).map_err(collides)?;
    // The methods of the mapping are named after the variants.
    let variants: Vec<&str> = named.values().map(String::as_str).collect();
    let mut methods: BTreeMap<String, &str> = BTreeMap::new();
    for variant in variants {
        if let Some(other) = methods.insert(names::field(variant), variant) {
            let name = names::field(variant);
            return Err(collides(names::Collision {
                name,
                values: vec![other.to_owned(), variant.to_owned()],
            }));
        }
    }
    let rows = join(table, &facts)?;
    let planned = rows.into_iter().filter_map(|(index, row)| {
        let member = members.get(index)?;
        Some(PlannedRow {
            tag: member.tag.clone(),
            name: named.get(&member.tag).cloned().unwrap_or_default(),
            variant: variant_names
                .get(&member.variant)
                .cloned()
                .unwrap_or_default(),
            picks: member.picks.clone(),
            payload: member.payload.clone(),
            seen: member.seen.clone(),
            row: row.clone(),
            set: None,
            refs: Vec::new(),
        })
    });
    Ok(planned.collect())
}

pub(super) fn not_a_union(id: &str, definition: &str, locator: &Locator<'_>) -> Diagnostic {
    let message = format!(
        "`{definition}`, which `{id}` is bound to, is no union or text enum of any vendored version"
    );
    let told = Diagnostic::new(Code::BadSource, id, message).help(format!(
        "correct the binding; where the type is gone for good, remove the binding, and {TABLES}/{id}.toml"
    ));
    match locator.binding(id) {
        Some(span) => told.at(span, "bound here"),
        None => told,
    }
}
