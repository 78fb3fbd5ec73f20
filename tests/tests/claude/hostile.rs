//! Streams that were tampered with: lines that are lost, doubled, swapped or cut, and streams that
//! run into each other. Whatever comes, nothing panics, the rules of events hold, and no failure is
//! told as a success.

use agentwire::session::{Direction, Outcome};

use crate::claude::invariants::breaches;
use crate::claude::recordings::{Recording, committed, replay};

type Lines = Vec<(Direction, String)>;

/// How many lines a recording may have to be tampered with at each of them.
const LINES: usize = 30;

fn tampered(with: impl Fn(&Recording) -> Vec<Lines>) -> usize {
    let mut complaints = Vec::new();
    let mut count = 0;
    for recording in committed() {
        if recording.lines.len() > LINES {
            continue;
        }
        for (index, lines) in with(&recording).into_iter().enumerate() {
            count += 1;
            let outcomes = replay(&lines);
            let found = breaches(&outcomes).into_iter();
            complaints.extend(found.map(|it| format!("{recording} #{index}: {it}")));
            complaints
                .extend(silent(&lines, &outcomes).map(|it| format!("{recording} #{index}: {it}")));
        }
    }
    complaints.truncate(50);
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
    count
}

/// Every line has an outcome.
fn silent(lines: &Lines, outcomes: &[Outcome]) -> Option<String> {
    (outcomes.len() < lines.len())
        .then(|| format!("{} lines and {} outcomes", lines.len(), outcomes.len()))
}

#[test]
fn a_line_is_lost() {
    let count = tampered(|recording| {
        let lost = (0..recording.lines.len()).map(|lost| {
            let mut lines = recording.lines.clone();
            lines.remove(lost);
            lines
        });
        lost.collect()
    });
    assert!(count > 300, "only {count}");
}

#[test]
fn a_line_comes_twice() {
    let count = tampered(|recording| {
        let doubled = (0..recording.lines.len()).flat_map(|doubled| {
            let at = [doubled + 1, recording.lines.len()];
            at.map(|at| {
                let mut lines = recording.lines.clone();
                lines.insert(at, lines[doubled].clone());
                lines
            })
        });
        doubled.collect()
    });
    assert!(count > 600, "only {count}");
}

#[test]
fn lines_change_places() {
    let count = tampered(|recording| {
        let last = recording.lines.len() - 1;
        let swapped = (0..last).flat_map(|first| {
            [first + 1, last, 0].map(|second| {
                let mut lines = recording.lines.clone();
                lines.swap(first, second);
                lines
            })
        });
        swapped.collect()
    });
    assert!(count > 900, "only {count}");
}

#[test]
fn a_line_is_cut() {
    let count = tampered(|recording| {
        let cut = (0..recording.lines.len()).flat_map(|cut| {
            [3, 2].map(|part| {
                let mut lines = recording.lines.clone();
                let text = &mut lines[cut].1;
                let mut at = text.len() / part;
                while !text.is_char_boundary(at) {
                    at += 1;
                }
                text.truncate(at.max(1));
                lines
            })
        });
        cut.collect()
    });
    assert!(count > 600, "only {count}");
}

#[test]
fn a_stream_ends_too_soon_or_begins_too_late() {
    let count = tampered(|recording| {
        let parts = (1..recording.lines.len()).flat_map(|at| {
            let (head, tail) = recording.lines.split_at(at);
            [head.to_vec(), tail.to_vec()]
        });
        parts.collect()
    });
    assert!(count > 600, "only {count}");
}

#[test]
fn two_streams_run_into_each_other() {
    let all = committed();
    let mut random = Random(7);
    let mut complaints = Vec::new();
    for (index, one) in all.iter().enumerate() {
        let other = &all[random.below(all.len())];
        let mut lines = Lines::new();
        let (mut left, mut right) = (&one.lines[..], &other.lines[..]);
        while !left.is_empty() || !right.is_empty() {
            let from = if random.below(2) == 0 {
                &mut left
            } else {
                &mut right
            };
            let many = random.below(4).min(from.len());
            let (now, later) = from.split_at(many);
            lines.extend_from_slice(now);
            *from = later;
        }
        let found = breaches(&replay(&lines)).into_iter();
        complaints.extend(found.map(|it| format!("{one} and {other} #{index}: {it}")));
    }
    complaints.truncate(50);
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

#[test]
fn lines_come_in_no_order_at_all() {
    let mut random = Random(11);
    let mut complaints = Vec::new();
    for recording in committed() {
        for _ in 0..8 {
            let mut lines = recording.lines.clone();
            for index in (1..lines.len()).rev() {
                lines.swap(index, random.below(index + 1));
            }
            let found = breaches(&replay(&lines)).into_iter();
            complaints.extend(found.map(|it| format!("{recording}: {it}")));
        }
    }
    complaints.truncate(50);
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
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
