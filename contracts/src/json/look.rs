//! Looking ahead, for unions: which variant follows is known before the value is read.

use std::borrow::Cow;
use std::ops::Range;

use super::malformed::{Kind, Malformed, NoteKind, Problem};
use super::members::Object;
use super::reader::Reader;
use super::value::Json;
use super::wire::Wire;

/// What follows where a union is either a string or an object with one key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum External<'a> {
    /// A string, decoded.
    Text(Cow<'a, str>),
    /// An object, with its first key.
    Keyed(Cow<'a, str>),
    /// Anything else; an empty object as well.
    Other(Kind),
}

/// A value of a union whose tag no vendored version has.
#[derive(Clone, Debug, PartialEq)]
pub struct Unrecognized<'a> {
    /// The tag as it was sent.
    pub tag: Cow<'a, str>,
    /// The whole value, untouched.
    pub raw: Json<'a>,
}

impl<'a> Reader<'a> {
    /// The string member `key` of the object that follows; the position does not change. The last
    /// duplicate wins, with a note, so the whole object is looked at.
    ///
    /// # Errors
    /// Where no object follows, or it lacks the member, or the member is not a string.
    #[inline(never)]
    pub fn tag(&mut self, key: &'static str) -> Result<Cow<'a, str>, Malformed> {
        let mark = self.mark();
        let mut object = self.object()?;
        let mut found = None;
        let mut duplicate = None;
        while let Some(name) = self.key(&mut object)? {
            if name == key {
                let start = self.span()?.start;
                if found.replace(start).is_some() {
                    duplicate = Some(start);
                }
            } else {
                self.skip()?;
            }
        }
        self.rewind(&mark);
        let Some(found) = found else {
            return Err(object.missing(key));
        };
        if let Some(duplicate) = duplicate {
            self.note(duplicate, NoteKind::DuplicateKey);
        }
        self.seek(found);
        let tag = self.string()?;
        self.jump(&mark);
        Ok(tag)
    }

    /// Whether an object with this key follows; the position does not change.
    ///
    /// # Errors
    /// Broken syntax before the key.
    #[inline(never)]
    pub fn has_key(&mut self, key: &str) -> Result<bool, Malformed> {
        if self.kind()? != Kind::Object {
            return Ok(false);
        }
        let mark = self.mark();
        let mut object = self.object()?;
        let mut found = false;
        while let Some(name) = self.key(&mut object)? {
            if name == key {
                found = true;
                break;
            }
            self.skip()?;
        }
        self.rewind(&mark);
        Ok(found)
    }

    /// Looks at a union that is a string or an object with one key; the position does not change.
    ///
    /// # Errors
    /// Broken syntax.
    #[inline(never)]
    pub fn external(&mut self) -> Result<External<'a>, Malformed> {
        let kind = self.kind()?;
        let mark = self.mark();
        let found = match kind {
            Kind::String => External::Text(self.string()?),
            Kind::Object => {
                let mut object = self.object()?;
                self.key(&mut object)?
                    .map_or(External::Other(kind), External::Keyed)
            }
            Kind::Array | Kind::Number | Kind::Boolean | Kind::Null => External::Other(kind),
        };
        self.rewind(&mark);
        Ok(found)
    }

