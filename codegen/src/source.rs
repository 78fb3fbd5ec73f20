//! Source files: the text that codegen is given, and the places in it.

use std::cmp::Ordering;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

/// A text with the path that people know it by. Cloning it copies a pointer.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct SourceFile(Arc<Inner>);

#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Inner {
    path: String,
    text: String,
}

/// A range of bytes in a source file.
#[derive(Clone, PartialEq, Eq)]
pub struct Span {
    /// The file that the range is in.
    pub file: SourceFile,
    /// Byte offsets into the text of the file.
    pub range: Range<usize>,
}

/// A value together with the place that it was read from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Located<T> {
    /// What was read.
    pub value: T,
    /// Where it stands.
    pub span: Span,
}

/// A line and a column, both counted from one; columns count characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct LineCol {
    /// The line.
    pub line: usize,
    /// The column.
    pub column: usize,
}

impl SourceFile {
    /// A file at `path`, which is relative to the root of the repository and uses `/`.
    pub fn new(path: impl Into<String>, text: impl Into<String>) -> Self {
        Self(Arc::new(Inner {
            path: path.into(),
            text: text.into(),
        }))
    }

    /// The path, relative to the root of the repository.
    pub fn path(&self) -> &str {
        &self.0.path
    }

    /// The whole text.
    pub fn text(&self) -> &str {
        &self.0.text
    }

    /// The name of the file without its folder and its last extension.
    pub fn stem(&self) -> &str {
        let name = self.path().rsplit('/').next().unwrap_or_default();
        name.rsplit_once('.').map_or(name, |(stem, _)| stem)
    }

    /// The range as a span of this file, moved inward to the text and to character boundaries.
    pub fn span(&self, range: Range<usize>) -> Span {
        let start = self.boundary(range.start);
        let end = self.boundary(range.end).max(start);
        Span {
            file: self.clone(),
            range: start..end,
        }
    }

    /// The line and column of a byte offset.
    pub fn line_col(&self, offset: usize) -> LineCol {
        let before = &self.text()[..self.boundary(offset)];
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        LineCol {
            line: before.bytes().filter(|byte| *byte == b'\n').count() + 1,
            column: before[line_start..].chars().count() + 1,
        }
    }

    /// Where the line of this offset begins.
    pub fn line_start(&self, offset: usize) -> usize {
        self.text()[..self.boundary(offset)]
            .rfind('\n')
            .map_or(0, |newline| newline + 1)
    }

    /// Where the line after this offset's line begins, or the end of the text.
    pub fn line_end(&self, offset: usize) -> usize {
        let start = self.boundary(offset);
        self.text()[start..]
            .find('\n')
            .map_or(self.text().len(), |newline| start + newline + 1)
    }

    fn boundary(&self, offset: usize) -> usize {
        let mut offset = offset.min(self.text().len());
        while !self.text().is_char_boundary(offset) {
            offset -= 1;
        }
        offset
    }
}

impl Span {
    /// The text that the span covers.
    pub fn text(&self) -> &str {
        self.file.text().get(self.range.clone()).unwrap_or_default()
    }

    /// The line and column at which the span begins.
    pub fn line_col(&self) -> LineCol {
        self.file.line_col(self.range.start)
    }
}

impl<T> Located<T> {
    /// A value and its place.
    pub fn new(value: T, span: Span) -> Self {
        Self { value, span }
    }
}

impl Ord for Span {
    fn cmp(&self, other: &Self) -> Ordering {
        let key = |span: &Self| (span.range.start, span.range.end);
        (self.file.cmp(&other.file)).then_with(|| key(self).cmp(&key(other)))
    }
}

impl PartialOrd for Span {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

// The text of a schema is long, so a dump of a structure shows only where things stand.
impl fmt::Debug for SourceFile {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.path())
    }
}

impl fmt::Debug for Span {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}:{:?}", self.file.path(), self.range)
    }
}

impl fmt::Display for LineCol {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}:{}", self.line, self.column)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_columns_count_characters_from_one() {
        let file = SourceFile::new("a/b.c.toml", "é = 1\nb = 2");
        assert_eq!(file.stem(), "b.c");
        assert_eq!(file.line_col(0).to_string(), "1:1");
        assert_eq!(file.line_col(3).to_string(), "1:3");
        assert_eq!(file.line_col(7).to_string(), "2:1");
        assert_eq!(file.line_col(999).to_string(), "2:6");
        assert_eq!((file.line_start(9), file.line_end(9)), (7, 12));
        assert_eq!((file.line_start(2), file.line_end(2)), (0, 7));
    }

    #[test]
    fn a_span_never_leaves_the_text_nor_splits_a_character() {
        let file = SourceFile::new("x", "é!");
        assert_eq!(file.span(1..2).text(), "é");
        assert_eq!(file.span(2..99).text(), "!");
        assert_eq!(file.span(Range { start: 3, end: 1 }).text(), "");
    }
}
