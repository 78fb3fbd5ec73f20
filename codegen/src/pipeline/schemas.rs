//! The vendored schemas of a provider, with their overlays applied.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::locating::Locator;
use crate::diagnostics::Code;
use crate::frontend::json_schema::Document;
use crate::frontend::typescript::{self, Decisions};
use crate::inputs::{Inputs, SchemaFile};
use crate::ir::{Face, Place};
use crate::overlay::Overlay;
use crate::problem::Problem;
use crate::sources::{Provider, Sources};
use crate::toml_place::entry;

/// How the file of a dump of declarations is called.
const TYPES: &str = "/types.json";

/// The overlays that can be read, by their file index.
pub type Overlays = Vec<(usize, Overlay)>;

/// Reads the overlays of all providers.
pub fn overlays(
    inputs: &Inputs,
    sources: &Sources,
    locator: &Locator<'_>,
) -> (Overlays, Vec<Problem>) {
    let mut overlays = Vec::new();
    let mut problems = Vec::new();
    for (index, file) in inputs.overlays.iter().enumerate() {
        let index = locator.overlay(index);
        let place = Place {
            file: index,
            path: Vec::new(),
        };
        match serde_json::from_str::<Overlay>(file.text()) {
            Ok(overlay) if sources.provider.contains_key(&overlay.provider) => {
                overlays.push((index, overlay))
            }
            Ok(overlay) => {
                let place = Place {
                    path: vec![String::from("provider")],
                    ..place
                };
                let message = format!(
                    "the overlay is for `{}`, which is no provider of schemas/sources.toml",
                    overlay.provider
                );
                problems.push(Problem::new(Code::BadSource, place, message));
            }
            Err(error) => problems.push(Problem::new(
                Code::BadSource,
                place,
                format!("not an overlay: {error}"),
            )),
        }
    }
    (overlays, problems)
}

/// The schemas of a provider with their overlays applied; what an overlay names in vain is
/// reported.
pub fn parse(
    inputs: &Inputs,
    provider: &str,
    listed: &Provider,
    overlays: &Overlays,
) -> Result<BTreeMap<usize, Value>, Vec<Problem>> {
    let (values, problems) = parse_partly(inputs, provider, listed, overlays);
    if problems.is_empty() {
        Ok(values)
    } else {
        Err(problems)
    }
}

/// The same as far as it goes, with everything that is wrong.
pub fn parse_partly(
    inputs: &Inputs,
    provider: &str,
    listed: &Provider,
    overlays: &Overlays,
) -> (BTreeMap<usize, Value>, Vec<Problem>) {
    let mut problems = Vec::new();
    let mut decisions = Decisions::new(&listed.whole_numbers, &listed.passed_on);
    let mut values = BTreeMap::new();
    for (index, schema) in inputs
        .schemas
        .iter()
        .enumerate()
        .filter(|(_, schema)| schema.provider == provider)
    {
        let mut value: Value = match serde_json::from_str(schema.file.text()) {
            Ok(value) => value,
            Err(error) => {
                let place = Place {
                    file: index,
                    path: Vec::new(),
                };
                problems.push(Problem::new(
                    Code::BadSource,
                    place,
                    format!("not JSON: {error}"),
                ));
                continue;
            }
        };
        for (file, overlay) in overlays {
            if overlay.applies(provider, &schema.version, &schema.face) {
                problems.extend(overlay.apply(*file, &mut value));
            }
        }
        if schema.file.path().ends_with(TYPES) {
            typescript::read(&mut value, &mut decisions);
        }
        values.insert(index, value);
    }
    problems.extend(decisions.stale().map(|decision| {
        let message = format!(
            "`{decision}` of {provider} in schemas/sources.toml decides nothing in any version"
        );
        let list = if listed.passed_on.iter().any(|it| it == decision) {
            "passed-on"
        } else {
            "whole-numbers"
        };
        let place = entry(
            &inputs.sources,
            &["provider", provider, list],
            Some(decision),
        )
        .map_or_else(String::new, |span| {
            format!(" in line {}", span.line_col().line)
        });
        let help = format!("remove \"{decision}\" from `{list}`{place} of schemas/sources.toml");
        Problem::new(Code::StaleQuirk, Place::default(), message).help(help)
    }));
    let schemas: Vec<&SchemaFile> = inputs
        .schemas
        .iter()
        .filter(|schema| schema.provider == provider)
        .collect();
    let mine = overlays
        .iter()
        .filter(|(_, overlay)| overlay.provider == provider);
    problems.extend(mine.flat_map(|(file, overlay)| unused(*file, overlay, &schemas)));
    (values, problems)
}

