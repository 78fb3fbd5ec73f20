//! Items and streams of the older event protocol: small messages through decoding, placing and
//! mapping.

#![allow(clippy::unwrap_used, clippy::panic)]

use std::sync::Arc;

use serde_json::{Value, json};

use crate::json::decode;
use crate::kit::ledger::{Draft, Refs};
use crate::kit::mapping::{Cx, Fate};
use crate::providers::codex::turn_memory::Carrier;
use crate::providers::codex::wire::eventmsg::{EventMsg, map, refs};

use super::CodexMapping;

/// The carrier of a rollout file about `thread-1`.
pub(in crate::providers::codex) fn rollout() -> Carrier {
    Carrier::Rollout {
        thread: Some(Arc::from("thread-1")),
    }
}

/// Decodes, places and maps one message, as a reader does.
pub(in crate::providers::codex) fn run(
    mapping: &mut CodexMapping,
    carrier: &Carrier,
    message: &Value,
) -> (Vec<Draft>, Fate) {
    let line: Arc<str> = Arc::from(message.to_string());
    let (message, _) = decode::<EventMsg<'_>>(&line).unwrap();
    let mut drafts = Vec::new();
    let mut cx = Cx::new(&line, 0..line.len(), &mut drafts);
    cx.lift(refs(&message));
    mapping.turns.place(&mut cx, &message, carrier);
    map(mapping, &mut cx, &message);
    let fate = cx.fate().clone();
    (drafts, fate)
}

/// The events of one message in a rollout: type and payload.
pub(in crate::providers::codex) fn events(message: &Value) -> Vec<(String, Value)> {
    let (drafts, _) = run(&mut CodexMapping::new(), &rollout(), message);
    drafts.iter().map(event).collect()
}

pub(in crate::providers::codex) fn event(draft: &Draft) -> (String, Value) {
    let event = serde_json::to_value(&draft.payload).unwrap();
    (
        event["type"].as_str().unwrap().to_owned(),
        event["payload"].clone(),
    )
}

/// The only event of a message.
pub(in crate::providers::codex) fn one(message: &Value) -> (String, Value) {
    let mut events = events(message);
    assert_eq!(events.len(), 1, "{message}");
    events.remove(0)
}

/// The refs of each event of a message in a rollout.
pub(in crate::providers::codex) fn refs_of(message: &Value) -> Vec<Refs> {
    let (drafts, _) = run(&mut CodexMapping::new(), &rollout(), message);
    drafts.into_iter().map(|draft| draft.refs).collect()
}

/// A message with further members.
pub(in crate::providers::codex) fn with(mut message: Value, members: Value) -> Value {
    for (name, value) in members.as_object().unwrap() {
        message[name] = value.clone();
    }
    message
}

#[test]
fn texts_are_completed_items_without_an_id() {
    let review = json!({"findings": [{
        "title": "Loose knot", "body": "b", "confidence_score": 0.5, "priority": 1,
        "code_location": {"absolute_file_path": "/a", "line_range": {"start": 1, "end": 2}},
    }], "overall_correctness": "", "overall_explanation": "Mostly fine.",
        "overall_confidence_score": 1.0});
    for (message, item_type, detail) in [
        (
            json!({"type": "agent_message", "message": "Ahoy."}),
            "assistant_message",
            "Ahoy.",
        ),
        (
            json!({"type": "user_message", "message": "Set sail."}),
            "user_message",
            "Set sail.",
        ),
        (
            json!({"type": "agent_reasoning", "text": "**Tides**"}),
            "reasoning",
            "**Tides**",
        ),
        (
            json!({"type": "agent_reasoning_raw_content", "text": "ebb"}),
            "reasoning",
            "ebb",
        ),
        (
            json!({"type": "entered_review_mode", "target": {"type": "uncommittedChanges"},
                "user_facing_hint": "current changes"}),
            "review_entered",
            "current changes",
        ),
        (
            json!({"type": "exited_review_mode", "review_output": review}),
            "review_exited",
            "Mostly fine.\nLoose knot",
        ),
    ] {
        let expected = json!({
            "itemType": item_type, "status": "completed", "detail": detail, "data": message,
        });
        assert_eq!(one(&message), ("item.completed".to_owned(), expected));
        assert_eq!(refs_of(&message)[0].item, None);
    }
    let silent = json!({"type": "exited_review_mode", "review_output": null});
    assert_eq!(one(&silent).1["detail"], Value::Null);
}

