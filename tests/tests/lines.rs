//! Wires of agents that print a line of JSON for each thing that happens: seed rows, faults, and
//! recorded streams, as they are and tampered with.

#![allow(clippy::unwrap_used, clippy::panic)]

mod support;

#[path = "lines/faults.rs"]
mod faults;
#[path = "lines/goldens.rs"]
mod goldens;
#[path = "lines/hostile.rs"]
mod hostile;
#[path = "lines/oddities.rs"]
mod oddities;
#[path = "lines/opencode.rs"]
mod opencode;
#[path = "lines/recorded.rs"]
mod recorded;
#[path = "lines/seed_rows.rs"]
mod seed_rows;
