//! Messages whose tag is known and whose body does not decode: loud, and the stream goes on.

use agentwire::session::{Outcome, Verdict};
use serde_json::{Value, json};

use super::given;
use crate::support::replay::{Dialogue, assert_raw, event_types, rollout, tree};

/// The path and the problem of a message that does not decode; what it must tell is checked.
fn loud(outcome: &Outcome, line: &str, method: &str) -> (String, String) {
    let Verdict::Malformed { path, message } = &outcome.verdict else {
        panic!("{line}: {:?}", outcome.verdict);
    };
    assert_eq!(outcome.tag.as_deref(), Some(method), "{line}");
    assert_eq!(event_types(outcome)[0], "runtime.error", "{line}");
    assert_raw(outcome, line);
    let event = tree(&outcome.events[0]);
    let payload = &event["payload"];
    assert_eq!(payload["class"], "validation_error");
    for part in [method, path, message] {
        assert!(
            payload["message"].as_str().unwrap().contains(part),
            "{payload}"
        );
    }
    assert_eq!(payload["detail"]["method"], method);
    assert_eq!(payload["detail"]["path"], Value::from(path.as_str()));
    assert_eq!(payload["detail"]["problem"], Value::from(message.as_str()));
    (path.clone(), message.clone())
}

#[test]
fn malformed_known() {
    let line = given("malformed-known");
    let mut dialogue = Dialogue::new();
    let outcome = dialogue.told(&line);
    let (path, message) = loud(&outcome, &line, "item/agentMessage/delta");
    assert_eq!(
        (path.as_str(), message.as_str()),
        ("params.threadId", "expected string, found number")
    );
    dialogue.goes_on();
}

#[test]
fn malformed_places_are_named() {
    let cases = [
        (
            r#"{"method":"item/agentMessage/delta","params":{"threadId":"t","turnId":"u","itemId":"i"}}"#,
            "params.delta",
            "missing member `delta`",
        ),
        (
            r#"{"method":"item/agentMessage/delta","params":{"threadId":"t","turnId":"u","itemId":"i","delta":null}}"#,
            "params.delta",
            "expected string, found null",
        ),
        (
            r#"{"method":"item/agentMessage/delta","params":[]}"#,
            "params",
            "expected object, found array",
        ),
        (
            r#"{"method":"item/agentMessage/delta"}"#,
            "params",
            "missing member `params`",
        ),
        (
            r#"{"method":"turn/plan/updated","params":{"threadId":"t","turnId":"u","plan":[{"step":"a","status":"pending"},{"step":["b"],"status":"pending"}]}}"#,
            "params.plan[1].step",
            "expected string, found array",
        ),
        (
            r#"{"method":"item/started","params":{"threadId":"t","turnId":"u","item":{"type":"userMessage","id":"i","content":[{"type":"text","text":"a"},{"type":"text","text":false}]}}}"#,
            "params.item.content[1].text",
            "expected string, found boolean",
        ),
        (
            r#"{"method":"item/started","params":{"threadId":"t","turnId":"u","item":{"id":"i"}}}"#,
            "params.item.type",
            "missing member `type`",
        ),
        (
            r#"{"method":"turn/started","params":{"threadId":"t","turn":{"id":"u","items":{},"status":"inProgress"}}}"#,
            "params.turn.items",
            "expected array, found object",
        ),
        (
            r#"{"emittedAtMs":"soon","method":"turn/diff/updated","params":{"threadId":"t","turnId":"u","diff":""}}"#,
            "emittedAtMs",
            "expected integer, found string",
        ),
    ];
    let mut dialogue = Dialogue::new();
    for (line, path, message) in cases {
        let outcome = dialogue.told(line);
        let method = serde_json::from_str::<Value>(line).unwrap()["method"]
            .as_str()
            .unwrap()
            .to_owned();
        assert_eq!(
            loud(&outcome, line, &method),
            (path.to_owned(), message.to_owned()),
            "{line}"
        );
        dialogue.goes_on();
    }
}

