//! Small invented repositories: a schema of a few lines, generated as if it were a provider's.

use std::collections::BTreeMap;

use agentwire_codegen::diagnostics::{Code, Diagnostic, render};
use agentwire_codegen::{FOLDER, Inputs, Output, generate};
use serde_json::{Map, Value, json};

use crate::repository_files;

const CANONICAL: &str = "contracts/src/canonical";

/// The files of a small repository. The canonical model is the real one.
#[derive(Clone, Debug)]
pub struct Small {
    files: BTreeMap<String, String>,
    versions: Vec<String>,
    provider: String,
    sources: String,
}

impl Small {
    /// The provider `tiny` with the surface `tiny.event` over the union `Event`, and nothing
    /// vendored yet.
    #[must_use]
    pub fn new() -> Self {
        let surface = "[surface.\"tiny.event\"]\nprovider = \"tiny\"\nmodule = \"event\"\nunion = \"Event\"\n";
        Self {
            files: repository_files(&[CANONICAL]),
            versions: Vec::new(),
            provider: String::new(),
            sources: surface.to_owned(),
        }
    }

    /// One version in which `Event` has the one variant `only`, whose member `value` is of the
    /// type `Value`: the schema to be tried. `more` holds what it refers to.
    #[must_use]
    pub fn around(value: Value, more: Value) -> Self {
        Self::new()
            .around_in("1.0.0", value, more)
            .rows("tiny.event", "\"only\" = { drop = \"a test\" }\n")
    }

    /// The same as another version.
    #[must_use]
    pub fn around_in(self, version: &str, value: Value, more: Value) -> Self {
        let mut definitions = more;
        definitions["Value"] = value;
        definitions["Event"] = json!({"oneOf": [object(
            &["type", "value"],
            json!({"type": {"const": "only"}, "value": {"$ref": "#/definitions/Value"}}),
        )]});
        self.vendored(version, "stable", definitions)
    }

    /// Adds the definitions of a version and face.
    #[must_use]
    pub fn vendored(mut self, version: &str, face: &str, definitions: Value) -> Self {
        let text = serde_json::to_string_pretty(&json!({"definitions": definitions})).unwrap();
        self.files
            .insert(format!("schemas/tiny/{version}/{face}/schema.json"), text);
        if !self.versions.iter().any(|known| known == version) {
            self.versions.push(version.to_owned());
        }
        self
    }

    /// Adds the dump of a version whose declarations are in TypeScript.
    #[must_use]
    pub fn declared(mut self, version: &str, definitions: Value) -> Self {
        let text = serde_json::to_string_pretty(&json!({"definitions": definitions})).unwrap();
        self.files
            .insert(format!("schemas/tiny/{version}/types.json"), text);
        if !self.versions.iter().any(|known| known == version) {
            self.versions.push(version.to_owned());
        }
        self
    }

    /// Adds to the table of the provider in `schemas/sources.toml`.
    #[must_use]
    pub fn provider(mut self, text: &str) -> Self {
        self.provider.push_str(text);
        self
    }

    /// Adds a row table: its lines below `[rows]`.
    #[must_use]
    pub fn rows(self, surface: &str, lines: &str) -> Self {
        let text = format!("surface = \"{surface}\"\n\n[rows]\n{lines}");
        self.file(&format!("contracts/mapping/{surface}.toml"), &text)
    }

    /// Adds a value surface over a definition, with its target and rows.
    #[must_use]
    pub fn value(self, id: &str, definition: &str, target: &str, lines: &str) -> Self {
        let binding = format!("[value.\"{id}\"]\nprovider = \"tiny\"\ntype = \"{definition}\"\n");
        let text = format!("surface = \"{id}\"\ntarget = \"{target}\"\n\n[rows]\n{lines}");
        self.sources(&binding)
            .file(&format!("contracts/mapping/{id}.toml"), &text)
    }

    /// Adds to `schemas/sources.toml`.
    #[must_use]
    pub fn sources(mut self, text: &str) -> Self {
        self.sources.push_str(text);
        self
    }

    /// Adds or replaces a file.
    #[must_use]
    pub fn file(mut self, path: &str, text: &str) -> Self {
        self.files.insert(path.to_owned(), text.to_owned());
        self
    }

    /// Adds an overlay for some versions: its `definitions` and `patches`.
    #[must_use]
    pub fn overlay(self, versions: &[&str], rest: Value) -> Self {
        let mut overlay = json!({
            "provider": "tiny", "reason": "a test", "source": "a test", "versions": versions,
        });
        overlay
            .as_object_mut()
            .unwrap()
            .extend(rest.as_object().unwrap().clone());
        let text = serde_json::to_string_pretty(&overlay).unwrap();
        self.file("schemas/overlays/tiny.test.json", &text)
    }

