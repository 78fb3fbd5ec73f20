//! The reader and the writer against `serde_json`, over generated and mutated texts.
//!
//! Documented differences: a tree of `serde_json` has no lone surrogates, no numbers past the range
//! of a float, and at most 128 levels; the reader here skips and keeps them all. What is grammar
//! and what is not must be the same everywhere.
#![allow(clippy::unwrap_used, clippy::panic)]

#[path = "json_differential/dice.rs"]
mod dice;

use std::borrow::Cow;

use agentwire::json::{
    Json, Kind, Malformed, Problem, Reader, Wire, Writer, decode, encode, path_at,
};
use dice::Dice;
use serde::de::IgnoredAny;
use serde_json::Value;

/// Any value, decoded with every typed method of the reader.
#[derive(Clone, Debug)]
enum Tree<'a> {
    Null,
    Boolean(bool),
    Integer(i128),
    Float(f64),
    Text(Cow<'a, str>),
    Array(Vec<Tree<'a>>),
    Object(Vec<(Cow<'a, str>, Tree<'a>)>),
}

impl PartialEq for Tree<'_> {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Null, Self::Null) => true,
            (Self::Boolean(one), Self::Boolean(two)) => one == two,
            (Self::Integer(one), Self::Integer(two)) => one == two,
            (Self::Float(one), Self::Float(two)) => one.to_bits() == two.to_bits(),
            // A float is written in its shortest form, which may be that of an integer.
            (Self::Float(one), Self::Integer(two)) | (Self::Integer(two), Self::Float(one)) => {
                *one == *two as f64
            }
            (Self::Text(one), Self::Text(two)) => one == two,
            (Self::Array(one), Self::Array(two)) => one == two,
            (Self::Object(one), Self::Object(two)) => one == two,
            _ => false,
        }
    }
}

impl<'a> Wire<'a> for Tree<'a> {
    fn read(reader: &mut Reader<'a>) -> Result<Self, Malformed> {
        Ok(match reader.kind()? {
            Kind::Null => reader.null().map(|_| Self::Null)?,
            Kind::Boolean => Self::Boolean(reader.boolean()?),
            Kind::String => Self::Text(reader.string()?),
            Kind::Array => Self::Array(Vec::read(reader)?),
            Kind::Number => {
                let text = Json::read(reader)?.as_str();
                let integer = Reader::new(text).integer::<i64>().map(i128::from);
                match integer.or_else(|_| Reader::new(text).integer::<u64>().map(i128::from)) {
                    Ok(integer) => Self::Integer(integer),
                    Err(_) => Self::Float(Reader::new(text).float()?),
                }
            }
            Kind::Object => {
                let mut object = reader.object()?;
                let mut members = Vec::new();
                while let Some(key) = reader.key(&mut object)? {
                    members.push((key, Self::read(reader)?));
                }
                Self::Object(members)
            }
        })
    }

    fn write(&self, writer: &mut Writer) {
        match self {
            Self::Null => writer.null(),
            Self::Boolean(value) => writer.boolean(*value),
            Self::Integer(value) => writer.integer(value),
            Self::Float(value) => writer.float(*value),
            Self::Text(value) => writer.string(value),
            Self::Array(values) => values.write(writer),
            Self::Object(members) => {
                let mut object = writer.object();
                for (key, value) in members {
                    object.field(key, value);
                }
                object.end();
            }
        }
    }
}

/// Whether a decoded value says the same as the tree of `serde_json`.
fn same(ours: &Tree<'_>, theirs: &Value) -> bool {
    match (ours, theirs) {
        (Tree::Null, Value::Null) => true,
        (Tree::Boolean(ours), Value::Bool(theirs)) => ours == theirs,
        (Tree::Text(ours), Value::String(theirs)) => ours == theirs,
        (Tree::Integer(ours), Value::Number(theirs)) => match (theirs.as_i64(), theirs.as_u64()) {
            (Some(theirs), _) => *ours == i128::from(theirs),
            (_, Some(theirs)) => *ours == i128::from(theirs),
            _ => near(*ours as f64, theirs.as_f64().unwrap()),
        },
        (Tree::Float(ours), Value::Number(theirs)) => near(*ours, theirs.as_f64().unwrap()),
        (Tree::Array(ours), Value::Array(theirs)) => {
            ours.len() == theirs.len()
                && ours
                    .iter()
                    .zip(theirs)
                    .all(|(ours, theirs)| same(ours, theirs))
        }
        (Tree::Object(ours), Value::Object(theirs)) => {
            // The last duplicate counts, here and there.
            let last = |key: &str| {
                ours.iter()
                    .rev()
                    .find(|(name, _)| name == key)
                    .map(|(_, value)| value)
            };
            ours.iter().all(|(key, _)| theirs.contains_key(&**key))
                && theirs
                    .iter()
                    .all(|(key, value)| last(key).is_some_and(|ours| same(ours, value)))
        }
        _ => false,
    }
}

/// Without its feature for exact floats, `serde_json` may be wrong in the last place.
fn near(ours: f64, theirs: f64) -> bool {
    (ours - theirs).abs() <= ours.abs() * 4.0 * f64::EPSILON + f64::MIN_POSITIVE
}

fn skips(text: &str) -> bool {
    let mut reader = Reader::new(text);
    reader.skip().and_then(|()| reader.end()).is_ok()
}

#[derive(Default)]
struct Counts {
    good: usize,
    bad: usize,
    only_ours: usize,
}

