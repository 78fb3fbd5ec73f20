//! Agent events: a run as events of five types that make every runtime look the same.
//!
//! The model is the `AgentEvent` of Soba: `delta`, `thinking`, `status`,
//! `done` and `error`, and no sixth. `delta` appends, `thinking` replaces.
//!
//! A run is one turn. [`AgentEvents`] projects one run, [`AgentRuns`] all of a session. What is
//! promised:
//! - the first event of a run is a `status` that carries the tier;
//! - a run ends exactly once, with `done` only where its turn completed; what was interrupted,
//!   cancelled, aborted or cut off is an `error`, and nothing comes after either;
//! - the deltas of a run are its answer: what was streamed, and what was not streamed once it is
//!   known whole. An empty line stands between two messages. A message that the agent replaces
//!   after it was streamed stays as it was streamed: a delta can't be taken back;
//! - each `thinking` begins with the one before it;
//! - messages are one line, and those that are written for operators are left out;
//! - `usage` is absent where the tokens or the model are unknown. Tokens from a cache are not
//!   counted among the input. Where an agent tells the total of the thread only, a turn used what
//!   the total grew by since the turn before it.
//!
//! A `runtime.error` does not end a run: agents try again, and the end of the turn tells whether
//! it failed. Its text becomes that of the end where the end has none.

mod event;
mod rows;
mod runs;
mod text;
mod tools;
mod usage;

use std::sync::Arc;

use crate::canonical::{EventPayload, RuntimeEvent};
use crate::generated::projection::agent_event::project;

pub use crate::generated::projection::agent_event::{PROJECTION, ROWS};
pub use event::{
    AgentEvent, AgentEventType, CostClass, Delta, Done, Error, RunUsage, Status, Thinking, ToolSlug,
};
use rows::State;
pub use runs::{AgentRuns, RunFrame};

/// What the rows give.
pub(crate) type Draft = AgentEvent;

/// Projects the canonical events of one run: of the first turn that is named to it.
#[derive(Debug, Default)]
pub struct AgentEvents {
    state: State,
    ended: bool,
}

impl AgentEvents {
    /// For a run of which nothing is known.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Who pays for the run: told by its first status, and with its usage.
    #[must_use]
    pub fn tier(mut self, tier: CostClass) -> Self {
        self.state.tier = Some(tier);
        self
    }

    /// The host's names for the model and for whose it is; else what the agent tells is told.
    #[must_use]
    pub fn model(mut self, model: &str, provider: Option<&str>) -> Self {
        self.state.model = Some(model.to_owned());
        self.state.provider = provider.map(str::to_owned);
        self
    }

    /// No thread was begun before what is read. What its first turn used is then known, too, where an
    /// agent tells the totals of threads only; a thread that is continued would be charged again for
    /// all that it used before.
    #[must_use]
    pub fn threads_begin_here(mut self) -> Self {
        self.state.totals.begin_here = true;
        self
    }

    /// Whether the run has ended; nothing comes after that.
    #[must_use]
    pub const fn has_ended(&self) -> bool {
        self.ended
    }

    /// The events that one canonical event becomes; none where it belongs to another turn.
    pub fn push(&mut self, event: &RuntimeEvent) -> Vec<AgentEvent> {
        if self.ended {
            return Vec::new();
        }
        self.learn(event);
        if !self.is_of_run(event) {
            return Vec::new();
        }
        if let EventPayload::ThreadTokenUsageUpdated(updated) = &event.payload {
            self.state.meter.update(&updated.usage);
        }
        if let EventPayload::RuntimeError(error) = &event.payload {
            self.state.failure = Some(tools::line(&error.message));
        }
        let was_open = self.state.opened;
        let mut given = Vec::new();
        project(&mut self.state, event, &mut given);
        self.end_after(given, was_open)
    }

    /// The end of the stream: a run that has not ended has failed.
    pub fn finish(&mut self) -> Vec<AgentEvent> {
        if self.ended {
            return Vec::new();
        }
        let error = self.state.failed("The run broke off without a result");
        let was_open = self.state.opened;
        self.end_after(vec![error.into()], was_open)
    }

    /// Takes over what an event of any turn tells about models.
    fn learn(&mut self, event: &RuntimeEvent) {
        self.state.models.learn(event);
    }

    /// Takes over what an event of any turn leaves to the turns after it.
    fn learn_totals(&mut self, event: &RuntimeEvent) {
        self.state.totals.learn(event);
    }

    /// A run like this one of which nothing was told; what was learned moves along by copy.
    fn another(&self) -> Self {
        Self {
            state: self.state.another(),
            ended: false,
        }
    }

    /// Whether an event is about the run. What comes before any turn is not: the history of a
    /// session that is loaded again is no answer.
    fn is_of_run(&mut self, event: &RuntimeEvent) -> bool {
        let thread = event.thread_id.as_ref().map(|id| id.shared());
        let turn = event.turn_id.as_ref().map(|id| id.shared());
        match (&self.state.turn, turn) {
            (None, None) => matches!(
                event.payload,
                EventPayload::SessionExited(_) | EventPayload::RuntimeError(_)
            ),
            (None, Some(turn)) => {
                self.state.turn = Some(Arc::clone(turn));
                self.state.thread = thread.cloned();
                true
            }
            (Some(_), None) => thread.is_none() || thread == self.state.thread.as_ref(),
            (Some(own), Some(turn)) => own == turn,
        }
    }

    /// Puts the opening before everything else, and nothing behind the end.
    fn end_after(&mut self, given: Vec<AgentEvent>, was_open: bool) -> Vec<AgentEvent> {
        let mut events = Vec::with_capacity(given.len() + 1);
        if !was_open && !self.state.opened && !given.is_empty() {
            events.push(self.state.opening().into());
        }
        for event in given {
            self.ended = event.is_terminal();
            events.push(event);
            if self.ended {
                break;
            }
        }
        events
    }
}
