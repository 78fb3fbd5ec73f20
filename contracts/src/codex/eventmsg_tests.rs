//! The older event protocol: small messages through decoding, placing and mapping.

#![allow(clippy::unwrap_used, clippy::panic)]

use std::sync::Arc;

use serde_json::{Value, json};

use crate::codex::turn_memory::Carrier;
use crate::generated::codex::eventmsg::{EventMsg, ROWS, map, refs};
use crate::json::decode;
use crate::ledger::{Draft, Refs};
use crate::mapping::{Cx, Fate, RowVerb};

use super::CodexMapping;

/// The carrier of a rollout file about `thread-1`.
pub(in crate::codex) fn rollout() -> Carrier {
    Carrier::Rollout { thread: Some(Arc::from("thread-1")) }
}

/// Decodes, places and maps one message, as a reader does.
pub(in crate::codex) fn run(
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
fn events(message: &Value) -> Vec<(String, Value)> {
    let (drafts, _) = run(&mut CodexMapping::new(), &rollout(), message);
    drafts.iter().map(event).collect()
}

fn event(draft: &Draft) -> (String, Value) {
    let event = serde_json::to_value(&draft.payload).unwrap();
    (event["type"].as_str().unwrap().to_owned(), event["payload"].clone())
}

/// The only event of a message.
fn one(message: &Value) -> (String, Value) {
    let mut events = events(message);
    assert_eq!(events.len(), 1, "{message}");
    events.remove(0)
}

/// The refs of each event of a message in a rollout.
fn refs_of(message: &Value) -> Vec<Refs> {
    let (drafts, _) = run(&mut CodexMapping::new(), &rollout(), message);
    drafts.into_iter().map(|draft| draft.refs).collect()
}

/// A message with further members.
fn with(mut message: Value, members: Value) -> Value {
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
        (json!({"type": "agent_message", "message": "Ahoy."}), "assistant_message", "Ahoy."),
        (json!({"type": "user_message", "message": "Set sail."}), "user_message", "Set sail."),
        (json!({"type": "agent_reasoning", "text": "**Tides**"}), "reasoning", "**Tides**"),
        (json!({"type": "agent_reasoning_raw_content", "text": "ebb"}), "reasoning", "ebb"),
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
        (json!({"type": "agent_message_delta", "delta": "x"}), json!(["assistant_text", "x"]), None),
        (typed("agent_message_content_delta"), json!(["assistant_text", "x"]), Some("i")),
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
            with(typed("reasoning_content_delta"), json!({"summary_index": 3})),
            json!(["reasoning_summary_text", "x", null, 3]),
            Some("i"),
        ),
        (
            with(typed("reasoning_raw_content_delta"), json!({"content_index": 4})),
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
        for (index, name) in ["streamKind", "delta", "contentIndex", "summaryIndex"].iter().enumerate()
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
        assert_eq!((event_type.as_str(), &payload["status"]), ("item.completed", &expected));
        assert_eq!(payload["detail"], "out");
    }
    let silent = with(end("completed"), json!({"aggregated_output": ""}));
    assert_eq!(one(&silent).1["detail"], "shown");
    let typed = json!({"type": "terminal_interaction", "call_id": "c", "process_id": "1",
        "stdin": "y\n"});
    let (event_type, payload) = one(&typed);
    assert_eq!((event_type.as_str(), &payload["detail"]), ("item.updated", &json!("y\n")));
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
        assert_eq!((event_type.as_str(), &payload["status"]), ("item.completed", &expected));
        assert_eq!(payload["detail"], "done");
    }
}

#[test]
fn calls_on_mcp_servers_end_as_their_result_says() {
    let begin = json!({"type": "mcp_tool_call_begin", "call_id": "c",
        "invocation": {"server": "harbour", "tool": "post", "arguments": {}}});
    let (event_type, payload) = one(&begin);
    assert_eq!((event_type.as_str(), &payload["title"]), ("item.started", &json!("harbour/post")));
    for (result, status, detail) in [
        (json!({"Ok": {"content": []}}), json!("completed"), Value::Null),
        (json!({"Ok": {"content": [], "isError": true}}), json!("failed"), Value::Null),
        (json!({"Err": "no wind"}), json!("failed"), json!("no wind")),
        (json!({"Maybe": 1}), Value::Null, Value::Null),
    ] {
        let rest = json!({"type": "mcp_tool_call_end", "duration": {"secs": 0, "nanos": 0},
            "result": result});
        let (event_type, payload) = one(&with(begin.clone(), rest));
        assert_eq!(event_type, "item.completed");
        assert_eq!((&payload["status"], &payload["detail"]), (&status, &detail), "{result}");
        assert_eq!(payload["itemType"], "mcp_tool_call");
    }
}

