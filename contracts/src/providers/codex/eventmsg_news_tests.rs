//! Requests, errors and news of the older event protocol.

#![allow(clippy::unwrap_used, clippy::panic)]

use serde_json::{Value, json};

use super::CodexMapping;
use super::tests::{event, events, one, refs_of, rollout, run, with};
use crate::kit::mapping::{Fate, RowVerb};
use crate::providers::codex::wire::eventmsg::ROWS;

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
        (
            exec.clone(),
            "exec_command_approval",
            "c",
            "rm -r nets",
            Some("c"),
        ),
        (
            with(exec, json!({"approval_id": "a", "reason": "it is old"})),
            "exec_command_approval",
            "a",
            "it is old",
            Some("c"),
        ),
        (patch, "apply_patch_approval", "c", "/a", Some("c")),
        (
            elicited,
            "mcp_elicitation",
            "harbour/7",
            "Open the pass.",
            None,
        ),
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
    let expected = [
        ("item.started".to_owned(), item),
        ("request.opened".to_owned(), request),
    ];
    assert_eq!(events(&call), expected);
    let refs = refs_of(&call);
    assert_eq!(
        (refs[0].item.as_deref(), &refs[0].request),
        (Some("c"), &None)
    );
    assert_eq!(refs[0].turn.as_deref(), Some("turn-1"));
    assert_eq!(refs[1].request.as_deref(), Some("c"));
    for (success, status) in [(true, "completed"), (false, "failed")] {
        let answer = json!({"type": "dynamic_tool_call_response", "call_id": "c",
            "turn_id": "turn-1", "tool": "lighthouse", "arguments": {}, "content_items": [],
            "success": success, "error": "dark", "duration": {"secs": 0, "nanos": 0}});
        let item = json!({"itemType": "dynamic_tool_call", "status": status,
            "title": "lighthouse", "detail": "dark", "data": answer});
        let resolved = json!({"requestType": "dynamic_tool_call", "resolution": answer});
        let expected = [
            ("item.completed".to_owned(), item),
            ("request.resolved".to_owned(), resolved),
        ];
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
        (
            json!({"type": "warning", "message": "hm"}),
            "runtime.warning",
            json!({"message": "hm"}),
        ),
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
        assert_eq!(
            one(&message),
            ("mcp.status.updated".to_owned(), json!({"status": message}))
        );
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
    assert_eq!(
        one(&update),
        ("turn.plan.updated".to_owned(), expected.clone())
    );
    let null = json!({"explanation": null});
    assert_eq!(one(&with(update, null.clone())).1, with(expected, null));
}

#[test]
fn threads_change_state_and_metadata() {
    let word = |state: &str, detail: Value| json!({"state": state, "detail": detail});
    for (message, expected) in [
        (
            json!({"type": "context_compacted"}),
            word("compacted", json!({"compacted": true})),
        ),
        (
            json!({"type": "shutdown_complete"}),
            word("closed", json!({"closed": true})),
        ),
        (
            json!({"type": "thread_rolled_back", "num_turns": 2}),
            word("idle", json!({"rolledBack": true, "numTurns": 2})),
        ),
        (
            json!({"type": "undo_started"}),
            word("active", json!({"undoing": true})),
        ),
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
        assert_eq!(
            one(&message),
            ("thread.metadata.updated".to_owned(), expected)
        );
    }
}

#[test]
fn token_counts_tell_only_what_they_hold() {
    let counts = json!({"cached_input_tokens": 1, "input_tokens": 2, "output_tokens": 3,
        "reasoning_output_tokens": 0, "total_tokens": 5});
    let info = json!({"last_token_usage": counts, "total_token_usage": counts, "more": 1});
    let limits = json!({"limit_id": "codex", "primary": null});
    let usage = (
        "thread.token-usage.updated".to_owned(),
        json!({"usage": info}),
    );
    let rates = (
        "account.rate-limits.updated".to_owned(),
        json!({"rateLimits": limits}),
    );
    for (info, limits, expected) in [
        (
            info.clone(),
            limits.clone(),
            vec![usage.clone(), rates.clone()],
        ),
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
        (
            json!({"type": "skills_update_available"}),
            json!({"skillsChanged": true}),
        ),
        (
            json!({"type": "list_skills_response", "skills": []}),
            json!({"skills": []}),
        ),
        (
            json!({"type": "list_custom_prompts_response", "custom_prompts": []}),
            json!({"customPrompts": []}),
        ),
        (
            json!({"type": "remote_skill_downloaded", "id": "1", "name": "n", "path": "/p"}),
            json!({"remoteSkill": {"id": "1", "name": "n", "path": "/p"}}),
        ),
    ] {
        assert_eq!(
            one(&message),
            ("session.configured".to_owned(), json!({"config": expected}))
        );
    }
    let config = json!({"approval_policy": "never", "cwd": "/w", "history_entry_count": 0,
        "history_log_id": 0, "model": "m", "model_provider_id": "p", "rollout_path": "/r",
        "sandbox_policy": {"type": "danger-full-access"}, "new_setting": [1]});
    let head = json!({"type": "session_configured", "session_id": "thread-9",
        "initial_messages": [{"type": "context_compacted"}]});
    let message = with(config.clone(), head);
    let expected = [
        (
            "thread.started".to_owned(),
            json!({"providerThreadId": "thread-9"}),
        ),
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
        (
            json!({"AudioOut": audio}),
            "thread.realtime.audio.delta",
            json!({"audio": audio}),
        ),
        (
            json!({"Error": "static"}),
            "thread.realtime.error",
            json!({"message": "static"}),
        ),
        (
            added.clone(),
            "thread.realtime.item-added",
            json!({"item": added}),
        ),
        (
            json!({"Tide": 1}),
            "thread.realtime.item-added",
            json!({"item": {"Tide": 1}}),
        ),
    ] {
        let message = json!({"type": "realtime_conversation_realtime", "payload": payload});
        assert_eq!(one(&message), (event_type.to_owned(), expected));
        assert_eq!(refs_of(&message)[0].item, None);
    }
    let started = json!({"type": "realtime_conversation_started", "session_id": "s"});
    let expected = json!({"realtimeSessionId": "s"});
    assert_eq!(
        one(&started),
        ("thread.realtime.started".to_owned(), expected)
    );
    let closed = json!({"type": "realtime_conversation_closed", "reason": "requested"});
    let expected = json!({"reason": "requested"});
    assert_eq!(
        one(&closed),
        ("thread.realtime.closed".to_owned(), expected)
    );
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
    assert_eq!(
        (drafts, fate),
        (vec![], Fate::Dropped("answers the caller"))
    );
    let drops = ROWS
        .iter()
        .filter(|row| matches!(row.verb, RowVerb::Drop(_)));
    assert_eq!(drops.count(), 3);
}

#[test]
fn every_mapped_row_has_a_test_beside_it() {
    let tests = concat!(
        include_str!("eventmsg_tests.rs"),
        include_str!("eventmsg_news_tests.rs"),
        include_str!("turn_items_tests.rs"),
        include_str!("turn_memory_tests.rs"),
    );
    let mapped = ROWS
        .iter()
        .filter(|row| !matches!(row.verb, RowVerb::Drop(_)));
    for row in mapped.clone() {
        assert!(tests.contains(&format!("\"{}\"", row.tag)), "{}", row.tag);
    }
    assert_eq!(mapped.count(), 77);
}
