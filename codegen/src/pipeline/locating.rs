//! Ties findings to texts: file and line of the schema, the overlay or the row table.

use std::cell::RefCell;
use std::collections::BTreeMap;

use crate::diagnostics::{Code, Diagnostic};
use crate::inputs::Inputs;
use crate::ir::Place;
use crate::json_place::Lines;
use crate::problem::Problem;
use crate::source::{SourceFile, Span};
use crate::toml_place::entry;

/// Finds the bytes that places speak of. Each object and list is searched once for all its
/// members, since every variant of a union is asked for.
pub struct Locator<'i> {
    inputs: &'i Inputs,
    known: RefCell<BTreeMap<usize, Lines>>,
}

impl<'i> Locator<'i> {
    /// Over all schema files, then all overlays.
    pub fn new(inputs: &'i Inputs) -> Self {
        Self {
            inputs,
            known: RefCell::new(BTreeMap::new()),
        }
    }

    /// The file index of an overlay.
    pub fn overlay(&self, index: usize) -> usize {
        self.inputs.schemas.len() + index
    }

    /// Where a surface or a value surface is bound.
    pub fn binding(&self, id: &str) -> Option<Span> {
        ["surface", "value"]
            .into_iter()
            .find_map(|kind| entry(&self.inputs.sources, &[kind, id], None))
    }

    fn file(&self, index: usize) -> Option<&SourceFile> {
        let schemas = self.inputs.schemas.len();
        self.inputs
            .schemas
            .get(index)
            .map(|schema| &schema.file)
            .or_else(|| self.inputs.overlays.get(index.checked_sub(schemas)?))
    }

    /// The text at a place, or at the deepest value on the way to it; the start of sources.toml
    /// for what stands in no file. Of a value of several lines the first, which shows where it
    /// begins.
    pub fn span(&self, place: &Place) -> Span {
        let Some(file) = self.file(place.file).filter(|_| *place != Place::default()) else {
            return self.inputs.sources.span(0..0);
        };
        let text = file.text();
        let mut known = self.known.borrow_mut();
        let lines = known.entry(place.file).or_insert_with(|| Lines::new(file));
        let range = lines.along(&place.path);
        let line = text.get(range.clone()).and_then(|value| value.find('\n'));
        file.span(range.start..line.map_or(range.end, |length| range.start + length))
    }

    /// Findings with their texts.
    pub fn diagnostics(&self, group: &str, problems: Vec<Problem>) -> Vec<Diagnostic> {
        problems
            .into_iter()
            .map(|problem| self.diagnostic(group, problem))
            .collect()
    }

    fn diagnostic(&self, group: &str, problem: Problem) -> Diagnostic {
        let path = problem.at.path.join("/");
        let message = if path.is_empty() || problem.code != Code::UnloweredSchema {
            problem.message
        } else {
            format!("{} (at /{path})", problem.message)
        };
        let mut diagnostic = Diagnostic::new(problem.code, group, message);
        if problem.at != Place::default() {
            diagnostic = diagnostic.at(self.span(&problem.at), "here");
        }
        for (place, label) in &problem.also {
            diagnostic = diagnostic.and(self.span(place), label.clone());
        }
        for help in problem.help {
            diagnostic = diagnostic.help(help);
        }
        diagnostic
    }
}
