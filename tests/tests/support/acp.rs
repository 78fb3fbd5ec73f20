//! Recorded connections of the agent client protocol: those of the repository, and those of a
//! folder beside it.

use std::fs;
use std::path::{Path, PathBuf};

use agentwire::session::Direction;
use agentwire::transcript::Recorded;
use agentwire_tests::root;
use serde_json::Value;

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

/// The folder of dialogues that no agent wrote, among those of the agents.
const INVENTED: &str = "invented";

/// The excerpts of real connections in the repository, sorted.
pub fn excerpts() -> Vec<PathBuf> {
    let (_, found): (Vec<PathBuf>, Vec<PathBuf>) =
        committed().into_iter().partition(|path| is_invented(path));
    assert!(found.len() >= 30, "only {} excerpts", found.len());
    found
}

/// Dialogues that no agent wrote: what was not recorded, and what goes wrong.
pub fn invented() -> Vec<PathBuf> {
    let (found, _): (Vec<PathBuf>, Vec<PathBuf>) =
        committed().into_iter().partition(|path| is_invented(path));
    assert!(found.len() >= 6, "only {} dialogues", found.len());
    found
}

/// All that stands in the repository, sorted.
pub fn committed() -> Vec<PathBuf> {
    let folder = root().join("tests/transcripts/cursor.acp");
    entries(&folder).iter().flat_map(|it| entries(it)).collect()
}

/// The agent with its version, and the scenario.
pub fn key(path: &Path) -> (String, String) {
    let agent = path.parent().and_then(Path::file_name).unwrap();
    let scenario = path.file_stem().unwrap();
    (
        agent.to_string_lossy().into_owned(),
        scenario.to_string_lossy().into_owned(),
    )
}

/// The whole recordings, where a folder of them is named.
pub fn whole() -> Option<Vec<PathBuf>> {
    let folder = std::env::var_os(MORE)?;
    let mut found = Vec::new();
    for agent in entries(&Path::new(&folder).join("agents")) {
        let name = agent.file_name().unwrap().to_string_lossy().into_owned();
        // Wires of their own, of the same programs.
        let other = ["-stream-", "-run-"].iter().any(|it| name.contains(it));
        if !other && AGENTS.iter().any(|known| name.starts_with(known)) {
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

/// The generation of the protocol that a connection agrees on.
pub fn generation(path: &Path) -> &'static str {
    let agreed = lines(path).into_iter().any(|line| {
        let tree: Value = serde_json::from_str(&line.text).unwrap_or_default();
        line.direction == Direction::FromAgent
            && tree["result"]["protocolVersion"].as_i64() >= Some(2)
    });
    if agreed { "v2" } else { "v1" }
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

fn is_invented(path: &Path) -> bool {
    key(path).0 == INVENTED
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else {
        return Vec::new();
    };
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}
