//! The places of a document where a schema stands that goes over a wire.

use std::collections::{BTreeMap, BTreeSet};

use agentwire_upkeep::diff::Direction;
use serde_json::Value;

use crate::diff::roots::{Ways, named};

/// One place.
#[derive(Clone, Debug)]
pub struct Site {
    /// The definition that it is in.
    pub definition: String,
    /// JSON pointer from the root of the document.
    pub pointer: String,
    /// Which way its values go.
    pub ways: BTreeSet<Direction>,
    /// The member whose value it is.
    pub member: Option<String>,
    /// It is one of several, be it in an `allOf`.
    pub arm: bool,
    /// It is the definition itself.
    pub top: bool,
}

/// Every place of every definition that goes over a wire.
pub fn sites(root: &Value, ways: &Ways) -> Vec<Site> {
    let mut out = Vec::new();
    for (name, schema) in named(root) {
        // A message with any method is read by its markers, not as it is written.
        let free = schema["properties"]["method"]["type"] == "string"
            && schema["properties"]["method"].get("enum").is_none();
        let Some(ways) = ways.get(&name).filter(|_| !free) else {
            continue;
        };
        let site = Site {
            pointer: format!("/definitions/{name}"),
            definition: name,
            ways: ways.clone(),
            member: None,
            arm: false,
            top: true,
        };
        below(schema, &site, &mut out);
    }
    out
}

fn below(schema: &Value, site: &Site, out: &mut Vec<Site>) {
    let Some(map) = schema.as_object() else {
        return;
    };
    out.push(site.clone());
    let inner = |step: String| Site {
        pointer: format!("{}/{step}", site.pointer),
        member: None,
        arm: false,
        top: false,
        ..site.clone()
    };
    for (name, member) in map
        .get("properties")
        .and_then(Value::as_object)
        .into_iter()
        .flatten()
    {
        let step = name.replace('~', "~0").replace('/', "~1");
        let place = Site {
            member: Some(name.clone()),
            ..inner(format!("properties/{step}"))
        };
        below(member, &place, out);
    }
    for key in ["items", "additionalProperties"] {
        if let Some(schema) = map.get(key) {
            below(schema, &inner(key.to_owned()), out);
        }
    }
    for key in ["oneOf", "anyOf", "allOf"] {
        let arms = map.get(key).and_then(Value::as_array).into_iter().flatten();
        for (index, arm) in arms.enumerate() {
            // What is alone beside null is no arm, but the schema itself.
            let place = Site {
                arm: true,
                ..inner(format!("{key}/{index}"))
            };
            below(arm, &place, out);
        }
    }
}

/// The members that pick a variant somewhere: by a constant, or because the schema says so.
pub fn tags(root: &Value) -> BTreeSet<String> {
    let mut tags = BTreeSet::new();
    collect(root, &mut tags);
    tags
}

fn collect(schema: &Value, tags: &mut BTreeSet<String>) {
    match schema {
        Value::Object(map) => {
            let named = map
                .get("x-tag")
                .and_then(Value::as_array)
                .into_iter()
                .flatten();
            tags.extend(named.filter_map(Value::as_str).map(str::to_owned));
            if let Some(name) = map
                .get("discriminator")
                .and_then(|it| it["propertyName"].as_str())
            {
                tags.insert(name.to_owned());
            }
            for (name, member) in map
                .get("properties")
                .and_then(Value::as_object)
                .into_iter()
                .flatten()
            {
                if constant(member).is_some() {
                    tags.insert(name.clone());
                }
            }
            map.values().for_each(|inner| collect(inner, tags));
        }
        Value::Array(list) => list.iter().for_each(|inner| collect(inner, tags)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// The only value of a schema.
pub fn constant(schema: &Value) -> Option<&str> {
    match schema
        .get("enum")
        .and_then(Value::as_array)
        .map(Vec::as_slice)
    {
        Some([one]) => one.as_str(),
        _ => schema.get("const")?.as_str(),
    }
}

/// The member that all variants of a union have as a constant of their own; they are written out in place.
pub fn tag_of(union: &Value) -> Option<(&'static str, String)> {
    let key = ["oneOf", "anyOf"]
        .into_iter()
        .find(|key| union.get(*key).is_some())?;
    let arms = union[key].as_array()?;
    let first = arms.first()?.get("properties")?.as_object()?;
    let tag = first.keys().find(|name| {
        let values: BTreeMap<&str, ()> = arms
            .iter()
            .filter_map(|arm| Some((constant(arm.get("properties")?.get(name.as_str())?)?, ())))
            .collect();
        let required = arms.iter().all(|arm| {
            arm["required"]
                .as_array()
                .is_some_and(|list| list.iter().any(|it| it == name.as_str()))
        });
        values.len() == arms.len() && required
    })?;
    Some((key, tag.clone()))
}
