//! Parts that messages of version 1 are made of, in the words of canonical events.

use std::sync::Arc;

use crate::canonical::{
    ItemLifecycle, ItemStatus, ItemType, RequestType, TaskStatus,
};
use crate::kit::mapping::Cx;
use crate::kit::parts::{filled, part};
use crate::providers::acp::wire::v1::{
    ContentBlock, ContentChunk, IdleStateUpdate, IdleStateUpdateStopReason, StateUpdate,
    ToolCallUpdate, ToolKind, values,
};

use crate::providers::acp::child_sessions::{ChildEnd, ChildState};
use crate::providers::acp::parts::{One, Parts, shown};
use crate::providers::acp::tool_calls::{News, output_summary};

/// What an update tells about its call.
pub(super) fn news_of<'m>(call: &'m ToolCallUpdate<'_>) -> News<'m> {
    News {
        by_kind: call.kind.as_ref().and_then(by_kind),
        name: call.name.as_deref(),
        title: call.title.as_deref(),
        status: call.status.as_ref().and_then(values::tool_call_status),
        input: call.raw_input,
        output: output_summary(call.raw_output).or_else(|| call.content.as_deref().and_then(shown::<One>)),
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
        detail: One::text(block).and_then(filled),
        data: Some(part(cx, &["content"])),
        ..ItemLifecycle::new(item_type)
    }
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
