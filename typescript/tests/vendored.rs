//! The vendored dumps: as many members as the declarations list, and facts only.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use serde_json::Value;

/// The keywords that a dump may use.
const KEYWORDS: [&str; 15] = [
    "$ref",
    "additionalItems",
    "additionalProperties",
    "anyOf",
    "const",
    "enum",
    "items",
    "maxItems",
    "minItems",
    "oneOf",
    "pattern",
    "required",
    "type",
    "x-known-values",
    "x-tag",
];

fn schemas() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../schemas")
}

fn vendored(provider: &str, version: &str) -> Value {
    let path = schemas().join(provider).join(version).join("types.json");
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

/// Every dump, with its provider and version.
fn all() -> Vec<(String, Value)> {
    let entries = |folder: &Path| {
        let entries = std::fs::read_dir(folder).into_iter().flatten();
        let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
        paths.sort();
        paths
    };
    let mut dumps = Vec::new();
    for version in entries(&schemas()).iter().flat_map(|it| entries(it)) {
        if let Ok(text) = std::fs::read_to_string(version.join("types.json")) {
            let dump = serde_json::from_str(&text).unwrap();
            dumps.push((version.to_str().unwrap().to_owned(), dump));
        }
    }
    dumps
}

fn variants(dump: &Value, name: &str) -> usize {
    let definition = &dump["definitions"][name];
    ["oneOf", "anyOf"]
        .iter()
        .filter_map(|key| definition[key].as_array())
        .map(Vec::len)
        .sum()
}

#[test]
fn unions_have_as_many_variants_as_are_declared() {
    let expected = [
        ("SDKMessage", 21, 41),
        ("StdoutMessage", 27, 46),
        ("SDKControlRequestInner", 17, 41),
        ("HookInput", 18, 34),
        ("PermissionUpdate", 6, 6),
        ("anthropic.BetaRawMessageStreamEvent", 6, 6),
    ];
    let (old, new) = (vendored("claude", "0.2.62"), vendored("claude", "0.3.332"));
    for (name, first, second) in expected {
        assert_eq!(
            (variants(&old, name), variants(&new, name)),
            (first, second),
            "{name}"
        );
    }
    assert_eq!(old["undeclared"].as_array().unwrap().len(), 6);
    assert!(new["undeclared"].as_array().unwrap().is_empty());
}

/// The values of `type` in the variants of a union.
fn tags(dump: &Value, name: &str) -> BTreeSet<String> {
    let variants = dump["definitions"][name]["oneOf"].as_array().unwrap();
    let tags = variants.iter().map(|variant| {
        let name = variant["$ref"]
            .as_str()
            .and_then(|it| it.strip_prefix("#/definitions/"));
        let variant = name.map_or(variant, |name| &dump["definitions"][name]);
        let tag = variant["properties"]["type"]["const"].as_str();
        tag.unwrap_or_else(|| panic!("{variant}")).to_owned()
    });
    tags.collect()
}

#[test]
fn unions_that_are_told_apart_by_type_have_a_type_for_each_variant() {
    for (provider, version, union, count) in [
        ("codex-sdk", "0.107.0", "ThreadEvent", 8),
        ("codex-sdk", "0.107.0", "ThreadItem", 8),
        ("codex-sdk", "0.163.0", "ThreadEvent", 8),
        ("codex-sdk", "0.163.0", "ThreadItem", 8),
        ("opencode-v1", "1.18.33", "Event", 32),
        ("opencode-v1", "1.18.33", "Part", 12),
        ("opencode-v2", "1.18.33", "Event", 89),
        ("opencode-v2", "1.18.33", "V2Event", 88),
        ("opencode-v2", "1.18.33", "Part", 12),
    ] {
        let dump = vendored(provider, version);
        assert_eq!(
            variants(&dump, union),
            count,
            "{provider} {version} {union}"
        );
        assert_eq!(
            tags(&dump, union).len(),
            count,
            "{provider} {version} {union}"
        );
        assert!(dump["undeclared"].as_array().unwrap().is_empty());
    }
}

#[test]
fn messages_of_opencode_and_amp_are_told_apart_by_other_members() {
    for provider in ["opencode-v1", "opencode-v2"] {
        let messages = &vendored(provider, "1.18.33")["definitions"]["Message"];
        assert_eq!(messages["oneOf"].as_array().unwrap().len(), 2);
        assert_eq!(messages["x-tag"], serde_json::json!(["role"]));
    }
    let amp = vendored("amp", "0.1.0-20260126121723-gc94da34");
    let messages = &amp["definitions"]["StreamMessage"];
    assert_eq!(messages["oneOf"].as_array().unwrap().len(), 5);
    assert_eq!(messages["x-tag"], serde_json::json!(["type", "is_error"]));
}

#[test]
fn what_belongs_to_a_program_stands_for_any_value() {
    let dump = vendored("codex-sdk", "0.163.0");
    let opaque: Vec<_> = dump["opaque"].as_object().unwrap().keys().collect();
    assert_eq!(opaque, ["AbortSignal"]);
    assert_eq!(
        dump["definitions"]["TurnOptions"]["properties"]["signal"],
        true
    );
}

#[test]
fn dumps_hold_structure_and_no_prose() {
    let mut counts = Vec::new();
    for (path, dump) in all() {
        let mut count = 0;
        for schema in dump["definitions"].as_object().unwrap().values() {
            walk(schema, &mut count);
        }
        assert!(count > 80, "{path}: {count}");
        counts.push(count);
    }
    assert!(counts.len() >= 8, "only {} dumps", counts.len());
    assert!(counts.iter().sum::<usize>() > 8_000, "{counts:?}");
}

/// Every reference must lead somewhere too, but that is checked by who reads the dump.
fn walk(schema: &Value, count: &mut usize) {
    *count += 1;
    match schema {
        Value::Bool(_) => {}
        Value::Object(keywords) => {
            for (keyword, value) in keywords {
                match (keyword.as_str(), value) {
                    ("properties", Value::Object(properties)) => {
                        properties.values().for_each(|value| walk(value, count))
                    }
                    ("items" | "anyOf" | "oneOf", Value::Array(schemas)) => {
                        schemas.iter().for_each(|value| walk(value, count))
                    }
                    ("items" | "additionalItems" | "additionalProperties", schema) => {
                        walk(schema, count)
                    }
                    (known, _) => assert!(KEYWORDS.contains(&known), "{known}"),
                }
            }
        }
        Value::Null | Value::Number(_) | Value::String(_) | Value::Array(_) => {
            panic!("{schema} is no schema")
        }
    }
}
