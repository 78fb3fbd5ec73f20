//! Overlays when a version comes or goes: what still fits is carried on, and what fits nothing goes.
//!
//! An overlay lists its versions, since a correction that is applied unseen may be wrong. What held
//! for the version before and has an effect in the new one, entry by entry, is carried; anything
//! else is left for a person and told.

use std::collections::{BTreeMap, BTreeSet};

use agentwire_codegen::json_place::members;
use agentwire_codegen::overlay::Overlay;
use serde_json::Value;

use crate::vendor::window::compare;

/// Where overlays stand.
const FOLDER: &str = "schemas/overlays/";

/// Overlays after a version came or went.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Carried {
    /// The files that change, by path from the root of the repository; none where the file goes.
    pub files: BTreeMap<String, Option<String>>,
    /// Those that hold for the new version, too.
    pub carried: Vec<String>,
    /// Those that held for the version before and do not fit the new one, with the reason.
    pub left: Vec<(String, String)>,
}

/// Overlays for a version that comes into the window: those of its neighbours that fit. `files` has
/// the overlays and the new version's schemas by path from the root of the repository.
pub fn carry(
    files: &BTreeMap<String, String>,
    provider: &str,
    version: &str,
    window: &[String],
) -> Carried {
    let mut result = Carried::default();
    let mut schemas = schemas(files, provider, version);
    let neighbours = neighbours(version, window);
    let mut held: Vec<(&String, &String, Overlay)> = Vec::new();
    for (path, text) in overlays(files) {
        let Ok(overlay) = serde_json::from_str::<Overlay>(text) else {
            // Reading it says what is wrong.
            continue;
        };
        let lists = |version: &str| overlay.versions.iter().any(|listed| listed == version);
        if overlay.provider != provider {
            continue;
        }
        // What lists the version already is applied first, as it is when code is made.
        if lists(version) || neighbours.iter().any(|it| lists(it)) {
            held.push((path, text, overlay));
        }
    }
    let mut fitting = Vec::new();
    for (path, text, overlay) in held {
        let before = schemas.clone();
        let mut problems = Vec::new();
        let mut faces = 0;
        for (face, schema) in &mut schemas {
            if overlay.faces.is_empty() || overlay.faces.contains(face) {
                faces += 1;
                problems.extend(overlay.apply(0, schema));
            }
        }
        if overlay.versions.iter().any(|listed| listed == version) {
            continue;
        }
        match problems.first() {
            None if faces > 0 => fitting.push((path, text, overlay)),
            first => {
                let reason = first.map_or("it has none of its faces", |it| it.message.as_str());
                result.left.push((path.clone(), reason.to_owned()));
                schemas = before;
            }
        }
    }
    // What an overlay refers to may come from another one, so this is asked last.
    for (path, text, overlay) in fitting {
        match dangling(&overlay, &schemas) {
            Some(name) => {
                let reason = format!("it refers to `{name}`, which this version does not have");
                result.left.push((path.clone(), reason));
            }
            None => {
                let edited = with_versions(text, |versions| {
                    versions.push(version.to_owned());
                    versions.sort_by(|a, b| compare(a, b));
                });
                if let Some(edited) = edited {
                    result.carried.push(path.clone());
                    result.files.insert(path.clone(), Some(edited));
                }
            }
        }
    }
    result.left.sort();
    result
}

/// Overlays without versions that leave the window; those that are left without any go.
pub fn retire(
    files: &BTreeMap<String, String>,
    provider: &str,
    dropped: &BTreeSet<String>,
) -> BTreeMap<String, Option<String>> {
    let mut changed = BTreeMap::new();
    for (path, text) in overlays(files) {
        let Ok(overlay) = serde_json::from_str::<Overlay>(text) else {
            continue;
        };
        let gone = |version: &String| dropped.contains(version);
        if overlay.provider != provider || !overlay.versions.iter().any(gone) {
            continue;
        }
        let edited = if overlay.versions.iter().all(gone) {
            None
        } else {
            with_versions(text, |versions| versions.retain(|version| !gone(version)))
        };
        changed.insert(path.clone(), edited);
    }
    changed
}

fn overlays(files: &BTreeMap<String, String>) -> impl Iterator<Item = (&String, &String)> {
    files
        .iter()
        .filter(|(path, _)| path.starts_with(FOLDER) && path.ends_with(".json"))
}

/// The schemas of a version by face; the types of a package are its stable face.
fn schemas(
    files: &BTreeMap<String, String>,
    provider: &str,
    version: &str,
) -> BTreeMap<String, Value> {
    let prefix = format!("schemas/{provider}/{version}/");
    files
        .iter()
        .filter_map(|(path, text)| {
            let inside = path.strip_prefix(&prefix)?;
            let face = match inside.split_once('/') {
                Some((face, _)) => face,
                None => "stable",
            };
            Some((face.to_owned(), serde_json::from_str(text).ok()?))
        })
        .collect()
}

/// The versions before and after one.
fn neighbours<'w>(version: &str, window: &'w [String]) -> BTreeSet<&'w String> {
    let before = window
        .iter()
        .filter(|other| compare(other, version).is_lt());
    let after = window
        .iter()
        .filter(|other| compare(other, version).is_gt());
    let before = before.max_by(|a, b| compare(a, b));
    let after = after.min_by(|a, b| compare(a, b));
    before.into_iter().chain(after).collect()
}

