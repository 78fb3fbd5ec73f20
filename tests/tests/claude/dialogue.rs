//! A session that a test leads line by line, with the same ids and times in every run.

use agentwire::claude::ClaudeSession;
use agentwire::frame::Limits;
use agentwire::session::{Direction, Outcome, Verdict};
use agentwire::sources::{SequentialIds, WireClock};
use serde_json::Value;

use crate::claude::lines::{INIT, said};
pub use crate::support::replay::tree;
use crate::support::replay::{event_types, only};

/// A session of which nothing was read.
pub fn session() -> ClaudeSession {
    ClaudeSession::with_sources(SequentialIds::new(), WireClock::new(), Limits::default())
}

/// A dialogue, and the events of it.
pub struct Dialogue {
    session: ClaudeSession,
    /// The events so far, as trees.
    pub events: Vec<Value>,
}

impl Dialogue {
    /// One in which nothing has been said.
    pub fn new() -> Self {
        Self {
            session: session(),
            events: Vec::new(),
        }
    }

    /// One in which the user spoke and the program told its settings.
    pub fn begun() -> Self {
        let mut dialogue = Self::new();
        dialogue.host(&said("light the lamp"));
        dialogue.told(INIT);
        dialogue
    }

    /// The outcomes of one line of a direction.
    pub fn line(&mut self, direction: Direction, line: &str) -> Vec<Outcome> {
        self.session.push(direction, line.as_bytes());
        self.session.push(direction, b"\n");
        let outcomes: Vec<Outcome> = self.session.outcomes().collect();
        let events = outcomes.iter().flat_map(|outcome| &outcome.events);
        self.events.extend(events.map(tree));
        outcomes
    }

    /// The only outcome of one line of the program.
    pub fn told(&mut self, line: &str) -> Outcome {
        only(self.line(Direction::FromAgent, line))
    }

    /// The only outcome of one line of the host.
    pub fn host(&mut self, line: &str) -> Outcome {
        only(self.line(Direction::ToAgent, line))
    }

    /// The outcome of the last line; a line begins with `<` for what the program writes and with
    /// `>` for what the host writes.
    pub fn led(&mut self, lines: &[impl AsRef<str>]) -> Outcome {
        let mut last = None;
        for line in lines {
            last = match line.as_ref().split_at(1) {
                ("<", line) => Some(self.told(line)),
                (">", line) => Some(self.host(line)),
                (other, _) => panic!("a line begins with {other}"),
            };
        }
        last.unwrap()
    }

    /// Proves that the stream goes on: a known message decodes, with nothing odd about it.
    pub fn goes_on(&mut self) {
        let line = r#"{"type":"rate_limit_event","rate_limit_info":{"status":"allowed"},"uuid":"u-on","session_id":"s"}"#;
        let outcome = self.told(line);
        assert_eq!(outcome.verdict, Verdict::Mapped);
        assert_eq!(outcome.oddities, []);
        assert_eq!(event_types(&outcome), ["account.rate-limits.updated"]);
    }

    /// The types of all events, each with the words of its payload that tell most.
    pub fn short(&self) -> Vec<String> {
        self.events.iter().map(short).collect()
    }

    /// The events of a type.
    pub fn of(&self, kind: &str) -> Vec<&Value> {
        self.events
            .iter()
            .filter(|event| event["type"] == kind)
            .collect()
    }
}

/// One line of the program after the user spoke.
pub fn told(line: &str) -> Outcome {
    Dialogue::begun().told(line)
}

/// The type of an event, and the words of its payload that tell most.
pub fn short(event: &Value) -> String {
    let payload = &event["payload"];
    let words = [
        &event["type"],
        &payload["itemType"],
        &payload["status"],
        &payload["state"],
        &payload["requestType"],
        &payload["decision"],
    ];
    let words: Vec<&str> = words.iter().filter_map(|word| word.as_str()).collect();
    words.join(" ")
}
