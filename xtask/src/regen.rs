//! `cargo xtask regen`: the vendored schemas and the row tables become generated code, and the
//! canonical model becomes a schema and declarations.
//!
//! Two steps, each of which writes every file or none: the first one works while the library does
//! not compile, and the second one compiles it.

use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

use agentwire_codegen::check::{Checked, check};
use agentwire_codegen::propose::propose;
use agentwire_codegen::report::Diagnostic;
use agentwire_codegen::{Output, listing};

use crate::described;
use crate::failure::{FOUND, Failure};
use crate::files::sha256;
use crate::out;
use crate::workspace::{self, Texts, found, inputs};

/// Flags of the command.
#[derive(clap::Args)]
pub struct Arguments {
    /// Write nothing; fail when what is checked in differs from what would be written.
    #[arg(long)]
    check: bool,
    /// First write a `todo` row for each variant that has no row. Until somebody decides them, no code
    /// is made.
    #[arg(long, conflicts_with = "check")]
    propose: bool,
}

/// Generates, and writes every file or none.
pub fn run(root: &Path, arguments: &Arguments) -> Result<ExitCode, Failure> {
    let started = Instant::now();
    let mut texts = workspace::texts(root)?;
    if arguments.propose && write_proposal(root, &mut texts)? {
        return Ok(ExitCode::from(FOUND));
    }
    let checked = check(&texts, &sha256);
    let Checked {
        output: Some(output),
        stale,
        ..
    } = checked
    else {
        return Err(found(checked.wrong));
    };
    if arguments.check {
        return compare(root, stale, output.files.len());
    }
    let changed = workspace::write(root, &texts, &with_output(&texts, &output))?;
    eprint!("{}", summary(&output, changed, started));
    // The model is compiled for this, which needs the generated code's seal to be whole.
    match described::write(root)? {
        Some((files, changed)) => {
            eprintln!("{}: {files} files, {changed} changed", described::FOLDER);
        }
        None => eprintln!("{}: no program here that writes it", described::FOLDER),
    }
    Ok(ExitCode::SUCCESS)
}

/// Fails with all that differs. The model is looked at even where generated code is stale.
fn compare(root: &Path, mut stale: Vec<Diagnostic>, count: usize) -> Result<ExitCode, Failure> {
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
    Ok(ExitCode::SUCCESS)
}

/// The texts with everything that is made, and nothing that is made no longer.
pub fn with_output(texts: &Texts, output: &Output) -> Texts {
    let generated = format!("{}/", agentwire_codegen::FOLDER);
    let kept = texts
        .iter()
        .filter(|(path, _)| !path.starts_with(&generated));
    let mut after: Texts = kept
        .map(|(path, text)| (path.clone(), text.clone()))
        .collect();
    after.extend(output.files.clone());
    after.extend(output.pages.clone());
    after
}

/// Writes the rows that are missing as questions, and says whether any question was written.
fn write_proposal(root: &Path, texts: &mut Texts) -> Result<bool, Failure> {
    let inputs = inputs(texts)?;
    let listed = listing(&inputs).map_err(found)?;
    let proposal = propose(&inputs, &listed).map_err(found)?;
    if proposal.rows.is_empty() {
        return Ok(false);
    }
    let mut after = texts.clone();
    after.extend(proposal.files);
    workspace::write(root, texts, &after)?;
    let lines = proposal.rows.iter();
    let lines = lines.map(|row| format!("{}:{}: {}\n", row.path, row.line, row.text));
    out::print(&lines.collect::<String>());
    eprintln!(
        "{} rows to decide: write keep, rename, split or drop in place of each todo, then run `cargo xtask regen`",
        proposal.rows.len()
    );
    Ok(true)
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
