//! How turns begin and end in version 2 of the agent client protocol.
#![allow(clippy::unwrap_used, clippy::panic)]

use serde_json::{Value, json};

use crate::kit::session::Verdict;

use super::tests::{Connection, events, only, types};

/// The types, with the provider's ids of their turns.
fn turns(events: &[Value]) -> Vec<(&str, &str)> {
    let turns = events.iter().map(|event| {
        let turn = event["providerRefs"]["providerTurnId"].as_str();
        turn.unwrap_or_default()
    });
    types(events).into_iter().zip(turns).collect()
}

#[test]
fn a_turn_starts_with_the_prompt_and_ends_with_the_state() {
    let mut agent = Connection::new();
    assert_eq!(turns(&agent.prompt("s", 1)), [("turn.started", "1")]);
    assert_eq!(
        turns(&agent.state(json!({"state": "running"}))),
        [("session.state.changed", "1")]
    );
    let taken = agent.takes(1);
    assert!(matches!(taken.verdict, Verdict::Dropped(_)));
    assert!(taken.events.is_empty());
    let waiting = agent.state(json!({"state": "requires_action"}));
    assert_eq!(only("session.state.changed", &waiting)["state"], "waiting");
    agent.state(json!({"state": "running"}));
    let idle = json!({"state": "idle", "stopReason": "end_turn", "usage": {"inputTokens": 1, "outputTokens": 2, "totalTokens": 3}});
    let ended = agent.state(idle);
    assert_eq!(
        turns(&ended),
        [("turn.completed", "1"), ("session.state.changed", "")]
    );
    assert_eq!(
        ended[0]["payload"],
        json!({"state": "completed", "stopReason": "end_turn", "usage": {"inputTokens": 1, "outputTokens": 2, "totalTokens": 3}})
    );
    assert_eq!(ended[1]["payload"]["state"], "ready");
}

#[test]
fn what_is_no_success_is_none() {
    let error = json!({"code": -32603, "message": "broken"});
    for (idle, state, message) in [
        (json!({"stopReason": "cancelled"}), "cancelled", None),
        (json!({"stopReason": "refusal"}), "failed", None),
        (json!({"stopReason": "max_tokens"}), "interrupted", None),
        (json!({"stopReason": "tired"}), "failed", Some("tired")),
        (json!({}), "failed", Some("without a reason")),
        (
            json!({"stopReason": "error", "error": error}),
            "failed",
            Some("broken"),
        ),
        (
            json!({"stopReason": "end_turn", "error": error}),
            "failed",
            Some("broken"),
        ),
    ] {
        let mut agent = Connection::new();
        agent.prompt("s", 1);
        agent.state(json!({"state": "running"}));
        let mut update = idle.clone();
        update["state"] = json!("idle");
        let events = agent.state(update);
        let at = usize::from(idle.get("error").is_some());
        assert_eq!(events.len(), at + 2, "{idle}");
        let payload = &events[at]["payload"];
        assert_eq!(payload["state"], state, "{idle}");
        let text = payload["errorMessage"].as_str();
        assert_eq!(text.is_some(), message.is_some(), "{idle}");
        assert!(
            text.unwrap_or_default()
                .contains(message.unwrap_or_default())
        );
        if at == 1 {
            assert_eq!(events[0]["type"], "runtime.error");
            assert_eq!(events[0]["payload"]["class"], "provider_error");
        }
    }
}

#[test]
fn an_idle_state_ends_only_work_that_it_can_mean() {
    let mut agent = Connection::new();
    agent.prompt("s", 1);
    // It was sent before the prompt came in.
    assert_eq!(
        turns(&agent.state(json!({"state": "idle"}))),
        [("session.state.changed", "1")]
    );
    agent.takes(1);
    agent.state(json!({"state": "running"}));
    agent.prompt("s", 2);
    // The second prompt is still on its way.
    assert_eq!(
        turns(&agent.state(json!({"state": "idle", "stopReason": "cancelled"}))),
        [("turn.completed", "1"), ("session.state.changed", "2")]
    );
    agent.takes(2);
    assert_eq!(
        turns(&agent.state(json!({"state": "idle", "stopReason": "end_turn"}))),
        [("turn.completed", "2"), ("session.state.changed", "")]
    );
}

