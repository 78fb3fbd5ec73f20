//! Front ends: from what upstream publishes to the IR.

pub mod json_schema;
pub mod typescript;
