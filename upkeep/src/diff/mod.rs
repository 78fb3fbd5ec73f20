//! What differs between two versions of a provider, and for whom that matters.
//!
//! Works on the vendored documents as they are, so that nothing that a schema says is lost on the
//! way. Direction decides: what a provider sends and what it accepts are opposite contracts, and
//! [`Check`] has the one table of what each change means in each of them.

mod accept;
mod check;
mod compare;
mod ends;
mod keyed;
mod lower;
mod message;
mod model;
mod path;
mod reach;
mod render;
mod roots;
mod schema;
mod side;
mod walk;

pub use accept::{Accepted, CAP};
pub use check::{Check, Class, Direction, Verdict};
pub use compare::compare;
pub use model::{Change, Diff, Location, Note, Reached, SurfaceInfo};
pub(crate) use render::code;
pub use render::{
    classes_markdown, classes_text, github, json, markdown, markdown_summary, markdown_within, text,
};
pub use side::{FaceFile, Side};
