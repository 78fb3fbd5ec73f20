//! Tags that no version has: of messages, of what is in them, and of blocks and pieces.

use agentwire::session::{Outcome, Verdict};
use serde_json::Value;

use crate::claude::dialogue::{Dialogue, told, tree};
use crate::claude::lines::{
    TEXT, begins, call, closes, line, opens, piece, piece_event, result, result_of, streamed,
    streamed_as, system, text, user,
};
use crate::support::replay::{assert_raw, event_types, oddities};
use crate::support::table;

/// The cases that a test is named after.
const TESTED: &[&str] = &[
    "string-or-blocks",
    "unrecognized-block",
    "unrecognized-type",
    "uuid-per-chunk",
];

/// The lines of a case.
pub fn given(id: &str) -> Vec<String> {
    let cases = table::lines("claude_faults.jsonl");
    let cases = cases
        .iter()
        .map(|line| serde_json::from_str::<Value>(line).unwrap());
    let case = cases.into_iter().find(|case| case["id"] == id);
    let case = case.unwrap_or_else(|| panic!("no case `{id}`"));
    let input = &case["input"];
    let texts: Vec<&str> = match input.as_array() {
        Some(lines) => lines.iter().map(|line| line.as_str().unwrap()).collect(),
        None => vec![input.as_str().unwrap()],
    };
    texts.into_iter().map(str::to_owned).collect()
}

#[test]
fn every_case_is_tested() {
    let cases = table::lines("claude_faults.jsonl");
    let id = |line: &String| {
        let case: Value = serde_json::from_str(line).unwrap();
        case["id"].as_str().unwrap().to_owned()
    };
    let mut ids: Vec<String> = cases.iter().map(id).collect();
    ids.sort();
    assert_eq!(ids, TESTED);
}

/// One warning with the untouched message, and no oddity beside the verdict.
fn warns(outcome: &Outcome, tag: &str, line: &str) {
    assert_eq!(outcome.verdict, Verdict::Unrecognized, "{line}");
    assert_eq!(outcome.tag.as_deref(), Some(tag), "{line}");
    let warnings = event_types(outcome)
        .into_iter()
        .filter(|it| *it == "runtime.warning");
    assert_eq!(warnings.count(), 1, "{line}");
    assert_eq!(oddities(outcome), Vec::<String>::new(), "{line}");
    assert_raw(outcome, line);
}

