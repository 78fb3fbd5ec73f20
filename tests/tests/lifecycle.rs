//! The lives of threads, turns, items, requests, tasks and hooks, in every provider.
#![allow(clippy::unwrap_used, clippy::panic)]

#[path = "lifecycle/inputs.rs"]
mod inputs;
#[path = "lifecycle/lives.rs"]
mod lives;
#[path = "lifecycle/mutated.rs"]
mod mutated;

use agentwire::canonical::{RuntimeEvent, SessionExited};
use agentwire::frame::Limits;
use agentwire::session::{Direction, Outcome};
use agentwire::sources::{SequentialIds, WireClock};
use agentwire::{Provider, Session, Sources};

/// A line of a stream, and which way it went.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Line(Direction, String);

/// What became of lines, and the events of the program's end.
fn read(provider: &str, stored: bool, lines: &[Line]) -> (Vec<Outcome>, Vec<RuntimeEvent>) {
    let provider = Provider::find(provider).unwrap();
    let sources = Sources {
        ids: Box::new(SequentialIds::new()),
        clock: Box::new(WireClock::default()),
        limits: Limits::default(),
    };
    let mut session: Box<dyn Session> = match provider.stored {
        Some(open) if stored => open(sources),
        _ => provider.open(sources),
    };
    for Line(direction, text) in lines {
        session.push(*direction, text.as_bytes());
        session.push(*direction, b"\n");
    }
    let end = session.exited(SessionExited::default());
    (session.outcomes(), end)
}

/// The lines of a recording or a small input: of a transcript, or as the agent wrote them.
fn lines(text: &str) -> Vec<Line> {
    let line = |line: &str| {
        let Ok(value) = serde_json::from_str::<serde_json::Value>(line) else {
            return Some(Line(Direction::FromAgent, line.to_owned()));
        };
        let Some(direction) = value["dir"].as_str() else {
            return Some(Line(Direction::FromAgent, line.to_owned()));
        };
        // What went by HTTP beside the streams of a server is on none of them.
        if value["via"]
            .as_str()
            .is_some_and(|via| !via.ends_with("event"))
        {
            return None;
        }
        let direction = match direction {
            "in" => Direction::ToAgent,
            _ => Direction::FromAgent,
        };
        Some(Line(direction, value["line"].as_str().unwrap().to_owned()))
    };
    let lines = text.split('\n').filter(|line| !line.is_empty());
    lines.filter_map(line).collect()
}
