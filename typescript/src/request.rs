//! What is asked for: packages, roots and decisions, in a form that another program can write.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::lower::Decisions;

/// What is asked for.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// The package that has the roots.
    pub package: Package,
    /// The packages that it takes types from.
    pub externals: Vec<Package>,
    /// The types to lower, by the file that declares them.
    pub roots: Vec<Root>,
    /// What was decided.
    pub decisions: Decisions,
}

/// A package in one version.
#[derive(Clone, Debug, Default)]
pub struct Package {
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: String,
    /// Its integrity as the registry states it.
    pub integrity: String,
    /// The licence that it states.
    pub licence: String,
    /// What stands before the names of its types; nothing for the package that has the roots.
    pub alias: String,
    /// The folder that it is unpacked in, for who reads files.
    pub folder: String,
}

/// Types of one file.
#[derive(Clone, Debug, Default)]
pub struct Root {
    /// The file, by its path in the package.
    pub file: String,
    /// The names. One with `()` after it is a function, whose arguments and result are lowered. One
    /// with `*` in it stands for every declared name of that form.
    pub types: Vec<String>,
}

impl Request {
    /// Reads a request from JSON; the error names the member that is not as it should be.
    pub fn parse(text: &str) -> Result<Self, String> {
        let value: Value = serde_json::from_str(text).map_err(|error| error.to_string())?;
        let externals = list(&value, "externals")?
            .iter()
            .map(package)
            .collect::<Result<_, _>>()?;
        let mut roots = Vec::new();
        for root in list(&value, "roots")? {
            let types = list(root, "types")?
                .iter()
                .filter_map(Value::as_str)
                .map(str::to_owned)
                .collect();
            roots.push(Root {
                file: text_of(root, "file")?,
                types,
            });
        }
        let mut undeclared = BTreeMap::new();
        for (name, tags) in value
            .get("undeclared")
            .and_then(Value::as_object)
            .into_iter()
            .flatten()
        {
            let tags = tags.as_object().ok_or("`undeclared` must hold objects")?;
            let tags = tags
                .iter()
                .filter_map(|(key, tag)| Some((key.clone(), tag.as_str()?.to_owned())));
            undeclared.insert(name.clone(), tags.collect());
        }
        let opaque: BTreeSet<String> = list(&value, "opaque")?
            .iter()
            .filter_map(Value::as_str)
            .map(str::to_owned)
            .collect();
        let decisions = Decisions { undeclared, opaque };
        let own = value.get("package").ok_or("there is no `package`")?;
        Ok(Self {
            package: package(own)?,
            externals,
            roots,
            decisions,
        })
    }
}

fn package(value: &Value) -> Result<Package, String> {
    Ok(Package {
        name: text_of(value, "name")?,
        version: text_of(value, "version")?,
        integrity: text_of(value, "integrity")?,
        licence: text_of(value, "licence")?,
        alias: value
            .get("alias")
            .and_then(Value::as_str)
            .unwrap_or_default()
            .to_owned(),
        folder: value
            .get("folder")
            .and_then(Value::as_str)
            .unwrap_or_default()
            .to_owned(),
    })
}

fn list<'v>(value: &'v Value, name: &str) -> Result<&'v [Value], String> {
    match value.get(name) {
        None => Ok(&[]),
        Some(found) => found
            .as_array()
            .map(Vec::as_slice)
            .ok_or_else(|| format!("`{name}` must be a list")),
    }
}

fn text_of(value: &Value, name: &str) -> Result<String, String> {
    value
        .get(name)
        .and_then(Value::as_str)
        .map(str::to_owned)
        .ok_or_else(|| format!("`{name}` must be a text"))
}
