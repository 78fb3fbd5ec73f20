//! What a session tells beside its turns, and what it does with lines that no version has.

#![allow(clippy::unwrap_used, clippy::panic)]

use super::bench::*;
use crate::kit::session::{Direction, Verdict};

fn system(subtype: &str, rest: &str) -> String {
    format!(r#"{{"type":"system","subtype":"{subtype}",{rest},"uuid":"u","session_id":"s"}}"#)
}

#[test]
fn a_type_that_no_version_has_is_a_warning_and_the_next_line_is_read() {
    let mut bench = Bench::begun();
    let line = r#"{"type":"weather_event","level":"calm","uuid":"u","session_id":"s"}"#;
    let outcome = bench.line(Direction::FromAgent, line);
    assert_eq!(
        (&outcome.verdict, outcome.tag.as_deref()),
        (&Verdict::Unrecognized, Some("weather_event"))
    );
    assert_eq!(outcome.events.len(), 1);
    let event = bench.events.last().unwrap();
    assert_eq!(event["type"], "runtime.warning");
    assert_eq!(event["raw"]["payload"]["level"], "calm");
    assert_eq!(event["turnId"], "turn-1");
    bench.out(&result("r", SUCCESS));
}

#[test]
fn kinds_below_a_type_are_warnings_too() {
    let mut bench = Bench::begun();
    bench.quiet(&message("m"));
    for (line, tag) in [
        (system("sunset", r#""x":1"#), "system:sunset"),
        (streamed("null", r#"{"type":"ping"}"#), "stream_event:ping"),
        (
            start(0, r#"{"type":"hologram"}"#),
            "stream_event:content_block_start:hologram",
        ),
        (
            delta(0, r#"{"type":"light_delta"}"#),
            "stream_event:content_block_delta:light_delta",
        ),
    ] {
        let outcome = bench.line(Direction::FromAgent, &line);
        assert_eq!(outcome.tag.as_deref(), Some(tag));
        assert_eq!(outcome.verdict, Verdict::Unrecognized);
        assert_eq!(bench.events.last().unwrap()["type"], "runtime.warning");
    }
}

#[test]
fn a_block_that_no_version_has_costs_its_neighbours_nothing() {
    let mut bench = Bench::begun();
    let blocks = r#"{"type":"text","text":"a"},{"type":"hologram","d":1}"#;
    let outcome = bench.line(Direction::FromAgent, &line("u", "null", "m", blocks));
    assert_eq!(
        (&outcome.verdict, outcome.oddities.len()),
        (&Verdict::Mapped, 1)
    );
    let types: Vec<&str> = outcome
        .events
        .iter()
        .map(|event| event.event_type().as_str())
        .collect();
    assert_eq!(
        types,
        [
            "item.started",
            "item.completed",
            "runtime.warning",
            "thread.token-usage.updated"
        ]
    );
    let user = r#"{"type":"user","message":{"role":"user","content":[{"type":"hologram"},{"type":"text","text":"b"}]},"parent_tool_use_id":null,"session_id":"s"}"#;
    let outcome = bench.line(Direction::FromAgent, user);
    assert_eq!(outcome.events.len(), 3);
}

#[test]
fn a_known_type_that_does_not_decode_is_loud() {
    let mut bench = Bench::begun();
    let outcome = bench.line(
        Direction::FromAgent,
        r#"{"type":"tool_progress","tool_use_id":7,"session_id":"s"}"#,
    );
    let Verdict::Malformed { path, .. } = &outcome.verdict else {
        panic!("{:?}", outcome.verdict)
    };
    assert_eq!(path, "tool_use_id");
    let event = bench.events.last().unwrap();
    assert_eq!(
        (&event["type"], &event["payload"]["class"]),
        (&"runtime.error".into(), &"validation_error".into())
    );
    let broken = bench.line(Direction::FromAgent, r#"{"type":"user","#);
    assert!(matches!(broken.verdict, Verdict::NotJson { .. }));
    bench.out(&result("r", SUCCESS));
}

#[test]
fn a_request_that_cannot_be_read_is_seen_to_be_open() {
    let mut bench = Bench::begun();
    let unknown =
        r#"{"type":"control_request","request_id":"q","request":{"subtype":"ask_the_moon"}}"#;
    let outcome = bench.line(Direction::FromAgent, unknown);
    assert_eq!(outcome.verdict, Verdict::Unrecognized);
    let broken =
        r#"{"type":"control_request","request_id":"p","request":{"subtype":"can_use_tool"}}"#;
    let outcome = bench.line(Direction::FromAgent, broken);
    assert!(matches!(outcome.verdict, Verdict::Malformed { .. }));
    let opened = bench
        .events
        .iter()
        .filter(|event| event["type"] == "request.opened");
    assert_eq!(opened.count(), 2);
    assert_eq!(
        bench.host(&answers("q", "{}")),
        ["request.resolved unknown"]
    );
}

#[test]
fn a_list_of_messages_is_read_like_as_many_lines() {
    let list = format!("[{INIT},{}]\n", result("r", SUCCESS));
    let mut session = super::ClaudeSession::new();
    session.push(Direction::FromAgent, list.as_bytes());
    let verdicts: Vec<Verdict> = session.outcomes().map(|outcome| outcome.verdict).collect();
    assert_eq!(verdicts, [Verdict::Mapped, Verdict::Mapped]);
}

#[test]
fn responses_are_read_by_what_they_answer() {
    let mut bench = Bench::begun();
    let mut ask = |subtype: &str, rest: &str, response: &str| {
        bench.host(&format!(
            r#"{{"type":"control_request","request_id":"{subtype}","request":{{"subtype":"{subtype}"{rest}}}}}"#
        ));
        let outcome = bench.line(Direction::FromAgent, &answers(subtype, response));
        let types: Vec<&str> = outcome
            .events
            .iter()
            .map(|event| event.event_type().as_str())
            .collect();
        types.join(" ")
    };
    let initialized = r#"{"commands":[],"agents":[],"output_style":"d","available_output_styles":[],"models":[],"account":{}}"#;
    assert_eq!(
        ask("initialize", "", initialized),
        "session.configured account.updated"
    );
    assert_eq!(
        ask("set_model", r#","model":"m-2""#, "null"),
        "session.configured"
    );
    assert_eq!(
        ask("mcp_status", "", r#"{"mcpServers":[]}"#),
        "mcp.status.updated"
    );
    assert_eq!(
        ask("rename_session", r#","title":"Lamps""#, "null"),
        "thread.metadata.updated"
    );
    assert_eq!(ask("get_session_cost", "", r#"{"x":1}"#), "");
    assert_eq!(ask("end_the_day", "", r#"{"x":1}"#), "");
    let outcome = bench.line(Direction::FromAgent, &answers("nobody", "{}"));
    assert_eq!(outcome.verdict, Verdict::Unmatched);
    for (subtype, event) in [
        ("initialize", "runtime.error"),
        ("stop_task", "runtime.warning"),
    ] {
        bench.host(&format!(
            r#"{{"type":"control_request","request_id":"e","request":{{"subtype":"{subtype}","task_id":"k"}}}}"#
        ));
        let fails = r#"{"type":"control_response","response":{"subtype":"error","request_id":"e","error":"no"}}"#;
        assert!(bench.out(fails)[0].starts_with(event));
    }
}

#[test]
fn requests_that_still_wait_come_with_a_response() {
    let mut bench = Bench::new();
    bench.host(r#"{"type":"control_request","request_id":"1","request":{"subtype":"interrupt"}}"#);
    let waiting = asks("q", "t", "Bash", "{}");
    let response = format!(
        r#"{{"type":"control_response","response":{{"subtype":"success","request_id":"1","pending_permission_requests":[{waiting}]}}}}"#
    );
    let outcome = bench.line(Direction::FromAgent, &response);
    // The call that it asks for was not told yet.
    assert_eq!(bench.events[0]["type"], "item.started");
    assert_eq!(outcome.events.len(), 2);
    assert_eq!(bench.events[1]["payload"]["args"]["tool_name"], "Bash");
    assert_eq!(
        bench.host(&answers("q", r#"{"behavior":"allow"}"#)),
        ["request.resolved item-1 command_execution_approval accept"]
    );
}

#[test]
fn hooks_and_elicitations_of_the_host_are_told_with_their_answers() {
    let mut bench = Bench::begun();
    let hook = r#"{"type":"control_request","request_id":"h","request":{"subtype":"hook_callback","callback_id":"hook_0","input":{"hook_event_name":"Stop","session_id":"s","transcript_path":"/t","cwd":"/p","stop_hook_active":false}}}"#;
    assert_eq!(bench.out(hook), ["hook.started"]);
    assert_eq!(bench.events.last().unwrap()["payload"]["hookEvent"], "Stop");
    bench.host(&answers("h", r#"{"continue":false}"#));
    let end = bench.events.last().unwrap();
    assert_eq!(
        (&end["payload"]["hookId"], &end["payload"]["outcome"]),
        (&"h".into(), &"cancelled".into())
    );
    let form = r#"{"type":"control_request","request_id":"f","request":{"subtype":"elicitation","mcp_server_name":"x","message":"Name?","mode":"form","requested_schema":{}}}"#;
    assert_eq!(
        bench.out(form),
        ["user-input.requested", "request.opened mcp_elicitation"]
    );
    assert_eq!(
        bench.host(&answers(
            "f",
            r#"{"action":"accept","content":{"name":"lamp"}}"#
        )),
        [
            "user-input.resolved",
            "request.resolved mcp_elicitation accept"
        ]
    );
}

#[test]
fn news_of_the_session_have_their_events() {
    let mut bench = Bench::begun();
    for (line, told) in [
        (
            system("status", r#""status":"compacting""#),
            "session.state.changed running",
        ),
        (
            system("status", r#""status":null"#),
            "session.state.changed running",
        ),
        (
            system("session_state_changed", r#""state":"requires_action""#),
            "session.state.changed waiting",
        ),
        (
            system(
                "compact_boundary",
                r#""compact_metadata":{"trigger":"manual","pre_tokens":1}"#,
            ),
            "thread.state.changed compacted",
        ),
        (
            system("task_started", r#""task_id":"k","description":"count""#),
            "task.started",
        ),
        (
            system(
                "api_retry",
                r#""attempt":1,"max_retries":2,"retry_delay_ms":5,"error_status":529,"error":"overloaded""#,
            ),
            "runtime.warning",
        ),
        (
            system(
                "model_fallback",
                r#""trigger":"overloaded","original_model":"a","fallback_model":"b""#,
            ),
            "model.rerouted",
        ),
        (
            system("session_title_changed", r#""title":"Lamps""#),
            "thread.metadata.updated",
        ),
        (
            system(
                "hook_started",
                r#""hook_id":"h","hook_name":"n","hook_event":"Stop""#,
            ),
            "hook.started",
        ),
        (
            system(
                "hook_response",
                r#""hook_id":"h","hook_name":"n","hook_event":"Stop","output":"","stdout":"","stderr":"","outcome":"success""#,
            ),
            "hook.completed",
        ),
        (
            system(
                "files_persisted",
                r#""files":[],"failed":[],"processed_at":"x""#,
            ),
            "files.persisted",
        ),
        (
            String::from(
                r#"{"type":"tool_use_summary","summary":"lamps","preceding_tool_use_ids":["t"],"uuid":"u","session_id":"s"}"#,
            ),
            "tool.summary",
        ),
        (
            String::from(
                r#"{"type":"auth_status","isAuthenticating":true,"output":["x"],"uuid":"u","session_id":"s"}"#,
            ),
            "auth.status",
        ),
        (
            String::from(
                r#"{"type":"rate_limit_event","rate_limit_info":{"status":"allowed"},"uuid":"u","session_id":"s"}"#,
            ),
            "account.rate-limits.updated",
        ),
        (
            String::from(
                r#"{"type":"prompt_suggestion","suggestion":"more oil","uuid":"u","session_id":"s"}"#,
            ),
            "item.updated plan",
        ),
    ] {
        assert_eq!(bench.out(&line), [told], "{line}");
    }
    let outcome = bench.line(
        Direction::FromAgent,
        &system(
            "task_notification",
            r#""task_id":"l","status":"faded","output_file":"","summary":"x""#,
        ),
    );
    let types: Vec<&str> = outcome
        .events
        .iter()
        .map(|event| event.event_type().as_str())
        .collect();
    assert_eq!(types, ["task.started", "task.progress"]);
    let outcome = bench.line(
        Direction::FromAgent,
        &system("hook_response", r#""hook_id":"i","hook_name":"n","hook_event":"Stop","output":"","stdout":"","stderr":"","outcome":"faded""#),
    );
    let types: Vec<&str> = outcome
        .events
        .iter()
        .map(|event| event.event_type().as_str())
        .collect();
    assert_eq!(types, ["hook.started", "hook.completed"]);
    assert_eq!(bench.events.last().unwrap()["payload"]["outcome"], "error");
}

#[test]
fn signs_of_life_name_their_call() {
    let mut bench = Bench::begun();
    bench.out(&line("u", "null", "m", &tool("t", "Bash")));
    let beat = r#"{"type":"tool_progress","tool_use_id":"beat-1","tool_name":"Bash","parent_tool_use_id":"t","elapsed_time_seconds":3,"uuid":"u","session_id":"s"}"#;
    assert_eq!(bench.out(beat), ["tool.progress item-2"]);
    let event = bench.events.last().unwrap();
    assert_eq!(
        (
            &event["payload"]["toolUseId"],
            &event["payload"]["elapsedSeconds"]
        ),
        (&"t".into(), &3.into())
    );
}

#[test]
fn a_conversation_that_is_reset_goes_on_in_another_thread() {
    let mut bench = Bench::begun();
    let reset =
        r#"{"type":"conversation_reset","new_conversation_id":"c","uuid":"u","session_id":"s"}"#;
    assert_eq!(bench.out(reset), ["thread.state.changed closed"]);
    let next = INIT.replace(r#""session_id":"s""#, r#""session_id":"s2""#);
    assert_eq!(bench.out(&next), ["thread.started", "session.configured"]);
    bench.out(&result("r", SUCCESS));
    assert_eq!(bench.events.last().unwrap()["threadId"], "thread-1");
    bench.host(&said("again"));
    assert_eq!(bench.events.last().unwrap()["threadId"], "thread-2");
}

#[test]
fn lines_that_the_agent_refuses_begin_no_turn() {
    let mut bench = Bench::new();
    for line in [
        r#"{"type":"user"}"#,
        r#"{"type":"user","message":{"role":"assistant","content":"x"}}"#,
        r#"{"type":"martian"}"#,
        r#"{"type":"keep_alive"}"#,
        r#"{"type":"control_response","response":{"subtype":"success","request_id":"nope"}}"#,
    ] {
        let outcome = bench.line(Direction::ToAgent, line);
        assert_eq!(
            (&outcome.verdict, outcome.events.len()),
            (&Verdict::Noted, 0),
            "{line}"
        );
    }
}

#[test]
fn the_same_stream_gives_the_same_events() {
    let run = || {
        let mut bench = Bench::begun();
        bench.line(Direction::FromAgent, &message("m"));
        bench.out(&start(0, TEXT));
        bench.out(&delta(0, &text("lamp")));
        bench.out(&stop(0));
        bench.out(&result("r", SUCCESS));
        bench.events
    };
    assert_eq!(run(), run());
}
