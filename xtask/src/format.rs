//! The forms in which commands say what they found.

use agentwire_codegen::diagnostics::Diagnostic;
use serde_json::{Value, json};

/// The form of findings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    /// For people.
    Text,
    /// Annotations of a workflow on GitHub, with file and line.
    Github,
    /// For programs.
    Json,
}

/// The form of a list.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
pub enum Form {
    /// For people.
    Text,
    /// For programs.
    Json,
}

/// A finding as an annotation.
pub fn annotation(finding: &Diagnostic) -> String {
    let place = finding
        .primary
        .as_ref()
        .map_or_else(String::new, |(span, _)| {
            let at = span.line_col();
            format!(
                " file={},line={},col={},",
                property(span.file.path()),
                at.line,
                at.column
            )
        });
    let title = property(finding.code.as_str());
    let mut message = finding.message.clone();
    for help in &finding.help {
        message += &format!("\n{help}");
    }
    let separator = if place.is_empty() { " " } else { "" };
    format!(
        "::error{place}{separator}title={title}::{}\n",
        data(&message)
    )
}

/// A finding as an object.
pub fn object(finding: &Diagnostic) -> Value {
    let place = finding.primary.as_ref().map(|(span, label)| {
        let at = span.line_col();
        json!({"path": span.file.path(), "line": at.line, "column": at.column, "label": label})
    });
    json!({
        "code": finding.code.as_str(),
        "group": finding.group,
        "message": finding.message,
        "place": place,
        "help": finding.help,
        "fix": finding.fix.as_ref().map(|fix| fix.title.clone()),
    })
}

/// A number with its noun: `1 row`, `3 rows`.
pub fn counted(count: usize, noun: &str) -> String {
    let end = if count == 1 { "" } else { "s" };
    format!("{count} {noun}{end}")
}

/// A value with its line break.
pub fn pretty(value: &Value) -> String {
    format!("{value:#}\n")
}

fn data(text: &str) -> String {
    text.replace('%', "%25")
        .replace('\r', "%0D")
        .replace('\n', "%0A")
}

fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
