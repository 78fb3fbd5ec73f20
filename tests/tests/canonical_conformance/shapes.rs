//! What the schema and the declarations of the model say, read into one form.
//!
//! The two readers know no more of the files than a host does, and nothing of how they are made.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

/// The members of an object: the name, whether it is required, and the type as TypeScript has it.
pub(crate) type Members = BTreeMap<String, (bool, String)>;

/// The declared types.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Shape {
    /// The payload type of each type of event.
    pub(crate) events: BTreeMap<String, String>,
    /// The members of the envelope but `type` and `payload`.
    pub(crate) envelope: Members,
    /// The objects.
    pub(crate) objects: BTreeMap<String, Members>,
    /// The values of the enums.
    pub(crate) enums: BTreeMap<String, BTreeSet<String>>,
    /// The branded texts.
    pub(crate) brands: BTreeSet<String>,
    /// The other named texts.
    pub(crate) texts: BTreeSet<String>,
}

impl Shape {
    /// Reads the JSON Schema.
    pub(crate) fn of_schema(schema: &Value) -> Self {
        let mut shape = Self {
            envelope: schema_members(schema),
            ..Self::default()
        };
        for branch in schema["oneOf"].as_array().unwrap() {
            let mut members = schema_members(branch);
            let tag = branch["properties"]["type"]["const"].as_str().unwrap();
            assert_eq!(members.remove("type"), Some((true, format!("{tag:?}"))));
            let (required, payload) = members.remove("payload").unwrap();
            assert!(required && members.is_empty(), "{branch}");
            let twice = shape.events.insert(tag.to_owned(), payload);
            assert_eq!(twice, None, "{tag}");
        }
        for (name, definition) in schema["$defs"].as_object().unwrap() {
            if definition.get("properties").is_some() {
                shape
                    .objects
                    .insert(name.clone(), schema_members(definition));
            } else if let Some(values) = definition.get("oneOf") {
                let values = values.as_array().unwrap().iter();
                let values = values.map(|value| value["const"].as_str().unwrap().to_owned());
                shape.enums.insert(name.clone(), values.collect());
            } else {
                assert_eq!(definition["type"], "string", "{name}");
                let plain =
                    definition.get("format").is_none() && definition.get("pattern").is_none();
                let set = if plain {
                    &mut shape.brands
                } else {
                    &mut shape.texts
                };
                set.insert(name.clone());
            }
        }
        shape
    }

    /// Reads the TypeScript declarations.
    pub(crate) fn of_declarations(text: &str) -> Self {
        let mut shape = Self::default();
        let mut lines = text
            .lines()
            .map(str::trim)
            .filter(|line| !line.is_empty() && !line.starts_with(['/', '*']));
        while let Some(line) = lines.next() {
            let interface = line
                .strip_prefix("export interface ")
                .and_then(|rest| rest.strip_suffix(" {"));
            if let Some(name) = interface {
                let mut members = Members::new();
                for line in lines.by_ref().take_while(|line| *line != "}") {
                    let (name, member) = declared_member(line);
                    assert_eq!(members.insert(name, member), None, "{line}");
                }
                shape.take_interface(name, members);
            } else if let Some(rest) = line.strip_prefix("export type ") {
                let (name, body) = rest.split_once(" =").unwrap();
                match body.trim() {
                    "" => {
                        let mut values = BTreeSet::new();
                        for line in lines.by_ref() {
                            let value = line.strip_prefix("| \"").unwrap();
                            values.insert(value.trim_end_matches(';').trim_matches('"').to_owned());
                            if line.ends_with(';') {
                                break;
                            }
                        }
                        shape.enums.insert(name.to_owned(), values);
                    }
                    "string;" => {
                        shape.texts.insert(name.to_owned());
                    }
                    branded if branded == format!("Branded<\"{name}\">;") => {
                        shape.brands.insert(name.to_owned());
                    }
                    // What these three say is for the type checker's tests to find.
                    _ if name.starts_with("Branded<") => {}
                    "keyof RuntimeEventPayloadByType;" => {
                        assert_eq!(name, "CanonicalRuntimeEventType");
                    }
                    "{" => {
                        assert_eq!(name, "ProviderRuntimeEventV2");
                        assert_eq!(lines.by_ref().take(2).count(), 2);
                    }
                    _ => panic!("no type is read from: {line}"),
                }
            } else {
                let known = ["declare const brand: unique symbol;", "export {};"];
                assert!(known.contains(&line), "nothing is read from: {line}");
            }
        }
        shape
    }

    fn take_interface(&mut self, name: &str, mut members: Members) {
        if name == "RuntimeEventPayloadByType" {
            let payloads = members.into_iter().map(|(tag, (required, payload))| {
                assert!(required, "{tag}");
                (tag, payload)
            });
            self.events = payloads.collect();
        } else if name.starts_with("RuntimeEventBase<") {
            for (name, parameter) in [("type", "TType"), ("payload", "TPayload")] {
                assert_eq!(members.remove(name), Some((true, parameter.to_owned())));
            }
            self.envelope = members;
        } else {
            self.objects.insert(name.to_owned(), members);
        }
    }
}

/// `name: type;`, `name?: type;` or `"name": type;`
fn declared_member(line: &str) -> (String, (bool, String)) {
    let (name, type_text) = line.strip_suffix(';').unwrap().split_once(": ").unwrap();
    let optional = name.ends_with('?');
    let name = name.trim_end_matches('?').trim_matches('"');
    (name.to_owned(), (!optional, type_text.to_owned()))
}

fn schema_members(object: &Value) -> Members {
    assert_eq!(object["type"], "object", "{object}");
    let required: BTreeSet<&str> = match object.get("required") {
        Some(names) => {
            let names = names.as_array().unwrap().iter();
            names.map(|name| name.as_str().unwrap()).collect()
        }
        None => BTreeSet::new(),
    };
    let properties = object["properties"].as_object().unwrap();
    assert!(required.iter().all(|name| properties.contains_key(*name)));
    let members = properties.iter().map(|(name, property)| {
        let required = required.contains(name.as_str());
        (name.clone(), (required, schema_type(property)))
    });
    members.collect()
}

fn schema_type(schema: &Value) -> String {
    if let Some(reference) = schema.get("$ref") {
        let name = reference.as_str().unwrap().strip_prefix("#/$defs/");
        return name.unwrap().to_owned();
    }
    if let Some(only) = schema.get("const") {
        return only.to_string();
    }
    match schema.get("type") {
        None => {
            let keywords: Vec<_> = schema.as_object().unwrap().keys().collect();
            assert_eq!(keywords, ["description"], "{schema}");
            "unknown".to_owned()
        }
        Some(Value::Array(types)) => {
            let names: Vec<&str> = types.iter().map(|name| name.as_str().unwrap()).collect();
            names.join(" | ")
        }
        Some(name) => match name.as_str().unwrap() {
            "integer" => "number".to_owned(),
            "object" => {
                assert_eq!(schema["additionalProperties"], true, "{schema}");
                "Record<string, unknown>".to_owned()
            }
            "array" => format!("Array<{}>", schema_type(&schema["items"])),
            plain => plain.to_owned(),
        },
    }
}
