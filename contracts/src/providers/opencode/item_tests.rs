//! Items of a server: texts, calls, and what the user is asked.

#![allow(clippy::unwrap_used, clippy::panic)]

use serde_json::{Value, json};

use super::bench::{
    assistant, completed, delta, done, event, last, led, of_type, part, status, text, tool, user,
};

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
