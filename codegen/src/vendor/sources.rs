//! The hand-written decisions of `schemas/sources.toml` that vendoring needs.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use serde::Deserialize;

/// What `[provider.<name>]` says: where the wire of a provider is described, and what was decided about it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Provider {
    /// The package that carries the description.
    pub package: String,
    /// The licence that the package must state; another one needs a new look at what may be vendored.
    pub licence: String,
    /// The window of versions that one build reads, the oldest first.
    pub versions: Vec<String>,
    /// The copies of the schema that the provider offers.
    pub faces: Vec<String>,
    /// The file of the package that is the schema, by face. Without any, a program in the package writes the schemas.
    #[serde(default)]
    pub files: BTreeMap<String, String>,
    /// Files of the raw output that repeat all others in one document.
    #[serde(default)]
    pub bundles: Vec<String>,
    /// Files whose definitions go to a namespace of their own where they differ from the others of that name.
    #[serde(default)]
    pub namespace: BTreeMap<String, Vec<String>>,
    /// Names that mean two things in one version.
    #[serde(default)]
    pub rename: Vec<Rename>,
    /// Where the package describes its wire by TypeScript declarations: which, and what they need.
    pub types: Option<Types>,
    /// The members that hold whole numbers, which is left to the generator.
    #[serde(default, rename = "whole-numbers")]
    pub whole_numbers: Vec<String>,
    /// How the names of types begin that are passed on from elsewhere, which is left to the generator, too.
    #[serde(default, rename = "passed-on")]
    pub passed_on: Vec<String>,
    /// Names that the declarations use and never declare.
    #[serde(default)]
    pub undeclared: Vec<Undeclared>,
    /// Types that mean something to a program only, and stand for any value.
    #[serde(default)]
    pub opaque: Vec<Opaque>,
}

/// The declarations that are read.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Types {
    /// The types to take, with all that they reach, by the file of the package that declares them.
    pub roots: BTreeMap<String, Vec<String>>,
    /// Packages that types are taken from, by name.
    #[serde(default)]
    pub external: BTreeMap<String, External>,
}

/// A package that the declarations import from.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct External {
    /// What stands before the names of its types.
    pub alias: String,
    /// The licences that it may state.
    pub licences: BTreeSet<String>,
    /// The version that is read for each version of the provider.
    pub versions: BTreeMap<String, String>,
}

/// A name that is used and never declared.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Undeclared {
    /// The name.
    #[serde(rename = "type")]
    pub name: String,
    /// The constants by which the wire tells it; without them no value is of this type.
    #[serde(default)]
    pub tags: BTreeMap<String, String>,
    /// Why it is so, in one sentence.
    pub reason: String,
    /// Where the constants are known from.
    pub source: String,
}

/// A type that stands for any value.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Opaque {
    /// The name.
    #[serde(rename = "type")]
    pub name: String,
    /// Why this loses nothing, in one sentence.
    pub reason: String,
}

/// In the listed referrers, `definition` means something that is called `to` from here on.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rename {
    /// The name with two meanings.
    pub definition: String,
    /// The name of the second meaning.
    pub to: String,
    /// The definitions that mean the second one.
    pub referrers: BTreeSet<String>,
    /// Why this is so, in one sentence.
    pub reason: String,
}

impl Provider {
    /// The name of every decision, as [`super::bundle::Bundle::applied`] reports it.
    pub fn decisions(&self) -> BTreeSet<String> {
        let namespaces = self.namespace.keys().map(|name| namespace_decision(name));
        let renames = self.rename.iter().map(Rename::decision);
        let undeclared = self
            .undeclared
            .iter()
            .map(|entry| format!("undeclared {}", entry.name));
        let opaque = self
            .opaque
            .iter()
            .map(|entry| format!("opaque {}", entry.name));
        namespaces
            .chain(renames)
            .chain(undeclared)
            .chain(opaque)
            .collect()
    }
}

impl Rename {
    /// The name under which the lock records that this entry was needed.
    pub fn decision(&self) -> String {
        format!("rename {}", self.definition)
    }
}

/// The name under which the lock records that this namespace was needed.
pub fn namespace_decision(namespace: &str) -> String {
    format!("namespace {namespace}")
}

/// Reads the part of `sources.toml` that belongs to a provider.
pub fn provider(text: &str, name: &str) -> Result<Provider, SourcesError> {
    let file: File = toml::from_str(text).map_err(|error| SourcesError(error.to_string()))?;
    let Some(table) = file.provider.get(name) else {
        let known: Vec<&str> = file.provider.keys().map(String::as_str).collect();
        return Err(SourcesError(format!(
            "there is no [provider.{name}], only: {}",
            known.join(", ")
        )));
    };
    let provider: Provider = table.clone().try_into().map_err(|error| {
        SourcesError(format!(
            "[provider.{name}]: {}",
            error.to_string().trim_end()
        ))
    })?;
    Ok(provider)
}

/// The names of all providers in `sources.toml`.
pub fn providers(text: &str) -> Result<Vec<String>, SourcesError> {
    let file: File = toml::from_str(text).map_err(|error| SourcesError(error.to_string()))?;
    Ok(file.provider.into_keys().collect())
}

/// The rest of the file belongs to other readers.
#[derive(Deserialize)]
struct File {
    #[serde(default)]
    provider: BTreeMap<String, toml::Value>,
}

/// What is wrong with `sources.toml`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourcesError(pub String);

impl fmt::Display for SourcesError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl std::error::Error for SourcesError {}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    const TEXT: &str = r#"
[surface."other"]
anything = 1

[provider.acme]
package = "acme"
licence = "MIT"
versions = ["1.0.0"]
faces = ["stable"]
bundles = ["all.json"]

[provider.acme.namespace]
old = ["Old.json"]

[[provider.acme.rename]]
definition = "Thing"
to = "OtherThing"
referrers = ["Part"]
reason = "Two things."
"#;

    #[test]
    fn a_provider_is_read_and_its_decisions_named() {
        let acme = provider(TEXT, "acme").unwrap();
        assert_eq!(acme.namespace["old"], ["Old.json"]);
        let decisions: Vec<String> = acme.decisions().into_iter().collect();
        assert_eq!(decisions, ["namespace old", "rename Thing"]);
    }

    #[test]
    fn declarations_are_read_with_their_decisions() {
        let text = r#"
[provider.acme]
package = "acme"
licence = "MIT"
versions = ["1.0.0"]
faces = ["stable"]
[provider.acme.types]
roots."index.d.ts" = ["Message"]
[provider.acme.types.external.parts]
alias = "parts"
licences = ["MIT"]
versions."1.0.0" = "2.0.0"
[[provider.acme.undeclared]]
type = "Lost"
tags = { type = "lost" }
reason = "It is named and never declared."
source = "A line."
[[provider.acme.opaque]]
type = "AbortSignal"
reason = "It never leaves the process."
"#;
        let acme = provider(text, "acme").unwrap();
        let types = acme.types.as_ref().unwrap();
        assert_eq!(types.external["parts"].versions["1.0.0"], "2.0.0");
        let decisions: Vec<String> = acme.decisions().into_iter().collect();
        assert_eq!(decisions, ["opaque AbortSignal", "undeclared Lost"]);
    }

    #[test]
    fn mistakes_are_named() {
        let absent = provider(TEXT, "other").unwrap_err().to_string();
        assert_eq!(absent, "there is no [provider.other], only: acme");
        let misspelt = provider(&TEXT.replace("faces", "face"), "acme")
            .unwrap_err()
            .to_string();
        assert!(misspelt.contains("face"), "{misspelt}");
    }
}
