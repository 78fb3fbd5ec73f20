//! `schemas/sources.toml`: providers, surfaces, value surfaces and what binds them to schemas.
//!
//! This is the one reader of the file, for those who generate and for those who vendor.

mod provider;

use std::collections::BTreeMap;
use std::fmt;

use serde::Deserialize;

use crate::diagnostics::{Code, Diagnostic};
use crate::source::SourceFile;
pub use provider::{External, Opaque, Provider, Rename, Types, Undeclared, namespace_decision};

/// The whole file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sources {
    /// Providers by name.
    pub provider: BTreeMap<String, Provider>,
    /// Surfaces by id.
    #[serde(default)]
    pub surface: BTreeMap<String, Surface>,
    /// Value surfaces by id.
    #[serde(default)]
    pub value: BTreeMap<String, ValueSurface>,
    /// Unions that are generated for decoding but have no rows, by type name, which may follow the
    /// provider and a dot.
    #[serde(default)]
    pub union: BTreeMap<String, MethodUnion>,
    /// What a provider sends and accepts beside its surfaces and unions, by provider: versions are
    /// compared from there, too.
    #[serde(default)]
    pub wire: BTreeMap<String, Wire>,
}

/// Definitions that go over a wire; a `*` in a name stands for any text.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Wire {
    /// What the provider sends.
    #[serde(default)]
    pub sends: Vec<String>,
    /// What the provider accepts.
    #[serde(default)]
    pub accepts: Vec<String>,
}

/// A tagged union on one wire in one direction.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Surface {
    /// The provider.
    pub provider: String,
    /// The module of the generated code.
    pub module: String,
    /// The hand-written mapping below `contracts/src/providers`, without its ending, where it is not
    /// called after the provider and the module.
    pub mapping: Option<String>,
    /// The definition that is the union; for results, the name that the union gets.
    pub union: String,
    /// The union of requests whose results this surface carries.
    #[serde(rename = "results-of")]
    pub results_of: Option<String>,
    /// Result types that no naming rule finds, by method.
    #[serde(default)]
    pub results: BTreeMap<String, String>,
    /// Variants with a row for each value of a member that holds a text enum: the variant's tag and
    /// the member. The variant's own row is for messages without a value that some version knows.
    #[serde(default)]
    pub by: BTreeMap<String, String>,
    /// Where messages name their thread, turn and item: paths in the payload, tried in order.
    #[serde(default)]
    pub lift: Lift,
}

/// Where messages name what they are about: paths in the payload, tried in order.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Lift {
    /// The item.
    #[serde(default)]
    pub item: Vec<String>,
    /// The thread.
    #[serde(default)]
    pub thread: Vec<String>,
    /// The turn.
    #[serde(default)]
    pub turn: Vec<String>,
}

/// A nested union or enum whose members need a decision each; or texts that no schema lists, some of
/// which have a meaning of their own.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ValueSurface {
    /// The provider.
    pub provider: String,
    /// The definition.
    #[serde(rename = "type")]
    pub ty: Option<String>,
    /// Where there is no definition: of what they are the texts.
    pub texts: Option<String>,
    /// What integers are called in code; one without an entry is called after its digits.
    #[serde(default)]
    pub names: BTreeMap<String, String>,
}

/// A union that is decoded and has no rows: a definition, or the results of a union of requests.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MethodUnion {
    /// The provider.
    pub provider: String,
    /// The module of the generated code.
    pub module: String,
    /// The union of requests whose results it is made of; a definition of its name where there is none.
    #[serde(rename = "results-of")]
    pub results_of: Option<String>,
    /// Result types that no naming rule finds, by method.
    #[serde(default)]
    pub results: BTreeMap<String, String>,
}

impl Sources {
    /// The provider of every surface, value surface and union, with the id of what names it.
    pub fn bound(&self) -> impl Iterator<Item = (&str, &str)> {
        let surfaces = self
            .surface
            .iter()
            .map(|(id, surface)| (id.as_str(), surface.provider.as_str()));
        let values = self
            .value
            .iter()
            .map(|(id, value)| (id.as_str(), value.provider.as_str()));
        let unions = self
            .union
            .iter()
            .map(|(id, union)| (id.as_str(), union.provider.as_str()));
        surfaces.chain(values).chain(unions)
    }

    /// Reads the file; what is wrong is told with its place.
    pub fn read(file: &SourceFile) -> Result<Self, Vec<Diagnostic>> {
        toml::from_str(file.text()).map_err(|error| {
            let span = file.span(error.span().unwrap_or(0..0));
            let message = error.message().to_owned();
            vec![Diagnostic::new(Code::BadSource, "sources", message).at(span, "here")]
        })
    }

    /// Reads the text; the message carries line, column and what was expected.
    pub fn parse(text: &str) -> Result<Self, SourcesError> {
        toml::from_str(text).map_err(|error| SourcesError(error.to_string()))
    }

    /// A provider whose package can be vendored: it says which one, and under which licence.
    pub fn packaged(&self, name: &str) -> Result<&Provider, SourcesError> {
        let Some(provider) = self.provider.get(name) else {
            let known: Vec<&str> = self.provider.keys().map(String::as_str).collect();
            return Err(SourcesError(format!(
                "there is no [provider.{name}], only: {}",
                known.join(", ")
            )));
        };
        let asked = [
            ("package", &provider.package),
            ("licence", &provider.licence),
        ];
        match asked.iter().find(|(_, said)| said.is_empty()) {
            Some((member, _)) => Err(SourcesError(format!(
                "[provider.{name}] says no `{member}`, which vendoring needs"
            ))),
            None => Ok(provider),
        }
    }
}

/// Reads the part of `sources.toml` that belongs to a provider whose package can be vendored.
pub fn provider(text: &str, name: &str) -> Result<Provider, SourcesError> {
    Sources::parse(text)?.packaged(name).cloned()
}

/// The names of all providers in `sources.toml`.
pub fn providers(text: &str) -> Result<Vec<String>, SourcesError> {
    Ok(Sources::parse(text)?.provider.into_keys().collect())
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
        let unsaid = provider(&TEXT.replace("licence = \"MIT\"\n", ""), "acme").unwrap_err();
        assert!(unsaid.to_string().contains("says no `licence`"), "{unsaid}");
    }
}
