//! `cargo xtask vendor PROVIDER@VERSION`: takes the schemas of a provider's version into `schemas/`.

mod packaged;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use agentwire_codegen::vendor::bundle::{self, Bundle};
use agentwire_codegen::vendor::lock::{self, Lock, Locked, Mismatch};
use agentwire_codegen::vendor::sources::{self, Provider};
use clap::Args;
use serde_json::Value;

use crate::failure::Failure;
use crate::files::{Files, files_below, read_text, sha256};
use crate::npm;
use crate::process::{self, Unfinished};
use crate::transaction::Transaction;

/// The hand-written list of what is vendored and what was decided about it.
pub const SOURCES: &str = "schemas/sources.toml";
const LOCK: &str = "schemas/sources.lock";
const SEAL: &str = "contracts/src/generated/seal.rs";
const SCRATCH: &str = ".xtask-vendor";

/// The program that writes its schemas itself; the provider has the same name.
const CODEX: &str = "codex";
/// The origin of files that were made from raw output given by hand.
const FOLDER: &str = "folder";

/// The arguments of `cargo xtask vendor`.
#[derive(Args)]
pub struct Arguments {
    /// What to vendor, for example `codex@0.171.0`.
    #[arg(value_name = "PROVIDER@VERSION")]
    target: String,
    /// Takes the raw output of the schema command from this folder, one folder in it a face, and not from the package.
    #[arg(long, value_name = "DIR")]
    from: Option<PathBuf>,
    /// How many seconds the program of the package may take for one face.
    #[arg(long, value_name = "SECONDS", default_value_t = 120)]
    timeout: u64,
}

/// Raw output of the schema command, and where it came from.
struct Raw {
    faces: BTreeMap<String, PathBuf>,
    origin: String,
    licence: String,
    /// Platform and integrity, when it was made from a package.
    integrity: Option<(String, String)>,
}

/// What is about to be vendored.
struct Job<'a> {
    root: &'a Path,
    name: &'a str,
    version: &'a str,
    provider: Provider,
}

/// Runs the command in the workspace at `root`.
pub fn run(root: &Path, arguments: &Arguments) -> Result<(), Failure> {
    let (name, version) = parse_target(&arguments.target)?;
    let sources_text = read_text(&root.join(SOURCES))?;
    let provider = sources::provider(&sources_text, name)
        .map_err(|error| Failure::new(format!("{SOURCES}: {error}")))?;
    let job = Job {
        root,
        name,
        version,
        provider,
    };
    let mut lock = read_lock(&root.join(LOCK))?;

    let mut transaction = Transaction::begin(root, SCRATCH)?;
    let raw = match &arguments.from {
        Some(folder) => job.given(folder),
        None if !job.provider.files.is_empty() => {
            job.taken_from_the_package(&transaction.work(), &lock)?
        }
        None => job.made_by_the_package(
            &transaction.work(),
            Duration::from_secs(arguments.timeout),
            &lock,
        )?,
    };
    job.check_licence(&raw.licence)?;
    let (files, decisions) = job.bundle_faces(&raw)?;

    let locked = job.lock_entry(raw, &files, decisions, lock.version(name, version));
    lock.0
        .entry(name.to_owned())
        .or_default()
        .insert(version.to_owned(), locked);
    if job.prepare(&mut transaction, &files, &lock)? {
        transaction.commit()?;
    }
    job.note(&lock);
    Ok(())
}

/// Splits `codex@0.171.0`. Only exact versions: what a tag means changes from day to day.
fn parse_target(target: &str) -> Result<(&str, &str), Failure> {
    let wrong =
        |what: &str| Failure::new(format!("{what} in `{target}`: write it like codex@0.171.0"));
    let (name, version) = target.split_once('@').ok_or_else(|| wrong("no version"))?;
    let exact = version.starts_with(|first: char| first.is_ascii_digit())
        && version.split('.').count() >= 3
        && !version.contains("..")
        && version
            .chars()
            .all(|letter| letter.is_ascii_alphanumeric() || matches!(letter, '.' | '-'));
    if exact {
        Ok((name, version))
    } else {
        Err(wrong("no exact version"))
    }
}

