//! Recorded streams of the program, replayed: everything in them is understood, and what comes out
//! hangs together, with what the host said and without it.

use std::collections::{BTreeMap, BTreeSet};

use agentwire::claude::wire::{message, permission};
use agentwire::envelope::envelopes;
use agentwire::mapping::RowInfo;
use agentwire::session::{Direction, Outcome, Verdict};

use crate::claude::dialogue::session;
use crate::claude::invariants::{breaches, late, left_open, turns};
use crate::claude::recordings::{Recording, all, committed};
use crate::support::replay::printed;
use crate::support::table;

/// What is known to be odd in the recordings, and why.
struct Explained {
    rows: BTreeMap<(String, String), String>,
    used: BTreeSet<(String, String)>,
}

impl Explained {
    fn read() -> Self {
        let rows =
            table::rows::<3>("claude_explained.tsv")
                .into_iter()
                .map(|[scenario, what, reason]| {
                    assert!(reason.len() > 10, "{scenario} {what}: no reason");
                    ((scenario, what), reason)
                });
        Self {
            rows: rows.collect(),
            used: BTreeSet::new(),
        }
    }

    fn allows(&mut self, recording: &Recording, what: &str) -> bool {
        let keys = [
            recording.to_string(),
            recording.scenario.clone(),
            String::from("*"),
        ];
        let key = keys
            .into_iter()
            .map(|scenario| (scenario, what.to_owned()))
            .find(|key| self.rows.contains_key(key));
        key.is_some_and(|key| {
            self.used.insert(key);
            true
        })
    }
}

#[test]
fn every_line_is_understood() {
    let mut explained = Explained::read();
    let mut complaints = Vec::new();
    let mut verdicts: BTreeMap<&str, usize> = BTreeMap::new();
    let mut lines = 0;
    for recording in all() {
        for recording in [recording.clone(), recording.of_program()] {
            let is_whole = recording
                .lines
                .iter()
                .any(|(direction, _)| *direction == Direction::ToAgent);
            let outcomes = recording.replayed();
            lines += recording.lines.len();
            for (outcome, text) in beside_their_lines(&recording, &outcomes) {
                *verdicts.entry(kind(&outcome.verdict)).or_default() += 1;
                for what in odd(outcome, &text, is_whole) {
                    if !explained.allows(&recording, &what) {
                        complaints.push(format!("{recording}: {what}: {text:.300}"));
                    }
                }
            }
        }
    }
    println!("{lines} lines: {verdicts:#?}");
    assert!(
        complaints.is_empty(),
        "{} complaints:\n{}",
        complaints.len(),
        complaints.join("\n")
    );
    assert!(verdicts["mapped"] > 1_000, "{verdicts:?}");
    if std::env::var_os("AGENTWIRE_RECORDED").is_some() {
        let stale: Vec<_> = explained
            .rows
            .keys()
            .filter(|key| !explained.used.contains(*key))
            .collect();
        assert!(stale.is_empty(), "nothing needs these any more: {stale:#?}");
    }
}

/// Each outcome with the text of its line, none left over on either side.
fn beside_their_lines<'o>(
    recording: &Recording,
    outcomes: &'o [Outcome],
) -> Vec<(&'o Outcome, String)> {
    let mut numbers = [0_u64; 2];
    let mut beside = Vec::new();
    let mut rest = outcomes.iter();
    for (direction, text) in &recording.lines {
        let number = &mut numbers[usize::from(*direction == Direction::FromAgent)];
        *number += 1;
        let messages = envelopes(text).map_or(1, |messages| messages.len());
        for _ in 0..messages {
            let outcome = rest.next().unwrap_or_else(|| panic!("{recording}: {text}"));
            assert_eq!((outcome.direction, outcome.line), (*direction, *number));
            beside.push((outcome, text.clone()));
        }
    }
    assert_eq!(rest.next().map(|outcome| outcome.line), None, "{recording}");
    beside
}

