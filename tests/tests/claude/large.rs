//! Long streams: the time that a line takes does not grow with the stream, and what is remembered
//! is bounded.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use agentwire::session::Direction;

use crate::claude::dialogue::session;
use crate::claude::lines::{
    INIT, SUCCESS, TEXT, answers, asks, begins, call, closes, line, opens, piece, result,
    result_of, said, stops, system, text,
};

/// How many times longer the long stream is. `AGENTWIRE_LARGE` names another length of it.
const FACTOR: usize = 8;
const LENGTH: usize = 3_200;

fn length() -> usize {
    let named = std::env::var("AGENTWIRE_LARGE").ok();
    named.map_or(LENGTH, |length| length.parse().unwrap())
}

/// A message that has more blocks than are remembered: each is an item of its own all the same.
#[test]
fn blocks_are_told_apart() {
    let mut session = session();
    let mut items = std::collections::BTreeSet::new();
    let blocks = 4_200;
    for index in 0..blocks {
        let block = r#"{"type":"text","text":"lamp"}"#;
        let line = line(&format!("u{index}"), "null", "m", block);
        session.push(Direction::FromAgent, line.as_bytes());
        session.push(Direction::FromAgent, b"\n");
        for event in session.outcomes().flat_map(|outcome| outcome.events) {
            items.extend(event.item_id);
        }
    }
    assert_eq!(items.len(), blocks);
}

/// The lines of one step of a stream, those of the host after `>`.
type Step = fn(usize, &mut String);

fn stream(steps: usize, step: Step) -> Vec<String> {
    let mut lines = vec![format!(">{}", said("go")), format!("<{INIT}")];
    let mut text = String::new();
    for index in 0..steps {
        step(index, &mut text);
        lines.extend(text.lines().map(str::to_owned));
        text.clear();
    }
    lines
}

fn time(lines: &[String]) -> (Duration, usize) {
    let clock = Stopwatch::start();
    let mut session = session();
    let mut events = 0;
    for line in lines {
        let (direction, line) = match line.split_at(1) {
            (">", line) => (Direction::ToAgent, line),
            (_, line) => (Direction::FromAgent, line),
        };
        session.push(direction, line.as_bytes());
        session.push(direction, b"\n");
        while let Some(outcome) = session.next_outcome() {
            events += outcome.events.len();
        }
    }
    (clock.elapsed(), events)
}

/// The time that this thread works, where the system tells it: a machine that does other things
/// makes every run longer, and none of them slower.
struct Stopwatch {
    begun: Instant,
    worked: Option<Duration>,
}

impl Stopwatch {
    fn start() -> Self {
        Self {
            begun: Instant::now(),
            worked: Self::worked(),
        }
    }

    fn elapsed(&self) -> Duration {
        let worked = self.worked.zip(Self::worked());
        worked.map_or_else(
            || self.begun.elapsed(),
            |(then, now)| now.saturating_sub(then),
        )
    }

    fn worked() -> Option<Duration> {
        let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
        let nanoseconds = told.split(' ').next()?.parse().ok()?;
        Some(Duration::from_nanos(nanoseconds))
    }
}

/// The long stream may take so many times longer, with room for a machine that does other things.
fn linear(what: &str, step: Step) {
    let (short, long) = (length() / FACTOR, length());
    let (few, many) = (stream(short, step), stream(long, step));
    let best = |lines: &[String]| (0..2).map(|_| time(lines)).min().unwrap();
    let ((one, some), (more, all)) = (best(&few), best(&many));
    println!(
        "{what}: {} lines in {one:?}, {} lines in {more:?}, {all} events",
        few.len(),
        many.len()
    );
    assert!(
        some > short / 2 && all > some,
        "{what}: {some} and {all} events"
    );
    let limit = one * u32::try_from(FACTOR).unwrap() * 4 + Duration::from_millis(200);
    assert!(more < limit, "{what}: {one:?} became {more:?}");
}

#[test]
fn messages_in_whole_lines() {
    linear("messages in whole lines", |index, out| {
        let block = r#"{"type":"text","text":"lamp"}"#;
        let _ = writeln!(
            out,
            "<{}",
            line(&format!("u{index}"), "null", &format!("m{index}"), block)
        );
    });
}

#[test]
fn messages_in_pieces() {
    linear("messages in pieces", |index, out| {
        let mut lines = vec![
            begins(&format!("m{index}")),
            opens(0, TEXT),
            piece(0, &text("lamp")),
            closes(0),
        ];
        lines.extend(stops("end_turn"));
        for line in lines {
            let _ = writeln!(out, "<{line}");
        }
    });
}

