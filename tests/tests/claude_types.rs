//! The generated types of the Claude Agent SDK against the dumps of its declarations: every message
//! of every version has its row, and instances of all of them come back as they went in.

#![allow(clippy::unwrap_used, clippy::panic)]

mod dump;
mod instance;

use std::collections::{BTreeMap, BTreeSet};

use agentwire::claude::wire::{StdoutMessage, WINDOW, message, permission};
use agentwire::json::{NoteKind, decode, encode};
use agentwire::mapping::RowInfo;
use serde_json::{Value, json};

use dump::Dump;
use instance::{Instances, Size};

/// What the program writes and no version declares.
const UNDECLARED: [&str; 5] = [
    "autocompact_state",
    "command_lifecycle",
    "system:model_fallback",
    "system:session_title_changed",
    "transcript_mirror",
];

/// Members, messages and requests of each version.
const COUNTS: [(&str, usize, usize, usize); 2] = [("0.2.62", 21, 27, 17), ("0.3.332", 41, 46, 41)];

/// How often each message is made with all that it may have, so that every arm of every union is
/// taken: few have many, and those of streams stand below others.
const ROUNDS: usize = 8;
const ROUNDS_OF_MANY: usize = 120;
const MANY: [&str; 2] = ["SDKControlRequest", "SDKPartialAssistantMessage"];

fn dumps() -> Vec<Dump> {
    let dumps: Vec<Dump> = WINDOW.iter().map(|version| Dump::read(version)).collect();
    assert_eq!(dumps.len(), COUNTS.len());
    dumps
}

#[test]
fn the_dumps_have_as_many_members_as_the_packages() {
    for (dump, (version, sdk, stdout, requests)) in dumps().iter().zip(COUNTS) {
        assert_eq!(dump.version, version);
        assert_eq!(dump.arms("SDKMessage").len(), sdk, "{version}");
        assert_eq!(dump.arms("StdoutMessage").len(), stdout, "{version}");
        assert_eq!(
            dump.arms("SDKControlRequestInner").len(),
            requests,
            "{version}"
        );
        let written: BTreeSet<&str> = dump.arms("StdoutMessage").into_iter().collect();
        assert!(
            dump.arms("SDKMessage")
                .iter()
                .all(|name| written.contains(name))
        );
    }
}

#[test]
fn every_tag_path_of_every_version_has_its_row_and_no_other() {
    let mut expected: BTreeSet<String> = UNDECLARED.map(str::to_owned).into();
    for dump in dumps() {
        let paths = dump.tag_paths();
        assert!(paths.len() > 60, "{}: {}", dump.version, paths.len());
        for path in &paths {
            let row = RowInfo::find(message::ROWS, path).unwrap_or_else(|| panic!("{path}"));
            assert!(
                row.seen.contains(&dump.version) || row.seen.contains(" to "),
                "{path}: {}",
                row.seen
            );
        }
        expected.extend(paths);
    }
    let rows: BTreeSet<String> = message::ROWS.iter().map(|row| row.tag.to_owned()).collect();
    assert_eq!(rows, expected);
    assert_eq!(rows.len(), 125);
    let phases: Vec<&str> = permission::ROWS.iter().map(|row| row.tag).collect();
    assert_eq!(
        phases,
        [
            "can_use_tool",
            "decision:allow",
            "decision:deny",
            "decision:deny+interrupt"
        ]
    );
}

/// All sizes of all messages of a version, with the definition of each.
fn instances(dump: &Dump) -> Vec<(String, Size, Value)> {
    let mut all = Vec::new();
    let mut instances = Instances::of(dump);
    for name in dump.arms("StdoutMessage") {
        let rounds = if MANY.contains(&name) {
            ROUNDS_OF_MANY
        } else {
            ROUNDS
        };
        let most = std::iter::repeat_n(Size::Most, rounds);
        for size in [Size::Least, Size::Nulls].into_iter().chain(most) {
            all.push((name.to_owned(), size, instances.of_definition(name, size)));
        }
    }
    all
}

