//! Developer commands of this workspace: `cargo xtask <command>`.
//!
//! Each command is a module with its arguments and a `run`; what can be computed without touching a
//! disk is in the code generator's library.

mod diff;
mod failure;
mod files;
mod npm;
mod process;
mod regen;
mod replay;
mod transaction;
mod vendor;

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
    /// Says what differs between two versions of a provider, and for whom that matters.
    Diff(diff::Arguments),
    /// Turns recorded or live streams into canonical events.
    Replay(replay::Arguments),
}

fn main() -> ExitCode {
    match run(Cli::parse()) {
        Ok(code) => code,
        Err(failure) => {
            if failure.is_report() {
                eprintln!("{failure}");
            } else {
                eprintln!("error: {failure}");
            }
            ExitCode::FAILURE
        }
    }
}

fn run(cli: Cli) -> Result<ExitCode, Failure> {
    let root = match cli.root {
        Some(root) => root,
        None => workspace_root()?,
    };
    match cli.command {
        Command::Vendor(arguments) => vendor::run(&root, &arguments)?,
        Command::Regen(arguments) => regen::run(&root, &arguments)?,
        Command::Diff(arguments) => return Ok(diff::run(&root, &arguments)),
        Command::Replay(arguments) => return replay::run(&root, &arguments),
    }
    Ok(ExitCode::SUCCESS)
}

/// The nearest folder upwards that has `schemas/sources.toml`. A path from compile time would be
/// wrong in a workspace that was moved.
fn workspace_root() -> Result<PathBuf, Failure> {
    let here = std::env::current_dir()
        .map_err(|error| Failure::io("find", Path::new("the current folder"), &error))?;
    let root = here
        .ancestors()
        .find(|folder| folder.join(vendor::SOURCES).is_file());
    root.map(Path::to_path_buf).ok_or_else(|| {
        Failure::new(format!(
            "no {} in {} or above it: run this inside the workspace",
            vendor::SOURCES,
            here.display()
        ))
    })
}
