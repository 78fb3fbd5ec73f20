//! `cargo xtask diff` as a person or a build runs it: exit codes, paths, what is printed where.

#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const SOURCES: &str = "[provider.tiny]\nversions = [\"1.0.0\"]\nfaces = [\"stable\"]\n[wire.tiny]\naccepts = [\"Message\"]\n";

/// A document with one member of this type.
fn document(ty: &str) -> String {
    format!(
        "{{\n \"definitions\": {{\n  \"Message\": {{\n   \"type\": \"object\",\n   \"properties\": {{\n    \"moon\": {{\"type\": \"{ty}\"}}\n   }}\n  }}\n }}\n}}\n"
    )
}

/// A repository with two versions, and a tree beside it.
fn repository() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let write = |path: &str, text: &str| {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    write("schemas/sources.toml", SOURCES);
    write("schemas/tiny/1.0.0/stable/schema.json", &document("string"));
    write(
        "schemas/tiny/2.0.0/stable/schema.json",
        &document("integer"),
    );
    write("elsewhere/stable/schema.json", &document("integer"));
    write("broken/schema.json", "{");
    write(
        "accept.toml",
        "[[accept]]\nid = \"type-changed:Message.moon\"\nreason = \"nobody sends it\"\n",
    );
    write(
        "stale.toml",
        "[[accept]]\nid = \"type-changed:Message.sun\"\nreason = \"nobody sends it\"\n",
    );
    folder
}

fn diff(root: &Path, arguments: &[&str]) -> Output {
    let binary = PathBuf::from(env!("CARGO_BIN_EXE_xtask"));
    let mut command = Command::new(binary);
    command.current_dir(root).arg("diff").args(arguments);
    command.output().unwrap()
}

fn printed(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

#[test]
fn exit_codes_say_what_was_found() {
    let folder = repository();
    let cases: [(&[&str], i32); 13] = [
        (&["tiny", "1.0.0", "2.0.0"], 0),
        (&["tiny", "1.0.0", "2.0.0", "--fail-on", "breaking"], 1),
        (&["tiny", "1.0.0", "2.0.0", "--fail-on", "any"], 1),
        (&["tiny", "1.0.0", "1.0.0", "--fail-on", "any"], 0),
        (
            &[
                "tiny",
                "1.0.0",
                "2.0.0",
                "--fail-on",
                "any",
                "--accept",
                "accept.toml",
            ],
            0,
        ),
        (&["tiny", "1.0.0", "2.0.0", "--accept", "stale.toml"], 2),
        (&["tiny", "1.0.0", "2.0.0", "--accept", "none.toml"], 2),
        (&["tiny", "1.0.0", "3.0.0"], 2),
        (&["none", "1.0.0", "2.0.0"], 2),
        (&["tiny", "1.0.0", "broken"], 2),
        (&["tiny", "1.0.0"], 2),
        (
            &[
                "tiny",
                "1.0.0/stable",
                "2.0.0/stable",
                "--fail-on",
                "dangerous",
            ],
            1,
        ),
        (&["--classes"], 0),
    ];
    for (arguments, code) in cases {
        let output = diff(folder.path(), arguments);
        assert_eq!(output.status.code(), Some(code), "{arguments:?}");
        // What could not run prints nothing that looks like an answer.
        assert_eq!(output.stdout.is_empty(), code == 2, "{arguments:?}");
        assert_eq!(output.stderr.is_empty(), code != 2, "{arguments:?}");
    }
}

#[test]
fn a_tree_that_stands_elsewhere_is_compared() {
    let folder = repository();
    for path in ["elsewhere", "elsewhere/", "elsewhere/stable/schema.json"] {
        let output = diff(
            folder.path(),
            &["tiny", "1.0.0", path, "--format", "github"],
        );
        assert_eq!(output.status.code(), Some(0), "{path}");
        let printed = printed(&output);
        assert!(
            printed.starts_with(
                "::error file=elsewhere/stable/schema.json,line=6,title=breaking%3A type-changed::"
            ),
            "{printed}"
        );
    }
}

#[test]
fn each_format_is_printed() {
    let folder = repository();
    for (format, start) in [
        ("text", "breaking: "),
        ("markdown", "## tiny 1.0.0 → 2.0.0\n"),
        ("json", "{\n  \"format\": 1,"),
        (
            "github",
            "::error file=schemas/tiny/2.0.0/stable/schema.json,line=6,",
        ),
    ] {
        let printed = printed(&diff(
            folder.path(),
            &["tiny", "1.0.0", "2.0.0", "--format", format],
        ));
        assert!(printed.starts_with(start), "{format}: {printed}");
    }
}
