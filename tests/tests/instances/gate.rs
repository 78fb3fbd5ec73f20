//! Every instance of every root of a copy, through the schema, the decoder and the encoder.

use std::collections::BTreeMap;

use agentwire::json::{Note, NoteKind, path_at};
use serde_json::{Value, json};

use super::copies::SchemaCopy;
use super::coverage::{Size, Trail};
use super::decode::{round_trip, serde_agrees};
use super::facts::Facts;
use super::generate::{Generator, Instance};
use super::mutate::{Budget, Expected, Mutation, mutations, written};
use super::roots::{Root, Roots};
use super::sites::{Step, UNRECOGNIZED, same, spelled};

/// How often choices that nothing took yet are gone through.
const ROUNDS: usize = 4;

/// What one copy gave.
#[derive(Default)]
pub struct Report {
    /// Version and face.
    pub label: String,
    /// Roots and arms of roots.
    pub entries: usize,
    /// Valid instances.
    pub instances: usize,
    /// Compared with serde.
    pub serde: usize,
    /// Changed instances, by what was changed.
    pub mutations: BTreeMap<&'static str, usize>,
    /// Arms, values, absences, nulls, sizes and numbers that instances had to choose from.
    pub choices: usize,
    /// Choices that no instance took.
    pub gaps: Vec<String>,
    /// What went wrong.
    pub failures: Vec<String>,
}

/// Runs the gate over one copy.
pub fn run(copy: &SchemaCopy, facts: &Facts, roots: &Roots) -> Report {
    let mut gate = Gate {
        validator: validator(copy, &roots.in_copy(copy)),
        budget: Budget::default(),
        report: Report {
            label: copy.label(),
            ..Report::default()
        },
    };
    let mut generator = Generator::new(copy, facts);
    let mut entries = Vec::new();
    for (root, definition) in roots.in_copy(copy) {
        let arms = generator.arms(&definition);
        entries.extend((0..arms).map(|arm| (root.clone(), definition.clone(), arm)));
    }
    gate.report.entries = entries.len();
    let mut make = |generator: &mut Generator<'_>, index: usize, size, wishes: &Trail| {
        let (root, definition, arm) = &entries[index];
        generator.coverage.entry = index;
        gate.instance(
            root,
            definition,
            &generator.instance(definition, *arm, size, wishes),
        );
    };
    for size in [Size::Minimal, Size::Full, Size::Mixed, Size::Mixed] {
        for index in 0..entries.len() {
            make(&mut generator, index, size, &Trail::new());
        }
    }
    // What chance did not lead to is led to; new places show up on the way.
    for _ in 0..ROUNDS {
        for gap in generator.coverage.gaps() {
            if gap.open(&generator.coverage) {
                make(&mut generator, gap.entry, Size::Minimal, &gap.trail);
            }
        }
    }
    gate.report.choices = generator.coverage.counts().0;
    gate.report.gaps = generator
        .coverage
        .gaps()
        .iter()
        .map(|gap| format!("{:?}", gap.trail.last()))
        .collect();
    gate.report
}

struct Gate {
    validator: jsonschema::Validator,
    budget: Budget,
    report: Report,
}

impl Gate {
    fn instance(&mut self, root: &Root, definition: &str, instance: &Instance) {
        self.report.instances += 1;
        let text = instance.value.to_string();
        if let Some(error) = self.invalid(definition, &instance.value) {
            return self.fail(
                root,
                "the generator made an invalid instance",
                &error,
                &text,
            );
        }
        let expected = written(instance);
        let encoded = match round_trip(root, &text) {
            Ok((encoded, notes)) if notes.is_empty() => encoded,
            Ok((_, notes)) => return self.fail(root, "notes", &format!("{notes:?}"), &text),
            Err(error) => {
                return self.fail(
                    root,
                    "malformed",
                    &format!("{}: {error}", error.path(&text)),
                    &text,
                );
            }
        };
        let value: Value = serde_json::from_str(&encoded).unwrap();
        if !same(&value, &expected) {
            return self.fail(root, "round trip", &difference(&value, &expected), &text);
        }
        if let Some(error) = self.invalid(definition, &value) {
            self.fail(root, "what is written is invalid", &error, &text);
        }
        match round_trip(root, &encoded) {
            // No member is written twice, and writing is stable.
            Ok((again, notes)) if notes.is_empty() && again == encoded => {}
            other => self.fail(
                root,
                "what is written reads otherwise",
                &format!("{other:?}"),
                &encoded,
            ),
        }
        self.serde(root, &text);
        for mutation in mutations(instance, &mut self.budget) {
            self.mutation(root, &mutation);
        }
    }

    fn serde(&mut self, root: &Root, text: &str) {
        if let Some(agrees) = serde_agrees(root, text) {
            self.report.serde += 1;
            if let Err(difference) = agrees {
                self.fail(root, "serde", &difference, text);
            }
        }
    }

