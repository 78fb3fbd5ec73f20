//! Unions: what picks the member, and what a member carries.

use agentwire_tests::small::{Small, nothing, object, one_of, to};
use expect_test::expect;
use serde_json::{Value, json};

use crate::generation::{declares, declares_alike};

/// `siblings-beside-oneof`
#[test]
fn siblings_beside_a_union_are_members_common_to_all_variants() {
    let event = json!({
        "oneOf": [object(&["method"], json!({"method": {"enum": ["a"]}, "params": {"type": "string"}}))],
        "properties": {"emittedAtMs": {"type": ["integer", "null"]}},
    });
    let code = Small::new()
        .vendored("1.0.0", "stable", json!({"Event": event}))
        .rows("tiny.event", "\"a\" = { drop = \"a test\" }\n")
        .code();
    declares(
        &code,
        &["pub struct Event", "pub enum EventKind"],
        &expect![[r#"
            wire_envelope! { Event<'a> around EventKind by "method" in "params" {
                optional "emittedAtMs" emitted_at_ms: Option<i64>,
            }}
            wire_message! { EventKind<'a> by "method" in "params" {
                optional "a" A: Option<Cow<'a, str>>,
            }}
        "#]],
    );
    assert!(!code.contains("Variant0"));
}

#[test]
fn the_tag_beside_the_union_is_no_member_of_its_own() {
    let value = json!({
        "oneOf": [object(&["type"], json!({"type": {"const": "a"}}))],
        "properties": {"type": {"type": "string"}, "at": {"type": "string"}},
        "required": ["type", "at"],
    });
    declares(
        &Small::around(value, nothing()).code(),
        &["pub struct Value"],
        &expect![[r#"
            wire_around! { Value<'a> around ValueKind {
                field "at" at: Cow<'a, str>,
            }}
        "#]],
    );
}

#[test]
fn a_common_member_called_kind_keeps_clear_of_the_variant() {
    let value = json!({
        "oneOf": [object(&["type"], json!({"type": {"const": "a"}}))],
        "properties": {"kind": {"type": "string"}},
    });
    declares(
        &Small::around(value, nothing()).code(),
        &["pub struct Value"],
        &expect![[r#"
            wire_around! { Value<'a> around ValueKind {
                optional "kind" kind_: Option<Cow<'a, str>>,
            }}
        "#]],
    );
}

/// `ref-members-const-tag`
#[test]
fn referenced_members_with_a_constant_make_a_tagged_enum() {
    let more = json!({
        "A": object(&["type", "x"], json!({"type": {"const": "a"}, "x": {"type": "string"}})),
        "B": object(&["type"], json!({"type": {"const": "b"}})),
    });
    let code = Small::around(one_of(&["A", "B"]), more).code();
    declares(
        &code,
        &["pub enum Value", "pub struct A"],
        &expect![[r#"
            wire_union! { Value<'a> by "type" {
                inside "a" A: A<'a>,
                inside "b" B: B,
            }}
            wire_struct! { A<'a> {
                field "type" type_: AType,
                field "x" x: Cow<'a, str>,
            }}
        "#]],
    );
    // The payload declares its tag, so it alone writes it.
    assert!(code.contains("    inside \"a\" A: A<'a>,\n"), "{code}");
}

#[test]
fn a_reference_wrapped_in_all_of_loses_nothing() {
    let more = json!({
        "A": object(&["type", "x"], json!({"type": {"const": "a"}, "x": {"type": "string"}})),
        "B": object(&["type"], json!({"type": {"const": "b"}})),
    });
    let value = json!({"oneOf": [{"allOf": [to("A")]}, {"allOf": [to("B")]}]});
    declares(
        &Small::around(value, more).code(),
        &["pub enum Value"],
        &expect![[r#"
            wire_union! { Value<'a> by "type" {
                inside "a" A: A<'a>,
                inside "b" B: B,
            }}
        "#]],
    );
}

#[test]
fn referenced_requests_are_read_like_inline_ones() {
    let request = |method: &str, params: &str| {
        object(
            &["method", "params"],
            json!({"method": {"const": method}, "params": to(params)}),
        )
    };
    let params = |member: &str| object(&[member], json!({member: {"type": "string"}}));
    let definitions = json!({
        "Event": one_of(&["Open", "Close"]),
        "Open": request("open", "OpenParams"), "OpenParams": params("path"),
        "Close": request("close", "CloseParams"), "CloseParams": params("reason"),
    });
    let rows = "\"close\" = { drop = \"a test\" }\n\"open\" = { drop = \"a test\" }\n";
    let code = Small::new()
        .vendored("1.0.0", "stable", definitions)
        .rows("tiny.event", rows)
        .code();
    declares(
        &code,
        &["pub enum Event"],
        &expect![[r#"
            wire_message! { Event<'a> by "method" in "params" alone {
                content "close" Close: CloseParams<'a>,
                content "open" Open: OpenParams<'a>,
            }}
        "#]],
    );
}

#[test]
fn several_values_pick_one_member() {
    let value = json!({"oneOf": [
        object(&["type", "x"], json!({"type": {"enum": ["a", "b"]}, "x": {"type": "string"}})),
        object(&["type"], json!({"type": {"enum": ["c"]}})),
    ]});
    let code = Small::around(value, nothing()).code();
    declares(
        &code,
        &["pub enum Value", "pub struct ValueA"],
        &expect![[r#"
            wire_union! { Value<'a> by "type" {
                beside "a" A: ValueA<'a>,
                beside "b" B: ValueA<'a>,
                bare "c" C,
            }}
            wire_struct! { ValueA<'a> {
                field "x" x: Cow<'a, str>,
            }}
        "#]],
    );
    for line in ["beside \"a\" A: ValueA<'a>", "beside \"b\" B: ValueA<'a>"] {
        assert!(code.contains(&format!("    {line},\n")), "{code}");
    }
}

/// `string-or-object`
#[test]
fn texts_and_objects_of_one_member_are_one_enum() {
    let value = json!({"oneOf": [
        {"enum": ["never"]},
        object(&["granular"], json!({"granular": {"type": "object"}})),
    ]});
    declares(
        &Small::around(value, nothing()).code(),
        &["pub enum Value"],
        &expect![[r#"
            wire_external! { Value<'a> {
                keyed "granular" Granular: Json<'a>,
                text "never" Never,
            }}
        "#]],
    );
}

#[test]
fn one_name_as_a_text_and_as_a_member_is_one_variant() {
    let value = json!({"oneOf": [
        {"enum": ["denied"]},
        object(&["denied"], json!({"denied": {"type": "string"}})),
    ]});
    let code = Small::around(value, nothing()).code();
    declares(
        &code,
        &["pub enum Value"],
        &expect![[r#"
            wire_external! { Value<'a> {
                either "denied" Denied: Option<Cow<'a, str>>,
            }}
        "#]],
    );
}

#[test]
fn the_form_of_the_value_picks_where_nothing_else_does() {
    let value = json!({"anyOf": [
        {"type": "string"},
        {"type": "array", "items": {"type": "string"}},
        object(&["path", "line"], json!({"path": {"type": "string"}, "line": {"type": "integer"}})),
        object(&["path"], json!({"path": {"type": "string"}})),
    ]});
    let code = Small::around(value, nothing()).code();
    declares(
        &code,
        &["pub enum Value"],
        &expect![[r#"
        pub enum Value<'a> {
            Line(ValueLine<'a>),
            Path(ValuePath<'a>),
            Text(Cow<'a, str>),
            List(Vec<Cow<'a, str>>),
            Unrecognized(Unrecognized<'a>),
        }
    "#]],
    );
    // The arm that asks for more is tried first.
    let line = code.find("Self::Line(Wire::read(reader)?)").unwrap();
    assert!(line < code.find("Self::Path(Wire::read(reader)?)").unwrap());
}

#[test]
fn arms_that_nothing_tells_apart_are_an_error() {
    let value = json!({"anyOf": [{"type": "string"}, {"type": "string", "format": "uri"}]});
    let errors = Small::around(value, nothing()).errors();
    assert_eq!(errors.len(), 1);
    assert!(errors[0].contains("nothing tells the arms"), "{errors:?}");
    assert!(errors[0].contains("(at /definitions/Value)"), "{errors:?}");
}

#[test]
fn every_spelling_of_a_text_enum_is_one() {
    let more = json!({"Slow": {"const": "slow"}, "Fast": {"enum": ["fast"]}});
    let spellings = [
        json!({"type": "string", "enum": ["fast", "slow"]}),
        json!({"oneOf": [{"const": "fast"}, {"const": "slow"}]}),
        json!({"anyOf": [{"enum": ["fast"]}, {"const": "slow"}]}),
        one_of(&["Slow", "Fast"]),
    ];
    let codes = spellings.map(|value| Small::around(value, more.clone()).code());
    declares_alike(
        &codes,
        &["pub enum Value"],
        &expect![[r#"
            wire_text! { Value {
                Fast "fast",
                Slow "slow",
            }}
        "#]],
    );
}

#[test]
fn null_among_the_members_makes_the_use_optional() {
    let a = object(&["type"], json!({"type": {"const": "a"}}));
    let b = object(&["type"], json!({"type": {"const": "b"}}));
    let spellings = [
        json!({"type": "null"}),
        json!({"const": null}),
        json!({"enum": [null]}),
    ];
    let codes = spellings.map(|spelled| {
        let inline = json!({"value": {"oneOf": [a.clone(), b.clone(), spelled]}});
        Small::around(object(&["value"], inline), nothing()).code()
    });
    declares_alike(
        &codes,
        &["pub struct Value"],
        &expect![[r#"
            wire_struct! { Value<'a> {
                field "value" value: Option<ValueValue<'a>>,
            }}
        "#]],
    );
}

#[test]
fn a_definition_that_allows_null_makes_every_use_optional() {
    let used = |maybe: Value| {
        let value = object(&["maybe"], json!({"maybe": to("Maybe")}));
        Small::around(value, json!({"Maybe": maybe, "Text": {"type": "string"}})).code()
    };
    let texts = [
        json!({"type": ["string", "null"]}),
        json!({"anyOf": [{"type": "string"}, {"type": "null"}]}),
        json!({"anyOf": [to("Text"), {"type": "null"}]}),
    ];
    declares_alike(
        &texts.map(used),
        &["pub struct Value"],
        &expect![[r#"
            wire_struct! { Value<'a> {
                field "maybe" maybe: Option<Maybe<'a>>,
            }}
        "#]],
    );
    let enums = [
        json!({"oneOf": [{"enum": ["a"]}, {"const": "b"}, {"type": "null"}]}),
        json!({"type": ["string", "null"], "enum": ["a", "b", null]}),
        json!({"enum": ["a", "b", null]}),
    ];
    declares_alike(
        &enums.map(used),
        &["pub struct Value", "pub enum Maybe"],
        &expect![[r#"
            wire_struct! { Value {
                field "maybe" maybe: Option<Maybe>,
            }}
            wire_text! { Maybe {
                A "a",
                B "b",
            }}
        "#]],
    );
}

#[test]
fn envelope_members_are_required_only_where_every_variant_requires_them() {
    let variant = |method: &str, required: &[&str]| {
        object(
            required,
            json!({"method": {"const": method}, "id": {"type": "string"}, "params": {"type": "string"}}),
        )
    };
    let event = json!({"oneOf": [variant("a", &["method", "id"]), variant("b", &["method"])]});
    let rows = "\"a\" = { drop = \"a test\" }\n\"b\" = { drop = \"a test\" }\n";
    let code = Small::new()
        .vendored("1.0.0", "stable", json!({"Event": event}))
        .rows("tiny.event", rows)
        .code();
    declares(
        &code,
        &["pub struct Event"],
        &expect![[r#"
            wire_envelope! { Event<'a> around EventKind by "method" in "params" {
                optional "id" id: Option<Cow<'a, str>>,
            }}
        "#]],
    );
}

#[test]
fn an_arm_that_another_one_hides_is_an_error() {
    // The plain form asks for nothing that the titled one does not have, and both are of one weight.
    let more = json!({
        "Plain": object(&["names", "type"], json!({"names": {"type": "string"}, "type": {"const": "a"}})),
        "Other": object(&["other", "type"], json!({"other": {"type": "string"}, "type": {"const": "a"}})),
        "Titled": object(&["names", "type"], json!({"names": {"type": "string"}, "titles": {"type": "string"}, "type": {"const": "a"}})),
        "Either": {"anyOf": [to("Plain"), to("Other")]},
    });
    let errors = Small::around(json!({"anyOf": [to("Either"), to("Titled")]}), more).errors();
    assert_eq!(errors.len(), 1, "{errors:?}");
    assert!(
        errors[0].contains("nothing tells the arms `Either` and `Titled` apart"),
        "{errors:?}"
    );
}
