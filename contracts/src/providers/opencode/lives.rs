//! What begins and ends in a thread: its turns, and what is open in them.

use std::sync::Arc;

use crate::canonical::{
    ContentStreamKind, ItemCompleted, ItemLifecycle, ItemStatus, ItemType, TurnCompleted,
    TurnStarted, TurnState,
};
use crate::kit::ledger::own_name;
use crate::kit::mapping::{Cx, EmittedBy, Out};
use crate::kit::parts::filled;
use crate::providers::opencode::wire::event::implied;

use super::thread::{Part, Thread};
use super::turns::{Failure, Turn};

impl Thread {
    /// Begins a turn, unless one is going on. It has this name, unless an earlier one had it.
    pub fn begin_turn<R>(
        &mut self,
        cx: &mut Cx<'_>,
        name: Option<&Arc<str>>,
        model: Option<&str>,
        out: &Out<R>,
    ) where
        TurnStarted: EmittedBy<R>,
    {
        if let Some(event) = self.opens_turn(cx, name, model) {
            out.emit(cx, event);
        }
    }

    /// The same, for those who tell the event themselves.
    pub fn opens_turn(
        &mut self,
        cx: &mut Cx<'_>,
        name: Option<&Arc<str>>,
        model: Option<&str>,
    ) -> Option<TurnStarted> {
        let is_new = self.turn.is_none();
        if is_new {
            self.turns += 1;
            let free = name.filter(|name| !name.is_empty() && self.ended.get(name).is_none());
            let name = free.cloned();
            let name = name.unwrap_or_else(|| own_name(&format!("turn-{}", self.turns)));
            self.told_failure = None;
            cx.refs.item = None;
            self.turn = Some(Turn::new(name));
        }
        cx.refs.turn = self.turn_name().cloned();
        is_new.then(|| TurnStarted {
            model: model.and_then(filled).or_else(|| self.model.clone()),
            effort: None,
        })
    }

    /// Ends the turn that is going on, with what is open in it.
    pub fn end_turn<R>(&mut self, cx: &mut Cx<'_>, out: &Out<R>)
    where
        TurnCompleted: EmittedBy<R>,
    {
        let Some(mut turn) = self.turn.take() else {
            cx.refs.turn = None;
            return;
        };
        let state = turn.state();
        let status = match state {
            TurnState::Completed => None,
            TurnState::Failed | TurnState::Interrupted | TurnState::Cancelled => {
                Some(ItemStatus::Failed)
            }
        };
        self.close_said(cx, &implied::turn_ends());
        self.close_all(cx, None, status, &implied::turn_ends());
        self.compaction = None;
        self.ended.insert(Arc::clone(&turn.name), ());
        self.last = Some(Arc::clone(&turn.name));
        cx.refs.item = None;
        cx.refs.turn = Some(Arc::clone(&turn.name));
        let error_message = match turn.failure.take() {
            Some(Failure::Failed(words)) => Some(words),
            Some(Failure::Aborted) | None => unreadable(turn.finish.as_deref(), state),
        };
        out.emit(
            cx,
            TurnCompleted {
                stop_reason: turn.finish.map(Some),
                usage: turn.used.any().then(|| turn.used.json()),
                total_cost_usd: turn.cost,
                error_message,
                ..TurnCompleted::new(state)
            },
        );
    }

    /// Ends the turn that is going on because of something outside of it.
    pub fn break_off<R>(&mut self, cx: &mut Cx<'_>, out: &Out<R>)
    where
        TurnCompleted: EmittedBy<R>,
    {
        if let Some(turn) = &mut self.turn {
            turn.failure.get_or_insert(Failure::Aborted);
            self.end_turn(cx, out);
        }
    }

    /// Closes what the user said: what comes next is about something else.
    pub fn close_said<R>(&mut self, cx: &mut Cx<'_>, out: &Out<R>)
    where
        ItemCompleted: EmittedBy<R>,
    {
        for id in std::mem::take(&mut self.saying) {
            let Some(message) = self.messages.get_mut(&id) else {
                continue;
            };
            if !std::mem::take(&mut message.is_open) {
                continue;
            }
            let detail = std::mem::take(&mut message.texts).joined();
            let before = cx.refs.clone();
            cx.refs.turn.clone_from(&message.turn);
            cx.refs.item = Some(id);
            out.emit(
                cx,
                ItemCompleted(ItemLifecycle {
                    status: Some(ItemStatus::Completed),
                    detail,
                    ..ItemLifecycle::new(ItemType::UserMessage)
                }),
            );
            cx.refs = before;
        }
    }

    /// Closes the items that are open, of a message or all. A text is as long as it got; how calls
    /// ended, nothing says.
    pub fn close_all<R>(
        &mut self,
        cx: &mut Cx<'_>,
        message: Option<&Arc<str>>,
        status: Option<ItemStatus>,
        out: &Out<R>,
    ) where
        ItemCompleted: EmittedBy<R>,
    {
        for item in self.open_items(message) {
            let Some(part) = self.parts.get(&item) else {
                continue;
            };
            let is_text = is_text(part);
            let status = status.or(is_text.then_some(ItemStatus::Completed));
            let ended = ItemLifecycle {
                item_type: part.item_type,
                status,
                title: part.title.clone(),
                detail: is_text.then(|| filled(part.text.text())).flatten(),
                data: None,
            };
            let before = cx.refs.clone();
            cx.refs.turn.clone_from(&part.turn);
            cx.refs.item = Some(Arc::clone(&item));
            self.close(&item);
            out.emit(cx, ItemCompleted(ended));
            cx.refs = before;
        }
    }
}

/// Whether a part is something that is said.
fn is_text(part: &Part) -> bool {
    matches!(
        part.kind,
        ContentStreamKind::AssistantText | ContentStreamKind::ReasoningText
    )
}

/// What people read about a reason to stop that nobody knows.
fn unreadable(finish: Option<&str>, state: TurnState) -> Option<String> {
    let finish = finish.filter(|_| state == TurnState::Failed)?;
    Some(format!("the model stopped: {finish}"))
}
