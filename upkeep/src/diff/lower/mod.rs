//! From a vendored document to the form that is compared. What has no rule is an error.

mod methods;
mod object;
mod union;

use std::collections::BTreeMap;

use agentwire_codegen::diagnostics::{Code, Diagnostic};
use agentwire_codegen::document::{
    self, Definitions, Entry, Keyword, is_annotation, is_limit, is_type, keyword, pointer,
    reference_name,
};
use agentwire_codegen::json_place::Lines;
use agentwire_codegen::source::SourceFile;
use serde_json::{Map, Value};

use super::schema::{Document, Listed, Node, Shape};

/// Reads a document; every construct without a rule is told.
pub fn document(file: &SourceFile) -> Result<Document, Vec<Diagnostic>> {
    let root: Value = match serde_json::from_str(file.text()) {
        Ok(root) => root,
        Err(error) => {
            let message = format!("{} is not JSON: {error}", file.path());
            return Err(vec![Diagnostic::new(Code::BadSource, file.path(), message)]);
        }
    };
    value(file, &root)
}

/// The same for a document that was read already.
pub fn value(file: &SourceFile, root: &Value) -> Result<Document, Vec<Diagnostic>> {
    let told = |message: String| Diagnostic::new(Code::BadSource, file.path(), message);
    let raw = document::definitions(root).map_err(|found| {
        let found = found.into_iter();
        found.map(|(_, message)| told(message)).collect::<Vec<_>>()
    })?;
    if raw.is_empty() {
        return Err(vec![told(format!("{} has no definitions", file.path()))]);
    }
    let mut lowering = Lowering {
        raw: &raw,
        problems: Vec::new(),
    };
    let mut lowered = BTreeMap::new();
    for (name, entry) in &raw {
        lowered.insert(name.clone(), lowering.definition(entry));
    }
    let bound_results = lowering.bound_results();
    if lowering.problems.is_empty() {
        Ok(Document {
            file: file.clone(),
            definitions: lowered,
            bound_results,
        })
    } else {
        Err(lowering.told(file))
    }
}

struct Lowering<'r, 'a> {
    raw: &'r Definitions<'a>,
    problems: Vec<(String, String)>,
}

