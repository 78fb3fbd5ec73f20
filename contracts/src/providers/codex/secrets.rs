//! Secrets that the wire carries: they stay in the raw message, whose redaction is the caller's
//! business, and are not copied into a payload.

use std::sync::Arc;

use crate::json::{Map, OwnedJson, encode};

use crate::kit::members::each_member;

/// Members that hold a token, in any message about an account and in any answer.
const SECRETS: &[&str] = &[
    "accessToken",
    "apiKey",
    "authToken",
    "idToken",
    "refreshToken",
    "token",
];

/// The object without members that are secrets; untouched where it has none.
pub(super) fn without_secrets(raw: OwnedJson) -> OwnedJson {
    let mut members = Map::new();
    let mut found = false;
    each_member(&raw, |name, value| {
        if SECRETS.contains(&&*name) {
            found = true;
        } else {
            members.insert(name, value);
        }
    });
    if !found {
        return raw;
    }
    let text = encode(&members);
    let range = 0..text.len();
    OwnedJson::from_text(Arc::from(text), range)
}
