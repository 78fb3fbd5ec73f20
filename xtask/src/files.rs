//! Reads files and whole folders.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use sha2::{Digest, Sha256};

use crate::failure::Failure;

/// The bytes of files by their path, with `/`.
pub type Files = BTreeMap<String, Vec<u8>>;

/// Every file below the folder. No folder has no files.
pub fn files_below(folder: &Path) -> Result<Files, Failure> {
    let paths = paths_below(folder)?.into_iter();
    let read = paths.map(|path| {
        let file = folder.join(&path);
        let bytes = fs::read(&file).map_err(|error| Failure::io("read", &file, &error))?;
        Ok((path, bytes))
    });
    read.collect()
}

/// The paths of every file below the folder.
pub fn paths_below(folder: &Path) -> Result<BTreeSet<String>, Failure> {
    let mut paths = BTreeSet::new();
    let mut folders = vec![String::new()];
    while let Some(prefix) = folders.pop() {
        let here = folder.join(&prefix);
        if prefix.is_empty() && !here.exists() {
            break;
        }
        let entries = fs::read_dir(&here).map_err(|error| Failure::io("read", &here, &error))?;
        for entry in entries {
            let entry = entry.map_err(|error| Failure::io("read", &here, &error))?;
            let path = format!("{prefix}{}", entry.file_name().to_string_lossy());
            if entry.path().is_dir() {
                folders.push(format!("{path}/"));
            } else {
                paths.insert(path);
            }
        }
    }
    Ok(paths)
}

/// The text of a file.
pub fn read_text(path: &Path) -> Result<String, Failure> {
    fs::read_to_string(path).map_err(|error| Failure::io("read", path, &error))
}

/// The SHA-256 in hexadecimal.
pub fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes)
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}
