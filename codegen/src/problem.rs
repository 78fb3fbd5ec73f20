//! What the pipeline finds wrong before it is tied to text: a code, a place and one sentence.

use crate::diagnostics::Code;
use crate::ir::Place;

/// One finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The kind.
    pub code: Code,
    /// The place, as a JSON path in a schema file.
    pub at: Place,
    /// One sentence.
    pub message: String,
    /// What to do.
    pub help: Vec<String>,
    /// Further places, each with what stands there.
    pub also: Vec<(Place, String)>,
}

impl Problem {
    /// A finding without advice.
    pub fn new(code: Code, at: Place, message: impl Into<String>) -> Self {
        Self {
            code,
            at,
            message: message.into(),
            help: Vec::new(),
            also: Vec::new(),
        }
    }

    /// Adds what to do.
    #[must_use]
    pub fn help(mut self, text: impl Into<String>) -> Self {
        self.help.push(text.into());
        self
    }

    /// Adds a second place.
    #[must_use]
    pub fn also(mut self, at: Place, label: impl Into<String>) -> Self {
        self.also.push((at, label.into()));
        self
    }
}
