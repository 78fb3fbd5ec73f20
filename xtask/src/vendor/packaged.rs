//! Schemas that a package carries as files: they are taken out of it, and nothing of it is run.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use agentwire_codegen::vendor::lock::Lock;

use super::{Job, Raw, SOURCES};
use crate::failure::Failure;
use crate::npm;

/// What the file is called in the raw output, so that its own schema has one name in every face.
const ROOT: &str = "root.json";
/// Such a package is the same on every platform.
const ANY_PLATFORM: &str = "any";

impl Job<'_> {
    /// Fetches the package and takes the file of each face out of it.
    pub(super) fn taken_from_the_package(&self, work: &Path, lock: &Lock) -> Result<Raw, Failure> {
        let package = &self.provider.package;
        self.say(&format!("fetching {package}@{} with npm", self.version));
        let tarball = npm::pack(package, self.version, work)?;
        self.check_integrity(&tarball, self.version, ANY_PLATFORM, lock)?;

        let mut faces = BTreeMap::new();
        let mut files: BTreeMap<String, PathBuf> = BTreeMap::new();
        for face in &self.provider.faces {
            let Some(file) = self.provider.files.get(face) else {
                return Err(Failure::new(format!(
                    "{SOURCES}: `files` of {} says no file for the face `{face}`",
                    self.name
                )));
            };
            let folder = work.join(format!("out-{face}"));
            fs::create_dir_all(&folder).map_err(|error| Failure::io("create", &folder, &error))?;
            files.insert(file.clone(), folder.join(ROOT));
            faces.insert(face.clone(), folder);
        }
        let licence = npm::take(&tarball.path, &files, self.version)?;
        Ok(Raw {
            faces,
            origin: "npm".to_owned(),
            licence,
            integrity: Some((ANY_PLATFORM.to_owned(), tarball.integrity)),
        })
    }
}
