//! Faults on the wire: what a stream must survive, and how loud each fault is.
//!
//! `tests/data/faults.jsonl` holds one case of each kind. The tests beside it vary the case, since
//! it is the kind that must be treated, and not the case.

#![allow(clippy::unwrap_used, clippy::panic)]

mod batches_and_ids;
mod framing;
mod json;
mod malformed;
mod requests;
mod tags;
mod values;

use agentwire::envelope::{Message, envelopes};
use serde_json::Value;

/// The cases that a test is named after.
const TESTED: &[&str] = &[
    "banner",
    "crlf-bom",
    "decisions-mixed",
    "deep-nesting",
    "duplicate-key",
    "integral-float",
    "lone-surrogate",
    "long-line",
    "malformed-known",
    "model-rerouted",
    "own-unknown-value",
    "request-unrecognized",
    "unreadable-status-is-not-success",
    "unrecognized-item-in-list",
    "unrecognized-method",
    "unrecognized-plan-type",
];

fn case(id: &str) -> Value {
    let cases = crate::support::table::lines("faults.jsonl");
    let cases = cases
        .iter()
        .map(|line| serde_json::from_str::<Value>(line).unwrap());
    let mut cases = cases.filter(|case| case["id"] == id);
    cases.next().unwrap_or_else(|| panic!("no case `{id}`"))
}

/// The line of a case.
fn given(id: &str) -> String {
    case(id)["input"].as_str().unwrap().to_owned()
}

/// How often something is repeated in a case that is too long to be written out.
fn repeated(id: &str, what: &str) -> usize {
    case(id)["repeat"][what]
        .as_u64()
        .unwrap()
        .try_into()
        .unwrap()
}

#[test]
fn every_case_is_tested() {
    let cases = crate::support::table::lines("faults.jsonl");
    let ids: Vec<String> = cases
        .iter()
        .map(|line| {
            serde_json::from_str::<Value>(line).unwrap()["id"]
                .as_str()
                .unwrap()
                .to_owned()
        })
        .collect();
    let mut sorted = ids.clone();
    sorted.sort();
    assert_eq!(sorted, TESTED);
}

#[test]
fn every_case_that_is_a_message_stands_on_its_surface() {
    let mut messages = 0;
    for line in crate::support::table::lines("faults.jsonl") {
        let case: Value = serde_json::from_str(&line).unwrap();
        let Some(surface) = case["surface"]
            .as_str()
            .and_then(|it| it.strip_prefix("codex.app-server."))
        else {
            continue;
        };
        let input = case["input"].as_str().unwrap();
        let [envelope] = <[_; 1]>::try_from(envelopes(input).unwrap()).unwrap();
        let found = match envelope.message {
            Message::Notification { .. } => "notification",
            Message::Request { .. } => "request",
            Message::Response { .. } => "response",
            Message::Error { .. } => "error",
            Message::Other => "other",
        };
        assert_eq!(found, surface, "{input}");
        messages += 1;
    }
    assert_eq!(messages, 12);
}
