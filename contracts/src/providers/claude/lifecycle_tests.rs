//! What ends, ends once, and with what it belongs to.

#![allow(clippy::unwrap_used)]

use super::session_lines::{
    Bench, INIT, SUCCESS, TEXT, answers, asks, delta, line, message, result, result_of, said, start, stop,
    streamed, text,
};

const TASK: &str = r#"{"type":"tool_use","id":"c","name":"Task","input":{"description":"d"}}"#;

fn of_task(subtype: &str, rest: &str) -> String {
    format!(
        r#"{{"type":"system","subtype":"{subtype}","task_id":"k",{rest},"uuid":"u-{subtype}","session_id":"s"}}"#
    )
}

fn started() -> String {
    of_task("task_started", r#""tool_use_id":"c","description":"d""#)
}

fn updated(status: &str) -> String {
    of_task("task_updated", &format!(r#""patch":{{"status":"{status}"}}"#))
}

fn notified(status: &str) -> String {
    let rest = format!(
        r#""tool_use_id":"c","status":"{status}","output_file":"","summary":"found it""#
    );
    of_task("task_notification", &rest)
}

/// The events of a type so far, in short.
fn told(bench: &Bench, event_type: &str) -> Vec<String> {
    let events = bench.events.iter();
    let such = events.filter(|event| event["type"] == event_type);
    such.map(|event| {
        let word = |name: &str| event["payload"][name].as_str().unwrap_or_default().to_owned();
        [word("status"), word("state"), word("decision")].concat()
    })
    .collect()
}

fn of_agent(bench: &mut Bench, lines: &[&str]) {
    for line in lines {
        bench.line(crate::kit::session::Direction::FromAgent, line);
    }
}

fn with_task() -> Bench {
    let mut bench = Bench::begun();
    of_agent(&mut bench, &[&line("l1", "null", "m", TASK), &started()]);
    bench
}

#[test]
fn a_text_that_an_interruption_cuts_has_one_end() {
    let mut bench = Bench::begun();
    of_agent(
        &mut bench,
        &[&message("m"), &start(0, TEXT), &delta(0, &text("half a"))],
    );
    bench.host(
        r#"{"type":"control_request","request_id":"i","request":{"subtype":"interrupt"}}"#,
    );
    let cut = line("l", "null", "m", r#"{"type":"text","text":"half a"}"#)
        .replace(r#""session_id""#, r#""aborted":true,"session_id""#);
    assert_eq!(
        bench.out(&cut)[0],
        "item.completed item-2 assistant_message failed"
    );
    let mark = r#"{"type":"user","message":{"role":"user","content":[{"type":"text","text":"[Request interrupted by user]"}]},"parent_tool_use_id":null,"session_id":"s"}"#;
    bench.quiet(mark);
    bench.quiet(&stop(0));
    bench.quiet(&streamed("null", r#"{"type":"message_stop"}"#));
    let end = r#""subtype":"error_during_execution","is_error":true,"errors":[]"#;
    assert_eq!(
        bench.out(&result("r", end)),
        ["turn.completed interrupted"]
    );
    assert_eq!(told(&bench, "item.completed"), ["completed", "failed"]);
    let text = &bench.events.iter().rev().find(|it| it["type"] == "item.completed");
    assert_eq!(text.unwrap()["payload"]["detail"], "half a");
}

#[test]
fn a_task_ends_once_whoever_tells_it() {
    // A notification tells more, and only one of them counts.
    let mut bench = with_task();
    let (over, more) = (updated("failed"), notified("failed"));
    of_agent(&mut bench, &[&over, &more, &more, &over, &result("r", SUCCESS)]);
    assert_eq!(told(&bench, "task.completed"), ["failed"]);
    let end = bench.events.iter().find(|it| it["type"] == "task.completed");
    assert_eq!(end.unwrap()["payload"]["summary"], "found it");
    // Without one the task ends all the same, before what comes next.
    let mut bench = with_task();
    of_agent(&mut bench, &[&updated("completed"), &result("r", SUCCESS)]);
    assert_eq!(told(&bench, "task.completed"), ["completed"]);
    // One that is not over is not told as ended.
    let mut bench = with_task();
    of_agent(&mut bench, &[&updated("running"), &updated("paused")]);
    assert!(told(&bench, "task.completed").is_empty());
}

#[test]
fn a_task_in_the_foreground_ends_with_its_call() {
    for (fails, status) in [(false, "completed"), (true, "failed")] {
        let mut bench = with_task();
        of_agent(&mut bench, &[&result_of("c", "x", fails)]);
        assert_eq!(told(&bench, "task.completed"), [status]);
        of_agent(&mut bench, &[&notified("stopped"), &result("r", SUCCESS)]);
        assert_eq!(told(&bench, "task.completed"), [status]);
    }
    // A turn that is over leaves none behind.
    let mut bench = with_task();
    of_agent(&mut bench, &[&result("r", SUCCESS)]);
    assert_eq!(told(&bench, "task.completed").len(), 1);
}

#[test]
fn a_task_in_the_background_outlives_its_call_and_its_turn() {
    let asked = TASK.replace(r#""description":"d""#, r#""run_in_background":true"#);
    let launched = result_of("c", "started", false).replace(
        r#""session_id""#,
        r#""tool_use_result":{"isAsync":true,"status":"async_launched"},"session_id""#,
    );
    let moved = of_task("task_updated", r#""patch":{"is_backgrounded":true}"#);
    let own = result_of("c", "started", false);
    for (call, between) in [
        (asked.as_str(), vec![own.as_str()]),
        (TASK, vec![launched.as_str()]),
        (TASK, vec![moved.as_str(), own.as_str()]),
    ] {
        let mut bench = Bench::begun();
        of_agent(&mut bench, &[&line("l1", "null", "m", call), &started()]);
        of_agent(&mut bench, &between);
        of_agent(&mut bench, &[&result("r", SUCCESS)]);
        assert!(told(&bench, "task.completed").is_empty(), "{between:?}");
        of_agent(&mut bench, &[&updated("completed"), &notified("completed")]);
        assert_eq!(told(&bench, "task.completed"), ["completed"], "{between:?}");
    }
}

#[test]
fn what_nobody_answered_ends_with_its_turn() {
    let mut bench = Bench::begun();
    let call = r#"{"type":"tool_use","id":"c","name":"Bash","input":{"command":"ls"}}"#;
    of_agent(
        &mut bench,
        &[
            &line("l1", "null", "m", call),
            &asks("q", "c", "Bash", r#"{"command":"ls"}"#),
            &asks("p", "c", "AskUserQuestion", r#"{"questions":[]}"#),
            &result("r", SUCCESS),
        ],
    );
    assert_eq!(told(&bench, "request.opened").len(), 2);
    assert_eq!(told(&bench, "request.resolved"), ["cancel", "cancel"]);
    assert_eq!(told(&bench, "user-input.resolved").len(), 1);
    // An answer that comes too late tells nothing.
    assert!(bench.host(&answers("q", r#"{"behavior":"allow","updatedInput":{}}"#)).is_empty());
    assert_eq!(told(&bench, "request.resolved").len(), 2);
}

#[test]
fn a_session_that_is_resumed_keeps_its_thread() {
    let thread = |bench: &Bench| bench.events.last().unwrap()["threadId"].clone();
    // Whether the host is seen to speak first or not, the thread is that of the session.
    for first in [Some(said("and again")), None] {
        let mut bench = Bench::begun();
        of_agent(&mut bench, &[&result("r1", SUCCESS)]);
        let before = thread(&bench);
        bench.gone();
        let count = bench.events.len();
        if let Some(first) = &first {
            bench.host(first);
        }
        of_agent(&mut bench, &[INIT, &result("r2", SUCCESS)]);
        let after: Vec<_> = bench.events[count..].iter().collect();
        assert!(after.iter().any(|it| it["type"] == "turn.completed"));
        assert!(after.iter().all(|it| it["threadId"] == before));
        let again = after.iter().filter(|it| it["type"] == "thread.started");
        assert_eq!(again.count(), 0);
    }
    // Another session has another thread.
    let mut bench = Bench::begun();
    of_agent(&mut bench, &[&result("r1", SUCCESS)]);
    let before = thread(&bench);
    bench.gone();
    of_agent(&mut bench, &[&INIT.replace(r#""session_id":"s""#, r#""session_id":"z""#)]);
    assert_ne!(thread(&bench), before);
}