#[test]
fn calls_about_other_agents_end_by_the_worst_status() {
    let call = json!({"call_id": "c", "sender_thread_id": "thread-1", "prompt": "Count."});
    let receiver = json!({"receiver_thread_id": "thread-2"});
    for (tag, rest, title) in [
        ("collab_agent_interaction_begin", receiver.clone(), "send_input"),
        ("collab_agent_spawn_begin", json!({}), "spawn_agent"),
        ("collab_close_begin", receiver.clone(), "close_agent"),
        ("collab_resume_begin", receiver.clone(), "resume_agent"),
        ("collab_waiting_begin", json!({"receiver_thread_ids": []}), "wait"),
    ] {
        let begin = with(with(json!({"type": tag}), call.clone()), rest);
        let started = json!({"itemType": "collab_agent_tool_call", "status": "inProgress",
            "title": title, "data": begin});
        assert_eq!(one(&begin), ("item.started".to_owned(), started));
    }
    for (status, expected, detail) in [
        (json!({"completed": "Seven."}), json!("completed"), json!("Seven.")),
        (json!("running"), json!("completed"), Value::Null),
        (json!("not_found"), json!("failed"), Value::Null),
        (json!({"errored": "sunk"}), json!("failed"), json!("sunk")),
        (json!("adrift"), Value::Null, Value::Null),
    ] {
        for tag in ["collab_agent_interaction_end", "collab_close_end", "collab_resume_end"] {
            let end = with(with(json!({"type": tag}), call.clone()), receiver.clone());
            let (event_type, payload) = one(&with(end, json!({"status": status})));
            assert_eq!(event_type, "item.completed");
            assert_eq!((&payload["status"], &payload["detail"]), (&expected, &detail), "{status}");
        }
    }
    let spawn = with(json!({"type": "collab_agent_spawn_end", "status": "pending_init"}), call.clone());
    assert_eq!(one(&spawn).1["status"], "failed");
    let spawned = with(spawn, json!({"new_thread_id": "thread-2"}));
    assert_eq!(one(&spawned).1["status"], "completed");
    for (statuses, expected) in [
        (json!({}), json!("completed")),
        (json!({"a": "running", "b": {"completed": null}}), json!("completed")),
        (json!({"a": "adrift", "b": "running"}), Value::Null),
        (json!({"a": "adrift", "b": "not_found", "c": "running"}), json!("failed")),
    ] {
        let end = json!({"type": "collab_waiting_end", "call_id": "c",
            "sender_thread_id": "thread-1", "statuses": statuses});
        assert_eq!(one(&end).1["status"], expected, "{statuses}");
    }
}

#[test]
fn requests_carry_their_id_and_their_question() {
    let exec = json!({"type": "exec_approval_request", "call_id": "c", "turn_id": "turn-1",
        "command": ["rm", "-r", "nets"], "cwd": "/w", "parsed_cmd": []});
    let patch = json!({"type": "apply_patch_approval_request", "call_id": "c",
        "changes": {"/a": {"type": "add", "content": ""}}});
    let elicited = json!({"type": "elicitation_request", "server_name": "harbour", "id": 7,
        "message": "Open\nthe pass."});
    let link = json!({"type": "elicitation_request", "server_name": "harbour", "id": "x",
        "request": {"mode": "url", "message": "Look", "url": "http://a", "elicitation_id": "e"}});
    let wider = json!({"type": "request_permissions", "call_id": "c", "permissions": {},
        "reason": "to write"});
    for (message, request_type, request, detail, item) in [
        (exec.clone(), "exec_command_approval", "c", "rm -r nets", Some("c")),
        (
            with(exec, json!({"approval_id": "a", "reason": "it is old"})),
            "exec_command_approval",
            "a",
            "it is old",
            Some("c"),
        ),
        (patch, "apply_patch_approval", "c", "/a", Some("c")),
        (elicited, "mcp_elicitation", "harbour/7", "Open the pass.", None),
        (link, "mcp_elicitation", "harbour/x", "Look http://a", None),
        (wider, "permissions_approval", "c", "to write", Some("c")),
    ] {
        let expected = json!({"requestType": request_type, "detail": detail, "args": message});
        assert_eq!(one(&message), ("request.opened".to_owned(), expected));
        let refs = refs_of(&message).remove(0);
        assert_eq!(refs.request.as_deref(), Some(request));
        assert_eq!(refs.item.as_deref(), item);
    }
    let questions = json!([{"id": "q", "header": "h", "question": "Which pier?", "extra": 1}]);
    let asked = json!({"type": "request_user_input", "call_id": "c", "questions": questions});
    let expected = json!({"questions": questions});
    assert_eq!(one(&asked), ("user-input.requested".to_owned(), expected));
    assert_eq!(refs_of(&asked)[0].request.as_deref(), Some("c"));
}

