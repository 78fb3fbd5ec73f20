//! Drift: what is checked in against what is generated, path sets first, then bytes.

use std::collections::BTreeMap;

use agentwire_codegen::diagnostics::{Code, Diagnostic};
use agentwire_codegen::source::SourceFile;

/// Every generated file that is missing, extra or different. Both maps are by path from the root
/// of the repository.
pub fn drift(
    expected: &BTreeMap<String, String>,
    present: &BTreeMap<String, String>,
) -> Vec<Diagnostic> {
    let missing = expected.keys().filter(|path| !present.contains_key(*path));
    let extra = present.keys().filter(|path| !expected.contains_key(*path));
    let mut found: Vec<Diagnostic> = missing
        .map(|path| stale(&format!("{path} is missing")))
        .collect();
    found.extend(extra.map(|path| {
        let file = SourceFile::new(path.as_str(), "");
        stale(&format!("{path} is no longer generated")).at(file.span(0..0), "this file")
    }));
    for (path, text) in expected {
        if let Some(current) = present.get(path).filter(|current| *current != text) {
            let line = current
                .lines()
                .zip(text.lines())
                .take_while(|(a, b)| a == b)
                .count()
                + 1;
            let told = stale(&format!(
                "{path} differs from what is generated, first at line {line}"
            ));
            let file = SourceFile::new(path.as_str(), current.as_str());
            let before = current.split_inclusive('\n').take(line - 1);
            let start = before.map(str::len).sum();
            let length = current
                .get(start..)
                .and_then(|rest| rest.lines().next())
                .map_or(0, str::len);
            found.push(told.at(file.span(start..start + length), "this is another line"));
        }
    }
    found
}

fn stale(message: &str) -> Diagnostic {
    Diagnostic::new(Code::StaleOutput, "generated code", message).help(
        "run `cargo xtask regen` and commit what it writes; edit the schemas, the rows or the generator",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files(entries: &[(&str, &str)]) -> BTreeMap<String, String> {
        entries
            .iter()
            .map(|(path, text)| ((*path).to_owned(), (*text).to_owned()))
            .collect()
    }

    #[test]
    fn each_kind_of_drift_is_named() {
        let expected = files(&[("a.rs", "one\ntwo\n"), ("b.rs", "x\n")]);
        assert!(drift(&expected, &expected).is_empty());
        let present = files(&[("a.rs", "one\n2\n"), ("c.rs", "y\n")]);
        let messages: Vec<String> = drift(&expected, &present)
            .into_iter()
            .map(|d| d.to_line())
            .collect();
        assert_eq!(
            messages,
            [
                "stale-output: b.rs is missing",
                "c.rs:1:1: stale-output: c.rs is no longer generated",
                "a.rs:2:1: stale-output: a.rs differs from what is generated, first at line 2"
            ]
        );
    }
}
