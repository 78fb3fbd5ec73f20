//! Looks into opaque JSON: members by name, texts and counts, and nothing where it is otherwise.
//! What is given back are exact slices.

use crate::json::{Kind, OwnedJson, Reader};

/// A member of an object; the last one where a key stands twice.
pub(super) fn member<'a>(json: &'a str, name: &str) -> Option<&'a str> {
    let mut reader = Reader::new(json);
    let mut object = reader.object().ok()?;
    let mut found = None;
    while let Some(key) = reader.key(&mut object).ok()? {
        let value = reader.raw().ok()?;
        if *key == *name {
            found = Some(value.as_str());
        }
    }
    found
}

/// The first of some members that is there and is not `null`.
pub(super) fn first<'a>(json: &'a OwnedJson, names: &[&str]) -> Option<&'a str> {
    names
        .iter()
        .filter_map(|name| member(json.as_str(), name))
        .find(|value| *value != "null")
}

/// A value that is a text.
pub(super) fn text(json: &str) -> Option<String> {
    let text = Reader::new(json).string().ok()?;
    Some(text.into_owned())
}

/// A text as it is, anything else as its JSON.
pub(super) fn shown(json: &str) -> String {
    text(json).unwrap_or_else(|| json.to_owned())
}

/// A member that is a text.
pub(super) fn member_text(json: &str, name: &str) -> Option<String> {
    member(json, name).and_then(text)
}

/// A member that is a count.
pub(super) fn count(json: &str, name: &str) -> Option<u64> {
    let value = member(json, name)?;
    Reader::new(value).integer().ok()
}

/// The elements of an array; none where it is no array.
pub(super) fn elements(json: &str) -> Vec<&str> {
    let mut reader = Reader::new(json);
    let mut found = Vec::new();
    if reader.kind().is_ok_and(|kind| kind == Kind::Array)
        && let Ok(mut array) = reader.array()
    {
        while let Ok(true) = reader.element(&mut array) {
            match reader.raw() {
                Ok(value) => found.push(value.as_str()),
                Err(_) => break,
            }
        }
    }
    found
}

/// The values of an object; none where it is no object.
pub(super) fn values(json: &str) -> Vec<&str> {
    let mut reader = Reader::new(json);
    let mut found = Vec::new();
    if reader.kind().is_ok_and(|kind| kind == Kind::Object)
        && let Ok(mut object) = reader.object()
    {
        while let Ok(Some(_)) = reader.key(&mut object) {
            match reader.raw() {
                Ok(value) => found.push(value.as_str()),
                Err(_) => break,
            }
        }
    }
    found
}
