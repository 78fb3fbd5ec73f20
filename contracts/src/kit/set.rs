//! What generated code asks for where a row says its event: opaque values that are made of parts of a
//! message, and texts.

use std::collections::BTreeMap;

use super::mapping::Cx;
use super::members::members_of;
use super::{base64, parts};
use crate::json::OwnedJson;

/// A member of the payload as sent, by its path; `null` where it is absent.
#[must_use]
pub fn part(cx: &Cx<'_>, path: &[&str]) -> OwnedJson {
    parts::part(cx, path)
}

/// A member of the payload as sent, by its path; nothing where it is absent or `null`.
#[must_use]
pub fn present(cx: &Cx<'_>, path: &[&str]) -> Option<OwnedJson> {
    cx.raw(path).filter(|value| value.as_str() != "null")
}

/// The members at these paths as sent, in one object, each under its own name. What is absent stays
/// absent.
#[must_use]
pub fn pick(cx: &Cx<'_>, paths: &[&[&str]]) -> OwnedJson {
    parts::pick(cx, paths)
}

/// Every member of the payload as sent, but these.
#[must_use]
pub fn rest(cx: &Cx<'_>, but: &[&str]) -> BTreeMap<String, OwnedJson> {
    parts::rest(cx, but)
}

/// The members of an object in the payload, as sent; none where it is absent.
#[must_use]
pub fn members(cx: &Cx<'_>, path: &[&str]) -> BTreeMap<String, OwnedJson> {
    members_of(cx, &parts::part(cx, path))
}

/// The page of a list: its `data` by this name, and each member beside it by this name with its own
/// after it, as in `modelsNextCursor`.
#[must_use]
pub fn page(cx: &Cx<'_>, list: &str) -> BTreeMap<String, OwnedJson> {
    let named = |name: String| {
        let mut rest = name.chars();
        match rest.next() {
            Some(first) if name != "data" => {
                format!("{list}{}{}", first.to_uppercase(), rest.as_str())
            }
            Some(_) | None => list.to_owned(),
        }
    };
    let members = parts::rest(cx, &[]).into_iter();
    members.map(|(name, value)| (named(name), value)).collect()
}

/// An object of every member of the payload as sent, but these.
#[must_use]
pub fn all_but(cx: &Cx<'_>, but: &[&str]) -> OwnedJson {
    let rest = parts::rest(cx, but);
    let members: Vec<(&str, OwnedJson)> = rest
        .iter()
        .map(|(name, value)| (&**name, value.clone()))
        .collect();
    parts::object(&members)
}

/// An object of these members.
#[must_use]
pub fn object(members: &[(&str, OwnedJson)]) -> OwnedJson {
    parts::object(members)
}

/// `null`.
#[must_use]
pub fn null() -> OwnedJson {
    parts::null()
}

/// A text, a flag or a number that always stands there.
#[must_use]
pub fn constant(value: impl Into<serde_json::Value>) -> OwnedJson {
    OwnedJson::from_value(&value.into())
}

/// A text, where there is any.
#[must_use]
pub fn filled(text: &str) -> Option<String> {
    parts::filled(text)
}

/// Texts, a line each.
#[must_use]
pub fn lines<'t>(texts: impl IntoIterator<Item = &'t str>) -> Option<String> {
    parts::joined(texts)
}

/// The text that is encoded; what is no text is replaced.
#[must_use]
pub fn base64(encoded: &str) -> String {
    base64::text(encoded)
}
