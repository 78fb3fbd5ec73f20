//! Tags whose canonical events are given: each row says them, and a message of each becomes them.

#![allow(clippy::unwrap_used, clippy::panic)]

use std::collections::{BTreeMap, BTreeSet};

use agentwire::codex::wire::{app_server_notification, app_server_request, eventmsg};
use agentwire::ledger::Rule;
use agentwire::mapping::{RowInfo, RowVerb};
use agentwire::session::{Outcome, Verdict};
use serde_json::Value;

use crate::support::compare::holds;
use crate::support::replay::{Dialogue, assert_raw, event_types, only, rollout, told, tree};

const NOTIFICATION: &str = app_server_notification::SURFACE;
const REQUEST: &str = app_server_request::SURFACE;
const EVENT: &str = eventmsg::SURFACE;

/// One message of a tag, and what it must become.
struct Seed {
    surface: String,
    tag: String,
    canonical: String,
    payloads: BTreeMap<String, Value>,
    body: Value,
}

fn seeds() -> Vec<Seed> {
    let seeds = crate::support::table::rows::<5>("seed_rows.tsv")
        .into_iter()
        .map(|[surface, tag, canonical, payloads, body]| Seed {
            payloads: serde_json::from_str(&payloads)
                .unwrap_or_else(|error| panic!("{tag}: {error}")),
            body: serde_json::from_str(&body).unwrap_or_else(|error| panic!("{tag}: {error}")),
            surface,
            tag,
            canonical,
        });
    seeds.collect()
}

fn rows(surface: &str) -> &'static [RowInfo] {
    [
        (NOTIFICATION, app_server_notification::ROWS),
        (REQUEST, app_server_request::ROWS),
        (EVENT, eventmsg::ROWS),
    ]
    .into_iter()
    .find(|(id, _)| *id == surface)
    .unwrap_or_else(|| panic!("no surface `{surface}`"))
    .1
}

fn listed(row: &'static RowInfo) -> Vec<&'static str> {
    match row.verb {
        RowVerb::Keep(event) | RowVerb::Rename(event) => vec![event],
        RowVerb::Split(events) => events.to_vec(),
        RowVerb::Drop(reason) => panic!("`{}` is dropped: {reason}", row.tag),
    }
}

#[test]
fn every_given_tag_has_a_row_with_its_events() {
    let mut counts: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for seed in seeds() {
        let row = RowInfo::find(rows(&seed.surface), &seed.tag)
            .unwrap_or_else(|| panic!("no row `{}`", seed.tag));
        let listed = listed(row);
        if seed.canonical.contains(" | ") {
            let either: BTreeSet<&str> = seed.canonical.split(" | ").collect();
            assert_eq!(
                listed.into_iter().collect::<BTreeSet<_>>(),
                either,
                "{}",
                seed.tag
            );
        } else {
            let all: Vec<&str> = seed.canonical.split(" + ").collect();
            assert_eq!(listed, all, "{}", seed.tag);
        }
        counts.entry(seed.surface).or_default().insert(seed.tag);
    }
    let counts: Vec<(&str, usize)> = counts
        .iter()
        .map(|(surface, tags)| (surface.as_str(), tags.len()))
        .collect();
    assert_eq!(counts, [(NOTIFICATION, 40), (REQUEST, 7), (EVENT, 32)]);
}

/// A message of the tag, in a stream of its own. Those of the older protocol stand in a session
/// file, since on the live wire another message tells most of them.
fn message(seed: &Seed) -> (String, Outcome) {
    let mut body = seed.body.clone();
    match seed.surface.as_str() {
        EVENT => {
            body["type"] = seed.tag.as_str().into();
            let line = format!(
                r#"{{"timestamp":"2026-11-29T20:00:00.000Z","type":"event_msg","payload":{body}}}"#
            );
            let mut file = rollout();
            file.push(format!("{line}\n").as_bytes());
            (line, only(file.outcomes().collect()))
        }
        REQUEST => {
            let line = format!(r#"{{"id":0,"method":"{}","params":{body}}}"#, seed.tag);
            let outcome = told(&line);
            (line, outcome)
        }
        _ => {
            let line = format!(r#"{{"method":"{}","params":{body}}}"#, seed.tag);
            let mut dialogue = Dialogue::new();
            if seed.tag == "serverRequest/resolved" {
                // What nobody asked, nobody resolves.
                dialogue.told(r#"{"id":0,"method":"lamp/ask","params":{"threadId":"t"}}"#);
            }
            let outcome = dialogue.told(&line);
            (line, outcome)
        }
    }
}

#[test]
fn the_smallest_message_of_each_becomes_them() {
    let seeds = seeds();
    assert!(seeds.len() > 100, "only {} messages", seeds.len());
    for seed in &seeds {
        let (line, outcome) = message(seed);
        assert_eq!(
            (&outcome.verdict, outcome.oddities.len()),
            (&Verdict::Mapped, 0),
            "{line}"
        );
        assert_raw(&outcome, &line);
        let wanted: Vec<&str> = seed
            .canonical
            .split([' ', '+', '|'])
            .filter(|it| !it.is_empty())
            .collect();
        let types = event_types(&outcome);
        let stubs = types.len() - wanted.len();
        assert_eq!(&types[stubs..], wanted, "{line}");
        for stub in &outcome.events[..stubs] {
            let mut made = outcome.made.iter();
            assert!(
                made.any(|it| it.rule == Rule::Stub && it.event == stub.event_id),
                "{line}: {stub:#?}"
            );
        }
        for (event_type, part) in &seed.payloads {
            let events = outcome.events[stubs..].iter().map(tree);
            let event = events
                .into_iter()
                .find(|event| event["type"] == **event_type);
            let event = event.unwrap_or_else(|| panic!("{line}: no {event_type}"));
            assert!(
                holds(&event["payload"], part),
                "{line}: {event_type} is {}, not {part}",
                event["payload"]
            );
        }
    }
}

#[test]
fn a_sandbox_that_is_set_up_warns_of_nothing() {
    let outcome = told(
        r#"{"method":"windowsSandbox/setupCompleted","params":{"mode":"elevated","success":true}}"#,
    );
    assert_eq!(event_types(&outcome), ["session.state.changed"]);
    assert_eq!(tree(&outcome.events[0])["payload"]["state"], "ready");
}
