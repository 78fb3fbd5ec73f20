//! The providers that can be replayed, and their readers.

use agentwire::acp::AcpSession;
use agentwire::claude::ClaudeSession;
use agentwire::codex::{CodexRollout, CodexSession};
use agentwire::frame::Limits;
use agentwire::session::{Direction, Outcome};
use agentwire::sources::{SequentialIds, WireClock};

/// Whose stream it is.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
pub enum Provider {
    /// `codex app-server`, and rollout files.
    Codex,
    /// The program of the Claude Agent SDK: `--output-format stream-json`, or one list of messages.
    Claude,
    /// Any agent that speaks the agent client protocol, of the version that `initialize` negotiates.
    Acp,
}

/// A reader of one stream.
pub enum Reader {
    /// A session with the Codex app server.
    Codex(Box<CodexSession>),
    /// A rollout file of Codex.
    CodexRollout(Box<CodexRollout>),
    /// A session with the program of the Claude Agent SDK.
    Claude(Box<ClaudeSession>),
    /// A connection with an agent of the agent client protocol.
    Acp(Box<AcpSession>),
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
            Self::Claude => Reader::Claude(Box::new(ClaudeSession::with_sources(
                SequentialIds::new(),
                WireClock::default(),
                Limits::default(),
            ))),
            Self::Acp => Reader::Acp(Box::new(AcpSession::with_sources(
                SequentialIds::new(),
                WireClock::default(),
                Limits::default(),
            ))),
        }
    }

    /// A reader of the provider's stored sessions; the live one where it stores none.
    pub fn stored(self) -> Reader {
        match self {
            Self::Codex => Reader::CodexRollout(Box::new(CodexRollout::with_sources(
                SequentialIds::new(),
                WireClock::default(),
                Limits::default(),
            ))),
            Self::Claude | Self::Acp => self.live(),
        }
    }
}

impl Reader {
    /// Takes bytes of one direction; a stored session has only one.
    pub fn push(&mut self, direction: Direction, bytes: &[u8]) {
        match self {
            Self::Codex(session) => session.push(direction, bytes),
            Self::CodexRollout(rollout) => rollout.push(bytes),
            Self::Claude(session) => session.push(direction, bytes),
            Self::Acp(session) => session.push(direction, bytes),
        }
    }

    /// The end of the stream.
    pub fn finish(&mut self) {
        match self {
            Self::Codex(session) => session.finish(),
            Self::CodexRollout(rollout) => rollout.finish(),
            Self::Claude(session) => session.finish(),
            Self::Acp(session) => session.finish(),
        }
    }

    /// The next outcome.
    pub fn next_outcome(&mut self) -> Option<Outcome> {
        match self {
            Self::Codex(session) => session.next_outcome(),
            Self::CodexRollout(rollout) => rollout.next_outcome(),
            Self::Claude(session) => session.next_outcome(),
            Self::Acp(session) => session.next_outcome(),
        }
    }
}
