//! Parts that messages of version 1 are made of, in the words of canonical events.

use std::sync::Arc;

use crate::canonical::{
    ItemLifecycle, ItemStatus, ItemType, PlanStep, PlanStepStatus, RequestType, TaskStatus,
    TurnPlanUpdated,
};
use crate::kit::mapping::Cx;
use crate::kit::parts::{filled, part};
use crate::providers::acp::wire::v1::{
    ContentBlock, ContentChunk, IdleStateUpdate, IdleStateUpdateStopReason, PlanEntry, StateUpdate,
    ToolCallContent, ToolCallUpdate, ToolKind, values,
};

use crate::providers::acp::child_sessions::{ChildEnd, ChildState};
use crate::providers::acp::tool_calls::{News, output_summary};

/// What an update tells about its call.
pub(super) fn news_of<'m>(call: &'m ToolCallUpdate<'_>) -> News<'m> {
    News {
        by_kind: call.kind.as_ref().and_then(by_kind),
        name: call.name.as_deref(),
        title: call.title.as_deref(),
        status: call.status.as_ref().and_then(values::tool_call_status),
        input: call.raw_input,
        output: output_summary(call.raw_output).or_else(|| call.content.as_deref().and_then(shown)),
    }
}

pub(super) fn by_kind(kind: &ToolKind) -> Option<(ItemType, RequestType)> {
    values::tool_kind(kind).zip(values::tool_kind_approval(kind))
}

/// A call that is announced when it is over began before.
pub(super) fn begun(item: &ItemLifecycle) -> ItemLifecycle {
    ItemLifecycle {
        status: Some(ItemStatus::InProgress),
        detail: None,
        ..item.clone()
    }
}

/// The steps of a plan. A status that cannot be read is shown as not done.
pub(super) fn plan_of(entries: &[PlanEntry<'_>]) -> TurnPlanUpdated {
    let steps = entries.iter().map(|entry| PlanStep {
        step: entry.content.to_string(),
        status: values::plan_entry_status(&entry.status).unwrap_or(PlanStepStatus::Pending),
    });
    TurnPlanUpdated {
        explanation: None,
        plan: steps.collect(),
    }
}

/// The item of a chunk, where the agent names its message. Some agents give a thought the id of
/// the message that follows it, and these are two items.
pub(super) fn message_item(chunk: &ContentChunk<'_>, item_type: ItemType) -> Option<Arc<str>> {
    let id = chunk.message_id.as_ref()?.as_str();
    Some(if item_type == ItemType::Reasoning {
        Arc::from(format!("{id}#thought"))
    } else {
        Arc::from(id)
    })
}

/// A block of content as news about the item that it is a part of.
pub(super) fn block_item(
    cx: &Cx<'_>,
    item_type: ItemType,
    block: &ContentBlock<'_>,
) -> ItemLifecycle {
    ItemLifecycle {
        detail: text(block).and_then(filled),
        data: Some(part(cx, &["content"])),
        ..ItemLifecycle::new(item_type)
    }
}

/// The text of a block, where it is one.
pub(super) fn text<'m>(block: &'m ContentBlock<'_>) -> Option<&'m str> {
    match block {
        ContentBlock::Text(content) => Some(&content.text),
        ContentBlock::Audio(_)
        | ContentBlock::Image(_)
        | ContentBlock::Resource(_)
        | ContentBlock::ResourceLink(_)
        | ContentBlock::Unrecognized(_) => None,
    }
}

/// The text blocks as one text.
pub(super) fn joined(blocks: &[ContentBlock<'_>]) -> Option<String> {
    let texts: Vec<&str> = blocks.iter().filter_map(text).collect();
    filled(texts.join("\n"))
}

/// The text that a call shows.
pub(super) fn shown(content: &[ToolCallContent<'_>]) -> Option<String> {
    let texts = content.iter().filter_map(|content| match content {
        ToolCallContent::Content(content) => text(&content.content),
        ToolCallContent::Diff(_)
        | ToolCallContent::Terminal(_)
        | ToolCallContent::Unrecognized(_) => None,
    });
    filled(texts.collect::<Vec<_>>().join("\n"))
}

/// The state of a child session.
pub(super) fn child_state<'m>(state: &'m StateUpdate<'_>) -> ChildState<'m> {
    let end = if let StateUpdate::Idle(idle) = state {
        Some(ChildEnd {
            says_so: idle.stop_reason.is_some() || idle.error.is_some(),
            status: task_status(idle),
            summary: idle.error.as_ref().map(|error| error.message.to_string()),
        })
    } else {
        None
    };
    ChildState {
        word: state.tag(),
        works: matches!(
            state,
            StateUpdate::Running(_) | StateUpdate::RequiresAction(_)
        ),
        end,
    }
}

/// How a child session ended. One that stopped for a reason that cannot be read has failed, as far
/// as anyone can tell; one that gives no reason has come to rest.
fn task_status(idle: &IdleStateUpdate<'_>) -> TaskStatus {
    if idle.error.is_some() {
        return TaskStatus::Failed;
    }
    match &idle.stop_reason {
        None | Some(IdleStateUpdateStopReason::EndTurn) => TaskStatus::Completed,
        Some(
            IdleStateUpdateStopReason::Cancelled
            | IdleStateUpdateStopReason::MaxTokens
            | IdleStateUpdateStopReason::MaxTurnRequests,
        ) => TaskStatus::Stopped,
        Some(
            IdleStateUpdateStopReason::Error
            | IdleStateUpdateStopReason::Refusal
            | IdleStateUpdateStopReason::Unrecognized(_),
        ) => TaskStatus::Failed,
    }
}
