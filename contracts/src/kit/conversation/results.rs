//! What is odd about the results of calls, which no type describes.

use crate::json::Note;
use crate::kit::core::Place;
use crate::kit::mapping::member;

use super::calls::noted_in_output;
use super::values::element_ranges;

/// Contents of results have no type, and are read by the mapping: what is odd about their texts is
/// found here. Only half a surrogate pair can be.
pub(crate) fn noted_in_results(place: &Place<'_>) -> Vec<Note> {
    let text = place.line.get(place.message.clone()).unwrap_or_default();
    if !text.contains("\\ud") && !text.contains("\\uD") {
        return Vec::new();
    }
    let mut range = Some(place.message.clone());
    for name in ["message", "content"] {
        range = range.and_then(|range| member(place.line, range, name));
    }
    let blocks = range.map_or_else(Vec::new, |range| element_ranges(place.line, range));
    let contents = blocks
        .into_iter()
        .filter(|block| member(place.line, block.clone(), "tool_use_id").is_some())
        .filter_map(|block| member(place.line, block, "content"));
    contents
        .flat_map(|content| noted_in_output(place.line, content))
        .collect()
}
