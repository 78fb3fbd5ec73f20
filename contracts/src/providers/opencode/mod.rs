//! OpenCode: the wire types of its server's events, their mapping to canonical events, and the
//! reader of its streams.
//!
//! A server holds many sessions; each is a thread here, also those that an agent starts. A turn is
//! the time from a message of the user, or from `busy`, to `idle`.

#[cfg(test)]
mod bench;
mod event;
mod failures;
#[cfg(test)]
mod form_tests;
mod forms;
#[cfg(test)]
mod host_tests;
#[cfg(test)]
mod item_tests;
#[cfg(test)]
mod life_tests;
mod lives;
mod mapping;
mod messages;
mod next;
mod next_events;
mod pieces;
mod request_events;
mod requests;
mod server_events;
mod session;
mod session_events;
mod texts;
mod thread;
mod tools;
#[cfg(test)]
mod turn_tests;
mod turns;
mod unread;
mod waiting;

/// The wire types, and one module a surface: its rows, the trait that a mapping implements, and the
/// match over every variant.
pub use crate::generated::opencode_v2 as wire;
pub use mapping::OpenCodeMapping;
pub use session::OpenCodeSession;
