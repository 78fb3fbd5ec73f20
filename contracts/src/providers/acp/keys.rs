//! How things are kept apart: ids count within their session.

use std::sync::Arc;

use crate::kit::ledger::Refs;

/// A session, and the id of something in it.
pub(super) type Key = (Arc<str>, Arc<str>);

/// An id in the session that the refs name.
pub(super) fn key(refs: &Refs, id: &str) -> Key {
    (refs.thread.clone().unwrap_or_default(), Arc::from(id))
}

/// The item that the refs name.
pub(super) fn item_key(refs: &Refs) -> Option<Key> {
    let thread = refs.thread.clone().unwrap_or_default();
    Some((thread, refs.item.clone()?))
}
