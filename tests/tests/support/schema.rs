//! The vendored schemas, asked about single messages.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use agentwire::codex::wire::{
    app_server_notification, app_server_request, app_server_response, eventmsg,
};
use agentwire_tests::root;
use serde_json::{Map, Value, json};

/// Notifications that are sent, and that no union of the schemas lists.
const LOOSE: &[(&str, &str)] = &[
    ("rawResponse/completed", "RawResponseCompletedNotification"),
    (
        "rawResponseItem/completed",
        "RawResponseItemCompletedNotification",
    ),
];

/// The schemas of one version and face.
pub struct Schemas {
    definitions: Map<String, Value>,
    /// The definitions of results that no naming rule finds, by method.
    results: BTreeMap<String, String>,
}

impl Schemas {
    /// Those of a vendored version.
    pub fn read(version: &str, face: &str) -> Self {
        let path = root().join(format!("schemas/codex/{version}/{face}/schema.json"));
        let text =
            fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let mut document: Value = serde_json::from_str(&text).unwrap();
        let Value::Object(definitions) = document["definitions"].take() else {
            panic!("no definitions")
        };
        Self {
            definitions,
            results: listed_results(),
        }
    }

    /// The schema of what a message's text holds, as far as the version has it.
    pub fn of(&self, surface: &str, tag: &str) -> Option<Value> {
        match surface {
            app_server_notification::SURFACE => self
                .variant("ServerNotification", "method", tag)
                .or_else(|| self.loose(tag)),
            app_server_request::SURFACE => self.variant("ServerRequest", "method", tag),
            eventmsg::SURFACE => self.variant("EventMsg", "type", tag),
            app_server_response::SURFACE => {
                let name = self.result(tag)?;
                let result = json!({"$ref": format!("#/definitions/{name}")});
                Some(
                    json!({"type": "object", "required": ["result"], "properties": {"result": result}}),
                )
            }
            other => panic!("no surface `{other}`"),
        }
    }

    /// A notification that has a definition and stands in no union.
    fn loose(&self, method: &str) -> Option<Value> {
        let (_, name) = LOOSE.iter().find(|(known, _)| *known == method)?;
        let params = self.definitions.get(*name)?;
        Some(json!({"type": "object", "required": ["params"], "properties": {"params": params}}))
    }

    fn variant(&self, union: &str, key: &str, tag: &str) -> Option<Value> {
        let variants = self.definitions.get(union)?["oneOf"].as_array()?;
        variants
            .iter()
            .find(|variant| is_tagged(variant, key, tag))
            .cloned()
    }

    /// The definition of a method's result.
    fn result(&self, method: &str) -> Option<String> {
        let request = self.variant("ClientRequest", "method", method)?;
        let mut params = Vec::new();
        references(&request["properties"]["params"], &mut params);
        let stem = params
            .first()
            .and_then(|params| params.strip_suffix("Params"));
        let by_name = stem.map(|stem| format!("{stem}Response"));
        // A request without parameters has its result under its own words.
        let words = method.replace('/', "") + "Response";
        let by_words = self
            .definitions
            .keys()
            .find(|name| name.eq_ignore_ascii_case(&words))
            .cloned();
        let listed = self.results.get(method).cloned();
        listed
            .or(by_name)
            .or(by_words)
            .filter(|name| self.definitions.contains_key(name))
    }

    /// A schema with all definitions that it refers to, to be used alone.
    pub fn alone(&self, schema: &Value) -> Value {
        let mut needed = BTreeSet::new();
        let mut open = Vec::new();
        references(schema, &mut open);
        while let Some(name) = open.pop() {
            if let Some(body) = self.definition(&name)
                && needed.insert(name)
            {
                references(body, &mut open);
            }
        }
        let mut whole = schema.clone();
        for name in needed {
            let body = self.definition(&name).unwrap().clone();
            match name.split_once('/') {
                Some((space, name)) => whole["definitions"][space][name] = body,
                None => whole["definitions"][name] = body,
            }
        }
        whole
    }

