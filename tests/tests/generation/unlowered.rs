//! What no rule lowers is an error that names the path: nothing is passed over in silence.

use agentwire_codegen::diagnostics::Code;
use agentwire_tests::small::{Small, nothing, object, to};
use serde_json::{Value, json};

/// The one error of a schema, which must name this path.
#[track_caller]
fn refused(schema: Value, more: Value, path: &str) -> String {
    let small = Small::around(object(&[], json!({"a": schema})), more);
    let found = small.diagnostics();
    let [only] = found.as_slice() else {
        panic!("{found:?}")
    };
    assert_eq!(only.code, Code::UnloweredSchema);
    let at = format!(" (at /definitions/Value/properties/a{path})");
    let sentence = only.message.strip_suffix(&at);
    sentence
        .unwrap_or_else(|| panic!("{} does not end in {at}", only.message))
        .to_owned()
}

#[test]
fn an_unknown_keyword() {
    let sentence = refused(
        json!({"type": "string", "contentMediaType": "text/css"}),
        nothing(),
        "",
    );
    assert_eq!(sentence, "keyword `contentMediaType` has no lowering rule");
    let sentence = refused(
        json!({"type": "object", "patternProperties": {"^x": {}}}),
        nothing(),
        "",
    );
    assert_eq!(sentence, "keyword `patternProperties` has no lowering rule");
}

#[test]
fn an_unknown_keyword_beside_a_reference_or_around_a_null() {
    let more = json!({"Text": {"type": "string"}});
    let beside = json!({"$ref": "#/definitions/Text", "not": {"const": ""}});
    assert_eq!(
        refused(beside, more.clone(), ""),
        "keyword `not` has no lowering rule"
    );
    let around = json!({"anyOf": [to("Text"), {"type": "null"}], "not": {"const": ""}});
    assert_eq!(
        refused(around, more, ""),
        "keyword `not` has no lowering rule"
    );
}

#[test]
fn members_beside_a_reference() {
    let more = json!({"Text": object(&[], json!({"x": {"type": "string"}}))});
    let beside = json!({"$ref": "#/definitions/Text", "properties": {"y": {"type": "string"}}});
    assert!(refused(beside, more, "").contains("`properties`"));
}

#[test]
fn all_of_several_schemas() {
    let more = json!({"A": object(&[], json!({"x": {"type": "string"}})), "B": object(&[], json!({"y": {"type": "string"}}))});
    let plain = json!({"allOf": [to("A"), to("B")]});
    assert!(refused(plain, more.clone(), "").contains("allOf"));
    let with_members = json!({"allOf": [to("A"), to("B")], "type": "object", "properties": {"z": {"type": "string"}}});
    assert!(refused(with_members, more.clone(), "").contains("allOf"));
    let one_with_others =
        json!({"allOf": [to("A")], "type": "object", "additionalProperties": {"type": "string"}});
    assert!(refused(one_with_others, more, "").contains("allOf"));
}

#[test]
fn a_schema_without_a_type() {
    assert_eq!(
        refused(json!({"minimum": 1}), nothing(), ""),
        "a schema that says no type has no lowering rule"
    );
    assert_eq!(
        refused(json!(false), nothing(), ""),
        "this is not a schema with values"
    );
}

#[test]
fn a_value_of_several_kinds() {
    let sentence = refused(json!({"type": ["string", "integer"]}), nothing(), "");
    assert_eq!(
        sentence,
        "a value of several kinds (string, integer) has no name for each"
    );
}

#[test]
fn an_unknown_integer_format() {
    let sentence = refused(
        json!({"type": "integer", "format": "uint128"}),
        nothing(),
        "",
    );
    assert_eq!(sentence, "integer format `uint128` has no lowering rule");
}

#[test]
fn a_list_with_one_schema_a_position() {
    let tuple = json!({"type": "array", "items": [{"type": "string"}, {"type": "integer"}]});
    assert!(refused(tuple, nothing(), "").contains("one schema a position"));
}

#[test]
fn members_beside_a_schema_for_all_others() {
    let both = json!({"type": "object", "properties": {"x": {"type": "string"}}, "additionalProperties": {"type": "string"}});
    assert!(
        refused(both, nothing(), "").contains("members beside a schema for all further members")
    );
}

#[test]
fn envelope_members_that_differ_from_variant_to_variant() {
    let with = |method: &str, other: &str| {
        object(
            &["method"],
            json!({"method": {"const": method}, other: {"type": "string"}}),
        )
    };
    let union = json!({"oneOf": [with("a", "x"), with("b", "y")]});
    assert!(refused(union, nothing(), "").contains("differ from variant to variant"));
}

#[test]
fn members_beside_a_union_that_nothing_picks() {
    let more = json!({"A": {"type": "string"}, "B": {"type": "boolean"}});
    let union = json!({"oneOf": [to("A"), to("B")], "properties": {"x": {"type": "string"}}});
    assert!(refused(union, more, "").contains("common members beside a union that nothing picks"));
}

#[test]
fn every_finding_of_a_schema_is_reported_at_once() {
    let members = json!({"a": {"not": {}}, "b": {"type": "integer", "format": "uint128"}, "c": to("Missing"), "d": {"enum": []}});
    let errors = Small::around(object(&[], members), nothing()).errors();
    assert!(errors.len() >= 4, "{errors:?}");
    for member in ["a", "b", "c", "d"] {
        assert!(
            errors
                .iter()
                .any(|error| error.ends_with(&format!("/properties/{member})"))),
            "{member}: {errors:?}"
        );
    }
}

#[test]
fn a_schema_that_is_nested_past_all_reason() {
    let nested = |levels: usize| {
        (0..levels).fold(
            json!({"type": "string"}),
            |schema, _| json!({"type": "array", "items": schema}),
        )
    };
    assert!(
        Small::around(nested(10), nothing())
            .code()
            .contains("Vec<Vec<Vec<")
    );
    let errors = Small::around(nested(100), nothing()).errors();
    assert_eq!(errors.len(), 1, "{errors:?}");
    assert!(errors[0].contains("nested this deep"), "{errors:?}");
}
