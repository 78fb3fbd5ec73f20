//! `cargo xtask report` as a person or a build runs it: where it writes, and what it ends with.

#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

const SOURCES: &str = "[provider.tiny]\npackage = \"tiny\"\nlicence = \"MIT\"\nversions = [\"1.0.0\"]\nfaces = [\"stable\"]\n\n[surface.\"tiny.event\"]\nprovider = \"tiny\"\nmodule = \"event\"\nunion = \"Event\"\n";
const EVENTS: &str = "pub enum EventPayload {\n    #[serde(rename = \"turn.started\")]\n    TurnStarted(TurnStarted),\n}\n";
const SCHEMA: &str = r#"{"definitions": {"Event": {"oneOf": [
  {"type": "object", "properties": {"type": {"type": "string", "enum": ["start"]}}, "required": ["type"]}
]}}}"#;
const ROWS: &str =
    "surface = \"tiny.event\"\n\n[rows]\n\"start\" = { rename = \"turn.started\" }\n";
const STREAM: &str = "{\"dir\":\"out\",\"line\":\"{\\\"type\\\":\\\"start\\\"}\"}\n";

fn write(root: &Path, path: &str, text: &str) {
    let path = root.join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

fn repository() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    write(root, "schemas/sources.toml", SOURCES);
    write(root, "schemas/tiny/1.0.0/stable/schema.json", SCHEMA);
    write(root, "contracts/src/canonical/event.rs", EVENTS);
    write(root, "contracts/mapping/tiny.event.toml", ROWS);
    write(
        root,
        "tests/transcripts/tiny.event/1.0.0/begin.jsonl",
        STREAM,
    );
    folder
}

fn report(root: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_xtask"));
    command.current_dir(root).arg("report").args(arguments);
    command.output().unwrap()
}

fn told(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

#[test]
fn files_stand_where_they_were_asked_for() {
    let folder = repository();
    let root = folder.path();
    let output = report(root, &[]);
    assert_eq!(output.status.code(), Some(0), "{}", told(&output));
    let page = fs::read_to_string(root.join("target/report/index.html")).unwrap();
    assert!(page.contains("<code>start</code>") && page.contains("1.0.0/begin"));
    let text = fs::read_to_string(root.join("target/report/report.md")).unwrap();
    assert!(text.contains("| `start` | rename | `turn.started` | 1.0.0 | 1.0.0/begin |"));

    let output = report(root, &["--out", "there/below"]);
    assert_eq!(output.status.code(), Some(0), "{}", told(&output));
    assert_eq!(
        fs::read_to_string(root.join("there/below/index.html")).unwrap(),
        page
    );
    assert_eq!(
        fs::read_to_string(root.join("there/below/report.md")).unwrap(),
        text
    );

    let output = report(root, &["--markdown", "only.md"]);
    assert_eq!(output.status.code(), Some(0), "{}", told(&output));
    assert_eq!(fs::read_to_string(root.join("only.md")).unwrap(), text);
    assert!(!root.join("only.html").exists());
    let both = report(root, &["--markdown", "only.md", "--out", "there"]);
    assert_eq!(both.status.code(), Some(2));
}

#[test]
fn what_can_not_be_read_is_told_and_fails() {
    let folder = repository();
    let root = folder.path();
    write(root, "schemas/tiny/1.0.0/stable/schema.json", "{");
    let output = report(root, &[]);
    assert_eq!(output.status.code(), Some(1), "{}", told(&output));
    assert!(
        told(&output).contains("the report is incomplete"),
        "{}",
        told(&output)
    );
    let page = fs::read_to_string(root.join("target/report/index.html")).unwrap();
    assert!(page.contains("What could not be read"));

    write(root, "schemas/sources.toml", "[provider");
    let output = report(root, &["--out", "nothing"]);
    assert_eq!(output.status.code(), Some(1), "{}", told(&output));
    assert!(!root.join("nothing").exists());
}
