//! What the mapping of the Claude Agent SDK remembers between messages.

use std::sync::Arc;

use crate::canonical::{ErrorClass, ProviderKind, RequestType};
use crate::generated::lifecycles;
use crate::json::OwnedJson;
use crate::kit::conversation::driver::conversation_rules;
use crate::kit::conversation::talk::Talk;
use crate::kit::core::{Provider, Slot};
use crate::kit::ledger::{Lifecycle, Refs};
use crate::kit::remembered::Remembered;
use crate::kit::session::Verdict;
use crate::providers::claude::wire::message::implied;

use super::messages::Messages;
use super::plan::TaskList;
use super::tasks::Tasks;

/// How many requests are remembered until they are answered, in each direction.
const REQUESTS: usize = 4096;

/// How many lines of the model are remembered.
const LINES: usize = 16_384;

/// Maps the surfaces of the Claude Agent SDK; one for each process of the agent.
#[derive(Debug)]
pub struct ClaudeMapping {
    /// The session, its turns, and what is open in them.
    pub(super) talk: Talk,
    /// Another conversation began, and its first message is still to come.
    pub(super) is_new_thread: bool,
    /// Tasks that run.
    pub(super) running: Tasks,
    /// Messages of the model and their blocks.
    pub(super) messages: Messages,
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
            talk: Talk::default(),
            is_new_thread: false,
            running: Tasks::default(),
            messages: Messages::default(),
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
        self.talk.place(refs);
    }

    fn after_exit(self) -> Self {
        Self {
            talk: self.talk.after_exit(),
            ..Self::default()
        }
    }
}

conversation_rules!(ClaudeMapping, implied);
