//! What an object extends, forms that are alike, and other ways to say a thing that must neither hide a
//! change nor make one.

use agentwire_codegen::diagnostics::Code;
use agentwire_codegen::source::SourceFile;
use agentwire_upkeep::diff::{Diff, FaceFile, Side, markdown};
use serde_json::{Value, json};

use crate::diff::small::{SENT, diff, object, to};

fn string() -> Value {
    json!({"type": "string"})
}

fn integer() -> Value {
    json!({"type": "integer"})
}

/// A variant of this type, with a member.
fn variant(tag: &str, member: &Value) -> Value {
    object(
        &["type"],
        json!({"type": {"const": tag}, "moon": member.clone()}),
    )
}

fn one(name: &str) -> Value {
    let mut members = serde_json::Map::new();
    members.insert(name.to_owned(), string());
    object(&[], Value::Object(members))
}

/// The message, beside three definitions to refer to.
fn around(message: Value, phase: &Value) -> Value {
    json!({
        "Message": message,
        "Near": one("near"),
        "Far": one("far"),
        "Phase": {"oneOf": [variant("new", phase), variant("full", &string())]},
    })
}

fn found(old: Value, new: Value) -> Vec<String> {
    ids(&diff(
        SENT,
        &around(old, &string()),
        &around(new, &string()),
    ))
}

fn ids(diff: &Diff) -> Vec<String> {
    diff.changes
        .iter()
        .map(|change| change.id.clone())
        .collect()
}

fn all(parts: &[Value]) -> Value {
    json!({"allOf": parts})
}

#[test]
fn what_an_object_extends_is_compared_wherever_it_is_written() {
    let union =
        |member: Value| json!({"oneOf": [variant("new", &member), variant("full", &string())]});
    let closed = |mut schema: Value| {
        schema["additionalProperties"] = json!(false);
        schema
    };
    let cases = [
        // The order means nothing.
        (
            all(&[to("Near"), to("Far")]),
            all(&[to("Far"), to("Near")]),
            vec![],
        ),
        (
            all(&[to("Near")]),
            all(&[to("Near"), to("Far")]),
            vec!["field-added:Message.far"],
        ),
        (
            all(&[one("near"), union(string())]),
            all(&[one("near"), union(integer())]),
            vec!["type-changed:Message<new>.moon"],
        ),
        (
            all(&[one("near"), one("far")]),
            all(&[closed(one("near")), one("far")]),
            vec!["constraint-tightened:Message#additionalProperties"],
        ),
        (
            all(&[one("near"), json!({"type": "object", "minProperties": 1})]),
            all(&[one("near"), json!({"type": "object", "minProperties": 2})]),
            vec!["constraint-tightened:Message#minProperties"],
        ),
        (
            all(&[to("Near"), union(string())]),
            all(&[to("Near"), one("far")]),
            vec![
                "constraint-loosened:Message#allOf",
                "field-added:Message.far",
            ],
        ),
        (
            all(&[
                one("near"),
                json!({"type": "object", "additionalProperties": string()}),
            ]),
            all(&[
                one("near"),
                json!({"type": "object", "additionalProperties": integer()}),
            ]),
            vec!["type-changed:Message{}"],
        ),
    ];
    for (old, new, expected) in cases {
        assert_eq!(found(old.clone(), new.clone()), expected, "{old} {new}");
    }
}

#[test]
fn a_definition_that_both_extend_is_compared_although_others_come() {
    let old = around(all(&[to("Near"), to("Phase")]), &string());
    let new = around(all(&[to("Near"), to("Far"), to("Phase")]), &integer());
    assert_eq!(
        ids(&diff(SENT, &old, &new)),
        ["type-changed:Phase<new>.moon", "field-added:Message.far"]
    );
}

#[test]
fn one_number_has_one_spelling() {
    let with = |value: &str| {
        let member: Value = serde_json::from_str(&format!(
            r#"{{"type": "integer", "minimum": {value}, "default": {value}, "enum": [{value}, 7]}}"#
        ))
        .unwrap();
        object(&[], json!({"moon": member}))
    };
    assert_eq!(found(with("0.0"), with("0")), [] as [&str; 0]);
    assert_eq!(found(with("0.0"), with("1")).len(), 4);
    assert_eq!(found(with("0.5"), with("0")).len(), 4);
}

#[test]
fn a_definition_that_is_written_out_in_place_is_the_same() {
    let named = |definition: Value, member: Value| {
        let mut all = around(object(&[], json!({"moon": member})), &string());
        all["Moon"] = definition;
        all
    };
    let moon = |more: Value| {
        let mut moon = json!({"type": "string", "enum": ["new", "full"]});
        for (name, value) in more.as_object().unwrap() {
            moon[name] = value.clone();
        }
        moon
    };
    let nullable = |inner: Value, default: &str| json!({"anyOf": [inner, {"type": "null"}], "default": default});
    let plain = moon(json!({}));
    let cases = [
        (
            plain.clone(),
            nullable(to("Moon"), "new"),
            nullable(plain.clone(), "new"),
            0,
        ),
        (
            plain.clone(),
            nullable(to("Moon"), "new"),
            nullable(plain.clone(), "full"),
            1,
        ),
        // The definition has a default of its own, which the place hides or not.
        (
            moon(json!({"default": "new"})),
            to("Moon"),
            moon(json!({"default": "new"})),
            0,
        ),
        (
            moon(json!({"default": "new"})),
            to("Moon"),
            plain.clone(),
            1,
        ),
        (
            moon(json!({"default": "full"})),
            nullable(to("Moon"), "new"),
            nullable(plain.clone(), "new"),
            0,
        ),
    ];
    for (definition, before, after, count) in cases {
        let (old, new) = (
            named(definition.clone(), before.clone()),
            named(definition, after.clone()),
        );
        let found = ids(&diff(SENT, &old, &new));
        // That nothing refers to the definition any more says nothing of a wire.
        let found: Vec<&String> = found.iter().filter(|id| !id.ends_with(":Moon")).collect();
        assert_eq!(found.len(), count, "{before} {after} {found:?}");
        assert!(found.iter().all(|id| *id == "default-changed:Message.moon"));
    }
}

