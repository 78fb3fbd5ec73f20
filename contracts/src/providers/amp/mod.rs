//! Amp: the wire types of its JSON stream, their mapping to canonical events, and the reader of
//! sessions.

mod host;
mod items;
mod mapping;
mod plan;
mod results;
mod session;
mod stream_json;
#[cfg(test)]
mod tests;

/// The wire types, and one module a surface: its rows, the trait that a mapping implements, and the
/// match over every variant.
pub use crate::generated::amp as wire;
pub use mapping::AmpMapping;
pub use session::AmpSession;
