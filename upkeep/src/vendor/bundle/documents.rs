//! Checks the bundle against the documents in which upstream repeats everything.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::Definitions;
use crate::vendor::problem::Problem;
use crate::vendor::walk::references;

/// The key under which upstream's documents nest the definitions of the second version of its API.
const NESTED: &str = "v2";

/// Checks that every definition of upstream's documents is in the bundle, but for those that nothing
/// in it refers to, and returns those: upstream leaves the remains of its experimental types there.
pub(super) fn check(
    documents: &BTreeMap<String, Value>,
    merged: &Definitions,
) -> Result<BTreeSet<String>, Vec<Problem>> {
    let ours: BTreeSet<&str> = merged
        .keys()
        .filter_map(|place| place.rsplit('/').next())
        .collect();
    let mut problems = Vec::new();
    let mut unused = BTreeSet::new();
    for (path, document) in documents {
        let Some(theirs) = document_definitions(document) else {
            problems.push(Problem::NotASchema { file: path.clone() });
            continue;
        };
        for (name, _) in theirs.iter().filter(|(name, _)| !ours.contains(name)) {
            let referrer = theirs
                .iter()
                .find(|(referrer, body)| ours.contains(referrer) && refers_to(body, name));
            match referrer {
                None => {
                    unused.insert((*name).to_owned());
                }
                Some((referrer, _)) => problems.push(Problem::Lost {
                    bundle: path.clone(),
                    name: (*name).to_owned(),
                    referrer: (*referrer).to_owned(),
                }),
            }
        }
    }
    if problems.is_empty() {
        Ok(unused)
    } else {
        Err(problems)
    }
}

fn document_definitions(document: &Value) -> Option<Vec<(&str, &Value)>> {
    let definitions = document.get("definitions")?.as_object()?;
    let mut all = Vec::new();
    for (name, body) in definitions {
        match body.as_object() {
            Some(nested) if name == NESTED => {
                all.extend(nested.iter().map(|(name, body)| (name.as_str(), body)))
            }
            Some(_) | None => all.push((name.as_str(), body)),
        }
    }
    Some(all)
}

fn refers_to(body: &Value, name: &str) -> bool {
    references(body)
        .iter()
        .any(|reference| reference.rsplit('/').next() == Some(name))
}
