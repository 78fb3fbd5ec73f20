//! Branded ids: canonical ones are ours, provider ones are kept for correlation only.

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

macro_rules! ids {
    ($( $(#[$meta:meta])* $name:ident; )+) => {$(
        $(#[$meta])*
        #[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        pub struct $name(Arc<str>);

        impl $name {
            /// Brands a text as this id.
            pub fn new(text: impl Into<Arc<str>>) -> Self {
                Self(text.into())
            }

            /// The id as text.
            #[must_use]
            pub fn as_str(&self) -> &str {
                &self.0
            }

            /// The shared text of the id, so that a further owner costs no copy.
            #[must_use]
            pub fn shared(&self) -> &Arc<str> {
                &self.0
            }
        }

        impl From<Arc<str>> for $name {
            fn from(text: Arc<str>) -> Self {
                Self(text)
            }
        }

        impl From<&str> for $name {
            fn from(text: &str) -> Self {
                Self(Arc::from(text))
            }
        }

        impl From<String> for $name {
            fn from(text: String) -> Self {
                Self(Arc::from(text))
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                String::deserialize(deserializer).map(Self::from)
            }
        }

        text_form!($name);
    )+};
}

/// What all the text newtypes of this file print and write alike.
macro_rules! text_form {
    ($name:ident) => {
        impl AsRef<str> for $name {
            fn as_ref(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str(&self.0)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(formatter, concat!(stringify!($name), "({:?})"), &self.0)
            }
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(&self.0)
            }
        }
    };
}

ids! {
    /// The canonical id of one event.
    EventId;
    /// The canonical id of the session that an event belongs to.
    RuntimeSessionId;
    /// The canonical id of a thread.
    ThreadId;
    /// The canonical id of a turn.
    TurnId;
    /// The canonical id of an item.
    RuntimeItemId;
    /// The canonical id of a request for the user's approval or input.
    RuntimeRequestId;
    /// The canonical id of a background task.
    RuntimeTaskId;
    /// The provider's own id of a session.
    ProviderSessionId;
    /// The provider's own id of a thread.
    ProviderThreadId;
    /// The provider's own id of a turn.
    ProviderTurnId;
    /// The provider's own id of an item.
    ProviderItemId;
}

/// Text that is not blank and has no white space around it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(extend("pattern" = r"^\S([\s\S]*\S)?$")))]
pub struct TrimmedNonEmptyString(Arc<str>);

impl TrimmedNonEmptyString {
    /// Trims the text; a blank one gives nothing.
    #[must_use]
    pub fn new(text: &str) -> Option<Self> {
        let trimmed = text.trim();
        (!trimmed.is_empty()).then(|| Self(Arc::from(trimmed)))
    }

    /// The same for shared text, which is not copied when there is nothing to trim.
    #[must_use]
    pub fn from_shared(text: &Arc<str>) -> Option<Self> {
        if text.is_empty() || text.trim().len() != text.len() {
            return Self::new(text);
        }
        Some(Self(Arc::clone(text)))
    }

    /// The trimmed text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl<'de> Deserialize<'de> for TrimmedNonEmptyString {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Self::new(&text).ok_or_else(|| de::Error::custom("the text is blank"))
    }
}

text_form!(TrimmedNonEmptyString);

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn an_id_is_a_plain_string_on_the_wire() {
        let id: ThreadId = serde_json::from_str(r#""thread-\u0031""#).unwrap();
        assert_eq!(id, ThreadId::new("thread-1"));
        assert_eq!(serde_json::to_string(&id).unwrap(), r#""thread-1""#);
        assert_eq!(format!("{id} {id:?}"), r#"thread-1 ThreadId("thread-1")"#);
    }

    #[test]
    fn trimmed_text_is_never_blank() {
        assert_eq!(TrimmedNonEmptyString::new(" 7 ").unwrap().as_str(), "7");
        assert_eq!(TrimmedNonEmptyString::new(" \t"), None);
        assert_eq!(TrimmedNonEmptyString::from_shared(&Arc::from("")), None);
        let shared: Arc<str> = Arc::from("a");
        let kept = TrimmedNonEmptyString::from_shared(&shared).unwrap();
        assert!(Arc::ptr_eq(&shared, &kept.0));
        assert!(serde_json::from_str::<TrimmedNonEmptyString>(r#""  ""#).is_err());
    }
}
