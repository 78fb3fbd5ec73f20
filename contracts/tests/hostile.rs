//! What a hostile or damaged stream must not do: lose the line, end the run, or hide a failure.
#![allow(clippy::unwrap_used)]
#![cfg(feature = "codex")]

use agentwire::codex::{CodexRollout, CodexSession};
use agentwire::session::{Direction, Outcome, Verdict};

fn live(line: &str) -> Outcome {
    let mut session = CodexSession::new();
    session.push(Direction::FromAgent, line.as_bytes());
    session.push(Direction::FromAgent, b"\n");
    session.next_outcome().unwrap()
}

fn stored(payloads: &[&str]) -> Vec<Outcome> {
    let mut rollout = CodexRollout::new();
    for payload in payloads {
        let line = format!(r#"{{"timestamp":5,"type":"event_msg","payload":{payload}}}"#);
        rollout.push(line.as_bytes());
        rollout.push(b"\n");
    }
    rollout.outcomes().collect()
}

/// The state of the last turn that ended.
fn ended(payloads: &[&str]) -> String {
    let outcomes = stored(payloads);
    let events = outcomes.iter().flat_map(|outcome| &outcome.events);
    let mut texts = events.map(|event| event.to_json().unwrap());
    let last = texts
        .rfind(|text| text.contains(r#""turn.completed""#))
        .unwrap();
    let event: serde_json::Value = serde_json::from_str(&last).unwrap();
    event["payload"]["state"].as_str().unwrap().to_owned()
}

#[test]
fn a_message_without_params_is_an_event_that_can_be_written() {
    for method in ["account/updated", "authStatusChange"] {
        let outcome = live(&format!(r#"{{"method":"{method}"}}"#));
        assert_eq!(outcome.events.len(), 1, "{method}");
        assert!(
            outcome.events[0]
                .to_json()
                .unwrap()
                .contains(r#""account":null"#)
        );
    }
}

#[test]
fn a_token_stays_in_the_raw_message() {
    let outcome =
        live(r#"{"method":"authStatusChange","params":{"authMethod":"x","authToken":"S"}}"#);
    let event: serde_json::Value =
        serde_json::from_str(&outcome.events[0].to_json().unwrap()).unwrap();
    assert_eq!(
        event["payload"]["account"],
        serde_json::json!({"authMethod": "x"})
    );
    assert_eq!(event["raw"]["payload"]["params"]["authToken"], "S");
}

#[test]
fn many_values_that_do_not_decode_are_replaced_by_the_last() {
    let many = r#""threadId":7,"#.repeat(20_000);
    let line = format!(
        r#"{{"method":"turn/diff/updated","params":{{"turnId":"u","diff":"",{many}"threadId":"t"}}}}"#
    );
    assert_eq!(live(&line).verdict, Verdict::Mapped);
}

#[test]
fn a_failed_turn_of_a_stored_session_is_failed() {
    const STARTED: &str = r#"{"type":"task_started","turn_id":"A"}"#;
    const ERROR: &str = r#"{"type":"error","message":"boom","codex_error_info":"other"}"#;
    const ENDED: &str = r#"{"type":"task_complete","turn_id":"A","last_agent_message":null}"#;
    assert_eq!(ended(&[STARTED, ENDED]), "completed");
    assert_eq!(ended(&[STARTED, ERROR, ENDED]), "failed");
    // The start was not seen; the error can't be read.
    assert_eq!(ended(&[ERROR, ENDED]), "failed");
    // A turn is over when the next one begins, and its own end, which comes later, overturns nothing.
    let other = r#"{"type":"task_started","turn_id":"B"}"#;
    assert_eq!(ended(&[STARTED, ERROR, other, ENDED]), "interrupted");
    assert_eq!(
        ended(&[STARTED, r#"{"type":"error","message":7}"#, ENDED]),
        "failed"
    );
}

#[test]
fn json_that_is_no_record_is_loud() {
    let mut rollout = CodexRollout::new();
    rollout.push(b"{\"type\":\"event_msg\"}\n");
    let outcome = rollout.next_outcome().unwrap();
    assert!(matches!(&outcome.verdict, Verdict::Malformed { path, .. } if path == "payload"));
    assert_eq!(outcome.events.len(), 1);
}
