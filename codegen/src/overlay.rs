//! Overlays: small hand-written corrections to vendored schemas, each with a reason and a source.
//!
//! An overlay that changes nothing any more is an error, so that none outlives its cause.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;

use crate::diagnostics::Code;
use crate::ir::Place;
use crate::problem::Problem;

/// One overlay file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Overlay {
    /// Whose schemas it corrects.
    pub provider: String,
    /// Why it is there, and what shows it: must be said, and is for the reader of the file.
    #[serde(rename = "reason")]
    _reason: String,
    #[serde(rename = "source")]
    _source: String,
    /// The versions that it applies to.
    pub versions: Vec<String>,
    /// The faces that it applies to; all where it says none.
    #[serde(default)]
    pub faces: Vec<String>,
    /// Definitions that upstream does not publish.
    #[serde(default)]
    pub definitions: BTreeMap<String, Value>,
    /// Changes to what it does publish.
    #[serde(default)]
    pub patches: Vec<Patch>,
}

/// One change, at a JSON pointer.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Patch {
    /// JSON pointer into the schema file.
    pub at: String,
    /// What happens there.
    #[serde(flatten)]
    pub change: Change,
}

/// What happens at the place.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Change {
    /// A list gains these elements.
    Append(Vec<Value>),
    /// A list loses this element.
    Remove(Value),
    /// The value becomes this one.
    Set(Value),
    /// An object gains this member set.
    Extend(BTreeMap<String, Value>),
}

impl Overlay {
    /// Whether it speaks of this copy.
    pub fn applies(&self, provider: &str, version: &str, face: &str) -> bool {
        self.provider == provider
            && self.versions.iter().any(|listed| listed == version)
            && (self.faces.is_empty() || self.faces.iter().any(|listed| listed == face))
    }

    /// Every piece of schema that it brings.
    pub fn values(&self) -> Vec<Value> {
        let patches = self.patches.iter().flat_map(|patch| match &patch.change {
            Change::Append(values) => values.clone(),
            Change::Set(value) => vec![value.clone()],
            Change::Extend(members) => members.values().cloned().collect(),
            Change::Remove(_) => Vec::new(),
        });
        self.definitions.values().cloned().chain(patches).collect()
    }

    /// Applies it; every entry must change something. `file` is the overlay's own index.
    pub fn apply(&self, file: usize, schema: &mut Value) -> Vec<Problem> {
        let mut problems = Vec::new();
        let stale = |steps: &[&str], message: String| {
            let path = steps.iter().map(|step| (*step).to_owned()).collect();
            Problem::new(Code::StaleQuirk, Place { file, path }, message)
                .help("remove the entry, or the version from `versions`")
        };
        for (name, definition) in &self.definitions {
            match schema.get_mut("definitions").and_then(Value::as_object_mut) {
                Some(map) if !map.contains_key(name) => {
                    map.insert(name.clone(), definition.clone());
                }
                _ => problems.push(stale(
                    &["definitions", name],
                    format!("upstream publishes `{name}` itself"),
                )),
            }
        }
        for (index, patch) in self.patches.iter().enumerate() {
            let index = index.to_string();
            let Some(target) = schema.pointer_mut(&patch.at) else {
                let message = format!("nothing stands at `{}`", patch.at);
                problems.push(stale(&["patches", &index], message));
                continue;
            };
            let changed = patch.change.apply(target);
            if !changed {
                let message = format!("the entry changes nothing at `{}`", patch.at);
                problems.push(stale(&["patches", &index], message));
            }
        }
        problems
    }
}

impl Change {
    fn apply(&self, target: &mut Value) -> bool {
        match (self, target) {
            (Self::Append(values), Value::Array(list)) => {
                let before = list.len();
                for value in values {
                    if !list.contains(value) {
                        list.push(value.clone());
                    }
                }
                list.len() > before
            }
            (Self::Remove(value), Value::Array(list)) => {
                let before = list.len();
                list.retain(|element| element != value);
                list.len() < before
            }
            (Self::Set(value), target) => {
                let changed = target != value;
                *target = value.clone();
                changed
            }
            (Self::Extend(members), Value::Object(object)) => {
                let mut changed = false;
                for (name, value) in members {
                    changed |= object.insert(name.clone(), value.clone()).as_ref() != Some(value);
                }
                changed
            }
            (Self::Append(_) | Self::Remove(_) | Self::Extend(_), _) => false,
        }
    }
}
