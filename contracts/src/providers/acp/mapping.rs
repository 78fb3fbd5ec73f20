//! What the mappings of the surfaces of the agent client protocol remember between messages.

use std::sync::Arc;

use crate::canonical::{Decision, ProviderKind, RequestType};
use crate::json::OwnedJson;
use crate::generated::lifecycles;
use crate::kit::core::{Provider, Slot};
use crate::kit::envelope::RequestId;
use crate::kit::ledger::{Lifecycle, Draft, Refs};
use crate::kit::mapping::Cx;
use crate::kit::remembered::Remembered;

use super::child_sessions::Task;
use super::open_items::OpenItems;
use super::texts::Texts;
use super::todos::Todos;
use super::tool_calls::{Calls, Key};
use super::turns::Turns;
use super::v2_memory::V2Memory;

/// How many requests of the agent are remembered until they are answered.
const REQUESTS: usize = 4096;

/// Maps the surfaces of both protocol versions; one for each connection.
#[derive(Debug)]
pub struct AcpMapping {
    /// Turns that are going on, and sessions that are being loaded.
    pub(super) turns: Turns,
    /// What is known about tool calls.
    pub(super) calls: Calls,
    /// Texts that go on.
    pub(super) texts: Texts,
    /// Other items that are open.
    pub(super) open: OpenItems,
    /// Requests of the agent that wait for the client.
    pub(super) requests: Remembered<RequestId, OpenRequest>,
    /// What the request that is being mapped asks for.
    pub(super) asks: Option<Asks>,
    /// The parameters of the client's request whose reply is being mapped.
    pub(super) asked: Option<OwnedJson>,
    /// Requests whose answer goes another way than through the client, by the id of the question.
    pub(super) elicitations: Remembered<Arc<str>, Refs>,
    /// Child sessions, as the patches so far describe them.
    pub(super) tasks: Remembered<Key, Task>,
    /// Cursor's todos.
    pub(super) todos: Todos,
    /// What version 2 needs besides.
    pub(super) v2: V2Memory,
}

/// A request of the agent that waits for the client.
#[derive(Clone, Debug)]
pub(super) struct OpenRequest {
    /// The method on the wire.
    pub method: Arc<str>,
    /// What it is about.
    pub refs: Refs,
    /// What it asks for.
    pub asks: Asks,
}

/// What a request asks for.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Asks {
    /// The type that its `request.opened` carries.
    pub request_type: RequestType,
    /// The options to choose from, by their ids. Two of a kind may stand beside each other, and
    /// a kind that no version has means no decision that we could name.
    pub options: Vec<(Box<str>, Option<Decision>)>,
}

impl Asks {
    /// A request without options.
    pub const fn of(request_type: RequestType) -> Self {
        Self {
            request_type,
            options: Vec::new(),
        }
    }

    /// What the option of an id decides.
    pub fn decision(&self, option: &str) -> Option<Decision> {
        let known = self.options.iter().find(|(id, _)| **id == *option);
        known.and_then(|(_, decision)| *decision)
    }
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
}

impl Default for AcpMapping {
    fn default() -> Self {
        Self {
            turns: Turns::default(),
            calls: Calls::default(),
            texts: Texts::default(),
            open: OpenItems::default(),
            requests: Remembered::new(REQUESTS),
            asks: None,
            asked: None,
            elicitations: Remembered::new(REQUESTS),
            tasks: Remembered::new(REQUESTS),
            todos: Todos::default(),
            v2: V2Memory::default(),
        }
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

    fn settled(&mut self, drafts: Vec<Draft>) -> Vec<Draft> {
        self.with_ends(drafts)
    }
}
