//! Unions as tables: `wire_union!`, `wire_message!` and `wire_external!` declare a union with one
//! line a variant, and give it its reading, its writing and its serde form. What no vendored version
//! has is `Unrecognized`, with the untouched value.

/// A union that a member of the object picks. A line says where the tag is written (the payload
/// writes it itself in `inside`, it stands `beside` the payload's members, or there is nothing but
/// the tag in `bare`), the tag, the variant and its payload.
///
/// ```
/// use agentwire::json::{wire_struct, wire_union};
/// wire_struct! { Lamp { field "on" on: bool, }}
/// wire_union! { Device<'a> by "type" {
///     bare "nothing" Nothing,
///     beside "lamp" Lamp: Lamp,
/// }}
/// let (device, _) = agentwire::json::decode::<Device<'_>>(r#"{"type":"lamp","on":true}"#).unwrap();
/// assert_eq!(device.tag(), "lamp");
/// assert_eq!(agentwire::json::encode(&device), r#"{"type":"lamp","on":true}"#);
/// ```
#[macro_export]
macro_rules! wire_union {
    ($name:ident<$life:lifetime> by $tag:literal $([$fact:literal])? {
        $($how:ident $wire:literal $variant:ident $(: $ty:ty)? $([$about:literal])?,)*
    }) => {
        #[doc = concat!("Picked by `", $tag, "`." $(, " ", $fact, ".")?)]
        #[derive(Clone, Debug, PartialEq)]
        pub enum $name<$life> {
            $(
                #[doc = concat!("`", $wire, "`" $(, ", ", $about)?)]
                $variant $(($ty))?,
            )*
            /// A tag that no vendored version has, with the untouched value.
            Unrecognized($crate::json::Unrecognized<$life>),
        }

        $crate::wire_tag!($name { $($wire $variant,)* });

        impl<$life> $crate::json::Wire<$life> for $name<$life> {
            fn read(
                reader: &mut $crate::json::Reader<$life>,
            ) -> Result<Self, $crate::json::Malformed> {
                let tag = reader.tag($tag)?;
                Ok(match &*tag {
                    $($wire => $crate::wire_union!(@read $how reader Self::$variant),)*
                    _ => Self::Unrecognized(reader.unrecognized(stringify!($name), tag)?),
                })
            }

            fn write(&self, writer: &mut $crate::json::Writer) {
                if let Self::Unrecognized(unrecognized) = self {
                    return writer.raw(unrecognized.raw.as_str());
                }
                let mut object = writer.object();
                match self {
                    $(
                        $crate::wire_union!(@pattern $how payload Self::$variant) => {
                            $crate::wire_union!(@write $how object $tag $wire payload)
                        }
                    )*
                    Self::Unrecognized(_) => (),
                }
                object.end();
            }
        }

        $crate::wire_serde!($name<$life>);
    };
    (@read bare $reader:ident $($variant:tt)*) => {{
        $reader.skip()?;
        $($variant)*
    }};
    (@read $how:ident $reader:ident $($variant:tt)*) => {
        $($variant)*($crate::json::Wire::read($reader)?)
    };
    (@pattern bare $payload:ident $($variant:tt)*) => { $($variant)* };
    (@pattern $how:ident $payload:ident $($variant:tt)*) => { $($variant)*($payload) };
    (@write bare $object:ident $tag:literal $wire:literal $payload:ident) => {
        $object.tag($tag, $wire)
    };
    (@write inside $object:ident $tag:literal $wire:literal $payload:ident) => {
        $object.inline($payload)
    };
    (@write beside $object:ident $tag:literal $wire:literal $payload:ident) => {{
        $object.tag($tag, $wire);
        $object.inline($payload);
    }};
}

/// The method of a union that gives the tag.
#[doc(hidden)]
#[macro_export]
macro_rules! wire_tag {
    ($name:ident { $($wire:literal $variant:ident,)* }) => {
        impl $name<'_> {
            /// The tag on the wire.
            pub fn tag(&self) -> &str {
                match self {
                    $(Self::$variant { .. } => $wire,)*
                    Self::Unrecognized(unrecognized) => &unrecognized.tag,
                }
            }
        }
    };
}

