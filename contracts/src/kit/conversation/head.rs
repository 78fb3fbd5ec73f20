//! What stands at the top of a line, whatever its type.

use std::borrow::Cow;
use std::ops::Range;

use crate::canonical::IsoDateTime;
use crate::json::{Json, Kind, Malformed, Reader};
use crate::kit::core::Place;
use crate::kit::mapping::member;

/// The members at the top of a line that say what it is and where it belongs.
#[derive(Debug, Default)]
pub(crate) struct Head<'l> {
    /// Its type.
    pub kind: Option<Cow<'l, str>>,
    /// Its subtype.
    pub subtype: Option<Cow<'l, str>>,
    /// The agent's id of the session.
    pub session: Option<Cow<'l, str>>,
    /// The call that started the agent that tells it.
    pub parent: Option<Cow<'l, str>>,
    /// The id of the line.
    pub uuid: Option<Cow<'l, str>>,
    /// When it was written, in milliseconds.
    pub time: Option<i64>,
    /// The agent sends back what the host sent.
    pub is_replay: bool,
    /// A message that asks for no reply.
    pub is_note: bool,
}

impl<'l> Head<'l> {
    /// Reads the head of the message at a place of a line. What can't be read is absent: the
    /// decoder of the message says so.
    pub fn read(line: &'l str, message: Range<usize>) -> Self {
        let mut head = Self::default();
        let mut reader = Reader::over(line, message);
        let _ = head.fill(&mut reader);
        head
    }

    /// Whether it has this type.
    pub fn is(&self, kind: &str) -> bool {
        self.kind.as_deref() == Some(kind)
    }

    /// The tag of a line that does not decode: its type, with its subtype.
    pub fn tag(&self) -> Option<String> {
        let kind = self.kind.as_deref()?;
        Some(match &self.subtype {
            Some(subtype) => format!("{kind}:{subtype}"),
            None => kind.to_owned(),
        })
    }

    fn fill(&mut self, reader: &mut Reader<'l>) -> Result<(), Malformed> {
        let mut object = reader.object()?;
        while let Some(name) = reader.key(&mut object)? {
            let slot = match &*name {
                "type" => &mut self.kind,
                "subtype" => &mut self.subtype,
                "session_id" => &mut self.session,
                "parent_tool_use_id" => &mut self.parent,
                "uuid" => &mut self.uuid,
                "isReplay" => {
                    self.is_replay = flag(reader)? == Some(true);
                    continue;
                }
                "shouldQuery" => {
                    self.is_note = flag(reader)? == Some(false);
                    continue;
                }
                "timestamp" if reader.kind()? == Kind::String => {
                    let time = IsoDateTime::parse(&reader.string()?);
                    self.time = time.map(IsoDateTime::millis);
                    continue;
                }
                _ => {
                    reader.skip()?;
                    continue;
                }
            };
            if reader.kind()? == Kind::String {
                *slot = Some(reader.string()?).filter(|text| !text.is_empty());
            } else {
                reader.skip()?;
            }
        }
        Ok(())
    }
}

fn flag(reader: &mut Reader<'_>) -> Result<Option<bool>, Malformed> {
    if reader.kind()? == Kind::Boolean {
        return reader.boolean().map(Some);
    }
    reader.skip()?;
    Ok(None)
}

/// A value of the message, by its path.
pub(crate) fn json_at<'l>(place: &Place<'l>, path: &[&str]) -> Option<Json<'l>> {
    let mut range = place.message.clone();
    for name in path {
        range = member(place.line, range, name)?;
    }
    Reader::over(place.line, range).raw().ok()
}

/// A text of the message, by its path.
pub(crate) fn text_at<'l>(place: &Place<'l>, path: &[&str]) -> Option<Cow<'l, str>> {
    let json = json_at(place, path)?;
    Reader::new(json.as_str()).string().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_can_be_read_is_read() {
        let line = r#"{"uuid":"u","isReplay":true,"timestamp":"1970-01-01T00:00:01.000Z",
            "parent_tool_use_id":null,"session_id":"","shouldQuery":false,"type":"user","x":[{}]}"#;
        let head = Head::read(line, 0..line.len());
        assert!(head.is("user") && head.is_replay && head.is_note);
        assert_eq!((head.uuid.as_deref(), head.time), (Some("u"), Some(1000)));
        assert_eq!(
            (head.parent, head.session, head.subtype),
            (None, None, None)
        );
        let odd = r#"{"type":7,"uuid":"u","#;
        let head = Head::read(odd, 0..odd.len());
        assert_eq!((head.kind, head.uuid.as_deref()), (None, Some("u")));
    }
}
