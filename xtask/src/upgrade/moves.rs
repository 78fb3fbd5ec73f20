//! What an upgrade is to do: which providers, which versions, and the vendored files of new ones.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use agentwire_codegen::sources::{self, Provider, SourcesError};
use agentwire_upkeep::upgrade::{Arrival, Move};
use agentwire_upkeep::vendor::lock::Lock;
use agentwire_upkeep::vendor::window::{Edited, compare, is_release};

use crate::failure::Failure;
use crate::files::sha256;
use crate::npm;
use crate::progress::Voice;
use crate::vendor::{Job, Ways, is_exact};
use crate::workspace::{LOCK, SOURCES, Texts};

/// What was asked for.
pub struct Wanted<'a> {
    providers: Vec<String>,
    version: Version<'a>,
    leaving: BTreeSet<String>,
}

enum Version<'a> {
    None,
    Latest,
    Exact(&'a str),
}

impl<'a> Wanted<'a> {
    /// Reads the target and the versions to drop.
    pub fn read(target: &'a str, leaving: &[String], texts: &Texts) -> Result<Self, Failure> {
        let (name, version) = match target.split_once('@') {
            None if leaving.is_empty() => (target, Version::Latest),
            None => (target, Version::None),
            Some((name, "latest")) => (name, Version::Latest),
            Some((name, version)) if is_exact(version) => (name, Version::Exact(version)),
            Some(_) => {
                return Err(Failure::new(format!(
                    "no exact version in `{target}`: write it like codex@0.171.0 or codex@latest"
                )));
            }
        };
        if let Version::Exact(version) = version
            && leaving.iter().any(|it| it == version)
        {
            return Err(Failure::new(format!(
                "{version} can't come and leave at once"
            )));
        }
        Ok(Self {
            providers: providers(name, texts)?,
            version,
            leaving: leaving.iter().cloned().collect(),
        })
    }

    /// The moves, with the files of versions that are not vendored yet.
    pub fn moves(
        &self,
        root: &Path,
        texts: &Texts,
        ways: &Ways<'_>,
        work: &Path,
        voice: &Voice,
    ) -> Result<Vec<Move>, Failure> {
        let text = |path: &str| texts.get(path).map_or("", String::as_str);
        let lock =
            Lock::parse(text(LOCK)).map_err(|error| Failure::new(format!("{LOCK}: {error}")))?;
        let mut moves = Vec::new();
        for name in &self.providers {
            let provider = sources::provider(text(SOURCES), name).map_err(wrong)?;
            // To ask twice is no mistake.
            for absent in self
                .leaving
                .iter()
                .filter(|it| !provider.versions.contains(it))
            {
                eprintln!(
                    "note: {absent} is not in the window of {name}, which has {}",
                    provider.versions.join(", ")
                );
            }
            let version = match self.version {
                Version::None => None,
                Version::Exact(version) => Some(version.to_owned()),
                Version::Latest => {
                    voice.say(&format!("asking npm for {}", provider.package));
                    Some(latest(&provider.package)?)
                }
            };
            let fetching = Fetching {
                root,
                texts,
                lock: &lock,
                ways,
                voice,
                name,
            };
            let arrival = match version {
                Some(version) => {
                    let work = work.join(name);
                    fs::create_dir_all(&work)
                        .map_err(|error| Failure::io("create", &work, &error))?;
                    Some(fetching.arrival(&provider, version, &work)?)
                }
                None => None,
            };
            moves.push(Move {
                provider: name.clone(),
                arrival,
                leaving: self.leaving.clone(),
            });
        }
        Ok(moves)
    }
}

/// The provider of that name, or all whose names begin with it and a hyphen.
fn providers(name: &str, texts: &Texts) -> Result<Vec<String>, Failure> {
    let known = sources::providers(texts.get(SOURCES).map_or("", String::as_str)).map_err(wrong)?;
    let family = format!("{name}-");
    let exact: Vec<String> = known.iter().filter(|it| *it == name).cloned().collect();
    let members: Vec<String> = known
        .iter()
        .filter(|it| it.starts_with(&family))
        .cloned()
        .collect();
    let found = if exact.is_empty() { members } else { exact };
    if found.is_empty() {
        return Err(Failure::new(format!(
            "unknown provider `{name}`: {SOURCES} has {}",
            known.join(", ")
        )));
    }
    Ok(found)
}

/// One provider while the files of a version are looked for.
struct Fetching<'a> {
    root: &'a Path,
    texts: &'a Texts,
    lock: &'a Lock,
    ways: &'a Ways<'a>,
    voice: &'a Voice,
    name: &'a str,
}

