//! The recorded streams: those of the repository, and those of a folder beside it.

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use agentwire::session::Direction;
use agentwire::transcript::Recorded;
use agentwire_tests::root;

/// Where more recordings stand, as `codex/<version>/*.jsonl` below it.
const MORE: &str = "AGENTWIRE_RECORDED";

/// How a stream was recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Carrier {
    /// Both directions of `codex app-server`.
    AppServer,
    /// A file in which a session is stored.
    Rollout,
}

/// One recorded stream.
#[derive(Clone, Debug)]
pub struct Recording {
    /// The agent's version.
    pub version: String,
    /// The name of the scenario, without what says how it was recorded.
    pub scenario: String,
    /// How it was recorded.
    pub carrier: Carrier,
    /// Whether it stands in the repository.
    pub committed: bool,
    path: PathBuf,
}

/// One line of a recorded stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Which way it went.
    pub direction: Direction,
    /// Its text.
    pub text: String,
}

impl fmt::Display for Recording {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.path.file_name().unwrap_or_default().to_string_lossy();
        write!(formatter, "{} {name} ({:?})", self.version, self.carrier)
    }
}

impl Recording {
    /// The lines, in the order in which they were seen.
    pub fn lines(&self) -> Vec<Line> {
        let text = fs::read_to_string(&self.path).unwrap();
        let lines = text.split('\n').filter(|line| !line.is_empty());
        match self.carrier {
            Carrier::AppServer => lines.map(|line| self.transcript_line(line)).collect(),
            Carrier::Rollout => lines
                .map(|line| Line {
                    direction: Direction::FromAgent,
                    text: line.to_owned(),
                })
                .collect(),
        }
    }

    fn transcript_line(&self, line: &str) -> Line {
        let recorded = Recorded::read(line).unwrap_or_else(|error| panic!("{self}: {error}"));
        Line {
            direction: recorded.direction,
            text: recorded.line.into_owned(),
        }
    }

    /// The name under which tables speak of it: the scenario, with the carrier where that is not
    /// the app server.
    pub fn key(&self) -> String {
        match self.carrier {
            Carrier::AppServer => self.scenario.clone(),
            Carrier::Rollout => format!("{}.rollout", self.scenario),
        }
    }
}

/// The excerpts in the repository, sorted.
pub fn committed() -> Vec<Recording> {
    let mut found = Vec::new();
    for (folder, carrier) in [
        ("codex.app-server", Carrier::AppServer),
        ("codex.eventmsg", Carrier::Rollout),
    ] {
        for version in names(&root().join("tests/transcripts").join(folder)) {
            let folder = root().join("tests/transcripts").join(folder).join(&version);
            for name in names(&folder) {
                let Some(scenario) = name.strip_suffix(".jsonl") else {
                    continue;
                };
                found.push(Recording {
                    version: version.clone(),
                    scenario: scenario.to_owned(),
                    carrier,
                    committed: true,
                    path: folder.join(&name),
                });
            }
        }
    }
    assert!(found.len() >= 190, "only {} recordings", found.len());
    found
}

/// All recordings: the excerpts, and the whole ones where a folder of them is named.
pub fn all() -> Vec<Recording> {
    let mut found = committed();
    let Some(folder) = std::env::var_os(MORE) else {
        return found;
    };
    let before = found.len();
    let folder = Path::new(&folder).join("codex");
    for version in names(&folder) {
        let folder = folder.join(&version);
        for name in names(&folder) {
            let Some((scenario, carrier)) = whole(&name) else {
                continue;
            };
            found.push(Recording {
                version: version.clone(),
                scenario,
                carrier,
                committed: false,
                path: folder.join(&name),
            });
        }
    }
    assert!(
        found.len() > before,
        "no recordings below {}",
        folder.display()
    );
    found
}

/// What the name of a whole recording says; nothing for those of `codex exec`.
fn whole(name: &str) -> Option<(String, Carrier)> {
    let stem = name.strip_suffix(".jsonl")?;
    let (scenario, how) = stem.split_once('.')?;
    match how {
        "app-server" => Some((scenario.to_owned(), Carrier::AppServer)),
        "app-server-x" => Some((format!("{scenario}-x"), Carrier::AppServer)),
        "exec" => None,
        rollout => {
            let further = rollout
                .strip_prefix("rollout")
                .unwrap_or_else(|| panic!("{name}"));
            Some((
                format!("{scenario}{}", further.replace('.', "-")),
                Carrier::Rollout,
            ))
        }
    }
}

/// The names in a folder, sorted.
fn names(folder: &Path) -> Vec<String> {
    let entries =
        fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut names: Vec<String> = entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}
