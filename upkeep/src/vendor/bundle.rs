//! Makes one document out of the many schema files of a version and face.
//!
//! Upstream writes one file a type, each with a copy of every definition that it needs, and documents
//! that repeat everything. The documents are no source: where one name has two bodies, they keep the
//! last. So the bundle is made of the files, and the documents only check that nothing was lost.

mod documents;
mod rename;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};

use agentwire_codegen::sources::{Provider, namespace_decision};
use serde_json::{Map, Value, json};

use super::problem::Problem;
use super::strip::strip;
use super::walk::{references, rewrite_references};

/// What every reference starts with in the bundle, and in raw output of the older drafts.
const PREFIX: &str = "#/definitions/";
/// The same in raw output of the newer drafts.
const NEWER_PREFIX: &str = "#/$defs/";

/// The definitions of one file, its root under the stem of the file's name. References are plain names.
type Definitions = BTreeMap<String, Value>;

/// The one document, and how it came about.
#[derive(Clone, Debug, PartialEq)]
pub struct Bundle {
    /// `{"definitions": {…}}`. A namespace is a nested map in it.
    pub document: Value,
    /// How many definitions it has.
    pub count: usize,
    /// The decisions that made a difference.
    pub applied: BTreeSet<String>,
    /// Definitions that upstream's documents have, no file has, and nothing that we keep refers to.
    pub unused: BTreeSet<String>,
}

/// Bundles raw schema output: the parsed files by their path below its folder, with `/`.
pub fn bundle(raw: BTreeMap<String, Value>, provider: &Provider) -> Result<Bundle, Vec<Problem>> {
    let (documents, files): (BTreeMap<_, _>, BTreeMap<_, _>) = raw
        .into_iter()
        .partition(|(path, _)| provider.bundles.contains(path));
    if documents.is_empty() && !provider.bundles.is_empty() {
        return Err(vec![Problem::NoBundle {
            expected: provider.bundles.clone(),
        }]);
    }
    if files.is_empty() {
        return Err(vec![Problem::NoFiles]);
    }

    let mut files = split(files)?;
    let mut applied = BTreeSet::new();
    for rename in &provider.rename {
        if rename::apply(&mut files, rename)? {
            applied.insert(rename.decision());
        }
    }
    let placed = place_all(&files, provider);
    applied.extend(
        placed
            .iter()
            .filter_map(|item| item.namespace)
            .map(namespace_decision),
    );
    let merged = merge(placed)?;
    let unused = documents::check(&documents, &merged)?;
    Ok(Bundle {
        count: merged.len(),
        document: document(merged)?,
        applied,
        unused,
    })
}

/// The text of a vendored document: keys sorted, a space a level, so that the diff of an upgrade is readable.
pub fn render(document: &Value) -> Result<String, serde_json::Error> {
    let mut sorted = document.clone();
    sorted.sort_all_objects();
    let mut bytes = Vec::new();
    let formatter = serde_json::ser::PrettyFormatter::with_indent(b" ");
    let mut serializer = serde_json::Serializer::with_formatter(&mut bytes, formatter);
    serde::Serialize::serialize(&sorted, &mut serializer)?;
    let mut text = String::from_utf8_lossy(&bytes).into_owned();
    text.push('\n');
    Ok(text)
}

/// Takes every file apart into its definitions, without prose.
fn split(files: BTreeMap<String, Value>) -> Result<BTreeMap<String, Definitions>, Vec<Problem>> {
    let mut problems = Vec::new();
    let mut split = BTreeMap::new();
    for (path, schema) in files {
        match split_file(&path, schema) {
            Ok(definitions) => {
                split.insert(path, definitions);
            }
            Err(found) => problems.extend(found),
        }
    }
    if problems.is_empty() {
        Ok(split)
    } else {
        Err(problems)
    }
}

fn split_file(path: &str, schema: Value) -> Result<Definitions, Vec<Problem>> {
    let Value::Object(mut root) = strip(schema) else {
        return Err(vec![Problem::NotASchema {
            file: path.to_owned(),
        }]);
    };
    let nested = match root.remove("definitions").or_else(|| root.remove("$defs")) {
        None => Map::new(),
        Some(Value::Object(nested)) => nested,
        Some(
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_),
        ) => {
            return Err(vec![Problem::NotASchema {
                file: path.to_owned(),
            }]);
        }
    };
    let file_name = path.rsplit('/').next().unwrap_or(path);
    let stem = file_name.strip_suffix(".json").unwrap_or(file_name);

    let mut problems = Vec::new();
    let mut definitions = Definitions::new();
    for (name, mut body) in nested
        .into_iter()
        .chain([(stem.to_owned(), Value::Object(root))])
    {
        rewrite_references(
            &mut body,
            &mut |reference| match local_name(reference, stem) {
                Some(target) => *reference = target,
                None => problems.push(Problem::ForeignReference {
                    file: path.to_owned(),
                    definition: name.clone(),
                    reference: reference.clone(),
                }),
            },
        );
        if !insert_equal(&mut definitions, &name, body) {
            problems.push(Problem::Clash {
                name,
                bodies: vec![vec![path.to_owned()], vec![path.to_owned()]],
            });
        }
    }
    if problems.is_empty() {
        Ok(definitions)
    } else {
        Err(problems)
    }
}

/// The definition that a reference of a file means.
fn local_name(reference: &str, stem: &str) -> Option<String> {
    if reference == "#" {
        return Some(stem.to_owned());
    }
    let name = reference
        .strip_prefix(PREFIX)
        .or_else(|| reference.strip_prefix(NEWER_PREFIX))?;
    let plain = !name.is_empty() && !name.contains(['/', '~', '%']);
    plain.then(|| name.to_owned())
}

