//! Sessions with Amp, line by line.

#![allow(clippy::unwrap_used, clippy::panic)]

use serde_json::Value;

use super::AmpSession;
use crate::kit::frame::Limits;
use crate::kit::session::{Direction, Outcome, Verdict};
use crate::kit::sources::{SequentialIds, WireClock};

/// The outcome of each line; one begins with `<` for what the agent writes and with `>` for what
/// the host writes.
fn led(lines: &[&str]) -> Vec<Outcome> {
    let mut session = AmpSession::with_sources(
        SequentialIds::new(),
        WireClock::default(),
        Limits::default(),
    );
    for line in lines {
        let (direction, text) = match line.split_at(1) {
            ("<", text) => (Direction::FromAgent, text),
            (">", text) => (Direction::ToAgent, text),
            (other, _) => panic!("a line begins with {other}"),
        };
        session.push(direction, text.as_bytes());
        session.push(direction, b"\n");
    }
    session.finish();
    session.outcomes().collect()
}

fn types(outcome: &Outcome) -> Vec<&'static str> {
    let events = outcome.events.iter();
    events.map(|it| it.event_type().as_str()).collect()
}

fn last(lines: &[&str]) -> (Vec<&'static str>, Vec<Value>) {
    let outcome = led(lines).pop().unwrap();
    let trees = outcome.events.iter();
    (
        types(&outcome),
        trees.map(|it| serde_json::to_value(it).unwrap()).collect(),
    )
}

const ASKS: &str =
    r#">{"type":"user","message":{"role":"user","content":[{"type":"text","text":"Light it."}]}}"#;
const INIT: &str = r#"<{"type":"system","subtype":"init","cwd":"/w","session_id":"T-1","tools":["Bash"],"mcp_servers":[]}"#;
const ECHO: &str = r#"<{"type":"user","message":{"role":"user","content":[{"type":"text","text":"Light it."}]},"parent_tool_use_id":null,"session_id":"T-1"}"#;
const SAYS: &str = r#"<{"type":"assistant","message":{"type":"message","role":"assistant","content":[{"type":"text","text":"It is lit."}],"stop_reason":"end_turn","usage":{"input_tokens":1,"output_tokens":2}},"parent_tool_use_id":null,"session_id":"T-1"}"#;
const DONE: &str = r#"<{"type":"result","subtype":"success","duration_ms":2,"is_error":false,"num_turns":1,"result":"It is lit.","session_id":"T-1"}"#;

fn call(id: &str, name: &str, input: &str, parent: &str) -> String {
    format!(
        r#"<{{"type":"assistant","message":{{"type":"message","role":"assistant","content":[{{"type":"tool_use","id":"{id}","name":"{name}","input":{input}}}],"stop_reason":"tool_use"}},"parent_tool_use_id":{parent},"session_id":"T-1"}}"#
    )
}

fn result(id: &str, content: &str, is_error: bool) -> String {
    format!(
        r#"<{{"type":"user","message":{{"role":"user","content":[{{"type":"tool_result","tool_use_id":"{id}","content":{content},"is_error":{is_error}}}]}},"parent_tool_use_id":null,"session_id":"T-1"}}"#
    )
}

