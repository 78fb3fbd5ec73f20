//! The two streams of a session: bytes of both directions in, whole messages out.

use std::collections::VecDeque;
use std::sync::Arc;

use crate::kit::envelope::{Envelope, envelopes};
use crate::kit::feed::Feed;
use crate::kit::frame::{Frame, FrameContent, Limits};
use crate::kit::session::{Direction, Outcome, Verdict};

/// Frames both directions, and keeps the outcomes until they are taken.
pub(crate) struct Streams {
    from_agent: Feed,
    to_agent: Feed,
    outcomes: VecDeque<Outcome>,
}

impl Streams {
    /// Nothing read.
    pub fn new(limits: Limits) -> Self {
        Self {
            from_agent: Feed::lines(limits),
            to_agent: Feed::lines(limits),
            outcomes: VecDeque::new(),
        }
    }

    /// Nothing read; what the agent writes may be server-sent events instead of lines.
    pub fn of_events(limits: Limits) -> Self {
        Self {
            from_agent: Feed::unknown(limits),
            ..Self::new(limits)
        }
    }

    /// Takes bytes of one direction.
    pub fn push(&mut self, direction: Direction, bytes: &[u8]) {
        self.feed(direction).push(bytes);
    }

    /// The end of both streams: a last line without an end counts.
    pub fn finish(&mut self) {
        self.from_agent.finish();
        self.to_agent.finish();
    }

    /// The next line of a direction that is text. Any other becomes an outcome.
    pub fn next_line(&mut self, direction: Direction) -> Option<(u64, Arc<str>)> {
        loop {
            let Frame { number, content } = self.feed(direction).next_frame()?;
            let verdict = match content {
                FrameContent::Line(line) => return Some((number, line)),
                FrameContent::NotUtf8(bytes) => Verdict::NotJson {
                    reason: String::from("the line is not UTF-8 text"),
                    text: bytes,
                },
                FrameContent::TooLong { size, .. } => Verdict::TooLong { size },
            };
            self.refuse(number, direction, verdict);
        }
    }

    /// The messages of a line; a line that is not JSON, or holds none, becomes an outcome.
    pub fn messages<'l>(
        &mut self,
        number: u64,
        line: &'l str,
        direction: Direction,
    ) -> Vec<Envelope<'l>> {
        let reason = match envelopes(line) {
            Ok(messages) if !messages.is_empty() => return messages,
            Ok(_) => String::from("a list that holds no message"),
            Err(error) => format!("{}: {error}", error.path(line)),
        };
        let text = line.as_bytes().to_vec();
        self.refuse(number, direction, Verdict::NotJson { reason, text });
        Vec::new()
    }

    /// Keeps an outcome.
    pub fn add(&mut self, outcome: Outcome) {
        self.outcomes.push_back(outcome);
    }

    /// The next outcome, in the order in which the lines were complete.
    pub fn next_outcome(&mut self) -> Option<Outcome> {
        self.outcomes.pop_front()
    }

    fn feed(&mut self, direction: Direction) -> &mut Feed {
        match direction {
            Direction::FromAgent => &mut self.from_agent,
            Direction::ToAgent => &mut self.to_agent,
        }
    }

    fn refuse(&mut self, line: u64, direction: Direction, verdict: Verdict) {
        self.add(Outcome {
            line,
            direction,
            surface: None,
            tag: None,
            verdict,
            events: Vec::new(),
            made: Vec::new(),
            refused: Vec::new(),
            oddities: Vec::new(),
        });
    }
}

