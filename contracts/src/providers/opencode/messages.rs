//! Messages: who speaks in which turn, what a step of the model used, and what went wrong.

use std::sync::Arc;

use crate::canonical::{
    ContentStreamKind as Kind, ItemLifecycle, ItemStarted, ItemStatus, ItemType, ItemUpdated,
    RuntimeError, ThreadTokenUsageUpdated,
};
use crate::kit::mapping::{Cx, EmittedBy, Out};
use crate::kit::parts::pick;
use crate::providers::opencode::wire::event::row;
use crate::providers::opencode::wire::{
    AssistantMessage, AssistantMessageTokens, EventSessionNextStepEndedPropertiesTokens,
    StepFinishPart, StepFinishPartTokens, UserMessage,
};

use super::failures::{Told, of_message};
use super::thread::{Counted, Message, Part, Role, Thread};
use super::turns::{Failure, Tokens};

/// Where a message stands in an event.
const INFO: &[&str] = &["properties", "info"];

/// What is told by a message.
type OfMessage = Out<row::MessageUpdated>;

/// A message of the user: it begins a turn, unless one is going on.
pub(super) fn user(thread: &mut Thread, cx: &mut Cx<'_>, info: &UserMessage<'_>, out: &OfMessage) {
    let id: Arc<str> = Arc::from(&*info.id);
    let known = thread.messages.get(&id).cloned();
    let is_new = known.as_ref().is_none_or(|it| it.role == Role::Unknown);
    if is_new {
        thread.close_said(cx, out);
        let turn = match info.time.created < thread.created {
            // A session that is copied from another one has its messages.
            true => None,
            false => {
                thread.begin_turn(cx, Some(&id), Some(&*info.model.model_id), out);
                thread.turn_name().cloned()
            }
        };
        let mut message = Message::new(Role::User, turn);
        message.is_open = true;
        thread.saying.push(Arc::clone(&id));
        thread.messages.insert(Arc::clone(&id), message);
        said_before(thread, cx, &id, out);
    }
    cx.refs.turn = thread.turn_of(&id);
    cx.refs.item = Some(Arc::clone(&id));
    let is_open = thread.messages.get(&id).is_some_and(|it| it.is_open);
    let item = ItemLifecycle {
        status: Some(match is_open {
            true => ItemStatus::InProgress,
            false => ItemStatus::Completed,
        }),
        data: cx.raw(INFO),
        ..ItemLifecycle::new(ItemType::UserMessage)
    };
    match is_new {
        true => out.emit(cx, ItemStarted(item)),
        false => out.emit(cx, ItemUpdated(item)),
    }
}

/// Parts that came before it was known that the user speaks are the user's.
fn said_before(thread: &mut Thread, cx: &mut Cx<'_>, message: &Arc<str>, out: &OfMessage) {
    for item in thread.open_items(Some(message)) {
        if let Some(part) = thread.parts.get_mut(&item) {
            part.item_type = ItemType::UserMessage;
        }
    }
    thread.close_all(cx, Some(message), Some(ItemStatus::Completed), out);
}

/// A message of the model: one step of a turn.
pub(super) fn assistant(
    thread: &mut Thread,
    cx: &mut Cx<'_>,
    info: &AssistantMessage<'_>,
    out: &OfMessage,
) {
    let id: Arc<str> = Arc::from(&*info.id);
    let ends = has_ended(info);
    begins(thread, cx, &id, info, out);
    cx.refs.item = None;
    cx.refs.turn = thread.turn_of(&id);
    if let Some(error) = &info.error {
        let told = of_message(error, cx.raw(&["properties", "info", "error"]));
        if is_of_turn(thread, cx) {
            tell(thread, cx, &told, out);
        } else if let Some(event) = late(thread, &told) {
            out.emit(cx, event);
        }
    }
    if !ends {
        return;
    }
    // The end of a message may be told before that of its parts.
    if info.error.is_some() {
        thread.close_all(cx, Some(&id), Some(ItemStatus::Failed), out);
    }
    let of_turn = is_of_turn(thread, cx);
    if let Some(turn) = thread.turn.as_mut().filter(|_| of_turn) {
        if turn.working.as_ref() == Some(&id) {
            turn.working = None;
        }
        if let Some(finish) = &info.finish {
            turn.finish = Some(finish.to_string());
        }
    }
    let tokens = info.tokens.count();
    let told = match thread.message(&id) {
        Some(message) if message.counted.is_none() && tokens.any() => {
            message.counted = Some(Counted::ByMessage);
            true
        }
        Some(_) | None => false,
    };
    if told {
        uses(thread, cx, tokens, info.cost);
        let usage = pick(
            cx,
            &[
                &["properties", "info", "tokens"],
                &["properties", "info", "cost"],
            ],
        );
        out.emit(cx, ThreadTokenUsageUpdated { usage });
    }
}

