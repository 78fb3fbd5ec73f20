//! `cargo xtask regen`: the vendored schemas and the row tables become generated code, and the
//! canonical model becomes a schema and declarations.
//!
//! Two steps, each of which writes every file or none: the first one works while the library does
//! not compile, and the second one compiles it.

use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

use agentwire_codegen::Output;
use agentwire_codegen::listing::listing;
use agentwire_upkeep::check::{Checked, check};
use agentwire_upkeep::propose::propose;

use crate::described;
use crate::failure::{FOUND, Failure};
use crate::files::sha256;
use crate::format::counted;
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
    let Some(output) = &checked.output else {
        return Err(found(checked.wrong));
    };
    if arguments.check {
        let count = output.files.len();
        return compare(root, checked, count);
    }
    let made = checked.made(&texts).unwrap_or_else(|| texts.clone());
    let changed = workspace::write(root, &texts, &made)?;
    eprint!("{}", summary(output, changed, started));
    // The model is compiled for this, which needs the generated code's seal to be whole.
    match described::write(root)? {
        Some((files, changed)) => {
            eprintln!("{}: {files} files, {changed} changed", described::FOLDER);
        }
        None => eprintln!("{}: no program here that writes it", described::FOLDER),
    }
    Ok(ExitCode::SUCCESS)
}

/// Fails with all that differs.
fn compare(root: &Path, mut checked: Checked, count: usize) -> Result<ExitCode, Failure> {
    // Code that is stale may not compile, and what it is compared with says what to do.
    if checked.is_in_order()
        && let Some(made) = described::files(root)?
    {
        checked.compare_model(&made, &described::present(root)?);
    }
    if !checked.stale.is_empty() {
        return Err(found(checked.stale));
    }
    eprintln!("generated code is up to date: {count} files");
    if let Some(count) = checked.described {
        eprintln!("{} is up to date: {count} files", described::FOLDER);
    }
    Ok(ExitCode::SUCCESS)
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
        "{} to decide: write keep, rename, split or drop in place of each todo, then run `cargo xtask regen`",
        counted(proposal.rows.len(), "row")
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
