//! serde for types that have a [`Wire`] form: thin, so that `serde_json::from_str::<T>` gives what
//! [`decode`] gives, and the decoders are not compiled once more for each format. Without the
//! feature `serde-wire` there is nothing here but what the canonical model needs.

#![cfg_attr(not(feature = "serde-wire"), allow(dead_code))]

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer, ser};
use serde_json::value::RawValue;

use super::{Malformed, Wire, decode, encode};

#[doc(hidden)]
pub use serde;

/// Implements `Serialize` and `Deserialize` for a type with a [`Wire`] form. A type with a lifetime
/// borrows from the input, so it reads from a string or a slice, not from a stream.
#[cfg(feature = "serde-wire")]
#[doc(hidden)]
#[macro_export]
macro_rules! wire_serde {
    ($name:ident<$life:lifetime>) => {
        impl<$life> $crate::json::bridge::serde::Serialize for $name<$life> {
            fn serialize<S: $crate::json::bridge::serde::Serializer>(
                &self,
                serializer: S,
            ) -> Result<S::Ok, S::Error> {
                $crate::json::bridge::serialize(self, serializer)
            }
        }
        impl<'de: $life, $life> $crate::json::bridge::serde::Deserialize<'de> for $name<$life> {
            fn deserialize<D: $crate::json::bridge::serde::Deserializer<'de>>(
                deserializer: D,
            ) -> Result<Self, D::Error> {
                $crate::json::bridge::deserialize_borrowed(deserializer)
            }
        }
    };
    ($name:ident) => {
        impl $crate::json::bridge::serde::Serialize for $name {
            fn serialize<S: $crate::json::bridge::serde::Serializer>(
                &self,
                serializer: S,
            ) -> Result<S::Ok, S::Error> {
                $crate::json::bridge::serialize(self, serializer)
            }
        }
        impl<'de> $crate::json::bridge::serde::Deserialize<'de> for $name {
            fn deserialize<D: $crate::json::bridge::serde::Deserializer<'de>>(
                deserializer: D,
            ) -> Result<Self, D::Error> {
                $crate::json::bridge::deserialize_owned(deserializer)
            }
        }
    };
}

/// Without the feature `serde-wire`, wire types have no serde form.
#[cfg(not(feature = "serde-wire"))]
#[doc(hidden)]
#[macro_export]
macro_rules! wire_serde {
    ($($name:tt)*) => {};
}

/// Serializes a value through its wire form.
///
/// # Errors
/// What the serializer gives.
pub fn serialize<'a, T: Wire<'a>, S: Serializer>(
    value: &T,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serialize_text(&encode(value), serializer)
}

/// Serializes JSON text as it is.
pub(crate) fn serialize_text<S: Serializer>(text: &str, serializer: S) -> Result<S::Ok, S::Error> {
    let raw: &RawValue = serde_json::from_str(text).map_err(ser::Error::custom)?;
    raw.serialize(serializer)
}

/// Deserializes a type that borrows from the input.
///
/// # Errors
/// What does not decode, with its path.
pub fn deserialize_borrowed<'de: 'a, 'a, T: Wire<'a>, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<T, D::Error> {
    let raw = <&'de RawValue>::deserialize(deserializer)?;
    decoded(raw.get()).map_err(D::Error::custom)
}

/// Deserializes a type that owns all that it has.
///
/// # Errors
/// What does not decode, with its path.
pub fn deserialize_owned<'de, T, D>(deserializer: D) -> Result<T, D::Error>
where
    T: for<'a> Wire<'a>,
    D: Deserializer<'de>,
{
    let raw = Box::<RawValue>::deserialize(deserializer)?;
    decoded(raw.get()).map_err(D::Error::custom)
}

fn decoded<'a, T: Wire<'a>>(text: &'a str) -> Result<T, String> {
    decode(text)
        .map(|(value, _)| value)
        .map_err(|error| sentence(&error, text))
}

/// The problem with its path, because a serde error has no room for one.
#[cold]
fn sentence(error: &Malformed, text: &str) -> String {
    let path = error.path(text);
    if path.is_empty() {
        error.to_string()
    } else {
        format!("{path}: {error}")
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic)]
    use std::borrow::Cow;

    use super::super::{Reader, Writer};
    use super::*;

    #[derive(Debug, PartialEq)]
    struct Named<'a>(Cow<'a, str>);
    #[derive(Debug, PartialEq)]
    struct Count(u32);

    impl<'a> Wire<'a> for Named<'a> {
        fn read(reader: &mut Reader<'a>) -> Result<Self, Malformed> {
            let mut object = reader.object()?;
            let mut name = None;
            while let Some(key) = reader.key(&mut object)? {
                if key == "name" {
                    reader.field(&mut name)?
                } else {
                    reader.skip()?
                }
            }
            Ok(Self(object.required(name, "name")?))
        }
        fn write(&self, writer: &mut Writer) {
            let mut object = writer.object();
            object.field("name", &self.0);
            object.end();
        }
    }
    impl<'a> Wire<'a> for Count {
        fn read(reader: &mut Reader<'a>) -> Result<Self, Malformed> {
            Ok(Self(reader.integer()?))
        }
        fn write(&self, writer: &mut Writer) {
            writer.integer(self.0);
        }
    }
    crate::wire_serde!(Named<'a>);
    crate::wire_serde!(Count);

    #[test]
    fn serde_gives_what_decode_gives() {
        let text = r#"[{"x":[[]],"name":"a\ud800"},{"name":"b"}]"#;
        let all: Vec<Named<'_>> = serde_json::from_str(text).unwrap();
        assert_eq!(all, [Named("a\u{fffd}".into()), Named("b".into())]);
        assert_eq!(all, decode::<Vec<Named<'_>>>(text).unwrap().0);
        assert!(matches!(all[1].0, Cow::Borrowed("b")));
        assert_eq!(serde_json::to_string(&all).unwrap(), encode(&all));
        assert_eq!(serde_json::from_value::<Count>(7.into()).unwrap(), Count(7));
        assert_eq!(serde_json::to_value(Count(7)).unwrap(), 7);
    }

    #[test]
    fn the_path_is_in_the_message() {
        let error = serde_json::from_str::<Named<'_>>(r#"{"name":4}"#).unwrap_err();
        assert!(
            error
                .to_string()
                .starts_with("name: expected string, found number"),
            "{error}"
        );
        let error = serde_json::from_str::<Named<'_>>("{}").unwrap_err();
        assert!(
            error.to_string().starts_with("name: missing member `name`"),
            "{error}"
        );
    }

    #[test]
    fn depth_in_opaque_parts_is_free_through_serde_too() {
        let text = format!(
            r#"{{"x":{}{},"name":"n"}}"#,
            "[".repeat(200_000),
            "]".repeat(200_000)
        );
        assert_eq!(
            serde_json::from_str::<Named<'_>>(&text).unwrap(),
            Named("n".into())
        );
    }
}
