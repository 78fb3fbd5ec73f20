//! Framing of server-sent events: bytes in, the data of events out.

use std::collections::VecDeque;
use std::sync::Arc;

use crate::kit::frame::{FrameContent, Limits};

const BOM: &[u8] = b"\xef\xbb\xbf";

/// What the first line of a stream begins with, as far as a field is known.
const FIELDS: &[&[u8]] = &[b":", b"data", b"event", b"id", b"retry"];

/// What a line may have beside the data in it: the byte order mark, and the longest name of a field
/// with its colon and blank.
const FIELD_BYTES: usize = 16;

/// How many bytes of an event that is too long are kept, to show what it was.
const HEAD_BYTES: usize = 1024;

/// Splits a stream of server-sent events (`text/event-stream`), without doing any input itself.
///
/// A line ends with a line feed, a carriage return, or both; a blank line ends an event. The data
/// lines of an event are put together with line feeds between them. Comments and fields that nobody
/// knows are skipped, and so are events without data, which keep the connection open. Memory is
/// bounded by the limit, which holds for the data of one event; take all frames after each
/// [`push`](Self::push).
#[derive(Debug)]
pub struct EventFramer {
    limits: Limits,
    /// The unfinished line, as far as it is kept.
    line: Vec<u8>,
    /// How long the unfinished line is.
    line_size: u64,
    /// The last byte was a carriage return: a line feed that follows ends no other line.
    after_return: bool,
    /// How many lines have ended.
    lines: u64,
    data: Option<Data>,
    event: Option<Arc<str>>,
    last_id: Option<Arc<str>>,
    retry: Option<u64>,
    ready: VecDeque<EventFrame>,
}

/// One event of the stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EventFrame {
    /// The number of the line that its data begins on, from 1.
    pub number: u64,
    /// The type that the event names, where it names one.
    pub event: Option<Arc<str>>,
    /// The id that the stream named last: the place at which it may be taken up again.
    pub id: Option<Arc<str>>,
    /// Its data.
    pub content: FrameContent,
}

/// The data of an event that has not ended.
#[derive(Debug)]
struct Data {
    number: u64,
    bytes: Vec<u8>,
    /// How much there is of it, kept or not.
    size: u64,
}

impl Default for EventFramer {
    fn default() -> Self {
        Self::new(Limits::default())
    }
}

/// Whether bytes begin a stream of server-sent events; `None` where so few of them do not tell.
#[must_use]
pub fn begins_events(bytes: &[u8]) -> Option<bool> {
    if BOM.starts_with(bytes) {
        return None;
    }
    let bytes = bytes.strip_prefix(BOM).unwrap_or(bytes);
    let text = bytes.trim_ascii_start();
    if text.is_empty() {
        return None;
    }
    for field in FIELDS {
        match text.strip_prefix(*field) {
            Some(_) if *field == b":" => return Some(true),
            Some([b':' | b'\n' | b'\r', ..]) => return Some(true),
            Some([]) => return None,
            None if field.starts_with(text) => return None,
            Some(_) | None => {}
        }
    }
    Some(false)
}

impl EventFramer {
    /// A framer at the start of a stream.
    #[must_use]
    pub fn new(limits: Limits) -> Self {
        Self {
            limits,
            line: Vec::new(),
            line_size: 0,
            after_return: false,
            lines: 0,
            data: None,
            event: None,
            last_id: None,
            retry: None,
            ready: VecDeque::new(),
        }
    }

    /// Takes the next piece of the stream.
    pub fn push(&mut self, mut bytes: &[u8]) {
        while let [first, rest @ ..] = bytes {
            if std::mem::take(&mut self.after_return) && *first == b'\n' {
                bytes = rest;
                continue;
            }
            let end = bytes.iter().position(|byte| matches!(byte, b'\n' | b'\r'));
            let Some(end) = end else {
                return self.keep(bytes);
            };
            let (line, rest) = bytes.split_at(end);
            self.keep(line);
            self.end_line();
            self.after_return = rest.first() == Some(&b'\r');
            bytes = rest.get(1..).unwrap_or_default();
        }
    }

    /// Ends the stream. An event that no blank line ended comes out as far as it goes: whether it
    /// is whole, its data says.
    pub fn finish(&mut self) {
        if self.line_size > 0 {
            self.end_line();
        }
        self.end_event();
    }

