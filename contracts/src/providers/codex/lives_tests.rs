//! The lives of what a session tells: what an end closes, and what comes after one.

#![allow(clippy::unwrap_used, clippy::panic)]

use super::{CodexRollout, CodexSession};
use crate::canonical::{ExitKind, RuntimeEvent, SessionExited};
use crate::kit::frame::Limits;
use crate::kit::session::Direction;
use crate::kit::sources::{SequentialIds, WireClock};

const TURN: &str = r#"{"method":"turn/started","params":{"threadId":"t","turn":{"id":"u","items":[],"itemsView":"notLoaded","status":"inProgress","error":null}}}"#;
const COMMAND: &str = r#"{"method":"item/started","params":{"item":{"type":"commandExecution","id":"i","command":"ls","cwd":"/w","source":"agent","status":"inProgress","commandActions":[]},"threadId":"t","turnId":"u","startedAtMs":1}}"#;
const QUESTION: &str = r#"{"method":"item/tool/requestUserInput","id":5,"params":{"threadId":"t","turnId":"u","itemId":"i","questions":[{"id":"q","header":"h","question":"?","isOther":false,"isSecret":false,"options":null}]}}"#;
const CALL: &str = r#"{"method":"item/tool/call","id":6,"params":{"threadId":"t","turnId":"u","callId":"c","tool":"look","arguments":{}}}"#;

fn turn_end(status: &str) -> String {
    format!(
        r#"{{"method":"turn/completed","params":{{"threadId":"t","turn":{{"id":"u","items":[],"itemsView":"notLoaded","status":"{status}","error":null}}}}}}"#
    )
}

fn command_end(status: &str) -> String {
    COMMAND
        .replace("item/started", "item/completed")
        .replace("inProgress", status)
        .replace("startedAtMs", "completedAtMs")
}

fn text_start(id: &str) -> String {
    format!(
        r#"{{"method":"item/started","params":{{"item":{{"type":"agentMessage","id":"{id}","text":""}},"threadId":"t","turnId":"u","startedAtMs":1}}}}"#
    )
}

fn delta(id: &str) -> String {
    format!(
        r#"{{"method":"item/agentMessage/delta","params":{{"threadId":"t","turnId":"u","itemId":"{id}","delta":"The lamp"}}}}"#
    )
}

/// Each event in a few words: its type, and how something ended or what it asks for.
fn told(events: &[RuntimeEvent]) -> Vec<String> {
    let words = events.iter().map(|event| {
        let payload = serde_json::to_value(&event.payload).unwrap();
        let member = |name: &str| payload["payload"][name].as_str().map(str::to_owned);
        let more = ["status", "state", "decision", "itemType", "requestType"];
        let more = more.into_iter().find_map(member).unwrap_or_default();
        let name = event.provider_refs.as_ref();
        let name = name.and_then(|refs| refs.provider_item_id.as_ref());
        let name = name
            .map(|id| format!("{} ", id.as_str()))
            .unwrap_or_default();
        format!("{name}{} {more}", payload["type"].as_str().unwrap())
            .trim()
            .to_owned()
    });
    words.collect()
}

fn live(lines: &[&str]) -> (CodexSession, Vec<RuntimeEvent>) {
    let mut session = CodexSession::with_sources(
        SequentialIds::new(),
        WireClock::default(),
        Limits::default(),
    );
    for line in lines {
        session.push(Direction::FromAgent, line.as_bytes());
        session.push(Direction::FromAgent, b"\n");
    }
    let events = session.outcomes().flat_map(|outcome| outcome.events);
    let events = events.collect();
    (session, events)
}

fn exited() -> SessionExited {
    SessionExited {
        exit_kind: Some(ExitKind::Error),
        ..SessionExited::default()
    }
}

#[test]
fn what_is_open_ends_with_its_thread() {
    let closed = r#"{"method":"thread/closed","params":{"threadId":"t"}}"#;
    let (mut session, events) = live(&[TURN, COMMAND, QUESTION, closed]);
    let told = told(&events);
    assert_eq!(told.last().unwrap(), "thread.state.changed closed");
    for end in [
        "i item.completed failed",
        "i request.resolved cancel",
        "i user-input.resolved",
        "turn.completed interrupted",
    ] {
        assert_eq!(told.iter().filter(|it| *it == end).count(), 1, "{told:?}");
    }
    assert_eq!(self::told(&session.exited(exited())), ["session.exited"]);
}

#[test]
fn what_nobody_answered_ends_with_its_turn() {
    let end = turn_end("interrupted");
    let (mut session, events) = live(&[TURN, QUESTION, CALL, &end]);
    let told = told(&events);
    assert_eq!(told.last().unwrap(), "turn.completed interrupted");
    for resolved in ["request.resolved cancel", "user-input.resolved"] {
        let asked = resolved.replace("resolved cancel", "opened");
        let asked = asked.replace("resolved", "requested");
        let count = |what: &str| told.iter().filter(|it| it.contains(what)).count();
        assert!(count(&asked) > 0, "{told:?}");
        assert_eq!(count(resolved), count(&asked), "{told:?}");
    }
    assert_eq!(self::told(&session.exited(exited())), ["session.exited"]);
}

