//! Items of a turn: their types, their lifecycle, and the content streamed into them.

use serde::{Deserialize, Serialize};

use super::form::opaque;
use super::state::{ContentStreamKind, ItemStatus};
use super::wire_enum::wire_enum;
use crate::json::OwnedJson;

wire_enum! {
    /// What an item is.
    #[cfg_attr(feature = "schema", schemars(rename = "CanonicalItemType"))]
    pub enum ItemType {
        /// What the user said.
        UserMessage = "user_message",
        /// What the assistant said.
        AssistantMessage = "assistant_message",
        /// The model's reasoning.
        Reasoning = "reasoning",
        /// A plan.
        Plan = "plan",
        /// A command that is run.
        CommandExecution = "command_execution",
        /// A change of files.
        FileChange = "file_change",
        /// A call of a tool on an MCP server.
        McpToolCall = "mcp_tool_call",
        /// A call of any other tool.
        DynamicToolCall = "dynamic_tool_call",
        /// A call that starts or steers another agent.
        CollabAgentToolCall = "collab_agent_tool_call",
        /// A search of the web.
        WebSearch = "web_search",
        /// A look at an image.
        ImageView = "image_view",
        /// The beginning of a review.
        ReviewEntered = "review_entered",
        /// The end of a review.
        ReviewExited = "review_exited",
        /// A compaction of the context.
        ContextCompaction = "context_compaction",
        /// An error that stands among the items.
        Error = "error",
        /// Nothing that the model names.
        Unknown = "unknown",
    }
}

impl From<ContentStreamKind> for ItemType {
    /// The type of the item that a stream of this kind flows into.
    fn from(kind: ContentStreamKind) -> Self {
        match kind {
            ContentStreamKind::AssistantText => Self::AssistantMessage,
            ContentStreamKind::ReasoningText | ContentStreamKind::ReasoningSummaryText => {
                Self::Reasoning
            }
            ContentStreamKind::PlanText => Self::Plan,
            ContentStreamKind::CommandOutput => Self::CommandExecution,
            ContentStreamKind::FileChangeOutput => Self::FileChange,
            ContentStreamKind::Unknown => Self::Unknown,
        }
    }
}

/// The payload that the three item events share.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", schemars(rename = "ItemLifecyclePayload"))]
pub struct ItemLifecycle {
    /// What the item is.
    pub item_type: ItemType,
    /// How far it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<ItemStatus>,
    /// A short title for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// A longer text for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
    /// The provider's own item.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        deserialize_with = "opaque"
    )]
    pub data: Option<OwnedJson>,
}

impl ItemLifecycle {
    /// A payload that says no more than the type.
    #[must_use]
    pub const fn new(item_type: ItemType) -> Self {
        Self {
            item_type,
            status: None,
            title: None,
            detail: None,
            data: None,
        }
    }
}

macro_rules! lifecycle_events {
    ($( $(#[$meta:meta])* $name:ident($payload:ident); )+) => {$(
        $(#[$meta])*
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
        #[serde(transparent)]
        pub struct $name(
            /// The payload.
            pub $payload,
        );

        impl From<$payload> for $name {
            fn from(item: $payload) -> Self {
                Self(item)
            }
        }
    )+};
}

lifecycle_events! {
    /// An item began.
    ItemStarted(ItemLifecycle);
    /// Something about an item changed.
    ItemUpdated(ItemLifecycle);
    /// An item ended; its status says how.
    ItemCompleted(ItemLifecycle);
}

/// A piece of streamed content.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ContentDelta {
    /// What the content belongs to.
    pub stream_kind: ContentStreamKind,
    /// The text to append.
    pub delta: String,
    /// Which content part of the item it is for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub content_index: Option<i64>,
    /// Which part of the reasoning summary it is for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub summary_index: Option<i64>,
}

impl ContentDelta {
    /// A delta of the only part that the item has.
    pub fn new(stream_kind: ContentStreamKind, delta: impl Into<String>) -> Self {
        Self {
            stream_kind,
            delta: delta.into(),
            content_index: None,
            summary_index: None,
        }
    }
}