    fn definition(&self, name: &str) -> Option<&Value> {
        match name.split_once('/') {
            Some((space, name)) => self.definitions.get(space)?.get(name),
            None => self.definitions.get(name),
        }
    }

    /// Whether the schemas have the member at a path such as `.params.items[]<plan>.size`, in which
    /// `<tag>` picks an arm of a union.
    pub fn has(&self, schema: &Value, path: &str) -> bool {
        let mut reached = vec![schema.clone()];
        let mut rest = path;
        while !rest.is_empty() {
            let arms = self.arms(&reached);
            let end = rest[1..]
                .find(['.', '[', '<'])
                .map_or(rest.len(), |at| at + 1);
            let (step, after) = rest.split_at(end);
            reached = match step {
                "[]" => arms
                    .iter()
                    .filter_map(|arm| arm.get("items").cloned())
                    .collect(),
                _ if step.starts_with('<') => tagged(arms, step.trim_matches(['<', '>'])),
                _ => arms
                    .iter()
                    .filter_map(|arm| member(arm, &step[1..]))
                    .collect(),
            };
            rest = after;
        }
        !reached.is_empty()
    }

    /// The arms of unions and the targets of references, down to plain schemas.
    fn arms(&self, schemas: &[Value]) -> Vec<Value> {
        let mut plain = Vec::new();
        let mut open: Vec<&Value> = schemas.iter().collect();
        while let Some(schema) = open.pop() {
            let target = schema.get("$ref").and_then(Value::as_str);
            open.extend(
                target.and_then(|target| self.definition(target.strip_prefix("#/definitions/")?)),
            );
            for form in ["oneOf", "anyOf", "allOf"] {
                open.extend(
                    schema
                        .get(form)
                        .and_then(Value::as_array)
                        .into_iter()
                        .flatten(),
                );
            }
            if schema.get("$ref").is_none() {
                plain.push(schema.clone());
            }
        }
        plain
    }
}

/// Those arms that have the tag; all where none has one.
fn tagged(arms: Vec<Value>, tag: &str) -> Vec<Value> {
    let these: Vec<Value> = arms
        .iter()
        .filter(|arm| is_tagged(arm, "type", tag))
        .cloned()
        .collect();
    if these.is_empty() { arms } else { these }
}

/// The schema of a member, by its name or because any name is allowed.
fn member(schema: &Value, name: &str) -> Option<Value> {
    let named = schema
        .get("properties")
        .and_then(|properties| properties.get(name));
    let any = schema
        .get("additionalProperties")
        .filter(|any| any.is_object());
    named.or(any).cloned()
}

fn is_tagged(variant: &Value, key: &str, tag: &str) -> bool {
    let known = &variant["properties"][key];
    known["const"] == tag
        || known["enum"]
            .as_array()
            .is_some_and(|texts| texts.iter().any(|text| text == tag))
}

/// The names of the definitions that a schema refers to.
fn references(schema: &Value, found: &mut Vec<String>) {
    match schema {
        Value::Object(members) => {
            for (name, value) in members {
                match value.as_str() {
                    Some(target) if name == "$ref" => {
                        found.extend(target.strip_prefix("#/definitions/").map(str::to_owned));
                    }
                    _ => references(value, found),
                }
            }
        }
        Value::Array(values) => values.iter().for_each(|value| references(value, found)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// The table of results in the sources: lines of the form `"method" = "Definition"`.
fn listed_results() -> BTreeMap<String, String> {
    let text = fs::read_to_string(root().join("schemas/sources.toml")).unwrap();
    let start = text.find(".results]").unwrap();
    let lines = text[start..]
        .lines()
        .skip(1)
        .take_while(|line| !line.starts_with('['));
    let entries = lines.filter_map(|line| line.split_once(" = "));
    entries
        .map(|(method, name)| {
            (
                method.trim_matches('"').to_owned(),
                name.trim_matches('"').to_owned(),
            )
        })
        .collect()
}
