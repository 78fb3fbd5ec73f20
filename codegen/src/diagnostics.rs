//! Diagnostics: errors as data, and how they are shown to a person.

mod code;

use std::collections::BTreeMap;

use annotate_snippets::{AnnotationKind, Group, Level, Patch, Renderer, Snippet};

use crate::source::{SourceFile, Span};
pub use code::Code;

/// One error: what is wrong, where, and what to do about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// The kind of error.
    pub code: Code,
    /// What is wrong, in one sentence without a full stop.
    pub message: String,
    /// The place to look at first, and what to see there.
    pub primary: Option<(Span, String)>,
    /// Further places, in the same file or in others.
    pub secondary: Vec<(Span, String)>,
    /// An edit that a person can make as it is.
    pub fix: Option<Fix>,
    /// What else is worth knowing, one sentence each.
    pub help: Vec<String>,
    /// The surface that the error belongs to, or whatever else it is grouped under.
    pub group: String,
}

/// An edit of the hand-written files that would answer the error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// What the edit does, in the imperative.
    pub title: String,
    /// Disjoint replacements; an empty span is an insertion.
    pub edits: Vec<(Span, String)>,
}

impl Diagnostic {
    /// An error without a place yet.
    pub fn new(code: Code, group: impl Into<String>, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            primary: None,
            secondary: Vec::new(),
            fix: None,
            help: Vec::new(),
            group: group.into(),
        }
    }

    /// Sets the place to look at first.
    #[must_use]
    pub fn at(mut self, span: Span, label: impl Into<String>) -> Self {
        self.primary = Some((span, label.into()));
        self
    }

    /// Adds a further place.
    #[must_use]
    pub fn and(mut self, span: Span, label: impl Into<String>) -> Self {
        self.secondary.push((span, label.into()));
        self
    }

    /// Adds a sentence of help.
    #[must_use]
    pub fn help(mut self, sentence: impl Into<String>) -> Self {
        self.help.push(sentence.into());
        self
    }

    /// Sets the edit that would answer the error.
    #[must_use]
    pub fn fix(mut self, fix: Fix) -> Self {
        self.fix = Some(fix);
        self
    }

    /// The short form that editors and logs read: `path:line:column: code: message`.
    pub fn to_line(&self) -> String {
        let Self { code, message, .. } = self;
        match &self.primary {
            Some((span, _)) => {
                let place = span.line_col();
                format!("{}:{place}: {code}: {message}", span.file.path())
            }
            None => format!("{code}: {message}"),
        }
    }
}

impl Fix {
    /// An edit of one place.
    pub fn new(title: impl Into<String>, span: Span, text: impl Into<String>) -> Self {
        Self {
            title: title.into(),
            edits: vec![(span, text.into())],
        }
    }
}

/// Shows the errors the way rustc does: grouped by surface, sorted by place, counted at the end.
pub fn render(diagnostics: &[Diagnostic], color: bool) -> String {
    if diagnostics.is_empty() {
        return String::new();
    }
    let mut groups: BTreeMap<&str, Vec<&Diagnostic>> = BTreeMap::new();
    for diagnostic in diagnostics {
        groups
            .entry(&diagnostic.group)
            .or_default()
            .push(diagnostic);
    }
    let renderer = if color {
        Renderer::styled()
    } else {
        Renderer::plain()
    };
    let mut out = String::new();
    for (group, mut members) in groups {
        members.sort_by_key(|member| {
            let place = member.primary.as_ref().map(|(span, _)| span);
            (place, member.code, &member.message)
        });
        if !group.is_empty() {
            out += &format!("{group}: {}\n\n", errors(members.len()));
        }
        for member in members {
            out += &renderer.render(&shown(member));
            out += "\n\n";
        }
    }
    out + &closing_line(diagnostics) + "\n"
}

/// How many errors there are of which code: `3 errors: 2 missing-row, 1 stale-row`.
pub fn closing_line(diagnostics: &[Diagnostic]) -> String {
    let mut counts: BTreeMap<Code, usize> = BTreeMap::new();
    for diagnostic in diagnostics {
        *counts.entry(diagnostic.code).or_default() += 1;
    }
    let parts: Vec<String> = counts
        .iter()
        .map(|(code, count)| format!("{count} {code}"))
        .collect();
    format!("{}: {}", errors(diagnostics.len()), parts.join(", "))
}

fn errors(count: usize) -> String {
    match count {
        1 => "1 error".to_owned(),
        more => format!("{more} errors"),
    }
}

