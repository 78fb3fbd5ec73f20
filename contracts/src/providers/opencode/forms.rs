//! The forms in which an event lies in a line, and what it says before it is decoded.
//!
//! `/event` sends events as they are. `/global/event` puts the folder that an event is about around
//! it. `/api/event` has the payload in `data` instead of `properties`, and says more beside it.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use crate::canonical::IsoDateTime;
use crate::json::{Kind, Malformed, Reader};
use crate::kit::mapping::member;

/// An event where it lies.
pub(super) struct Located {
    /// The text that is decoded: the line, or the line with `properties` in the place of `data`.
    pub text: Arc<str>,
    /// The event in it.
    pub event: Range<usize>,
    /// Whether `data` was replaced.
    pub renamed: bool,
}

/// What an event says before it is decoded.
#[derive(Debug)]
pub(super) struct Head {
    /// Its id.
    pub id: Option<String>,
    /// Its type.
    pub kind: Option<String>,
    /// When it happened, where it says so.
    pub time: Option<i64>,
}

/// Finds the event of a message, which is an object.
pub(super) fn locate(line: &Arc<str>, message: Range<usize>) -> Located {
    let keys = Keys::read(line, message.clone()).unwrap_or_default();
    let (event, keys) = match keys.payload {
        Some(payload) if !keys.has_type => {
            let keys = Keys::read(line, payload.clone()).unwrap_or_default();
            (payload, keys)
        }
        Some(_) | None => (message, keys),
    };
    let renamed = keys.data.filter(|_| !keys.has_properties);
    let named = renamed.and_then(|data| {
        let (before, after) = (line.get(..data.start)?, line.get(data.end..)?);
        Some(format!("{before}{PROPERTIES}{after}"))
    });
    match named {
        Some(text) => Located {
            event: event.start..event.end + text.len() - line.len(),
            text: Arc::from(text),
            renamed: true,
        },
        None => Located {
            text: Arc::clone(line),
            event,
            renamed: false,
        },
    }
}

/// What stands in the place of the name `data`.
const PROPERTIES: &str = "\"properties\"";

/// The members at the top of an object, as far as they tell its form.
#[derive(Default)]
struct Keys {
    has_type: bool,
    has_properties: bool,
    payload: Option<Range<usize>>,
    /// The name `data` with its quotes.
    data: Option<Range<usize>>,
}

impl Keys {
    fn read(line: &str, object: Range<usize>) -> Result<Self, Malformed> {
        let mut keys = Self::default();
        let mut reader = Reader::over(line, object);
        let mut object = reader.object()?;
        loop {
            let before = reader.offset();
            let Some(key) = reader.key(&mut object)? else {
                return Ok(keys);
            };
            match &*key {
                "type" => keys.has_type = true,
                "properties" => keys.has_properties = true,
                "data" => keys.data = name_in(line, before..reader.offset()),
                "payload" if reader.kind()? == Kind::Object => {
                    keys.payload = Some(reader.span()?);
                    continue;
                }
                _ => {}
            }
            reader.skip()?;
        }
    }
}

/// Where a name stands with its quotes: it is written plainly, or it is left as it is.
fn name_in(line: &str, around: Range<usize>) -> Option<Range<usize>> {
    let start = around.start + line.get(around)?.find("\"data\"")?;
    Some(start..start + "\"data\"".len())
}

/// What an event says at its top, and of time.
pub(super) fn head(located: &Located) -> Head {
    let text = |path: &[&str]| {
        let mut range = located.event.clone();
        for name in path {
            range = member(&located.text, range, name)?;
        }
        Some(range)
    };
    let word = |path: &[&str]| {
        let mut reader = Reader::over(&located.text, text(path)?);
        reader.string().ok().map(Cow::into_owned)
    };
    let time = |path: &[&str]| {
        let mut reader = Reader::over(&located.text, text(path)?);
        match reader.kind().ok()? {
            Kind::Number => whole(reader.float().ok()?),
            Kind::String => {
                let text = reader.string().ok()?;
                IsoDateTime::parse(&text).map(IsoDateTime::millis)
            }
            Kind::Object | Kind::Array | Kind::Boolean | Kind::Null => None,
        }
    };
    Head {
        id: word(&["id"]),
        kind: word(&["type"]),
        time: time(&["properties", "timestamp"])
            .or_else(|| time(&["properties", "time"]))
            .or_else(|| time(&["properties", "info", "time", "updated"])),
    }
}

/// Milliseconds, of which a number may tell parts.
fn whole(time: f64) -> Option<i64> {
    #[expect(
        clippy::cast_possible_truncation,
        reason = "times are far below 2^53 milliseconds, and others are none"
    )]
    (0.0..9e15).contains(&time).then_some(time as i64)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn located(line: &str) -> Located {
        let line: Arc<str> = Arc::from(line);
        let end = line.len();
        locate(&line, 0..end)
    }

    #[test]
    fn an_event_is_found_in_each_form() {
        for (line, event, renamed) in [
            (
                r#"{"type":"a","properties":{}}"#,
                r#"{"type":"a","properties":{}}"#,
                false,
            ),
            (
                r#"{"directory":"/w","payload":{"type":"a"}}"#,
                r#"{"type":"a"}"#,
                false,
            ),
            (
                r#"{"payload":{"type":"a","data":{}}, "x":1}"#,
                r#"{"type":"a","properties":{}}"#,
                true,
            ),
            (
                r#"{"type":"a", "data" :{"data":1}}"#,
                r#"{"type":"a", "properties" :{"data":1}}"#,
                true,
            ),
            (
                r#"{"type":"a","properties":{},"data":{}}"#,
                r#"{"type":"a","properties":{},"data":{}}"#,
                false,
            ),
            (
                r#"{"type":"a","payload":{}}"#,
                r#"{"type":"a","payload":{}}"#,
                false,
            ),
            (r#"{"payload":7}"#, r#"{"payload":7}"#, false),
        ] {
            let found = located(line);
            assert_eq!(&found.text[found.event.clone()], event, "{line}");
            assert_eq!(found.renamed, renamed, "{line}");
        }
    }

    #[test]
    fn a_time_is_a_number_or_a_text() {
        let time = |line: &str| head(&located(line)).time;
        assert_eq!(
            time(r#"{"properties":{"timestamp":1795985034896}}"#),
            Some(1_795_985_034_896)
        );
        assert_eq!(
            time(r#"{"properties":{"timestamp":"2026-11-29T20:43:54.896Z"}}"#),
            Some(1_795_985_034_896)
        );
        assert_eq!(time(r#"{"properties":{"time":12.5}}"#), Some(12));
        assert_eq!(
            time(r#"{"properties":{"info":{"time":{"updated":7}}}}"#),
            Some(7)
        );
        for none in [
            "{}",
            r#"{"properties":{"timestamp":"soon"}}"#,
            r#"{"properties":{"time":-1}}"#,
        ] {
            assert_eq!(time(none), None, "{none}");
        }
    }
}
