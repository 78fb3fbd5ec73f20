//! Items of the older event protocol through the two messages that carry them.

#![allow(clippy::unwrap_used, clippy::panic)]

use serde_json::{Value, json};

use crate::kit::ledger::Draft;
use crate::providers::codex::CodexMapping;
use crate::providers::codex::eventmsg::tests::{rollout, run};

/// The event of an item in the form of a rollout of 0.171.0.
fn told(step: &str, item: &Value) -> (Draft, Value) {
    let message = json!({"type": step, "thread_id": "hidden", "turn_id": "turn-1", "item": item,
        "started_at_ms": 1, "completed_at_ms": 2});
    let (mut drafts, _) = run(&mut CodexMapping::new(), &rollout(), &message);
    assert_eq!(drafts.len(), 1);
    let draft = drafts.remove(0);
    let event = serde_json::to_value(&draft.payload).unwrap();
    let event_type = if step == "item_started" {
        "item.started"
    } else {
        "item.completed"
    };
    assert_eq!(event["type"], event_type);
    assert_eq!(event["payload"]["data"], *item);
    (draft, event["payload"].clone())
}

/// One line for each type: the item, and the type, status, title and detail of its completion.
fn items() -> Vec<(Value, Value)> {
    let duration = json!({"secs": 0, "nanos": 1});
    vec![
        (
            json!({"type": "AgentMessage", "id": "i",
                "content": [{"type": "Text", "text": "Log "}, {"type": "Text", "text": "added."},
                    {"type": "Smoke", "text": "signals"}]}),
            json!(["assistant_message", "completed", null, "Log added."]),
        ),
        (
            json!({"type": "UserMessage", "id": "i", "content": [{"type": "text", "text": "a"},
                {"type": "image", "image_url": "x"}, {"type": "text", "text": "b"}]}),
            json!(["user_message", "completed", null, "a\nb"]),
        ),
        (
            json!({"type": "Reasoning", "id": "i", "summary_text": ["x", "y"], "raw_content": ["z"]}),
            json!(["reasoning", "completed", null, "x\ny"]),
        ),
        (
            json!({"type": "Reasoning", "id": "i", "summary_text": [], "raw_content": ["z"]}),
            json!(["reasoning", "completed", null, "z"]),
        ),
        (
            json!({"type": "Plan", "id": "i", "text": "- sail"}),
            json!(["plan", "completed", null, "- sail"]),
        ),
        (
            json!({"type": "CommandExecution", "id": "i", "command": ["echo", "hi"],
                "status": "failed", "aggregated_output": "hi", "exit_code": 3,
                "duration": duration, "cwd": "file:///w", "source": "unified_exec_startup"}),
            json!(["command_execution", "failed", "echo hi", "hi"]),
        ),
        (
            json!({"type": "FileChange", "id": "i", "status": "declined", "stdout": "out",
                "stderr": "err", "changes": {"/b": {"type": "add", "content": ""},
                    "/a": {"type": "add", "content": ""}, "/c": {"type": "add", "content": ""}}}),
            json!(["file_change", "declined", "/a and 2 others", "err"]),
        ),
        (
            json!({"type": "McpToolCall", "id": "i", "server": "harbour", "tool": "post",
                "status": "failed", "error": {"message": "rejected"}, "readOnlyHint": false}),
            json!(["mcp_tool_call", "failed", "harbour/post", "rejected"]),
        ),
        (
            json!({"type": "DynamicToolCall", "id": "i", "tool": "lamp", "namespace": "quay",
                "status": "completed", "success": true}),
            json!(["dynamic_tool_call", "completed", "quay/lamp", null]),
        ),
        (
            json!({"type": "DynamicToolCall", "id": "i", "tool": "lamp", "status": "completed",
                "success": false}),
            json!(["dynamic_tool_call", "failed", "lamp", null]),
        ),
        (
            json!({"type": "CollabAgentToolCall", "id": "i", "tool": "wait", "status": "completed"}),
            json!(["collab_agent_tool_call", "completed", "wait", null]),
        ),
        (
            json!({"type": "SubAgentActivity", "id": "i", "kind": "interrupted",
                "agent_path": "/root/counter"}),
            json!([
                "collab_agent_tool_call",
                "failed",
                "interrupted /root/counter",
                null
            ]),
        ),
        (
            json!({"type": "SubAgentActivity", "id": "i", "kind": "interacted"}),
            json!(["collab_agent_tool_call", "completed", "interacted", null]),
        ),
        (
            json!({"type": "WebSearch", "id": "i", "query": "tides", "action": {"type": "other"}}),
            json!(["web_search", "completed", "tides", null]),
        ),
        (
            json!({"type": "ImageView", "id": "i", "path": "/a.png"}),
            json!(["image_view", "completed", "/a.png", null]),
        ),
        (
            json!({"type": "ImageGeneration", "id": "i", "status": "failed", "result": "",
                "revised_prompt": "a lamp"}),
            json!(["image_view", "failed", "a lamp", null]),
        ),
        (
            json!({"type": "EnteredReviewMode", "id": "i", "user_facing_hint": "changes"}),
            json!(["review_entered", "completed", null, "changes"]),
        ),
        (
            json!({"type": "ExitedReviewMode", "id": "i", "review_output": {"findings": [],
                "overall_correctness": "", "overall_explanation": "fine",
                "overall_confidence_score": 0.0}}),
            json!(["review_exited", "completed", null, "fine"]),
        ),
        (
            json!({"type": "ExitedReviewMode", "id": "i", "review_output": "in another form"}),
            json!(["review_exited", "completed", null, null]),
        ),
        (
            json!({"type": "ContextCompaction", "id": "i"}),
            json!(["context_compaction", "completed", null, null]),
        ),
        // An item that no vendored version has: nobody knows how it ended.
        (
            json!({"type": "Semaphore", "id": "i", "status": "sunk"}),
            json!(["unknown", null, null, null]),
        ),
    ]
}

