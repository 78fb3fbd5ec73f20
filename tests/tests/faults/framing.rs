//! Bytes that are no clean lines: marks, banners, lines without end, nesting without end.

use std::time::Instant;

use agentwire::codex::CodexSession;
use agentwire::frame::Limits;
use agentwire::session::{Direction, Outcome, Verdict};

use super::{given, repeated};
use crate::support::replay::{Dialogue, assert_raw, event_types, limited, only, session};

const WARNING: &str = r#"{"method":"warning","params":{"message":"fog"}}"#;

fn bytes(session: &mut CodexSession, bytes: &[u8]) -> Vec<Outcome> {
    session.push(Direction::FromAgent, bytes);
    session.outcomes().collect()
}

#[test]
fn crlf_bom() {
    let input = given("crlf-bom");
    assert!(input.starts_with('\u{feff}') && input.ends_with("\r\n"));
    let mut session = session();
    let outcome = only(bytes(&mut session, input.as_bytes()));
    // The message of the case is no message of Codex: it is told, and its text is untouched.
    assert_eq!(outcome.verdict, Verdict::Unrecognized);
    assert_raw(&outcome, r#"{"type":"keep_alive"}"#);
    let outcome = only(bytes(&mut session, format!("{WARNING}\r\n").as_bytes()));
    assert_eq!(outcome.verdict, Verdict::Mapped);
    assert_raw(&outcome, WARNING);
}

#[test]
fn marks_in_any_pieces() {
    let stream = format!("\u{feff}{WARNING}\r\n\r\n\n{WARNING}\n \t\r\n{WARNING}");
    for size in 1..=9 {
        let mut session = session();
        let mut outcomes = Vec::new();
        for piece in stream.as_bytes().chunks(size) {
            outcomes.extend(bytes(&mut session, piece));
        }
        session.finish();
        outcomes.extend(session.outcomes());
        let told: Vec<(u64, bool)> = outcomes
            .iter()
            .map(|outcome| (outcome.line, outcome.verdict == Verdict::Mapped))
            .collect();
        assert_eq!(told, [(1, true), (4, true), (6, true)], "{size}");
        for outcome in &outcomes {
            assert_raw(outcome, WARNING);
        }
    }
}

#[test]
fn separators_of_unicode_end_no_line() {
    let line = WARNING.replace("fog", "a\u{2028}b\u{2029}c\u{85}d");
    let outcome = Dialogue::new().told(&line);
    assert_eq!(outcome.verdict, Verdict::Mapped);
    assert_raw(&outcome, &line);
}

#[test]
fn banner() {
    let mut dialogue = Dialogue::new();
    let line = given("banner");
    let outcome = dialogue.told(&line);
    let Verdict::NotJson { text, reason } = &outcome.verdict else {
        panic!("{:?}", outcome.verdict)
    };
    assert_eq!(text, line.as_bytes());
    assert!(!reason.is_empty());
    assert!(outcome.events.is_empty());
    dialogue.goes_on();
}

#[test]
fn lines_that_are_no_messages_of_any_kind() {
    for line in [
        "{",
        "}",
        "null",
        "7",
        "\"text\"",
        "{\"method\":\"warning\"",
        "{\"a\":1}{\"b\":2}",
        "{'a':1}",
        "// no",
        "\u{1b}[31mred",
    ] {
        let mut dialogue = Dialogue::new();
        let outcome = dialogue.told(line);
        let Verdict::NotJson { text, .. } = &outcome.verdict else {
            panic!("{line}: {:?}", outcome.verdict)
        };
        assert_eq!(text, line.as_bytes());
        dialogue.goes_on();
    }
}

#[test]
fn bytes_that_are_not_utf8() {
    let mut session = session();
    let outcome = only(bytes(&mut session, b"{\"method\":\"\xff\xfe\"}\n"));
    let Verdict::NotJson { text, .. } = &outcome.verdict else {
        panic!("{:?}", outcome.verdict)
    };
    assert_eq!(text, b"{\"method\":\"\xff\xfe\"}");
    let outcome = only(bytes(&mut session, format!("{WARNING}\n").as_bytes()));
    assert_eq!((outcome.line, outcome.verdict), (2, Verdict::Mapped));
}

/// Pushes a line of exactly this size in pieces, and gives its outcome.
fn long(session: &mut CodexSession, size: usize, piece: usize) -> Outcome {
    let (head, tail) = (br#"{"method":"warning","params":{"message":""#, br#""}}"#);
    let middle = vec![b'x'; piece];
    session.push(Direction::FromAgent, head);
    let mut left = size - head.len() - tail.len();
    while left > 0 {
        let now = left.min(piece);
        session.push(Direction::FromAgent, &middle[..now]);
        left -= now;
    }
    session.push(Direction::FromAgent, tail);
    assert!(session.next_outcome().is_none(), "the line has no end yet");
    only(bytes(session, b"\n"))
}

#[test]
fn long_line() {
    let (size, piece) = (
        repeated("long-line", "bytes"),
        repeated("long-line", "piece"),
    );
    assert_eq!(Limits::default().line_bytes, size);
    let mut session = session();
    let outcome = long(&mut session, size, piece);
    assert_eq!(outcome.verdict, Verdict::Mapped);
    assert_eq!(
        outcome.events[0]
            .raw
            .as_ref()
            .unwrap()
            .payload
            .as_str()
            .len(),
        size
    );
    let outcome = long(&mut session, size + 1, piece);
    assert_eq!(
        outcome.verdict,
        Verdict::TooLong {
            size: size as u64 + 1
        }
    );
    let outcome = only(bytes(&mut session, format!("{WARNING}\n").as_bytes()));
    assert_eq!(
        (outcome.line, outcome.verdict),
        (3, Verdict::Mapped),
        "the next line is read"
    );
}

#[test]
fn a_line_past_a_limit_tells_its_real_size() {
    let mut session = limited(Limits { line_bytes: 100 });
    for (size, piece) in [(101, 1), (5_000, 7), (100_000, 4096)] {
        let outcome = long(&mut session, size, piece);
        assert_eq!(outcome.verdict, Verdict::TooLong { size: size as u64 });
        let outcome = only(bytes(&mut session, format!("{WARNING}\n").as_bytes()));
        assert_eq!(outcome.verdict, Verdict::Mapped);
    }
    assert_eq!(long(&mut session, 100, 3).verdict, Verdict::Mapped);
    let mut rest = format!("{}\n{WARNING}", "x".repeat(101));
    rest.push('\n');
    let told: Vec<Verdict> = bytes(&mut session, rest.as_bytes())
        .into_iter()
        .map(|it| it.verdict)
        .collect();
    assert_eq!(told, [Verdict::TooLong { size: 101 }, Verdict::Mapped]);
}

/// Not a benchmark: sixteen times the length may not take anything like its square, in the best of
/// a few runs, since the machine may do other things besides.
#[test]
fn time_is_linear_in_the_length() {
    let time = |size| {
        let start = Instant::now();
        long(&mut session(), size, 4096);
        start.elapsed()
    };
    let linear = (0..5).any(|_| {
        let (short, sixteen) = (time(1 << 20), time(1 << 24));
        sixteen < short * 100
    });
    assert!(linear);
}

fn nested(count: usize) -> String {
    format!("{}{}", "[".repeat(count), "]".repeat(count))
}

#[test]
fn deep_nesting() {
    let deep = nested(repeated("deep-nesting", "arrays"));
    let mut dialogue = Dialogue::new();
    let line = format!(
        r#"{{"method":"item/started","params":{{"threadId":"t","turnId":"u","item":{{"type":"mcpToolCall","id":"i","server":"s","tool":"x","status":"inProgress","arguments":{deep}}}}}}}"#
    );
    let outcome = dialogue.told(&line);
    assert_eq!(
        (&outcome.verdict, outcome.oddities.len()),
        (&Verdict::Mapped, 0)
    );
    assert_eq!(event_types(&outcome), ["item.started"]);
    assert_raw(&outcome, &line);
    assert!(outcome.events[0].to_json().unwrap().contains(&deep));
    dialogue.goes_on();
}

#[test]
fn nesting_wherever_nobody_reads() {
    let deep = nested(repeated("deep-nesting", "arrays"));
    let lines = [
        format!(r#"{{"method":"warning","params":{{"message":"fog","later":{deep}}}}}"#),
        format!(r#"{{"later":{deep},"method":"warning","params":{{"message":"fog"}}}}"#),
        format!(r#"{{"method":"nebula/changed","params":{deep}}}"#),
        format!(r#"{{"id":1,"method":"item/nebula/ask","params":{{"deep":{deep}}}}}"#),
        format!(r#"{{"id":7,"result":{deep}}}"#),
        format!(r#"{{"error":{{"code":1,"message":"m","data":{deep}}},"id":7}}"#),
        format!(r#"{{"method":"warning","params":{{"message":{deep}}}}}"#),
        format!(
            r#"{{"method":"codex/event/warning","params":{{"id":"","msg":{{"type":"warning","message":"m","x":{deep}}}}}}}"#
        ),
        format!(r#"{{"deep":{deep}}}"#),
    ];
    let mut dialogue = Dialogue::new();
    for line in lines {
        let outcome = dialogue.told(&line);
        assert_raw(&outcome, &line);
        dialogue.goes_on();
    }
    let objects = format!("{}1{}", r#"{"a":"#.repeat(200_000), "}".repeat(200_000));
    let line = format!(r#"{{"method":"warning","params":{{"message":"fog","later":{objects}}}}}"#);
    assert_raw(&dialogue.told(&line), &line);
    // A batch in a batch in a batch is no message, and no reason to overflow either.
    let outcomes = dialogue.agent(&deep);
    assert_eq!(outcomes.len(), 1);
    dialogue.goes_on();
}

#[test]
fn nesting_without_an_end_is_not_json() {
    let mut dialogue = Dialogue::new();
    for line in [
        "[".repeat(200_000),
        format!("{}]", nested(200_000)),
        r#"{"a":"#.repeat(200_000),
    ] {
        let outcome = dialogue.told(&line);
        assert!(matches!(outcome.verdict, Verdict::NotJson { .. }));
        dialogue.goes_on();
    }
}
