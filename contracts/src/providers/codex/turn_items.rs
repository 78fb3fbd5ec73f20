//! Items of the older event protocol as canonical items.

use crate::canonical::{ItemLifecycle, ItemStatus, ItemType};
use crate::json::{Map, decode};
use crate::kit::mapping::Cx;
use crate::providers::codex::wire::eventmsg::{ReviewOutputEvent, UserInput};
use crate::providers::codex::wire::{
    AgentMessageContent, AgentStatus, FileChange, SubAgentActivityKind, TurnItem,
    TurnItemAgentMessage, TurnItemReasoning, values,
};

use super::items::{Step, image_generation_status};
use crate::kit::parts::{filled, joined, qualified};

/// The item of `item_started` and `item_completed` as canonical events tell it. `data` is the item
/// as it was sent.
///
/// The id of an item whose type no vendored version has is lifted here, as far as it has one: its
/// later events must meet it.
pub(super) fn lifecycle(cx: &mut Cx<'_>, item: &TurnItem<'_>, step: Step) -> ItemLifecycle {
    if let TurnItem::Unrecognized(_) = item
        && let Some(id) = cx.raw(&["item", "id"])
        && let Ok(id) = id.reader().string()
    {
        cx.refs.item = Some(id.into());
    }
    ItemLifecycle {
        item_type: values::turn_item(item).unwrap_or(ItemType::Unknown),
        status: status(item, step),
        title: title(item),
        detail: detail(item),
        data: cx.raw(&["item"]),
    }
}

/// How far an item is. One without a status is as far as the message tells; a status that cannot be
/// read is none, since it may well mean a failure.
fn status(item: &TurnItem<'_>, step: Step) -> Option<ItemStatus> {
    match item {
        TurnItem::CommandExecution(item) => values::eventmsg_exec_command_status(&item.status),
        TurnItem::FileChange(item) => values::eventmsg_patch_apply_status(&item.status),
        TurnItem::McpToolCall(item) => values::eventmsg_tool_call_status(&item.status),
        TurnItem::CollabAgentToolCall(item) => values::eventmsg_tool_call_status(&item.status),
        // The call itself may have come to its end and still have failed.
        TurnItem::DynamicToolCall(item) if item.success == Some(false) => Some(ItemStatus::Failed),
        TurnItem::DynamicToolCall(item) => values::eventmsg_tool_call_status(&item.status),
        TurnItem::ImageGeneration(item) => image_generation_status(&item.status),
        TurnItem::SubAgentActivity(item) if step == Step::Completed => activity_status(&item.kind),
        TurnItem::Unrecognized(_) if step == Step::Completed => None,
        TurnItem::AgentMessage(_)
        | TurnItem::ContextCompaction(_)
        | TurnItem::EnteredReviewMode(_)
        | TurnItem::ExitedReviewMode(_)
        | TurnItem::ImageView(_)
        | TurnItem::Plan(_)
        | TurnItem::Reasoning(_)
        | TurnItem::SubAgentActivity(_)
        | TurnItem::UserMessage(_)
        | TurnItem::WebSearch(_)
        | TurnItem::Unrecognized(_) => Some(match step {
            Step::Started => ItemStatus::InProgress,
            Step::Completed => ItemStatus::Completed,
        }),
    }
}

/// The status by the kind of an activity, whose words are those of the app server.
fn activity_status(kind: &str) -> Option<ItemStatus> {
    let kind = serde_json::Value::from(kind).to_string();
    let (kind, _) = decode::<SubAgentActivityKind>(&kind).ok()?;
    values::sub_agent_activity_kind(&kind)
}

fn title(item: &TurnItem<'_>) -> Option<String> {
    match item {
        TurnItem::CollabAgentToolCall(item) => filled(&*item.tool),
        TurnItem::CommandExecution(item) => command_line(&item.command),
        TurnItem::DynamicToolCall(item) => filled(qualified(item.namespace.as_deref(), &item.tool)),
        TurnItem::FileChange(item) => changes_title(&item.changes),
        TurnItem::ImageGeneration(item) => item.revised_prompt.as_deref().and_then(filled),
        TurnItem::ImageView(item) => item.path.as_deref().and_then(filled),
        TurnItem::McpToolCall(item) => filled(qualified(Some(&item.server), &item.tool)),
        TurnItem::SubAgentActivity(item) => filled(match item.agent_path.as_deref() {
            Some(path) => format!("{} {path}", item.kind),
            None => item.kind.to_string(),
        }),
        TurnItem::WebSearch(item) => filled(&*item.query),
        TurnItem::AgentMessage(_)
        | TurnItem::ContextCompaction(_)
        | TurnItem::EnteredReviewMode(_)
        | TurnItem::ExitedReviewMode(_)
        | TurnItem::Plan(_)
        | TurnItem::Reasoning(_)
        | TurnItem::UserMessage(_)
        | TurnItem::Unrecognized(_) => None,
    }
}

