//! Objects: members, what is required, objects that extend others.

use std::collections::BTreeSet;

use agentwire_codegen::document::{escaped, is_annotation, is_limit};
use serde_json::{Map, Value};

use super::Lowering;
use crate::diff::schema::{Field, Node, Object, Rest, Shape};

/// Whether the keywords are those of an object, whatever `type` says.
pub fn shows(map: &Map<String, Value>) -> bool {
    ["properties", "additionalProperties", "required"]
        .iter()
        .any(|key| map.contains_key(*key))
}

impl<'a> Lowering<'_, 'a> {
    /// The members that a schema declares, with the objects that it extends by `allOf`.
    pub(super) fn object(&mut self, map: &'a Map<String, Value>, at: &str) -> Object {
        let mut object = Object::default();
        let required: BTreeSet<&str> = match map.get("required") {
            Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).collect(),
            Some(_) => {
                self.fail(at, "`required` is a list of names");
                BTreeSet::new()
            }
            None => BTreeSet::new(),
        };
        let members = map.get("properties").and_then(Value::as_object);
        for (name, schema) in members.into_iter().flatten() {
            let node = self.node(schema, &format!("{at}/properties/{}", escaped(name)));
            let required = required.contains(name.as_str());
            object.fields.insert(name.clone(), Field { node, required });
        }
        // A member may be required and declared by what the object extends, or nowhere.
        for name in required {
            object
                .fields
                .entry(name.to_owned())
                .or_insert_with(|| Field {
                    node: Node::new(&format!("{at}/required"), Shape::Any),
                    required: true,
                });
        }
        object.rest = match map.get("additionalProperties") {
            None | Some(Value::Bool(true)) => Rest::Open,
            Some(Value::Bool(false)) => Rest::Closed,
            Some(Value::Object(inner)) if inner.is_empty() => Rest::Open,
            Some(schema) => Rest::Of(Box::new(
                self.node(schema, &format!("{at}/additionalProperties")),
            )),
        };
        if let Some(parts) = map.get("allOf").and_then(Value::as_array) {
            for (index, part) in parts.iter().enumerate() {
                let base = self.node(part, &format!("{at}/allOf/{index}"));
                let extends = match &base.shape {
                    Shape::Object(_) | Shape::Union(_) | Shape::Ref(_) => true,
                    Shape::Any => base.limits.is_empty(),
                    Shape::Never
                    | Shape::Scalar(_)
                    | Shape::Enum(_)
                    | Shape::List(_)
                    | Shape::Tuple(_) => false,
                };
                if !extends {
                    self.fail(&base.at, "`allOf` of what is no object has no rule");
                }
                object.bases.push(base);
            }
        }
        object
    }

    /// `allOf` without a union beside it: a wrapper around one schema, or an object that extends others.
    pub(super) fn all_of(&mut self, map: &'a Map<String, Value>, at: &str) -> Node {
        let Some(parts) = map.get("allOf").and_then(Value::as_array) else {
            self.fail(at, "`allOf` is a list of schemas");
            return Node::new(at, Shape::Any);
        };
        let says = |key: &&String| {
            !is_annotation(key) && !is_limit(key) && *key != "allOf" && *key != "type"
        };
        match (parts.as_slice(), map.keys().find(says)) {
            ([], _) => {
                self.fail(at, "`allOf` of nothing has no rule");
                Node::new(at, Shape::Any)
            }
            ([only], None) => self.node(only, &format!("{at}/allOf/0")),
            (_, Some(key))
                if !["additionalProperties", "properties", "required"].contains(&key.as_str()) =>
            {
                self.fail(at, format!("`{key}` beside `allOf` has no rule"));
                Node::new(at, Shape::Any)
            }
            _ => Node::new(at, Shape::Object(self.object(map, at))),
        }
    }
}
