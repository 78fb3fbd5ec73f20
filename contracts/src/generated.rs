//! Hand-written: the only door to the generated code, which `cargo xtask regen` writes whole.

#![allow(missing_docs, unused_imports, clippy::all)]

#[cfg(feature = "acp")]
#[rustfmt::skip]
pub mod acp_v1;
#[cfg(feature = "acp")]
#[rustfmt::skip]
pub mod acp_v2;
#[cfg(feature = "amp")]
#[rustfmt::skip]
pub mod amp;
#[cfg(feature = "claude")]
#[rustfmt::skip]
pub mod claude;
#[cfg(feature = "codex")]
#[rustfmt::skip]
pub mod codex;
#[cfg(feature = "codex-sdk")]
#[rustfmt::skip]
pub mod codex_sdk;
#[allow(dead_code, reason = "each provider takes its own")]
#[rustfmt::skip]
pub(crate) mod lifecycles;
#[cfg(feature = "opencode")]
#[rustfmt::skip]
pub mod opencode_v2;
#[rustfmt::skip]
pub mod projection;
#[rustfmt::skip]
mod seal;
