//! What the mapping of the Claude Agent SDK remembers between messages.

use std::sync::Arc;

use crate::canonical::{
    ErrorClass, ItemCompleted, ItemLifecycle, ItemStatus, ItemType, ProviderKind, RequestType,
};
use crate::json::OwnedJson;
use crate::generated::lifecycles;
use crate::kit::conversation::calls::Calls;
use crate::kit::conversation::open_items::{OpenItem, OpenItems};
use crate::kit::conversation::said::Said;
use crate::kit::conversation::turns::{Scope, Turns, set_scope};
use crate::kit::core::{Provider, Slot};
use crate::kit::ledger::{Refs, Lifecycle};
use crate::kit::mapping::Cx;
use crate::kit::remembered::Remembered;
use crate::kit::session::Verdict;

use super::messages::Messages;
use super::plan::TaskList;
use super::texts::Texts;

/// How many requests are remembered until they are answered, in each direction.
const REQUESTS: usize = 4096;

/// How many lines of the model are remembered.
const LINES: usize = 16_384;

/// Maps the surfaces of the Claude Agent SDK; one for each process of the agent.
#[derive(Debug)]
pub struct ClaudeMapping {
    /// The agent's id of the session.
    pub(super) session: Option<Arc<str>>,
    /// Which turn is going on.
    pub(super) turns: Turns,
    /// Another conversation began, and its first message is still to come.
    pub(super) is_new_thread: bool,
    /// The calls that tasks belong to.
    pub(super) task_calls: Remembered<Arc<str>, Arc<str>>,
    /// Messages of the model and their blocks.
    pub(super) messages: Messages,
    /// Text that is being streamed.
    pub(super) texts: Texts,
    /// Calls of tools.
    pub(super) calls: Calls,
    /// Items that are open.
    pub(super) open: OpenItems,
    /// What the user said.
    pub(super) said: Said,
    /// Requests of the agent that wait for the host.
    pub(super) requests: Remembered<Arc<str>, OpenRequest>,
    /// Requests of the agent that the host answered: some agents send the answer back.
    pub(super) answered: Remembered<Arc<str>, ()>,
    /// Requests of the host that wait for the agent.
    pub(super) asked: Remembered<Arc<str>, HostRequest>,
    /// Links that the user was sent to, by the id of the question.
    pub(super) links: Remembered<Arc<str>, Refs>,
    /// The model that answers, as far as it is known.
    pub(super) model: Option<Arc<str>>,
    /// What the last message of the agent says went wrong.
    pub(super) failure: Option<ErrorClass>,
    /// The agent's list of tasks, in versions that keep it by single changes.
    pub(super) tasks: TaskList,
    /// Lines of the model that were told, by their ids.
    lines: Remembered<Arc<str>, ()>,
    /// The request that is being answered, while its answer is mapped.
    pub(super) answering: Option<OpenRequest>,
    /// The request of the host whose answer is being mapped.
    pub(super) replied: Option<HostRequest>,
}

/// A request that comes again while it waits for its answer is the same one.
pub(super) const ALREADY_OPEN: Verdict = Verdict::Told("the same request before");

/// A request of the agent that waits for the host.
#[derive(Clone, Debug)]
pub(super) struct OpenRequest {
    /// What it is.
    pub asks: Asks,
    /// What it is about.
    pub refs: Refs,
}

/// What a request of the agent asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Asks {
    /// Leave to use a tool.
    Permission {
        /// The type that its `request.opened` carries.
        request_type: RequestType,
        /// The call.
        call: Arc<str>,
        /// The tool asks the user questions, so that the answer answers them.
        questions: bool,
    },
    /// That a hook of the host is run.
    Hook,
    /// What an MCP server wants of the user.
    Elicitation,
    /// What the user says in a dialog.
    Dialog,
    /// Anything else.
    Other(RequestType),
}

/// A request of the host that waits for the agent.
#[derive(Clone, Debug)]
pub(super) struct HostRequest {
    /// What it asks for.
    pub subtype: Arc<str>,
    /// The whole request.
    pub request: OwnedJson,
}

