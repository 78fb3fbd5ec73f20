//! What the back ends made must be Rust: the tree never gets a file that is none.

use std::collections::BTreeMap;

use crate::diagnostics::{Code, Diagnostic};
use crate::source::SourceFile;

/// An error for each file that does not parse, at the place where it stops being Rust.
pub fn broken(files: &BTreeMap<String, String>) -> Vec<Diagnostic> {
    files
        .iter()
        .filter(|(path, _)| path.ends_with(".rs"))
        .filter_map(|(path, text)| Some(diagnostic(path, text, &syn::parse_file(text).err()?)))
        .collect()
}

fn diagnostic(path: &str, text: &str, error: &syn::Error) -> Diagnostic {
    let file = SourceFile::new(path, text);
    let message = format!("a back end made a file that is no Rust: {error}");
    Diagnostic::new(Code::BrokenOutput, "back ends", message)
        .at(file.span(place(text, error)), "here")
        .help("nothing was written; correct the back end in codegen/src/backend")
}

/// The bytes of the line that the error is about, from its column on.
fn place(text: &str, error: &syn::Error) -> std::ops::Range<usize> {
    let start = error.span().start();
    let before: usize = text
        .split_inclusive('\n')
        .take(start.line.saturating_sub(1))
        .map(str::len)
        .sum();
    let rest = text.get(before..).unwrap_or_default();
    let line = rest.split('\n').next().unwrap_or_default();
    let column = line
        .char_indices()
        .nth(start.column)
        .map_or(line.len(), |(index, _)| index);
    before + column..before + line.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_is_no_rust_is_named_with_its_reason() {
        let files = BTreeMap::from([
            (String::from("good.rs"), String::from("pub struct Lamp;\n")),
            (
                String::from("bad.rs"),
                String::from("pub struct Lamp;\npub fn 1();\n"),
            ),
        ]);
        let lines: Vec<String> = broken(&files).iter().map(Diagnostic::to_line).collect();
        assert_eq!(lines.len(), 1);
        assert!(lines[0].contains("bad.rs:2:8"), "{}", lines[0]);
        assert!(lines[0].contains("expected identifier"), "{}", lines[0]);
    }
}
