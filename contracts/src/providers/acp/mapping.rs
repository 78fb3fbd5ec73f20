//! What the mappings of the surfaces of the agent client protocol remember between messages, and
//! what the end of one thing means for others.

use crate::canonical::{
    ItemCompleted, ItemLifecycle, ItemStatus, ItemType, ProviderKind, TurnState,
};
use crate::generated::lifecycles;
use crate::json::OwnedJson;
use crate::kit::core::{Provider, Slot};
use crate::kit::ledger::{Lifecycle, Refs};
use crate::kit::mapping::{Cx, EmittedBy, Out};

use super::child_sessions::ChildSessions;
use super::open_items::{OpenItems, Step, Which};
use super::requests::Requests;
use super::texts::{Ended, Texts};
use super::todos::Todos;
use super::tool_calls::Calls;
use super::turns::Turns;
use super::v2::memory::V2Memory;
use super::version::Version;

/// Maps the surfaces of both protocol versions; one for each connection.
#[derive(Debug, Default)]
pub struct AcpMapping {
    /// The version that was negotiated.
    pub(super) version: Version,
    /// Turns that are going on, and sessions that are being loaded.
    pub(super) turns: Turns,
    /// What is known about tool calls.
    pub(super) calls: Calls,
    /// Texts that go on.
    pub(super) texts: Texts,
    /// Other items that are open.
    pub(super) open: OpenItems,
    /// Requests of the agent that wait for the client.
    pub(super) requests: Requests,
    /// The parameters of the client's request whose reply is being mapped.
    pub(super) asked: Option<OwnedJson>,
    /// Child sessions.
    pub(super) children: ChildSessions,
    /// Cursor's todos.
    pub(super) todos: Todos,
    /// What version 2 needs besides.
    pub(super) v2: V2Memory,
}

impl AcpMapping {
    /// With nothing remembered.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Finds the session of a message that names none, as Cursor's own methods do: that of the
    /// call that it names, or the one in which turns go on.
    pub(super) fn adopt(&self, cx: &mut Cx<'_>) {
        if cx.refs.thread.is_none() {
            let of_call = cx
                .refs
                .item
                .as_ref()
                .and_then(|call| self.calls.session_of(call));
            cx.refs.thread = of_call.or_else(|| self.turns.only_thread());
        }
    }

    /// Puts what the context names where it belongs: into the session of its thread, and into the
    /// turn that is going on there. History belongs to no turn.
    pub(super) fn place(&self, cx: &mut Cx<'_>) {
        cx.refs.session = cx.refs.thread.clone();
        let thread = cx.refs.thread.as_ref();
        if !thread.is_some_and(|thread| self.turns.is_history(thread)) {
            cx.refs.turn = self.turns.current(thread);
        }
    }

    /// A member of the request that is answered.
    pub(super) fn asked_member(&self, name: &str) -> Option<OwnedJson> {
        let asked = self.asked.as_ref()?;
        let mut found = None;
        crate::kit::members::each_member(asked, |known, value| {
            if known == name {
                found = Some(value.to_owned_json());
            }
        });
        found
    }

    /// A chunk of a text: the context names its item from now on.
    pub(super) fn piece<R>(
        &mut self,
        cx: &mut Cx<'_>,
        item_type: ItemType,
        piece: Option<&str>,
        out: &Out<R>,
    ) where
        ItemCompleted: EmittedBy<R>,
    {
        let ended = self.texts.piece(&mut cx.refs, item_type, piece);
        tell(cx, ended, out);
    }

    /// All of a text so far: the context names its item from now on.
    pub(super) fn whole<R>(
        &mut self,
        cx: &mut Cx<'_>,
        item_type: ItemType,
        whole: Option<&str>,
        out: &Out<R>,
    ) where
        ItemCompleted: EmittedBy<R>,
    {
        let ended = self.texts.whole(&mut cx.refs, item_type, whole);
        tell(cx, ended, out);
    }

    /// News about an item that is no text. A new one ends the text that goes on.
    pub(super) fn watch<R>(
        &mut self,
        cx: &mut Cx<'_>,
        item: &mut ItemLifecycle,
        step: Step,
        out: &Out<R>,
    ) where
        ItemCompleted: EmittedBy<R>,
    {
        let call = self.calls.knows(cx);
        if self.open.watch(&cx.refs, item, step, call) {
            self.end_text(cx, ItemStatus::Completed, |_| true, out);
        }
    }

