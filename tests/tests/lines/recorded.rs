//! Recorded streams: nothing is malformed, nothing is lost, and what comes out hangs together.

use std::collections::{BTreeMap, BTreeSet};

use agentwire::canonical::RuntimeEvent;
use agentwire::json::NoteKind;
use agentwire::session::{Direction, Outcome, Verdict};

use crate::support::wires::{Recording, WIRES, Wire};
use crate::support::{described, lifecycle};

fn recordings(wire: Wire) -> Vec<Recording> {
    [wire.committed(), wire.whole()].concat()
}

#[test]
fn every_line_is_understood() {
    let mut complaints = Vec::new();
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for wire in WIRES {
        for recording in recordings(*wire) {
            let lines = recording.lines();
            let replayed = wire.replayed(&lines);
            let mut complain = |what: String| complaints.push(format!("{recording:?}: {what}"));
            for (line, outcomes) in lines.iter().zip(&replayed) {
                if outcomes.len() != 1 {
                    complain(format!("{} outcomes: {}", outcomes.len(), line.text));
                }
                for outcome in outcomes {
                    let verdict = match judged(*wire, outcome, &line.text) {
                        Ok(verdict) => verdict,
                        Err(complaint) => {
                            complain(format!("{complaint}: {}", line.text));
                            "complaint"
                        }
                    };
                    *counts.entry(format!("{wire:?} {verdict}")).or_default() += 1;
                }
            }
            assert_eq!(replayed.len(), lines.len() + 1);
        }
    }
    println!("{counts:#?}");
    assert!(
        complaints.is_empty(),
        "{} complaints:\n{}",
        complaints.len(),
        complaints.join("\n")
    );
    for wire in WIRES {
        let mapped = counts[&format!("{wire:?} mapped")];
        assert!(mapped >= 60, "{wire:?}: only {mapped} lines");
    }
}

/// What was decided about a line, or what is wrong with that.
fn judged(wire: Wire, outcome: &Outcome, line: &str) -> Result<&'static str, String> {
    let of_agent = outcome.direction == Direction::FromAgent;
    for event in &outcome.events {
        if event.raw.as_ref().unwrap().payload.as_str() != line {
            return Err(String::from("the raw message is not the line"));
        }
    }
    for oddity in &outcome.oddities {
        let known = match oddity.kind {
            // A search of the web has an id of its own beside that of its item.
            NoteKind::DuplicateKey => wire == Wire::CodexSdk && line.contains("web_search"),
            NoteKind::LoneSurrogate => true,
            NoteKind::UnrecognizedTag { .. } | NoteKind::UnrecognizedValue { .. } => false,
        };
        if !known {
            return Err(oddity.to_string());
        }
    }
    match &outcome.verdict {
        Verdict::Mapped if outcome.events.is_empty() => Err(String::from("mapped to nothing")),
        Verdict::Mapped => Ok("mapped"),
        Verdict::Told(_) => Ok("told"),
        Verdict::Dropped(_) => Ok("dropped"),
        Verdict::Noted if !of_agent => Ok("noted"),
        Verdict::NotJson { .. } if !of_agent => Ok("not JSON of the host"),
        Verdict::Noted
        | Verdict::NotJson { .. }
        | Verdict::Unrecognized
        | Verdict::Malformed { .. }
        | Verdict::Unmatched
        | Verdict::Outside
        | Verdict::TooLong { .. } => Err(format!("{:?}", outcome.verdict)),
    }
}

#[test]
fn every_stream_of_events_hangs_together() {
    let mut complaints = Vec::new();
    let mut checked = 0;
    for wire in WIRES {
        for recording in recordings(*wire) {
            let events: Vec<RuntimeEvent> = wire
                .replayed(&recording.lines())
                .concat()
                .into_iter()
                .flat_map(|outcome| outcome.events)
                .collect();
            checked += events.len();
            let mut complain = |what: String| complaints.push(format!("{recording:?}: {what}"));
            lifecycle::breaches_of_any(&events)
                .into_iter()
                .for_each(&mut complain);
            for event in &events {
                let json = event.to_json().unwrap();
                described::fault(&json).into_iter().for_each(&mut complain);
                if serde_json::from_str::<RuntimeEvent>(&json).unwrap() != *event {
                    complain(format!("does not come back: {json}"));
                }
            }
        }
    }
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
    assert!(checked > 100, "only {checked} events");
}

#[test]
fn the_same_stream_gives_the_same_events_in_any_pieces() {
    let mut compared = 0;
    for wire in WIRES {
        for recording in wire.committed() {
            let lines = recording.lines();
            let whole = printed(wire.replayed(&lines));
            for size in [1, 7] {
                assert_eq!(
                    whole,
                    printed(wire.in_pieces(&lines, size)),
                    "{recording:?}"
                );
                compared += 1;
            }
        }
    }
    assert!(compared >= 20, "only {compared} comparisons");
}

fn printed(replayed: Vec<Vec<Outcome>>) -> Vec<String> {
    let outcomes = replayed.into_iter().flatten();
    outcomes.map(|outcome| format!("{outcome:?}")).collect()
}

/// Every row has evidence in the repository.
#[test]
fn every_row_is_shown() {
    for wire in WIRES {
        let shown: BTreeSet<String> = wire
            .committed()
            .iter()
            .flat_map(|recording| wire.replayed(&recording.lines()).concat())
            .filter(|outcome| outcome.direction == Direction::FromAgent)
            .filter_map(|outcome| outcome.tag.map(|tag| tag.to_string()))
            .collect();
        let rows = wire.rows().iter().map(|row| row.tag);
        let missing: Vec<&str> = rows.filter(|tag| !shown.contains(*tag)).collect();
        assert!(missing.is_empty(), "{wire:?}: {missing:#?}");
    }
}
