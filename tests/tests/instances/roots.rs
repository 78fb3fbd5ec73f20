//! What the generated code decodes: unions of the surfaces, and results by their request's method.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::copies::{SchemaCopy, reference, repository};
use super::form::{members, without_null};

/// One thing to decode.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Root {
    /// A union that says its own variant, by definition.
    Union(&'static str),
    /// What answers a request of the client, by method.
    Response(String),
    /// What answers a request of the agent, by method.
    Answer(String),
}

/// The roots, and the definitions that they have in any version.
pub struct Roots {
    results: BTreeMap<String, String>,
    answers: BTreeMap<String, String>,
    values: BTreeSet<String>,
}

const UNIONS: [&str; 3] = ["ServerNotification", "ServerRequest", "EventMsg"];

impl Roots {
    /// Finds them as `sources.toml` says.
    pub fn of(copies: &[SchemaCopy]) -> Self {
        let sources = std::fs::read_to_string(repository().join("schemas/sources.toml")).unwrap();
        let listed = section(&sources, r#"[surface."codex.app-server.response".results]"#);
        let mut values = BTreeSet::new();
        for block in sources
            .split("\n[")
            .filter(|block| block.starts_with("value."))
            .filter(|block| block.contains("provider = \"codex\""))
        {
            let (_, rest) = block.split_once("type = \"").unwrap();
            values.insert(rest.split('"').next().unwrap().to_owned());
        }
        Self {
            results: results(copies, "ClientRequest", &listed),
            answers: results(copies, "ServerRequest", &BTreeMap::new()),
            values,
        }
    }

    /// Every root that a copy has, with its definition.
    pub fn in_copy(&self, copy: &SchemaCopy) -> Vec<(Root, String)> {
        let mut roots = Vec::new();
        for union in UNIONS
            .into_iter()
            .filter(|union| copy.definition(union).is_some())
        {
            roots.push((Root::Union(union), union.to_owned()));
        }
        for method in methods(copy, "ClientRequest").into_keys() {
            let definition = self.results[&method].clone();
            roots.push((Root::Response(method), definition));
        }
        for method in methods(copy, "ServerRequest").into_keys() {
            let definition = self.answers[&method].clone();
            roots.push((Root::Answer(method), definition));
        }
        roots
    }

    /// Every definition from which the generator starts in a copy. A result counts wherever it is
    /// defined, whether or not the copy has the request.
    pub fn start(&self, copy: &SchemaCopy) -> BTreeSet<String> {
        let unions = UNIONS.iter().map(|name| (*name).to_owned());
        let results = self
            .results
            .values()
            .chain(self.answers.values())
            .chain(&self.values)
            .cloned();
        unions
            .chain(results)
            .filter(|name| copy.definition(name).is_some())
            .collect()
    }
}

/// Result definitions by method: the parameters `XParams` have the result `XResponse`.
fn results(
    copies: &[SchemaCopy],
    requests: &str,
    listed: &BTreeMap<String, String>,
) -> BTreeMap<String, String> {
    let mut found = listed.clone();
    for copy in copies {
        for (method, params) in methods(copy, requests) {
            let stem = params
                .and_then(|params| reference(without_null(params).0))
                .and_then(|name| name.strip_suffix("Params"));
            if let Some(stem) = stem {
                found
                    .entry(method)
                    .or_insert_with(|| format!("{stem}Response"));
            }
        }
    }
    found
}

fn methods<'s>(copy: &'s SchemaCopy, union: &str) -> BTreeMap<String, Option<&'s Value>> {
    let arms = copy.definition(union).unwrap()["oneOf"].as_array().unwrap();
    let named = arms.iter().map(|arm| {
        let members = members(arm).properties;
        (
            members["method"]["enum"][0].as_str().unwrap().to_owned(),
            members.get("params").copied(),
        )
    });
    named.collect()
}

/// The entries `"a" = "b"` of one table of a TOML file.
fn section(text: &str, heading: &str) -> BTreeMap<String, String> {
    let (_, rest) = text.split_once(heading).unwrap();
    let table = rest.split("\n[").next().unwrap();
    let entries = table.lines().filter_map(|line| {
        let (key, value) = line.split_once(" = ")?;
        Some((
            key.trim_matches('"').to_owned(),
            value.trim_matches('"').to_owned(),
        ))
    });
    entries.collect()
}
