//! The providers, one folder and one feature each: a reader of sessions, and the wire types below it.

#[cfg(feature = "acp")]
pub mod acp;
#[cfg(feature = "amp")]
pub mod amp;
#[cfg(feature = "claude")]
pub mod claude;
#[cfg(feature = "codex")]
pub mod codex;
#[cfg(feature = "codex-sdk")]
pub mod codex_sdk;
#[cfg(feature = "opencode")]
pub mod opencode;
