//! `[provider.<name>]` of `schemas/sources.toml`: the package of a provider, its window, and what was decided
//! about its types.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;

/// What `[provider.<name>]` says: where the wire of a provider is described, and what was decided about it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Provider {
    /// The package that carries the description; without one nothing is vendored.
    #[serde(default)]
    pub package: String,
    /// The licence that the package must state; another one needs a new look at what may be vendored.
    #[serde(default)]
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
    /// Of types that know one kind of number: the members that hold whole ones, a `*` at either end
    /// of a name standing for anything.
    #[serde(default, rename = "whole-numbers")]
    pub whole_numbers: Vec<String>,
    /// How the names of types begin that the program passes on from elsewhere: what they allow to
    /// be null may be missing, too.
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
    /// The name of every decision, as the lock records those that were needed.
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
