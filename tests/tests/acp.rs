//! The agent client protocol: seed rows, faults, dialogues, and recorded connections.

#![allow(clippy::unwrap_used, clippy::panic)]

mod agents;
mod dialogues;
mod endings;
mod faults;
mod goldens;
mod hostile;
mod lifecycle;
mod recorded;
mod seed_rows;

use agentwire::acp::AcpSession;
use agentwire::frame::Limits;
use agentwire::session::{Direction, Outcome};
use agentwire::sources::{SequentialIds, WireClock};

/// A session that gives the same ids and times in every run.
fn session() -> AcpSession {
    AcpSession::with_sources(
        SequentialIds::new(),
        WireClock::default(),
        Limits::default(),
    )
}

/// The outcomes of each line; a line begins with `<` for what the agent writes and with `>` for
/// what the host writes.
fn led(lines: &[&str]) -> Vec<Vec<Outcome>> {
    let mut session = session();
    let said = lines.iter().map(|line| {
        let (direction, text) = match line.split_at(1) {
            ("<", text) => (Direction::FromAgent, text),
            (">", text) => (Direction::ToAgent, text),
            (other, _) => panic!("a line begins with {other}"),
        };
        session.push(direction, text.as_bytes());
        session.push(direction, b"\n");
        session.outcomes().collect()
    });
    said.collect()
}

/// The outcome of the last line.
fn last(lines: &[&str]) -> Outcome {
    crate::support::replay::only(led(lines).pop().unwrap())
}
