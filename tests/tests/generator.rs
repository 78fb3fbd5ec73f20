//! What the generator makes of schemas and rows, and what its types read: one program, so that the
//! library is linked once for all of its suites.
//!
//! `cargo test -p agentwire-tests --test generator drift::` runs one of them.

mod build_fails;
mod claude_types;
mod diagnostics;
mod diff;
mod drift;
mod generation;
mod instances;
mod provenance;
