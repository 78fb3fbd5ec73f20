//! Objects and arrays: walking their members, and filling the slots of a type.

use std::borrow::Cow;

use super::malformed::{Malformed, NoteKind, Problem};
use super::reader::Reader;
use super::skip::colon_end;
use super::wire::Wire;

/// How deep typed data may nest. A decoder calls itself for a recursive type, so the stack needs
/// a bound; what is skipped or kept raw has none.
pub const TYPED_LEVELS: usize = 128;

/// An object that is being read.
#[derive(Debug)]
pub struct Object {
    start: usize,
    first: bool,
}

/// An array that is being read.
#[derive(Debug)]
pub struct Array {
    first: bool,
}

impl<'a> Reader<'a> {
    /// Begins an object.
    ///
    /// # Errors
    /// Another kind of value, or typed data that nests deeper than [`TYPED_LEVELS`].
    #[inline(never)]
    pub fn object(&mut self) -> Result<Object, Malformed> {
        if self.peek() != Some(b'{') {
            return Err(self.unexpected("object"));
        }
        let start = self.position;
        self.open()?;
        Ok(Object { start, first: true })
    }

    /// The next key of an object, with its colon; `None` at the object's end. After each key the
    /// caller reads or skips exactly one value.
    ///
    /// # Errors
    /// Broken syntax.
    #[inline(never)]
    pub fn key(&mut self, object: &mut Object) -> Result<Option<Cow<'a, str>>, Malformed> {
        match (self.peek(), object.first) {
            (Some(b'}'), _) => {
                if !self.deferred.is_empty() {
                    self.settle()?;
                }
                self.close();
                return Ok(None);
            }
            (Some(b','), false) => self.position += 1,
            (_, true) => object.first = false,
            (_, false) => {
                return Err(Malformed::token(
                    self.bytes,
                    self.position,
                    "expected `,` or `}`",
                ));
            }
        }
        if self.peek() != Some(b'"') {
            return Err(Malformed::token(
                self.bytes,
                self.position,
                "a key is expected here",
            ));
        }
        self.key_start = self.position;
        let key = self.quoted()?;
        self.position = colon_end(self.bytes, self.position)?;
        Ok(Some(key))
    }

    /// Begins an array.
    ///
    /// # Errors
    /// Another kind of value, or typed data that nests deeper than [`TYPED_LEVELS`].
    #[inline(never)]
    pub fn array(&mut self) -> Result<Array, Malformed> {
        if self.peek() != Some(b'[') {
            return Err(self.unexpected("array"));
        }
        self.open()?;
        Ok(Array { first: true })
    }

    /// Whether another element follows; the caller then reads or skips exactly one value.
    ///
    /// # Errors
    /// Broken syntax.
    #[inline(never)]
    pub fn element(&mut self, array: &mut Array) -> Result<bool, Malformed> {
        match (self.peek(), array.first) {
            (Some(b']'), _) => {
                self.close();
                Ok(false)
            }
            (Some(b','), false) => {
                self.position += 1;
                Ok(true)
            }
            (_, true) => {
                array.first = false;
                Ok(true)
            }
            (_, false) => Err(Malformed::token(
                self.bytes,
                self.position,
                "expected `,` or `]`",
            )),
        }
    }

    /// Reads a value into a slot. The last duplicate wins, with a note.
    ///
    /// # Errors
    /// What reading the value gives.
    #[inline(never)]
    pub fn field<T: Wire<'a>>(&mut self, slot: &mut Option<T>) -> Result<(), Malformed> {
        self.once(slot.is_some());
        *slot = self.last_wins(|reader| T::read(reader).map(Some))?;
        Ok(())
    }

    /// The same for an optional member: `null` empties the slot.
    ///
    /// # Errors
    /// What reading the value gives.
    #[inline(never)]
    pub fn optional<T: Wire<'a>>(&mut self, slot: &mut Option<T>) -> Result<(), Malformed> {
        self.once(slot.is_some());
        *slot = self.last_wins(|reader| {
            Ok(if reader.null()? {
                None
            } else {
                Some(T::read(reader)?)
            })
        })?;
        Ok(())
    }

    /// The same for a member where absent and `null` differ: `null` gives `Some(None)`.
    ///
    /// # Errors
    /// What reading the value gives.
    #[inline(never)]
    pub fn patch<T: Wire<'a>>(&mut self, slot: &mut Option<Option<T>>) -> Result<(), Malformed> {
        self.once(slot.is_some());
        *slot = self.last_wins(|reader| {
            Ok(Some(if reader.null()? {
                None
            } else {
                Some(T::read(reader)?)
            }))
        })?;
        Ok(())
    }

    #[inline]
    fn open(&mut self) -> Result<(), Malformed> {
        if self.depth == TYPED_LEVELS {
            let problem = Problem::OutOfRange {
                expected: "typed data (128 levels)",
            };
            return Err(Malformed {
                offset: self.position,
                problem,
            });
        }
        self.depth += 1;
        self.position += 1;
        Ok(())
    }

    #[inline]
    fn close(&mut self) {
        self.depth = self.depth.saturating_sub(1);
        self.position += 1;
    }

    #[inline]
    pub(super) fn once(&mut self, duplicate: bool) {
        if duplicate {
            self.peek();
            self.note(self.position, NoteKind::DuplicateKey);
        }
    }
}

impl Object {
    /// The object at an offset, for messages about a member that an envelope's scan noted.
    #[must_use]
    pub fn at(start: usize) -> Self {
        Self { start, first: true }
    }

    /// The value of a member that must be there.
    ///
    /// # Errors
    /// [`Problem::Missing`] where the slot is empty.
    #[inline(never)]
    pub fn required<T>(&self, slot: Option<T>, name: &'static str) -> Result<T, Malformed> {
        match slot {
            Some(value) => Ok(value),
            None => Err(self.missing(name)),
        }
    }

    /// Where the object begins.
    #[must_use]
    pub fn start(&self) -> usize {
        self.start
    }

    #[cold]
    pub(super) fn missing(&self, name: &'static str) -> Malformed {
        Malformed {
            offset: self.start,
            problem: Problem::Missing(name),
        }
    }
}
