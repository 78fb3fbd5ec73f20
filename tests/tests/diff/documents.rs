//! The vendored documents, read once.

use std::collections::BTreeMap;

use agentwire_codegen::diagnostics::render;
use agentwire_codegen::source::SourceFile;
use agentwire_tests::repository_files;
use agentwire_upkeep::diff::{FaceFile, Side};
use serde_json::Value;

/// One vendored document.
pub struct Document {
    /// The provider.
    pub provider: String,
    /// The version and the face.
    pub name: String,
    /// The face.
    pub face: String,
    /// What it says.
    pub root: Value,
    /// The version with this face only.
    pub side: Side,
}

/// Every file below `schemas/`.
pub fn files() -> BTreeMap<String, String> {
    repository_files(&["schemas"])
}

/// Every vendored document, in the order of their paths.
pub fn documents(files: &BTreeMap<String, String>) -> Vec<Document> {
    let sources = SourceFile::new(
        "schemas/sources.toml",
        files["schemas/sources.toml"].as_str(),
    );
    let mut documents = Vec::new();
    for (path, text) in files {
        let parts: Vec<&str> = path.split('/').collect();
        let (provider, version, face) = match parts.as_slice() {
            ["schemas", provider, version, face, "schema.json"] => (*provider, *version, *face),
            ["schemas", provider, version, "types.json"] => (*provider, *version, "stable"),
            _ => continue,
        };
        let file = FaceFile {
            face: face.to_owned(),
            file: SourceFile::new(path.as_str(), text.as_str()),
        };
        documents.push(Document {
            provider: provider.to_owned(),
            name: format!("{provider} {version} {face}"),
            face: face.to_owned(),
            root: serde_json::from_str(text).unwrap(),
            side: Side::new(&sources, provider, version, vec![file])
                .unwrap_or_else(|found| panic!("{}", render(&found, false))),
        });
    }
    documents
}
