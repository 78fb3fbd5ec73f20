//! Canonical events of recorded scenarios, line by line, as they were read and agreed to.
//!
//! Each file below `tests/goldens` holds the events of one recording, one a line, without the
//! untouched message, which is the recording's line. `UPDATE_EXPECT=1 cargo test -p agentwire-tests
//! --test readers goldens` writes them anew; read the difference before you keep it.

#![allow(clippy::unwrap_used, clippy::panic)]

use std::collections::BTreeSet;
use std::fs;

use agentwire::canonical::RuntimeEvent;
use agentwire_tests::root;
use expect_test::expect_file;

use crate::support::recorded::{Recording, committed};
use crate::support::replay::{golden_line, replay};

/// The scenarios by version; those of session files end in `.rollout`.
const SCENARIOS: &[(&str, &[&str])] = &[
    (
        "0.107.0",
        &[
            "agents-x",
            "approve_exec",
            "compact",
            "dyntool-x",
            "fuzzy-x",
            "mcp_elicit_url",
            "mcp_oauth",
            "mcp_ok",
            "mcp_write-x",
            "notices-x",
            "patch_add",
            "plan",
            "realtime-x",
            "reason-x",
            "reroute",
            "review-x",
            "shell_read",
            "streamcut",
            "text",
            "approve_exec.rollout",
            "compact.rollout",
            "interrupt_tool.rollout",
            "plan.rollout",
            "reason.rollout",
            "review.rollout",
            "text.rollout",
        ],
    ),
    (
        "0.171.0",
        &[
            "admin_lists-x",
            "approve_exec",
            "chatgpt_tokens-x",
            "command_exec-x",
            "compact",
            "environment_late-x",
            "failed_context",
            "fs",
            "http401",
            "imagegen",
            "interrupt_tool",
            "mcp_elicit_url",
            "mcp_error",
            "mcp_oauth",
            "mcp_write",
            "modelmeta-x",
            "notices",
            "patch_add",
            "patch_bad",
            "plan",
            "rawreason",
            "realtime-x",
            "review",
            "sections-x",
            "shell_fail",
            "steer",
            "streamcut",
            "text",
            "thread_settings-x",
            "unicode",
            "unknownitem",
            "usagelimit",
            "websearch",
            "agents.rollout",
            "failed_server.rollout",
            "goals.rollout",
            "interrupt_tool.rollout",
            "mcp_error.rollout",
            "patch_many.rollout",
            "text.rollout",
        ],
    ),
];

/// A recording's events as they stand in its file.
fn printed(recording: &Recording) -> String {
    let outcomes = replay(recording.carrier, &recording.lines());
    let lines = outcomes
        .into_iter()
        .flat_map(|outcome| outcome.events)
        .map(golden_line);
    lines.collect()
}

fn names() -> BTreeSet<(&'static str, &'static str)> {
    SCENARIOS
        .iter()
        .flat_map(|(version, keys)| keys.iter().map(|key| (*version, *key)))
        .collect()
}

#[test]
fn events_are_as_agreed() {
    let names = names();
    assert!(names.len() >= 35, "only {} scenarios", names.len());
    let mut compared = 0;
    for recording in committed() {
        let key = recording.key();
        if names.contains(&(recording.version.as_str(), key.as_str())) {
            let path = root().join(format!("tests/goldens/{}-{key}.jsonl", recording.version));
            expect_file![path].assert_eq(&printed(&recording));
            compared += 1;
        }
    }
    assert_eq!(compared, names.len(), "a scenario has no recording");
}

#[test]
fn no_file_is_left_over() {
    let wanted: BTreeSet<String> = names()
        .iter()
        .map(|(version, key)| format!("{version}-{key}.jsonl"))
        .collect();
    // Folders hold those of other protocols.
    let found: BTreeSet<String> = fs::read_dir(root().join("tests/goldens"))
        .unwrap()
        .map(Result::unwrap)
        .filter(|entry| entry.file_type().unwrap().is_file())
        .map(|entry| entry.file_name().into_string().unwrap())
        .collect();
    assert_eq!(found, wanted);
}

#[test]
fn what_a_file_holds_reads_as_events() {
    let mut read = 0;
    for (version, key) in names() {
        let path = root().join(format!("tests/goldens/{version}-{key}.jsonl"));
        for line in fs::read_to_string(path).unwrap().lines() {
            let whole = format!(r#"{},"payload":null}}}}"#, line.strip_suffix("}}").unwrap());
            let event: RuntimeEvent =
                serde_json::from_str(&whole).unwrap_or_else(|error| panic!("{error}: {line}"));
            assert_eq!(event.to_json().unwrap(), whole);
            read += 1;
        }
    }
    assert!(read > 500, "only {read} events");
}
