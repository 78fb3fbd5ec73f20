//! Projections: canonical events as the events of smaller models.
//!
//! - [`universal`]: the transcript of a session, in the terms of the Universal Event schema;
//! - [`agent_event`]: five types of events that make every runtime look the same to an app.
//!
//! Each has a row table of its own in `contracts/mapping`, whose tags are the canonical events, and
//! a trait that is generated from it: a canonical event without a decision fails the build, and
//! there is no wildcard arm. A projection does no I/O, keeps a bounded memory, and panics on
//! nothing that an event may hold.

pub mod agent_event;
pub mod universal;

mod calls;
mod form;
mod opaque;

use std::marker::PhantomData;

use crate::canonical::EventType;
use crate::kit::mapping::RowVerb;

/// One row of a projection, as data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RowInfo {
    /// The canonical event.
    pub event: EventType,
    /// What it becomes.
    pub verb: RowVerb,
    /// What must be so for the event to be given, where it is not always.
    pub when: Option<&'static str>,
}

impl RowInfo {
    /// The names of the events that the row may give.
    #[must_use]
    pub const fn gives(&self) -> &[&'static str] {
        match &self.verb {
            RowVerb::Keep(name) | RowVerb::Rename(name) => std::slice::from_ref(name),
            RowVerb::Split(names) => names,
            RowVerb::Drop(_) => &[],
        }
    }
}

/// The sink of a split row: it takes only the events that the row lists.
#[derive(Debug)]
pub struct Out<'o, R, D> {
    given: &'o mut Vec<D>,
    row: PhantomData<R>,
}

impl<'o, R, D> Out<'o, R, D> {
    /// A sink for the row that `R` stands for.
    pub(crate) fn new(given: &'o mut Vec<D>) -> Self {
        Self {
            given,
            row: PhantomData,
        }
    }

    /// Gives an event that the row lists.
    pub fn give<E: GivenBy<R> + Into<D>>(&mut self, event: E) {
        self.given.push(event.into());
    }
}

/// An event that the row of `R` lists.
#[diagnostic::on_unimplemented(
    message = "row `{R}` does not list the event `{Self}`",
    label = "the row does not list this event",
    note = "add the event to the row in contracts/mapping, then run `cargo xtask regen`"
)]
pub trait GivenBy<R> {}
