//! Tags whose canonical events are given: each row says them, and a dialogue that ends in a message
//! of each becomes them.

use std::collections::{BTreeMap, BTreeSet};

use agentwire::claude::wire::{message, permission};
use agentwire::mapping::{RowInfo, RowVerb};
use agentwire::session::Verdict;
use serde_json::Value;

use crate::claude::dialogue::{Dialogue, tree};
use crate::support::compare::holds;
use crate::support::replay::{assert_raw, event_types};
use crate::support::table;

struct Seed {
    surface: String,
    tag: String,
    canonical: String,
    events: String,
    payloads: BTreeMap<String, Value>,
    dialogue: Vec<String>,
}

fn seeds() -> Vec<Seed> {
    let seeds = table::rows::<6>("claude_seed_rows.tsv").into_iter().map(
        |[surface, tag, canonical, events, payloads, dialogue]| Seed {
            payloads: serde_json::from_str(&payloads)
                .unwrap_or_else(|error| panic!("{tag}: {error}")),
            dialogue: serde_json::from_str(&dialogue)
                .unwrap_or_else(|error| panic!("{tag}: {error}")),
            surface,
            tag,
            canonical,
            events,
        },
    );
    seeds.collect()
}

fn row(seed: &Seed) -> &'static RowInfo {
    let rows = [
        (message::SURFACE, message::ROWS),
        (permission::SURFACE, permission::ROWS),
    ];
    let (_, rows) = rows
        .into_iter()
        .find(|(surface, _)| *surface == seed.surface)
        .unwrap_or_else(|| panic!("no surface `{}`", seed.surface));
    RowInfo::find(rows, &seed.tag).unwrap_or_else(|| panic!("no row `{}`", seed.tag))
}

fn listed(row: &'static RowInfo) -> Vec<&'static str> {
    match row.verb {
        RowVerb::Keep(event) | RowVerb::Rename(event) => vec![event],
        RowVerb::Split(events) => events.to_vec(),
        RowVerb::Drop(reason) => panic!("`{}` is dropped: {reason}", row.tag),
    }
}

fn words(list: &str) -> Vec<&str> {
    list.split([' ', '+', '|'])
        .filter(|it| !it.is_empty())
        .collect()
}

#[test]
fn every_given_tag_has_a_row_with_its_events() {
    let mut counts: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for seed in seeds() {
        let listed = listed(row(&seed));
        for event in words(&seed.canonical) {
            assert!(
                listed.contains(&event),
                "{}: {listed:?} without {event}",
                seed.tag
            );
        }
        for event in words(&seed.events) {
            // What is open when its turn ends is closed by no row of the message that ends it.
            assert!(
                listed.contains(&event) || event == "item.completed",
                "{}: {listed:?} without {event}",
                seed.tag
            );
        }
        counts.entry(seed.surface).or_default().insert(seed.tag);
    }
    let counts: Vec<(&str, usize)> = counts
        .iter()
        .map(|(surface, tags)| (surface.as_str(), tags.len()))
        .collect();
    assert_eq!(counts, [(message::SURFACE, 28), (permission::SURFACE, 4)]);
}

#[test]
fn the_message_of_each_becomes_them() {
    let seeds = seeds();
    assert!(seeds.len() >= 55, "only {} messages", seeds.len());
    for seed in &seeds {
        let outcome = Dialogue::begun().led(&seed.dialogue);
        let (tag, line) = (&seed.tag, &seed.dialogue.last().unwrap()[1..]);
        assert_eq!(
            (&outcome.verdict, outcome.oddities.len()),
            (&Verdict::Mapped, 0),
            "{tag}: {line}"
        );
        assert_raw(&outcome, line);
        let types = event_types(&outcome);
        assert_eq!(types, words(&seed.events), "{tag}: {line}");
        let given = words(&seed.canonical);
        match seed.canonical.contains('|') {
            true => assert!(given.iter().any(|it| types.contains(it)), "{tag}: {line}"),
            false => {
                let kept: Vec<&str> = types.into_iter().filter(|it| given.contains(it)).collect();
                assert_eq!(kept, given, "{tag}: {line}");
            }
        }
        assert!(!seed.payloads.is_empty(), "{tag}: nothing is compared");
        for (event_type, part) in &seed.payloads {
            let mut events = outcome.events.iter().map(tree);
            let event = events
                .find(|event| event["type"] == **event_type)
                .unwrap_or_else(|| panic!("{tag}: no {event_type}"));
            assert_eq!(event["raw"]["source"], *seed.surface, "{tag}");
            assert!(
                holds(&event["payload"], part),
                "{tag}: {event_type} is {}, not {part}",
                event["payload"]
            );
        }
    }
}
