//! Codex: its wire types, their mapping to canonical events, and the readers of sessions.
//!
//! The modules [`app_server_notification`], [`app_server_request`], [`app_server_response`] and
//! [`eventmsg`] are generated, one a surface: the rows as data, the trait that a mapping
//! implements, and the match over every variant. [`CodexMapping`] implements all four.

mod answers;
#[path = "eventmsg.rs"]
mod event_messages;
mod eventmsg_parts;
mod items;
mod mapping;
mod notices;
#[path = "app_server_notification.rs"]
mod notifications;
mod requests;
#[path = "app_server_response.rs"]
mod responses;
mod rollout;
mod rpc_errors;
mod secrets;
#[path = "app_server_request.rs"]
mod server_requests;
mod session;
mod turn_items;
mod turn_memory;

pub use crate::generated::codex::*;
pub use answers::default_answer;
pub use mapping::CodexMapping;
pub use rollout::CodexRollout;
pub use session::CodexSession;