#[test]
fn every_instance_comes_back() {
    let mut reached = BTreeSet::new();
    let mut closed = BTreeSet::new();
    let mut count = 0;
    for dump in dumps() {
        for (name, size, value) in instances(&dump) {
            let text = value.to_string();
            let (message, notes) = decode::<StdoutMessage<'_>>(&text).unwrap_or_else(|error| {
                panic!("{name} {size:?}: {} {error}\n{text}", error.path(&text))
            });
            for note in notes {
                match note.kind {
                    // One version has an enum where the other has any text.
                    NoteKind::UnrecognizedValue { of, value } if *value == *"a text" => {
                        closed.insert(of.to_owned());
                    }
                    kind @ (NoteKind::UnrecognizedValue { .. }
                    | NoteKind::UnrecognizedTag { .. }
                    | NoteKind::DuplicateKey
                    | NoteKind::LoneSurrogate) => panic!("{name} {size:?}: {kind:?}\n{text}"),
                }
            }
            let written: Value = serde_json::from_str(&encode(&message)).unwrap();
            assert_eq!(
                without_nulls(written),
                without_nulls(value),
                "{name} {size:?}"
            );
            reached.insert(message::tag_path(&message).into_owned());
            count += 1;
        }
    }
    reached.extend(UNDECLARED.map(str::to_owned));
    let rows: BTreeSet<String> = message::ROWS.iter().map(|row| row.tag.to_owned()).collect();
    assert_eq!(reached, rows);
    assert_eq!(
        closed,
        BTreeSet::from([String::from("AgentDefinitionModel")])
    );
    assert!(count > 1_000, "{count} instances");
}

/// Where tags stand in a message, from outside in.
const TAGS: [&[&str]; 7] = [
    &["type"],
    &["subtype"],
    &["event", "type"],
    &["event", "delta", "type"],
    &["event", "content_block", "type"],
    &["request", "subtype"],
    &["response", "subtype"],
];

#[test]
fn an_unknown_tag_costs_its_own_level_and_nothing_else() {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for dump in dumps() {
        for (name, _, value) in instances(&dump) {
            let known = path_of(&value);
            for tag in TAGS {
                let mut changed = value.clone();
                let pointer = format!("/{}", tag.join("/"));
                let Some(place) = changed.pointer_mut(&pointer).filter(|it| it.is_string()) else {
                    continue;
                };
                *place = json!("x_new");
                let text = changed.to_string();
                let (message, notes) = decode::<StdoutMessage<'_>>(&text).unwrap();
                let [note] = notes.as_slice() else {
                    panic!("{name} {pointer}: {notes:?}")
                };
                assert!(
                    matches!(&note.kind, NoteKind::UnrecognizedTag { tag, .. } if **tag == *"x_new"),
                    "{note:?}"
                );
                let path = message::tag_path(&message);
                let (below, last) = path.rsplit_once(':').unwrap_or(("", &path));
                assert_eq!(last, "x_new");
                assert!(known.starts_with(below), "{known} {path}");
                // What is not recognized is written as it was read, and its neighbours, too.
                let written: Value = serde_json::from_str(&encode(&message)).unwrap();
                assert_eq!(
                    without_nulls(written),
                    without_nulls(changed),
                    "{name} {pointer}"
                );
                *counts.entry(pointer).or_default() += 1;
            }
        }
    }
    assert_eq!(counts.len(), TAGS.len(), "{counts:?}");
}

#[test]
fn an_unknown_value_of_an_enum_is_told_and_kept() {
    let mut told = 0;
    for dump in dumps() {
        let mut instances = Instances::of(&dump);
        for name in dump.arms("StdoutMessage") {
            for odd in 0..20 {
                let Some(value) = instances.with_odd_value(name, odd) else {
                    break;
                };
                let text = value.to_string();
                let (message, notes) = decode::<StdoutMessage<'_>>(&text).unwrap_or_else(|error| {
                    panic!("{name}: {} {error}\n{text}", error.path(&text))
                });
                told += usize::from(!notes.is_empty());
                let written: Value = serde_json::from_str(&encode(&message)).unwrap();
                assert_eq!(without_nulls(written), without_nulls(value), "{name}");
            }
        }
    }
    assert!(told > 60, "{told}");
}

#[test]
fn a_message_without_what_it_must_have_is_malformed_at_that_member() {
    let mut malformed = 0;
    for dump in dumps() {
        for (name, _, value) in instances(&dump) {
            for member in value.as_object().unwrap().keys() {
                let mut changed = value.clone();
                changed.as_object_mut().unwrap().remove(member);
                let text = changed.to_string();
                if let Err(error) = decode::<StdoutMessage<'_>>(&text) {
                    assert_eq!(error.path(&text), *member, "{name}");
                    malformed += 1;
                }
            }
        }
    }
    assert!(malformed > 3_000, "{malformed}");
}

fn path_of(value: &Value) -> String {
    let text = value.to_string();
    let (message, _) = decode::<StdoutMessage<'_>>(&text).unwrap();
    message::tag_path(&message).into_owned()
}

/// Absent and `null` are one.
fn without_nulls(value: Value) -> Value {
    match value {
        Value::Object(members) => members
            .into_iter()
            .filter(|(_, member)| !member.is_null())
            .map(|(name, member)| (name, without_nulls(member)))
            .collect(),
        Value::Array(elements) => elements.into_iter().map(without_nulls).collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => value,
    }
}
