//! Events to check the forms with: invented ones of every type, and those of the goldens.

use std::collections::BTreeMap;

use agentwire::canonical::*;
use agentwire_tests::repository_files;
use agentwire_upkeep::report::without_halves;
use serde_json::Value;

use crate::canonical_conformance::instances;

/// One invented event for each payload: every payload filled, and every one at its smallest, in an
/// envelope of either kind.
pub(crate) fn invented() -> Vec<Value> {
    let [full, small] = instances::events();
    let payloads = instances::payloads().into_iter();
    let payloads = payloads.flat_map(|instance| [instance.full, instance.small]);
    let mut events = Vec::new();
    for payload in payloads.chain(instances::nulls()) {
        for envelope in [&full, &small] {
            let event = RuntimeEvent {
                payload: payload.clone(),
                ..envelope.clone()
            };
            events.push(serde_json::from_str(&event.to_json().unwrap()).unwrap());
        }
    }
    events
}

/// Every event of the goldens, with the message that its file leaves out.
pub(crate) fn golden() -> Vec<Value> {
    let mut events = Vec::new();
    let files = repository_files(&["tests/goldens"]);
    let streams = files.iter().filter(|(path, _)| path.ends_with(".jsonl"));
    for (_, text) in streams {
        for line in text.lines() {
            // A message may hold half a surrogate pair, which the parser here refuses.
            let mut event: Value = serde_json::from_str(&without_halves(line)).unwrap();
            event["raw"]["payload"] = Value::Null;
            events.push(event);
        }
    }
    events
}

/// The type of an event.
pub(crate) fn tag(event: &Value) -> &str {
    event["type"].as_str().unwrap()
}

/// Of the events of each type, the first, the longest and the shortest.
pub(crate) fn some_of_each(events: Vec<Value>) -> BTreeMap<String, Vec<Value>> {
    let mut by_tag: BTreeMap<String, Vec<Value>> = BTreeMap::new();
    for event in events {
        by_tag
            .entry(tag(&event).to_owned())
            .or_default()
            .push(event);
    }
    for events in by_tag.values_mut() {
        let length = |event: &&Value| event.to_string().len();
        let first = events.first().unwrap().clone();
        let longest = events.iter().max_by_key(length).unwrap().clone();
        let shortest = events.iter().min_by_key(length).unwrap().clone();
        *events = vec![first, longest, shortest];
        events.dedup();
    }
    by_tag
}
