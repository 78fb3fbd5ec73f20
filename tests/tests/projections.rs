//! Projections: the table of terms of universal events, the sentences about agent events, the rows,
//! and what holds for every recorded stream.

#![allow(clippy::unwrap_used, clippy::panic)]

mod support;

#[path = "canonical_conformance/instances.rs"]
mod instances;
#[path = "canonical_conformance/telemetry.rs"]
mod telemetry;

#[path = "projections/events.rs"]
mod events;
#[path = "projections/exited.rs"]
mod exited;
#[path = "projections/hostile.rs"]
mod hostile;
#[path = "projections/invariants.rs"]
mod invariants;
#[path = "projections/programs.rs"]
mod programs;
#[path = "projections/recorded.rs"]
mod recorded;
#[path = "projections/rows.rs"]
mod rows;
#[path = "projections/sentence_usage.rs"]
mod sentence_usage;
#[path = "projections/sentences.rs"]
mod sentences;
#[path = "projections/term_items.rs"]
mod term_items;
#[path = "projections/term_requests.rs"]
mod term_requests;
#[path = "projections/terms.rs"]
mod terms;
