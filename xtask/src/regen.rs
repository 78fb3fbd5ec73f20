//! `cargo xtask regen`: the vendored schemas and the row tables become generated code.

use std::collections::BTreeMap;
use std::io::IsTerminal;
use std::path::Path;
use std::time::Instant;

use agentwire_codegen::report::{Diagnostic, render};
use agentwire_codegen::vendor::unlocked::unlocked;
use agentwire_codegen::{FOLDER, FOLDERS, Inputs, Output, drift, generate};

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
        return if stale.is_empty() {
            eprintln!("generated code is up to date: {} files", output.files.len());
            Ok(())
        } else {
            Err(found(stale))
        };
    }
    if !stale.is_empty() {
        write(root, &output.files)?;
    }
    eprint!("{}", summary(&output, stale.len(), started));
    Ok(())
}

fn found(diagnostics: Vec<Diagnostic>) -> Failure {
    Failure::report(render(&diagnostics, std::io::stderr().is_terminal()))
}

/// The texts of all files in some folders, by path from the root.
fn texts_below(root: &Path, folders: &[&str]) -> Result<BTreeMap<String, String>, Failure> {
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

fn write(root: &Path, files: &BTreeMap<String, String>) -> Result<(), Failure> {
    let inside: Files = files
        .iter()
        .filter_map(|(path, text)| {
            let path = path.strip_prefix(FOLDER)?.strip_prefix('/')?;
            Some((path.to_owned(), text.as_bytes().to_vec()))
        })
        .collect();
    let mut transaction = Transaction::begin(root, SCRATCH)?;
    transaction.replace_folder(FOLDER, &inside)?;
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
