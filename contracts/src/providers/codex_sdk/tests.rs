//! Runs of `codex exec --json`, line by line.

#![allow(clippy::unwrap_used, clippy::panic)]

use serde_json::Value;

use super::CodexSdkSession;
use crate::canonical::RuntimeEvent;
use crate::kit::frame::Limits;
use crate::kit::session::{Direction, Outcome, Verdict};
use crate::kit::sources::{SequentialIds, WireClock};

fn session() -> CodexSdkSession {
    CodexSdkSession::with_sources(
        SequentialIds::new(),
        WireClock::default(),
        Limits::default(),
    )
}

fn outcomes(lines: &[&str]) -> Vec<Outcome> {
    let mut session = session();
    for line in lines {
        session.push(Direction::FromAgent, line.as_bytes());
        session.push(Direction::FromAgent, b"\n");
    }
    session.finish();
    session.outcomes().collect()
}

fn events(lines: &[&str]) -> Vec<RuntimeEvent> {
    outcomes(lines)
        .into_iter()
        .flat_map(|outcome| outcome.events)
        .collect()
}

fn types(events: &[RuntimeEvent]) -> Vec<&'static str> {
    events.iter().map(|it| it.event_type().as_str()).collect()
}

fn tree(event: &RuntimeEvent) -> Value {
    serde_json::to_value(event).unwrap()
}

const STARTED: &str = r#"{"type":"thread.started","thread_id":"t"}"#;
const TURN: &str = r#"{"type":"turn.started"}"#;
const SAID: &str = r#"{"type":"item.completed","item":{"id":"item_0","type":"agent_message","text":"The lamp is lit."}}"#;
const DONE: &str = r#"{"type":"turn.completed","usage":{"input_tokens":9,"cached_input_tokens":0,"output_tokens":2}}"#;

#[test]
fn a_run_is_a_turn_of_its_thread() {
    let events = events(&[STARTED, TURN, SAID, DONE]);
    assert_eq!(
        types(&events),
        [
            "thread.started",
            "turn.started",
            "item.started",
            "item.completed",
            "turn.completed"
        ]
    );
    for event in &events[1..] {
        assert_eq!(event.thread_id, events[0].thread_id);
        assert_eq!(event.turn_id, events[1].turn_id);
    }
    let refs = tree(&events[3])["providerRefs"].clone();
    assert_eq!(refs["providerItemId"], "item_0");
    assert_eq!(refs["providerThreadId"], "t");
    assert_eq!(refs.get("providerTurnId"), None, "the wire names no turns");
}

#[test]
fn tokens_of_a_turn_are_the_total_of_its_thread() {
    let event = tree(events(&[STARTED, TURN, DONE]).last().unwrap());
    assert_eq!(event["payload"]["usage"]["total"]["input_tokens"], 9);
    assert_eq!(event["payload"]["usage"].get("input_tokens"), None);
}

#[test]
fn each_run_numbers_its_items_anew() {
    let events = events(&[STARTED, TURN, SAID, DONE, STARTED, TURN, SAID, DONE]);
    let ended: Vec<Value> = events
        .iter()
        .map(tree)
        .filter(|event| event["type"] == "item.completed")
        .collect();
    let [first, second] = &ended[..] else {
        panic!("{ended:#?}")
    };
    assert_eq!(first["threadId"], second["threadId"]);
    assert_ne!(first["itemId"], second["itemId"]);
    assert_ne!(first["turnId"], second["turnId"]);
    for event in [first, second] {
        assert_eq!(event["providerRefs"]["providerItemId"], "item_0");
    }
}

#[test]
fn an_error_ends_no_turn() {
    let events = events(&[
        STARTED,
        TURN,
        r#"{"type":"error","message":"Again... 1/1 (unexpected status 503 x)"}"#,
        DONE,
    ]);
    assert_eq!(types(&events)[2..], ["runtime.error", "turn.completed"]);
    assert_eq!(events[2].turn_id, events[3].turn_id);
    assert_eq!(tree(&events[2])["payload"]["class"], "provider_error");
    assert_eq!(tree(&events[3])["payload"]["state"], "completed");
}

