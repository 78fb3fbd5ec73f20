//! From a JSON path to the bytes where its value stands: only messages ask for it.

use std::ops::Range;

use serde::Deserialize;
use serde_json::value::RawValue;

/// The range of the value at the path; of the deepest value on the way where the path ends
/// early.
pub fn locate(text: &str, path: &[String]) -> Range<usize> {
    let mut slice = text.trim();
    for step in path {
        match descend(slice, step) {
            Some(inner) => slice = inner,
            None => break,
        }
    }
    let start = slice.as_ptr() as usize - text.as_ptr() as usize;
    // A large value would fill the screen: its first line shows where it begins.
    let first_line = slice.find('\n').unwrap_or(slice.len());
    start..start + first_line
}

/// The ranges of all elements of the list at the path.
pub fn elements(text: &str, path: &[String]) -> Vec<Range<usize>> {
    let whole = locate(text, path);
    let Some(rest) = text.get(whole.start..) else { return Vec::new() };
    let mut stream = serde_json::Deserializer::from_str(rest);
    let Ok(list) = Vec::<&RawValue>::deserialize(&mut stream) else { return Vec::new() };
    list.iter()
        .map(|element| {
            let start = element.get().as_ptr() as usize - text.as_ptr() as usize;
            start..start + element.get().find('\n').unwrap_or(element.get().len())
        })
        .collect()
}

fn descend<'t>(slice: &'t str, step: &str) -> Option<&'t str> {
    if slice.starts_with('[') {
        let list: Vec<&RawValue> = serde_json::from_str(slice).ok()?;
        return list.get(step.parse::<usize>().ok()?).map(|value| value.get());
    }
    // Names in vendored files need no unescaping but for a few, which then end the walk here.
    let map: std::collections::BTreeMap<std::borrow::Cow<'_, str>, &RawValue> = serde_json::from_str(slice).ok()?;
    map.get(step).map(|value| value.get())
}