#[test]
fn unrecognized_type() {
    let [line] = <[String; 1]>::try_from(given("unrecognized-type")).unwrap();
    // It is the first line of its session, which begins with it.
    let mut dialogue = Dialogue::new();
    let outcome = dialogue.told(&line);
    warns(&outcome, "weather_event", &line);
    dialogue.goes_on();
    let variations = [
        (r#"{"type":"weather_event"}"#.to_owned(), "weather_event"),
        (
            r#"{"level":{"type":"user"},"type":"weather_event"}"#.to_owned(),
            "weather_event",
        ),
        (r#"{"type":"","uuid":"u","session_id":"s"}"#.to_owned(), ""),
        (
            r#"{"type":"Assistant","session_id":"s"}"#.to_owned(),
            "Assistant",
        ),
        (
            r#"{"type":"user_","message":{"role":"user","content":"x"}}"#.to_owned(),
            "user_",
        ),
        (r#"{"type":"wétter\u0020x"}"#.to_owned(), "wétter x"),
        (
            r#"{"type":"weather_event","subtype":"init","session_id":"s"}"#.to_owned(),
            "weather_event",
        ),
    ];
    for (line, tag) in variations {
        let mut dialogue = Dialogue::begun();
        let outcome = dialogue.told(&line);
        warns(&outcome, tag, &line);
        assert_eq!(event_types(&outcome), ["runtime.warning"], "{line}");
        dialogue.goes_on();
    }
}

#[test]
fn tags_below_the_type() {
    let variations = [
        (system("weather", r#""level":1"#), "system:weather"),
        (system("", r#""level":1"#), "system:"),
        (
            streamed(r#"{"type":"message_paused"}"#),
            "stream_event:message_paused",
        ),
        (
            opens(0, r#"{"type":"hologram","depth":3}"#),
            "stream_event:content_block_start:hologram",
        ),
        (
            piece(0, r#"{"type":"light_delta","light":"x"}"#),
            "stream_event:content_block_delta:light_delta",
        ),
        (
            streamed_as(
                "u",
                r#""agent""#,
                &piece_event(7, r#"{"type":"light_delta"}"#),
            ),
            "stream_event:content_block_delta:light_delta",
        ),
        (
            r#"{"type":"control_response","response":{"subtype":"maybe","request_id":"x"}}"#
                .to_owned(),
            "control_response:maybe",
        ),
    ];
    for (line, tag) in variations {
        let mut dialogue = Dialogue::begun();
        let outcome = dialogue.told(&line);
        warns(&outcome, tag, &line);
        assert_eq!(event_types(&outcome), ["runtime.warning"], "{line}");
        dialogue.goes_on();
    }
}

/// A request must be answered, so that one of an unknown kind is seen to be open.
#[test]
fn a_request_of_an_unknown_kind_is_open() {
    for rest in [
        "",
        r#","question":"?""#,
        r#","tool_name":"Bash","input":{}"#,
    ] {
        let line = format!(
            r#"{{"type":"control_request","request_id":"q","request":{{"subtype":"ask_the_moon"{rest}}}}}"#
        );
        let mut dialogue = Dialogue::begun();
        let outcome = dialogue.told(&line);
        warns(&outcome, "control_request:ask_the_moon", &line);
        assert_eq!(event_types(&outcome), ["request.opened", "runtime.warning"]);
        let opened = tree(&outcome.events[0]);
        assert_eq!(opened["payload"]["requestType"], "unknown");
        assert_eq!(opened["providerRefs"]["providerRequestId"], "q");
        let answer = dialogue.host(
            r#"{"type":"control_response","response":{"subtype":"error","request_id":"q","error":"no"}}"#,
        );
        let resolved = tree(&answer.events[0]);
        assert_eq!(
            (&resolved["type"], &resolved["requestId"]),
            (&"request.resolved".into(), &opened["requestId"])
        );
        dialogue.goes_on();
    }
}

/// A result is the end of its turn, whatever it says.
#[test]
fn a_result_of_an_unknown_kind_ends_its_turn_as_a_failure() {
    for subtype in ["error_no_oil", "half_success", "Success", ""] {
        let mut dialogue = Dialogue::begun();
        dialogue.told(&line("u1", "null", "m", &call("c", "Bash", "{}")));
        let rest = format!(r#""subtype":"{subtype}","is_error":false,"result":"done""#);
        let line = result("r", &rest);
        let outcome = dialogue.told(&line);
        warns(&outcome, &format!("result:{subtype}"), &line);
        let types = event_types(&outcome);
        assert!(
            types.contains(&"item.completed") && types.contains(&"turn.completed"),
            "{types:?}"
        );
        let state = dialogue.of("turn.completed")[0]["payload"]["state"].clone();
        assert_eq!(state, "failed", "{subtype}");
        assert_eq!(
            dialogue.of("item.completed").last().unwrap()["payload"]["status"],
            "failed"
        );
        dialogue.goes_on();
    }
}

#[test]
fn unrecognized_block() {
    let [given] = <[String; 1]>::try_from(given("unrecognized-block")).unwrap();
    let outcome = told(&given);
    assert_eq!(outcome.verdict, Verdict::Mapped);
    assert_eq!(oddities(&outcome).len(), 1);
    assert!(oddities(&outcome)[0].contains("`hologram`"));
    let events: Vec<Value> = outcome.events.iter().map(tree).collect();
    let done = events
        .iter()
        .find(|it| it["type"] == "item.completed")
        .unwrap();
    assert_eq!(
        (&done["payload"]["itemType"], &done["payload"]["detail"]),
        (&"assistant_message".into(), &"a".into())
    );
    let warning = events
        .iter()
        .find(|it| it["type"] == "runtime.warning")
        .unwrap();
    assert_eq!(
        warning["payload"]["detail"],
        serde_json::json!({"type":"hologram","d":1})
    );
    assert_raw(&outcome, &given);
}

#[test]
fn an_unknown_block_costs_no_neighbour() {
    let known = [
        r#"{"type":"text","text":"a"}"#.to_owned(),
        call("c", "Bash", r#"{"command":"ls"}"#),
        r#"{"type":"thinking","thinking":"b","signature":""}"#.to_owned(),
    ];
    let odd = r#"{"type":"hologram","text":"z","content":[{"type":"text","text":"y"}]}"#;
    for at in 0..=known.len() {
        let mut blocks = known.to_vec();
        blocks.insert(at, odd.to_owned());
        let mut dialogue = Dialogue::begun();
        let line = line("u1", "null", "m", &blocks.join(","));
        let outcome = dialogue.told(&line);
        assert_raw(&outcome, &line);
        let types = event_types(&outcome);
        let count = |kind: &str| types.iter().filter(|it| **it == kind).count();
        assert_eq!(
            (
                count("item.started"),
                count("item.completed"),
                count("runtime.warning")
            ),
            (3, 2, 1),
            "{at}"
        );
        assert_eq!(outcome.oddities.len(), 1);
        dialogue.goes_on();
    }
    for blocks in [odd.to_owned(), format!("{odd},{odd}")] {
        let outcome = told(&line("u1", "null", "m", &blocks));
        assert!(!event_types(&outcome).contains(&"item.started"), "{blocks}");
        assert!(
            event_types(&outcome).contains(&"runtime.warning"),
            "{blocks}"
        );
    }
}

#[test]
fn unknown_blocks_of_the_user_and_in_results() {
    let odd = r#"{"type":"hologram","d":1}"#;
    let outcome = told(&user(&format!(r#"[{odd},{{"type":"text","text":"b"}}]"#)));
    assert_eq!(
        event_types(&outcome),
        ["runtime.warning", "item.started", "item.completed"]
    );
    let done = tree(outcome.events.last().unwrap());
    assert_eq!(done["payload"]["detail"], "b");

    let contents = [
        format!("[{odd}]"),
        format!(r#"[{odd},{{"type":"text","text":"b"}}]"#),
        format!(r#"[{{"type":"text","text":"b"}},{odd}]"#),
    ];
    for content in contents {
        let mut dialogue = Dialogue::begun();
        dialogue.told(&line("u1", "null", "m", &call("c", "Bash", "{}")));
        let line = result_of("c", &format!(r#""content":{content}"#));
        let outcome = dialogue.told(&line);
        assert_raw(&outcome, &line);
        assert_eq!(outcome.verdict, Verdict::Mapped, "{content}");
        let done: Vec<&Value> = dialogue.of("item.completed");
        let done = done.last().unwrap();
        assert_eq!(
            (&done["payload"]["itemType"], &done["payload"]["status"]),
            (&"command_execution".into(), &"completed".into()),
            "{content}"
        );
        assert_eq!(
            done["payload"]["data"]["result"]["content"].to_string(),
            content.replace(' ', "")
        );
        dialogue.goes_on();
    }
}

/// The block that an unknown one streams into is unknown as well, and its end harms nothing.
#[test]
fn an_unknown_block_in_pieces() {
    let mut dialogue = Dialogue::begun();
    dialogue.told(&begins("m"));
    dialogue.told(&opens(0, r#"{"type":"hologram"}"#));
    dialogue.told(&piece(0, r#"{"type":"light_delta","light":"x"}"#));
    let end = dialogue.told(&closes(0));
    assert!(
        matches!(end.verdict, Verdict::Dropped(_) | Verdict::Mapped),
        "{:?}",
        end.verdict
    );
    dialogue.told(&opens(1, TEXT));
    dialogue.told(&piece(1, &text("lamp")));
    dialogue.told(&closes(1));
    let done = dialogue.of("item.completed");
    let [_, done] = done[..] else {
        panic!("{done:#?}")
    };
    assert_eq!(
        (&done["payload"]["itemType"], &done["payload"]["detail"]),
        (&"assistant_message".into(), &"lamp".into())
    );
    dialogue.goes_on();
}

#[test]
fn string_or_blocks() {
    let [given] = <[String; 1]>::try_from(given("string-or-blocks")).unwrap();
    let mut dialogue = Dialogue::begun();
    dialogue.told(&line("u1", "null", "m", &call("tu1", "Bash", "{}")));
    let outcome = dialogue.told(&given);
    assert_eq!(event_types(&outcome), ["item.completed"]);
    let done = tree(&outcome.events[0]);
    assert_eq!(done["providerRefs"]["providerItemId"], "tu1");
    assert_eq!(
        (&done["payload"]["status"], &done["payload"]["detail"]),
        (&"completed".into(), &"ok".into())
    );
    // Its call was never announced: it is opened first.
    let outcome = told(&given);
    assert_eq!(event_types(&outcome), ["item.started", "item.completed"]);
    assert_eq!(outcome.events[0].item_id, outcome.events[1].item_id);
    assert!(outcome.events[0].item_id.is_some());
}

#[test]
fn contents_of_results_in_every_form() {
    let forms = [
        (r#""content":"ok""#, Some("ok")),
        (r#""content":[{"type":"text","text":"ok"}]"#, Some("ok")),
        (
            r#""content":[{"type":"text","text":"o"},{"type":"text","text":"k"}]"#,
            Some("o\nk"),
        ),
        (r#""content":[]"#, None),
        (r#""content":"""#, None),
        (r#""is_error":false"#, None),
        (
            r#""content":[{"type":"image","source":{"type":"base64","media_type":"image/png","data":"AA=="}}]"#,
            None,
        ),
        (
            r#""content":[{"type":"tool_reference","tool_name":"x"}]"#,
            None,
        ),
    ];
    for (rest, detail) in forms {
        let mut dialogue = Dialogue::begun();
        dialogue.told(&line("u1", "null", "m", &call("c", "Bash", "{}")));
        let outcome = dialogue.told(&result_of("c", rest));
        assert_eq!(event_types(&outcome), ["item.completed"], "{rest}");
        let done = tree(&outcome.events[0]);
        assert_eq!(done["payload"]["status"], "completed", "{rest}");
        assert_eq!(done["payload"]["detail"].as_str(), detail, "{rest}");
    }
}

#[test]
fn words_of_the_user_in_every_form() {
    let forms = [
        (r#""lamp""#, Some("lamp")),
        (r#""""#, None),
        (r#"[{"type":"text","text":"lamp"}]"#, Some("lamp")),
        (
            r#"[{"type":"text","text":"la"},{"type":"text","text":"mp"}]"#,
            Some("la\nmp"),
        ),
        (
            r#"[{"type":"image","source":{"type":"base64","media_type":"image/png","data":"AA=="}},{"type":"text","text":"lamp"}]"#,
            Some("lamp"),
        ),
        (
            r#"[{"type":"document","source":{"type":"text","media_type":"text/plain","data":"x"}}]"#,
            None,
        ),
        ("[]", None),
    ];
    for (content, detail) in forms {
        let mut dialogue = Dialogue::begun();
        let outcome = dialogue.told(&user(content));
        assert_eq!(outcome.verdict, Verdict::Mapped, "{content}");
        assert_eq!(
            event_types(&outcome),
            ["item.started", "item.completed"],
            "{content}"
        );
        let done = tree(&outcome.events[1]);
        assert_eq!(done["payload"]["itemType"], "user_message", "{content}");
        assert_eq!(done["payload"]["detail"].as_str(), detail, "{content}");
        assert_eq!(outcome.oddities, [], "{content}");
        dialogue.goes_on();
    }
}

/// Words beside results: all of them are told.
#[test]
fn a_line_with_results_and_words() {
    let mut dialogue = Dialogue::begun();
    let calls = [call("c", "Bash", "{}"), call("d", "Read", "{}")].join(",");
    dialogue.told(&line("u1", "null", "m", &calls));
    let blocks = r#"[{"type":"tool_result","tool_use_id":"c","content":"x"},{"type":"text","text":"lamp"},{"type":"tool_result","tool_use_id":"d","content":"y","is_error":true}]"#;
    let outcome = dialogue.told(&user(blocks));
    assert_eq!(
        event_types(&outcome),
        [
            "item.completed",
            "item.completed",
            "item.started",
            "item.completed"
        ]
    );
    let of = |index: usize, name: &str| tree(&outcome.events[index])["payload"][name].clone();
    assert_eq!(
        (of(0, "status"), of(1, "status")),
        ("completed".into(), "failed".into())
    );
    assert_eq!(
        (of(3, "itemType"), of(3, "detail")),
        ("user_message".into(), "lamp".into())
    );
}
