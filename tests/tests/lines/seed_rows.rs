//! Tags whose canonical events are given: each row says them, and a line of each becomes them.

use std::collections::{BTreeMap, BTreeSet};

use agentwire::mapping::{RowInfo, RowVerb};
use serde_json::Value;

use crate::support::compare::holds;
use crate::support::replay::{assert_raw, tree};
use crate::support::table;
use crate::support::wires::{WIRES, Wire};

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
    let (mut tags, mut items) = (BTreeSet::new(), BTreeSet::new());
    for [surface, tag, canonical, payloads, line] in table::rows::<5>("line_seed_rows.tsv") {
        let wire = wire(&surface);
        let wanted: Vec<&str> = canonical.split(" + ").collect();
        let row = RowInfo::find(wire.rows(), &tag).unwrap_or_else(|| panic!("no row `{tag}`"));
        let listed = listed(row);
        let missing = wanted.iter().find(|event| !listed.contains(event));
        assert_eq!(missing, None, "{surface} {tag} does not list it");
        let outcome = wire.told(&line);
        assert_raw(&outcome, &line);
        let events: Vec<Value> = outcome.events.iter().map(tree).collect();
        let types: Vec<&str> = events
            .iter()
            .map(|event| event["type"].as_str().unwrap())
            // What was never told to begin begins first.
            .filter(|kind| {
                !["item.started", "turn.started"].contains(kind) || tag.ends_with("started")
            })
            .collect();
        assert_eq!(types, wanted, "{surface} {tag}");
        let payloads: BTreeMap<String, Value> = serde_json::from_str(&payloads).unwrap();
        assert!(!payloads.is_empty(), "{tag}: nothing is compared");
        for (event_type, part) in payloads {
            let mut ends = events.iter().rev();
            let event = ends.find(|event| event["type"] == *event_type).unwrap();
            assert!(
                holds(&event["payload"], &part),
                "{tag}: {event} is not {part}"
            );
        }
        if let Value::String(item_type) =
            &serde_json::from_str::<Value>(&line).unwrap()["item"]["type"]
        {
            items.insert(item_type.clone());
        }
        tags.insert(tag.clone());
        *seen.entry(surface).or_default() += 1;
    }
    assert!(seen["codex.sdk.thread-event"] >= 24, "{seen:?}");
    assert_eq!((tags.len(), items.len()), (8, 9), "{tags:?} {items:?}");
}
