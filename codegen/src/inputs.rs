//! What the generator reads, told apart by where it stands in the repository.

use std::collections::BTreeMap;

use crate::diagnostics::{Code, Diagnostic};
use crate::lifecycle;
use crate::source::SourceFile;

/// The folders, from the root of the repository, that hold everything that is read.
pub const FOLDERS: &[&str] = &[
    "schemas",
    ROW_TABLES,
    "contracts/src/canonical",
    "contracts/src/projection",
];

/// Where row tables stand, from the root of the repository.
pub const ROW_TABLES: &str = "contracts/mapping";

/// The face of what is vendored in one form only.
pub const STABLE: &str = "stable";

/// A vendored schema file.
pub struct SchemaFile {
    /// The provider.
    pub provider: String,
    /// The version.
    pub version: String,
    /// The face.
    pub face: String,
    /// The text.
    pub file: SourceFile,
}

/// Everything that is read.
pub struct Inputs {
    /// `schemas/sources.toml`.
    pub sources: SourceFile,
    /// The vendored schemas.
    pub schemas: Vec<SchemaFile>,
    /// The overlays.
    pub overlays: Vec<SourceFile>,
    /// The row tables.
    pub rows: Vec<SourceFile>,
    /// The lifecycle tables.
    pub lifecycles: Vec<SourceFile>,
    /// `contracts/src/canonical/event.rs`.
    pub events: SourceFile,
    /// The other files of the canonical model, and those that declare the events of projections.
    pub canonical: Vec<SourceFile>,
}

impl Inputs {
    /// Sorts files, by path from the root of the repository, into what they are.
    pub fn from_files(files: &BTreeMap<String, String>) -> Result<Self, Vec<Diagnostic>> {
        let single = |path: &str| {
            files
                .get(path)
                .map(|text| SourceFile::new(path, text.as_str()))
                .ok_or_else(|| {
                    vec![Diagnostic::new(
                        Code::BadSource,
                        "inputs",
                        format!("{path} is missing"),
                    )]
                })
        };
        let listed = |folder: &str, ending: &str| -> Vec<SourceFile> {
            files
                .iter()
                .filter(|(path, _)| path.starts_with(folder) && path.ends_with(ending))
                .map(|(path, text)| SourceFile::new(path.as_str(), text.as_str()))
                .collect()
        };
        let schemas = listed("schemas/", "/schema.json")
            .into_iter()
            .filter_map(|file| {
                let parts: Vec<String> = file.path().split('/').map(str::to_owned).collect();
                let [_, provider, version, face, _] = <[String; 5]>::try_from(parts).ok()?;
                Some(SchemaFile {
                    provider,
                    version,
                    face,
                    file,
                })
            });
        // The types of a package are one document, without faces.
        let types = listed("schemas/", "/types.json")
            .into_iter()
            .filter_map(|file| {
                let parts: Vec<String> = file.path().split('/').map(str::to_owned).collect();
                let [_, provider, version, _] = <[String; 4]>::try_from(parts).ok()?;
                Some(SchemaFile {
                    provider,
                    version,
                    face: STABLE.to_owned(),
                    file,
                })
            });
        Ok(Self {
            sources: single("schemas/sources.toml")?,
            schemas: schemas.chain(types).collect(),
            overlays: listed("schemas/overlays/", ".json"),
            rows: listed("contracts/mapping/", ".toml")
                .into_iter()
                .filter(|file| !file.path().ends_with(lifecycle::ENDING))
                .collect(),
            lifecycles: listed("contracts/mapping/", lifecycle::ENDING),
            events: single("contracts/src/canonical/event.rs")?,
            canonical: listed("contracts/src/canonical/", ".rs")
                .into_iter()
                .filter(|file| !file.path().ends_with("/event.rs"))
                // The rest of a projection is hand-written code, which may not even parse while a
                // row waits for it.
                .chain(listed("contracts/src/projection/", "/event.rs"))
                .collect(),
        })
    }
}