fn kind(verdict: &Verdict) -> &'static str {
    match verdict {
        Verdict::Mapped => "mapped",
        Verdict::Dropped(_) => "dropped",
        Verdict::Told(_) => "told",
        Verdict::Unrecognized => "unrecognized",
        Verdict::Malformed { .. } => "malformed",
        Verdict::Unmatched => "unmatched",
        Verdict::Noted => "noted",
        Verdict::Outside => "outside",
        Verdict::NotJson { .. } => "not JSON",
        Verdict::TooLong { .. } => "too long",
    }
}

/// What an outcome has that must be explained.
fn odd(outcome: &Outcome, line: &str, knows_the_host: bool) -> Vec<String> {
    let tag = outcome.tag.as_deref().unwrap_or("");
    let from_agent = outcome.direction == Direction::FromAgent;
    let mut found: Vec<String> = outcome
        .oddities
        .iter()
        .map(|oddity| {
            let oddity = oddity.to_string();
            let what = oddity.split_once(": ").map_or(&*oddity, |(_, what)| what);
            format!("{tag}: {what}")
        })
        .collect();
    for event in &outcome.events {
        let raw = event.raw.as_ref().unwrap().payload.as_str();
        if !line.contains(raw) {
            found.push(format!("`{tag}`: the raw message is not in the line"));
        }
    }
    match &outcome.verdict {
        Verdict::Mapped if outcome.events.is_empty() => {
            found.push(format!("`{tag}` is mapped and gives no event"));
        }
        Verdict::Dropped(_) | Verdict::Told(_) | Verdict::Noted if !outcome.events.is_empty() => {
            found.push(format!("`{tag}` is silent and gives events"));
        }
        Verdict::Mapped | Verdict::Dropped(_) | Verdict::Told(_) | Verdict::Noted => {}
        // Without what the host said it is not known what a response answers.
        Verdict::Unmatched if !knows_the_host => {}
        Verdict::Unmatched => found.push(String::from("a reply to nothing")),
        Verdict::Unrecognized => found.push(format!("unrecognized `{tag}`")),
        Verdict::Malformed { path, message } => {
            found.push(format!("malformed `{tag}`: {path}: {message}"));
        }
        Verdict::NotJson { .. } if !from_agent => {}
        Verdict::NotJson { reason, .. } => found.push(format!("not JSON: {reason}")),
        Verdict::Outside => found.push(String::from("outside")),
        Verdict::TooLong { size } => found.push(format!("{size} bytes")),
    }
    found
}

#[test]
fn every_stream_of_events_hangs_together() {
    let mut complaints = Vec::new();
    let mut counts = [0_usize; 4];
    let mut cut = BTreeSet::new();
    for recording in all() {
        for (how, recording) in [
            ("both", recording.clone()),
            ("program", recording.of_program()),
        ] {
            let outcomes = recording.replayed();
            let mut complain =
                |what: String| complaints.push(format!("{recording} ({how}): {what}"));
            let found = breaches(&outcomes).into_iter().chain(late(&outcomes));
            found.for_each(&mut complain);
            for open in left_open(&outcomes) {
                complain(format!("still open: {open}"));
            }
            let (begun, ended) = turns(&outcomes);
            match begun.checked_sub(ended) {
                Some(0) => {}
                // The program was stopped, so that no result came.
                Some(1) => {
                    cut.insert(recording.scenario.clone());
                }
                _ => complain(format!("{begun} turns begin and {ended} end")),
            }
            let events: usize = outcomes.iter().map(|outcome| outcome.events.len()).sum();
            counts = [
                counts[0] + 1,
                counts[1] + events,
                counts[2] + begun,
                counts[3] + ended,
            ];
        }
    }
    println!("streams, events, turns begun, turns ended: {counts:?}; cut off: {cut:?}");
    assert!(
        complaints.is_empty(),
        "{} complaints:\n{}",
        complaints.len(),
        complaints.join("\n")
    );
    assert!(counts[1] > 1_000 && counts[3] > 80, "{counts:?}");
    let known: BTreeSet<String> = CUT.iter().map(|it| (*it).to_owned()).collect();
    let unknown: Vec<&String> = cut.difference(&known).collect();
    assert!(unknown.is_empty(), "no result ends a turn of {unknown:?}");
}

