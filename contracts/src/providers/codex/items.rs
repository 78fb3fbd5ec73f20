//! Thread items as canonical items.

use crate::canonical::{ItemLifecycle, ItemStatus, ItemType};
use crate::json::OwnedJson;
use crate::kit::mapping::Cx;
use crate::providers::codex::wire::{
    FileUpdateChange, ThreadItem, ThreadItemKind, ThreadItemReasoning, UserInput, values,
};

use crate::kit::parts::{filled, id_of, joined, qualified};

/// What a message tells about its item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// That it began.
    Started,
    /// That it ended.
    Completed,
}

/// An item as canonical events tell it. `data` is the item as it was sent.
///
/// The id of an item whose type no vendored version has is lifted here, as far as it has one: its
/// later events must meet it.
pub(super) fn lifecycle(
    cx: &mut Cx<'_>,
    item: &ThreadItem<'_>,
    data: Option<OwnedJson>,
    step: Step,
) -> ItemLifecycle {
    if let ThreadItemKind::Unrecognized(unrecognized) = &item.kind
        && let Some(id) = id_of(unrecognized.raw)
    {
        cx.refs.item = Some(id.into());
    }
    let Words { title, detail } = words(&item.kind);
    ItemLifecycle {
        item_type: values::thread_item(item).unwrap_or(ItemType::Unknown),
        status: status(&item.kind, step),
        title,
        detail,
        data,
    }
}

