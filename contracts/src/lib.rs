//! Typed events of coding agents, and one canonical event model over them.
//!
//! - [`codex`]: the wire types of Codex, its mapping, and the readers of sessions
//!   ([`codex::CodexSession`]) and stored sessions ([`codex::CodexRollout`]);
//! - [`acp`]: the wire types of the agent client protocol, which Cursor and other agents speak;
//! - [`canonical`]: the canonical event model that every provider is mapped to;
//! - [`session`]: what a reader gives back for each message;
//! - [`json`], [`frame`], [`envelope`]: the layers below, of use on their own;
//! - [`ledger`], [`sources`]: canonical ids and times, and where they come from;
//! - [`transcript`]: recorded streams.

#[cfg(feature = "acp")]
pub mod acp;
pub mod canonical;
#[cfg(feature = "codex")]
pub mod codex;
pub mod envelope;
mod fnv;
pub mod frame;
mod generated;
pub mod json;
pub mod ledger;
pub mod mapping;
pub mod session;
pub mod sources;
pub mod transcript;

#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
struct Readme;
