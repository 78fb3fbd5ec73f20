//! `cargo xtask replay`: hands over to the replay program, which is built when it is asked for.

use std::ffi::OsString;
use std::path::Path;
use std::process::{Command, ExitCode};

use crate::failure::Failure;

/// What the replay program gets.
#[derive(clap::Args)]
#[command(disable_help_flag = true)]
pub struct Arguments {
    /// `PROVIDER [FILE…]` and flags; `--help` shows them.
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    arguments: Vec<OsString>,
}

/// Runs it in the folder of the caller, so that paths mean what they say.
pub fn run(root: &Path, arguments: &Arguments) -> Result<ExitCode, Failure> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| OsString::from("cargo"));
    let status = Command::new(&cargo)
        .args([
            "run",
            "--quiet",
            "--package",
            "agentwire-replay",
            "--manifest-path",
        ])
        .arg(root.join("Cargo.toml"))
        .arg("--")
        .args(&arguments.arguments)
        .status()
        .map_err(|error| {
            Failure::new(format!(
                "cannot run {}: {error}",
                Path::new(&cargo).display()
            ))
        })?;
    // A program that a signal ended has no code.
    Ok(status
        .code()
        .and_then(|code| u8::try_from(code).ok())
        .map_or(ExitCode::FAILURE, ExitCode::from))
}
