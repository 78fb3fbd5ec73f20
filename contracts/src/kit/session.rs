//! What readers of streams give back: one outcome for each message, with its events.

use std::fmt;
use std::sync::Arc;

use super::transcript::Recorded;
use crate::canonical::{RuntimeEvent, RuntimeSessionId, SessionExited};
use crate::json::{Note, NoteKind, path_at};
use crate::kit::ledger::{Made, Refusal};

/// A reader of one session, of whatever provider: bytes in, one [`Outcome`] for each message out.
///
/// Every reader of this crate implements it, and so can the reader of a provider that is kept
/// elsewhere. No I/O happens inside.
pub trait Session: Send {
    /// The canonical id of the session, which every event carries.
    fn session_id(&self) -> &RuntimeSessionId;

    /// Takes bytes of one direction, in pieces of any size. A stored session has one direction: what
    /// is said to go to the agent is read like all else.
    fn push(&mut self, direction: Direction, bytes: &[u8]);

    /// Takes one recorded line.
    fn push_recorded(&mut self, recorded: &Recorded<'_>) {
        self.push(recorded.direction, recorded.line.as_bytes());
        self.push(recorded.direction, b"\n");
    }

    /// The end of the streams: a last line without an end counts.
    fn finish(&mut self);

    /// Tells that the agent's program is gone, which no stream says: the streams end, and everything
    /// still open closes. The events come after those of all outcomes, also of outcomes that were
    /// not taken yet, and have no raw message. What is pushed after this comes from another program.
    fn exited(&mut self, exit: SessionExited) -> Vec<RuntimeEvent>;

    /// The next outcome, in the order in which the messages were complete.
    fn next_outcome(&mut self) -> Option<Outcome>;

    /// Takes all outcomes so far.
    fn outcomes(&mut self) -> Vec<Outcome> {
        std::iter::from_fn(|| self.next_outcome()).collect()
    }
}

/// Which way a message went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// The agent wrote it.
    FromAgent,
    /// The host wrote it.
    ToAgent,
}

/// What became of one message of a stream.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The line that holds it, counted from one in its direction.
    pub line: u64,
    /// Which way it went.
    pub direction: Direction,
    /// The surface that decided, by its id.
    pub surface: Option<&'static str>,
    /// What picks the variant: a method, or a type.
    pub tag: Option<Arc<str>>,
    /// What was decided.
    pub verdict: Verdict,
    /// The canonical events, in order.
    pub events: Vec<RuntimeEvent>,
    /// Those of the events that no row makes: the rules that keep the lives of things whole do.
    pub made: Vec<Made>,
    /// What the message tells and no event does, since what it is about had ended, or had been told
    /// before; each is worth counting.
    pub refused: Vec<Refusal>,
    /// What was tolerated on the way; each is worth counting.
    pub oddities: Vec<Oddity>,
}

impl Outcome {
    /// Puts the events of another one behind those of this one.
    pub(crate) fn append(&mut self, other: Self) {
        self.events.extend(other.events);
        self.made.extend(other.made);
        self.refused.extend(other.refused);
    }

    /// Puts the events of another one before those of this one.
    pub(crate) fn prepend(&mut self, other: Self) {
        self.events.splice(0..0, other.events);
        self.made.splice(0..0, other.made);
        self.refused.splice(0..0, other.refused);
    }
}

/// What was decided for a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Its row maps it.
    Mapped,
    /// Its row drops it, for this reason.
    Dropped(&'static str),
    /// Another message tells the same, as its row says.
    Told(&'static str),
    /// No vendored version has its tag.
    Unrecognized,
    /// Its tag is known and its body does not decode.
    Malformed {
        /// JSON path in the line.
        path: String,
        /// What was expected and what stands there.
        message: String,
    },
    /// A reply to a request that this reader was not told of.
    Unmatched,
    /// The host's own message: noted, nothing to tell.
    Noted,
    /// A record that belongs to no surface, by its type.
    Outside,
    /// The line is not JSON; the text says why.
    NotJson {
        /// Why.
        reason: String,
        /// The line, or as much of it as was kept.
        text: Vec<u8>,
    },
    /// The line is longer than the limit; its bytes are not kept.
    TooLong {
        /// Its size in bytes.
        size: u64,
    },
}

/// Something that was tolerated in a message that decoded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Oddity {
    /// JSON path in the line.
    pub path: String,
    /// What it is.
    pub kind: NoteKind,
}

impl Oddity {
    /// Ties a decoder's note to its line.
    #[must_use]
    pub fn locate(note: Note, line: &str) -> Self {
        Self {
            path: path_at(line, note.offset),
            kind: note.kind,
        }
    }
}

impl fmt::Display for Oddity {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            NoteKind::UnrecognizedTag { union, tag } => {
                write!(formatter, "{}: unrecognized {union} `{tag}`", self.path)
            }
            NoteKind::UnrecognizedValue { of, value } => {
                write!(formatter, "{}: unrecognized {of} `{value}`", self.path)
            }
            NoteKind::DuplicateKey => write!(
                formatter,
                "{}: the key stands twice, the last one counts",
                self.path
            ),
            NoteKind::LoneSurrogate => write!(
                formatter,
                "{}: half a surrogate pair, read as U+FFFD",
                self.path
            ),
        }
    }
}
