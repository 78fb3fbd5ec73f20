//! Wires of agents that print a line of JSON for each thing that happens: seed rows, faults, and
//! recorded streams, as they are and tampered with.

#![allow(clippy::unwrap_used, clippy::panic)]

mod faults;
mod goldens;
mod hostile;
mod oddities;
mod opencode;
mod recorded;
mod seed_rows;
