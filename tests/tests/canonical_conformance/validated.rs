//! Events against the schema: what the mappings write is valid, and a broken event is not.

use std::collections::BTreeMap;

use agentwire::canonical::{EventType, RuntimeEvent};
use jsonschema::Validator;
use serde_json::{Value, json};

use crate::canonical_conformance::samples::{golden, invented, some_of_each, tag};
use crate::canonical_conformance::shapes::{Members, Shape};

fn validator() -> Validator {
    let schema = agentwire_canonical_schema::schema();
    jsonschema::draft202012::meta::validate(&schema).unwrap_or_else(|error| panic!("{error}"));
    jsonschema::draft202012::options()
        .should_validate_formats(true)
        .build(&schema)
        .unwrap()
}

#[test]
fn every_golden_and_every_invented_event_is_valid() {
    let validator = validator();
    for (events, least) in [(golden(), 1_000), (invented(), 180)] {
        assert!(events.len() >= least, "only {} events", events.len());
        for event in events {
            if let Err(error) = validator.validate(&event) {
                panic!("{error}\n{event:#}");
            }
        }
    }
}

#[test]
fn a_broken_event_is_not_valid() {
    let (validator, shape) = (validator(), shape());
    let mut events = some_of_each(golden());
    assert!(events.len() >= 20, "goldens of {} types", events.len());
    for (tag, invented) in some_of_each(invented()) {
        events.entry(tag).or_default().extend(invented);
    }
    assert_eq!(events.len(), EventType::ALL.len());
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for event in events.into_values().flatten() {
        for (what, broken) in broken(&event, &shape) {
            assert!(!validator.is_valid(&broken), "{what}: {broken:#}");
            // The reader refuses the same; only `null` stands for absence there.
            let read = serde_json::from_str::<RuntimeEvent>(&broken.to_string());
            assert!(what == "null" || read.is_err(), "{what}: {broken:#}");
            *counts.entry(what).or_default() += 1;
        }
    }
    println!("{counts:?}");
    let kinds: Vec<&str> = counts.keys().copied().collect();
    assert_eq!(
        kinds,
        ["event", "missing", "null", "text", "value", "wrong"]
    );
    assert!(counts.values().all(|count| *count > 100), "{counts:?}");
}

#[test]
fn a_member_that_nobody_knows_is_no_fault() {
    let (validator, shape) = (validator(), shape());
    let mut events = 0;
    for mut event in golden() {
        event["novelty"] = json!([1]);
        event["payload"]["novelty"] = json!({ "a": null });
        assert!(validator.is_valid(&event), "{event:#}");
        events += usize::from(shape.events.contains_key(tag(&event)));
    }
    assert!(events > 1_000, "only {events}");
}

fn shape() -> Shape {
    Shape::of_schema(&agentwire_canonical_schema::schema())
}

/// The event with one fault, for each fault that it can have, and what kind of fault that is.
fn broken(event: &Value, shape: &Shape) -> Vec<(&'static str, Value)> {
    let mut all = Vec::new();
    for name in ["no.such.event", ""] {
        let mut changed = event.clone();
        changed["type"] = json!(name);
        all.push(("event", changed));
    }
    for member in ["type", "payload"] {
        let mut changed = event.clone();
        changed.as_object_mut().unwrap().remove(member).unwrap();
        all.push(("missing", changed));
    }
    let payload = &shape.objects[&shape.events[tag(event)]];
    for (pointer, members) in [
        ("", &shape.envelope),
        ("/payload", payload),
        ("/providerRefs", &shape.objects["ProviderRefs"]),
        ("/raw", &shape.objects["RuntimeEventRaw"]),
        ("/payload/plan/0", &shape.objects["PlanStep"]),
        ("/payload/files/0", &shape.objects["PersistedFile"]),
        ("/payload/failed/0", &shape.objects["PersistFailure"]),
    ] {
        // A plan is no list in the opaque payload of another event.
        let opaque = pointer.starts_with("/payload/")
            && !pointer
                .split('/')
                .nth(2)
                .is_some_and(|list| payload.contains_key(list));
        if !opaque && event.pointer(pointer).is_some_and(Value::is_object) {
            all.extend(broken_members(event, pointer, members, shape));
        }
    }
    all
}

fn broken_members(
    event: &Value,
    pointer: &str,
    members: &Members,
    shape: &Shape,
) -> Vec<(&'static str, Value)> {
    let mut all = Vec::new();
    let object = event.pointer(pointer).unwrap().as_object().unwrap();
    for (name, (required, type_text)) in members {
        if !object.contains_key(name) {
            continue;
        }
        let with = |value: Option<Value>| {
            let mut changed = event.clone();
            let object = changed.pointer_mut(pointer).unwrap();
            let object = object.as_object_mut().unwrap();
            match value {
                Some(value) => object.insert(name.clone(), value),
                None => object.remove(name),
            };
            changed
        };
        if *required {
            all.push(("missing", with(None)));
        }
        if type_text == "unknown" {
            continue;
        }
        if !type_text.ends_with("| null") {
            all.push(("null", with(Some(Value::Null))));
        }
        all.push(("wrong", with(Some(json!([[17]])))));
        let is_text = type_text.starts_with("string")
            || shape.brands.contains(type_text)
            || shape.texts.contains(type_text);
        all.push((
            "wrong",
            with(Some(if is_text {
                json!(17)
            } else {
                json!("seven teen")
            })),
        ));
        if shape.enums.contains_key(type_text) {
            all.push(("value", with(Some(json!("no such value")))));
        }
        if type_text == "TrimmedNonEmptyString" {
            all.push(("text", with(Some(json!(" ")))));
        }
        if type_text == "IsoDateTime" {
            all.push(("text", with(Some(json!("yesterday")))));
        }
    }
    all
}