/// The scenarios in which the program is stopped, or does not start.
const CUT: &[&str] = &[
    "abort_controller",
    "bypass_as_root",
    "kill_midstream",
    "sigint_midtool",
    "stdin_assistant_role",
    "stdin_eof_midline",
    "stdin_missing_message",
];

#[test]
fn the_same_stream_gives_the_same_events_in_any_pieces() {
    let mut compared = 0;
    for recording in committed() {
        let whole = printed(&recording.replayed());
        for size in [1, 7, 4096] {
            let mut session = session();
            let runs = recording.lines.chunk_by(|one, next| one.0 == next.0);
            for run in runs {
                let text: String = run.iter().map(|(_, line)| format!("{line}\n")).collect();
                for piece in text.as_bytes().chunks(size) {
                    session.push(run[0].0, piece);
                }
            }
            session.finish();
            let outcomes: Vec<Outcome> = session.outcomes().collect();
            assert_eq!(whole, printed(&outcomes), "{recording} by {size}");
            compared += 1;
        }
    }
    assert!(compared >= 130, "only {compared} comparisons");
}

#[test]
fn the_index_names_every_excerpt() {
    let index =
        std::fs::read_to_string(agentwire_tests::root().join("tests/transcripts/INDEX.tsv"));
    let rows: BTreeSet<(String, String, usize)> = index
        .unwrap()
        .lines()
        .skip(1)
        .filter_map(|row| {
            let cells: Vec<&str> = row.split('\t').collect();
            let [scenario, version, face, lines, shows] = cells[..] else {
                panic!("not five columns: {row}")
            };
            assert!(shows.len() > 5, "{row}");
            matches!(face, "sdk" | "cli").then(|| {
                (
                    version.to_owned(),
                    scenario.to_owned(),
                    lines.parse().unwrap(),
                )
            })
        })
        .collect();
    let found: BTreeSet<(String, String, usize)> = committed()
        .iter()
        .map(|it| {
            let version = it.folder.rsplit('/').next().unwrap();
            (version.to_owned(), it.scenario.clone(), it.lines.len())
        })
        .collect();
    assert_eq!(rows, found);
    let versions: BTreeSet<&str> = found.iter().map(|(version, ..)| &**version).collect();
    assert_eq!(
        versions.into_iter().collect::<Vec<_>>(),
        ["0.2.62", "0.3.332"]
    );
}

/// The rows that no recording shows are few, and none is shown without a row.
#[test]
fn what_the_recordings_show() {
    let mut shown: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    for recording in all() {
        for outcome in recording.replayed() {
            if let (Some(surface), Some(tag)) = (outcome.surface, outcome.tag) {
                shown.entry(surface).or_default().insert(tag.to_string());
            }
        }
    }
    // Whole recordings show more than the excerpts, and are asked for more where they are named.
    let least = match std::env::var_os("AGENTWIRE_RECORDED") {
        Some(_) => 45,
        None => 44,
    };
    let tables: [(&str, &[RowInfo], usize, usize); 2] = [
        (message::SURFACE, message::ROWS, 125, least),
        (permission::SURFACE, permission::ROWS, 4, 4),
    ];
    for (surface, rows, count, least) in tables {
        assert_eq!(rows.len(), count, "{surface}");
        let shown = &shown[surface];
        let unseen: Vec<&str> = rows
            .iter()
            .map(|row| row.tag)
            .filter(|tag| !shown.contains(*tag))
            .collect();
        println!(
            "{surface}: {count} rows, without a recording:\n  {}",
            unseen.join("\n  ")
        );
        assert!(count - unseen.len() >= least, "{surface}: {shown:?}");
    }
}
