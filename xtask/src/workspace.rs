//! The texts of the workspace that commands read, and the one way in which they are written.

use std::collections::{BTreeMap, BTreeSet};
use std::io::IsTerminal;
use std::path::Path;

use agentwire_codegen::diagnostics::{Diagnostic, render};
use agentwire_codegen::{FOLDER, FOLDERS, Inputs};
use agentwire_upkeep::pages::PAGES;

use crate::failure::Failure;
use crate::files::{self, Files, files_below, read_text};
use crate::transaction::{SCRATCH, Transaction};

/// The hand-written list of what is vendored and what was decided about it.
pub const SOURCES: &str = "schemas/sources.toml";
/// Where each vendored file came from.
pub const LOCK: &str = "schemas/sources.lock";
/// What keeps the contracts crate from being built from other tables than its code.
pub const SEAL: &str = "contracts/src/generated/seal.rs";

/// Texts by path from the root of the workspace, with `/`.
pub type Texts = BTreeMap<String, String>;

/// Everything that is read and everything that is made: the inputs, the generated code, the pages.
pub fn texts(root: &Path) -> Result<Texts, Failure> {
    let folders: Vec<&str> = FOLDERS.iter().copied().chain([FOLDER]).collect();
    let mut texts = texts_below(root, &folders)?;
    for page in PAGES {
        if root.join(page).is_file() {
            texts.insert(page.to_owned(), read_text(&root.join(page))?);
        }
    }
    Ok(texts)
}

/// What the generator reads.
pub fn inputs(texts: &Texts) -> Result<Inputs, Failure> {
    Inputs::from_files(texts).map_err(found)
}

/// Diagnostics as the failure of a command.
pub fn found(diagnostics: Vec<Diagnostic>) -> Failure {
    Failure::rendered(rendered(&diagnostics))
}

/// Diagnostics as a person reads them.
pub fn rendered(diagnostics: &[Diagnostic]) -> String {
    render(diagnostics, std::io::stderr().is_terminal())
}

/// The texts of all files in some folders, by path from the root.
pub fn texts_below(root: &Path, folders: &[&str]) -> Result<Texts, Failure> {
    let mut texts = BTreeMap::new();
    for folder in folders {
        // What begins with a dot is what systems and editors leave, and is no part of the workspace.
        let left = |path: &str| path.split('/').any(|name| name.starts_with('.'));
        let files = files_below(&root.join(folder))?.into_iter();
        for (path, bytes) in files.filter(|(path, _)| !left(path)) {
            let path = format!("{folder}/{path}");
            let text = String::from_utf8(bytes)
                .map_err(|_| Failure::new(format!("{path} is not UTF-8 text")))?;
            texts.insert(path, text);
        }
    }
    Ok(texts)
}

/// The paths of all files in some folders, from the root.
pub fn paths_below(root: &Path, folders: &[&str]) -> Result<BTreeSet<String>, Failure> {
    let mut paths = BTreeSet::new();
    for folder in folders {
        let inside = files::paths_below(&root.join(folder))?.into_iter();
        paths.extend(inside.map(|path| format!("{folder}/{path}")));
    }
    Ok(paths)
}

/// The paths whose text differs, comes or goes.
pub fn changed(before: &Texts, after: &Texts) -> BTreeSet<String> {
    let paths = before.keys().chain(after.keys());
    paths
        .filter(|path| before.get(*path) != after.get(*path))
        .cloned()
        .collect()
}

