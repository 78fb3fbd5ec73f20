//! The text of a dump: keys sorted, and on one line what fits, so that a diff shows a property a line.

use serde_json::Value;

/// The longest line.
const WIDTH: usize = 100;

/// The text of a document whose top keys keep their order.
pub fn render(top: &[(&str, Value)]) -> String {
    let mut text = String::from("{");
    for (index, (key, value)) in top.iter().enumerate() {
        text.push_str(if index == 0 { "\n" } else { ",\n" });
        let before = format!(" {}: ", Value::from(*key));
        text.push_str(&before);
        write(&mut text, value, 1, before.chars().count() + 1);
    }
    text.push_str("\n}\n");
    text
}

/// Writes a value that starts in a column, with a place for the comma after it.
fn write(text: &mut String, value: &Value, level: usize, column: usize) {
    let mut line = String::new();
    one_line(&mut line, value, WIDTH.saturating_sub(column));
    let whole = line.chars().count() + column <= WIDTH;
    let items: Vec<(Option<&String>, &Value)> = match value {
        Value::Array(items) if !whole && !items.is_empty() => {
            items.iter().map(|item| (None, item)).collect()
        }
        Value::Object(map) if !whole && !map.is_empty() => {
            sorted(map).map(|(key, item)| (Some(key), item)).collect()
        }
        Value::Array(_)
        | Value::Object(_)
        | Value::Null
        | Value::Bool(_)
        | Value::Number(_)
        | Value::String(_) => {
            text.push_str(&line);
            return;
        }
    };
    let (open, close) = if value.is_array() {
        ("[", "]")
    } else {
        ("{", "}")
    };
    text.push_str(open);
    for (index, (key, item)) in items.into_iter().enumerate() {
        text.push_str(if index == 0 { "\n" } else { ",\n" });
        let mut before = " ".repeat(level + 1);
        if let Some(key) = key {
            before.push_str(&format!("{}: ", Value::from(key.as_str())));
        }
        text.push_str(&before);
        write(text, item, level + 1, before.chars().count() + 1);
    }
    text.push('\n');
    text.push_str(&" ".repeat(level));
    text.push_str(close);
}

/// The value on one line; it stops somewhere past the limit.
fn one_line(line: &mut String, value: &Value, limit: usize) {
    match value {
        Value::Array(items) => {
            line.push('[');
            for (index, item) in items.iter().enumerate() {
                line.push_str(if index == 0 { "" } else { ", " });
                if line.len() > limit * 4 {
                    return;
                }
                one_line(line, item, limit);
            }
            line.push(']');
        }
        Value::Object(map) => {
            line.push('{');
            for (index, (key, item)) in sorted(map).enumerate() {
                line.push_str(if index == 0 { "" } else { ", " });
                if line.len() > limit * 4 {
                    return;
                }
                line.push_str(&format!("{}: ", Value::from(key.as_str())));
                one_line(line, item, limit);
            }
            line.push('}');
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {
            line.push_str(&value.to_string())
        }
    }
}

fn sorted(map: &serde_json::Map<String, Value>) -> impl Iterator<Item = (&String, &Value)> {
    let mut entries: Vec<(&String, &Value)> = map.iter().collect();
    entries.sort_by_key(|(key, _)| *key);
    entries.into_iter()
}
