//! The smallest raw outputs that show each rule of the bundler.
#![allow(clippy::unwrap_used)]

use agentwire_codegen::sources::Rename;
use serde_json::{Value, json};

use super::*;

fn provider() -> Provider {
    Provider {
        package: "acme".to_owned(),
        licence: "MIT".to_owned(),
        bundles: vec!["all.json".to_owned()],
        ..Provider::default()
    }
}

fn with_namespace() -> Provider {
    Provider {
        namespace: BTreeMap::from([("old".to_owned(), vec!["Old.json".to_owned()])]),
        ..provider()
    }
}

fn with_rename(referrers: &[&str]) -> Provider {
    let rename = Rename {
        definition: "Action".to_owned(),
        to: "OtherAction".to_owned(),
        referrers: referrers.iter().map(|name| (*name).to_owned()).collect(),
        reason: String::new(),
    };
    Provider {
        rename: vec![rename],
        ..provider()
    }
}

/// Raw output with an empty document beside the files.
fn raw<const N: usize>(files: [(&str, Value); N]) -> BTreeMap<String, Value> {
    let document = ("all.json", json!({"definitions": {}}));
    files
        .into_iter()
        .chain([document])
        .map(|(path, schema)| (path.to_owned(), schema))
        .collect()
}

fn to(name: &str) -> Value {
    json!({"$ref": format!("#/definitions/{name}")})
}

fn definitions(bundle: &Bundle) -> &Value {
    &bundle.document["definitions"]
}

#[test]
fn equal_bodies_become_one() {
    let files = raw([
        (
            "v2/A.json",
            json!({"title": "A", "items": to("Id"), "definitions": {"Id": {"type": "string", "title": "Id"}}}),
        ),
        (
            "B.json",
            json!({"anyOf": [to("Id")], "definitions": {"Id": {"type": "string", "description": "An id."}}}),
        ),
    ]);
    let bundle = bundle(files, &provider()).unwrap();
    let expected =
        json!({"A": {"items": to("Id")}, "B": {"anyOf": [to("Id")]}, "Id": {"type": "string"}});
    assert_eq!(definitions(&bundle), &expected);
    assert_eq!((bundle.count, bundle.applied.len()), (3, 0));
}

#[test]
fn a_reference_to_the_root_means_the_name_of_the_file() {
    let files = raw([(
        "Tree.json",
        json!({"items": {"$ref": "#"}, "definitions": {"Tree": {"items": to("Tree")}}}),
    )]);
    assert_eq!(
        definitions(&bundle(files, &provider()).unwrap()),
        &json!({"Tree": {"items": to("Tree")}})
    );
}

#[test]
fn different_bodies_are_an_error_that_names_the_files() {
    let files = raw([
        ("A.json", json!({"definitions": {"Id": {"type": "string"}}})),
        (
            "B.json",
            json!({"definitions": {"Id": {"type": "integer"}}}),
        ),
        ("C.json", json!({"definitions": {"Id": {"type": "string"}}})),
    ]);
    let problems = bundle(files, &provider()).unwrap_err();
    let bodies = vec![
        vec!["A.json".to_owned(), "C.json".to_owned()],
        vec!["B.json".to_owned()],
    ];
    assert_eq!(
        problems,
        [Problem::Clash {
            name: "Id".to_owned(),
            bodies
        }]
    );
}

#[test]
fn a_namespace_takes_what_differs_however_deep_and_nothing_else() {
    let files = raw([
        (
            "New.json",
            json!({"definitions": {
                "Same": {"type": "string"}, "Leaf": {"type": "string"},
                "Middle": {"items": to("Leaf")}, "Plain": {"items": to("Same")},
            }}),
        ),
        (
            "Old.json",
            json!({"items": to("Middle"), "definitions": {
                "Same": {"type": "string"}, "Leaf": {"type": "integer"},
                "Middle": {"items": to("Leaf")}, "Plain": {"items": to("Same")},
                "OnlyHere": {"items": to("Leaf"), "not": to("Plain")},
            }}),
        ),
    ]);
    let bundle = bundle(files, &with_namespace()).unwrap();
    let expected = json!({
        "New": {}, "Old": {"items": to("old/Middle")},
        "Same": {"type": "string"}, "Leaf": {"type": "string"},
        "Middle": {"items": to("Leaf")}, "Plain": {"items": to("Same")},
        "OnlyHere": {"items": to("old/Leaf"), "not": to("Plain")},
        "old": {"Leaf": {"type": "integer"}, "Middle": {"items": to("old/Leaf")}},
    });
    assert_eq!(definitions(&bundle), &expected);
    assert_eq!(bundle.applied, BTreeSet::from(["namespace old".to_owned()]));
}

#[test]
fn a_namespace_that_is_not_needed_is_not_applied() {
    let files = raw([("New.json", json!({})), ("Old.json", json!({}))]);
    let bundle = bundle(files, &with_namespace()).unwrap();
    assert_eq!(definitions(&bundle), &json!({"New": {}, "Old": {}}));
    assert_eq!(bundle.applied, BTreeSet::new());
}

