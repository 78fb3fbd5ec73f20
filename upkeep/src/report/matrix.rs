//! The coverage matrix: how many rows of each surface give each canonical event, and how many of these
//! a recording shows.

use std::collections::BTreeSet;

use agentwire_codegen::listing::{ListedRow, ListedSurface, State};

use super::model::Coverage;

/// Surfaces across, canonical events down.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Matrix<'c> {
    /// The surfaces: those whose rows name events.
    pub surfaces: Vec<&'c ListedSurface>,
    /// A line for each event: its name, and a cell for each surface.
    pub events: Vec<(&'c str, Vec<Cell>)>,
    /// The rows that give no event because they say so.
    pub dropped: Vec<Cell>,
    /// The rows that somebody must decide.
    pub open: Vec<Cell>,
    /// All rows.
    pub all: Vec<Cell>,
}

/// Rows of one surface.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cell {
    /// How many there are.
    pub rows: usize,
    /// How many of them a stream shows that an agent wrote.
    pub recorded: usize,
}

/// How well something is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Shown {
    /// An agent was recorded while it wrote this.
    Recorded,
    /// Only a stream that was written by hand has this.
    Invented,
    /// No stream has this.
    Nowhere,
}

impl Shown {
    /// The word for it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Recorded => "recorded",
            Self::Invented => "invented",
            Self::Nowhere => "none",
        }
    }
}

impl Coverage {
    /// The matrix over all surfaces whose rows name events.
    pub fn matrix(&self) -> Matrix<'_> {
        let surfaces: Vec<&ListedSurface> = self.surfaces().filter(|it| !it.value).collect();
        let cells = |wanted: &dyn Fn(&ListedRow) -> bool| -> Vec<Cell> {
            let of = |surface: &&ListedSurface| self.cell(surface, wanted);
            surfaces.iter().map(of).collect()
        };
        Matrix {
            events: self
                .events
                .iter()
                .map(|event| {
                    let gives = |row: &ListedRow| row.events.contains(event);
                    (event.as_str(), cells(&gives))
                })
                .collect(),
            dropped: cells(&|row| row.state == State::Drop),
            open: cells(&|row| row.state.is_open()),
            all: cells(&|_| true),
            surfaces,
        }
    }

    /// Some rows of a surface.
    pub fn cell(&self, surface: &ListedSurface, wanted: &dyn Fn(&ListedRow) -> bool) -> Cell {
        let rows = surface.rows.iter().filter(|row| wanted(row));
        rows.fold(Cell::default(), |cell, row| {
            let recorded = self.shown(&surface.id, &row.tag) == Shown::Recorded;
            Cell {
                rows: cell.rows + 1,
                recorded: cell.recorded + usize::from(recorded),
            }
        })
    }

    /// How well a row is shown.
    pub fn shown(&self, surface: &str, tag: &str) -> Shown {
        let streams: Vec<_> = self.streams(surface, tag).collect();
        if streams.iter().any(|it| !it.invented) {
            Shown::Recorded
        } else if streams.is_empty() {
            Shown::Nowhere
        } else {
            Shown::Invented
        }
    }

    /// The canonical events that no row of any surface gives.
    pub fn unheard(&self) -> Vec<&str> {
        let given: BTreeSet<&String> = self
            .surfaces()
            .filter(|surface| !surface.value)
            .flat_map(|surface| surface.rows.iter().flat_map(|row| &row.events))
            .collect();
        let events = self.events.iter().filter(|event| !given.contains(event));
        events.map(String::as_str).collect()
    }
}
