//! The schema and the declarations of the model against the same facts as the Rust types.

use std::collections::{BTreeMap, BTreeSet};

use agentwire::canonical::*;
use agentwire_canonical_schema as forms;
use serde_json::Value;

use crate::canonical_conformance::enums;
use crate::canonical_conformance::facts::{Facts, Field};
use crate::canonical_conformance::shapes::{Members, Shape};

/// The names under which the forms know what the facts call otherwise.
const NAMES: &[(&str, &str)] = &[
    ("providerRefs", "ProviderRefs"),
    ("raw", "RuntimeEventRaw"),
    ("plan-step", "PlanStep"),
    ("persisted-file", "PersistedFile"),
    ("persist-failure", "PersistFailure"),
    ("raw-source", "RawSource"),
    ("item-type", "CanonicalItemType"),
    ("request-type", "CanonicalRequestType"),
    ("session-state", "SessionState"),
    ("thread-state", "ThreadState"),
    ("turn-state", "TurnState"),
    ("stream-kind", "ContentStreamKind"),
    ("item-status", "ItemStatus"),
    ("plan-step-status", "PlanStepStatus"),
    ("error-class", "ErrorClass"),
    ("task-status", "TaskStatus"),
    ("hook-outcome", "HookOutcome"),
    ("exit-kind", "ExitKind"),
];

fn named(owner: &str) -> String {
    let name = NAMES.iter().find(|(known, _)| *known == owner);
    name.unwrap_or_else(|| panic!("{owner} has no name"))
        .1
        .to_owned()
}

fn type_text(field: &Field) -> String {
    let text = match field.type_name.split_once(':') {
        None if field.type_name == "record" => "Record<string, unknown>".to_owned(),
        None => field.type_name.to_owned(),
        Some(("id" | "string", name)) => name.to_owned(),
        Some(("array", "string")) => "Array<string>".to_owned(),
        Some(("array", owner)) => format!("Array<{}>", named(owner)),
        Some((_, owner)) => named(owner),
    };
    if field.nullable {
        format!("{text} | null")
    } else {
        text
    }
}

fn members(fields: &BTreeMap<&str, Field>) -> Members {
    let members = fields.iter().map(|(name, field)| {
        let member = (field.required, type_text(field));
        ((*name).to_owned(), member)
    });
    members.collect()
}

/// What the facts and the lists of extensions ask of a form, given the names of its payload types.
fn expected(facts: &Facts, names: &BTreeMap<String, String>) -> Shape {
    let mut shape = Shape::default();
    for (owner, fields) in &facts.fields {
        let mut members = members(fields);
        if *owner == "envelope" {
            members.remove("type").unwrap();
            members.remove("payload").unwrap();
            shape.envelope = members;
        } else if facts.events.contains(owner) {
            let name = names.get(*owner).map_or("", String::as_str);
            shape.events.insert((*owner).to_owned(), name.to_owned());
            let before = shape.objects.insert(name.to_owned(), members.clone());
            assert!(before.is_none_or(|before| before == members), "{name}");
        } else {
            shape.objects.insert(named(owner), members);
        }
        for field in fields.values() {
            match field.type_name.split_once(':') {
                Some(("id", name)) => shape.brands.insert(name.to_owned()),
                Some(("string", name)) if name != "ProviderKind" => {
                    shape.texts.insert(name.to_owned())
                }
                _ => false,
            };
        }
    }
    for (owner, _, extensions) in enums() {
        let extensions = extensions.iter().map(|(value, _)| *value);
        if owner == "event" {
            assert_eq!(extensions.count(), 0, "say here what its payload holds");
            continue;
        }
        let values = facts.values[owner].iter().copied().chain(extensions);
        let values = values.map(str::to_owned).collect();
        shape.enums.insert(named(owner), values);
    }
    // The source of the model leaves the values of these two open.
    let texts = |values: Vec<&str>| values.into_iter().map(str::to_owned).collect();
    let providers = ProviderKind::ALL.iter().map(|value| value.as_str());
    let decisions = Decision::ALL.iter().map(|value| value.as_str());
    shape
        .enums
        .insert("ProviderKind".to_owned(), texts(providers.collect()));
    shape
        .enums
        .insert("Decision".to_owned(), texts(decisions.collect()));
    shape
}

fn schema() -> Value {
    forms::schema()
}

fn declarations() -> String {
    forms::declarations(&schema()).unwrap()
}

#[test]
fn both_forms_say_what_the_facts_say() {
    let facts = Facts::read();
    for shape in [
        Shape::of_schema(&schema()),
        Shape::of_declarations(&declarations()),
    ] {
        assert_eq!(shape, expected(&facts, &shape.events));
        assert_eq!(shape.events.len(), 45);
        let payloads: BTreeSet<&String> = shape.events.values().collect();
        assert_eq!(payloads.len(), 43, "three events share one payload");
        assert_eq!((shape.objects.len(), shape.enums.len()), (48, 15));
        assert_eq!((shape.brands.len(), shape.texts.len()), (11, 2));
    }
}

#[test]
fn a_form_that_says_something_else_is_found() {
    let facts = Facts::read();
    let text = declarations();
    for (from, to) in [
        ("    title?: string;\n", ""),
        ("    title?: string;\n", "    title: string;\n"),
        ("    title?: string;\n", "    title?: number;\n"),
        (
            "    delta: string;\n",
            "    delta: string;\n    more?: string;\n",
        ),
        ("    | \"image_view\"\n", ""),
        ("    threadId?: ThreadId;\n", "    threadId?: TurnId;\n"),
        ("    \"turn.aborted\": TurnAborted;\n", ""),
        ("Branded<\"TurnId\">", "string"),
        ("stopReason?: string | null", "stopReason?: string"),
    ] {
        let changed = text.replacen(from, to, 1);
        assert_ne!(changed, text, "{from}");
        let shape = Shape::of_declarations(&changed);
        assert_ne!(shape, expected(&facts, &shape.events), "{from}");
    }
}

#[test]
fn every_extension_gives_its_reason_in_both_forms() {
    let (schema, declarations) = (schema().to_string(), declarations());
    let mut reasons = 0;
    for (_, _, extensions) in enums() {
        for (value, reason) in extensions {
            let reason = format!("Extension: {reason}");
            assert!(schema.contains(&reason), "{value}");
            assert!(declarations.contains(&reason), "{value}");
            reasons += 1;
        }
    }
    assert!(reasons >= 8, "only {reasons} extensions");
}
