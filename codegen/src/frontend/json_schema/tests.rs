//! The forms of drafts from 2019-09 on, each in the smallest schema that has it.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::*;
use crate::ir::{Arm, Face, Field, Guard, Variant};

fn lowered(definitions: Value, root: &str) -> Result<Module, Vec<String>> {
    let schema = json!({ "$defs": definitions });
    let document = Document::new(0, 0, Face::Stable, &schema).unwrap();
    let roots = BTreeSet::from([root.to_owned()]);
    lower(&document, &roots).map_err(|problems| {
        problems
            .into_iter()
            .map(|problem| problem.message)
            .collect()
    })
}

fn shape(definitions: Value, root: &str) -> Shape {
    lowered(definitions, root)
        .unwrap()
        .definitions
        .remove(root)
        .unwrap()
        .shape
}

fn tagged(tag: &str, target: &str) -> Value {
    json!({
        "allOf": [{"$ref": format!("#/$defs/{target}")}],
        "properties": {"type": {"const": tag, "type": "string"}},
        "required": ["type"], "type": "object",
    })
}

fn other(left_out: &[&str]) -> Value {
    let members: Vec<Value> = left_out
        .iter()
        .map(|tag| json!({"properties": {"type": {"const": tag}}, "required": ["type"]}))
        .collect();
    json!({
        "additionalProperties": true, "not": {"anyOf": members},
        "properties": {"type": {"type": "string"}}, "required": ["type"], "type": "object",
    })
}

fn object(members: &[&str]) -> Value {
    let properties: serde_json::Map<String, Value> = members
        .iter()
        .map(|name| ((*name).to_owned(), json!({"type": "string"})))
        .collect();
    json!({"properties": properties, "required": members, "type": "object"})
}

fn variants(shape: Shape) -> BTreeMap<String, Variant> {
    let Shape::Tagged { variants, .. } = shape else {
        panic!("{shape:?}")
    };
    variants
}

fn fields(shape: Shape) -> BTreeMap<String, Field> {
    let Shape::Struct(fields) = shape else {
        panic!("{shape:?}")
    };
    fields
}

#[test]
fn a_reference_beside_its_tag_is_the_payload_and_the_rest_is_left_to_unrecognized() {
    let definitions = json!({
        "Block": {"anyOf": [tagged("text", "Text"), tagged("note", "Text"), other(&["note", "text"])]},
        "Text": object(&["text"]),
    });
    let variants = variants(shape(definitions, "Block"));
    let tags: Vec<&str> = variants.keys().map(String::as_str).collect();
    assert_eq!(tags, ["note", "text"]);
    assert_eq!(variants["text"].payload, Some(Type::Ref("Text".to_owned())));
    assert!(!variants["text"].tag_inside);
}

#[test]
fn what_a_schema_says_of_its_tags_must_agree() {
    let text = object(&["text"]);
    let rest =
        json!({"Block": {"anyOf": [tagged("text", "Text"), other(&["note"])]}, "Text": text});
    assert!(lowered(rest, "Block").unwrap_err()[0].contains("leaves out other tags"));
    let named = json!({
        "Block": {"discriminator": {"propertyName": "kind"}, "oneOf": [tagged("text", "Text")]}, "Text": text,
    });
    assert!(lowered(named, "Block").unwrap_err()[0].contains("the discriminator is `kind`"));
    let stray = json!({"Text": {"not": {"type": "string"}}});
    assert!(lowered(stray, "Text").unwrap_err()[0].contains("keyword `not` has no lowering rule"));
}

#[test]
fn any_text_or_integer_beside_those_with_a_meaning_is_an_open_enum() {
    let texts =
        json!({"Kind": {"anyOf": [{"const": "read", "type": "string"}, {"type": "string"}]}});
    let Shape::Enum(values) = shape(texts, "Kind") else {
        panic!("no enum")
    };
    assert_eq!(values.into_keys().collect::<Vec<_>>(), ["read"]);
    let codes = json!({"Code": {"anyOf": [{"const": -32601, "type": "integer"}, {"type": "integer", "format": "int32"}]}});
    let Shape::Codes(values) = shape(codes, "Code") else {
        panic!("no codes")
    };
    assert_eq!(values.into_keys().collect::<Vec<_>>(), [-32601]);
}

#[test]
fn an_arm_without_a_tag_does_not_take_the_tags_that_no_one_knows() {
    let definitions = json!({
        "Server": {"anyOf": [tagged("http", "Http"), {"allOf": [{"$ref": "#/$defs/Local"}]}]},
        "Http": object(&["url"]), "Local": object(&["command"]),
    });
    let Shape::Untagged(arms) = shape(definitions, "Server") else {
        panic!("not untagged")
    };
    let named = |name: &str| -> Arm { arms.iter().find(|arm| arm.name == name).unwrap().clone() };
    assert_eq!(named("Http").tags["type"], "http");
    let Guard::Object {
        required, absent, ..
    } = named("Local").guards[0].clone()
    else {
        panic!("no object")
    };
    assert_eq!(
        (required, absent),
        (
            BTreeSet::from(["command".to_owned()]),
            BTreeSet::from(["type".to_owned()])
        )
    );
}

