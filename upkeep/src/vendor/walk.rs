//! Where schemas stand inside a schema, so that no walk takes a property name or a constant for a keyword.

use std::collections::BTreeSet;

use serde_json::Value;

/// What stands under a keyword.
pub(super) enum Place {
    /// A schema, a list of schemas, or plain data that holds no object.
    Schema,
    /// A map whose keys are names and whose values are schemas.
    Names,
    /// A value that belongs to the wire: nothing in it is a keyword.
    Opaque,
}

/// What stands under this keyword of a schema.
pub(super) fn place(keyword: &str) -> Place {
    match keyword {
        "properties" | "patternProperties" | "definitions" | "$defs" | "dependentSchemas"
        | "dependencies" => Place::Names,
        "enum" | "const" | "default" | "required" | "dependentRequired" => Place::Opaque,
        _ if keyword.starts_with("x-") => Place::Opaque,
        _ => Place::Schema,
    }
}

/// Calls `change` on the text of every `$ref` of the schema.
pub(super) fn rewrite_references(schema: &mut Value, change: &mut impl FnMut(&mut String)) {
    if let Value::Array(schemas) = schema {
        for schema in schemas {
            rewrite_references(schema, change);
        }
        return;
    }
    let Value::Object(keywords) = schema else {
        return;
    };
    for (keyword, value) in keywords.iter_mut() {
        match (place(keyword), value) {
            (Place::Schema, Value::String(text)) if keyword == "$ref" => change(text),
            (Place::Schema, value) => rewrite_references(value, change),
            (Place::Names, Value::Object(named)) => {
                for schema in named.values_mut() {
                    rewrite_references(schema, change);
                }
            }
            (Place::Names | Place::Opaque, _) => {}
        }
    }
}

/// Every text that stands in a `$ref` of the schema.
pub(super) fn references(schema: &Value) -> BTreeSet<&str> {
    let mut found = BTreeSet::new();
    collect_references(schema, &mut found);
    found
}

fn collect_references<'a>(schema: &'a Value, found: &mut BTreeSet<&'a str>) {
    if let Value::Array(schemas) = schema {
        for schema in schemas {
            collect_references(schema, found);
        }
        return;
    }
    let Value::Object(keywords) = schema else {
        return;
    };
    for (keyword, value) in keywords {
        match (place(keyword), value) {
            (Place::Schema, Value::String(text)) if keyword == "$ref" => {
                found.insert(text);
            }
            (Place::Schema, value) => collect_references(value, found),
            (Place::Names, Value::Object(named)) => {
                for schema in named.values() {
                    collect_references(schema, found);
                }
            }
            (Place::Names | Place::Opaque, _) => {}
        }
    }
}
