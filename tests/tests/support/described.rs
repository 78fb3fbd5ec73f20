//! Events against the JSON Schema of the canonical model, as a host that has no Rust checks them.

use std::sync::LazyLock;

use jsonschema::Validator;
use serde_json::Value;

static VALIDATOR: LazyLock<Validator> =
    LazyLock::new(|| jsonschema::draft202012::new(&agentwire_canonical_schema::schema()).unwrap());

/// What the schema does not allow in an event, given as its JSON.
pub fn fault(json: &str) -> Option<String> {
    // A message may hold half a surrogate pair; most hosts read it, and the parser here does not.
    let event: Value = match serde_json::from_str(&without_halves(json)) {
        Ok(event) => event,
        Err(error) => return Some(format!("no JSON: {error}")),
    };
    let error = VALIDATOR.validate(&event).err()?;
    Some(format!("not as the schema says: {error}"))
}

/// The JSON with U+FFFD for each half of a surrogate pair.
fn without_halves(json: &str) -> String {
    let mut text = String::with_capacity(json.len());
    let mut rest = json;
    while let Some(start) = rest.find('\\') {
        text.push_str(&rest[..start]);
        rest = &rest[start..];
        let (escape, length) = match (unit(rest), rest.get(6..).and_then(unit)) {
            (Some(0xD800..=0xDBFF), Some(0xDC00..=0xDFFF)) => (&rest[..12], 12),
            (Some(0xD800..=0xDFFF), _) => ("\\ufffd", 6),
            (Some(_), _) => (&rest[..6], 6),
            (None, _) => (&rest[..2], 2),
        };
        text.push_str(escape);
        rest = &rest[length..];
    }
    text + rest
}

/// The code unit of a `\u` escape at the start.
fn unit(text: &str) -> Option<u32> {
    u32::from_str_radix(text.strip_prefix("\\u")?.get(..4)?, 16).ok()
}

#[test]
fn only_halves_are_replaced() {
    for (json, expected) in [
        (
            r#""\ud83d\ude00 é \\ud83d \n""#,
            r#""\ud83d\ude00 é \\ud83d \n""#,
        ),
        (r#""\ud83d \uDE00\\""#, r#""\ufffd \ufffd\\""#),
        (
            r#""\ud83d\ud83d\ude00\u0041""#,
            r#""\ufffd\ud83d\ude00\u0041""#,
        ),
    ] {
        assert_eq!(without_halves(json), expected);
    }
}
