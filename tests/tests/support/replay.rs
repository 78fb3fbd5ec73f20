//! Reading streams in a way that can be repeated exactly.

use agentwire::canonical::RuntimeEvent;
use agentwire::codex::{CodexRollout, CodexSession};
use agentwire::frame::Limits;
use agentwire::json::{Json, OwnedJson};
use agentwire::ledger::Rule;
use agentwire::session::{Direction, Outcome, Verdict};
use agentwire::sources::{SequentialIds, WireClock};
use agentwire_upkeep::report::without_halves;
use serde_json::Value;

use super::recorded::{Carrier, Line};

/// A session whose ids and times are the same in each run.
pub fn session() -> CodexSession {
    limited(Limits::default())
}

/// The same with other limits.
pub fn limited(limits: Limits) -> CodexSession {
    CodexSession::with_sources(SequentialIds::new(), WireClock::new(), limits)
}

/// A reader of a session file whose ids are the same in each run.
pub fn rollout() -> CodexRollout {
    CodexRollout::with_sources(SequentialIds::new(), WireClock::new(), Limits::default())
}

/// Reads a stream line by line.
pub fn replay(carrier: Carrier, lines: &[Line]) -> Vec<Outcome> {
    pieces(carrier, lines, usize::MAX)
}

/// Reads a stream in pieces of at most `size` bytes. A piece may hold the end of one line and the
/// beginning of the next, as long as both go the same way.
pub fn pieces(carrier: Carrier, lines: &[Line], size: usize) -> Vec<Outcome> {
    let mut reader = Reader::new(carrier);
    for run in lines.chunk_by(|one, next| one.direction == next.direction) {
        let bytes: Vec<u8> = run
            .iter()
            .flat_map(|line| line.text.bytes().chain(std::iter::once(b'\n')))
            .collect();
        for piece in bytes.chunks(size) {
            reader.push(run[0].direction, piece);
        }
    }
    reader.finish()
}

enum Either {
    AppServer(Box<CodexSession>),
    Rollout(Box<CodexRollout>),
}

struct Reader {
    either: Either,
    outcomes: Vec<Outcome>,
}

impl Reader {
    fn new(carrier: Carrier) -> Self {
        let either = match carrier {
            Carrier::AppServer => Either::AppServer(Box::new(session())),
            Carrier::Rollout => Either::Rollout(Box::new(rollout())),
        };
        Self {
            either,
            outcomes: Vec::new(),
        }
    }

    fn push(&mut self, direction: Direction, bytes: &[u8]) {
        match &mut self.either {
            Either::AppServer(session) => {
                session.push(direction, bytes);
                self.outcomes.extend(session.outcomes());
            }
            Either::Rollout(rollout) => {
                rollout.push(bytes);
                self.outcomes.extend(rollout.outcomes());
            }
        }
    }

    fn finish(mut self) -> Vec<Outcome> {
        match &mut self.either {
            Either::AppServer(session) => {
                session.finish();
                self.outcomes.extend(session.outcomes());
            }
            Either::Rollout(rollout) => {
                rollout.finish();
                self.outcomes.extend(rollout.outcomes());
            }
        }
        self.outcomes
    }
}

/// A dialogue that a test leads.
pub struct Dialogue {
    session: CodexSession,
}

impl Dialogue {
    /// One in which nothing has been said.
    pub fn new() -> Self {
        Self { session: session() }
    }

    /// The outcomes of one line of the agent.
    pub fn agent(&mut self, line: &str) -> Vec<Outcome> {
        self.line(Direction::FromAgent, line)
    }

    /// The outcomes of one line of the host.
    pub fn host(&mut self, line: &str) -> Vec<Outcome> {
        self.line(Direction::ToAgent, line)
    }

    /// The only outcome of one line of the agent.
    pub fn told(&mut self, line: &str) -> Outcome {
        only(self.agent(line))
    }

    /// The only outcome of one line of the host.
    pub fn said(&mut self, line: &str) -> Outcome {
        only(self.host(line))
    }

    fn line(&mut self, direction: Direction, line: &str) -> Vec<Outcome> {
        self.session.push(direction, line.as_bytes());
        self.session.push(direction, b"\n");
        self.session.outcomes().collect()
    }

    /// Proves that the stream goes on: a known message decodes, with nothing odd about it.
    pub fn goes_on(&mut self) {
        let outcome =
            self.told(r#"{"method":"deprecationNotice","params":{"summary":"still here"}}"#);
        assert_eq!(outcome.verdict, Verdict::Mapped);
        assert_eq!(outcome.oddities, []);
        assert_eq!(event_types(&outcome), ["deprecation.notice"]);
    }
}

/// The one outcome.
pub fn only(outcomes: Vec<Outcome>) -> Outcome {
    let [outcome] = <[Outcome; 1]>::try_from(outcomes).unwrap_or_else(|found| panic!("{found:#?}"));
    outcome
}

/// One line in a session of its own.
pub fn told(line: &str) -> Outcome {
    Dialogue::new().told(line)
}

/// The types of an outcome's events.
pub fn event_types(outcome: &Outcome) -> Vec<&'static str> {
    outcome
        .events
        .iter()
        .map(|event| event.event_type().as_str())
        .collect()
}

/// An event as a tree. The parser here refuses half a surrogate pair.
pub fn tree(event: &RuntimeEvent) -> Value {
    serde_json::from_str(&without_halves(&event.to_json().unwrap())).unwrap()
}

/// An event as it stands in a golden file: without the untouched message.
pub fn golden_line(mut event: RuntimeEvent) -> String {
    let raw = event.raw.as_mut().unwrap();
    raw.payload = OwnedJson::from(Json::NULL);
    let json = event.to_json().unwrap();
    let head = json
        .strip_suffix(r#","payload":null}}"#)
        .unwrap_or_else(|| panic!("{json}"));
    format!("{head}}}}}\n")
}

/// The payload of the only event that is no stub, as a tree.
pub fn payload(outcome: &Outcome) -> Value {
    let stub = |event: &&RuntimeEvent| {
        let mut made = outcome.made.iter();
        made.any(|made| made.rule == Rule::Stub && made.event == event.event_id)
    };
    let told: Vec<&RuntimeEvent> = outcome.events.iter().filter(|it| !stub(it)).collect();
    assert_eq!(told.len(), 1, "{:#?}", outcome.events);
    tree(told[0])["payload"].clone()
}

/// The untouched message of each event is exactly this text.
pub fn assert_raw(outcome: &Outcome, line: &str) {
    assert!(!outcome.events.is_empty(), "no event carries the message");
    for event in &outcome.events {
        assert_eq!(event.raw.as_ref().unwrap().payload.as_str(), line);
    }
}

/// The oddities in their printed form.
pub fn oddities(outcome: &Outcome) -> Vec<String> {
    outcome.oddities.iter().map(ToString::to_string).collect()
}

/// Outcomes as texts that can be compared: where each stands, what became of it, its events.
pub fn printed(outcomes: &[Outcome]) -> Vec<String> {
    let print = |outcome: &Outcome| {
        let events: Vec<String> = outcome
            .events
            .iter()
            .map(|event| event.to_json().unwrap())
            .collect();
        format!(
            "{} {:?} {:?} {events:?}",
            outcome.line, outcome.direction, outcome.verdict
        )
    };
    outcomes.iter().map(print).collect()
}
