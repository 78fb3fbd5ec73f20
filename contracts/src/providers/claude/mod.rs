//! The Claude Agent SDK: the wire types of its program, their mapping to canonical events, and the
//! reader of sessions.

#[cfg(test)]
mod bench;
mod blocks;
#[cfg(test)]
mod blocks_tests;
mod errors;
mod head;
mod host;
mod lines;
mod mapping;
mod messages;
mod notices;
mod plan;
mod reader;
mod replies;
mod result_block;
mod results;
mod sdk_message;
mod sdk_permission;
mod session;
#[cfg(test)]
mod session_tests;
mod texts;
#[cfg(test)]
mod turns_tests;
mod work;

/// The wire types, and one module a surface: its rows, the trait that a mapping implements, and the
/// match over every variant.
pub use crate::generated::claude as wire;
pub use mapping::ClaudeMapping;
pub use session::ClaudeSession;
