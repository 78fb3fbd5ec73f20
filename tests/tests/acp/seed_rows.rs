//! Tags whose canonical events are given: a dialogue that ends in each becomes them.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::acp::last;
use crate::support::replay::{event_types, tree};
use crate::support::table;

#[test]
fn each_row_becomes_its_events() {
    let mut seen = 0;
    for [surface, tag, canonical, payloads, dialogue] in table::rows::<5>("acp_seed_rows.tsv") {
        let lines: Vec<String> = serde_json::from_str(&dialogue).unwrap();
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        let outcome = last(&lines);
        let wanted: Vec<&str> = canonical.split(" + ").collect();
        assert_eq!(
            event_types(&outcome),
            wanted,
            "{surface} {tag}: {outcome:#?}"
        );
        let payloads: BTreeMap<String, Value> = serde_json::from_str(&payloads).unwrap();
        for event in &outcome.events {
            let raw = event.raw.as_ref().unwrap();
            assert_eq!(raw.source.as_str(), surface, "{tag}");
            assert_eq!(raw.payload.as_str(), &lines.last().unwrap()[1..], "{tag}");
            let event = tree(event);
            let members = payloads.get(event["type"].as_str().unwrap());
            for (name, value) in members.into_iter().flat_map(|it| it.as_object().unwrap()) {
                assert_eq!(event["payload"][name], *value, "{tag}: {name}");
            }
        }
        for name in payloads.keys() {
            assert!(wanted.contains(&name.as_str()), "{tag}: {name}");
        }
        seen += 1;
    }
    assert!(seen >= 50, "only {seen} rows");
}

#[test]
fn what_decides_nothing_claims_no_decision() {
    for [_, tag, _, payloads, dialogue] in table::rows::<5>("acp_seed_rows.tsv") {
        if tag != "permission response sent" || payloads.contains("decision") {
            continue;
        }
        let lines: Vec<String> = serde_json::from_str(&dialogue).unwrap();
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        let event = tree(&last(&lines).events[0]);
        assert_eq!(event["payload"].get("decision"), None, "{dialogue}");
    }
}
