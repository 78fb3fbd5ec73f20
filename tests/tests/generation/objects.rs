//! Objects: members, maps, and what they say about further members.

use std::borrow::Cow;

use agentwire_tests::small::{Small, nothing, object, to};
use expect_test::{Expect, expect};
use serde_json::json;

/// The table of a generated type, from `wire_…! { Name` to its end.
#[track_caller]
pub fn table(code: &str, head: &str) -> String {
    let begins = |line: &str| {
        line.strip_prefix(head)
            .is_some_and(|rest| rest.starts_with([' ', '<']))
    };
    let mut text = String::new();
    for line in code.lines().skip_while(|line| !begins(line)) {
        text.push_str(line);
        text.push('\n');
        if line == "}}" {
            return text;
        }
    }
    panic!("no table `{head}` in\n{code}")
}

/// Compares the tables of some generated types.
#[track_caller]
pub fn tables(code: &str, heads: &[&str], expected: &Expect) {
    let all: String = heads.iter().map(|head| table(code, head)).collect();
    expected.assert_eq(&all);
}

/// `additional-properties-false`
#[test]
fn unknown_members_are_skipped_also_where_the_schema_forbids_them() {
    let value = json!({"type": "object", "additionalProperties": false, "properties": {"a": {"type": "string"}}});
    tables(
        &Small::around(value, nothing()).code(),
        &["wire_struct! { Value"],
        &expect![[r#"
            wire_struct! { Value<'a> {
                optional "a" a: Option<Cow<'a, str>>,
            }}
        "#]],
    );
    // What the table above declares skips what it does not list.
    mod declared {
        use super::Cow;
        agentwire::json::wire_struct! { Value<'a> {
            optional "a" a: Option<Cow<'a, str>>,
        }}
    }
    let text = r#"{"z":[{"a":1}],"a":"x","b":null}"#;
    let (value, _) = agentwire::json::decode::<declared::Value<'_>>(text).unwrap();
    assert_eq!(value.a.as_deref(), Some("x"));
    let value: declared::Value<'_> = serde_json::from_str(text).unwrap();
    assert_eq!(value.a.as_deref(), Some("x"));
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
    tables(
        &Small::around(value, nothing()).code(),
        &["wire_struct! { Value"],
        &expect![[r#"
            wire_struct! { Value<'a> {
                optional "absent" absent: Option<u32>,
                field "both" both: Option<Cow<'a, str>>,
                field "here" here: Cow<'a, str>,
                optional "listed" listed: Option<Vec<Option<f64>>>,
                optional "null" null: Option<Json<'a>>,
            }}
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
    tables(
        &Small::around(value, nothing()).code(),
        &["wire_struct! { Value"],
        &expect![[r#"
            wire_struct! { Value<'a> {
                optional "any" any: Option<Map<'a, Json<'a>>>,
                optional "anything" anything: Option<Json<'a>>,
                optional "described" described: Option<Json<'a>>,
                optional "map" map: Option<Map<'a, bool>>,
                optional "opaque" opaque: Option<Json<'a>>,
            }}
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
    tables(
        &Small::around(value, nothing()).code(),
        &["wire_struct! { Value"],
        &expect![[r#"
            wire_struct! { Value<'a> {
                optional "path" path: Option<Cow<'a, str>>,
                optional "url" url: Option<Cow<'a, str>>,
            }}
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
    tables(
        &Small::around(value, nothing()).code(),
        &["wire_struct! { Value"],
        &expect![[r#"
            wire_struct! { Value {
                field "a" a: i64,
                field "b" b: u64,
                field "c" c: i32,
                field "d" d: f64,
            }}
        "#]],
    );
}

#[test]
fn a_value_that_holds_itself_is_boxed() {
    let node = object(
        &["name"],
        json!({"name": {"type": "string"}, "next": to("Value"), "all": {"type": "array", "items": to("Value")}}),
    );
    tables(
        &Small::around(node, nothing()).code(),
        &["wire_struct! { Value"],
        &expect![[r#"
            wire_struct! { Value<'a> {
                optional "all" all: Option<Vec<Value<'a>>>,
                field "name" name: Cow<'a, str>,
                optional "next" next: Option<Box<Value<'a>>>,
            }}
        "#]],
    );
}

#[test]
fn a_union_that_holds_itself_is_boxed() {
    let value = json!({"oneOf": [
        object(&["type", "of"], json!({"type": {"const": "not"}, "of": to("Value")})),
        object(&["type"], json!({"type": {"const": "yes"}})),
    ]});
    tables(
        &Small::around(value, nothing()).code(),
        &["wire_union! { Value", "wire_struct! { ValueNot"],
        &expect![[r#"
            wire_union! { Value<'a> by "type" {
                beside "not" Not: Box<ValueNot<'a>>,
                bare "yes" Yes,
            }}
            wire_struct! { ValueNot<'a> {
                field "of" of: Box<Value<'a>>,
            }}
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
    tables(
        &code,
        &["wire_struct! { Value"],
        &expect![[r#"
        wire_struct! { Value<'a> {
            optional "key" key: Option<Cow<'a, str>>,
            optional "object" object: Option<Cow<'a, str>>,
            field "reader" reader: Cow<'a, str>,
            optional "writer" writer: Option<Cow<'a, str>>,
        }}
    "#]],
    );
    // What the table above declares keeps its members apart from what reads and writes them.
    mod declared {
        use super::Cow;
        agentwire::json::wire_struct! { Value<'a> {
            optional "key" key: Option<Cow<'a, str>>,
            optional "object" object: Option<Cow<'a, str>>,
            field "reader" reader: Cow<'a, str>,
            optional "writer" writer: Option<Cow<'a, str>>,
        }}
    }
    let text = r#"{"key":"k","object":"o","reader":"r","writer":"w"}"#;
    let (value, _) = agentwire::json::decode::<declared::Value<'_>>(text).unwrap();
    assert_eq!((&*value.reader, value.object.as_deref()), ("r", Some("o")));
    assert_eq!(agentwire::json::encode(&value), text);
}
