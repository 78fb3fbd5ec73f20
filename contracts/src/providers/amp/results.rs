//! Results: how a turn ended.

use crate::canonical::{ErrorClass, RuntimeError, TurnCompleted, TurnState};
use crate::json::OwnedJson;
use crate::kit::failures::{leading_status, of_status};
use crate::kit::mapping::Cx;
use crate::kit::parts::{filled, object};

use super::mapping::AmpMapping;

/// How the agent says that the user broke the turn off.
const CANCELLED: &str = "User cancelled";

/// What a result says.
pub(super) struct End<'m> {
    /// It says that the turn failed.
    pub fails: bool,
    /// What it says about that.
    pub words: Option<&'m str>,
    /// The class of the failure, where its words tell no other.
    pub class: ErrorClass,
}

/// The events of the end of a turn: what went wrong, if anything, and the end.
pub(super) fn ends(
    mapping: &mut AmpMapping,
    cx: &mut Cx<'_>,
    end: &End<'_>,
) -> (Option<RuntimeError>, TurnCompleted) {
    let cancelled = end.words.is_some_and(|words| words.starts_with(CANCELLED));
    let state = match (end.fails, cancelled) {
        (false, _) => mapping.state_by_stop(),
        (true, true) => TurnState::Interrupted,
        (true, false) => TurnState::Failed,
    };
    let stop = mapping.stop.as_ref().map(|it| it.as_str().to_owned());
    // A reader may have missed the beginning of the turn; its end has a name all the same.
    mapping.turns.start();
    if let Some(scope) = mapping.turns.scope() {
        mapping.end_turn(cx, &scope);
    }
    let words = words(end, stop.as_deref());
    let failed = state == TurnState::Failed;
    let error = failed.then(|| {
        let status = leading_status(&words);
        RuntimeError::new(&*words, status.map_or(end.class, of_status))
    });
    let completed = TurnCompleted {
        stop_reason: stop.map(Some),
        usage: cx.raw(&["usage"]).map(|usage| used(mapping, usage)),
        error_message: failed.then_some(words),
        ..TurnCompleted::new(state)
    };
    (error, completed)
}

/// What a result counts, it counts over all turns of the process: it is the turn's own only where no
/// other one ended before.
fn used(mapping: &AmpMapping, usage: OwnedJson) -> OwnedJson {
    match mapping.ended {
        0 | 1 => usage,
        _ => object(&[("total", usage)]),
    }
}

/// What people read about a failure.
fn words(end: &End<'_>, stop: Option<&str>) -> String {
    let said = end.words.and_then(filled);
    said.unwrap_or_else(|| format!("the turn failed: {}", stop.unwrap_or("no reason given")))
}
