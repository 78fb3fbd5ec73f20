//! What a host meets: connections that break, instances that go, requests that nobody answers, and
//! more sessions than are remembered.

#![allow(clippy::unwrap_used, clippy::panic)]

use serde_json::{Value, json};

use super::bench::{
    assistant, completed, delta, done, event, led, new_session, of_type, status, text, tool, tree,
    user,
};
use crate::kit::session::{Direction, Verdict};

fn asked(id: &str) -> Value {
    event(
        "permission.asked",
        json!({"id": id, "sessionID": "s", "permission": "bash", "patterns": ["ls"], "metadata": {},
            "always": [], "tool": {"messageID": "a", "callID": "c"}}),
    )
}

fn running() -> Value {
    tool(
        "t",
        "bash",
        json!({"status": "running", "input": {}, "time": {"start": 1}}),
    )
}

fn info(directory: &str) -> Value {
    json!({"id": "s", "slug": "lamp", "version": "1", "projectID": "p", "directory": directory,
        "title": "lamp", "time": {"created": 1, "updated": 1}})
}

/// The types and payloads that matter of all events.
fn told(events: &[Value], kinds: &[&str]) -> Vec<(String, Value)> {
    let events = led(events).into_iter().flat_map(|outcome| outcome.events);
    let trees = events.map(|event| tree(&event));
    let told = trees.map(|it| {
        (
            it["type"].as_str().unwrap().to_owned(),
            it["payload"].clone(),
        )
    });
    told.filter(|(kind, _)| kinds.contains(&kind.as_str()))
        .collect()
}

#[test]
fn each_session_of_a_server_is_read_however_many_there_are() {
    let mut events = Vec::new();
    for number in 0..1_500 {
        let id = format!("s{number}");
        for status in ["busy", "idle"] {
            events.push(event(
                "session.status",
                json!({"sessionID": id, "status": {"type": status}}),
            ));
        }
    }
    assert_eq!(of_type(&events, "turn.started").len(), 1_500);
    assert_eq!(of_type(&events, "turn.completed").len(), 1_500);
    // A turn that goes on is not forgotten for sessions that rest.
    events.insert(0, status("busy"));
    events.push(status("idle"));
    assert_eq!(of_type(&events, "turn.started").len(), 1_501);
    assert_eq!(of_type(&events, "turn.completed").len(), 1_501);
}

#[test]
fn what_waits_for_the_user_ends_with_its_turn() {
    let ends = |end: Value| {
        let begins = [
            user("u"),
            status("busy"),
            assistant("a", json!({})),
            running(),
        ];
        let replied = event(
            "permission.replied",
            json!({"sessionID": "s", "requestID": "r", "reply": "once"}),
        );
        let all: Vec<Value> = begins
            .into_iter()
            .chain([asked("r"), end, replied])
            .collect();
        told(
            &all,
            &["request.opened", "request.resolved", "turn.completed"],
        )
    };
    for end in [
        status("idle"),
        event(
            "session.deleted",
            json!({"sessionID": "s", "info": info("/w")}),
        ),
        event("global.disposed", json!({})),
        event("server.instance.disposed", json!({"directory": "/w"})),
    ] {
        let told = ends(end.clone());
        let types: Vec<&str> = told.iter().map(|(kind, _)| kind.as_str()).collect();
        assert_eq!(
            types,
            ["request.opened", "request.resolved", "turn.completed"],
            "{end}"
        );
        assert_eq!(told[1].1["decision"], "cancel");
        assert_eq!(told[1].1["requestType"], "command_execution_approval");
        assert_eq!(told[2].1["state"], "interrupted");
    }
}

#[test]
fn what_waits_in_another_session_goes_on() {
    let mut other = status("busy");
    other["properties"]["sessionID"] = json!("other");
    let mut idle = status("idle");
    idle["properties"]["sessionID"] = json!("other");
    let all = [user("u"), status("busy"), asked("r"), other, idle];
    assert_eq!(of_type(&all, "turn.completed").len(), 1);
    assert_eq!(of_type(&all, "request.resolved").len(), 0);
}

#[test]
fn an_instance_that_goes_ends_the_turns_in_its_folder_only() {
    for (directory, count) in [("/w", 1), ("/elsewhere", 0)] {
        let all = [
            event(
                "session.updated",
                json!({"sessionID": "s", "info": info("/w")}),
            ),
            user("u"),
            status("busy"),
            event("server.instance.disposed", json!({"directory": directory})),
        ];
        assert_eq!(of_type(&all, "turn.completed").len(), count, "{directory}");
    }
}

