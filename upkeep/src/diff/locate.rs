//! From a JSON pointer to the line where its value stands.

use std::collections::BTreeMap;
use std::ops::Range;

use agentwire_codegen::json_place::members;
use agentwire_codegen::source::SourceFile;

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
        let text = self.file.text();
        let start = text.len() - text.trim_start().len();
        let mut range = start..text.trim_end().len();
        for step in pointer.split('/').skip(1) {
            let step = step.replace("~1", "/").replace("~0", "~");
            let known = self
                .members
                .entry(range.start)
                .or_insert_with(|| members(self.file.text(), range.clone()));
            match known.get(&step) {
                Some(inner) => range = inner.clone(),
                None => break,
            }
        }
        (!range.is_empty()).then_some(range)
    }
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
