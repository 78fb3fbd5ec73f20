//! What the mapping of Amp's stream remembers between lines.

use std::sync::Arc;

use crate::canonical::{
    ItemCompleted, ItemLifecycle, ItemStatus, ItemType, ProviderKind, SessionStarted,
    ThreadStarted, TurnCompleted, TurnStarted, TurnState,
};
use crate::generated::lifecycles;
use crate::kit::conversation::calls::Calls;
use crate::kit::conversation::open_items::{OpenItem, OpenItems};
use crate::kit::conversation::said::Said;
use crate::kit::conversation::turns::{Scope, Turns, set_scope};
use crate::kit::core::{Provider, Slot};
use crate::kit::ledger::{Lifecycle, Refs, own_name};
use crate::kit::mapping::{Cx, EmittedBy, Out};
use crate::providers::amp::wire::stream_json::implied;
use crate::providers::amp::wire::{AssistantMessageMessageStopReason as StopReason, values};

/// Maps Amp's stream; one for each process of the agent.
#[derive(Debug, Default)]
pub struct AmpMapping {
    /// The agent's id of the session, which is the thread's, too.
    pub(super) session: Option<Arc<str>>,
    /// Which turn is going on.
    pub(super) turns: Turns,
    /// Calls of tools.
    pub(super) calls: Calls,
    /// Calls that are open.
    pub(super) open: OpenItems,
    /// What the user said.
    pub(super) said: Said,
    /// Why the model stopped last in the turn that is going on.
    pub(super) stop: Option<StopReason>,
    /// How many turns have ended.
    pub(super) ended: u64,
    texts: u64,
}

impl AmpMapping {
    /// With nothing remembered.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The first line of a session begins it, and each thread begins with its first line.
    pub(super) fn meet(&mut self, cx: &mut Cx<'_>, session: &str) {
        if session.is_empty() || self.session.as_deref() == Some(session) {
            return;
        }
        let is_first = self.session.is_none();
        self.session = Some(Arc::from(session));
        cx.refs.session.clone_from(&self.session);
        if is_first {
            cx.refs.thread = Some(self.turns.thread());
            implied::first_message().emit(cx, SessionStarted::default());
        } else {
            self.turns.next_thread();
            cx.refs.thread = Some(self.turns.thread());
        }
        let started = ThreadStarted {
            provider_thread_id: Some(session.into()),
        };
        implied::first_message().emit(cx, started);
    }

    /// Makes the context speak of the turn in which an agent works: the one that is going on, or
    /// that of the call which started the agent.
    pub(super) fn speak(&mut self, cx: &mut Cx<'_>, parent: Option<&str>) {
        cx.refs.session.clone_from(&self.session);
        cx.refs.thread = Some(self.turns.thread());
        if let Some(scope) = self.scope(parent) {
            set_scope(&mut cx.refs, &scope);
        }
    }

    /// Where an agent works.
    pub(super) fn scope(&self, parent: Option<&str>) -> Option<Scope> {
        let of_agent = parent.and_then(|call| self.calls.get(call)?.scope.clone());
        of_agent.or_else(|| self.turns.scope())
    }

    /// Begins a turn, unless one is going on.
    pub(super) fn begin(&mut self, cx: &mut Cx<'_>) {
        if let Some(scope) = self.turns.start() {
            set_scope(&mut cx.refs, &scope);
            implied::first_sign_of_work().emit(cx, TurnStarted::default());
        }
    }

    /// The user speaks. Between two messages of the user no result is written, only one at the very
    /// end: a turn that the model has answered is over by then.
    pub(super) fn user_speaks(&mut self, cx: &mut Cx<'_>) {
        let ended = match &self.stop {
            Some(reason @ StopReason::EndTurn) => values::stop_reason(reason),
            Some(StopReason::MaxTokens | StopReason::ToolUse | StopReason::Unrecognized(_))
            | None => None,
        };
        if let (Some(state), Some(turn)) = (ended, self.turns.current().cloned()) {
            self.end_turn(cx, &turn.scope);
            let completed = TurnCompleted {
                stop_reason: Some(Some(String::from("end_turn"))),
                ..TurnCompleted::new(state)
            };
            implied::next_message().emit(cx, completed);
            cx.refs.turn = None;
        }
        self.begin(cx);
    }

    /// The turn is over: what is open in it has no other end.
    pub(super) fn end_turn(&mut self, cx: &mut Cx<'_>, scope: &Scope) {
        self.turns.end();
        self.ended += 1;
        self.stop = None;
        for item in self.open.take_of_turn(scope) {
            let rule = implied::turn_ends();
            self.close(cx, &item, Some(ItemStatus::Failed), &rule);
        }
        for item in self.open.of_turn(scope) {
            cx.runs_on(&scope.thread, item);
        }
        set_scope(&mut cx.refs, scope);
    }

    /// Closes the calls of an agent that ended. The stream never has their results, so nothing says
    /// how they ended.
    pub(super) fn close_agent(&mut self, cx: &mut Cx<'_>, call: &str) {
        for item in self.open.take_of_agent(call) {
            self.close(cx, &item, None, &implied::helper_ends());
        }
    }

    fn close<R>(
        &mut self,
        cx: &mut Cx<'_>,
        open: &OpenItem,
        status: Option<ItemStatus>,
        out: &Out<R>,
    ) where
        ItemCompleted: EmittedBy<R>,
    {
        let before = cx.refs.clone();
        cx.refs.item = Some(Arc::clone(&open.item));
        if let Some(scope) = &open.scope {
            set_scope(&mut cx.refs, scope);
        }
        let call = self.calls.get(&open.item);
        let known = call.map(|call| call.item(&open.item));
        let item = known.unwrap_or_else(|| ItemLifecycle::new(open.item_type));
        self.calls.end(&open.item);
        out.emit(cx, ItemCompleted(ItemLifecycle { status, ..item }));
        cx.refs = before;
    }

    /// A name for a text of the model: its messages have no ids.
    pub(super) fn next_text(&mut self) -> Arc<str> {
        self.texts += 1;
        own_name(&format!("text-{}", self.texts))
    }

    /// A call is open from now on.
    pub(super) fn opens(&mut self, item: &str, item_type: ItemType, parent: Option<&Arc<str>>) {
        let scope = self.calls.get(item).and_then(|call| call.scope.clone());
        self.open.insert(OpenItem {
            item: Arc::from(item),
            item_type,
            scope,
            parent: parent.cloned(),
        });
    }

    /// How the turn ended that a result calls a success: as the last message of the model says,
    /// where it says anything. A reason that can't be read is none for success.
    pub(super) fn state_by_stop(&self) -> TurnState {
        match &self.stop {
            Some(reason) => values::stop_reason(reason).unwrap_or(TurnState::Failed),
            None => TurnState::Completed,
        }
    }
}

impl Provider for AmpMapping {
    const KIND: ProviderKind = ProviderKind::Amp;
    const LIFECYCLE: Lifecycle = lifecycles::AMP;

    fn slot(member: &str) -> Option<Slot> {
        match member {
            "tool_use_id" => Some(Slot::Item),
            _ => None,
        }
    }

    fn place(&self, refs: &mut Refs) {
        refs.session.clone_from(&self.session);
        refs.thread = self.turns.known_thread().cloned();
        if let Some(scope) = self.turns.scope() {
            set_scope(refs, &scope);
        }
    }
}
