//! Opaque JSON: a value that nobody decodes, kept as its exact text.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::RawValue;

use super::malformed::Malformed;
use super::reader::Reader;

/// Borrowed opaque JSON: the exact slice of the line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Json<'a>(&'a str);

/// Owned opaque JSON: a shared text and a range in it, so that a part of a line costs no copy.
///
/// It pins the whole text. Equality is that of the text, so `1` and `1.0` differ, and numbers of
/// any size are kept as they were sent.
#[derive(Clone)]
pub struct OwnedJson {
    text: Arc<str>,
    range: Range<usize>,
}

impl<'a> Json<'a> {
    /// `null`, for what is absent.
    pub const NULL: Json<'static> = Json("null");

    /// Checks that a text is one JSON value. White space around it is cut off.
    ///
    /// # Errors
    /// Where the text is not JSON.
    pub fn parse(text: &'a str) -> Result<Self, Malformed> {
        super::decode(text).map(|(json, _)| json)
    }

    /// The exact text.
    #[must_use]
    pub fn as_str(&self) -> &'a str {
        self.0
    }

    /// A copy of its own.
    #[must_use]
    pub fn to_owned_json(&self) -> OwnedJson {
        OwnedJson::whole(Arc::from(self.0))
    }

    /// A text that a reader has validated.
    pub(super) fn trusted(text: &'a str) -> Self {
        Self(text)
    }
}

impl OwnedJson {
    /// A part of a shared text. The range is one that [`Reader::span`] gave for that text; it is
    /// not looked at again. A range outside the text stands for `null`.
    #[must_use]
    pub fn from_text(text: Arc<str>, range: Range<usize>) -> Self {
        Self { text, range }
    }

    /// Checks that a text is one JSON value and copies it.
    ///
    /// # Errors
    /// Where the text is not JSON.
    pub fn parse(text: &str) -> Result<Self, Malformed> {
        Json::parse(text).map(|json| json.to_owned_json())
    }

    /// The text of a tree.
    #[must_use]
    pub fn from_value(value: &serde_json::Value) -> Self {
        Self::whole(Arc::from(value.to_string()))
    }

    /// The exact text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        self.text.get(self.range.clone()).unwrap_or("null")
    }

    /// The tree, where `serde_json` can hold it: it cannot hold lone surrogates, numbers past the
    /// range of a float, and more than 128 levels.
    #[must_use]
    pub fn to_value(&self) -> Option<serde_json::Value> {
        serde_json::from_str(self.as_str()).ok()
    }

    /// A reader of the value.
    #[must_use]
    pub fn reader(&self) -> Reader<'_> {
        Reader::new(self.as_str())
    }

    fn whole(text: Arc<str>) -> Self {
        let range = 0..text.len();
        Self { text, range }
    }
}

impl fmt::Display for Json<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.0)
    }
}

impl fmt::Display for OwnedJson {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

impl fmt::Debug for OwnedJson {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_tuple("OwnedJson")
            .field(&self.as_str())
            .finish()
    }
}

impl PartialEq for OwnedJson {
    fn eq(&self, other: &Self) -> bool {
        self.as_str() == other.as_str()
    }
}

impl Eq for OwnedJson {}

impl From<serde_json::Value> for OwnedJson {
    fn from(value: serde_json::Value) -> Self {
        Self::from_value(&value)
    }
}

impl From<Json<'_>> for OwnedJson {
    fn from(json: Json<'_>) -> Self {
        json.to_owned_json()
    }
}

impl Serialize for OwnedJson {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        super::bridge::serialize_text(self.as_str(), serializer)
    }
}

impl<'de> Deserialize<'de> for OwnedJson {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = Box::<RawValue>::deserialize(deserializer)?;
        Ok(Self::whole(Arc::from(Box::<str>::from(raw))))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic)]
    use super::*;

    #[test]
    fn a_part_of_a_line_is_shared() {
        let line: Arc<str> = Arc::from(r#"{"a":[1, 1e400]}"#);
        let part = OwnedJson::from_text(Arc::clone(&line), 5..15);
        assert_eq!(part.as_str(), "[1, 1e400]");
        assert_eq!(Arc::strong_count(&line), 2);
        assert_eq!(part, OwnedJson::parse(" [1, 1e400] ").unwrap());
        assert_ne!(part, OwnedJson::parse("[1,1e400]").unwrap());
        assert_eq!(OwnedJson::from_text(line, 5..99).as_str(), "null");
    }

    #[test]
    fn serde_keeps_the_text() {
        let text = r#"{"x":{"big":18446744073709551616,"s":"\ud800","f":1.50}}"#;
        let map: std::collections::BTreeMap<String, OwnedJson> =
            serde_json::from_str(text).unwrap();
        assert_eq!(serde_json::to_string(&map).unwrap(), text);
        assert_eq!(map["x"].to_value(), None);
        assert!(serde_json::to_string(&OwnedJson::from_text(Arc::from("[x"), 0..2)).is_err());
    }

    #[test]
    fn trees_go_both_ways() {
        let value = serde_json::json!({"a": [1, "x", null]});
        let json = OwnedJson::from(value.clone());
        assert_eq!(json.to_value(), Some(value));
        assert_eq!(json.to_string(), r#"{"a":[1,"x",null]}"#);
        assert!(OwnedJson::parse("[1,]").is_err());
    }
}
