//! The agent client protocol: the wire types of its two generations, their mapping to canonical
//! events, and the reader of sessions. The version that `initialize` negotiates picks a generation;
//! names that both have are different types.
//!
//! `session` has the driver read messages; `protocol` decodes them as those of a `generation`, whose
//! surfaces stand in `v1` and `v2`, one file each. They remember in `mapping`, which is made of
//! plain parts.

mod asked;
mod child_sessions;
mod generation;
mod keys;
mod mapping;
mod open_items;
mod parts;
mod protocol;
mod requests;
mod rpc_errors;
mod session;
mod sessions;
mod shared;
mod texts;
mod todos;
mod tool_calls;
mod turns;
mod v1;
mod v2;
mod version;
#[cfg(test)]
mod wire_tests;

pub use mapping::AcpMapping;
pub use session::AcpSession;

/// The wire types, and one module a surface: its rows, the trait that a mapping implements, and the
/// match over every variant.
pub mod wire {
    /// Version 1 of the protocol.
    pub use crate::generated::acp_v1 as v1;
    /// Version 2 of the protocol.
    pub use crate::generated::acp_v2 as v2;
}
