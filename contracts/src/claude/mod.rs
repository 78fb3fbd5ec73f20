//! The Claude Agent SDK: the wire types of its program, their mapping to canonical events, and the
//! reader of sessions.

#[cfg(test)]
mod bench;
mod blocks;
#[cfg(test)]
mod blocks_tests;
mod calls;
mod errors;
mod head;
mod host;
mod lines;
mod mapping;
mod messages;
mod notices;
mod open_items;
mod plan;
mod reader;
mod replies;
mod result_block;
mod results;
mod said;
mod sdk_message;
mod sdk_permission;
mod session;
#[cfg(test)]
mod session_tests;
mod texts;
mod turns;
#[cfg(test)]
mod turns_tests;
mod work;

pub use crate::generated::claude::*;
pub use mapping::ClaudeMapping;
pub use session::ClaudeSession;
