//! Transcripts: recorded streams of both directions, one JSON object a line.

use std::borrow::Cow;

use crate::json::{Malformed, Reader, Writer};
use crate::kit::session::Direction;

/// One recorded line: `{"dir": "out", "line": "…"}` for what the agent wrote, `in` for what the
/// host wrote to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recorded<'a> {
    /// Which way the line went.
    pub direction: Direction,
    /// The line, exactly.
    pub line: Cow<'a, str>,
    /// How it went, where the record says so: a server has several streams, and answers by HTTP.
    pub via: Option<Cow<'a, str>>,
}

impl<'a> Recorded<'a> {
    /// Reads one line of a transcript.
    ///
    /// # Errors
    /// Where it is no JSON object with both members, or `dir` is neither `in` nor `out`.
    pub fn read(text: &'a str) -> Result<Self, Malformed> {
        let mut reader = Reader::new(text);
        let mut direction = None;
        let mut line = None;
        let mut via = None;
        let mut object = reader.object()?;
        while let Some(key) = reader.key(&mut object)? {
            match &*key {
                "dir" => {
                    let known = reader.member_text(&["in", "out"])?;
                    direction = Some(if known == 0 {
                        Direction::ToAgent
                    } else {
                        Direction::FromAgent
                    });
                }
                "line" => reader.field(&mut line)?,
                "via" => reader.optional(&mut via)?,
                _ => reader.skip()?,
            }
        }
        reader.end()?;
        Ok(Self {
            direction: object.required(direction, "dir")?,
            line: object.required(line, "line")?,
            via,
        })
    }

    /// The line of a transcript that holds this.
    #[must_use]
    pub fn to_line(&self) -> String {
        let mut writer = Writer::new();
        let mut object = writer.object();
        object.tag(
            "dir",
            match self.direction {
                Direction::ToAgent => "in",
                Direction::FromAgent => "out",
            },
        );
        object.field("line", &self.line);
        object.optional("via", &self.via);
        object.end();
        writer.finish()
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn a_recorded_line_comes_back() {
        let text = r#"{"dir":"out","line":"{\"method\":\"x\"}"}"#;
        let recorded = Recorded::read(text).unwrap();
        assert_eq!(recorded.direction, Direction::FromAgent);
        assert_eq!(recorded.line, r#"{"method":"x"}"#);
        assert_eq!(recorded.to_line(), text);
        let text = r#"{"dir":"in","line":"","via":"POST /session"}"#;
        let recorded = Recorded::read(text).unwrap();
        assert_eq!(recorded.via.as_deref(), Some("POST /session"));
        assert_eq!(recorded.to_line(), text);
    }

    #[test]
    fn what_is_no_recorded_line_says_why() {
        for (text, path) in [
            (r#"{"dir":"up","line":""}"#, "dir"),
            (r#"{"dir":"in"}"#, "line"),
            ("[]", ""),
        ] {
            assert_eq!(Recorded::read(text).unwrap_err().path(text), path);
        }
    }
}
