//! What a reader finds wrong (an error), and what it finds odd (a note).

use std::fmt;

use super::path::{append_member, path_at};

/// What did not decode, and where.
///
/// The offset counts bytes from the start of the reader's text. The path to it is computed only
/// when somebody asks, so that reading keeps no stack of names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Malformed {
    /// Byte offset in the reader's text: of the value in question, or of the syntax error.
    pub offset: usize,
    /// What is wrong there.
    pub problem: Problem,
}

/// What is wrong with a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Problem {
    /// Another kind of value stands here.
    Expected {
        /// What the type wants.
        expected: &'static str,
        /// What the text has.
        found: Kind,
    },
    /// An object lacks this member.
    Missing(&'static str),
    /// The value is of the right kind, but the type cannot hold it.
    OutOfRange {
        /// The type or limit that is too small.
        expected: &'static str,
    },
    /// The text is not JSON.
    Syntax(&'static str),
}

/// The six kinds of JSON values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `{…}`
    Object,
    /// `[…]`
    Array,
    /// `"…"`
    String,
    /// Any number.
    Number,
    /// `true` or `false`
    Boolean,
    /// `null`
    Null,
}

/// A tolerated oddity. The value decoded; who counts such things counts this one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// Byte offset in the reader's text of the value that the note is about.
    pub offset: usize,
    /// What is odd there.
    pub kind: NoteKind,
}

/// The kinds of tolerated oddities.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoteKind {
    /// A tagged union carries a tag that no vendored version has.
    UnrecognizedTag {
        /// The name of the union's type.
        union: &'static str,
        /// The tag as it was sent.
        tag: Box<str>,
    },
    /// A string enum carries a value that no vendored version has.
    UnrecognizedValue {
        /// The name of the enum's type.
        of: &'static str,
        /// The value as it was sent.
        value: Box<str>,
    },
    /// An object has a member twice; the last one was taken.
    DuplicateKey,
    /// A string has half of a surrogate pair; U+FFFD stands in its place.
    LoneSurrogate,
}

impl Malformed {
    /// The JSON path to the problem, e.g. `params.item.content[3].text`; empty for the whole text.
    /// `text` is the text that the reader had.
    #[must_use]
    pub fn path(&self, text: &str) -> String {
        let mut path = path_at(text, self.offset);
        if let Problem::Missing(name) = self.problem {
            append_member(&mut path, name);
        }
        path
    }

    /// A syntax error.
    #[cold]
    pub(crate) fn syntax(offset: usize, problem: &'static str) -> Self {
        Self {
            offset,
            problem: Problem::Syntax(problem),
        }
    }

    /// The next token cannot stand here: says whether it is an end or something else.
    #[cold]
    pub(super) fn token(bytes: &[u8], offset: usize, wanted: &'static str) -> Self {
        let problem = if offset >= bytes.len() {
            "the text ends too early"
        } else {
            wanted
        };
        Self::syntax(offset, problem)
    }
}

impl fmt::Display for Malformed {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.problem.fmt(formatter)
    }
}

impl std::error::Error for Malformed {}

impl fmt::Display for Problem {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Expected { expected, found } => {
                write!(formatter, "expected {expected}, found {found}")
            }
            Self::Missing(name) => write!(formatter, "missing member `{name}`"),
            Self::OutOfRange { expected } => write!(formatter, "out of range for {expected}"),
            Self::Syntax(problem) => write!(formatter, "not JSON: {problem}"),
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Object => "object",
            Self::Array => "array",
            Self::String => "string",
            Self::Number => "number",
            Self::Boolean => "boolean",
            Self::Null => "null",
        })
    }
}

impl Kind {
    /// The kind of the value that begins with this byte.
    #[inline]
    pub(super) fn of(byte: u8) -> Option<Self> {
        match byte {
            b'{' => Some(Self::Object),
            b'[' => Some(Self::Array),
            b'"' => Some(Self::String),
            b'-' | b'0'..=b'9' => Some(Self::Number),
            b't' | b'f' => Some(Self::Boolean),
            b'n' => Some(Self::Null),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_and_paths() {
        let text = r#"{"params":{"item":{}}}"#;
        let missing = Malformed {
            offset: 18,
            problem: Problem::Missing("id"),
        };
        assert_eq!(missing.to_string(), "missing member `id`");
        assert_eq!(missing.path(text), "params.item.id");
        let problem = Problem::Expected {
            expected: "string",
            found: Kind::Number,
        };
        assert_eq!(problem.to_string(), "expected string, found number");
    }
}
