//! Turns of version 2: prompts begin them, and the state of the session ends them.

use std::sync::Arc;

use crate::canonical::{
    ErrorClass, RuntimeError, SessionStateChanged, TaskStatus, TurnCompleted, TurnStarted,
    TurnState,
};
use crate::kit::envelope::RequestId;
use crate::kit::mapping::{Cx, Out};
use crate::providers::acp::wire::v2::notification::{SURFACE, implied, row};
use crate::providers::acp::wire::v2::{
    IdleStateUpdate, IdleStateUpdateStopReason, StateUpdate, values,
};

use crate::providers::acp::child_sessions::{ChildEnd, ChildState};
use crate::providers::acp::keys::key;
use crate::providers::acp::mapping::AcpMapping;

use super::memory::Marks;

impl AcpMapping {
    /// The agent takes the prompt of the turn that the context names. This tells nothing about the
    /// turn's end.
    pub(in crate::providers::acp) fn prompt_accepted(&mut self, cx: &Cx<'_>) {
        self.mark(cx, |marks| marks.accepted = true);
    }

    /// Tells a new state of the session that the context names.
    pub(super) fn session_state(
        &mut self,
        cx: &mut Cx<'_>,
        update: &StateUpdate<'_>,
        out: &Out<row::StateUpdate>,
    ) {
        cx.refs.turn = self.turns.current(cx.refs.thread.as_ref());
        let mut reason = None;
        match update {
            StateUpdate::Running(_) => self.running(cx, out),
            StateUpdate::RequiresAction(_) => self.mark(cx, |marks| marks.ran = true),
            StateUpdate::Idle(idle) => {
                reason = idle.stop_reason.as_ref().map(|it| it.as_str().to_owned());
                self.idle(cx, idle, out);
            }
            StateUpdate::Unknown(_) => cx.dropped("says that the state is not known"),
            StateUpdate::Unrecognized(unrecognized) => cx.unrecognized(SURFACE, unrecognized),
        }
        if let Some(state) = values::state(update) {
            out.emit(
                cx,
                SessionStateChanged {
                    state,
                    reason,
                    detail: None,
                },
            );
        }
    }

    /// An agent also runs without a prompt: in the sessions of its own children, or when something
    /// in the background is done. That is a turn, too, but not while it tells its history.
    fn running(&mut self, cx: &mut Cx<'_>, out: &Out<row::StateUpdate>) {
        let thread = cx.refs.thread.clone();
        if cx.refs.turn.is_none() {
            if thread.as_ref().is_some_and(|it| self.turns.is_history(it)) {
                return;
            }
            self.v2.unprompted += 1;
            let name = format!("unprompted-{}", self.v2.unprompted);
            let turn = self.turns.start(thread, &RequestId::Other(Arc::from(name)));
            cx.refs.turn = Some(turn);
            self.end_note(cx, &implied::next_item());
            out.emit(cx, TurnStarted::default());
        }
        self.mark(cx, |marks| marks.ran = true);
    }

    /// The work is over, and with it the turn that went on. Prompts that the agent took in the
    /// meantime are a part of that work, while one that it has not answered yet is still to come.
    fn idle(&mut self, cx: &mut Cx<'_>, idle: &IdleStateUpdate<'_>, out: &Out<row::StateUpdate>) {
        if let Some(error) = &idle.error {
            out.emit(
                cx,
                RuntimeError {
                    message: error.message.to_string(),
                    class: Some(values::error_code(&error.code).unwrap_or(ErrorClass::Unknown)),
                    detail: cx.raw(&["error"]),
                },
            );
        }
        // One that says nothing about an end may have been sent before the prompt came in.
        let says_so = idle.stop_reason.is_some() || idle.error.is_some();
        if !says_so && !self.marks(cx).ran {
            return;
        }
        while let Some(turn) = cx.refs.turn.clone() {
            self.v2.turns.remove(&key(&cx.refs, &turn));
            self.turns.end(&turn);
            let next = self.turns.current(cx.refs.thread.as_ref());
            let mut completed = completed(idle);
            let goes_on = next.as_ref().is_some_and(|next| {
                let marks = self.v2.turns.get(&key(&cx.refs, next));
                marks.is_some_and(|marks| marks.accepted)
            });
            if !goes_on {
                // The figures are those of all the work, and must not count twice.
                completed.usage = cx.raw(&["usage"]).filter(|usage| usage.as_str() != "null");
            }
            self.end_turn(cx, completed.state, &implied::turn_ends());
            out.emit(cx, completed);
            cx.refs.turn = next;
            if !goes_on {
                return;
            }
        }
    }

    fn marks(&self, cx: &Cx<'_>) -> Marks {
        let turn = cx.refs.turn.as_ref();
        let marks = turn.and_then(|turn| self.v2.turns.get(&key(&cx.refs, turn)));
        marks.copied().unwrap_or_default()
    }

    fn mark(&mut self, cx: &Cx<'_>, mark: impl FnOnce(&mut Marks)) {
        if let Some(turn) = &cx.refs.turn {
            let mut marks = self.marks(cx);
            mark(&mut marks);
            self.v2.turns.insert(key(&cx.refs, turn), marks);
        }
    }
}

/// How a turn ended. What gives no reason, or one that cannot be read, is no success.
pub(super) fn completed(idle: &IdleStateUpdate<'_>) -> TurnCompleted {
    let reason = idle.stop_reason.as_ref();
    let (state, unclear) = match reason {
        Some(IdleStateUpdateStopReason::Unrecognized(reason)) => (
            None,
            Some(format!(
                "the turn stopped for a reason that is not known: {reason}"
            )),
        ),
        Some(reason) => (values::stop_reason(reason), None),
        None => (
            None,
            Some(String::from("the turn stopped without a reason")),
        ),
    };
    let error = idle.error.as_ref().map(|error| error.message.to_string());
    let state = match state {
        Some(TurnState::Completed) if error.is_some() => TurnState::Failed,
        Some(state) => state,
        None => TurnState::Failed,
    };
    TurnCompleted {
        stop_reason: reason.map(|reason| Some(reason.as_str().to_owned())),
        error_message: error.or(unclear),
        ..TurnCompleted::new(state)
    }
}

/// The state of a child session.
pub(super) fn child_state<'m>(state: &'m StateUpdate<'_>) -> ChildState<'m> {
    let end = if let StateUpdate::Idle(idle) = state {
        let end = completed(idle);
        let status = match end.state {
            TurnState::Completed => TaskStatus::Completed,
            TurnState::Failed => TaskStatus::Failed,
            TurnState::Interrupted | TurnState::Cancelled => TaskStatus::Stopped,
        };
        Some(ChildEnd {
            says_so: idle.stop_reason.is_some() || idle.error.is_some(),
            status,
            summary: end.error_message,
        })
    } else {
        None
    };
    ChildState {
        word: state.tag(),
        works: matches!(
            state,
            StateUpdate::Running(_) | StateUpdate::RequiresAction(_)
        ),
        end,
    }
}
