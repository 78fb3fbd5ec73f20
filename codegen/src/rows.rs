//! Row tables: what becomes of each variant of a surface, as the team wrote it down.

mod implied;
mod order;
mod row;
pub mod set;
#[cfg(test)]
pub(crate) mod tests;

use std::ops::Range;

use toml::Spanned;
use toml::de::{DeString, DeTable, DeValue};

use crate::canonical::{CanonicalModel, TARGETS};
use crate::diagnostics::{Code, Diagnostic, Fix};
use crate::names::nearest;
use crate::source::{Located, SourceFile, Span};
pub use implied::Implied;
pub use order::Place;
use row::{RowReader, Vocabulary};

/// A key and its value, each with its place.
type Entry<'a> = (&'a Spanned<DeString<'a>>, &'a Spanned<DeValue<'a>>);

type Errors = Vec<Diagnostic>;

/// The rows of one surface, in the order of the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowTable {
    /// The id of the surface, which is also the stem of the file.
    pub surface: String,
    /// The canonical enum that a value surface maps to, by its row-table name (`item-type`);
    /// none where the rows name events.
    pub target: Option<String>,
    /// The file.
    pub file: SourceFile,
    /// The rows that can be read.
    pub rows: Vec<Row>,
    /// What the surface tells beside its rows.
    pub implied: Vec<Implied>,
    /// Every line that has a tag, also where the rest of it is wrong.
    pub lines: Vec<Line>,
    /// Where a row can be added after all others.
    pub rows_end: usize,
}

/// One row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The wire value, or path of wire values, that picks the variant.
    pub tag: String,
    /// Where the tag stands.
    pub span: Span,
    /// What becomes of the variant.
    pub verb: Verb,
    /// What its event holds, where that is no matter of code.
    pub set: Option<set::Set>,
    /// The ids that its events name, beside those that all messages of the surface name.
    pub refs: Vec<set::Ref>,
    /// A remark for the reader of the generated code.
    pub note: Option<String>,
    /// The row's `echo` member, as written.
    pub echo: Option<String>,
    /// The row's `twin` member, as written.
    pub twin: Option<String>,
    /// The row's `where` member: the echo holds only for messages that have this member.
    pub condition: Option<String>,
    /// The row's `when` member: of a projection, what must be so for the event to be given.
    pub when: Option<Located<String>>,
}

/// What becomes of a variant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verb {
    /// It gives exactly the event that has its name.
    Keep(Event),
    /// It gives exactly this event.
    Rename(Event),
    /// It may give any of these events.
    Split(Vec<Event>),
    /// It gives nothing, for this reason.
    Drop(Located<String>),
    /// Nobody has decided yet; such a row is always reported as an error too.
    Todo(Located<String>),
}

/// A canonical event, or a member of the target, that a row names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// Its name on the wire.
    pub wire: String,
    /// The name of its variant.
    pub rust: String,
    /// Where the row names it.
    pub span: Span,
}

/// The lines that one row takes up in the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The tag.
    pub tag: String,
    /// Where the tag stands.
    pub span: Span,
    /// Whole lines, from the comment right above the row to the end of its last line.
    pub range: Range<usize>,
}

impl Verb {
    /// The key that stands for the verb in a row.
    pub const fn as_str(&self) -> &'static str {
        match self {
            Self::Keep(_) => "keep",
            Self::Rename(_) => "rename",
            Self::Split(_) => "split",
            Self::Drop(_) => "drop",
            Self::Todo(_) => "todo",
        }
    }

    /// The events that the row lists.
    pub fn events(&self) -> &[Event] {
        match self {
            Self::Keep(event) | Self::Rename(event) => std::slice::from_ref(event),
            Self::Split(events) => events,
            Self::Drop(_) | Self::Todo(_) => &[],
        }
    }
}

impl RowTable {
    /// The row of a tag.
    pub fn row(&self, tag: &str) -> Option<&Row> {
        self.rows.iter().find(|row| row.tag == tag)
    }

    /// Whether a row of this tag is there, be it readable or not.
    pub fn mentions(&self, tag: &str) -> bool {
        self.lines.iter().any(|line| line.tag == tag)
    }
}

/// Whether the table of this stem is that of a projection: its tags are the canonical events.
pub fn is_projection(stem: &str) -> bool {
    stem.starts_with("projection.")
}

