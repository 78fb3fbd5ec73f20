//! `cargo xtask regen` on a copy of the repository's inputs: what it writes, and that it writes
//! nothing when something is wrong.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use tempfile::TempDir;

const GENERATED: &str = "contracts/src/generated";
const INPUTS: [&str; 4] = [
    "schemas",
    "contracts/mapping",
    "contracts/src/canonical",
    "contracts/src/projection",
];
const TABLE: &str = "contracts/mapping/codex.turn-status.toml";
const SCHEMA: &str = "schemas/codex/0.171.0/stable/schema.json";

/// Every file below some folders, by path from the root.
fn tree(root: &Path, folders: &[&str]) -> BTreeMap<String, String> {
    let mut files = BTreeMap::new();
    let mut open: Vec<String> = folders.iter().map(|folder| (*folder).to_owned()).collect();
    while let Some(folder) = open.pop() {
        let Ok(entries) = fs::read_dir(root.join(&folder)) else {
            continue;
        };
        for entry in entries {
            let entry = entry.unwrap();
            let path = format!("{folder}/{}", entry.file_name().to_str().unwrap());
            if entry.path().is_dir() {
                open.push(path);
            } else {
                files.insert(path, fs::read_to_string(entry.path()).unwrap());
            }
        }
    }
    files
}

