//! Amp: the wire types of its JSON stream, their mapping to canonical events, and the reader of
//! sessions.

mod host;
mod items;
mod mapping;
mod plan;
mod results;
mod session;
#[path = "stream_json.rs"]
mod stream_messages;
#[cfg(test)]
mod tests;

pub use crate::generated::amp::*;
pub use mapping::AmpMapping;
pub use session::AmpSession;
