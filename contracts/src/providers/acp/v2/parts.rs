//! Texts of the parts that messages of version 2 are made of.

use crate::canonical::{
    AuthStatus, ItemLifecycle, ItemType, ItemUpdated,
};
use crate::kit::mapping::Cx;
use crate::kit::parts::{filled, part};
use crate::providers::acp::wire::v2::{
    AuthAccount, AuthState, ContentBlock,
};

use crate::providers::acp::parts::{Parts, Two, joined, labels};
use crate::providers::acp::shared::auth_status;

/// A whole message: its text so far, where the patch has its content.
pub(super) fn whole(
    cx: &Cx<'_>,
    item_type: ItemType,
    content: &Option<Option<Vec<ContentBlock<'_>>>>,
) -> ItemUpdated {
    ItemUpdated(ItemLifecycle {
        detail: set(content).and_then(|content| joined::<Two>(content)),
        data: Some(cx.body()),
        ..ItemLifecycle::new(item_type)
    })
}

/// A piece of a message that no canonical stream takes.
pub(super) fn bit(cx: &Cx<'_>, item_type: ItemType, content: &ContentBlock<'_>) -> ItemUpdated {
    ItemUpdated(ItemLifecycle {
        detail: Two::text(content).and_then(filled),
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

/// The state of an agent's login, with its accounts.
pub(super) fn status_of(state: &AuthState, accounts: Option<&[AuthAccount<'_>]>) -> AuthStatus {
    auth_status(
        state.as_str(),
        labels::<Two>(accounts),
        matches!(state, AuthState::Unauthenticated),
    )
}

/// A value of a patch that is set: neither left out nor cleared.
pub(super) fn set<T>(patch: &Option<Option<T>>) -> Option<&T> {
    patch.as_ref().and_then(Option::as_ref)
}
