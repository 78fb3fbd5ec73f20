//! What the pull reader reads, tolerates and refuses.
#![allow(clippy::unwrap_used, clippy::panic)]

use super::super::{Map, TYPED_LEVELS, Wire, decode};
use super::*;

#[test]
fn scalars() {
    let mut reader = Reader::new(r#" [ "a" , true,false , -12 , 1.5e1, null ,0] "#);
    let mut array = reader.array().unwrap();
    let mut next = |reader: &mut Reader<'_>| assert!(reader.element(&mut array).unwrap());
    next(&mut reader);
    assert!(matches!(reader.string(), Ok(Cow::Borrowed("a"))));
    next(&mut reader);
    assert!(reader.boolean().unwrap());
    next(&mut reader);
    assert!(!reader.boolean().unwrap());
    next(&mut reader);
    assert_eq!(reader.integer::<i16>().unwrap(), -12);
    next(&mut reader);
    assert_eq!(reader.float().unwrap(), 15.0);
    next(&mut reader);
    assert!(reader.null().unwrap());
    next(&mut reader);
    assert!(!reader.null().unwrap());
    assert_eq!(reader.integer::<u8>().unwrap(), 0);
    assert!(!reader.element(&mut array).unwrap());
    reader.end().unwrap();
}

#[test]
fn errors_name_the_place_and_the_kind() {
    let text = r#"{"a":[0,{"b":"x"}]}"#;
    let error = decode::<Map<'_, Vec<Map<'_, bool>>>>(text).unwrap_err();
    assert_eq!(
        error.problem,
        Problem::Expected {
            expected: "object",
            found: Kind::Number
        }
    );
    assert_eq!(error.path(text), "a[0]");
    let error = Reader::new("  1e9").integer::<u16>().unwrap_err();
    assert_eq!(
        (error.offset, error.problem),
        (2, Problem::OutOfRange { expected: "u16" })
    );
    let error = Reader::new(" 1e400").float().unwrap_err();
    assert_eq!(
        (error.offset, error.problem),
        (1, Problem::OutOfRange { expected: "f64" })
    );
    for text in ["", "  ", "x", "]", "truth", "nulL"] {
        assert!(
            matches!(
                decode::<Option<bool>>(text),
                Err(Malformed {
                    problem: Problem::Syntax(_),
                    ..
                })
            ),
            "{text}"
        );
    }
}

#[test]
fn broken_objects_and_arrays_are_refused() {
    for text in [
        "{\"a\":1,}",
        "{,\"a\":1}",
        "{\"a\":1 \"b\":2}",
        "{\"a\"}",
        "{1:1}",
        "{\"a\":1",
        "{",
    ] {
        assert!(decode::<Map<'_, i64>>(text).is_err(), "{text}");
    }
    for text in ["[1,]", "[,1]", "[1 2]", "[1", "[", "[1}", "[1]]", "[1] 2"] {
        assert!(decode::<Vec<i64>>(text).is_err(), "{text}");
    }
}

#[test]
fn the_last_duplicate_wins_with_a_note() {
    let mut reader = Reader::new(r#"{"a":1,"a":2,"b":3,"b":null,"c":null,"c":4}"#);
    let mut object = reader.object().unwrap();
    let (mut a, mut b, mut c) = (None::<i64>, None::<i64>, None::<Option<i64>>);
    while let Some(key) = reader.key(&mut object).unwrap() {
        match &*key {
            "a" => reader.field(&mut a).unwrap(),
            "b" => reader.optional(&mut b).unwrap(),
            _ => reader.patch(&mut c).unwrap(),
        }
    }
    assert_eq!((a, b, c), (Some(2), None, Some(Some(4))));
    let offsets: Vec<usize> = reader.take_notes().iter().map(|note| note.offset).collect();
    assert_eq!(offsets, [11, 23, 41]);
    assert_eq!(
        object.required(None::<bool>, "d").unwrap_err().problem,
        Problem::Missing("d")
    );
}

#[test]
fn three_states_of_a_patch() {
    let mut slot = None::<Option<bool>>;
    Reader::new("null").patch(&mut slot).unwrap();
    assert_eq!(slot, Some(None));
}

#[test]
fn lone_surrogates_are_noted_and_raw_keeps_them() {
    let text = r#"["\ud83d", "\ud83d\ude00"]"#;
    let (strings, notes) = decode::<Vec<Cow<'_, str>>>(text).unwrap();
    assert_eq!(strings, ["\u{fffd}", "😀"]);
    assert_eq!(
        notes,
        [Note {
            offset: 1,
            kind: NoteKind::LoneSurrogate
        }]
    );
    let (raw, notes) = decode::<Json<'_>>(text).unwrap();
    assert_eq!(raw.as_str(), text);
    assert!(notes.is_empty());
}

#[test]
fn raw_is_the_exact_slice_and_offsets_are_those_of_the_line() {
    let text = r#"{"p": { "x" : 1e400 } }"#;
    let mut reader = Reader::over(text, 5..text.len() - 1);
    assert_eq!(reader.raw().unwrap().as_str(), r#"{ "x" : 1e400 }"#);
    assert_eq!(reader.offset(), 21);
    reader.end().unwrap();
    let error = Reader::over(text, 5..21).integer::<u8>().unwrap_err();
    assert_eq!(error.path(text), "p");
}

#[test]
fn a_range_that_makes_no_sense_is_only_an_error() {
    let text = "\"é\"";
    for start in 0..6 {
        for end in 0..6 {
            let mut reader = Reader::over(text, start..end);
            let whole = start == 0 && end >= text.len();
            assert_eq!(reader.string().is_ok(), whole, "{start}..{end}");
        }
    }
}

#[test]
fn depth_is_bounded_where_decoders_recurse_and_free_elsewhere() {
    struct Nest;
    impl<'a> Wire<'a> for Nest {
        fn read(reader: &mut Reader<'a>) -> Result<Self, Malformed> {
            Vec::<Self>::read(reader).map(|_| Self)
        }
        fn write(&self, _: &mut crate::json::Writer) {}
    }
    let nested = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
    assert!(decode::<Nest>(&nested(TYPED_LEVELS)).is_ok());
    let error = decode::<Nest>(&nested(TYPED_LEVELS + 1)).err().unwrap();
    assert_eq!(error.offset, TYPED_LEVELS);
    assert!(decode::<Json<'_>>(&nested(200_000)).is_ok());
    // Siblings do not add up.
    assert!(decode::<Nest>(&format!("[{}[]]", "[],".repeat(500))).is_ok());
}

#[test]
fn notes_have_a_bound() {
    let text = format!("[{}0]", "\"\\ud800\",".repeat(NOTES_KEPT + 5));
    let mut reader = Reader::new(&text);
    let mut array = reader.array().unwrap();
    while reader.element(&mut array).unwrap() {
        if reader.kind().unwrap() == Kind::String {
            drop(reader.string().unwrap())
        } else {
            reader.skip().unwrap()
        }
    }
    assert_eq!(reader.take_notes().len(), NOTES_KEPT);
}
