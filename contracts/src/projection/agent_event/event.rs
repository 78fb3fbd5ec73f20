//! The five types of agent events, in their JSON form.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::canonical::wire_enum::wire_enum;

wire_enum! {
    /// The type of an agent event. These five are stable: news comes as a member of one of them.
    pub enum AgentEventType {
        /// New text of the answer; append it.
        Delta = "delta",
        /// The reasoning so far; it replaces what was there.
        Thinking = "thinking",
        /// What is going on.
        Status = "status",
        /// The run ended well.
        Done = "done",
        /// The run failed, or was stopped.
        Error = "error",
    }
}

wire_enum! {
    /// What a tool does, whatever the runtime calls it.
    pub enum ToolSlug {
        /// It searches.
        Search = "search",
        /// It fetches something from the net.
        Fetch = "fetch",
        /// It reads.
        Read = "read",
        /// It writes something new.
        Write = "write",
        /// It changes something.
        Edit = "edit",
        /// It runs a command.
        Bash = "bash",
        /// It lists or finds files.
        Files = "files",
        /// It is another agent.
        Agent = "agent",
        /// It keeps a list of what is to be done.
        Todo = "todo",
        /// It thinks.
        Think = "think",
        /// It collects sources.
        Sources = "sources",
        /// Any other.
        Tool = "tool",
    }
}

/// Who pays for a run, by the host's own word.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub struct CostClass(Arc<str>);

impl CostClass {
    /// A class by its word.
    pub fn new(word: &str) -> Self {
        Self(Arc::from(word))
    }

    /// The subscription of the user, under which a run costs nothing of its own.
    #[must_use]
    pub fn user_subscription() -> Self {
        Self::new("user-subscription")
    }

    /// The word.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl From<String> for CostClass {
    fn from(word: String) -> Self {
        Self(Arc::from(word))
    }
}

impl From<CostClass> for String {
    fn from(class: CostClass) -> Self {
        class.as_str().to_owned()
    }
}

/// What a run used.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RunUsage {
    /// Who pays.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost_class: Option<CostClass>,
    /// What was spent, in millionths of a US dollar; absent where nothing was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost_micros: Option<u64>,
    /// The model.
    pub model: String,
    /// Whose model it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub provider: Option<String>,
    /// Tokens read, without those that came from a cache.
    pub input_tokens: u64,
    /// Tokens written.
    pub output_tokens: u64,
    /// Tokens that came from a cache.
    pub cache_read_tokens: u64,
    /// Tokens put into a cache.
    pub cache_write_tokens: u64,
    /// Searches of the web.
    pub web_searches: u64,
}

/// One event of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AgentEvent {
    /// What it is.
    #[serde(rename = "type")]
    pub event_type: AgentEventType,
    /// Of `delta` the new text, of `thinking` the running total.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// Of `status` and `error`: for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// Of a `status` that a tool raised.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool: Option<ToolSlug>,
    /// Of `done`; absent where the runtime does not tell it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub usage: Option<RunUsage>,
    /// Of the opening `status`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tier: Option<CostClass>,
}

impl AgentEvent {
    const fn empty(event_type: AgentEventType) -> Self {
        Self {
            event_type,
            text: None,
            message: None,
            tool: None,
            usage: None,
            tier: None,
        }
    }

    /// Whether the run has ended with it: it is `done` or `error`.
    #[must_use]
    pub const fn is_terminal(&self) -> bool {
        match self.event_type {
            AgentEventType::Done | AgentEventType::Error => true,
            AgentEventType::Delta | AgentEventType::Thinking | AgentEventType::Status => false,
        }
    }

    /// The event as one line of JSON.
    ///
    /// # Errors
    /// None that is known: every member has a JSON form.
    pub fn to_json(&self) -> serde_json::Result<String> {
        serde_json::to_string(self)
    }
}

/// New text of the answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Delta {
    /// The text to append.
    pub text: String,
}

/// The reasoning so far.
#[derive(Clone, Debug, PartialEq)]
pub struct Thinking {
    /// The running total.
    pub text: String,
}

/// What is going on.
#[derive(Clone, Debug, PartialEq)]
pub struct Status {
    /// For people.
    pub message: String,
    /// The tool that raised it.
    pub tool: Option<ToolSlug>,
    /// Who pays; only of the first status.
    pub tier: Option<CostClass>,
}

/// The run ended well.
#[derive(Clone, Debug, PartialEq)]
pub struct Done {
    /// What it used, where that is known.
    pub usage: Option<RunUsage>,
}

/// The run failed, or was stopped.
#[derive(Clone, Debug, PartialEq)]
pub struct Error {
    /// For people.
    pub message: String,
}

impl Status {
    /// A status that no tool raised.
    pub(super) fn plain(message: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            tool: None,
            tier: None,
        }
    }

    /// A status that a tool raised.
    pub(super) fn of_tool(tool: ToolSlug, message: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            tool: Some(tool),
            tier: None,
        }
    }
}

impl From<Delta> for AgentEvent {
    fn from(delta: Delta) -> Self {
        Self {
            text: Some(delta.text),
            ..Self::empty(AgentEventType::Delta)
        }
    }
}

impl From<Thinking> for AgentEvent {
    fn from(thinking: Thinking) -> Self {
        Self {
            text: Some(thinking.text),
            ..Self::empty(AgentEventType::Thinking)
        }
    }
}

impl From<Status> for AgentEvent {
    fn from(status: Status) -> Self {
        Self {
            message: Some(status.message),
            tool: status.tool,
            tier: status.tier,
            ..Self::empty(AgentEventType::Status)
        }
    }
}

impl From<Done> for AgentEvent {
    fn from(done: Done) -> Self {
        Self {
            usage: done.usage,
            ..Self::empty(AgentEventType::Done)
        }
    }
}

impl From<Error> for AgentEvent {
    fn from(error: Error) -> Self {
        Self {
            message: Some(error.message),
            ..Self::empty(AgentEventType::Error)
        }
    }
}
