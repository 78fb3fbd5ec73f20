//! The keywords of JSON Schema that documents of agents use, each with what it is for.

use Keyword::{Annotation, Definitions, Limit, Shape};

/// What a keyword is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keyword {
    /// It gives a schema its shape.
    Shape,
    /// It limits values further.
    Limit,
    /// It says nothing about values: prose, defaults, markers.
    Annotation,
    /// It holds definitions.
    Definitions,
}

/// The JSON types.
const TYPES: [&str; 7] = [
    "array", "boolean", "integer", "null", "number", "object", "string",
];

/// All of them by name; the last column says whether there is a rule that lowers it, or no need of one.
const KEYWORDS: &[(&str, Keyword, bool)] = &[
    ("$comment", Annotation, false),
    ("$defs", Definitions, true),
    ("$ref", Shape, true),
    ("$schema", Annotation, true),
    ("additionalProperties", Shape, true),
    ("allOf", Shape, true),
    ("anyOf", Shape, true),
    ("const", Shape, true),
    ("contentEncoding", Limit, true),
    ("contentMediaType", Limit, false),
    ("default", Annotation, true),
    ("definitions", Definitions, true),
    ("deprecated", Annotation, false),
    ("description", Annotation, true),
    ("discriminator", Annotation, true),
    ("enum", Shape, true),
    ("examples", Annotation, false),
    ("exclusiveMaximum", Limit, false),
    ("exclusiveMinimum", Limit, false),
    ("format", Shape, true),
    ("items", Shape, true),
    ("maxItems", Limit, true),
    ("maxLength", Limit, true),
    ("maxProperties", Limit, false),
    ("maximum", Limit, true),
    ("minItems", Limit, true),
    ("minLength", Limit, true),
    ("minProperties", Limit, false),
    ("minimum", Limit, true),
    ("multipleOf", Limit, false),
    ("not", Limit, false),
    ("oneOf", Shape, true),
    ("pattern", Limit, true),
    ("patternProperties", Limit, false),
    ("prefixItems", Shape, false),
    ("properties", Shape, true),
    ("propertyNames", Limit, false),
    ("readOnly", Annotation, true),
    ("required", Shape, true),
    ("title", Annotation, true),
    ("type", Shape, true),
    ("unevaluatedProperties", Limit, false),
    ("uniqueItems", Limit, true),
    ("writeOnly", Annotation, true),
];

/// What a key of a schema is for; nothing for what is no keyword.
pub fn keyword(key: &str) -> Option<Keyword> {
    if key.starts_with("x-") {
        return Some(Annotation);
    }
    find(key).map(|(_, keyword, _)| *keyword)
}

/// Whether a key limits values.
pub fn is_limit(key: &str) -> bool {
    keyword(key) == Some(Limit)
}

/// Whether a key says nothing about values.
pub fn is_annotation(key: &str) -> bool {
    keyword(key) == Some(Annotation)
}

/// Whether a key needs no rule, or has one, in the front end.
pub fn is_lowered(key: &str) -> bool {
    key.starts_with("x-") || find(key).is_some_and(|(_, _, lowered)| *lowered)
}

/// Whether it is the name of a JSON type.
pub fn is_type(name: &str) -> bool {
    TYPES.contains(&name)
}

fn find(key: &str) -> Option<&'static (&'static str, Keyword, bool)> {
    KEYWORDS.iter().find(|(name, _, _)| *name == key)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_keyword_stands_once_in_order() {
        assert!(KEYWORDS.is_sorted_by(|a, b| a.0 < b.0));
        assert_eq!(keyword("x-known-values"), Some(Annotation));
        assert_eq!(keyword("Thread"), None);
        assert!(is_limit("pattern") && is_lowered("pattern"));
        assert!(is_limit("not") && !is_lowered("not"));
    }
}