#[test]
fn calls_of_client_tools_are_items_and_requests() {
    let call = json!({"type": "dynamic_tool_call_request", "callId": "c", "turnId": "turn-1",
        "tool": "lighthouse", "arguments": {"colour": "red"}});
    let item = json!({"itemType": "dynamic_tool_call", "status": "inProgress",
        "title": "lighthouse", "data": call});
    let request = json!({"requestType": "dynamic_tool_call", "detail": "lighthouse", "args": call});
    let expected =
        [("item.started".to_owned(), item), ("request.opened".to_owned(), request)];
    assert_eq!(events(&call), expected);
    let refs = refs_of(&call);
    assert_eq!((refs[0].item.as_deref(), &refs[0].request), (Some("c"), &None));
    assert_eq!(refs[0].turn.as_deref(), Some("turn-1"));
    assert_eq!(refs[1].request.as_deref(), Some("c"));
    for (success, status) in [(true, "completed"), (false, "failed")] {
        let answer = json!({"type": "dynamic_tool_call_response", "call_id": "c",
            "turn_id": "turn-1", "tool": "lighthouse", "arguments": {}, "content_items": [],
            "success": success, "error": "dark", "duration": {"secs": 0, "nanos": 0}});
        let item = json!({"itemType": "dynamic_tool_call", "status": status,
            "title": "lighthouse", "detail": "dark", "data": answer});
        let resolved = json!({"requestType": "dynamic_tool_call", "resolution": answer});
        let expected =
            [("item.completed".to_owned(), item), ("request.resolved".to_owned(), resolved)];
        assert_eq!(events(&answer), expected);
        assert_eq!(refs_of(&answer)[1].request.as_deref(), Some("c"));
    }
}

#[test]
fn errors_have_a_class_and_say_whether_the_agent_retries() {
    let lost = json!({"response_stream_disconnected": {"http_status_code": null}});
    for (info, class) in [
        (lost.clone(), "transport_error"),
        (json!("usage_limit_exceeded"), "usage_limit"),
        (json!("kraken"), "unknown"),
        (Value::Null, "unknown"),
    ] {
        let error = json!({"type": "error", "message": "no", "codex_error_info": info});
        let expected = json!({"message": "no", "class": class,
            "detail": {"willRetry": false, "codexErrorInfo": info}});
        assert_eq!(one(&error), ("runtime.error".to_owned(), expected));
    }
    let retried = json!({"type": "stream_error", "message": "again", "codex_error_info": lost,
        "additional_details": "cut"});
    let expected = json!({"message": "again", "class": "transport_error", "detail":
        {"willRetry": true, "codexErrorInfo": lost, "additionalDetails": "cut"}});
    assert_eq!(one(&retried), ("runtime.error".to_owned(), expected));
}

#[test]
fn notices_are_copied() {
    for (message, event_type, payload) in [
        (
            json!({"type": "background_event", "message": "hm"}),
            "runtime.warning",
            json!({"message": "hm"}),
        ),
        (json!({"type": "warning", "message": "hm"}), "runtime.warning", json!({"message": "hm"})),
        (
            json!({"type": "deprecation_notice", "summary": "old", "details": "use new"}),
            "deprecation.notice",
            json!({"summary": "old", "details": "use new"}),
        ),
        (
            json!({"type": "model_reroute", "from_model": "a", "to_model": "b", "reason": "fog"}),
            "model.rerouted",
            json!({"fromModel": "a", "toModel": "b", "reason": "fog"}),
        ),
        (
            json!({"type": "turn_diff", "unified_diff": "+a"}),
            "turn.diff.updated",
            json!({"unifiedDiff": "+a"}),
        ),
        (
            json!({"type": "turn_aborted", "turn_id": "t", "reason": "mutiny"}),
            "turn.aborted",
            json!({"reason": "mutiny"}),
        ),
    ] {
        assert_eq!(one(&message), (event_type.to_owned(), payload));
    }
    for message in [
        json!({"type": "mcp_startup_complete", "ready": ["a"], "failed": [], "cancelled": []}),
        json!({"type": "mcp_startup_update", "server": "a", "status": {"state": "starting"}}),
        json!({"type": "mcp_list_tools_response", "auth_statuses": {}, "resource_templates": {},
            "resources": {}, "tools": {}}),
    ] {
        assert_eq!(one(&message), ("mcp.status.updated".to_owned(), json!({"status": message})));
    }
}

