//! Typed events of coding agents, and one canonical event model over them.

pub mod canonical;
pub mod codex;
pub mod envelope;
mod fnv;
pub mod frame;
mod generated;
pub mod json;
pub mod ledger;
pub mod mapping;
pub mod sources;
