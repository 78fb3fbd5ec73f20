//! The Claude Agent SDK: seed rows, faults, recorded streams, and streams that were tampered with.

#![allow(clippy::unwrap_used, clippy::panic)]

mod support;

#[path = "claude/dialogue.rs"]
mod dialogue;
#[path = "claude/faults_json.rs"]
mod faults_json;
#[path = "claude/faults_malformed.rs"]
mod faults_malformed;
#[path = "claude/faults_pieces.rs"]
mod faults_pieces;
#[path = "claude/faults_tags.rs"]
mod faults_tags;
#[path = "claude/faults_turns.rs"]
mod faults_turns;
#[path = "claude/faults_values.rs"]
mod faults_values;
#[path = "claude/goldens.rs"]
mod goldens;
#[path = "claude/hostile.rs"]
mod hostile;
#[path = "claude/invariants.rs"]
mod invariants;
#[path = "claude/large.rs"]
mod large;
#[path = "claude/lines.rs"]
mod lines;
#[path = "claude/recorded.rs"]
mod recorded;
#[path = "claude/recordings.rs"]
mod recordings;
#[path = "claude/round_trip.rs"]
mod round_trip;
#[path = "claude/seed_rows.rs"]
mod seed_rows;
