//! A provider whose program writes its own schemas.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use agentwire_upkeep::vendor::lock::Lock;

use super::raw::Raw;
use super::{Job, Made, Ways};
use crate::failure::Failure;
use crate::npm;
use crate::process::{self, Unfinished};
use crate::workspace::SOURCES;

/// The one provider of this kind so far; its program has the same name.
const CODEX: &str = "codex";

impl Job<'_> {
    /// Has the program write its schemas, or takes what it wrote elsewhere, and makes one document a face.
    pub(super) fn schemas_of_the_program(
        &self,
        ways: &Ways<'_>,
        work: &Path,
        lock: &Lock,
    ) -> Result<Made, Failure> {
        let raw = match ways.from {
            Some(folder) => self.given(folder),
            None => self.made_by_the_package(work, Duration::from_secs(ways.timeout), lock)?,
        };
        let faces = self.provider.faces.iter();
        let commands = faces.filter_map(|face| command_line(face).ok()).collect();
        self.made_of(raw, commands)
    }

    /// Fetches the package of this platform and has its program write the raw output.
    fn made_by_the_package(
        &self,
        work: &Path,
        limit: Duration,
        lock: &Lock,
    ) -> Result<Raw, Failure> {
        let platform = npm::platform()?;
        let package = &self.provider.package;
        let package_version = format!("{}-{platform}", self.version);
        self.say(&format!("fetching {package}@{package_version} with npm"));
        let tarball = npm::pack(package, &package_version, work)?;

        let locked = self
            .locked(lock)
            .and_then(|locked| locked.integrity.get(platform));
        self.check_integrity(&format!("{package}@{package_version}"), &tarball, locked)?;

        let unpacked = npm::unpack(&tarball.path, CODEX, &package_version, work)?;
        let mut faces = BTreeMap::new();
        for face in &self.provider.faces {
            faces.insert(
                face.clone(),
                self.make_face(&unpacked.binary, face, limit, work)?,
            );
        }
        Ok(Raw {
            faces,
            origin: format!("npm {platform}"),
            licence: unpacked.licence,
            integrity: Some((platform.to_owned(), tarball.integrity)),
        })
    }

    /// Runs the schema command for one face, in a home of its own: it neither reads nor leaves
    /// anything in the user's.
    fn make_face(
        &self,
        binary: &Path,
        face: &str,
        limit: Duration,
        work: &Path,
    ) -> Result<PathBuf, Failure> {
        let home = work.join(format!("home-{face}"));
        let out = work.join(format!("out-{face}"));
        fs::create_dir_all(&home).map_err(|error| Failure::io("create", &home, &error))?;
        let mut command = Command::new(binary);
        command.args(schema_arguments(face)?).arg("--out").arg(&out);
        command.env_clear().envs(
            ["PATH", "SystemRoot"]
                .into_iter()
                .filter_map(|name| Some((name, std::env::var_os(name)?))),
        );
        for name in ["HOME", "USERPROFILE", "CODEX_HOME", "TMPDIR", "TEMP", "TMP"] {
            command.env(name, &home);
        }
        let line = command_line(face)?;
        let finished = process::run(command.current_dir(&home), limit, work).map_err(|unfinished| match unfinished {
            Unfinished::NotFound => Failure::new(format!(
                "`{line}` cannot be started: the program of the package is not for this platform, or a library that it needs is missing"
            )),
            Unfinished::Broken(error) => Failure::new(format!("`{line}` cannot be run: {error}")),
            Unfinished::TimedOut { stderr_tail } => Failure::new(format!(
                "`{line}` was ended after {} seconds (more with --timeout). It said:{stderr_tail}",
                limit.as_secs()
            )),
        })?;
        if finished.status.success() {
            return Ok(out);
        }
        Err(Failure::new(format!(
            "`{line}` of version {} failed ({}). It said:{}",
            self.version, finished.status, finished.stderr_tail
        )))
    }
}

fn schema_arguments(face: &str) -> Result<&'static [&'static str], Failure> {
    match face {
        "stable" => Ok(&["app-server", "generate-json-schema"]),
        "experimental" => Ok(&["app-server", "generate-json-schema", "--experimental"]),
        _ => Err(Failure::new(format!(
            "{SOURCES}: there is no command for the face `{face}` of {CODEX}"
        ))),
    }
}

/// The command as the lock records it.
fn command_line(face: &str) -> Result<String, Failure> {
    Ok(format!(
        "{CODEX} {} --out <folder>",
        schema_arguments(face)?.join(" ")
    ))
}
