//! A program that is gone at any moment of a recorded stream: nothing stays open, nothing that it
//! left open is a success, and the smaller models end with it.

use std::collections::BTreeMap;

use agentwire::acp::AcpSession;
use agentwire::amp::AmpSession;
use agentwire::canonical::{EventType, ExitKind, RuntimeEvent, SessionExited};
use agentwire::claude::ClaudeSession;
use agentwire::codex::CodexSession;
use agentwire::codex_sdk::CodexSdkSession;
use agentwire::frame::Limits;
use agentwire::opencode::OpenCodeSession;
use agentwire::sources::{SequentialIds, WireClock};

use super::invariants;
use super::recorded::{claude_excerpts, events};
use crate::support::acp;
use crate::support::lifecycle;
use crate::support::recorded::{Carrier, Line, committed};
use crate::support::wires::{WIRES, Wire};

/// At how many places a stream is cut at most.
const CUTS: usize = 40;

/// The events of the lines before a cut, and those of the exit.
type Cut = (Vec<RuntimeEvent>, Vec<RuntimeEvent>);

fn exit() -> SessionExited {
    SessionExited {
        reason: Some(String::from("signal 9")),
        exit_kind: Some(ExitKind::Error),
        recoverable: None,
    }
}

macro_rules! cut {
    ($session:ident, $lines:expr) => {{
        let lines: &[Line] = $lines;
        let step = lines.len().div_ceil(CUTS).max(1);
        let cut = |at: usize| -> Cut {
            let mut session = $session::with_sources(
                SequentialIds::new(),
                WireClock::default(),
                Limits::default(),
            );
            for line in &lines[..at] {
                session.push(line.direction, line.text.as_bytes());
                session.push(line.direction, b"\n");
            }
            let exited = session.exited(exit());
            (events(session.outcomes().collect()), exited)
        };
        (1..=lines.len())
            .step_by(step)
            .map(cut)
            .collect::<Vec<Cut>>()
    }};
}

/// All cuts of all excerpts, by name.
fn cuts() -> BTreeMap<String, Vec<Cut>> {
    let mut cuts = BTreeMap::new();
    for recording in committed() {
        if recording.carrier == Carrier::AppServer {
            let cut = cut!(CodexSession, &recording.lines());
            cuts.insert(recording.to_string(), cut);
        }
    }
    for path in acp::committed() {
        cuts.insert(
            path.display().to_string(),
            cut!(AcpSession, &acp::lines(&path)),
        );
    }
    for path in claude_excerpts() {
        let cut = cut!(ClaudeSession, &acp::lines(&path));
        cuts.insert(path.display().to_string(), cut);
    }
    for wire in WIRES {
        for recording in wire.committed() {
            let lines = recording.lines();
            let cut = match wire {
                Wire::Amp => cut!(AmpSession, &lines),
                Wire::CodexSdk => cut!(CodexSdkSession, &lines),
                Wire::OpenCode => cut!(OpenCodeSession, &lines),
            };
            cuts.insert(recording.name(), cut);
        }
    }
    cuts
}

/// What is open after the events, by what it is.
fn open(events: &[RuntimeEvent]) -> BTreeMap<String, &'static str> {
    let mut open = BTreeMap::new();
    for event in events {
        let about = |id: Option<&str>| id.unwrap_or_default().to_owned();
        let turn = about(event.turn_id.as_ref().map(|id| id.as_str()));
        let item = about(event.item_id.as_ref().map(|id| id.as_str()));
        let request = about(event.request_id.as_ref().map(|id| id.as_str()));
        let kind = event.event_type();
        if kind == EventType::TurnStarted {
            open.insert(turn, "turn");
        } else if kind == EventType::TurnCompleted || kind == EventType::TurnAborted {
            open.remove(&turn);
        } else if kind == EventType::ItemStarted {
            open.insert(item, "item");
        } else if kind == EventType::ItemCompleted {
            open.remove(&item);
        } else if kind == EventType::RequestOpened || kind == EventType::UserInputRequested {
            open.insert(request, "request");
        } else if kind == EventType::RequestResolved || kind == EventType::UserInputResolved {
            open.remove(&request);
        }
    }
    open
}

#[test]
fn nothing_stays_open_and_nothing_becomes_a_success() {
    let mut complaints = Vec::new();
    let mut ended: BTreeMap<&str, usize> = BTreeMap::new();
    let mut streams = 0;
    for (name, cuts) in cuts() {
        streams += 1;
        for (told, exited) in cuts {
            for kind in open(&told).into_values() {
                *ended.entry(kind).or_default() += 1;
            }
            for event in &exited {
                let tree = serde_json::to_value(event).unwrap();
                let payload = &tree["payload"];
                if payload["status"] == "completed" || payload["state"] == "completed" {
                    complaints.push(format!("{name}: {} is shown as success", event.event_id));
                }
            }
            let whole = [told, exited].concat();
            let count = |kind| whole.iter().filter(|it| it.event_type() == kind).count();
            if count(EventType::SessionExited) == 0 {
                complaints.push(format!("{name}: the session does not end"));
            }
            let left = open(&whole).into_iter();
            complaints.extend(left.map(|(id, kind)| format!("{name}: {kind} {id} stays open")));
            let broken = lifecycle::breaches_of_any(&whole).into_iter();
            complaints.extend(broken.map(|breach| format!("{name}: {breach}")));
            for (_, breaches) in [
                invariants::of_transcript(&whole),
                invariants::of_runs(&whole),
            ] {
                complaints.extend(breaches.into_iter().map(|it| format!("{name}: {it}")));
            }
        }
    }
    println!("{streams} streams: {ended:?}");
    complaints.sort();
    complaints.dedup();
    assert!(
        complaints.is_empty(),
        "{}:\n{}",
        complaints.len(),
        complaints.join("\n")
    );
    assert!(streams >= 150, "only {streams} streams");
    for kind in ["turn", "item", "request"] {
        let times = ended.get(kind).copied().unwrap_or_default();
        assert!(times > 50, "{kind}: only {times} were open");
    }
}
