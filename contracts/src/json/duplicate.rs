//! The last duplicate of a key wins, also where an earlier one does not decode.

use std::borrow::Cow;

use super::malformed::{Malformed, NoteKind, Problem};
use super::reader::{Mark, Reader};

/// A member that did not decode. It is an error only if no later member of the same object has
/// its key.
#[derive(Debug)]
pub(super) struct Deferred {
    depth: usize,
    key: usize,
    error: Malformed,
}

impl Reader<'_> {
    /// Reads the value of the latest key. One that does not decode is passed over until the end
    /// of the object shows that no duplicate replaces it.
    pub(super) fn last_wins<T>(
        &mut self,
        read: impl FnOnce(&mut Self) -> Result<Option<T>, Malformed>,
    ) -> Result<Option<T>, Malformed> {
        let key = self.key_start;
        let mark = self.mark();
        match read(self) {
            Ok(value) => {
                if !self.deferred.is_empty() {
                    self.forgive(key);
                }
                Ok(value)
            }
            Err(error) => self.defer(key, &mark, error).map(|()| None),
        }
    }

    #[cold]
    fn defer(&mut self, key: usize, mark: &Mark, error: Malformed) -> Result<(), Malformed> {
        if let Problem::Syntax(_) = error.problem {
            return Err(error);
        }
        self.rewind(mark);
        self.skip()?;
        let depth = self.depth;
        self.deferred.retain(|known| known.depth <= depth);
        // One for each key is enough, and keeps a line of many duplicates linear.
        if !self.defers(key) {
            self.deferred.push(Deferred { depth, key, error });
        }
        Ok(())
    }

    /// A member that decoded replaces an earlier one of its key.
    #[cold]
    fn forgive(&mut self, key: usize) {
        if let Some(index) = self.deferred_at(key) {
            self.deferred.remove(index);
            self.note(key, NoteKind::DuplicateKey);
        }
    }

    fn defers(&self, key: usize) -> bool {
        self.deferred_at(key).is_some()
    }

    /// The member of this object that was passed over and has the same key.
    fn deferred_at(&self, key: usize) -> Option<usize> {
        let name = self.key_at(key);
        let depth = self.depth;
        let same = |known: &Deferred| known.depth == depth && self.key_at(known.key) == name;
        self.deferred.iter().position(same)
    }

    /// The key at a place where one was read, so that this can't fail.
    fn key_at(&self, start: usize) -> Option<Cow<'_, str>> {
        let text = self.text;
        Reader::over(text, start..text.len()).string().ok()
    }

    /// The end of an object: what was not replaced is an error after all.
    #[cold]
    pub(super) fn settle(&mut self) -> Result<(), Malformed> {
        let depth = self.depth;
        match self.deferred.iter().position(|known| known.depth >= depth) {
            Some(index) => {
                let error = self.deferred.swap_remove(index).error;
                self.deferred.retain(|known| known.depth < depth);
                Err(error)
            }
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use crate::json::{Malformed, NoteKind, Object, Reader, Wire, Writer, decode};

    #[derive(Debug, PartialEq)]
    struct Pair {
        first: String,
        inner: Option<Box<Pair>>,
    }

    impl<'a> Wire<'a> for Pair {
        fn read(reader: &mut Reader<'a>) -> Result<Self, Malformed> {
            let mut first: Option<std::borrow::Cow<'a, str>> = None;
            let mut inner = None;
            let mut object: Object = reader.object()?;
            while let Some(key) = reader.key(&mut object)? {
                match &*key {
                    "first" => reader.field(&mut first)?,
                    "inner" => reader.optional(&mut inner)?,
                    _ => reader.skip()?,
                }
            }
            let first = object.required(first, "first")?.into_owned();
            Ok(Self { first, inner })
        }

        fn write(&self, _: &mut Writer) {}
    }

    fn pair(first: &str, inner: Option<Pair>) -> Pair {
        Pair {
            first: first.to_owned(),
            inner: inner.map(Box::new),
        }
    }

    #[test]
    fn a_later_duplicate_replaces_one_that_does_not_decode() {
        for text in [
            r#"{"first":7,"first":"b"}"#,
            r#"{"first":[1,{"a":2}],"x":0,"f\u0069rst":"b"}"#,
            r#"{"first":"a","first":"b"}"#,
            r#"{"first":7,"first":8,"first":"b"}"#,
        ] {
            let (read, notes) = decode::<Pair>(text).unwrap();
            assert_eq!(read, pair("b", None));
            assert_eq!(notes.len(), 1);
            assert_eq!(notes[0].kind, NoteKind::DuplicateKey);
        }
        let text = r#"{"inner":{"first":1,"inner":{"first":2}},"first":"a","inner":{"first":"b"}}"#;
        assert_eq!(
            decode::<Pair>(text).unwrap().0,
            pair("a", Some(pair("b", None)))
        );
    }

    #[test]
    fn what_is_not_replaced_stays_an_error_at_its_place() {
        for (text, path) in [
            (r#"{"first":7}"#, "first"),
            (r#"{"first":7,"second":"b"}"#, "first"),
            (r#"{"first":"a","first":7}"#, "first"),
            (r#"{"inner":{"first":7},"first":"a"}"#, "inner.first"),
            (
                r#"{"inner":{"inner":{"first":1},"first":2},"first":"a"}"#,
                "inner.inner.first",
            ),
            (r#"{"first":7,"inner":{"first":"x"}}"#, "first"),
        ] {
            assert_eq!(decode::<Pair>(text).unwrap_err().path(text), path, "{text}");
        }
    }
}
