//! Lines of `codex exec --json`, in the terms of the canonical model. One method a row.

use crate::canonical::{
    ItemCompleted, ItemStarted, ItemUpdated, RuntimeError, ThreadStarted, TurnCompleted,
    TurnStarted, TurnState,
};
use crate::kit::mapping::{Cx, Out};
use crate::kit::parts::object;
use crate::providers::codex_sdk::wire;
use crate::providers::codex_sdk::wire::thread_event::{Mapping, row};

use super::failure::class;
use super::items::{Step, lifecycle, steps};
use super::mapping::CodexSdkMapping;

impl Mapping for CodexSdkMapping {
    fn error(&mut self, _: &mut Cx<'_>, params: &wire::ThreadErrorEvent<'_>) -> RuntimeError {
        RuntimeError::new(&*params.message, class(&params.message))
    }

    fn item_completed(
        &mut self,
        cx: &mut Cx<'_>,
        params: &wire::ItemCompletedEvent<'_>,
        out: Out<row::ItemCompleted>,
    ) {
        let item = lifecycle(self, cx, &params.item, Step::Completed);
        // Before the end, so that who reads the end knows that the steps were told.
        if let Some(plan) = self.plan_of(steps(&params.item)) {
            out.emit(cx, plan);
        }
        out.emit(cx, ItemCompleted(item));
    }

    fn item_started(
        &mut self,
        cx: &mut Cx<'_>,
        params: &wire::ItemStartedEvent<'_>,
        out: Out<row::ItemStarted>,
    ) {
        let item = lifecycle(self, cx, &params.item, Step::Open);
        out.emit(cx, ItemStarted(item));
        if let Some(plan) = self.plan_of(steps(&params.item)) {
            out.emit(cx, plan);
        }
    }

    fn item_updated(
        &mut self,
        cx: &mut Cx<'_>,
        params: &wire::ItemUpdatedEvent<'_>,
        out: Out<row::ItemUpdated>,
    ) {
        let item = lifecycle(self, cx, &params.item, Step::Open);
        out.emit(cx, ItemUpdated(item));
        if let Some(plan) = self.plan_of(steps(&params.item)) {
            out.emit(cx, plan);
        }
    }

    fn thread_started(
        &mut self,
        cx: &mut Cx<'_>,
        params: &wire::ThreadStartedEvent<'_>,
    ) -> ThreadStarted {
        self.begin_run(&params.thread_id);
        cx.refs.turn = None;
        ThreadStarted {
            provider_thread_id: Some((&*params.thread_id).into()),
        }
    }

    fn turn_completed(&mut self, cx: &mut Cx<'_>, _: &wire::TurnCompletedEvent) -> TurnCompleted {
        self.end_turn(cx);
        ended_well(cx)
    }

    fn turn_failed(
        &mut self,
        cx: &mut Cx<'_>,
        params: &wire::TurnFailedEvent<'_>,
        out: Out<row::TurnFailed>,
    ) {
        let words = &*params.error.message;
        self.end_turn(cx);
        out.emit(cx, RuntimeError::new(words, class(words)));
        out.emit(cx, failed(words));
    }

    fn turn_started(&mut self, cx: &mut Cx<'_>, _: &wire::TurnStartedEvent) -> TurnStarted {
        self.begin_turn(cx);
        TurnStarted::default()
    }
}

/// The end of a turn. What it says about tokens is the total of the thread, be it one that an
/// earlier run began: shown as the turn's own, each turn would be charged for all before it.
pub(super) fn ended_well(cx: &Cx<'_>) -> TurnCompleted {
    TurnCompleted {
        usage: cx.raw(&["usage"]).map(|total| object(&[("total", total)])),
        ..TurnCompleted::new(TurnState::Completed)
    }
}

/// The end of a turn that failed.
pub(super) fn failed(words: &str) -> TurnCompleted {
    TurnCompleted {
        error_message: Some(words.to_owned()),
        ..TurnCompleted::new(TurnState::Failed)
    }
}
