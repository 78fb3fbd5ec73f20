//! Every recorded message of the agents: decoded, encoded again, and compared; and both forms
//! against the schemas of the agent's own version.

#![allow(clippy::unwrap_used, clippy::panic)]

use std::collections::{BTreeMap, BTreeSet};

use jsonschema::Validator;

use crate::support::compare::{Difference, differences};
use crate::support::messages::{Message, messages};
use crate::support::recorded::{Recording, all};
use crate::support::schema::Schemas;

/// The members that no vendored version has, as far as recordings show any.
const UNKNOWN: &str = "unknown_fields.txt";

#[test]
fn every_message_comes_back() {
    let mut changed = BTreeSet::new();
    let mut dropped = BTreeSet::new();
    let mut count = 0;
    for recording in all() {
        for message in messages(&recording) {
            count += 1;
            let (again, _) = match message.again() {
                Ok(again) => again,
                Err(error) => {
                    let path = error.path(&message.text);
                    panic!(
                        "{recording}: {}: {path}: {error}: {}",
                        message.tag, message.text
                    )
                }
            };
            stable(&message, &again);
            for difference in differences(&message.tree(), &serde_json::from_str(&again).unwrap()) {
                let head = format!("{} {}", message.surface, message.tag);
                match difference {
                    Difference::Dropped(path) => dropped.insert(format!("{head} {path}")),
                    Difference::Changed(what) => {
                        changed.insert(format!("{recording}: {head} {what}"))
                    }
                };
            }
        }
    }
    println!(
        "{count} messages, {} members that no version has",
        dropped.len()
    );
    assert!(count > 4_000, "only {count} messages");
    assert!(
        changed.is_empty(),
        "{} changes: {changed:#?}",
        changed.len()
    );
    assert_eq!(
        dropped
            .difference(&crate::support::table::reviewed(UNKNOWN, &dropped))
            .collect::<Vec<_>>(),
        Vec::<&String>::new()
    );
}

/// The second form is read as the first was, and written as it stands.
fn stable(message: &Message, again: &str) {
    let second = Message {
        text: again.to_owned(),
        ..message.clone()
    };
    let (third, notes) = second
        .again()
        .unwrap_or_else(|error| panic!("{error}: {again}"));
    assert_eq!(third, again);
    let (_, first_notes) = message.again().unwrap();
    assert_eq!(notes.len(), first_notes.len(), "{again}");
}

/// What the wire types leave out must be what no vendored version has.
#[test]
fn no_member_of_a_schema_is_left_out() {
    let schemas: Vec<Schemas> = [
        ("0.107.0", "stable"),
        ("0.113.0", "stable"),
        ("0.171.0", "stable"),
    ]
    .into_iter()
    .flat_map(|(version, stable)| {
        [
            Schemas::read(version, stable),
            Schemas::read(version, "experimental"),
        ]
    })
    .collect();
    let mut checked = 0;
    for line in crate::support::table::lines(UNKNOWN) {
        let [surface, tag, path] =
            <[&str; 3]>::try_from(line.split(' ').collect::<Vec<_>>()).unwrap();
        for schemas in &schemas {
            if let Some(schema) = schemas.of(surface, tag) {
                assert!(!schemas.has(&schema, path), "a schema has {line}");
                // The same path up to its last member is one that the schemas do have.
                let above = path.rfind('.').map_or("", |at| &path[..at]);
                checked += usize::from(schemas.has(&schema, above));
            }
        }
    }
    assert!(checked > 10, "only {checked} paths could be looked up");
}

/// How often a message agreed with its own version's schemas.
#[derive(Debug, Default)]
struct Tally {
    valid: usize,
    invalid: BTreeMap<String, usize>,
    undeclared: BTreeMap<String, usize>,
}

/// The validators of one version, made when they are first needed.
struct Validators {
    schemas: Schemas,
    made: BTreeMap<(String, String), Option<Validator>>,
}

impl Validators {
    fn of(version: &str) -> Self {
        Self {
            schemas: Schemas::read(version, "experimental"),
            made: BTreeMap::new(),
        }
    }

    fn get(&mut self, message: &Message) -> Option<&Validator> {
        let key = (message.surface.to_owned(), message.tag.clone());
        let made = self.made.entry(key).or_insert_with(|| {
            let schema = self.schemas.of(message.surface, &message.tag)?;
            let alone = self.schemas.alone(&schema);
            Some(
                jsonschema::options()
                    .should_validate_formats(false)
                    .build(&alone)
                    .unwrap(),
            )
        });
        made.as_ref()
    }
}

#[test]
fn what_is_valid_decodes_and_what_is_encoded_is_valid() {
    let mut recordings: BTreeMap<String, Vec<Recording>> = BTreeMap::new();
    for recording in all() {
        recordings
            .entry(recording.version.clone())
            .or_default()
            .push(recording);
    }
    assert_eq!(
        recordings.keys().collect::<Vec<_>>(),
        ["0.107.0", "0.171.0"]
    );
    for (version, recordings) in recordings {
        let mut validators = Validators::of(&version);
        let mut tally = Tally::default();
        for recording in recordings {
            for message in messages(&recording) {
                judge(&mut validators, &message, &mut tally);
            }
        }
        println!("{version}: {tally:#?}");
        assert!(tally.valid > 1_500, "{version}: {tally:#?}");
    }
}

fn judge(validators: &mut Validators, message: &Message, tally: &mut Tally) {
    let head = format!("{} {}", message.surface, message.tag);
    let Some(validator) = validators.get(message) else {
        *tally.undeclared.entry(head).or_default() += 1;
        return;
    };
    let Ok(()) = validator.validate(&message.tree()) else {
        *tally.invalid.entry(head).or_default() += 1;
        return;
    };
    tally.valid += 1;
    let (again, _) = message
        .again()
        .unwrap_or_else(|error| panic!("{head}: {error}: {}", message.text));
    if let Err(error) = validator.validate(&serde_json::from_str(&again).unwrap()) {
        panic!(
            "{head}: {}: {error}\nbefore {}\nafter  {again}",
            error.instance_path(),
            message.text
        );
    }
}
