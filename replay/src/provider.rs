//! The providers that can be replayed, and their readers.

use agentwire::codex::{CodexRollout, CodexSession};
use agentwire::frame::Limits;
use agentwire::session::{Direction, Outcome};
use agentwire::sources::{SequentialIds, WireClock};

/// Whose stream it is.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
pub enum Provider {
    /// `codex app-server`, and rollout files.
    Codex,
}

/// A reader of one stream.
pub enum Reader {
    /// A session with the Codex app server.
    Codex(Box<CodexSession>),
    /// A rollout file of Codex.
    CodexRollout(Box<CodexRollout>),
}

impl Provider {
    /// A reader of the provider's live wire.
    pub fn live(self) -> Reader {
        match self {
            Self::Codex => Reader::Codex(Box::new(CodexSession::with_sources(
                SequentialIds::new(),
                WireClock::default(),
                Limits::default(),
            ))),
        }
    }

    /// A reader of the provider's stored sessions.
    pub fn stored(self) -> Reader {
        match self {
            Self::Codex => Reader::CodexRollout(Box::new(CodexRollout::with_sources(
                SequentialIds::new(),
                WireClock::default(),
                Limits::default(),
            ))),
        }
    }
}

impl Reader {
    /// Takes bytes of one direction; a stored session has only one.
    pub fn push(&mut self, direction: Direction, bytes: &[u8]) {
        match self {
            Self::Codex(session) => session.push(direction, bytes),
            Self::CodexRollout(rollout) => rollout.push(bytes),
        }
    }

    /// The end of the stream.
    pub fn finish(&mut self) {
        match self {
            Self::Codex(session) => session.finish(),
            Self::CodexRollout(rollout) => rollout.finish(),
        }
    }

    /// The next outcome.
    pub fn next_outcome(&mut self) -> Option<Outcome> {
        match self {
            Self::Codex(session) => session.next_outcome(),
            Self::CodexRollout(rollout) => rollout.next_outcome(),
        }
    }
}
