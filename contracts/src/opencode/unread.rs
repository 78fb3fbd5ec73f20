//! Ends of turns that can't be read: the turn is over all the same, and no success.

use std::borrow::Cow;
use std::sync::Arc;

use crate::canonical::{ThreadState, ThreadStateChanged, TurnState};
use crate::core::{Core, Label, Place};
use crate::generated::opencode_v2::values;
use crate::json::Reader;
use crate::mapping::{Cx, member};
use crate::session::Outcome;

use super::mapping::OpenCodeMapping;
use super::messages::fail;
use super::turns::TOOLS;

/// What people read about such an end.
const WORDS: &str = "how the turn ended cannot be read";

/// Adds what an event means that does not decode, where it tells that a turn ended or failed.
pub(super) fn unread(
    core: &mut Core<OpenCodeMapping>,
    place: &Place<'_>,
    label: &Label<'_>,
    mut outcome: Outcome,
) -> Outcome {
    let Some(thread) = core.seen_refs(place).thread else {
        return outcome;
    };
    let finish = text(place, &["finish"]);
    let status = text(place, &["status", "type"]);
    let means: fn(&mut OpenCodeMapping, &mut Cx<'_>) = match label.tag() {
        Some("session.idle") => idle,
        Some("session.status") if status.as_deref() == Some("idle") => idle,
        Some("session.error") => failed,
        Some("session.next.step.failed") => broken,
        // Figures that can't be read fail no turn.
        Some("session.next.step.ended") => match finish.as_deref() {
            Some(TOOLS) => return outcome,
            Some(finish) if values::finish(finish) == Some(TurnState::Completed) => stopped,
            Some(_) | None => broken,
        },
        Some(_) | None => return outcome,
    };
    let ended = core.mapped(place, label, Vec::new(), |mapping, cx| {
        cx.refs.thread = Some(thread);
        means(mapping, cx);
    });
    outcome.events.extend(ended.events);
    outcome
}

fn idle(mapping: &mut OpenCodeMapping, cx: &mut Cx<'_>) {
    if let Some(thread) = mapping.threads.of(cx) {
        thread.end_turn(cx);
    }
    cx.refs.item = None;
    cx.emit(ThreadStateChanged::new(ThreadState::Idle));
}

fn failed(mapping: &mut OpenCodeMapping, cx: &mut Cx<'_>) {
    if let Some(thread) = mapping.threads.of(cx) {
        fail(thread, WORDS);
    }
}

fn broken(mapping: &mut OpenCodeMapping, cx: &mut Cx<'_>) {
    if let Some(thread) = mapping.threads.of(cx) {
        fail(thread, WORDS);
        thread.end_turn(cx);
    }
}

fn stopped(mapping: &mut OpenCodeMapping, cx: &mut Cx<'_>) {
    if let Some(thread) = mapping.threads.of(cx) {
        if let Some(turn) = &mut thread.turn {
            turn.working = None;
            turn.finish = Some(String::from("stop"));
        }
        thread.end_turn(cx);
    }
}

/// A text of the payload, by its path.
fn text(place: &Place<'_>, path: &[&str]) -> Option<Arc<str>> {
    let mut range = place.body.clone();
    for name in path {
        range = member(place.line, range, name)?;
    }
    let text = Reader::over(place.line, range).string().ok();
    text.map(|text: Cow<'_, str>| Arc::from(&*text))
}