fn check(text: &str, counts: &mut Counts) {
    let ours = skips(text);
    assert_eq!(
        ours,
        serde_json::from_str::<IgnoredAny>(text).is_ok(),
        "grammar: {text:?}"
    );
    let raw = decode::<Json<'_>>(text);
    assert_eq!(
        raw.as_ref().ok().map(|(raw, _)| raw.as_str()),
        ours.then(|| text.trim_ascii()),
        "{text:?}"
    );
    let tree = decode::<Tree<'_>>(text);
    let value = serde_json::from_str::<Value>(text);
    match (&tree, &value) {
        (Ok((tree, notes)), value) => {
            assert!(ours, "decoded what is not JSON: {text:?}");
            if let Ok(value) = value {
                assert!(
                    notes.is_empty() && same(tree, value),
                    "{text:?} gives {tree:?}"
                );
            } else {
                assert!(
                    !notes.is_empty(),
                    "only lone surrogates may differ: {text:?}"
                );
                counts.only_ours += 1;
            }
            let encoded = encode(tree);
            let (again, _) = decode::<Tree<'_>>(&encoded).unwrap();
            assert_eq!(&again, tree, "{text:?} became {encoded:?}");
            assert!(
                same(tree, &serde_json::from_str(&encoded).unwrap()),
                "{text:?} became {encoded:?}"
            );
            counts.good += 1;
        }
        (Err(error), value) => {
            assert!(value.is_err(), "refused {text:?}: {error}");
            let range = matches!(error.problem, Problem::OutOfRange { .. });
            assert!(range || !ours, "valid, yet refused: {text:?}: {error}");
            assert!(error.offset <= text.len());
            let _ = error.path(text);
            counts.bad += 1;
        }
    }
}

#[test]
fn generated_and_mutated_texts() {
    let mut dice = Dice(2026);
    let mut counts = Counts::default();
    for round in 0..4_000 {
        let mut text = String::new();
        dice.value(1 + round % 7, &mut text);
        check(&text, &mut counts);
        for _ in 0..6 {
            let mutated = dice.mutated(&text);
            check(&mutated, &mut counts);
        }
    }
    assert!(counts.good > 5_000, "{}", counts.good);
    assert!(counts.bad > 5_000, "{}", counts.bad);
    assert!(counts.only_ours > 100, "{}", counts.only_ours);
}

#[test]
fn every_short_text_of_structure() {
    const ALPHABET: &[u8] = b"[]{},:\"0-.e1 n";
    let mut counts = Counts::default();
    for length in 0..=4_u32 {
        for code in 0..ALPHABET.len().pow(length) {
            let letter =
                |place| char::from(ALPHABET[code / ALPHABET.len().pow(place) % ALPHABET.len()]);
            check(&(0..length).map(letter).collect::<String>(), &mut counts);
        }
    }
    assert!(
        counts.good > 100 && counts.bad > 30_000,
        "{} {}",
        counts.good,
        counts.bad
    );
}

#[test]
fn every_cut_of_a_message_is_an_error_and_no_panic() {
    let text =
        r#"{"id":-12.5e+1,"type":"it\"em\u00e9\ud83d\ude00","list":[true,false,null,{"k":[]}]}"#;
    for end in 0..text.len() {
        assert!(!skips(&text[..end]), "{end}");
        assert!(decode::<Tree<'_>>(&text[..end]).is_err(), "{end}");
        let _ = path_at(text, end);
        for start in 0..end {
            let mut reader = Reader::over(text, start..end);
            let _ = (
                reader.tag("type"),
                reader.has_key("list"),
                reader.external(),
                reader.keyed::<Json<'_>>(),
            );
            let _ = Reader::over(text, start..end).raw();
        }
    }
}

#[test]
fn integers_in_any_spelling_are_exact() {
    let mut dice = Dice(7);
    let mut counted = 0;
    for _ in 0..20_000 {
        let shift = dice.roll(64);
        let (value, zeros) = ((dice.bits() >> shift).max(1), dice.roll(6));
        let digits = value.to_string();
        let point = dice.roll(digits.len());
        let (left, right) = digits.split_at(point);
        let left = if left.is_empty() { "0" } else { left };
        let padding = "0".repeat(zeros);
        for text in [
            digits.clone(),
            format!("{digits}.{padding}0"),
            format!("{digits}{padding}e-{zeros}"),
            format!("{left}.{right}{padding}E+{}", right.len()),
        ] {
            assert_eq!(decode::<u64>(&text).unwrap().0, value, "{text}");
            assert_eq!(
                decode::<i64>(&text).ok().map(|(value, _)| value),
                i64::try_from(value).ok(),
                "{text}"
            );
            assert_eq!(
                decode::<u16>(&text).ok().map(|(value, _)| value),
                u16::try_from(value).ok(),
                "{text}"
            );
            counted += 1;
        }
        let fraction = format!("{digits}.{padding}5");
        assert!(
            matches!(
                decode::<u64>(&fraction).unwrap_err().problem,
                Problem::Expected { .. }
            ),
            "{fraction}"
        );
    }
    assert_eq!(counted, 80_000);
}

#[test]
fn any_depth_is_skipped_where_a_tree_gives_up() {
    let deep = format!(
        "{}{}",
        "[{\"a\":".repeat(100_000) + "1",
        "}]".repeat(100_000)
    );
    assert!(skips(&deep));
    assert!(serde_json::from_str::<Value>(&deep).is_err());
    assert_eq!(decode::<Json<'_>>(&deep).unwrap().0.as_str(), deep);
    assert!(!skips(&deep[..deep.len() - 1]));
}
