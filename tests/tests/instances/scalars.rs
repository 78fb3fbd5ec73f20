//! Scalars and opaque values at their edges.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::coverage::Dice;

/// Texts, the empty one first.
const TEXTS: &[&str] = &[
    "",
    "plain",
    "Grüße, 世界",
    "🦀 \u{1F469}\u{200D}\u{1F4BB} e\u{301}",
    "two\nlines\tand \"quotes\" \\ / \u{2028}\u{0}\u{7f}",
    "null",
    "7",
];

/// Keys of maps; none has a character that JSON escapes, so that paths can be compared as text.
const KEYS: &[&str] = &["key", "", "ключ", "/tmp/a b.rs", "type"];

/// A text of a least length.
pub fn text(least: usize, dice: &mut Dice) -> &'static str {
    let first = usize::from(least > 0);
    TEXTS[first + dice.below(TEXTS.len() - first)]
}

/// Two different keys.
pub fn keys(dice: &mut Dice) -> [&'static str; 2] {
    let first = dice.below(KEYS.len());
    [KEYS[first], KEYS[(first + 1) % KEYS.len()]]
}

/// Whole numbers at the edges of a format: zero, one, the largest, the smallest.
pub fn integers(schema: &Value) -> Vec<Value> {
    if let Some(listed) = schema.get("enum").and_then(Value::as_array) {
        return listed.clone();
    }
    let (smallest, largest) = match schema["format"].as_str().unwrap() {
        "uint8" => (0, i128::from(u8::MAX)),
        "uint16" => (0, i128::from(u16::MAX)),
        "uint32" => (0, i128::from(u32::MAX)),
        "uint" | "uint64" => (0, i128::from(u64::MAX)),
        "int32" => (i128::from(i32::MIN), i128::from(i32::MAX)),
        "int64" => (i128::from(i64::MIN), i128::from(i64::MAX)),
        other => panic!("no numbers of the format {other}"),
    };
    let least = schema
        .get("minimum")
        .and_then(Value::as_f64)
        .map_or(smallest, |least| smallest.max(least as i128));
    let edges = BTreeSet::from([0, 1, largest, least]);
    edges
        .into_iter()
        .filter(|number| *number >= least)
        .map(whole)
        .collect()
}

/// Numbers: zero, a fraction, a large one, the smallest.
pub fn numbers() -> Vec<Value> {
    vec![json!(0), json!(-0.1), json!(1e300), json!(5e-324)]
}

fn whole(number: i128) -> Value {
    i64::try_from(number).map_or_else(
        |_| json!(u64::try_from(number).unwrap()),
        |number| json!(number),
    )
}

/// A value of which nothing is known; an object where the schema asks for one.
pub fn opaque(object: bool, dice: &mut Dice) -> Value {
    let objects = [
        json!({}),
        json!({"type": "any", "list": [1, null, {"deep": [[], {}]}], "": "Grüße"}),
        json!({"null": null, "large": u64::MAX, "small": i64::MIN, "fraction": 0.1}),
    ];
    let others = [
        json!([]),
        json!([null, {"a": null}]),
        json!("text"),
        json!(12),
        json!(-0.5),
        json!(false),
    ];
    let choice = dice.below(if object {
        objects.len()
    } else {
        objects.len() + others.len()
    });
    objects.into_iter().chain(others).nth(choice).unwrap()
}