fn write(root: &Path, path: &str, text: &str) {
    let path = root.join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

/// Changes a file; a change that changes nothing is a mistake of the test.
fn edit(root: &Path, path: &str, change: impl FnOnce(&str) -> String) {
    let text = fs::read_to_string(root.join(path)).unwrap();
    let changed = change(&text);
    assert_ne!(changed, text, "{path}");
    write(root, path, &changed);
}

const PAGES: [&str; 3] = [
    "docs/diff-classes.md",
    "docs/lifecycle.md",
    "docs/surfaces.md",
];

/// The repository's inputs, its generated code and the pages that are made.
fn repository() -> TempDir {
    let own: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .unwrap()
        .into();
    let copy = tempfile::tempdir().unwrap();
    let folders: Vec<&str> = INPUTS.into_iter().chain([GENERATED]).collect();
    for (path, text) in tree(&own, &folders) {
        write(copy.path(), &path, &text);
    }
    for page in PAGES {
        let text = fs::read_to_string(own.join(page)).unwrap();
        write(copy.path(), page, &text);
    }
    copy
}

fn regen(root: &Path, arguments: &[&str]) -> Output {
    xtask(root, "regen", arguments)
}

fn xtask(root: &Path, command: &str, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_xtask"))
        .args([command, "--root"])
        .arg(root)
        .args(arguments)
        .env("CARGO_TARGET_DIR", root.join("target"))
        .output()
        .unwrap()
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[track_caller]
fn succeeds(output: &Output) -> String {
    assert!(output.status.success(), "{}", said(output));
    said(output)
}

/// Runs the command, which must fail and leave every file as it is.
#[track_caller]
fn fails(root: &Path, arguments: &[&str]) -> String {
    let before = tree(root, &["schemas", "contracts"]);
    let output = regen(root, arguments);
    assert_eq!(output.status.code(), Some(1), "{}", said(&output));
    assert_eq!(tree(root, &["schemas", "contracts"]), before);
    said(&output)
}

#[test]
fn what_differs_is_reported_by_check_and_mended_by_the_command() {
    let repository = repository();
    let root = repository.path();
    // Whether the repository itself is up to date is for the test of drift to say.
    succeeds(&regen(root, &[]));
    let expected = tree(root, &[GENERATED]);
    assert!(succeeds(&regen(root, &["--check"])).contains("up to date"));

    edit(root, &format!("{GENERATED}/codex/values.rs"), |text| {
        text.replacen("fn ", "fn  ", 1)
    });
    fs::remove_file(root.join(format!("{GENERATED}/codex/eventmsg.rs"))).unwrap();
    write(root, &format!("{GENERATED}/codex/extra.rs"), "");
    let text = fails(root, &["--check"]);
    for sentence in [
        "values.rs differs from what is generated",
        "eventmsg.rs is missing",
        "extra.rs is no longer generated",
    ] {
        assert!(text.contains(sentence), "{text}");
    }
    assert!(text.contains("3 errors: 3 stale-output"), "{text}");

    let text = succeeds(&regen(root, &[]));
    assert!(text.contains("3 changed"), "{text}");
    assert_eq!(tree(root, &[GENERATED]), expected);
}

#[test]
fn a_deleted_row_and_an_edited_schema_write_nothing() {
    let repository = repository();
    let root = repository.path();
    edit(root, TABLE, |text| {
        text.lines()
            .filter(|line| !line.starts_with("\"failed\""))
            .map(|line| format!("{line}\n"))
            .collect()
    });
    let text = fails(root, &[]);
    assert!(
        text.contains("error[missing-row]: the variant `failed` of codex.turn-status has no row"),
        "{text}"
    );
    assert!(text.contains("+ \"failed\" = {"), "{text}");
    assert!(text.contains("1 error: 1 missing-row"), "{text}");

    // White space alone would give the same code, and is still no vendored file.
    edit(root, SCHEMA, |text| format!("{text}\n"));
    let text = fails(root, &[]);
    assert!(
        text.contains(&format!(
            "error[unlocked-source]: {SCHEMA} is not the file that was vendored"
        )),
        "{text}"
    );
    assert!(
        text.contains("2 errors: 1 missing-row, 1 unlocked-source"),
        "{text}"
    );
}

/// A program that stands for the one that describes the model, so that nothing large is built: it
/// prints what its source says.
fn describing(root: &Path, main: &str) {
    let program = "canonical-schema";
    write(
        root,
        "Cargo.toml",
        &format!("[workspace]\nmembers = [\"{program}\"]\nresolver = \"3\"\n"),
    );
    write(
        root,
        &format!("{program}/Cargo.toml"),
        "[package]\nname = \"agentwire-canonical-schema\"\nedition = \"2024\"\n",
    );
    write(root, &format!("{program}/src/main.rs"), main);
}

const PRINTS_ONE: &str = "fn main() {\n    print!(\"{}\", r#\"{\"contracts/schema/canonical.d.ts\": \"export {};\\n\"}\"#);\n}\n";

#[test]
fn the_described_model_is_written_and_checked_whole() {
    const DECLARATIONS: &str = "contracts/schema/canonical.d.ts";
    let repository = repository();
    let root = repository.path();
    describing(root, PRINTS_ONE);
    write(root, "contracts/schema/left-over.json", "{}");
    let text = fails(root, &["--check"]);
    for sentence in [
        &format!("{DECLARATIONS} is missing"),
        "contracts/schema/left-over.json is no longer generated",
        "2 errors: 2 stale-output",
    ] {
        assert!(text.contains(sentence), "{text}");
    }
    let checked = xtask(root, "check", &[]);
    assert_eq!(checked.status.code(), Some(1));
    let told = String::from_utf8(checked.stdout).unwrap();
    assert!(told.contains("model       2 findings\n"), "{told}");
    assert!(succeeds(&regen(root, &[])).contains("contracts/schema: 1 files, 2 changed"));
    let written = tree(root, &["contracts/schema"]);
    let expected = [(DECLARATIONS.to_owned(), "export {};\n".to_owned())];
    assert_eq!(written, BTreeMap::from(expected));
    succeeds(&regen(root, &["--check"]));
    let told = String::from_utf8(xtask(root, "check", &[]).stdout).unwrap();
    assert!(told.contains("model       ok, 1 file\n"), "{told}");
}

#[test]
fn a_model_that_does_not_compile_keeps_no_code_from_being_written() {
    let repository = repository();
    let root = repository.path();
    describing(root, "fn main() {\n    nothing();\n}\n");
    write(root, "contracts/schema/canonical.d.ts", "export {};\n");
    let extra = format!("{GENERATED}/codex/extra.rs");
    write(root, &extra, "");
    let output = regen(root, &[]);
    assert_eq!(output.status.code(), Some(2));
    let text = said(&output);
    for sentence in [
        "contracts/schema is as it was",
        "run `cargo xtask regen` again",
        "cannot find function `nothing`",
    ] {
        assert!(text.contains(sentence), "{text}");
    }
    assert!(!root.join(extra).exists(), "the generated code is written");
    let kept = fs::read_to_string(root.join("contracts/schema/canonical.d.ts")).unwrap();
    assert_eq!(kept, "export {};\n");
    let output = regen(root, &["--check"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(said(&output).contains("could not be compiled"));
}
