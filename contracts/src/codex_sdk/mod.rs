//! `codex exec --json`, which the Codex SDK runs: the wire types of its lines, their mapping to
//! canonical events, and the reader of runs.
//!
//! A run is one process and, but for reviews, one turn. A thread is continued by further runs.

mod failure;
mod items;
mod mapping;
mod session;
#[cfg(test)]
mod tests;
#[path = "thread_event.rs"]
mod thread_events;
mod unread;

pub use crate::generated::codex_sdk::*;
pub use mapping::CodexSdkMapping;
pub use session::CodexSdkSession;
