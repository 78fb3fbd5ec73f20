//! Framing: bytes in, numbered lines out.

use std::collections::VecDeque;
use std::sync::Arc;

const BOM: &[u8] = b"\xef\xbb\xbf";

/// How many bytes of a line that is too long are kept, to show what it was.
const HEAD_BYTES: usize = 1024;

/// A line buffer larger than this is given back after its line.
const KEPT_CAPACITY: usize = 1 << 20;

/// The bounds of a [`Framer`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The longest line that is kept, in bytes, without its line end.
    pub line_bytes: usize,
}

/// Splits a stream into lines, without doing any input itself.
///
/// Only a line feed ends a line. One carriage return before it and a byte order mark at the very
/// start are cut off; blank lines are counted and skipped. Every byte is looked at once, however
/// the stream is cut into pieces. An unfinished line takes at most the limit in memory; take all
/// frames after each [`push`](Self::push), because those of one push wait inside.
#[derive(Debug)]
pub struct Framer {
    limits: Limits,
    /// The unfinished line, or the head of one that is too long already.
    pending: Vec<u8>,
    overflow: Option<Overflow>,
    /// How many lines have ended.
    lines: u64,
    ready: VecDeque<Frame>,
}

/// One line of the stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// The number of the line, from 1.
    pub number: u64,
    /// What the line holds.
    pub content: FrameContent,
}

/// What a line holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FrameContent {
    /// Text, without the line end.
    Line(Arc<str>),
    /// Bytes that are not UTF-8.
    NotUtf8(Vec<u8>),
    /// More bytes than the limit. The stream goes on with the next line.
    TooLong {
        /// How long the line is.
        size: u64,
        /// How it begins.
        head: Vec<u8>,
    },
}

/// What is known of a line whose bytes are no longer kept.
#[derive(Debug)]
struct Overflow {
    size: u64,
    last: u8,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            line_bytes: 64 << 20,
        }
    }
}

impl Default for Framer {
    fn default() -> Self {
        Self::new(Limits::default())
    }
}

impl Framer {
    /// A framer at the start of a stream.
    #[must_use]
    pub fn new(limits: Limits) -> Self {
        Self {
            limits,
            pending: Vec::new(),
            overflow: None,
            lines: 0,
            ready: VecDeque::new(),
        }
    }

    /// Takes the next piece of the stream.
    pub fn push(&mut self, mut bytes: &[u8]) {
        while let Some(length) = line_feed(bytes) {
            let (line, rest) = bytes.split_at(length);
            if self.pending.is_empty() && self.overflow.is_none() && line.len() <= self.room() {
                // The line is whole in this piece, so it needs no buffer.
                self.lines += 1;
                let content = content(line, self.lines == 1, self.limits);
                self.emit(content);
            } else {
                self.keep(line);
                self.end_line();
            }
            bytes = rest.get(1..).unwrap_or_default();
        }
        self.keep(bytes);
    }

    /// Ends the stream: what is left is its last line.
    pub fn finish(&mut self) {
        if !self.pending.is_empty() || self.overflow.is_some() {
            self.end_line();
        }
    }

    /// The next line that is complete.
    pub fn next_frame(&mut self) -> Option<Frame> {
        self.ready.pop_front()
    }

    /// The most that an acceptable line can take: what is cut off in the end does not count.
    fn room(&self) -> usize {
        self.limits.line_bytes.saturating_add(BOM.len() + 1)
    }

    /// Adds bytes of the unfinished line, or only counts them where it is too long.
    fn keep(&mut self, bytes: &[u8]) {
        let Some(last) = bytes.last() else { return };
        let fits = self.overflow.is_none() && bytes.len() <= self.room() - self.pending.len();
        if fits {
            self.pending.extend_from_slice(bytes);
            return;
        }
        let before = match &self.overflow {
            Some(overflow) => overflow.size,
            None => self.pending.len() as u64,
        };
        self.overflow = Some(Overflow {
            size: before + bytes.len() as u64,
            last: *last,
        });
        let head = HEAD_BYTES + BOM.len();
        self.pending.truncate(head);
        let more = head - self.pending.len();
        self.pending
            .extend_from_slice(bytes.get(..more).unwrap_or(bytes));
        self.pending.shrink_to(head);
    }

    fn end_line(&mut self) {
        self.lines += 1;
        let first = self.lines == 1;
        let content = match self.overflow.take() {
            Some(overflow) => {
                let head = trimmed(&self.pending, first);
                let cut = self.pending.len() - head.len() + usize::from(overflow.last == b'\r');
                Some(too_long(overflow.size.saturating_sub(cut as u64), head))
            }
            None => content(&self.pending, first, self.limits),
        };
        self.emit(content);
        self.pending.clear();
        if self.pending.capacity() > KEPT_CAPACITY {
            self.pending = Vec::new();
        }
    }

    fn emit(&mut self, content: Option<FrameContent>) {
        if let Some(content) = content {
            self.ready.push_back(Frame {
                number: self.lines,
                content,
            });
        }
    }
}

/// What a complete line holds; nothing where it is blank.
fn content(line: &[u8], first: bool, limits: Limits) -> Option<FrameContent> {
    let line = trimmed(line, first);
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    if line.len() > limits.line_bytes {
        return Some(too_long(line.len() as u64, line));
    }
    match std::str::from_utf8(line) {
        Ok(text) if text.trim_ascii().is_empty() => None,
        Ok(text) => Some(FrameContent::Line(Arc::from(text))),
        Err(_) => Some(FrameContent::NotUtf8(line.to_vec())),
    }
}

/// The line without the byte order mark that the first one may have.
fn trimmed(line: &[u8], first: bool) -> &[u8] {
    if first {
        line.strip_prefix(BOM).unwrap_or(line)
    } else {
        line
    }
}

fn too_long(size: u64, line: &[u8]) -> FrameContent {
    // A short head may hold the whole line, with the carriage return that does not count.
    let length = usize::try_from(size).unwrap_or(HEAD_BYTES).min(HEAD_BYTES);
    FrameContent::TooLong {
        size,
        head: line.get(..length).unwrap_or(line).to_vec(),
    }
}

/// Where the first line feed stands. The inner loop has no exit, so it compares many bytes at once.
fn line_feed(bytes: &[u8]) -> Option<usize> {
    let mut at = 0;
    for block in bytes.chunks(64) {
        if block
            .iter()
            .fold(false, |found, byte| found | (*byte == b'\n'))
        {
            return block
                .iter()
                .position(|byte| *byte == b'\n')
                .map(|inside| at + inside);
        }
        at += block.len();
    }
    None
}

#[cfg(test)]
#[path = "frame_tests.rs"]
mod tests;
