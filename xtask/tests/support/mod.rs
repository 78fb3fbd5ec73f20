//! A small invented world: a workspace with one provider, and an npm client with packages to give.
#![allow(
    dead_code,
    clippy::unwrap_used,
    clippy::panic,
    reason = "each test takes the part that it needs, and fails by panicking"
)]

mod package;

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use tempfile::TempDir;

use package::packed;

/// The client gives packages out of a folder, and answers what a registry says of them.
const NPM: &str = r#"#!/bin/sh
for last in "$@"; do :; done
echo "$@" >> "$STORE/asked"
case "$1" in
pack) name=$(echo "$last" | tr '/@' '--'); cp "$STORE/$name.tgz" . && cat "$STORE/$name.json" ;;
view) name=$(echo "$3" | tr '/@' '--'); cat "$STORE/$name.$4.json" ;;
esac
"#;

/// A workspace in one folder, and the programs and packages in another.
pub struct World {
    pub root: TempDir,
    pub outside: TempDir,
}

impl World {
    /// A workspace with these sources, the canonical model of the repository, and nothing else.
    pub fn new(sources: &str) -> Self {
        let world = Self {
            root: tempfile::tempdir().unwrap(),
            outside: tempfile::tempdir().unwrap(),
        };
        world.write("schemas/sources.toml", sources);
        for (path, text) in tree(&repository(), &["contracts/src/canonical"]) {
            world.write(&path, &text);
        }
        fs::create_dir_all(world.path("contracts/mapping")).unwrap();
        world.program("npm", NPM);
        world
    }

    pub fn path(&self, path: &str) -> PathBuf {
        self.root.path().join(path)
    }

    pub fn read(&self, path: &str) -> String {
        fs::read_to_string(self.path(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
    }

    pub fn write(&self, path: &str, text: &str) {
        write(self.root.path(), path, text);
    }

    /// Changes a file; a change that changes nothing is a mistake of the test.
    pub fn edit(&self, path: &str, change: impl FnOnce(&str) -> String) {
        let text = self.read(path);
        let changed = change(&text);
        assert_ne!(changed, text, "{path}");
        self.write(path, &changed);
    }

    pub fn program(&self, name: &str, script: &str) {
        let path = self.outside.path().join(name);
        fs::write(&path, script).unwrap();
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
    }

    /// Puts a package into the registry.
    pub fn publish(&self, package: &str, version: &str, files: &[(&str, &str)]) {
        let (tarball, integrity) = packed(version, "MIT", files);
        let name = format!("{package}@{version}").replace(['/', '@'], "-");
        let report = format!(r#"[{{"filename": "{name}.tgz", "integrity": "{integrity}"}}]"#);
        fs::write(self.outside.path().join(format!("{name}.tgz")), tarball).unwrap();
        fs::write(self.outside.path().join(format!("{name}.json")), report).unwrap();
    }

    /// What the registry says of a package: `dist-tags` or `time`.
    pub fn says(&self, package: &str, field: &str, json: &str) {
        let name = package.replace(['/', '@'], "-");
        fs::write(
            self.outside.path().join(format!("{name}.{field}.json")),
            json,
        )
        .unwrap();
    }

    /// What the client was asked since the last time.
    pub fn asked(&self) -> String {
        let path = self.outside.path().join("asked");
        let asked = fs::read_to_string(&path).unwrap_or_default();
        drop(fs::remove_file(path));
        asked
    }

    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut path = OsString::from(self.outside.path());
        path.push(":/usr/bin:/bin");
        let mut command = Command::new(env!("CARGO_BIN_EXE_xtask"));
        command
            .args(arguments)
            .arg("--root")
            .arg(self.root.path())
            .env("PATH", path)
            .env("STORE", self.outside.path());
        command
    }

    /// Runs a command, which must end with this code, and returns what it said on both streams.
    #[track_caller]
    pub fn run(&self, code: i32, arguments: &[&str]) -> String {
        let output = self.command(arguments).output().unwrap();
        let text = said(&output);
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {text}");
        text
    }

    /// Runs a command that must leave every file as it is.
    #[track_caller]
    pub fn run_in_vain(&self, code: i32, arguments: &[&str]) -> String {
        let before = self.tree();
        let text = self.run(code, arguments);
        assert_same(&before, &self.tree());
        text
    }

    /// Every file of the workspace.
    pub fn tree(&self) -> BTreeMap<String, String> {
        tree(self.root.path(), &[""])
    }
}

/// Names what differs, since whole trees are long.
#[track_caller]
pub fn assert_same(a: &BTreeMap<String, String>, b: &BTreeMap<String, String>) {
    let paths = a.keys().chain(b.keys());
    let differ: Vec<&String> = paths.filter(|path| a.get(*path) != b.get(*path)).collect();
    assert!(differ.is_empty(), "{differ:?}");
}

pub fn said(output: &Output) -> String {
    format!(
        "{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    )
}

/// The repository that the tests are in.
pub fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .unwrap()
        .into()
}

pub fn write(root: &Path, path: &str, text: &str) {
    let path = root.join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

/// Every file below some folders, by path from the root.
pub fn tree(root: &Path, folders: &[&str]) -> BTreeMap<String, String> {
    let mut files = BTreeMap::new();
    let mut open: Vec<String> = folders.iter().map(|folder| (*folder).to_owned()).collect();
    while let Some(folder) = open.pop() {
        let Ok(entries) = fs::read_dir(root.join(&folder)) else {
            continue;
        };
        for entry in entries {
            let entry = entry.unwrap();
            let name = entry.file_name().into_string().unwrap();
            let path = if folder.is_empty() {
                name
            } else {
                format!("{folder}/{name}")
            };
            if path == ".xtask" {
                // The scratch folder of a run is no part of the tree.
            } else if entry.path().is_dir() {
                open.push(path);
            } else {
                files.insert(path, fs::read_to_string(entry.path()).unwrap());
            }
        }
    }
    files
}