#[test]
fn steps_that_cannot_be_read_are_not_done() {
    let plan = json!([{"step": "a", "status": "completed"}, {"step": "b", "status": "in_progress"},
        {"step": "c", "status": "pending"}, {"step": "d", "status": "abandoned"}]);
    let told = json!([{"step": "a", "status": "completed"}, {"step": "b", "status": "inProgress"},
        {"step": "c", "status": "pending"}, {"step": "d", "status": "pending"}]);
    let update = json!({"type": "plan_update", "plan": plan});
    let expected = json!({"plan": told});
    assert_eq!(one(&update), ("turn.plan.updated".to_owned(), expected.clone()));
    let null = json!({"explanation": null});
    assert_eq!(one(&with(update, null.clone())).1, with(expected, null));
}

#[test]
fn threads_change_state_and_metadata() {
    let word = |state: &str, detail: Value| json!({"state": state, "detail": detail});
    for (message, expected) in [
        (json!({"type": "context_compacted"}), word("compacted", json!({"compacted": true}))),
        (json!({"type": "shutdown_complete"}), word("closed", json!({"closed": true}))),
        (
            json!({"type": "thread_rolled_back", "num_turns": 2}),
            word("idle", json!({"rolledBack": true, "numTurns": 2})),
        ),
        (json!({"type": "undo_started"}), word("active", json!({"undoing": true}))),
        (
            json!({"type": "undo_completed", "success": true, "message": "back"}),
            word("idle", json!({"undone": true, "message": "back"})),
        ),
        (
            json!({"type": "undo_completed", "success": false}),
            word("error", json!({"undone": false})),
        ),
    ] {
        assert_eq!(one(&message), ("thread.state.changed".to_owned(), expected));
    }
    for (message, expected) in [
        (
            json!({"type": "thread_name_updated", "thread_id": "t", "thread_name": "lamp"}),
            json!({"name": "lamp"}),
        ),
        (
            json!({"type": "thread_name_updated", "thread_id": "t", "thread_name": null}),
            json!({"metadata": {"name": null}}),
        ),
        (
            json!({"type": "thread_goal_updated", "threadId": "t", "goal": {"objective": "o"}}),
            json!({"metadata": {"goal": {"objective": "o"}}}),
        ),
        (
            json!({"type": "thread_settings_applied", "thread_id": "t",
                "thread_settings": {"model": "m", "new": 1}}),
            json!({"metadata": {"settings": {"model": "m", "new": 1}}}),
        ),
    ] {
        assert_eq!(one(&message), ("thread.metadata.updated".to_owned(), expected));
    }
}

#[test]
fn token_counts_tell_only_what_they_hold() {
    let counts = json!({"cached_input_tokens": 1, "input_tokens": 2, "output_tokens": 3,
        "reasoning_output_tokens": 0, "total_tokens": 5});
    let info = json!({"last_token_usage": counts, "total_token_usage": counts, "more": 1});
    let limits = json!({"limit_id": "codex", "primary": null});
    let usage = ("thread.token-usage.updated".to_owned(), json!({"usage": info}));
    let rates = ("account.rate-limits.updated".to_owned(), json!({"rateLimits": limits}));
    for (info, limits, expected) in [
        (info.clone(), limits.clone(), vec![usage.clone(), rates.clone()]),
        (Value::Null, limits, vec![rates]),
        (info, Value::Null, vec![usage]),
        (Value::Null, Value::Null, vec![]),
    ] {
        let message = json!({"type": "token_count", "info": info, "rate_limits": limits});
        assert_eq!(events(&message), expected);
    }
}

