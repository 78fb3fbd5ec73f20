//! Turns: how they begin, how they end, and what the host decides in between.

#![allow(clippy::unwrap_used)]

use super::session_lines::*;
use crate::kit::session::{Direction, Verdict};

#[test]
fn a_message_of_the_user_begins_a_turn_and_its_result_ends_it() {
    let mut bench = Bench::new();
    assert_eq!(
        bench.host(&said("light the lamp")),
        [
            "turn.started",
            "item.started item-1 user_message inProgress",
            "item.completed item-1 user_message completed"
        ]
    );
    assert_eq!(
        bench.out(INIT),
        ["session.started", "thread.started", "session.configured"]
    );
    assert_eq!(bench.events[3]["providerRefs"]["providerSessionId"], "s");
    assert_eq!(
        bench.events[0]["providerRefs"].as_object(),
        None,
        "names of ours are no names of the provider"
    );
    assert_eq!(bench.events[5]["payload"]["config"]["model"], "m-1");
    let end = bench.out(&result("r", SUCCESS));
    assert_eq!(end, ["turn.completed completed"]);
    let end = bench.events.last().unwrap();
    assert_eq!(end["payload"]["totalCostUsd"], 0.5);
    assert_eq!(end["payload"]["usage"]["input_tokens"], 4);
    assert_eq!(end["payload"]["stopReason"], serde_json::Value::Null);
    bench.quiet(&result("r", SUCCESS));
    for event in &bench.events {
        assert_eq!(event["threadId"], "thread-1");
    }
}

