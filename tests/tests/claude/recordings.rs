//! The recorded streams of the program: those of the repository, and those of a folder beside it.

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use agentwire::canonical::RuntimeEvent;
use agentwire::session::{Direction, Outcome};
use agentwire::transcript::Recorded;
use agentwire_tests::root;

use crate::claude::dialogue::session;

/// Where whole recordings stand, as `agents/claude-<version>/*.jsonl` below it.
const MORE: &str = "AGENTWIRE_RECORDED";

/// The folders of whole recordings: through the SDK, and through the command line.
const WHOLE: &[&str] = &["claude-cli-", "claude-sdk-"];

/// One recorded stream.
#[derive(Clone, Debug)]
pub struct Recording {
    /// The folder: a surface and a version, or an agent and its version.
    pub folder: String,
    /// The name of the scenario.
    pub scenario: String,
    /// The lines, in the order in which they were seen.
    pub lines: Vec<(Direction, String)>,
}

impl fmt::Display for Recording {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}/{}", self.folder, self.scenario)
    }
}

impl Recording {
    /// Without what the host said, as a reader has it that sees the program's output alone.
    pub fn of_program(&self) -> Self {
        let own = |(direction, _): &&(Direction, String)| *direction == Direction::FromAgent;
        Self {
            lines: self.lines.iter().filter(own).cloned().collect(),
            ..self.clone()
        }
    }

    /// The outcomes of all lines, and of the end.
    pub fn replayed(&self) -> Vec<Outcome> {
        replay(&self.lines)
    }
}

/// Reads lines one after the other.
pub fn replay(lines: &[(Direction, impl AsRef<str>)]) -> Vec<Outcome> {
    let mut session = session();
    for (direction, line) in lines {
        session.push(*direction, line.as_ref().as_bytes());
        session.push(*direction, b"\n");
    }
    session.finish();
    session.outcomes().collect()
}

/// The events of outcomes.
pub fn events(outcomes: Vec<Outcome>) -> Vec<RuntimeEvent> {
    outcomes
        .into_iter()
        .flat_map(|outcome| outcome.events)
        .collect()
}

/// The excerpts in the repository.
pub fn committed() -> Vec<Recording> {
    let mut found = Vec::new();
    for surface in ["claude.sdk.message", "claude.sdk.permission"] {
        for version in entries(&root().join("tests/transcripts").join(surface)) {
            let folder = format!("{surface}/{}", name(&version));
            found.extend(entries(&version).iter().map(|path| read(path, &folder)));
        }
    }
    assert!(found.len() >= 45, "only {} excerpts", found.len());
    found
}

/// All recordings: the excerpts, and the whole ones where a folder of them is named.
pub fn all() -> Vec<Recording> {
    let mut found = committed();
    if let Some(folder) = std::env::var_os(MORE) {
        let before = found.len();
        for agent in entries(&Path::new(&folder).join("agents")) {
            let folder = name(&agent);
            if WHOLE.iter().any(|known| folder.starts_with(known)) {
                found.extend(entries(&agent).iter().map(|path| read(path, &folder)));
            }
        }
        assert!(
            found.len() > before + 150,
            "only {} recordings",
            found.len()
        );
    }
    found
}

fn read(path: &Path, folder: &str) -> Recording {
    let text = fs::read_to_string(path).unwrap();
    let lines = text.split('\n').filter(|line| !line.is_empty());
    let lines = lines.map(|line| {
        let recorded =
            Recorded::read(line).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        (recorded.direction, recorded.line.into_owned())
    });
    Recording {
        folder: folder.to_owned(),
        scenario: name(path).trim_end_matches(".jsonl").to_owned(),
        lines: lines.collect(),
    }
}

fn name(path: &Path) -> String {
    path.file_name().unwrap().to_string_lossy().into_owned()
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries =
        fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}
