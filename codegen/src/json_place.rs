//! From a JSON path or pointer to the place of its value in the text.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;

use serde_json::value::RawValue;

use crate::source::SourceFile;

/// The lines of one file. What was looked at once is remembered: pointers of one file share most of their way.
pub struct Lines {
    file: SourceFile,
    starts: Vec<usize>,
    members: BTreeMap<usize, BTreeMap<String, Range<usize>>>,
}

impl Lines {
    /// The lines of this file.
    pub fn new(file: &SourceFile) -> Self {
        let breaks = file
            .text()
            .bytes()
            .enumerate()
            .filter(|(_, byte)| *byte == b'\n');
        let starts = std::iter::once(0).chain(breaks.map(|(offset, _)| offset + 1));
        Self {
            file: file.clone(),
            starts: starts.collect(),
            members: BTreeMap::new(),
        }
    }

    /// The line at which the value begins, counted from one; of the nearest value around it where the
    /// pointer leads to nothing.
    pub fn line(&mut self, pointer: &str) -> usize {
        let offset = self.range(pointer).map_or(0, |range| range.start);
        self.starts.partition_point(|start| *start <= offset)
    }

    /// Where the value stands, or the nearest one around it.
    pub fn range(&mut self, pointer: &str) -> Option<Range<usize>> {
        let steps = pointer.split('/').skip(1);
        let range = self.along(steps.map(|step| step.replace("~1", "/").replace("~0", "~")));
        (!range.is_empty()).then_some(range)
    }

    /// Where the value at the end of a path stands, or the nearest one around it.
    pub fn along(&mut self, path: impl IntoIterator<Item = impl AsRef<str>>) -> Range<usize> {
        let text = self.file.text();
        let start = text.len() - text.trim_start().len();
        let mut range = start..text.trim_end().len();
        for step in path {
            let known = self
                .members
                .entry(range.start)
                .or_insert_with(|| members(self.file.text(), range.clone()));
            match known.get(step.as_ref()) {
                Some(inner) => range = inner.clone(),
                None => break,
            }
        }
        range
    }
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pointer_leads_to_the_line_of_its_value() {
        let text = "{\n \"definitions\": {\n  \"a/b\": {\n   \"enum\": [\n    \"x\",\n    \"y\"\n   ]\n  }\n }\n}\n";
        let mut lines = Lines::new(&SourceFile::new("s.json", text));
        assert_eq!(lines.line("/definitions/a~1b/enum/1"), 6);
        assert_eq!(lines.line("/definitions/a~1b/enum"), 4);
        assert_eq!(lines.line("/definitions/a~1b/enum/7/none"), 4);
        assert_eq!(lines.line(""), 1);
    }
}
