//! The older event protocol of Codex.

/// What a turn of the older event protocol leaves to be remembered.
#[derive(Debug, Default)]
pub struct TurnMemory {}