/// A union whose payload lies in a member of its own, as with `method` and `params`. A line says
/// whether the payload is a `content` that must be there, one that is `optional`, or `bare`ly
/// nothing. `alone`, the union is itself a message; else `wire_envelope!` stands around it, or the
/// tag comes from elsewhere.
#[macro_export]
macro_rules! wire_message {
    ($name:ident<$life:lifetime> by $tag:literal in $content:literal alone $([$fact:literal])? {
        $($variants:tt)*
    }) => {
        $crate::wire_message! { $name<$life> by $tag in $content $([$fact])? { $($variants)* } }

        impl<$life> $crate::json::Wire<$life> for $name<$life> {
            fn read(
                reader: &mut $crate::json::Reader<$life>,
            ) -> Result<Self, $crate::json::Malformed> {
                let mut tag = None;
                let mut content = None;
                let mut object = reader.object()?;
                while let Some(key) = reader.key(&mut object)? {
                    match &*key {
                        $tag => reader.field(&mut tag)?,
                        $content => reader.noted_span(&mut content)?,
                        _ => reader.skip()?,
                    }
                }
                let tag = object.required(tag, $tag)?;
                Self::read_content(reader, &object, tag, content)
            }

            fn write(&self, writer: &mut $crate::json::Writer) {
                let mut object = writer.object();
                object.tag($tag, self.tag());
                self.write_content(&mut object);
                object.end();
            }
        }

        $crate::wire_serde!($name<$life>);
    };
    ($name:ident<$life:lifetime> by $tag:literal in $content:literal $([$fact:literal])? {
        $($how:ident $wire:literal $variant:ident $(: $ty:ty)? $([$about:literal])?,)*
    }) => {
        #[doc = concat!("Picked by `", $tag, "`, carried in `", $content, "`." $(, " ", $fact, ".")?)]
        #[derive(Clone, Debug, PartialEq)]
        pub enum $name<$life> {
            $(
                #[doc = concat!("`", $wire, "`" $(, ", ", $about)?)]
                $variant $(($ty))?,
            )*
            /// A tag that no vendored version has, with the untouched value.
            Unrecognized($crate::json::Unrecognized<$life>),
        }

        $crate::wire_tag!($name { $($wire $variant,)* });

        impl<$life> $name<$life> {
            /// Decodes the payload of `tag` from the range where it lies.
            pub fn read_content(
                reader: &mut $crate::json::Reader<$life>,
                object: &$crate::json::Object,
                tag: ::std::borrow::Cow<$life, str>,
                content: Option<::std::ops::Range<usize>>,
            ) -> Result<Self, $crate::json::Malformed> {
                Ok(match &*tag {
                    $($wire => $crate::wire_message!(
                        @read $how reader object content $content Self::$variant
                    ),)*
                    _ => Self::Unrecognized(
                        reader.unrecognized_content(stringify!($name), tag, content)?,
                    ),
                })
            }

            /// Writes the payload as a member of the open object.
            pub fn write_content(&self, object: &mut $crate::json::ObjectWriter<'_>) {
                match self {
                    $(
                        $crate::wire_union!(@pattern $how payload Self::$variant) => {
                            $crate::wire_message!(@write $how object $content payload)
                        }
                    )*
                    Self::Unrecognized(unrecognized) => object.field($content, &unrecognized.raw),
                }
            }
        }
    };
    (@read bare $reader:ident $object:ident $content:ident $member:literal $($variant:tt)*) => {
        $($variant)*
    };
    (@read content $reader:ident $object:ident $content:ident $member:literal $($variant:tt)*) => {
        $($variant)*($reader.content($object, $content, $member)?)
    };
    (@read optional $reader:ident $object:ident $content:ident $member:literal $($variant:tt)*) => {
        match $content {
            None => $($variant)*(None),
            content => $($variant)*($reader.content($object, content, $member)?),
        }
    };
    (@write bare $object:ident $member:literal $payload:ident) => { () };
    (@write content $object:ident $member:literal $payload:ident) => {
        $object.field($member, $payload)
    };
    (@write optional $object:ident $member:literal $payload:ident) => {
        $object.optional($member, $payload)
    };
}