fn stopped(reason: &str) -> String {
    SAYS.replace(r#""end_turn""#, reason)
}

#[test]
fn a_turn_begins_with_what_the_user_says_and_ends_with_the_result() {
    let outcomes = led(&[ASKS, INIT, ECHO, SAYS, DONE]);
    let told: Vec<Vec<&str>> = outcomes.iter().map(types).collect();
    assert_eq!(
        told,
        [
            vec!["turn.started", "item.started", "item.completed"],
            vec!["session.started", "thread.started", "session.configured"],
            vec!["item.updated"],
            vec![
                "item.started",
                "item.completed",
                "thread.token-usage.updated"
            ],
            vec!["turn.completed"],
        ]
    );
    let item = |outcome: usize, event: usize| outcomes[outcome].events[event].item_id.clone();
    assert_eq!(item(0, 1), item(2, 0), "what comes back is what was said");
    let turn = outcomes[0].events[0].turn_id.clone();
    let events = outcomes.iter().flat_map(|outcome| &outcome.events);
    let mut of_turn = 0;
    for event in events {
        let of_session = ["session.started", "thread.started"];
        if !of_session.contains(&event.event_type().as_str()) {
            assert_eq!(event.turn_id, turn, "{event:?}");
            of_turn += 1;
        }
    }
    assert_eq!(of_turn, 9);
}

#[test]
fn a_prompt_that_only_the_agent_tells_begins_a_turn() {
    let (types, events) = last(&[INIT, ECHO]);
    assert_eq!(types, ["turn.started", "item.started", "item.completed"]);
    assert_eq!(events[2]["payload"]["itemType"], "user_message");
}

#[test]
fn the_next_message_ends_a_turn_that_was_answered() {
    let (types, events) = last(&[ASKS, INIT, ECHO, SAYS, ASKS]);
    assert_eq!(
        types,
        [
            "turn.completed",
            "turn.started",
            "item.started",
            "item.completed"
        ]
    );
    assert_eq!(events[0]["payload"]["state"], "completed");
    assert_ne!(events[0]["turnId"], events[1]["turnId"]);
}

#[test]
fn a_turn_that_breaks_off_is_no_success() {
    for reason in ["null", r#""max_tokens""#, r#""refusal""#] {
        let cut = stopped(reason);
        let outcomes = led(&[ASKS, INIT, ECHO, &cut]);
        let ended = outcomes.iter().flat_map(types);
        assert!(
            ended.filter(|it| *it == "turn.completed").count() == 0,
            "{reason}: nothing said that it ended"
        );
        // The next message shows that it is over, and is the first of another turn.
        for next in [ASKS, &ECHO.replace("Light it.", "Again.")] {
            let (types, events) = last(&[ASKS, INIT, ECHO, &cut, next]);
            assert_eq!(types[..2], ["turn.completed", "turn.started"], "{reason}");
            assert_ne!(events[0]["payload"]["state"], "completed", "{reason}");
            assert_ne!(events[0]["turnId"], events[1]["turnId"]);
        }
    }
    for (reason, state) in [
        (r#""max_tokens""#, "interrupted"),
        (r#""refusal""#, "failed"),
        (r#""end_turn""#, "completed"),
    ] {
        let (_, events) = last(&[ASKS, INIT, ECHO, &stopped(reason), DONE]);
        let end = events.last().unwrap();
        assert_eq!(end["payload"]["state"], state, "{reason}");
    }
}

#[test]
fn a_result_that_fails_says_what() {
    let failed = |words: &str, subtype: &str| {
        let line = format!(
            r#"<{{"type":"result","subtype":"{subtype}","duration_ms":2,"is_error":true,"num_turns":0,"error":"{words}","session_id":"T-1"}}"#
        );
        last(&[ASKS, INIT, ECHO, &line])
    };
    for (words, subtype, class) in [
        ("no lamp", "error_during_execution", "provider_error"),
        ("429 {}", "error_during_execution", "usage_limit"),
        ("too many", "error_max_turns", "usage_limit"),
    ] {
        let (types, events) = failed(words, subtype);
        assert_eq!(types, ["runtime.error", "turn.completed"]);
        assert_eq!(events[0]["payload"]["class"], class, "{words}");
        assert_eq!(events[1]["payload"]["state"], "failed");
        assert_eq!(events[1]["payload"]["errorMessage"], words);
    }
    let (types, events) = failed("User cancelled (a signal)", "error_during_execution");
    assert_eq!(types, ["turn.completed"]);
    assert_eq!(events[0]["payload"]["state"], "interrupted");
}

#[test]
fn a_result_counts_over_all_turns() {
    let line = DONE.replace(
        r#""num_turns":1"#,
        r#""num_turns":1,"usage":{"input_tokens":1,"output_tokens":2}"#,
    );
    let (_, events) = last(&[ASKS, INIT, ECHO, SAYS, &line]);
    assert_eq!(events[0]["payload"]["usage"]["output_tokens"], 2);
    let (_, events) = last(&[ASKS, INIT, ECHO, SAYS, ASKS, ECHO, SAYS, &line]);
    assert_eq!(events[0]["payload"]["usage"]["total"]["output_tokens"], 2);
    assert_eq!(events[0]["payload"]["usage"].get("output_tokens"), None);
}

#[test]
fn a_success_that_is_an_error_failed() {
    let line = DONE.replace(r#""is_error":false"#, r#""is_error":true"#);
    let (types, events) = last(&[ASKS, INIT, ECHO, SAYS, &line]);
    assert_eq!(types, ["runtime.error", "turn.completed"]);
    assert_eq!(events[1]["payload"]["state"], "failed");
}

#[test]
fn a_result_that_cannot_be_read_ends_its_turn_as_a_failure() {
    for line in [
        DONE.replace(r#""num_turns":1"#, r#""num_turns":[]"#),
        DONE.replace("success", "aurora"),
    ] {
        let outcome = led(&[ASKS, INIT, ECHO, SAYS, &line]).pop().unwrap();
        assert_ne!(outcome.verdict, Verdict::Mapped);
        let end = serde_json::to_value(outcome.events.last().unwrap()).unwrap();
        assert_eq!(end["type"], "turn.completed");
        assert_eq!(end["payload"]["state"], "failed");
    }
}

#[test]
fn a_command_that_fails_has_failed() {
    for (content, is_error, status, detail) in [
        (
            r#""{\"output\":\"a\",\"exitCode\":0}""#,
            false,
            "completed",
            "a",
        ),
        (
            r#""{\"output\":\"a\",\"exitCode\":3}""#,
            false,
            "failed",
            "a",
        ),
        (
            r#""{\"exitCode\":0.0,\"output\":\"a\"}""#,
            false,
            "completed",
            "a",
        ),
        (
            r#""{\"exitCode\":1.5,\"output\":\"a\"}""#,
            false,
            "failed",
            "a",
        ),
        (r#""lamp""#, false, "completed", "lamp"),
        (r#""lamp""#, true, "failed", "lamp"),
    ] {
        let calls = call("c", "Bash", r#"{"cmd":"ls"}"#, "null");
        let (types, events) = last(&[ASKS, INIT, &calls, &result("c", content, is_error)]);
        assert_eq!(types, ["item.completed"]);
        assert_eq!(events[0]["payload"]["itemType"], "command_execution");
        assert_eq!(events[0]["payload"]["status"], status, "{content}");
        assert_eq!(events[0]["payload"]["detail"], detail, "{content}");
    }
}

#[test]
fn what_a_helper_left_open_ends_with_it_and_nothing_says_how() {
    let starts = call("a", "Task", r#"{"prompt":"Look."}"#, "null");
    let inner = call("b", "Bash", r#"{"cmd":"ls"}"#, r#""a""#);
    let (types, events) = last(&[
        ASKS,
        INIT,
        &starts,
        &inner,
        &result("a", r#""Two.""#, false),
    ]);
    assert_eq!(types, ["item.completed", "item.completed"]);
    assert_eq!(events[0]["providerRefs"]["providerItemId"], "b");
    assert_eq!(events[0]["payload"].get("status"), None);
    assert_eq!(events[1]["payload"]["status"], "completed");
    assert_eq!(events[1]["payload"]["itemType"], "collab_agent_tool_call");
}

#[test]
fn a_call_without_a_result_fails_with_its_turn() {
    let calls = call("c", "Bash", "{}", "null");
    let (types, events) = last(&[ASKS, INIT, &calls, DONE]);
    assert_eq!(types, ["item.completed", "turn.completed"]);
    assert_eq!(events[0]["payload"]["status"], "failed");
}

#[test]
fn a_list_of_todos_is_the_plan() {
    let input = r#"{"todos":[{"id":"1","content":"Light","status":"completed"},{"id":"2","content":"Sail","status":"aurora"}]}"#;
    let (types, events) = last(&[ASKS, INIT, &call("c", "todo_write", input, "null")]);
    assert_eq!(types, ["item.started", "turn.plan.updated"]);
    let plan = &events[1]["payload"]["plan"];
    assert_eq!(plan[0]["status"], "completed");
    assert_eq!(plan[1]["status"], "pending");
    assert_eq!(events[1].get("itemId"), None);
}

#[test]
fn an_unknown_block_costs_no_neighbour() {
    let line = SAYS.replace(
        r#"[{"type":"text""#,
        r#"[{"type":"hologram","d":1},{"type":"text""#,
    );
    let (types, _) = last(&[ASKS, INIT, &line]);
    assert_eq!(
        types,
        [
            "runtime.warning",
            "item.started",
            "item.completed",
            "thread.token-usage.updated"
        ]
    );
}

#[test]
fn what_the_host_writes_is_its_own_affair() {
    let outcomes = led(&[
        r#">{"type":"aurora"}"#,
        r#">{"type":"user","message":{"role":"assistant","content":[]}}"#,
    ]);
    for outcome in outcomes {
        assert_eq!(outcome.verdict, Verdict::Noted);
    }
}