#[test]
fn pieces_are_deltas_of_their_stream() {
    let ids = json!({"thread_id": "hidden", "turn_id": "turn-1", "item_id": "i", "delta": "x"});
    let typed = |tag: &str| with(json!({"type": tag}), ids.clone());
    for (message, expected, item) in [
        (
            json!({"type": "agent_message_delta", "delta": "x"}),
            json!(["assistant_text", "x"]),
            None,
        ),
        (
            typed("agent_message_content_delta"),
            json!(["assistant_text", "x"]),
            Some("i"),
        ),
        (
            json!({"type": "agent_reasoning_delta", "delta": "x"}),
            json!(["reasoning_summary_text", "x"]),
            None,
        ),
        (
            json!({"type": "agent_reasoning_raw_content_delta", "delta": "x"}),
            json!(["reasoning_text", "x"]),
            None,
        ),
        (
            with(
                typed("reasoning_content_delta"),
                json!({"summary_index": 3}),
            ),
            json!(["reasoning_summary_text", "x", null, 3]),
            Some("i"),
        ),
        (
            with(
                typed("reasoning_raw_content_delta"),
                json!({"content_index": 4}),
            ),
            json!(["reasoning_text", "x", 4]),
            Some("i"),
        ),
        (typed("plan_delta"), json!(["plan_text", "x"]), Some("i")),
        (
            json!({"type": "exec_command_output_delta", "call_id": "i", "stream": "stderr",
                "chunk": "bGl0Cg=="}),
            json!(["command_output", "lit\n"]),
            Some("i"),
        ),
    ] {
        let (event_type, payload) = one(&message);
        assert_eq!(event_type, "content.delta");
        for (index, name) in ["streamKind", "delta", "contentIndex", "summaryIndex"]
            .iter()
            .enumerate()
        {
            assert_eq!(payload[*name], expected[index], "{name} of {message}");
        }
        assert_eq!(refs_of(&message)[0].item.as_deref(), item);
        assert_eq!(refs_of(&message)[0].thread.as_deref(), Some("thread-1"));
    }
}

#[test]
fn commands_begin_and_end_with_their_own_status() {
    let begin = json!({"type": "exec_command_begin", "call_id": "c", "turn_id": "turn-1",
        "command": ["sh", "-c", "ls"], "cwd": "/w", "parsed_cmd": []});
    let started = json!({"itemType": "command_execution", "status": "inProgress",
        "title": "sh -c ls", "data": begin});
    assert_eq!(one(&begin), ("item.started".to_owned(), started));
    let end = |status: &str| {
        let rest = json!({"type": "exec_command_end", "stdout": "", "stderr": "", "exit_code": 0,
            "aggregated_output": "out", "duration": {"secs": 0, "nanos": 1},
            "formatted_output": "shown", "status": status});
        with(begin.clone(), rest)
    };
    for (status, expected) in [
        ("completed", json!("completed")),
        ("failed", json!("failed")),
        ("declined", json!("declined")),
        ("evaporated", Value::Null),
    ] {
        let (event_type, payload) = one(&end(status));
        assert_eq!(
            (event_type.as_str(), &payload["status"]),
            ("item.completed", &expected)
        );
        assert_eq!(payload["detail"], "out");
    }
    let silent = with(end("completed"), json!({"aggregated_output": ""}));
    assert_eq!(one(&silent).1["detail"], "shown");
    let typed = json!({"type": "terminal_interaction", "call_id": "c", "process_id": "1",
        "stdin": "y\n"});
    let (event_type, payload) = one(&typed);
    assert_eq!(
        (event_type.as_str(), &payload["detail"]),
        ("item.updated", &json!("y\n"))
    );
    assert_eq!(payload["itemType"], "command_execution");
    assert_eq!(payload["status"], Value::Null);
}

#[test]
fn patches_that_did_not_succeed_are_failed() {
    let begin = json!({"type": "patch_apply_begin", "call_id": "c", "auto_approved": true,
        "changes": {"/a": {"type": "add", "content": ""}, "/b": {"type": "delete", "content": ""}}});
    let updated = json!({"itemType": "file_change", "status": "inProgress",
        "title": "/a and 1 other", "data": begin});
    assert_eq!(one(&begin), ("item.updated".to_owned(), updated));
    for (status, success, expected) in [
        ("completed", true, json!("completed")),
        ("completed", false, json!("failed")),
        ("failed", false, json!("failed")),
        ("declined", false, json!("declined")),
        ("smudged", true, Value::Null),
    ] {
        let end = json!({"type": "patch_apply_end", "call_id": "c", "success": success,
            "status": status, "stdout": "done", "stderr": ""});
        let (event_type, payload) = one(&end);
        assert_eq!(
            (event_type.as_str(), &payload["status"]),
            ("item.completed", &expected)
        );
        assert_eq!(payload["detail"], "done");
    }
}

#[test]
fn calls_on_mcp_servers_end_as_their_result_says() {
    let begin = json!({"type": "mcp_tool_call_begin", "call_id": "c",
        "invocation": {"server": "harbour", "tool": "post", "arguments": {}}});
    let (event_type, payload) = one(&begin);
    assert_eq!(
        (event_type.as_str(), &payload["title"]),
        ("item.started", &json!("harbour/post"))
    );
    for (result, status, detail) in [
        (
            json!({"Ok": {"content": []}}),
            json!("completed"),
            Value::Null,
        ),
        (
            json!({"Ok": {"content": [], "isError": true}}),
            json!("failed"),
            Value::Null,
        ),
        (json!({"Err": "no wind"}), json!("failed"), json!("no wind")),
        (json!({"Maybe": 1}), Value::Null, Value::Null),
    ] {
        let rest = json!({"type": "mcp_tool_call_end", "duration": {"secs": 0, "nanos": 0},
            "result": result});
        let (event_type, payload) = one(&with(begin.clone(), rest));
        assert_eq!(event_type, "item.completed");
        assert_eq!(
            (&payload["status"], &payload["detail"]),
            (&status, &detail),
            "{result}"
        );
        assert_eq!(payload["itemType"], "mcp_tool_call");
    }
}

