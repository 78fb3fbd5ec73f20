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
mod thread_event;
mod unread;

/// The wire types, and one module a surface: its rows, the trait that a mapping implements, and the
/// match over every variant.
pub use crate::generated::codex_sdk as wire;
pub use mapping::CodexSdkMapping;
pub use session::CodexSdkSession;
