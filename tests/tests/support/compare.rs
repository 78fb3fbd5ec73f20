//! What is lost or changed when a message is decoded and encoded again.

use serde_json::Value;

/// A difference between a message and its second form, at a path in the message.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Difference {
    /// A member is gone that was not `null`.
    Dropped(String),
    /// Anything else: a member that was not there, another value, another length.
    Changed(String),
}

/// The differences, up to `null` where a member is absent and the spelling of numbers.
pub fn differences(before: &Value, after: &Value) -> Vec<Difference> {
    let mut found = Vec::new();
    compare(before, after, &mut String::new(), &mut found);
    found
}

fn compare(before: &Value, after: &Value, path: &mut String, found: &mut Vec<Difference>) {
    match (before, after) {
        (Value::Object(old), Value::Object(new)) => {
            let open = path.len();
            if let Some(Value::String(tag)) = old.get("type") {
                path.push_str(&format!("<{tag}>"));
            }
            for (name, value) in old {
                let length = path.len();
                path.push_str(&format!(".{name}"));
                match new.get(name) {
                    Some(after) => compare(value, after, path, found),
                    None if value.is_null() => {}
                    None => found.push(Difference::Dropped(path.clone())),
                }
                path.truncate(length);
            }
            for name in new.keys().filter(|name| !old.contains_key(*name)) {
                found.push(Difference::Changed(format!("{path}.{name}: was not there")));
            }
            path.truncate(open);
        }
        (Value::Array(old), Value::Array(new)) if old.len() == new.len() => {
            let length = path.len();
            path.push_str("[]");
            for (old, new) in old.iter().zip(new) {
                compare(old, new, path, found);
            }
            path.truncate(length);
        }
        (Value::Number(old), Value::Number(new)) if old == new || old.as_f64() == new.as_f64() => {}
        _ if before == after => {}
        _ => found.push(Difference::Changed(format!(
            "{path}: {before} became {after}"
        ))),
    }
}

/// Whether all members of `part` are in `whole`, at any depth.
pub fn holds(whole: &Value, part: &Value) -> bool {
    match (whole, part) {
        (Value::Object(whole), Value::Object(part)) => part
            .iter()
            .all(|(name, value)| whole.get(name).is_some_and(|whole| holds(whole, value))),
        _ => whole == part,
    }
}
