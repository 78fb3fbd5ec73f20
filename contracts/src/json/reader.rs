//! The pull reader: typed values out of one text, in one pass.

use std::borrow::Cow;
use std::ops::Range;

use super::duplicate::Deferred;
use super::malformed::{Kind, Malformed, Note, NoteKind, Problem};
use super::number::{self, Integer};
use super::skip::{literal_end, value_end, white_end};
use super::text::{string_end, unescape};
use super::value::Json;

/// How many notes one reader keeps. A hostile line could otherwise make notes many times its size.
const NOTES_KEPT: usize = 4096;

/// Reads values from a text from left to right.
///
/// After an error the position is unspecified, though safe: begin again with a new reader.
#[derive(Debug)]
pub struct Reader<'a> {
    pub(super) text: &'a str,
    /// The text up to where this reader may read; offsets are those of `text`.
    pub(super) bytes: &'a [u8],
    pub(super) position: usize,
    pub(super) depth: usize,
    /// Where the latest string value began, for the note about an unrecognized one.
    latest: usize,
    notes: Vec<Note>,
    /// Where the latest key stands.
    pub(super) key_start: usize,
    /// Members that did not decode and may yet be replaced by a duplicate.
    pub(super) deferred: Vec<Deferred>,
}

/// A place to come back to after looking ahead.
pub(super) struct Mark {
    position: usize,
    depth: usize,
    notes: usize,
}

impl<'a> Reader<'a> {
    /// Reads the whole text.
    #[must_use]
    pub fn new(text: &'a str) -> Self {
        Self::over(text, 0..text.len())
    }

    /// Reads a part of the text; offsets in errors and spans stay relative to the whole.
    #[must_use]
    pub fn over(text: &'a str, range: Range<usize>) -> Self {
        let bytes = text.as_bytes();
        let bytes = bytes.get(..range.end).unwrap_or(bytes);
        Self {
            text,
            bytes,
            position: range.start.min(bytes.len()),
            depth: 0,
            latest: 0,
            notes: Vec::new(),
            key_start: 0,
            deferred: Vec::new(),
        }
    }

    /// Where the reader stands.
    #[must_use]
    pub fn offset(&self) -> usize {
        self.position
    }

    /// Skips white space and tells the kind of the value that follows.
    ///
    /// # Errors
    /// Where no value begins.
    #[inline(never)]
    pub fn kind(&mut self) -> Result<Kind, Malformed> {
        match self.peek().and_then(Kind::of) {
            Some(kind) => Ok(kind),
            None => Err(Malformed::token(
                self.bytes,
                self.position,
                "a value is expected here",
            )),
        }
    }

