//! Values that no vendored version has, where things are told apart.

use serde_json::{Value, json};

use super::copies::SchemaCopy;
use super::form::{Form, form, without_null};
use super::sites::UNRECOGNIZED;

/// An element that no vendored version has, for a list of things that are told apart. `known` is
/// an element of the list: members beside a union belong to what is not recognized, too.
pub fn unrecognized(copy: &SchemaCopy, items: &Value, known: Option<&Value>) -> Option<Value> {
    let schema = copy.follow(without_null(items).0);
    match form(copy, schema, true) {
        Form::Texts(_) => Some(json!(UNRECOGNIZED)),
        Form::Tagged { tag, common, .. } if common.required.is_empty() => {
            Some(json!({"more": [1, null], tag: UNRECOGNIZED}))
        }
        Form::Tagged { tag, .. } => {
            let mut extra = known?.clone();
            extra[tag] = json!(UNRECOGNIZED);
            Some(extra)
        }
        Form::External { .. } => Some(json!({ UNRECOGNIZED: {"more": [1, null]} })),
        Form::Untagged(_) => Some(foreign(copy, schema)),
        Form::Opaque
        | Form::Boolean
        | Form::Integer(_)
        | Form::Number
        | Form::Text(_)
        | Form::List(_)
        | Form::Map(_)
        | Form::Reference(_)
        | Form::Object(_) => None,
    }
}

/// A value of a form that no arm of an untagged union has.
pub fn foreign(copy: &SchemaCopy, schema: &Value) -> Value {
    let mut candidates = vec![
        json!({"zz": [1, null]}),
        json!([true]),
        json!(true),
        json!(7),
    ];
    fn strike(copy: &SchemaCopy, schema: &Value, candidates: &mut Vec<Value>) {
        match form(copy, copy.follow(schema), true) {
            Form::Untagged(arms) => arms
                .into_iter()
                .for_each(|arm| strike(copy, arm, candidates)),
            Form::List(_) => candidates.retain(|value| !value.is_array()),
            Form::Boolean => candidates.retain(|value| !value.is_boolean()),
            Form::Integer(_) | Form::Number => candidates.retain(|value| !value.is_number()),
            Form::Map(_) | Form::Opaque => candidates.retain(|value| !value.is_object()),
            Form::Object(members) if members.required.is_empty() => {
                candidates.retain(|value| !value.is_object())
            }
            Form::Text(_)
            | Form::Reference(_)
            | Form::Texts(_)
            | Form::Object(_)
            | Form::Tagged { .. }
            | Form::External { .. } => {}
        }
    }
    strike(copy, schema, &mut candidates);
    candidates.into_iter().next().unwrap()
}
