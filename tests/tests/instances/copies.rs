//! The vendored copies of a schema, one a version and face, with the overlays applied.
//!
//! Overlays are applied by code of our own here, not by the generator's, so that a fault in one
//! shows against the other.

use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

/// One vendored document.
pub struct SchemaCopy {
    /// `0.171.0`
    pub version: String,
    /// `stable` or `experimental`
    pub face: String,
    root: Value,
}

/// Every copy that a provider has, oldest first.
pub fn load(provider: &str) -> Vec<SchemaCopy> {
    let schemas = repository().join("schemas");
    let overlays: Vec<Value> = sorted(&schemas.join("overlays"))
        .iter()
        .map(|path| read(path))
        .collect();
    let mut copies = Vec::new();
    for folder in sorted(&schemas.join(provider)) {
        for path in sorted(&folder) {
            let mut root = read(&path.join("schema.json"));
            let (version, face) = (name(&folder), name(&path));
            for overlay in overlays
                .iter()
                .filter(|overlay| speaks_of(overlay, provider, &version, &face))
            {
                apply(overlay, &mut root);
            }
            copies.push(SchemaCopy {
                version,
                face,
                root,
            });
        }
    }
    copies
}

/// The root of the repository, from whichever crate this is built in.
pub fn repository() -> PathBuf {
    let mut folders = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors();
    folders
        .find(|folder| folder.join("schemas/sources.toml").exists())
        .unwrap()
        .to_path_buf()
}

impl SchemaCopy {
    /// `0.171.0 stable`
    pub fn label(&self) -> String {
        format!("{} {}", self.version, self.face)
    }

    /// All definitions; a namespace is one of them.
    pub fn definitions(&self) -> &Value {
        &self.root["definitions"]
    }

    /// A definition by its name, `eventmsg/TextElement` for one in a namespace.
    pub fn definition(&self, name: &str) -> Option<&Value> {
        self.definitions().pointer(&format!("/{name}"))
    }

    /// The schema that says something itself, behind references.
    pub fn follow<'s>(&'s self, mut schema: &'s Value) -> &'s Value {
        while let Some(name) = reference(schema) {
            schema = self
                .definition(name)
                .unwrap_or_else(|| panic!("{}: nothing is called {name}", self.label()));
        }
        schema
    }
}

/// The name that a schema refers to, directly or as the one part of an `allOf`.
pub fn reference(schema: &Value) -> Option<&str> {
    if let Some([only]) = schema
        .get("allOf")
        .and_then(Value::as_array)
        .map(Vec::as_slice)
        && schema.get("properties").is_none()
    {
        return reference(only);
    }
    schema.get("$ref")?.as_str()?.strip_prefix("#/definitions/")
}

fn speaks_of(overlay: &Value, provider: &str, version: &str, face: &str) -> bool {
    let lists = |key: &str, wanted: &str| {
        overlay
            .get(key)
            .and_then(Value::as_array)
            .is_none_or(|all| all.iter().any(|one| one == wanted))
    };
    overlay["provider"] == provider && lists("versions", version) && lists("faces", face)
}

fn apply(overlay: &Value, root: &mut Value) {
    for (name, definition) in overlay
        .get("definitions")
        .and_then(Value::as_object)
        .into_iter()
        .flatten()
    {
        let known = root["definitions"]
            .as_object_mut()
            .unwrap()
            .insert(name.clone(), definition.clone());
        assert_eq!(known, None, "an overlay defines {name} again");
    }
    for patch in overlay
        .get("patches")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
    {
        let at = patch["at"].as_str().unwrap();
        let target = root
            .pointer_mut(at)
            .unwrap_or_else(|| panic!("nothing stands at {at}"));
        let before = target.clone();
        if let Some(value) = patch.get("set") {
            *target = value.clone();
        } else if let Some(added) = patch.get("append") {
            target
                .as_array_mut()
                .unwrap()
                .extend(added.as_array().unwrap().iter().cloned());
        } else if let Some(removed) = patch.get("remove") {
            target
                .as_array_mut()
                .unwrap()
                .retain(|element| element != removed);
        } else {
            let members: &Map<String, Value> = patch["extend"].as_object().unwrap();
            target.as_object_mut().unwrap().extend(members.clone());
        }
        assert_ne!(*target, before, "the patch at {at} changes nothing");
    }
}

fn sorted(folder: &Path) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    paths.sort_by_key(|path| {
        // Versions by number, whatever their length.
        let numbers: Vec<u32> = name(path)
            .split('.')
            .filter_map(|part| part.parse().ok())
            .collect();
        (numbers, path.clone())
    });
    paths
}

fn name(path: &Path) -> String {
    path.file_name().unwrap().to_str().unwrap().to_owned()
}

fn read(path: &Path) -> Value {
    serde_json::from_str(&std::fs::read_to_string(path).unwrap())
        .unwrap_or_else(|error| panic!("{path:?}: {error}"))
}
