//! `cargo xtask vendor` on a small invented provider: what it writes, and that it writes nothing when it fails.
#![allow(clippy::unwrap_used, clippy::panic)]

#[cfg(unix)]
#[path = "support/package.rs"]
mod package;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use tempfile::TempDir;

const SOURCES: &str = r#"
[provider.codex]
package = "invented"
licence = "MIT"
versions = ["1.0.0"]
faces = ["stable", "experimental"]
bundles = ["all.json"]
"#;

const ITEM: &str = r##"{"title": "Item", "properties": {"title": {"$ref": "#/definitions/Id"}}, "definitions": {"Id": {"type": "string"}}}"##;
const OTHER: &str =
    r##"{"items": {"$ref": "#/definitions/Id"}, "definitions": {"Id": {"type": "integer"}}}"##;
const ALL: &str = r#"{"definitions": {"Item": {}, "v2": {"Id": {}}}}"#;

/// A workspace with nothing but the list of sources.
fn workspace() -> TempDir {
    let root = tempfile::tempdir().unwrap();
    fs::create_dir(root.path().join("schemas")).unwrap();
    fs::write(root.path().join("schemas/sources.toml"), SOURCES).unwrap();
    root
}

/// Raw output of both faces, the same files in each.
fn raw_output(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for face in ["stable", "experimental"] {
        for (path, text) in files {
            let path = folder.path().join(face).join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
    }
    folder
}

fn good_output() -> TempDir {
    raw_output(&[("all.json", ALL), ("v2/Item.json", ITEM)])
}

fn vendor(root: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_xtask"));
    command.args(["vendor", "codex@1.0.0", "--root"]).arg(root);
    command
}

fn vendor_from(root: &Path, output: &Path) -> Output {
    vendor(root).arg("--from").arg(output).output().unwrap()
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn succeeds(output: Output) -> String {
    assert!(output.status.success(), "{}", said(&output));
    said(&output)
}

fn fails(output: Output) -> String {
    assert_eq!(output.status.code(), Some(2), "{}", said(&output));
    said(&output)
}

/// Every file of the workspace, so that "nothing was written" can be checked.
fn tree(root: &Path) -> BTreeMap<String, String> {
    let mut files = BTreeMap::new();
    let mut folders = vec![root.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path
                    .strip_prefix(root)
                    .unwrap()
                    .to_string_lossy()
                    .replace('\\', "/");
                files.insert(name, fs::read_to_string(path).unwrap());
            }
        }
    }
    files
}

#[test]
fn raw_output_becomes_the_files_the_lock_and_a_broken_seal() {
    let root = workspace();
    succeeds(vendor_from(root.path(), good_output().path()));
    let tree = tree(root.path());
    let names: Vec<&str> = tree.keys().map(String::as_str).collect();
    let expected = [
        "contracts/src/generated/seal.rs",
        "schemas/codex/1.0.0/experimental/schema.json",
        "schemas/codex/1.0.0/stable/schema.json",
        "schemas/sources.lock",
        "schemas/sources.toml",
    ];
    assert_eq!(names, expected);
    let schema = &tree["schemas/codex/1.0.0/stable/schema.json"];
    assert!(
        schema.contains("\"properties\": {\n    \"title\": {"),
        "{schema}"
    );
    assert!(!schema.contains("\"Item\","), "{schema}");
    assert!(tree["schemas/sources.lock"].contains("origin = \"folder\""));
    assert!(
        tree["contracts/src/generated/seal.rs"]
            .contains("compile_error!(\"schemas/codex/1.0.0 was vendored")
    );
}

#[test]
fn the_same_bytes_again_change_nothing() {
    let root = workspace();
    succeeds(vendor_from(root.path(), good_output().path()));
    let seal = root.path().join("contracts/src/generated/seal.rs");
    fs::write(&seal, "// whole").unwrap();
    let before = tree(root.path());
    let text = succeeds(vendor_from(root.path(), good_output().path()));
    assert!(text.contains("nothing to write"), "{text}");
    assert_eq!(tree(root.path()), before);
}

#[test]
fn other_bytes_replace_the_whole_version() {
    let root = workspace();
    succeeds(vendor_from(root.path(), good_output().path()));
    let stray = root.path().join("schemas/codex/1.0.0/stray.json");
    fs::write(&stray, "{}").unwrap();
    succeeds(vendor_from(root.path(), good_output().path()));
    assert!(!stray.exists());
}

#[test]
fn a_clash_writes_nothing_and_names_the_files() {
    let root = workspace();
    let before = tree(root.path());
    let output = raw_output(&[
        ("all.json", ALL),
        ("v2/Item.json", ITEM),
        ("Other.json", OTHER),
    ]);
    let text = fails(vendor_from(root.path(), output.path()));
    for part in [
        "`Id` has 2 bodies",
        "in Other.json",
        "in v2/Item.json",
        "sources.toml",
    ] {
        assert!(text.contains(part), "{text}");
    }
    assert_eq!(tree(root.path()), before);
}