#[test]
fn a_question_is_answered_when_the_program_is_gone() {
    let (mut session, _) = live(&[TURN, QUESTION]);
    let told = told(&session.exited(exited()));
    for end in [
        "request.resolved cancel",
        "user-input.resolved",
        "turn.completed failed",
    ] {
        assert_eq!(
            told.iter().filter(|it| it.contains(end)).count(),
            1,
            "{told:?}"
        );
    }
    assert_eq!(told.last().unwrap(), "session.exited");
}

#[test]
fn a_turn_ends_once() {
    let (_, events) = live(&[TURN, &turn_end("failed"), &turn_end("completed")]);
    let told = told(&events);
    let ends: Vec<_> = told
        .iter()
        .filter(|it| it.starts_with("turn.completed"))
        .collect();
    assert_eq!(ends, ["turn.completed failed"]);
}

#[test]
fn an_end_that_goes_on_is_none() {
    let (_, events) = live(&[
        TURN,
        COMMAND,
        &command_end("inProgress"),
        &command_end("completed"),
    ]);
    let told = told(&events);
    let ends: Vec<_> = told
        .iter()
        .filter(|it| it.contains("item.completed"))
        .collect();
    assert_eq!(ends, ["i item.completed completed"], "{told:?}");
}

#[test]
fn nothing_flows_into_what_ended() {
    let text = text_start("m");
    let end = text
        .replace("item/started", "item/completed")
        .replace("startedAtMs", "completedAtMs");
    let (_, events) = live(&[TURN, &text, &delta("m"), &end, &delta("m")]);
    let told = told(&events);
    assert_eq!(
        told.iter()
            .filter(|it| it.contains("content.delta"))
            .count(),
        1,
        "{told:?}"
    );
    assert_eq!(told.last().unwrap(), "m item.completed completed");
}

#[test]
fn a_request_names_an_item_that_is_there() {
    let (_, events) = live(&[TURN, CALL]);
    let told = told(&events);
    let at = |what: &str| told.iter().position(|it| it.contains(what)).unwrap();
    assert!(at("c item.started") < at("c request.opened"), "{told:?}");
}

#[test]
fn a_text_that_a_retry_cut_ends_with_its_turn() {
    let last = text_start("n")
        .replace("item/started", "item/completed")
        .replace("startedAtMs", "completedAtMs");
    let end = turn_end("completed");
    let lines = [
        TURN,
        &text_start("m"),
        &delta("m"),
        &text_start("n"),
        &last,
        &end,
    ];
    let told = told(&live(&lines).1);
    let ends: Vec<_> = told
        .iter()
        .filter(|it| it.contains("item.completed"))
        .collect();
    assert_eq!(
        ends,
        ["n item.completed completed", "m item.completed failed"],
        "{told:?}"
    );
    assert_eq!(told.last().unwrap(), "turn.completed completed");
}

#[test]
fn a_command_may_end_after_a_turn_that_completed() {
    let (_, events) = live(&[
        TURN,
        COMMAND,
        &turn_end("completed"),
        &command_end("completed"),
    ]);
    assert_eq!(told(&events).last().unwrap(), "i item.completed completed");
}

#[test]
fn the_next_turn_of_a_stored_session_ends_the_one_before() {
    let record = |payload: &str| {
        format!(
            r#"{{"timestamp":"2026-01-01T00:00:00.000Z","type":"event_msg","payload":{payload}}}"#
        )
    };
    let mut rollout = CodexRollout::with_sources(
        SequentialIds::new(),
        WireClock::default(),
        Limits::default(),
    );
    for turn in ["u", "v"] {
        let started =
            format!(r#"{{"type":"task_started","turn_id":"{turn}","model_context_window":null}}"#);
        rollout.push(record(&started).as_bytes());
        rollout.push(b"\n");
    }
    let events: Vec<RuntimeEvent> = rollout
        .outcomes()
        .flat_map(|outcome| outcome.events)
        .collect();
    let told: Vec<String> = told(&events);
    assert_eq!(
        told,
        ["turn.started", "turn.completed interrupted", "turn.started"]
    );
}

#[test]
fn a_list_without_a_message_is_told() {
    for line in ["[]", "[[]]", "[1,2]"] {
        let mut session = CodexSession::new();
        session.push(Direction::FromAgent, line.as_bytes());
        session.push(Direction::FromAgent, b"\n");
        assert!(session.next_outcome().is_some(), "{line}");
    }
}
