//! Recorded connections of the agent client protocol: those of the repository, and those of a
//! folder beside it.

use std::fs;
use std::path::{Path, PathBuf};

use agentwire::session::Direction;
use agentwire::transcript::Recorded;
use agentwire_tests::root;

use super::recorded::Line;

/// Where whole recordings stand, as `agents/<agent>-<version>/*.jsonl` below it.
const MORE: &str = "AGENTWIRE_RECORDED";

/// The agents that speak the protocol, by the beginnings of their folders' names.
const AGENTS: &[&str] = &[
    "auggie-",
    "claude-agent-acp-",
    "claude-code-acp-",
    "cline-",
    "codex-acp-",
    "copilot-",
    "gemini-cli-",
    "opencode-1",
    "qwen-code-",
];

/// The excerpts in the repository, sorted.
pub fn excerpts() -> Vec<PathBuf> {
    let found = below(&root().join("tests/transcripts/cursor.acp"));
    assert!(found.len() >= 9, "only {} excerpts", found.len());
    found
}

/// The whole recordings, where a folder of them is named.
pub fn whole() -> Option<Vec<PathBuf>> {
    let folder = std::env::var_os(MORE)?;
    let mut found = Vec::new();
    for agent in entries(&Path::new(&folder).join("agents")) {
        let name = agent.file_name().unwrap().to_string_lossy().into_owned();
        if AGENTS.iter().any(|known| name.starts_with(known)) {
            found.extend(entries(&agent));
        }
    }
    found.retain(|path| path.extension().is_some_and(|it| it == "jsonl"));
    assert!(found.len() > 100, "only {} recordings", found.len());
    Some(found)
}

/// All recordings: the excerpts, and the whole ones where there are any.
pub fn recordings() -> Vec<PathBuf> {
    [excerpts(), whole().unwrap_or_default()].concat()
}

/// The lines of a recording, in the order in which they were seen.
pub fn lines(path: &Path) -> Vec<Line> {
    let text = fs::read_to_string(path).unwrap();
    let lines = text.split('\n').filter(|line| !line.is_empty());
    lines
        .map(|line| {
            let recorded = Recorded::read(line).unwrap();
            Line {
                direction: recorded.direction,
                text: recorded.line.into_owned(),
            }
        })
        .collect()
}

/// A line that the agent wrote.
pub fn agent(text: impl Into<String>) -> Line {
    Line {
        direction: Direction::FromAgent,
        text: text.into(),
    }
}

/// A line that the host wrote.
pub fn host(text: impl Into<String>) -> Line {
    Line {
        direction: Direction::ToAgent,
        text: text.into(),
    }
}

fn below(folder: &Path) -> Vec<PathBuf> {
    entries(folder).iter().flat_map(|it| entries(it)).collect()
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else {
        return Vec::new();
    };
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}
