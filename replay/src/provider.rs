//! The providers that can be replayed, and their readers.

use std::sync::{Arc, Mutex, PoisonError};

use agentwire::acp::AcpSession;
use agentwire::amp::AmpSession;
use agentwire::claude::ClaudeSession;
use agentwire::codex::{CodexRollout, CodexSession};
use agentwire::codex_sdk::CodexSdkSession;
use agentwire::frame::Limits;
use agentwire::opencode::OpenCodeSession;
use agentwire::session::{Direction, Outcome};
use agentwire::sources::{IdKind, IdSource, SequentialIds, WireClock};
use agentwire::transcript::Recorded;

/// Whose stream it is.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
pub enum Provider {
    /// `codex app-server`, and rollout files.
    Codex,
    /// `codex exec --json`, which the Codex SDK reads.
    CodexSdk,
    /// Amp: `--stream-json`.
    Amp,
    /// The program of the Claude Agent SDK: `--output-format stream-json`, or one list of messages.
    Claude,
    /// A server of OpenCode: its streams of events, as server-sent events or one event a line.
    #[value(name = "opencode")]
    OpenCode,
    /// Any agent that speaks the agent client protocol, of the version that `initialize` negotiates.
    Acp,
}

/// Ids that are the same in every run, and no two of which are the same in one run, of however many
/// streams.
#[derive(Clone, Default)]
pub struct Ids(Arc<Mutex<SequentialIds>>);

impl IdSource for Ids {
    fn next(&mut self, kind: IdKind) -> Arc<str> {
        let mut ids = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        ids.next(kind)
    }
}

/// A reader of one stream.
pub trait Reader {
    /// Takes bytes of one direction; a stored session has only one.
    fn push(&mut self, direction: Direction, bytes: &[u8]);

    /// Takes a line of a transcript.
    fn push_recorded(&mut self, recorded: &Recorded<'_>) {
        self.push(recorded.direction, recorded.line.as_bytes());
        self.push(recorded.direction, b"\n");
    }

    /// The end of the stream.
    fn finish(&mut self);

    /// The next outcome.
    fn next_outcome(&mut self) -> Option<Outcome>;
}

/// Readers that are read alike.
macro_rules! readers {
    ($($session:ident,)+) => {$(
        impl Reader for $session {
            fn push(&mut self, direction: Direction, bytes: &[u8]) {
                Self::push(self, direction, bytes);
            }

            fn finish(&mut self) {
                Self::finish(self);
            }

            fn next_outcome(&mut self) -> Option<Outcome> {
                Self::next_outcome(self)
            }
        }
    )+};
}

/// Readers that are made alike, which are all.
macro_rules! repeatable {
    ($($session:ident,)+) => {$(
        impl Repeatable for $session {
            fn repeatable(ids: Ids) -> Self {
                Self::with_sources(ids, WireClock::default(), Limits::default())
            }
        }
    )+};
}

readers! {
    AcpSession,
    AmpSession,
    ClaudeSession,
    CodexSdkSession,
    CodexSession,
}

repeatable! {
    AcpSession,
    AmpSession,
    ClaudeSession,
    CodexRollout,
    CodexSdkSession,
    CodexSession,
    OpenCodeSession,
}

impl Reader for OpenCodeSession {
    fn push(&mut self, direction: Direction, bytes: &[u8]) {
        Self::push(self, direction, bytes);
    }

    fn push_recorded(&mut self, recorded: &Recorded<'_>) {
        Self::push_recorded(self, recorded);
    }

    fn finish(&mut self) {
        Self::finish(self);
    }

    fn next_outcome(&mut self) -> Option<Outcome> {
        Self::next_outcome(self)
    }
}

impl Reader for CodexRollout {
    fn push(&mut self, _: Direction, bytes: &[u8]) {
        Self::push(self, bytes);
    }

    fn finish(&mut self) {
        Self::finish(self);
    }

    fn next_outcome(&mut self) -> Option<Outcome> {
        Self::next_outcome(self)
    }
}

/// A reader that gives the same ids and times in every run.
trait Repeatable: Reader {
    fn repeatable(ids: Ids) -> Self;
}

fn reader<R: Repeatable + 'static>(ids: Ids) -> Box<dyn Reader> {
    Box::new(R::repeatable(ids))
}

impl Provider {
    /// A reader of the provider's live wire.
    pub fn live(self, ids: Ids) -> Box<dyn Reader> {
        match self {
            Self::Codex => reader::<CodexSession>(ids),
            Self::CodexSdk => reader::<CodexSdkSession>(ids),
            Self::Claude => reader::<ClaudeSession>(ids),
            Self::Acp => reader::<AcpSession>(ids),
            Self::Amp => reader::<AmpSession>(ids),
            Self::OpenCode => reader::<OpenCodeSession>(ids),
        }
    }

    /// Whether the wire may be server-sent events.
    pub fn has_events(self) -> bool {
        match self {
            Self::OpenCode => true,
            Self::Acp | Self::Amp | Self::Claude | Self::Codex | Self::CodexSdk => false,
        }
    }

    /// A reader of the provider's stored sessions; the live one where it stores none.
    pub fn stored(self, ids: Ids) -> Box<dyn Reader> {
        match self {
            Self::Codex => reader::<CodexRollout>(ids),
            Self::Acp | Self::Amp | Self::Claude | Self::CodexSdk | Self::OpenCode => {
                self.live(ids)
            }
        }
    }
}
