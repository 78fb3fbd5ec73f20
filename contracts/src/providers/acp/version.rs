//! The version of the protocol that a connection speaks.

use std::ops::Range;
use std::sync::Arc;

use crate::json::{OwnedJson, Reader};
use crate::kit::mapping::member;

const MEMBER: &str = "protocolVersion";

/// The protocol versions that are read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Version {
    #[default]
    One,
    Two,
}

/// What `initialize` agreed on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Agreed {
    /// How messages are read from now on.
    pub read_as: Version,
    /// The version that was named, where nobody knows it.
    pub unknown: Option<i64>,
}

impl Agreed {
    /// What the result of `initialize` names. A version that nobody knows is read as the one that
    /// the client offered: an agent that does not speak that should have said so.
    pub fn of(line: &Arc<str>, result: Range<usize>, offer: Option<&OwnedJson>) -> Self {
        let named = number(line, result);
        let offered = offer.and_then(|offer| number(offer.as_str(), 0..offer.as_str().len()));
        let read_as = |named| match named {
            Some(2..) => Version::Two,
            Some(_) | None => Version::One,
        };
        match named {
            Some(unknown @ 3..) => Self {
                read_as: read_as(offered),
                unknown: Some(unknown),
            },
            known => Self {
                read_as: read_as(known),
                unknown: None,
            },
        }
    }
}

impl Version {
    /// The number on the wire.
    pub const fn number(self) -> i64 {
        match self {
            Self::One => 1,
            Self::Two => 2,
        }
    }
}

fn number(line: &str, object: Range<usize>) -> Option<i64> {
    let range = member(line, object, MEMBER)?;
    Reader::over(line, range).integer::<i64>().ok()
}
