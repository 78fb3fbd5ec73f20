//! `cargo xtask vendor PROVIDER@VERSION`: takes the schemas of a provider's version into `schemas/`.

mod codex;
mod declarations;
mod packaged;
mod raw;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use agentwire_codegen::sources::{self, Provider};
use agentwire_upkeep::vendor::lock::{self, Lock, Locked, LockedExternal, Mismatch};
use clap::Args;

use crate::failure::Failure;
use crate::files::{Files, files_below, read_text, sha256};
use crate::npm::Tarball;
use crate::progress::Voice;
use crate::transaction::{SCRATCH, Transaction};
use crate::workspace::{LOCK, SEAL, SOURCES, broken_seal, vendored};

/// The origin of files that were made from raw output, or packages, given by hand.
const FOLDER: &str = "folder";
/// What a package is for that is the same on every platform.
const ANY_PLATFORM: &str = "any";

/// The arguments of `cargo xtask vendor`.
#[derive(Args)]
pub struct Arguments {
    /// What to vendor, for example `codex@0.171.0` or `claude@0.2.62`.
    #[arg(value_name = "PROVIDER@VERSION")]
    target: String,
    /// Works from this folder and without npm: the raw output of the schema command, one folder in it a face, or packages of declarations as `npm pack` writes them.
    #[arg(long, value_name = "DIR")]
    from: Option<PathBuf>,
    /// How many seconds the program of the package may take for one face.
    #[arg(long, value_name = "SECONDS", default_value_t = 120)]
    timeout: u64,
}

/// How raw output is come by.
pub struct Ways<'a> {
    /// A folder with it, in place of the package.
    pub from: Option<&'a Path>,
    /// How many seconds the program of a package may take for one face.
    pub timeout: u64,
}

/// The vendored files of a version, and where they came from.
struct Made {
    /// By path below the folder of the version.
    files: Files,
    /// The decisions that they needed.
    decisions: BTreeSet<String>,
    origin: String,
    /// The commands that made them, without paths.
    commands: Vec<String>,
    /// What the package is for, and its integrity, when they were made from a package.
    integrity: Option<(String, String)>,
    /// Other packages that they were made from.
    external: BTreeMap<String, LockedExternal>,
}

/// What is about to be vendored.
pub struct Job<'a> {
    /// The workspace.
    pub root: &'a Path,
    /// The provider.
    pub name: &'a str,
    /// The version.
    pub version: &'a str,
    /// What `sources.toml` says of the provider.
    pub provider: Provider,
    /// Where it says what it does.
    pub voice: &'a Voice,
}

/// Runs the command in the workspace at `root`.
pub fn run(root: &Path, arguments: &Arguments) -> Result<ExitCode, Failure> {
    let (name, version) = parse_target(&arguments.target)?;
    let sources_text = read_text(&root.join(SOURCES))?;
    let wrong = |error: sources::SourcesError| Failure::new(format!("{SOURCES}: {error}"));
    let known = sources::providers(&sources_text).map_err(wrong)?;
    if !known.iter().any(|known| known == name) {
        return Err(Failure::new(format!(
            "unknown provider in `{}`: {SOURCES} has {}",
            arguments.target,
            known.join(", ")
        )));
    }
    let provider = sources::provider(&sources_text, name).map_err(wrong)?;
    let voice = Voice::lines();
    let job = Job {
        root,
        name,
        version,
        provider,
        voice: &voice,
    };
    let mut lock = read_lock(&root.join(LOCK))?;

    let mut transaction = Transaction::begin(root, SCRATCH)?;
    let work = transaction.work();
    let ways = Ways {
        from: arguments.from.as_deref(),
        timeout: arguments.timeout,
    };
    let (files, locked) = job.make(&ways, &work, &lock)?;
    lock.0
        .entry(name.to_owned())
        .or_default()
        .insert(version.to_owned(), locked);
    if job.prepare(&mut transaction, &files, &lock)? {
        transaction.commit()?;
    }
    job.note(&lock);
    Ok(ExitCode::SUCCESS)
}

