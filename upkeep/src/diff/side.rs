//! One version of a provider, read and ready to be compared.

use std::collections::BTreeMap;

use agentwire_codegen::diagnostics::{Code, Diagnostic};
use agentwire_codegen::source::SourceFile;

use super::lower;
use super::roots::{Root, roots};
use super::schema::Document;

/// Where the hand-written facts stand, from the root of the repository.
const SOURCES: &str = "schemas/sources.toml";

/// The face of what is vendored in one form only.
pub const STABLE: &str = "stable";

/// A document of one face.
#[derive(Clone, Debug)]
pub struct FaceFile {
    /// The face: `stable`, `experimental`.
    pub face: String,
    /// The text.
    pub file: SourceFile,
}

/// One version of a provider.
#[derive(Clone, Debug)]
pub struct Side {
    pub(super) provider: String,
    pub(super) label: String,
    pub(super) faces: BTreeMap<String, Document>,
    pub(super) roots: Vec<Root>,
}

impl Side {
    /// A vendored version, or one face of it (`0.171.0`, `2.4.0/stable`). The files are those below
    /// `schemas/`, by path from the root of the repository.
    pub fn vendored(
        files: &BTreeMap<String, String>,
        provider: &str,
        version: &str,
    ) -> Result<Self, Vec<Diagnostic>> {
        let Some(sources) = files.get(SOURCES) else {
            return Err(told(provider, format!("{SOURCES} is missing")));
        };
        let sources = SourceFile::new(SOURCES, sources.as_str());
        let folder = format!("schemas/{provider}/{version}/");
        let named = |path: &str| face(path.strip_prefix(&folder)?, version);
        let faces = files.iter().filter_map(|(path, text)| {
            Some(FaceFile {
                face: named(path)?,
                file: SourceFile::new(path.as_str(), text.as_str()),
            })
        });
        let faces: Vec<FaceFile> = faces.collect();
        if faces.is_empty() {
            // A wrong name of a provider is the first thing to tell.
            roots(&sources, provider)?;
            let start = format!("schemas/{provider}/");
            let versions = files
                .keys()
                .filter_map(|path| path.strip_prefix(&start)?.split('/').next());
            let versions: std::collections::BTreeSet<&str> = versions.collect();
            let versions: Vec<&str> = versions.into_iter().collect();
            return Err(told(
                provider,
                format!(
                    "`{version}` is not vendored: there is no schema below {folder}; vendored are {}",
                    versions.join(", ")
                ),
            ));
        }
        Self::new(&sources, provider, version, faces)
    }

    /// A version that stands anywhere; `label` is what a comparison calls it, and `sources` says what the
    /// provider sends and accepts.
    pub fn new(
        sources: &SourceFile,
        provider: &str,
        label: &str,
        faces: Vec<FaceFile>,
    ) -> Result<Self, Vec<Diagnostic>> {
        let roots = roots(sources, provider)?;
        let mut documents = BTreeMap::new();
        let mut problems = Vec::new();
        for FaceFile { face, file } in faces {
            match lower::document(&file) {
                Ok(document) => {
                    if documents.insert(face.clone(), document).is_some() {
                        problems.extend(told(
                            provider,
                            format!("{label} has two documents of the face `{face}`"),
                        ));
                    }
                }
                Err(found) => problems.extend(found),
            }
        }
        if documents.is_empty() && problems.is_empty() {
            problems = told(provider, format!("{label} has no schema"));
        }
        if problems.is_empty() {
            Ok(Self {
                provider: provider.to_owned(),
                label: label.to_owned(),
                faces: documents,
                roots,
            })
        } else {
            Err(problems)
        }
    }

    /// The same version with another document in place of one face's: for tools that edit schemas.
    /// Lines are those of the text that it had.
    pub fn edited(&self, face: &str, schema: &serde_json::Value) -> Result<Self, Vec<Diagnostic>> {
        let Some(known) = self.faces.get(face) else {
            return Err(told(
                &self.provider,
                format!("{} has no face `{face}`", self.label),
            ));
        };
        let document = lower::value(&known.file, schema)?;
        Ok(Self {
            provider: self.provider.clone(),
            label: format!("{} edited", self.label),
            faces: BTreeMap::from([(face.to_owned(), document)]),
            roots: self.roots.clone(),
        })
    }

    /// What a comparison calls it.
    pub fn label(&self) -> &str {
        &self.label
    }

    /// The faces that it has.
    pub fn faces(&self) -> impl Iterator<Item = &str> {
        self.faces.keys().map(String::as_str)
    }
}

/// The face that a path below the folder of a version stands for.
fn face(path: &str, version: &str) -> Option<String> {
    match path {
        "types.json" => Some(STABLE.to_owned()),
        // The folder of one face was asked for.
        "schema.json" => version.rsplit_once('/').map(|(_, face)| face.to_owned()),
        _ => {
            let (face, file) = path.split_once('/')?;
            (file == "schema.json").then(|| face.to_owned())
        }
    }
}

fn told(provider: &str, message: String) -> Vec<Diagnostic> {
    vec![Diagnostic::new(Code::BadSource, provider, message)]
}
