//! The Rust model against the facts of its TypeScript declaration: nothing missing, and nothing
//! more than the extensions that give a reason.

#![allow(clippy::unwrap_used, clippy::panic)]

mod facts;
mod forms;
pub mod instances;
mod samples;
mod shapes;
pub mod telemetry;
mod typed;
mod validated;

use std::collections::BTreeSet;

use agentwire::canonical::*;
use serde_json::Value;

use facts::Facts;

fn to_value(payload: &EventPayload) -> Value {
    serde_json::to_value(payload).unwrap()["payload"].take()
}

#[test]
fn every_payload_has_the_fields_of_its_event() {
    let facts = Facts::read();
    let mut seen = BTreeSet::new();
    for instance in instances::payloads() {
        let event_type = instance.full.event_type();
        assert_eq!(instance.small.event_type(), event_type);
        assert!(seen.insert(event_type), "{event_type} twice");
        if EventType::EXTENSIONS
            .iter()
            .any(|(extension, _)| *extension == event_type)
        {
            continue;
        }
        facts.check_object(event_type.as_str(), &to_value(&instance.full), true);
        facts.check_object(event_type.as_str(), &to_value(&instance.small), false);
    }
    assert_eq!(seen.into_iter().collect::<Vec<_>>(), EventType::ALL);
}

#[test]
fn the_envelope_has_its_fields() {
    let facts = Facts::read();
    for (event, full) in instances::events().into_iter().zip([true, false]) {
        let mut value: Value = serde_json::from_str(&event.to_json().unwrap()).unwrap();
        facts.check_object("providerRefs", &value["providerRefs"], full);
        facts.check_object("raw", &value["raw"], full);
        if !full {
            let stripped = RuntimeEvent {
                provider_refs: None,
                raw: None,
                ..event
            };
            value = serde_json::from_str(&stripped.to_json().unwrap()).unwrap();
        }
        facts.check_object("envelope", &value, full);
    }
}

#[test]
fn what_may_be_null_can_be_null() {
    let facts = Facts::read();
    let mut shown = BTreeSet::new();
    for payload in instances::nulls() {
        let value = to_value(&payload);
        for (name, _) in value
            .as_object()
            .unwrap()
            .iter()
            .filter(|(_, value)| value.is_null())
        {
            shown.insert(format!("{}.{name}", payload.event_type()));
        }
        let text = serde_json::to_string(&payload).unwrap();
        assert_eq!(
            serde_json::from_str::<EventPayload>(&text).unwrap(),
            payload
        );
    }
    let nullable = facts.fields.iter().flat_map(|(owner, fields)| {
        let names = fields.iter().filter(|(_, field)| field.nullable);
        names.map(move |(name, _)| format!("{owner}.{name}"))
    });
    assert_eq!(shown, nullable.collect());
    assert_eq!(shown.len(), 2);
}

/// An enum: what the facts call it, its values, and the ones that are extensions with their reasons.
type Enum = (
    &'static str,
    Vec<&'static str>,
    Vec<(&'static str, &'static str)>,
);

fn enums() -> Vec<Enum> {
    macro_rules! enums {
        ($($owner:literal: $name:ident,)+) => {
            vec![$((
                $owner,
                $name::ALL.iter().map(|value| value.as_str()).collect(),
                $name::EXTENSIONS.iter().map(|(value, reason)| (value.as_str(), *reason)).collect(),
            ),)+]
        };
    }
    enums! {
        "event": EventType,
        "raw-source": RawSource,
        "item-type": ItemType,
        "request-type": RequestType,
        "session-state": SessionState,
        "thread-state": ThreadState,
        "turn-state": TurnState,
        "stream-kind": ContentStreamKind,
        "item-status": ItemStatus,
        "plan-step-status": PlanStepStatus,
        "error-class": ErrorClass,
        "task-status": TaskStatus,
        "hook-outcome": HookOutcome,
        "exit-kind": ExitKind,
    }
}

#[test]
fn every_enum_has_the_values_of_its_declaration_and_extensions_with_reasons() {
    let facts = Facts::read();
    let mut owners = BTreeSet::new();
    for (owner, all, extensions) in enums() {
        owners.insert(owner);
        let declared = if owner == "event" {
            &facts.events
        } else {
            &facts.values[owner]
        };
        let added: BTreeSet<&str> = extensions.iter().map(|(name, _)| *name).collect();
        assert!(
            added.is_disjoint(declared),
            "{owner}: an extension is in the declaration"
        );
        let ours: BTreeSet<&str> = all.into_iter().collect();
        assert_eq!(ours, declared | &added, "{owner}");
        for (name, reason) in extensions {
            assert!(
                reason.split(' ').count() >= 5,
                "{owner} {name}: `{reason}` is no reason"
            );
        }
    }
    assert_eq!(
        owners.len(),
        facts.values.len() + 1,
        "an enum of the facts is not compared"
    );
}

#[test]
fn the_facts_are_whole() {
    let facts = Facts::read();
    assert_eq!(facts.events.len(), 45);
    let owners: BTreeSet<&str> = facts.fields.keys().copied().collect();
    assert!(
        facts.events.is_subset(&owners),
        "an event has no facts about its fields"
    );
    let inner: BTreeSet<&str> = owners.difference(&facts.events).copied().collect();
    let expected = [
        "envelope",
        "persist-failure",
        "persisted-file",
        "plan-step",
        "providerRefs",
        "raw",
    ];
    assert_eq!(inner, BTreeSet::from(expected));
    let counts = [&facts.values["item-type"], &facts.values["request-type"]].map(BTreeSet::len);
    assert_eq!(counts, [16, 8]);
    let fields: usize = facts.fields.values().map(|fields| fields.len()).sum();
    let values: usize = facts.values.values().map(BTreeSet::len).sum();
    assert_eq!((fields, values), (141, 76));
}
