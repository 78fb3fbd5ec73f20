//! One vendored schema file: its definitions by name, its references, its keywords.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::diagnostics::Code;
use crate::ir::{Face, Place};
use crate::problem::Problem;

/// Keywords that lowering understands or that bear no structure.
const KEYWORDS: &[&str] = &[
    "$defs",
    "$ref",
    "$schema",
    "additionalProperties",
    "allOf",
    "anyOf",
    "const",
    "contentEncoding",
    "default",
    "definitions",
    "description",
    "discriminator",
    "enum",
    "format",
    "items",
    "maxItems",
    "maxLength",
    "maximum",
    "minItems",
    "minLength",
    "minimum",
    "oneOf",
    "pattern",
    "properties",
    "readOnly",
    "required",
    "title",
    "type",
    "uniqueItems",
    "writeOnly",
];

/// Keywords that only the variant for everything else may have.
const OF_OTHER_VARIANTS: &[&str] = &["not", "unevaluatedProperties"];

/// A schema file with the version and face that it stands for.
pub struct Document<'a> {
    /// Index into the list of schema files.
    pub file: usize,
    /// Position of the version in the window.
    pub version: usize,
    /// The face.
    pub face: Face,
    /// Every definition by its name, namespaces as prefixes.
    pub definitions: BTreeMap<String, Entry<'a>>,
}

/// A definition and where it stands.
#[derive(Clone)]
pub struct Entry<'a> {
    /// The schema.
    pub schema: &'a Value,
    /// JSON path to it.
    pub path: Vec<String>,
}

impl<'a> Document<'a> {
    /// Collects the definitions; a map of definitions among them is a namespace.
    pub fn new(
        file: usize,
        version: usize,
        face: Face,
        root: &'a Value,
    ) -> Result<Self, Vec<Problem>> {
        let mut document = Self {
            file,
            version,
            face,
            definitions: BTreeMap::new(),
        };
        let mut problems = Vec::new();
        for key in ["definitions", "$defs"] {
            if let Some(map) = root.get(key).and_then(Value::as_object) {
                document.collect("", map, vec![key.to_owned()], &mut problems);
            }
        }
        if problems.is_empty() {
            Ok(document)
        } else {
            Err(problems)
        }
    }

    fn collect(
        &mut self,
        prefix: &str,
        map: &'a serde_json::Map<String, Value>,
        path: Vec<String>,
        problems: &mut Vec<Problem>,
    ) {
        for (name, schema) in map {
            let mut at = path.clone();
            at.push(name.clone());
            let full = format!("{prefix}{name}");
            match schema.as_object() {
                Some(inner) if is_namespace(inner) => {
                    self.collect(&format!("{full}/"), inner, at, problems);
                }
                _ => {
                    let entry = Entry {
                        schema,
                        path: at.clone(),
                    };
                    if self.definitions.insert(full.clone(), entry).is_some() {
                        let message = format!("`{full}` is defined twice in one file");
                        problems.push(self.problem(&at, message));
                    }
                }
            }
        }
    }

    /// The place of a JSON path in this file.
    pub fn place(&self, path: &[String]) -> Place {
        Place {
            file: self.file,
            path: path.to_vec(),
        }
    }

    /// A construct that can't be lowered.
    pub fn problem(&self, path: &[String], message: String) -> Problem {
        Problem::new(Code::UnloweredSchema, self.place(path), message)
            .help("decide it in a quirk or in an overlay under schemas/overlays/")
    }

    /// The definition that a `$ref` names.
    pub fn resolve(&self, reference: &str) -> Option<(&str, &Entry<'a>)> {
        let name = reference_name(reference)?;
        self.definitions
            .get_key_value(name)
            .map(|(key, entry)| (key.as_str(), entry))
    }

    /// Follows `$ref` and an `allOf` of one to the schema that says something itself.
    pub fn follow<'b>(&'b self, schema: &'a Value) -> &'a Value {
        let mut current = schema;
        // A chain longer than the number of definitions can only be a circle.
        for _ in 0..=self.definitions.len() {
            let inner = only_part(current).or_else(|| {
                let reference = current.get("$ref").and_then(Value::as_str)?;
                self.resolve(reference).map(|(_, entry)| entry.schema)
            });
            match inner {
                Some(next) => current = next,
                None => break,
            }
        }
        current
    }

    /// Reports keywords that no rule covers, so that none is passed over in silence.
    pub fn check_keywords(&self, schema: &Value, path: &[String], problems: &mut Vec<Problem>) {
        let Some(object) = schema.as_object() else {
            return;
        };
        for key in object
            .keys()
            .filter(|key| !KEYWORDS.contains(&key.as_str()) && !key.starts_with("x-"))
        {
            problems.push(self.problem(path, format!("keyword `{key}` has no lowering rule")));
        }
        let saying = |key: &&String| KEYWORDS.contains(&key.as_str()) && !is_annotation(key);
        if object.contains_key("$ref") {
            for key in object.keys().filter(saying).filter(|key| *key != "$ref") {
                problems.push(self.problem(
                    path,
                    format!("`{key}` beside a reference has no lowering rule"),
                ));
            }
        } else if object.contains_key("allOf")
            && only_part(schema).is_none()
            && base(schema).is_none()
        {
            let message = "`allOf` of several schemas, or beside what a schema says itself, has no lowering rule";
            problems.push(self.problem(path, message.to_owned()));
        }
    }
}

/// The schema in an `allOf` of one that says nothing itself but its kind.
pub fn only_part(schema: &Value) -> Option<&Value> {
    let parts = schema.get("allOf")?.as_array()?;
    let alone = schema
        .as_object()?
        .keys()
        .all(|key| is_annotation(key) || key == "allOf" || key == "type");
    parts.first().filter(|_| parts.len() == 1 && alone)
}

/// The schema in an `allOf` of one to which the schema beside it adds members of its own.
pub fn base(schema: &Value) -> Option<&Value> {
    let parts = schema.get("allOf")?.as_array()?;
    let adds = |key: &String| {
        is_annotation(key) || matches!(key.as_str(), "allOf" | "type" | "properties" | "required")
    };
    let adds = schema.get("properties").is_some() && schema.as_object()?.keys().all(adds);
    parts.first().filter(|_| parts.len() == 1 && adds)
}

/// Keywords that say nothing about a value.
pub fn is_annotation(key: &str) -> bool {
    let annotations = [
        "description",
        "title",
        "default",
        "$schema",
        "readOnly",
        "writeOnly",
        "discriminator",
    ];
    annotations.contains(&key) || key.starts_with("x-")
}

/// The definition name in a local reference.
pub fn reference_name(reference: &str) -> Option<&str> {
    reference
        .strip_prefix("#/definitions/")
        .or_else(|| reference.strip_prefix("#/$defs/"))
}

/// A map of definitions says nothing about a value: none of its keys is a keyword, and every
/// member is itself a schema.
fn is_namespace(map: &serde_json::Map<String, Value>) -> bool {
    !map.is_empty()
        && map.iter().all(|(key, value)| {
            let keyword =
                KEYWORDS.contains(&key.as_str()) || OF_OTHER_VARIANTS.contains(&key.as_str());
            !keyword && (value.is_object() || value.is_boolean())
        })
}
