//! What is covered: every row with the versions that have it and the recordings that show it, how each
//! surface grew, and what differs between versions; as a page to look at and as Markdown.

mod changes;
mod evidence;
mod halves;
mod history;
mod html;
mod markdown;
mod markup;
mod matrix;
mod model;
#[cfg(test)]
mod tests;
mod words;

pub use evidence::{Evidence, Transcript};
pub use halves::without_halves;
pub use history::{Step, history};
pub use html::html;
pub use markdown::markdown;
pub use matrix::{Cell, Matrix, Shown};
pub use model::{Compared, Coverage, CoveredProvider, Pair, coverage};
