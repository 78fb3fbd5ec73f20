//! Ties findings to texts: file and line of the schema, the overlay or the row table.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ops::Range;

use crate::inputs::Inputs;
use crate::ir::Place;
use crate::locate::{elements, locate};
use crate::problem::Problem;
use crate::report::{Code, Diagnostic};
use crate::source::{SourceFile, Span};

/// Finds the bytes that places speak of. Lists are searched once for all their elements.
pub struct Locator<'i> {
    inputs: &'i Inputs,
    lists: RefCell<BTreeMap<(usize, Vec<String>), Vec<Range<usize>>>>,
}

impl<'i> Locator<'i> {
    /// Over all schema files, then all overlays.
    pub fn new(inputs: &'i Inputs) -> Self {
        Self { inputs, lists: RefCell::new(BTreeMap::new()) }
    }

    /// The file index of an overlay.
    pub fn overlay(&self, index: usize) -> usize {
        self.inputs.schemas.len() + index
    }

    fn file(&self, index: usize) -> Option<&SourceFile> {
        let schemas = self.inputs.schemas.len();
        self.inputs.schemas.get(index).map(|schema| &schema.file).or_else(|| {
            self.inputs.overlays.get(index.checked_sub(schemas)?)
        })
    }

    /// The text at a place; the start of sources.toml for what stands in no file.
    pub fn span(&self, place: &Place) -> Span {
        let Some(file) = self.file(place.file).filter(|_| *place != Place::default()) else {
            return self.inputs.sources.span(0..0);
        };
        if let Some((last, list)) = place.path.split_last()
            && let Ok(index) = last.parse::<usize>()
        {
            let mut lists = self.lists.borrow_mut();
            let ranges = lists
                .entry((place.file, list.to_vec()))
                .or_insert_with(|| elements(file.text(), list));
            if let Some(range) = ranges.get(index) {
                return file.span(range.clone());
            }
        }
        file.span(locate(file.text(), &place.path))
    }

    /// Findings with their texts.
    pub fn diagnostics(&self, group: &str, problems: Vec<Problem>) -> Vec<Diagnostic> {
        problems.into_iter().map(|problem| self.diagnostic(group, problem)).collect()
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
