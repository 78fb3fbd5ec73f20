//! Objects: members, maps, and what they say about further members.

use agentwire_tests::small::{Small, nothing, object, to};
use expect_test::expect;
use serde_json::json;

use crate::generation::declares;

/// `additional-properties-false`
#[test]
fn unknown_members_are_skipped_also_where_the_schema_forbids_them() {
    let value = json!({"type": "object", "additionalProperties": false, "properties": {"a": {"type": "string"}}});
    let code = Small::around(value, nothing()).code();
    declares(
        &code,
        &["pub struct Value"],
        &expect![[r#"
        pub struct Value<'a> {
            pub a: Option<Cow<'a, str>>,
        }
    "#]],
    );
    assert!(!code.contains("deny_unknown_fields"));
    assert!(code.contains("_ => reader.skip()?,"), "{code}");
}

#[test]
fn what_may_be_absent_or_null_is_an_option() {
    let value = object(
        &["both", "here"],
        json!({
            "here": {"type": "string"},
            "both": {"type": ["string", "null"]},
            "absent": {"type": "integer", "format": "uint32"},
            "listed": {"type": "array", "items": {"anyOf": [{"type": "number"}, {"type": "null"}]}},
            "null": {"type": "null"},
        }),
    );
    declares(
        &Small::around(value, nothing()).code(),
        &["pub struct Value"],
        &expect![[r#"
        pub struct Value<'a> {
            pub absent: Option<u32>,
            pub both: Option<Cow<'a, str>>,
            pub here: Cow<'a, str>,
            pub listed: Option<Vec<Option<f64>>>,
            pub null: Option<Json<'a>>,
        }
    "#]],
    );
}

#[test]
fn an_object_of_values_is_a_map_and_an_open_one_is_opaque() {
    let value = object(
        &[],
        json!({
            "map": {"type": "object", "additionalProperties": {"type": "boolean"}},
            "any": {"type": "object", "additionalProperties": true},
            "opaque": {"type": "object"},
            "anything": true,
            "described": {"description": "Anything."},
        }),
    );
    declares(
        &Small::around(value, nothing()).code(),
        &["pub struct Value"],
        &expect![[r#"
        pub struct Value<'a> {
            pub any: Option<Map<'a, Json<'a>>>,
            pub anything: Option<Json<'a>>,
            pub described: Option<Json<'a>>,
            pub map: Option<Map<'a, bool>>,
            pub opaque: Option<Json<'a>>,
        }
    "#]],
    );
}

#[test]
fn alternatives_that_only_require_members_are_one_object() {
    let value = json!({
        "type": "object",
        "properties": {"path": {"type": "string"}, "url": {"type": "string"}},
        "oneOf": [{"required": ["path"]}, {"required": ["url"]}],
    });
    declares(
        &Small::around(value, nothing()).code(),
        &["pub struct Value"],
        &expect![[r#"
        pub struct Value<'a> {
            pub path: Option<Cow<'a, str>>,
            pub url: Option<Cow<'a, str>>,
        }
    "#]],
    );
}

#[test]
fn integers_have_the_width_that_their_format_names() {
    let value = object(
        &["a", "b", "c", "d"],
        json!({
            "a": {"type": "integer"},
            "b": {"type": "integer", "format": "uint64", "minimum": 0},
            "c": {"type": "integer", "format": "int32"},
            "d": {"type": "number", "format": "double"},
        }),
    );
    declares(
        &Small::around(value, nothing()).code(),
        &["pub struct Value"],
        &expect![[r#"
        pub struct Value {
            pub a: i64,
            pub b: u64,
            pub c: i32,
            pub d: f64,
        }
    "#]],
    );
}

#[test]
fn a_value_that_holds_itself_is_boxed() {
    let node = object(
        &["name"],
        json!({"name": {"type": "string"}, "next": to("Value"), "all": {"type": "array", "items": to("Value")}}),
    );
    declares(
        &Small::around(node, nothing()).code(),
        &["pub struct Value"],
        &expect![[r#"
        pub struct Value<'a> {
            pub all: Option<Vec<Value<'a>>>,
            pub name: Cow<'a, str>,
            pub next: Option<Box<Value<'a>>>,
        }
    "#]],
    );
}

#[test]
fn a_union_that_holds_itself_is_boxed() {
    let value = json!({"oneOf": [
        object(&["type", "of"], json!({"type": {"const": "not"}, "of": to("Value")})),
        object(&["type"], json!({"type": {"const": "yes"}})),
    ]});
    declares(
        &Small::around(value, nothing()).code(),
        &["pub enum Value", "pub struct ValueNot"],
        &expect![[r#"
        pub enum Value<'a> {
            Not(Box<ValueNot<'a>>),
            Yes,
            Unrecognized(Unrecognized<'a>),
        }
        pub struct ValueNot<'a> {
            pub of: Box<Value<'a>>,
        }
    "#]],
    );
}

#[test]
fn a_name_for_nothing_but_itself_is_an_error() {
    let more = json!({"A": to("B"), "B": {"type": "array", "items": to("A")}});
    let errors = Small::around(object(&[], json!({"a": to("A")})), more).errors();
    assert!(errors[0].contains("unlowered-schema"), "{errors:?}");
    assert!(errors[0].contains("(at /definitions/A)"), "{errors:?}");
}

#[test]
fn members_called_like_the_helpers_of_a_decoder_do_not_shadow_them() {
    let members = json!({"reader": {"type": "string"}, "object": {"type": "string"}, "key": {"type": "string"}, "writer": {"type": "string"}});
    let code = Small::around(object(&["reader"], members), nothing()).code();
    assert!(!code.contains("let mut reader = None;\n        let mut writer = None;\n        let mut object = reader.object()?;"), "{code}");
}
