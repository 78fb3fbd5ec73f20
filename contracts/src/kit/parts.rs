//! Opaque values that are made of parts of a message, and the payloads that wrap them.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::canonical::{SessionConfigured, ThreadMetadataUpdated};
use crate::json::{Json, OwnedJson, Reader, Writer};
use crate::kit::mapping::Cx;

/// A member of the payload as sent, by its path; `null` where it is absent.
pub(crate) fn part(cx: &Cx<'_>, path: &[&str]) -> OwnedJson {
    cx.raw(path).unwrap_or_else(null)
}

/// The members at these paths as sent, in one object, each under its own name. What is absent
/// stays absent.
pub(crate) fn pick(cx: &Cx<'_>, paths: &[&[&str]]) -> OwnedJson {
    let mut members = Vec::new();
    for path in paths {
        if let (Some(name), Some(value)) = (path.last(), cx.raw(path)) {
            members.push((*name, value));
        }
    }
    object(&members)
}

/// Every member of the payload as sent, but these.
pub(crate) fn rest(cx: &Cx<'_>, but: &[&str]) -> BTreeMap<String, OwnedJson> {
    let body = cx.body();
    let mut members = BTreeMap::new();
    let mut reader = body.reader();
    let Ok(mut object) = reader.object() else {
        return members;
    };
    while let Ok(Some(name)) = reader.key(&mut object) {
        let Ok(value) = reader.raw() else { break };
        if !but.contains(&&*name) {
            members.insert(name.into_owned(), cx.own(value));
        }
    }
    members
}

/// An object of these members.
pub(crate) fn object(members: &[(&str, OwnedJson)]) -> OwnedJson {
    let mut writer = Writer::new();
    let mut object = writer.object();
    for (name, value) in members {
        object.field(name, value);
    }
    object.end();
    let text = writer.finish();
    let range = 0..text.len();
    OwnedJson::from_text(Arc::from(text), range)
}

/// `null`.
pub(crate) fn null() -> OwnedJson {
    OwnedJson::from(Json::NULL)
}

/// `true` or `false`.
pub(crate) fn boolean(value: bool) -> OwnedJson {
    OwnedJson::from_value(&value.into())
}

/// News about one setting or capability of the session.
pub(crate) fn config(name: &str, value: OwnedJson) -> SessionConfigured {
    SessionConfigured {
        config: BTreeMap::from([(name.to_owned(), value)]),
    }
}

/// News about one thing that is known about a thread.
pub(crate) fn metadata(name: &str, value: OwnedJson) -> ThreadMetadataUpdated {
    let metadata = Some(BTreeMap::from([(name.to_owned(), value)]));
    ThreadMetadataUpdated {
        name: None,
        metadata,
    }
}

/// Text for people, where there is any.
pub(crate) fn filled(text: impl Into<String>) -> Option<String> {
    Some(text.into()).filter(|text| !text.is_empty())
}

/// Pieces of text as one text, a line break between any two.
pub(crate) fn joined<T: AsRef<str>>(texts: impl IntoIterator<Item = T>) -> Option<String> {
    let mut joined = String::new();
    for (index, text) in texts.into_iter().enumerate() {
        if index > 0 {
            joined.push('\n');
        }
        joined.push_str(text.as_ref());
    }
    filled(joined)
}

/// The name of a tool, after the place where it comes from.
pub(crate) fn qualified(place: Option<&str>, name: &str) -> String {
    match place {
        Some(place) if !place.is_empty() => format!("{place}/{name}"),
        Some(_) | None => name.to_owned(),
    }
}

/// The member `id` of an item that no vendored version has.
pub(crate) fn id_of(item: Json<'_>) -> Option<String> {
    let mut reader = Reader::new(item.as_str());
    let mut object = reader.object().ok()?;
    let mut id = None;
    while let Some(key) = reader.key(&mut object).ok()? {
        let value = reader.raw().ok()?;
        if *key == *"id" {
            id = Reader::new(value.as_str())
                .string()
                .ok()
                .map(|id| id.into_owned());
        }
    }
    id
}