#[test]
fn a_turn_that_failed_says_what_and_ends() {
    let events = events(&[
        STARTED,
        TURN,
        r#"{"type":"turn.failed","error":{"message":"the usage limit is reached"}}"#,
    ]);
    assert_eq!(types(&events)[2..], ["runtime.error", "turn.completed"]);
    let [error, end] = [&events[2], &events[3]].map(|event| tree(event)["payload"].clone());
    assert_eq!(error["class"], "usage_limit");
    assert_eq!(end["state"], "failed");
    assert_eq!(end["errorMessage"], "the usage limit is reached");
}

#[test]
fn an_end_that_cannot_be_read_is_an_end() {
    for (line, state) in [
        (r#"{"type":"turn.failed","error":7}"#, "failed"),
        (r#"{"type":"turn.completed","usage":[]}"#, "completed"),
    ] {
        let outcomes = outcomes(&[STARTED, TURN, line, TURN]);
        let [.., broken, next] = &outcomes[..] else {
            panic!("{outcomes:#?}")
        };
        assert!(matches!(broken.verdict, Verdict::Malformed { .. }));
        assert_eq!(types(&broken.events), ["runtime.error", "turn.completed"]);
        assert_eq!(tree(&broken.events[1])["payload"]["state"], state);
        assert_ne!(next.events[0].turn_id, broken.events[1].turn_id);
    }
}

#[test]
fn a_turn_that_is_told_to_begin_twice_begins_once() {
    let outcomes = outcomes(&[STARTED, TURN, TURN, DONE]);
    assert_eq!(outcomes[2].verdict, Verdict::Told("an earlier message"));
    assert_eq!(outcomes[1].events[0].turn_id, outcomes[3].events[0].turn_id);
}

#[test]
fn what_runs_has_no_value_yet() {
    for item in [
        r#""type":"command_execution","command":"ls","aggregated_output":"","exit_code":null"#,
        r#""type":"mcp_tool_call","server":"s","tool":"t","arguments":{},"result":null,"error":null"#,
        r#""type":"file_change","changes":[]"#,
        r#""type":"collab_tool_call","tool":"wait","sender_thread_id":"t","receiver_thread_ids":[],"prompt":null,"agents_states":{}"#,
    ] {
        let line = format!(
            r#"{{"type":"item.started","item":{{"id":"i",{item},"status":"in_progress"}}}}"#
        );
        let outcomes = outcomes(&[&line]);
        assert_eq!(outcomes[0].oddities, [], "{line}");
        assert_eq!(types(&outcomes[0].events), ["item.started"]);
        let event = tree(&outcomes[0].events[0]);
        assert_eq!(event["payload"]["status"], "inProgress", "{line}");
    }
}

#[test]
fn a_status_or_type_that_no_version_has_is_no_success() {
    for item in [
        r#""type":"command_execution","command":"ls","aggregated_output":"","status":"aurora""#,
        r#""type":"aurora","status":"completed""#,
    ] {
        let line = format!(r#"{{"type":"item.completed","item":{{"id":"i",{item}}}}}"#);
        let outcomes = outcomes(&[&line]);
        assert_eq!(outcomes[0].oddities.len(), 1, "{outcomes:#?}");
        let event = tree(outcomes[0].events.last().unwrap());
        assert_eq!(event["type"], "item.completed");
        assert_eq!(event["providerRefs"]["providerItemId"], "i");
        assert_eq!(event["payload"].get("status"), None, "{line}");
    }
}

#[test]
fn what_an_item_holds_says_more_than_its_status() {
    for (item, status) in [
        (
            r#""type":"command_execution","command":"ls","aggregated_output":"","exit_code":3,"status":"completed""#,
            Some("failed"),
        ),
        (
            r#""type":"command_execution","command":"ls","aggregated_output":"","exit_code":0,"status":"completed""#,
            Some("completed"),
        ),
        (
            r#""type":"command_execution","command":"ls","aggregated_output":"","exit_code":null,"status":"in_progress""#,
            None,
        ),
        (
            r#""type":"mcp_tool_call","server":"s","tool":"t","arguments":{},"result":null,"error":{"message":"m"},"status":"completed""#,
            Some("failed"),
        ),
    ] {
        let line = format!(r#"{{"type":"item.completed","item":{{"id":"i",{item}}}}}"#);
        let outcomes = outcomes(&[&line]);
        let event = tree(outcomes[0].events.last().unwrap());
        assert_eq!(event["type"], "item.completed");
        let told = event["payload"].get("status").and_then(|it| it.as_str());
        assert_eq!(told, status, "{line}");
    }
}

fn list(kind: &str, done: [bool; 2]) -> String {
    let [first, second] = done;
    format!(
        r#"{{"type":"item.{kind}","item":{{"id":"i","type":"todo_list","items":[{{"text":"Light","completed":{first}}},{{"text":"Sail","completed":{second}}}]}}}}"#
    )
}

#[test]
fn a_list_of_todos_is_the_plan_and_told_when_it_changes() {
    let lines = [
        list("started", [false, false]),
        list("updated", [true, false]),
        list("updated", [true, false]),
        list("completed", [true, false]),
    ];
    let mut told: Vec<&str> = vec![STARTED, TURN];
    told.extend(lines.iter().map(String::as_str));
    told.extend([DONE, TURN]);
    told.push(&lines[3]);
    let outcomes = outcomes(&told);
    let types: Vec<Vec<&str>> = outcomes[2..].iter().map(|it| types(&it.events)).collect();
    assert_eq!(
        types,
        [
            vec!["item.started", "turn.plan.updated"],
            vec!["item.updated", "turn.plan.updated"],
            vec!["item.updated"],
            vec!["item.completed"],
            vec!["turn.completed"],
            vec!["turn.started"],
            // Another turn, and what it told is not known to those who read it alone.
            vec!["turn.plan.updated", "item.updated"],
        ]
    );
    let plan = tree(&outcomes[3].events[1]);
    assert_eq!(plan["itemId"], tree(&outcomes[3].events[0])["itemId"]);
    let steps = &plan["payload"]["plan"];
    assert_eq!(steps[0]["status"], "completed");
    assert_eq!(steps[1]["status"], "pending");
    assert_eq!(steps[1]["step"], "Sail");
}

#[test]
fn an_unknown_type_is_a_warning_where_it_belongs() {
    let outcomes = outcomes(&[STARTED, TURN, r#"{"type":"aurora.lit","x":1}"#, DONE]);
    assert_eq!(outcomes[2].verdict, Verdict::Unrecognized);
    assert_eq!(types(&outcomes[2].events), ["runtime.warning"]);
    assert_eq!(outcomes[2].events[0].turn_id, outcomes[3].events[0].turn_id);
}

#[test]
fn what_the_host_writes_is_its_own_affair() {
    let mut session = session();
    session.push(Direction::ToAgent, b"Light the lamp.\n{not json\n");
    let outcomes: Vec<Outcome> = session.outcomes().collect();
    assert_eq!(outcomes.len(), 2);
    for outcome in outcomes {
        assert_eq!(outcome.verdict, Verdict::Noted);
    }
}

#[test]
fn what_a_run_leaves_open_ends_when_the_next_turn_begins() {
    const COMMAND: &str = r#"{"type":"item.started","item":{"id":"item_0","type":"command_execution","command":"ls","aggregated_output":"","exit_code":null,"status":"in_progress"}}"#;
    let events = events(&[STARTED, TURN, COMMAND, STARTED, TURN]);
    let told = types(&events);
    let first = told.iter().position(|it| *it == "item.completed").unwrap();
    assert_eq!(
        told.get(first..),
        Some(&["item.completed", "turn.completed", "turn.started"][..]),
        "{told:?}"
    );
    let member = |at: usize, name: &str| tree(&events[at])["payload"][name].clone();
    assert_eq!(member(first, "status"), "failed");
    assert_eq!(member(first + 1, "state"), "interrupted");
}
