//! `schemas/sources.toml`: providers, surfaces, value surfaces and what binds them to schemas.

use std::collections::BTreeMap;

use serde::Deserialize;

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

/// An agent program. What only `vendor` reads is left to it.
#[derive(Debug, Deserialize)]
pub struct Provider {
    /// The window, oldest first.
    pub versions: Vec<String>,
    /// The faces that each version is vendored in.
    pub faces: Vec<String>,
    /// Of types that know one kind of number: the members that hold whole ones, a `*` at either end
    /// of a name standing for anything.
    #[serde(default, rename = "whole-numbers")]
    pub whole_numbers: Vec<String>,
    /// How the names of types begin that the program passes on from elsewhere: what they allow to
    /// be null may be missing, too.
    #[serde(default, rename = "passed-on")]
    pub passed_on: Vec<String>,
}

/// A tagged union on one wire in one direction.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Surface {
    /// The provider.
    pub provider: String,
    /// The module of the generated code.
    pub module: String,
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

    /// Reads the text; the message carries line, column and what was expected.
    pub fn parse(text: &str) -> Result<Self, toml::de::Error> {
        toml::from_str(text)
    }
}
