//! Drift: what is checked in against what is generated, path sets first, then bytes.

use std::collections::BTreeMap;

use crate::report::{Code, Diagnostic};

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
    found.extend(extra.map(|path| stale(&format!("{path} is no longer generated"))));
    for (path, text) in expected {
        if let Some(current) = present.get(path).filter(|current| *current != text) {
            let line = current
                .lines()
                .zip(text.lines())
                .take_while(|(a, b)| a == b)
                .count()
                + 1;
            found.push(stale(&format!(
                "{path} differs from what is generated, first at line {line}"
            )));
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
            .map(|d| d.message)
            .collect();
        assert_eq!(
            messages,
            [
                "b.rs is missing",
                "c.rs is no longer generated",
                "a.rs differs from what is generated, first at line 2"
            ]
        );
    }
}
