//! `cargo xtask regen`: the vendored schemas and the row tables become generated code, and the
//! canonical model becomes a schema and declarations.
//!
//! Two steps, each of which writes every file or none: the first one works while the library does
//! not compile, and the second one compiles it.

use std::collections::BTreeMap;
use std::io::IsTerminal;
use std::path::Path;
use std::time::Instant;

use agentwire_codegen::report::{Diagnostic, render};
use agentwire_codegen::vendor::unlocked::unlocked;
use agentwire_codegen::{FOLDER, FOLDERS, Inputs, Output, drift, generate};

use crate::described;
use crate::failure::Failure;
use crate::files::{Files, files_below, sha256};
use crate::transaction::Transaction;

/// The folder that a run works in, from the root of the repository.
const SCRATCH: &str = "target/regen";

/// Flags of the command.
#[derive(clap::Args)]
pub struct Arguments {
    /// Write nothing; fail when what is checked in differs from what would be written.
    #[arg(long)]
    check: bool,
}

/// Generates, and writes every file or none.
pub fn run(root: &Path, arguments: &Arguments) -> Result<(), Failure> {
    let started = Instant::now();
    let texts = texts_below(root, FOLDERS)?;
    let inputs = Inputs::from_files(&texts).map_err(found)?;
    // A schema that was edited by hand must not become code, whatever else is wrong.
    let mut findings = unlocked(&texts, &sha256);
    let output = match generate(&inputs) {
        Ok(output) if findings.is_empty() => output,
        Ok(_) => return Err(found(findings)),
        Err(others) => {
            findings.extend(others);
            return Err(found(findings));
        }
    };
    let present = texts_below(root, &[FOLDER])?;
    let stale = drift(&output.files, &present);
    if arguments.check {
        return check(root, stale, output.files.len());
    }
    if !stale.is_empty() {
        write(root, FOLDER, &output.files)?;
    }
    eprint!("{}", summary(&output, stale.len(), started));
    // The model is compiled for this, which needs the generated code's seal to be whole.
    match described::files(root)? {
        Some(files) => {
            let stale = described::drift(root, &files)?;
            if !stale.is_empty() {
                write(root, described::FOLDER, &files)?;
            }
            let changed = stale.len();
            eprintln!(
                "{}: {} files, {changed} changed",
                described::FOLDER,
                files.len()
            );
        }
        None => eprintln!("{}: no program here that writes it", described::FOLDER),
    }
    Ok(())
}

/// Fails with all that differs. The model is looked at even where generated code is stale.
fn check(root: &Path, mut stale: Vec<Diagnostic>, count: usize) -> Result<(), Failure> {
    let described = match described::files(root) {
        Ok(files) => files.unwrap_or_default(),
        // A seal that is broken explains both, and the first one says what to do.
        Err(_) if !stale.is_empty() => return Err(found(stale)),
        Err(failure) => return Err(failure),
    };
    stale.extend(described::drift(root, &described)?);
    if !stale.is_empty() {
        return Err(found(stale));
    }
    eprintln!("generated code is up to date: {count} files");
    eprintln!(
        "{} is up to date: {} files",
        described::FOLDER,
        described.len()
    );
    Ok(())
}

fn found(diagnostics: Vec<Diagnostic>) -> Failure {
    Failure::report(render(&diagnostics, std::io::stderr().is_terminal()))
}

/// The texts of all files in some folders, by path from the root.
pub(crate) fn texts_below(
    root: &Path,
    folders: &[&str],
) -> Result<BTreeMap<String, String>, Failure> {
    let mut texts = BTreeMap::new();
    for folder in folders {
        for (path, bytes) in files_below(&root.join(folder))? {
            let path = format!("{folder}/{path}");
            let text = String::from_utf8(bytes)
                .map_err(|_| Failure::new(format!("{path} is not UTF-8 text")))?;
            texts.insert(path, text);
        }
    }
    Ok(texts)
}

fn write(root: &Path, folder: &str, files: &BTreeMap<String, String>) -> Result<(), Failure> {
    let inside: Files = files
        .iter()
        .filter_map(|(path, text)| {
            let path = path.strip_prefix(folder)?.strip_prefix('/')?;
            Some((path.to_owned(), text.as_bytes().to_vec()))
        })
        .collect();
    let mut transaction = Transaction::begin(root, SCRATCH)?;
    transaction.replace_folder(folder, &inside)?;
    transaction.commit()
}

fn summary(output: &Output, changed: usize, started: Instant) -> String {
    let mut text = String::new();
    for (provider, versions) in &output.summary.versions {
        let types = output
            .summary
            .types
            .get(provider)
            .copied()
            .unwrap_or_default();
        text.push_str(&format!(
            "{provider} {}: {types} types\n",
            versions.join(", ")
        ));
    }
    for surface in output
        .summary
        .surfaces
        .iter()
        .filter(|surface| !surface.value)
    {
        text.push_str(&format!(
            "  {:<32} {:>4} rows, {} dropped\n",
            surface.id, surface.rows, surface.drops
        ));
    }
    let values: Vec<_> = output
        .summary
        .surfaces
        .iter()
        .filter(|surface| surface.value)
        .collect();
    let rows: usize = values.iter().map(|surface| surface.rows).sum();
    text.push_str(&format!(
        "  {} value surfaces with {rows} rows\n",
        values.len()
    ));
    let milliseconds = started.elapsed().as_millis();
    text.push_str(&format!(
        "{} files, {changed} changed, {milliseconds} ms\n",
        output.files.len()
    ));
    text
}
