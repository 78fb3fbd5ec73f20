//! A session with the Claude Agent SDK's program: bytes of both directions in, outcomes with
//! events out.

use crate::canonical::RuntimeSessionId;
use crate::core::{Core, Place};
use crate::frame::Limits;
use crate::session::{Direction, Outcome};
use crate::sources::{Clock, IdSource, RandomIds, SystemClock};
use crate::streams::Streams;

use super::mapping::ClaudeMapping;
use super::{host, reader};

/// Reads the stream of one process of Claude, in the form that `--output-format stream-json` and
/// the Agent SDK have: what the program writes to its standard output, and what the host writes to
/// its standard input.
///
/// Sans-I/O: push the bytes of both, and take the outcomes. Nothing is lost: what no vendored
/// version knows becomes a `runtime.warning` with the untouched message, what does not decode a
/// `runtime.error` that names the place, and the stream goes on. A list of messages in one line,
/// as `--output-format json` prints it, is read like as many lines.
///
/// A turn begins with the message of the user that goes out. A reader that is told only what the
/// program writes begins it at the first sign of work.
pub struct ClaudeSession {
    core: Core<ClaudeMapping>,
    streams: Streams,
}

impl Default for ClaudeSession {
    fn default() -> Self {
        Self::new()
    }
}

impl ClaudeSession {
    /// A session with random ids and the system's clock.
    #[must_use]
    pub fn new() -> Self {
        Self::with_sources(RandomIds::new(), SystemClock, Limits::default())
    }

    /// A session whose ids, times and limits are given, so that a run can be repeated exactly.
    pub fn with_sources(
        ids: impl IdSource + Send + 'static,
        clock: impl Clock + Send + 'static,
        limits: Limits,
    ) -> Self {
        Self {
            core: Core::new(Box::new(ids), Box::new(clock)),
            streams: Streams::new(limits),
        }
    }

    /// The canonical id of the session.
    #[must_use]
    pub fn session_id(&self) -> &RuntimeSessionId {
        self.core.session_id()
    }

    /// Takes bytes of one direction, in pieces of any size: what the program wrote, and what the
    /// host wrote to it. Without the latter, what a response answers and how a permission was
    /// decided is not known.
    pub fn push(&mut self, direction: Direction, bytes: &[u8]) {
        self.streams.push(direction, bytes);
        self.drain(direction);
    }

    /// The end of both streams: a last line without an end counts.
    pub fn finish(&mut self) {
        self.streams.finish();
        self.drain(Direction::ToAgent);
        self.drain(Direction::FromAgent);
    }

    /// The next outcome, in the order in which the lines were complete.
    pub fn next_outcome(&mut self) -> Option<Outcome> {
        self.streams.next_outcome()
    }

    /// The outcomes so far, taken as they are asked for.
    pub fn outcomes(&mut self) -> impl Iterator<Item = Outcome> + '_ {
        std::iter::from_fn(|| self.next_outcome())
    }

    fn drain(&mut self, direction: Direction) {
        while let Some((number, line)) = self.streams.next_line(direction) {
            for message in self.streams.messages(number, &line, direction) {
                let place = Place {
                    number,
                    line: &line,
                    message: message.start..message.end,
                    body: message.start..message.end,
                    direction,
                };
                let outcome = self.message(&place);
                self.streams.add(outcome);
            }
        }
    }

    fn message(&mut self, place: &Place<'_>) -> Outcome {
        match place.direction {
            Direction::FromAgent => reader::message(&mut self.core, place),
            Direction::ToAgent => host::message(&mut self.core, place),
        }
    }
}
