//! Serde helpers for the forms that a derive cannot express.

use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serializer};

use crate::json::OwnedJson;

/// Reads an optional member that may be `null`: present gives `Some`, whatever the value is.
pub(super) fn nullable<'de, D, T>(deserializer: D) -> Result<Option<Option<T>>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    Option::deserialize(deserializer).map(Some)
}

/// Reads an optional opaque member: `null` is a value like any other.
pub(super) fn opaque<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<OwnedJson>, D::Error> {
    OwnedJson::deserialize(deserializer).map(Some)
}

/// Writes a number as JavaScript prints it: an integral one has no fraction.
pub(super) fn number<S: Serializer>(value: &Option<f64>, serializer: S) -> Result<S::Ok, S::Error> {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    match *value {
        None => serializer.serialize_none(),
        #[expect(clippy::cast_possible_truncation, reason = "integral, and below 2^53")]
        Some(number) if number.fract() == 0.0 && number.abs() < EXACT => {
            serializer.serialize_i64(number as i64)
        }
        Some(number) => serializer.serialize_f64(number),
    }
}

/// Optional text that is shared between events instead of being copied into each.
pub(super) mod shared_text {
    use super::{Arc, Deserialize, Deserializer, Serializer};

    pub(in super::super) fn serialize<S: Serializer>(
        text: &Option<Arc<str>>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        match text {
            Some(text) => serializer.serialize_str(text),
            None => serializer.serialize_none(),
        }
    }

    pub(in super::super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<Arc<str>>, D::Error> {
        let text: Option<String> = Option::deserialize(deserializer)?;
        Ok(text.map(Arc::from))
    }
}
