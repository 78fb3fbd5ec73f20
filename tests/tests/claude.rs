//! The Claude Agent SDK: seed rows, faults, recorded streams, and streams that were tampered with.

#![allow(clippy::unwrap_used, clippy::panic)]

mod dialogue;
mod faults_json;
mod faults_malformed;
mod faults_pieces;
mod faults_tags;
mod faults_turns;
mod faults_values;
mod goldens;
mod hostile;
mod invariants;
mod large;
mod lines;
mod recorded;
mod recordings;
mod round_trip;
mod seed_rows;