    /// Reads a string. It is borrowed where it has no escapes.
    ///
    /// # Errors
    /// Another kind of value, or broken syntax.
    #[inline(never)]
    pub fn string(&mut self) -> Result<Cow<'a, str>, Malformed> {
        if self.peek() != Some(b'"') {
            return Err(self.unexpected("string"));
        }
        self.latest = self.position;
        self.quoted()
    }

    /// Reads `true` or `false`.
    ///
    /// # Errors
    /// Another kind of value, or broken syntax.
    #[inline(never)]
    pub fn boolean(&mut self) -> Result<bool, Malformed> {
        let value = self.peek() == Some(b't');
        if !value && self.peek() != Some(b'f') {
            return Err(self.unexpected("boolean"));
        }
        let word: &[u8] = if value { b"true" } else { b"false" };
        self.position = literal_end(self.bytes, self.position, word)?;
        Ok(value)
    }

    /// Reads an integer in any spelling: `-0`, `12.0` and `1e3` are integers, `1.5` is not.
    ///
    /// # Errors
    /// Another kind of value, a fraction, a number that the type cannot hold, or broken syntax.
    pub fn integer<T: Integer>(&mut self) -> Result<T, Malformed> {
        let (negative, magnitude) = self.whole(T::NAME)?;
        match T::from_parts(negative, magnitude) {
            Some(value) => Ok(value),
            None => Err(self.out_of_range(T::NAME)),
        }
    }

    /// Reads a number as a float.
    ///
    /// # Errors
    /// Another kind of value, a number past the range (it would silently become infinite), or
    /// broken syntax.
    #[inline(never)]
    pub fn float(&mut self) -> Result<f64, Malformed> {
        if !matches!(self.peek(), Some(b'-' | b'0'..=b'9')) {
            return Err(self.unexpected("number"));
        }
        let start = self.position;
        self.latest = start;
        self.position = number::number_end(self.bytes, start)?;
        match self.slice(start..self.position).parse::<f64>() {
            Ok(value) if value.is_finite() => Ok(value),
            Ok(_) | Err(_) => Err(self.out_of_range("f64")),
        }
    }

    /// Consumes `null` and returns true; leaves any other value where it is and returns false.
    ///
    /// # Errors
    /// Something that begins like `null` and is not.
    #[inline(never)]
    pub fn null(&mut self) -> Result<bool, Malformed> {
        if self.peek() != Some(b'n') {
            return Ok(false);
        }
        self.position = literal_end(self.bytes, self.position, b"null")?;
        Ok(true)
    }

    /// Skips a value and returns its exact text.
    ///
    /// # Errors
    /// Broken syntax anywhere in the value.
    #[inline(never)]
    pub fn raw(&mut self) -> Result<Json<'a>, Malformed> {
        let span = self.span()?;
        Ok(Json::trusted(self.slice(span)))
    }

    /// Skips a value and returns where it stands in the text.
    ///
    /// # Errors
    /// Broken syntax anywhere in the value.
    #[inline(never)]
    pub fn span(&mut self) -> Result<Range<usize>, Malformed> {
        self.peek();
        let start = self.position;
        self.position = value_end(self.bytes, start)?;
        Ok(start..self.position)
    }

    /// Skips a value of any depth. Its grammar is checked.
    ///
    /// # Errors
    /// Broken syntax anywhere in the value.
    #[inline(never)]
    pub fn skip(&mut self) -> Result<(), Malformed> {
        self.position = value_end(self.bytes, self.position)?;
        Ok(())
    }

    /// Checks that only white space follows.
    ///
    /// # Errors
    /// Where something else follows.
    pub fn end(&mut self) -> Result<(), Malformed> {
        match self.peek() {
            None => Ok(()),
            Some(_) => Err(Malformed::syntax(
                self.position,
                "something follows the value",
            )),
        }
    }

    /// The notes since the last call.
    pub fn take_notes(&mut self) -> Vec<Note> {
        std::mem::take(&mut self.notes)
    }

    /// Skips white space and looks at the next byte.
    #[inline]
    pub(super) fn peek(&mut self) -> Option<u8> {
        self.position = white_end(self.bytes, self.position);
        self.bytes.get(self.position).copied()
    }

    /// The string whose opening quote is at the position.
    pub(super) fn quoted(&mut self) -> Result<Cow<'a, str>, Malformed> {
        let open = self.position;
        let (end, plain) = string_end(self.bytes, open)?;
        self.position = end;
        let inside = self.slice(open + 1..end - 1);
        if plain {
            return Ok(Cow::Borrowed(inside));
        }
        let (decoded, lone) = unescape(inside);
        if lone {
            self.note(open, NoteKind::LoneSurrogate);
        }
        Ok(Cow::Owned(decoded))
    }

    fn whole(&mut self, expected: &'static str) -> Result<(bool, u64), Malformed> {
        if !matches!(self.peek(), Some(b'-' | b'0'..=b'9')) {
            return Err(self.unexpected("integer"));
        }
        self.latest = self.position;
        let whole = number::whole(self.bytes, self.position, expected)?;
        self.position = whole.end;
        Ok((whole.negative, whole.magnitude))
    }

    /// Every range here ends at ASCII bytes, so the fallback is never taken; it is not a panic.
    #[inline]
    fn slice(&self, range: Range<usize>) -> &'a str {
        self.text.get(range).unwrap_or_default()
    }

    /// Adds a note. Looking ahead twice at one place must not count it twice, so a note equal to a
    /// recent one is left out.
    #[cold]
    pub(super) fn note(&mut self, offset: usize, kind: NoteKind) {
        let note = Note { offset, kind };
        if self.notes.len() < NOTES_KEPT
            && !self
                .notes
                .iter()
                .rev()
                .take(8)
                .any(|recent| *recent == note)
        {
            self.notes.push(note);
        }
    }

    pub(super) fn latest(&self) -> usize {
        self.latest
    }

    pub(super) fn mark(&self) -> Mark {
        Mark {
            position: self.position,
            depth: self.depth,
            notes: self.notes.len(),
        }
    }

    /// Goes back, and forgets the notes that will be made again.
    pub(super) fn rewind(&mut self, mark: &Mark) {
        self.jump(mark);
        self.notes.truncate(mark.notes);
    }

    /// Goes back and keeps the notes.
    pub(super) fn jump(&mut self, mark: &Mark) {
        self.position = mark.position;
        self.depth = mark.depth;
    }

    pub(super) fn seek(&mut self, position: usize) {
        self.position = position;
    }

    /// A reader of `{}` at the same depth.
    pub(super) fn of_nothing(&self) -> Self {
        Self {
            depth: self.depth,
            ..Self::new("{}")
        }
    }

    #[cold]
    pub(super) fn unexpected(&mut self, expected: &'static str) -> Malformed {
        match self.kind() {
            Ok(found) => Malformed {
                offset: self.position,
                problem: Problem::Expected { expected, found },
            },
            Err(error) => error,
        }
    }

    #[cold]
    fn out_of_range(&self, expected: &'static str) -> Malformed {
        Malformed {
            offset: self.latest,
            problem: Problem::OutOfRange { expected },
        }
    }
}

#[cfg(test)]
#[path = "reader_tests.rs"]
mod tests;
