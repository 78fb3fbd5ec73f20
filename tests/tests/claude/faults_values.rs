//! Values that no version has, members that are `null` or absent, and numbers in every spelling.

use agentwire::session::Verdict;
use serde_json::Value;

use crate::claude::dialogue::{Dialogue, told, tree};
use crate::claude::lines::{
    INIT, SUCCESS, TEXT, begins, call, line, opens, result, result_of, stops, streamed, system,
    text,
};
use crate::support::replay::{event_types, oddities, payload};

/// The value is told as it is, it is counted, and it changes nothing else.
#[test]
fn values_that_no_version_has() {
    let cases = [
        (INIT.replace(r#""permissionMode":"default""#, r#""permissionMode":"reckless""#), "reckless"),
        (line("u1", "null", "m", r#"{"type":"text","text":"a"}"#).replacen(
            r#""type":"assistant","#,
            r#""type":"assistant","error":"no_oil","#,
            1,
        ), "no_oil"),
        (system("status", r#""status":"dreaming""#), "dreaming"),
        (system("session_state_changed", r#""state":"dreaming""#), "dreaming"),
        (system("task_notification", r#""task_id":"k","status":"dreaming","output_file":"","summary":"x""#), "dreaming"),
        (system("hook_response", r#""hook_id":"h","hook_name":"n","hook_event":"Stop","output":"","stdout":"","stderr":"","outcome":"dreaming""#), "dreaming"),
        (system("compact_boundary", r#""compact_metadata":{"trigger":"dreaming","pre_tokens":1}"#), "dreaming"),
        (system("api_retry", r#""attempt":1,"max_retries":2,"retry_delay_ms":3,"error_status":500,"error":"dreaming""#), "dreaming"),
        (stops("dreaming")[0].clone(), "dreaming"),
        (r#"{"type":"rate_limit_event","rate_limit_info":{"status":"dreaming"},"uuid":"u","session_id":"s"}"#.to_owned(), "dreaming"),
        (result("r", &format!(r#"{SUCCESS},"terminal_reason":"dreaming""#)), "dreaming"),
    ];
    for (line, value) in cases {
        let mut dialogue = Dialogue::begun();
        let outcome = dialogue.told(&line);
        assert_eq!(outcome.verdict, Verdict::Mapped, "{line}");
        let [oddity] = &oddities(&outcome)[..] else {
            panic!("{:?}: {line}", outcome.oddities)
        };
        assert!(oddity.contains(&format!("`{value}`")), "{oddity}");
        let told: String = outcome
            .events
            .iter()
            .map(|event| tree(event)["payload"].to_string())
            .collect();
        // The event of a hook has no place for it but the untouched message.
        let kept = told.contains(value) || line.contains("hook_response");
        assert!(kept, "{value} is lost: {told}");
        dialogue.goes_on();
    }
}

/// What can't be read is no success.
#[test]
fn an_unreadable_status_is_not_success() {
    let task = system(
        "task_notification",
        r#""task_id":"k","status":"timed_out","output_file":"","summary":"x""#,
    );
    assert_eq!(event_types(&told(&task)), ["task.progress"]);
    let hook = system(
        "hook_response",
        r#""hook_id":"h","hook_name":"n","hook_event":"Stop","output":"","stdout":"","stderr":"","outcome":"timed_out""#,
    );
    assert_eq!(payload(&told(&hook))["outcome"], "error");
    for rest in [
        r#""terminal_reason":"timed_out""#,
        r#""terminal_reason":"api_error""#,
    ] {
        let mut dialogue = Dialogue::begun();
        dialogue.told(&result("r", &format!("{SUCCESS},{rest}")));
        assert_eq!(
            dialogue.of("turn.completed")[0]["payload"]["state"],
            "failed",
            "{rest}"
        );
        assert_eq!(dialogue.of("runtime.error").len(), 1, "{rest}");
    }
    let todo = call(
        "t",
        "TodoWrite",
        r#"{"todos":[{"content":"a","status":"done","activeForm":"a"},{"content":"b","status":"completed","activeForm":"b"}]}"#,
    );
    let mut dialogue = Dialogue::begun();
    dialogue.told(&line("u1", "null", "m", &todo));
    let plan = &dialogue.of("turn.plan.updated")[0]["payload"]["plan"];
    assert_eq!(
        (&plan[0]["status"], &plan[1]["status"]),
        (&"pending".into(), &"completed".into())
    );
}

#[test]
fn null_and_absent_are_the_same() {
    let assistant = line("u1", "null", "m", r#"{"type":"text","text":"a"}"#);
    let user = result_of("c", r#""content":"x""#);
    let success = result("r", SUCCESS);
    let pairs = [
        (assistant.clone(), assistant.replacen(r#""type":"assistant","#, r#""type":"assistant","error":null,"#, 1)),
        (user.clone(), user.replace(r#""parent_tool_use_id":null,"#, "")),
        (user.clone(), user.replacen(r#""type":"user","#, r#""type":"user","uuid":null,"isReplay":null,"tool_use_result":null,"#, 1)),
        (user.clone(), user.replace(r#""content":"x""#, r#""content":"x","is_error":null"#)),
        (success.clone(), success.replacen(r#""type":"result","#, r#""type":"result","structured_output":null,"terminal_reason":null,"api_error_status":null,"#, 1)),
        (INIT.to_owned(), INIT.replacen(r#""agents":[],"#, r#""agents":null,"betas":null,"#, 1)),
        (hook(""), hook(r#","exit_code":null"#)),
        (INIT.to_owned(), INIT.replacen(r#""agents":[],"#, "", 1)),
        (system("status", r#""status":null"#), system("status", r#""status":null,"permissionMode":null"#)),
    ];
    for (one, other) in pairs {
        assert_ne!(one, other);
        let shape = |line: &str| {
            let mut dialogue = Dialogue::begun();
            dialogue.told(&line_of_call());
            let outcome = dialogue.told(line);
            assert_eq!(outcome.verdict, Verdict::Mapped, "{line}");
            assert_eq!(outcome.oddities, [], "{line}");
            dialogue.short()
        };
        assert_eq!(shape(&one), shape(&other), "{other}");
    }
}

fn hook(rest: &str) -> String {
    system(
        "hook_response",
        &format!(
            r#""hook_id":"h","hook_name":"n","hook_event":"Stop","output":"","stdout":"","stderr":"","outcome":"success"{rest}"#
        ),
    )
}

fn line_of_call() -> String {
    line("u0", "null", "m0", &call("c", "Bash", "{}"))
}

#[test]
fn numbers_in_every_spelling() {
    for number in ["12", "12.0", "1.2e1", "120e-1", "1.20E+1"] {
        let line =
            result("r", SUCCESS).replace(r#""num_turns":1"#, &format!(r#""num_turns":{number}"#));
        let mut dialogue = Dialogue::begun();
        let outcome = dialogue.told(&line);
        assert_eq!(outcome.verdict, Verdict::Mapped, "{number}");
        assert_eq!(
            dialogue.of("turn.completed")[0]["payload"]["state"],
            "completed"
        );
    }
    for index in ["0", "0.0", "-0", "0e5"] {
        let mut dialogue = Dialogue::begun();
        dialogue.told(&begins("m"));
        dialogue.told(&opens(0, TEXT));
        let piece = streamed(&format!(
            r#"{{"type":"content_block_delta","index":{index},"delta":{}}}"#,
            text("a")
        ));
        let outcome = dialogue.told(&piece);
        assert_eq!(event_types(&outcome), ["content.delta"], "{index}");
        assert_eq!(
            dialogue.of("content.delta")[0]["itemId"],
            dialogue.of("item.started").last().unwrap()["itemId"],
            "{index}"
        );
    }
    for cost in ["0", "1e-7", "0.0010170000000000001", "12345678901234567890"] {
        let line = result("r", SUCCESS).replace(
            r#""total_cost_usd":0.5"#,
            &format!(r#""total_cost_usd":{cost}"#),
        );
        let mut dialogue = Dialogue::begun();
        dialogue.told(&line);
        let told = dialogue.of("turn.completed")[0]["payload"]["totalCostUsd"]
            .as_f64()
            .unwrap();
        assert_eq!(told, cost.parse::<f64>().unwrap());
    }
}

/// The index of a block that is no whole number is loud, at its place.
#[test]
fn a_fraction_is_no_whole_number() {
    for index in ["1.5", "99999999999999999999", r#""0""#, "true", "null"] {
        let line = streamed(&format!(
            r#"{{"type":"content_block_delta","index":{index},"delta":{}}}"#,
            text("a")
        ));
        let mut dialogue = Dialogue::begun();
        let outcome = dialogue.told(&line);
        assert!(
            matches!(&outcome.verdict, Verdict::Malformed { path, .. } if path == "event.index"),
            "{index}: {:?}",
            outcome.verdict
        );
        assert_eq!(event_types(&outcome), ["runtime.error"]);
        dialogue.goes_on();
    }
}

/// Figures that can't be read fail no turn that says that it went well.
#[test]
fn figures_that_cannot_be_read() {
    for (from, to) in [
        (r#""num_turns":1"#, r#""num_turns":1.5"#),
        (r#""total_cost_usd":0.5"#, r#""total_cost_usd":"free""#),
        (r#""modelUsage":{}"#, r#""modelUsage":[]"#),
        (r#""duration_ms":1,"#, r#""duration_ms":{},"#),
        (r#""permission_denials":[]"#, r#""permission_denials":7"#),
    ] {
        let line = result("r", SUCCESS).replace(from, to);
        assert!(line.contains(to), "{to}");
        let mut dialogue = Dialogue::begun();
        let outcome = dialogue.told(&line);
        assert!(matches!(outcome.verdict, Verdict::Malformed { .. }), "{to}");
        assert_eq!(
            event_types(&outcome),
            ["runtime.error", "turn.completed"],
            "{to}"
        );
        assert_eq!(
            dialogue.of("turn.completed")[0]["payload"]["state"],
            "completed",
            "{to}"
        );
    }
    // Where what says how it went can't be read, it is none.
    for (from, to) in [
        (r#""is_error":false"#, r#""is_error":"no""#),
        (r#""is_error":false,"#, ""),
        (r#""subtype":"success""#, r#""subtype":7"#),
        (r#""stop_reason":null"#, r#""stop_reason":{}"#),
    ] {
        let line = result("r", SUCCESS).replace(from, to);
        assert!(!line.contains(from), "{to}");
        let mut dialogue = Dialogue::begun();
        let outcome = dialogue.told(&line);
        assert!(matches!(outcome.verdict, Verdict::Malformed { .. }), "{to}");
        let ends = dialogue.of("turn.completed");
        assert_eq!(ends.len(), 1, "{to}");
        assert_eq!(ends[0]["payload"]["state"], "failed", "{to}");
    }
}

/// Tools of any name are calls, and an unknown one is none that is known.
#[test]
fn tools_of_any_name() {
    for (name, kind) in [
        ("Bash", "command_execution"),
        ("bash", "dynamic_tool_call"),
        ("", "dynamic_tool_call"),
        ("BashOutput", "dynamic_tool_call"),
        ("mcp__a__b", "mcp_tool_call"),
        ("mcp__", "mcp_tool_call"),
        ("mcp_a", "dynamic_tool_call"),
        ("Agent", "collab_agent_tool_call"),
        ("*", "dynamic_tool_call"),
    ] {
        let mut dialogue = Dialogue::begun();
        dialogue.told(&line("u1", "null", "m", &call("c", name, "{}")));
        let started: Vec<&Value> = dialogue.of("item.started");
        assert_eq!(
            started.last().unwrap()["payload"]["itemType"],
            kind,
            "{name}"
        );
    }
}
