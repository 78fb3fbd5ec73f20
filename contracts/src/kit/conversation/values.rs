//! Values in the raw text of a message, for what its types do not say.

use std::ops::Range;

use crate::json::{Kind, OwnedJson, Reader};
use crate::kit::mapping::{Cx, member};

/// The elements of a list of the message.
pub(crate) fn elements(cx: &Cx<'_>, path: &[&str]) -> Vec<OwnedJson> {
    let mut elements = Vec::new();
    let Some(list) = cx.raw(path) else {
        return elements;
    };
    let mut reader = list.reader();
    if reader.kind() != Ok(Kind::Array) {
        return elements;
    }
    let Ok(mut array) = reader.array() else {
        return elements;
    };
    while reader.element(&mut array) == Ok(true) {
        let Ok(element) = reader.raw() else { break };
        elements.push(cx.own(element));
    }
    elements
}

/// The elements of a list, each on its own; nothing where it is none.
pub(crate) fn list_of(list: &OwnedJson) -> Option<Vec<OwnedJson>> {
    let mut elements = Vec::new();
    let mut reader = list.reader();
    if reader.kind() != Ok(Kind::Array) {
        return None;
    }
    let mut array = reader.array().ok()?;
    while reader.element(&mut array).ok()? {
        elements.push(reader.raw().ok()?.to_owned_json());
    }
    Some(elements)
}

/// Where the elements of a list stand.
pub(crate) fn element_ranges(line: &str, list: Range<usize>) -> Vec<Range<usize>> {
    let mut ranges = Vec::new();
    let mut reader = Reader::over(line, list);
    let Ok(mut array) = reader.array() else {
        return ranges;
    };
    while reader.element(&mut array) == Ok(true) {
        let Ok(range) = reader.span() else { break };
        ranges.push(range);
    }
    ranges
}

/// A member of a value.
pub(crate) fn member_of(json: &OwnedJson, name: &str) -> Option<OwnedJson> {
    let range = member(json.as_str(), 0..json.as_str().len(), name)?;
    OwnedJson::parse(json.as_str().get(range)?).ok()
}

/// A text in a value, by its path.
pub(crate) fn text_in(json: &OwnedJson, path: &[&str]) -> Option<String> {
    let text = json.as_str();
    let mut range = 0..text.len();
    for name in path {
        range = member(text, range, name)?;
    }
    let mut reader = Reader::over(text, range);
    reader.string().ok().map(std::borrow::Cow::into_owned)
}
