//! OpenCode: the wire types of its server's events, their mapping to canonical events, and the
//! reader of its streams.
//!
//! A server holds many sessions; each is a thread here, also those that an agent starts. A turn is
//! the time from a message of the user, or from `busy`, to `idle`.

#[path = "event.rs"]
mod events;
mod failures;
mod forms;
mod mapping;
mod messages;
mod next;
mod next_events;
mod pieces;
mod requests;
mod server_events;
mod session;
mod session_events;
#[cfg(test)]
mod tests;
mod thread;
mod tools;
mod turns;
mod unread;

pub use crate::generated::opencode_v2::*;
pub use mapping::OpenCodeMapping;
pub use session::OpenCodeSession;
