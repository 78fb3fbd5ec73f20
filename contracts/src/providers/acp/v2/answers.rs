//! The client's answers to requests of an agent, version 2: what each decides.

use crate::canonical::Decision;
use crate::providers::acp::wire::v2::{
    ClientAnswer, RequestPermissionOutcome,
};

use crate::providers::acp::parts::{Parts, Two};
use crate::providers::acp::requests::Asks;

/// What the client's result decides, where it decides anything that we could name.
pub(in crate::providers::acp) fn decision(answer: &ClientAnswer<'_>, asks: &Asks) -> Option<Decision> {
    match answer {
        ClientAnswer::SessionRequestPermission(result) => match &result.outcome {
            RequestPermissionOutcome::Selected(selected) => {
                asks.decision(selected.option_id.as_str())
            }
            RequestPermissionOutcome::Cancelled(_) => Some(Decision::Cancel),
            RequestPermissionOutcome::Unrecognized(_) => None,
        },
        ClientAnswer::ElicitationCreate(result) => Two::reply(&result.kind),
        // These are answers, and no decisions.
        ClientAnswer::McpMessage(_) | ClientAnswer::Unrecognized(_) => None,
    }
}

/// What an answer decides that cannot be read: the agent knows, and no decision is claimed here.
pub(in crate::providers::acp) fn unreadable(_: &str) -> Option<Decision> {
    None
}
