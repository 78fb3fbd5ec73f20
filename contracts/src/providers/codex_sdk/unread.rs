//! Ends of turns that can't be read: the turn is over all the same.

use crate::kit::core::{Core, Label, Place};
use crate::kit::session::Outcome;
use crate::providers::codex_sdk::wire::thread_event::implied;

use super::mapping::CodexSdkMapping;
use super::thread_event::{ended_well, failed};

/// Adds the end of the turn to the outcome of a line that tells one and does not decode. Which of
/// the two ends it is stands in its type, and figures that can't be read fail no turn.
pub(super) fn unread(
    core: &mut Core<CodexSdkMapping>,
    place: &Place<'_>,
    label: &Label<'_>,
    mut outcome: Outcome,
) -> Outcome {
    let end = match label.tag() {
        Some("turn.completed") => None,
        Some("turn.failed") => Some(failed("what failed the turn cannot be read")),
        Some(_) | None => return outcome,
    };
    let ended = core.mapped(place, label, Vec::new(), |mapping, cx| {
        mapping.set_place(cx);
        mapping.end_turn(cx);
        let end = end.unwrap_or_else(|| ended_well(cx));
        implied::unreadable_end().emit(cx, end);
    });
    outcome.append(ended);
    outcome
}
