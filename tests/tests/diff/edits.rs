//! Edits of a schema, each of which is one change by what it does.

use std::collections::BTreeSet;

use agentwire_upkeep::diff::Check;
use agentwire_upkeep::diff::Class::{self, Additive, Breaking, Dangerous, None as Nothing};
use serde_json::{Value, json};

use crate::diff::sites::{Site, tag_of};

/// An edit.
pub struct Edit {
    /// What the comparison must find.
    pub check: Check,
    /// What it means where the provider sends it, and where it accepts it.
    pub classes: [Class; 2],
    /// Whether it can be made here; the set holds members that pick variants.
    pub fits: fn(&Value, &Site, &BTreeSet<String>) -> bool,
    /// Makes it, with a number that decides what is open.
    pub make: fn(&mut Value, &Site, &BTreeSet<String>, usize),
}

/// The name of what edits add.
const ADDED: &str = "zzAdded";

/// Every edit.
pub const EDITS: &[Edit] = &[
    Edit {
        check: Check::FieldAdded,
        classes: [Additive, Additive],
        fits: plain_object,
        make: |root, site, _, _| add(root, site, false),
    },
    Edit {
        check: Check::RequiredFieldAdded,
        classes: [Additive, Breaking],
        fits: plain_object,
        make: |root, site, _, _| add(root, site, true),
    },
    Edit {
        check: Check::FieldRemoved,
        classes: [Dangerous, Dangerous],
        fits: |schema, site, tags| {
            plain_object(schema, site, tags) && !members(schema, tags, false).is_empty()
        },
        make: |root, site, tags, dice| remove(root, site, tags, dice, false),
    },
    Edit {
        check: Check::RequiredFieldRemoved,
        classes: [Breaking, Dangerous],
        fits: |schema, site, tags| {
            plain_object(schema, site, tags) && !members(schema, tags, true).is_empty()
        },
        make: |root, site, tags, dice| remove(root, site, tags, dice, true),
    },
    Edit {
        check: Check::BecameOptional,
        classes: [Breaking, Additive],
        fits: |schema, site, tags| {
            plain_object(schema, site, tags) && !members(schema, tags, true).is_empty()
        },
        make: |root, site, tags, dice| {
            let schema = at(root, site);
            let names = members(schema, tags, true);
            let name = names[dice % names.len()].clone();
            required(schema).retain(|it| *it != name);
        },
    },
    Edit {
        check: Check::BecameRequired,
        classes: [Additive, Breaking],
        fits: |schema, site, tags| {
            plain_object(schema, site, tags) && !members(schema, tags, false).is_empty()
        },
        make: |root, site, tags, dice| {
            let schema = at(root, site);
            let names = members(schema, tags, false);
            let name = names[dice % names.len()].clone();
            required(schema).push(name);
        },
    },
    Edit {
        check: Check::EnumValueAdded,
        classes: [Dangerous, Additive],
        fits: values,
        make: |root, site, _, _| {
            at(root, site)["enum"]
                .as_array_mut()
                .unwrap()
                .push(json!(ADDED))
        },
    },
    Edit {
        check: Check::EnumValueRemoved,
        classes: [Dangerous, Breaking],
        fits: values,
        make: |root, site, _, dice| {
            let list = at(root, site)["enum"].as_array_mut().unwrap();
            list.remove(dice % list.len());
        },
    },
    Edit {
        check: Check::TypeChanged,
        classes: [Breaking, Breaking],
        fits: |schema, site, tags| scalar(schema, site, tags, "string"),
        make: |root, site, _, _| at(root, site)["type"] = json!("boolean"),
    },
    Edit {
        check: Check::TypeWidened,
        classes: [Breaking, Additive],
        fits: |schema, site, tags| scalar(schema, site, tags, "integer"),
        make: |root, site, _, _| at(root, site)["type"] = json!("number"),
    },
    Edit {
        check: Check::TypeNarrowed,
        classes: [Additive, Breaking],
        fits: |schema, site, tags| scalar(schema, site, tags, "number"),
        make: |root, site, _, _| at(root, site)["type"] = json!("integer"),
    },
    Edit {
        check: Check::FormatWidened,
        classes: [Dangerous, Additive],
        fits: |schema, _, _| schema.get("format").is_some(),
        make: |root, site, _, _| without(at(root, site), "format"),
    },
    Edit {
        check: Check::FormatNarrowed,
        classes: [Additive, Breaking],
        fits: |schema, site, tags| {
            scalar(schema, site, tags, "string") && schema.get("format").is_none()
        },
        make: |root, site, _, _| at(root, site)["format"] = json!("uri"),
    },
    Edit {
        check: Check::BecameNullable,
        classes: [Breaking, Additive],
        fits: |schema, site, tags| {
            ["string", "integer", "boolean", "array"]
                .iter()
                .any(|kind| scalar(schema, site, tags, kind))
        },
        make: |root, site, _, _| {
            let kind = at(root, site)["type"].clone();
            at(root, site)["type"] = json!([kind, "null"]);
        },
    },
    Edit {
        check: Check::BecameNonNull,
        classes: [Additive, Breaking],
        fits: |schema, site, _| {
            !site.arm
                && schema["type"]
                    .as_array()
                    .is_some_and(|kinds| kinds.len() == 2 && kinds[1] == "null")
        },
        make: |root, site, _, _| {
            let kind = at(root, site)["type"][0].clone();
            at(root, site)["type"] = kind;
        },
    },
    Edit {
        check: Check::ConstraintTightened,
        classes: [Additive, Breaking],
        fits: |schema, site, tags| {
            scalar(schema, site, tags, "integer") && schema.get("maximum").is_none()
        },
        make: |root, site, _, _| at(root, site)["maximum"] = json!(7),
    },
    Edit {
        check: Check::ConstraintTightened,
        classes: [Additive, Breaking],
        fits: |schema, site, tags| {
            plain_object(schema, site, tags)
                && schema
                    .get("additionalProperties")
                    .is_none_or(|it| it == true)
        },
        make: |root, site, _, _| at(root, site)["additionalProperties"] = json!(false),
    },
    Edit {
        check: Check::ConstraintLoosened,
        classes: [Dangerous, Additive],
        fits: |schema, _, _| schema.get("minimum").is_some(),
        make: |root, site, _, _| without(at(root, site), "minimum"),
    },
    Edit {
        check: Check::DefaultChanged,
        classes: [Dangerous, Dangerous],
        fits: |schema, _, _| {
            schema
                .get("default")
                .is_some_and(|it| *it != json!([ADDED]))
        },
        make: |root, site, _, _| at(root, site)["default"] = json!([ADDED]),
    },
    Edit {
        check: Check::VariantAdded,
        classes: [Dangerous, Additive],
        fits: union,
        make: |root, site, _, dice| {
            let union = at(root, site);
            let (key, tag) = tag_of(union).unwrap();
            let arms = union[key].as_array_mut().unwrap();
            let mut arm = arms[dice % arms.len()].clone();
            arm["properties"][&tag] = json!({"const": ADDED});
            arms.push(arm);
        },
    },
    Edit {
        check: Check::VariantRemoved,
        classes: [Dangerous, Breaking],
        fits: |schema, site, tags| {
            union(schema, site, tags)
                && tag_of(schema).is_some_and(|(key, _)| {
                    schema[key].as_array().is_some_and(|arms| arms.len() > 2)
                })
        },
        make: |root, site, _, dice| {
            let union = at(root, site);
            let (key, _) = tag_of(union).unwrap();
            let arms = union[key].as_array_mut().unwrap();
            arms.remove(dice % arms.len());
        },
    },
    Edit {
        check: Check::UnionUntagged,
        classes: [Breaking, Additive],
        fits: union,
        make: |root, site, _, dice| {
            let union = at(root, site);
            let (key, tag) = tag_of(union).unwrap();
            let arms = union[key].as_array_mut().unwrap();
            let index = dice % arms.len();
            required(&mut arms[index]).retain(|it| *it != tag);
        },
    },
    Edit {
        check: Check::CommonFieldAdded,
        classes: [Additive, Additive],
        fits: union,
        make: |root, site, _, _| {
            let union = at(root, site);
            if union.get("properties").is_none() {
                union["properties"] = json!({});
            }
            union["properties"][ADDED] = json!({"type": "string"});
        },
    },
    Edit {
        check: Check::MethodParamsChanged,
        classes: [Breaking, Breaking],
        fits: |schema, site, _| {
            let method = schema["properties"]["method"].get("enum").is_some();
            site.arm && method && schema["properties"]["params"].get("$ref").is_some()
        },
        make: |root, site, _, _| {
            at(root, site)["properties"]["params"] = json!({"$ref": "#/definitions/ZzParams"});
            // A list has nothing in common with the object that it stands for.
            root["definitions"]["ZzParams"] = json!({"type": "array", "items": {"type": "string"}});
        },
    },
    Edit {
        check: Check::DefinitionRenamed,
        classes: [Nothing, Nothing],
        fits: named,
        make: |root, site, _, _| rename(root, site, "", "Zz"),
    },
    Edit {
        check: Check::DefinitionMoved,
        classes: [Nothing, Nothing],
        fits: named,
        make: |root, site, _, _| rename(root, site, "zz/", ""),
    },
    Edit {
        check: Check::MarkerChanged,
        classes: [Nothing, Nothing],
        fits: |schema, site, tags| {
            site.member
                .as_ref()
                .is_some_and(|name| !tags.contains(name))
                && schema.get("readOnly").is_none()
                && schema.get("$ref").is_none()
        },
        make: |root, site, _, _| at(root, site)["readOnly"] = json!(true),
    },
];

