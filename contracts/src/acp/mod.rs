//! The agent client protocol: the wire types of its two generations. The version that `initialize`
//! negotiates picks one of them; names that both have are different types.

#[cfg(test)]
mod wire_tests;

/// Wire types, traits and arms of protocol version 1.
pub mod v1 {
    pub use crate::generated::acp_v1::*;
}

/// Wire types, traits and arms of protocol version 2.
pub mod v2 {
    pub use crate::generated::acp_v2::*;
}
