//! Odd JSON, odd lines, odd bytes.

use agentwire::claude::ClaudeSession;
use agentwire::frame::Limits;
use agentwire::session::{Direction, Outcome, Verdict};
use agentwire::sources::{SequentialIds, WireClock};
use serde_json::Value;

use crate::claude::dialogue::{Dialogue, session, tree};
use crate::claude::lines::{
    INIT, SUCCESS, TEXT, begins, call, line, opens, piece, result, result_of, text, user,
};
use crate::support::replay::{assert_raw, event_types, oddities};

const TEXT_LINE: &str = r#"{"type":"text","text":"a"}"#;

#[test]
fn half_a_surrogate_pair() {
    let lines = [
        line("u1", "null", "m", r#"{"type":"text","text":"a\ud83db"}"#),
        line("u1", "null", "m", r#"{"type":"text","text":"\udc00"}"#),
        piece(0, &text(r"a\uD83D")),
        piece(
            0,
            r#"{"type":"input_json_delta","partial_json":"{\"a\":\"\ud83d"}"#,
        ),
        result_of("c", r#""content":"a\ud83d\ud83db""#),
        result_of("c", r#""content":[{"type":"text","text":"\ud83d\u0041"}]"#),
        user(r#""\ud83dlamp""#),
        result(
            "r",
            r#""subtype":"success","is_error":false,"result":"\ud83d""#,
        ),
        result(
            "r",
            r#""subtype":"error_during_execution","is_error":true,"errors":["\ud83d"]"#,
        ),
    ];
    for line in lines {
        let mut dialogue = Dialogue::begun();
        dialogue.told(&begins("m"));
        dialogue.told(&opens(0, TEXT));
        dialogue.told(&crate::claude::lines::line(
            "u0",
            "null",
            "m0",
            &call("c", "Bash", "{}"),
        ));
        let outcome = dialogue.told(&line);
        assert_eq!(outcome.verdict, Verdict::Mapped, "{line}");
        let odd = oddities(&outcome);
        assert!(
            !odd.is_empty() && odd.iter().all(|it| it.contains("half a surrogate pair")),
            "{odd:?}: {line}"
        );
        assert_raw(&outcome, &line);
        for event in &outcome.events {
            let json = event.to_json().unwrap();
            assert_eq!(
                &serde_json::from_str::<agentwire::canonical::RuntimeEvent>(&json).unwrap(),
                event
            );
        }
        dialogue.goes_on();
    }
    // In what is not read it is untouched, and no oddity of what was read.
    let mut dialogue = Dialogue::begun();
    let line = line(
        "u1",
        "null",
        "m",
        &call("c", "Bash", r#"{"command":"\ud83d","x\ud83d":1}"#),
    );
    let outcome = dialogue.told(&line);
    assert_raw(&outcome, &line);
    let started = outcome
        .events
        .iter()
        .find(|it| it.event_type().as_str() == "item.started")
        .unwrap();
    assert!(
        started
            .to_json()
            .unwrap()
            .contains(r#"{"command":"\ud83d","x\ud83d":1}"#)
    );
}

/// A pair whose halves come in two pieces is put together of what was read of each.
#[test]
fn a_pair_in_two_pieces() {
    let mut dialogue = Dialogue::begun();
    dialogue.told(&begins("m"));
    dialogue.told(&opens(0, TEXT));
    for half in [r"\ud83d", r"\ude00"] {
        let outcome = dialogue.told(&piece(0, &text(half)));
        assert_eq!(oddities(&outcome).len(), 1);
    }
    dialogue.told(&crate::claude::lines::closes(0));
    let done = dialogue.of("item.completed");
    assert_eq!(
        done.last().unwrap()["payload"]["detail"],
        "\u{FFFD}\u{FFFD}"
    );
}

/// A line ends with a line feed, and with nothing else.
#[test]
fn separators_inside_a_line() {
    let odd = "a\u{2028}b\u{2029}c\u{85}d\u{0B}e\u{FEFF}".replace('\u{0B}', "\\u000b");
    let line = line(
        "u1",
        "null",
        "m",
        &format!(r#"{{"type":"text","text":"{odd}"}}"#),
    );
    let mut dialogue = Dialogue::begun();
    let outcome = dialogue.told(&line);
    assert_eq!(outcome.verdict, Verdict::Mapped);
    assert_raw(&outcome, &line);
    let done = dialogue.of("item.completed");
    assert_eq!(
        done.last().unwrap()["payload"]["detail"],
        odd.replace("\\u000b", "\u{0B}")
    );
}

#[test]
fn marks_and_ends_of_lines() {
    let mut session = session();
    let bytes = format!(
        "\u{FEFF}{INIT}\r\n\n \r\n{}\r\n{{\"type\":\"keep_alive\"}}",
        result("r", SUCCESS)
    );
    session.push(Direction::FromAgent, bytes.as_bytes());
    session.finish();
    let outcomes: Vec<Outcome> = session.outcomes().collect();
    let lines: Vec<u64> = outcomes.iter().map(|it| it.line).collect();
    assert_eq!(lines, [1, 4, 5]);
    assert_eq!(
        outcomes[0].events[0].raw.as_ref().unwrap().payload.as_str(),
        INIT
    );
    assert_eq!(outcomes[1].verdict, Verdict::Mapped);
    assert!(
        matches!(outcomes[2].verdict, Verdict::Dropped(_)),
        "{:?}",
        outcomes[2].verdict
    );
}

#[test]
fn lines_that_are_no_messages() {
    let lines: [&[u8]; 12] = [
        b"Now using node v99",
        b"{\"type\":\"user\",",
        b"{\"type\":\"user\"} {\"type\":\"user\"}",
        b"null",
        b"7",
        b"\"assistant\"",
        b"{'type':'user'}",
        b"{\"type\":\"user\",}",
        b"\xff\xfe{\"type\":\"user\"}",
        b"{\"type\":\"\x00\"}",
        b"[{\"type\":\"keep_alive\"},",
        b"{\"a\":\"\\x\"}",
    ];
    for line in lines {
        let mut session = session();
        let before = INIT.as_bytes();
        let after = br#"{"type":"rate_limit_event","rate_limit_info":{"status":"allowed"},"uuid":"u","session_id":"s"}"#;
        for line in [before, line, after] {
            session.push(Direction::FromAgent, line);
            session.push(Direction::FromAgent, b"\n");
        }
        let outcomes: Vec<Outcome> = session.outcomes().collect();
        let shown = String::from_utf8_lossy(line).into_owned();
        assert_eq!(outcomes.len(), 3, "{shown}");
        assert!(
            matches!(outcomes[1].verdict, Verdict::NotJson { .. }),
            "{shown}: {:?}",
            outcomes[1].verdict
        );
        assert_eq!(outcomes[2].verdict, Verdict::Mapped, "{shown}");
    }
}

/// The members may come in any order: the tag last of all, and the tags of what is inside as well.
#[test]
fn the_tag_is_not_first() {
    let lines = [
        INIT.to_owned(),
        line("u1", "null", "m", TEXT_LINE),
        line(
            "u1",
            "null",
            "m",
            &call("c", "Bash", r#"{"type":"x","b":1}"#),
        ),
        begins("m"),
        opens(0, TEXT),
        piece(0, &text("a")),
        result("r", SUCCESS),
        result(
            "r",
            r#""subtype":"error_max_turns","is_error":true,"errors":["x"]"#,
        ),
        user(r#"[{"type":"text","text":"b"}]"#),
        crate::claude::lines::asks("q", "c", "Bash"),
    ];
    for line in lines {
        let backwards = turned(&serde_json::from_str(&line).unwrap());
        assert!(!backwards.starts_with(r#"{"type""#), "{backwards}");
        let shape = |line: &str| {
            let mut dialogue = Dialogue::begun();
            let outcome = dialogue.told(line);
            assert!(
                matches!(outcome.verdict, Verdict::Mapped | Verdict::Told(_)),
                "{line}"
            );
            assert_eq!(outcome.oddities, [], "{line}");
            dialogue.short()
        };
        assert_eq!(shape(&line), shape(&backwards), "{backwards}");
    }
}

/// The same with the members of each object the other way round.
fn turned(value: &Value) -> String {
    match value {
        Value::Object(members) => {
            let mut members: Vec<(&String, &Value)> = members.iter().collect();
            members.reverse();
            let members: Vec<String> = members
                .into_iter()
                .map(|(name, value)| format!("{}:{}", Value::from(name.as_str()), turned(value)))
                .collect();
            format!("{{{}}}", members.join(","))
        }
        Value::Array(elements) => {
            let elements: Vec<String> = elements.iter().map(turned).collect();
            format!("[{}]", elements.join(","))
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => value.to_string(),
    }
}

/// A member that stands twice: the last one counts, wherever it stands, and it is told.
#[test]
fn members_that_stand_twice() {
    let text_line = line("u1", "null", "m", TEXT_LINE);
    let cases = [
        (
            text_line.replacen(
                r#"{"type":"assistant","#,
                r#"{"type":"user","type":"assistant","#,
                1,
            ),
            "assistant",
        ),
        (
            text_line.replacen(
                r#"{"type":"text","#,
                r#"{"type":"thinking","type":"text","#,
                1,
            ),
            "assistant",
        ),
        (
            text_line.replacen(r#""text":"a""#, r#""text":"z","text":"a""#, 1),
            "assistant",
        ),
        (
            text_line.replacen(r#""id":"m""#, r#""id":"n","id":"m""#, 1),
            "assistant",
        ),
        (
            piece(0, &text("a")).replacen(
                r#"{"type":"text_delta","#,
                r#"{"type":"thinking_delta","type":"text_delta","#,
                1,
            ),
            "stream_event:content_block_delta:text_delta",
        ),
        (
            result("r", SUCCESS).replacen(
                r#""is_error":false"#,
                r#""is_error":true,"is_error":false"#,
                1,
            ),
            "result:success",
        ),
        (
            result("r", SUCCESS).replacen(
                r#""subtype":"success""#,
                r#""subtype":"error_max_turns","subtype":"success""#,
                1,
            ),
            "result:success",
        ),
    ];
    for (line, tag) in cases {
        let mut dialogue = Dialogue::begun();
        let outcome = dialogue.told(&line);
        assert_eq!(outcome.verdict, Verdict::Mapped, "{line}");
        assert_eq!(outcome.tag.as_deref(), Some(tag), "{line}");
        let odd = oddities(&outcome);
        assert!(
            !odd.is_empty() && odd.iter().all(|it| it.contains("stands twice")),
            "{odd:?}: {line}"
        );
        assert_raw(&outcome, &line);
        let states: Vec<&str> = dialogue
            .of("turn.completed")
            .iter()
            .map(|it| it["payload"]["state"].as_str().unwrap())
            .collect();
        assert!(
            states.iter().all(|it| *it == "completed"),
            "{states:?}: {line}"
        );
        if let Some(done) = dialogue
            .of("item.completed")
            .last()
            .filter(|_| tag == "assistant")
        {
            assert_eq!(done["payload"]["detail"], "a", "{line}");
        }
        dialogue.goes_on();
    }
    let failing = result("r", SUCCESS).replacen(
        r#""is_error":false"#,
        r#""is_error":false,"is_error":true"#,
        1,
    );
    let mut dialogue = Dialogue::begun();
    dialogue.told(&failing);
    assert_eq!(
        dialogue.of("turn.completed")[0]["payload"]["state"],
        "failed"
    );
    let unknown = text_line.replacen(
        r#"{"type":"assistant","#,
        r#"{"type":"assistant","type":"weather","#,
        1,
    );
    assert_eq!(
        Dialogue::begun().told(&unknown).verdict,
        Verdict::Unrecognized
    );
}

/// What is opaque may be as deep as it likes.
#[test]
fn deep_nesting() {
    let deep = format!("{}{}", "[".repeat(200_000), "]".repeat(200_000));
    let objects = format!("{}1{}", r#"{"a":"#.repeat(100_000), "}".repeat(100_000));
    for value in [&deep, &objects] {
        let lines = [
            line(
                "u1",
                "null",
                "m",
                &call(
                    "c",
                    "Bash",
                    &format!(r#"{{"command":"ls","deep":{value}}}"#),
                ),
            ),
            result_of("c", r#""content":"x""#).replacen(
                r#"{"type":"user","#,
                &format!(r#"{{"type":"user","tool_use_result":{value},"#),
                1,
            ),
            format!(r#"{{"type":"weather","deep":{value}}}"#),
            INIT.replacen(
                r#""agents":[],"#,
                &format!(r#""agents":[],"deep":{value},"#),
                1,
            ),
            result("r", &format!(r#"{SUCCESS},"structured_output":{value}"#)),
        ];
        let mut dialogue = Deep(session());
        dialogue.told(INIT);
        for line in lines {
            let outcome = dialogue.told(&line);
            assert!(
                matches!(outcome.verdict, Verdict::Mapped | Verdict::Unrecognized),
                "{:?}",
                outcome.verdict
            );
            assert_raw(&outcome, &line);
            for event in &outcome.events {
                assert!(event.to_json().unwrap().len() > 100);
            }
        }
    }
    // In what has a type it is loud.
    let line =
        line("u1", "null", "m", TEXT_LINE).replace(r#""text":"a""#, &format!(r#""text":{deep}"#));
    let outcome = Deep(session()).told(&line);
    assert!(
        matches!(outcome.verdict, Verdict::Malformed { .. }),
        "{:?}",
        outcome.verdict
    );
}

/// A session whose events are not made into trees, which are not deep.
struct Deep(ClaudeSession);

impl Deep {
    fn told(&mut self, line: &str) -> Outcome {
        self.0.push(Direction::FromAgent, line.as_bytes());
        self.0.push(Direction::FromAgent, b"\n");
        self.0.next_outcome().unwrap()
    }
}

#[test]
fn huge_lines() {
    let words = "lamp ".repeat(1_600_000);
    let line = line(
        "u1",
        "null",
        "m",
        &format!(r#"{{"type":"text","text":"{words}"}}"#),
    );
    assert!(line.len() > 8_000_000);
    let mut session = session();
    for chunk in line.as_bytes().chunks(4096) {
        session.push(Direction::FromAgent, chunk);
    }
    session.push(Direction::FromAgent, b"\n");
    let outcome = session.next_outcome().unwrap();
    assert_eq!(outcome.verdict, Verdict::Mapped);
    assert_raw(&outcome, &line);

    let limits = Limits {
        line_bytes: 1_000_000,
    };
    let mut session = ClaudeSession::with_sources(SequentialIds::new(), WireClock::new(), limits);
    for line in [INIT, &line, &result("r", SUCCESS)] {
        session.push(Direction::FromAgent, line.as_bytes());
        session.push(Direction::FromAgent, b"\n");
    }
    let outcomes: Vec<Outcome> = session.outcomes().collect();
    assert_eq!(outcomes.len(), 3);
    let size = u64::try_from(line.len()).unwrap();
    assert_eq!(outcomes[1].verdict, Verdict::TooLong { size });
    assert_eq!(outcomes[2].verdict, Verdict::Mapped);
}

/// All messages as one list in one line are read like as many lines.
#[test]
fn a_list_of_messages() {
    let lines = [
        INIT.to_owned(),
        line("u1", "null", "m", TEXT_LINE),
        result("r", SUCCESS),
    ];
    let alone: Vec<String> = {
        let mut dialogue = Dialogue::new();
        lines.iter().for_each(|line| drop(dialogue.told(line)));
        dialogue.short()
    };
    for list in [
        format!("[{}]", lines.join(",")),
        format!(" [ {} ] ", lines.join(" , ")),
    ] {
        let mut dialogue = Dialogue::new();
        let outcomes = dialogue.line(Direction::FromAgent, &list);
        assert_eq!(outcomes.len(), 3);
        for (outcome, line) in outcomes.iter().zip(&lines) {
            assert_eq!((outcome.line, &outcome.verdict), (1, &Verdict::Mapped));
            assert_raw(outcome, line);
        }
        assert_eq!(dialogue.short(), alone);
    }
    let mut dialogue = Dialogue::begun();
    let empty = dialogue.line(Direction::FromAgent, "[]");
    assert_eq!(empty.len(), 1);
    assert!(matches!(empty[0].verdict, Verdict::NotJson { .. }));
    let odd = format!("[7,{},[{}],null,{{}}]", lines[1], lines[2]);
    let outcomes = dialogue.line(Direction::FromAgent, &odd);
    assert_eq!(outcomes.len(), 5);
    for (index, outcome) in outcomes.iter().enumerate() {
        let malformed = matches!(outcome.verdict, Verdict::Malformed { .. });
        assert_eq!(malformed, index != 1, "{index}: {:?}", outcome.verdict);
        assert!(!event_types(outcome).is_empty());
    }
    dialogue.goes_on();
    assert_eq!(tree(&outcomes[1].events[0])["type"], "item.started");
}
