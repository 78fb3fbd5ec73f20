//! Ends of turns that can't be read: the turn is over all the same, and no success.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use crate::canonical::{ThreadState, ThreadStateChanged, TurnState};
use crate::json::{Kind, Reader};
use crate::kit::core::{Core, Label, Place};
use crate::kit::mapping::{Cx, member};
use crate::kit::session::Outcome;
use crate::providers::opencode::wire::event::implied;
use crate::providers::opencode::wire::values;

use super::mapping::OpenCodeMapping;
use super::messages::fail;
use super::thread::Role;
use super::turns::{Failure, TOOLS};

/// What people read about such an end.
const WORDS: &str = "how the turn ended cannot be read";

/// Adds what an event means that does not decode, where it tells that a turn ended or failed.
pub(super) fn unread(
    core: &mut Core<OpenCodeMapping>,
    place: &Place<'_>,
    label: &Label<'_>,
    mut outcome: Outcome,
) -> Outcome {
    let named = core.seen_refs(place).thread;
    let Some(thread) = named.or_else(|| text(place, &["info", "sessionID"])) else {
        return outcome;
    };
    let finish = text(place, &["finish"]);
    let status = text(place, &["status", "type"]);
    let step = Step::read(place);
    let goes_on = |mapping: &mut OpenCodeMapping, cx: &mut Cx<'_>| step.told(mapping, cx);
    let means: &dyn Fn(&mut OpenCodeMapping, &mut Cx<'_>) = match label.tag() {
        Some("message.updated") => &goes_on,
        Some("session.idle") => &idle,
        Some("session.status") if status.as_deref() == Some("idle") => &idle,
        Some("session.error") => &failed,
        Some("session.next.step.failed") => &broken,
        // Figures that can't be read fail no turn.
        Some("session.next.step.ended") => match finish.as_deref() {
            Some(TOOLS) => return outcome,
            Some(finish) if values::finish(finish) == Some(TurnState::Completed) => &stopped,
            Some(_) | None => &broken,
        },
        Some(_) | None => return outcome,
    };
    let ended = core.mapped(place, label, Vec::new(), |mapping, cx| {
        cx.refs.thread = Some(thread);
        means(mapping, cx);
    });
    outcome.append(ended);
    outcome
}

/// What can be read of a message of the model: why its turn is no success, or that it is one.
struct Step {
    id: Option<Arc<str>>,
    /// Why it failed, where it did.
    failure: Option<String>,
    finish: Option<String>,
}

impl Step {
    /// Nothing of what the user says.
    fn read(place: &Place<'_>) -> Self {
        let said = text(place, &["info", "role"]).as_deref() == Some("user");
        let error = member_at(place, &["info", "error"]).filter(|error| {
            let kind = Reader::over(place.line, error.clone()).kind();
            !matches!(kind, Ok(Kind::Null))
        });
        let words = text(place, &["info", "error", "data", "message"]);
        let words = words.map_or_else(|| WORDS.to_owned(), |words| words.to_string());
        Self {
            id: text(place, &["info", "id"]).filter(|_| !said),
            failure: error.map(|_| words),
            finish: text(place, &["info", "finish"]).map(|finish| finish.to_string()),
        }
    }

    /// The turn that is going on ends by this message, and no longer by the one before it.
    fn told(&self, mapping: &mut OpenCodeMapping, cx: &mut Cx<'_>) {
        let (Some(id), Some(thread)) = (&self.id, mapping.threads.of(cx)) else {
            return;
        };
        let known = thread.messages.get(id);
        let is_begun = known.is_some_and(|message| message.role != Role::Unknown);
        let of_turn = thread.turn_of(id).as_ref() == thread.turn_name();
        let Some(turn) = thread.turn.as_mut().filter(|_| of_turn) else {
            return;
        };
        if !is_begun {
            turn.works(id);
        }
        if let Some(words) = &self.failure {
            turn.failure = Some(Failure::Failed(words.clone()));
        } else if self.finish.is_some() {
            turn.finish.clone_from(&self.finish);
            turn.working = None;
        }
    }
}

fn idle(mapping: &mut OpenCodeMapping, cx: &mut Cx<'_>) {
    let out = implied::unreadable_end();
    if let Some(thread) = mapping.threads.of(cx) {
        thread.end_turn(cx, &out);
    }
    cx.refs.item = None;
    out.emit(cx, ThreadStateChanged::new(ThreadState::Idle));
}

fn failed(mapping: &mut OpenCodeMapping, cx: &mut Cx<'_>) {
    if let Some(thread) = mapping.threads.of(cx) {
        fail(thread, WORDS);
    }
}

fn broken(mapping: &mut OpenCodeMapping, cx: &mut Cx<'_>) {
    if let Some(thread) = mapping.threads.of(cx) {
        fail(thread, WORDS);
        thread.end_turn(cx, &implied::unreadable_end());
    }
}

fn stopped(mapping: &mut OpenCodeMapping, cx: &mut Cx<'_>) {
    if let Some(thread) = mapping.threads.of(cx) {
        if let Some(turn) = &mut thread.turn {
            turn.working = None;
            turn.finish = Some(String::from("stop"));
        }
        thread.end_turn(cx, &implied::unreadable_end());
    }
}

/// A text of the payload, by its path.
fn text(place: &Place<'_>, path: &[&str]) -> Option<Arc<str>> {
    let range = member_at(place, path)?;
    let text = Reader::over(place.line, range).string().ok();
    text.map(|text: Cow<'_, str>| Arc::from(&*text))
}

/// Where a member of the payload stands, by its path.
fn member_at(place: &Place<'_>, path: &[&str]) -> Option<Range<usize>> {
    let mut range = place.body.clone();
    for name in path {
        range = member(place.line, range, name)?;
    }
    Some(range)
}
