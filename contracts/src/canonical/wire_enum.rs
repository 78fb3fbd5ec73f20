//! One macro for the enums of the model: a value, its wire string, and the way back.

/// Declares a plain enum whose values are strings on the wire.
///
/// A value that the model adds to its source is marked `extension "reason"`; the mark feeds both
/// the doc comment and `EXTENSIONS`, so that the reason stands in one place.
macro_rules! wire_enum {
    (
        $(#[$outer:meta])*
        pub enum $name:ident {
            $( $(#[$inner:meta])* $variant:ident = $wire:literal $(extension $reason:literal)?, )+
            $(..$(#[$open:meta])* $other:ident)?
        }
    ) => {
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        $(#[$outer])*
        pub enum $name {
            $(
                $(#[$inner])*
                $(#[doc = ""] #[doc = concat!("Extension: ", $reason)])?
                #[cfg_attr(feature = "schema", schemars(rename = $wire))]
                $variant,
            )+
            $(
                $(#[$open])*
                #[cfg_attr(feature = "schema", schemars(skip))]
                $other(&'static str),
            )?
        }

        impl $name {
            /// Every value that is declared here, in the order of the declaration.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// The values that the model's source does not have, each with the reason for it.
            pub const EXTENSIONS: &'static [(Self, &'static str)] =
                &[$($((Self::$variant, $reason),)?)+];

            /// The value as the wire has it.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $wire,)+
                    $(Self::$other(name) => name,)?
                }
            }

            /// The declared value that the wire string stands for, if there is one.
            #[must_use]
            pub fn from_wire(text: &str) -> Option<Self> {
                match text {
                    $($wire => Some(Self::$variant),)+
                    _ => None,
                }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str(self.as_str())
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = <std::borrow::Cow<'de, str>>::deserialize(deserializer)?;
                let known = Self::from_wire(&text);
                $(let known = known.or_else(|| {
                    $crate::canonical::names::kept(&text).map(Self::$other)
                });)?
                known.ok_or_else(|| {
                    serde::de::Error::custom(format_args!(
                        "`{text}` is not a value of {}",
                        stringify!($name)
                    ))
                })
            }
        }
    };
}

pub(crate) use wire_enum;
