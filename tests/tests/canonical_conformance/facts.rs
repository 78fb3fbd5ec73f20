//! The facts of the model's TypeScript declaration, as they stand in a table.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

const FACTS: &str = include_str!("../../data/canonical_facts.tsv");

pub(crate) struct Facts {
    /// The types of events.
    pub(crate) events: BTreeSet<&'static str>,
    /// Fields by owner and name.
    pub(crate) fields: BTreeMap<&'static str, BTreeMap<&'static str, Field>>,
    /// Values of enums by owner.
    pub(crate) values: BTreeMap<&'static str, BTreeSet<&'static str>>,
}

pub(crate) struct Field {
    pub(crate) required: bool,
    pub(crate) type_name: &'static str,
    pub(crate) nullable: bool,
}

impl Facts {
    pub(crate) fn read() -> Self {
        let mut facts = Self {
            events: BTreeSet::new(),
            fields: BTreeMap::new(),
            values: BTreeMap::new(),
        };
        for line in FACTS.lines().filter(|line| !line.starts_with('#')) {
            let columns: Vec<&'static str> = line.split('\t').collect();
            let new = match columns[..] {
                ["event", "event", name] => facts.events.insert(name),
                ["value", owner, name] => facts.values.entry(owner).or_default().insert(name),
                [
                    "field",
                    owner,
                    name,
                    presence @ ("required" | "optional"),
                    type_name,
                ] => {
                    let bare = type_name.strip_suffix("|null");
                    let field = Field {
                        required: presence == "required",
                        type_name: bare.unwrap_or(type_name),
                        nullable: bare.is_some(),
                    };
                    facts
                        .fields
                        .entry(owner)
                        .or_default()
                        .insert(name, field)
                        .is_none()
                }
                _ => panic!("not a fact: {line}"),
            };
            assert!(new, "twice: {line}");
        }
        facts
    }

    /// Compares an object with the fields of its owner; `full` says whether options are filled.
    pub(crate) fn check_object(&self, owner: &str, value: &Value, full: bool) {
        let fields = self
            .fields
            .get(owner)
            .unwrap_or_else(|| panic!("{owner} has no facts"));
        let object = value.as_object().unwrap();
        let expected: BTreeSet<&str> = fields
            .iter()
            .filter(|(_, field)| full || field.required)
            .map(|(name, _)| *name)
            .collect();
        let found: BTreeSet<&str> = object.keys().map(String::as_str).collect();
        assert_eq!(found, expected, "members of {owner}, full: {full}");
        for (name, member) in object {
            self.check_type(
                fields[name.as_str()].type_name,
                member,
                &format!("{owner}.{name}"),
            );
        }
    }

    fn check_type(&self, type_name: &str, value: &Value, place: &str) {
        let right = match type_name.split_once(':').unwrap_or((type_name, "")) {
            ("string" | "id", _) => value.is_string(),
            ("number", _) => value.is_number(),
            ("boolean", _) => value.is_boolean(),
            ("record" | "object", "") => value.is_object(),
            ("unknown", _) => true,
            ("enum", owner) => self.values[owner].contains(value.as_str().unwrap()),
            // Whether its options are filled is known to the caller, who checks the fields.
            ("object", _) => value.is_object(),
            ("array", element) => {
                let elements = value.as_array().unwrap();
                assert!(!elements.is_empty(), "{place} shows no element");
                for element_value in elements {
                    match element {
                        "string" => self.check_type(element, element_value, place),
                        _ => self.check_object(element, element_value, true),
                    }
                }
                true
            }
            _ => panic!("{place}: no such type: {type_name}"),
        };
        assert!(right, "{place} is {value}, which is no {type_name}");
    }
}
