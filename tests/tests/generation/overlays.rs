//! Overlays and quirks: each must change something, and none applies where it should not.

use agentwire_codegen::diagnostics::Code;
use agentwire_tests::small::{Small, nothing, object};
use expect_test::expect;
use serde_json::json;

use crate::generation::objects::tables;

fn base() -> Small {
    Small::around(object(&["a"], json!({"a": {"type": "string"}})), nothing())
}

#[test]
fn an_overlay_adds_definitions_and_members() {
    let overlay = json!({
        "definitions": {"Extra": {"enum": ["x"]}},
        "patches": [
            {"at": "/definitions/Value/properties", "extend": {"b": {"$ref": "#/definitions/Extra"}}},
            {"at": "/definitions/Value/required", "remove": "a"},
        ],
    });
    let code = base().overlay(&["1.0.0"], overlay).code();
    tables(
        &code,
        &["wire_struct! { Value", "wire_text! { Extra"],
        &expect![[r#"
            wire_struct! { Value<'a> {
                optional "a" a: Option<Cow<'a, str>>,
                optional "b" b: Option<Extra>,
            }}
            wire_text! { Extra {
                X "x",
            }}
        "#]],
    );
}

#[test]
fn an_entry_that_changes_nothing_is_stale() {
    let entries = [
        json!({"definitions": {"Value": {"type": "string"}}}),
        json!({"patches": [{"at": "/definitions/Value/properties/z", "set": true}]}),
        json!({"patches": [{"at": "/definitions/Value/properties/a", "set": {"type": "string"}}]}),
        json!({"patches": [{"at": "/definitions/Value/required", "append": ["a"]}]}),
        json!({"patches": [{"at": "/definitions/Value/required", "remove": "b"}]}),
        json!({"patches": [{"at": "/definitions/Value/properties", "extend": {"a": {"type": "string"}}}]}),
        json!({"patches": [{"at": "/definitions/Value", "append": ["a"]}]}),
    ];
    for entry in entries {
        assert_eq!(
            base().overlay(&["1.0.0"], entry.clone()).codes(),
            [Code::StaleQuirk],
            "{entry}"
        );
    }
}

#[test]
fn a_version_that_is_not_vendored_is_stale_beside_one_that_is() {
    let patch = json!({"patches": [{"at": "/definitions/Value/required", "remove": "a"}]});
    for versions in [&["9.0.0"][..], &["1.0.0", "9.0.0"][..]] {
        let found = base().overlay(versions, patch.clone()).diagnostics();
        let [only] = found.as_slice() else {
            panic!("{found:?}")
        };
        assert_eq!(only.code, Code::StaleQuirk);
        assert!(only.message.contains("9.0.0"), "{}", only.message);
    }
}

#[test]
fn a_face_that_is_not_vendored_is_stale() {
    let patch = json!({"faces": ["trial"], "patches": [{"at": "/definitions/Value/required", "remove": "a"}]});
    assert_eq!(
        base().overlay(&["1.0.0"], patch).codes(),
        [Code::StaleQuirk]
    );
}

#[test]
fn an_overlay_of_no_known_provider_is_an_error() {
    let text =
        r#"{"provider": "tinny", "reason": "a test", "source": "a test", "versions": ["1.0.0"]}"#;
    let found = base()
        .file("schemas/overlays/tinny.json", text)
        .diagnostics();
    let [only] = found.as_slice() else {
        panic!("{found:?}")
    };
    assert_eq!(only.code, Code::BadSource);
    assert!(only.message.contains("`tinny`"), "{}", only.message);
}

#[test]
fn a_change_with_two_verbs_or_none_is_no_overlay() {
    for patch in [
        json!({"at": "/definitions/Value/required", "remove": "a", "append": ["b"]}),
        json!({"at": "/definitions/Value/required"}),
        json!({"at": "/definitions/Value/required", "remove": "a", "because": "it is"}),
    ] {
        let overlay = json!({"patches": [patch]});
        assert_eq!(
            base().overlay(&["1.0.0"], overlay).codes(),
            [Code::BadSource],
            "{patch}"
        );
    }
}

#[test]
fn a_file_that_is_no_overlay_is_reported_once_and_named() {
    let small = base().file("schemas/overlays/tiny.test.json", "{");
    let found = small.diagnostics();
    let [only] = found.as_slice() else {
        panic!("{found:?}")
    };
    assert_eq!(only.code, Code::BadSource);
    assert!(
        only.to_line()
            .starts_with("schemas/overlays/tiny.test.json:"),
        "{}",
        only.to_line()
    );
}

#[test]
fn a_quirk_that_decides_nothing_is_stale() {
    // Quirks stand in the generator and name their provider, so a provider of that name whose
    // schema needs none of them finds them stale.
    let small = base();
    let renamed = |text: &str| text.replace("tiny", "codex");
    let files: std::collections::BTreeMap<String, String> = small
        .files()
        .iter()
        .map(|(path, text)| (renamed(path), renamed(text)))
        .collect();
    let found =
        agentwire_codegen::generate(&agentwire_codegen::Inputs::from_files(&files).unwrap())
            .unwrap_err();
    assert!(!found.is_empty());
    assert!(
        found
            .iter()
            .all(|diagnostic| diagnostic.code == Code::StaleQuirk),
        "{found:?}"
    );
}
