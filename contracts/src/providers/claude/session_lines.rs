//! What the tests of this module share: a session, and short forms of its lines and its events.

#![allow(clippy::unwrap_used)]

use serde_json::Value;

use crate::kit::frame::Limits;
use crate::kit::session::{Direction, Outcome, Verdict};
use crate::kit::sources::{SequentialIds, WireClock};

use super::ClaudeSession;

/// A session, and the events that it told.
pub(super) struct Bench {
    session: ClaudeSession,
    /// The events so far.
    pub events: Vec<Value>,
}

impl Bench {
    /// Nothing read.
    pub fn new() -> Self {
        let session =
            ClaudeSession::with_sources(SequentialIds::new(), WireClock::new(), Limits::default());
        Self {
            session,
            events: Vec::new(),
        }
    }

    /// One line, and what became of it.
    pub fn line(&mut self, direction: Direction, line: &str) -> Outcome {
        self.session.push(direction, line.as_bytes());
        self.session.push(direction, b"\n");
        let mut outcomes: Vec<Outcome> = self.session.outcomes().collect();
        assert_eq!(outcomes.len(), 1, "{line}");
        let outcome = outcomes.remove(0);
        let events = outcome.events.iter().map(|event| {
            let json = event.to_json().unwrap();
            serde_json::from_str(&json).unwrap()
        });
        self.events.extend(events);
        outcome
    }

    /// A line of the program that its row maps, and the short forms of its events.
    pub fn out(&mut self, line: &str) -> Vec<String> {
        let outcome = self.line(Direction::FromAgent, line);
        assert_eq!(outcome.verdict, Verdict::Mapped, "{line}");
        assert!(outcome.oddities.is_empty(), "{:?}", outcome.oddities);
        self.last(outcome.events.len())
    }

    /// A line of the program that tells nothing new.
    pub fn quiet(&mut self, line: &str) {
        let outcome = self.line(Direction::FromAgent, line);
        assert!(outcome.events.is_empty(), "{line}: {:?}", outcome.events);
        assert!(
            matches!(outcome.verdict, Verdict::Dropped(_) | Verdict::Told(_)),
            "{line}"
        );
    }

    /// A line of the host, and the short forms of its events.
    pub fn host(&mut self, line: &str) -> Vec<String> {
        let outcome = self.line(Direction::ToAgent, line);
        self.last(outcome.events.len())
    }

    /// The program is gone.
    pub fn gone(&mut self) {
        let exit = crate::canonical::SessionExited {
            reason: None,
            recoverable: None,
            exit_kind: Some(crate::canonical::ExitKind::Graceful),
        };
        let events = self.session.exited(exit);
        let trees = events.iter().map(|it| serde_json::to_value(it).unwrap());
        self.events.extend(trees);
    }

    /// A turn that has begun, with a session that is known.
    pub fn begun() -> Self {
        let mut bench = Self::new();
        bench.host(&said("light the lamp"));
        bench.out(INIT);
        bench
    }

    fn last(&self, count: usize) -> Vec<String> {
        self.events[self.events.len() - count..]
            .iter()
            .map(short)
            .collect()
    }
}

/// The type of an event, its item, and the words that tell most of it.
fn short(event: &Value) -> String {
    let payload = &event["payload"];
    let id = |name: &str| event[name].as_str().map(str::to_owned);
    let word = |name: &str| payload[name].as_str().map(str::to_owned);
    let words = [
        event["type"].as_str().map(str::to_owned),
        id("itemId"),
        word("itemType"),
        word("status"),
        word("state"),
        word("class"),
        word("requestType"),
        word("decision"),
    ];
    words.into_iter().flatten().collect::<Vec<_>>().join(" ")
}

pub(super) const INIT: &str = r#"{"type":"system","subtype":"init","agents":[],"apiKeySource":"none","claude_code_version":"1.0.0","cwd":"/p","tools":["Bash"],"mcp_servers":[],"model":"m-1","permissionMode":"default","slash_commands":[],"output_style":"default","skills":[],"plugins":[],"uuid":"u-init","session_id":"s"}"#;

