//! Turns, which the wire does not name: how they end, and what they used.

use std::sync::Arc;

use crate::canonical::TurnState;
use crate::json::OwnedJson;
use crate::providers::opencode::wire::values;

/// Why the model stopped where it called tools.
pub(super) const TOOLS: &str = "tool-calls";

/// A turn that is going on.
#[derive(Debug)]
pub(super) struct Turn {
    /// Its name: the id of the message of the user that began it, where one did.
    pub name: Arc<str>,
    /// The server said that it works.
    pub busy: bool,
    /// The message that the model is at.
    pub working: Option<Arc<str>>,
    /// Whether the model has begun a message.
    pub answered: bool,
    /// Whether the model was asked.
    pub stepped: bool,
    /// Whether a call has ended.
    pub did: bool,
    /// Whether the user refused a call of the last message.
    pub refused: bool,
    /// Why the model stopped last.
    pub finish: Option<String>,
    /// What went wrong, unless the model went on after it.
    pub failure: Option<Failure>,
    /// What its steps used.
    pub used: Tokens,
    /// What they cost.
    pub cost: Option<f64>,
}

/// What ended a turn other than well.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Failure {
    /// The user or the host broke it off.
    Aborted,
    /// It failed, as these words say.
    Failed(String),
}

/// Tokens of a step or a turn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Tokens {
    pub input: i64,
    pub output: i64,
    pub reasoning: i64,
    pub cache_read: i64,
    pub cache_write: i64,
}

impl Tokens {
    /// Whether any were used.
    pub fn any(self) -> bool {
        self != Self::default()
    }

    fn add(&mut self, more: Self) {
        let add = |sum: &mut i64, more: i64| *sum = sum.saturating_add(more);
        add(&mut self.input, more.input);
        add(&mut self.output, more.output);
        add(&mut self.reasoning, more.reasoning);
        add(&mut self.cache_read, more.cache_read);
        add(&mut self.cache_write, more.cache_write);
    }

    /// The figures in the provider's own form.
    pub fn json(self) -> OwnedJson {
        OwnedJson::from_value(&serde_json::json!({
            "input": self.input,
            "output": self.output,
            "reasoning": self.reasoning,
            "cache": {"read": self.cache_read, "write": self.cache_write},
        }))
    }
}

impl Turn {
    /// A turn that begins.
    pub fn new(name: Arc<str>) -> Self {
        Self {
            name,
            busy: false,
            working: None,
            answered: false,
            stepped: false,
            did: false,
            refused: false,
            finish: None,
            failure: None,
            used: Tokens::default(),
            cost: None,
        }
    }

    /// The model begins a message: what went wrong before did not end the turn.
    pub fn works(&mut self, message: &Arc<str>) {
        self.working = Some(Arc::clone(message));
        self.answered = true;
        self.refused = false;
        self.finish = None;
        self.failure = None;
    }

    /// Whether the server began to work in it.
    pub const fn has_begun(&self) -> bool {
        self.busy || self.answered
    }

    /// A step used tokens.
    pub fn uses(&mut self, tokens: Tokens, cost: f64) {
        self.used.add(tokens);
        self.cost = Some(self.cost.unwrap_or_default() + cost);
    }

    /// How it ended, as far as its messages say.
    pub fn state(&self) -> TurnState {
        match (&self.failure, &self.finish) {
            (Some(Failure::Aborted), _) => TurnState::Interrupted,
            (Some(Failure::Failed(_)), _) => TurnState::Failed,
            // The model called tools, and does not see what came of it.
            (None, Some(finish)) if self.refused && finish == TOOLS => TurnState::Interrupted,
            (None, Some(finish)) => values::finish(finish).unwrap_or(TurnState::Failed),
            // A command that the user runs has no model that stops.
            (None, None) if self.did && !self.stepped && self.working.is_none() => {
                TurnState::Completed
            }
            (None, None) => TurnState::Interrupted,
        }
    }
}
