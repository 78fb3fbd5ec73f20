//! Payloads with one value that no version of the protocol has, and what becomes of it.

use crate::interoperability::corpus::{Payload, Role, Version};

/// What the official decoder makes of the value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Official {
    /// It is gone, or another value stands in its place, and nothing says so.
    Loses,
    /// The whole message is refused.
    Refuses,
    /// It is kept.
    Keeps,
}

/// One case.
pub struct Case {
    /// What no version has.
    pub what: &'static str,
    /// What the official decoder makes of it.
    pub official: Official,
    version: Version,
    role: Role,
    method: &'static str,
    text: &'static str,
}

impl Case {
    /// The generation of the protocol.
    pub const fn generation(&self) -> u8 {
        match self.version {
            Version::One => 1,
            Version::Two => 2,
        }
    }

    /// As a payload of a connection.
    pub fn payload(&self) -> Payload {
        Payload {
            version: self.version,
            role: self.role,
            method: self.method.to_owned(),
            text: self.text.to_owned(),
        }
    }
}

const fn one(
    what: &'static str,
    official: Official,
    role: Role,
    method: &'static str,
    text: &'static str,
) -> Case {
    Case {
        what,
        official,
        version: Version::One,
        role,
        method,
        text,
    }
}

const fn two(
    what: &'static str,
    official: Official,
    role: Role,
    method: &'static str,
    text: &'static str,
) -> Case {
    Case {
        version: Version::Two,
        ..one(what, official, role, method, text)
    }
}

use Official::{Keeps, Loses, Refuses};
use Role::{AgentNotification, AgentRequest, AgentResult, ClientRequest, ClientResult, Error};

