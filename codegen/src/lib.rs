//! Reads the vendored schemas of coding agents and writes the types, decoders and traits of
//! `agentwire-contracts`.
//!
//! A function from texts to texts: [`generate`] returns a file tree or diagnostics, all of them
//! at once. It reads no file, no clock and no environment, and never panics on input.
//!
//! ```text
//! schemas, overlays ─▶ front end ─▶ IR ─▶ merge ─▶ plan (surface ⋈ rows, total) ─▶ back ends
//! ```

mod backend;
pub mod canonical;
pub mod carry;
pub mod check;
pub mod coverage;
pub mod diff;
pub mod docs;
mod drift;
mod frontend;
mod inputs;
mod ir;
mod join;
mod locate;
mod merge;
mod names;
mod overlay;
mod pipeline;
mod plan;
mod problem;
pub mod propose;
mod quirks;
pub mod report;
mod results;
pub mod rows;
pub mod source;
mod sources;
mod toml_place;
pub mod upgrade;
pub mod vendor;

pub use backend::{FOLDER, broken};
pub use drift::drift;
pub use inputs::{FOLDERS, Inputs, SchemaFile};
pub use pipeline::listing::{ListedRow, ListedSurface, Listing, StaleResult, State, listing};
pub use pipeline::{Output, Summary, SurfaceCount, generate};
pub use quirks::{TYPE_CHANGES, TypeChange};
