//! What the mapping of `codex exec --json` remembers between lines: which run, thread and turn.

use std::sync::Arc;

use crate::canonical::{PlanStep, ProviderKind, TurnPlanUpdated};
use crate::generated::lifecycles;
use crate::kit::core::{Provider, Slot};
use crate::kit::ledger::{Lifecycle, Refs, own_name, scoped_name};
use crate::kit::mapping::Cx;

/// Maps the lines of `codex exec --json`; one for each stream, which may hold several runs.
#[derive(Debug, Default)]
pub struct CodexSdkMapping {
    runs: u64,
    thread: Option<Arc<str>>,
    turns: u64,
    turn: Option<Arc<str>>,
    /// The plan that was told last in the turn.
    plan: Option<Vec<PlanStep>>,
}

impl CodexSdkMapping {
    /// With nothing remembered.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Another run of the program, in a thread that may be new or go on.
    pub(super) fn begin_run(&mut self, thread: &str) {
        self.runs += 1;
        self.thread = Some(Arc::from(thread));
        self.turn = None;
        self.plan = None;
    }

    /// A turn begins, unless one is going on: the reviewer of a review tells that it begins, too.
    pub(super) fn begin_turn(&mut self, cx: &mut Cx<'_>) {
        if self.turn.is_none() {
            self.turns += 1;
            self.turn = Some(own_name(&format!("turn-{}", self.turns)));
        }
        cx.refs.turn.clone_from(&self.turn);
    }

    /// The turn ends. One that was never told to begin ends all the same.
    pub(super) fn end_turn(&mut self, cx: &mut Cx<'_>) {
        self.begin_turn(cx);
        self.turn = None;
        self.plan = None;
    }

    /// The plan of these steps, where it is another than the one that was told last.
    pub(super) fn plan_of(&mut self, steps: Option<Vec<PlanStep>>) -> Option<TurnPlanUpdated> {
        let plan = steps?;
        if self.plan.as_ref() == Some(&plan) {
            return None;
        }
        self.plan = Some(plan.clone());
        let explanation = None;
        Some(TurnPlanUpdated { explanation, plan })
    }

    /// Puts the context where the line belongs.
    pub(super) fn set_place(&self, cx: &mut Cx<'_>) {
        self.place(&mut cx.refs);
    }

    /// The name of an item: each run numbers its items anew, in the same thread.
    pub(super) fn item(&self, id: &str) -> Arc<str> {
        match self.runs {
            0 | 1 => Arc::from(id),
            run => scoped_name(&format!("run-{run}"), id),
        }
    }
}

impl Provider for CodexSdkMapping {
    const KIND: ProviderKind = ProviderKind::Codex;
    const LIFECYCLE: Lifecycle = lifecycles::CODEX_SDK;

    fn slot(member: &str) -> Option<Slot> {
        match member {
            "thread_id" => Some(Slot::Thread),
            _ => None,
        }
    }

    fn place(&self, refs: &mut Refs) {
        if refs.thread.is_none() {
            refs.thread.clone_from(&self.thread);
        }
        refs.turn.clone_from(&self.turn);
        refs.item = refs.item.as_deref().map(|id| self.item(id));
    }
}
