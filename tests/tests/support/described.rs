//! Events against the JSON Schema of the canonical model, as a host that has no Rust checks them.

use std::sync::LazyLock;

use agentwire_upkeep::report::without_halves;
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
