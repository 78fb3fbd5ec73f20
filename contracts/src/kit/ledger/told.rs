//! What the ledger gives back: events, which of them it made, and what it refused.

use std::fmt;

use super::Rule;
use crate::canonical::{EventId, EventType, RuntimeEvent};

/// What became of a draft.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Admission {
    /// It became one event as it was.
    Passed,
    /// An `item.started` was put before it, since the item had never been started.
    Stubbed,
    /// It became an `item.updated`, since the item had been started or ended before.
    Updated,
    /// It became no event, by this rule.
    Refused(Rule),
}

/// The events of drafts, in order, with what the ledger did by itself.
#[derive(Clone, Debug, Default)]
pub struct Told {
    /// The events.
    pub events: Vec<RuntimeEvent>,
    /// Those of them that the ledger made or changed, by which rule.
    pub made: Vec<Made>,
    /// What became no event.
    pub refused: Vec<Refusal>,
}

/// An event that the ledger made, or made into another one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Made {
    /// The event.
    pub event: EventId,
    /// Why.
    pub rule: Rule,
}

/// An event of a mapping that the ledger did not take: it would have broken the life of what it is
/// about. The message is not lost, since its outcome says so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// Its type.
    pub event: EventType,
    /// Why.
    pub rule: Rule,
}

impl fmt::Display for Refusal {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            formatter,
            "no `{}`: {}",
            self.event.as_str(),
            self.rule.text()
        )
    }
}