impl Job<'_> {
    fn say(&self, text: &str) {
        eprintln!("vendor {} {}: {text}", self.name, self.version);
    }

    /// The raw output in a folder, which carries no provenance of its own.
    fn given(&self, folder: &Path) -> Raw {
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

        self.check_integrity(&tarball, &package_version, platform, lock)?;

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

    /// A package that was vendored before must be the same package.
    fn check_integrity(
        &self,
        tarball: &npm::Tarball,
        package_version: &str,
        platform: &str,
        lock: &Lock,
    ) -> Result<(), Failure> {
        let package = &self.provider.package;
        let locked = lock
            .version(self.name, self.version)
            .and_then(|locked| locked.integrity.get(platform));
        match locked {
            Some(locked) if *locked != tarball.integrity => {
                return Err(Failure::new(format!(
                    "{package}@{package_version} is not the package that was vendored before, so it was not used:\n  locked {locked}\n  found  {}\nA published version never changes. Find out which registry is wrong before you remove the entry from {LOCK}",
                    tarball.integrity
                )));
            }
            Some(_) => self.say(&format!(
                "{} bytes, integrity as stated and as locked",
                tarball.size
            )),
            None => self.say(&format!("{} bytes, integrity as stated", tarball.size)),
        }
        Ok(())
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

    fn check_licence(&self, stated: &str) -> Result<(), Failure> {
        if stated == self.provider.licence {
            return Ok(());
        }
        Err(Failure::new(format!(
            "the package states the licence `{stated}` and {SOURCES} expects `{}`: decide whether its schemas may still be vendored, then change `licence` there",
            self.provider.licence
        )))
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

    /// What the lock is to say. The same files keep the provenance that they have: another platform
    /// only adds its package, and a folder never takes the place of a package.
    fn lock_entry(
        &self,
        raw: Raw,
        files: &Files,
        decisions: BTreeSet<String>,
        before: Option<&Locked>,
    ) -> Locked {
        let prefix = format!("{}/{}", self.name, self.version);
        let sha256: BTreeMap<String, String> = files
            .iter()
            .map(|(path, bytes)| (format!("{prefix}/{path}"), sha256(bytes)))
            .collect();
        let mut integrity = before
            .map(|before| before.integrity.clone())
            .unwrap_or_default();
        integrity.extend(raw.integrity);
        let origin = match before {
            Some(before) if before.sha256 == sha256 && before.origin != FOLDER => {
                before.origin.clone()
            }
            Some(_) | None => raw.origin,
        };
        let commands = self
            .provider
            .faces
            .iter()
            .filter_map(|face| match self.provider.files.get(face) {
                Some(file) => Some(format!(
                    "npm pack {}@{}: {file}",
                    self.provider.package, self.version
                )),
                None => command_line(face).ok(),
            })
            .collect();
        let (package, licence) = (self.provider.package.clone(), self.provider.licence.clone());
        Locked {
            package,
            licence,
            origin,
            commands,
            decisions,
            integrity,
            sha256,
        }
    }

    /// Prepares to write what has changed, and returns whether anything has.
    fn prepare(
        &self,
        transaction: &mut Transaction,
        files: &Files,
        lock: &Lock,
    ) -> Result<bool, Failure> {
        let folder = format!("schemas/{}/{}", self.name, self.version);
        let lock_text = lock
            .render()
            .map_err(|error| Failure::new(format!("{LOCK}: {error}")))?;
        let files_changed = files_below(&self.root.join(&folder))? != *files;
        let lock_changed =
            fs::read(self.root.join(LOCK)).ok().as_deref() != Some(lock_text.as_bytes());
        if files_changed {
            transaction.replace_file(SEAL, broken_seal(&folder).as_bytes())?;
            transaction.replace_folder(&folder, files)?;
        }
        if lock_changed {
            transaction.replace_file(LOCK, lock_text.as_bytes())?;
        }
        match (files_changed, lock_changed) {
            (true, _) => self.say(&format!("writing {folder}; now run `cargo xtask regen`")),
            (false, true) => self.say(&format!("{folder} is as it was; writing {LOCK} only")),
            (false, false) => {
                self.say(&format!("nothing to write, {folder} is as it was"));
            }
        }
        Ok(files_changed || lock_changed)
    }

    /// Says what is left to do by hand. What the window still lacks is no news while it is being filled,
    /// and whether a decision is of use shows only when it is full.
    fn note(&self, lock: &Lock) {
        let mismatches = lock::check_sources(lock, self.name, &self.provider);
        let full = !mismatches
            .iter()
            .any(|mismatch| matches!(mismatch, Mismatch::NotVendored { .. }));
        for mismatch in &mismatches {
            let ours = matches!(mismatch, Mismatch::OutsideWindow { version, .. } if version == self.version);
            let of_a_decision = matches!(
                mismatch,
                Mismatch::StaleDecision { .. } | Mismatch::LostDecision { .. }
            );
            if ours || (full && of_a_decision) {
                eprintln!("note: {mismatch}");
            }
        }
    }
}

/// The item that keeps the contracts crate from being built until the code is made again.
fn broken_seal(folder: &str) -> String {
    format!(
        "//! @generated by `cargo xtask vendor`; `cargo xtask regen` writes it whole.\n\ncompile_error!(\"{folder} was vendored after the last `cargo xtask regen`: run it\");\n"
    )
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

fn read_lock(path: &Path) -> Result<Lock, Failure> {
    if !path.exists() {
        return Ok(Lock::default());
    }
    Lock::parse(&read_text(path)?)
        .map_err(|error| Failure::new(format!("{}: {error}", path.display())))
}