#[test]
fn who_sees_only_the_program_sees_turns_begin_at_the_first_sign_of_work() {
    let mut bench = Bench::new();
    assert_eq!(
        bench.out(INIT),
        [
            "session.started",
            "thread.started",
            "session.configured",
            "turn.started"
        ]
    );
    bench.out(&result("r1", SUCCESS));
    assert_eq!(bench.out(&message("m")), ["turn.started"]);
    assert_eq!(bench.events.last().unwrap()["payload"]["model"], "m-1");
    bench.out(&result("r2", SUCCESS));
    let text = r#"{"type":"text","text":"lamp"}"#;
    assert_eq!(bench.out(&line("u", "null", "n", text))[0], "turn.started");
    bench.out(&result("r3", SUCCESS));
    let replayed = said("lamp").replace(
        r#""session_id":"""#,
        r#""isReplay":true,"uuid":"v","parent_tool_use_id":null,"session_id":"s""#,
    );
    assert_eq!(bench.out(&replayed)[0], "turn.started");
    bench.out(&result("r4", SUCCESS));
    // What a command of the agent itself prints between turns begins none.
    let printed = replayed
        .replace("lamp", "<local-command-stdout>ok")
        .replace(r#""v""#, r#""w""#);
    assert_eq!(bench.out(&printed).len(), 2);
}

#[test]
fn what_the_agent_sends_back_is_told_once() {
    let mut bench = Bench::begun();
    let back = said("light the lamp").replace(
        r#""session_id":"""#,
        r#""isReplay":true,"uuid":"v","parent_tool_use_id":null,"session_id":"s""#,
    );
    assert_eq!(
        bench.out(&back),
        ["item.updated item-1 user_message completed"]
    );
    assert_eq!(
        bench.out(&back),
        ["item.updated item-1 user_message completed"]
    );
}

#[test]
fn a_message_that_comes_during_a_turn_belongs_to_it_until_the_next_begins() {
    let mut bench = Bench::begun();
    assert_eq!(bench.host(&said("and the rope")).len(), 2);
    assert_eq!(bench.events.last().unwrap()["turnId"], "turn-1");
    bench.out(&result("r1", SUCCESS));
    assert_eq!(bench.out(INIT), ["session.configured", "turn.started"]);
    assert_eq!(bench.events.last().unwrap()["turnId"], "turn-2");
}

#[test]
fn a_success_with_an_error_is_a_failed_turn() {
    let mut bench = Bench::begun();
    let synthetic = line("u", "null", "x", r#"{"type":"text","text":"API Error"}"#).replace(
        r#""parent_tool_use_id""#,
        r#""error":"rate_limit","parent_tool_use_id""#,
    );
    assert_eq!(
        bench.out(&synthetic)[1],
        "item.completed item-2 assistant_message failed"
    );
    let end = r#""subtype":"success","is_error":true,"result":"API Error""#;
    assert_eq!(
        bench.out(&result("r", end)),
        ["runtime.error usage_limit", "turn.completed failed"]
    );
    assert_eq!(
        bench.events.last().unwrap()["payload"]["errorMessage"],
        "API Error"
    );
}

#[test]
fn the_status_of_the_server_decides_the_class() {
    for (rest, class) in [
        (
            r#""result":"no","api_error_status":401"#,
            "permission_error",
        ),
        (r#""result":"no","api_error_status":429"#, "usage_limit"),
        (r#""result":"API Error: 529 {}""#, "provider_error"),
        (
            r#""result":"no","api_error_status":null,"api_error":"connection_failed""#,
            "transport_error",
        ),
        (r#""result":"no""#, "unknown"),
    ] {
        let mut bench = Bench::begun();
        let end = format!(r#""subtype":"success","is_error":true,{rest}"#);
        assert_eq!(
            bench.out(&result("r", &end)),
            [
                format!("runtime.error {class}"),
                String::from("turn.completed failed")
            ]
        );
    }
}

#[test]
fn errors_of_execution_and_limits_fail_the_turn() {
    for (subtype, class) in [
        ("error_during_execution", "provider_error"),
        ("error_max_turns", "usage_limit"),
        ("error_max_budget_usd", "usage_limit"),
        ("error_max_structured_output_retries", "validation_error"),
    ] {
        let mut bench = Bench::begun();
        let end = format!(r#""subtype":"{subtype}","is_error":false,"errors":["oil"]"#);
        assert_eq!(
            bench.out(&result("r", &end)),
            [
                format!("runtime.error {class}"),
                String::from("turn.completed failed")
            ]
        );
        assert_eq!(
            bench.events.last().unwrap()["payload"]["errorMessage"],
            "oil"
        );
    }
}

const STOPPED: &str = r#""subtype":"error_during_execution","is_error":false,"errors":[]"#;

#[test]
fn a_turn_that_the_host_interrupts_is_interrupted() {
    let mut bench = Bench::begun();
    bench.out(&line("u", "null", "m", &tool("t", "Bash")));
    bench.host(r#"{"type":"control_request","request_id":"i","request":{"subtype":"interrupt"}}"#);
    bench.quiet(&answers("i", "{}"));
    assert_eq!(
        bench.out(&result("r", STOPPED)),
        [
            "item.completed item-2 command_execution failed",
            "turn.completed interrupted"
        ]
    );
    // The next turn is not.
    bench.host(&said("again"));
    assert_eq!(
        bench.out(&result("r2", STOPPED)),
        ["runtime.error provider_error", "turn.completed failed"]
    );
}

#[test]
fn an_interruption_is_known_by_its_reason_and_by_its_mark_too() {
    let mut bench = Bench::begun();
    let aborted = format!(r#"{STOPPED},"terminal_reason":"aborted_streaming""#);
    assert_eq!(
        bench.out(&result("r", &aborted)),
        ["turn.completed interrupted"]
    );
    bench.out(INIT);
    bench.quiet(r#"{"type":"user","message":{"role":"user","content":[{"type":"text","text":"[Request interrupted by user]"}]},"parent_tool_use_id":null,"session_id":"s"}"#);
    assert_eq!(
        bench.out(&result("r2", STOPPED)),
        ["turn.completed interrupted"]
    );
}

#[test]
fn what_cannot_be_read_is_no_success() {
    let odd = format!(r#"{SUCCESS},"terminal_reason":"sunset""#);
    let mut bench = Bench::begun();
    let outcome = bench.line(Direction::FromAgent, &result("r", &odd));
    assert_eq!(outcome.oddities.len(), 1);
    assert_eq!(bench.events.last().unwrap()["payload"]["state"], "failed");
    let mut bench = Bench::begun();
    let refused =
        result("r", SUCCESS).replace(r#""stop_reason":null"#, r#""stop_reason":"refusal""#);
    assert_eq!(
        bench.out(&refused),
        ["runtime.error unknown", "turn.completed failed"]
    );
    for line in [
        result(
            "r",
            r#""subtype":"sunset","is_error":false,"result":"done""#,
        ),
        result(
            "r",
            r#""subtype":"success","is_error":"no","result":"done""#,
        ),
    ] {
        let mut bench = Bench::begun();
        let outcome = bench.line(Direction::FromAgent, &line);
        assert_ne!(outcome.verdict, Verdict::Mapped);
        let last = bench.events.last().unwrap();
        assert_eq!(
            (&last["type"], &last["payload"]["state"]),
            (&"turn.completed".into(), &"failed".into())
        );
        assert_eq!(bench.out(INIT), ["session.configured", "turn.started"]);
    }
}

#[test]
fn figures_that_cannot_be_read_are_loud_and_no_failure_of_the_turn() {
    let mut bench = Bench::begun();
    let line = result("r", SUCCESS).replace(
        r#""usage":{"input_tokens":4"#,
        r#""usage":{"input_tokens":"4""#,
    );
    let outcome = bench.line(Direction::FromAgent, &line);
    assert!(matches!(outcome.verdict, Verdict::Malformed { .. }));
    let types: Vec<&str> = outcome
        .events
        .iter()
        .map(|it| it.event_type().as_str())
        .collect();
    assert_eq!(types, ["runtime.error", "turn.completed"]);
    assert_eq!(
        bench.events.last().unwrap()["payload"]["state"],
        "completed"
    );
}

#[test]
fn the_host_allows_and_declines() {
    for (name, response, opened, resolved, end) in [
        (
            "Bash",
            r#"{"behavior":"allow","updatedInput":{}}"#,
            "command_execution_approval",
            "accept",
            "completed",
        ),
        (
            "Write",
            r#"{"behavior":"allow","updatedPermissions":[{"type":"setMode","mode":"acceptEdits","destination":"session"}]}"#,
            "file_change_approval",
            "acceptForSession",
            "completed",
        ),
        (
            "mcp__x__y",
            r#"{"behavior":"deny","message":"no"}"#,
            "unknown",
            "decline",
            "declined",
        ),
    ] {
        let mut bench = Bench::begun();
        bench.out(&line("u", "null", "m", &tool("t", name)));
        assert_eq!(
            bench.out(&asks("q", "t", name, r#"{"command":"ls"}"#)),
            [format!("request.opened item-2 {opened}")]
        );
        assert_eq!(bench.events.last().unwrap()["payload"]["detail"], "ls");
        assert_eq!(
            bench.host(&answers("q", response)),
            [format!("request.resolved item-2 {opened} {resolved}")]
        );
        let told = bench.out(&result_of("t", "x", end == "declined"));
        assert!(told[0].ends_with(end), "{told:?}");
        // Some agents send the answer back.
        bench.quiet(&answers("q", response));
    }
}

#[test]
fn a_refusal_that_interrupts_ends_the_turn_once() {
    let mut bench = Bench::begun();
    bench.out(&line("u", "null", "m", &tool("t", "Bash")));
    bench.out(&line("v", "null", "m", &tool("w", "Write")));
    bench.out(&asks("q", "t", "Bash", "{}"));
    let no = r#"{"behavior":"deny","message":"no","interrupt":true}"#;
    assert_eq!(
        bench.host(&answers("q", no)),
        [
            "request.resolved item-2 command_execution_approval cancel",
            "item.completed item-2 command_execution declined",
            "item.completed item-3 file_change failed",
            "turn.completed interrupted"
        ]
    );
    assert_eq!(
        bench.out(&result_of("t", "no", true)),
        ["item.updated item-2 command_execution declined"]
    );
    bench.quiet(r#"{"type":"user","message":{"role":"user","content":[{"type":"text","text":"[Request interrupted by user for tool use]"}]},"parent_tool_use_id":null,"session_id":"s"}"#);
    assert_eq!(
        bench.out(&result("r", STOPPED)),
        ["thread.metadata.updated"]
    );
    let ends = bench
        .events
        .iter()
        .filter(|event| event["type"] == "turn.completed");
    assert_eq!(ends.count(), 1);
    assert_eq!(bench.host(&said("again"))[0], "turn.started");
}

#[test]
fn a_request_that_the_agent_takes_back_is_resolved() {
    let mut bench = Bench::begun();
    bench.out(&line("u", "null", "m", &tool("t", "Bash")));
    bench.out(&asks("q", "t", "Bash", "{}"));
    assert_eq!(
        bench.out(r#"{"type":"control_cancel_request","request_id":"q"}"#),
        ["request.resolved item-2 command_execution_approval cancel"]
    );
    assert!(
        bench
            .host(&answers("q", r#"{"behavior":"allow"}"#))
            .is_empty()
    );
}

#[test]
fn questions_of_a_tool_are_questions_to_the_user() {
    let mut bench = Bench::begun();
    bench.out(&line("u", "null", "m", &tool("t", "AskUserQuestion")));
    let input = r#"{"questions":[{"question":"Which lamp?"}]}"#;
    assert_eq!(
        bench.out(&asks("q", "t", "AskUserQuestion", input)),
        [
            "user-input.requested item-2",
            "request.opened item-2 tool_user_input"
        ]
    );
    let yes =
        r#"{"behavior":"allow","updatedInput":{"questions":[],"answers":{"Which lamp?":"oil"}}}"#;
    assert_eq!(
        bench.host(&answers("q", yes)),
        [
            "user-input.resolved item-2",
            "request.resolved item-2 tool_user_input accept"
        ]
    );
    let answered = bench
        .events
        .iter()
        .find(|event| event["type"] == "user-input.resolved");
    assert_eq!(
        answered.unwrap()["payload"]["answers"]["Which lamp?"],
        "oil"
    );
}

#[test]
fn a_refusal_without_a_question_is_told_by_the_agent() {
    let mut bench = Bench::begun();
    bench.out(&line("u", "null", "m", &tool("t", "Bash")));
    bench.out(&line("v", "null", "m", &tool("w", "Write")));
    let denied = r#"{"type":"system","subtype":"permission_denied","tool_name":"Bash","tool_use_id":"t","message":"no","uuid":"u","session_id":"s"}"#;
    assert_eq!(
        bench.out(denied),
        ["item.updated item-2 command_execution declined"]
    );
    assert_eq!(
        bench.out(&result_of("t", "no", true)),
        ["item.completed item-2 command_execution declined"]
    );
    bench.out(&result_of("w", "no", true));
    let end = result("r", SUCCESS).replace(
        r#""permission_denials":[]"#,
        r#""permission_denials":[{"tool_name":"Write","tool_use_id":"w","tool_input":{}}]"#,
    );
    assert_eq!(
        bench.out(&end),
        [
            "item.updated item-3 file_change declined",
            "turn.completed completed"
        ]
    );
}
