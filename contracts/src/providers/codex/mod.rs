//! Codex: its wire types, their mapping to canonical events, and the readers of sessions.
//!
//! [`wire`] has one module a surface, all generated: the rows as data, the trait that a mapping
//! implements, and the match over every variant. [`CodexMapping`] implements all four.

mod answers;
mod app_server_notification;
mod app_server_request;
mod app_server_response;
mod eventmsg;
mod eventmsg_parts;
mod items;
#[cfg(test)]
mod lives_tests;
mod mapping;
mod notices;
mod requests;
mod rollout;
mod rpc_errors;
mod secrets;
mod session;
mod turn_items;
mod turn_memory;

/// The wire types, and one module a surface: its rows, the trait that a mapping implements, and the
/// match over every variant.
pub use crate::generated::codex as wire;
pub use answers::default_answer;
pub use mapping::CodexMapping;
pub use rollout::CodexRollout;
pub use session::CodexSession;
