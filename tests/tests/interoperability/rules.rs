//! The differences between the second forms of the two decoders that have a reason, each with it.

use serde_json::Value;

use crate::interoperability::corpus::{Payload, Role, Version};
use crate::interoperability::differing::Difference;

/// Which second form has the member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Only ours.
    Ours,
    /// Only that of the official decoder.
    Theirs,
}

/// Why a difference is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reason {
    /// The official decoder loses what was sent.
    Lost,
    /// It leaves out what it would read in its place.
    DefaultLeftOut,
    /// It writes what was not sent, which means what is absent.
    DefaultAdded,
    /// We leave out a member that no version has; `raw` keeps it.
    UnknownLeftOut,
}

impl Reason {
    /// In words.
    pub const fn words(self) -> &'static str {
        match self {
            Self::Lost => "the official decoder loses it",
            Self::DefaultLeftOut => "it leaves out what it reads into its absence",
            Self::DefaultAdded => "it writes what was not sent, and means the absence",
            Self::UnknownLeftOut => "no version has the member: we leave it out, `raw` keeps it",
        }
    }
}

/// A difference that has a reason.
pub struct Rule {
    version: Version,
    role: Role,
    pub method: &'static str,
    pub path: &'static str,
    side: Side,
    /// The value, as JSON text, where only one will do.
    value: Option<&'static str>,
    pub reason: Reason,
}

impl Rule {
    /// Whether it is about a difference of ours (first) from theirs.
    pub fn explains(&self, payload: &Payload, difference: &Difference) -> bool {
        let value = match (self.side, &difference.first, &difference.second) {
            (Side::Ours, Some(value), None) | (Side::Theirs, None, Some(value)) => value,
            _ => return false,
        };
        let allowed = self.value.is_none_or(|allowed| {
            let allowed: Value = serde_json::from_str(allowed).unwrap();
            allowed == *value
        });
        self.version == payload.version
            && self.role == payload.role
            && self.method == payload.method
            && self.path == difference.path
            && allowed
    }

    /// What it is about, for people.
    pub fn place(&self) -> String {
        let generation = match self.version {
            Version::One => 1,
            Version::Two => 2,
        };
        format!("v{generation} `{}` `{}`", self.method, self.path)
    }
}

const fn rule(
    (version, role, method): (Version, Role, &'static str),
    path: &'static str,
    side: Side,
    value: Option<&'static str>,
    reason: Reason,
) -> Rule {
    Rule {
        version,
        role,
        method,
        path,
        side,
        value,
        reason,
    }
}

type Message = (Version, Role, &'static str);

const UPDATE: Message = (Version::One, Role::AgentNotification, "session/update");
const CAPABILITIES: Message = (Version::One, Role::AgentResult, "initialize");
const CLIENT: Message = (Version::One, Role::ClientRequest, "initialize");

use Reason::{DefaultAdded, DefaultLeftOut, Lost, UnknownLeftOut};
use Side::{Ours, Theirs};

/// Every difference that may occur.
pub const RULES: &[Rule] = &[
    rule(
        UPDATE,
        ".update<tool_call>.kind",
        Ours,
        Some(r#""other""#),
        DefaultLeftOut,
    ),
    rule(
        UPDATE,
        ".update<tool_call>.status",
        Ours,
        Some(r#""pending""#),
        DefaultLeftOut,
    ),
    rule(
        UPDATE,
        ".update<tool_call>.content",
        Ours,
        Some("[]"),
        DefaultLeftOut,
    ),
    rule(
        UPDATE,
        ".update<tool_call>.locations",
        Ours,
        Some("[]"),
        DefaultLeftOut,
    ),
    rule(
        (Version::One, Role::ClientRequest, "session/fork"),
        ".mcpServers",
        Ours,
        Some("[]"),
        DefaultLeftOut,
    ),
    rule(
        (Version::One, Role::ClientRequest, "session/resume"),
        ".mcpServers",
        Ours,
        Some("[]"),
        DefaultLeftOut,
    ),
    rule(
        (Version::Two, Role::ClientRequest, "session/new"),
        ".mcpServers",
        Ours,
        Some("[]"),
        DefaultLeftOut,
    ),
    rule(
        (Version::Two, Role::AgentResult, "initialize"),
        ".authMethods",
        Ours,
        Some("[]"),
        DefaultLeftOut,
    ),
    rule(
        CAPABILITIES,
        ".agentCapabilities.auth",
        Theirs,
        Some("{}"),
        DefaultAdded,
    ),
    rule(
        CAPABILITIES,
        ".agentCapabilities.mcpCapabilities",
        Theirs,
        Some(r#"{"acp":false,"http":false,"sse":false}"#),
        DefaultAdded,
    ),
    rule(
        CAPABILITIES,
        ".agentCapabilities.mcpCapabilities.acp",
        Theirs,
        Some("false"),
        DefaultAdded,
    ),
    rule(
        CAPABILITIES,
        ".agentCapabilities.promptCapabilities.audio",
        Theirs,
        Some("false"),
        DefaultAdded,
    ),
    rule(
        CAPABILITIES,
        ".agentCapabilities.promptCapabilities.embeddedContext",
        Theirs,
        Some("false"),
        DefaultAdded,
    ),
    rule(
        CAPABILITIES,
        ".agentCapabilities.sessionCapabilities",
        Theirs,
        Some("{}"),
        DefaultAdded,
    ),
    rule(CLIENT, ".clientCapabilities", Theirs, None, DefaultAdded),
    rule(
        CLIENT,
        ".clientCapabilities.auth",
        Theirs,
        Some(r#"{"terminal":false}"#),
        DefaultAdded,
    ),
    rule(
        CLIENT,
        ".clientCapabilities.fs",
        Theirs,
        Some(r#"{"readTextFile":false,"writeTextFile":false}"#),
        DefaultAdded,
    ),
    rule(
        CLIENT,
        ".clientCapabilities.terminal",
        Theirs,
        Some("false"),
        DefaultAdded,
    ),
    rule(
        CAPABILITIES,
        ".authMethods[]<env_var>.type",
        Ours,
        None,
        Lost,
    ),
    rule(
        CAPABILITIES,
        ".authMethods[]<env_var>.vars",
        Ours,
        None,
        Lost,
    ),
    rule(
        (Version::One, Role::AgentResult, "session/new"),
        ".models",
        Ours,
        None,
        Lost,
    ),
    rule(
        (Version::One, Role::AgentResult, "session/fork"),
        ".models",
        Ours,
        None,
        Lost,
    ),
    rule(
        (Version::One, Role::AgentResult, "session/load"),
        ".models",
        Ours,
        None,
        Lost,
    ),
    rule(
        (Version::One, Role::AgentResult, "session/resume"),
        ".models",
        Ours,
        None,
        Lost,
    ),
    rule(
        (Version::One, Role::AgentResult, "session/load"),
        ".sessionId",
        Ours,
        None,
        Lost,
    ),
    rule(
        (Version::One, Role::AgentResult, "session/resume"),
        ".sessionId",
        Ours,
        None,
        Lost,
    ),
    rule(
        (Version::Two, Role::Error, "tool_call/cancel"),
        ".data.toolCallId",
        Theirs,
        None,
        UnknownLeftOut,
    ),
];
