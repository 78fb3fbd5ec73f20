//! Recorded connections with real agents: nothing is malformed, nothing is lost, and what comes
//! out hangs together.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use agentwire::canonical::RuntimeEvent;
use agentwire::envelope::envelopes;
use agentwire::session::{Outcome, Verdict};
use agentwire::transcript::Recorded;
use agentwire_tests::root;

use crate::session;
use crate::support::{described, lifecycle};

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

/// What no vendored version has, and real agents send all the same.
const EXTENSIONS: &[&str] = &[
    "_qwencode/end_turn",
    "_qwencode/start_turn",
    "craft/drainMidTurnQueue",
];

fn recordings() -> Vec<PathBuf> {
    let mut found = below(&root().join("tests/transcripts/cursor.acp"));
    assert!(found.len() >= 9, "only {} excerpts", found.len());
    if let Some(folder) = std::env::var_os(MORE) {
        let before = found.len();
        for agent in entries(&Path::new(&folder).join("agents")) {
            let name = agent.file_name().unwrap().to_string_lossy().into_owned();
            if AGENTS.iter().any(|known| name.starts_with(known)) {
                found.extend(entries(&agent));
            }
        }
        assert!(
            found.len() > before + 100,
            "only {} recordings",
            found.len()
        );
    }
    found.retain(|path| path.extension().is_some_and(|it| it == "jsonl"));
    found
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

/// The outcomes of each line, beside its text.
fn replayed(path: &Path) -> Vec<(String, Vec<Outcome>)> {
    let text = fs::read_to_string(path).unwrap();
    let mut session = session();
    let lines = text.split('\n').filter(|line| !line.is_empty());
    let mut replayed: Vec<(String, Vec<Outcome>)> = lines
        .map(|line| {
            let recorded = Recorded::read(line).unwrap();
            session.push(recorded.direction, recorded.line.as_bytes());
            session.push(recorded.direction, b"\n");
            (recorded.line.into_owned(), session.outcomes().collect())
        })
        .collect();
    session.finish();
    replayed.push((String::new(), session.outcomes().collect()));
    replayed
}

#[test]
fn every_line_is_understood() {
    let mut complaints = Vec::new();
    let mut verdicts: BTreeMap<&str, usize> = BTreeMap::new();
    for path in recordings() {
        for (line, outcomes) in replayed(&path) {
            let messages = match line.is_empty() {
                true => 0,
                // What the host says may be anything, and is then one outcome.
                false => envelopes(&line).map_or(1, |messages| messages.len()),
            };
            if outcomes.len() != messages {
                complaints.push(format!(
                    "{}: {} outcomes: {line}",
                    path.display(),
                    outcomes.len()
                ));
            }
            for outcome in &outcomes {
                let (kind, complaint) = judged(outcome, &line);
                *verdicts.entry(kind).or_default() += 1;
                complaints
                    .extend(complaint.map(|it| format!("{}: {it}: {line:.300}", path.display())));
            }
        }
    }
    println!("{verdicts:#?}");
    assert!(
        complaints.is_empty(),
        "{} complaints:\n{}",
        complaints.len(),
        complaints.join("\n")
    );
}

fn judged(outcome: &Outcome, line: &str) -> (&'static str, Option<String>) {
    let tag = outcome.tag.as_deref().unwrap_or_default();
    let complain = |what: String| Some(what);
    for event in &outcome.events {
        let raw = event.raw.as_ref().unwrap().payload.as_str();
        if !line.contains(raw) {
            return (
                "lost",
                complain(format!("`{tag}`: the raw message is not in the line")),
            );
        }
    }
    match &outcome.verdict {
        Verdict::Mapped if outcome.events.is_empty() && tag != "state_update" => {
            ("mapped", complain(format!("`{tag}` gives no event")))
        }
        Verdict::Mapped => ("mapped", None),
        Verdict::Dropped(_) => ("dropped", None),
        Verdict::Noted => ("noted", None),
        Verdict::Unrecognized if EXTENSIONS.contains(&tag) => ("extension", None),
        Verdict::Unrecognized => ("unrecognized", complain(format!("unrecognized `{tag}`"))),
        Verdict::Malformed { path, message } => (
            "malformed",
            complain(format!("malformed `{tag}`: {path}: {message}")),
        ),
        Verdict::Unmatched => ("unmatched", complain(String::from("a reply to nothing"))),
        Verdict::NotJson { reason, .. }
            if outcome.direction == agentwire::session::Direction::FromAgent =>
        {
            ("not JSON", complain(reason.clone()))
        }
        Verdict::NotJson { .. } => ("not JSON of the host", None),
        Verdict::Told(_) | Verdict::Outside | Verdict::TooLong { .. } => {
            ("other", complain(format!("{:?}", outcome.verdict)))
        }
    }
}

#[test]
fn every_stream_of_events_hangs_together() {
    let mut complaints = Vec::new();
    for path in recordings() {
        let events: Vec<RuntimeEvent> = replayed(&path)
            .into_iter()
            .flat_map(|(_, outcomes)| outcomes)
            .flat_map(|outcome| outcome.events)
            .collect();
        let breaches = lifecycle::breaches(&events);
        complaints.extend(
            breaches
                .into_iter()
                .map(|it| format!("{}: {it}", path.display())),
        );
        for event in &events {
            let json = event.to_json().unwrap();
            complaints.extend(
                described::fault(&json).map(|it| format!("{}: {it}: {json}", path.display())),
            );
            if serde_json::from_str::<RuntimeEvent>(&json).unwrap() != *event {
                complaints.push(format!("{}: does not come back: {json}", path.display()));
            }
        }
    }
    assert!(
        complaints.is_empty(),
        "{} complaints:\n{}",
        complaints.len(),
        complaints.join("\n")
    );
}
