//! Canonical events of every connection in the repository, line by line, as they were read and
//! agreed to; and what these connections show.
//!
//! `UPDATE_EXPECT=1` writes them anew; read the difference before you keep it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use agentwire::mapping::RowInfo;
use agentwire::session::{Direction, Outcome};
use agentwire_tests::root;
use expect_test::expect_file;

use crate::acp::session;
use crate::support::acp::{committed, generation, key, lines};
use crate::support::replay::golden_line;

/// What became of each line.
fn replayed(path: &Path) -> Vec<Outcome> {
    let mut session = session();
    for line in lines(path) {
        session.push(line.direction, line.text.as_bytes());
        session.push(line.direction, b"\n");
    }
    session.finish();
    session.outcomes().collect()
}

#[test]
fn events_are_as_agreed() {
    let mut printed = 0;
    for path in committed() {
        let (agent, scenario) = key(&path);
        let events = replayed(&path).into_iter().flat_map(|it| it.events);
        let text: String = events.map(golden_line).collect();
        printed += text.lines().count();
        let golden = format!("tests/goldens/cursor.acp/{agent}/{scenario}.jsonl");
        let golden = root().join(golden);
        fs::create_dir_all(golden.parent().unwrap()).unwrap();
        expect_file![golden].assert_eq(&text);
    }
    assert!(printed > 700, "only {printed} events");
}

#[test]
fn no_file_is_left_over() {
    let wanted: BTreeSet<(String, String)> = committed().iter().map(|path| key(path)).collect();
    let folder = root().join("tests/goldens/cursor.acp");
    let agents = fs::read_dir(folder).unwrap().map(|it| it.unwrap().path());
    let files = agents.flat_map(|agent| fs::read_dir(agent).unwrap());
    let found: BTreeSet<(String, String)> = files.map(|it| key(&it.unwrap().path())).collect();
    assert_eq!(found, wanted);
}

#[test]
fn the_index_lists_every_connection() {
    let index = fs::read_to_string(root().join("tests/transcripts/INDEX.tsv")).unwrap();
    let listed: BTreeSet<Vec<&str>> = index
        .lines()
        .map(|line| line.split('\t').take(4).collect())
        .collect();
    for path in committed() {
        let (agent, scenario) = key(&path);
        let text = fs::read_to_string(&path).unwrap();
        let count = text.lines().count().to_string();
        let row = vec![
            scenario.as_str(),
            agent.as_str(),
            generation(&path),
            count.as_str(),
        ];
        assert!(listed.contains(&row), "INDEX.tsv does not list {row:?}");
    }
}

/// The surfaces of both generations by the source of their events, with their rows.
fn surfaces() -> Vec<(&'static str, &'static str, &'static [RowInfo])> {
    use agentwire::acp::wire::{v1, v2};
    vec![
        ("v1", "cursor.acp.notification", v1::notification::ROWS),
        (
            "v1",
            "cursor.acp.notification",
            v1::notification_method::ROWS,
        ),
        ("v1", "cursor.acp.request", v1::request::ROWS),
        ("v1", "cursor.acp.response", v1::response::ROWS),
        ("v2", "cursor.acp.notification", v2::notification::ROWS),
        (
            "v2",
            "cursor.acp.notification",
            v2::notification_method::ROWS,
        ),
        ("v2", "cursor.acp.request", v2::request::ROWS),
        ("v2", "cursor.acp.response", v2::response::ROWS),
    ]
}

/// Every row of every surface has evidence in the repository.
#[test]
fn every_row_is_shown() {
    let mut shown: BTreeMap<&str, BTreeSet<(String, String)>> = BTreeMap::new();
    for path in committed() {
        for outcome in replayed(&path) {
            let (Some(surface), Some(tag)) = (outcome.surface, &outcome.tag) else {
                continue;
            };
            let of_agent = outcome.direction == Direction::FromAgent;
            let seen = shown.entry(generation(&path)).or_default();
            if of_agent {
                seen.insert((surface.to_owned(), tag.to_string()));
            }
        }
    }
    let missing: Vec<String> = surfaces()
        .into_iter()
        .flat_map(|(generation, surface, rows)| {
            let seen = &shown[generation];
            rows.iter()
                .map(|row| row.tag.split(':').next().unwrap())
                .filter(|tag| *tag != "session/update")
                .filter(|tag| !seen.contains(&(surface.to_owned(), (*tag).to_owned())))
                .map(move |tag| format!("{generation} {surface} {tag}"))
                .collect::<Vec<_>>()
        })
        .collect();
    assert!(missing.is_empty(), "{missing:#?}");
}
