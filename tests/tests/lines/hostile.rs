//! Streams that were tampered with: lines that are lost, doubled, swapped or cut, in any order, and
//! streams that run into each other. Whatever comes, nothing panics, each line has an outcome, and
//! the rules of events hold.

use agentwire::canonical::{EventPayload, RuntimeEvent, TurnState};
use agentwire::session::Direction;

use crate::support::lifecycle::breaches_of_any;
use crate::support::recorded::Line;
use crate::support::wires::{WIRES, Wire};

/// What the lines of a stream break.
fn breaches(wire: Wire, lines: &[Line]) -> Vec<String> {
    let replayed = wire.replayed(lines);
    let mut breaches = Vec::new();
    for (line, outcomes) in lines.iter().zip(&replayed) {
        if outcomes.len() != 1 {
            breaches.push(format!("{} outcomes of {}", outcomes.len(), line.text));
        }
        let told = outcomes.iter().flat_map(|outcome| &outcome.events);
        if told.into_iter().any(is_success) && !may_succeed(wire, line) {
            breaches.push(format!("a success by {}", line.text));
        }
    }
    let events = replayed.concat().into_iter();
    let events: Vec<RuntimeEvent> = events.flat_map(|outcome| outcome.events).collect();
    // A server tells the answer to a request that was lost, too: it is an answer all the same.
    let lost = |it: &String| wire == Wire::OpenCode && it.ends_with(NOT_OPENED);
    breaches.extend(breaches_of_any(&events).into_iter().filter(|it| !lost(it)));
    breaches
}

/// The end of what is said of an answer without a request.
const NOT_OPENED: &str = "a request is resolved that was not opened";

/// How much of a long stream is tampered with.
const LONG: usize = 64;

/// How far lines of a long stream change places.
const NEAR: usize = 6;

fn is_success(event: &RuntimeEvent) -> bool {
    matches!(&event.payload, EventPayload::TurnCompleted(turn) if turn.state == TurnState::Completed)
}

/// Lines that may end a turn well: the end that says so, and what the user says after an answer.
fn may_succeed(wire: Wire, line: &Line) -> bool {
    let ends: &[&str] = match wire {
        Wire::Amp => &[r#""subtype":"success""#, r#""type":"user""#],
        Wire::CodexSdk => &[r#""type":"turn.completed""#],
        Wire::OpenCode => &[
            r#""status":{"type":"idle"}"#,
            r#""type":"session.idle""#,
            r#""type":"session.next.step.ended""#,
        ],
    };
    let is_whole = line.text.ends_with('}');
    is_whole && ends.iter().any(|end| line.text.contains(end))
}

/// Tampers with every stream of every wire in some ways, and counts them.
fn tampered(with: impl Fn(&[Line]) -> Vec<Vec<Line>>) -> usize {
    let mut complaints = Vec::new();
    let mut count = 0;
    for wire in WIRES {
        for recording in wire.committed() {
            let mut lines = recording.lines();
            lines.truncate(LONG);
            for (index, lines) in with(&lines).iter().enumerate() {
                count += 1;
                let found = breaches(*wire, lines).into_iter();
                complaints.extend(found.map(|it| format!("{recording:?} #{index}: {it}")));
            }
        }
    }
    complaints.truncate(50);
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
    count
}

#[test]
fn nothing_is_wrong_with_them_as_they_are() {
    assert!(tampered(|lines| vec![lines.to_vec()]) >= 30);
}

#[test]
fn a_line_is_lost_or_comes_twice() {
    let count = tampered(|lines| {
        let places = (0..lines.len()).flat_map(|at| {
            let (mut lost, mut doubled, mut again) =
                (lines.to_vec(), lines.to_vec(), lines.to_vec());
            lost.remove(at);
            doubled.insert(at, lines[at].clone());
            again.push(lines[at].clone());
            [lost, doubled, again]
        });
        places.collect()
    });
    assert!(count > 600, "only {count}");
}

#[test]
fn lines_change_places() {
    let count = tampered(|lines| {
        let reach = if lines.len() > 30 { NEAR } else { lines.len() };
        let near = |one: usize| (one.saturating_sub(reach)..one).map(move |other| (one, other));
        let pairs = (0..lines.len()).flat_map(near);
        let swapped = pairs.map(|(one, other)| {
            let mut lines = lines.to_vec();
            lines.swap(one, other);
            lines
        });
        swapped.collect()
    });
    assert!(count > 700, "only {count}");
}

#[test]
fn a_line_is_cut() {
    let count = tampered(|lines| {
        let places = (0..lines.len()).flat_map(|at| (2..8).map(move |part| (at, part)));
        let cut = places.map(|(at, part)| {
            let mut lines = lines.to_vec();
            let text = &mut lines[at].text;
            let mut end = text.len() / part;
            while !text.is_char_boundary(end) {
                end += 1;
            }
            text.truncate(end.max(1));
            lines
        });
        cut.collect()
    });
    assert!(count > 1_200, "only {count}");
}

#[test]
fn a_stream_ends_too_soon_or_begins_too_late_or_is_seen_from_one_side() {
    let count = tampered(|lines| {
        let parts = (1..lines.len()).flat_map(|at| {
            let (head, tail) = lines.split_at(at);
            [head.to_vec(), tail.to_vec()]
        });
        let of_agent = lines
            .iter()
            .filter(|it| it.direction == Direction::FromAgent);
        let of_agent: Vec<Line> = of_agent.cloned().collect();
        parts.chain([of_agent]).collect()
    });
    assert!(count > 300, "only {count}");
}

#[test]
fn lines_come_in_no_order_at_all_and_from_two_streams() {
    let mut random = Random(11);
    let mut count = 0;
    for wire in WIRES {
        let all = wire.committed();
        for recording in &all {
            for round in 0..12 {
                let mut lines = recording.lines();
                if round % 2 == 1 {
                    lines.extend(all[random.below(all.len())].lines());
                }
                for index in (1..lines.len()).rev() {
                    lines.swap(index, random.below(index + 1));
                }
                let found = breaches(*wire, &lines);
                assert!(found.is_empty(), "{recording:?}: {found:#?}");
                count += 1;
            }
        }
    }
    assert!(count > 300, "only {count}");
}

/// Numbers that are the same in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % u64::try_from(limit).unwrap()).unwrap()
    }
}
