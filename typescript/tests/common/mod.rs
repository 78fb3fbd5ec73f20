//! Lowering of small texts, for the tests.
#![allow(clippy::unwrap_used, clippy::panic, dead_code)]

use std::collections::BTreeMap;

use agentwire_typescript::lower::Decisions;
use agentwire_typescript::request::{Package, Request, Root};
use agentwire_typescript::{Dump, dump};
use serde_json::Value;

/// A request for `Root` of the file `a.d.ts` in the package `acme`.
pub fn request() -> Request {
    let package = Package {
        name: "acme".to_owned(),
        version: "1.0.0".to_owned(),
        ..Package::default()
    };
    let root = Root {
        file: "a.d.ts".to_owned(),
        types: vec!["Root".to_owned()],
    };
    Request {
        package,
        externals: Vec::new(),
        roots: vec![root],
        decisions: Decisions::default(),
    }
}

/// Files by package and path.
pub fn files<const N: usize>(files: [(&str, &str); N]) -> BTreeMap<String, String> {
    files
        .into_iter()
        .map(|(path, text)| (path.to_owned(), text.to_owned()))
        .collect()
}

/// The definitions of a dump.
pub fn definitions(dump: &Dump) -> BTreeMap<String, Value> {
    let value: Value = serde_json::from_str(&dump.text).unwrap();
    serde_json::from_value(value["definitions"].clone()).unwrap()
}

/// The definitions that the file with this text gives.
pub fn lowered(text: &str) -> BTreeMap<String, Value> {
    match dump(&request(), &files([("acme/a.d.ts", text)])) {
        Ok(made) => definitions(&made),
        Err(problems) => {
            let lines: Vec<String> = problems.iter().map(ToString::to_string).collect();
            panic!("{text}\n{}", lines.join("\n"))
        }
    }
}

/// The definition of `Root`.
pub fn one(text: &str) -> Value {
    lowered(text).remove("Root").unwrap()
}

/// What is said about a file that has no reading.
pub fn problems(text: &str) -> String {
    let found = dump(&request(), &files([("acme/a.d.ts", text)])).unwrap_err();
    found.iter().map(|problem| format!("{problem}\n")).collect()
}
