//! Definitions: namespaces and references.

use agentwire_tests::small::{Small, nothing, object, to};
use expect_test::expect;
use serde_json::json;

use crate::generation::declares;

/// `nested-definitions`
#[test]
fn a_map_of_definitions_among_the_definitions_is_a_namespace() {
    let more = json!({
        "Thing": object(&["flat"], json!({"flat": {"type": "string"}})),
        "v2": {
            "Thing": object(&["nested"], json!({"nested": {"type": "string"}})),
            "Other": object(&["thing"], json!({"thing": to("v2/Thing")})),
        },
    });
    let value = object(&["a", "b"], json!({"a": to("Thing"), "b": to("v2/Other")}));
    let small = Small::around(value, more);
    let output = small.generate().unwrap();
    let module = &output.files["contracts/src/generated/tiny/v2.rs"];
    declares(
        module,
        &["pub struct Thing", "pub struct Other"],
        &expect![[r#"
            wire_struct! { Thing<'a> {
                field "nested" nested: Cow<'a, str>,
            }}
            wire_struct! { Other<'a> {
                field "thing" thing: Thing<'a>,
            }}
        "#]],
    );
    let code = small.code();
    declares(
        &code,
        &["pub struct Value"],
        &expect![[r#"
            wire_struct! { Value<'a> {
                field "a" a: Thing<'a>,
                field "b" b: Other<'a>,
            }}
        "#]],
    );
    assert!(output.files["contracts/src/generated/tiny/mod.rs"].contains("pub mod v2;"));
}

#[test]
fn a_namespace_in_a_namespace_is_one_module() {
    let more = json!({"old": {"v1": {"Thing": object(&["x"], json!({"x": {"type": "string"}}))}}});
    let output = Small::around(object(&["a"], json!({"a": to("old/v1/Thing")})), more)
        .generate()
        .unwrap();
    let module = &output.files["contracts/src/generated/tiny/old_v1.rs"];
    declares(
        module,
        &["pub struct Thing"],
        &expect![[r#"
            wire_struct! { Thing<'a> {
                field "x" x: Cow<'a, str>,
            }}
        "#]],
    );
    assert!(output.files["contracts/src/generated/tiny/mod.rs"].contains("pub mod old_v1;"));
}

#[test]
fn two_types_of_one_module_can_not_have_one_name() {
    // The namespace has the name of the surface's module, so both would stand in one file.
    let more = json!({
        "Thing": object(&["flat"], json!({"flat": {"type": "string"}})),
        "event": {"Thing": object(&["nested"], json!({"nested": {"type": "string"}}))},
    });
    let value = object(
        &["a", "b"],
        json!({"a": to("Thing"), "b": to("event/Thing")}),
    );
    let errors = Small::around(value, more).errors();
    assert_eq!(errors.len(), 1, "{errors:?}");
    assert!(
        errors[0].contains("name-collision: `event/Thing` and `Thing`"),
        "{errors:?}"
    );
}

#[test]
fn a_reference_to_nothing_names_its_path() {
    let value = object(&["a"], json!({"a": to("Missing")}));
    let errors = Small::around(value, nothing()).errors();
    assert_eq!(errors.len(), 1, "{errors:?}");
    assert!(
        errors[0].contains("unlowered-schema: `#/definitions/Missing` names nothing in this file (at /definitions/Value/properties/a)"),
        "{errors:?}"
    );
}

#[test]
fn a_reference_to_another_file_is_an_error() {
    let value = object(&["a"], json!({"a": {"$ref": "other.json#/definitions/A"}}));
    let errors = Small::around(value, nothing()).errors();
    assert!(
        errors[0].contains("`other.json#/definitions/A` names nothing in this file"),
        "{errors:?}"
    );
}

#[test]
fn a_member_of_a_union_that_nothing_declares_is_an_error() {
    let value =
        json!({"oneOf": [to("Missing"), object(&["type"], json!({"type": {"const": "a"}}))]});
    let errors = Small::around(value, nothing()).errors();
    assert!(
        errors
            .iter()
            .any(|error| error.contains("(at /definitions/Value/oneOf/0)")),
        "{errors:?}"
    );
}

#[test]
fn only_what_the_surfaces_reach_is_lowered() {
    let more = json!({"Unreached": {"not": {}}});
    let code = Small::around(json!({"type": "string"}), more).code();
    assert!(!code.contains("Unreached"));
}
