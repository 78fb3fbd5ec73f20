//! Messages whose schema leaves the method free: the markers `x-method` and `x-side` of the
//! parameters and of the results say which belong together.

use std::collections::BTreeMap;

use serde_json::Value;

use super::union::reference_of;
use super::{Document, Lowering, constants, is_annotation, kinds};
use crate::ir::{Shape, Type, Variant};

/// The side of methods that both sides may use.
const BOTH_SIDES: &str = "protocol";

impl<'a> Lowering<'_, 'a> {
    /// A request or notification with any method and any of several parameters: a union of those
    /// that a marker gives a method. Other methods are left to `Unrecognized`.
    pub(super) fn method_union(
        &mut self,
        schema: &'a Value,
        name: &str,
        path: &[String],
    ) -> Option<Shape> {
        let members = schema.get("properties")?.as_object()?;
        let method = members.get("method")?;
        if kinds(method)? != ["string"] || constants(method).is_some() {
            return None;
        }
        let parameters = listed(members.get("params")?)?;
        let names: Vec<&'a str> = parameters
            .iter()
            .filter_map(|one| reference_of(one))
            .collect();
        if !names.iter().any(|name| self.marks(name).is_some()) {
            return None;
        }
        let mut variants: BTreeMap<String, Variant> = BTreeMap::new();
        let document = self.document;
        let both_sides = document.definitions.iter().filter(|(_, entry)| {
            // A notification has no id.
            !members.contains_key("id")
                && entry.schema.get("x-side").and_then(Value::as_str) == Some(BOTH_SIDES)
        });
        for target in names
            .into_iter()
            .chain(both_sides.map(|(name, _)| name.as_str()))
        {
            let Some(entry) = document.definitions.get(target) else {
                self.fail(path, format!("`{target}` names nothing in this file"));
                continue;
            };
            let Some((method, _)) = self.marks(target) else {
                if !entry
                    .schema
                    .as_object()
                    .is_some_and(|map| map.keys().all(|key| is_annotation(key)))
                {
                    self.fail(path, format!("no marker gives `{target}` a method"));
                }
                continue;
            };
            let variant = Variant {
                payload: Some(Type::Ref(target.to_owned())),
                tag_inside: false,
                bare: false,
                seen: self.seen(),
                at: document.place(&entry.path),
            };
            if variants.insert(method.to_owned(), variant).is_some() {
                self.fail(
                    path,
                    format!("two parameters of `{name}` have the method `{method}`"),
                );
            }
        }
        let skip = ["method", "params"].into_iter().collect();
        let common = self.members_beside(schema, name, path, &skip);
        Some(Shape::Tagged {
            tag: "method".to_owned(),
            content: Some("params".to_owned()),
            common,
            variants,
        })
    }

    fn marks(&self, definition: &str) -> Option<(&'a str, &'a str)> {
        marks(self.document, definition)
    }
}

/// The result of the method whose parameters these are: the other definition with their markers.
pub fn bound_result(documents: &[Document<'_>], parameters: &str) -> Option<String> {
    let mut found: Vec<&str> = Vec::new();
    for document in documents {
        let Some(own) = marks(document, parameters) else {
            continue;
        };
        let names = document.definitions.keys().map(String::as_str);
        found
            .extend(names.filter(|name| *name != parameters && marks(document, name) == Some(own)));
    }
    found.sort_unstable();
    found.dedup();
    match found.as_slice() {
        [one] => Some((*one).to_owned()),
        _ => None,
    }
}

/// The method and the side that a definition is marked with.
fn marks<'a>(document: &Document<'a>, definition: &str) -> Option<(&'a str, &'a str)> {
    let schema = document.definitions.get(definition)?.schema;
    Some((
        schema.get("x-method")?.as_str()?,
        schema.get("x-side")?.as_str()?,
    ))
}

/// The members of a union, which may stand in a union with `null`.
pub fn listed(schema: &Value) -> Option<&Vec<Value>> {
    let members = schema
        .get("anyOf")
        .or_else(|| schema.get("oneOf"))?
        .as_array()?;
    members.iter().find_map(listed).or(Some(members))
}
