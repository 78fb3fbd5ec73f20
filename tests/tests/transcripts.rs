//! Recorded streams of the agents, replayed: everything in them is understood, and what comes out
//! hangs together.

#![allow(clippy::unwrap_used, clippy::panic)]

use std::collections::{BTreeMap, BTreeSet};

use agentwire::canonical::RuntimeEvent;
use agentwire::envelope::envelopes;
use agentwire::session::{Direction, Outcome, Verdict};

use crate::support::lifecycle;
use crate::support::recorded::{Carrier, Line, Recording, all, committed};
use crate::support::replay::{pieces, printed, replay};

/// What is known to be unrecognized in the recordings, and why.
struct Explained {
    rows: BTreeSet<(String, String, String)>,
    used: BTreeSet<(String, String, String)>,
}

impl Explained {
    fn read() -> Self {
        let rows = crate::support::table::rows::<4>("explained.tsv")
            .into_iter()
            .map(|[version, scenario, what, reason]| {
                assert!(reason.len() > 10, "{scenario} {what}: no reason");
                (version, scenario, what)
            });
        Self {
            rows: rows.collect(),
            used: BTreeSet::new(),
        }
    }

    fn allows(&mut self, recording: &Recording, what: &str) -> bool {
        let key = (recording.version.clone(), recording.key(), what.to_owned());
        let known = self.rows.contains(&key);
        if known {
            self.used.insert(key);
        }
        known
    }
}

#[test]
fn every_recorded_line_is_understood() {
    let mut explained = Explained::read();
    let mut complaints = Vec::new();
    let mut totals: BTreeMap<String, usize> = BTreeMap::new();
    let mut outside: BTreeMap<String, usize> = BTreeMap::new();
    for recording in all() {
        let lines = recording.lines();
        let outcomes = replay(recording.carrier, &lines);
        let mut complain =
            |line: u64, what: String| complaints.push(format!("{recording}:{line}: {what}"));
        for outcome in &outcomes {
            *totals.entry(kind(&outcome.verdict).to_owned()).or_default() += 1;
            if outcome.verdict == Verdict::Outside {
                *outside
                    .entry(format!(
                        "{} {}",
                        recording.version,
                        outcome.tag.as_deref().unwrap_or("")
                    ))
                    .or_default() += 1;
            }
            for what in unexplained(outcome) {
                if !explained.allows(&recording, &what) {
                    complain(outcome.line, what);
                }
            }
        }
        for complaint in carried(&recording, &lines, &outcomes) {
            complain(0, complaint);
        }
    }
    println!("{totals:#?}\n{outside:#?}");
    assert!(
        complaints.is_empty(),
        "{} complaints:\n{}",
        complaints.len(),
        complaints.join("\n")
    );
    let stale: Vec<_> = explained.rows.difference(&explained.used).collect();
    assert!(
        stale.is_empty(),
        "nothing needs these explanations any more: {stale:#?}"
    );
    assert!(
        totals["mapped"] > 2_000 && totals["noted"] > 500 && totals["told"] > 500,
        "{totals:?}"
    );
    let types: BTreeSet<&str> = outside
        .keys()
        .filter_map(|key| key.split_once(' '))
        .map(|(_, it)| it)
        .collect();
    assert_eq!(types, OUTSIDE.iter().copied().collect());
}

/// The records of session files that hold no message of a surface.
const OUTSIDE: &[&str] = &[
    "compacted",
    "inter_agent_communication_metadata",
    "realtime_item",
    "response_item",
    "session_meta",
    "token_usage_record",
    "turn_context",
    "world_state",
];

fn kind(verdict: &Verdict) -> &'static str {
    match verdict {
        Verdict::Mapped => "mapped",
        Verdict::Dropped(_) => "dropped",
        Verdict::Told(_) => "told",
        Verdict::Unrecognized => "unrecognized",
        Verdict::Malformed { .. } => "malformed",
        Verdict::Unmatched => "unmatched",
        Verdict::Noted => "noted",
        Verdict::Outside => "outside",
        Verdict::NotJson { .. } => "not JSON",
        Verdict::TooLong { .. } => "too long",
    }
}

/// What an outcome has that must be explained.
fn unexplained(outcome: &Outcome) -> Vec<String> {
    let tag = outcome.tag.as_deref().unwrap_or("");
    let mut found: Vec<String> = outcome
        .oddities
        .iter()
        .map(|oddity| told(&oddity.to_string()))
        .collect();
    match &outcome.verdict {
        Verdict::Mapped if outcome.events.is_empty() && !may_be_silent(tag) => {
            found.push(format!("`{tag}` is mapped and gives no event"));
        }
        Verdict::Mapped
        | Verdict::Dropped(_)
        | Verdict::Told(_)
        | Verdict::Noted
        | Verdict::Outside => {}
        Verdict::Unrecognized => found.push(format!("unrecognized `{tag}`")),
        Verdict::Malformed { path, message } => {
            found.push(format!("malformed `{tag}`: {path}: {message}"))
        }
        Verdict::Unmatched => found.push("a reply to nothing".to_owned()),
        Verdict::NotJson { reason, .. } => found.push(format!("not JSON: {reason}")),
        Verdict::TooLong { size } => found.push(format!("{size} bytes")),
    }
    let silent = matches!(
        outcome.verdict,
        Verdict::Dropped(_) | Verdict::Told(_) | Verdict::Outside
    );
    if silent && !outcome.events.is_empty() {
        found.push(format!("`{tag}` is silent and gives events"));
    }
    found
}