#[test]
fn pieces_of_one_message() {
    linear("pieces of one message", |index, out| {
        if index == 0 {
            let _ = writeln!(out, "<{}\n<{}", begins("m"), opens(0, TEXT));
        }
        let _ = writeln!(out, "<{}", piece(0, &text("lamp")));
    });
}

#[test]
fn blocks_of_one_message() {
    linear("blocks of one message", |index, out| {
        let block = r#"{"type":"text","text":"lamp"}"#;
        let _ = writeln!(out, "<{}", line(&format!("u{index}"), "null", "m", block));
    });
}

#[test]
fn calls_with_results() {
    linear("calls with results", |index, out| {
        let id = format!("c{index}");
        let block = call(&id, "Bash", r#"{"command":"ls"}"#);
        let _ = writeln!(
            out,
            "<{}",
            line(&format!("u{index}"), "null", &format!("m{index}"), &block)
        );
        let _ = writeln!(out, "<{}", result_of(&id, r#""content":"lamp""#));
    });
}

#[test]
fn calls_that_never_end() {
    linear("calls that never end", |index, out| {
        let block = call(&format!("c{index}"), "Bash", r#"{"command":"ls"}"#);
        let _ = writeln!(
            out,
            "<{}",
            line(&format!("u{index}"), "null", &format!("m{index}"), &block)
        );
    });
}

#[test]
fn turns() {
    linear("turns", |index, out| {
        let block = call(&format!("c{index}"), "Bash", r#"{"command":"ls"}"#);
        let _ = writeln!(out, ">{}", said("on"));
        let _ = writeln!(
            out,
            "<{}",
            line(&format!("u{index}"), "null", &format!("m{index}"), &block)
        );
        let _ = writeln!(out, "<{}", result(&format!("r{index}"), SUCCESS));
    });
}

/// Agents that go on in the background, and never end.
#[test]
fn turns_that_leave_agents_behind() {
    linear("turns that leave agents behind", |index, out| {
        let agent = format!("a{index}");
        let block = call(&agent, "Task", "{}");
        let _ = writeln!(out, ">{}", said("on"));
        let _ = writeln!(
            out,
            "<{}",
            line(&format!("u{index}"), "null", &format!("m{index}"), &block)
        );
        let inner = call(&format!("c{index}"), "Bash", "{}");
        let parent = format!("\"{agent}\"");
        let _ = writeln!(
            out,
            "<{}",
            line(&format!("v{index}"), &parent, &format!("n{index}"), &inner)
        );
        let _ = writeln!(out, "<{}", result_of(&agent, r#""content":"goes on""#));
        let _ = writeln!(out, "<{}", result(&format!("r{index}"), SUCCESS));
    });
}

#[test]
fn tasks_that_end() {
    linear("tasks that end", |index, out| {
        let agent = format!("a{index}");
        let block = call(&agent, "Task", "{}");
        let _ = writeln!(
            out,
            "<{}",
            line(&format!("u{index}"), "null", &format!("m{index}"), &block)
        );
        let _ = writeln!(out, "<{}", result_of(&agent, r#""content":"goes on""#));
        let rest = format!(
            r#""task_id":"k{index}","tool_use_id":"{agent}","status":"completed","output_file":"","summary":"done""#
        );
        let _ = writeln!(out, "<{}", system("task_notification", &rest));
    });
}

#[test]
fn requests_that_wait() {
    linear("requests that wait", |index, out| {
        let _ = writeln!(
            out,
            "<{}",
            asks(&format!("q{index}"), &format!("c{index}"), "Bash")
        );
        if let Some(before) = index.checked_sub(150) {
            let _ = writeln!(
                out,
                ">{}",
                answers(
                    &format!("q{before}"),
                    r#"{"behavior":"deny","message":"no"}"#
                )
            );
        }
    });
}

#[test]
fn ids_that_are_used_again() {
    linear("ids that are used again", |index, out| {
        let _ = writeln!(out, "<{}", begins(&format!("m{}", index % 900)));
        for line in [opens(0, TEXT), piece(0, &text("lamp")), closes(0)] {
            let _ = writeln!(out, "<{line}");
        }
    });
}

#[test]
fn what_the_user_says() {
    linear("what the user says", |index, out| {
        let _ = writeln!(out, ">{}", said(&format!("lamp {index}")));
        let back = said(&format!("lamp {index}")).replace(
            r#""session_id":"""#,
            &format!(r#""session_id":"s","isReplay":true,"uuid":"u{index}""#),
        );
        let _ = writeln!(out, "<{back}");
    });
}