impl Fetching<'_> {
    fn arrival(
        &self,
        provider: &Provider,
        version: String,
        work: &Path,
    ) -> Result<Arrival, Failure> {
        if self.is_vendored(&version) {
            return Ok(Arrival {
                version,
                ..Arrival::default()
            });
        }
        let pins = self.pins(provider, &version)?;
        let text = self.texts.get(SOURCES).map_or("", String::as_str);
        let mut edited = Edited::new(text).map_err(wrong)?;
        for (package, pinned) in &pins {
            edited
                .pin(self.name, package, &version, pinned)
                .map_err(wrong)?;
        }
        let job = Job {
            root: self.root,
            name: self.name,
            version: &version,
            provider: sources::provider(&edited.text(), self.name).map_err(wrong)?,
            voice: self.voice,
        };
        let (files, locked) = job.make(self.ways, work, self.lock)?;
        let mut texts = BTreeMap::new();
        for (path, bytes) in files {
            let text = String::from_utf8(bytes)
                .map_err(|_| Failure::new(format!("{path} is not UTF-8 text")))?;
            texts.insert(path, text);
        }
        Ok(Arrival {
            version,
            pins,
            vendored: Some((texts, locked)),
        })
    }

    /// Whether the files that the lock has of the version are there as it says.
    fn is_vendored(&self, version: &str) -> bool {
        self.lock.version(self.name, version).is_some_and(|locked| {
            locked.sha256.iter().all(|(path, hash)| {
                let text = self.texts.get(&format!("schemas/{path}"));
                text.is_some_and(|text| sha256(text.as_bytes()) == *hash)
            })
        })
    }

    /// The versions of other packages that go with a version: those that `sources.toml` says, else the
    /// newest release that was out when the version was published.
    fn pins(
        &self,
        provider: &Provider,
        version: &str,
    ) -> Result<BTreeMap<String, String>, Failure> {
        let external = provider.types.iter().flat_map(|types| &types.external);
        let unpinned: Vec<&String> = external
            .filter(|(_, listed)| !listed.versions.contains_key(version))
            .map(|(package, _)| package)
            .collect();
        let mut pins = BTreeMap::new();
        if unpinned.is_empty() {
            return Ok(pins);
        }
        self.voice.say(&format!(
            "asking npm when {} {version} was published",
            self.name
        ));
        let times = npm::published(&provider.package)?;
        let Some(published) = times.get(version) else {
            return Err(Failure::new(format!(
                "npm does not say when {} {version} was published: does that version exist?",
                provider.package
            )));
        };
        for package in unpinned {
            let pinned = newest_before(&npm::published(package)?, published);
            let pinned = pinned.ok_or_else(|| {
                Failure::new(format!(
                    "no release of {package} is as old as {} {version}: write the version that goes with it to `versions` of [provider.{}.types.external.\"{package}\"]",
                    self.name, self.name
                ))
            })?;
            pins.insert(package.clone(), pinned);
        }
        Ok(pins)
    }
}

/// The newest release, by version, of those that were published by some time.
fn newest_before(times: &BTreeMap<String, String>, published: &str) -> Option<String> {
    let out = times
        .iter()
        .filter(|(version, time)| is_release(version) && time.as_str() <= published);
    out.map(|(version, _)| version)
        .max_by(|a, b| compare(a, b))
        .cloned()
}

/// The latest version, which becomes the name of a folder.
fn latest(package: &str) -> Result<String, Failure> {
    let latest = npm::latest(package)?;
    if is_exact(&latest) {
        Ok(latest)
    } else {
        Err(Failure::new(format!(
            "npm says that `{latest}` is the latest version of {package}, which is none: write the version"
        )))
    }
}

fn wrong(error: SourcesError) -> Failure {
    Failure::new(format!("{SOURCES}: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_release_of_the_time_is_pinned() {
        let times = [
            ("1.9.0", "2026-01-01T00:00:00.000Z"),
            ("1.10.0", "2026-02-01T00:00:00.000Z"),
            ("1.8.5", "2026-03-01T00:00:00.000Z"),
            ("2.0.0-beta.1", "2026-03-02T00:00:00.000Z"),
            ("2.0.0", "2026-04-01T00:00:00.000Z"),
        ];
        let times: BTreeMap<String, String> = times
            .into_iter()
            .map(|(version, time)| (version.to_owned(), time.to_owned()))
            .collect();
        let newest = |time| newest_before(&times, time);
        assert_eq!(
            newest("2026-03-15T00:00:00.000Z").as_deref(),
            Some("1.10.0")
        );
        assert_eq!(newest("2026-04-01T00:00:00.000Z").as_deref(), Some("2.0.0"));
        assert_eq!(newest("2025-12-31T00:00:00.000Z"), None);
    }
}
