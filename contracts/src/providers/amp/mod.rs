//! Amp: the wire types of its JSON stream, their mapping to canonical events, and the reader of
//! sessions.

mod session;
mod stream_json;
#[cfg(test)]
mod tests;
mod tools;

/// The wire types, and one module a surface: its rows, the trait that a mapping implements, and the
/// match over every variant.
pub use crate::generated::amp as wire;
pub use session::AmpSession;
pub use stream_json::AmpMapping;
