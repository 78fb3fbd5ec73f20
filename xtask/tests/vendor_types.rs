//! `cargo xtask vendor` for a provider with declarations: an invented npm client and an invented reader.
#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::panic)]

#[path = "support/package.rs"]
mod package;

use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output};

use tempfile::TempDir;

use package::packed;

const SOURCES: &str = r#"
[provider.acme]
package = "invented"
licence = "MIT"
versions = ["1.0.0"]
faces = ["stable"]
[provider.acme.types]
roots."index.d.ts" = ["Message"]
[provider.acme.types.external."@invented/parts"]
alias = "parts"
licences = ["MIT"]
versions."1.0.0" = "2.0.0"
[[provider.acme.opaque]]
type = "Signal"
reason = "It stays in the process."
"#;

/// Keeps what it was asked, and takes the text of the declarations for a dump.
const READER: &str = r#"#!/bin/sh
for argument in "$@"; do request=$out; out=$argument; done
cp "$request" "$KEPT"
cat "$(dirname "$request")/packages/invented/index.d.ts" > "$out/types.json"
echo 'opaque Signal' > "$out/decisions"
"#;

/// A workspace, and a folder with the programs and packages.
struct World {
    root: TempDir,
    outside: TempDir,
}

impl World {
    fn new() -> Self {
        let world = Self {
            root: tempfile::tempdir().unwrap(),
            outside: tempfile::tempdir().unwrap(),
        };
        fs::create_dir(world.root.path().join("schemas")).unwrap();
        fs::write(world.root.path().join("schemas/sources.toml"), SOURCES).unwrap();
        world.publish("invented", "1.0.0", "MIT", "the types");
        world.publish("@invented/parts", "2.0.0", "MIT", "the parts");
        world.program("npm", "#!/bin/sh\nfor spec in \"$@\"; do :; done\nname=$(echo \"$spec\" | tr '/@' '--')\ncp \"$STORE/$name.tgz\" . && cat \"$STORE/$name.json\"\n");
        world.program("reader", READER);
        world
    }

    fn program(&self, name: &str, script: &str) {
        let path = self.outside.path().join(name);
        fs::write(&path, script).unwrap();
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
    }

    fn publish(&self, package: &str, version: &str, licence: &str, declarations: &str) {
        let files = [
            ("index.d.ts", declarations),
            ("index.js", "run()"),
            ("deep/more.d.mts", ""),
        ];
        let (tarball, integrity) = packed(version, licence, &files);
        let name = format!("{package}@{version}").replace(['/', '@'], "-");
        let report = format!(r#"[{{"filename": "{name}.tgz", "integrity": "{integrity}"}}]"#);
        fs::write(self.outside.path().join(format!("{name}.tgz")), tarball).unwrap();
        fs::write(self.outside.path().join(format!("{name}.json")), report).unwrap();
    }

    /// Puts the packages into a folder, under the names that `npm pack` gives them.
    fn pack(&self, folder: &Path) {
        for name in ["invented-1.0.0.tgz", "-invented-parts-2.0.0.tgz"] {
            let packed = folder.join(name.trim_start_matches('-'));
            fs::copy(self.outside.path().join(name), packed).unwrap();
        }
    }

    fn vendor(&self, arguments: &[&str]) -> Output {
        let mut path = OsString::from(self.outside.path());
        path.push(":/usr/bin:/bin");
        Command::new(env!("CARGO_BIN_EXE_xtask"))
            .args(["vendor", "acme@1.0.0", "--root"])
            .arg(self.root.path())
            .args(arguments)
            .env("PATH", path)
            .env("CARGO", self.outside.path().join("reader"))
            .env("STORE", self.outside.path())
            .env("KEPT", self.outside.path().join("request"))
            .output()
            .unwrap()
    }

    fn succeeds(&self) -> String {
        let output = self.vendor(&[]);
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{text}");
        text
    }

    /// Fails, and leaves nothing.
    fn fails(&self, arguments: &[&str]) -> String {
        let output = self.vendor(arguments);
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{text}");
        assert!(!self.root.path().join("schemas/acme").exists());
        text
    }
}

fn read(folder: &Path, path: &str) -> String {
    fs::read_to_string(folder.join(path)).unwrap()
}

#[test]
fn the_packages_are_fetched_read_and_locked() {
    let world = World::new();
    world.succeeds();
    let root = world.root.path();
    assert_eq!(read(root, "schemas/acme/1.0.0/types.json"), "the types");
    assert!(
        read(root, "contracts/src/generated/seal.rs")
            .contains("compile_error!(\"schemas/acme/1.0.0 was vendored")
    );
    let lock = read(root, "schemas/sources.lock");
    for part in [
        "origin = \"npm\"",
        "decisions = [\"opaque Signal\"]",
        "any = \"sha512-",
        "[acme.\"1.0.0\".external.\"@invented/parts\"]\nversion = \"2.0.0\"\nlicence = \"MIT\"\nintegrity = \"sha512-",
    ] {
        assert!(lock.contains(part), "{part}\n{lock}");
    }
    let request = read(world.outside.path(), "request");
    for part in [
        "\"roots\":[{\"file\":\"index.d.ts\",\"types\":[\"Message\"]}]",
        "\"alias\":\"parts\"",
        "\"opaque\":[\"Signal\"]",
    ] {
        assert!(request.contains(part), "{part}\n{request}");
    }
    let text = world.succeeds();
    assert!(
        text.contains("as locked") && text.contains("nothing to write"),
        "{text}"
    );
}

#[test]
fn a_changed_package_another_licence_and_a_missing_version_are_refused() {
    let world = World::new();
    world.publish("@invented/parts", "2.0.0", "Other", "the parts");
    let text = world.fails(&[]);
    assert!(text.contains("states the licence `Other`"), "{text}");

    let world = World::new();
    let sources = SOURCES.replace("versions.\"1.0.0\" = \"2.0.0\"", "versions = {}");
    fs::write(world.root.path().join("schemas/sources.toml"), sources).unwrap();
    assert!(
        world
            .fails(&[])
            .contains("does not say which version of @invented/parts")
    );

    let world = World::new();
    world.succeeds();
    world.publish("@invented/parts", "2.0.0", "MIT", "other parts");
    let output = world.vendor(&[]);
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        text.contains("@invented/parts@2.0.0 is not the package that was vendored before"),
        "{text}"
    );
}

