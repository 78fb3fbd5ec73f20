//! Codex: its wire types, and their mapping to canonical events.

pub use crate::generated::codex::*;
