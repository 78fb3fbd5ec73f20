//! Projections: the table of terms of universal events, the sentences about agent events, the rows,
//! and what holds for every recorded stream.

#![allow(clippy::unwrap_used, clippy::panic)]

mod events;
mod exited;
mod hostile;
mod invariants;
mod programs;
mod recorded;
mod rows;
mod sentence_usage;
mod sentences;
mod term_items;
mod term_requests;
mod terms;
