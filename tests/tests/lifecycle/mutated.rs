//! Streams that are cut, doubled, mixed up and said otherwise: their events still have whole lives.

use std::fs;
use std::path::{Path, PathBuf};

use agentwire_tests::root;

use super::lives::{Lives, Table};
use super::{Line, lines, read};

/// A generator with a seed, so that a failure can be repeated.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005);
        self.0 = self.0.wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % sides.max(1)
    }
}

/// Words that a mutation puts in the place of one another.
const WORDS: &[&str] = &[
    "completed",
    "failed",
    "inProgress",
    "in_progress",
    "declined",
    "interrupted",
    "running",
    "pending",
    "error",
    "success",
    "cancelled",
    "stopped",
];

fn mutate(mut stream: Vec<Line>, dice: &mut Dice) -> Vec<Line> {
    for _ in 0..=dice.roll(6) {
        if stream.len() < 3 {
            break;
        }
        let (one, other) = (dice.roll(stream.len()), dice.roll(stream.len()));
        match dice.roll(6) {
            0 => drop(stream.remove(one)),
            1 => stream.insert(other, stream[one].clone()),
            2 => stream.swap(one, other),
            3 => stream.truncate(one + 1),
            4 => {
                let again = stream[one.min(other)..one.max(other)].to_vec();
                stream.extend(again);
            }
            _ => {
                let (from, to) = (WORDS[dice.roll(WORDS.len())], WORDS[dice.roll(WORDS.len())]);
                let quoted = |word: &str| format!("\"{word}\"");
                for Line(_, text) in &mut stream[one..] {
                    if text.contains(&quoted(from)) {
                        *text = text.replace(&quoted(from), &quoted(to));
                        break;
                    }
                }
            }
        }
    }
    stream
}

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            files(&path, found);
        } else if path.extension().is_some_and(|it| it == "jsonl") {
            found.push(path);
        }
    }
}

fn table(provider: &'static str) -> Table {
    let path = format!("contracts/mapping/{provider}.lifecycle.toml");
    let text = fs::read_to_string(root().join(path)).unwrap();
    let table: toml::Table = text.parse().unwrap();
    let keeps = |thing: &str| table["turn-ends"][thing].as_str() == Some("keep");
    Table {
        provider,
        commands_stay: keeps("commands"),
        background_stays: keeps("background"),
    }
}

/// The rules that the events of a stream break.
fn breaches(table: Table, stored: bool, stream: &[Line]) -> Vec<String> {
    let (outcomes, end) = read(table.provider, stored, stream);
    let mut lives = Lives::default();
    let events = outcomes.iter().flat_map(|outcome| &outcome.events);
    for event in events.chain(&end) {
        lives.take(table, event);
    }
    lives.close();
    lives.breaches
}

fn check(provider: &'static str, stored: bool, surface: &str, rounds: u64) {
    let table = table(provider);
    let mut found = Vec::new();
    files(&root().join("tests/transcripts").join(surface), &mut found);
    assert!(found.len() >= 4, "{surface}: only {} streams", found.len());
    let mut read = 0;
    for (number, path) in found.iter().enumerate() {
        let stream = lines(&fs::read_to_string(path).unwrap());
        for round in 0..=rounds {
            let seed = (number as u64) << 16 | round;
            // The first round is the stream as it was recorded.
            let mutated = match round {
                0 => stream.clone(),
                _ => mutate(stream.clone(), &mut Dice(seed)),
            };
            let breaches = breaches(table, stored, &mutated);
            let name = path.display();
            assert_eq!(breaches, [""; 0], "{name}, round {round}");
            read += 1;
        }
    }
    assert_eq!(read, found.len() as u64 * (rounds + 1));
}

#[test]
fn of_codex() {
    check("codex", false, "codex.app-server", 12);
}

#[test]
fn of_stored_sessions_of_codex() {
    check("codex", true, "codex.eventmsg", 12);
}

#[test]
fn of_codex_exec() {
    check("codex-sdk", false, "codex.sdk.thread-event", 24);
}

#[test]
fn of_claude() {
    check("claude", false, "claude.sdk.message", 12);
    check("claude", false, "claude.sdk.permission", 12);
}

#[test]
fn of_amp() {
    check("amp", false, "amp.stream-json", 24);
}

#[test]
fn of_opencode() {
    check("opencode", false, "opencode.event", 12);
}

#[test]
fn of_agents_of_the_agent_client_protocol() {
    check("acp", false, "cursor.acp", 12);
}