/// A message of the user.
pub(super) fn said(text: &str) -> String {
    format!(r#"{{"type":"user","message":{{"role":"user","content":"{text}"}},"session_id":""}}"#)
}

/// A streamed event of an agent.
pub(super) fn streamed(parent: &str, event: &str) -> String {
    format!(
        r#"{{"type":"stream_event","event":{event},"parent_tool_use_id":{parent},"uuid":"u","session_id":"s"}}"#
    )
}

/// The beginning of a message.
pub(super) fn message(id: &str) -> String {
    streamed(
        "null",
        &format!(
            r#"{{"type":"message_start","message":{{"id":"{id}","type":"message","role":"assistant","model":"m-1","content":[],"stop_reason":null,"stop_sequence":null,"usage":{{"input_tokens":1,"output_tokens":1}}}}}}"#
        ),
    )
}

/// The beginning of a block.
pub(super) fn start(index: i64, block: &str) -> String {
    let event =
        format!(r#"{{"type":"content_block_start","index":{index},"content_block":{block}}}"#);
    streamed("null", &event)
}

/// A piece of a block.
pub(super) fn delta(index: i64, delta: &str) -> String {
    let event = format!(r#"{{"type":"content_block_delta","index":{index},"delta":{delta}}}"#);
    streamed("null", &event)
}

/// The end of a block.
pub(super) fn stop(index: i64) -> String {
    let event = format!(r#"{{"type":"content_block_stop","index":{index}}}"#);
    streamed("null", &event)
}

pub(super) const TEXT: &str = r#"{"type":"text","text":""}"#;

/// A piece of text.
pub(super) fn text(text: &str) -> String {
    format!(r#"{{"type":"text_delta","text":"{text}"}}"#)
}

/// A call of a tool that has no input yet.
pub(super) fn tool(id: &str, name: &str) -> String {
    format!(r#"{{"type":"tool_use","id":"{id}","name":"{name}","input":{{}}}}"#)
}

/// A line of the model.
pub(super) fn line(uuid: &str, parent: &str, id: &str, blocks: &str) -> String {
    format!(
        r#"{{"type":"assistant","message":{{"id":"{id}","type":"message","role":"assistant","model":"m-1","content":[{blocks}],"stop_reason":null,"stop_sequence":null,"usage":{{"input_tokens":2,"output_tokens":3}}}},"parent_tool_use_id":{parent},"uuid":"{uuid}","session_id":"s"}}"#
    )
}

/// The result of a call.
pub(super) fn result_of(call: &str, content: &str, fails: bool) -> String {
    format!(
        r#"{{"type":"user","message":{{"role":"user","content":[{{"type":"tool_result","tool_use_id":"{call}","content":"{content}","is_error":{fails}}}]}},"parent_tool_use_id":null,"session_id":"s"}}"#
    )
}

/// The end of a turn.
pub(super) fn result(uuid: &str, rest: &str) -> String {
    format!(
        r#"{{"type":"result",{rest},"duration_ms":1,"duration_api_ms":1,"num_turns":1,"stop_reason":null,"total_cost_usd":0.5,"usage":{{"input_tokens":4,"output_tokens":5,"cache_creation_input_tokens":0,"cache_read_input_tokens":0,"server_tool_use":{{"web_search_requests":0,"web_fetch_requests":0}},"service_tier":"standard","cache_creation":{{"ephemeral_1h_input_tokens":0,"ephemeral_5m_input_tokens":0}},"inference_geo":"","iterations":[],"speed":"standard"}},"modelUsage":{{}},"permission_denials":[],"uuid":"{uuid}","session_id":"s"}}"#
    )
}

pub(super) const SUCCESS: &str = r#""subtype":"success","is_error":false,"result":"done""#;

/// A request to use a tool.
pub(super) fn asks(request: &str, call: &str, name: &str, input: &str) -> String {
    format!(
        r#"{{"type":"control_request","request_id":"{request}","request":{{"subtype":"can_use_tool","tool_name":"{name}","input":{input},"tool_use_id":"{call}"}}}}"#
    )
}

/// The host's answer to a request.
pub(super) fn answers(request: &str, response: &str) -> String {
    format!(
        r#"{{"type":"control_response","response":{{"subtype":"success","request_id":"{request}","response":{response}}}}}"#
    )
}
