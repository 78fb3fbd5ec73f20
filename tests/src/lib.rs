//! Helpers of the tests: the repository's own files, and small invented repositories.

#![allow(clippy::unwrap_used, clippy::panic)]

pub mod small;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

/// The root of the repository.
#[must_use]
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .unwrap()
        .to_path_buf()
}

/// The texts of all files in some folders of the repository, by path from its root.
///
/// # Panics
/// When a folder can't be read, or a file is not UTF-8 text.
#[must_use]
pub fn repository_files(folders: &[&str]) -> BTreeMap<String, String> {
    files_below(&root(), folders)
}

/// The texts of all files in some folders below a root, by path from it. A folder that is not
/// there has no files.
///
/// # Panics
/// When a folder can't be read, or a file is not UTF-8 text.
#[must_use]
pub fn files_below(root: &Path, folders: &[&str]) -> BTreeMap<String, String> {
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
                let text = fs::read_to_string(entry.path());
                files.insert(
                    path.clone(),
                    text.unwrap_or_else(|error| panic!("{path}: {error}")),
                );
            }
        }
    }
    files
}

/// The SHA-256 in hexadecimal.
#[must_use]
pub fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes)
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}
