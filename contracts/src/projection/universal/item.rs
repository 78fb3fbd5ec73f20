//! Items of a universal transcript and the parts that they hold.

use std::sync::Arc;

use serde::Serialize;

use crate::canonical::wire_enum::wire_enum;
use crate::json::OwnedJson;
use crate::projection::form::{shared, shared_or_null};

wire_enum! {
    /// What an item is.
    pub enum ItemKind {
        /// What somebody said.
        Message = "message",
        /// A call of a tool.
        ToolCall = "tool_call",
        /// What a call of a tool gave.
        ToolResult = "tool_result",
        /// What the system said.
        System = "system",
        /// What is going on.
        Status = "status",
        /// Nothing that the schema names.
        Unknown = "unknown",
    }
}

wire_enum! {
    /// Who an item is of.
    pub enum ItemRole {
        /// The user.
        User = "user",
        /// The assistant.
        Assistant = "assistant",
        /// The system.
        System = "system",
        /// A tool.
        Tool = "tool",
    }
}

wire_enum! {
    /// How far an item is.
    pub enum ItemStatus {
        /// It is going on.
        InProgress = "in_progress",
        /// It ended well.
        Completed = "completed",
        /// It failed, or nobody can tell that it did not.
        Failed = "failed",
    }
}

wire_enum! {
    /// Whom a reasoning is for.
    pub enum Visibility {
        /// Written for the user, as a summary is.
        Public = "public",
        /// The model's own.
        Private = "private",
    }
}

wire_enum! {
    /// What happened to a file.
    pub enum FileAction {
        /// It was written whole.
        Write = "write",
        /// It was changed.
        Patch = "patch",
    }
}

/// A unit of a transcript.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Item {
    /// The item: the provider's id where it has one that no other item took, else one of ours.
    #[serde(serialize_with = "shared")]
    pub item_id: Arc<str>,
    /// The provider's own id of it.
    #[serde(serialize_with = "shared_or_null")]
    pub native_item_id: Option<Arc<str>>,
    /// The message that it belongs to, or the call whose result it is.
    #[serde(serialize_with = "shared_or_null")]
    pub parent_id: Option<Arc<str>>,
    /// What it is.
    pub kind: ItemKind,
    /// Who it is of.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub role: Option<ItemRole>,
    /// What it holds, in order.
    pub content: Vec<ContentPart>,
    /// How far it is.
    pub status: ItemStatus,
}

/// One part of what an item holds.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ContentPart {
    /// Text.
    Text {
        /// The text.
        text: String,
    },
    /// Any JSON.
    Json {
        /// The value, untouched.
        json: OwnedJson,
    },
    /// A call of a tool.
    ToolCall {
        /// The tool.
        name: String,
        /// What it was called with, as the text of a JSON value.
        arguments: String,
        /// The call.
        #[serde(serialize_with = "shared")]
        call_id: Arc<str>,
    },
    /// What a call of a tool gave.
    ToolResult {
        /// The call.
        #[serde(serialize_with = "shared")]
        call_id: Arc<str>,
        /// What it gave.
        output: String,
    },
    /// A file that a call touched.
    FileRef {
        /// Where it is.
        path: String,
        /// What happened to it.
        action: FileAction,
        /// How it changed, as a unified diff.
        #[serde(skip_serializing_if = "Option::is_none")]
        diff: Option<String>,
    },
    /// A reasoning.
    Reasoning {
        /// The text.
        text: String,
        /// Whom it is for.
        visibility: Visibility,
    },
    /// What is going on.
    Status {
        /// What, in a word.
        label: String,
        /// The rest.
        #[serde(skip_serializing_if = "Option::is_none")]
        detail: Option<String>,
    },
}
