//! Typed events of coding agents, and one canonical event model over them.
//!
//! - [`codex`]: the wire types of Codex, its mapping, and the readers of sessions
//!   ([`codex::CodexSession`]) and stored sessions ([`codex::CodexRollout`]);
//! - [`claude`]: the wire types of the Claude Agent SDK, its mapping, and the reader of sessions
//!   ([`claude::ClaudeSession`]);
//! - [`acp`]: the agent client protocol, which Cursor and other agents speak: its wire types, its
//!   mapping, and the reader of sessions ([`acp::AcpSession`]);
//! - [`amp`]: the JSON stream of Amp: its wire types, its mapping, and the reader of sessions
//!   ([`amp::AmpSession`]);
//! - [`codex_sdk`]: the lines of `codex exec --json`, which the Codex SDK reads: their wire types,
//!   their mapping, and the reader of runs ([`codex_sdk::CodexSdkSession`]);
//! - [`opencode`]: the events of OpenCode's server: their wire types, their mapping, and the reader of
//!   its streams ([`opencode::OpenCodeSession`]);
//! - [`canonical`]: the canonical event model that every provider is mapped to;
//! - [`projection`]: canonical events as the events of smaller models;
//! - [`session`]: what a reader gives back for each message;
//! - [`json`], [`frame`], [`event_stream`], [`envelope`]: the layers below, of use on their own;
//! - [`ledger`], [`sources`]: canonical ids and times, and where they come from;
//! - [`transcript`]: recorded streams.

pub mod canonical;
mod generated;
pub mod json;
mod kit;
pub mod projection;
mod providers;

#[allow(unused_imports, reason = "a build may have no provider")]
pub use kit::session::Session;
pub use kit::{envelope, event_stream, frame, ledger, mapping, session, sources, transcript};
pub use providers::*;

#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
struct Readme;
