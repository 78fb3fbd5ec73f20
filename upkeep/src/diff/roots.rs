//! Where the comparison begins: what a provider sends and what it accepts, from `schemas/sources.toml`.

use std::collections::BTreeMap;

use agentwire_codegen::diagnostics::{Code, Diagnostic};
use agentwire_codegen::source::SourceFile;
use agentwire_codegen::sources::{Sources, Wire};

use super::check::Direction;
use super::keyed::{Arm, keyed};
use super::schema::{Document, Field, Listed, Node, Object, Shape, Union};

/// One beginning.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Root {
    /// The surface's id, or the definition's name.
    pub id: String,
    /// Which way its values go.
    pub direction: Direction,
    /// What it is.
    pub from: From,
}

/// What a beginning is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum From {
    /// A definition; a name that ends in or has a `*` stands for several.
    Definition(String),
    /// The results of a union of requests.
    Results {
        /// The name that the union of results has.
        name: String,
        /// The union of requests.
        requests: String,
        /// Result types that no naming rule finds.
        listed: BTreeMap<String, String>,
    },
}

/// The beginnings of a provider. All surfaces are what it sends; results go against their requests.
pub fn roots(sources: &SourceFile, provider: &str) -> Result<Vec<Root>, Vec<Diagnostic>> {
    let told = |message: String| vec![Diagnostic::new(Code::BadSource, sources.path(), message)];
    let read = Sources::parse(sources.text())
        .map_err(|error| told(format!("{}: {error}", sources.path())))?;
    if !read.provider.contains_key(provider) {
        let known: Vec<&str> = read.provider.keys().map(String::as_str).collect();
        return Err(told(format!(
            "`{provider}` is no provider of {}: it has {}",
            sources.path(),
            known.join(", ")
        )));
    }
    if let Some(unknown) = read
        .wire
        .keys()
        .find(|name| !read.provider.contains_key(*name))
    {
        return Err(told(format!(
            "{}: `[wire.{unknown}]` is for no provider",
            sources.path()
        )));
    }
    let nothing = Wire::default();
    let wire = read.wire.get(provider).unwrap_or(&nothing);
    let mut roots = Vec::new();
    for (id, surface) in read
        .surface
        .iter()
        .filter(|(_, it)| it.provider == provider)
    {
        let from = from(
            &surface.union,
            surface.results_of.as_ref(),
            &surface.results,
        );
        if let Some(requests) = &surface.results_of {
            add(
                &mut roots,
                requests,
                Direction::Input,
                From::Definition(requests.clone()),
            );
        }
        add(&mut roots, id, Direction::Output, from);
    }
    for (id, union) in read.union.iter().filter(|(_, it)| it.provider == provider) {
        let name = id.strip_prefix(&format!("{provider}.")).unwrap_or(id);
        let direction = if wire.sends.iter().any(|sent| sent == name) {
            Direction::Output
        } else {
            Direction::Input
        };
        add(
            &mut roots,
            name,
            direction,
            from(name, union.results_of.as_ref(), &union.results),
        );
    }
    for (names, direction) in [
        (&wire.sends, Direction::Output),
        (&wire.accepts, Direction::Input),
    ] {
        for name in names {
            add(&mut roots, name, direction, From::Definition(name.clone()));
        }
    }
    if roots.is_empty() {
        return Err(told(format!(
            "{} says neither what `{provider}` sends nor what it accepts: it has no surfaces and no `[wire.{provider}]`",
            sources.path()
        )));
    }
    Ok(roots)
}

fn from(name: &str, requests: Option<&String>, listed: &BTreeMap<String, String>) -> From {
    match requests {
        Some(requests) => From::Results {
            name: name.to_owned(),
            requests: requests.clone(),
            listed: listed.clone(),
        },
        None => From::Definition(name.to_owned()),
    }
}

fn add(roots: &mut Vec<Root>, id: &str, direction: Direction, from: From) {
    let root = Root {
        id: id.to_owned(),
        direction,
        from,
    };
    if !roots.contains(&root) {
        roots.push(root);
    }
}

impl Root {
    /// The beginnings that it stands for in a document: itself, or every definition that its pattern names.
    pub fn spelled<'a>(&self, documents: impl Iterator<Item = &'a Document>) -> Vec<Self> {
        let From::Definition(pattern) = &self.from else {
            return vec![self.clone()];
        };
        let Some((start, end)) = pattern.split_once('*') else {
            return vec![self.clone()];
        };
        let long = |name: &&String| {
            name.len() >= start.len() + end.len() && name.starts_with(start) && name.ends_with(end)
        };
        let names: std::collections::BTreeSet<&String> = documents
            .flat_map(|document| document.definitions.keys())
            .filter(long)
            .collect();
        // A pattern that names nothing is told as what no version defines.
        if names.is_empty() {
            return vec![self.clone()];
        }
        let spelled = names.into_iter().map(|name| Self {
            id: name.clone(),
            direction: self.direction,
            from: From::Definition(name.clone()),
        });
        spelled.collect()
    }
}

/// The union of the results of a union of requests, and the methods whose result nothing names, with
/// the pointer to each. Nothing where the document has no such union.
pub fn results(
    document: &Document,
    requests: &str,
    listed: &BTreeMap<String, String>,
) -> Option<(Node, Vec<(String, String)>)> {
    let node = document.definitions.get(requests)?;
    let Shape::Union(union) = &node.shape else {
        return None;
    };
    let mut arms = Vec::new();
    let mut unnamed = Vec::new();
    for (method, arm) in keyed(document, union, &["method".to_owned()]).arms {
        let Arm::Node(request) = arm else {
            continue;
        };
        let ruled = parameters(document, request).and_then(|params| {
            document.bound_results.get(params).cloned().or_else(|| {
                let stem = params.strip_suffix("Params")?;
                Some(format!("{stem}Response"))
            })
        });
        let named = [listed.get(&method).cloned(), ruled].into_iter().flatten();
        let result = named
            .into_iter()
            .find(|name| document.definitions.contains_key(name));
        let node = match &result {
            Some(name) => {
                let at = document
                    .definitions
                    .get(name)
                    .map_or(request.at.as_str(), |node| &node.at);
                Node::new(at, Shape::Ref(name.clone()))
            }
            None => {
                unnamed.push((method.clone(), request.at.clone()));
                Node::new(&request.at, Shape::Any)
            }
        };
        arms.push(result_arm(&method, node));
    }
    let union = Union {
        arms,
        common: None,
        tags: vec!["method".to_owned()],
    };
    Some((Node::new(&node.at, Shape::Union(union)), unnamed))
}

/// The definition of a request's parameters.
fn parameters<'a>(document: &'a Document, request: &'a Node) -> Option<&'a str> {
    let Shape::Object(object) = &document.follow(request).0.shape else {
        return None;
    };
    object.fields.get("params")?.node.shape.reference()
}

fn result_arm(method: &str, result: Node) -> Node {
    let at = result.at.clone();
    let mut value = Listed::default();
    value
        .values
        .insert(serde_json::Value::from(method).to_string(), at.clone());
    let mut object = Object::default();
    let tag = Node::new(&at, Shape::Enum(value));
    object.fields.insert(
        "method".to_owned(),
        Field {
            node: tag,
            required: true,
        },
    );
    object.fields.insert(
        "result".to_owned(),
        Field {
            node: result,
            required: true,
        },
    );
    Node::new(&at, Shape::Object(object))
}