    /// Consumes an object and decodes the value of its first key; further members are skipped.
    ///
    /// # Errors
    /// Where no object with a member follows, or the value does not decode.
    #[inline(never)]
    pub fn keyed<T: Wire<'a>>(&mut self) -> Result<T, Malformed> {
        let mut object = self.object()?;
        if self.key(&mut object)?.is_none() {
            let problem = Problem::Expected {
                expected: "object with a key",
                found: Kind::Object,
            };
            return Err(Malformed {
                offset: object.start(),
                problem,
            });
        }
        let value = T::read(self)?;
        while self.key(&mut object)?.is_some() {
            self.skip()?;
        }
        Ok(value)
    }

    /// Decodes the content of an adjacently tagged object, whose span was noted on the way. Where
    /// the member is absent, an empty object stands for it if the type allows that. The position
    /// does not change.
    ///
    /// # Errors
    /// What reading the content gives, or [`Problem::Missing`].
    #[inline(never)]
    pub fn content<T: Wire<'a>>(
        &mut self,
        object: &Object,
        content: Option<Range<usize>>,
        name: &'static str,
    ) -> Result<T, Malformed> {
        let Some(range) = content else {
            return T::read(&mut self.of_nothing()).map_err(|_| object.missing(name));
        };
        let mark = self.mark();
        self.seek(range.start);
        let value = T::read(self);
        self.jump(&mark);
        value
    }

    /// Keeps a value of a union whose tag nobody knows, with a note.
    ///
    /// # Errors
    /// Broken syntax.
    #[inline(never)]
    pub fn unrecognized(
        &mut self,
        union: &'static str,
        tag: Cow<'a, str>,
    ) -> Result<Unrecognized<'a>, Malformed> {
        self.kind()?;
        let offset = self.offset();
        let raw = self.raw()?;
        self.note(
            offset,
            NoteKind::UnrecognizedTag {
                union,
                tag: tag.as_ref().into(),
            },
        );
        Ok(Unrecognized { tag, raw })
    }

    /// Keeps a value of a string enum that nobody knows, with a note at the string just read.
    #[inline(never)]
    pub fn unrecognized_value(&mut self, of: &'static str, value: Cow<'a, str>) -> Box<str> {
        let value: Box<str> = value.into();
        self.note(
            self.latest(),
            NoteKind::UnrecognizedValue {
                of,
                value: value.clone(),
            },
        );
        value
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic)]
    use super::*;

    #[test]
    fn a_tag_is_found_wherever_it_stands() {
        let mut reader = Reader::new(r#" {"a":{"type":"no"},"b":[1,2], "type" : "yes"}"#);
        assert_eq!(reader.tag("type").unwrap(), "yes");
        assert_eq!(reader.offset(), 0);
        assert!(reader.take_notes().is_empty());
        reader.skip().unwrap();
        reader.end().unwrap();
    }

    #[test]
    fn the_last_tag_wins_and_is_noted_once() {
        let mut reader = Reader::new(r#"{"type":1,"type":"b","\ud800":0}"#);
        assert_eq!(reader.tag("type").unwrap(), "b");
        assert_eq!(reader.tag("type").unwrap(), "b");
        let notes = reader.take_notes();
        assert_eq!(notes.len(), 1, "{notes:?}");
        assert_eq!(
            (notes[0].offset, &notes[0].kind),
            (17, &NoteKind::DuplicateKey)
        );
    }

    #[test]
    fn tags_that_are_not_there() {
        let missing = Reader::new(r#"{"x":{"type":"a"}}"#)
            .tag("type")
            .unwrap_err();
        assert_eq!(
            (missing.offset, missing.problem),
            (0, Problem::Missing("type"))
        );
        let number = Reader::new(r#"{"type":7}"#).tag("type").unwrap_err();
        assert_eq!(number.offset, 8);
        assert_eq!(
            number.problem,
            Problem::Expected {
                expected: "string",
                found: Kind::Number
            }
        );
        let array = Reader::new("[]").tag("type").unwrap_err();
        assert_eq!(
            array.problem,
            Problem::Expected {
                expected: "object",
                found: Kind::Array
            }
        );
    }

    #[test]
    fn keys_ahead() {
        let mut reader = Reader::new(r#"{"a":1,"b":2}"#);
        assert!(reader.has_key("b").unwrap());
        assert!(!reader.has_key("c").unwrap());
        assert_eq!(reader.offset(), 0);
        assert!(!Reader::new("[1]").has_key("a").unwrap());
    }

    #[test]
    fn external_unions() {
        let look = |text| Reader::new(text).external().unwrap();
        assert_eq!(look(r#""accept""#), External::Text("accept".into()));
        assert_eq!(look(r#"{"reject":{}}"#), External::Keyed("reject".into()));
        assert_eq!(look("{}"), External::Other(Kind::Object));
        assert_eq!(look("3"), External::Other(Kind::Number));
        let mut reader = Reader::new(r#"[{"k":5,"more":[]},1]"#);
        let mut array = reader.array().unwrap();
        assert!(reader.element(&mut array).unwrap());
        assert_eq!(reader.keyed::<i64>().unwrap(), 5);
        assert!(reader.element(&mut array).unwrap());
        assert!(Reader::new("{}").keyed::<i64>().is_err());
    }

    #[test]
    fn content_may_come_before_its_tag_or_not_at_all() {
        let mut reader = Reader::new(r#"{"params":{"a":"x"},"method":"m"}"#);
        let mut object = reader.object().unwrap();
        let mut content = None;
        while let Some(key) = reader.key(&mut object).unwrap() {
            if key == "params" {
                content = Some(reader.span().unwrap())
            } else {
                reader.skip().unwrap()
            }
        }
        let map: super::super::Map<'_, Cow<'_, str>> =
            reader.content(&object, content, "params").unwrap();
        assert_eq!(map["a"], "x");
        let map: super::super::Map<'_, bool> = reader.content(&object, None, "params").unwrap();
        assert!(map.is_empty());
        let missing = reader.content::<bool>(&object, None, "params").unwrap_err();
        assert_eq!(missing.problem, Problem::Missing("params"));
        reader.end().unwrap();
    }

    #[test]
    fn unrecognized_things_are_kept_and_noted() {
        let mut reader = Reader::new(r#" {"type":"new","x":[1e400]} "#);
        let tag = reader.tag("type").unwrap();
        let kept = reader.unrecognized("Item", tag).unwrap();
        assert_eq!(kept.raw.as_str(), r#"{"type":"new","x":[1e400]}"#);
        let kind = NoteKind::UnrecognizedTag {
            union: "Item",
            tag: "new".into(),
        };
        assert_eq!(
            reader.take_notes(),
            [super::super::Note { offset: 1, kind }]
        );
        let mut reader = Reader::new(r#"  "odd""#);
        let value = reader.string().unwrap();
        assert_eq!(&*reader.unrecognized_value("Status", value), "odd");
        assert_eq!(reader.take_notes()[0].offset, 2);
    }
}
