//! Messages whose schema leaves the method free: markers on the parameters say which method they
//! belong to, and which result. They become a union that the method picks.

use std::collections::BTreeMap;

use agentwire_codegen::document::{Parameters, marked, method_parameters, pointer};
use serde_json::Value;

use super::Lowering;
use crate::diff::schema::{Field, Listed, Node, Object, Shape, Union};

impl<'a> Lowering<'_, 'a> {
    /// The union, where the definition is such a message.
    pub(super) fn method_union(&mut self, schema: &'a Value, at: &str) -> Option<Node> {
        let map = schema.as_object()?;
        let parameters = method_parameters(self.raw, schema)?;
        let mut common = self.object(map, at);
        common.fields.remove("method");
        let required = common
            .fields
            .remove("params")
            .is_some_and(|field| field.required);
        let mut arms = BTreeMap::new();
        for (target, known) in parameters {
            let method = match known {
                Parameters::Of(method) => method,
                Parameters::Any => continue,
                Parameters::Unmarked | Parameters::Undefined => {
                    self.fail(at, format!("no marker gives `{target}` a method"));
                    continue;
                }
            };
            let arm = self.arm(method, &target, required);
            if arms.insert(method.to_owned(), arm).is_some() {
                self.fail(at, format!("two parameters have the method `{method}`"));
            }
        }
        let union = Union {
            arms: arms.into_values().collect(),
            common: Some(common),
            tags: vec!["method".to_owned()],
        };
        Some(Node::new(at, Shape::Union(union)))
    }

    /// The results that markers bind to parameters.
    pub(super) fn bound_results(&self) -> BTreeMap<String, String> {
        let mut alike: BTreeMap<(&str, &str), Vec<&str>> = BTreeMap::new();
        for name in self.raw.keys() {
            if let Some(marks) = marked(self.raw, name) {
                alike.entry(marks).or_default().push(name);
            }
        }
        let mut bound = BTreeMap::new();
        for names in alike.into_values() {
            if let [one, other] = names.as_slice() {
                bound.insert((*one).to_owned(), (*other).to_owned());
                bound.insert((*other).to_owned(), (*one).to_owned());
            }
        }
        bound
    }

    fn arm(&self, method: &str, target: &str, required: bool) -> Node {
        let at = self
            .raw
            .get(target)
            .map(|entry| pointer(&entry.path))
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
}
