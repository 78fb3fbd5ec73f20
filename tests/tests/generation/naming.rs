//! Names: distinct by rule, and never one that generated code needs itself.

use std::collections::BTreeSet;

use agentwire_tests::small::{Small, nothing, object, to};
use expect_test::expect;
use serde_json::{Map, Value, json};

use crate::generation::declares;
use crate::generation::objects::{table, tables};

/// `odd-enum-values`
#[test]
fn odd_values_have_distinct_names_and_all_are_read_and_written() {
    let values = [
        "in_progress",
        "inProgress",
        "in-progress",
        "+",
        "-",
        "",
        "*",
        "None",
        "self",
        "empty",
        "plus",
    ];
    let code = Small::around(json!({"enum": values}), nothing()).code();
    tables(
        &code,
        &["wire_text! { Value"],
        &expect![[r#"
            wire_text! { Value {
                EmptyBlank "",
                Asterisk "*",
                PlusSign "+",
                Minus "-",
                None "None",
                EmptyPlain "empty",
                InProgressKebab "in-progress",
                InProgressCamel "inProgress",
                InProgressSnake "in_progress",
                PlusPlain "plus",
                Self_ "self",
            }}
        "#]],
    );
    // A line is a variant and its text, which is what it is read from and what it is written as.
    let text = table(&code, "wire_text! { Value");
    let lines: Vec<(&str, &str)> = text
        .lines()
        .filter_map(|line| line.trim().strip_suffix(',')?.split_once(' '))
        .collect();
    assert_eq!(lines.len(), values.len(), "{text}");
    let names: BTreeSet<&str> = lines.iter().map(|(name, _)| *name).collect();
    assert_eq!(names.len(), values.len(), "{text}");
    // The macro gives every enum this variant.
    assert!(!names.contains("Unrecognized"), "{text}");
    for value in values {
        let literal = format!("{value:?}");
        assert!(lines.iter().any(|(_, wire)| *wire == literal), "{value}");
    }
}

/// `odd-enum-values`
#[test]
fn an_empty_enum_is_an_error_that_names_the_path() {
    let spellings = [
        (json!({"enum": []}), "/definitions/Value/properties/a"),
        (
            json!({"type": "string", "enum": []}),
            "/definitions/Value/properties/a",
        ),
        (
            json!({"oneOf": [{"enum": ["x"]}, {"enum": []}]}),
            "/definitions/Value/properties/a/oneOf/1",
        ),
        (json!({"oneOf": []}), "/definitions/Value/properties/a"),
    ];
    for (schema, path) in spellings {
        let errors = Small::around(object(&[], json!({"a": schema})), nothing()).errors();
        assert_eq!(errors.len(), 1, "{schema}: {errors:?}");
        assert!(errors[0].contains("unlowered-schema"), "{errors:?}");
        assert!(errors[0].ends_with(&format!("(at {path})")), "{errors:?}");
    }
}

#[test]
fn values_that_no_rule_tells_apart_are_a_collision() {
    let errors = Small::around(json!({"enum": ["a-b_c", "a_b-c"]}), nothing()).errors();
    assert_eq!(errors.len(), 1, "{errors:?}");
    assert!(errors[0].contains("name-collision"), "{errors:?}");
    assert!(
        errors[0].contains("`a-b_c`, `a_b-c` all give `ABCMixed`"),
        "{errors:?}"
    );
}

#[test]
fn members_that_share_a_name_are_told_apart_or_a_collision() {
    let members = json!({"threadId": {"type": "string"}, "thread_id": {"type": "string"}});
    tables(
        &Small::around(object(&[], members), nothing()).code(),
        &["wire_struct! { Value"],
        &expect![[r#"
            wire_struct! { Value<'a> {
                optional "threadId" thread_id_camel: Option<Cow<'a, str>>,
                optional "thread_id" thread_id_snake: Option<Cow<'a, str>>,
            }}
        "#]],
    );
    let members = json!({"a-b_c": {"type": "string"}, "a_b-c": {"type": "string"}});
    let errors = Small::around(object(&[], members), nothing()).errors();
    assert_eq!(errors.len(), 1, "{errors:?}");
    assert!(errors[0].contains("name-collision"), "{errors:?}");
}

/// `prelude-names`
#[test]
fn types_called_like_the_prelude_or_the_runtime_shadow_nothing() {
    let names = [
        "Option",
        "Vec",
        "String",
        "Result",
        "Box",
        "Some",
        "Default",
        "None",
        "Ok",
        "Err",
        "Self",
        "Cow",
        "Range",
        "Reader",
        "Writer",
        "Wire",
        "Json",
        "JsonKind",
        "Kind",
        "Map",
        "Object",
        "Malformed",
        "Unrecognized",
        "External",
        "Mapping",
        "Cx",
        "Out",
        "EmittedBy",
        "RowInfo",
        "RowVerb",
    ];
    let empty = object(&["x"], json!({"x": {"type": "string"}}));
    let more: Map<String, Value> = names
        .iter()
        .map(|name| ((*name).to_owned(), empty.clone()))
        .collect();
    let members: Map<String, Value> = names
        .iter()
        .map(|name| (format!("m{name}"), to(name)))
        .collect();
    let code = Small::around(object(&[], Value::Object(members)), Value::Object(more)).code();
    for name in names {
        assert!(
            code.contains(&format!("\nwire_struct! {{ {name}Type<'a> {{\n")),
            "{name}"
        );
    }
}

#[test]
fn two_definitions_with_one_name_in_code_are_a_collision() {
    let more = json!({"fooBar": object(&["x"], json!({"x": {"type": "string"}})), "foo_bar": object(&["y"], json!({"y": {"type": "string"}}))});
    let value = object(&[], json!({"a": to("fooBar"), "b": to("foo_bar")}));
    let errors = Small::around(value, more).errors();
    assert_eq!(errors.len(), 1, "{errors:?}");
    assert!(
        errors[0].contains("`foo_bar` and `fooBar` would both be called `FooBar`"),
        "{errors:?}"
    );
}

#[test]
fn an_inline_shape_never_takes_the_name_of_a_definition() {
    let more = json!({"ValueItem": object(&["x"], json!({"x": {"type": "string"}}))});
    let inline = object(&["y"], json!({"y": {"type": "string"}}));
    let errors = Small::around(object(&[], json!({"item": inline})), more).errors();
    assert_eq!(errors.len(), 1, "{errors:?}");
    assert!(
        errors[0].contains("an inline shape would be called `ValueItem`, which another has"),
        "{errors:?}"
    );
}

#[test]
fn names_of_arms_follow_the_rule_of_variants() {
    let more = json!({"some_text": {"type": "string"}, "unrecognized": {"type": "boolean"}});
    let value = json!({"anyOf": [to("some_text"), to("unrecognized")]});
    declares(
        &Small::around(value, more).code(),
        &["pub enum Value"],
        &expect![[r#"
        pub enum Value<'a> {
            SomeText(SomeText<'a>),
            UnrecognizedValue(UnrecognizedType),
            Unrecognized(Unrecognized<'a>),
        }
    "#]],
    );
}

#[test]
fn rows_whose_methods_would_have_one_name_are_a_collision() {
    let variant = |tag: &str| object(&["type"], json!({"type": {"const": tag}}));
    let event = json!({"oneOf": [variant("a/b"), variant("ab")]});
    let rows = "\"a/b\" = { rename = \"turn.started\" }\n\"ab\" = { rename = \"turn.started\" }\n";
    let errors = Small::new()
        .vendored("1.0.0", "stable", json!({"Event": event}))
        .rows("tiny.event", rows)
        .errors();
    assert_eq!(errors.len(), 1, "{errors:?}");
    assert!(errors[0].contains("name-collision"), "{errors:?}");
}
