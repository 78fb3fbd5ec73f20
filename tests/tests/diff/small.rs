//! Two small invented versions of a provider.

use agentwire_codegen::diagnostics::render;
use agentwire_codegen::source::SourceFile;
use agentwire_upkeep::diff::{Diff, FaceFile, Side, compare};
use serde_json::{Value, json};

/// What `[provider.tiny]` and its wire say.
pub const SENT: &str =
    "[provider.tiny]\nversions = []\nfaces = []\n[wire.tiny]\nsends = [\"Message\"]\n";

/// The same, the other way round.
pub const ACCEPTED: &str =
    "[provider.tiny]\nversions = []\nfaces = []\n[wire.tiny]\naccepts = [\"Message\"]\n";

/// A version with these definitions in its stable face.
pub fn side(sources: &str, version: &str, definitions: &Value) -> Side {
    faces(sources, version, &[("stable", definitions)])
}

/// A version with these definitions in each face.
pub fn faces(sources: &str, version: &str, faces: &[(&str, &Value)]) -> Side {
    let files = faces.iter().map(|(face, definitions)| {
        let text = serde_json::to_string_pretty(&json!({"definitions": definitions})).unwrap();
        FaceFile {
            face: (*face).to_owned(),
            file: SourceFile::new(format!("schemas/tiny/{version}/{face}/schema.json"), text),
        }
    });
    Side::new(
        &SourceFile::new("schemas/sources.toml", sources),
        "tiny",
        version,
        files.collect(),
    )
    .unwrap_or_else(|found| panic!("{}", render(&found, false)))
}

/// What differs between two versions with these definitions.
pub fn diff(sources: &str, old: &Value, new: &Value) -> Diff {
    compare(&side(sources, "1.0.0", old), &side(sources, "2.0.0", new))
        .unwrap_or_else(|found| panic!("{}", render(&found, false)))
}

/// An object with these members, of which some must be there.
pub fn object(required: &[&str], properties: Value) -> Value {
    json!({"type": "object", "required": required, "properties": properties})
}

/// A reference.
pub fn to(name: &str) -> Value {
    json!({"$ref": format!("#/definitions/{name}")})
}
