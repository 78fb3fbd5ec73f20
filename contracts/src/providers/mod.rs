//! The providers, one folder and one feature each: a reader of sessions, and the wire types below it;
//! and the registry that finds a reader by the provider's name.

use crate::canonical::ProviderKind;
use crate::kit::frame::Limits;
use crate::kit::mapping::Surface;
use crate::kit::session::Session;
use crate::kit::sources::{Clock, IdSource, RandomIds, SystemClock};

/// Where a reader takes ids and times from, and what its streams may hold.
pub struct Sources {
    /// Canonical ids.
    pub ids: Box<dyn IdSource + Send>,
    /// Times.
    pub clock: Box<dyn Clock + Send>,
    /// Bounds on lines.
    pub limits: Limits,
}

impl Default for Sources {
    /// Random ids, the system's clock, and the usual limits.
    fn default() -> Self {
        Self {
            ids: Box::new(RandomIds::new()),
            clock: Box::new(SystemClock),
            limits: Limits::default(),
        }
    }
}

/// Makes a reader.
pub type Open = fn(Sources) -> Box<dyn Session>;

/// A provider that this build has.
#[derive(Clone, Copy, Debug)]
pub struct Provider {
    /// Its name, which is that of its feature, too.
    pub name: &'static str,
    /// What its events call it.
    pub kind: ProviderKind,
    /// What it reads, in one line.
    pub about: &'static str,
    /// The versions that it reads, oldest first, by the part of the wire that has versions of its own.
    pub windows: &'static [&'static [&'static str]],
    /// Its surfaces, with their rows.
    pub surfaces: &'static [&'static [Surface]],
    /// What the agent writes may be server-sent events in the place of lines.
    pub has_events: bool,
    /// Reads a live session.
    pub live: Open,
    /// Reads a stored session, where the agent stores them in a form of its own.
    pub stored: Option<Open>,
}

impl Provider {
    /// The provider of a name.
    #[must_use]
    pub fn find(name: &str) -> Option<&'static Self> {
        PROVIDERS.iter().find(|provider| provider.name == name)
    }

    /// A reader of a live session.
    #[must_use]
    pub fn open(&self, sources: Sources) -> Box<dyn Session> {
        (self.live)(sources)
    }
}

/// The list of providers: feature, module, reader, what its events call it, the modules of its wire
/// types, and what more it has.
macro_rules! providers {
    ($(
        $(#[$doc:meta])*
        $feature:literal $module:ident::$session:ident as $kind:ident, wire $($wire:ident)::+ $(and $also:ident)?:
            $about:literal $(, stored $stored:ident)? $(, events $events:ident)?;
    )+) => {
        $(
            #[cfg(feature = $feature)]
            pub mod $module;
        )+

        /// The providers that this build has, by name.
        pub const PROVIDERS: &[Provider] = &[$(
            #[cfg(feature = $feature)]
            Provider {
                name: $feature,
                kind: ProviderKind::$kind,
                about: $about,
                windows: &[
                    $module::$($wire)::+::WINDOW,
                    $($module::wire::$also::WINDOW,)?
                ],
                surfaces: &[
                    $module::$($wire)::+::SURFACES,
                    $($module::wire::$also::SURFACES,)?
                ],
                has_events: providers!(@events $($events)?),
                live: open::<$module::$session>,
                stored: providers!(@stored $($module::$stored)?),
            },
        )+];

        $(
            #[cfg(feature = $feature)]
            impl Opened for $module::$session {
                fn opened(sources: Sources) -> Self {
                    Self::with_sources(sources.ids, sources.clock, sources.limits)
                }
            }
            $(
                #[cfg(feature = $feature)]
                impl Opened for $module::$stored {
                    fn opened(sources: Sources) -> Self {
                        Self::with_sources(sources.ids, sources.clock, sources.limits)
                    }
                }
            )?
        )+
    };
    (@events server_sent) => { true };
    (@events) => { false };
    (@stored $module:ident::$stored:ident) => { Some(open::<$module::$stored> as Open) };
    (@stored) => { None };
}

/// A reader that can be made from its sources.
trait Opened: Session {
    fn opened(sources: Sources) -> Self;
}

#[allow(dead_code, reason = "a build may have no provider")]
fn open<S: Opened + 'static>(sources: Sources) -> Box<dyn Session> {
    Box::new(S::opened(sources))
}

providers! {
    "acp" acp::AcpSession as Cursor, wire wire::v1 and v2:
        "any agent of the agent client protocol, of the version that `initialize` negotiates";
    "amp" amp::AmpSession as Amp, wire wire:
        "what `amp --stream-json` prints and is told";
    "claude" claude::ClaudeSession as Claude, wire wire:
        "the program of the Claude Agent SDK: stream-json of both directions, or one list of messages";
    "codex" codex::CodexSession as Codex, wire wire:
        "`codex app-server`, and rollout files", stored CodexRollout;
    "codex-sdk" codex_sdk::CodexSdkSession as Codex, wire wire:
        "`codex exec --json`, which the Codex SDK reads";
    "opencode" opencode::OpenCodeSession as OpenCode, wire wire:
        "a server of OpenCode: its events, as server-sent events or one a line", events server_sent;
}