/// The struct around a [`wire_message!`]: the members beside tag and payload, as in
/// [`wire_struct!`](crate::json::wire_struct), and the union as its member `kind`.
#[macro_export]
macro_rules! wire_envelope {
    ($name:ident<$life:lifetime> around $kind:ident by $tag:literal in $content:literal
        $([$fact:literal])?
        { $($how:ident $wire:literal $field:ident: $ty:ty $([$about:literal])?,)* }
    ) => {
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
                let mut tag = $crate::json::slots::field();
                let mut content = $crate::json::slots::Span::default();
                $(let mut $field = $crate::json::slots::$how();)*
                let object = reader.members(
                    &[$tag, $content, $($wire),*],
                    &mut [&mut tag, &mut content, $(&mut $field),*],
                )?;
                $(let $field = $field.take(&object, $wire)?;)*
                let tag = tag.take(&object, $tag)?;
                let kind = $kind::read_content(reader, &object, tag, content.0)?;
                Ok(Self { $($field,)* kind })
            }

            fn write(&self, writer: &mut $crate::json::Writer) {
                let mut object = writer.object();
                object.tag($tag, self.kind.tag());
                self.kind.write_content(&mut object);
                $(object.$how($wire, &self.$field);)*
                object.end();
            }
        }

        $crate::wire_serde!($name<$life>);
    };
}

/// A union of texts and of objects whose only member picks. A line says whether the variant is a
/// `text`, an object (`keyed`), `either` with nothing in the text's place, or `keyed` and read from a
/// text as nothing, too (`nullable`).
#[macro_export]
macro_rules! wire_external {
    ($name:ident<$life:lifetime> $([$fact:literal])? {
        $($how:ident $wire:literal $variant:ident $(: $ty:ty)? $([$about:literal])?,)*
    }) => {
        #[doc = concat!("A text, or an object with one member that picks." $(, " ", $fact, ".")?)]
        #[derive(Clone, Debug, PartialEq)]
        pub enum $name<$life> {
            $(
                #[doc = concat!("`", $wire, "`" $(, ", ", $about)?)]
                $variant $(($ty))?,
            )*
            /// A tag that no vendored version has, with the untouched value.
            Unrecognized($crate::json::Unrecognized<$life>),
        }

        $crate::wire_tag!($name { $($wire $variant,)* });

        impl<$life> $crate::json::Wire<$life> for $name<$life> {
            fn read(
                reader: &mut $crate::json::Reader<$life>,
            ) -> Result<Self, $crate::json::Malformed> {
                use $crate::json::External;
                let form = reader.external()?;
                let known = match &form {
                    External::Text(tag) => match &**tag {
                        $($wire => $crate::wire_external!(@text $how reader Self::$variant),)*
                        _ => None,
                    },
                    External::Keyed(tag) => match &**tag {
                        $($wire => $crate::wire_external!(@keyed $how reader Self::$variant),)*
                        _ => None,
                    },
                    External::Other(_) => None,
                };
                match (known, form) {
                    (Some(known), _) => Ok(known),
                    (None, External::Text(tag) | External::Keyed(tag)) => {
                        Ok(Self::Unrecognized(reader.unrecognized(stringify!($name), tag)?))
                    }
                    (None, External::Other(_)) => {
                        Err(reader.expected("a text or an object with one member"))
                    }
                }
            }

            fn write(&self, writer: &mut $crate::json::Writer) {
                match self {
                    $(
                        $crate::wire_external!(@pattern $how payload Self::$variant) => {
                            $crate::wire_external!(@write $how writer $wire payload)
                        }
                    )*
                    Self::Unrecognized(unrecognized) => writer.raw(unrecognized.raw.as_str()),
                }
            }
        }

        $crate::wire_serde!($name<$life>);
    };
    (@text text $reader:ident $($variant:tt)*) => {{
        $reader.skip()?;
        Some($($variant)*)
    }};
    (@text keyed $reader:ident $($variant:tt)*) => { None };
    (@text $how:ident $reader:ident $($variant:tt)*) => {{
        $reader.skip()?;
        Some($($variant)*(None))
    }};
    (@keyed text $reader:ident $($variant:tt)*) => { None };
    (@keyed $how:ident $reader:ident $($variant:tt)*) => {
        Some($($variant)*($reader.keyed()?))
    };
    (@pattern text $payload:ident $($variant:tt)*) => { $($variant)* };
    (@pattern $how:ident $payload:ident $($variant:tt)*) => { $($variant)*($payload) };
    (@write text $writer:ident $wire:literal $payload:ident) => { $writer.string($wire) };
    (@write either $writer:ident $wire:literal $payload:ident) => {
        match $payload {
            None => $writer.string($wire),
            Some(payload) => $writer.keyed($wire, payload),
        }
    };
    (@write $how:ident $writer:ident $wire:literal $payload:ident) => {
        $writer.keyed($wire, $payload)
    };
}