#[test]
fn packages_of_a_folder_need_no_npm_and_must_be_the_locked_ones() {
    let world = World::new();
    let folder = world.outside.path().join("packages");
    fs::create_dir(&folder).unwrap();
    let from = ["--from", folder.to_str().unwrap()];
    let text = world.fails(&from);
    assert!(
        text.contains("invented-1.0.0.tgz") && text.contains("npm pack invented@1.0.0"),
        "{text}"
    );

    world.pack(&folder);
    world.program("npm", "#!/bin/sh\nexit 1\n");
    let origin = |expected: &str, said: &str| {
        let output = world.vendor(&from);
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success() && text.contains(said), "{text}");
        let lock = read(world.root.path(), "schemas/sources.lock");
        assert!(lock.contains(expected), "{lock}");
    };
    origin(
        "origin = \"folder\"",
        "nothing is locked to check it against",
    );
    // To find it again where it was does not make it npm's.
    origin("origin = \"folder\"", "as locked");

    world.publish("@invented/parts", "2.0.0", "MIT", "other parts");
    world.pack(&folder);
    let output = world.vendor(&from);
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        !output.status.success() && text.contains("is not the package that was vendored before"),
        "{text}"
    );
}

#[test]
fn packages_of_a_folder_that_npm_once_fetched_are_as_good() {
    let world = World::new();
    world.succeeds();
    let folder = world.outside.path().join("packages");
    fs::create_dir(&folder).unwrap();
    world.pack(&folder);
    let before = read(world.root.path(), "schemas/sources.lock");
    fs::remove_dir_all(world.root.path().join("schemas/acme")).unwrap();
    world.program("npm", "#!/bin/sh\nexit 1\n");
    let output = world.vendor(&["--from", folder.to_str().unwrap()]);
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{text}");
    assert_eq!(read(world.root.path(), "schemas/sources.lock"), before);
    assert_eq!(
        read(world.root.path(), "schemas/acme/1.0.0/types.json"),
        "the types"
    );
}

#[test]
fn what_the_reader_refuses_is_not_vendored() {
    let world = World::new();
    world.program(
        "reader",
        "#!/bin/sh\necho 'index.d.ts:1: no rule' >&2\nexit 1\n",
    );
    let text = world.fails(&[]);
    assert!(
        text.contains("no rule") && text.contains("were not read"),
        "{text}"
    );
}
