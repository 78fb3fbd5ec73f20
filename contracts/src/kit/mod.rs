//! What the readers of all providers are built from: framing, envelopes, the sinks of rows, the
//! ledger that gives canonical ids and keeps lifecycles whole, and what becomes of a message.
//!
//! ```text
//! bytes ▶ frame, event_stream ▶ envelope ▶ decode (a provider's wire) ▶ mapping (sinks of rows) ▶ ledger ▶ events
//! ```

#![cfg_attr(
    not(all(
        feature = "acp",
        feature = "amp",
        feature = "claude",
        feature = "codex",
        feature = "codex-sdk",
        feature = "opencode"
    )),
    allow(
        dead_code,
        unused_imports,
        unused_macros,
        reason = "no provider uses all of it"
    )
)]

pub(crate) mod base64;
pub(crate) mod conversation;
pub(crate) mod core;
pub mod envelope;
pub mod event_stream;
pub(crate) mod failures;
mod feed;
pub(crate) mod fnv;
pub mod frame;
pub(crate) mod json_rpc;
pub mod ledger;
pub mod mapping;
pub(crate) mod members;
pub(crate) mod parts;
pub(crate) mod remembered;
pub mod session;
pub mod set;
pub mod sources;
pub(crate) mod streams;
pub mod transcript;
mod universal;