#[test]
fn calls_about_other_agents_end_by_the_worst_status() {
    let call = json!({"call_id": "c", "sender_thread_id": "thread-1", "prompt": "Count."});
    let receiver = json!({"receiver_thread_id": "thread-2"});
    for (tag, rest, title) in [
        (
            "collab_agent_interaction_begin",
            receiver.clone(),
            "send_input",
        ),
        ("collab_agent_spawn_begin", json!({}), "spawn_agent"),
        ("collab_close_begin", receiver.clone(), "close_agent"),
        ("collab_resume_begin", receiver.clone(), "resume_agent"),
        (
            "collab_waiting_begin",
            json!({"receiver_thread_ids": []}),
            "wait",
        ),
    ] {
        let begin = with(with(json!({"type": tag}), call.clone()), rest);
        let started = json!({"itemType": "collab_agent_tool_call", "status": "inProgress",
            "title": title, "data": begin});
        assert_eq!(one(&begin), ("item.started".to_owned(), started));
    }
    for (status, expected, detail) in [
        (
            json!({"completed": "Seven."}),
            json!("completed"),
            json!("Seven."),
        ),
        (json!("running"), json!("completed"), Value::Null),
        (json!("not_found"), json!("failed"), Value::Null),
        (json!({"errored": "sunk"}), json!("failed"), json!("sunk")),
        (json!("adrift"), Value::Null, Value::Null),
    ] {
        for tag in [
            "collab_agent_interaction_end",
            "collab_close_end",
            "collab_resume_end",
        ] {
            let end = with(with(json!({"type": tag}), call.clone()), receiver.clone());
            let (event_type, payload) = one(&with(end, json!({"status": status})));
            assert_eq!(event_type, "item.completed");
            assert_eq!(
                (&payload["status"], &payload["detail"]),
                (&expected, &detail),
                "{status}"
            );
        }
    }
    let spawn = with(
        json!({"type": "collab_agent_spawn_end", "status": "pending_init"}),
        call.clone(),
    );
    assert_eq!(one(&spawn).1["status"], "failed");
    let spawned = with(spawn, json!({"new_thread_id": "thread-2"}));
    assert_eq!(one(&spawned).1["status"], "completed");
    for (statuses, expected) in [
        (json!({}), json!("completed")),
        (
            json!({"a": "running", "b": {"completed": null}}),
            json!("completed"),
        ),
        (json!({"a": "adrift", "b": "running"}), Value::Null),
        (json!({"a": "not_found", "b": "adrift"}), json!("failed")),
        (
            json!({"a": "adrift", "b": "not_found", "c": "running"}),
            json!("failed"),
        ),
    ] {
        let end = json!({"type": "collab_waiting_end", "call_id": "c",
            "sender_thread_id": "thread-1", "statuses": statuses});
        assert_eq!(one(&end).1["status"], expected, "{statuses}");
    }
}

#[test]
fn images_and_searches_are_items() {
    let image = |status: &str| {
        json!({"type": "image_generation_end", "call_id": "c", "result": "",
        "status": status, "revised_prompt": "a lamp"})
    };
    let search = json!({"type": "web_search_end", "call_id": "c", "query": "tides",
        "action": {"type": "search", "query": "tides"}});
    for (message, event_type, expected) in [
        (
            json!({"type": "image_generation_begin", "call_id": "c"}),
            "item.started",
            json!(["image_view", "inProgress", null]),
        ),
        (
            image("completed"),
            "item.completed",
            json!(["image_view", "completed", "a lamp"]),
        ),
        (
            image("failed"),
            "item.completed",
            json!(["image_view", "failed", "a lamp"]),
        ),
        (
            image("blurred"),
            "item.completed",
            json!(["image_view", null, "a lamp"]),
        ),
        (
            json!({"type": "view_image_tool_call", "call_id": "c", "path": "/a.png"}),
            "item.completed",
            json!(["image_view", "completed", "/a.png"]),
        ),
        (
            json!({"type": "web_search_begin", "call_id": "c"}),
            "item.started",
            json!(["web_search", "inProgress", null]),
        ),
        (
            search,
            "item.completed",
            json!(["web_search", "completed", "tides"]),
        ),
    ] {
        let (told, payload) = one(&message);
        assert_eq!(told, event_type);
        assert_eq!(
            json!([payload["itemType"], payload["status"], payload["title"]]),
            expected
        );
        assert_eq!(payload["data"], message);
        assert_eq!(refs_of(&message)[0].item.as_deref(), Some("c"));
    }
    let part = json!({"type": "agent_reasoning_section_break", "item_id": "r", "summary_index": 1});
    let expected = json!({"itemType": "reasoning", "data": {"summary_index": 1}});
    assert_eq!(one(&part), ("item.updated".to_owned(), expected));
}
