//! Thread items through the two notifications that carry them.

#![allow(clippy::unwrap_used, clippy::panic)]

use serde_json::{Value, json};

use crate::providers::codex::app_server_notification::tests::told_json;

/// The payload of an item, and the ids of its event.
fn item(method: &str, item: &str) -> (String, Value) {
    let (ids, events) = told_json(
        method,
        &format!(r#"{{"threadId":"t","turnId":"u","item":{item}}}"#),
    );
    let payload = events[0][method.replace('/', ".")].clone();
    assert!(payload.is_object(), "{item} gives {events}");
    assert_eq!(
        payload["data"],
        serde_json::from_str::<Value>(item).unwrap()
    );
    (ids, payload)
}

fn payload(method: &str, text: &str) -> Value {
    item(method, text).1
}

type Words = (
    &'static str,
    &'static str,
    &'static str,
    Option<&'static str>,
    Option<&'static str>,
);

/// A completed item, its type, status, title and detail.
#[rustfmt::skip] // One line a case.
const WORDS: &[Words] = &[
    (r#"{"type":"userMessage","id":"i","content":[{"type":"text","text":"a"},{"type":"image","url":"u"},{"type":"text","text":"b"}]}"#, "user_message", "completed", None, Some("a\nb")),
    (r#"{"type":"agentMessage","id":"i","text":"hello"}"#, "assistant_message", "completed", None, Some("hello")),
    (r#"{"type":"plan","id":"i","text":"1. go"}"#, "plan", "completed", None, Some("1. go")),
    (r#"{"type":"reasoning","id":"i","summary":["x","y"],"content":["z"]}"#, "reasoning", "completed", None, Some("x\ny")),
    (r#"{"type":"reasoning","id":"i","summary":[],"content":["z"]}"#, "reasoning", "completed", None, Some("z")),
    (r#"{"type":"reasoning","id":"i"}"#, "reasoning", "completed", None, None),
    (r#"{"type":"commandExecution","id":"i","command":"ls -l","commandActions":[],"cwd":"/w","status":"completed","aggregatedOutput":"a\n","exitCode":0}"#, "command_execution", "completed", Some("ls -l"), Some("a\n")),
    (r#"{"type":"commandExecution","id":"i","command":"ls","commandActions":[],"cwd":"/w","status":"declined","aggregatedOutput":null}"#, "command_execution", "declined", Some("ls"), None),
    (r#"{"type":"fileChange","id":"i","changes":[{"path":"a","kind":{"type":"add"},"diff":""}],"status":"failed"}"#, "file_change", "failed", Some("a"), None),
    (r#"{"type":"fileChange","id":"i","changes":[{"path":"a","kind":{"type":"add"},"diff":""},{"path":"b","kind":{"type":"add"},"diff":""},{"path":"c","kind":{"type":"add"},"diff":""}],"status":"completed"}"#, "file_change", "completed", Some("a and 2 others"), None),
    (r#"{"type":"mcpToolCall","id":"i","server":"s","tool":"t","arguments":{},"status":"failed","error":{"message":"boom"}}"#, "mcp_tool_call", "failed", Some("s/t"), Some("boom")),
    (r#"{"type":"dynamicToolCall","id":"i","tool":"t","arguments":{},"status":"completed","success":true}"#, "dynamic_tool_call", "completed", Some("t"), None),
    (r#"{"type":"dynamicToolCall","id":"i","namespace":"n","tool":"t","arguments":{},"status":"completed","success":false}"#, "dynamic_tool_call", "failed", Some("n/t"), None),
    (r#"{"type":"functionCallOutput","id":"i","name":"f","output":"o"}"#, "dynamic_tool_call", "completed", Some("f"), None),
    (r#"{"type":"collabAgentToolCall","id":"i","tool":"spawnAgent","status":"interrupted","agentsStates":{},"receiverThreadIds":[],"senderThreadId":"z"}"#, "collab_agent_tool_call", "failed", Some("spawnAgent"), None),
    (r#"{"type":"subAgentActivity","id":"i","kind":"interrupted","agentPath":"/root/a","agentThreadId":"z"}"#, "collab_agent_tool_call", "failed", Some("interrupted /root/a"), None),
    (r#"{"type":"webSearch","id":"i","query":"rust"}"#, "web_search", "completed", Some("rust"), None),
    (r#"{"type":"imageView","id":"i","path":"/p.png"}"#, "image_view", "completed", Some("/p.png"), None),
    (r#"{"type":"imageGeneration","id":"i","status":"completed","result":"","revisedPrompt":"a fox"}"#, "image_view", "completed", Some("a fox"), None),
    (r#"{"type":"imageGeneration","id":"i","status":"completed","result":"","failure":{"type":"usageLimitExceeded","limitId":"l"}}"#, "image_view", "failed", None, None),
    (r#"{"type":"enteredReviewMode","id":"i","review":"look"}"#, "review_entered", "completed", None, Some("look")),
    (r#"{"type":"exitedReviewMode","id":"i","review":"fine"}"#, "review_exited", "completed", None, Some("fine")),
    (r#"{"type":"contextCompaction","id":"i"}"#, "context_compaction", "completed", None, None),
    (r#"{"type":"sleep","id":"i","durationMs":5}"#, "dynamic_tool_call", "completed", Some("sleep"), None),
    (r#"{"type":"hookPrompt","id":"i","fragments":[{"hookRunId":"r","text":"mind this"}]}"#, "unknown", "completed", Some("hook"), Some("mind this")),
];

#[test]
fn every_type_of_item_has_its_words() {
    for (text, item_type, status, title, detail) in WORDS {
        let (ids, payload) = item("item/completed", text);
        assert_eq!(ids, "t u i -", "{text}");
        assert_eq!(payload["itemType"], *item_type, "{text}");
        assert_eq!(payload["status"], *status, "{text}");
        assert_eq!(payload["title"], json!(title), "{text}");
        assert_eq!(payload["detail"], json!(detail), "{text}");
    }
}

#[test]
fn an_item_that_starts_is_in_progress() {
    for text in [
        r#"{"type":"agentMessage","id":"i","text":""}"#,
        r#"{"type":"subAgentActivity","id":"i","kind":"interrupted","agentPath":"a","agentThreadId":"z"}"#,
        r#"{"type":"commandExecution","id":"i","command":"ls","commandActions":[],"cwd":"/w","status":"inProgress"}"#,
        r#"{"type":"imageGeneration","id":"i","status":"in_progress","result":""}"#,
        r#"{"type":"hologramCall","id":"i"}"#,
    ] {
        assert_eq!(
            payload("item/started", text)["status"],
            "inProgress",
            "{text}"
        );
    }
}

#[test]
fn a_status_that_cannot_be_read_is_none() {
    for text in [
        r#"{"type":"fileChange","id":"i","changes":[],"status":"timedOut"}"#,
        r#"{"type":"commandExecution","id":"i","command":"ls","commandActions":[],"cwd":"/w","status":"lost"}"#,
        r#"{"type":"mcpToolCall","id":"i","server":"s","tool":"t","arguments":{},"status":"odd"}"#,
        r#"{"type":"dynamicToolCall","id":"i","tool":"t","arguments":{},"status":"odd"}"#,
        r#"{"type":"collabAgentToolCall","id":"i","tool":"wait","status":"odd","agentsStates":{},"receiverThreadIds":[],"senderThreadId":"z"}"#,
        r#"{"type":"subAgentActivity","id":"i","kind":"odd","agentPath":"a","agentThreadId":"z"}"#,
        r#"{"type":"imageGeneration","id":"i","status":"generating","result":""}"#,
    ] {
        let payload = payload("item/completed", text);
        assert_eq!(payload.get("status"), None, "{text}");
        assert_ne!(payload["itemType"], "unknown", "{text}");
    }
}

#[test]
fn an_item_of_an_unrecognized_type_keeps_its_id_and_its_text() {
    let (ids, payload) = item(
        "item/completed",
        r#"{"type":"hologramCall","id":"h","status":"completed","x":[1]}"#,
    );
    assert_eq!(ids, "t u h -");
    assert_eq!(payload["itemType"], "unknown");
    assert_eq!(payload.get("status"), None);
    for without in [
        r#"{"type":"hologramCall"}"#,
        r#"{"type":"hologramCall","id":7}"#,
    ] {
        assert_eq!(item("item/completed", without).0, "t u - -", "{without}");
    }
    let twice = r#"{"type":"hologramCall","id":"a","nested":{"id":"c"},"id":"b"}"#;
    assert_eq!(item("item/started", twice).0, "t u b -");
}
