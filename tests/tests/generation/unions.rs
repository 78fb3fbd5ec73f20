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
        pub struct Event<'a> {
            pub emitted_at_ms: Option<i64>,
            pub kind: EventKind<'a>,
        }
        pub enum EventKind<'a> {
            A(Option<Cow<'a, str>>),
            Unrecognized(Unrecognized<'a>),
        }
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
        pub struct Value<'a> {
            pub at: Cow<'a, str>,
            pub kind: ValueKind<'a>,
        }
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
        pub struct Value<'a> {
            pub kind_: Option<Cow<'a, str>>,
            pub kind: ValueKind<'a>,
        }
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
        pub enum Value<'a> {
            A(A<'a>),
            B(B),
            Unrecognized(Unrecognized<'a>),
        }
        pub struct A<'a> {
            pub type_: AType,
            pub x: Cow<'a, str>,
        }
    "#]],
    );
    // The payload declares its tag, so it alone writes it.
    assert!(
        code.contains("Self::A(payload) => object.inline(payload),"),
        "{code}"
    );
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
        pub enum Value<'a> {
            A(A<'a>),
            B(B),
            Unrecognized(Unrecognized<'a>),
        }
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
        pub enum Event<'a> {
            Close(CloseParams<'a>),
            Open(OpenParams<'a>),
            Unrecognized(Unrecognized<'a>),
        }
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
        pub enum Value<'a> {
            A(ValueA<'a>),
            B(ValueA<'a>),
            C,
            Unrecognized(Unrecognized<'a>),
        }
        pub struct ValueA<'a> {
            pub x: Cow<'a, str>,
        }
    "#]],
    );
    for tag in ["a", "b"] {
        assert!(
            code.contains(&format!("object.tag(\"type\", \"{tag}\");")),
            "{code}"
        );
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
        pub enum Value<'a> {
            Granular(Json<'a>),
            Never,
            Unrecognized(Unrecognized<'a>),
        }
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
        pub enum Value<'a> {
            Denied(Option<Cow<'a, str>>),
            Unrecognized(Unrecognized<'a>),
        }
    "#]],
    );
    assert!(
        code.contains("Self::Denied(None) => writer.string(\"denied\"),"),
        "{code}"
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
        pub enum Value {
            Fast,
            Slow,
            Unrecognized(Box<str>),
        }
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
        pub struct Value<'a> {
            pub value: Option<ValueValue<'a>>,
        }
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
        pub struct Value<'a> {
            pub maybe: Option<Maybe<'a>>,
        }
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
        pub struct Value {
            pub maybe: Option<Maybe>,
        }
        pub enum Maybe {
            A,
            B,
            Unrecognized(Box<str>),
        }
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
        pub struct Event<'a> {
            pub id: Option<Cow<'a, str>>,
            pub kind: EventKind<'a>,
        }
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
