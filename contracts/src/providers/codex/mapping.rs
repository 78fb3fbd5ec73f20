//! What the mappings of the four Codex surfaces remember between messages.

use crate::canonical::ProviderKind;
use crate::generated::lifecycles;
use crate::kit::core::{Provider, Slot};
use crate::kit::ledger::Lifecycle;

use super::requests::OpenRequests;
use super::turn_memory::TurnMemory;

/// Maps the four surfaces of Codex; one for each session.
#[derive(Debug, Default)]
pub struct CodexMapping {
    /// Requests of the agent that wait for the client.
    pub(super) requests: OpenRequests,
    /// What the older event protocol leaves to be remembered.
    pub(super) turns: TurnMemory,
}

impl CodexMapping {
    /// With nothing remembered.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }
}

impl Provider for CodexMapping {
    const KIND: ProviderKind = ProviderKind::Codex;
    const LIFECYCLE: Lifecycle = lifecycles::CODEX;

    fn slot(member: &str) -> Option<Slot> {
        match member {
            "threadId" | "conversationId" | "thread_id" => Some(Slot::Thread),
            "turnId" | "turn_id" => Some(Slot::Turn),
            "itemId" | "callId" | "item_id" | "call_id" => Some(Slot::Item),
            _ => None,
        }
    }
}
