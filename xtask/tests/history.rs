//! The real history, step by step: a window with the oldest version alone, then one `upgrade` after
//! the other. After each, the tree states exactly the rows that are missing.
//!
//! What is expected is counted over the raw schemas, by `history/raw.rs`, which knows nothing of the
//! generator. What people decided is taken from the repository: its rows, results and overlays.
//!
//! The steps over vendored versions need no network and no npm. Those over seven versions fetch six
//! packages of a hundred megabytes:
//!
//! ```text
//! cargo test -p agentwire-xtask --test history -- --ignored --nocapture
//! ```
#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::panic)]

mod history {
    pub mod course;
    pub mod raw;
}
mod support;

use std::collections::BTreeSet;

use history::course::{Course, Step};

/// The versions that the repository has, oldest first.
const VENDORED: [&str; 3] = ["0.107.0", "0.113.0", "0.171.0"];

/// Seven stable versions of it.
const SEVEN: [&str; 7] = [
    "0.107.0", "0.113.0", "0.121.0", "0.131.0", "0.142.0", "0.156.0", "0.171.0",
];

#[test]
fn codex_step_by_step_over_the_vendored_versions() {
    let mut course = Course::new("codex");
    let dropped = course.keep_only("0.107.0");
    assert_eq!(dropped, VENDORED[1..]);
    let mut steps = Vec::new();
    for version in &VENDORED[1..] {
        course.place(version);
        steps.push(course.step(version));
        course.decide();
        if *version != VENDORED[2] {
            // Only quirks, bindings to types, and members that rows set, of versions that are still
            // to come.
            let to_come = ["bad-set", "bad-source", "stale-quirk"].map(str::to_owned);
            let found = course.findings();
            let messages = course.messages();
            assert!(found.is_subset(&to_come.into()), "{found:?} {messages:?}");
            let bound = |it: &String| {
                it.contains("is bound to, is no union") || it.contains("` is no member of `")
            };
            assert!(messages.iter().all(bound), "{messages:?}");
        }
    }
    println!("{}", Step::HEADER);
    steps.iter().for_each(|step| println!("{step}"));
    assert!(steps.iter().all(|step| step.surfaces >= 24), "{steps:?}");
    assert!(steps[0].added >= 15 && steps[1].added >= 200, "{steps:?}");
    assert!(steps[1].gone >= 5, "{steps:?}");
    // All decided, the tree is what the repository is.
    assert_eq!(course.findings(), BTreeSet::new());
    course.assert_generated_as_in_the_repository();
}

#[test]
#[ignore = "fetches six packages of a hundred megabytes each"]
fn codex_step_by_step_over_seven_versions() {
    let mut course = Course::new("codex");
    course.keep_only(SEVEN[0]);
    println!("{}", Step::HEADER);
    for version in &SEVEN[1..] {
        let step = course.step(version);
        println!("{step}");
        course.decide();
        let left = course.findings();
        let known = ["stale-quirk", "merge-conflict", "bad-source"].map(str::to_owned);
        assert!(left.is_subset(&BTreeSet::from(known)), "{left:?}");
        println!("  left to decide by hand: {:?}", course.messages());
        assert!(step.surfaces >= 15 && step.added > 0, "{step:?}");
    }
}

#[test]
fn claude_from_one_vendored_version_to_the_next() {
    let mut course = Course::new("claude");
    assert_eq!(course.keep_only("0.2.62"), ["0.3.332"]);
    course.place("0.3.332");
    let step = course.step("0.3.332");
    println!("{}\n{step}", Step::HEADER);
    assert!(step.surfaces >= 8 && step.added >= 60, "{step:?}");
    assert!(step.gone >= 1, "{step:?}");
    course.decide();
    assert_eq!(course.findings(), BTreeSet::new());
    course.assert_generated_as_in_the_repository();
}

/// The protocol has one vendored version, whose unstable schema is what the next one may have: here it
/// is a version of its own.
#[test]
fn the_agent_client_protocol_from_stable_to_unstable() {
    let mut course = Course::new("acp-v1");
    course.split_faces("2.4.0", "2.4.1");
    let step = course.step("2.4.1");
    println!("{}\n{step}", Step::HEADER);
    assert!(step.surfaces >= 9 && step.added >= 10, "{step:?}");
    assert_eq!(step.gone, 0, "{step:?}");
    course.decide();
    assert_eq!(course.findings(), BTreeSet::new());
}
