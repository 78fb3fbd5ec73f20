//! The vendored dumps: as many members as the declarations list, and facts only.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::path::Path;

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

fn vendored(version: &str) -> Value {
    let schemas = Path::new(env!("CARGO_MANIFEST_DIR")).join("../schemas/claude");
    let text = std::fs::read_to_string(schemas.join(version).join("types.json")).unwrap();
    assert!(text.lines().count() > 1000);
    serde_json::from_str(&text).unwrap()
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
    let (old, new) = (vendored("0.2.62"), vendored("0.3.332"));
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

#[test]
fn dumps_hold_structure_and_no_prose() {
    for version in ["0.2.62", "0.3.332"] {
        let dump = vendored(version);
        let mut count = 0;
        for schema in dump["definitions"].as_object().unwrap().values() {
            walk(schema, &mut count);
        }
        assert!(count > 1000, "{count}");
    }
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
