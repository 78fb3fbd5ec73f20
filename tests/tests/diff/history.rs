//! The vendored versions against each other, with numbers that are counted over the raw schemas.

use std::collections::{BTreeMap, BTreeSet};

use agentwire_codegen::diagnostics::render;
use agentwire_upkeep::diff::{Check, Class, Diff, Side, compare};
use serde_json::Value;

use crate::diff::documents::{documents, files};
use crate::diff::sites::constant;

fn vendored(files: &BTreeMap<String, String>, provider: &str, version: &str) -> Side {
    Side::vendored(files, provider, version)
        .unwrap_or_else(|found| panic!("{}", render(&found, false)))
}

fn between(files: &BTreeMap<String, String>, provider: &str, old: &str, new: &str) -> Diff {
    compare(
        &vendored(files, provider, old),
        &vendored(files, provider, new),
    )
    .unwrap_or_else(|found| panic!("{}", render(&found, false)))
}

/// The constants of a member of all variants of a union, references followed.
fn tags(files: &BTreeMap<String, String>, path: &str, union: &str, tag: &str) -> BTreeSet<String> {
    let root: Value = serde_json::from_str(&files[path]).unwrap();
    let arms = ["oneOf", "anyOf"]
        .iter()
        .find_map(|key| root["definitions"][union].get(*key)?.as_array());
    let tags: BTreeSet<String> = arms
        .into_iter()
        .flatten()
        .filter_map(|arm| {
            let own = arm.get("$ref").and_then(Value::as_str).map_or(arm, |name| {
                root.pointer(name.strip_prefix('#').unwrap()).unwrap()
            });
            Some(constant(own.get("properties")?.get(tag)?)?.to_owned())
        })
        .collect();
    assert!(!tags.is_empty(), "{path} {union}");
    tags
}

/// What a surface gained and lost, by the comparison and by the raw schemas.
fn agree(
    diff: &Diff,
    surface: &str,
    before: &BTreeSet<String>,
    after: &BTreeSet<String>,
) -> (usize, usize) {
    let added: Vec<&str> = after.difference(before).map(String::as_str).collect();
    let removed: Vec<&str> = before.difference(after).map(String::as_str).collect();
    assert_eq!(
        diff.variants(surface, Check::VariantAdded),
        added,
        "{surface}"
    );
    assert_eq!(
        diff.variants(surface, Check::VariantRemoved),
        removed,
        "{surface}"
    );
    (added.len(), removed.len())
}

#[test]
fn a_version_does_not_differ_from_itself() {
    let files = files();
    let mut compared = 0;
    for document in documents(&files) {
        let diff = compare(&document.side, &document.side).unwrap();
        assert!(diff.is_empty(), "{}: {:?}", document.name, diff.changes);
        assert!(
            diff.surfaces
                .iter()
                .map(|surface| surface.definitions)
                .sum::<usize>()
                > 5,
            "{}",
            document.name
        );
        compared += 1;
    }
    assert!(compared >= 12);
    for (provider, version) in [
        ("codex", "0.171.0"),
        ("claude", "0.3.332"),
        ("acp-v1", "2.4.0"),
        ("acp-v2", "2.4.0"),
    ] {
        assert!(
            between(&files, provider, version, version).is_empty(),
            "{provider}"
        );
    }
}

#[test]
fn back_is_there_reversed() {
    let files = files();
    let pairs = [
        ("codex", "0.107.0", "0.113.0"),
        ("codex", "0.107.0", "0.171.0"),
        ("codex", "0.113.0", "0.171.0"),
        ("claude", "0.2.62", "0.3.332"),
        ("acp-v1", "2.4.0/stable", "2.4.0/experimental"),
        ("acp-v2", "2.4.0/stable", "2.4.0/experimental"),
    ];
    for (provider, old, new) in pairs {
        let (there, back) = (
            between(&files, provider, old, new),
            between(&files, provider, new, old),
        );
        let count = |diff: &Diff, turned: bool| {
            let mut counts: BTreeMap<(String, Check), usize> = BTreeMap::new();
            for change in &diff.changes {
                let check = if turned {
                    reversed(change.check)
                } else {
                    change.check
                };
                let definition = match change.definition.split_once("=>") {
                    Some((was, is)) if turned => format!("{is}=>{was}"),
                    _ => change.definition.clone(),
                };
                *counts.entry((definition, check)).or_default() += 1;
            }
            counts
        };
        let (there, back) = (count(&there, false), count(&back, true));
        assert!(!there.is_empty(), "{provider} {old} {new}");
        let differing: Vec<_> = there
            .iter()
            .filter(|(key, count)| back.get(key) != Some(count))
            .chain(
                back.iter()
                    .filter(|(key, count)| there.get(key) != Some(count)),
            )
            .collect();
        assert!(
            differing.is_empty(),
            "{provider} {old} {new}: {differing:?}"
        );
    }
}

