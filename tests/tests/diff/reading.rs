//! What can't be read is an error, and never "no changes".

use std::collections::BTreeMap;

use agentwire_codegen::diagnostics::Diagnostic;
use agentwire_codegen::source::SourceFile;
use agentwire_upkeep::diff::{FaceFile, Side, compare};
use serde_json::json;

use crate::diff::small::{SENT, faces, side};

fn read(sources: &str, text: &str) -> Result<Side, Vec<Diagnostic>> {
    let file = FaceFile {
        face: "stable".to_owned(),
        file: SourceFile::new("s.json", text),
    };
    Side::new(
        &SourceFile::new("schemas/sources.toml", sources),
        "tiny",
        "1",
        vec![file],
    )
}

#[test]
fn a_document_that_is_none_is_told() {
    let cases = [
        ("", "bad-source: s.json is not JSON"),
        (
            "{\"definitions\": {\"A\": {",
            "bad-source: s.json is not JSON",
        ),
        ("[]", "bad-source: s.json has no definitions"),
        (
            "{\"definitions\": {}}",
            "bad-source: s.json has no definitions",
        ),
        (
            "{\"definitions\": {\"A\": {\"type\": \"string\", \"if\": {}}}}",
            "s.json:1:23: unlowered-schema: at `/definitions/A`: keyword `if` has no rule",
        ),
        (
            "{\"definitions\": {\"A\": {\"$ref\": \"#/definitions/B\"}}}",
            "s.json:1:23: unlowered-schema: at `/definitions/A`: `B` is defined nowhere",
        ),
        (
            "{\"definitions\": {\"A\": {\"$ref\": \"other.json\"}}}",
            "s.json:1:23: unlowered-schema: at `/definitions/A`: \"other.json\" refers to no definition",
        ),
        (
            "{\"definitions\": {\"A\": {\"type\": \"text\"}}}",
            "s.json:1:23: unlowered-schema: at `/definitions/A`: `text` is no JSON type",
        ),
        (
            "{\"definitions\": {\"A\": {\"enum\": []}}}",
            "s.json:1:23: unlowered-schema: at `/definitions/A`: `enum` is a list of at least one value",
        ),
        (
            "{\"definitions\": {\"A\": {\"type\": \"object\", \"properties\": {\"x\": 7}}}}",
            "s.json:1:62: unlowered-schema: at `/definitions/A/properties/x`: a schema is an object or a boolean",
        ),
    ];
    for (text, expected) in cases {
        let told: Vec<String> = read(SENT, text)
            .unwrap_err()
            .iter()
            .map(Diagnostic::to_line)
            .collect();
        assert!(
            told.iter().any(|line| line.starts_with(expected)),
            "{text}\n{told:?}"
        );
    }
}

#[test]
fn roots_that_are_nothing_are_told() {
    let document = "{\"definitions\": {\"Message\": {\"type\": \"string\"}}}";
    let cases = [
        ("", "missing field `provider`"),
        (
            "[provider.other]\nversions = []\nfaces = []\n",
            "`tiny` is no provider",
        ),
        (
            "[provider.tiny]\nversions = []\nfaces = []\n",
            "says neither what `tiny` sends nor what it accepts",
        ),
        (
            "[provider.tiny]\nversions = []\nfaces = []\n[wire.tyni]\n",
            "`[wire.tyni]` is for no provider",
        ),
    ];
    for (sources, expected) in cases {
        let told = read(sources, document).unwrap_err();
        assert!(
            told.iter().any(|found| found.message.contains(expected)),
            "{told:?}"
        );
    }
    let empty = json!({"Nothing": {"type": "string"}});
    let elsewhere = side(
        "[provider.tiny]\nversions = []\nfaces = []\n[wire.tiny]\nsends = [\"Absent\"]\n",
        "1",
        &empty,
    );
    // What no surface reaches is compared, but a root without a definition is never silent.
    let told = compare(&elsewhere, &elsewhere).unwrap_err();
    assert!(
        told[0]
            .message
            .contains("nothing that tiny sends or accepts is defined"),
        "{told:?}"
    );
}

#[test]
fn a_pattern_names_all_that_it_fits_and_is_told_where_it_fits_nothing() {
    let sources = "[provider.tiny]\nversions = []\nfaces = []\n[wire.tiny]\nsends = [\"Moon*Event\", \"Sun*\"]\n";
    let old = json!({"MoonRiseEvent": {"type": "string"}, "MoonSetEvent": {"type": "string"}});
    let new = json!({"MoonRiseEvent": {"type": "integer"}, "MoonSetEvent": {"type": "integer"}});
    let found = crate::diff::small::diff(sources, &old, &new);
    let surfaces: Vec<&str> = found
        .surfaces
        .iter()
        .map(|surface| surface.id.as_str())
        .collect();
    assert_eq!(surfaces, ["MoonRiseEvent", "MoonSetEvent"]);
    assert_eq!(found.changes.len(), 2);
    assert_eq!(found.notes.len(), 1);
    assert!(found.notes[0].message.contains("`Sun*`"));
}

#[test]
fn a_version_or_a_face_that_is_not_there_is_told() {
    let files = BTreeMap::from([
        ("schemas/sources.toml".to_owned(), SENT.to_owned()),
        (
            "schemas/tiny/1.0.0/stable/schema.json".to_owned(),
            "{\"definitions\": {\"Message\": true}}".to_owned(),
        ),
    ]);
    assert!(Side::vendored(&files, "tiny", "1.0.0").is_ok());
    assert!(Side::vendored(&files, "tiny", "1.0.0/stable").is_ok());
    for (provider, version) in [
        ("tiny", "2.0.0"),
        ("tiny", "1.0"),
        ("tiny", "1.0.0/experimental"),
        ("none", "1.0.0"),
        ("tiny", ""),
    ] {
        assert!(
            Side::vendored(&files, provider, version).is_err(),
            "{provider} {version}"
        );
    }
    assert!(Side::vendored(&BTreeMap::new(), "tiny", "1.0.0").is_err());
}

#[test]
fn a_face_of_one_version_only_is_told() {
    let message = json!({"Message": {"type": "string"}});
    let both = faces(
        SENT,
        "1.0.0",
        &[("stable", &message), ("experimental", &message)],
    );
    let one = faces(SENT, "2.0.0", &[("stable", &message)]);
    let diff = compare(&both, &one).unwrap();
    assert!(diff.is_empty());
    assert_eq!(diff.notes.len(), 1);
    assert!(
        diff.notes[0]
            .message
            .contains("`experimental` is not compared")
    );
    // One face of each is compared, whatever they are called.
    let other = faces(
        SENT,
        "3.0.0",
        &[("experimental", &json!({"Message": {"type": "integer"}}))],
    );
    assert_eq!(compare(&one, &other).unwrap().changes.len(), 1);
}
