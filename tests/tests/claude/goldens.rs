//! Canonical events of recorded scenarios, line by line, as they were read and agreed to.
//!
//! Each file below `tests/goldens/claude` holds the events of one recording, one a line, without
//! the untouched message, which is the recording's line. `UPDATE_EXPECT=1 cargo test -p
//! agentwire-tests --test readers claude::goldens` writes them anew; read the difference before you
//! keep it.

use std::collections::BTreeSet;
use std::fs;

use agentwire_tests::root;
use expect_test::expect_file;

use crate::claude::recordings::{Recording, committed, events};
use crate::support::replay::golden_line;

/// The scenarios, by the version.
const SCENARIOS: &[(&str, &[&str])] = &[
    (
        "0.2.62",
        &[
            "api_error",
            "bash_allow",
            "compact",
            "deny_interrupt",
            "exit_plan",
            "hooks_fail",
            "interrupt",
            "max_tokens",
            "max_turns",
            "mcp",
            "parallel_whole",
            "print_json",
            "questions_deny",
            "replay",
            "resume",
            "structured_output",
            "subagent",
            "text",
            "thinking",
            "todo",
            "write_deny",
        ],
    ),
    (
        "0.3.332",
        &[
            "api_error",
            "background",
            "bash_allow",
            "clear",
            "compact",
            "deny_interrupt",
            "hooks",
            "interrupt",
            "mcp_elicit",
            "no_callback",
            "parallel",
            "questions",
            "refusal",
            "replay",
            "resume",
            "resume_unknown",
            "structured_output_fails",
            "subagent",
            "subagent_background",
            "text",
            "todo",
            "web_search",
        ],
    ),
];

fn names() -> BTreeSet<String> {
    SCENARIOS
        .iter()
        .flat_map(|(version, scenarios)| {
            scenarios
                .iter()
                .map(move |it| format!("{version}-{it}.jsonl"))
        })
        .collect()
}

fn name(recording: &Recording) -> String {
    let version = recording.folder.rsplit('/').next().unwrap();
    format!("{version}-{}.jsonl", recording.scenario)
}

#[test]
fn events_are_as_agreed() {
    let names = names();
    assert!(names.len() >= 40, "only {} scenarios", names.len());
    let mut compared = 0;
    for recording in committed() {
        let name = name(&recording);
        if names.contains(&name) {
            let printed: String = events(recording.replayed())
                .into_iter()
                .map(golden_line)
                .collect();
            expect_file![root().join("tests/goldens/claude").join(name)].assert_eq(&printed);
            compared += 1;
        }
    }
    assert_eq!(compared, names.len(), "a scenario has no recording");
}

#[test]
fn no_file_is_left_over() {
    let found: BTreeSet<String> = fs::read_dir(root().join("tests/goldens/claude"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    assert_eq!(found, names());
}
