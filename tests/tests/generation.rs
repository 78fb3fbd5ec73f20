//! What the generator makes of each construct, on the smallest schema that shows it: the line of
//! `faults.jsonl` that a test stands for is named above it.

#![allow(clippy::unwrap_used, clippy::panic)]

mod codes;
mod declarations;
mod definitions;
mod merging;
mod naming;
mod objects;
mod overlays;
mod sources;
mod unions;
mod unlowered;
mod vendored;

use expect_test::Expect;

use agentwire_tests::small::declaration;

/// Compares the declarations of some generated types.
#[track_caller]
fn declares(code: &str, heads: &[&str], expected: &Expect) {
    let all: String = heads.iter().map(|head| declaration(code, head)).collect();
    expected.assert_eq(&all);
}

/// Compares declarations that are the same in several generated codes.
#[track_caller]
fn declares_alike(codes: &[String], heads: &[&str], expected: &Expect) {
    // What a member says of the versions that have it is another matter.
    let plain = |line: &str| match line.split_once(" [\"") {
        Some((before, _)) => format!("{before},\n"),
        None => format!("{line}\n"),
    };
    let of =
        |code: &str, head: &str| -> String { declaration(code, head).lines().map(plain).collect() };
    let all: Vec<String> = codes
        .iter()
        .map(|code| heads.iter().map(|head| of(code, head)).collect())
        .collect();
    assert!(all.len() > 1);
    assert!(all.iter().all(|text| *text == all[0]), "{all:#?}");
    expected.assert_eq(&all[0]);
}
