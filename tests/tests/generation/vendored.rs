//! What vendoring makes of raw output that says two things by one name.

use std::collections::BTreeMap;

use agentwire_codegen::sources::Provider;
use agentwire_upkeep::vendor::bundle::{bundle, render};
use agentwire_upkeep::vendor::problem::Problem;
use serde_json::{Value, json};

fn provider(namespaced: &[&str]) -> Provider {
    let files: Vec<String> = namespaced.iter().map(|file| (*file).to_owned()).collect();
    Provider {
        package: "tiny".to_owned(),
        licence: "MIT".to_owned(),
        versions: Vec::new(),
        faces: Vec::new(),
        files: BTreeMap::new(),
        bundles: vec!["all.json".to_owned()],
        namespace: if files.is_empty() {
            BTreeMap::new()
        } else {
            BTreeMap::from([("old".to_owned(), files)])
        },
        rename: Vec::new(),
        ..Provider::default()
    }
}

/// Two files that both define `Status`, the one in `snake_case`.
fn raw(second: &str) -> BTreeMap<String, Value> {
    let file = |value: &str| {
        json!({
            "type": "object",
            "properties": {"status": {"$ref": "#/definitions/Status"}},
            "definitions": {"Status": {"type": "string", "enum": [value]}},
        })
    };
    [
        ("all.json", json!({"definitions": {}})),
        ("New.json", file("inProgress")),
        ("Old.json", file(second)),
    ]
    .into_iter()
    .map(|(path, schema)| (path.to_owned(), schema))
    .collect()
}

/// `same-name-two-bodies`
#[test]
fn two_bodies_of_one_name_are_an_error_and_never_last_wins() {
    let problems = bundle(raw("in_progress"), &provider(&[])).unwrap_err();
    let [Problem::Clash { name, bodies }] = problems.as_slice() else {
        panic!("{problems:?}")
    };
    assert_eq!((name.as_str(), bodies.len()), ("Status", 2));
    let text = problems[0].to_string();
    assert!(
        text.contains("in New.json") && text.contains("in Old.json"),
        "{text}"
    );
}

/// `same-name-two-bodies`
#[test]
fn a_namespace_keeps_both_bodies() {
    let bundle = bundle(raw("in_progress"), &provider(&["Old.json"])).unwrap();
    let definitions = &bundle.document["definitions"];
    assert_eq!(definitions["Status"]["enum"], json!(["inProgress"]));
    assert_eq!(definitions["old"]["Status"]["enum"], json!(["in_progress"]));
    assert!(bundle.applied.contains("namespace old"));
}

#[test]
fn equal_bodies_are_one_definition() {
    let bundle = bundle(raw("inProgress"), &provider(&[])).unwrap();
    assert_eq!(
        bundle.document["definitions"]["Status"]["enum"],
        json!(["inProgress"])
    );
    assert!(render(&bundle.document).unwrap().ends_with("}\n"));
}