#[test]
fn a_command_without_a_code_was_killed() {
    let ends = |exit: Value| {
        let all = [
            user("u"),
            assistant("a", json!({})),
            tool("t", "bash", completed("", json!({"exit": exit}))),
        ];
        of_type(&all, "item.completed").pop().unwrap()["payload"]["status"].clone()
    };
    assert_eq!(ends(json!(0)), "completed");
    assert_eq!(ends(json!(0.0)), "completed");
    assert_eq!(ends(json!(3)), "failed");
    assert_eq!(ends(Value::Null), "failed");
    assert_eq!(ends(json!("aurora")), "failed");
}

#[test]
fn a_message_that_cannot_be_read_does_not_end_its_turn_well() {
    let unread = |more: Value| {
        let mut message = assistant("b", more);
        let info = message["properties"]["info"].as_object_mut().unwrap();
        info.remove("cost").unwrap();
        message
    };
    let state = |more: Value| {
        let all = [
            user("u"),
            status("busy"),
            assistant("a", json!({})),
            done("a", "tool-calls"),
            unread(more),
            status("idle"),
        ];
        let ends = of_type(&all, "turn.completed");
        assert_eq!(ends.len(), 1);
        ends[0]["payload"].clone()
    };
    let failed = state(json!({"error": {"name": "UnknownError", "data": {"message": "no lamp"}}}));
    assert_eq!(failed["state"], "failed");
    assert_eq!(failed["errorMessage"], "no lamp");
    let failed = state(json!({"error": 7}));
    assert_eq!(failed["state"], "failed");
    assert_eq!(state(json!({}))["state"], "interrupted");
    assert_eq!(state(json!({"finish": "length"}))["state"], "interrupted");
    assert_eq!(state(json!({"finish": "stop"}))["state"], "completed");
}

#[test]
fn a_message_in_several_lines_is_one_line() {
    let mut session = new_session();
    let stream =
        b"data: {\"type\":\"session.idle\",\ndata: \"properties\":{\"sessionID\":\"s\"}}\n\n";
    session.push(Direction::FromAgent, stream);
    let outcome = session.next_outcome().unwrap();
    assert_eq!(outcome.events.len(), 1);
    let line = outcome.events[0].to_json().unwrap();
    assert!(!line.contains('\n'), "{line}");
    let read: Value = serde_json::from_str(&line).unwrap();
    assert_eq!(read["raw"]["payload"]["type"], "session.idle");
}

#[test]
fn a_connection_that_broke_is_taken_up_again() {
    let mut session = new_session();
    let sent = |event: &Value| format!("data: {event}\n\n");
    let mut types: Vec<&str> = Vec::new();
    let mut verdicts = Vec::new();
    // The first connection tells nothing, the second breaks in the middle of an event.
    session.finish();
    let first = [
        user("u"),
        status("busy"),
        assistant("a", json!({})),
        delta("p", "It "),
    ];
    let mut first: String = first.iter().map(sent).collect();
    first.push_str("data: {\"type\":\"message.part.del");
    session.push(Direction::FromAgent, first.as_bytes());
    session.finish();
    // What was missed is asked for, and told in the form of events; then the stream goes on.
    let missed = [
        user("u"),
        assistant("a", json!({})),
        text("p", "It is lit.", true),
        done("a", "stop"),
        event("session.idle", json!({"sessionID": "s"})),
        event("server.connected", json!({})),
        user("v"),
    ];
    let missed: String = missed.iter().map(sent).collect();
    session.push(Direction::FromAgent, missed.as_bytes());
    let mut text = String::new();
    let mut turns = Vec::new();
    while let Some(outcome) = session.next_outcome() {
        verdicts.push(outcome.verdict);
        for event in &outcome.events {
            let event = tree(event);
            match event["type"].as_str().unwrap() {
                "content.delta" => text.push_str(event["payload"]["delta"].as_str().unwrap()),
                "turn.completed" => turns.push(event["payload"]["state"].clone()),
                _ => {}
            }
        }
        types.extend(outcome.events.iter().map(|it| it.event_type().as_str()));
    }
    let cut = verdicts
        .iter()
        .filter(|it| matches!(it, Verdict::NotJson { .. }));
    assert_eq!(cut.count(), 1);
    assert_eq!(text, "It is lit.");
    assert_eq!(turns, ["completed"]);
    let starts = types.iter().filter(|it| **it == "turn.started");
    assert_eq!(starts.count(), 2, "{types:?}");
}