/// All cases.
pub const CASES: &[Case] = &[
    one(
        "the status of a call",
        Loses,
        AgentNotification,
        "session/update",
        r#"{"sessionId":"s","update":{"sessionUpdate":"tool_call","status":"aurora","title":"t","toolCallId":"c"}}"#,
    ),
    one(
        "the kind of a call",
        Loses,
        AgentNotification,
        "session/update",
        r#"{"sessionId":"s","update":{"kind":"aurora","sessionUpdate":"tool_call","title":"t","toolCallId":"c"}}"#,
    ),
    one(
        "a piece of a call's content",
        Loses,
        AgentNotification,
        "session/update",
        r#"{"sessionId":"s","update":{"content":[{"type":"aurora","x":1},{"content":{"text":"a","type":"text"},"type":"content"}],"sessionUpdate":"tool_call","title":"t","toolCallId":"c"}}"#,
    ),
    one(
        "the status in news about a call",
        Loses,
        AgentNotification,
        "session/update",
        r#"{"sessionId":"s","update":{"sessionUpdate":"tool_call_update","status":"aurora","toolCallId":"c"}}"#,
    ),
    one(
        "the kind in news about a call",
        Loses,
        AgentNotification,
        "session/update",
        r#"{"sessionId":"s","update":{"kind":"aurora","sessionUpdate":"tool_call_update","toolCallId":"c"}}"#,
    ),
    one(
        "a piece of content in news about a call",
        Loses,
        AgentNotification,
        "session/update",
        r#"{"sessionId":"s","update":{"content":[{"type":"aurora","x":1},{"content":{"text":"a","type":"text"},"type":"content"}],"sessionUpdate":"tool_call_update","toolCallId":"c"}}"#,
    ),
    one(
        "the priority of a step of a plan",
        Loses,
        AgentNotification,
        "session/update",
        r#"{"sessionId":"s","update":{"entries":[{"content":"a","priority":"aurora","status":"pending"},{"content":"b","priority":"low","status":"pending"}],"sessionUpdate":"plan"}}"#,
    ),
    one(
        "the status of a step of a plan",
        Loses,
        AgentNotification,
        "session/update",
        r#"{"sessionId":"s","update":{"entries":[{"content":"a","priority":"low","status":"aurora"},{"content":"b","priority":"low","status":"pending"}],"sessionUpdate":"plan"}}"#,
    ),
    one(
        "the kind of a plan",
        Refuses,
        AgentNotification,
        "session/update",
        r#"{"sessionId":"s","update":{"plan":{"planId":"p","type":"aurora"},"sessionUpdate":"plan_update"}}"#,
    ),
    one(
        "a block of content",
        Refuses,
        AgentNotification,
        "session/update",
        r#"{"sessionId":"s","update":{"content":{"type":"aurora","x":1},"sessionUpdate":"agent_message_chunk"}}"#,
    ),
    one(
        "the audience of a block",
        Loses,
        AgentNotification,
        "session/update",
        r#"{"sessionId":"s","update":{"content":{"annotations":{"audience":["aurora","user"]},"text":"a","type":"text"},"sessionUpdate":"agent_message_chunk"}}"#,
    ),
    one(
        "the kind of an update",
        Refuses,
        AgentNotification,
        "session/update",
        r#"{"sessionId":"s","update":{"sessionUpdate":"aurora","x":1}}"#,
    ),
    one(
        "the input of a command",
        Loses,
        AgentNotification,
        "session/update",
        r#"{"sessionId":"s","update":{"availableCommands":[{"description":"d","input":{"aurora":1},"name":"n"}],"sessionUpdate":"available_commands_update"}}"#,
    ),
    one(
        "the type of an option of configuration",
        Loses,
        AgentNotification,
        "session/update",
        r#"{"sessionId":"s","update":{"configOptions":[{"currentValue":"x","id":"a","name":"A","options":[],"type":"aurora"}],"sessionUpdate":"config_option_update"}}"#,
    ),
    one(
        "the category of an option of configuration",
        Keeps,
        AgentNotification,
        "session/update",
        r#"{"sessionId":"s","update":{"configOptions":[{"category":"aurora","currentValue":"x","id":"a","name":"A","options":[],"type":"select"}],"sessionUpdate":"config_option_update"}}"#,
    ),
    one(
        "the severity of a notice",
        Keeps,
        AgentNotification,
        "session/update",
        r#"{"sessionId":"s","update":{"sessionUpdate":"notice","severity":"aurora","title":"t"}}"#,
    ),
    one(
        "the state of a child session",
        Keeps,
        AgentNotification,
        "session/update",
        r#"{"sessionId":"s","update":{"sessionId":"c","sessionUpdate":"subagent_update","state":{"state":"aurora"}}}"#,
    ),
    one(
        "the kind of an option of a permission",
        Refuses,
        AgentRequest,
        "session/request_permission",
        r#"{"options":[{"kind":"aurora","name":"n","optionId":"o"}],"sessionId":"s","toolCall":{"toolCallId":"c"}}"#,
    ),
    one(
        "the kind of a call that needs a permission",
        Loses,
        AgentRequest,
        "session/request_permission",
        r#"{"options":[],"sessionId":"s","toolCall":{"kind":"aurora","toolCallId":"c"}}"#,
    ),
    one(
        "the mode of a question",
        Keeps,
        AgentRequest,
        "elicitation/create",
        r#"{"message":"m","mode":"aurora","sessionId":"s"}"#,
    ),
    one(
        "the type of an answer's member",
        Keeps,
        AgentRequest,
        "elicitation/create",
        r#"{"message":"m","mode":"form","requestedSchema":{"properties":{"a":{"type":"aurora"}},"type":"object"},"sessionId":"s"}"#,
    ),
    one(
        "a stop reason",
        Refuses,
        AgentResult,
        "session/prompt",
        r#"{"stopReason":"aurora"}"#,
    ),
    one(
        "a way to log in",
        Loses,
        AgentResult,
        "initialize",
        r#"{"agentCapabilities":{},"authMethods":[{"id":"k","name":"K","type":"aurora","vars":[]}],"protocolVersion":1}"#,
    ),
    one(
        "an outcome of a permission",
        Refuses,
        ClientResult,
        "session/request_permission",
        r#"{"outcome":{"outcome":"aurora","x":1}}"#,
    ),
    one(
        "an answer to a question",
        Keeps,
        ClientResult,
        "elicitation/create",
        r#"{"action":"aurora"}"#,
    ),
    one(
        "a block of a prompt",
        Refuses,
        ClientRequest,
        "session/prompt",
        r#"{"prompt":[{"type":"aurora","x":1},{"text":"a","type":"text"}],"sessionId":"s"}"#,
    ),
    one(
        "a way to reach a server",
        Refuses,
        ClientRequest,
        "session/new",
        r#"{"cwd":"/w","mcpServers":[{"name":"n","type":"aurora","url":"u"}]}"#,
    ),
    one(
        "the code of an error",
        Keeps,
        Error,
        "session/prompt",
        r#"{"code":401,"message":"m"}"#,
    ),
    two(
        "the status of a call",
        Keeps,
        AgentNotification,
        "session/update",
        r#"{"sessionId":"s","update":{"sessionUpdate":"tool_call_update","status":"aurora","toolCallId":"c"}}"#,
    ),
    two(
        "the kind of a call",
        Keeps,
        AgentNotification,
        "session/update",
        r#"{"sessionId":"s","update":{"kind":"aurora","sessionUpdate":"tool_call_update","toolCallId":"c"}}"#,
    ),
    two(
        "a piece of a call's content",
        Keeps,
        AgentNotification,
        "session/update",
        r#"{"sessionId":"s","update":{"content":[{"type":"aurora","x":1},{"content":{"text":"a","type":"text"},"type":"content"}],"sessionUpdate":"tool_call_update","toolCallId":"c"}}"#,
    ),
    two(
        "the kind of an update",
        Keeps,
        AgentNotification,
        "session/update",
        r#"{"sessionId":"s","update":{"sessionUpdate":"aurora","x":1}}"#,
    ),
    two(
        "a block of content",
        Keeps,
        AgentNotification,
        "session/update",
        r#"{"sessionId":"s","update":{"content":{"type":"aurora","x":1},"messageId":"m","sessionUpdate":"agent_message_chunk"}}"#,
    ),
    two(
        "a block of a whole message",
        Keeps,
        AgentNotification,
        "session/update",
        r#"{"sessionId":"s","update":{"content":[{"type":"aurora","x":1},{"text":"a","type":"text"}],"messageId":"m","sessionUpdate":"agent_message"}}"#,
    ),
    two(
        "the state of a session",
        Keeps,
        AgentNotification,
        "session/update",
        r#"{"sessionId":"s","update":{"sessionUpdate":"state_update","state":"aurora"}}"#,
    ),
    two(
        "a stop reason",
        Keeps,
        AgentNotification,
        "session/update",
        r#"{"sessionId":"s","update":{"sessionUpdate":"state_update","state":"idle","stopReason":"aurora"}}"#,
    ),
    two(
        "the status of a step of a plan",
        Keeps,
        AgentNotification,
        "session/update",
        r#"{"sessionId":"s","update":{"plan":{"entries":[{"content":"a","priority":"low","status":"aurora"}],"planId":"p","type":"items"},"sessionUpdate":"plan_update"}}"#,
    ),
    two(
        "the subject of a permission",
        Keeps,
        AgentRequest,
        "session/request_permission",
        r#"{"options":[{"kind":"allow_once","name":"n","optionId":"o"}],"sessionId":"s","subject":{"type":"aurora","x":1},"title":"t"}"#,
    ),
    two(
        "the kind of an option of a permission",
        Keeps,
        AgentRequest,
        "session/request_permission",
        r#"{"options":[{"kind":"aurora","name":"n","optionId":"o"}],"sessionId":"s","title":"t"}"#,
    ),
    two(
        "an outcome of a permission",
        Keeps,
        ClientResult,
        "session/request_permission",
        r#"{"outcome":{"outcome":"aurora","x":1}}"#,
    ),
    two(
        "a block of a prompt",
        Keeps,
        ClientRequest,
        "session/prompt",
        r#"{"prompt":[{"type":"aurora","x":1}],"sessionId":"s"}"#,
    ),
];