#[test]
fn settings_of_the_session_are_told_by_name() {
    for (message, expected) in [
        (json!({"type": "skills_update_available"}), json!({"skillsChanged": true})),
        (json!({"type": "list_skills_response", "skills": []}), json!({"skills": []})),
        (
            json!({"type": "list_custom_prompts_response", "custom_prompts": []}),
            json!({"customPrompts": []}),
        ),
        (
            json!({"type": "remote_skill_downloaded", "id": "1", "name": "n", "path": "/p"}),
            json!({"remoteSkill": {"id": "1", "name": "n", "path": "/p"}}),
        ),
    ] {
        assert_eq!(one(&message), ("session.configured".to_owned(), json!({"config": expected})));
    }
    let config = json!({"approval_policy": "never", "cwd": "/w", "history_entry_count": 0,
        "history_log_id": 0, "model": "m", "model_provider_id": "p", "rollout_path": "/r",
        "sandbox_policy": {"type": "danger-full-access"}, "new_setting": [1]});
    let head = json!({"type": "session_configured", "session_id": "thread-9",
        "initial_messages": [{"type": "context_compacted"}]});
    let message = with(config.clone(), head);
    let expected = [
        ("thread.started".to_owned(), json!({"providerThreadId": "thread-9"})),
        ("session.configured".to_owned(), json!({"config": config})),
    ];
    assert_eq!(events(&message), expected);
    for refs in refs_of(&message) {
        assert_eq!(refs.thread.as_deref(), Some("thread-9"));
    }
}

#[test]
fn realtime_sessions_are_told_by_kind() {
    let audio = json!({"data": "AA==", "num_channels": 1, "sample_rate": 8000, "new": 1});
    let added = json!({"ConversationItemAdded": {"id": "r"}});
    for (payload, event_type, expected) in [
        (json!({"AudioOut": audio}), "thread.realtime.audio.delta", json!({"audio": audio})),
        (json!({"Error": "static"}), "thread.realtime.error", json!({"message": "static"})),
        (added.clone(), "thread.realtime.item-added", json!({"item": added})),
        (json!({"Tide": 1}), "thread.realtime.item-added", json!({"item": {"Tide": 1}})),
    ] {
        let message = json!({"type": "realtime_conversation_realtime", "payload": payload});
        assert_eq!(one(&message), (event_type.to_owned(), expected));
        assert_eq!(refs_of(&message)[0].item, None);
    }
    let started = json!({"type": "realtime_conversation_started", "session_id": "s"});
    let expected = json!({"realtimeSessionId": "s"});
    assert_eq!(one(&started), ("thread.realtime.started".to_owned(), expected));
    let closed = json!({"type": "realtime_conversation_closed", "reason": "requested"});
    let expected = json!({"reason": "requested"});
    assert_eq!(one(&closed), ("thread.realtime.closed".to_owned(), expected));
}

#[test]
fn images_and_searches_are_items() {
    let image = |status: &str| json!({"type": "image_generation_end", "call_id": "c", "result": "",
        "status": status, "revised_prompt": "a lamp"});
    let search = json!({"type": "web_search_end", "call_id": "c", "query": "tides",
        "action": {"type": "search", "query": "tides"}});
    for (message, event_type, expected) in [
        (
            json!({"type": "image_generation_begin", "call_id": "c"}),
            "item.started",
            json!(["image_view", "inProgress", null]),
        ),
        (image("completed"), "item.completed", json!(["image_view", "completed", "a lamp"])),
        (image("failed"), "item.completed", json!(["image_view", "failed", "a lamp"])),
        (image("blurred"), "item.completed", json!(["image_view", null, "a lamp"])),
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
        (search, "item.completed", json!(["web_search", "completed", "tides"])),
    ] {
        let (told, payload) = one(&message);
        assert_eq!(told, event_type);
        assert_eq!(json!([payload["itemType"], payload["status"], payload["title"]]), expected);
        assert_eq!(payload["data"], message);
        assert_eq!(refs_of(&message)[0].item.as_deref(), Some("c"));
    }
    let part = json!({"type": "agent_reasoning_section_break", "item_id": "r", "summary_index": 1});
    let expected = json!({"itemType": "reasoning", "data": {"summary_index": 1}});
    assert_eq!(one(&part), ("item.updated".to_owned(), expected));
}

#[test]
fn what_is_not_known_or_not_wanted_says_so() {
    let mut mapping = CodexMapping::new();
    let unknown = json!({"type": "sea_serpent", "length": 3});
    let (drafts, fate) = run(&mut mapping, &rollout(), &unknown);
    assert_eq!(fate, Fate::Unrecognized);
    assert_eq!(event(&drafts[0]).0, "runtime.warning");
    assert_eq!(event(&drafts[0]).1["detail"], unknown);
    assert!(!drafts[0].refs.minted);
    let history = json!({"type": "get_history_entry_response", "log_id": 1, "offset": 0});
    let (drafts, fate) = run(&mut mapping, &rollout(), &history);
    assert_eq!((drafts, fate), (vec![], Fate::Dropped("answers the caller")));
    let drops = ROWS.iter().filter(|row| matches!(row.verb, RowVerb::Drop(_)));
    assert_eq!(drops.count(), 3);
}
