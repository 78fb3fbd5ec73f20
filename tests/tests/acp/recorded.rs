//! Recorded connections with real agents: nothing is malformed, nothing is lost, and what comes
//! out hangs together.

use std::collections::BTreeMap;
use std::path::Path;

use agentwire::canonical::{
    EventPayload, ItemCompleted, ItemStarted, ItemType, RuntimeEvent, TurnState,
};
use agentwire::envelope::envelopes;
use agentwire::session::{Outcome, Verdict};

use crate::acp::session;

use crate::support::acp::{invented, lines, recordings};
use crate::support::{described, lifecycle};

/// What no vendored version has, and real agents send all the same.
const EXTENSIONS: &[&str] = &[
    "_qwencode/end_turn",
    "_qwencode/start_turn",
    "craft/drainMidTurnQueue",
];

/// The outcomes of each line, beside its text.
fn replayed(path: &Path) -> Vec<(String, Vec<Outcome>)> {
    let mut session = session();
    let mut replayed: Vec<(String, Vec<Outcome>)> = Vec::new();
    for line in lines(path) {
        session.push(line.direction, line.text.as_bytes());
        session.push(line.direction, b"\n");
        replayed.push((line.text, session.outcomes().collect()));
    }
    session.finish();
    replayed.push((String::new(), session.outcomes().collect()));
    replayed
}

#[test]
fn every_line_is_understood() {
    let mut complaints = Vec::new();
    let mut verdicts: BTreeMap<&str, usize> = BTreeMap::new();
    for path in recordings() {
        for (line, outcomes) in replayed(&path) {
            let messages = match line.is_empty() {
                true => 0,
                // What the host says may be anything, and is then one outcome.
                false => envelopes(&line).map_or(1, |messages| messages.len()),
            };
            if outcomes.len() != messages {
                complaints.push(format!(
                    "{}: {} outcomes: {line}",
                    path.display(),
                    outcomes.len()
                ));
            }
            for outcome in &outcomes {
                let (kind, complaint) = judged(outcome, &line);
                *verdicts.entry(kind).or_default() += 1;
                complaints
                    .extend(complaint.map(|it| format!("{}: {it}: {line:.300}", path.display())));
            }
        }
    }
    println!("{verdicts:#?}");
    assert!(
        complaints.is_empty(),
        "{} complaints:\n{}",
        complaints.len(),
        complaints.join("\n")
    );
}

fn judged(outcome: &Outcome, line: &str) -> (&'static str, Option<String>) {
    let tag = outcome.tag.as_deref().unwrap_or_default();
    let complain = |what: String| Some(what);
    for event in &outcome.events {
        let raw = event.raw.as_ref().unwrap().payload.as_str();
        if !line.contains(raw) {
            return (
                "lost",
                complain(format!("`{tag}`: the raw message is not in the line")),
            );
        }
    }
    match &outcome.verdict {
        Verdict::Mapped if outcome.events.is_empty() && tag != "state_update" => {
            ("mapped", complain(format!("`{tag}` gives no event")))
        }
        Verdict::Mapped => ("mapped", None),
        Verdict::Dropped(_) => ("dropped", None),
        Verdict::Noted => ("noted", None),
        Verdict::Unrecognized if EXTENSIONS.contains(&tag) => ("extension", None),
        Verdict::Unrecognized => ("unrecognized", complain(format!("unrecognized `{tag}`"))),
        Verdict::Malformed { path, message } => (
            "malformed",
            complain(format!("malformed `{tag}`: {path}: {message}")),
        ),
        Verdict::Unmatched => ("unmatched", complain(String::from("a reply to nothing"))),
        Verdict::NotJson { reason, .. }
            if outcome.direction == agentwire::session::Direction::FromAgent =>
        {
            ("not JSON", complain(reason.clone()))
        }
        Verdict::NotJson { .. } => ("not JSON of the host", None),
        // What is closed is deleted, and what was loaded is loaded again.
        Verdict::Told(_) if !outcome.refused.is_empty() => ("told", None),
        Verdict::Told(_) | Verdict::Outside | Verdict::TooLong { .. } => {
            ("other", complain(format!("{:?}", outcome.verdict)))
        }
    }
}

#[test]
fn every_stream_of_events_hangs_together() {
    let mut complaints = Vec::new();
    for path in [recordings(), invented()].concat() {
        let events: Vec<RuntimeEvent> = replayed(&path)
            .into_iter()
            .flat_map(|(_, outcomes)| outcomes)
            .flat_map(|outcome| outcome.events)
            .collect();
        let breaches = lifecycle::breaches(&events);
        complaints.extend(
            breaches
                .into_iter()
                .map(|it| format!("{}: {it}", path.display())),
        );
        // The ids are given one after the other.
        for (index, event) in events.iter().enumerate() {
            if event.event_id.as_str() != format!("event-{}", index + 1) {
                complaints.push(format!(
                    "{}: {} is out of order",
                    path.display(),
                    event.event_id
                ));
                break;
            }
        }
        complaints.extend(
            left_open(&events)
                .into_iter()
                .map(|it| format!("{}: {it}", path.display())),
        );
        for event in &events {
            let json = event.to_json().unwrap();
            complaints.extend(
                described::fault(&json).map(|it| format!("{}: {it}: {json}", path.display())),
            );
            if serde_json::from_str::<RuntimeEvent>(&json).unwrap() != *event {
                complaints.push(format!("{}: does not come back: {json}", path.display()));
            }
        }
    }
    assert!(
        complaints.is_empty(),
        "{} complaints:\n{}",
        complaints.len(),
        complaints.join("\n")
    );
}

/// The items that are still open when their turn is over. A command that is no tool call may go on.
fn left_open(events: &[RuntimeEvent]) -> Vec<String> {
    let mut open: BTreeMap<&str, (&str, ItemType)> = BTreeMap::new();
    let mut left = Vec::new();
    for event in events {
        match (&event.payload, &event.item_id, &event.turn_id) {
            (EventPayload::ItemStarted(ItemStarted(item)), Some(id), Some(turn)) => {
                open.insert(id.as_str(), (turn.as_str(), item.item_type));
            }
            (EventPayload::ItemCompleted(ItemCompleted(_)), Some(id), _) => {
                open.remove(id.as_str());
            }
            (EventPayload::TurnCompleted(end), _, Some(turn)) => left.extend(
                open.iter()
                    .filter(|(_, (of, _))| *of == turn.as_str())
                    // The agent's terminal goes on after a turn that ended well.
                    .filter(|(_, (_, kind))| {
                        let goes_on = *kind == ItemType::CommandExecution;
                        !(goes_on && end.state == TurnState::Completed)
                    })
                    .map(|(id, (_, kind))| format!("{id} ({kind:?}) is open after {turn}")),
            ),
            _ => {}
        }
    }
    left
}