fn at<'v>(root: &'v mut Value, site: &Site) -> &'v mut Value {
    root.pointer_mut(&site.pointer).unwrap()
}

fn without(schema: &mut Value, key: &str) {
    schema.as_object_mut().unwrap().remove(key);
}

fn required(schema: &mut Value) -> &mut Vec<Value> {
    let map = schema.as_object_mut().unwrap();
    map.entry("required")
        .or_insert_with(|| json!([]))
        .as_array_mut()
        .unwrap()
}

/// An object with members that is no union besides. One with a single member may be told by it.
fn plain_object(schema: &Value, _: &Site, _: &BTreeSet<String>) -> bool {
    let several = schema
        .get("properties")
        .and_then(Value::as_object)
        .is_some_and(|members| members.len() > 1);
    several
        && ["oneOf", "anyOf", "allOf", "not"]
            .iter()
            .all(|key| schema.get(*key).is_none())
}

/// Members that pick no variant and belong to no envelope.
fn members(schema: &Value, tags: &BTreeSet<String>, wanted: bool) -> Vec<Value> {
    let required: Vec<&str> = schema["required"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    let names = schema["properties"]
        .as_object()
        .into_iter()
        .flatten()
        .map(|(name, _)| name);
    let free = names.filter(|name| {
        !tags.contains(*name) && !["params", "method", "id"].contains(&name.as_str())
    });
    free.filter(|name| required.contains(&name.as_str()) == wanted)
        .map(|name| json!(name))
        .collect()
}

fn add(root: &mut Value, site: &Site, needed: bool) {
    let schema = at(root, site);
    schema["properties"][ADDED] = json!({"type": "string"});
    if needed {
        required(schema).push(json!(ADDED));
    }
}

fn remove(root: &mut Value, site: &Site, tags: &BTreeSet<String>, dice: usize, wanted: bool) {
    let schema = at(root, site);
    let names = members(schema, tags, wanted);
    let name = &names[dice % names.len()];
    without(&mut schema["properties"], name.as_str().unwrap());
    if wanted {
        required(schema).retain(|it| it != name);
    }
}

/// Listed texts that pick no variant.
fn values(schema: &Value, site: &Site, tags: &BTreeSet<String>) -> bool {
    let texts = schema["enum"]
        .as_array()
        .is_some_and(|list| list.len() > 2 && list.iter().all(Value::is_string));
    texts && !site.arm && site.member.as_ref().is_none_or(|name| !tags.contains(name))
}

/// A value of one type that nothing else is said about, and that picks no variant.
fn scalar(schema: &Value, site: &Site, tags: &BTreeSet<String>, kind: &str) -> bool {
    let listed = schema.get("enum").is_some()
        || schema.get("const").is_some()
        || schema.get("x-known-values").is_some();
    schema["type"] == kind
        && !listed
        && !site.arm
        && site.member.as_ref().is_none_or(|name| !tags.contains(name))
}

/// A union whose variants are written out in place and told apart by one member.
fn union(schema: &Value, _: &Site, _: &BTreeSet<String>) -> bool {
    let Some((key, _)) = tag_of(schema) else {
        return false;
    };
    schema[key]
        .as_array()
        .is_some_and(|arms| arms.len() > 1 && arms.iter().all(|arm| arm.get("not").is_none()))
}

/// A definition whose name no rule reads.
fn named(schema: &Value, site: &Site, _: &BTreeSet<String>) -> bool {
    let read = [
        "Params",
        "Response",
        "Request",
        "Result",
        "Notification",
        "Message",
        "Output",
        "Input",
        "Schemas",
        "Msg",
        "Update",
        ".arguments",
        ".result",
    ];
    site.top
        && !site.definition.contains('/')
        && schema.get("x-method").is_none()
        && !read.iter().any(|end| site.definition.ends_with(end))
}

fn rename(root: &mut Value, site: &Site, namespace: &str, end: &str) {
    let name = &site.definition;
    let definitions = root["definitions"].as_object_mut().unwrap();
    let schema = definitions.remove(name).unwrap();
    let own = format!("{name}{end}");
    match namespace.strip_suffix('/') {
        Some(folder) => {
            definitions.insert(folder.to_owned(), json!({own.clone(): schema}));
        }
        None => {
            definitions.insert(own.clone(), schema);
        }
    }
    refer(
        root,
        &format!("#/definitions/{name}"),
        &format!("#/definitions/{namespace}{own}"),
    );
}

fn refer(schema: &mut Value, old: &str, new: &str) {
    match schema {
        Value::Object(map) => {
            for (key, inner) in map {
                if key == "$ref" && inner == old {
                    *inner = json!(new);
                } else {
                    refer(inner, old, new);
                }
            }
        }
        Value::Array(list) => list.iter_mut().for_each(|inner| refer(inner, old, new)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}