    fn mutation(&mut self, root: &Root, mutation: &Mutation) {
        *self.report.mutations.entry(mutation.what).or_default() += 1;
        let text = mutation.value.to_string();
        let what = format!("{} at {}", mutation.what, mutation.place);
        let decoded = round_trip(root, &text);
        let problem = match (&mutation.expected, &decoded) {
            (Expected::Same(expected), Ok((encoded, notes))) => {
                if notes.is_empty() {
                    unlike(encoded, expected)
                } else {
                    Some(format!("{notes:?}"))
                }
            }
            (Expected::Noted(expected, path), Ok((encoded, notes))) => {
                unlike(encoded, expected).or_else(|| odd_notes(notes, path, &text))
            }
            (Expected::Malformed(path), Err(error)) => {
                let (found, expected) = (error.path(&text), spelled(path));
                (found != expected)
                    .then(|| format!("malformed at {found}, not at {expected}: {error}"))
            }
            (Expected::Malformed(path), Ok(_)) => Some(format!("{} passes", spelled(path))),
            (Expected::Loose(expected), Ok((encoded, notes))) => {
                if notes.is_empty() {
                    None
                } else {
                    unlike(encoded, expected)
                }
            }
            (Expected::Loose(_), Err(_)) => None,
            (Expected::Same(_) | Expected::Noted(..), Err(error)) => {
                Some(format!("malformed at {}: {error}", error.path(&text)))
            }
        };
        match problem {
            Some(problem) => self.fail(root, &what, &problem, &text),
            None => self.serde(root, &text),
        }
    }

    fn invalid(&self, definition: &str, value: &Value) -> Option<String> {
        let wrapped = json!({ definition: value });
        let error = self.validator.iter_errors(&wrapped).next()?;
        let sentence: String = error.masked().to_string().chars().take(200).collect();
        Some(format!(
            "{sentence} at {} by {}",
            error.instance_path(),
            error.schema_path()
        ))
    }

    fn fail(&mut self, root: &Root, what: &str, detail: &str, text: &str) {
        let cut = |text: &str| text.chars().take(1500).collect::<String>();
        self.report.failures.push(format!(
            "{root:?}: {what}\n    {}\n    {}",
            cut(detail),
            cut(text)
        ));
    }
}

/// One validator for all roots, so that the schema is compiled once.
fn validator(copy: &SchemaCopy, roots: &[(Root, String)]) -> jsonschema::Validator {
    let properties = roots.iter().map(|(_, name)| {
        (
            name.clone(),
            json!({"$ref": format!("#/definitions/{name}")}),
        )
    });
    let schema = json!({
        "definitions": copy.definitions(),
        "properties": properties.collect::<serde_json::Map<String, Value>>(),
    });
    jsonschema::draft7::new(&schema).unwrap()
}

fn unlike(encoded: &str, expected: &Value) -> Option<String> {
    let value: Value = serde_json::from_str(encoded).unwrap();
    (!same(&value, expected)).then(|| difference(&value, expected))
}

/// There is one note, it is about what was not recognized, and it stands at the path.
fn odd_notes(notes: &[Note], path: &[Step], text: &str) -> Option<String> {
    let [note] = notes else {
        return Some(format!("{} notes: {notes:?}", notes.len()));
    };
    let named = match &note.kind {
        NoteKind::UnrecognizedTag { tag, .. } => {
            let form = ["object", "array", "string", "number", "boolean", "null"].contains(&&**tag);
            form || **tag == *UNRECOGNIZED
        }
        NoteKind::UnrecognizedValue { value, .. } => **value == *UNRECOGNIZED,
        NoteKind::DuplicateKey | NoteKind::LoneSurrogate => false,
    };
    let (found, expected) = (path_at(text, note.offset), spelled(path));
    (!named || found != expected)
        .then(|| format!("the note stands at {found}, not at {expected}: {note:?}"))
}

/// The first place where two values differ.
fn difference(found: &Value, expected: &Value) -> String {
    fn walk(found: &Value, expected: &Value, path: &mut Vec<Step>) -> Option<String> {
        match (found, expected) {
            (Value::Object(a), Value::Object(b)) => {
                let keys: std::collections::BTreeSet<&String> = a.keys().chain(b.keys()).collect();
                keys.into_iter().find_map(|key| {
                    path.push(Step::Key(key.clone()));
                    let result = match (a.get(key), b.get(key)) {
                        (Some(a), Some(b)) => walk(a, b, path),
                        (a, b) => Some(format!("{}: found {a:?}, expected {b:?}", spelled(path))),
                    };
                    path.pop();
                    result
                })
            }
            (Value::Array(a), Value::Array(b)) if a.len() == b.len() => {
                a.iter().zip(b).enumerate().find_map(|(index, (a, b))| {
                    path.push(Step::Index(index));
                    let result = walk(a, b, path);
                    path.pop();
                    result
                })
            }
            (a, b) => (!same(a, b)).then(|| format!("{}: found {a}, expected {b}", spelled(path))),
        }
    }
    walk(found, expected, &mut Vec::new()).unwrap_or_default()
}
