//! Turns of a server: what begins and ends them, what they used, and what went wrong.

#![allow(clippy::unwrap_used, clippy::panic)]

use serde_json::{Value, json};

use super::bench::{
    assistant, completed, delta, done, end, error, event, last, led, of_type, part, status, text,
    tool, tree, user,
};
use crate::kit::session::Verdict;

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
