//! Keeps what `agentwire-codegen` reads, and what it has made, up to date.
//!
//! | module | what it does |
//! |---|---|
//! | [`vendor`] | turns what a package says about its wire into vendored files; the lock, the window |
//! | [`diff`] | what differs between two versions, and for whom that matters |
//! | [`propose`] | a question in the row tables for each variant without a row |
//! | [`upgrade`] | a version more in the window, or some fewer: vendored files, overlays, rows, code |
//! | [`check`] | what is checked in against what its inputs say |
//! | [`report`] | what is covered, by what it is shown, and how it drifted |
//!
//! Everything here is a function from texts to texts; `xtask` reads and writes.

mod carry;
pub mod check;
pub mod diff;
mod drift;
pub mod pages;
pub mod propose;
pub mod report;
mod stems;
pub mod upgrade;
pub mod vendor;

pub use drift::drift;
pub use stems::broken;
