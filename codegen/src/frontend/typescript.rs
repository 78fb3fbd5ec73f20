//! The TypeScript front end: dumps of declarations, brought to the form that the JSON Schema front
//! end lowers.
//!
//! `vendor` has written structure only, so little is left to be said: which constants mark an
//! object, which members may be missing though they must be there by their type, and which numbers
//! count. Nothing changes its place, so that a finding still points at the line of the dump.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

/// What the types leave open and `sources.toml` says, with what of it has been met.
pub struct Decisions<'s> {
    /// Members that hold whole numbers, a `*` at either end of a name standing for anything.
    whole_numbers: &'s [String],
    /// How the names of types begin that are passed on from elsewhere.
    passed_on: &'s [String],
    met: BTreeSet<&'s str>,
}

impl<'s> Decisions<'s> {
    /// Nothing met yet.
    pub fn new(whole_numbers: &'s [String], passed_on: &'s [String]) -> Self {
        Self {
            whole_numbers,
            passed_on,
            met: BTreeSet::new(),
        }
    }

    /// What decided nothing in any dump.
    pub fn stale(&self) -> impl Iterator<Item = &'s str> {
        let all = self.whole_numbers.iter().chain(self.passed_on);
        all.map(String::as_str)
            .filter(|decision| !self.met.contains(decision))
    }

    fn is_whole(&mut self, member: &str) -> bool {
        let found = self.whole_numbers.iter().filter(|it| matches(it, member));
        let found: Vec<&str> = found.map(String::as_str).collect();
        self.met.extend(&found);
        !found.is_empty()
    }

    fn is_passed_on(&mut self, definition: &str) -> bool {
        let found = self
            .passed_on
            .iter()
            .find(|start| definition.starts_with(start.as_str()));
        self.met.extend(found.map(String::as_str));
        found.is_some()
    }
}

/// Brings a dump to the form of a JSON Schema document.
pub fn read(dump: &mut Value, decisions: &mut Decisions<'_>) {
    let Some(definitions) = dump.get_mut("definitions").and_then(Value::as_object_mut) else {
        return;
    };
    let nullable: BTreeSet<String> = definitions
        .iter()
        .filter(|(_, schema)| allows_null(schema, &BTreeSet::new()))
        .map(|(name, _)| format!("#/definitions/{name}"))
        .collect();
    for (name, schema) in definitions {
        let passed_on = decisions.is_passed_on(name);
        Reading {
            decisions,
            nullable: &nullable,
            passed_on,
        }
        .schema(schema);
    }
}

struct Reading<'r, 's> {
    decisions: &'r mut Decisions<'s>,
    /// References to what may be null.
    nullable: &'r BTreeSet<String>,
    passed_on: bool,
}

impl Reading<'_, '_> {
    fn schema(&mut self, schema: &mut Value) {
        let Some(object) = schema.as_object_mut() else {
            return;
        };
        self.members(object);
        for (key, value) in object.iter_mut() {
            match (key.as_str(), value) {
                ("anyOf" | "oneOf" | "items", Value::Array(all)) => {
                    all.iter_mut().for_each(|one| self.schema(one));
                }
                ("items" | "additionalProperties", one) => self.value(one),
                _ => {}
            }
        }
    }

    /// The schema of a value in another. Objects of which nothing is known are kept as they are: a
    /// map of their members would say them in another way.
    fn value(&mut self, schema: &mut Value) {
        self.schema(schema);
        let kinds = schema.get("type").is_some_and(|kind| says(kind, "object"));
        let open = schema.get("additionalProperties") == Some(&Value::Bool(true));
        if kinds && open && schema.get("properties").is_none() {
            *schema = Value::Object(Map::new());
        }
    }

    fn members(&mut self, object: &mut Map<String, Value>) {
        let mut required: Vec<Value> = match object.get("required") {
            Some(Value::Array(names)) => names.clone(),
            _ => Vec::new(),
        };
        let before = required.len();
        let Some(properties) = object.get_mut("properties").and_then(Value::as_object_mut) else {
            return;
        };
        for (name, member) in properties.iter_mut() {
            let may_be_null = allows_null(member, self.nullable);
            self.value(member);
            // `unknown` holds `undefined`, too, and that is not written.
            let anything = *member == Value::Bool(true);
            if anything || (self.passed_on && may_be_null) {
                required.retain(|listed| listed != name);
            }
            let Some(schema) = member.as_object_mut() else {
                continue;
            };
            let marks = schema.get("const").is_some_and(Value::is_string)
                && required.iter().any(|listed| listed == name);
            if marks {
                schema.insert("x-constant".to_owned(), Value::Bool(true));
            }
            if let Some(kind) = schema.get_mut("type")
                && says(kind, "number")
                && self.decisions.is_whole(name)
            {
                *kind = whole(kind);
            }
        }
        if required.len() != before {
            object.insert("required".to_owned(), Value::Array(required));
        }
    }
}

fn allows_null(schema: &Value, nullable: &BTreeSet<String>) -> bool {
    let listed = |key: &str| schema.get(key).and_then(Value::as_array);
    let in_union = |key: &str| {
        listed(key).is_some_and(|all| all.iter().any(|member| allows_null(member, nullable)))
    };
    schema.get("type").is_some_and(|kind| says(kind, "null"))
        || listed("enum").is_some_and(|values| values.iter().any(Value::is_null))
        || (schema.get("$ref").and_then(Value::as_str)).is_some_and(|name| nullable.contains(name))
        || in_union("anyOf")
        || in_union("oneOf")
}

fn says(kind: &Value, wanted: &str) -> bool {
    match kind.as_array() {
        Some(kinds) => kinds.iter().any(|kind| kind == wanted),
        None => kind == wanted,
    }
}

fn whole(kind: &Value) -> Value {
    match kind.as_array() {
        Some(kinds) => kinds.iter().map(whole).collect(),
        None if kind == "number" => Value::from("integer"),
        None => kind.clone(),
    }
}

fn matches(pattern: &str, name: &str) -> bool {
    match (pattern.strip_prefix('*'), pattern.strip_suffix('*')) {
        (Some(end), _) => name.ends_with(end),
        (None, Some(start)) => name.starts_with(start),
        (None, None) => pattern == name,
    }
}
