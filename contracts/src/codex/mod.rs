//! Codex: its wire types, their mapping to canonical events, and the reader of a session.

mod app_server_notification;
mod app_server_request;
mod app_server_response;
mod eventmsg;
mod items;
mod mapping;
mod requests;

pub use crate::generated::codex::*;
pub use mapping::CodexMapping;
