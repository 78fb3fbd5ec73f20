//! The Claude Agent SDK: the wire types of its program, their mapping to canonical events, and the
//! reader of sessions.

mod answers;
mod blocks;
#[cfg(test)]
mod blocks_tests;
mod errors;
#[cfg(test)]
mod lifecycle_tests;
mod lines;
mod mapping;
mod messages;
mod notices;
mod plan;
mod reader;
mod replies;
mod requests;
mod result_block;
mod results;
mod sdk_message;
mod sdk_permission;
mod session;
#[cfg(test)]
mod session_lines;
#[cfg(test)]
mod session_tests;
mod tasks;
#[cfg(test)]
mod turns_tests;
mod work;

/// The wire types, and one module a surface: its rows, the trait that a mapping implements, and the
/// match over every variant.
pub use crate::generated::claude as wire;
pub use mapping::ClaudeMapping;
pub use session::ClaudeSession;
