//! The forms in which a comparison is shown, and the tables in the documentation.

use std::fs;

use agentwire_tests::root;
use agentwire_upkeep::diff::{
    Check, Diff, classes_markdown, classes_text, github, json as as_json, markdown,
    markdown_within, text,
};
use expect_test::expect_file;
use serde_json::{Value, json};

use crate::diff::small::{diff, object, to};

const SOURCES: &str = "[provider.tiny]\nversions = []\nfaces = []\n[surface.\"tiny.event\"]\nprovider = \"tiny\"\nmodule = \"m\"\nunion = \"Event\"\n[wire.tiny]\naccepts = [\"Answer\", \"Absent\"]\n";

/// A change of each class, one that both directions show, a rename and a name with letters that some
/// forms read as their own.
fn several() -> Diff {
    let old = json!({
        "Event": {"oneOf": [object(&["type"], json!({"type": {"const": "rise"}, "moon": to("Moon")}))]},
        "Answer": object(&[], json!({"moon": to("Moon"), "a,b:c%d": {"type": "string"}})),
        "Moon": object(&["phase"], json!({"phase": {"enum": ["new", "full"]}, "nick_name": {"type": "string"}})),
        "Gone": {"type": "string"},
    });
    let new = json!({
        "Event": {"oneOf": [
            object(&["type"], json!({"type": {"const": "rise"}, "moon": to("Moon")})),
            object(&["type"], json!({"type": {"const": "set"}})),
        ]},
        "Answer": object(&["moon"], json!({"moon": to("Moon"), "a,b:c%d": {"type": "integer"}})),
        "Moon": object(&["phase"], json!({"phase": {"enum": ["new"]}, "nickName": {"type": "string"}})),
    });
    diff(SOURCES, &old, &new)
}

#[test]
fn forms() {
    let diff = several();
    let folder = root().join("tests/goldens/diff");
    expect_file![folder.join("forms.txt")].assert_eq(&text(&diff, false));
    expect_file![folder.join("forms.md")].assert_eq(&markdown(&diff));
    expect_file![folder.join("forms.json")].assert_eq(&as_json(&diff));
    expect_file![folder.join("forms.github.txt")].assert_eq(&github(&diff));
}

#[test]
fn markdown_leaves_out_what_matters_least() {
    let diff = several();
    let whole = markdown(&diff);
    assert_eq!(markdown_within(&diff, whole.len()), whole);
    let mut last = whole.len();
    let mut lengths = vec![last];
    while last > 1 {
        let text = markdown_within(&diff, last - 1);
        assert!(text.starts_with(&whole[..whole.find("###").unwrap()]));
        if text.len() >= last {
            break;
        }
        assert!(text.contains("not listed"), "{text}");
        last = text.len();
        lengths.push(last);
    }
    // Everything; without what has no effect; without what is safe; what breaks; the counts.
    assert_eq!(lengths.len(), 5, "{lengths:?}");
}

#[test]
fn annotations_are_escaped_and_name_lines() {
    let told = github(&several());
    let commands: Vec<&str> = told.lines().filter(|line| line.starts_with("::")).collect();
    assert!(commands.len() >= 5, "{told}");
    for command in &commands {
        let (head, data) = command[2..].split_once("::").unwrap();
        let (level, properties) = head.split_once(' ').unwrap();
        assert!(["error", "warning", "notice"].contains(&level), "{command}");
        for property in properties.split(',') {
            let (name, value) = property.split_once('=').unwrap();
            assert!(["file", "line", "title"].contains(&name), "{command}");
            assert!(!value.contains(':'), "{command}");
        }
        assert!(!data.is_empty());
    }
    assert!(told.contains("a,b:c%25d"), "{told}");
}

#[test]
fn json_is_read_by_programs() {
    let diff = several();
    let read: Value = serde_json::from_str(&as_json(&diff)).unwrap();
    assert_eq!(read["format"], 1);
    let changes = read["changes"].as_array().unwrap();
    assert_eq!(changes.len(), diff.changes.len());
    let total: u64 = ["breaking", "dangerous", "additive", "none"]
        .iter()
        .map(|class| read["counts"][class].as_u64().unwrap())
        .sum();
    assert_eq!(total as usize, changes.len());
    // Every key of every object stands in the description.
    let described = fs::read_to_string(root().join("docs/diff.md")).unwrap();
    let mut keys = Vec::new();
    collect(&read, &mut keys);
    assert!(keys.len() > 50);
    for key in keys {
        assert!(
            described.contains(&format!("`{key}`")),
            "docs/diff.md says nothing of `{key}`"
        );
    }
}

fn collect(value: &Value, keys: &mut Vec<String>) {
    match value {
        Value::Object(map) => {
            for (key, inner) in map {
                keys.push(key.clone());
                collect(inner, keys);
            }
        }
        Value::Array(list) => list.iter().for_each(|inner| collect(inner, keys)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

#[test]
fn ids_stay_the_same_when_other_things_change() {
    let with = |more: bool| {
        let mut properties = json!({"b": {"type": "integer"}});
        if more {
            properties["a"] = json!({"type": "string"});
            properties["c"] = json!({"type": "string"});
        }
        json!({"Event": object(&[], properties)})
    };
    let old = json!({"Event": object(&[], json!({"b": {"type": "string"}}))});
    let (few, many) = (
        diff(SOURCES, &old, &with(false)),
        diff(SOURCES, &old, &with(true)),
    );
    assert_eq!((few.changes.len(), many.changes.len()), (1, 3));
    assert!(
        many.changes
            .iter()
            .any(|change| change.id == few.changes[0].id)
    );
}

#[test]
fn the_table_in_the_documentation_is_the_table() {
    expect_file![root().join("docs/diff-classes.md")].assert_eq(&classes_markdown());
    let shown = classes_text();
    for check in Check::ALL {
        assert!(shown.contains(check.id()));
    }
}
