//! What generated decoders of unions ask beyond single values: a second look at an object, a
//! payload noted for later, and members that tell the arms of a union apart.

use std::borrow::Cow;
use std::ops::Range;

use super::{Json, Kind, Malformed, NoteKind, Object, Reader, Unrecognized, Wire};

impl<'a> Reader<'a> {
    /// Notes where a member's value lies and skips it. A second one replaces the first, with a
    /// note.
    ///
    /// # Errors
    /// Broken syntax.
    #[inline(never)]
    pub fn noted_span(&mut self, slot: &mut Option<Range<usize>>) -> Result<(), Malformed> {
        let offset = self.offset();
        let span = self.span()?;
        if slot.replace(span).is_some() {
            self.note(offset, NoteKind::DuplicateKey);
        }
        Ok(())
    }

    /// Reads a value without moving on.
    ///
    /// # Errors
    /// What reading the value gives.
    pub fn ahead<T>(
        &mut self,
        read: impl FnOnce(&mut Self) -> Result<T, Malformed>,
    ) -> Result<T, Malformed> {
        let mark = self.mark();
        let value = read(self);
        self.jump(&mark);
        value
    }

    /// Keeps a payload whose tag nobody knows, with a note; an absent one is `null`.
    ///
    /// # Errors
    /// Broken syntax.
    #[inline(never)]
    pub fn unrecognized_content(
        &mut self,
        union: &'static str,
        tag: Cow<'a, str>,
        content: Option<Range<usize>>,
    ) -> Result<Unrecognized<'a>, Malformed> {
        match content {
            None => {
                let known = NoteKind::UnrecognizedTag {
                    union,
                    tag: tag.as_ref().into(),
                };
                self.note(self.offset(), known);
                Ok(Unrecognized {
                    tag,
                    raw: Json::NULL,
                })
            }
            Some(range) => self.ahead(|reader| {
                reader.seek(range.start);
                reader.unrecognized(union, tag)
            }),
        }
    }

    /// Whether the object that follows has the member, with one of these texts.
    ///
    /// # Errors
    /// Broken syntax.
    #[inline(never)]
    pub fn member_is(&mut self, name: &str, texts: &[&str]) -> Result<bool, Malformed> {
        if self.kind()? != Kind::Object {
            return Ok(false);
        }
        self.ahead(|reader| {
            let mut found = false;
            let mut object = reader.object()?;
            while let Some(key) = reader.key(&mut object)? {
                if *key == *name && reader.kind()? == Kind::String {
                    found = texts.contains(&&*reader.string()?);
                } else {
                    reader.skip()?;
                }
            }
            Ok(found)
        })
    }

    /// The error for a value that is none of the forms that a type has.
    pub fn expected(&mut self, expected: &'static str) -> Malformed {
        self.unexpected(expected)
    }

    /// Decodes a value at a range noted earlier, or nothing where there is none.
    ///
    /// # Errors
    /// What reading the value gives.
    pub fn value_at<T: Wire<'a>>(&mut self, range: Range<usize>) -> Result<T, Malformed> {
        self.content(&Object::at(range.start), Some(range), "")
    }
}

impl Kind {
    /// The kind in a word.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Object => "object",
            Self::Array => "array",
            Self::String => "string",
            Self::Number => "number",
            Self::Boolean => "boolean",
            Self::Null => "null",
        }
    }
}

impl Reader<'_> {
    /// Reads a text that must be one of these, and gives its position among them.
    ///
    /// # Errors
    /// Another value.
    pub fn member_text(&mut self, texts: &[&str]) -> Result<usize, Malformed> {
        let mark = self.mark();
        let text = self.string()?;
        match texts.iter().position(|known| *known == text) {
            Some(position) => Ok(position),
            None => {
                self.jump(&mark);
                Err(self.unexpected("one of the known texts"))
            }
        }
    }
}
