//! The driver of conversations: wires that print one whole message a line, after the fashion of
//! Claude's `stream-json`, and that name no turns.
//!
//! ```text
//! bytes ▶ frame ▶ head (type, session, parent) ▶ decode ▶ rows::map ▶ outcome
//! ```
//!
//! [`driver`] reads the lines, begins the session, its threads and its turns, and ends a turn whose
//! result does not decode; [`talk`] is what it remembers; [`items`] makes items of texts, of calls
//! and of their results; [`host`] tells what the user says.
//!
//! # A further provider
//!
//! 1. Its row table declares the rules of this driver in `implied`, as Amp's does: the table of
//!    the rules stands at [`driver::Rules`], and [`conversation_rules!`](driver) ties them to its
//!    mapping. Regenerate: `wire::SURFACE::{Mapping, map, tag_path, implied}`.
//! 2. Its mapping is a struct with a [`Talk`](talk::Talk), and implements the generated `Mapping`:
//!    one method a row, which calls the functions of [`items`] with the sink of the row.
//! 3. It implements `Provider` (two lines: `KIND`, and `place` by its `Talk`) and
//!    [`Conversation`](driver::Conversation): the type of its messages, its `Talk`, `tag_path` and
//!    `map` of the generated module, and which lines show that the agent works. All else has a
//!    default.
//! 4. Its session is a struct of `core` and `streams` with `session_api!`, whose `drain` is
//!    [`driver::drain`].
//! 5. A mapping that ends a turn calls `self.ends_turn(cx)`, says how it ended, and emits that.
//!
//! Amp (`providers/amp`) is the whole of it in three files.

pub(crate) mod calls;
pub(crate) mod driver;
pub(crate) mod head;
pub(crate) mod host;
pub(crate) mod items;
pub(crate) mod open_items;
pub(crate) mod results;
pub(crate) mod said;
pub(crate) mod talk;
pub(crate) mod texts;
pub(crate) mod turns;
pub(crate) mod values;
