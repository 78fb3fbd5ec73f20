//! The JSON Schema of the types whose written form their fields do not show.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

use super::time::IsoDateTime;
use crate::json::OwnedJson;

impl JsonSchema for OwnedJson {
    fn schema_name() -> Cow<'static, str> {
        "OwnedJson".into()
    }

    /// Any value at all needs no name of its own.
    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        true.into()
    }
}

impl JsonSchema for IsoDateTime {
    fn schema_name() -> Cow<'static, str> {
        "IsoDateTime".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "A point in time, in UTC, with three digits of fraction of a second.",
            "type": "string",
            "format": "date-time",
        })
    }
}
