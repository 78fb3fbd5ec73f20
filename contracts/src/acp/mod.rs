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

/// Wire types, traits and arms of protocol version 1.
pub mod v1 {
    pub use crate::generated::acp_v1::*;
}

/// Wire types, traits and arms of protocol version 2.
pub mod v2 {
    pub use crate::generated::acp_v2::*;
}
