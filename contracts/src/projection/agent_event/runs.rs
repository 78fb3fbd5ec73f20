//! The runs of a session: one for each turn, in the frames in which a host sends them.

use serde::{Deserialize, Serialize};

use super::{AgentEvent, AgentEvents, CostClass};
use crate::canonical::{RuntimeEvent, TurnId};
use crate::kit::remembered::Remembered;

/// How many runs may go on at once. Past it the oldest fails.
const RUNNING: usize = 256;
/// How many runs that ended are remembered.
const ENDED: usize = 65_536;

/// One event of one of several runs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename = "event", rename_all = "camelCase")]
pub struct RunFrame {
    /// The run: the canonical id of its turn.
    pub run_id: TurnId,
    /// The event.
    pub event: AgentEvent,
}

/// Projects the canonical events of a whole session: each turn is a run of its own, and each run
/// ends exactly once.
#[derive(Debug)]
pub struct AgentRuns {
    /// What each run begins with; it learns from every event.
    template: AgentEvents,
    running: Vec<(TurnId, AgentEvents)>,
    ended: Remembered<TurnId, ()>,
}

impl Default for AgentRuns {
    fn default() -> Self {
        Self::new()
    }
}

impl AgentRuns {
    /// For a session of which nothing is known.
    #[must_use]
    pub fn new() -> Self {
        Self {
            template: AgentEvents::new(),
            running: Vec::new(),
            ended: Remembered::new(ENDED),
        }
    }

    /// Who pays for the runs.
    #[must_use]
    pub fn tier(mut self, tier: CostClass) -> Self {
        self.template = self.template.tier(tier);
        self
    }

    /// The host's names for the model and for whose it is.
    #[must_use]
    pub fn model(mut self, model: &str, provider: Option<&str>) -> Self {
        self.template = self.template.model(model, provider);
        self
    }

    /// No thread was begun before what is read: see [`AgentEvents::threads_begin_here`].
    #[must_use]
    pub fn threads_begin_here(mut self) -> Self {
        self.template = self.template.threads_begin_here();
        self
    }

    /// The events that one canonical event becomes.
    pub fn push(&mut self, event: &RuntimeEvent) -> Vec<RunFrame> {
        let mut frames = Vec::new();
        self.template.learn(event);
        if let Some(turn) = &event.turn_id {
            let new = self.ended.get(turn).is_none()
                && !self.running.iter().any(|(known, _)| known == turn);
            if new {
                self.begin(turn, &mut frames);
            }
        }
        for (run_id, run) in &mut self.running {
            let given = run.push(event);
            frames.extend(given.into_iter().map(|event| RunFrame {
                run_id: run_id.clone(),
                event,
            }));
        }
        self.template.learn_totals(event);
        self.settle();
        frames
    }

    /// The end of the stream: what still runs has failed.
    pub fn finish(&mut self) -> Vec<RunFrame> {
        let mut frames = Vec::new();
        for (run_id, run) in &mut self.running {
            frames.extend(run.finish().into_iter().map(|event| RunFrame {
                run_id: run_id.clone(),
                event,
            }));
        }
        self.settle();
        frames
    }

    fn begin(&mut self, turn: &TurnId, frames: &mut Vec<RunFrame>) {
        if self.running.len() >= RUNNING {
            let (run_id, mut oldest) = self.running.remove(0);
            frames.extend(oldest.finish().into_iter().map(|event| RunFrame {
                run_id: run_id.clone(),
                event,
            }));
            self.ended.insert(run_id, ());
        }
        self.running.push((turn.clone(), self.template.another()));
    }

    fn settle(&mut self) {
        let ended = &mut self.ended;
        self.running.retain(|(run_id, run)| {
            if run.has_ended() {
                ended.insert(run_id.clone(), ());
            }
            !run.has_ended()
        });
    }
}