fn shown(diagnostic: &Diagnostic) -> Vec<Group<'_>> {
    let title = Level::ERROR
        .primary_title(&*diagnostic.message)
        .id(diagnostic.code.as_str());
    let places = diagnostic
        .primary
        .iter()
        .map(|place| (AnnotationKind::Primary, place))
        .chain(
            diagnostic
                .secondary
                .iter()
                .map(|place| (AnnotationKind::Context, place)),
        );
    let annotations = places.map(|(kind, (span, label))| {
        let label = (!label.is_empty()).then_some(label.as_str());
        (&span.file, kind.span(safe(span)).label(label))
    });
    let mut group = title.elements(by_file(annotations).map(|(file, annotations)| {
        Snippet::source(file.text())
            .path(file.path())
            .annotations(annotations)
    }));
    for sentence in &diagnostic.help {
        group = group.element(Level::HELP.message(&**sentence));
    }
    let mut groups = vec![group];
    if let Some(fix) = &diagnostic.fix {
        let title = Level::HELP.secondary_title(&*fix.title);
        groups.push(title.elements(fix.edits.iter().map(|(span, text)| patch(span, text))));
    }
    groups
}

/// One snippet an edit, because the renderer hides a removal that shares a snippet with an addition.
fn patch<'a>(span: &'a Span, text: &'a str) -> Snippet<'a, Patch<'a>> {
    let range = safe(span);
    let file = &span.file;
    let source = if range.start == file.text().len() {
        // A line added at the end would be shown as a part of the last line.
        Snippet::source(file.text().to_owned() + "\n")
    } else {
        Snippet::source(file.text())
    };
    source.path(file.path()).patch(Patch::new(range, text))
}

/// The renderer panics on a range outside the text, and a span's fields are public.
fn safe(span: &Span) -> std::ops::Range<usize> {
    span.file.span(span.range.clone()).range
}

/// Gathers what belongs to one file, with the files in the order of their first mention.
fn by_file<'a, T>(
    places: impl Iterator<Item = (&'a SourceFile, T)>,
) -> impl Iterator<Item = (&'a SourceFile, Vec<T>)> {
    let mut files: Vec<(&SourceFile, Vec<T>)> = Vec::new();
    for (file, place) in places {
        match files.iter_mut().find(|(known, _)| *known == file) {
            Some((_, places)) => places.push(place),
            None => files.push((file, vec![place])),
        }
    }
    files.into_iter()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn missing() -> Diagnostic {
        let rows = SourceFile::new("mapping/x.toml", "[rows]\n\"a\" = { keep = \"a\" }\n");
        let schema = SourceFile::new("schemas/x.json", "{\n  \"const\": \"b\"\n}\n");
        Diagnostic::new(Code::MissingRow, "x", "the variant `b` has no row")
            .at(rows.span(7..10), "its row belongs after this one")
            .and(schema.span(13..16), "the variant stands here")
            .help("a row says what becomes of a variant")
            .fix(Fix::new(
                "add the row",
                rows.span(28..28),
                "\"b\" = { keep = \"b\" }\n",
            ))
    }

    #[test]
    fn shows_two_files_the_fix_and_the_count() {
        let shown = render(&[missing()], false);
        let expected = r#"
x: 1 error

error[missing-row]: the variant `b` has no row
 --> mapping/x.toml:2:1
  |
2 | "a" = { keep = "a" }
  | ^^^ its row belongs after this one
  |
 ::: schemas/x.json:2:12
  |
2 |   "const": "b"
  |            --- the variant stands here
  |
  = help: a row says what becomes of a variant
help: add the row
  |
3 + "b" = { keep = "b" }
  |

1 error: 1 missing-row
"#;
        assert_eq!(shown, expected.trim_start());
    }

    #[test]
    fn groups_by_surface_sorts_by_place_and_counts_by_code() {
        let file = SourceFile::new("f", "one\ntwo\n");
        let at = |code, group: &str, start: usize| {
            Diagnostic::new(code, group, format!("at {start}")).at(file.span(start..start + 3), "")
        };
        let all = [
            at(Code::StaleRow, "b", 0),
            at(Code::MissingRow, "a", 4),
            at(Code::MissingRow, "a", 0),
        ];
        let shown = render(&all, false);
        let order: Vec<&str> = shown
            .lines()
            .filter(|line| line.contains("error"))
            .collect();
        assert_eq!(
            order,
            [
                "a: 2 errors",
                "error[missing-row]: at 0",
                "error[missing-row]: at 4",
                "b: 1 error",
                "error[stale-row]: at 0",
                "3 errors: 2 missing-row, 1 stale-row",
            ]
        );
        assert_eq!(render(&[], false), "");
    }

    #[test]
    fn one_line_form() {
        assert_eq!(
            missing().to_line(),
            "mapping/x.toml:2:1: missing-row: the variant `b` has no row"
        );
        let nowhere = Diagnostic::new(Code::StaleOutput, "", "a file is missing");
        assert_eq!(nowhere.to_line(), "stale-output: a file is missing");
        assert!(render(&[nowhere], true).contains("a file is missing"));
    }

    #[test]
    fn no_span_makes_the_renderer_panic() {
        let file = SourceFile::new("f", "é");
        for range in [0..1, 1..99, 7..9, std::ops::Range { start: 2, end: 0 }] {
            let span = Span {
                file: file.clone(),
                range,
            };
            let odd = Diagnostic::new(Code::BadSource, "f", "odd")
                .at(span.clone(), "here")
                .fix(Fix::new("mend it", span, "x"));
            assert!(render(&[odd], false).contains("odd"));
        }
    }
}
