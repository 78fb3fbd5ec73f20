//! Where two trees of JSON differ.

use serde_json::Value;

/// One difference, at a path in which elements of lists have no number and tags stand in brackets.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// Where it is.
    pub path: String,
    /// What stands there in the first tree.
    pub first: Option<Value>,
    /// What stands there in the second.
    pub second: Option<Value>,
}

/// The members that pick a variant.
const TAGS: &[&str] = &["sessionUpdate", "type"];

/// The differences, up to the spelling of numbers.
pub fn differences(first: &Value, second: &Value) -> Vec<Difference> {
    let mut found = Vec::new();
    compare(first, second, String::new(), &mut found);
    found
}

fn compare(first: &Value, second: &Value, path: String, found: &mut Vec<Difference>) {
    match (first, second) {
        (Value::Object(one), Value::Object(two)) => {
            let tags = TAGS.iter().filter_map(|tag| one.get(*tag)?.as_str());
            let tags: String = tags.map(|tag| format!("<{tag}>")).collect();
            for (name, value) in one {
                let path = format!("{path}{tags}.{name}");
                match two.get(name) {
                    Some(other) => compare(value, other, path, found),
                    None => found.push(Difference {
                        path,
                        first: Some(value.clone()),
                        second: None,
                    }),
                }
            }
            let added = two.iter().filter(|(name, _)| !one.contains_key(*name));
            found.extend(added.map(|(name, value)| Difference {
                path: format!("{path}{tags}.{name}"),
                first: None,
                second: Some(value.clone()),
            }));
        }
        (Value::Array(one), Value::Array(two)) if one.len() == two.len() => {
            for (one, two) in one.iter().zip(two) {
                compare(one, two, format!("{path}[]"), found);
            }
        }
        (Value::Number(one), Value::Number(two)) if one.as_f64() == two.as_f64() => {}
        _ if first == second => {}
        _ => found.push(Difference {
            path,
            first: Some(first.clone()),
            second: Some(second.clone()),
        }),
    }
}
