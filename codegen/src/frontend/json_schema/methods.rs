//! Messages whose schema leaves the method free: the markers `x-method` and `x-side` of the
//! parameters and of the results say which belong together.

use std::collections::BTreeMap;

use serde_json::Value;

use super::{Document, Lowering};
use crate::document::{Parameters, marked, method_parameters};
use crate::ir::{Place, Shape, Type, Variant};

impl<'a> Lowering<'_, 'a> {
    /// A request or notification with any method and any of several parameters: a union of those
    /// that a marker gives a method. Other methods are left to `Unrecognized`.
    pub(super) fn method_union(
        &mut self,
        schema: &'a Value,
        name: &str,
        path: &[String],
    ) -> Option<Shape> {
        let document = self.document;
        let parameters = method_parameters(&document.definitions, schema)?;
        let mut variants: BTreeMap<String, Variant> = BTreeMap::new();
        for (target, known) in parameters {
            let method = match known {
                Parameters::Of(method) => method,
                Parameters::Any => continue,
                Parameters::Unmarked => {
                    self.fail(path, format!("no marker gives `{target}` a method"));
                    continue;
                }
                Parameters::Undefined => {
                    self.fail(path, format!("`{target}` names nothing in this file"));
                    continue;
                }
            };
            let at = document.definitions.get(&target);
            let variant = Variant {
                payload: Some(Type::Ref(target.clone())),
                tag_inside: false,
                bare: false,
                seen: self.seen(),
                at: at.map_or_else(Place::default, |entry| document.place(&entry.path)),
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
}

/// The result of the method whose parameters these are: the other definition with their markers.
pub fn bound_result(documents: &[Document<'_>], parameters: &str) -> Option<String> {
    let mut found: Vec<&str> = Vec::new();
    for document in documents {
        let Some(own) = marked(&document.definitions, parameters) else {
            continue;
        };
        let names = document.definitions.keys().map(String::as_str);
        found.extend(names.filter(|name| {
            *name != parameters && marked(&document.definitions, name) == Some(own)
        }));
    }
    found.sort_unstable();
    found.dedup();
    match found.as_slice() {
        [one] => Some((*one).to_owned()),
        _ => None,
    }
}
