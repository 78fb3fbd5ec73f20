//! Every recorded message of the program: decoded, encoded again, and compared. What the types do
//! not hold is listed, and everything else comes back: up to `null` where a member is absent, the
//! spelling of numbers, and half a surrogate pair, which becomes U+FFFD.

use std::collections::BTreeSet;

use agentwire::claude::wire::{PermissionResult, StdoutMessage, message};
use agentwire::envelope::envelopes;
use agentwire::json::{Malformed, Note, NoteKind, Reader, decode, encode};
use agentwire::session::Direction;
use agentwire_upkeep::report::without_halves;
use serde_json::Value;

use crate::claude::recordings::all;
use crate::support::compare::{Difference, differences};
use crate::support::table;

/// The members that no type holds, as far as recordings show any.
const UNKNOWN: &str = "claude_unknown_fields.txt";

/// Decodes a message and encodes it again.
type Through = fn(&str) -> Result<(String, Vec<Note>), Malformed>;

/// A message in the form that a type reads.
struct Message {
    tag: String,
    text: String,
    again: Through,
}

fn messages() -> Vec<(String, Message)> {
    let mut found = Vec::new();
    for recording in all() {
        for (direction, line) in &recording.lines {
            let Ok(envelopes) = envelopes(line) else {
                continue;
            };
            for envelope in envelopes {
                let text = &line[envelope.start..envelope.end];
                let message = match direction {
                    Direction::FromAgent => Some(of_program(text)),
                    Direction::ToAgent => decision(text),
                };
                found.extend(message.map(|message| (recording.to_string(), message)));
            }
        }
    }
    found
}

fn of_program(text: &str) -> Message {
    let decoded = decode::<StdoutMessage<'_>>(text);
    let tag = decoded.map_or_else(
        |_| String::from("?"),
        |it| message::tag_path(&it.0).into_owned(),
    );
    Message {
        tag,
        text: text.to_owned(),
        again: |text| {
            let (value, notes) = decode::<StdoutMessage<'_>>(text)?;
            Ok((encode(&value), notes))
        },
    }
}

/// What the host decides about a call.
fn decision(text: &str) -> Option<Message> {
    let tree = plain(text);
    let behavior = tree["response"]["response"]["behavior"].as_str()?;
    let mut range = 0..text.len();
    for name in ["response", "response"] {
        let mut reader = Reader::over(text, range.clone());
        let mut object = reader.object().unwrap();
        while let Some(key) = reader.key(&mut object).unwrap() {
            let value = reader.span().unwrap();
            if key == name {
                range = value;
            }
        }
    }
    Some(Message {
        tag: format!("decision:{behavior}"),
        text: text[range].to_owned(),
        again: |text| {
            let (value, notes) = decode::<PermissionResult<'_>>(text)?;
            Ok((encode(&value), notes))
        },
    })
}

/// A message as a tree. Other readers refuse half a surrogate pair.
fn plain(text: &str) -> Value {
    serde_json::from_str(&without_halves(text)).unwrap_or_else(|error| panic!("{error}: {text}"))
}

#[test]
fn every_message_comes_back() {
    let mut changed = BTreeSet::new();
    let mut dropped = BTreeSet::new();
    let mut count = 0;
    for (recording, message) in messages() {
        count += 1;
        let (again, notes) = (message.again)(&message.text).unwrap_or_else(|error| {
            let path = error.path(&message.text);
            panic!(
                "{recording}: {}: {path}: {error}: {}",
                message.tag, message.text
            )
        });
        // The second form is read as the first was, and written as it stands.
        let (third, more_notes) = (message.again)(&again).unwrap();
        assert_eq!(third, again);
        let others = |notes: &[Note]| {
            let others = notes
                .iter()
                .filter(|note| note.kind != NoteKind::LoneSurrogate);
            others.count()
        };
        assert!(others(&more_notes) == others(&notes), "{again}");
        let after: Value = serde_json::from_str(&again).unwrap();
        for difference in differences(&plain(&message.text), &after) {
            match difference {
                Difference::Dropped(path) => dropped.insert(format!("{} {}", message.tag, path)),
                Difference::Changed(what) => {
                    changed.insert(format!("{recording}: {} {what}", message.tag))
                }
            };
        }
    }
    println!(
        "{count} messages, {} members that no type holds",
        dropped.len()
    );
    assert!(count > 1_000, "only {count} messages");
    assert!(
        changed.is_empty(),
        "{} changes: {changed:#?}",
        changed.len()
    );
    let known = table::reviewed(UNKNOWN, &dropped);
    assert_eq!(
        dropped.difference(&known).collect::<Vec<_>>(),
        Vec::<&String>::new()
    );
}
