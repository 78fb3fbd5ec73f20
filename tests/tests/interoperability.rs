//! Our decoder of the agent client protocol beside the one that its authors publish: where both
//! decode, both mean the same, and what theirs loses ours keeps.
//!
//! `docs/interoperability-acp.md` has the figures. It is made here: with all recordings at hand,
//! `UPDATE_EXPECT=1` writes it anew.

#![allow(clippy::unwrap_used, clippy::panic)]

mod constructed;
mod corpus;
mod decoders;
mod differing;
mod report;
mod rules;

use std::path::PathBuf;

use agentwire_tests::root;
use expect_test::expect_file;
use serde_json::Value;

use crate::support::acp::{excerpts, whole};
use constructed::{CASES, Official};
use corpus::payloads;
use decoders::{ours, theirs};
use report::Figures;

/// What both decoders make of every payload of some recordings.
fn measured(recordings: &[PathBuf]) -> Figures {
    let mut figures = Figures::default();
    for path in recordings {
        for payload in payloads(path) {
            figures.add(&payload);
        }
    }
    assert!(
        figures.unexplained.is_empty(),
        "{} differences that no rule explains: {:#?}",
        figures.unexplained.len(),
        figures.unexplained
    );
    // What only the official decoder takes would be a gap of ours; what an agent sends we take.
    assert_eq!(figures.only_theirs, Vec::<String>::new());
    assert_eq!(figures.refused_of_agents, Vec::<String>::new());
    figures
}

#[test]
fn both_decoders_mean_the_same() {
    let figures = measured(&excerpts());
    assert!(figures.both > 150, "{figures:#?}");
}

#[test]
#[ignore = "measures whole recordings: name their folder in AGENTWIRE_RECORDED, and run with --ignored"]
fn the_figures_are_those_of_the_document() {
    let figures = measured(&whole().expect("AGENTWIRE_RECORDED names no folder"));
    assert_eq!(figures.idle_rules(), Vec::<&str>::new());
    assert!(figures.both > 8_000 && figures.lost.values().sum::<usize>() > 100);
    let path = root().join("docs/interoperability-acp.md");
    expect_file![path].assert_eq(&figures.printed());
}

#[test]
fn what_no_version_has_is_kept_here() {
    let mut fates = [0; 3];
    for case in CASES {
        let payload = case.payload();
        let sent: Value = serde_json::from_str(&payload.text).unwrap();
        let again = ours(&payload).unwrap_or_else(|error| panic!("{}: {error}", case.what));
        let again: Value = serde_json::from_str(&again).unwrap();
        assert_eq!(again, sent, "{}: ours", case.what);
        let official = match theirs(&payload) {
            Err(_) => Official::Refuses,
            Ok(again) if again == sent => Official::Keeps,
            Ok(_) => Official::Loses,
        };
        assert_eq!(official, case.official, "{}: theirs", case.what);
        fates[official as usize] += 1;
    }
    let [loses, refuses, keeps] = fates;
    assert!(loses >= 10 && refuses >= 5 && keeps >= 10, "{fates:?}");
}
