//! What the tables of types share: a slot for each member of an object, and the one loop that fills
//! them. The loop is compiled once, not once a type.

use std::ops::Range;

use super::malformed::Malformed;
use super::members::Object;
use super::reader::Reader;
use super::wire::Wire;

/// A member that the loop can fill, whatever its type.
pub trait Slot<'a> {
    /// Reads the member's value.
    ///
    /// # Errors
    /// What reading the value gives.
    fn fill(&mut self, reader: &mut Reader<'a>) -> Result<(), Malformed>;
}

/// The slot of a member that must be there.
#[derive(Debug)]
pub struct Field<T>(Option<T>);

/// The slot of a member that may be absent; `null` is one absence.
#[derive(Debug)]
pub struct Optional<T>(Option<T>);

/// The slot of a member where absent and `null` differ.
#[derive(Debug)]
pub struct Patch<T>(Option<Option<T>>);

/// The place of a member's value, which is read later.
#[derive(Debug, Default)]
pub struct Span(pub Option<Range<usize>>);

/// An empty slot of a member that must be there.
#[inline]
#[must_use]
pub const fn field<T>() -> Field<T> {
    Field(None)
}

/// An empty slot of a member that may be absent.
#[inline]
#[must_use]
pub const fn optional<T>() -> Optional<T> {
    Optional(None)
}

/// An empty slot of a member where absent and `null` differ.
#[inline]
#[must_use]
pub const fn patch<T>() -> Patch<T> {
    Patch(None)
}

impl<'a, T: Wire<'a>> Slot<'a> for Field<T> {
    fn fill(&mut self, reader: &mut Reader<'a>) -> Result<(), Malformed> {
        reader.field(&mut self.0)
    }
}

impl<'a, T: Wire<'a>> Slot<'a> for Optional<T> {
    fn fill(&mut self, reader: &mut Reader<'a>) -> Result<(), Malformed> {
        reader.optional(&mut self.0)
    }
}

impl<'a, T: Wire<'a>> Slot<'a> for Patch<T> {
    fn fill(&mut self, reader: &mut Reader<'a>) -> Result<(), Malformed> {
        reader.patch(&mut self.0)
    }
}

impl<'a> Slot<'a> for Span {
    fn fill(&mut self, reader: &mut Reader<'a>) -> Result<(), Malformed> {
        reader.noted_span(&mut self.0)
    }
}

impl<T> Field<T> {
    /// The value that was read.
    ///
    /// # Errors
    /// The member was not there.
    #[inline]
    pub fn take(self, object: &Object, name: &'static str) -> Result<T, Malformed> {
        object.required(self.0, name)
    }
}

impl<T> Optional<T> {
    /// The value that was read, if there was one.
    ///
    /// # Errors
    /// None.
    #[inline]
    pub fn take(self, _: &Object, _: &'static str) -> Result<Option<T>, Malformed> {
        Ok(self.0)
    }
}

impl<T> Patch<T> {
    /// The value that was read, if there was one, or `null`.
    ///
    /// # Errors
    /// None.
    #[inline]
    pub fn take(self, _: &Object, _: &'static str) -> Result<Option<Option<T>>, Malformed> {
        Ok(self.0)
    }
}

impl<'a> Reader<'a> {
    /// Reads an object into the slots of its members; what has no slot is skipped. Each name
    /// stands where its slot does.
    ///
    /// # Errors
    /// The first thing that does not decode.
    #[inline(never)]
    pub fn members(
        &mut self,
        names: &[&str],
        slots: &mut [&mut dyn Slot<'a>],
    ) -> Result<Object, Malformed> {
        let mut object = self.object()?;
        let mut next = 0;
        while let Some(key) = self.key(&mut object)? {
            let found = place(names, next, &key);
            match found.and_then(|found| slots.get_mut(found)) {
                Some(slot) => {
                    next = found.map_or(0, |found| found + 1);
                    slot.fill(self)?;
                }
                None => self.skip()?,
            }
        }
        Ok(object)
    }
}

/// Where a name stands: most often right after the one before, since most agents sort.
#[inline]
fn place(names: &[&str], next: usize, key: &str) -> Option<usize> {
    if names.get(next).is_some_and(|name| *name == key) {
        return Some(next);
    }
    names.iter().position(|name| *name == key)
}
