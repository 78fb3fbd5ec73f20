//! What readers make of streams: one program, so that the library is linked once for all of its suites.
//!
//! `cargo test -p agentwire-tests --test readers claude::` runs one of them.

mod support;

mod acp;
mod canonical_conformance;
mod claude;
mod counting;
mod coverage;
mod faults;
mod goldens;
mod interoperability;
mod lines;
mod projections;
mod round_trip;
mod rows_bind;
mod seed_rows;
mod transcripts;
