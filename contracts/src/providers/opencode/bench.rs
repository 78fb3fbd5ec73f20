//! A bench for tests: events of a server in short, and what becomes of them.

#![allow(clippy::unwrap_used, clippy::panic)]

use serde_json::{Value, json};

use super::OpenCodeSession;
use crate::canonical::RuntimeEvent;
use crate::kit::frame::Limits;
use crate::kit::session::{Direction, Outcome};
use crate::kit::sources::{SequentialIds, WireClock};

pub(super) fn new_session() -> OpenCodeSession {
    OpenCodeSession::with_sources(
        SequentialIds::new(),
        WireClock::default(),
        Limits::default(),
    )
}

/// The outcome of each event.
pub(super) fn led(events: &[Value]) -> Vec<Outcome> {
    let mut session = new_session();
    for event in events {
        session.push(Direction::FromAgent, event.to_string().as_bytes());
        session.push(Direction::FromAgent, b"\n");
    }
    session.finish();
    session.outcomes().collect()
}

pub(super) fn tree(event: &RuntimeEvent) -> Value {
    serde_json::to_value(event).unwrap()
}

/// The types and the trees of what the last event becomes.
pub(super) fn last(events: &[Value]) -> (Vec<&'static str>, Vec<Value>) {
    let outcome = led(events).pop().unwrap();
    let types = outcome.events.iter().map(|it| it.event_type().as_str());
    (types.collect(), outcome.events.iter().map(tree).collect())
}

/// All events of a stream, each with the types before it left out.
pub(super) fn of_type(events: &[Value], kind: &str) -> Vec<Value> {
    let told = led(events).into_iter().flat_map(|outcome| outcome.events);
    let trees = told.map(|event| tree(&event));
    trees.filter(|event| event["type"] == kind).collect()
}

pub(super) fn event(kind: &str, properties: Value) -> Value {
    json!({"type": kind, "properties": properties})
}

pub(super) fn user(id: &str) -> Value {
    event(
        "message.updated",
        json!({"sessionID": "s", "info": {"id": id, "sessionID": "s", "role": "user", "time": {"created": 1},
            "agent": "build", "model": {"providerID": "p", "modelID": "lamp-1"}}}),
    )
}

pub(super) fn assistant(id: &str, more: Value) -> Value {
    let mut info = json!({"id": id, "sessionID": "s", "role": "assistant", "parentID": "u",
        "mode": "build", "agent": "build", "path": {"cwd": "/w", "root": "/"}, "cost": 0,
        "tokens": {"input": 0, "output": 0, "reasoning": 0, "cache": {"read": 0, "write": 0}},
        "modelID": "lamp-1", "providerID": "p", "time": {"created": 2}});
    let members = more.as_object().unwrap().clone();
    info.as_object_mut().unwrap().extend(members);
    event("message.updated", json!({"sessionID": "s", "info": info}))
}

pub(super) fn done(id: &str, finish: &str) -> Value {
    assistant(
        id,
        json!({"time": {"created": 2, "completed": 3}, "finish": finish}),
    )
}

pub(super) fn part(part: Value) -> Value {
    let mut whole = json!({"sessionID": "s", "messageID": "a"});
    whole
        .as_object_mut()
        .unwrap()
        .extend(part.as_object().unwrap().clone());
    event(
        "message.part.updated",
        json!({"sessionID": "s", "part": whole, "time": 5}),
    )
}

pub(super) fn text(id: &str, text: &str, ended: bool) -> Value {
    let time = match ended {
        true => json!({"start": 1, "end": 2}),
        false => json!({"start": 1}),
    };
    part(json!({"id": id, "type": "text", "text": text, "time": time}))
}

pub(super) fn delta(id: &str, text: &str) -> Value {
    event(
        "message.part.delta",
        json!({"sessionID": "s", "messageID": "a", "partID": id, "field": "text", "delta": text}),
    )
}

pub(super) fn tool(id: &str, name: &str, state: Value) -> Value {
    part(json!({"id": id, "type": "tool", "tool": name, "callID": "c", "state": state}))
}

pub(super) fn completed(output: &str, metadata: Value) -> Value {
    json!({"status": "completed", "input": {"command": "ls"}, "output": output, "title": "ls",
        "metadata": metadata, "time": {"start": 1, "end": 2}})
}

pub(super) fn status(kind: &str) -> Value {
    event(
        "session.status",
        json!({"sessionID": "s", "status": {"type": kind}}),
    )
}

pub(super) fn error(name: &str) -> Value {
    event(
        "session.error",
        json!({"sessionID": "s", "error": {"name": name, "data": {"message": "no lamp"}}}),
    )
}

/// The end of a turn that these events are in.
pub(super) fn end(events: &[Value]) -> Value {
    let begins = [user("u"), status("busy"), assistant("a", json!({}))];
    let all: Vec<Value> = begins.iter().chain(events).cloned().collect();
    let ends = of_type(&all, "turn.completed");
    assert_eq!(ends.len(), 1, "{ends:#?}");
    ends[0]["payload"].clone()
}
