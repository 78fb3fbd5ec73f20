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

#[cfg(feature = "acp")]
pub mod acp;
#[cfg(feature = "amp")]
pub mod amp;
#[cfg(any(feature = "acp", feature = "codex"))]
mod base64;
pub mod canonical;
#[cfg(feature = "claude")]
pub mod claude;
#[cfg(feature = "codex")]
pub mod codex;
#[cfg(feature = "codex-sdk")]
pub mod codex_sdk;
#[cfg(any(
    feature = "acp",
    feature = "amp",
    feature = "claude",
    feature = "codex",
    feature = "codex-sdk",
    feature = "opencode"
))]
mod core;
pub mod envelope;
pub mod event_stream;
#[cfg(any(
    feature = "amp",
    feature = "claude",
    feature = "codex-sdk",
    feature = "opencode"
))]
mod failures;
#[cfg(any(
    feature = "acp",
    feature = "amp",
    feature = "claude",
    feature = "codex",
    feature = "codex-sdk",
    feature = "opencode"
))]
#[cfg_attr(
    not(feature = "opencode"),
    allow(dead_code, reason = "one of the servers sends events")
)]
mod feed;
mod fnv;
pub mod frame;
mod generated;
pub mod json;
pub mod ledger;
pub mod mapping;
#[cfg(any(
    feature = "acp",
    feature = "amp",
    feature = "claude",
    feature = "codex",
    feature = "codex-sdk",
    feature = "opencode"
))]
#[cfg_attr(
    not(all(feature = "acp", feature = "claude", feature = "codex")),
    allow(dead_code, reason = "no provider uses all of it")
)]
mod members;
#[cfg(feature = "opencode")]
pub mod opencode;
#[cfg(any(
    feature = "acp",
    feature = "amp",
    feature = "claude",
    feature = "codex",
    feature = "codex-sdk",
    feature = "opencode"
))]
#[cfg_attr(
    not(all(feature = "acp", feature = "claude", feature = "codex")),
    allow(dead_code, reason = "no provider uses all of it")
)]
mod parts;
pub mod projection;
#[cfg_attr(
    not(all(feature = "acp", feature = "claude", feature = "codex")),
    allow(dead_code, reason = "no provider uses all of it")
)]
mod remembered;
pub mod session;
pub mod sources;
#[cfg(any(feature = "amp", feature = "claude"))]
#[cfg_attr(
    not(feature = "claude"),
    allow(dead_code, reason = "one of the agents uses all of it")
)]
mod stream_json;
#[cfg(any(
    feature = "acp",
    feature = "amp",
    feature = "claude",
    feature = "codex",
    feature = "codex-sdk",
    feature = "opencode"
))]
mod streams;
pub mod transcript;

#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
struct Readme;
