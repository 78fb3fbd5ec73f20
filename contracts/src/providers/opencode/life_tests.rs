//! The lives of things: an end stays, nothing that belongs to a turn outlives it, and what is over
//! costs nothing.

#![allow(clippy::unwrap_used, clippy::panic)]

use serde_json::{Value, json};

use super::bench::{
    assistant, completed, delta, done, error, event, last, led, of_type, part, status, text, tool,
    tree, user,
};

fn idle() -> Value {
    event("session.idle", json!({"sessionID": "s"}))
}

fn begun() -> Vec<Value> {
    vec![user("u"), status("busy"), assistant("a", json!({}))]
}

fn after(begins: Vec<Value>, more: impl IntoIterator<Item = Value>) -> Vec<Value> {
    begins.into_iter().chain(more).collect()
}

fn aborted() -> Value {
    assistant(
        "a",
        json!({"time": {"created": 2, "completed": 3},
            "error": {"name": "MessageAbortedError", "data": {"message": "aborted"}}}),
    )
}

fn failed(words: &str) -> Value {
    json!({"status": "error", "input": {"command": "ls"}, "error": words, "time": {"start": 1, "end": 2}})
}

/// The types and statuses of what is told of items, from some event on.
fn of_items(events: &[Value], from: usize) -> Vec<(String, Value)> {
    let outcomes = led(events);
    let told = outcomes[from..].iter().flat_map(|it| &it.events).map(tree);
    let items = told.filter(|it| it["type"].as_str().unwrap().starts_with("item."));
    items
        .map(|it| {
            let kind = it["type"].as_str().unwrap().to_owned();
            (kind, it["payload"]["status"].clone())
        })
        .collect()
}

#[test]
fn what_an_abort_ended_stays_as_it_ended() {
    let call = |state: Value| tool("t", "bash", state);
    let running = json!({"status": "running", "input": {"command": "ls"}, "time": {"start": 1}});
    let all = after(
        begun(),
        [
            text("p", "The lamp", false),
            call(running),
            error("MessageAbortedError"),
            aborted(),
            text("p", "The lamp", true),
            call(completed("a", json!({"exit": 0}))),
            call(failed("Tool execution aborted")),
            status("idle"),
            idle(),
        ],
    );
    let ended = |kind: &str| (kind.to_owned(), json!("failed"));
    assert_eq!(
        of_items(&all, 6),
        [
            ended("item.completed"),
            ended("item.completed"),
            ended("item.updated"),
            ended("item.updated"),
            ended("item.updated")
        ]
    );
    let turns = of_type(&all, "turn.completed");
    assert_eq!(turns.len(), 1);
    assert_eq!(turns[0]["payload"]["state"], "interrupted");
    assert_eq!(of_type(&all, "runtime.error").len(), 0);
}

#[test]
fn idle_ends_a_turn_that_was_never_busy() {
    for ends in [vec![idle()], vec![status("idle")], vec![status("idle"), idle()]] {
        let all = after(vec![user("u")], ends);
        let turns = of_type(&all, "turn.completed");
        assert_eq!(turns.len(), 1, "{all:#?}");
        assert_eq!(turns[0]["payload"]["state"], "interrupted");
    }
}

#[test]
fn the_second_news_of_an_idle_server_does_not_end_the_next_turn() {
    let first = [done("a", "stop"), status("idle"), user("v"), idle()];
    let all = after(begun(), first);
    assert_eq!(of_type(&all, "turn.started").len(), 2);
    assert_eq!(of_type(&all, "turn.completed").len(), 1);
    let more = [status("busy"), assistant("b", json!({})), done("b", "stop"), idle()];
    let all = after(all, more);
    let turns = of_type(&all, "turn.completed");
    assert_eq!(turns.len(), 2);
    assert_eq!(turns[1]["payload"]["state"], "completed");
}

#[test]
fn a_question_is_asked_and_answered_in_both_ways() {
    let tool = json!({"messageID": "a", "callID": "c"});
    for (generation, call) in [("question", "tool"), ("question.v2", "tool")] {
        let asked = event(
            &format!("{generation}.asked"),
            json!({"id": "q", "sessionID": "s", call: tool,
                "questions": [{"question": "Which lamp?", "header": "Lamp", "options": []}]}),
        );
        let over = |how: &str, more: Value| {
            let mut properties = json!({"sessionID": "s", "requestID": "q"});
            let members = more.as_object().unwrap().clone();
            properties.as_object_mut().unwrap().extend(members);
            event(&format!("{generation}.{how}"), properties)
        };
        let (types, _) = last(&after(begun(), [asked.clone()]));
        assert_eq!(types, ["user-input.requested", "request.opened"]);
        // The server says it once more, and nothing is told twice.
        let (types, _) = last(&after(begun(), [asked.clone(), asked.clone()]));
        assert_eq!(types, Vec::<&str>::new());
        for (end, decision, answers) in [
            (over("rejected", json!({})), "decline", Value::Null),
            (over("replied", json!({"answers": [["tall"]]})), "accept", json!([["tall"]])),
            (status("idle"), "cancel", Value::Null),
        ] {
            let all = after(begun(), [asked.clone(), end.clone()]);
            let request = of_type(&all, "request.resolved");
            let question = of_type(&all, "user-input.resolved");
            assert_eq!((request.len(), question.len()), (1, 1), "{end}");
            assert_eq!(request[0]["payload"]["decision"], decision, "{end}");
            assert_eq!(question[0]["payload"]["answers"], answers, "{end}");
            assert_eq!(request[0]["requestId"], question[0]["requestId"]);
            let late = after(all, [over("rejected", json!({}))]);
            assert_eq!(last(&late).0, Vec::<&str>::new(), "{end}");
        }
    }
}