#[test]
fn prompts_that_are_taken_during_a_turn_end_with_it() {
    let mut agent = Connection::new();
    agent.prompt("s", 1);
    agent.takes(1);
    agent.state(json!({"state": "running"}));
    agent.prompt("s", 2);
    agent.takes(2);
    let idle = json!({"state": "idle", "stopReason": "end_turn", "usage": {"inputTokens": 1, "outputTokens": 2, "totalTokens": 3}});
    let ended = agent.state(idle);
    assert_eq!(
        turns(&ended),
        [
            ("turn.completed", "1"),
            ("turn.completed", "2"),
            ("session.state.changed", "")
        ]
    );
    assert!(ended[0]["payload"].get("usage").is_none());
    assert!(ended[1]["payload"].get("usage").is_some());
}

#[test]
fn a_refused_prompt_ends_its_turn() {
    let mut agent = Connection::new();
    agent.prompt("s", 1);
    let error = json!({"id": 1, "error": {"code": -32603, "message": "no"}});
    let refused = agent.gets(&error);
    assert_eq!(
        turns(&refused),
        [("runtime.error", "1"), ("turn.completed", "1")]
    );
    assert_eq!(refused[1]["payload"]["state"], "failed");
    let idle = agent.state(json!({"state": "idle", "stopReason": "error"}));
    assert_eq!(turns(&idle), [("session.state.changed", "")]);
}

#[test]
fn a_prompt_that_is_refused_during_a_turn_leaves_the_turn() {
    let mut agent = Connection::new();
    agent.prompt("s", 1);
    agent.takes(1);
    agent.state(json!({"state": "running"}));
    agent.prompt("s", 2);
    let refused = agent.gets(&json!({"id": 2, "error": {"code": -32603, "message": "busy"}}));
    assert_eq!(
        turns(&refused),
        [("runtime.error", "2"), ("turn.completed", "2")]
    );
    assert_eq!(
        turns(&agent.state(json!({"state": "idle", "stopReason": "end_turn"}))),
        [("turn.completed", "1"), ("session.state.changed", "")]
    );
}

#[test]
fn history_begins_no_turn() {
    let mut agent = Connection::new();
    let params = json!({"sessionId": "s", "replayFrom": {"type": "start"}});
    agent.sends(&json!({"id": 7, "method": "session/resume", "params": params}));
    let running = agent.state(json!({"state": "running"}));
    assert_eq!(turns(&running), [("session.state.changed", "")]);
    agent.gets(&json!({"id": 7, "result": {}}));
    let running = agent.state(json!({"state": "running"}));
    assert_eq!(
        turns(&running),
        [
            ("turn.started", "unprompted-1"),
            ("session.state.changed", "unprompted-1")
        ]
    );
}

#[test]
fn a_child_session_has_turns_of_its_own() {
    let mut agent = Connection::new();
    agent.prompt("s", 1);
    let state = |state: Value| json!({"sessionUpdate": "state_update", "state": state, "stopReason": "end_turn"});
    let child = |title: Value, state: &str| json!({"sessionUpdate": "subagent_update", "sessionId": "k", "title": title, "state": {"state": state, "stopReason": "end_turn"}});
    let started = agent.news(child(json!("Look"), "running"));
    assert_eq!(
        only("task.started", &started),
        json!({"taskId": "k", "description": "Look"})
    );
    for _ in 0..2 {
        let running = agent.told("k", &state(json!("running")));
        assert_eq!(
            turns(&events(&running)).last(),
            Some(&("session.state.changed", "unprompted-1"))
        );
    }
    let progress = agent.news(child(json!(null), "running"));
    assert_eq!(only("task.progress", &progress)["description"], "running");
    let ended = agent.told("k", &state(json!("idle")));
    assert_eq!(
        turns(&events(&ended)),
        [
            ("turn.completed", "unprompted-1"),
            ("session.state.changed", "")
        ]
    );
    let over = agent.news(child(json!(null), "idle"));
    assert_eq!(only("task.completed", &over)["status"], "completed");
    // The turn of the prompt goes on.
    let news = agent.news(json!({"sessionUpdate": "usage_update", "used": 1, "size": 2}));
    assert_eq!(turns(&news), [("thread.token-usage.updated", "1")]);
}

#[test]
fn states_that_say_nothing_change_none() {
    let mut agent = Connection::new();
    agent.prompt("s", 1);
    let unknown = agent.told(
        "s",
        &json!({"sessionUpdate": "state_update", "state": "unknown"}),
    );
    assert!(matches!(unknown.verdict, Verdict::Dropped(_)));
    assert!(unknown.events.is_empty());
    let update = json!({"sessionUpdate": "state_update", "state": "asleep"});
    let unrecognized = agent.told("s", &update);
    assert_eq!(unrecognized.verdict, Verdict::Unrecognized);
    assert_eq!(types(&events(&unrecognized)), ["runtime.warning"]);
}
