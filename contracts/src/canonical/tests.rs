//! The serde form of every event, against literal JSON.

#![allow(clippy::unwrap_used)]

use serde_json::{Value, json};

use super::*;
use crate::json::OwnedJson;

/// Each event type with its fullest payload and, where it differs, its smallest one.
const PAYLOADS: &[(&str, &str, &str)] = &[
    (
        "session.started",
        r#"{"message":"hi","resume":{"b":1,"a":[ 1.0,2e400 ]}}"#,
        "{}",
    ),
    (
        "session.configured",
        r#"{"config":{"model":"m","tools":[]}}"#,
        r#"{"config":{}}"#,
    ),
    (
        "session.state.changed",
        r#"{"state":"waiting","reason":"r","detail":"d"}"#,
        r#"{"state":"starting"}"#,
    ),
    (
        "session.exited",
        r#"{"reason":"r","recoverable":false,"exitKind":"graceful"}"#,
        "{}",
    ),
    ("thread.started", r#"{"providerThreadId":"p"}"#, "{}"),
    (
        "thread.state.changed",
        r#"{"state":"compacted","detail":null}"#,
        r#"{"state":"idle"}"#,
    ),
    (
        "thread.metadata.updated",
        r#"{"name":"n","metadata":{"goal":null}}"#,
        "{}",
    ),
    ("thread.token-usage.updated", r#"{"usage":{"total":1}}"#, ""),
    (
        "thread.realtime.started",
        r#"{"realtimeSessionId":"s"}"#,
        "{}",
    ),
    ("thread.realtime.item-added", r#"{"item":[]}"#, ""),
    ("thread.realtime.audio.delta", r#"{"audio":"AA=="}"#, ""),
    ("thread.realtime.error", r#"{"message":"m"}"#, ""),
    ("thread.realtime.closed", r#"{"reason":"r"}"#, "{}"),
    ("turn.started", r#"{"model":"m","effort":"high"}"#, "{}"),
    (
        "turn.completed",
        r#"{"state":"failed","stopReason":"end","usage":{"input":1},"modelUsage":{"m":{"cost":0.1}},"totalCostUsd":0.25,"errorMessage":"e"}"#,
        r#"{"state":"cancelled"}"#,
    ),
    (
        "turn.completed",
        r#"{"state":"interrupted","stopReason":null,"totalCostUsd":2}"#,
        "",
    ),
    ("turn.aborted", r#"{"reason":"r"}"#, ""),
    (
        "turn.plan.updated",
        r#"{"explanation":"e","plan":[{"step":"a","status":"pending"},{"step":"b","status":"inProgress"},{"step":"c","status":"completed"}]}"#,
        r#"{"plan":[]}"#,
    ),
    ("turn.plan.updated", r#"{"explanation":null,"plan":[]}"#, ""),
    (
        "turn.diff.updated",
        r#"{"unifiedDiff":"--- a\n+++ b\n"}"#,
        "",
    ),
    (
        "item.started",
        r#"{"itemType":"command_execution","status":"inProgress","title":"t","detail":"d","data":{"x":1}}"#,
        r#"{"itemType":"unknown"}"#,
    ),
    (
        "item.updated",
        r#"{"itemType":"mcp_tool_call","status":"failed","title":"t","detail":"d","data":0}"#,
        r#"{"itemType":"plan"}"#,
    ),
    (
        "item.completed",
        r#"{"itemType":"file_change","status":"declined","title":"t","detail":"d","data":false}"#,
        r#"{"itemType":"error"}"#,
    ),
    (
        "content.delta",
        r#"{"streamKind":"reasoning_summary_text","delta":"d","contentIndex":0,"summaryIndex":3}"#,
        r#"{"streamKind":"assistant_text","delta":""}"#,
    ),
    (
        "request.opened",
        r#"{"requestType":"apply_patch_approval","detail":"d","args":{"a":1}}"#,
        r#"{"requestType":"unknown"}"#,
    ),
    (
        "request.resolved",
        r#"{"requestType":"tool_user_input","decision":"acceptForSession","resolution":[1]}"#,
        r#"{"requestType":"dynamic_tool_call"}"#,
    ),
    ("user-input.requested", r#"{"questions":[{"id":"q"}]}"#, ""),
    ("user-input.resolved", r#"{"answers":{"q":["a"]}}"#, ""),
    (
        "task.started",
        r#"{"taskId":"t","description":"d","taskType":"shell"}"#,
        r#"{"taskId":"t"}"#,
    ),
    (
        "task.progress",
        r#"{"taskId":"t","description":"d","usage":{},"lastToolName":"n"}"#,
        r#"{"taskId":"t","description":"d"}"#,
    ),
    (
        "task.completed",
        r#"{"taskId":"t","status":"stopped","summary":"s","usage":null}"#,
        r#"{"taskId":"t","status":"failed"}"#,
    ),
    (
        "hook.started",
        r#"{"hookId":"h","hookName":"n","hookEvent":"e"}"#,
        "",
    ),
    (
        "hook.progress",
        r#"{"hookId":"h","output":"o","stdout":"so","stderr":"se"}"#,
        r#"{"hookId":"h"}"#,
    ),
    (
        "hook.completed",
        r#"{"hookId":"h","outcome":"cancelled","output":"o","stdout":"so","stderr":"se","exitCode":-1}"#,
        r#"{"hookId":"h","outcome":"success"}"#,
    ),
    (
        "tool.progress",
        r#"{"toolUseId":"u","toolName":"n","summary":"s","elapsedSeconds":1.5}"#,
        "{}",
    ),
    (
        "tool.summary",
        r#"{"summary":"s","precedingToolUseIds":["a","b"]}"#,
        r#"{"summary":"s"}"#,
    ),
    (
        "auth.status",
        r#"{"isAuthenticating":true,"output":["o"],"error":"e"}"#,
        "{}",
    ),
    ("account.updated", r#"{"account":{"mode":"key"}}"#, ""),
    (
        "account.rate-limits.updated",
        r#"{"rateLimits":{"used":1}}"#,
        "",
    ),
    ("mcp.status.updated", r#"{"status":{"name":"n"}}"#, ""),
    (
        "mcp.oauth.completed",
        r#"{"success":false,"name":"n","error":"e"}"#,
        r#"{"success":true}"#,
    ),
    (
        "model.rerouted",
        r#"{"fromModel":"a","toModel":"b","reason":"r"}"#,
        "",
    ),
    (
        "config.warning",
        r#"{"summary":"s","details":"d","path":"p","range":{"start":1}}"#,
        r#"{"summary":"s"}"#,
    ),
    (
        "deprecation.notice",
        r#"{"summary":"s","details":"d"}"#,
        r#"{"summary":"s"}"#,
    ),
    (
        "files.persisted",
        r#"{"files":[{"filename":"a","fileId":"1"}],"failed":[{"filename":"b","error":"e"}]}"#,
        r#"{"files":[]}"#,
    ),
    (
        "runtime.warning",
        r#"{"message":"m","detail":"d"}"#,
        r#"{"message":"m"}"#,
    ),
    (
        "runtime.error",
        r#"{"message":"m","class":"transport_error","detail":{}}"#,
        r#"{"message":"m"}"#,
    ),
];

const FULL: &str = concat!(
    r#"{"eventId":"event-1","provider":"codex","sessionId":"session-1","#,
    r#""createdAt":"2026-11-29T20:02:02.130Z","threadId":"thread-1","turnId":"turn-1","#,
    r#""itemId":"item-1","requestId":"request-1","providerRefs":{"providerSessionId":"s","#,
    r#""providerThreadId":"t","providerTurnId":"u","providerItemId":"i","providerRequestId":"7"},"#,
    r#""type":"@TYPE","payload":@PAYLOAD,"raw":{"source":"codex.eventmsg","method":"m","#,
    r#""messageType":"t","payload":{"b":1e400,"a":[ 1,1 ]}}}"#,
);

const SMALL: &str = concat!(
    r#"{"eventId":"event-1","provider":"amp","sessionId":"session-1","#,
    r#""createdAt":"1970-01-01T00:00:00.000Z","type":"@TYPE","payload":@PAYLOAD}"#,
);

fn line(envelope: &str, event_type: &str, payload: &str) -> String {
    envelope
        .replace("@TYPE", event_type)
        .replace("@PAYLOAD", payload)
}

#[test]
fn every_event_has_its_form_and_comes_back() {
    let mut seen = std::collections::BTreeSet::new();
    for (event_type, full, small) in PAYLOADS {
        for payload in [full, small]
            .into_iter()
            .filter(|payload| !payload.is_empty())
        {
            for envelope in [FULL, SMALL] {
                let text = line(envelope, event_type, payload);
                let event: RuntimeEvent = serde_json::from_str(&text).unwrap();
                // The members stand in the order of the declaration, and opaque values are kept
                // as they were written, so the whole text comes back.
                assert_eq!(event.to_json().unwrap(), text);
                assert_eq!(event.event_type().as_str(), *event_type);
                let form = format!(r#"{{"type":"{event_type}","payload":{payload}}}"#);
                assert_eq!(serde_json::to_string(&event.payload).unwrap(), form);
                assert_eq!(
                    serde_json::from_str::<EventPayload>(&form).unwrap(),
                    event.payload
                );
                seen.insert(event.event_type());
            }
        }
    }
    assert_eq!(seen.into_iter().collect::<Vec<_>>(), EventType::ALL);
}

#[test]
fn a_type_knows_its_name() {
    assert_eq!(EventType::ALL.len(), 45);
    assert_eq!(EventType::EXTENSIONS, &[]);
    assert_eq!(<TurnCompleted as CanonicalEvent>::TYPE, "turn.completed");
    let payload: EventPayload = ItemUpdated(ItemLifecycle::new(ItemType::Plan)).into();
    assert_eq!(payload.event_type(), EventType::ItemUpdated);
}

#[test]
fn unknown_members_are_ignored_and_the_order_is_free() {
    let text = r#"{
        "payload": { "new": 1, "plan": [{ "status": "pending", "step": "s", "x": {} }] },
        "raw": { "payload": [ 1 ], "source": "codex.eventmsg", "more": 1 },
        "providerRefs": { "providerNewId": "n" }, "later": [], "type": "turn.plan.updated",
        "createdAt": "1970-01-01T01:00:00+01:00", "sessionId": "s", "provider": "codex",
        "eventId": "e", "turnId": null }"#;
    let event: RuntimeEvent = serde_json::from_str(text).unwrap();
    let expected = json!({
        "eventId": "e", "provider": "codex", "sessionId": "s",
        "createdAt": "1970-01-01T00:00:00.000Z", "providerRefs": {}, "type": "turn.plan.updated",
        "payload": { "plan": [{ "step": "s", "status": "pending" }] },
        "raw": { "source": "codex.eventmsg", "payload": [1] },
    });
    let written: Value = serde_json::from_str(&event.to_json().unwrap()).unwrap();
    assert_eq!(written, expected);
    assert_eq!(
        serde_json::from_value::<RuntimeEvent>(written)
            .unwrap()
            .payload,
        event.payload
    );
}

#[test]
fn what_is_not_an_event_is_an_error() {
    for (event_type, payload) in [
        ("turn.begun", "{}"),
        ("turn.completed", "{}"),
        ("turn.completed", r#"{"state":"done"}"#),
        ("session.configured", r#"{"config":[]}"#),
    ] {
        let text = line(SMALL, event_type, payload);
        assert!(
            serde_json::from_str::<RuntimeEvent>(&text).is_err(),
            "{text}"
        );
    }
}

#[test]
fn numbers_are_written_as_javascript_writes_them() {
    for (number, text) in [(2.0, "2"), (-0.0, "0"), (0.1, "0.1"), (1e300, "1e+300")] {
        let progress = ToolProgress {
            elapsed_seconds: Some(number),
            ..Default::default()
        };
        let expected = format!(r#"{{"elapsedSeconds":{text}}}"#);
        assert_eq!(serde_json::to_string(&progress).unwrap(), expected);
    }
}

#[test]
fn every_enum_counts_its_values_and_reads_them_back() {
    macro_rules! check {
        ($($name:ident: $count:literal $(+ $extensions:literal)?;)+) => {$(
            let extensions: &[usize] = &[$($extensions)?];
            let added = extensions.first().copied().unwrap_or(0);
            assert_eq!($name::ALL.len(), $count + added, stringify!($name));
            assert_eq!($name::EXTENSIONS.len(), added, stringify!($name));
            assert!($name::EXTENSIONS.iter().all(|(_, reason)| !reason.is_empty()));
            for value in $name::ALL {
                assert_eq!($name::from_wire(value.as_str()), Some(*value));
                let text = serde_json::to_string(value).unwrap();
                assert_eq!(text, format!("{:?}", value.to_string()));
                assert_eq!(serde_json::from_str::<$name>(&text).unwrap(), *value);
            }
            assert_eq!($name::from_wire("no such value"), None);
            let error = serde_json::from_str::<$name>("\"no such value\"").unwrap_err();
            assert!(error.to_string().contains(stringify!($name)), "{error}");
        )+};
    }
    check! {
        EventType: 45;
        ProviderKind: 5;
        RawSource: 9 + 3;
        ItemType: 16;
        RequestType: 8 + 4;
        Decision: 6;
        SessionState: 6;
        ThreadState: 6;
        TurnState: 4;
        ContentStreamKind: 7;
        ItemStatus: 4;
        PlanStepStatus: 3;
        ErrorClass: 5 + 1;
        TaskStatus: 3;
        HookOutcome: 3;
        ExitKind: 2;
    }
}

#[test]
fn a_decision_that_has_no_word_is_kept() {
    let mut resolved = RequestResolved {
        request_type: RequestType::PermissionsApproval,
        decision: Some(Decision::TimedOut.into()),
        resolution: Some(OwnedJson::from_value(&json!({}))),
    };
    let text = r#"{"requestType":"permissions_approval","decision":"timedOut","resolution":{}}"#;
    assert_eq!(serde_json::to_string(&resolved).unwrap(), text);
    resolved.decision = Some("maybe".into());
    let text = serde_json::to_string(&resolved).unwrap();
    assert_eq!(
        serde_json::from_str::<RequestResolved>(&text).unwrap(),
        resolved
    );
    assert_eq!(Decision::from_wire("maybe"), None);
}
