//! The comparison of versions: each check in both directions, edits of real schemas, real history.

#![allow(clippy::unwrap_used, clippy::panic)]

mod accept;
mod bases;
mod checks;
mod documents;
mod edits;
mod forms;
mod history;
mod mutate;
mod reading;
mod roots;
mod sites;
mod small;
