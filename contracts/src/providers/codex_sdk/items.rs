//! Items of `codex exec --json` as canonical items.

use crate::canonical::{ItemLifecycle, ItemStatus, ItemType, PlanStep, PlanStepStatus};
use crate::kit::mapping::Cx;
use crate::kit::parts::{filled, id_of, joined, qualified};
use crate::providers::codex_sdk::wire::{ThreadItem, TodoListItem, values};

use super::mapping::CodexSdkMapping;

/// What a line tells about its item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// That it is going on.
    Open,
    /// That it ended.
    Completed,
}

/// An item as canonical events tell it, and the context speaks of it.
pub(super) fn lifecycle(
    mapping: &CodexSdkMapping,
    cx: &mut Cx<'_>,
    item: &ThreadItem<'_>,
    step: Step,
) -> ItemLifecycle {
    // An item whose type no vendored version has is one item in all of its lines, too.
    if let ThreadItem::Unrecognized(unrecognized) = item {
        let id = id_of(unrecognized.raw);
        cx.refs.item = id.map(|id| mapping.item(&id));
    }
    let (title, detail) = words(item);
    ItemLifecycle {
        item_type: values::thread_item(item).unwrap_or(ItemType::Unknown),
        status: status(item, step),
        title,
        detail,
        data: cx.raw(&["item"]),
    }
}

/// How far an item is. One without a status is as far as the line tells; a status that can't be
/// read is none, since it may well mean a failure.
fn status(item: &ThreadItem<'_>, step: Step) -> Option<ItemStatus> {
    let told = match item {
        ThreadItem::CollabToolCall(item) => values::collab_tool_call_status(&item.status),
        ThreadItem::CommandExecution(item) => {
            let failed = item.exit_code.is_some_and(|code| code != 0);
            unless(failed, values::command_execution_status(&item.status))
        }
        ThreadItem::FileChange(item) => values::patch_apply_status(&item.status),
        ThreadItem::McpToolCall(item) => unless(
            item.error.is_some(),
            values::mcp_tool_call_status(&item.status),
        ),
        ThreadItem::Error(_) => Some(ItemStatus::Failed),
        ThreadItem::Unrecognized(_) if step == Step::Completed => None,
        ThreadItem::AgentMessage(_)
        | ThreadItem::Reasoning(_)
        | ThreadItem::TodoList(_)
        | ThreadItem::WebSearch(_)
        | ThreadItem::Unrecognized(_) => Some(match step {
            Step::Open => ItemStatus::InProgress,
            Step::Completed => ItemStatus::Completed,
        }),
    };
    // What ended is not going on, whatever it says: nobody knows how it ended.
    told.filter(|status| step == Step::Open || *status != ItemStatus::InProgress)
}

/// A status, unless the item holds a failure that its status calls a success.
fn unless(failed: bool, status: Option<ItemStatus>) -> Option<ItemStatus> {
    match status {
        Some(ItemStatus::Completed) if failed => Some(ItemStatus::Failed),
        status => status,
    }
}

/// What people read about an item: its title, and the longer text.
fn words(item: &ThreadItem<'_>) -> (Option<String>, Option<String>) {
    match item {
        ThreadItem::AgentMessage(item) => (None, filled(&*item.text)),
        ThreadItem::CollabToolCall(item) => {
            (filled(&*item.tool), item.prompt.as_deref().and_then(filled))
        }
        ThreadItem::CommandExecution(item) => {
            (filled(&*item.command), filled(&*item.aggregated_output))
        }
        ThreadItem::Error(item) => (None, filled(&*item.message)),
        ThreadItem::FileChange(item) => {
            (None, joined(item.changes.iter().map(|change| &change.path)))
        }
        ThreadItem::McpToolCall(item) => (
            filled(qualified(Some(&item.server), &item.tool)),
            item.error
                .as_ref()
                .and_then(|error| filled(&*error.message)),
        ),
        ThreadItem::Reasoning(item) => (None, filled(&*item.text)),
        ThreadItem::TodoList(item) => (None, marked(item)),
        ThreadItem::WebSearch(item) => (filled(&*item.query), None),
        ThreadItem::Unrecognized(_) => (None, None),
    }
}

/// The steps of a list, each on a line of its own, with a mark where it is done.
fn marked(list: &TodoListItem<'_>) -> Option<String> {
    joined(list.items.iter().map(|step| match step.completed {
        true => format!("[x] {}", step.text),
        false => format!("[ ] {}", step.text),
    }))
}

/// The steps of an item that is a list of them. The wire tells which are done, and not which one is
/// being done.
pub(super) fn steps(item: &ThreadItem<'_>) -> Option<Vec<PlanStep>> {
    let ThreadItem::TodoList(list) = item else {
        return None;
    };
    let steps = list.items.iter().map(|step| PlanStep {
        step: step.text.to_string(),
        status: match step.completed {
            true => PlanStepStatus::Completed,
            false => PlanStepStatus::Pending,
        },
    });
    Some(steps.collect())
}
