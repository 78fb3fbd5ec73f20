//! Where an event came from: the provider, its surface, and the untouched message.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::form::shared_text;
use super::wire_enum::wire_enum;
use crate::json::OwnedJson;

wire_enum! {
    /// The agent program that an event comes from.
    pub enum ProviderKind {
        /// Codex.
        Codex = "codex",
        /// Claude Code and the Claude Agent SDK.
        Claude = "claude",
        /// Cursor, and other agents that speak its protocol.
        Cursor = "cursor",
        /// OpenCode.
        OpenCode = "opencode",
        /// Amp.
        Amp = "amp",
        ..
        /// A provider that is kept outside of this crate, by the name that its reader gives it.
        Other
    }
}

wire_enum! {
    /// The surface that the raw message was sent on.
    pub enum RawSource {
        /// A notification of the Codex app server.
        CodexAppServerNotification = "codex.app-server.notification",
        /// A request that the Codex app server sends to its client.
        CodexAppServerRequest = "codex.app-server.request",
        /// An `EventMsg` of Codex, live or from a session file.
        CodexEventmsg = "codex.eventmsg",
        /// A message of the Claude Agent SDK.
        ClaudeSdkMessage = "claude.sdk.message",
        /// A permission request of the Claude Agent SDK.
        ClaudeSdkPermission = "claude.sdk.permission",
        /// A thread event of the Codex SDK.
        CodexSdkThreadEvent = "codex.sdk.thread-event",
        /// A notification of the agent client protocol.
        CursorAcpNotification = "cursor.acp.notification",
        /// A request that an agent sends over the agent client protocol.
        CursorAcpRequest = "cursor.acp.request",
        /// An agent's response over the agent client protocol.
        CursorAcpResponse = "cursor.acp.response",
        /// A response of the Codex app server.
        CodexAppServerResponse = "codex.app-server.response"
            extension "responses such as thread/start carry state that no notification repeats",
        /// An event of OpenCode.
        OpencodeEvent = "opencode.event"
            extension "a provider that the source of the model does not cover",
        /// A line of Amp's JSON stream.
        AmpStreamJson = "amp.stream-json"
            extension "a provider that the source of the model does not cover",
        ..
        /// A surface of a provider that is kept outside of this crate, by its id.
        Other
    }
}

/// The message that caused an event, exactly as the provider sent it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct RuntimeEventRaw {
    /// The surface.
    pub source: RawSource,
    /// The method, where the surface has methods.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "shared_text")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<String>"))]
    pub method: Option<Arc<str>>,
    /// The message type, where the surface has message types.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "shared_text")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<String>"))]
    pub message_type: Option<Arc<str>>,
    /// The message itself.
    pub payload: OwnedJson,
}
