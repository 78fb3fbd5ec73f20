//! Messages whose schema leaves the method free: markers on the parameters say which method they
//! belong to, and which result. They become a union that the method picks.

use std::collections::{BTreeMap, BTreeSet};

use agentwire_codegen::frontend::json_schema::listed;
use serde_json::{Map, Value};

use super::{Lowering, Raw};
use crate::diff::schema::{Field, Listed, Node, Object, Shape, Union};

/// The side of methods that both sides may use.
const BOTH_SIDES: &str = "protocol";

impl<'a> Lowering<'_, 'a> {
    /// The union, where the definition is such a message.
    pub(super) fn method_union(&mut self, entry: &Raw<'a>) -> Option<Node> {
        let map = entry.schema.as_object()?;
        let members = map.get("properties")?.as_object()?;
        let method = members.get("method")?;
        if method.get("type")?.as_str()? != "string"
            || method.get("enum").is_some()
            || method.get("const").is_some()
        {
            return None;
        }
        let parameters = listed(members.get("params")?)?;
        let names: Vec<&'a str> = parameters.iter().filter_map(reference_of).collect();
        if !names.iter().any(|name| self.marks(name).is_some()) {
            return None;
        }
        let mut common = self.object(map, &entry.at);
        common.fields.remove("method");
        let required = common
            .fields
            .remove("params")
            .is_some_and(|field| field.required);
        let targets = names.iter().map(|name| (*name).to_owned());
        // A notification has no id; those of both sides are listed at neither.
        let both = (!members.contains_key("id"))
            .then(|| self.of_both_sides())
            .into_iter()
            .flatten();
        let targets: BTreeSet<String> = targets.chain(both).collect();
        let mut arms = BTreeMap::new();
        for target in &targets {
            let Some((method, _)) = self.marks(target) else {
                if !self
                    .raw
                    .get(target)
                    .is_some_and(|raw| says_nothing(raw.schema))
                {
                    self.fail(&entry.at, format!("no marker gives `{target}` a method"));
                }
                continue;
            };
            let arm = self.arm(method, target, required);
            if arms.insert(method.to_owned(), arm).is_some() {
                self.fail(
                    &entry.at,
                    format!("two parameters have the method `{method}`"),
                );
            }
        }
        let union = Union {
            arms: arms.into_values().collect(),
            common: Some(common),
            tags: vec!["method".to_owned()],
        };
        Some(Node::new(&entry.at, Shape::Union(union)))
    }

    /// The results that markers bind to parameters.
    pub(super) fn bound_results(&self) -> BTreeMap<String, String> {
        let mut marked: BTreeMap<(&str, &str), Vec<&str>> = BTreeMap::new();
        for name in self.raw.keys() {
            if let Some(marks) = self.marks(name) {
                marked.entry(marks).or_default().push(name);
            }
        }
        let mut bound = BTreeMap::new();
        for names in marked.into_values() {
            if let [one, other] = names.as_slice() {
                bound.insert((*one).to_owned(), (*other).to_owned());
                bound.insert((*other).to_owned(), (*one).to_owned());
            }
        }
        bound
    }

    fn of_both_sides(&self) -> Vec<String> {
        let marked = self
            .raw
            .iter()
            .filter(|(name, _)| self.marks(name).is_some_and(|(_, side)| side == BOTH_SIDES));
        marked.map(|(name, _)| name.clone()).collect()
    }

    fn arm(&self, method: &str, target: &str, required: bool) -> Node {
        let at = self
            .raw
            .get(target)
            .map(|raw| raw.at.clone())
            .unwrap_or_default();
        let marker = format!("{at}/x-method");
        let mut object = Object::default();
        let mut value = Listed::default();
        value
            .values
            .insert(Value::from(method).to_string(), marker.clone());
        let tag = Node::new(&marker, Shape::Enum(value));
        object.fields.insert(
            "method".to_owned(),
            Field {
                node: tag,
                required: true,
            },
        );
        let params = Node::new(&at, Shape::Ref(target.to_owned()));
        object.fields.insert(
            "params".to_owned(),
            Field {
                node: params,
                required,
            },
        );
        Node::new(&marker, Shape::Object(object))
    }

    /// The method and the side that a definition is marked with.
    fn marks(&self, definition: &str) -> Option<(&'a str, &'a str)> {
        let schema = self.raw.get(definition)?.schema;
        Some((
            schema.get("x-method")?.as_str()?,
            schema.get("x-side")?.as_str()?,
        ))
    }
}

/// The definition that a member is, be it alone in an `allOf`.
fn reference_of(schema: &Value) -> Option<&str> {
    let inner = match schema
        .get("allOf")
        .and_then(Value::as_array)
        .map(Vec::as_slice)
    {
        Some([only]) => only,
        _ => schema,
    };
    inner.get("$ref")?.as_str()?.strip_prefix("#/definitions/")
}

/// A placeholder for anything.
fn says_nothing(schema: &Value) -> bool {
    let says = |map: &Map<String, Value>| map.keys().all(|key| super::annotation(key));
    schema.as_object().is_some_and(says)
}