/// What every reader of a session offers, for one with the fields `core` and `streams` that can
/// drain a direction. What is said above its name is said of `push`; what else it holds at first
/// stands behind it, and before that how its streams are made, where not of lines.
macro_rules! session_api {
    ($(#[$push:meta])+ $session:ident { $($field:ident: $value:expr),* }) => {
        session_api! { $(#[$push])+ $session of new { $($field: $value),* } }

        impl $session {
            /// Takes one recorded line.
            pub fn push_recorded(&mut self, recorded: &$crate::kit::transcript::Recorded<'_>) {
                self.push(recorded.direction, recorded.line.as_bytes());
                self.push(recorded.direction, b"\n");
            }
        }
    };
    ($(#[$push:meta])+ $session:ident of $streams:ident { $($field:ident: $value:expr),* }) => {
        impl Default for $session {
            fn default() -> Self {
                Self::new()
            }
        }

        impl $crate::kit::session::Session for $session {
            fn session_id(&self) -> &$crate::canonical::RuntimeSessionId {
                Self::session_id(self)
            }

            fn push(&mut self, direction: $crate::kit::session::Direction, bytes: &[u8]) {
                Self::push(self, direction, bytes);
            }

            fn push_recorded(&mut self, recorded: &$crate::kit::transcript::Recorded<'_>) {
                Self::push_recorded(self, recorded);
            }

            fn finish(&mut self) {
                Self::finish(self);
            }

            fn exited(
                &mut self,
                exit: $crate::canonical::SessionExited,
            ) -> Vec<$crate::canonical::RuntimeEvent> {
                Self::exited(self, exit)
            }

            fn next_outcome(&mut self) -> Option<$crate::kit::session::Outcome> {
                Self::next_outcome(self)
            }
        }

        impl $session {
            /// A session with random ids and the system's clock.
            #[must_use]
            pub fn new() -> Self {
                Self::with_sources(
                    $crate::kit::sources::RandomIds::new(),
                    $crate::kit::sources::SystemClock,
                    $crate::kit::frame::Limits::default(),
                )
            }

            /// A session whose ids, times and limits are given, so that a run can be repeated
            /// exactly.
            pub fn with_sources(
                ids: impl $crate::kit::sources::IdSource + Send + 'static,
                clock: impl $crate::kit::sources::Clock + Send + 'static,
                limits: $crate::kit::frame::Limits,
            ) -> Self {
                Self {
                    core: $crate::kit::core::Core::new(Box::new(ids), Box::new(clock)),
                    streams: $crate::kit::streams::Streams::$streams(limits),
                    $($field: $value),*
                }
            }

            /// The canonical id of the session.
            #[must_use]
            pub fn session_id(&self) -> &$crate::canonical::RuntimeSessionId {
                self.core.session_id()
            }

            $(#[$push])+
            pub fn push(&mut self, direction: $crate::kit::session::Direction, bytes: &[u8]) {
                self.streams.push(direction, bytes);
                self.drain(direction);
            }

            /// The end of both streams: a last line without an end counts.
            pub fn finish(&mut self) {
                self.streams.finish();
                self.drain($crate::kit::session::Direction::ToAgent);
                self.drain($crate::kit::session::Direction::FromAgent);
            }

            /// Tells that the agent's program is gone, which no stream says: both streams end, and
            /// what is open ends with them. Give what is known of its exit.
            ///
            /// The events come after those of all outcomes, also of outcomes that were not taken
            /// yet, and have no raw message: requests are cancelled (a question is answered with
            /// `null`), items have failed, tasks and turns have failed (with
            /// [`ExitKind::Graceful`]($crate::canonical::ExitKind::Graceful): they are stopped and
            /// interrupted), hooks are cancelled, and `session.exited` is the last, unless the agent
            /// told it itself.
            ///
            /// Read both streams to their ends first. What is pushed after this comes from another
            /// program: it may go on with threads that the agent names, and its turns, items and
            /// requests are new ones.
            pub fn exited(
                &mut self,
                exit: $crate::canonical::SessionExited,
            ) -> Vec<$crate::canonical::RuntimeEvent> {
                self.finish();
                $(self.$field = $value;)*
                self.core.exit(exit)
            }

            /// The next outcome, in the order in which the lines were complete.
            pub fn next_outcome(&mut self) -> Option<$crate::kit::session::Outcome> {
                self.streams.next_outcome()
            }

            /// The outcomes so far, taken as they are asked for.
            pub fn outcomes(&mut self) -> impl Iterator<Item = $crate::kit::session::Outcome> + '_ {
                std::iter::from_fn(|| self.next_outcome())
            }
        }
    };
}
pub(crate) use session_api;