fn detail(item: &TurnItem<'_>) -> Option<String> {
    match item {
        TurnItem::AgentMessage(item) => answered(item),
        TurnItem::CommandExecution(item) => item.aggregated_output.as_deref().and_then(filled),
        TurnItem::EnteredReviewMode(item) => item.user_facing_hint.as_deref().and_then(filled),
        TurnItem::ExitedReviewMode(item) => {
            let output = item.review_output?;
            let (output, _) = decode::<ReviewOutputEvent<'_>>(output.as_str()).ok()?;
            review_text(&output)
        }
        TurnItem::FileChange(item) => patch_text(item.stdout.as_deref(), item.stderr.as_deref()),
        TurnItem::McpToolCall(item) => item
            .error
            .as_ref()
            .and_then(|error| filled(&*error.message)),
        TurnItem::Plan(item) => filled(&*item.text),
        TurnItem::Reasoning(item) => reasoning(item),
        TurnItem::UserMessage(item) => said(&item.content),
        TurnItem::CollabAgentToolCall(_)
        | TurnItem::ContextCompaction(_)
        | TurnItem::DynamicToolCall(_)
        | TurnItem::ImageGeneration(_)
        | TurnItem::ImageView(_)
        | TurnItem::SubAgentActivity(_)
        | TurnItem::WebSearch(_)
        | TurnItem::Unrecognized(_) => None,
    }
}

/// The parts of the assistant's message, which are pieces of one text.
fn answered(item: &TurnItemAgentMessage<'_>) -> Option<String> {
    let texts = item.content.iter().filter_map(|content| match content {
        AgentMessageContent::Text(content) => Some(&*content.text),
        AgentMessageContent::Unrecognized(_) => None,
    });
    filled(texts.collect::<String>())
}

/// The summary of a reasoning, else the reasoning itself.
fn reasoning(item: &TurnItemReasoning<'_>) -> Option<String> {
    joined(&item.summary_text).or_else(|| joined(item.raw_content.as_deref().unwrap_or_default()))
}

/// The text parts of a message of the user.
fn said(content: &[UserInput<'_>]) -> Option<String> {
    joined(content.iter().filter_map(|input| match input {
        UserInput::Text(input) => Some(&input.text),
        UserInput::Image(_)
        | UserInput::LocalImage(_)
        | UserInput::Mention(_)
        | UserInput::Skill(_)
        | UserInput::Unrecognized(_) => None,
    }))
}

/// The words of a command with a space between any two, as a title and not for a shell.
pub(super) fn command_line<T: AsRef<str>>(command: &[T]) -> Option<String> {
    let words: Vec<&str> = command.iter().map(AsRef::as_ref).collect();
    filled(words.join(" "))
}

/// The first path of a change of files, and how many others there are.
pub(super) fn changes_title(changes: &Map<'_, FileChange<'_>>) -> Option<String> {
    let first = changes.keys().next()?;
    filled(match changes.len() {
        1 => first.to_string(),
        2 => format!("{first} and 1 other"),
        all => format!("{first} and {} others", all - 1),
    })
}

/// What a patch printed: its complaint, where it has one.
pub(super) fn patch_text(stdout: Option<&str>, stderr: Option<&str>) -> Option<String> {
    stderr.and_then(filled).or_else(|| stdout.and_then(filled))
}

/// What a review found: its explanation, and the titles of its findings.
pub(super) fn review_text(review: &ReviewOutputEvent<'_>) -> Option<String> {
    let explanation = Some(&review.overall_explanation).filter(|text| !text.is_empty());
    let findings = review.findings.iter().map(|finding| &finding.title);
    joined(explanation.into_iter().chain(findings))
}

/// What another agent had to say when the call that was about it ended.
pub(super) fn agent_text(status: &AgentStatus<'_>) -> Option<String> {
    match status {
        AgentStatus::Completed(message) => message.as_deref().and_then(filled),
        AgentStatus::Errored(message) => filled(&**message),
        AgentStatus::NotFound
        | AgentStatus::PendingInit
        | AgentStatus::Running
        | AgentStatus::Shutdown
        | AgentStatus::Unrecognized(_) => None,
    }
}

#[cfg(test)]
#[path = "turn_items_tests.rs"]
mod tests;
