//! The agent client protocol: the wire types of its two generations, their mapping to canonical
//! events, and the reader of sessions. The version that `initialize` negotiates picks a generation;
//! names that both have are different types.

mod child_sessions;
mod generation;
mod mapping;
mod open_items;
mod pending;
mod reader;
mod rpc_errors;
mod session;
mod sessions;
mod shared;
mod texts;
mod todos;
mod tool_calls;
mod turns;
mod v1_answers;
mod v1_method;
mod v1_notification;
mod v1_parts;
mod v1_request;
mod v1_response;
mod v2_answers;
mod v2_calls;
mod v2_memory;
mod v2_notification;
mod v2_notification_method;
mod v2_parts;
mod v2_request;
mod v2_response;
#[cfg(test)]
mod v2_tests;
mod v2_turns;
#[cfg(test)]
mod v2_turns_tests;
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
