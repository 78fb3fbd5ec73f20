//! Blocks as items: streamed, in whole lines, and both.

#![allow(clippy::unwrap_used)]

use super::bench::*;

#[test]
fn text_is_streamed_into_one_item_whatever_the_lines_are_called() {
    let mut bench = Bench::begun();
    bench.quiet(&message("m"));
    assert_eq!(
        bench.out(&start(0, TEXT)),
        ["item.started item-2 assistant_message inProgress"]
    );
    let first = delta(0, &text("The ")).replace(r#""uuid":"u""#, r#""uuid":"u1""#);
    let second = delta(0, &text("lamp")).replace(r#""uuid":"u""#, r#""uuid":"u2""#);
    assert_eq!(bench.out(&first), ["content.delta item-2"]);
    assert_eq!(bench.out(&second), ["content.delta item-2"]);
    assert_eq!(
        bench.out(&stop(0)),
        ["item.completed item-2 assistant_message completed"]
    );
    let end = bench.events.last().unwrap();
    assert_eq!(end["payload"]["detail"], "The lamp");
    assert_eq!(end["providerRefs"]["providerItemId"], "m/0");
    bench.quiet(&stop(0));
}

#[test]
fn a_line_adds_to_the_block_that_was_streamed() {
    let mut bench = Bench::begun();
    bench.quiet(&message("m"));
    bench.out(&start(0, TEXT));
    bench.out(&delta(0, &text("The lamp")));
    let told = line("u1", "null", "m", r#"{"type":"text","text":"The lamp"}"#);
    assert_eq!(
        bench.out(&told),
        ["item.updated item-2 assistant_message inProgress"]
    );
    let data = &bench.events.last().unwrap()["payload"]["data"];
    assert_eq!(
        (&data["uuid"], &data["message"]["id"]),
        (&"u1".into(), &"m".into())
    );
    assert_eq!(
        bench.out(&stop(0)),
        ["item.completed item-2 assistant_message completed"]
    );
    bench.quiet(&told);
}

#[test]
fn without_pieces_a_line_opens_and_closes_its_blocks() {
    let mut bench = Bench::begun();
    let thinking = r#"{"type":"thinking","thinking":"dark","signature":"x"}"#;
    let text = r#"{"type":"text","text":"lamp"}"#;
    assert_eq!(
        bench.out(&line("u1", "null", "m", thinking)),
        [
            "item.started item-2 reasoning inProgress",
            "item.completed item-2 reasoning completed",
            "thread.token-usage.updated"
        ]
    );
    // The next block of the same message: an item of its own, and its use is not told again.
    assert_eq!(
        bench.out(&line("u2", "null", "m", text)),
        [
            "item.started item-3 assistant_message inProgress",
            "item.completed item-3 assistant_message completed"
        ]
    );
    assert_eq!(bench.events.last().unwrap()["payload"]["detail"], "lamp");
    bench.quiet(&line("u2", "null", "m", text));
}

#[test]
fn a_call_is_closed_by_its_result_and_not_by_the_end_of_its_block() {
    let mut bench = Bench::begun();
    bench.quiet(&message("m"));
    assert_eq!(
        bench.out(&start(0, &tool("t", "Bash"))),
        ["item.started item-2 command_execution inProgress"]
    );
    for piece in [r#"{\"command\":"#, r#"\"ls\"}"#] {
        let piece = format!(r#"{{"type":"input_json_delta","partial_json":"{piece}"}}"#);
        assert_eq!(bench.out(&delta(0, &piece)), ["content.delta item-2"]);
    }
    assert_eq!(
        bench.out(&stop(0)),
        ["item.updated item-2 command_execution inProgress"]
    );
    let update = &bench.events.last().unwrap()["payload"];
    assert_eq!(
        (&update["detail"], &update["data"]["input"]["command"]),
        (&"ls".into(), &"ls".into())
    );
    assert_eq!(
        bench.out(&result_of("t", "a.txt", false)),
        ["item.completed item-2 command_execution completed"]
    );
    let end = &bench.events.last().unwrap()["payload"];
    assert_eq!(
        (
            &end["detail"],
            &end["title"],
            &end["data"]["input"]["command"]
        ),
        (&"a.txt".into(), &"Bash".into(), &"ls".into())
    );
    // A second result changes nothing about the end.
    assert_eq!(
        bench.out(&result_of("t", "a.txt", true)),
        ["item.updated item-2 command_execution failed"]
    );
}

#[test]
fn a_failed_call_has_failed_and_one_without_a_result_too() {
    let mut bench = Bench::begun();
    for (call, name) in [("a", "Write"), ("b", "mcp__x__y"), ("c", "Grep")] {
        bench.out(&line(call, "null", call, &tool(call, name)));
    }
    assert_eq!(
        bench.out(&result_of("a", "no", true)),
        ["item.completed item-2 file_change failed"]
    );
    assert_eq!(
        bench.out(&result("r", SUCCESS)),
        [
            "item.completed item-3 mcp_tool_call failed",
            "item.completed item-4 dynamic_tool_call failed",
            "turn.completed completed"
        ]
    );
}

#[test]
fn a_result_of_a_call_that_was_not_seen_completes_it() {
    let mut bench = Bench::new();
    let told = bench.out(&result_of("tu1", "ok", false));
    assert_eq!(
        told[2..],
        [
            "item.started item-1 unknown inProgress",
            "item.completed item-1 unknown completed"
        ]
    );
}

#[test]
fn the_provider_ends_its_own_calls_in_the_same_message() {
    let mut bench = Bench::begun();
    bench.quiet(&message("m"));
    let call = r#"{"type":"server_tool_use","id":"s1","name":"web_search","input":{}}"#;
    bench.out(&start(0, call));
    bench.out(&stop(0));
    let found = r#"{"type":"web_search_tool_result","tool_use_id":"s1","content":[]}"#;
    assert_eq!(
        bench.out(&start(1, found)),
        ["item.completed item-2 web_search completed"]
    );
    bench.quiet(&stop(1));
    let other = r#"{"type":"mcp_tool_use","id":"s2","name":"find","server_name":"x","input":{}}"#;
    bench.out(&start(2, other));
    let fails = r#"{"type":"mcp_tool_result","tool_use_id":"s2","content":"no","is_error":true}"#;
    assert_eq!(
        bench.out(&start(3, fails)),
        ["item.completed item-3 mcp_tool_call failed"]
    );
    // The line tells the result once more.
    assert_eq!(
        bench.out(&line("u", "null", "m", found)),
        ["item.updated item-2 web_search completed"]
    );
}

#[test]
fn agents_have_items_of_their_own_in_the_same_turn() {
    let mut bench = Bench::begun();
    bench.quiet(&message("m"));
    bench.out(&start(0, &tool("agent", "Task")));
    bench.out(&start(1, TEXT));
    let inner = streamed(
        r#""agent""#,
        r#"{"type":"content_block_start","index":1,"content_block":{"type":"text","text":""}}"#,
    );
    let started = message("m").replace(
        r#""parent_tool_use_id":null"#,
        r#""parent_tool_use_id":"agent""#,
    );
    bench.quiet(&started);
    assert_eq!(
        bench.out(&inner),
        ["item.started item-4 assistant_message inProgress"]
    );
    let event = bench.events.last().unwrap();
    assert_eq!(event["turnId"], "turn-1");
    assert_eq!(event["providerRefs"]["providerItemId"], "agent/m/1");
    assert_eq!(event["payload"]["data"]["parent_tool_use_id"], "agent");
    let call = line("u2", r#""agent""#, "n", &tool("t", "Bash"));
    assert_eq!(
        bench.out(&call)[0],
        "item.started item-5 command_execution inProgress"
    );
    let turns = bench
        .events
        .iter()
        .filter(|event| event["type"] == "turn.started");
    assert_eq!(turns.count(), 1);
}

#[test]
fn an_agent_in_the_background_outlives_the_turn_of_its_call() {
    let mut bench = Bench::begun();
    bench.out(&line("u1", "null", "m", &tool("agent", "Task")));
    bench.out(&line("u2", r#""agent""#, "n", &tool("t", "Bash")));
    bench.out(&result_of("agent", "it runs", false));
    assert_eq!(
        bench.out(&result("r", SUCCESS)),
        ["turn.completed completed"]
    );
    assert_eq!(
        bench.out(&result_of("t", "ok", false)),
        ["item.completed item-3 command_execution completed"]
    );
    assert_eq!(bench.events.last().unwrap()["turnId"], "turn-1");
    bench.out(&line("u3", r#""agent""#, "o", &tool("left", "Bash")));
    let end = r#"{"type":"system","subtype":"task_notification","task_id":"k","tool_use_id":"agent","status":"completed","output_file":"","summary":"done","uuid":"u","session_id":"s"}"#;
    assert_eq!(
        bench.out(end),
        [
            "item.completed item-4 command_execution failed",
            "task.started item-2",
            "task.completed item-2 completed"
        ]
    );
}

#[test]
fn an_id_that_is_used_again_names_another_message() {
    let mut bench = Bench::begun();
    for item in ["item-2", "item-3"] {
        bench.quiet(&message("m"));
        bench.out(&start(0, TEXT));
        assert_eq!(
            bench.out(&stop(0)),
            [format!("item.completed {item} assistant_message completed")]
        );
    }
}

#[test]
fn what_the_agent_abandons_has_failed() {
    let mut bench = Bench::begun();
    bench.quiet(&message("m"));
    bench.out(&start(0, TEXT));
    bench.out(&start(1, TEXT));
    bench.out(&stop(0));
    let end = streamed("null", r#"{"type":"message_stop"}"#).replace(
        r#""uuid""#,
        r#""abandoned_blocks":{"from_block_index":0},"uuid""#,
    );
    assert_eq!(
        bench.out(&end),
        [
            "item.updated item-2 assistant_message failed",
            "item.completed item-3 assistant_message failed"
        ]
    );
}

#[test]
fn use_is_told_once_for_a_message() {
    let mut bench = Bench::begun();
    bench.quiet(&message("m"));
    let end = streamed(
        "null",
        r#"{"type":"message_delta","delta":{"stop_reason":"max_tokens","stop_sequence":null},"usage":{"output_tokens":9}}"#,
    );
    assert_eq!(
        bench.out(&end),
        ["thread.token-usage.updated", "runtime.warning"]
    );
    assert_eq!(bench.out(&end), ["runtime.warning"]);
    let told = line("u", "null", "m", r#"{"type":"text","text":"lamp"}"#);
    assert_eq!(bench.out(&told).len(), 2);
    let used = bench
        .events
        .iter()
        .filter(|event| event["type"] == "thread.token-usage.updated");
    assert_eq!(used.count(), 1);
}

#[test]
fn a_plan_comes_with_the_call_that_sets_it_and_with_the_tasks_that_change() {
    let mut bench = Bench::begun();
    let todos = r#"{"type":"tool_use","id":"t","name":"TodoWrite","input":{"todos":[{"content":"lamp","status":"in_progress","activeForm":"lamp"},{"content":"rope","status":"odd","activeForm":"rope"}]}}"#;
    let outcome = bench.line(
        crate::kit::session::Direction::FromAgent,
        &line("u", "null", "m", todos),
    );
    assert_eq!(outcome.events.len(), 3);
    let plan = bench
        .events
        .iter()
        .find(|event| event["type"] == "turn.plan.updated");
    let plan = &plan.unwrap()["payload"]["plan"];
    assert_eq!(plan[0]["status"], "inProgress");
    assert_eq!(plan[1]["status"], "pending");
    let create = r#"{"type":"tool_use","id":"c","name":"TaskCreate","input":{"subject":"oil"}}"#;
    bench.out(&line("u2", "null", "n", create));
    let created = result_of("c", "ok", false).replace(
        r#""session_id""#,
        r#""tool_use_result":{"task":{"id":"1","subject":"oil"}},"session_id""#,
    );
    assert_eq!(
        bench.out(&created),
        [
            "item.completed item-3 dynamic_tool_call completed",
            "turn.plan.updated"
        ]
    );
}

#[test]
fn a_plan_mode_that_ends_proposes_its_plan() {
    let mut bench = Bench::begun();
    let exit =
        r##"{"type":"tool_use","id":"t","name":"ExitPlanMode","input":{"plan":"# Oil the lamp"}}"##;
    assert_eq!(
        bench.out(&line("u", "null", "m", exit))[0],
        "item.started item-2 plan inProgress"
    );
    let told = bench
        .events
        .iter()
        .find(|event| event["payload"]["itemType"] == "plan");
    assert_eq!(told.unwrap()["payload"]["detail"], "# Oil the lamp");
    let opened = bench.out(&asks(
        "q",
        "t",
        "ExitPlanMode",
        r##"{"plan":"# Oil the lamp"}"##,
    ));
    assert_eq!(opened, ["request.opened item-2 permissions_approval"]);
}
