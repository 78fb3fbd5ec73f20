//! What the tests over recorded and invented streams share.
#![allow(dead_code, clippy::unwrap_used, clippy::panic)]

pub mod acp;
pub mod compare;
pub mod described;
pub mod lifecycle;
pub mod messages;
pub mod recorded;
pub mod replay;
pub mod schema;
pub mod table;
pub mod wires;