/// Inserts, unless the name is there with another body.
fn insert_equal(definitions: &mut Definitions, name: &str, body: Value) -> bool {
    match definitions.get(name) {
        Some(known) => *known == body,
        None => {
            definitions.insert(name.to_owned(), body);
            true
        }
    }
}

/// A definition of a file at its place in the bundle. References are what follows [`PREFIX`].
struct Placed<'a> {
    namespace: Option<&'a str>,
    name: String,
    body: Value,
    file: &'a str,
}

/// Decides for each definition of each file whether it stands flat or in the namespace of its file.
fn place_all<'a>(
    files: &'a BTreeMap<String, Definitions>,
    provider: &'a Provider,
) -> Vec<Placed<'a>> {
    let namespaces: BTreeMap<&str, &str> = provider
        .namespace
        .iter()
        .flat_map(|(namespace, files)| {
            files
                .iter()
                .map(move |file| (file.as_str(), namespace.as_str()))
        })
        .collect();
    let mut flat = BTreeMap::new();
    let mut placed = Vec::new();
    for (file, definitions) in files {
        if namespaces.contains_key(file.as_str()) {
            continue;
        }
        for (name, body) in definitions {
            flat.entry(name.as_str()).or_insert(body);
            placed.push(Placed {
                namespace: None,
                name: name.clone(),
                body: body.clone(),
                file,
            });
        }
    }
    for (file, &namespace) in &namespaces {
        if let Some((file, definitions)) = files.get_key_value(*file) {
            place_namespaced(file, definitions, namespace, &flat, &mut placed);
        }
    }
    placed
}

fn place_namespaced<'a>(
    file: &'a str,
    definitions: &Definitions,
    namespace: &'a str,
    flat: &BTreeMap<&str, &Value>,
    placed: &mut Vec<Placed<'a>>,
) {
    let moved = differing(definitions, flat);
    for (name, body) in definitions {
        let mut body = body.clone();
        rewrite_references(&mut body, &mut |reference| {
            if moved.contains(reference.as_str()) {
                *reference = format!("{namespace}/{reference}");
            }
        });
        let namespace = moved.contains(name.as_str()).then_some(namespace);
        placed.push(Placed {
            namespace,
            name: name.clone(),
            body,
            file,
        });
    }
}

/// The definitions that mean something else than the flat ones of the same name, be it only through
/// what they refer to. What has no flat namesake is not among them: there is nothing to tell it from.
fn differing<'a>(definitions: &'a Definitions, flat: &BTreeMap<&str, &Value>) -> BTreeSet<&'a str> {
    let differs = |name: &str, body: &Value| flat.get(name).is_some_and(|flat| *flat != body);
    let mut reached: BTreeSet<&str> = definitions
        .iter()
        .filter(|(name, body)| differs(name, body))
        .map(|(name, _)| name.as_str())
        .collect();
    loop {
        let before = reached.len();
        for (name, body) in definitions {
            if references(body)
                .iter()
                .any(|reference| reached.contains(reference))
            {
                reached.insert(name);
            }
        }
        if reached.len() == before {
            break;
        }
    }
    reached.retain(|name| flat.contains_key(name));
    reached
}

/// Each place with its one body, or every place that has several.
fn merge(placed: Vec<Placed<'_>>) -> Result<Definitions, Vec<Problem>> {
    let mut by_place: BTreeMap<String, Vec<(Value, Vec<String>)>> = BTreeMap::new();
    for Placed {
        namespace,
        name,
        body,
        file,
    } in placed
    {
        let place =
            namespace.map_or_else(|| name.clone(), |namespace| format!("{namespace}/{name}"));
        let bodies = by_place.entry(place).or_default();
        match bodies.iter_mut().find(|(known, _)| *known == body) {
            Some((_, files)) => files.push(file.to_owned()),
            None => bodies.push((body, vec![file.to_owned()])),
        }
    }
    let mut merged = Definitions::new();
    let mut problems = Vec::new();
    for (place, bodies) in by_place {
        if bodies.len() > 1 {
            problems.push(Problem::Clash {
                name: place,
                bodies: bodies.into_iter().map(|(_, files)| files).collect(),
            });
        } else {
            merged.extend(bodies.into_iter().map(|(body, _)| (place.clone(), body)));
        }
    }
    if problems.is_empty() {
        Ok(merged)
    } else {
        Err(problems)
    }
}

/// The document of the merged definitions, with whole references, each of which leads somewhere.
fn document(merged: Definitions) -> Result<Value, Vec<Problem>> {
    let places: BTreeSet<String> = merged.keys().cloned().collect();
    let mut problems = Vec::new();
    let mut definitions = Map::new();
    for (place, mut body) in merged {
        rewrite_references(&mut body, &mut |reference| {
            let whole = format!("{PREFIX}{reference}");
            if !places.contains(reference.as_str()) {
                problems.push(Problem::Dangling {
                    definition: place.clone(),
                    reference: whole.clone(),
                });
            }
            *reference = whole;
        });
        let Some((namespace, name)) = place.split_once('/') else {
            definitions.insert(place, body);
            continue;
        };
        if places.contains(namespace) {
            problems.push(Problem::NamespaceTaken {
                namespace: namespace.to_owned(),
            });
        } else if let Some(nested) = definitions
            .entry(namespace)
            .or_insert_with(|| json!({}))
            .as_object_mut()
        {
            nested.insert(name.to_owned(), body);
        }
    }
    problems.dedup();
    if problems.is_empty() {
        Ok(json!({ "definitions": definitions }))
    } else {
        Err(problems)
    }
}
