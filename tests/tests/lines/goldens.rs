//! Canonical events of every stream in the repository, as they were read and agreed to.
//!
//! `UPDATE_EXPECT=1` writes them anew; read the difference before you keep it.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use agentwire_tests::root;
use expect_test::expect_file;

use crate::support::replay::golden_line;
use crate::support::wires::WIRES;

#[test]
fn events_are_as_agreed() {
    let mut printed = 0;
    for wire in WIRES {
        for recording in wire.committed() {
            let outcomes = wire.replayed(&recording.lines()).concat();
            let events = outcomes.into_iter().flat_map(|outcome| outcome.events);
            let text: String = events.map(golden_line).collect();
            printed += text.lines().count();
            expect_file![recording.golden()].assert_eq(&text);
        }
    }
    assert!(printed >= 100, "only {printed} events");
}

#[test]
fn no_file_is_left_over() {
    for wire in WIRES {
        let wanted: BTreeSet<PathBuf> = wire.committed().iter().map(|it| it.golden()).collect();
        let folder = root().join("tests/goldens").join(wire.surface());
        let found: BTreeSet<PathBuf> = fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .collect();
        assert_eq!(found, wanted);
    }
}

#[test]
fn the_index_lists_every_stream() {
    let index = fs::read_to_string(root().join("tests/transcripts/INDEX.tsv")).unwrap();
    let listed: BTreeSet<Vec<&str>> = index
        .lines()
        .map(|line| {
            let columns: Vec<&str> = line.split('\t').collect();
            vec![columns[0], columns[1], columns[3]]
        })
        .collect();
    for recording in WIRES.iter().flat_map(|wire| wire.committed()) {
        let size = recording.size().to_string();
        let row = vec![&*recording.scenario, &*recording.version, &*size];
        assert!(listed.contains(&row), "INDEX.tsv does not list {row:?}");
    }
}
