//! The keywords that have a rule.

/// The JSON types.
pub const TYPES: &[&str] = &[
    "array", "boolean", "integer", "null", "number", "object", "string",
];

/// Keywords that limit values and are compared by what they say.
pub const LIMITS: &[&str] = &[
    "contentEncoding",
    "contentMediaType",
    "exclusiveMaximum",
    "exclusiveMinimum",
    "maxItems",
    "maxLength",
    "maxProperties",
    "maximum",
    "minItems",
    "minLength",
    "minProperties",
    "minimum",
    "multipleOf",
    "not",
    "pattern",
    "patternProperties",
    "propertyNames",
    "unevaluatedProperties",
    "uniqueItems",
];

/// Keywords that give a schema its shape.
const SHAPES: &[&str] = &[
    "$ref",
    "additionalProperties",
    "allOf",
    "anyOf",
    "const",
    "enum",
    "format",
    "items",
    "oneOf",
    "prefixItems",
    "properties",
    "required",
    "type",
];

/// Keywords that say nothing about values, or are prose.
const ANNOTATIONS: &[&str] = &[
    "$comment",
    "$schema",
    "default",
    "deprecated",
    "description",
    "discriminator",
    "examples",
    "readOnly",
    "title",
    "writeOnly",
];

/// Whether there is a rule for it.
pub fn known(key: &str) -> bool {
    SHAPES.contains(&key) || LIMITS.contains(&key) || annotation(key)
}

/// Whether it may stand beside anything.
pub fn annotation(key: &str) -> bool {
    ANNOTATIONS.contains(&key) || key.starts_with("x-")
}