/// The first path of a change of files, and how many others there are.
pub(super) fn changes_title(changes: &[FileUpdateChange<'_>]) -> Option<String> {
    let (first, others) = changes.split_first()?;
    filled(match others.len() {
        0 => first.path.to_string(),
        1 => format!("{} and 1 other", first.path),
        more => format!("{} and {more} others", first.path),
    })
}

/// How far an item is. One without a status is as far as the message tells; a status that cannot be
/// read is none, since it may well mean a failure.
fn status(kind: &ThreadItemKind<'_>, step: Step) -> Option<ItemStatus> {
    match kind {
        ThreadItemKind::CommandExecution(item) => values::command_execution_status(&item.status),
        ThreadItemKind::FileChange(item) => values::patch_apply_status(&item.status),
        ThreadItemKind::McpToolCall(item) => values::mcp_tool_call_status(&item.status),
        ThreadItemKind::CollabAgentToolCall(item) => {
            values::collab_agent_tool_call_status(&item.status)
        }
        // The call itself may have come to its end and still have failed.
        ThreadItemKind::DynamicToolCall(item) if item.success == Some(false) => {
            Some(ItemStatus::Failed)
        }
        ThreadItemKind::DynamicToolCall(item) => values::dynamic_tool_call_status(&item.status),
        ThreadItemKind::ImageGeneration(item) if item.failure.is_some() => Some(ItemStatus::Failed),
        ThreadItemKind::ImageGeneration(item) => image_generation_status(&item.status),
        ThreadItemKind::SubAgentActivity(item) if step == Step::Completed => {
            values::sub_agent_activity_kind(&item.kind)
        }
        ThreadItemKind::Unrecognized(_) if step == Step::Completed => None,
        ThreadItemKind::AgentMessage(_)
        | ThreadItemKind::ContextCompaction(_)
        | ThreadItemKind::EnteredReviewMode(_)
        | ThreadItemKind::ExitedReviewMode(_)
        | ThreadItemKind::FunctionCallOutput(_)
        | ThreadItemKind::HookPrompt(_)
        | ThreadItemKind::ImageView(_)
        | ThreadItemKind::Plan(_)
        | ThreadItemKind::Reasoning(_)
        | ThreadItemKind::Sleep(_)
        | ThreadItemKind::SubAgentActivity(_)
        | ThreadItemKind::UserMessage(_)
        | ThreadItemKind::WebSearch(_)
        | ThreadItemKind::Unrecognized(_) => Some(match step {
            Step::Started => ItemStatus::InProgress,
            Step::Completed => ItemStatus::Completed,
        }),
    }
}

/// The status of an image generation, which the schema leaves open.
pub(super) fn image_generation_status(status: &str) -> Option<ItemStatus> {
    match status {
        "completed" => Some(ItemStatus::Completed),
        "in_progress" => Some(ItemStatus::InProgress),
        "failed" => Some(ItemStatus::Failed),
        _ => None,
    }
}

/// What people read about an item.
#[derive(Default)]
struct Words {
    title: Option<String>,
    detail: Option<String>,
}

impl Words {
    fn title(title: impl Into<String>) -> Self {
        Self {
            title: filled(title),
            detail: None,
        }
    }

    fn detail(detail: impl Into<String>) -> Self {
        Self {
            title: None,
            detail: filled(detail),
        }
    }
}

fn words(kind: &ThreadItemKind<'_>) -> Words {
    match kind {
        ThreadItemKind::AgentMessage(item) => Words::detail(&*item.text),
        ThreadItemKind::CollabAgentToolCall(item) => Words::title(item.tool.as_str()),
        ThreadItemKind::CommandExecution(item) => Words {
            title: filled(&*item.command),
            detail: item.aggregated_output.as_deref().and_then(filled),
        },
        ThreadItemKind::DynamicToolCall(item) => {
            Words::title(qualified(item.namespace.as_deref(), &item.tool))
        }
        ThreadItemKind::EnteredReviewMode(item) => Words::detail(&*item.review),
        ThreadItemKind::ExitedReviewMode(item) => Words::detail(&*item.review),
        ThreadItemKind::FileChange(item) => Words {
            title: changes_title(&item.changes),
            detail: None,
        },
        ThreadItemKind::FunctionCallOutput(item) => {
            Words::title(qualified(item.namespace.as_deref(), &item.name))
        }
        ThreadItemKind::HookPrompt(item) => Words {
            title: filled("hook"),
            detail: joined(item.fragments.iter().map(|fragment| &fragment.text)),
        },
        ThreadItemKind::ImageGeneration(item) => {
            Words::title(item.revised_prompt.as_deref().unwrap_or_default())
        }
        ThreadItemKind::ImageView(item) => Words::title(&*item.path.0),
        ThreadItemKind::McpToolCall(item) => Words {
            title: filled(qualified(Some(&item.server), &item.tool)),
            detail: item
                .error
                .as_ref()
                .and_then(|error| filled(&*error.message)),
        },
        ThreadItemKind::Plan(item) => Words::detail(&*item.text),
        ThreadItemKind::Reasoning(item) => Words {
            title: None,
            detail: reasoning(item),
        },
        ThreadItemKind::Sleep(_) => Words::title("sleep"),
        ThreadItemKind::SubAgentActivity(item) => {
            Words::title(format!("{} {}", item.kind.as_str(), item.agent_path))
        }
        ThreadItemKind::UserMessage(item) => Words {
            title: None,
            detail: said(&item.content),
        },
        ThreadItemKind::WebSearch(item) => Words::title(&*item.query),
        ThreadItemKind::ContextCompaction(_) | ThreadItemKind::Unrecognized(_) => Words::default(),
    }
}

/// The summary of a reasoning, else the reasoning itself.
fn reasoning(item: &ThreadItemReasoning<'_>) -> Option<String> {
    let summary = item.summary.as_deref().unwrap_or_default();
    joined(summary).or_else(|| joined(item.content.as_deref().unwrap_or_default()))
}

/// The text parts of a message of the user.
fn said(content: &[UserInput<'_>]) -> Option<String> {
    joined(content.iter().filter_map(|input| match input {
        UserInput::Text(input) => Some(&input.text),
        UserInput::Audio(_)
        | UserInput::Image(_)
        | UserInput::LocalAudio(_)
        | UserInput::LocalImage(_)
        | UserInput::Mention(_)
        | UserInput::Skill(_)
        | UserInput::Unrecognized(_) => None,
    }))
}

#[cfg(test)]
#[path = "items_tests.rs"]
mod tests;
