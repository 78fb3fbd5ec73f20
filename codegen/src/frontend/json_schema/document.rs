//! One vendored schema file: its definitions by name, its references, its keywords.

use serde_json::Value;

use crate::diagnostics::Code;
use crate::document::{
    Definitions, Entry, definitions, is_annotation, is_lowered, only_part, reference_name,
};
use crate::ir::{Face, Place};
use crate::problem::Problem;

/// A schema file with the version and face that it stands for.
pub struct Document<'a> {
    /// Index into the list of schema files.
    pub file: usize,
    /// Position of the version in the window.
    pub version: usize,
    /// The face.
    pub face: Face,
    /// Every definition by its name, namespaces as prefixes.
    pub definitions: Definitions<'a>,
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
            definitions: Definitions::new(),
        };
        match definitions(root) {
            Ok(found) => {
                document.definitions = found;
                Ok(document)
            }
            Err(found) => {
                let problems = found.into_iter();
                Err(problems
                    .map(|(at, message)| document.problem(&at, message))
                    .collect())
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
            .get_key_value(&*name)
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
        for key in object.keys().filter(|key| !is_lowered(key)) {
            problems.push(self.problem(path, format!("keyword `{key}` has no lowering rule")));
        }
        let saying = |key: &&String| is_lowered(key) && !is_annotation(key);
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

/// The schema in an `allOf` of one to which the schema beside it adds members of its own.
pub fn base(schema: &Value) -> Option<&Value> {
    let parts = schema.get("allOf")?.as_array()?;
    let adds = |key: &String| {
        is_annotation(key) || matches!(key.as_str(), "allOf" | "type" | "properties" | "required")
    };
    let adds = schema.get("properties").is_some() && schema.as_object()?.keys().all(adds);
    parts.first().filter(|_| parts.len() == 1 && adds)
}