/// Splits `codex@0.171.0`. Only exact versions: what a tag means changes from day to day.
pub fn parse_target(target: &str) -> Result<(&str, &str), Failure> {
    let wrong =
        |what: &str| Failure::new(format!("{what} in `{target}`: write it like codex@0.171.0"));
    let (name, version) = target.split_once('@').ok_or_else(|| wrong("no version"))?;
    if is_exact(version) {
        Ok((name, version))
    } else {
        Err(wrong("no exact version"))
    }
}

/// Whether it is one version, in a form that can be the name of a folder.
pub fn is_exact(version: &str) -> bool {
    version.starts_with(|first: char| first.is_ascii_digit())
        && version.split('.').count() >= 3
        && !version.contains("..")
        && version
            .chars()
            .all(|letter| letter.is_ascii_alphanumeric() || matches!(letter, '.' | '-'))
}

impl Job<'_> {
    /// Makes the files of the version, by path below its folder, and what the lock is to say of them.
    pub fn make(
        &self,
        ways: &Ways<'_>,
        work: &Path,
        lock: &Lock,
    ) -> Result<(Files, Locked), Failure> {
        let made = match &self.provider.types {
            Some(types) => self.types_of_the_package(types, ways, work, lock)?,
            None if self.provider.files.is_empty() => {
                self.schemas_of_the_program(ways, work, lock)?
            }
            None => self.schemas_of_the_package(ways, work, lock)?,
        };
        Ok(self.lock_entry(made, lock.version(self.name, self.version)))
    }

    fn say(&self, text: &str) {
        self.voice
            .say(&format!("vendor {} {}: {text}", self.name, self.version));
    }

    /// What the lock knows of this version.
    fn locked<'l>(&self, lock: &'l Lock) -> Option<&'l Locked> {
        lock.version(self.name, self.version)
    }

    /// A published version never changes: a package that was vendored before must be the same one.
    fn check_integrity(
        &self,
        spec: &str,
        tarball: &Tarball,
        locked: Option<&String>,
    ) -> Result<(), Failure> {
        match locked {
            Some(locked) if *locked != tarball.integrity => Err(Failure::new(format!(
                "{spec} is not the package that was vendored before, so it was not used:\n  locked {locked}\n  found  {}\nA published version never changes. Find out which registry is wrong before you remove the entry from {LOCK}",
                tarball.integrity
            ))),
            Some(_) => {
                self.say(&format!(
                    "{} bytes, integrity as stated and as locked",
                    tarball.size
                ));
                Ok(())
            }
            None => {
                self.say(&format!("{} bytes, integrity as stated", tarball.size));
                Ok(())
            }
        }
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

    /// What the lock is to say. The same files keep the provenance that they have: another platform
    /// only adds its package, and a folder never takes the place of a package.
    fn lock_entry(&self, made: Made, before: Option<&Locked>) -> (Files, Locked) {
        let prefix = format!("{}/{}", self.name, self.version);
        let sha256: BTreeMap<String, String> = made
            .files
            .iter()
            .map(|(path, bytes)| (format!("{prefix}/{path}"), sha256(bytes)))
            .collect();
        let mut integrity = before
            .map(|before| before.integrity.clone())
            .unwrap_or_default();
        integrity.extend(made.integrity);
        let origin = match before {
            Some(before) if before.sha256 == sha256 && before.origin != FOLDER => {
                before.origin.clone()
            }
            Some(_) | None => made.origin,
        };
        let (package, licence) = (self.provider.package.clone(), self.provider.licence.clone());
        let locked = Locked {
            package,
            licence,
            origin,
            commands: made.commands,
            decisions: made.decisions,
            integrity,
            sha256,
            external: made.external,
        };
        (made.files, locked)
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
            transaction.replace_file(SEAL, broken_seal(&vendored(&folder)).as_bytes())?;
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

pub fn read_lock(path: &Path) -> Result<Lock, Failure> {
    if !path.exists() {
        return Ok(Lock::default());
    }
    Lock::parse(&read_text(path)?)
        .map_err(|error| Failure::new(format!("{}: {error}", path.display())))
}