/// The first that is told of a message of the model.
fn begins(
    thread: &mut Thread,
    cx: &mut Cx<'_>,
    id: &Arc<str>,
    info: &AssistantMessage<'_>,
    out: &OfMessage,
) {
    let known = thread.messages.get(id).cloned();
    if known.as_ref().is_some_and(|it| it.role != Role::Unknown) {
        return;
    }
    let is_copied = info.time.created < thread.created;
    if !has_ended(info) && !is_copied {
        let asked: Arc<str> = Arc::from(&*info.parent_id);
        thread.begin_turn(cx, Some(&asked), Some(&*info.model_id), out);
    }
    thread.close_said(cx, out);
    let mut message = known.unwrap_or_else(|| Message::new(Role::Assistant, None));
    message.role = Role::Assistant;
    if message.turn.is_none() && !is_copied {
        message.turn = thread.turn_name().cloned();
    }
    thread.messages.insert(Arc::clone(id), message);
    if is_copied {
        return;
    }
    if let Some(turn) = &mut thread.turn {
        turn.works(id);
        thread.told_failure = None;
    }
}

/// Whether a message of the model is over.
const fn has_ended(info: &AssistantMessage<'_>) -> bool {
    info.time.completed.is_some() || info.error.is_some()
}

/// Whether the context speaks of the turn that is going on.
pub(super) fn is_of_turn(thread: &Thread, cx: &Cx<'_>) -> bool {
    thread.turn_name().is_some() && thread.turn_name() == cx.refs.turn.as_ref()
}

/// An error is told, once, and the turn that is going on has failed by it, unless the model goes on.
pub(super) fn tell<R>(thread: &mut Thread, cx: &mut Cx<'_>, told: &Told, out: &Out<R>)
where
    RuntimeError: EmittedBy<R>,
{
    if let Some(event) = late(thread, told) {
        out.emit(cx, event);
    }
    if let Some(turn) = &mut thread.turn {
        turn.failure = Some(told.failure.clone());
    }
}

/// The event of an error that was not told yet. One that is only broken off has none.
fn late(thread: &mut Thread, told: &Told) -> Option<RuntimeError> {
    let event = told.event()?;
    if thread.told_failure.as_ref() == Some(&event.message) {
        return None;
    }
    thread.told_failure = Some(event.message.clone());
    Some(event)
}

/// The end of a step: the tokens that it used.
pub(super) fn finished(
    thread: &mut Thread,
    cx: &mut Cx<'_>,
    part: &StepFinishPart<'_>,
) -> Option<ThreadTokenUsageUpdated> {
    let id: Arc<str> = Arc::from(&*part.message_id);
    cx.refs.turn = thread.turn_of(&id);
    let step: Arc<str> = Arc::from(&*part.id);
    let again = thread.parts.get(&step).is_some();
    thread.part(&step, || Part::new(&id, ItemType::Unknown, Kind::Unknown));
    thread.close(&step);
    if again {
        return None;
    }
    if let Some(message) = thread.message(&id) {
        if message.counted == Some(Counted::ByMessage) {
            return None;
        }
        message.counted = Some(Counted::BySteps);
    }
    uses(thread, cx, part.tokens.count(), part.cost);
    Some(ThreadTokenUsageUpdated {
        usage: pick(
            cx,
            &[
                &["properties", "part", "tokens"],
                &["properties", "part", "cost"],
            ],
        ),
    })
}

/// The turn that is going on used tokens.
pub(super) fn uses(thread: &mut Thread, cx: &Cx<'_>, tokens: Tokens, cost: f64) {
    if is_of_turn(thread, cx)
        && let Some(turn) = &mut thread.turn
    {
        turn.uses(tokens, cost);
    }
}

/// Figures of tokens, of whatever type.
pub(super) trait Count {
    /// The same, of one type.
    fn count(&self) -> Tokens;
}

/// The types have the same members.
macro_rules! counted {
    ($($tokens:ident),+) => {$(
        impl Count for $tokens {
            fn count(&self) -> Tokens {
                Tokens {
                    input: self.input,
                    output: self.output,
                    reasoning: self.reasoning,
                    cache_read: self.cache.read,
                    cache_write: self.cache.write,
                }
            }
        }
    )+};
}
counted!(
    AssistantMessageTokens,
    EventSessionNextStepEndedPropertiesTokens,
    StepFinishPartTokens
);

/// What an error that can't be read means: the turn that is going on is no success.
pub(super) fn fail(thread: &mut Thread, words: &str) {
    if let Some(turn) = &mut thread.turn {
        turn.failure = Some(Failure::Failed(words.to_owned()));
    }
}