#[test]
fn output_that_is_none_writes_nothing() {
    let root = workspace();
    let before = tree(root.path());
    for (files, part) in [
        (vec![], "there is no raw output"),
        (vec![("Item.json", ITEM)], "no all.json in the output"),
        (vec![("all.json", ALL)], "no schema file"),
        (vec![("all.json", ALL), ("Item.json", "{")], "is not JSON"),
        (
            vec![("all.json", ALL), ("notes.txt", "")],
            "is no JSON file",
        ),
    ] {
        let text = fails(vendor_from(root.path(), raw_output(&files).path()));
        assert!(text.contains(part), "{part}: {text}");
    }
    assert_eq!(tree(root.path()), before);
}

#[test]
fn only_exact_versions_of_a_known_provider() {
    let root = workspace();
    for (target, part) in [
        ("codex", "no version"),
        ("codex@latest", "no exact version"),
        ("codex@1.0", "no exact version"),
        ("codex@1.0.0/../x", "no exact version"),
        ("other@1.0.0", "unknown provider"),
    ] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_xtask"));
        let output = command
            .args(["vendor", target, "--root"])
            .arg(root.path())
            .output()
            .unwrap();
        let text = fails(output);
        assert!(text.contains(part), "{target}: {text}");
    }
}

/// An npm client and a package, both invented: what the command does with them needs no network.
#[cfg(unix)]
mod with_npm {
    use std::ffi::OsString;
    use std::os::unix::fs::PermissionsExt;
    use std::path::PathBuf;

    use super::package::packed;
    use super::*;

    /// Writes the raw output of one face where `--out` says.
    const PROGRAM: &str = r#"#!/bin/sh
for argument in "$@"; do out=$argument; done
mkdir -p "$out/v2"
printf '%s' '{"definitions": {"Item": {}}}' > "$out/all.json"
printf '%s' '{"type": "object"}' > "$out/v2/Item.json"
"#;

    struct Registry {
        folder: TempDir,
        platform: String,
    }

    impl Registry {
        /// A client that gives a package with this program in it.
        fn with_program(program: &str) -> Self {
            Self::with_files(&[("vendor/some-target/bin/codex", program)])
        }

        fn with_files(files: &[(&str, &str)]) -> Self {
            Self::with_package(&format!("1.0.0-{}", platform()), files)
        }

        fn with_package(version: &str, files: &[(&str, &str)]) -> Self {
            let registry = Self {
                folder: tempfile::tempdir().unwrap(),
                platform: platform(),
            };
            let (tarball, integrity) = packed(version, "MIT", files);
            fs::write(registry.path("package.tgz"), &tarball).unwrap();
            registry.states(&integrity);
            registry
        }

        /// The client states this integrity.
        fn states(&self, integrity: &str) {
            let report = format!(r#"[{{"filename": "package.tgz", "integrity": "{integrity}"}}]"#);
            let tarball = self.path("package.tgz");
            self.client(&format!(
                "cp '{}' .\nprintf '%s' '{report}'\n",
                tarball.display()
            ));
        }

        /// The client does this.
        fn client(&self, script: &str) {
            let npm = self.path("npm");
            fs::write(&npm, format!("#!/bin/sh\n{script}")).unwrap();
            fs::set_permissions(npm, fs::Permissions::from_mode(0o755)).unwrap();
        }

        fn path(&self, name: &str) -> PathBuf {
            self.folder.path().join(name)
        }

        fn vendor(&self, root: &Path, arguments: &[&str]) -> Output {
            let mut path = OsString::from(self.folder.path());
            path.push(":/usr/bin:/bin");
            vendor(root)
                .args(arguments)
                .env("PATH", path)
                .output()
                .unwrap()
        }

        /// Vendors, and checks that the failure changed nothing.
        fn vendor_in_vain(&self, root: &Path) -> String {
            let before = tree(root);
            let text = fails(self.vendor(root, &["--timeout", "1"]));
            assert_eq!(tree(root), before);
            text
        }
    }

    fn platform() -> String {
        let os = if cfg!(target_os = "macos") {
            "darwin"
        } else {
            "linux"
        };
        let architecture = if cfg!(target_arch = "aarch64") {
            "arm64"
        } else {
            "x64"
        };
        format!("{os}-{architecture}")
    }

    /// A provider whose package carries its schema as a file.
    const PACKAGED: &str = r#"
[provider.plain]
package = "plain"
licence = "MIT"
versions = ["1.0.0"]
faces = ["stable"]
files = { stable = "schema/main.json" }
"#;

    fn vendor_plain(registry: &Registry, root: &Path) -> Output {
        let mut path = OsString::from(registry.folder.path());
        path.push(":/usr/bin:/bin");
        let mut command = Command::new(env!("CARGO_BIN_EXE_xtask"));
        command.args(["vendor", "plain@1.0.0", "--root"]).arg(root);
        command.env("PATH", path).output().unwrap()
    }

