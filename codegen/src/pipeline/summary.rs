//! Counts of one run, for one short message.

use std::collections::BTreeMap;

use crate::plan::{Plan, PlannedProjection};
use crate::rows::Verb;

/// Counts of one run.
#[derive(Debug, Default)]
pub struct Summary {
    /// Surfaces and value surfaces with their rows.
    pub surfaces: Vec<SurfaceCount>,
    /// Types written, by provider.
    pub types: BTreeMap<String, usize>,
    /// Versions read, by provider.
    pub versions: BTreeMap<String, Vec<String>>,
}

/// One surface in the summary.
#[derive(Debug)]
pub struct SurfaceCount {
    /// The id.
    pub id: String,
    /// Whether it is a value surface.
    pub value: bool,
    /// All rows.
    pub rows: usize,
    /// Rows that drop.
    pub drops: usize,
}

impl Summary {
    pub(super) fn add(&mut self, plan: &Plan) {
        self.types.insert(plan.provider.clone(), plan.types.len());
        self.versions
            .insert(plan.provider.clone(), plan.window.clone());
        for surface in &plan.surfaces {
            let drops = surface
                .rows
                .iter()
                .filter(|row| matches!(row.row.verb, Verb::Drop(_)))
                .count();
            self.surfaces.push(SurfaceCount {
                id: surface.id.clone(),
                value: false,
                rows: surface.rows.len(),
                drops,
            });
        }
        for value in &plan.values {
            let drops = value
                .members
                .iter()
                .filter(|member| member.target.is_none())
                .count();
            self.surfaces.push(SurfaceCount {
                id: value.id.clone(),
                value: true,
                rows: value.members.len(),
                drops,
            });
        }
    }
}

impl SurfaceCount {
    /// How many rows it has, for the summary.
    pub(super) fn of_projection(projection: &PlannedProjection) -> Self {
        let drops = projection
            .rows
            .iter()
            .filter(|row| matches!(row.row.verb, Verb::Drop(_)));
        Self {
            id: projection.id.clone(),
            value: false,
            rows: projection.rows.len(),
            drops: drops.count(),
        }
    }
}
