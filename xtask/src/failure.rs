//! Why a command failed, in words that say what, where and what to do; and what commands end with.

use std::fmt;
use std::io;
use std::path::Path;

/// Everything was done, and nothing is left to do.
pub const CLEAN: u8 = 0;
/// The command did its work and found something that a person must see to.
pub const FOUND: u8 = 1;
/// The command could not do its work, and changed nothing.
pub const COULD_NOT_RUN: u8 = 2;

/// What exit codes mean, for the help of commands.
pub const EXIT_CODES: &str = "Exit codes: 0 clean, 1 something is left to decide or to mend, 2 could not run (nothing was written)";

/// The text that a failed command prints.
#[derive(Debug)]
pub struct Failure(String, bool);

impl Failure {
    /// A failure with this text.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into(), false)
    }

    /// A file or folder could not be read, written, …
    pub fn io(action: &str, path: &Path, error: &io::Error) -> Self {
        Self(
            format!("cannot {action} {}: {error}", path.display()),
            false,
        )
    }

    /// Findings that are rendered already, each with its own `error:`.
    pub fn rendered(text: String) -> Self {
        Self(text, true)
    }

    /// What the process ends with.
    pub fn code(&self) -> u8 {
        if self.1 { FOUND } else { COULD_NOT_RUN }
    }

    /// Whether the text needs no `error:` in front.
    pub fn is_rendered(&self) -> bool {
        self.1
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl std::error::Error for Failure {}
