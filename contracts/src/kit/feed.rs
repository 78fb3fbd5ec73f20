//! What an agent writes, in lines or as server-sent events: its first line tells which.

use crate::kit::event_stream::{EventFramer, begins_events};
use crate::kit::frame::{Frame, Framer, Limits};

/// The bytes of one direction as frames.
#[derive(Debug)]
pub(crate) enum Feed {
    /// One message a line.
    Lines(Framer),
    /// Server-sent events, one message each.
    Events(EventFramer),
    /// Nothing was read that tells.
    Unknown {
        /// What was read.
        held: Vec<u8>,
        /// The limits of the framer that is to come.
        limits: Limits,
    },
}

impl Feed {
    /// A feed of lines.
    pub fn lines(limits: Limits) -> Self {
        Self::Lines(Framer::new(limits))
    }

    /// A feed of either kind.
    pub fn unknown(limits: Limits) -> Self {
        let held = Vec::new();
        Self::Unknown { held, limits }
    }

    /// Takes bytes.
    pub fn push(&mut self, bytes: &[u8]) {
        match self {
            Self::Lines(framer) => framer.push(bytes),
            Self::Events(framer) => framer.push(bytes),
            Self::Unknown { held, limits } => {
                held.extend_from_slice(bytes);
                if let Some(is_events) = begins_events(held) {
                    let (held, limits) = (std::mem::take(held), *limits);
                    *self = Self::known(is_events, limits);
                    self.push(&held);
                }
            }
        }
    }

    /// The end of the stream.
    pub fn finish(&mut self) {
        match self {
            Self::Lines(framer) => framer.finish(),
            Self::Events(framer) => framer.finish(),
            // A connection that broke before it told anything tells nothing of the next one.
            Self::Unknown { held, .. } if held.is_empty() => {}
            Self::Unknown { held, limits } => {
                let (held, limits) = (std::mem::take(held), *limits);
                *self = Self::known(false, limits);
                self.push(&held);
                self.finish();
            }
        }
    }

    /// The next frame.
    pub fn next_frame(&mut self) -> Option<Frame> {
        match self {
            Self::Lines(framer) => framer.next_frame(),
            Self::Events(framer) => framer.next_frame().map(|event| Frame {
                number: event.number,
                content: event.content,
            }),
            Self::Unknown { .. } => None,
        }
    }

    fn known(is_events: bool, limits: Limits) -> Self {
        match is_events {
            true => Self::Events(EventFramer::new(limits)),
            false => Self::lines(limits),
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic)]
    use super::*;
    use crate::kit::frame::FrameContent;

    fn texts(bytes: &[u8], size: usize) -> Vec<String> {
        let mut feed = Feed::unknown(Limits::default());
        for piece in bytes.chunks(size) {
            feed.push(piece);
        }
        feed.finish();
        let frames = std::iter::from_fn(|| feed.next_frame());
        let text = |frame: Frame| match frame.content {
            FrameContent::Line(line) => line.to_string(),
            FrameContent::NotUtf8(_) | FrameContent::TooLong { .. } => panic!("no text"),
        };
        frames.map(text).collect()
    }

    #[test]
    fn lines_and_events_are_told_apart() {
        for (bytes, wanted) in [
            ("{\"a\":1}\n{\"b\":2}", vec!["{\"a\":1}", "{\"b\":2}"]),
            (
                "data: {\"a\":1}\n\ndata:{\"b\":\ndata:2}\n\n",
                vec!["{\"a\":1}", "{\"b\":\n2}"],
            ),
            (": hello\r\n\r\ndata: {}\r\n\r\n", vec!["{}"]),
            ("\u{feff}\n\nid: 7\ndata: {}\n\n", vec!["{}"]),
            ("data\n\ndata: 1\n\n", vec!["1"]),
            ("dated banner\n{}\n", vec!["dated banner", "{}"]),
            ("\n\n7", vec!["7"]),
            ("dat", vec!["dat"]),
            ("", vec![]),
        ] {
            for size in [1, 3, 1_000] {
                assert_eq!(texts(bytes.as_bytes(), size), wanted, "{bytes:?} by {size}");
            }
        }
    }

    #[test]
    fn a_stream_that_told_nothing_may_be_of_either_kind() {
        let mut feed = Feed::unknown(Limits::default());
        feed.finish();
        feed.push(b"data: {\"cut\":");
        feed.finish();
        feed.push(b"data: 1\n\n");
        feed.finish();
        let frames = std::iter::from_fn(|| feed.next_frame());
        let texts: Vec<FrameContent> = frames.map(|frame| frame.content).collect();
        let line = |text: &str| FrameContent::Line(std::sync::Arc::from(text));
        assert_eq!(texts, [line("{\"cut\":"), line("1")]);
    }
}
