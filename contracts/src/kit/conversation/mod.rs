//! What the mappings of agents share that print one whole message of the model a line, after the
//! fashion of Claude: calls, their results, what the user said, turns that the wire does not name,
//! and open items.

pub(crate) mod calls;
pub(crate) mod open_items;
pub(crate) mod results;
pub(crate) mod said;
pub(crate) mod turns;
pub(crate) mod values;
