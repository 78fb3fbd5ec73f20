//! A vendored schema document as it stands: its definitions by name, references among them, keywords,
//! and the markers of methods.
//!
//! Two readers share this: the JSON Schema front end, which lowers to the IR, and the comparison of
//! versions, which asks what a schema says and nothing of what code becomes of it.

mod keywords;
mod methods;

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde_json::{Map, Value};

pub use keywords::{Keyword, is_annotation, is_limit, is_lowered, is_type, keyword};
pub use methods::{Parameters, marked, method_parameters};

/// Where a document keeps its definitions, by draft.
const ROOTS: [&str; 2] = ["definitions", "$defs"];

/// A definition and where it stands.
#[derive(Clone)]
pub struct Entry<'a> {
    /// The schema.
    pub schema: &'a Value,
    /// JSON path to it.
    pub path: Vec<String>,
}

/// Every definition of a document by its name, namespaces as prefixes.
pub type Definitions<'a> = BTreeMap<String, Entry<'a>>;

/// A place that can't be read, with one sentence.
pub type Unreadable = (Vec<String>, String);

/// Collects the definitions; a map of definitions among them is a namespace.
pub fn definitions(root: &Value) -> Result<Definitions<'_>, Vec<Unreadable>> {
    let mut found = Definitions::new();
    let mut problems = Vec::new();
    for key in ROOTS {
        if let Some(map) = root.get(key).and_then(Value::as_object) {
            collect("", map, &[key.to_owned()], &mut found, &mut problems);
        }
    }
    if problems.is_empty() {
        Ok(found)
    } else {
        Err(problems)
    }
}

fn collect<'a>(
    prefix: &str,
    map: &'a Map<String, Value>,
    path: &[String],
    found: &mut Definitions<'a>,
    problems: &mut Vec<Unreadable>,
) {
    for (name, schema) in map {
        let at: Vec<String> = path.iter().chain([name]).cloned().collect();
        let full = format!("{prefix}{name}");
        match schema.as_object().filter(|inner| is_namespace(inner)) {
            Some(inner) => collect(&format!("{full}/"), inner, &at, found, problems),
            None => {
                let path = at.clone();
                if found.insert(full.clone(), Entry { schema, path }).is_some() {
                    problems.push((at, format!("`{full}` is defined twice in one file")));
                }
            }
        }
    }
}

/// A map of definitions says nothing about a value: none of its keys is a keyword, and every
/// member is itself a schema.
fn is_namespace(map: &Map<String, Value>) -> bool {
    let is_schema = |value: &Value| value.is_object() || value.is_boolean();
    !map.is_empty()
        && map
            .iter()
            .all(|(key, value)| keyword(key).is_none() && is_schema(value))
}

/// The definition that a local reference names.
pub fn reference_name(reference: &str) -> Option<Cow<'_, str>> {
    let name = ROOTS
        .iter()
        .find_map(|root| reference.strip_prefix(&format!("#/{root}/")))?;
    Some(if name.contains('~') {
        Cow::Owned(name.replace("~1", "/").replace("~0", "~"))
    } else {
        Cow::Borrowed(name)
    })
}

/// The definition that a schema refers to, be it through an `allOf` of one.
pub fn reference_of(schema: &Value) -> Option<Cow<'_, str>> {
    let schema = only_part(schema).unwrap_or(schema);
    reference_name(schema.get("$ref")?.as_str()?)
}

/// The schema in an `allOf` of one that says nothing itself but its kind.
pub fn only_part(schema: &Value) -> Option<&Value> {
    let parts = schema.get("allOf")?.as_array()?;
    let alone = schema
        .as_object()?
        .keys()
        .all(|key| is_annotation(key) || key == "allOf" || key == "type");
    parts.first().filter(|_| parts.len() == 1 && alone)
}

/// Whether a schema says nothing about its values.
pub fn says_nothing(schema: &Value) -> bool {
    schema
        .as_object()
        .is_some_and(|map| map.keys().all(|key| is_annotation(key)))
}

/// The JSON pointer to a path.
pub fn pointer(path: &[String]) -> String {
    let steps = path.iter().map(|step| format!("/{}", escaped(step)));
    steps.collect()
}

/// A step of a JSON pointer.
pub fn escaped(step: &str) -> String {
    step.replace('~', "~0").replace('/', "~1")
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use serde_json::json;

    use super::*;

    #[test]
    fn namespaces_are_prefixes_and_a_name_stands_once() {
        let document = json!({"definitions": {
            "v2": {"Thread": {"type": "object"}, "Any": true},
            "Thread": {"properties": {}},
            "not": {"type": "string"},
        }});
        let found = definitions(&document).unwrap();
        let names: Vec<&str> = found.keys().map(String::as_str).collect();
        assert_eq!(names, ["Thread", "not", "v2/Any", "v2/Thread"]);
        assert_eq!(pointer(&found["v2/Any"].path), "/definitions/v2/Any");
        let twice = json!({"definitions": {"A": true}, "$defs": {"A": true}});
        let problems = definitions(&twice).err().unwrap();
        assert_eq!(problems[0].1, "`A` is defined twice in one file");
    }

    #[test]
    fn references_lead_to_definitions_of_the_file() {
        let name = |reference| reference_name(reference).map(Cow::into_owned);
        assert_eq!(name("#/definitions/v2/A").as_deref(), Some("v2/A"));
        assert_eq!(name("#/$defs/a~1b~0c").as_deref(), Some("a/b~c"));
        assert_eq!(name("other.json#/definitions/A"), None);
        let wrapped = json!({"allOf": [{"$ref": "#/definitions/A"}], "default": 1});
        assert_eq!(reference_of(&wrapped).as_deref(), Some("A"));
        let more = json!({"allOf": [{"$ref": "#/definitions/A"}], "minimum": 1});
        assert_eq!(reference_of(&more), None);
    }
}
