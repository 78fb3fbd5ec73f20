//! Tags whose canonical events are given: each row says them, and a line of each becomes them.

use std::collections::BTreeMap;

use agentwire::mapping::{RowInfo, RowVerb};
use serde_json::Value;

use crate::support::replay::{assert_raw, tree};
use crate::support::table;
use crate::wire::{WIRES, Wire};

fn wire(surface: &str) -> Wire {
    let wire = WIRES.iter().find(|wire| wire.surface() == surface);
    *wire.unwrap_or_else(|| panic!("no surface `{surface}`"))
}

fn listed(row: &'static RowInfo) -> Vec<&'static str> {
    match row.verb {
        RowVerb::Keep(event) | RowVerb::Rename(event) => vec![event],
        RowVerb::Split(events) => events.to_vec(),
        RowVerb::Drop(reason) => panic!("`{}` is dropped: {reason}", row.tag),
    }
}

#[test]
fn each_row_says_its_events_and_becomes_them() {
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    for [surface, tag, canonical, payload, line] in table::rows::<5>("line_seed_rows.tsv") {
        let wire = wire(&surface);
        let wanted: Vec<&str> = canonical.split(" + ").collect();
        let row = RowInfo::find(wire.rows(), &tag).unwrap_or_else(|| panic!("no row `{tag}`"));
        assert_eq!(listed(row), wanted, "{surface} {tag}");
        let outcome = wire.told(&line);
        assert_raw(&outcome, &line);
        let events: Vec<Value> = outcome.events.iter().map(tree).collect();
        let types: Vec<&str> = events
            .iter()
            .map(|event| event["type"].as_str().unwrap())
            // What was never told to begin begins first.
            .filter(|kind| *kind != "item.started" || tag.ends_with("started"))
            .collect();
        assert_eq!(types, wanted, "{surface} {tag}");
        let payload: BTreeMap<String, Value> = serde_json::from_str(&payload).unwrap();
        for (name, value) in payload {
            let last = events.last().unwrap();
            assert_eq!(last["payload"][&name], value, "{tag}: {name}");
        }
        *seen.entry(surface).or_default() += 1;
    }
    assert!(seen["codex.sdk.thread-event"] >= 16, "{seen:?}");
}
