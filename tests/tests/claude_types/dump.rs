//! A dump of declarations, read by itself: the generator has no part in it.

use std::collections::BTreeSet;
use std::fs;

use agentwire_tests::root;
use serde_json::{Map, Value};

/// The dump of one version.
pub struct Dump {
    /// The version.
    pub version: String,
    definitions: Map<String, Value>,
}

impl Dump {
    /// Reads a vendored dump.
    pub fn read(version: &str) -> Self {
        let path = root().join(format!("schemas/claude/{version}/types.json"));
        let mut document: Value = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
        let Value::Object(definitions) = document["definitions"].take() else {
            panic!("no definitions")
        };
        Self {
            version: version.to_owned(),
            definitions,
        }
    }

    /// A definition.
    pub fn definition(&self, name: &str) -> &Value {
        &self.definitions[name]
    }

    /// What a schema refers to, or itself.
    pub fn follow<'d>(&'d self, schema: &'d Value) -> &'d Value {
        match name_of(schema) {
            Some(name) => self.follow(self.definition(name)),
            None => schema,
        }
    }

    /// The names of the members of a union of definitions.
    pub fn arms(&self, union: &str) -> Vec<&str> {
        let members = members(self.definition(union)).unwrap();
        members
            .iter()
            .map(|member| name_of(member).unwrap())
            .collect()
    }

    /// The tag paths of all messages, as far as the rows go.
    pub fn tag_paths(&self) -> BTreeSet<String> {
        let mut paths = BTreeSet::new();
        for name in self.arms("StdoutMessage") {
            let message = self.definition(name);
            for first in self.texts(message, "type") {
                let subtypes = self.texts(message, "subtype");
                let below = match first {
                    "stream_event" => self.below(message, "event"),
                    "control_request" => self.below(message, "request"),
                    "control_response" => self.below(message, "response"),
                    _ => subtypes.iter().map(|text| (*text).to_owned()).collect(),
                };
                if below.is_empty() {
                    paths.insert(first.to_owned());
                }
                paths.extend(below.iter().map(|below| format!("{first}:{below}")));
            }
        }
        paths
    }

    /// The tags of the union that a member holds, and what lies below them.
    fn below(&self, object: &Value, member: &str) -> Vec<String> {
        let union = self.follow(&object["properties"][member]);
        let tag = union["x-tag"][0].as_str().unwrap();
        let mut paths = Vec::new();
        for arm in members(union).unwrap() {
            let arm = self.follow(arm);
            for text in self.texts(arm, tag) {
                let deeper = match text {
                    "content_block_delta" => self.below(arm, "delta"),
                    "content_block_start" => self.below(arm, "content_block"),
                    _ => Vec::new(),
                };
                if deeper.is_empty() {
                    paths.push(text.to_owned());
                }
                paths.extend(deeper.iter().map(|deeper| format!("{text}:{deeper}")));
            }
        }
        paths
    }

    /// The constants of a member.
    fn texts<'d>(&'d self, object: &'d Value, member: &str) -> Vec<&'d str> {
        let schema = &object["properties"][member];
        let one = schema["const"].as_str().into_iter();
        let several = schema["enum"].as_array().into_iter().flatten();
        one.chain(several.filter_map(Value::as_str)).collect()
    }
}

/// The definition that a schema is a reference to.
pub fn name_of(schema: &Value) -> Option<&str> {
    schema["$ref"].as_str()?.strip_prefix("#/definitions/")
}

/// The members of a union.
pub fn members(schema: &Value) -> Option<&Vec<Value>> {
    schema["oneOf"].as_array().or(schema["anyOf"].as_array())
}
