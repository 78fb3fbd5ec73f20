//! Programs that are gone, and agents that work for another one.

use agentwire::projection::universal::Universal;
use serde_json::{Value, json};

use super::events::Script;

fn exit() -> Value {
    json!({"reason": "signal 9", "exitKind": "error"})
}

#[test]
fn a_program_that_said_nothing_has_a_session_that_ends() {
    let script = Script::of("codex")
        .about(json!({}))
        .tell("runtime.warning", json!({"message": "no lamp"}))
        .tell("session.exited", exit());
    let told = script.open();
    let types: Vec<&str> = told.iter().map(|it| it["type"].as_str().unwrap()).collect();
    assert_eq!(
        types,
        [
            "session.started",
            "item.started",
            "item.completed",
            "session.ended"
        ]
    );
    assert_eq!(told, script.whole(), "the end of the stream adds nothing");
}

#[test]
fn an_end_is_told_once() {
    let script = Script::of("codex")
        .tell("turn.started", json!({}))
        .tell("session.exited", exit())
        .about(json!({}))
        .tell("session.exited", exit())
        .about(json!({"threadId": "thread-1", "turnId": "turn-2"}))
        .tell("turn.started", json!({}));
    let told = script.open();
    let types: Vec<&str> = told.iter().map(|it| it["type"].as_str().unwrap()).collect();
    // What comes after the end is another session, which has not ended.
    assert_eq!(
        types,
        ["session.started", "session.ended", "session.started"]
    );
}

#[test]
fn an_end_that_no_agent_sends_is_synthetic() {
    let mut script = Script::of("codex")
        .tell("turn.started", json!({}))
        .tell("session.exited", exit());
    let end = script.one("session.ended");
    assert_eq!(
        (&end["source"], &end["synthetic"]),
        (&json!("agent"), &json!(false))
    );
    script.events[1].raw = None;
    let end = script.one("session.ended");
    assert_eq!(
        (&end["source"], &end["synthetic"]),
        (&json!("daemon"), &json!(true))
    );
    assert_eq!(end["data"]["reason"], "error");
    let mut universal = Universal::new();
    let told: usize = script
        .events
        .iter()
        .map(|it| universal.push(it).len())
        .sum();
    assert_eq!((told, universal.finish().len()), (2, 0));
}

#[test]
fn what_a_helper_says_is_none_of_the_answer() {
    let text = |detail: &str, data: Value| json!({"itemType": "assistant_message", "detail": detail, "data": data});
    let helper = json!({"parent_tool_use_id": "call-1"});
    let own = json!({"parent_tool_use_id": null});
    let thought =
        json!({"itemType": "reasoning", "detail": "Hm.", "data": {"parentToolUseId": "call-1"}});
    let run = Script::of("amp")
        .tell("turn.started", json!({}))
        // One that comes whole, one that is streamed, and what they think.
        .item("item.completed", "a", text("Listing.", helper.clone()))
        .item("item.started", "b", text("", helper))
        .item("content.delta", "b", json!({"streamKind": "assistant_text", "delta": "Two."}))
        .item("content.delta", "b", json!({"streamKind": "reasoning_text", "delta": "Well."}))
        .item("item.completed", "c", thought)
        .item("item.started", "d", json!({"itemType": "command_execution", "title": "ls", "data": {"parentToolUseId": "call-1"}}))
        .item("item.completed", "e", text("It counted two.", own))
        .tell("turn.completed", json!({"state": "completed"}))
        .run();
    let told: Vec<(&str, &str)> = run
        .iter()
        .map(|it| {
            (
                it["type"].as_str().unwrap(),
                it["text"]
                    .as_str()
                    .or(it["message"].as_str())
                    .unwrap_or_default(),
            )
        })
        .collect();
    assert_eq!(
        told,
        [
            ("status", "Starting"),
            ("status", "Running ls"),
            ("delta", "It counted two."),
            ("done", "")
        ]
    );
}