impl<'a> Lowering<'_, 'a> {
    fn fail(&mut self, at: &str, message: impl Into<String>) {
        self.problems.push((at.to_owned(), message.into()));
    }

    fn told(self, file: &SourceFile) -> Vec<Diagnostic> {
        let mut lines = Lines::new(file);
        let told = self.problems.into_iter().map(|(at, message)| {
            let message = format!("at `{at}`: {message}");
            let found = Diagnostic::new(Code::UnloweredSchema, file.path(), message)
                .help("versions are only compared when all of them can be read; give the construct a rule");
            match lines.range(&at) {
                Some(range) => found.at(file.span(range.start..range.start + 1), "here"),
                None => found,
            }
        });
        told.collect()
    }

    fn definition(&mut self, entry: &Entry<'a>) -> Node {
        let at = pointer(&entry.path);
        self.method_union(entry.schema, &at)
            .unwrap_or_else(|| self.node(entry.schema, &at))
    }

    /// Lowers one schema.
    fn node(&mut self, schema: &'a Value, at: &str) -> Node {
        match schema {
            Value::Bool(true) => Node::new(at, Shape::Any),
            Value::Bool(false) => Node::new(at, Shape::Never),
            Value::Object(map) => self.keyed(map, at),
            Value::Null | Value::Number(_) | Value::String(_) | Value::Array(_) => {
                self.fail(at, "a schema is an object or a boolean");
                Node::new(at, Shape::Any)
            }
        }
    }

    fn keyed(&mut self, map: &'a Map<String, Value>, at: &str) -> Node {
        for key in map.keys().filter(|key| !has_rule(key)) {
            self.fail(at, format!("keyword `{key}` has no rule"));
        }
        let mut node = self.shaped(map, at);
        for (key, value) in map {
            if is_limit(key) {
                if refers(value) {
                    self.fail(at, format!("a reference inside `{key}` has no rule"));
                }
                node.limits.insert(key.clone(), plain(value));
            } else if key.starts_with("x-") || key == "readOnly" || key == "writeOnly" {
                node.markers.insert(key.clone(), value.clone());
            }
        }
        if let Some(default) = map.get("default") {
            node.default = Some(plain(default));
        }
        if let Some(format) = map.get("format").and_then(Value::as_str) {
            node.format = Some(format.to_owned());
        }
        // Where the schema is a wrapper around another one, what it says stands at the wrapper.
        node.at = at.to_owned();
        node
    }

    fn shaped(&mut self, map: &'a Map<String, Value>, at: &str) -> Node {
        if let Some(reference) = map.get("$ref") {
            return self.reference(reference, map, at);
        }
        if let Some(values) = map.get("enum") {
            return self.values(values, map, at);
        }
        if let Some(value) = map.get("const") {
            let mut listed = Listed::default();
            listed
                .values
                .insert(plain(value).to_string(), format!("{at}/const"));
            return nulls_apart(at, listed);
        }
        if map.contains_key("oneOf") || map.contains_key("anyOf") {
            return self.union(map, at);
        }
        if map.contains_key("allOf") {
            return self.all_of(map, at);
        }
        self.typed(map, at)
    }

    fn reference(&mut self, reference: &Value, map: &Map<String, Value>, at: &str) -> Node {
        let Some(name) = reference.as_str().and_then(reference_name) else {
            self.fail(
                at,
                format!("{reference} refers to no definition of this file"),
            );
            return Node::new(at, Shape::Any);
        };
        if !self.raw.contains_key(&*name) {
            self.fail(at, format!("`{name}` is defined nowhere in this file"));
        }
        for key in map
            .keys()
            .filter(|key| *key != "$ref" && !is_annotation(key))
        {
            self.fail(at, format!("`{key}` beside a reference has no rule"));
        }
        Node::new(at, Shape::Ref(name.into_owned()))
    }

    fn values(&mut self, values: &Value, map: &Map<String, Value>, at: &str) -> Node {
        let Some(list) = values.as_array().filter(|list| !list.is_empty()) else {
            self.fail(at, "`enum` is a list of at least one value");
            return Node::new(at, Shape::Never);
        };
        if map.contains_key("oneOf") || map.contains_key("anyOf") || map.contains_key("properties")
        {
            self.fail(at, "`enum` beside another shape has no rule");
        }
        let listed = list
            .iter()
            .enumerate()
            .map(|(index, value)| (plain(value).to_string(), format!("{at}/enum/{index}")));
        let listed = Listed {
            values: listed.collect(),
            open: false,
        };
        nulls_apart(at, listed)
    }

    /// A schema that says its JSON types, or shows them by the keywords that it has.
    fn typed(&mut self, map: &'a Map<String, Value>, at: &str) -> Node {
        let mut kinds: Vec<&str> = match map.get("type") {
            Some(Value::String(kind)) => vec![kind],
            Some(Value::Array(kinds)) => kinds.iter().filter_map(Value::as_str).collect(),
            Some(_) => {
                self.fail(at, "`type` is a text or a list of texts");
                Vec::new()
            }
            None if object::shows(map) => vec!["object"],
            None if map.contains_key("items") => vec!["array"],
            None => return Node::new(at, Shape::Any),
        };
        for kind in &kinds {
            if !is_type(kind) {
                self.fail(at, format!("`{kind}` is no JSON type"));
            }
        }
        let nullable = kinds.contains(&"null");
        kinds.retain(|kind| *kind != "null");
        let mut node = match kinds.as_slice() {
            [] => Node::new(at, Shape::Never),
            ["object"] => Node::new(at, Shape::Object(self.object(map, at))),
            ["array"] => self.list(map, at),
            ["string"] if map.contains_key("x-known-values") => known_values(map, at),
            several
                if several
                    .iter()
                    .any(|kind| matches!(*kind, "object" | "array")) =>
            {
                self.kinds_apart(several, map, at)
            }
            scalars => {
                let scalars = scalars.iter().map(|kind| (*kind).to_owned());
                Node::new(at, Shape::Scalar(scalars.collect()))
            }
        };
        node.nullable = nullable;
        node
    }

    fn list(&mut self, map: &'a Map<String, Value>, at: &str) -> Node {
        if map.contains_key("prefixItems") && map.contains_key("items") {
            self.fail(at, "`items` beside `prefixItems` has no rule");
        }
        let places = map.get("prefixItems").or_else(|| map.get("items"));
        let shape = match places {
            Some(Value::Array(places)) => {
                let key = if map.contains_key("prefixItems") {
                    "prefixItems"
                } else {
                    "items"
                };
                let places = places.iter().enumerate();
                let lowered =
                    places.map(|(index, place)| self.node(place, &format!("{at}/{key}/{index}")));
                Shape::Tuple(lowered.collect())
            }
            Some(element) => Shape::List(Box::new(self.node(element, &format!("{at}/items")))),
            None => Shape::List(Box::new(Node::new(at, Shape::Any))),
        };
        Node::new(at, shape)
    }
}

/// Whether a key is a keyword that the comparison reads inside a definition.
fn has_rule(key: &str) -> bool {
    keyword(key).is_some_and(|keyword| keyword != Keyword::Definitions)
}

/// A value with its numbers in one spelling: `1.0` is `1`.
fn plain(value: &Value) -> Value {
    // Integers above this are not exact as floating point numbers.
    const EXACT: f64 = 9_007_199_254_740_992.0;
    match value {
        Value::Number(number) => match number.as_f64() {
            // In this range the conversion loses nothing.
            #[allow(clippy::cast_possible_truncation)]
            Some(float) if number.is_f64() && float.fract() == 0.0 && float.abs() < EXACT => {
                Value::from(float as i64)
            }
            Some(_) | None => value.clone(),
        },
        Value::Array(values) => values.iter().map(plain).collect(),
        Value::Object(members) => {
            let members = members
                .iter()
                .map(|(name, value)| (name.clone(), plain(value)));
            Value::Object(members.collect())
        }
        Value::Null | Value::Bool(_) | Value::String(_) => value.clone(),
    }
}

/// Whether a schema refers to a definition, at any depth.
fn refers(value: &Value) -> bool {
    match value {
        Value::Object(map) => map.contains_key("$ref") || map.values().any(refers),
        Value::Array(values) => values.iter().any(refers),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => false,
    }
}

/// Texts of which some are known.
fn known_values(map: &Map<String, Value>, at: &str) -> Node {
    let known = map.get("x-known-values").and_then(Value::as_array);
    let values = known.into_iter().flatten().enumerate();
    let listed = Listed {
        values: values
            .map(|(index, value)| (value.to_string(), format!("{at}/x-known-values/{index}")))
            .collect(),
        open: true,
    };
    Node::new(at, Shape::Enum(listed))
}

/// A `null` among the values is nullability.
fn nulls_apart(at: &str, mut listed: Listed) -> Node {
    let nullable = listed.values.remove("null").is_some();
    let shape = if listed.values.is_empty() {
        Shape::Never
    } else {
        Shape::Enum(listed)
    };
    let mut node = Node::new(at, shape);
    node.nullable = nullable;
    node
}