/// What a check finds the other way round.
fn reversed(check: Check) -> Check {
    let pairs = [
        (Check::VariantAdded, Check::VariantRemoved),
        (Check::EnumValueAdded, Check::EnumValueRemoved),
        (Check::Opened, Check::Closed),
        (Check::FieldAdded, Check::FieldRemoved),
        (Check::RequiredFieldAdded, Check::RequiredFieldRemoved),
        (Check::BecameOptional, Check::BecameRequired),
        (Check::TypeWidened, Check::TypeNarrowed),
        (Check::FormatWidened, Check::FormatNarrowed),
        (Check::BecameNullable, Check::BecameNonNull),
        (Check::ConstraintTightened, Check::ConstraintLoosened),
        (Check::UnionTagged, Check::UnionUntagged),
        (Check::CommonFieldAdded, Check::CommonFieldRemoved),
        (Check::BecameStable, Check::BecameExperimental),
        (Check::SurfaceAdded, Check::SurfaceRemoved),
        (Check::DefinitionAdded, Check::DefinitionRemoved),
    ];
    for (one, other) in pairs {
        if check == one {
            return other;
        }
        if check == other {
            return one;
        }
    }
    check
}

#[test]
fn variants_of_codex_are_counted() {
    let files = files();
    let diff = between(&files, "codex", "0.107.0", "0.171.0");
    let both = |union: &str| {
        let path = |version: &str| format!("schemas/codex/{version}/stable/schema.json");
        (
            tags(&files, &path("0.107.0"), union, "method"),
            tags(&files, &path("0.171.0"), union, "method"),
        )
    };
    // Which of them the experimental face has alone is counted with them; the stable face is the raw count.
    let stable = Diff {
        changes: diff
            .changes
            .iter()
            .filter(|change| change.faces.iter().any(|face| face == "stable"))
            .cloned()
            .collect(),
        ..diff.clone()
    };
    for (surface, union, expected) in [
        (
            "codex.app-server.notification",
            "ServerNotification",
            (45, 0),
        ),
        ("codex.app-server.request", "ServerRequest", (3, 0)),
        ("ClientRequest", "ClientRequest", (71, 3)),
    ] {
        let (mut before, mut after) = both(union);
        // What moved between the faces is told as that.
        let moved = |check: Check| -> Vec<String> {
            diff.variants(surface, check)
                .into_iter()
                .map(str::to_owned)
                .collect()
        };
        for tag in moved(Check::BecameStable) {
            assert!(after.remove(&tag), "{tag}");
        }
        for tag in moved(Check::BecameExperimental) {
            assert!(before.remove(&tag), "{tag}");
        }
        assert_eq!(
            agree(&stable, surface, &before, &after),
            expected,
            "{union}"
        );
    }
    let gone: Vec<&str> = diff
        .changes
        .iter()
        .filter(|change| change.check == Check::SurfaceRemoved)
        .map(|change| change.definition.as_str())
        .collect();
    assert_eq!(gone, ["EventMsg"]);
    assert!(diff.count(Class::Breaking) > 0 && diff.count(Class::Dangerous) > 45);
}

#[test]
fn variants_of_agents_are_counted() {
    let files = files();
    let claude = between(&files, "claude", "0.2.62", "0.3.332");
    let path = |version: &str| format!("schemas/claude/{version}/types.json");
    let control = |version: &str| tags(&files, &path(version), "SDKControlRequestInner", "subtype");
    let found: BTreeSet<String> = claude
        .changes
        .iter()
        .filter(|change| {
            change.check == Check::VariantAdded && change.definition == "SDKControlRequestInner"
        })
        .filter_map(|change| change.subject.clone())
        .collect();
    let (before, after) = (control("0.2.62"), control("0.3.332"));
    let expected: BTreeSet<String> = after.difference(&before).cloned().collect();
    assert_eq!(found, expected);
    assert!(expected.len() > 10);
    for provider in ["acp-v1", "acp-v2"] {
        let diff = between(&files, provider, "2.4.0/stable", "2.4.0/experimental");
        let path = |face: &str| format!("schemas/{provider}/2.4.0/{face}/schema.json");
        let count = |face: &str| tags(&files, &path(face), "SessionUpdate", "sessionUpdate");
        let surface = if provider == "acp-v1" {
            "cursor.acp.notification"
        } else {
            "cursor.acp.v2.notification"
        };
        let (added, removed) = agree(&diff, surface, &count("stable"), &count("experimental"));
        assert!(added > 2 && removed == 0, "{provider}: {added} {removed}");
    }
}

#[test]
fn lines_are_those_of_the_value() {
    let files = files();
    let diff = between(&files, "codex", "0.107.0", "0.171.0");
    let mut checked = 0;
    for change in &diff.changes {
        // The line of an added value, tag or member names it.
        let came = matches!(
            change.check,
            Check::EnumValueAdded | Check::FieldAdded | Check::RequiredFieldAdded
        );
        let went = matches!(
            change.check,
            Check::EnumValueRemoved | Check::FieldRemoved | Check::RequiredFieldRemoved
        );
        if !came && !went {
            continue;
        }
        let place = if came { &change.new } else { &change.old };
        let (place, subject) = (place.as_ref(), change.subject.as_ref());
        let (place, subject) = (place.unwrap(), subject.unwrap());
        let line = files[&place.file].lines().nth(place.line - 1).unwrap();
        assert!(
            line.contains(subject.trim_matches('"')),
            "{}: {line}",
            change.id
        );
        checked += 1;
    }
    assert!(checked > 300);
}