    /// The next event that is complete.
    pub fn next_frame(&mut self) -> Option<EventFrame> {
        self.ready.pop_front()
    }

    /// How long to wait before the stream is taken up again, in milliseconds, where it says so.
    #[must_use]
    pub const fn retry(&self) -> Option<u64> {
        self.retry
    }

    /// The id that the stream named last.
    #[must_use]
    pub fn last_id(&self) -> Option<&str> {
        self.last_id.as_deref()
    }

    /// Adds bytes of the unfinished line, or only counts them where it is too long.
    fn keep(&mut self, bytes: &[u8]) {
        self.line_size += bytes.len() as u64;
        let most = self.limits.line_bytes.saturating_add(FIELD_BYTES);
        let room = most.saturating_sub(self.line.len()).min(bytes.len());
        self.line
            .extend_from_slice(bytes.get(..room).unwrap_or_default());
    }

    fn end_line(&mut self) {
        self.lines += 1;
        let line = std::mem::take(&mut self.line);
        let cut = std::mem::take(&mut self.line_size) - line.len() as u64;
        let line = match line.strip_prefix(BOM) {
            Some(rest) if self.lines == 1 => rest,
            Some(_) | None => &line,
        };
        if line.is_empty() {
            return self.end_event();
        }
        let colon = line.iter().position(|byte| *byte == b':');
        let (name, value) = line.split_at(colon.unwrap_or(line.len()));
        let value = value.get(1..).unwrap_or_default();
        let value = value.strip_prefix(b" ").unwrap_or(value);
        match name {
            b"data" => self.add(value, cut),
            b"event" => self.event = text(value).filter(|it| !it.is_empty()),
            b"id" if !value.contains(&0) => self.last_id = text(value),
            b"retry" => self.retry = milliseconds(value).or(self.retry),
            // A comment has no name.
            _ => {}
        }
    }

    /// Adds a line of data, of which the end is cut off where it is too long.
    fn add(&mut self, value: &[u8], cut: u64) {
        let number = self.lines;
        let is_first = self.data.is_none();
        let data = self.data.get_or_insert_with(|| Data {
            number,
            bytes: Vec::new(),
            size: 0,
        });
        if !is_first {
            data.take(b"\n", self.limits);
        }
        data.take(value, self.limits);
        data.size += cut;
    }

    fn end_event(&mut self) {
        let event = self.event.take();
        let Some(data) = self.data.take() else { return };
        let number = data.number;
        if let Some(content) = data.content(self.limits) {
            self.ready.push_back(EventFrame {
                number,
                event,
                id: self.last_id.clone(),
                content,
            });
        }
    }
}

impl Data {
    fn take(&mut self, bytes: &[u8], limits: Limits) {
        self.size += bytes.len() as u64;
        let room = limits.line_bytes.saturating_sub(self.bytes.len());
        let kept = bytes.get(..room.min(bytes.len())).unwrap_or_default();
        self.bytes.extend_from_slice(kept);
    }

    /// What the event holds; nothing where it is blank.
    fn content(mut self, limits: Limits) -> Option<FrameContent> {
        if self.size > limits.line_bytes as u64 {
            self.bytes.truncate(HEAD_BYTES);
            return Some(FrameContent::TooLong {
                size: self.size,
                head: self.bytes,
            });
        }
        match String::from_utf8(self.bytes) {
            Ok(text) if text.trim_ascii().is_empty() => None,
            Ok(text) => Some(FrameContent::Line(Arc::from(text))),
            Err(error) => Some(FrameContent::NotUtf8(error.into_bytes())),
        }
    }
}

/// A field for programs; what is not text is as good as absent.
fn text(value: &[u8]) -> Option<Arc<str>> {
    std::str::from_utf8(value).ok().map(Arc::from)
}

/// A time, which has digits only.
fn milliseconds(value: &[u8]) -> Option<u64> {
    let digits = !value.is_empty() && value.iter().all(u8::is_ascii_digit);
    let text = std::str::from_utf8(value).ok().filter(|_| digits)?;
    text.parse().ok()
}

#[cfg(test)]
#[path = "event_stream_tests.rs"]
mod tests;