/// Versions and faces that the overlay names and that are not vendored.
fn unused(file: usize, overlay: &Overlay, schemas: &[&SchemaFile]) -> Vec<Problem> {
    let versions: BTreeSet<&str> = schemas
        .iter()
        .map(|schema| schema.version.as_str())
        .collect();
    let faces: BTreeSet<&str> = schemas.iter().map(|schema| schema.face.as_str()).collect();
    let stale = |key: &str, index: usize, message: String| {
        let place = Place {
            file,
            path: vec![key.to_owned(), index.to_string()],
        };
        Problem::new(Code::StaleQuirk, place, message).help("remove it, or the overlay")
    };
    let listed = overlay
        .versions
        .iter()
        .enumerate()
        .filter(|(_, version)| !versions.contains(version.as_str()));
    let mut problems: Vec<Problem> = listed
        .map(|(index, version)| {
            stale(
                "versions",
                index,
                format!("the overlay names version {version}, which is not vendored"),
            )
        })
        .collect();
    let listed = overlay
        .faces
        .iter()
        .enumerate()
        .filter(|(_, face)| !faces.contains(face.as_str()));
    problems.extend(listed.map(|(index, face)| {
        stale(
            "faces",
            index,
            format!("the overlay names the face {face}, which is not vendored"),
        )
    }));
    if overlay.versions.is_empty() {
        let place = Place {
            file,
            path: vec![String::from("versions")],
        };
        problems.push(
            Problem::new(Code::StaleQuirk, place, "the overlay names no version").help("remove it"),
        );
    }
    problems
}

/// The schemas as documents, oldest version first, stable face first. The window and the folders
/// must agree.
pub fn documents<'v>(
    inputs: &Inputs,
    provider: &str,
    listed: &Provider,
    values: &'v BTreeMap<usize, Value>,
) -> Result<Vec<Document<'v>>, Vec<Problem>> {
    let mut documents = Vec::new();
    let mut problems = Vec::new();
    let mut present = BTreeSet::new();
    for (index, value) in values {
        let Some(schema) = inputs.schemas.get(*index) else {
            continue;
        };
        let place = Place {
            file: *index,
            path: Vec::new(),
        };
        let Some(version) = listed
            .versions
            .iter()
            .position(|version| *version == schema.version)
        else {
            let message = format!(
                "{} is vendored but not in the window of {provider}",
                schema.version
            );
            problems.push(
                Problem::new(Code::BadSource, place, message)
                    .help("add it to `versions` in schemas/sources.toml, or remove the folder"),
            );
            continue;
        };
        if !listed.faces.contains(&schema.face) {
            let message = format!(
                "{provider} has no face `{}` in schemas/sources.toml",
                schema.face
            );
            problems.push(
                Problem::new(Code::BadSource, place, message)
                    .help("add it to `faces`, or remove the folder"),
            );
            continue;
        }
        present.insert((version, schema.face.as_str()));
        let face = if schema.face == "stable" {
            Face::Stable
        } else {
            Face::Experimental
        };
        match Document::new(*index, version, face, value) {
            Ok(document) => documents.push(document),
            Err(found) => problems.extend(found),
        }
    }
    let missing = |message: String, version: &str| {
        Problem::new(Code::BadSource, Place::default(), message)
            .help(format!("run `cargo xtask vendor {provider}@{version}`"))
    };
    for (position, version) in listed
        .versions
        .iter()
        .enumerate()
        .filter(|_| problems.is_empty())
        .collect::<Vec<_>>()
    {
        let absent: Vec<&str> = listed
            .faces
            .iter()
            .map(String::as_str)
            .filter(|face| !present.contains(&(position, *face)))
            .collect();
        if absent.len() == listed.faces.len() {
            problems.push(missing(
                format!("{provider} {version} is in the window but not vendored"),
                version,
            ));
        } else {
            problems.extend(absent.into_iter().map(|face| {
                missing(
                    format!("{provider} {version} is vendored without its {face} face"),
                    version,
                )
            }));
        }
    }
    documents.sort_by_key(|document| (document.version, document.face));
    if problems.is_empty() {
        Ok(documents)
    } else {
        Err(problems)
    }
}
