//! The order of rows: which lines each row takes up, where a row belongs, and what is out of place.

use std::ops::Range;

use super::{Entry, Line, RowTable};
use crate::diagnostics::{Code, Diagnostic, Fix};
use crate::source::{SourceFile, Span};

/// Where a row of some tag belongs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The offset at which its line can be inserted.
    pub at: usize,
    /// What stands beside that place: the tag of a row, or the header of a table without rows.
    pub neighbor: Span,
    /// Whether the new row comes before that neighbor.
    pub before: bool,
}

impl RowTable {
    /// Where a row of this tag belongs by the order of the tags.
    pub fn place(&self, tag: &str) -> Place {
        let after = self.lines.iter().find(|line| *line.tag > *tag);
        if let Some(line) = after {
            return Place {
                at: line.range.start,
                neighbor: line.span.clone(),
                before: true,
            };
        }
        let neighbor = match self.lines.last() {
            Some(line) => line.span.clone(),
            None => {
                let start = self.file.text()[..self.rows_end]
                    .rfind('[')
                    .unwrap_or_default();
                let header = self.file.text()[start..self.rows_end].trim_end().len();
                self.file.span(start..start + header)
            }
        };
        Place {
            at: self.rows_end,
            neighbor,
            before: false,
        }
    }

    /// The edit that puts a whole line at an offset where a line begins or the file ends.
    pub fn insertion(&self, at: usize, line: &str) -> (Span, String) {
        let text = self.file.text();
        let joins = at == text.len() && !text.is_empty() && !text.ends_with('\n');
        // As the other lines end.
        let end = if text.contains("\r\n") { "\r\n" } else { "\n" };
        let edit = if joins {
            format!("{end}{line}")
        } else {
            format!("{line}{end}")
        };
        (self.file.span(at..at), edit)
    }
}

/// The lines of each row. A comment right above a row belongs to it.
pub(super) fn lines(file: &SourceFile, header: &Span, rows: &[Entry<'_>]) -> Vec<Line> {
    let mut floor = file.line_end(header.range.end);
    let mut lines = Vec::new();
    for (key, value) in rows {
        let mut start = file.line_start(key.span().start).max(floor);
        while start > floor {
            let above = file.line_start(start - 1);
            if above < floor || !file.text()[above..start].trim_start().starts_with('#') {
                break;
            }
            start = above;
        }
        let end = file.line_end(value.span().end).max(start);
        floor = end;
        lines.push(Line {
            tag: key.get_ref().to_string(),
            span: file.span(key.span()),
            range: start..end,
        });
    }
    lines
}

/// One error a table, whose fix moves as few rows as can be.
pub(super) fn check(table: &RowTable) -> Option<Diagnostic> {
    let lines = &table.lines;
    let kept = longest_rising(lines);
    let mut moved: Vec<&Line> = Vec::new();
    for (index, line) in lines.iter().enumerate() {
        if !kept.contains(&index) {
            moved.push(line);
        }
    }
    let first = *moved.first()?;
    let kept: Vec<&Line> = kept
        .into_iter()
        .filter_map(|index| lines.get(index))
        .collect();
    let message = format!("the rows of `{}` are not sorted by tag", table.surface);
    let label = match kept.iter().find(|line| line.tag > first.tag) {
        Some(next) => format!("belongs before `{}`", next.tag),
        None => "belongs at the end".to_owned(),
    };
    let mut error =
        Diagnostic::new(Code::UnsortedRows, &*table.surface, message).at(first.span.clone(), label);
    for line in moved.iter().skip(1) {
        error = error.and(line.span.clone(), "out of place too");
    }
    moved.sort_by_key(|line| &line.tag);
    Some(error.fix(Fix {
        title: "sort them".to_owned(),
        edits: moves(table, &kept, &moved),
    }))
}

/// Takes the moved lines out and puts them back before the first kept row that follows them.
fn moves(table: &RowTable, kept: &[&Line], moved: &[&Line]) -> Vec<(Span, String)> {
    let mut edits: Vec<(Range<usize>, String)> = Vec::new();
    for line in moved {
        let text = table.file.text()[line.range.clone()].trim_end_matches('\n');
        let next = kept.iter().find(|kept| kept.tag > line.tag);
        let at = next.map_or(table.rows_end, |next| next.range.start);
        let (_, edit) = table.insertion(at, text);
        match edits.last_mut() {
            Some((range, together)) if range.start == at => *together += &edit,
            Some(_) | None => edits.push((at..at, edit)),
        }
    }
    edits.extend(moved.iter().map(|line| (line.range.clone(), String::new())));
    edits.sort_by_key(|(range, _)| (range.start, range.end));
    edits
        .into_iter()
        .map(|(range, text)| (table.file.span(range), text))
        .collect()
}

/// The indices of the longest run of lines, not needed to be adjacent, whose tags rise.
fn longest_rising(lines: &[Line]) -> Vec<usize> {
    let mut best: Vec<(usize, Option<usize>)> = Vec::new();
    for (index, line) in lines.iter().enumerate() {
        let earlier = (0..index).filter(|&before| lines[before].tag < line.tag);
        let before = earlier.max_by_key(|&before| (best[before].0, usize::MAX - before));
        best.push((before.map_or(1, |before| best[before].0 + 1), before));
    }
    let longest = (0..lines.len()).max_by_key(|&index| (best[index].0, usize::MAX - index));
    let mut run: Vec<usize> =
        std::iter::successors(longest, |&index| best.get(index).and_then(|it| it.1)).collect();
    run.reverse();
    run
}
