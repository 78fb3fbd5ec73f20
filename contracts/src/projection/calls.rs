//! Calls of tools: the name of a tool, as far as a canonical item tells it.

use super::opaque::member_text;
use crate::canonical::{ItemLifecycle, ItemType};

/// The name of a tool: the provider's where there is one, else the canonical type, since a command
/// line or a path is no name.
pub(super) fn call_name(item: &ItemLifecycle) -> String {
    let title = || item.title.clone().filter(|title| !title.is_empty());
    let own = match item.item_type {
        ItemType::McpToolCall | ItemType::CollabAgentToolCall => title(),
        ItemType::DynamicToolCall => named(item).or_else(title),
        ItemType::CommandExecution
        | ItemType::FileChange
        | ItemType::WebSearch
        | ItemType::ImageView => None,
        ItemType::UserMessage
        | ItemType::AssistantMessage
        | ItemType::Reasoning
        | ItemType::Plan
        | ItemType::ReviewEntered
        | ItemType::ReviewExited
        | ItemType::ContextCompaction
        | ItemType::Error
        | ItemType::Unknown => named(item),
    };
    own.unwrap_or_else(|| item.item_type.as_str().to_owned())
}

/// The name that the provider's own item gives.
pub(super) fn named(item: &ItemLifecycle) -> Option<String> {
    let data = item.data.as_ref()?;
    ["name", "tool_name", "toolName", "tool"]
        .iter()
        .find_map(|member| member_text(data.as_str(), member))
        .filter(|name| !name.is_empty())
}