/// The first definition that an overlay refers to and that is not there.
fn dangling(overlay: &Overlay, schemas: &BTreeMap<String, Value>) -> Option<String> {
    let mut references = BTreeSet::new();
    for value in overlay.values() {
        collect(&value, &mut references);
    }
    let faces = schemas
        .iter()
        .filter(|(face, _)| overlay.faces.is_empty() || overlay.faces.contains(*face));
    faces
        .flat_map(|(_, schema)| {
            let missing = references.iter();
            missing.filter(move |reference| {
                let pointer = reference.strip_prefix('#').unwrap_or(reference);
                schema.pointer(pointer).is_none()
            })
        })
        .next()
        .map(|reference| {
            let name = reference.strip_prefix("#/definitions/");
            name.unwrap_or(reference).to_owned()
        })
}

fn collect(value: &Value, references: &mut BTreeSet<String>) {
    match value {
        Value::Object(members) => {
            for (name, member) in members {
                match member.as_str() {
                    Some(reference) if name == "$ref" => {
                        references.insert(reference.to_owned());
                    }
                    Some(_) | None => collect(member, references),
                }
            }
        }
        Value::Array(list) => list.iter().for_each(|value| collect(value, references)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// The text with other `versions`; every other byte stays, and the list keeps its form.
fn with_versions(text: &str, edit: impl FnOnce(&mut Vec<String>)) -> Option<String> {
    let start = text.len() - text.trim_start().len();
    let list = members(text, start..text.trim_end().len()).remove("versions")?;
    let places = members(text, list.clone());
    let mut places: Vec<_> = places.into_values().collect();
    places.sort_by_key(|place| place.start);
    let mut versions: Vec<String> = places
        .iter()
        .filter_map(|place| serde_json::from_str(text.get(place.clone())?).ok())
        .collect();
    edit(&mut versions);
    let (first, last) = (places.first()?, places.last()?);
    let lead = text.get(list.start + 1..first.start)?;
    let tail = text.get(last.end..list.end - 1)?;
    let separator = if lead.contains('\n') {
        format!(",{lead}")
    } else {
        ", ".to_owned()
    };
    let quoted: Vec<String> = versions
        .into_iter()
        .map(|version| Value::String(version).to_string())
        .collect();
    let mut out = text.to_owned();
    let inside = format!("{lead}{}{tail}", quoted.join(&separator));
    out.replace_range(list.start + 1..list.end - 1, &inside);
    Some(out)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    const OVERLAY: &str = r##"{
 "provider": "acme",  "reason": "r", "source": "s",
 "versions": [
  "1.0.0"
 ],
 "patches": [{"at": "/definitions/Union/oneOf", "append": [{"$ref": "#/definitions/Part"}]}]
}
"##;

    fn files(schema: &str) -> BTreeMap<String, String> {
        BTreeMap::from([
            (
                "schemas/overlays/acme.union.json".to_owned(),
                OVERLAY.to_owned(),
            ),
            (
                "schemas/acme/2.0.0/stable/schema.json".to_owned(),
                schema.to_owned(),
            ),
        ])
    }

    fn window(versions: &[&str]) -> Vec<String> {
        versions.iter().map(|it| (*it).to_owned()).collect()
    }

    const FITS: &str = r#"{"definitions": {"Union": {"oneOf": []}, "Part": {}}}"#;

    #[test]
    fn an_overlay_of_the_version_before_that_fits_is_carried() {
        let found = carry(&files(FITS), "acme", "2.0.0", &window(&["1.0.0"]));
        assert_eq!(found.carried, ["schemas/overlays/acme.union.json"]);
        let text = found.files.values().next().unwrap().as_deref().unwrap();
        let expected = OVERLAY.replace("  \"1.0.0\"\n", "  \"1.0.0\",\n  \"2.0.0\"\n");
        assert_eq!(text, expected);
    }

    #[test]
    fn one_that_does_not_fit_is_told_with_the_reason() {
        for (schema, reason) in [
            (r#"{"definitions": {}}"#, "nothing stands at"),
            (
                r#"{"definitions": {"Union": {"oneOf": []}}}"#,
                "refers to `Part`",
            ),
            (
                r##"{"definitions": {"Union": {"oneOf": [{"$ref": "#/definitions/Part"}]}, "Part": {}}}"##,
                "changes nothing",
            ),
        ] {
            let found = carry(&files(schema), "acme", "2.0.0", &window(&["1.0.0"]));
            assert!(found.files.is_empty() && found.carried.is_empty());
            assert!(found.left[0].1.contains(reason), "{:?}", found.left);
        }
    }

    #[test]
    fn one_of_a_version_further_off_is_no_candidate() {
        let found = carry(&files(FITS), "acme", "2.0.0", &window(&["1.0.0", "1.5.0"]));
        assert_eq!(found, Carried::default());
    }

    #[test]
    fn an_overlay_without_versions_goes() {
        let gone = BTreeSet::from(["1.0.0".to_owned()]);
        let path = "schemas/overlays/acme.union.json".to_owned();
        let found = retire(&files(FITS), "acme", &gone);
        assert_eq!(found, BTreeMap::from([(path.clone(), None)]));
        let mut two = files(FITS);
        two.insert(
            path.clone(),
            OVERLAY.replace("\"1.0.0\"", "\"1.0.0\",\n  \"1.5.0\""),
        );
        let found = retire(&two, "acme", &gone);
        let expected = OVERLAY.replace("1.0.0", "1.5.0");
        assert_eq!(found, BTreeMap::from([(path, Some(expected))]));
        assert!(retire(&two, "other", &gone).is_empty());
    }
}
