//! Types as tables: `wire_struct!`, `wire_text!` and `wire_around!` declare a type with one line a
//! member, and give it its reading, its writing and its serde form.

/// A struct that is an object on the wire. A line says how a member is read (`field` must be there,
/// `optional` may be absent or `null`, `patch` tells these two apart), its name on the wire, its
/// name in code and its type; names stand sorted as on the wire. A line `"name" = "text";` is a
/// member that always has that text: it is written and not kept.
///
/// ```
/// use std::borrow::Cow;
/// agentwire::json::wire_struct! { Lamp<'a> {
///     "kind" = "lamp";
///     field "name" name: Cow<'a, str>,
///     optional "wattHours" watt_hours: Option<u32> ["since 2.0"],
/// }}
/// let (lamp, _) = agentwire::json::decode::<Lamp<'_>>(r#"{"name":"desk"}"#).unwrap();
/// assert_eq!(lamp.watt_hours, None);
/// assert_eq!(agentwire::json::encode(&lamp), r#"{"kind":"lamp","name":"desk"}"#);
/// ```
#[macro_export]
macro_rules! wire_struct {
    ($name:ident<$life:lifetime> $([$fact:literal])? { $($members:tt)* }) => {
        $crate::wire_struct!(@all $name [<$life>] $life [$($fact)?] $($members)*);
    };
    ($name:ident $([$fact:literal])? { $($members:tt)* }) => {
        $crate::wire_struct!(@all $name [] 'wire [$($fact)?] $($members)*);
    };
    (@all $name:ident [$($generics:tt)*] $life:lifetime [$($fact:literal)?]
        $($constant:literal = $text:literal;)*
        $($how:ident $wire:literal $field:ident: $ty:ty $([$about:literal])?,)*
    ) => {
        $(#[doc = $fact])?
        #[derive(Clone, Debug, PartialEq)]
        pub struct $name $($generics)* {
            $(
                #[doc = concat!("`", $wire, "`" $(, ", ", $about)?)]
                pub $field: $ty,
            )*
        }

        impl<$life> $crate::json::Wire<$life> for $name $($generics)* {
            fn read(
                reader: &mut $crate::json::Reader<$life>,
            ) -> Result<Self, $crate::json::Malformed> {
                $(let mut $field = $crate::json::slots::$how();)*
                let object = reader.members(&[$($wire),*], &mut [$(&mut $field),*])?;
                let _ = &object;
                Ok(Self { $($field: $field.take(&object, $wire)?),* })
            }

            fn write(&self, writer: &mut $crate::json::Writer) {
                #[allow(unused_mut)]
                let mut object = writer.object();
                $(object.tag($constant, $text);)*
                $(object.$how($wire, &self.$field);)*
                object.end();
            }
        }

        $crate::wire_serde!($name $($generics)*);
    };
}

/// The struct around a union: the members that every variant has, as in [`wire_struct!`], and the
/// union as its member `kind`. Both are read from the same object.
#[macro_export]
macro_rules! wire_around {
    ($name:ident<$life:lifetime> around $kind:ident $([$fact:literal])? {
        $($how:ident $wire:literal $field:ident: $ty:ty $([$about:literal])?,)*
    }) => {
        /// Members common to every variant, and the variant.
        $(#[doc = $fact])?
        #[derive(Clone, Debug, PartialEq)]
        pub struct $name<$life> {
            $(
                #[doc = concat!("`", $wire, "`" $(, ", ", $about)?)]
                pub $field: $ty,
            )*
            /// The variant.
            pub kind: $kind<$life>,
        }

        impl<$life> $crate::json::Wire<$life> for $name<$life> {
            fn read(
                reader: &mut $crate::json::Reader<$life>,
            ) -> Result<Self, $crate::json::Malformed> {
                $(let mut $field = $crate::json::slots::$how();)*
                let object = reader.ahead(|reader| {
                    reader.members(&[$($wire),*], &mut [$(&mut $field),*])
                })?;
                $(let $field = $field.take(&object, $wire)?;)*
                let kind = $crate::json::Wire::read(reader)?;
                Ok(Self { $($field,)* kind })
            }

            fn write(&self, writer: &mut $crate::json::Writer) {
                if let $kind::Unrecognized(unrecognized) = &self.kind {
                    return writer.raw(unrecognized.raw.as_str());
                }
                let mut object = writer.object();
                $(object.$how($wire, &self.$field);)*
                object.inline(&self.kind);
                object.end();
            }
        }

        $crate::wire_serde!($name<$life>);
    };
}

/// An open enum of texts: one line a value. What is none of them is `Unrecognized`, and noted.
///
/// ```
/// agentwire::json::wire_text! { Light {
///     On "on",
///     Off "off" ["since 2.0"],
/// }}
/// let (light, _) = agentwire::json::decode::<Light>(r#""off""#).unwrap();
/// assert_eq!(light, Light::Off);
/// assert_eq!(light.as_str(), "off");
/// ```
#[macro_export]
macro_rules! wire_text {
    ($name:ident $([$fact:literal])? {
        $($variant:ident $wire:literal $([$about:literal])?,)*
    }) => {
        $(#[doc = $fact])?
        #[derive(Clone, Debug, PartialEq, Eq, Hash)]
        pub enum $name {
            $(
                #[doc = concat!("`", $wire, "`" $(, ", ", $about)?)]
                $variant,
            )*
            /// A value that no vendored version has, as sent.
            Unrecognized(Box<str>),
        }

        impl $name {
            /// The text on the wire.
            pub fn as_str(&self) -> &str {
                match self {
                    $(Self::$variant => $wire,)*
                    Self::Unrecognized(value) => value,
                }
            }
        }

        impl<'wire> $crate::json::Wire<'wire> for $name {
            fn read(
                reader: &mut $crate::json::Reader<'wire>,
            ) -> Result<Self, $crate::json::Malformed> {
                let value = reader.string()?;
                Ok(match &*value {
                    $($wire => Self::$variant,)*
                    _ => Self::Unrecognized(reader.unrecognized_value(stringify!($name), value)),
                })
            }

            fn write(&self, writer: &mut $crate::json::Writer) {
                writer.string(self.as_str());
            }
        }

        $crate::wire_serde!($name);
    };
}

/// A text with a name of its own.
#[macro_export]
macro_rules! wire_name {
    ($($name:ident $([$fact:literal])?;)*) => {$(
        $(#[doc = $fact])?
        #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name<'wire>(pub ::std::borrow::Cow<'wire, str>);

        impl $name<'_> {
            /// The text on the wire.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl<'wire> $crate::json::Wire<'wire> for $name<'wire> {
            fn read(
                reader: &mut $crate::json::Reader<'wire>,
            ) -> Result<Self, $crate::json::Malformed> {
                reader.string().map(Self)
            }

            fn write(&self, writer: &mut $crate::json::Writer) {
                writer.string(&self.0);
            }
        }

        $crate::wire_serde!($name<'wire>);
    )*};
}