impl Default for ClaudeMapping {
    fn default() -> Self {
        Self {
            session: None,
            turns: Turns::default(),
            is_new_thread: false,
            task_calls: Remembered::new(REQUESTS),
            messages: Messages::default(),
            texts: Texts::default(),
            calls: Calls::default(),
            open: OpenItems::default(),
            said: Said::default(),
            requests: Remembered::new(REQUESTS),
            answered: Remembered::new(REQUESTS),
            asked: Remembered::new(REQUESTS),
            links: Remembered::new(REQUESTS),
            model: None,
            failure: None,
            tasks: TaskList::default(),
            lines: Remembered::new(LINES),
            answering: None,
            replied: None,
        }
    }
}

impl ClaudeMapping {
    /// With nothing remembered.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Whether a line of the model is told for the first time.
    pub(super) fn is_new(&mut self, line: &str) -> bool {
        let line: Arc<str> = Arc::from(line);
        let is_new = self.lines.get(&line).is_none();
        self.lines.insert(line, ());
        is_new
    }

    /// Where the events of a message belong: to the turn of the call that started its agent, or
    /// to the turn that is going on.
    pub(super) fn scope(&self, parent: Option<&str>) -> Option<Scope> {
        let of_agent = parent.and_then(|call| self.calls.get(call)?.scope.clone());
        of_agent.or_else(|| self.turns.scope())
    }

    /// Makes the context speak of an item, which stays in the turn in which it began.
    pub(super) fn about(&self, cx: &mut Cx<'_>, item: &Arc<str>) {
        cx.refs.item = Some(Arc::clone(item));
        if let Some(scope) = self.calls.get(item).and_then(|call| call.scope.clone()) {
            set_scope(&mut cx.refs, &scope);
        }
    }

    /// An item is open from now on.
    pub(super) fn opens(&mut self, cx: &Cx<'_>, item_type: ItemType, parent: Option<&Arc<str>>) {
        let Some(item) = cx.refs.item.clone() else {
            return;
        };
        let scope = match (&cx.refs.thread, &cx.refs.turn) {
            (Some(thread), Some(turn)) => Some(Scope {
                thread: Arc::clone(thread),
                turn: Arc::clone(turn),
            }),
            _ => None,
        };
        self.open.insert(OpenItem {
            item,
            item_type,
            scope,
            parent: parent.cloned(),
        });
    }

    /// Closes what is open when its turn is over. Nothing said how it ended, so it failed, or was
    /// declined where the user refused it.
    pub(super) fn close_turn(&mut self, cx: &mut Cx<'_>, scope: &Scope) {
        for item in self.open.take_of_turn(scope) {
            self.close(cx, &item);
        }
        for item in self.open.of_turn(scope) {
            cx.runs_on(&scope.thread, item);
        }
    }

    /// Closes what an agent left open that ended.
    pub(super) fn close_agent(&mut self, cx: &mut Cx<'_>, call: &str) {
        for item in self.open.take_of_agent(call) {
            self.close(cx, &item);
        }
    }

    fn close(&mut self, cx: &mut Cx<'_>, open: &OpenItem) {
        let before = cx.refs.clone();
        cx.refs.item = Some(Arc::clone(&open.item));
        cx.refs.request = None;
        if let Some(scope) = &open.scope {
            set_scope(&mut cx.refs, scope);
        }
        let call = self.calls.get(&open.item);
        let status = if call.is_some_and(|call| call.denied) {
            ItemStatus::Declined
        } else {
            ItemStatus::Failed
        };
        let known = call.map(|call| call.item(&open.item));
        let mut item = known.unwrap_or_else(|| ItemLifecycle::new(open.item_type));
        item.status = Some(status);
        if item.data.is_none() {
            item.detail = self.texts.take(&open.item);
        }
        self.calls.end(&open.item);
        cx.emit_unlisted(ItemCompleted(item));
        cx.refs = before;
    }
}

impl Provider for ClaudeMapping {
    const KIND: ProviderKind = ProviderKind::Claude;
    const LIFECYCLE: Lifecycle = lifecycles::CLAUDE;

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
