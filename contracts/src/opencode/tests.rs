//! Streams of a server, event by event.

#![allow(clippy::unwrap_used, clippy::panic)]

use serde_json::{Value, json};

use super::OpenCodeSession;
use crate::canonical::RuntimeEvent;
use crate::frame::Limits;
use crate::session::{Direction, Outcome, Verdict};
use crate::sources::{SequentialIds, WireClock};
use crate::transcript::Recorded;

fn session() -> OpenCodeSession {
    OpenCodeSession::with_sources(
        SequentialIds::new(),
        WireClock::default(),
        Limits::default(),
    )
}

/// The outcome of each event.
fn led(events: &[Value]) -> Vec<Outcome> {
    let mut session = session();
    for event in events {
        session.push(Direction::FromAgent, event.to_string().as_bytes());
        session.push(Direction::FromAgent, b"\n");
    }
    session.finish();
    session.outcomes().collect()
}

fn tree(event: &RuntimeEvent) -> Value {
    serde_json::to_value(event).unwrap()
}

/// The types and the trees of what the last event becomes.
fn last(events: &[Value]) -> (Vec<&'static str>, Vec<Value>) {
    let outcome = led(events).pop().unwrap();
    let types = outcome.events.iter().map(|it| it.event_type().as_str());
    (types.collect(), outcome.events.iter().map(tree).collect())
}

/// All events of a stream, each with the types before it left out.
fn of_type(events: &[Value], kind: &str) -> Vec<Value> {
    let told = led(events).into_iter().flat_map(|outcome| outcome.events);
    let trees = told.map(|event| tree(&event));
    trees.filter(|event| event["type"] == kind).collect()
}

fn event(kind: &str, properties: Value) -> Value {
    json!({"type": kind, "properties": properties})
}

fn user(id: &str) -> Value {
    event(
        "message.updated",
        json!({"sessionID": "s", "info": {"id": id, "sessionID": "s", "role": "user", "time": {"created": 1},
            "agent": "build", "model": {"providerID": "p", "modelID": "lamp-1"}}}),
    )
}

fn assistant(id: &str, more: Value) -> Value {
    let mut info = json!({"id": id, "sessionID": "s", "role": "assistant", "parentID": "u",
        "mode": "build", "agent": "build", "path": {"cwd": "/w", "root": "/"}, "cost": 0,
        "tokens": {"input": 0, "output": 0, "reasoning": 0, "cache": {"read": 0, "write": 0}},
        "modelID": "lamp-1", "providerID": "p", "time": {"created": 2}});
    let members = more.as_object().unwrap().clone();
    info.as_object_mut().unwrap().extend(members);
    event("message.updated", json!({"sessionID": "s", "info": info}))
}

fn done(id: &str, finish: &str) -> Value {
    assistant(
        id,
        json!({"time": {"created": 2, "completed": 3}, "finish": finish}),
    )
}