fn two_actions() -> BTreeMap<String, Value> {
    let first = json!({"enum": ["openPage"]});
    let second = json!({"enum": ["open_page"]});
    raw([
        (
            "A.json",
            json!({"definitions": {"Item": {"items": to("Action")}, "Action": first}}),
        ),
        (
            "B.json",
            json!({"definitions": {"Reply": {"items": to("Action")}, "Action": second}}),
        ),
    ])
}

#[test]
fn a_rename_goes_by_the_referrer() {
    let bundle = bundle(two_actions(), &with_rename(&["Reply", "Other"])).unwrap();
    let expected = json!({
        "A": {}, "B": {}, "Item": {"items": to("Action")}, "Reply": {"items": to("OtherAction")},
        "Action": {"enum": ["openPage"]}, "OtherAction": {"enum": ["open_page"]},
    });
    assert_eq!(definitions(&bundle), &expected);
    assert_eq!(bundle.applied, BTreeSet::from(["rename Action".to_owned()]));
}

#[test]
fn a_rename_that_decides_nothing_leaves_the_clash() {
    let problems = bundle(two_actions(), &with_rename(&["Nobody"])).unwrap_err();
    assert!(
        matches!(problems.as_slice(), [Problem::Clash { name, .. }] if name == "Action"),
        "{problems:?}"
    );
}

#[test]
fn a_rename_applies_only_where_the_name_has_two_bodies() {
    let files = raw([(
        "B.json",
        json!({"items": to("Action"), "definitions": {"Action": {"enum": ["open_page"]}}}),
    )]);
    let bundle = bundle(files, &with_rename(&["B"])).unwrap();
    assert_eq!(
        definitions(&bundle),
        &json!({"B": {"items": to("Action")}, "Action": {"enum": ["open_page"]}})
    );
    assert_eq!(bundle.applied, BTreeSet::new());
}

#[test]
fn a_rename_keeps_both_names_where_a_file_uses_both() {
    let mut files = two_actions();
    let both = json!({"definitions": {
        "Reply": {"items": to("Action")}, "Mixed": {"items": to("Action")}, "Action": {"enum": ["open_page"]},
    }});
    files.insert("B.json".to_owned(), both);
    let problems = bundle(files, &with_rename(&["Reply"])).unwrap_err();
    assert!(
        matches!(problems.as_slice(), [Problem::Clash { name, .. }] if name == "Action"),
        "{problems:?}"
    );
}

#[test]
fn a_definition_that_only_the_document_has_is_lost_or_unused() {
    let mut files = raw([("A.json", json!({}))]);
    let unused =
        json!({"definitions": {"A": {}, "v2": {"Rest": {"items": to("v2/More")}, "More": {}}}});
    files.insert("all.json".to_owned(), unused);
    let bundle_without_rest = bundle(files.clone(), &provider()).unwrap();
    assert_eq!(
        bundle_without_rest.unused,
        BTreeSet::from(["More".to_owned(), "Rest".to_owned()])
    );

    let used = json!({"definitions": {"A": {"items": to("v2/Rest")}, "v2": {"Rest": {}}}});
    files.insert("all.json".to_owned(), used);
    let problems = bundle(files, &provider()).unwrap_err();
    assert!(
        matches!(problems.as_slice(), [Problem::Lost { name, .. }] if name == "Rest"),
        "{problems:?}"
    );
}

#[test]
fn what_the_bundler_does_not_understand_is_an_error() {
    let problems_of = |schema: Value| bundle(raw([("A.json", schema)]), &provider()).unwrap_err();
    assert!(matches!(
        problems_of(json!([])).as_slice(),
        [Problem::NotASchema { .. }]
    ));
    assert!(matches!(
        problems_of(to("Nowhere")).as_slice(),
        [Problem::Dangling { .. }]
    ));
    let foreign = json!({"$ref": "other.json#/definitions/B"});
    assert!(matches!(
        problems_of(foreign).as_slice(),
        [Problem::ForeignReference { .. }]
    ));
    let nested = json!({"definitions": {"v2": {"B": {}}}, "$ref": "#/definitions/v2/B"});
    assert!(matches!(
        problems_of(nested).as_slice(),
        [Problem::ForeignReference { .. }]
    ));
    assert_eq!(
        bundle(raw([]), &provider()).unwrap_err(),
        [Problem::NoFiles]
    );
    let no_document = BTreeMap::from([("A.json".to_owned(), json!({}))]);
    assert!(matches!(
        bundle(no_document, &provider()).unwrap_err().as_slice(),
        [Problem::NoBundle { .. }]
    ));
}

#[test]
fn the_text_is_sorted_and_ends_its_last_line() {
    let text = render(&json!({"b": [{"z": 1.0, "a": "é"}], "a": {}})).unwrap();
    assert_eq!(
        text,
        "{\n \"a\": {},\n \"b\": [\n  {\n   \"a\": \"é\",\n   \"z\": 1.0\n  }\n ]\n}\n"
    );
}
