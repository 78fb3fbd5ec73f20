//! What can be wrong with declarations, each with file, line and the name of the type.

use std::fmt;

/// A reason why declarations have no meaning on a wire.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Problem {
    /// The file, by package and path in it.
    pub file: String,
    /// The line, counted from one.
    pub line: usize,
    /// The definition in which it was found.
    pub within: String,
    /// What was found.
    pub kind: Kind,
}

/// What was found.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// The parser does not read the file.
    Unreadable(String),
    /// A name that is declared nowhere.
    Undeclared(String),
    /// A module of a package that is read, without a file.
    NoModule(String),
    /// A type without a meaning on a wire: its name and why.
    Opaque(String, String),
    /// Two declarations would have one name in the dump.
    Collision(String, String),
    /// A type that is only defined by itself.
    Circular(String),
    /// A construct that there is no rule for.
    NoRule(String),
    /// A root that the file does not declare.
    NoRoot(String),
}

impl fmt::Display for Problem {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.file.is_empty() {
            write!(formatter, "{}:{}: ", self.file, self.line)?;
        }
        if !self.within.is_empty() {
            write!(formatter, "in `{}`: ", self.within)?;
        }
        match &self.kind {
            Kind::Unreadable(message) => write!(formatter, "cannot be read: {message}"),
            Kind::Undeclared(name) => write!(
                formatter,
                "`{name}` is declared nowhere: decide it by a [[provider.….undeclared]] in sources.toml, with reason and source"
            ),
            Kind::NoModule(specifier) => {
                write!(
                    formatter,
                    "`{specifier}` leads to no file of declarations of a package that is read"
                )
            }
            Kind::Opaque(name, reason) => write!(
                formatter,
                "`{name}` has no meaning on a wire ({reason}): decide it by a [[provider.….opaque]] in sources.toml, with a reason"
            ),
            Kind::Collision(name, other) => {
                write!(
                    formatter,
                    "`{name}` is declared here and in {other}, and only one can have the name"
                )
            }
            Kind::Circular(name) => write!(formatter, "`{name}` is defined by nothing but itself"),
            Kind::NoRule(what) => write!(formatter, "there is no rule for {what}"),
            Kind::NoRoot(name) => write!(formatter, "the root `{name}` is not declared"),
        }
    }
}
