//! The codes of errors.

use std::fmt;

/// The kinds of error. A person can look each one up by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Code {
    /// A variant of a surface has no row.
    MissingRow,
    /// A row names a tag that no vendored version has.
    StaleRow,
    /// A row is still to be decided.
    TodoRow,
    /// A row names an event or a member that the canonical model does not have.
    UnknownEvent,
    /// A row does not have the form of a row.
    BadRow,
    /// What a row says about its event does not fit the payload or the event.
    BadSet,
    /// The rows do not stand in the order of their tags.
    UnsortedRows,
    /// Two wire names give one Rust name, and no rule tells them apart.
    NameCollision,
    /// A schema says something that the front end can't express.
    UnloweredSchema,
    /// Two vendored versions disagree, and nothing decides between them.
    MergeConflict,
    /// A quirk or an overlay no longer changes anything.
    StaleQuirk,
    /// A vendored file is not the one that the lock describes.
    UnlockedSource,
    /// A generated file is not what the generator would write.
    StaleOutput,
    /// A surface lacks a file that has its stem, or a folder has the stem of no surface.
    BrokenStem,
    /// A file can't be read as what it should be.
    BadSource,
    /// A back end made a file that is no Rust.
    BrokenOutput,
}

impl Code {
    /// Every code, in the order in which the closing line counts them.
    pub const ALL: [Self; 16] = [
        Self::MissingRow,
        Self::StaleRow,
        Self::TodoRow,
        Self::UnknownEvent,
        Self::BadRow,
        Self::BadSet,
        Self::UnsortedRows,
        Self::NameCollision,
        Self::UnloweredSchema,
        Self::MergeConflict,
        Self::StaleQuirk,
        Self::UnlockedSource,
        Self::StaleOutput,
        Self::BrokenStem,
        Self::BadSource,
        Self::BrokenOutput,
    ];

    /// The name that stands in the brackets of an error.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::MissingRow => "missing-row",
            Self::StaleRow => "stale-row",
            Self::TodoRow => "todo-row",
            Self::UnknownEvent => "unknown-event",
            Self::BadRow => "bad-row",
            Self::BadSet => "bad-set",
            Self::UnsortedRows => "unsorted-rows",
            Self::NameCollision => "name-collision",
            Self::UnloweredSchema => "unlowered-schema",
            Self::MergeConflict => "merge-conflict",
            Self::StaleQuirk => "stale-quirk",
            Self::UnlockedSource => "unlocked-source",
            Self::StaleOutput => "stale-output",
            Self::BrokenStem => "broken-stem",
            Self::BadSource => "bad-source",
            Self::BrokenOutput => "broken-output",
        }
    }
}

impl fmt::Display for Code {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_has_its_own_name() {
        let names: std::collections::BTreeSet<_> = Code::ALL.map(Code::as_str).into();
        assert_eq!(names.len(), Code::ALL.len());
    }
}