    /// What belongs to no turn is whole before a turn or a thread begins.
    pub(super) fn end_note<R>(&mut self, cx: &mut Cx<'_>, out: &Out<R>)
    where
        ItemCompleted: EmittedBy<R>,
    {
        let note = |refs: &Refs| refs.turn.is_none();
        self.end_text(cx, ItemStatus::Completed, note, out);
    }

    /// The turn that the context names is over: so is what is open in it, but for what has a
    /// terminal of its own.
    pub(super) fn end_turn<R>(&mut self, cx: &mut Cx<'_>, state: TurnState, out: &Out<R>)
    where
        ItemCompleted: EmittedBy<R>,
    {
        let (which, status) = match state {
            TurnState::Completed => (Which::TurnEndedWell, ItemStatus::Completed),
            TurnState::Failed | TurnState::Interrupted | TurnState::Cancelled => {
                (Which::TurnEnded, ItemStatus::Failed)
            }
        };
        let turns = &self.turns;
        let over = |refs: &Refs| refs.turn.as_ref().is_some_and(|turn| !turns.goes_on(turn));
        if let Some(thread) = cx.refs.thread.clone() {
            let text = self.texts.end(&thread, status, over);
            let goes_on = |turn: &str| turns.goes_on(turn);
            let (items, kept) = self.open.end(&thread, which, goes_on);
            if let Some(turn) = &cx.refs.turn {
                self.requests.end_turn(&thread, turn);
            }
            for item in kept.iter().filter_map(|refs| refs.item.as_ref()) {
                cx.runs_on(&thread, item);
            }
            tell(cx, text.into_iter().chain(items), out);
        }
    }

    /// The session that the context names is closed, and with it what is open there.
    pub(super) fn close_session<R>(&mut self, cx: &mut Cx<'_>, out: &Out<R>)
    where
        ItemCompleted: EmittedBy<R>,
    {
        let turns = &self.turns;
        let Some(thread) = &cx.refs.thread else {
            return;
        };
        let cut = |refs: &Refs| refs.turn.as_ref().is_some_and(|turn| turns.goes_on(turn));
        let text = self.texts.end(thread, ItemStatus::Failed, cut);
        let text = text.or_else(|| self.texts.end(thread, ItemStatus::Completed, |_| true));
        let (items, _) = self.open.end(thread, Which::All, |_| false);
        tell(cx, text.into_iter().chain(items), out);
    }

    /// The history that the context's session tells is over, and with it what it leaves open.
    pub(super) fn end_history<R>(&mut self, cx: &mut Cx<'_>, out: &Out<R>)
    where
        ItemCompleted: EmittedBy<R>,
    {
        if let Some(thread) = &cx.refs.thread {
            let (items, _) = self.open.end(thread, Which::History, |_| false);
            tell(cx, items, out);
        }
    }

    fn end_text<R>(
        &mut self,
        cx: &mut Cx<'_>,
        status: ItemStatus,
        such: impl Fn(&Refs) -> bool,
        out: &Out<R>,
    ) where
        ItemCompleted: EmittedBy<R>,
    {
        if let Some(thread) = &cx.refs.thread {
            let ended = self.texts.end(thread, status, such);
            tell(cx, ended, out);
        }
    }
}

/// Tells ends, each about its own item.
fn tell<R>(cx: &mut Cx<'_>, ended: impl IntoIterator<Item = Ended>, out: &Out<R>)
where
    ItemCompleted: EmittedBy<R>,
{
    for (refs, completed) in ended {
        let before = std::mem::replace(&mut cx.refs, refs);
        out.emit(cx, completed);
        cx.refs = before;
    }
}

impl Provider for AcpMapping {
    const KIND: ProviderKind = ProviderKind::Cursor;
    const LIFECYCLE: Lifecycle = lifecycles::ACP;

    fn slot(member: &str) -> Option<Slot> {
        match member {
            "sessionId" => Some(Slot::Thread),
            "toolCallId" => Some(Slot::Item),
            _ => None,
        }
    }
}