/// Makes the workspace be `after` where it was `before`: all of it, or nothing. Returns how many files
/// changed. A file that is no longer what it was is not written over.
///
/// The seal is broken first and mended last, so that no build can mix the two.
pub fn write(root: &Path, before: &Texts, after: &Texts) -> Result<usize, Failure> {
    let changed = changed(before, after);
    if changed.is_empty() {
        return Ok(0);
    }
    let mut transaction = Transaction::begin(root, SCRATCH)?;
    for path in &changed {
        let file = root.join(path);
        let text = file.is_file().then(|| read_text(&file)).transpose()?;
        if text.as_ref() != before.get(path) {
            return Err(moved(path));
        }
    }
    let units: BTreeSet<&str> = changed.iter().map(|path| unit(path)).collect();
    let (generated, others): (Vec<&str>, Vec<&str>) =
        units.into_iter().partition(|unit| *unit == FOLDER);
    if before.contains_key(SEAL) {
        let seal =
            broken_seal("a command that writes did not come to its end: run `cargo xtask regen`");
        transaction.replace_file(SEAL, seal.as_bytes())?;
    }
    for unit in others.into_iter().chain(generated) {
        let prefix = format!("{unit}/");
        let inside: Files = after
            .iter()
            .filter_map(|(path, text)| {
                let path = path.strip_prefix(&prefix)?;
                Some((path.to_owned(), text.as_bytes().to_vec()))
            })
            .collect();
        match after.get(unit) {
            Some(text) => transaction.replace_file(unit, text.as_bytes())?,
            None if !inside.is_empty() => transaction.replace_folder(unit, &inside)?,
            None => transaction.remove(unit),
        }
    }
    if !changed.iter().any(|path| unit(path) == FOLDER)
        && let Some(seal) = after.get(SEAL)
    {
        transaction.replace_file(SEAL, seal.as_bytes())?;
    }
    transaction.commit()?;
    Ok(changed.len())
}

/// A file is another one than the one that was read.
pub fn moved(path: &str) -> Failure {
    Failure::new(format!(
        "{path} was changed while this command was at work, so nothing was written: run it again"
    ))
}

/// What is moved as one: a vendored version, the generated code, or a file.
fn unit(path: &str) -> &str {
    if path
        .strip_prefix(FOLDER)
        .is_some_and(|rest| rest.starts_with('/'))
    {
        return FOLDER;
    }
    let mut slashes = path.match_indices('/').map(|(at, _)| at);
    // schemas/<provider>/<version>/…
    match slashes.nth(2) {
        Some(end) if path.starts_with("schemas/") => path.get(..end).unwrap_or(path),
        Some(_) | None => path,
    }
}

/// The seal that keeps the contracts crate from being built until the code is made again.
pub fn broken_seal(sentence: &str) -> String {
    format!(
        "//! @generated by `cargo xtask vendor`; `cargo xtask regen` writes it whole.\n\ncompile_error!(\"{sentence}\");\n"
    )
}

/// The sentence of a seal that newly vendored files broke.
pub fn vendored(folder: &str) -> String {
    format!("{folder} was vendored after the last `cargo xtask regen`: run it")
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn what_was_changed_meanwhile_is_not_written_over() {
        let root = tempfile::tempdir().unwrap();
        let read = |path: &str| std::fs::read_to_string(root.path().join(path)).ok();
        let texts = |pairs: &[(&str, &str)]| -> Texts {
            let pairs = pairs.iter();
            pairs
                .map(|(path, text)| ((*path).to_owned(), (*text).to_owned()))
                .collect()
        };
        std::fs::write(root.path().join("a"), "of somebody").unwrap();
        std::fs::write(root.path().join("b"), "old").unwrap();
        let old = [("a", "old"), ("b", "old")];
        for (before, after) in [
            (&old[..], &[("a", "new"), ("b", "new")][..]),
            (&old[..], &[("b", "new")][..]),
            (&[("b", "old")][..], &[("a", "new"), ("b", "new")][..]),
        ] {
            let told = write(root.path(), &texts(before), &texts(after)).unwrap_err();
            assert!(told.to_string().contains("a was changed while"), "{told}");
            assert_eq!(read("a").as_deref(), Some("of somebody"));
            assert_eq!(read("b").as_deref(), Some("old"));
        }
        // What the command leaves as it is may be anything.
        let after = texts(&[("a", "old"), ("b", "new")]);
        assert_eq!(write(root.path(), &texts(&old), &after).unwrap(), 1);
        assert_eq!(read("a").as_deref(), Some("of somebody"));
        assert_eq!(read("b").as_deref(), Some("new"));
    }
}