#[test]
fn what_is_malformed_mints_no_ids() {
    let outcome = Dialogue::new().told(
        r#"{"method":"item/agentMessage/delta","params":{"threadId":"t","turnId":7,"itemId":"i"}}"#,
    );
    let event = tree(&outcome.events[0]);
    assert_eq!(
        event["providerRefs"],
        json!({"providerThreadId": "t", "providerItemId": "i"})
    );
    assert_eq!((event.get("threadId"), event.get("itemId")), (None, None));
}

#[test]
fn malformed_messages_of_the_older_protocol() {
    let cases = [
        (
            r#"{"method":"codex/event/agent_message_delta","params":{"id":"u","conversationId":"t","msg":{"type":"warning","message":7}}}"#,
            "warning",
            "params.msg.message",
        ),
        (
            r#"{"method":"codex/event/warning","params":{"id":"u","conversationId":"t","msg":{"type":7}}}"#,
            "codex/event/warning",
            "params.msg.type",
        ),
        (
            r#"{"method":"codex/event/warning","params":{"id":"u","msg":{}}}"#,
            "codex/event/warning",
            "params.msg.type",
        ),
        (
            r#"{"method":"codex/event/warning","params":{"id":"u"}}"#,
            "codex/event/warning",
            "params.msg",
        ),
        (
            r#"{"method":"codex/event/warning"}"#,
            "codex/event/warning",
            "",
        ),
    ];
    let mut dialogue = Dialogue::new();
    for (line, tag, path) in cases {
        let outcome = dialogue.told(line);
        assert_eq!(loud(&outcome, line, tag).0, path, "{line}");
        dialogue.goes_on();
    }
}

#[test]
fn a_malformed_record_of_a_session_file() {
    let bad = r#"{"timestamp":"2026-11-29T20:00:00.000Z","type":"event_msg","payload":{"type":"agent_message","message":{}}}"#;
    let good = r#"{"timestamp":"2026-11-29T20:00:01.000Z","type":"event_msg","payload":{"type":"agent_message","message":"m"}}"#;
    let mut file = rollout();
    file.push(format!("{bad}\n{good}\n").as_bytes());
    let outcomes: Vec<_> = file.outcomes().collect();
    assert_eq!(
        loud(&outcomes[0], bad, "agent_message").0,
        "payload.message"
    );
    assert_eq!(outcomes[1].verdict, Verdict::Mapped);
}

#[test]
fn a_malformed_reply_names_the_request_that_it_answers() {
    let mut dialogue = Dialogue::new();
    dialogue.said(r#"{"id":4,"method":"turn/start","params":{"threadId":"t","input":[]}}"#);
    let line = r#"{"id":4,"result":{"turn":{"id":"u","items":[],"status":5}}}"#;
    let outcome = dialogue.told(line);
    assert_eq!(loud(&outcome, line, "turn/start").0, "result.turn.status");
    dialogue.goes_on();
}

#[test]
fn a_malformed_request_is_told_and_stays_unanswered() {
    let mut dialogue = Dialogue::new();
    let line = r#"{"id":3,"method":"item/fileChange/requestApproval","params":{"threadId":"t","turnId":"u","itemId":[]}}"#;
    let outcome = dialogue.told(line);
    assert_eq!(
        loud(&outcome, line, "item/fileChange/requestApproval").0,
        "params.itemId"
    );
    assert_eq!(event_types(&outcome), ["runtime.error", "request.opened"]);
    let opened = tree(&outcome.events[1]);
    assert_eq!(opened["payload"]["requestType"], "unknown");
    assert_eq!(opened["providerRefs"]["providerRequestId"], "3");
    assert!(opened["requestId"].is_string());
    dialogue.goes_on();
}

#[test]
fn a_malformed_error_is_told() {
    let mut dialogue = Dialogue::new();
    dialogue.said(r#"{"id":4,"method":"turn/start","params":{"threadId":"t","input":[]}}"#);
    for (line, path) in [
        (
            r#"{"error":{"code":"many","message":"m"},"id":4}"#,
            "error.code",
        ),
        (r#"{"error":"broken","id":5}"#, "error"),
    ] {
        let outcome = dialogue.told(line);
        let Verdict::Malformed { path: found, .. } = &outcome.verdict else {
            panic!("{outcome:?}")
        };
        assert_eq!(found, path);
        assert_raw(&outcome, line);
        dialogue.goes_on();
    }
}
