//! The rows against what the projections do with every canonical event.

use std::collections::{BTreeMap, BTreeSet};

use agentwire::canonical::{EventPayload, EventType, RuntimeEvent};
use agentwire::mapping::RowVerb;
use agentwire::projection::RowInfo;
use agentwire::projection::agent_event::{self, AgentEventType, AgentEvents};
use agentwire::projection::universal::{self, Universal, UniversalEventType};

use crate::canonical_conformance::instances;

/// The events with every member and with none that may be left out, in every state that matters.
fn events() -> Vec<RuntimeEvent> {
    let [mut full, _] = instances::events();
    full.turn_id = Some("turn".into());
    let payloads = instances::payloads();
    let payloads = payloads.into_iter().flat_map(|it| [it.full, it.small]);
    payloads
        .chain(instances::nulls())
        .enumerate()
        .map(|(number, payload)| RuntimeEvent {
            event_id: format!("event-{number}").into(),
            payload,
            ..full.clone()
        })
        .collect()
}

/// Checks what an event gave against its row; counts by verb.
fn check(
    rows: &[RowInfo],
    event: &RuntimeEvent,
    given: &[&str],
    counts: &mut BTreeMap<&str, usize>,
) {
    let row = rows
        .iter()
        .find(|row| row.event == event.event_type())
        .unwrap_or_else(|| panic!("{} has no row", event.event_type()));
    let verb = match (&row.verb, row.when) {
        (RowVerb::Drop(reason), None) => {
            assert!(reason.split(' ').count() >= 5, "{reason} is no reason");
            "drop"
        }
        (RowVerb::Keep(_) | RowVerb::Rename(_), Some(when)) => {
            assert!(when.split(' ').count() >= 3, "{when} says nothing");
            assert!(given.len() <= 1, "{}: {given:?}", event.event_type());
            "at times"
        }
        (RowVerb::Keep(_) | RowVerb::Rename(_), None) => {
            assert_eq!(given.len(), 1, "{}: {given:?}", event.event_type());
            "always"
        }
        (RowVerb::Split(names), None) => {
            assert!(names.len() >= 2);
            "split"
        }
        (verb, when) => panic!("{verb:?} when {when:?}"),
    };
    for name in given {
        assert!(row.gives().contains(name), "{}: {name}", event.event_type());
    }
    *counts.entry(verb).or_default() += 1;
}

#[test]
fn the_transcript_gives_what_its_rows_say() {
    let mut counts = BTreeMap::new();
    for event in events() {
        for open in [false, true] {
            let mut universal = Universal::new();
            if open {
                let [mut start, _] = instances::events();
                start.payload = EventPayload::ThreadStarted(Default::default());
                universal.push(&start);
            }
            let told = universal.push(&event);
            // The start of the session belongs to no row but those that give it.
            let made = |name: &&str| {
                *name != "session.started"
                    || matches!(
                        event.event_type(),
                        EventType::SessionStarted | EventType::ThreadStarted
                    )
            };
            let given: Vec<&str> = told
                .iter()
                .map(|it| it.event_type().as_str())
                .filter(made)
                .collect();
            check(universal::ROWS, &event, &given, &mut counts);
        }
    }
    println!("{counts:?}");
    assert!(counts["drop"] >= 2 * 17 && counts["split"] >= 2 * 20);
}

#[test]
fn a_run_gives_what_its_rows_say() {
    let mut counts = BTreeMap::new();
    for event in events() {
        for open in [false, true] {
            let mut run = AgentEvents::new();
            if open {
                let [mut start, _] = instances::events();
                start.turn_id = Some("turn".into());
                start.payload = EventPayload::TurnStarted(Default::default());
                assert_eq!(run.push(&start).len(), 1);
            }
            let told = run.push(&event);
            // The opening stands before whatever comes first.
            let opening = usize::from(
                !open && !told.is_empty() && event.event_type() != EventType::TurnStarted,
            );
            let given: Vec<&str> = told[opening..]
                .iter()
                .map(|it| it.event_type.as_str())
                .collect();
            check(agent_event::ROWS, &event, &given, &mut counts);
        }
    }
    println!("{counts:?}");
    assert!(counts["drop"] >= 2 * 26 && counts["at times"] >= 2 * 10);
}

#[test]
fn both_tables_have_every_event_and_no_other_name() {
    for (rows, names) in [
        (
            universal::ROWS,
            UniversalEventType::ALL
                .iter()
                .map(|it| it.as_str())
                .collect::<BTreeSet<_>>(),
        ),
        (
            agent_event::ROWS,
            AgentEventType::ALL.iter().map(|it| it.as_str()).collect(),
        ),
    ] {
        let events: BTreeSet<EventType> = rows.iter().map(|row| row.event).collect();
        assert_eq!(events, EventType::ALL.iter().copied().collect());
        assert_eq!(rows.len(), EventType::ALL.len());
        let given: BTreeSet<&str> = rows
            .iter()
            .flat_map(|row| row.gives().iter().copied())
            .collect();
        assert_eq!(
            given, names,
            "a type that no row gives, or one that there is not"
        );
    }
}