#[test]
fn anything_may_be_null() {
    let with = |member: Value| object(&[], json!({"moon": member}));
    let nullable = || with(json!({"type": ["string", "null"]}));
    for any in [json!({}), json!(true)] {
        assert_eq!(
            found(nullable(), with(any.clone())),
            ["type-widened:Message.moon"]
        );
        assert_eq!(found(with(any), nullable()), ["type-narrowed:Message.moon"]);
    }
}

#[test]
fn forms_that_are_alike_but_for_a_constant_are_told_apart() {
    let free = one("near");
    let list = |forms: &[Value]| {
        object(
            &[],
            json!({"moons": {"type": "array", "items": {"anyOf": forms}}}),
        )
    };
    let (new, full, dark) = (
        variant("new", &string()),
        variant("full", &string()),
        variant("dark", &string()),
    );
    assert_eq!(
        found(
            list(&[new.clone(), free.clone(), full.clone()]),
            list(&[dark, new.clone(), free.clone(), full.clone()])
        ),
        ["variant-added:Message.moons[]<{type=dark}>"]
    );
    // One of two forms that are alike becomes another one; the other one stays.
    let any = |more: &[&str]| {
        let required: Vec<&str> = ["type"].iter().chain(more).copied().collect();
        object(
            &required,
            json!({"type": {"type": "string"}, "tide": {"type": "string"}}),
        )
    };
    assert_eq!(
        found(
            list(&[any(&[]), new.clone(), free.clone()]),
            list(&[any(&["tide"]), new.clone(), free.clone()])
        ),
        ["became-required:Message.moons[]<{tide,type}>.tide"]
    );
    // Both forms have the same change, at places of their own.
    assert_eq!(
        found(
            list(&[new, free.clone(), full]),
            list(&[
                variant("new", &integer()),
                free,
                variant("full", &integer())
            ])
        ),
        [
            "type-changed:Message.moons[]<{type=full}>.moon",
            "type-changed:Message.moons[]<{type=new}>.moon",
        ]
    );
}

#[test]
fn a_tag_that_picks_where_it_is_there_may_become_required_in_one_variant() {
    let union = |required: &[&str]| {
        let tagged =
            |tag: &str, required: &[&str]| object(required, json!({"type": {"const": tag}}));
        json!({"oneOf": [tagged("new", &[]), tagged("full", required)]})
    };
    assert_eq!(
        found(union(&[]), union(&["type"])),
        ["became-required:Message<full>.type"]
    );
}

#[test]
fn what_would_be_passed_over_is_refused() {
    let cases = [
        (
            all(&[string(), json!({"pattern": "a"})]),
            "of what is no object",
        ),
        (
            json!({"type": "object", "patternProperties": {"^a": to("Near")}}),
            "a reference inside `patternProperties`",
        ),
        (
            json!({"type": "array", "prefixItems": [string()], "items": false}),
            "`items` beside `prefixItems`",
        ),
    ];
    for (message, said) in cases {
        let text = json!({"definitions": around(message, &string())}).to_string();
        let file = FaceFile {
            face: "stable".to_owned(),
            file: SourceFile::new("schema.json", text),
        };
        let sources = SourceFile::new("sources.toml", SENT);
        let found = Side::new(&sources, "tiny", "1.0.0", vec![file]).unwrap_err();
        assert!(!found.is_empty());
        for told in found {
            assert_eq!(told.code, Code::UnloweredSchema);
            assert!(told.message.contains(said), "{}", told.message);
        }
    }
}

#[test]
fn a_name_is_neither_markup_nor_an_end_of_a_line() {
    let tag = "``<img src=x>|\n\u{1b}[31m%`*b*";
    let old = json!({"oneOf": [variant("new", &string()), variant("full", &string())]});
    let mut new = old.clone();
    new["oneOf"]
        .as_array_mut()
        .unwrap()
        .push(variant(tag, &string()));
    let diff = diff(SENT, &around(old, &string()), &around(new, &string()));
    let [change] = diff.changes.as_slice() else {
        panic!("{:?}", diff.changes)
    };
    for text in [&change.id, &change.message] {
        assert!(!text.contains(char::is_control), "{text:?}");
    }
    let page = markdown(&diff);
    let lines: Vec<&str> = page.lines().filter(|line| line.contains("img")).collect();
    assert_eq!(lines.len(), 2, "{page}");
    assert!(lines[0].contains(r"\<img src=x\>\|"), "{}", lines[0]);
    // Between fences that are longer than any run inside.
    assert!(
        lines[1].contains("<sub>```variant-added:Message<``<img"),
        "{}",
        lines[1]
    );
}
