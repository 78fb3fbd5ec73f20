//! The Rust model against the facts of its TypeScript declaration: nothing missing, and nothing
//! more than the extensions that give a reason.

#![allow(clippy::unwrap_used, clippy::panic)]

#[path = "canonical_conformance/instances.rs"]
mod instances;
#[path = "canonical_conformance/telemetry.rs"]
mod telemetry;

use std::collections::{BTreeMap, BTreeSet};

use agentwire::canonical::*;
use serde_json::Value;

const FACTS: &str = include_str!("../data/canonical_facts.tsv");

struct Facts {
    /// The types of events.
    events: BTreeSet<&'static str>,
    /// Fields by owner and name.
    fields: BTreeMap<&'static str, BTreeMap<&'static str, Field>>,
    /// Values of enums by owner.
    values: BTreeMap<&'static str, BTreeSet<&'static str>>,
}

struct Field {
    required: bool,
    type_name: &'static str,
    nullable: bool,
}

impl Facts {
    fn read() -> Self {
        let mut facts = Self {
            events: BTreeSet::new(),
            fields: BTreeMap::new(),
            values: BTreeMap::new(),
        };
        for line in FACTS.lines().filter(|line| !line.starts_with('#')) {
            let columns: Vec<&'static str> = line.split('\t').collect();
            let new = match columns[..] {
                ["event", "event", name] => facts.events.insert(name),
                ["value", owner, name] => facts.values.entry(owner).or_default().insert(name),
                [
                    "field",
                    owner,
                    name,
                    presence @ ("required" | "optional"),
                    type_name,
                ] => {
                    let bare = type_name.strip_suffix("|null");
                    let field = Field {
                        required: presence == "required",
                        type_name: bare.unwrap_or(type_name),
                        nullable: bare.is_some(),
                    };
                    facts
                        .fields
                        .entry(owner)
                        .or_default()
                        .insert(name, field)
                        .is_none()
                }
                _ => panic!("not a fact: {line}"),
            };
            assert!(new, "twice: {line}");
        }
        facts
    }

    /// Compares an object with the fields of its owner; `full` says whether options are filled.
    fn check_object(&self, owner: &str, value: &Value, full: bool) {
        let fields = self
            .fields
            .get(owner)
            .unwrap_or_else(|| panic!("{owner} has no facts"));
        let object = value.as_object().unwrap();
        let expected: BTreeSet<&str> = fields
            .iter()
            .filter(|(_, field)| full || field.required)
            .map(|(name, _)| *name)
            .collect();
        let found: BTreeSet<&str> = object.keys().map(String::as_str).collect();
        assert_eq!(found, expected, "members of {owner}, full: {full}");
        for (name, member) in object {
            self.check_type(
                fields[name.as_str()].type_name,
                member,
                &format!("{owner}.{name}"),
            );
        }
    }

    fn check_type(&self, type_name: &str, value: &Value, place: &str) {
        let right = match type_name.split_once(':').unwrap_or((type_name, "")) {
            ("string" | "id", _) => value.is_string(),
            ("number", _) => value.is_number(),
            ("boolean", _) => value.is_boolean(),
            ("record" | "object", "") => value.is_object(),
            ("unknown", _) => true,
            ("enum", owner) => self.values[owner].contains(value.as_str().unwrap()),
            // Whether its options are filled is known to the caller, who checks the fields.
            ("object", _) => value.is_object(),
            ("array", element) => {
                let elements = value.as_array().unwrap();
                assert!(!elements.is_empty(), "{place} shows no element");
                for element_value in elements {
                    match element {
                        "string" => self.check_type(element, element_value, place),
                        _ => self.check_object(element, element_value, true),
                    }
                }
                true
            }
            _ => panic!("{place}: no such type: {type_name}"),
        };
        assert!(right, "{place} is {value}, which is no {type_name}");
    }
}

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

#[test]
fn every_enum_has_the_values_of_its_declaration_and_extensions_with_reasons() {
    let facts = Facts::read();
    let mut owners = BTreeSet::new();
    let mut compare = |owner: &'static str, all: Vec<&str>, extensions: Vec<(&str, &str)>| {
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
    };
    macro_rules! compare {
        ($($owner:literal: $name:ident,)+) => {$(
            compare(
                $owner,
                $name::ALL.iter().map(|value| value.as_str()).collect(),
                $name::EXTENSIONS.iter().map(|(value, reason)| (value.as_str(), *reason)).collect(),
            );
        )+};
    }
    compare! {
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
}
