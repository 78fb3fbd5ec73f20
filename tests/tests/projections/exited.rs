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
        } else if let Some((id, begins)) = work(event) {
            if begins {
                open.insert(id, "work");
            } else {
                open.remove(&id);
            }
        }
    }
    open
}

/// The task or hook that an event begins or ends.
fn work(event: &RuntimeEvent) -> Option<(String, bool)> {
    let kind = event.event_type();
    let begins = kind == EventType::TaskStarted || kind == EventType::HookStarted;
    let ends = kind == EventType::TaskCompleted || kind == EventType::HookCompleted;
    if !begins && !ends {
        return None;
    }
    let tree = serde_json::to_value(&event.payload).unwrap();
    let id = ["taskId", "hookId"]
        .iter()
        .find_map(|name| Some(format!("{name} {}", tree["payload"].get(name)?)));
    Some((id.unwrap(), begins))
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
    assert!(
        ended.get("work").is_some_and(|times| *times > 10),
        "{ended:?}"
    );
}

/// The ids of what begins: turns, items and requests.
fn begun(events: &[RuntimeEvent]) -> BTreeMap<String, EventType> {
    let begins = |event: &RuntimeEvent| {
        let kind = event.event_type();
        let id = if kind == EventType::TurnStarted {
            event.turn_id.as_ref().map(|id| id.as_str())
        } else if kind == EventType::ItemStarted {
            event.item_id.as_ref().map(|id| id.as_str())
        } else if kind == EventType::RequestOpened {
            event.request_id.as_ref().map(|id| id.as_str())
        } else {
            None
        };
        Some((id?.to_owned(), kind))
    };
    events.iter().filter_map(begins).collect()
}

macro_rules! twice {
    ($session:ident, $lines:expr) => {{
        let mut session = $session::with_sources(
            SequentialIds::new(),
            WireClock::default(),
            Limits::default(),
        );
        let mut programs = Vec::new();
        for _ in 0..2 {
            for line in $lines {
                session.push(line.direction, line.text.as_bytes());
                session.push(line.direction, b"\n");
            }
            let exited = session.exited(exit());
            programs.push([events(session.outcomes().collect()), exited].concat());
        }
        programs
    }};
}

#[test]
fn another_program_is_read_like_the_first() {
    let mut streams = BTreeMap::new();
    for recording in committed() {
        if recording.carrier == Carrier::AppServer {
            streams.insert(
                recording.to_string(),
                twice!(CodexSession, &recording.lines()),
            );
        }
    }
    for path in acp::committed() {
        let name = path.display().to_string();
        streams.insert(name, twice!(AcpSession, &acp::lines(&path)));
    }
    for path in claude_excerpts() {
        let name = path.display().to_string();
        streams.insert(name, twice!(ClaudeSession, &acp::lines(&path)));
    }
    for wire in WIRES {
        for recording in wire.committed() {
            let programs = match wire {
                Wire::Amp => twice!(AmpSession, &recording.lines()),
                Wire::CodexSdk => twice!(CodexSdkSession, &recording.lines()),
                Wire::OpenCode => twice!(OpenCodeSession, &recording.lines()),
            };
            streams.insert(recording.name(), programs);
        }
    }
    let mut complaints = Vec::new();
    let mut begins = 0;
    for (name, programs) in &streams {
        let [first, second] = &programs[..] else {
            panic!("{name}")
        };
        // A thread that the next program goes on with has begun, and may have been closed, already.
        let of_thread = [EventType::ThreadStarted, EventType::ThreadStateChanged];
        let types = |events: &[RuntimeEvent]| -> Vec<EventType> {
            let all = events.iter().map(RuntimeEvent::event_type);
            all.filter(|it| !of_thread.contains(it)).collect()
        };
        if types(first) != types(second) {
            complaints.push(format!(
                "{name}: the second time other events are told: {:?} and {:?}",
                types(first),
                types(second)
            ));
        }
        let (before, after) = (begun(first), begun(second));
        begins += before.len();
        if after.keys().any(|id| before.contains_key(id)) {
            complaints.push(format!("{name}: something begins twice"));
        }
        if second.last().map(RuntimeEvent::event_type) != Some(EventType::SessionExited) {
            complaints.push(format!("{name}: the second end is not told"));
        }
    }
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
    assert!(streams.len() >= 150, "only {} streams", streams.len());
    assert!(begins > 1_000, "only {begins} begin");
}
