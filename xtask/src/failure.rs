//! Why a command failed, in words that say what, where and what to do.

use std::fmt;
use std::io;
use std::path::Path;

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
    pub fn report(text: String) -> Self {
        Self(text, true)
    }

    /// Whether the text needs no `error:` in front.
    pub fn is_report(&self) -> bool {
        self.1
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl std::error::Error for Failure {}