/// An oddity without the place, which differs from line to line.
fn told(oddity: &str) -> String {
    oddity
        .split_once(": ")
        .map_or(oddity, |(_, what)| what)
        .to_owned()
}

/// Two messages tell that a turn starts; the second of them adds nothing.
fn may_be_silent(tag: &str) -> bool {
    matches!(tag, "turn/started" | "task_started")
}

/// Each line has its outcomes, and each event carries the exact text of its message.
fn carried(recording: &Recording, lines: &[Line], outcomes: &[Outcome]) -> Vec<String> {
    let mut complaints = Vec::new();
    let mut seen: BTreeMap<(bool, u64), Vec<&Outcome>> = BTreeMap::new();
    for outcome in outcomes {
        seen.entry((outcome.direction == Direction::FromAgent, outcome.line))
            .or_default()
            .push(outcome);
    }
    let mut numbers = [0_u64; 2];
    for line in lines {
        let from_agent = line.direction == Direction::FromAgent;
        let number = &mut numbers[usize::from(from_agent)];
        *number += 1;
        let outcomes = seen.remove(&(from_agent, *number)).unwrap_or_default();
        let messages = messages(recording.carrier, &line.text);
        if outcomes.len() != messages.len() {
            complaints.push(format!(
                "line {number}: {} messages, {} outcomes",
                messages.len(),
                outcomes.len()
            ));
        }
        for (outcome, message) in outcomes.iter().zip(messages) {
            for event in &outcome.events {
                let raw = event.raw.as_ref().map(|raw| raw.payload.as_str());
                if raw != Some(message) {
                    complaints.push(format!("line {number}: raw is not the message but {raw:?}"));
                }
                complaints
                    .extend(comes_back(event).map(|problem| format!("line {number}: {problem}")));
            }
        }
    }
    complaints.extend(
        seen.keys()
            .map(|key| format!("outcomes of a line that is not there: {key:?}")),
    );
    complaints
}

/// The texts of the messages of a line. What the host says may be anything.
fn messages(carrier: Carrier, line: &str) -> Vec<&str> {
    match (carrier, envelopes(line)) {
        (Carrier::AppServer, Ok(found)) => found.iter().map(|it| &line[it.start..it.end]).collect(),
        (Carrier::AppServer, Err(_)) | (Carrier::Rollout, _) => vec![line],
    }
}

/// What is wrong with an event's JSON form, or lost when it goes through it; nothing is wanted.
fn comes_back(event: &RuntimeEvent) -> Option<String> {
    let json = event.to_json().unwrap();
    if let Some(fault) = crate::support::described::fault(&json) {
        return Some(fault);
    }
    match serde_json::from_str::<RuntimeEvent>(&json) {
        Ok(again) if again == *event => None,
        Ok(again) => Some(format!("{event:?} came back as {again:?}")),
        Err(error) => Some(format!("{error}: {json}")),
    }
}

#[test]
fn every_stream_of_events_hangs_together() {
    let mut complaints = Vec::new();
    let mut checked = 0;
    for recording in all() {
        let events: Vec<RuntimeEvent> = replay(recording.carrier, &recording.lines())
            .into_iter()
            .flat_map(|outcome| outcome.events)
            .collect();
        checked += events.len();
        complaints.extend(
            lifecycle::breaches(&events)
                .into_iter()
                .map(|it| format!("{recording}: {it}")),
        );
    }
    assert!(
        complaints.is_empty(),
        "{} complaints:\n{}",
        complaints.len(),
        complaints.join("\n")
    );
    assert!(checked > 3_000, "only {checked} events");
}

#[test]
fn the_same_stream_gives_the_same_events_in_any_pieces() {
    let mut compared = 0;
    for recording in committed() {
        let lines = recording.lines();
        let whole = printed(&replay(recording.carrier, &lines));
        assert_eq!(
            whole,
            printed(&replay(recording.carrier, &lines)),
            "{recording}"
        );
        if recording.scenario.starts_with(['a', 'p', 'u']) {
            for size in [1, 7] {
                assert_eq!(
                    whole,
                    printed(&pieces(recording.carrier, &lines, size)),
                    "{recording} by {size}"
                );
                compared += 1;
            }
        }
    }
    assert!(compared >= 60, "only {compared} comparisons");
}