    /// What the generator reads.
    #[must_use]
    pub fn inputs(&self) -> Inputs {
        Inputs::from_files(&self.files()).unwrap()
    }

    /// The files of the repository.
    #[must_use]
    pub fn files(&self) -> BTreeMap<String, String> {
        let mut files = self.files.clone();
        let provider = format!(
            "[provider.tiny]\nversions = {:?}\nfaces = {:?}\n{}",
            self.versions,
            self.faces(),
            self.provider
        );
        files
            .entry("schemas/sources.toml".to_owned())
            .or_insert_with(|| provider + &self.sources);
        files
    }

    fn faces(&self) -> Vec<&str> {
        let experimental = self
            .files
            .keys()
            .any(|path| path.contains("/experimental/"));
        if experimental {
            vec!["stable", "experimental"]
        } else {
            vec!["stable"]
        }
    }

    /// Generates, or gives the diagnostics.
    ///
    /// # Errors
    /// Whatever the generator finds.
    pub fn generate(&self) -> Result<Output, Vec<Diagnostic>> {
        generate(&self.inputs())
    }

    /// All generated code of the provider in one text; the test fails with the rendered
    /// diagnostics.
    ///
    /// # Panics
    /// When something stands in the way.
    #[must_use]
    pub fn code(&self) -> String {
        let output = self
            .generate()
            .unwrap_or_else(|found| panic!("{}", render(&found, false)));
        let own = format!("{FOLDER}/tiny/");
        output
            .files
            .iter()
            .filter(|(path, _)| path.starts_with(&own))
            .map(|(_, text)| text.as_str())
            .collect()
    }

    /// The short forms of all diagnostics.
    ///
    /// # Panics
    /// When there are none.
    #[must_use]
    pub fn errors(&self) -> Vec<String> {
        self.diagnostics().iter().map(Diagnostic::to_line).collect()
    }

    /// All diagnostics.
    ///
    /// # Panics
    /// When there are none.
    #[must_use]
    pub fn diagnostics(&self) -> Vec<Diagnostic> {
        self.generate().expect_err("there must be something wrong")
    }

    /// The codes of all diagnostics.
    #[must_use]
    pub fn codes(&self) -> Vec<Code> {
        self.diagnostics()
            .iter()
            .map(|diagnostic| diagnostic.code)
            .collect()
    }
}

impl Default for Small {
    fn default() -> Self {
        Self::new()
    }
}

/// An object schema.
#[must_use]
pub fn object(required: &[&str], properties: Value) -> Value {
    json!({"type": "object", "required": required, "properties": properties})
}

/// A union of references.
#[must_use]
pub fn one_of(names: &[&str]) -> Value {
    let members: Vec<Value> = names.iter().map(|name| to(name)).collect();
    json!({"oneOf": members})
}

/// A reference to a definition.
#[must_use]
pub fn to(name: &str) -> Value {
    json!({"$ref": format!("#/definitions/{name}")})
}

/// No further definitions.
#[must_use]
pub fn nothing() -> Value {
    Value::Object(Map::new())
}

/// The declaration of a generated type, without attributes: from `pub struct …`, `pub enum …` or
/// `pub type …` to its end, or its table (`wire_struct! { … }}`), doc comments left out.
///
/// # Panics
/// When the code does not declare the type.
#[must_use]
pub fn declaration(code: &str, head: &str) -> String {
    fn is_end_of_name(rest: &str) -> bool {
        rest.starts_with([' ', '<', '(', ';', '{'])
    }
    // A table of the type: `wire_struct! { Name …`.
    let name = head.rsplit(' ').next().unwrap_or(head);
    let is_table = |line: &str| {
        let table = line.strip_prefix("wire_");
        let rest = table.and_then(|table| table.split_once("! { "));
        let rest = rest.and_then(|(_, rest)| rest.strip_prefix(name));
        rest.is_some_and(is_end_of_name)
    };
    let begins =
        |line: &&str| line.strip_prefix(head).is_some_and(is_end_of_name) || is_table(line);
    let mut lines = code.lines().skip_while(|line| !begins(line));
    let Some(first) = lines.next() else {
        panic!("no `{head}` in\n{code}")
    };
    let mut text = format!("{first}\n");
    if first.ends_with('{') {
        for line in lines {
            if !line.trim_start().starts_with("///") {
                text.push_str(&format!("{line}\n"));
            }
            if line == "}" || line.starts_with("}}") {
                break;
            }
        }
    }
    text
}
