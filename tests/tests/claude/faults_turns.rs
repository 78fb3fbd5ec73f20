//! Turns, messages and calls that do not keep the order.

use agentwire::session::Verdict;
use serde_json::Value;

use crate::claude::dialogue::{Dialogue, short, tree};
use crate::claude::lines::{
    INIT, SUCCESS, TEXT, answers, asks, begins, call, closes, line, opens, piece, result,
    result_of, said, stops, streamed_as, system, text,
};
use crate::support::replay::event_types;

const BLOCK: &str = r#"{"type":"text","text":"a"}"#;

fn states(dialogue: &Dialogue) -> Vec<String> {
    let ends = dialogue.of("turn.completed");
    let state = |end: &&Value| end["payload"]["state"].as_str().unwrap().to_owned();
    ends.iter().map(state).collect()
}

#[test]
fn a_success_that_is_an_error() {
    for (words, class) in [
        ("API Error: 529 no oil", "provider_error"),
        ("API Error: 401 no key", "permission_error"),
        ("API Error: 429 too much", "usage_limit"),
        ("API Error: 400 odd", "validation_error"),
        ("no oil", "unknown"),
        ("", "unknown"),
    ] {
        let mut dialogue = Dialogue::begun();
        let rest = format!(r#""subtype":"success","is_error":true,"result":"{words}""#);
        let outcome = dialogue.told(&result("r", &rest));
        assert_eq!(
            event_types(&outcome),
            ["runtime.error", "turn.completed"],
            "{words}"
        );
        assert_eq!(states(&dialogue), ["failed"], "{words}");
        assert_eq!(
            dialogue.of("runtime.error")[0]["payload"]["class"],
            class,
            "{words}"
        );
    }
    for (status, class) in [
        (529, "provider_error"),
        (403, "permission_error"),
        (429, "usage_limit"),
    ] {
        let mut dialogue = Dialogue::begun();
        let rest = format!(
            r#""subtype":"success","is_error":true,"result":"x","api_error_status":{status}"#
        );
        dialogue.told(&result("r", &rest));
        assert_eq!(
            dialogue.of("runtime.error")[0]["payload"]["class"],
            class,
            "{status}"
        );
    }
    // An error that says that it is none is one.
    let mut dialogue = Dialogue::begun();
    dialogue.told(&result(
        "r",
        r#""subtype":"error_during_execution","is_error":false,"errors":[]"#,
    ));
    assert_eq!(states(&dialogue), ["failed"]);
    assert_eq!(dialogue.of("runtime.error").len(), 1);
}

#[test]
fn figures_of_use_are_told_once_a_message() {
    let figures = |dialogue: &Dialogue| dialogue.of("thread.token-usage.updated").len();
    // One line a block, all with the same figures.
    let mut dialogue = Dialogue::begun();
    for (index, block) in [BLOCK, &call("c", "Bash", "{}"), BLOCK].iter().enumerate() {
        dialogue.told(&line(&format!("u{index}"), "null", "m", block));
    }
    assert_eq!(figures(&dialogue), 1);
    dialogue.told(&line("u9", "null", "n", BLOCK));
    assert_eq!(figures(&dialogue), 2);
    // In pieces and in lines.
    let mut dialogue = Dialogue::begun();
    dialogue.told(&begins("m"));
    dialogue.told(&opens(0, TEXT));
    dialogue.told(&piece(0, &text("a")));
    dialogue.told(&line("u1", "null", "m", BLOCK));
    dialogue.told(&closes(0));
    for line in stops("end_turn") {
        dialogue.told(&line);
    }
    dialogue.told(&line("u2", "null", "m", BLOCK));
    assert_eq!(figures(&dialogue), 1);
    // Two agents may use one id, and a message of the agent itself costs nothing.
    let mut dialogue = Dialogue::begun();
    dialogue.told(&line("u1", "null", "m", &call("t", "Task", "{}")));
    dialogue.told(&line("u2", r#""t""#, "m", BLOCK));
    assert_eq!(figures(&dialogue), 2);
    dialogue.told(&line("u3", "null", "x", BLOCK).replace("lamp-1", "<synthetic>"));
    assert_eq!(figures(&dialogue), 2);
}

#[test]
fn one_id_for_many_lines_and_messages() {
    // The same line twice is told once.
    let mut dialogue = Dialogue::begun();
    dialogue.told(&line("u1", "null", "m", BLOCK));
    let again = dialogue.told(&line("u1", "null", "m", BLOCK));
    assert_eq!(event_types(&again), Vec::<&str>::new());
    // Lines of one message are blocks of it.
    let outcome = dialogue.told(&line("u2", "null", "m", BLOCK));
    assert_eq!(event_types(&outcome), ["item.started", "item.completed"]);
    let items: Vec<&Value> = dialogue
        .of("item.started")
        .iter()
        .map(|it| &it["itemId"])
        .collect();
    assert_ne!(items[items.len() - 1], items[items.len() - 2]);
    // An id that begins again is another message.
    let mut dialogue = Dialogue::begun();
    for _ in 0..2 {
        dialogue.told(&begins("m"));
        dialogue.told(&opens(0, TEXT));
        dialogue.told(&piece(0, &text("a")));
        dialogue.told(&closes(0));
    }
    let starts = dialogue.of("item.started");
    let [_, one, two] = starts[..] else {
        panic!("{starts:#?}")
    };
    assert_ne!(one["itemId"], two["itemId"]);
    // An empty id is one, too.
    let mut dialogue = Dialogue::begun();
    dialogue.told(&line("u1", "null", "", BLOCK));
    dialogue.told(&line("u2", "null", "", BLOCK));
    assert_eq!(dialogue.of("item.completed").len(), 3);
}

/// A call that is announced twice is started once, in whole lines and in pieces.
#[test]
fn calls_that_are_announced_twice() {
    let mut dialogue = Dialogue::begun();
    let one = dialogue.told(&line("u1", "null", "m", &call("c", "Bash", "{}")));
    let two = dialogue.told(&line("u2", "null", "m", &call("c", "Bash", "{}")));
    assert!(event_types(&one).contains(&"item.started"));
    assert_eq!(event_types(&two), ["item.updated"]);
    assert_eq!(one.events[0].item_id, two.events[0].item_id);
    dialogue.told(&begins("m2"));
    for wanted in ["item.started", "item.updated"] {
        let outcome = dialogue.told(&opens(0, &call("d", "Bash", "{}")));
        assert_eq!(event_types(&outcome), [wanted]);
    }
    // One that is announced after its end does not open it again.
    dialogue.told(&result_of("c", r#""content":"x""#));
    let late = dialogue.told(&line("u3", "null", "m", &call("c", "Bash", "{}")));
    assert!(
        !event_types(&late).contains(&"item.started"),
        "{:?}",
        event_types(&late)
    );
}

#[test]
fn results_that_are_missing() {
    for (rest, state) in [
        (SUCCESS, "completed"),
        (
            r#""subtype":"error_during_execution","is_error":true,"errors":["x"]"#,
            "failed",
        ),
        (
            r#""subtype":"success","is_error":true,"result":"x""#,
            "failed",
        ),
    ] {
        let mut dialogue = Dialogue::begun();
        let calls = [call("c", "Bash", "{}"), call("d", "Write", "{}")].join(",");
        dialogue.told(&line("u1", "null", "m", &calls));
        dialogue.told(&result("r", rest));
        let done = dialogue.of("item.completed");
        let done: Vec<String> = done[done.len() - 2..].iter().map(|it| short(it)).collect();
        assert_eq!(
            done,
            [
                "item.completed command_execution failed",
                "item.completed file_change failed"
            ],
            "{rest}"
        );
        assert_eq!(states(&dialogue), [state]);
        // One that comes late changes nothing that was told.
        let late = dialogue.told(&result_of("c", r#""content":"x""#));
        assert_eq!(event_types(&late), ["item.updated"]);
        assert_eq!(
            late.events[0].turn_id.as_ref().map(AsRef::as_ref),
            dialogue.of("turn.completed")[0]["turnId"].as_str()
        );
    }
}

#[test]
fn results_that_come_twice() {
    let mut dialogue = Dialogue::begun();
    dialogue.told(&line("u1", "null", "m", &call("c", "Bash", "{}")));
    let one = dialogue.told(&result_of("c", r#""content":"x""#));
    let two = dialogue.told(&result_of("c", r#""content":"y","is_error":true"#));
    assert_eq!(
        (event_types(&one), event_types(&two)),
        (vec!["item.completed"], vec!["item.updated"])
    );
    assert_eq!(one.events[0].item_id, two.events[0].item_id);
    // Both in one line.
    let mut dialogue = Dialogue::begun();
    dialogue.told(&line("u1", "null", "m", &call("c", "Bash", "{}")));
    let block = r#"{"type":"tool_result","tool_use_id":"c","content":"x"}"#;
    let both = dialogue.told(&crate::claude::lines::user(&format!("[{block},{block}]")));
    assert_eq!(event_types(&both), ["item.completed", "item.updated"]);
}

#[test]
fn results_of_calls_that_nobody_made() {
    for (rest, status) in [
        (r#""content":"x""#, "completed"),
        (r#""content":"x","is_error":true"#, "failed"),
    ] {
        let mut dialogue = Dialogue::begun();
        let outcome = dialogue.told(&result_of("zz", rest));
        assert_eq!(event_types(&outcome), ["item.started", "item.completed"]);
        let done = tree(&outcome.events[1]);
        assert_eq!(done["payload"]["status"], status);
        assert_eq!(done["payload"]["itemType"], "unknown");
        // The call that comes late is the same item, and does not open it again.
        let late = dialogue.told(&line("u1", "null", "m", &call("zz", "Bash", "{}")));
        assert!(
            !event_types(&late).contains(&"item.started"),
            "{:?}",
            event_types(&late)
        );
        dialogue.told(&result("r", SUCCESS));
        assert_eq!(
            dialogue
                .of("item.completed")
                .iter()
                .filter(|it| it["providerRefs"]["providerItemId"] == "zz")
                .count(),
            1
        );
    }
}

#[test]
fn a_result_before_anything_else() {
    for rest in [
        SUCCESS,
        r#""subtype":"error_during_execution","is_error":true,"errors":["x"]"#,
    ] {
        let mut dialogue = Dialogue::new();
        let outcome = dialogue.told(&result("r", rest));
        let types = event_types(&outcome);
        assert_eq!(types.last(), Some(&"turn.completed"), "{types:?}");
        assert!(tree(outcome.events.last().unwrap())["turnId"].is_string());
        dialogue.goes_on();
    }
}

#[test]
fn a_result_twice_ends_one_turn() {
    let mut dialogue = Dialogue::begun();
    dialogue.told(&result("r", SUCCESS));
    let again = dialogue.told(&result("r", SUCCESS));
    assert_eq!(event_types(&again), Vec::<&str>::new());
    assert_eq!(states(&dialogue), ["completed"]);
}

#[test]
fn turns_without_results() {
    let mut dialogue = Dialogue::begun();
    dialogue.told(&line("u1", "null", "m", &call("c", "Bash", "{}")));
    // What the user says while a turn is going on is taken into it.
    let outcome = dialogue.host(&said("and the rope"));
    assert_eq!(event_types(&outcome), ["item.started", "item.completed"]);
    dialogue.told(INIT);
    dialogue.told(&result("r", SUCCESS));
    assert_eq!(states(&dialogue), ["completed"]);
    assert_eq!(dialogue.of("turn.started").len(), 1);
}

#[test]
fn agents_that_go_on_after_the_turn() {
    let mut dialogue = Dialogue::begun();
    dialogue.told(&line("u1", "null", "m", &call("t", "Task", "{}")));
    dialogue.told(&line("u2", r#""t""#, "n", &call("c", "Bash", "{}")));
    dialogue.told(&result_of("t", r#""content":"goes on""#));
    dialogue.told(&result("r", SUCCESS));
    let turn = dialogue.of("turn.completed")[0]["turnId"].clone();
    // It belongs to the turn in which its agent was started, and begins no turn.
    let late = dialogue.told(&line("u3", r#""t""#, "n", BLOCK));
    assert!(event_types(&late).starts_with(&["item.started", "item.completed"]));
    assert_eq!(tree(&late.events[0])["turnId"], turn);
    let done = dialogue.told(&result_of("c", r#""content":"x""#).replace(
        r#""parent_tool_use_id":null"#,
        r#""parent_tool_use_id":"t""#,
    ));
    assert_eq!(event_types(&done), ["item.completed"]);
    assert_eq!(tree(&done.events[0])["turnId"], turn);
    let streamed = dialogue.told(&streamed_as(
        "u",
        r#""t""#,
        &crate::claude::lines::begins_event("n2"),
    ));
    assert_eq!(event_types(&streamed), Vec::<&str>::new());
    assert_eq!(dialogue.of("turn.started").len(), 1);
    // In the next turn it still belongs to the first.
    dialogue.host(&said("on"));
    let later = dialogue.told(&line("u4", r#""t""#, "n3", BLOCK));
    assert_eq!(tree(&later.events[0])["turnId"], turn);
}

/// An agent that its call started ends with it, and what it left open is no success.
#[test]
fn agents_that_leave_calls_open() {
    let mut dialogue = Dialogue::begun();
    dialogue.told(&line("u1", "null", "m", &call("t", "Task", "{}")));
    dialogue.told(&line("u2", r#""t""#, "n", &call("c", "Bash", "{}")));
    dialogue.told(&result("r", SUCCESS));
    let done: Vec<String> = dialogue.of("item.completed")[1..]
        .iter()
        .map(|it| short(it))
        .collect();
    assert_eq!(
        done,
        [
            "item.completed collab_agent_tool_call failed",
            "item.completed command_execution failed"
        ]
    );
}

#[test]
fn a_refusal_that_breaks_the_turn_off() {
    let mut dialogue = Dialogue::begun();
    dialogue.told(&line("u1", "null", "m", &call("c", "Bash", "{}")));
    dialogue.told(&asks("q", "c", "Bash"));
    let answer = answers(
        "q",
        r#"{"behavior":"deny","message":"no","interrupt":true}"#,
    );
    let outcome = dialogue.host(&answer);
    assert_eq!(
        event_types(&outcome),
        ["request.resolved", "item.completed", "turn.completed"]
    );
    assert_eq!(states(&dialogue), ["interrupted"]);
    assert_eq!(
        dialogue.of("item.completed").last().unwrap()["payload"]["status"],
        "declined"
    );
    // The same answer again decides nothing.
    let again = dialogue.host(&answer);
    assert_eq!(again.verdict, Verdict::Noted);
    // Its result, however it looks, ends no further turn; and the next one is another.
    let late = dialogue.told(&result(
        "r",
        r#""subtype":"error_during_execution","is_error":true,"errors":["x"]"#,
    ));
    assert_eq!(event_types(&late), ["thread.metadata.updated"]);
    dialogue.host(&said("on"));
    dialogue.told(&result("r2", SUCCESS));
    assert_eq!(states(&dialogue), ["interrupted", "completed"]);
}

#[test]
fn a_refusal_whose_result_never_comes() {
    let mut dialogue = Dialogue::begun();
    dialogue.told(&line("u1", "null", "m", &call("c", "Bash", "{}")));
    dialogue.told(&asks("q", "c", "Bash"));
    dialogue.host(&answers(
        "q",
        r#"{"behavior":"deny","message":"no","interrupt":true}"#,
    ));
    dialogue.host(&said("on"));
    dialogue.told(INIT);
    dialogue.told(&line("u2", "null", "n", BLOCK));
    dialogue.told(&result("r", SUCCESS));
    assert_eq!(states(&dialogue), ["interrupted", "completed"]);
    let turns = dialogue.of("turn.completed");
    assert_ne!(turns[0]["turnId"], turns[1]["turnId"]);
}

/// Answers to no request, in both directions.
#[test]
fn answers_to_nothing() {
    let mut dialogue = Dialogue::begun();
    let outcome = dialogue.host(&answers("zz", r#"{"behavior":"allow"}"#));
    assert_eq!(outcome.verdict, Verdict::Noted);
    let outcome = dialogue.told(&answers("zz", "{}"));
    assert_eq!(outcome.verdict, Verdict::Unmatched);
    assert_eq!(event_types(&outcome), ["runtime.warning"]);
    let outcome = dialogue.told(r#"{"type":"control_cancel_request","request_id":"zz"}"#);
    assert_eq!(outcome.verdict, Verdict::Mapped);
    dialogue.goes_on();
}

/// A decision that can't be read is none.
#[test]
fn decisions_that_say_nothing() {
    for response in [
        "{}",
        r#"{"behavior":"maybe"}"#,
        r#"{"behavior":7}"#,
        r#"{"behavior":"deny"}"#,
        "null",
        "7",
    ] {
        let mut dialogue = Dialogue::begun();
        dialogue.told(&line("u1", "null", "m", &call("c", "Bash", "{}")));
        dialogue.told(&asks("q", "c", "Bash"));
        dialogue.host(&answers("q", response));
        let resolved = dialogue.of("request.resolved");
        assert_eq!(resolved.len(), 1, "{response}");
        let decision = resolved[0]["payload"]["decision"].as_str();
        assert!(
            !matches!(decision, Some("accept" | "acceptForSession")),
            "{response}: {decision:?}"
        );
    }
}

/// Two requests of one id, one after the other, are two.
#[test]
fn requests_that_use_an_id_again() {
    let mut dialogue = Dialogue::begun();
    dialogue.told(&line("u1", "null", "m", &call("c", "Bash", "{}")));
    for _ in 0..2 {
        dialogue.told(&asks("q", "c", "Bash"));
        dialogue.host(&answers("q", r#"{"behavior":"allow","updatedInput":{}}"#));
    }
    let (opened, resolved) = (
        dialogue.of("request.opened"),
        dialogue.of("request.resolved"),
    );
    assert_eq!((opened.len(), resolved.len()), (2, 2));
    assert_ne!(opened[0]["requestId"], opened[1]["requestId"]);
    assert_eq!(opened[1]["requestId"], resolved[1]["requestId"]);
    // The same request twice before it is answered is one.
    let mut dialogue = Dialogue::begun();
    dialogue.told(&line("u1", "null", "m", &call("c", "Bash", "{}")));
    for _ in 0..2 {
        dialogue.told(&asks("q", "c", "Bash"));
    }
    assert_eq!(dialogue.of("request.opened").len(), 1);
}

/// What comes twice, with a message that was streamed and one that never ended.
#[test]
fn blocks_that_never_stop() {
    let mut dialogue = Dialogue::begun();
    dialogue.told(&begins("m"));
    dialogue.told(&opens(0, TEXT));
    dialogue.told(&piece(0, &text("a")));
    dialogue.told(&begins("m2"));
    dialogue.told(&opens(0, TEXT));
    dialogue.told(&piece(0, &text("b")));
    dialogue.told(&closes(0));
    dialogue.told(&closes(0));
    dialogue.told(&closes(7));
    dialogue.told(&result("r", SUCCESS));
    let done: Vec<(String, Value)> = dialogue.of("item.completed")[1..]
        .iter()
        .map(|it| (short(it), it["payload"]["detail"].clone()))
        .collect();
    assert_eq!(
        done,
        [
            (
                "item.completed assistant_message completed".to_owned(),
                "b".into()
            ),
            (
                "item.completed assistant_message failed".to_owned(),
                "a".into()
            ),
        ]
    );
}

/// Sessions whose lines are mixed: the first one is the session, and nothing is lost.
#[test]
fn another_session_in_the_stream() {
    let mut dialogue = Dialogue::begun();
    let other =
        line("u1", "null", "m", BLOCK).replace(r#""session_id":"s""#, r#""session_id":"other""#);
    let outcome = dialogue.told(&other);
    assert!(event_types(&outcome).contains(&"item.completed"));
    dialogue.told(&line("u2", "null", "m", BLOCK));
    dialogue.told(&result("r", SUCCESS));
    assert_eq!(states(&dialogue), ["completed"]);
    let ids: Vec<&Value> = dialogue.events.iter().map(|it| &it["sessionId"]).collect();
    assert!(ids.iter().all(|it| *it == ids[0]));
    assert_eq!(dialogue.of("session.started").len(), 1);
}

#[test]
fn tasks_that_end_without_a_beginning() {
    let mut dialogue = Dialogue::begun();
    let end = system(
        "task_notification",
        r#""task_id":"k","tool_use_id":"zz","status":"completed","output_file":"","summary":"x""#,
    );
    for _ in 0..2 {
        let outcome = dialogue.told(&end);
        assert_eq!(event_types(&outcome), ["task.completed"]);
    }
    dialogue.goes_on();
}
