//! The JSON Schema of a canonical event, in the form in which events are written.

use agentwire::canonical::{Decision, RuntimeEvent};
use schemars::Schema;
use schemars::generate::SchemaSettings;
use schemars::transform::RecursiveTransform;
use serde_json::{Map, Value};

/// What stands before the definitions, in this order.
const HEAD: &[&str] = &["$schema", "title", "description"];

/// Marks a member that may be left out and may be `null` as well; it does not reach the file.
const NULLABLE: &str = "x-nullable";

/// The schema of one event: the envelope's members, and one branch for each type of event.
#[must_use]
pub fn schema() -> Value {
    let settings = SchemaSettings::draft2020_12().for_serialize();
    let mut generator = settings
        .with_transform(RecursiveTransform(absent_is_not_null))
        .with_transform(RecursiveTransform(standard_formats))
        .with_transform(RecursiveTransform(plain_prose))
        .into_generator();
    // A decision may be any text, so no member is of this type; its words are worth a name.
    generator.subschema_for::<Decision>();
    let mut schema = generator.into_root_schema_for::<RuntimeEvent>().to_value();
    if let Value::Object(members) = &mut schema {
        head_first(members);
    }
    schema
}

/// A member that may be left out is left out where there is nothing: it is not `null`.
///
/// The schema of an option allows `null`, whatever serde is told about writing it.
fn absent_is_not_null(schema: &mut Schema) {
    let required = schema.get("required").cloned();
    let is_required = |name: &str| {
        let names = required.as_ref().and_then(Value::as_array);
        names.is_some_and(|names| names.iter().any(|required| required == name))
    };
    let Some(Value::Object(properties)) = schema.get_mut("properties") else {
        return;
    };
    for (name, property) in properties {
        let Value::Object(property) = property else {
            continue;
        };
        if property.remove(NULLABLE).is_none() && !is_required(name) {
            without_null(property);
        }
    }
}

/// Takes `null` from a list of types, or from a choice of it and one other schema.
fn without_null(property: &mut Map<String, Value>) {
    if let Some(Value::Array(types)) = property.get_mut("type") {
        types.retain(|name| name != "null");
        if let [only] = types.as_slice() {
            let only = only.clone();
            property.insert("type".to_owned(), only);
        }
    }
    let Some(Value::Array(choices)) = property.get_mut("anyOf") else {
        return;
    };
    choices.retain(|choice| choice.get("type").is_none_or(|name| name != "null"));
    if let [Value::Object(only)] = choices.as_slice() {
        // The reference goes before the description, as it does where there is no choice.
        let mut whole = only.clone();
        property.remove("anyOf");
        whole.append(property);
        *property = whole;
    }
}

/// The widths of numbers are Rust's business, and no format that the standard knows.
fn standard_formats(schema: &mut Schema) {
    if schema.get("type").is_some_and(|types| types != "string") {
        schema.remove("format");
    }
}

/// A link of Rust's documentation leads nowhere from here.
fn plain_prose(schema: &mut Schema) {
    if let Some(Value::String(text)) = schema.get_mut("description") {
        *text = text.replace("[`", "`").replace("`]", "`");
    }
}

fn head_first(members: &mut Map<String, Value>) {
    let mut ordered: Map<String, Value> = HEAD
        .iter()
        .filter_map(|name| Some(((*name).to_owned(), members.remove(*name)?)))
        .collect();
    ordered.append(members);
    *members = ordered;
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn what_may_be_left_out_is_null_only_where_it_says_so() {
        let schema = schema();
        let member = |pointer: &str| schema.pointer(pointer).unwrap().clone();
        let payload = "/$defs/TurnCompleted/properties";
        assert_eq!(member(&format!("{payload}/errorMessage/type")), "string");
        assert_eq!(
            member(&format!("{payload}/stopReason/type")),
            serde_json::json!(["string", "null"])
        );
        assert_eq!(member("/properties/threadId/$ref"), "#/$defs/ThreadId");
        let text = schema.to_string();
        for leftover in [NULLABLE, "\"int64\"", "\"double\"", "[`"] {
            assert!(!text.contains(leftover), "{leftover}");
        }
    }
}
