//! Takes the prose out of a schema, so that what is vendored is structure only.

use serde_json::{Map, Value};

use super::walk::{Place, place};

/// Keywords that say something to people and nothing about the wire.
const PROSE: [&str; 7] = [
    "$comment",
    "$schema",
    "description",
    "example",
    "examples",
    "markdownDescription",
    "title",
];

/// The schema without its prose, and with `required` sorted.
///
/// A property or a definition may have the name of such a keyword, and a constant may hold it as a
/// key: those belong to the wire and stay.
pub fn strip(schema: Value) -> Value {
    match schema {
        Value::Array(schemas) => schemas.into_iter().map(strip).collect(),
        Value::Object(keywords) => Value::Object(strip_keywords(keywords)),
        other @ (Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_)) => other,
    }
}

fn strip_keywords(keywords: Map<String, Value>) -> Map<String, Value> {
    let structural = keywords
        .into_iter()
        .filter(|(keyword, _)| !PROSE.contains(&keyword.as_str()));
    structural
        .map(|(keyword, value)| {
            let value = match (place(&keyword), value) {
                (Place::Names, Value::Object(named)) => Value::Object(
                    named
                        .into_iter()
                        .map(|(name, schema)| (name, strip(schema)))
                        .collect(),
                ),
                (Place::Opaque, Value::Array(names)) if keyword == "required" => sorted(names),
                (Place::Schema, value) => strip(value),
                (Place::Names | Place::Opaque, value) => value,
            };
            (keyword, value)
        })
        .collect()
}

/// The order in which upstream lists required properties says nothing, so that a change of it is no change.
fn sorted(mut names: Vec<Value>) -> Value {
    names.sort_by(|left, right| left.as_str().cmp(&right.as_str()));
    Value::Array(names)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn prose_goes_at_every_depth() {
        let schema = json!({
            "$schema": "a draft", "title": "Thing", "description": "A thing.", "$comment": "why", "examples": [1],
            "oneOf": [{"title": "One", "items": {"description": "An item.", "type": "string"}}],
            "definitions": {"Part": {"title": "Part", "type": "null"}},
        });
        let bare = json!({
            "oneOf": [{"items": {"type": "string"}}],
            "definitions": {"Part": {"type": "null"}},
        });
        assert_eq!(strip(schema), bare);
    }

    #[test]
    fn names_and_constants_are_no_keywords() {
        let schema = json!({
            "properties": {
                "description": {"type": "string", "description": "Said of the thing."},
                "title": {"properties": {"examples": {"type": "array"}}},
            },
            "definitions": {"title": {"title": "x", "type": "integer"}},
            "enum": [{"title": "kept"}],
            "const": {"description": "kept"},
            "default": {"examples": "kept"},
            "x-order": {"title": "kept"},
            "required": ["title", "description"],
        });
        let bare = json!({
            "properties": {
                "description": {"type": "string"},
                "title": {"properties": {"examples": {"type": "array"}}},
            },
            "definitions": {"title": {"type": "integer"}},
            "enum": [{"title": "kept"}],
            "const": {"description": "kept"},
            "default": {"examples": "kept"},
            "x-order": {"title": "kept"},
            "required": ["description", "title"],
        });
        assert_eq!(strip(schema), bare);
    }
}
