//! Serde helpers for texts that several owners share.

use std::sync::Arc;

use serde::Serializer;

/// A shared text as a string.
pub(super) fn shared<S: Serializer>(text: &Arc<str>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(text)
}

/// A shared text as a string, or `null`.
pub(super) fn shared_or_null<S: Serializer>(
    text: &Option<Arc<str>>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    match text {
        Some(text) => serializer.serialize_str(text),
        None => serializer.serialize_none(),
    }
}
