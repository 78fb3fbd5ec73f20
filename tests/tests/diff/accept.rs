//! The accept file.

use agentwire_codegen::diagnostics::Diagnostic;
use agentwire_codegen::source::SourceFile;
use agentwire_upkeep::diff::{Accepted, CAP, Class};
use serde_json::json;

use crate::diff::small::{ACCEPTED, diff, object};

fn parse(text: &str) -> Result<Accepted, Vec<Diagnostic>> {
    Accepted::parse(&SourceFile::new("accept.toml", text))
}

fn lines(found: &[Diagnostic]) -> Vec<String> {
    found.iter().map(Diagnostic::to_line).collect()
}

#[test]
fn an_accepted_change_no_longer_counts() {
    let old =
        json!({"Message": object(&[], json!({"a": {"type": "string"}, "b": {"type": "string"}}))});
    let new = json!({"Message": object(&["b"], json!({"a": {"type": "integer"}, "b": {"type": "string"}}))});
    let mut found = diff(ACCEPTED, &old, &new);
    assert_eq!(
        (found.worst(), found.count(Class::Breaking)),
        (Some(Class::Breaking), 2)
    );
    let one = parse("[[accept]]\nid = \"type-changed:Message.a\"\nreason = \"we never send it\"\n")
        .unwrap();
    assert_eq!(one.len(), 1);
    found.accept(&one).unwrap();
    assert_eq!(found.count(Class::Breaking), 1);
    let other =
        parse("[[accept]]\nid = \"became-required:Message.b\"\nreason = \"we always send it\"\n")
            .unwrap();
    found.accept(&other).unwrap();
    assert_eq!(found.worst(), None);
}

#[test]
fn a_stale_entry_is_an_error_with_its_line() {
    let old = json!({"Message": object(&[], json!({"a": {"type": "string"}}))});
    let new = json!({"Message": object(&[], json!({"a": {"type": "integer"}}))});
    let stale =
        parse("# why\n[[accept]]\nid = \"type-changed:Message.b\"\nreason = \"gone\"\n").unwrap();
    let found = diff(ACCEPTED, &old, &new).accept(&stale).unwrap_err();
    let told = lines(&found);
    assert_eq!(told.len(), 1);
    assert!(
        told[0].starts_with("accept.toml:3:6: stale-quirk: `type-changed:Message.b`"),
        "{told:?}"
    );
    assert!(
        found[0]
            .help
            .iter()
            .any(|help| help.contains("`type-changed:Message.a`"))
    );
}

#[test]
fn what_is_wrong_with_the_file_is_told_with_its_line() {
    let cases = [
        (
            "[[accept]]\nid = \"x\"\nreason = \"  \"\n",
            "accept.toml:3:10: bad-source: `x` is accepted without a reason",
        ),
        (
            "[[accept]]\nid = \"x\"\n",
            "accept.toml:1:1: bad-source: missing field `reason`",
        ),
        (
            "[[accept]]\nid = \"x\"\nreason = \"r\"\nwhy = 1\n",
            "accept.toml:4:1: bad-source: unknown field `why`",
        ),
        ("cap = \n", "accept.toml:1:"),
        (
            "[[accept]]\nid = \"x\"\nreason = \"r\"\n[[accept]]\nid = \"x\"\nreason = \"r\"\n",
            "accept.toml:5:6: bad-source: `x` is accepted twice",
        ),
        (
            "cap = 1\n[[accept]]\nid = \"x\"\nreason = \"r\"\n[[accept]]\nid = \"y\"\nreason = \"r\"\n",
            "accept.toml:1:7: bad-source: 2 changes are accepted, and the cap is 1",
        ),
    ];
    for (text, expected) in cases {
        let told = lines(&parse(text).unwrap_err());
        assert_eq!(told.len(), 1, "{told:?}");
        assert!(told[0].starts_with(expected), "{told:?}\n{expected}");
    }
}

#[test]
fn a_file_has_a_cap_without_saying_so() {
    let entries = |count: usize| -> String {
        (0..count)
            .map(|index| format!("[[accept]]\nid = \"{index}\"\nreason = \"r\"\n"))
            .collect()
    };
    assert_eq!(parse(&entries(CAP)).unwrap().len(), CAP);
    assert!(parse(&entries(CAP + 1)).is_err());
    assert_eq!(
        parse(&format!("cap = 60\n{}", entries(CAP + 1)))
            .unwrap()
            .len(),
        CAP + 1
    );
}
