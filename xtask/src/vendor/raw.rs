//! Raw output, however it was come by, and the documents that are made of it: one a face.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::{Path, PathBuf};

use agentwire_upkeep::vendor::bundle::{self, Bundle};
use serde_json::Value;

use super::{FOLDER, Job, Made};
use crate::failure::Failure;
use crate::files::{Files, files_below};

/// The raw output of a version, one folder a face, and where it came from.
pub(super) struct Raw {
    pub(super) faces: BTreeMap<String, PathBuf>,
    pub(super) origin: String,
    pub(super) licence: String,
    /// Platform and integrity, when it was made from a package.
    pub(super) integrity: Option<(String, String)>,
}

impl Job<'_> {
    /// The raw output in a folder, which carries no provenance of its own.
    pub(super) fn given(&self, folder: &Path) -> Raw {
        self.say(&format!("raw output from {}", folder.display()));
        let faces = self
            .provider
            .faces
            .iter()
            .map(|face| (face.clone(), folder.join(face)))
            .collect();
        Raw {
            faces,
            origin: FOLDER.to_owned(),
            licence: self.provider.licence.clone(),
            integrity: None,
        }
    }

    /// Makes the documents of raw output that these commands made.
    pub(super) fn made_of(&self, raw: Raw, commands: Vec<String>) -> Result<Made, Failure> {
        self.check_licence(&raw.licence)?;
        let (files, decisions) = self.bundle_faces(&raw)?;
        Ok(Made {
            files,
            decisions,
            origin: raw.origin,
            commands,
            integrity: raw.integrity,
            external: BTreeMap::new(),
        })
    }

    /// The vendored files by their path below the folder of the version, and the decisions they needed.
    fn bundle_faces(&self, raw: &Raw) -> Result<(Files, BTreeSet<String>), Failure> {
        let mut files = BTreeMap::new();
        let mut decisions = BTreeSet::new();
        for (face, folder) in &raw.faces {
            let raw_files = read_raw(folder)?;
            let count = raw_files.len();
            let made: Bundle = bundle::bundle(raw_files, &self.provider).map_err(|problems| {
                let mut text = format!(
                    "the {face} output of {} {} does not become one document:",
                    self.name, self.version
                );
                for problem in problems {
                    // Writing to a string does not fail.
                    let _ = write!(text, "\n- {problem}");
                }
                Failure::new(text)
            })?;
            let text =
                bundle::render(&made.document).map_err(|error| Failure::new(error.to_string()))?;
            self.say(&format!(
                "{face}: {} definitions from {count} files, {} bytes",
                made.count,
                text.len()
            ));
            if !made.unused.is_empty() {
                let names: Vec<&str> = made.unused.iter().map(String::as_str).collect();
                self.say(&format!(
                    "{face}: left out, as nothing refers to it: {}",
                    names.join(", ")
                ));
            }
            files.insert(format!("{face}/schema.json"), text.into_bytes());
            decisions.extend(made.applied);
        }
        Ok((files, decisions))
    }
}

/// Reads and parses all files of a face's raw output.
fn read_raw(folder: &Path) -> Result<BTreeMap<String, Value>, Failure> {
    if !folder.is_dir() {
        return Err(Failure::new(format!(
            "there is no raw output in {}: a folder for each face is expected",
            folder.display()
        )));
    }
    let mut parsed = BTreeMap::new();
    for (path, bytes) in files_below(folder)? {
        let place = folder.join(&path);
        if !path.ends_with(".json") {
            return Err(Failure::new(format!(
                "{} is no JSON file: this is not the output of the schema command",
                place.display()
            )));
        }
        let value = serde_json::from_slice(&bytes)
            .map_err(|error| Failure::new(format!("{} is not JSON: {error}", place.display())))?;
        parsed.insert(path, value);
    }
    Ok(parsed)
}
