//! Small inputs, each with what is right.

use std::fs;

use agentwire::ledger::Rule;
use agentwire_tests::root;
use serde_json::Value;

use super::{lines, read};

/// The events of an input and those of its end: type, and what of the payload says how it went.
fn told(provider: &str, name: &str) -> (Vec<String>, Vec<String>) {
    let path = root()
        .join("tests/data/lifecycle")
        .join(format!("{name}.jsonl"));
    let (outcomes, end) = read(provider, false, &lines(&fs::read_to_string(path).unwrap()));
    let short = |event: &agentwire::canonical::RuntimeEvent| {
        let event: Value = serde_json::from_str(&event.to_json().unwrap()).unwrap();
        let payload = &event["payload"];
        let words = ["itemType", "status", "state", "decision", "answers"];
        let words = words.iter().filter_map(|word| match payload.get(word)? {
            Value::String(text) => Some(text.clone()),
            Value::Null => Some(String::from("null")),
            _ => None,
        });
        let words: Vec<String> = words.collect();
        let event_type = event["type"].as_str().unwrap();
        format!("{event_type} {}", words.join(" "))
            .trim_end()
            .to_owned()
    };
    let events = outcomes.iter().flat_map(|outcome| &outcome.events);
    (events.map(short).collect(), end.iter().map(short).collect())
}

fn about(events: &[String], start: &str) -> Vec<String> {
    let about = events.iter().filter(|event| event.starts_with(start));
    about.cloned().collect()
}

#[test]
fn a_thread_that_closes_ends_what_is_open_in_it() {
    let (events, end) = told("codex", "codex-thread-closes");
    assert_eq!(
        events,
        [
            "turn.started",
            "item.started command_execution inProgress",
            "thread.started",
            "item.completed command_execution failed",
            "turn.completed interrupted",
            "thread.state.changed closed",
        ]
    );
    assert_eq!(end, ["session.exited"]);
}

#[test]
fn a_question_is_answered_at_the_latest_at_the_end() {
    let (events, end) = told("codex", "codex-question");
    let started = about(&events, "item.started");
    assert_eq!(started.len(), 1, "{events:?}");
    let answered = ["user-input.resolved null"];
    assert_eq!(about(&end, "user-input.resolved"), answered);
    assert_eq!(about(&end, "turn.completed"), ["turn.completed failed"]);
}

#[test]
fn a_turn_ends_once_and_the_second_end_is_counted() {
    let (events, _) = told("codex", "codex-turn-ends-twice");
    assert_eq!(events, ["turn.started", "turn.completed failed"]);
    let path = root().join("tests/data/lifecycle/codex-turn-ends-twice.jsonl");
    let (outcomes, _) = read("codex", false, &lines(&fs::read_to_string(path).unwrap()));
    let refused = &outcomes.last().unwrap().refused;
    assert_eq!(refused.len(), 1);
    assert_eq!(refused[0].rule, Rule::AfterTheEnd);
}

#[test]
fn lists_tell_nothing_and_end_nothing() {
    let (_, end) = told("codex", "codex-lists");
    assert_eq!(end, ["session.exited"]);
}

#[test]
fn a_request_that_nobody_answers_ends_with_its_turn() {
    for (provider, name) in [
        ("acp", "acp-cancel-pending-perm"),
        ("claude", "cl-open-request-at-result"),
    ] {
        let (events, end) = told(provider, name);
        let resolved = about(&events, "request.resolved");
        assert_eq!(resolved, ["request.resolved cancel"], "{name}: {events:?}");
        let place = |start: &str| events.iter().position(|event| event.starts_with(start));
        assert!(place("request.resolved") < place("turn.completed"));
        assert_eq!(end, ["session.exited"], "{name}");
    }
}

#[test]
fn the_next_run_ends_what_the_first_one_left() {
    let (events, _) = told("codex-sdk", "sx-no-end-second-run");
    let turns = about(&events, "turn.completed");
    let expected = ["turn.completed interrupted", "turn.completed completed"];
    assert_eq!(turns, expected, "{events:?}");
    let item = "item.completed command_execution failed";
    let place = |what: &str| events.iter().position(|event| event == what);
    assert!(place(item).is_some(), "{events:?}");
    assert!(place(item) < place("turn.completed interrupted"));
}

#[test]
fn a_weaker_word_does_not_overturn_an_end() {
    for (provider, name) in [("claude", "cl-interrupt-ede"), ("opencode", "oc-abort")] {
        let (events, _) = told(provider, name);
        let updates = about(&events, "item.updated");
        let ended = about(&events, "turn.completed");
        assert_eq!(ended, ["turn.completed interrupted"], "{name}");
        let after = events.iter().position(|event| event == &ended[0]).unwrap();
        let well =
            |event: &&String| event.starts_with("item.updated") && event.ends_with(" completed");
        assert_eq!(
            events[after..].iter().find(well),
            None,
            "{name}: {updates:?}"
        );
    }
}

#[test]
fn a_task_ends_once() {
    let (events, _) = told("claude", "cl-task-updated-then-notification");
    assert_eq!(about(&events, "task.completed").len(), 1, "{events:?}");
}