fn part(part: Value) -> Value {
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

fn text(id: &str, text: &str, ended: bool) -> Value {
    let time = match ended {
        true => json!({"start": 1, "end": 2}),
        false => json!({"start": 1}),
    };
    part(json!({"id": id, "type": "text", "text": text, "time": time}))
}

fn delta(id: &str, text: &str) -> Value {
    event(
        "message.part.delta",
        json!({"sessionID": "s", "messageID": "a", "partID": id, "field": "text", "delta": text}),
    )
}

fn tool(id: &str, name: &str, state: Value) -> Value {
    part(json!({"id": id, "type": "tool", "tool": name, "callID": "c", "state": state}))
}

fn completed(output: &str, metadata: Value) -> Value {
    json!({"status": "completed", "input": {"command": "ls"}, "output": output, "title": "ls",
        "metadata": metadata, "time": {"start": 1, "end": 2}})
}

fn status(kind: &str) -> Value {
    event(
        "session.status",
        json!({"sessionID": "s", "status": {"type": kind}}),
    )
}

fn error(name: &str) -> Value {
    event(
        "session.error",
        json!({"sessionID": "s", "error": {"name": name, "data": {"message": "no lamp"}}}),
    )
}

/// The end of a turn that these events are in.
fn end(events: &[Value]) -> Value {
    let begins = [user("u"), status("busy"), assistant("a", json!({}))];
    let all: Vec<Value> = begins.iter().chain(events).cloned().collect();
    let ends = of_type(&all, "turn.completed");
    assert_eq!(ends.len(), 1, "{ends:#?}");
    ends[0]["payload"].clone()
}

#[test]
fn a_turn_is_from_the_message_of_the_user_to_idle() {
    let outcomes = led(&[
        event("server.connected", json!({})),
        user("u"),
        status("busy"),
        assistant("a", json!({})),
        text("p", "", false),
        delta("p", "It is "),
        delta("p", "lit."),
        text("p", "It is lit.", true),
        done("a", "stop"),
        status("idle"),
        event("session.idle", json!({"sessionID": "s"})),
    ]);
    let told: Vec<Vec<&str>> = outcomes
        .iter()
        .map(|it| {
            it.events
                .iter()
                .map(|it| it.event_type().as_str())
                .collect()
        })
        .collect();
    assert_eq!(
        told,
        [
            vec!["session.state.changed"],
            vec!["turn.started", "item.started"],
            vec!["item.completed", "thread.state.changed"],
            vec![],
            vec!["item.started"],
            vec!["content.delta"],
            vec!["content.delta"],
            vec!["item.completed"],
            vec![],
            vec!["turn.completed", "thread.state.changed"],
            vec!["thread.state.changed"],
        ]
    );
    let events: Vec<Value> = outcomes
        .iter()
        .flat_map(|it| &it.events)
        .map(tree)
        .collect();
    assert_eq!(events[1]["providerRefs"]["providerTurnId"], "u");
    assert_eq!(events[1]["payload"]["model"], "lamp-1");
    for of_item in &events[5..9] {
        assert_eq!(of_item["itemId"], events[5]["itemId"]);
        assert_eq!(of_item["turnId"], events[1]["turnId"]);
        assert_eq!(of_item["providerRefs"]["providerItemId"], "p");
    }
    assert_eq!(events[8]["payload"]["detail"], "It is lit.");
    assert_eq!(events[9]["payload"]["state"], "completed");
    assert_eq!(events[9]["payload"]["stopReason"], "stop");
}

#[test]
fn what_is_streamed_and_what_is_whole_is_told_once() {
    let told = |events: &[Value]| -> String {
        let deltas = of_type(events, "content.delta");
        let texts = deltas
            .iter()
            .map(|it| it["payload"]["delta"].as_str().unwrap());
        texts.collect()
    };
    for events in [
        vec![
            text("p", "The lamp", false),
            text("p", "The lamp is", false),
            text("p", "The lamp is lit", true),
        ],
        vec![delta("p", "The lamp"), text("p", "The lamp is lit", true)],
        vec![
            text("p", "The", false),
            delta("p", "The"),
            delta("p", " lamp is lit"),
            text("p", "The lamp is lit", true),
        ],
        vec![
            text("p", "The lamp is lit", true),
            delta("p", "lit"),
            text("p", "The lamp is lit", true),
        ],
        vec![
            delta("p", "The lamp is lit"),
            text("p", "The lamp is lit", true),
            text("p", "", false),
        ],
    ] {
        let all: Vec<Value> = [assistant("a", json!({}))]
            .into_iter()
            .chain(events)
            .collect();
        assert_eq!(told(&all), "The lamp is lit", "{all:#?}");
        assert_eq!(of_type(&all, "item.started").len(), 1);
        assert_eq!(of_type(&all, "item.completed").len(), 1);
    }
}

#[test]
fn a_part_or_a_piece_before_its_message_opens_an_item() {
    let (types, events) = last(&[delta("p", "It is ")]);
    assert_eq!(types, ["item.started", "content.delta"]);
    assert_eq!(events[0]["payload"]["itemType"], "assistant_message");
    assert_eq!(events[0]["itemId"], events[1]["itemId"]);
    let (types, _) = last(&[text("p", "It is ", false)]);
    assert_eq!(types, ["item.started", "content.delta"]);
    // Who spoke is told later.
    let (types, events) = last(&[text("p", "Light it.", false), {
        let mut late = user("a");
        late["properties"]["info"]["id"] = json!("a");
        late
    }]);
    assert_eq!(types, ["turn.started", "item.completed", "item.started"]);
    assert_eq!(events[1]["payload"]["itemType"], "user_message");
}

#[test]
fn calls_go_through_their_states() {
    let call = |state: Value| tool("t", "bash", state);
    let running = |output: &str| {
        call(
            json!({"status": "running", "input": {"command": "ls"}, "metadata": {"output": output}, "time": {"start": 1}}),
        )
    };
    let events = [
        assistant("a", json!({})),
        call(json!({"status": "pending", "input": {}, "raw": ""})),
        running(""),
        running("a\n"),
        running("a\nb\n"),
        call(completed(
            "a\nb\nc\n",
            json!({"output": "a\nb\nc\n", "exit": 0}),
        )),
    ];
    let types: Vec<Vec<&str>> = led(&events[..])
        .iter()
        .map(|it| {
            it.events
                .iter()
                .map(|it| it.event_type().as_str())
                .collect()
        })
        .collect();
    assert_eq!(
        types[1..],
        [
            vec!["item.started"],
            vec!["item.updated"],
            vec!["content.delta"],
            vec!["content.delta"],
            vec!["content.delta", "item.completed"]
        ]
    );
    let deltas = of_type(&events, "content.delta");
    let texts: Vec<&Value> = deltas.iter().map(|it| &it["payload"]["delta"]).collect();
    assert_eq!(texts, ["a\n", "b\n", "c\n"]);
    let (_, last) = last(&events);
    let item = &last[1]["payload"];
    assert_eq!(item["itemType"], "command_execution");
    assert_eq!(item["status"], "completed");
    assert_eq!(item["title"], "ls");
    assert_eq!(item["detail"], "a\nb\nc\n");
}

#[test]
fn a_call_that_went_wrong_is_no_success() {
    let ends = |name: &str, state: Value| {
        let (types, events) = last(&[assistant("a", json!({})), tool("t", name, state)]);
        assert_eq!(types.last(), Some(&"item.completed"), "{events:#?}");
        events.last().unwrap()["payload"].clone()
    };
    let failed =
        json!({"status": "error", "input": {}, "error": "no lamp", "time": {"start": 1, "end": 2}});
    assert_eq!(ends("read", failed)["status"], "failed");
    assert_eq!(
        ends("bash", completed("", json!({"exit": 3})))["status"],
        "failed"
    );
    assert_eq!(
        ends("invalid", completed("", json!({})))["status"],
        "failed"
    );
    let (types, events) = last(&[tool("t", "read", json!({"status": "aurora"}))]);
    assert_eq!(types, ["item.started"]);
    let outcome = led(&[tool("t", "read", json!({"status": "aurora"}))])
        .pop()
        .unwrap();
    assert_eq!(outcome.oddities.len(), 1);
    assert_eq!(events[0]["payload"]["itemType"], "dynamic_tool_call");
}

#[test]
fn what_the_user_refuses_is_declined() {
    let asked = event(
        "permission.asked",
        json!({"id": "r", "sessionID": "s", "permission": "bash", "patterns": ["ls"], "metadata": {},
            "always": [], "tool": {"messageID": "a", "callID": "c"}}),
    );
    let replied = |reply: &str| {
        event(
            "permission.replied",
            json!({"sessionID": "s", "requestID": "r", "reply": reply}),
        )
    };
    let pending = tool(
        "t",
        "bash",
        json!({"status": "pending", "input": {}, "raw": ""}),
    );
    let begins = [assistant("a", json!({})), pending, asked];
    let (types, events) = last(&begins);
    assert_eq!(types, ["request.opened"]);
    assert_eq!(
        events[0]["payload"]["requestType"],
        "command_execution_approval"
    );
    assert_eq!(events[0]["providerRefs"]["providerItemId"], "t");
    for (reply, decision) in [
        ("once", "accept"),
        ("always", "acceptForSession"),
        ("reject", "decline"),
        ("aurora", "aurora"),
    ] {
        let all: Vec<Value> = begins.iter().cloned().chain([replied(reply)]).collect();
        let (types, events) = last(&all);
        assert_eq!(types, ["request.resolved"]);
        assert_eq!(events[0]["payload"]["decision"], decision);
        assert_eq!(
            events[0]["payload"]["requestType"],
            "command_execution_approval"
        );
        // A second answer to the same request tells nothing.
        let again: Vec<Value> = all.into_iter().chain([replied(reply)]).collect();
        assert_eq!(last(&again).0, Vec::<&str>::new());
    }
    let failed = tool(
        "t",
        "bash",
        json!({"status": "error", "input": {}, "error": "refused", "time": {"start": 1, "end": 2}}),
    );
    let all: Vec<Value> = begins
        .iter()
        .cloned()
        .chain([
            replied("reject"),
            failed,
            done("a", "tool-calls"),
            status("idle"),
        ])
        .collect();
    assert_eq!(
        of_type(&all, "item.completed")[0]["payload"]["status"],
        "declined"
    );
    assert_eq!(
        of_type(&all, "turn.completed")[0]["payload"]["state"],
        "interrupted"
    );
}

#[test]
fn turns_end_as_their_last_message_says() {
    for (finish, state) in [
        ("stop", "completed"),
        ("tool-calls", "completed"),
        ("length", "interrupted"),
        ("content-filter", "failed"),
        ("aurora", "failed"),
        ("other", "interrupted"),
    ] {
        assert_eq!(
            end(&[done("a", finish), status("idle")])["state"],
            state,
            "{finish}"
        );
    }
    // A message that was never finished is no success, and neither is one without a reason.
    assert_eq!(end(&[status("idle")])["state"], "interrupted");
    let cut = assistant("a", json!({"time": {"created": 2, "completed": 3}}));
    assert_eq!(end(&[cut.clone(), status("idle")])["state"], "interrupted");
    // The command of a user has no model that stops.
    let ran = tool("t", "bash", completed("", json!({"exit": 0})));
    assert_eq!(end(&[cut, ran, status("idle")])["state"], "completed");
}

#[test]
fn errors_are_told_once_and_fail_the_turn() {
    let of_message = |name: &str| {
        assistant(
            "a",
            json!({"time": {"created": 2, "completed": 3}, "error": {"name": name, "data": {"message": "no lamp"}}}),
        )
    };
    let begins = [user("u"), status("busy"), assistant("a", json!({}))];
    let all = |events: Vec<Value>| -> Vec<Value> { begins.iter().cloned().chain(events).collect() };
    for events in [
        vec![
            error("UnknownError"),
            status("idle"),
            of_message("UnknownError"),
            status("idle"),
        ],
        vec![
            of_message("UnknownError"),
            error("UnknownError"),
            status("idle"),
        ],
    ] {
        let all = all(events);
        assert_eq!(of_type(&all, "runtime.error").len(), 1);
        let ends = of_type(&all, "turn.completed");
        assert_eq!(ends.len(), 1);
        assert_eq!(ends[0]["payload"]["state"], "failed");
        assert_eq!(ends[0]["payload"]["errorMessage"], "no lamp");
    }
    let aborted = all(vec![error("MessageAbortedError"), status("idle")]);
    assert_eq!(of_type(&aborted, "runtime.error").len(), 0);
    assert_eq!(
        of_type(&aborted, "turn.completed")[0]["payload"]["state"],
        "interrupted"
    );
    // The model goes on after an error: that was not the end.
    let recovered = all(vec![
        error("ContextOverflowError"),
        of_message("ContextOverflowError"),
        assistant("b", json!({})),
        done("b", "stop"),
        status("idle"),
    ]);
    assert_eq!(of_type(&recovered, "runtime.error").len(), 1);
    assert_eq!(
        of_type(&recovered, "turn.completed")[0]["payload"]["state"],
        "completed"
    );
}

#[test]
fn errors_have_their_class() {
    for (error, class, message) in [
        (
            json!({"name": "APIError", "data": {"message": "m", "statusCode": 401, "isRetryable": false}}),
            "permission_error",
            "m",
        ),
        (
            json!({"name": "APIError", "data": {"message": "m", "statusCode": 429, "isRetryable": true}}),
            "usage_limit",
            "m",
        ),
        (
            json!({"name": "APIError", "data": {"message": "m", "isRetryable": true}}),
            "provider_error",
            "m",
        ),
        (
            json!({"name": "ProviderAuthError", "data": {"message": "m", "providerID": "p"}}),
            "permission_error",
            "m",
        ),
        (
            json!({"name": "MessageOutputLengthError", "data": {}}),
            "provider_error",
            "MessageOutputLengthError",
        ),
        (
            json!({"name": "AuroraError", "data": {"message": "m"}}),
            "unknown",
            "m",
        ),
        (json!({"name": "AuroraError"}), "unknown", "AuroraError"),
    ] {
        let (types, events) = last(&[event("session.error", json!({"error": error}))]);
        assert_eq!(types, ["runtime.error"], "{error}");
        assert_eq!(events[0]["payload"]["class"], class, "{error}");
        assert_eq!(events[0]["payload"]["message"], message, "{error}");
    }
    let (types, _) = last(&[event("session.error", json!({}))]);
    assert_eq!(types, ["runtime.error"]);
    // A request that was never begun has no other end.
    let (types, _) = last(&[user("u"), error("UnknownError")]);
    assert_eq!(types, ["runtime.error", "item.completed", "turn.completed"]);
}

#[test]
fn ends_that_cannot_be_read_are_no_success() {
    let begins = [
        user("u"),
        status("busy"),
        assistant("a", json!({})),
        done("a", "stop"),
    ];
    let broken = event(
        "session.error",
        json!({"sessionID": "s", "error": {"name": 7}}),
    );
    let all: Vec<Value> = begins
        .iter()
        .cloned()
        .chain([broken, status("idle")])
        .collect();
    let outcomes = led(&all);
    assert!(
        matches!(&outcomes[4].verdict, Verdict::Malformed { path, .. } if path == "properties.error.name")
    );
    assert_eq!(
        of_type(&all, "turn.completed")[0]["payload"]["state"],
        "failed"
    );
    let step = |finish: Value| {
        event(
            "session.next.step.ended",
            json!({"sessionID": "s", "assistantMessageID": "a", "finish": finish, "cost": 0, "tokens": {"input": 1.5}}),
        )
    };
    for (finish, state) in [
        (json!("stop"), "completed"),
        (json!("aurora"), "failed"),
        (json!(7), "failed"),
    ] {
        let all = [user("u"), step(finish)];
        assert_eq!(
            of_type(&all, "turn.completed")[0]["payload"]["state"],
            state
        );
    }
    assert_eq!(
        of_type(&[user("u"), step(json!("tool-calls"))], "turn.completed").len(),
        0
    );
}

#[test]
fn tokens_are_counted_once_a_message() {
    let tokens = json!({"input": 3, "output": 2, "reasoning": 1, "cache": {"read": 4, "write": 0}});
    let step = part(
        json!({"id": "f", "type": "step-finish", "reason": "stop", "cost": 0.5, "tokens": tokens}),
    );
    let ends = assistant(
        "a",
        json!({"time": {"created": 2, "completed": 3}, "finish": "stop", "cost": 0.5, "tokens": tokens}),
    );
    for events in [
        vec![step.clone(), ends.clone(), ends.clone()],
        vec![ends.clone(), step.clone(), ends.clone()],
        vec![ends.clone()],
        vec![step.clone(), step.clone(), ends.clone()],
    ] {
        let all: Vec<Value> = [user("u"), status("busy"), assistant("a", json!({}))]
            .into_iter()
            .chain(events)
            .chain([status("idle")])
            .collect();
        assert_eq!(
            of_type(&all, "thread.token-usage.updated").len(),
            1,
            "{all:#?}"
        );
        let end = &of_type(&all, "turn.completed")[0]["payload"];
        assert_eq!(
            end["usage"],
            json!({"input": 3, "output": 2, "reasoning": 1, "cache": {"read": 4, "write": 0}})
        );
        assert_eq!(end["totalCostUsd"], 0.5);
    }
}

#[test]
fn a_session_that_is_copied_has_no_turns() {
    let made = event(
        "session.created",
        json!({"info": {"id": "s", "projectID": "g", "directory": "/w", "title": "Harbour",
        "version": "1", "time": {"created": 9, "updated": 9}}}),
    );
    let all = [
        made,
        user("u"),
        done("a", "stop"),
        text("p", "It is lit.", true),
    ];
    let outcomes = led(&all);
    let types: Vec<&str> = outcomes
        .iter()
        .flat_map(|it| &it.events)
        .map(|it| it.event_type().as_str())
        .collect();
    assert_eq!(
        types,
        [
            "session.started",
            "thread.started",
            "thread.metadata.updated",
            "item.started",
            "item.completed",
            "item.started",
            "content.delta",
            "item.completed"
        ]
    );
    assert_eq!(
        outcomes[0].events[0].thread_id,
        outcomes[3].events[0].thread_id
    );
}

#[test]
fn an_event_counts_once_by_its_id_in_any_form() {
    let first = json!({"id": "e", "type": "session.next.text.delta", "properties": {"sessionID": "s", "timestamp": "2026-11-29T20:43:54.896Z",
        "assistantMessageID": "a", "textID": "t", "delta": "lamp"}});
    let mut second = first.clone();
    second["data"] = second["properties"].take();
    second.as_object_mut().unwrap().remove("properties");
    let third = json!({"directory": "/w", "payload": first});
    let outcomes = led(&[first, second, third]);
    assert_eq!(outcomes[0].events.len(), 2);
    for outcome in &outcomes[1..] {
        assert_eq!(outcome.verdict, Verdict::Told("an earlier event"));
    }
}

#[test]
fn the_other_forms_say_the_same() {
    let line = r#"{"id":"e","type":"session.next.text.delta","location":{"directory":"/w"}, "data" : {"sessionID":"s","timestamp":12.0,"assistantMessageID":"a","textID":"t","delta":"\ud83d"}}"#;
    let mut session = session();
    session.push(Direction::FromAgent, line.as_bytes());
    session.finish();
    let outcome = session.next_outcome().unwrap();
    assert_eq!(outcome.verdict, Verdict::Mapped);
    assert_eq!(
        outcome.events[1].raw.as_ref().unwrap().payload.as_str(),
        line
    );
    assert_eq!(outcome.oddities[0].path, "data.delta");
    assert_eq!(outcome.events[1].created_at.millis(), 12);
    let (types, _) =
        last(&[json!({"payload": {"id": "e", "type": "server.connected", "properties": {}}})]);
    assert_eq!(types, ["session.state.changed"]);
    let broken = line.replace(r#""textID":"t""#, r#""textID":7"#);
    let outcome = led(&[]).pop();
    assert!(outcome.is_none());
    let mut session = super::tests::session();
    session.push(Direction::FromAgent, broken.as_bytes());
    session.finish();
    let outcome = session.next_outcome().unwrap();
    assert!(
        matches!(&outcome.verdict, Verdict::Malformed { path, .. } if path == "data.textID"),
        "{outcome:?}"
    );
}

#[test]
fn what_went_by_http_is_no_event() {
    let mut session = session();
    for (direction, via, line) in [
        (Direction::ToAgent, "POST /session", ""),
        (Direction::FromAgent, "GET /x 200", "<!doctype html>"),
        (
            Direction::FromAgent,
            "event",
            r#"{"type":"server.connected","properties":{}}"#,
        ),
    ] {
        session.push_recorded(&Recorded {
            direction,
            line: line.into(),
            via: Some(via.into()),
        });
    }
    let verdicts: Vec<Verdict> = session.outcomes().map(|it| it.verdict).collect();
    assert_eq!(
        verdicts,
        [Verdict::Noted, Verdict::Outside, Verdict::Mapped]
    );
}

#[test]
fn server_sent_events_are_read_in_any_pieces() {
    let stream = ": hello\r\n\r\nevent: message\r\ndata: {\"type\":\"server.connected\",\r\ndata: \"properties\":{}}\r\n\r\ndata: {\"type\":\"server.heartbeat\",\"properties\":{}}\r\n\r\ndata: nonsense\r\n\r\n";
    for size in [1, 5, 1_000] {
        let mut session = session();
        for piece in stream.as_bytes().chunks(size) {
            session.push(Direction::FromAgent, piece);
        }
        session.finish();
        let outcomes: Vec<Outcome> = session.outcomes().collect();
        assert_eq!(outcomes.len(), 3);
        assert_eq!(outcomes[0].verdict, Verdict::Mapped);
        assert!(matches!(outcomes[1].verdict, Verdict::Dropped(_)));
        assert!(matches!(outcomes[2].verdict, Verdict::NotJson { .. }));
    }
}

#[test]
fn the_second_generation_ends_its_turns_itself() {
    let next = |kind: &str, more: Value| {
        let mut properties = json!({"sessionID": "s", "timestamp": 1, "assistantMessageID": "a"});
        properties
            .as_object_mut()
            .unwrap()
            .extend(more.as_object().unwrap().clone());
        event(&format!("session.next.{kind}"), properties)
    };
    let prompted = next(
        "prompted",
        json!({"messageID": "u", "prompt": {"text": "Light it."}, "delivery": "steer"}),
    );
    let step = next(
        "step.started",
        json!({"agent": "build", "model": {"id": "lamp-1", "providerID": "p"}}),
    );
    let ended = |finish: &str| {
        next(
            "step.ended",
            json!({"finish": finish, "cost": 0, "tokens": {"input": 3, "output": 2, "reasoning": 0, "cache": {"read": 0, "write": 0}}}),
        )
    };
    let failed = |words: &str| {
        next(
            "step.failed",
            json!({"error": {"type": "unknown", "message": words}}),
        )
    };
    let begins = [prompted, step];
    for (ends, types, state) in [
        (
            ended("stop"),
            vec!["thread.token-usage.updated", "turn.completed"],
            "completed",
        ),
        (
            failed("failed with HTTP 401: no"),
            vec!["runtime.error", "turn.completed"],
            "failed",
        ),
        (
            failed("Provider turn interrupted"),
            vec!["turn.completed"],
            "interrupted",
        ),
    ] {
        let all: Vec<Value> = begins.iter().cloned().chain([ends]).collect();
        let (told, events) = last(&all);
        assert_eq!(told, types);
        assert_eq!(events.last().unwrap()["payload"]["state"], state);
    }
    let all: Vec<Value> = begins
        .iter()
        .cloned()
        .chain([ended("tool-calls")])
        .collect();
    assert_eq!(last(&all).0, ["thread.token-usage.updated"]);
    let all: Vec<Value> = begins
        .iter()
        .cloned()
        .chain([failed("failed with HTTP 401: no")])
        .collect();
    assert_eq!(
        of_type(&all, "runtime.error")[0]["payload"]["class"],
        "permission_error"
    );
}

#[test]
fn what_no_version_has_is_a_warning_and_costs_no_neighbour() {
    let (types, events) = last(&[
        user("u"),
        event("aurora.lit", json!({"sessionID": "s", "level": 1})),
    ]);
    assert_eq!(types, ["runtime.warning"]);
    assert_eq!(events[0]["providerRefs"]["providerThreadId"], "s");
    assert!(events[0].get("threadId").is_some());
    for value in [
        part(json!({"id": "p", "type": "hologram"})),
        event(
            "message.updated",
            json!({"sessionID": "s", "info": {"id": "m", "role": "aurora"}}),
        ),
        event(
            "session.status",
            json!({"sessionID": "s", "status": {"type": "aurora"}}),
        ),
    ] {
        let outcome = led(&[value]).pop().unwrap();
        assert_eq!(outcome.events.len(), 1);
        assert_eq!(outcome.events[0].event_type().as_str(), "runtime.warning");
        assert_eq!(outcome.oddities.len(), 1);
    }
}