    #[test]
    fn a_schema_that_the_package_carries_is_taken_out_of_it() {
        let schema = r##"{"anyOf": [{"$ref": "#/$defs/Item"}], "$defs": {"Item": {"type": "string", "description": "x"}}}"##;
        let root = workspace_with_plain();
        let registry =
            Registry::with_package("1.0.0", &[("schema/main.json", schema), ("other.json", "")]);
        succeeds(vendor_plain(&registry, root.path()));
        let text =
            fs::read_to_string(root.path().join("schemas/plain/1.0.0/stable/schema.json")).unwrap();
        let flat: String = text.split_whitespace().collect();
        assert_eq!(
            flat,
            r##"{"definitions":{"Item":{"type":"string"},"root":{"anyOf":[{"$ref":"#/definitions/Item"}]}}}"##
        );
        let lock = fs::read_to_string(root.path().join("schemas/sources.lock")).unwrap();
        assert!(
            lock.contains("any = \"sha512-")
                && lock.contains("npm pack plain@1.0.0: schema/main.json"),
            "{lock}"
        );

        let without = Registry::with_package("1.0.0", &[("other.json", "")]);
        let text = fails(vendor_plain(&without, workspace_with_plain().path()));
        assert!(text.contains("has no schema/main.json"), "{text}");
    }

    fn workspace_with_plain() -> TempDir {
        let root = workspace();
        fs::write(
            root.path().join("schemas/sources.toml"),
            format!("{SOURCES}{PACKAGED}"),
        )
        .unwrap();
        root
    }

    #[test]
    fn the_package_of_the_platform_is_vendored_and_its_integrity_locked() {
        for path in [
            "vendor/some-target/bin/codex",
            "vendor/some-target/codex/codex",
        ] {
            let registry = Registry::with_files(&[
                (path, PROGRAM),
                ("vendor/some-target/bin/codex-other", ""),
            ]);
            let root = workspace();
            succeeds(registry.vendor(root.path(), &[]));
            let lock = fs::read_to_string(root.path().join("schemas/sources.lock")).unwrap();
            assert!(
                lock.contains(&format!("origin = \"npm {}\"", registry.platform)),
                "{lock}"
            );
            assert!(
                lock.contains(&format!("{} = \"sha512-", registry.platform)),
                "{lock}"
            );
            let text = succeeds(registry.vendor(root.path(), &[]));
            assert!(
                text.contains("as locked") && text.contains("nothing to write"),
                "{text}"
            );
        }
    }

    #[test]
    fn a_package_with_another_integrity_is_refused() {
        let root = workspace();
        let registry = Registry::with_program(PROGRAM);
        registry.states("sha512-AAAA");
        let text = registry.vendor_in_vain(root.path());
        assert!(
            text.contains("not what npm says it is") && text.contains("sha512-AAAA"),
            "{text}"
        );

        succeeds(Registry::with_program(PROGRAM).vendor(root.path(), &[]));
        let text = Registry::with_program("#!/bin/sh\nexit 0\n").vendor_in_vain(root.path());
        assert!(
            text.contains("not the package that was vendored before"),
            "{text}"
        );
    }

    #[test]
    fn a_program_that_does_not_do_its_work_is_told_with_what_it_said() {
        let root = workspace();
        let failing = Registry::with_program("#!/bin/sh\necho out of luck >&2\nexit 3\n");
        let text = failing.vendor_in_vain(root.path());
        assert!(
            text.contains("exit status: 3") && text.contains("| out of luck"),
            "{text}"
        );

        let slow = Registry::with_program("#!/bin/sh\necho nearly there >&2\nexec sleep 60\n");
        let text = slow.vendor_in_vain(root.path());
        assert!(
            text.contains("ended after 1 seconds") && text.contains("| nearly there"),
            "{text}"
        );

        let idle = Registry::with_program("#!/bin/sh\nexit 0\n");
        let text = idle.vendor_in_vain(root.path());
        assert!(text.contains("there is no raw output"), "{text}");

        let text = Registry::with_files(&[("vendor/some-target/codex", PROGRAM)])
            .vendor_in_vain(root.path());
        assert!(text.contains("its layout has changed"), "{text}");
    }

    #[test]
    fn what_npm_refuses_is_told_with_its_meaning() {
        let root = workspace();
        let registry = Registry::with_program(PROGRAM);
        registry.client("echo '{\"error\": {\"code\": \"ETARGET\", \"summary\": \"No such version.\"}}'\nexit 1\n");
        let text = registry.vendor_in_vain(root.path());
        assert!(
            text.contains("does not exist in the registry") && text.contains("| No such version."),
            "{text}"
        );

        registry.client("echo 'npm ERR! code ENOTFOUND' >&2\nexit 1\n");
        let text = registry.vendor_in_vain(root.path());
        assert!(
            text.contains("no connection to its registry (ENOTFOUND)"),
            "{text}"
        );

        registry.client("echo done\n");
        let text = registry.vendor_in_vain(root.path());
        assert!(text.contains("did not say in JSON"), "{text}");

        let nowhere = tempfile::tempdir().unwrap();
        let output = vendor(root.path())
            .env("PATH", nowhere.path())
            .output()
            .unwrap();
        let text = fails(output);
        assert!(text.contains("npm is not on the PATH"), "{text}");
    }
}
