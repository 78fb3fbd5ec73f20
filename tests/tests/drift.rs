//! Drift: the generated code that is checked in is what the generator writes, byte for byte.

#![allow(clippy::unwrap_used, clippy::panic)]

use std::collections::BTreeMap;
use std::fs;
use std::sync::LazyLock;

use agentwire_codegen::diagnostics::{Code, render};
use agentwire_codegen::{FOLDER, FOLDERS, Inputs, generate};
use agentwire_tests::{files_below, repository_files, root};
use agentwire_upkeep::drift;

static GENERATED: LazyLock<BTreeMap<String, String>> =
    LazyLock::new(|| generated(&repository_files(FOLDERS)));

fn generated(files: &BTreeMap<String, String>) -> BTreeMap<String, String> {
    let inputs =
        Inputs::from_files(files).unwrap_or_else(|found| panic!("{}", render(&found, false)));
    generate(&inputs)
        .unwrap_or_else(|found| panic!("{}", render(&found, false)))
        .files
}

#[test]
fn generated_code_is_up_to_date() {
    let (expected, present) = (&*GENERATED, repository_files(&[FOLDER]));
    assert!(
        expected.len() > 5,
        "only {} files were generated",
        expected.len()
    );
    let paths = |files: &BTreeMap<String, String>| files.keys().cloned().collect::<Vec<_>>();
    assert_eq!(paths(expected), paths(&present));
    let found = drift(expected, &present);
    assert!(found.is_empty(), "{}", render(&found, false));
}

#[test]
fn the_schema_and_the_declarations_of_the_model_are_up_to_date() {
    let expected = agentwire_canonical_schema::files().unwrap();
    assert_eq!(expected.len(), 2);
    assert_eq!(agentwire_canonical_schema::files().unwrap(), expected);
    let present = repository_files(&[agentwire_canonical_schema::FOLDER]);
    let found = drift(&expected, &present);
    assert!(found.is_empty(), "{}", render(&found, false));
    let root = root();
    let root = root.to_str().unwrap();
    assert!(expected.values().all(|text| !text.contains(root)));
}

#[test]
fn generating_twice_gives_the_same_bytes() {
    assert_eq!(generated(&repository_files(FOLDERS)), *GENERATED);
}

#[test]
fn no_text_depends_on_where_the_repository_lies() {
    let root = root();
    let root = root.to_str().unwrap();
    assert!(GENERATED.values().all(|text| !text.contains(root)));
}

#[test]
fn an_edited_a_missing_and_an_extra_file_are_reported() {
    let expected = &*GENERATED;
    let [edited, missing, ..] = expected.keys().collect::<Vec<_>>()[..] else {
        panic!("two files")
    };
    let mut present = expected.clone();
    present.get_mut(edited).unwrap().push('\n');
    present.remove(missing);
    let extra = format!("{FOLDER}/extra.rs");
    present.insert(extra.clone(), String::new());
    let found = drift(expected, &present);
    let messages: Vec<&str> = found
        .iter()
        .map(|diagnostic| diagnostic.message.as_str())
        .collect();
    let line = expected[edited].lines().count() + 1;
    assert_eq!(
        messages,
        [
            format!("{missing} is missing"),
            format!("{extra} is no longer generated"),
            format!("{edited} differs from what is generated, first at line {line}"),
        ]
    );
    assert!(
        found
            .iter()
            .all(|diagnostic| diagnostic.code == Code::StaleOutput)
    );
}

/// The fixture is a repository of its own but for the canonical model.
#[test]
fn the_generated_code_of_the_fixture_is_up_to_date() {
    let folder = root().join("tests/fixture");
    let mut files = files_below(&folder, &["schemas", "contracts/mapping"]);
    files.extend(repository_files(&["contracts/src/canonical"]));
    let expected = generated(&files);
    assert!(expected.len() >= 7, "{:?}", expected.keys());
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        let _ = fs::remove_dir_all(folder.join(FOLDER));
        for (path, text) in &expected {
            let path = folder.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
    }
    let found = drift(&expected, &files_below(&folder, &[FOLDER]));
    assert!(found.is_empty(), "{}", render(&found, false));
}
