//! What the writer writes.
#![allow(clippy::unwrap_used, clippy::panic)]

use super::super::{Json, Map, decode, encode};
use super::*;

/// Writes with a closure, to put any value into any place.
struct Part<F>(F);
impl<'a, F: Fn(&mut Writer)> Wire<'a> for Part<F> {
    fn read(_: &mut Reader<'a>) -> Result<Self, Malformed> {
        Err(Malformed::syntax(0, "only written"))
    }
    fn write(&self, writer: &mut Writer) {
        (self.0)(writer);
    }
}

fn inlined(before: bool, after: bool, part: impl Fn(&mut Writer)) -> String {
    let mut writer = Writer::new();
    let mut object = writer.object();
    if before {
        object.tag("id", "1");
    }
    object.inline(&Part(part));
    if after {
        object.field("z", &true);
    }
    object.end();
    writer.finish()
}

#[test]
fn strings_are_escaped_as_serde_json_does() {
    let all: String = (0..0x250)
        .filter_map(char::from_u32)
        .chain("\u{2028}😀".chars())
        .collect();
    let mut writer = Writer::new();
    writer.string(&all);
    assert_eq!(writer.finish(), serde_json::to_string(&all).unwrap());
}

#[test]
fn floats() {
    let write = |value: f64| encode(&value);
    for (value, text) in [
        (0.0, "0"),
        (-0.0, "-0"),
        (12.0, "12"),
        (0.1, "0.1"),
        (-1e15, "-1000000000000000.0"),
        (1e300, "1e300"),
        (f64::NAN, "null"),
        (f64::INFINITY, "null"),
        (5e-324, "5e-324"),
    ] {
        assert_eq!(write(value), text);
    }
    for value in [
        f64::MAX,
        f64::MIN_POSITIVE,
        0.1 + 0.2,
        999_999_999_999_999.0,
        1e21,
    ] {
        assert_eq!(decode::<f64>(&write(value)).unwrap().0, value);
    }
}

#[test]
fn members_in_all_their_states() {
    let mut writer = Writer::new();
    let mut object = writer.object();
    object.tag("type", "a\"b");
    object.field("null", &None::<bool>);
    object.optional("left out", &None::<bool>);
    object.optional("there", &Some(1_u8));
    object.patch("left out", &None::<Option<bool>>);
    object.patch("cleared", &Some(None::<bool>));
    object.patch("set", &Some(Some(false)));
    object.field("list", &vec![1_i64, -2]);
    object.end();
    let text = r#"{"type":"a\"b","null":null,"there":1,"cleared":null,"set":false,"list":[1,-2]}"#;
    assert_eq!(writer.finish(), text);
    let mut writer = Writer::new();
    writer.keyed("reject", &Map::<bool>::new());
    assert_eq!(writer.finish(), r#"{"reject":{}}"#);
}

#[test]
fn inlined_members_join_the_open_object() {
    let part = |writer: &mut Writer| {
        let mut object = writer.object();
        object.field("deep", &Map::from([("k".into(), vec![1_u8])]));
        object.end();
    };
    assert_eq!(inlined(false, false, part), r#"{"deep":{"k":[1]}}"#);
    assert_eq!(
        inlined(true, true, part),
        r#"{"id":"1","deep":{"k":[1]},"z":true}"#
    );
    let empty = |writer: &mut Writer| writer.object().end();
    assert_eq!(inlined(false, false, empty), "{}");
    assert_eq!(inlined(false, true, empty), r#"{"z":true}"#);
    assert_eq!(inlined(true, true, empty), r#"{"id":"1","z":true}"#);
    assert_eq!(
        inlined(true, false, |writer| writer.array().end()),
        r#"{"id":"1"}"#
    );
    assert_eq!(inlined(false, false, |writer| writer.string("{}")), "{}");
}

#[test]
fn an_inlined_raw_object_repeats_nothing() {
    let raw = |writer: &mut Writer| writer.raw(r#"{ "id" : "1", "type":"new" }"#);
    assert_eq!(
        inlined(true, true, raw),
        r#"{"id":"1","type":"new","z":true}"#
    );
    assert_eq!(
        inlined(false, false, raw),
        r#"{ "id" : "1", "type":"new" }"#
    );
    assert_eq!(
        inlined(false, true, |writer| writer.raw("{ }")),
        r#"{"z":true}"#
    );
    let between = |writer: &mut Writer| {
        let mut object = writer.object();
        object.field("b", &0_u8);
        object.inline(&Json::parse(r#"{"id":"1","b":0,"c":[]}"#).unwrap());
        object.end();
    };
    assert_eq!(
        inlined(true, true, between),
        r#"{"id":"1","b":0,"c":[],"z":true}"#
    );
    // A raw member is no raw object.
    let member = |writer: &mut Writer| writer.keyed("id", &Json::parse("[1]").unwrap());
    assert_eq!(inlined(true, false, member), r#"{"id":"1","id":[1]}"#);
}
