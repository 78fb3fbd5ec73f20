//! The providers that can be replayed, and their readers.

use agentwire::acp::AcpSession;
use agentwire::amp::AmpSession;
use agentwire::claude::ClaudeSession;
use agentwire::codex::{CodexRollout, CodexSession};
use agentwire::codex_sdk::CodexSdkSession;
use agentwire::frame::Limits;
use agentwire::opencode::OpenCodeSession;
use agentwire::session::{Direction, Outcome};
use agentwire::sources::{SequentialIds, WireClock};
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

/// Readers that are made and read alike.
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

        impl Repeatable for $session {
            fn repeatable() -> Self {
                Self::with_sources(SequentialIds::new(), WireClock::default(), Limits::default())
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

impl Repeatable for OpenCodeSession {
    fn repeatable() -> Self {
        Self::with_sources(
            SequentialIds::new(),
            WireClock::default(),
            Limits::default(),
        )
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

impl Repeatable for CodexRollout {
    fn repeatable() -> Self {
        Self::with_sources(
            SequentialIds::new(),
            WireClock::default(),
            Limits::default(),
        )
    }
}

/// A reader that gives the same ids and times in every run.
trait Repeatable: Reader {
    fn repeatable() -> Self;
}

fn reader<R: Repeatable + 'static>() -> Box<dyn Reader> {
    Box::new(R::repeatable())
}

impl Provider {
    /// A reader of the provider's live wire.
    pub fn live(self) -> Box<dyn Reader> {
        match self {
            Self::Codex => reader::<CodexSession>(),
            Self::CodexSdk => reader::<CodexSdkSession>(),
            Self::Claude => reader::<ClaudeSession>(),
            Self::Acp => reader::<AcpSession>(),
            Self::Amp => reader::<AmpSession>(),
            Self::OpenCode => reader::<OpenCodeSession>(),
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
    pub fn stored(self) -> Box<dyn Reader> {
        match self {
            Self::Codex => reader::<CodexRollout>(),
            Self::Acp | Self::Amp | Self::Claude | Self::CodexSdk | Self::OpenCode => self.live(),
        }
    }
}
