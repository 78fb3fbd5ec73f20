//! Provenance: every vendored file is the one that `sources.lock` describes.

#![allow(clippy::unwrap_used, clippy::panic)]

use std::collections::BTreeMap;

use agentwire_codegen::diagnostics::{Code, Diagnostic, render};
use agentwire_codegen::sources::{provider, providers};
use agentwire_tests::{repository_files, sha256};
use agentwire_upkeep::vendor::lock::{Lock, Mismatch, check_files, check_sources};
use agentwire_upkeep::vendor::unlocked::unlocked;

const LOCK: &str = "schemas/sources.lock";
const SOURCES: &str = "schemas/sources.toml";

fn lock(files: &BTreeMap<String, String>) -> Lock {
    Lock::parse(&files[LOCK]).unwrap()
}

/// The hashes of the vendored files by their path under `schemas/`.
fn hashes(files: &BTreeMap<String, String>) -> BTreeMap<String, String> {
    let vendored = files
        .iter()
        .filter(|(path, _)| path.ends_with("/schema.json") || path.ends_with("/types.json"));
    vendored
        .map(|(path, text)| {
            (
                path.strip_prefix("schemas/").unwrap().to_owned(),
                sha256(text.as_bytes()),
            )
        })
        .collect()
}

#[test]
fn every_vendored_file_is_the_one_that_was_locked() {
    let files = repository_files(&["schemas"]);
    let hashes = hashes(&files);
    assert!(hashes.len() >= 6, "only {} vendored files", hashes.len());
    assert_eq!(check_files(&lock(&files), &hashes), []);
}

#[test]
fn the_window_and_the_decisions_are_those_that_were_locked() {
    let files = repository_files(&["schemas"]);
    let names = providers(&files[SOURCES]).unwrap();
    assert!(!names.is_empty());
    for name in names {
        let provider = provider(&files[SOURCES], &name).unwrap();
        assert!(!provider.versions.is_empty());
        assert_eq!(check_sources(&lock(&files), &name, &provider), []);
    }
}

#[test]
fn nothing_is_unlocked() {
    let found = unlocked(&repository_files(&["schemas"]), &sha256);
    assert!(found.is_empty(), "{}", render(&found, false));
}

#[test]
fn one_changed_byte_is_found() {
    let mut files = repository_files(&["schemas"]);
    let path = files
        .keys()
        .find(|path| path.ends_with("/schema.json"))
        .unwrap()
        .clone();
    let text = files.get_mut(&path).unwrap();
    let changed = text.replacen(' ', "\t", 1);
    assert_eq!(changed.len(), text.len());
    *text = changed;
    let locked = path.strip_prefix("schemas/").unwrap().to_owned();
    assert_eq!(
        check_files(&lock(&files), &hashes(&files)),
        [Mismatch::Changed { path: locked }]
    );
    let found: Vec<Diagnostic> = unlocked(&files, &sha256);
    let [only] = found.as_slice() else {
        panic!("{}", render(&found, false))
    };
    assert_eq!(
        (only.code, only.message.contains(&path)),
        (Code::UnlockedSource, true)
    );
}

#[test]
fn a_file_that_was_put_there_by_hand_is_found() {
    let mut files = repository_files(&["schemas"]);
    files.insert(
        "schemas/codex/0.171.0/stable/notes.txt".to_owned(),
        String::new(),
    );
    let found = unlocked(&files, &sha256);
    assert_eq!(found.len(), 1);
    assert!(
        found[0]
            .message
            .contains("notes.txt does not stand in sources.lock"),
        "{}",
        found[0].message
    );
}

#[test]
fn a_missing_lock_hides_nothing() {
    let mut files = repository_files(&["schemas"]);
    let vendored = hashes(&files).len();
    files.remove(LOCK);
    assert!(unlocked(&files, &sha256).len() >= vendored);
}