#[test]
fn lists_that_their_elements_tell_apart_are_one_list() {
    let list = |name: &str| json!({"type": "array", "items": {"$ref": format!("#/$defs/{name}")}});
    let definitions = json!({"All": {"anyOf": [list("One"), list("Two")]}, "One": object(&["a"]), "Two": object(&["b"])});
    assert_eq!(
        shape(definitions, "All"),
        Shape::Alias(Type::List(Box::new(Type::Ref("AllItem".to_owned()))))
    );
}

#[test]
fn a_tag_that_may_be_absent_is_a_member_like_others() {
    let pick = |text: &str| json!({"properties": {"why": {"const": text, "type": "string"}}, "required": ["why"], "type": "object"});
    let mut failed = tagged("x", "Failure");
    failed["properties"] = json!({"why": {"const": "failed", "type": "string"}});
    failed["required"] = json!(["why"]);
    let absent = json!({"properties": {"why": {"type": "null"}}, "type": "object"});
    let definitions = json!({
        "Idle": {"properties": {"id": {"type": "string"}}, "type": "object", "anyOf": [pick("done"), failed, absent]},
        "Failure": object(&["error"]),
    });
    let module = lowered(definitions, "Idle").unwrap();
    let members = fields(module.definitions["Idle"].shape.clone());
    assert_eq!(
        members.keys().map(String::as_str).collect::<Vec<_>>(),
        ["error", "id", "why"]
    );
    assert_eq!(members["why"].ty, Type::Ref("IdleWhy".to_owned()).or_null());
    assert!(!members["why"].required && !members["error"].required);
    let Shape::Enum(values) = &module.definitions["IdleWhy"].shape else {
        panic!("no enum")
    };
    assert_eq!(values.keys().collect::<Vec<_>>(), ["done", "failed"]);
}

#[test]
fn markers_say_where_null_is_a_value() {
    let definitions = json!({
        "Update": {
            "x-patch": true, "type": "object", "required": ["id", "list"],
            "properties": {
                "id": {"type": "string"},
                "title": {"type": ["string", "null"]},
                "list": {"type": "array", "items": {"type": "string"}, "x-deserialize-default-on-null": true},
            },
        },
    });
    let members = fields(shape(definitions, "Update"));
    assert!(members["title"].patch && !members["id"].patch);
    assert!(members["list"].ty.nullable() && !members["list"].patch);
}

#[test]
fn markers_bind_a_method_to_its_parameters_and_its_result() {
    let marked = |method: &str, side: &str| {
        let mut schema = object(&["path"]);
        schema["x-method"] = json!(method);
        schema["x-side"] = json!(side);
        schema
    };
    let message = |params: &[&str], members: Value| {
        let listed: Vec<Value> = params
            .iter()
            .map(|name| json!({"allOf": [{"$ref": format!("#/$defs/{name}")}]}))
            .collect();
        let mut schema = json!({
            "properties": {"method": {"type": "string"}, "params": {"anyOf": [{"anyOf": listed}, {"type": "null"}]}},
            "required": ["method"], "type": "object",
        });
        schema["properties"]
            .as_object_mut()
            .unwrap()
            .extend(members.as_object().unwrap().clone());
        schema
    };
    let definitions = json!({
        "Request": message(&["Read", "Ext"], json!({"id": {"type": "string"}})),
        "Notification": message(&["Told"], json!({})),
        "Read": marked("fs/read", "client"), "ReadDone": marked("fs/read", "client"), "Ext": {},
        "Told": marked("told", "client"), "Cancel": marked("$/cancel", "protocol"),
    });
    let module = lowered(definitions.clone(), "Request").unwrap();
    let Shape::Tagged {
        content,
        common,
        variants,
        ..
    } = &module.definitions["Request"].shape
    else {
        panic!("no union")
    };
    assert_eq!(
        (content.as_deref(), common.contains_key("id")),
        (Some("params"), true)
    );
    assert_eq!(variants.keys().collect::<Vec<_>>(), ["fs/read"]);
    let both = variants_of(&lowered(definitions.clone(), "Notification").unwrap());
    assert_eq!(both, ["$/cancel", "told"]);
    let schema = json!({ "$defs": definitions });
    let documents = [Document::new(0, 0, Face::Stable, &schema).unwrap()];
    assert_eq!(
        bound_result(&documents, "Read").as_deref(),
        Some("ReadDone")
    );
    assert_eq!(bound_result(&documents, "Told"), None);
}

fn variants_of(module: &Module) -> Vec<String> {
    variants(module.definitions["Notification"].shape.clone())
        .into_keys()
        .collect()
}
