//! What can be wrong with raw schema output, each in words that say what to do.

use std::fmt;

/// A reason why raw schema output does not become a bundle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Problem {
    /// The output has none of the documents that repeat all others.
    NoBundle {
        /// The names that were looked for.
        expected: Vec<String>,
    },
    /// The output has no file beside the documents that repeat all others.
    NoFiles,
    /// The top of the file is no object.
    NotASchema {
        /// The file.
        file: String,
    },
    /// A `$ref` that does not lead to a definition of its own file.
    ForeignReference {
        /// The file.
        file: String,
        /// The definition that holds the reference.
        definition: String,
        /// The text of the reference.
        reference: String,
    },
    /// One name has several bodies.
    Clash {
        /// The name.
        name: String,
        /// The files, grouped by body.
        bodies: Vec<Vec<String>>,
    },
    /// A namespace has the name of a definition.
    NamespaceTaken {
        /// The name.
        namespace: String,
    },
    /// A `$ref` to a definition that no file has.
    Dangling {
        /// The definition that holds the reference.
        definition: String,
        /// The text of the reference.
        reference: String,
    },
    /// The document that repeats all others uses a definition that no other file has.
    Lost {
        /// The document.
        bundle: String,
        /// The definition that would be lost.
        name: String,
        /// A definition that refers to it.
        referrer: String,
    },
}

impl fmt::Display for Problem {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoBundle { expected } => write!(
                formatter,
                "no {} in the output: is this the raw output of the schema command? A renamed file needs a new `bundles` in sources.toml",
                expected.join(" or ")
            ),
            Self::NoFiles => formatter.write_str("no schema file in the output beside the bundles"),
            Self::NotASchema { file } => write!(
                formatter,
                "{file}: the top is not an object, so this is no schema"
            ),
            Self::ForeignReference {
                file,
                definition,
                reference,
            } => write!(
                formatter,
                "{file}: `{definition}` refers to `{reference}`, which is no definition of the same file; the bundler does not know this form"
            ),
            Self::Clash { name, bodies } => {
                write!(formatter, "`{name}` has {} bodies:", bodies.len())?;
                for files in bodies {
                    write!(formatter, "\n  in {}", files.join(", "))?;
                }
                formatter.write_str(
                    "\n  decide in sources.toml which is which: a [[provider.….rename]] by the definitions that refer to it, or a namespace for a file",
                )
            }
            Self::NamespaceTaken { namespace } => write!(
                formatter,
                "the namespace `{namespace}` of sources.toml has the name of a definition: choose another name"
            ),
            Self::Dangling {
                definition,
                reference,
            } => {
                write!(
                    formatter,
                    "`{definition}` refers to `{reference}`, which no file defines"
                )
            }
            Self::Lost {
                bundle,
                name,
                referrer,
            } => write!(
                formatter,
                "{bundle}: `{referrer}` refers to `{name}`, which none of the other files defines, so it would be lost"
            ),
        }
    }
}
