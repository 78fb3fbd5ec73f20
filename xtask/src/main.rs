//! Developer commands of this workspace: `cargo xtask <command>`.
//!
//! Each command is a module with its arguments and a `run`; what can be computed without touching a
//! disk is in the code generator's library.

mod check;
mod described;
mod diff;
mod failure;
mod files;
mod format;
mod npm;
mod out;
mod outdated;
mod process;
mod progress;
mod regen;
mod replay;
mod report;
mod rows;
mod transaction;
mod upgrade;
mod vendor;
mod workspace;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Parser, Subcommand};

use failure::Failure;

/// Developer commands of this workspace.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
struct Cli {
    /// The workspace to work on, in place of the one around the current folder.
    #[arg(long, global = true, hide = true, value_name = "DIR")]
    root: Option<PathBuf>,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Takes the schemas of a provider's version into `schemas/`.
    Vendor(vendor::Arguments),
    /// Writes the generated code from the vendored schemas and the row tables.
    Regen(regen::Arguments),
    /// Checks everything that is checked in against what its inputs say; offline, and writes nothing.
    Check(check::Arguments),
    /// Lists rows: what each variant becomes, in which versions it was seen, what is missing.
    Rows(rows::Arguments),
    /// Compares the newest published versions with the vendored ones.
    Outdated(outdated::Arguments),
    /// Takes a new version into the window: vendors, compares, proposes rows, generates.
    Upgrade(upgrade::Arguments),
    /// Says what differs between two versions of a provider, and for whom that matters.
    Diff(diff::Arguments),
    /// Writes what is covered, by what it is shown, and how it drifted: one page, and the same as Markdown.
    Report(report::Arguments),
    /// Turns recorded or live streams into canonical events.
    Replay(replay::Arguments),
}

fn main() -> ExitCode {
    match run(Cli::parse()) {
        Ok(code) => code,
        Err(failure) => {
            if failure.is_rendered() {
                eprintln!("{failure}");
            } else {
                eprintln!("error: {failure}");
            }
            ExitCode::from(failure.code())
        }
    }
}

fn run(cli: Cli) -> Result<ExitCode, Failure> {
    let root = match cli.root {
        // Programs of packages run in folders of their own, where a relative path leads nowhere.
        Some(root) => {
            std::path::absolute(&root).map_err(|error| Failure::io("find", &root, &error))?
        }
        None => workspace_root()?,
    };
    transaction::recover(&root)?;
    match cli.command {
        Command::Vendor(arguments) => vendor::run(&root, &arguments),
        Command::Regen(arguments) => regen::run(&root, &arguments),
        Command::Check(arguments) => check::run(&root, &arguments),
        Command::Rows(arguments) => rows::run(&root, &arguments),
        Command::Outdated(arguments) => outdated::run(&root, &arguments),
        Command::Upgrade(arguments) => upgrade::run(&root, &arguments),
        Command::Diff(arguments) => Ok(diff::run(&root, &arguments)),
        Command::Report(arguments) => report::run(&root, &arguments),
        Command::Replay(arguments) => replay::run(&root, &arguments),
    }
}

/// The nearest folder upwards that has `schemas/sources.toml`. A path from compile time would be
/// wrong in a workspace that was moved.
fn workspace_root() -> Result<PathBuf, Failure> {
    let here = std::env::current_dir()
        .map_err(|error| Failure::io("find", Path::new("the current folder"), &error))?;
    let root = here
        .ancestors()
        .find(|folder| folder.join(workspace::SOURCES).is_file());
    root.map(Path::to_path_buf).ok_or_else(|| {
        Failure::new(format!(
            "no {} in {} or above it: run this inside the workspace",
            workspace::SOURCES,
            here.display()
        ))
    })
}