/// Reads a row table and reports everything that is wrong with it. There is a table beside errors
/// where a join can still tell which variants have a row.
pub fn read(file: &SourceFile, model: &CanonicalModel) -> (Option<RowTable>, Errors) {
    let (root, problems) = DeTable::parse_recoverable(file.text());
    let root = root.get_ref();
    let mut errors: Errors = Vec::new();
    let mut legible = true;
    for problem in problems {
        let span = file.span(problem.span().unwrap_or_default());
        if problem.message() == "duplicate key" {
            errors.push(duplicate(file, root, span));
        } else {
            legible = false;
            let message = format!("{} is not TOML: {}", file.path(), problem.message());
            let error = Diagnostic::new(Code::BadSource, file.stem(), message);
            errors.push(error.at(span, "here"));
        }
    }
    if !legible {
        let unmerged = unmerged(file);
        return (None, unmerged.map_or(errors, |told| vec![told]));
    }
    errors.extend(check_keys(file, root));
    errors.extend(check_surface(file, root));
    let target = match read_target(file, root, model) {
        Ok(target) => target,
        Err(found) => {
            errors.extend(found);
            return (None, errors);
        }
    };
    let (header, rows) = match read_header(file, root) {
        Ok(found) => found,
        Err(found) => {
            errors.extend(found);
            return (None, errors);
        }
    };
    let reader = RowReader {
        file,
        vocabulary: match &target {
            Some(target) => Vocabulary::members(target),
            None => Vocabulary::events(model),
        },
    };
    let lines = order::lines(file, &header, &rows);
    let mut table = RowTable {
        surface: file.stem().to_owned(),
        target: target.map(|(name, _)| name.to_owned()),
        file: file.clone(),
        rows: Vec::new(),
        implied: Vec::new(),
        rows_end: lines
            .last()
            .map_or(file.line_end(header.range.end), |line| line.range.end),
        lines,
    };
    let (implied, found) = implied::read(&reader, root);
    table.implied = implied;
    errors.extend(found);
    for (key, value) in rows {
        let (row, found) = reader.read(key, value);
        table.rows.extend(row);
        errors.extend(found);
    }
    errors.extend(order::check(&table));
    (Some(table), errors)
}

/// What a merge left that nobody has resolved: one error for all that is no TOML because of it.
fn unmerged(file: &SourceFile) -> Option<Diagnostic> {
    const MARK: &str = "<<<<<<<";
    let text = file.text();
    let start = if text.starts_with(MARK) {
        0
    } else {
        text.find(&format!("\n{MARK}"))? + 1
    };
    let message = format!("{} holds both sides of a merge", file.path());
    let error = Diagnostic::new(Code::BadSource, file.stem(), message)
        .at(file.span(start..start + MARK.len()), "from here on")
        .help("keep the rows of both sides, each once, and remove the marks");
    Some(error)
}

/// What a member of the file must be when it is a text.
fn text(
    file: &SourceFile,
    key: &str,
    value: &Spanned<DeValue<'_>>,
) -> Result<Located<String>, Errors> {
    let span = file.span(value.span());
    let label = match value.get_ref().as_str() {
        Some(text) if !text.trim().is_empty() => return Ok(Located::new(text.to_owned(), span)),
        Some(_) => "it says nothing".to_owned(),
        None => format!("this is of type {}", value.get_ref().type_str()),
    };
    let error = bad_row(file, format!("`{key}` must be a text"));
    Err(vec![error.at(span, label)])
}

fn bad_row(file: &SourceFile, message: impl Into<String>) -> Diagnostic {
    Diagnostic::new(Code::BadRow, file.stem(), message)
}

/// The entries of a table in the order of the file.
fn entries<'a>(table: &'a DeTable<'a>) -> Vec<Entry<'a>> {
    let mut entries: Vec<Entry<'a>> = table.iter().collect();
    entries.sort_by_key(|(key, _)| key.span().start);
    entries
}

fn duplicate(file: &SourceFile, root: &DeTable<'_>, span: Span) -> Diagnostic {
    let rows = root.get("rows").and_then(|rows| rows.get_ref().as_table());
    let first = rows.into_iter().flat_map(|rows| rows.keys()).find(|key| {
        let first = file.span(key.span());
        first != span && first.text() == span.text()
    });
    match first {
        Some(first) => bad_row(file, format!("the tag `{}` has two rows", first.get_ref()))
            .at(span, "the second one")
            .and(file.span(first.span()), "the first one"),
        None => bad_row(file, format!("the key `{}` stands twice", span.text()))
            .at(span, "the second one"),
    }
}

