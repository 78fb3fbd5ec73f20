//! Texts of the parts that messages of version 2 are made of.

use crate::canonical::{
    AuthStatus, ItemLifecycle, ItemType, ItemUpdated, PlanStep, PlanStepStatus, TurnPlanUpdated,
};
use crate::kit::mapping::Cx;
use crate::kit::parts::{filled, part};
use crate::providers::acp::wire::v2::{
    AuthAccount, AuthState, ContentBlock, PlanEntry, ToolCallContent, values,
};

use crate::providers::acp::shared::auth_status;

/// The text of a block that has one.
pub(super) fn block_text<'m>(block: &'m ContentBlock<'_>) -> Option<&'m str> {
    match block {
        ContentBlock::Text(text) => Some(&text.text),
        ContentBlock::Audio(_)
        | ContentBlock::Image(_)
        | ContentBlock::Resource(_)
        | ContentBlock::ResourceLink(_)
        | ContentBlock::Unrecognized(_) => None,
    }
}

/// The text blocks of a message as one text.
pub(super) fn text_of(blocks: &[ContentBlock<'_>]) -> Option<String> {
    let texts: Vec<&str> = blocks.iter().filter_map(block_text).collect();
    filled(texts.join("\n"))
}

/// The text of a piece that a tool produced.
pub(super) fn content_text<'m>(content: &'m ToolCallContent<'_>) -> Option<&'m str> {
    match content {
        ToolCallContent::Content(content) => block_text(&content.content),
        ToolCallContent::Diff(_)
        | ToolCallContent::Terminal(_)
        | ToolCallContent::Unrecognized(_) => None,
    }
}

/// The text of all that a tool produced.
pub(super) fn produced(content: &[ToolCallContent<'_>]) -> Option<String> {
    let texts: Vec<&str> = content.iter().filter_map(content_text).collect();
    filled(texts.join("\n"))
}

/// A whole message: its text so far, where the patch has its content.
pub(super) fn whole(
    cx: &Cx<'_>,
    item_type: ItemType,
    content: &Option<Option<Vec<ContentBlock<'_>>>>,
) -> ItemUpdated {
    ItemUpdated(ItemLifecycle {
        detail: set(content).and_then(|content| text_of(content)),
        data: Some(cx.body()),
        ..ItemLifecycle::new(item_type)
    })
}

/// A piece of a message that no canonical stream takes.
pub(super) fn bit(cx: &Cx<'_>, item_type: ItemType, content: &ContentBlock<'_>) -> ItemUpdated {
    ItemUpdated(ItemLifecycle {
        detail: block_text(content).and_then(filled),
        data: Some(cx.body()),
        ..ItemLifecycle::new(item_type)
    })
}

/// A block without text, as it was sent.
pub(super) fn block(cx: &Cx<'_>, item_type: ItemType) -> ItemUpdated {
    ItemUpdated(ItemLifecycle {
        data: Some(part(cx, &["content"])),
        ..ItemLifecycle::new(item_type)
    })
}

/// A plan. A step whose status cannot be read is not done.
pub(super) fn plan(entries: &[PlanEntry<'_>]) -> TurnPlanUpdated {
    let step = |entry: &PlanEntry<'_>| PlanStep {
        step: entry.content.to_string(),
        status: values::plan_entry_status(&entry.status).unwrap_or(PlanStepStatus::Pending),
    };
    TurnPlanUpdated {
        explanation: None,
        plan: entries.iter().map(step).collect(),
    }
}

/// The state of an agent's login, with its accounts.
pub(super) fn status_of(state: &AuthState, accounts: Option<&[AuthAccount<'_>]>) -> AuthStatus {
    let accounts = accounts.unwrap_or_default().iter();
    let labels = accounts.map(|account| &*account.label);
    auth_status(
        state.as_str(),
        labels,
        matches!(state, AuthState::Unauthenticated),
    )
}

/// A value of a patch that is set: neither left out nor cleared.
pub(super) fn set<T>(patch: &Option<Option<T>>) -> Option<&T> {
    patch.as_ref().and_then(Option::as_ref)
}
