//! Projections: the canonical events joined with the row table of each smaller model.
//!
//! A projection needs no entry in `sources.toml`: its table is bound by its name, its variants are
//! the canonical events, and its target is the enum of the model's events.

use std::collections::BTreeMap;

use super::SurfaceCount;
use crate::canonical::CanonicalModel;
use crate::join::{VariantFact, join};
use crate::plan::{PlannedProjection, ProjectedRow};
use crate::report::{Code, Diagnostic};
use crate::rows::{RowTable, Verb, is_projection};

/// What stands in messages where a surface names its versions.
const SEEN: &str = "the canonical model";

/// Joins every projection, or says what is missing in all of them.
pub fn join_all(
    tables: &BTreeMap<String, RowTable>,
    model: &CanonicalModel,
) -> Result<Vec<PlannedProjection>, Vec<Diagnostic>> {
    let mut planned = Vec::new();
    let mut errors = Vec::new();
    for table in tables.values().filter(|it| is_projection(&it.surface)) {
        match join_one(table, model) {
            Ok(projection) => planned.push(projection),
            Err(found) => errors.extend(found),
        }
    }
    if errors.is_empty() {
        Ok(planned)
    } else {
        Err(errors)
    }
}

fn join_one(
    table: &RowTable,
    model: &CanonicalModel,
) -> Result<PlannedProjection, Vec<Diagnostic>> {
    let target = table.target.as_ref();
    if target.is_none_or(|name| !model.targets.contains_key(name)) {
        let message = format!(
            "the row table of `{}` does not say what it projects to",
            table.surface
        );
        let error = Diagnostic::new(Code::BadRow, &*table.surface, message)
            .at(table.file.span(0..0), "`target` belongs here");
        return Err(vec![error.help("name the enum of the model's events")]);
    };
    let facts: Vec<VariantFact> = model
        .events
        .values()
        .map(|event| VariantFact {
            tag: event.wire.clone(),
            span: event.span.clone(),
            seen: SEEN.to_owned(),
        })
        .collect();
    let rows = join(table, &facts)?;
    let names: Vec<&str> = model
        .events
        .values()
        .map(|event| event.rust.as_str())
        .collect();
    Ok(PlannedProjection {
        id: table.surface.clone(),
        rows: rows
            .into_iter()
            .filter_map(|(index, row)| {
                Some(ProjectedRow {
                    name: (*names.get(index)?).to_owned(),
                    row: row.clone(),
                })
            })
            .collect(),
    })
}

impl PlannedProjection {
    /// How many rows it has, for the summary.
    pub(super) fn count(&self) -> SurfaceCount {
        let drops = self
            .rows
            .iter()
            .filter(|row| matches!(row.row.verb, Verb::Drop(_)));
        SurfaceCount {
            id: self.id.clone(),
            value: false,
            rows: self.rows.len(),
            drops: drops.count(),
        }
    }
}
