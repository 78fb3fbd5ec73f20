//! From a JSON path to the bytes where its value stands.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;

use serde_json::value::RawValue;

/// Where the members of the value at `range` stand, by name or by position.
pub fn members(text: &str, range: Range<usize>) -> BTreeMap<String, Range<usize>> {
    let Some(slice) = text.get(range.clone()) else {
        return BTreeMap::new();
    };
    let place = |value: &RawValue| {
        let start = value.get().as_ptr() as usize - text.as_ptr() as usize;
        start..start + value.get().len()
    };
    if slice.starts_with('[') {
        let list: Vec<&RawValue> = serde_json::from_str(slice).unwrap_or_default();
        return list
            .iter()
            .enumerate()
            .map(|(index, value)| (index.to_string(), place(value)))
            .collect();
    }
    let map: BTreeMap<Cow<'_, str>, &RawValue> = serde_json::from_str(slice).unwrap_or_default();
    map.into_iter()
        .map(|(name, value)| (name.into_owned(), place(value)))
        .collect()
}