#[test]
fn a_request_of_a_helper_is_its_own() {
    let of_helper = |mut event: Value| {
        let properties = &mut event["properties"];
        properties["sessionID"] = json!("kid");
        if properties.get("info").is_some() {
            properties["info"]["sessionID"] = json!("kid");
        }
        event
    };
    let asked = event(
        "permission.asked",
        json!({"id": "r", "sessionID": "kid", "permission": "bash", "patterns": ["ls"], "metadata": {}, "always": []}),
    );
    let all = after(begun(), [of_helper(user("k")), of_helper(status("busy")), asked, status("idle")]);
    assert_eq!(of_type(&all, "request.resolved").len(), 0);
    let all = after(all, [of_helper(status("idle"))]);
    let (opened, resolved) = (of_type(&all, "request.opened"), of_type(&all, "request.resolved"));
    assert_eq!(opened[0]["threadId"], resolved[0]["threadId"]);
    assert_eq!(resolved[0]["providerRefs"]["providerThreadId"], "kid");
    assert_eq!(resolved[0]["payload"]["decision"], "cancel");
}

#[test]
fn a_text_that_was_written_anew_ends_as_it_is() {
    let cut = [text("p", "draft one", false), text("p", "final", false)];
    let all = after(begun(), cut.into_iter().chain([done("a", "stop"), status("idle")]));
    let ends = of_type(&all, "item.completed");
    let of_model = ends.iter().find(|it| it["providerRefs"]["providerItemId"] == "p");
    assert_eq!(of_model.unwrap()["payload"]["detail"], "final");
}

#[test]
fn a_call_in_a_state_that_no_version_has_is_no_success() {
    let odd = tool("t", "bash", json!({"status": "hibernating", "input": {}}));
    let all = after(begun(), [odd, aborted(), status("idle")]);
    let ends = of_items(&all, 3);
    assert_eq!(ends.last().unwrap(), &(String::from("item.completed"), json!("failed")));
}

#[test]
fn a_part_that_is_taken_back_is_over() {
    let removed = event(
        "message.part.removed",
        json!({"sessionID": "s", "messageID": "a", "partID": "p"}),
    );
    let all = after(begun(), [text("p", "x", false), removed.clone(), delta("p", "y"), removed]);
    let types: Vec<String> = of_items(&all, 4).into_iter().map(|(kind, _)| kind).collect();
    assert_eq!(types, ["item.completed", "item.updated"]);
    assert_eq!(of_type(&all, "content.delta").len(), 1);
}

#[test]
fn a_terminal_ends_once() {
    let info = |state: &str, code: Value| {
        json!({"info": {"id": "pty", "title": "sh", "command": "sh", "args": [], "cwd": "/w",
            "status": state, "pid": 7, "exitCode": code}})
    };
    let all = [
        event("pty.created", info("running", Value::Null)),
        event("pty.exited", json!({"id": "pty", "exitCode": 0})),
        event("pty.updated", info("exited", json!(1))),
        event("pty.updated", info("running", Value::Null)),
        event("pty.deleted", json!({"id": "pty"})),
    ];
    let told = of_items(&all, 0);
    let completed = |kind: &str| (kind.to_owned(), json!("completed"));
    assert_eq!(told[1], completed("item.completed"));
    assert_eq!(told[2..], [completed("item.updated"), completed("item.updated"), completed("item.updated")]);
}

#[test]
fn what_the_user_says_in_many_texts_costs_what_it_is_long() {
    let said = |number: usize| {
        part(json!({"id": format!("p{number}"), "messageID": "u", "type": "text", "text": "l".repeat(1_000)}))
    };
    let texts = 500;
    let all = after(vec![user("u")], (0..texts).map(said));
    let all = after(all, [status("busy")]);
    let details = |kind: &str| -> usize {
        let told = of_type(&all, kind);
        told.iter().filter_map(|it| it["payload"]["detail"].as_str()).map(str::len).sum()
    };
    assert_eq!(details("item.updated"), 1_000);
    assert_eq!(details("item.completed"), texts * 1_001 - 1);
}

#[test]
fn a_session_that_is_deleted_is_forgotten() {
    let deleted = event(
        "session.deleted",
        json!({"sessionID": "s", "info": {"id": "s", "projectID": "g", "directory": "/w", "title": "t",
            "version": "1", "time": {"created": 1, "updated": 1}}}),
    );
    let all = after(begun(), [text("p", "The lamp", false), deleted]);
    assert_eq!(last(&all).0, [
            "item.completed",
            "turn.completed",
            "thread.started",
            "thread.state.changed"
        ]);
    // What its name names after that begins anew.
    let all = after(all, [user("u2")]);
    assert_eq!(last(&all).0, ["turn.started", "item.started"]);
}
