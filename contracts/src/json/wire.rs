//! The trait of everything that has a form on the wire, and its scalars and containers.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::malformed::Malformed;
use super::reader::Reader;
use super::value::{Json, OwnedJson};
use super::write::Writer;

/// One decoder and one encoder for a type. Neither is generic over a format, so that dependents
/// do not compile them again.
pub trait Wire<'a>: Sized {
    /// Reads one value.
    ///
    /// # Errors
    /// The first thing in the value that does not decode.
    fn read(reader: &mut Reader<'a>) -> Result<Self, Malformed>;

    /// Writes one value.
    fn write(&self, writer: &mut Writer);
}

/// An object with free keys.
pub type Map<'a, T> = BTreeMap<Cow<'a, str>, T>;

macro_rules! integers {
    ($($name:ident)*) => {$(
        impl<'a> Wire<'a> for $name {
            fn read(reader: &mut Reader<'a>) -> Result<Self, Malformed> {
                reader.integer()
            }
            fn write(&self, writer: &mut Writer) {
                writer.integer(*self);
            }
        }
    )*};
}

integers!(i64 i32 i16 i8 u64 u32 u16 u8);

impl<'a> Wire<'a> for bool {
    fn read(reader: &mut Reader<'a>) -> Result<Self, Malformed> {
        reader.boolean()
    }
    fn write(&self, writer: &mut Writer) {
        writer.boolean(*self);
    }
}

impl<'a> Wire<'a> for f64 {
    fn read(reader: &mut Reader<'a>) -> Result<Self, Malformed> {
        reader.float()
    }
    fn write(&self, writer: &mut Writer) {
        writer.float(*self);
    }
}

impl<'a> Wire<'a> for Cow<'a, str> {
    fn read(reader: &mut Reader<'a>) -> Result<Self, Malformed> {
        reader.string()
    }
    fn write(&self, writer: &mut Writer) {
        writer.string(self);
    }
}

impl<'a> Wire<'a> for Json<'a> {
    fn read(reader: &mut Reader<'a>) -> Result<Self, Malformed> {
        reader.raw()
    }
    fn write(&self, writer: &mut Writer) {
        writer.raw(self.as_str());
    }
}

impl<'a> Wire<'a> for OwnedJson {
    fn read(reader: &mut Reader<'a>) -> Result<Self, Malformed> {
        reader.raw().map(|json| json.to_owned_json())
    }
    fn write(&self, writer: &mut Writer) {
        writer.raw(self.as_str());
    }
}

impl<'a, T: Wire<'a>> Wire<'a> for Option<T> {
    fn read(reader: &mut Reader<'a>) -> Result<Self, Malformed> {
        if reader.null()? {
            Ok(None)
        } else {
            T::read(reader).map(Some)
        }
    }
    fn write(&self, writer: &mut Writer) {
        match self {
            Some(value) => value.write(writer),
            None => writer.null(),
        }
    }
}

impl<'a, T: Wire<'a>> Wire<'a> for Box<T> {
    fn read(reader: &mut Reader<'a>) -> Result<Self, Malformed> {
        T::read(reader).map(Self::new)
    }
    fn write(&self, writer: &mut Writer) {
        T::write(self, writer);
    }
}

impl<'a, T: Wire<'a>> Wire<'a> for Vec<T> {
    fn read(reader: &mut Reader<'a>) -> Result<Self, Malformed> {
        let mut array = reader.array()?;
        let mut values = Self::new();
        while reader.element(&mut array)? {
            values.push(T::read(reader)?);
        }
        Ok(values)
    }
    fn write(&self, writer: &mut Writer) {
        let mut array = writer.array();
        for value in self {
            array.element(value);
        }
        array.end();
    }
}

impl<'a, T: Wire<'a>> Wire<'a> for Map<'a, T> {
    fn read(reader: &mut Reader<'a>) -> Result<Self, Malformed> {
        let mut object = reader.object()?;
        let mut values = Self::new();
        while let Some(key) = reader.key(&mut object)? {
            reader.once(values.contains_key(&key));
            values.insert(key, T::read(reader)?);
        }
        Ok(values)
    }
    fn write(&self, writer: &mut Writer) {
        let mut object = writer.object();
        for (key, value) in self {
            object.field(key, value);
        }
        object.end();
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic)]
    use super::super::{NoteKind, decode, encode};
    use super::*;

    fn round<'a, T: Wire<'a>>(text: &'a str) -> String {
        encode(&decode::<T>(text).unwrap().0)
    }

    #[test]
    fn containers_come_back() {
        assert_eq!(
            round::<Vec<Option<Box<u8>>>>("[1, null ,255]"),
            "[1,null,255]"
        );
        assert_eq!(
            round::<Map<'_, bool>>(r#"{"b":true,"a":false}"#),
            r#"{"a":false,"b":true}"#
        );
        assert_eq!(
            round::<Vec<Json<'_>>>(r#"[1e400, {"a" : 1}]"#),
            r#"[1e400,{"a" : 1}]"#
        );
        assert_eq!(
            round::<OwnedJson>(" 18446744073709551616 "),
            "18446744073709551616"
        );
        assert_eq!(round::<Vec<f64>>("[1.0,0.1,1e300]"), "[1,0.1,1e300]");
        assert_eq!(round::<Vec<i64>>("[-0,12.0]"), "[0,12]");
    }

    #[test]
    fn a_map_keeps_the_last_duplicate() {
        let (map, notes) = decode::<Map<'_, i64>>(r#"{"a":1,"\u0061":2}"#).unwrap();
        assert_eq!(map["a"], 2);
        assert_eq!((notes.len(), notes[0].offset), (1, 16));
        assert_eq!(notes[0].kind, NoteKind::DuplicateKey);
    }
}
