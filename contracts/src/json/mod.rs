//! Reading and writing JSON text: a pull reader over one line, and a writer for the same shapes.
//!
//! Why not the crate `jiter`: it refuses lone surrogates, which JavaScript agents send, it recurses
//! where an opaque value is skipped, so that a deep one is an error, and it brings big-number crates
//! to every user of this one. This reader borrows from the line, skips without recursion, and turns
//! what it tolerates into [`Note`]s.

mod adjacent;
#[doc(hidden)]
pub mod bridge;
mod duplicate;
mod look;
mod malformed;
mod members;
mod number;
mod path;
mod reader;
mod skip;
pub mod slots;
mod tables;
mod text;
mod unions;
mod value;
mod wire;
mod write;

#[doc(hidden)]
pub use crate::wire_serde;
#[doc(inline)]
pub use crate::{
    wire_around, wire_envelope, wire_external, wire_message, wire_name, wire_struct, wire_text,
    wire_union,
};
pub use look::{External, Unrecognized};
pub use malformed::{Kind, Malformed, Note, NoteKind, Problem};
pub use members::{Array, Object, TYPED_LEVELS};
pub use number::Integer;
pub use path::path_at;
pub use reader::Reader;
pub use value::{Json, OwnedJson};
pub use wire::{Map, Wire};
pub use write::{ArrayWriter, ObjectWriter, Writer};

/// Decodes a whole text as one value. White space around it is allowed, anything else is an error.
///
/// # Errors
/// The first thing that did not decode; [`Malformed::path`] tells where that is.
pub fn decode<'a, T: Wire<'a>>(text: &'a str) -> Result<(T, Vec<Note>), Malformed> {
    let mut reader = Reader::new(text);
    let value = T::read(&mut reader)?;
    reader.end()?;
    Ok((value, reader.take_notes()))
}

/// Encodes a value as compact JSON text.
pub fn encode<'a, T: Wire<'a>>(value: &T) -> String {
    let mut writer = Writer::new();
    value.write(&mut writer);
    writer.finish()
}
