//! The canonical model in the forms for other hosts, by the program that compiles it.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::Path;
use std::process::Command;

use crate::failure::Failure;
use crate::workspace::{self, texts_below};

/// Where the files stand, from the root of the repository.
pub const FOLDER: &str = "contracts/schema";

/// The program, and the folder that it is built from.
const PACKAGE: &str = "agentwire-canonical-schema";
const SOURCE: &str = "canonical-schema";

/// What the files should hold, by path from the root; nothing in a repository that lacks the
/// program, which is one of inputs only.
pub fn files(root: &Path) -> Result<Option<BTreeMap<String, String>>, Failure> {
    if !root.join(SOURCE).join("Cargo.toml").is_file() {
        return Ok(None);
    }
    eprintln!("{FOLDER}: compiling the canonical model");
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| OsString::from("cargo"));
    let output = Command::new(&cargo)
        .args(["run", "--quiet", "--package", PACKAGE, "--manifest-path"])
        .arg(root.join("Cargo.toml"))
        .output()
        .map_err(|error| {
            let cargo = Path::new(&cargo).display();
            Failure::new(format!("cannot run {cargo}: {error}"))
        })?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        return Err(Failure::new(format!(
            "{FOLDER} is as it was: the canonical model could not be compiled and described. Mend \
             what stands below, then run `cargo xtask regen` again\n{said}"
        )));
    }
    serde_json::from_slice(&output.stdout)
        .map(Some)
        .map_err(|error| Failure::new(format!("{PACKAGE} printed no files: {error}")))
}

/// Writes the files, all or none, and says how many there are and how many of them changed.
pub fn write(root: &Path) -> Result<Option<(usize, usize)>, Failure> {
    let Some(files) = files(root)? else {
        return Ok(None);
    };
    let changed = workspace::write(root, &present(root)?, &files)?;
    Ok(Some((files.len(), changed)))
}

/// What is checked in.
pub fn present(root: &Path) -> Result<BTreeMap<String, String>, Failure> {
    texts_below(root, &[FOLDER])
}
