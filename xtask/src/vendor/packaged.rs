//! Schemas that a package carries as files: they are taken out of it, and nothing of it is run.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use agentwire_upkeep::vendor::lock::Lock;

use super::raw::Raw;
use super::{ANY_PLATFORM, Job, Made, Ways};
use crate::failure::Failure;
use crate::npm;
use crate::workspace::SOURCES;

/// What the file is called in the raw output, so that its own schema has one name in every face.
const ROOT: &str = "root.json";

impl Job<'_> {
    /// Takes the schemas out of the package, or from a folder, and makes one document a face.
    pub(super) fn schemas_of_the_package(
        &self,
        ways: &Ways<'_>,
        work: &Path,
        lock: &Lock,
    ) -> Result<Made, Failure> {
        let raw = match ways.from {
            Some(folder) => self.given(folder),
            None => self.taken_from_the_package(work, lock)?,
        };
        let spec = self.spec();
        let faces = self.provider.faces.iter();
        let commands = faces
            .filter_map(|face| self.provider.files.get(face))
            .map(|file| format!("npm pack {spec}: {file}"))
            .collect();
        self.made_of(raw, commands)
    }

    fn spec(&self) -> String {
        format!("{}@{}", self.provider.package, self.version)
    }

    /// Fetches the package and takes the file of each face out of it.
    fn taken_from_the_package(&self, work: &Path, lock: &Lock) -> Result<Raw, Failure> {
        let spec = self.spec();
        self.say(&format!("fetching {spec} with npm"));
        let tarball = npm::pack(&self.provider.package, self.version, work)?;
        let locked = self
            .locked(lock)
            .and_then(|locked| locked.integrity.get(ANY_PLATFORM));
        self.check_integrity(&spec, &tarball, locked)?;

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