#[test]
fn every_type_of_item_is_told() {
    let mut types = std::collections::BTreeSet::new();
    for (item, expected) in items() {
        let (draft, payload) = told("item_completed", &item);
        let members = ["itemType", "status", "title", "detail"].map(|name| payload[name].clone());
        assert_eq!(json!(members), expected, "{item}");
        assert_eq!(draft.refs.item.as_deref(), Some("i"), "{item}");
        assert_eq!(draft.refs.turn.as_deref(), Some("turn-1"));
        assert_eq!(draft.refs.thread.as_deref(), Some("thread-1"));
        types.insert(item["type"].to_string());
    }
    assert_eq!(types.len(), 17);
}

#[test]
fn statuses_that_cannot_be_read_are_none() {
    let mut seen = 0;
    for (mut item, _) in items() {
        let members = item.as_object_mut().unwrap();
        members.remove("success");
        for name in ["status", "kind"] {
            if members.contains_key(name) {
                seen += 1;
                members.insert(name.to_owned(), json!("capsized"));
            }
        }
        if members.contains_key("status") || members.contains_key("kind") {
            assert_eq!(
                told("item_completed", &item).1["status"],
                Value::Null,
                "{item}"
            );
        }
    }
    assert_eq!(seen, 10);
}

#[test]
fn started_items_without_a_status_are_in_progress() {
    for item in [
        json!({"type": "AgentMessage", "id": "i", "content": [{"type": "Text", "text": ""}]}),
        json!({"type": "SubAgentActivity", "id": "i", "kind": "started"}),
        json!({"type": "ImageGeneration", "id": "i", "status": "in_progress", "result": ""}),
        json!({"type": "Semaphore", "id": "i"}),
    ] {
        let (draft, payload) = told("item_started", &item);
        assert_eq!(payload["status"], "inProgress", "{item}");
        assert_eq!(payload["detail"], Value::Null);
        assert_eq!(draft.refs.item.as_deref(), Some("i"));
    }
    let nameless = json!({"type": "Semaphore", "id": 7});
    assert_eq!(told("item_started", &nameless).0.refs.item, None);
}
