//! Turns what an upstream package says about its wire into the files that are vendored under `schemas/`.
//!
//! Everything here is a function from text to text: fetching the package, running its binary and
//! writing the files is the work of `cargo xtask vendor`.

pub mod bundle;
pub mod lock;
pub mod problem;
pub mod strip;
pub mod unlocked;
mod walk;
pub mod window;