fn check_keys(file: &SourceFile, root: &DeTable<'_>) -> Errors {
    let known = ["surface", "target", "implied", "rows"];
    let keys = entries(root).into_iter().map(|(key, _)| key);
    keys.filter(|key| !known.contains(&&**key.get_ref()))
        .map(|key| unknown_key(file, key, &known))
        .collect()
}

fn unknown_key(file: &SourceFile, key: &Spanned<DeString<'_>>, known: &[&str]) -> Diagnostic {
    let span = file.span(key.span());
    let error = bad_row(
        file,
        format!("`{}` is not a key of a row table", key.get_ref()),
    );
    let error = error.at(span.clone(), "unknown key");
    match nearest(key.get_ref(), known.iter().copied()) {
        Some(meant) => error.fix(Fix::new(format!("write `{meant}`"), span, meant)),
        None => error.help(format!("the keys here are {}", known.join(", "))),
    }
}

/// The stem of the file is the surface; the member says it again for a reader of the file alone.
fn check_surface(file: &SourceFile, root: &DeTable<'_>) -> Errors {
    let stem = file.stem();
    let Some(surface) = root.get("surface") else {
        let line = format!("surface = \"{stem}\"\n");
        let fix = Fix::new("name the surface", file.span(0..0), line);
        let error = bad_row(file, "the row table does not name its surface");
        return vec![error.at(file.span(0..0), "`surface` belongs here").fix(fix)];
    };
    match text(file, "surface", surface) {
        Ok(said) if said.value == stem => Vec::new(),
        Ok(said) => {
            let message = format!(
                "the row table says that it is of `{}`, and its file is called `{stem}`",
                said.value
            );
            let fix = Fix::new(
                "write the name of the file",
                said.span.clone(),
                format!("\"{stem}\""),
            );
            vec![
                bad_row(file, message)
                    .at(said.span, "another surface")
                    .fix(fix),
            ]
        }
        Err(errors) => errors,
    }
}

type Target<'a> = (&'a str, &'a crate::canonical::TargetEnum);

fn read_target<'a>(
    file: &SourceFile,
    root: &DeTable<'_>,
    model: &'a CanonicalModel,
) -> Result<Option<Target<'a>>, Errors> {
    let Some(value) = root.get("target") else {
        return Ok(None);
    };
    let said = text(file, "target", value)?;
    if let Some((name, target)) = model.targets.get_key_value(&said.value) {
        return Ok(Some((name, target)));
    }
    let names = TARGETS.iter().map(|(name, _)| *name);
    if let Some((name, rust)) = TARGETS.iter().find(|(name, _)| *name == said.value) {
        let message = format!("no canonical file declares `{rust}`, the enum of target `{name}`");
        let error = Diagnostic::new(Code::BadSource, file.stem(), message);
        return Err(vec![error.at(said.span, "named here")]);
    }
    let message = format!("`{}` is not a target of row tables", said.value);
    let error = bad_row(file, message).at(said.span.clone(), "unknown target");
    Err(vec![match nearest(&said.value, names.clone()) {
        Some(meant) => error.fix(Fix::new(
            format!("write `{meant}`"),
            said.span,
            format!("\"{meant}\""),
        )),
        None => error.help(format!(
            "the targets are {}",
            names.collect::<Vec<_>>().join(", ")
        )),
    }])
}

fn read_header<'a>(
    file: &SourceFile,
    root: &'a DeTable<'a>,
) -> Result<(Span, Vec<Entry<'a>>), Errors> {
    let end = file.span(file.text().len()..file.text().len());
    let Some(rows) = root.get("rows") else {
        let fix = Fix::new("open the rows", end.clone(), "[rows]\n");
        let error = bad_row(file, "the row table has no `[rows]`");
        return Err(vec![error.at(end, "it ends here").fix(fix)]);
    };
    let header = file.span(rows.span());
    match rows.get_ref().as_table() {
        Some(table) if header.text().starts_with('[') => Ok((header, entries(table))),
        Some(_) | None => {
            let error = bad_row(file, "`rows` must be a table under the header `[rows]`");
            Err(vec![error.at(header, "not such a table")])
        }
    }
}
