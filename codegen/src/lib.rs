//! Reads the vendored schemas of coding agents and writes the types, decoders and traits of
//! `agentwire-contracts`.
//!
//! A function from texts to texts: [`generate`] returns a file tree or diagnostics, all of them
//! at once. It reads no file, no clock and no environment, and never panics on input.
//!
//! ```text
//! schemas, overlays ─▶ front end ─▶ IR ─▶ merge ─▶ plan (surface ⋈ rows, total) ─▶ back ends
//! ```
//!
//! What keeps the inputs and the generated code up to date, and says what differs between versions,
//! is the crate `agentwire-upkeep`. It builds on the parts that are public here beside [`generate`].

mod backend;
pub mod canonical;
pub mod diagnostics;
pub mod document;
mod frontend;
pub mod inputs;
mod ir;
pub mod join;
pub mod json_place;
pub mod lifecycle;
pub mod listing;
mod merge;
pub mod names;
pub mod overlay;
mod pipeline;
mod plan;
mod problem;
mod quirks;
mod result_unions;
pub mod rows;
pub mod source;
pub mod sources;
pub mod stem;
pub mod toml_place;
pub mod wires;

pub use backend::{FOLDER, broken};
pub use inputs::{FOLDERS, Inputs, SchemaFile};
pub use pipeline::{Output, Summary, SurfaceCount, generate};
pub use quirks::{TYPE_CHANGES, TypeChange};
