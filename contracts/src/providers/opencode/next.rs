//! Events of the second generation's sessions: `session.next.*`.
//!
//! They say more plainly what begins and ends, and their parts have ids that are their message's
//! only. A turn begins with a prompt or a step, and ends with a step that calls no tools.

use std::sync::Arc;

use crate::canonical::{
    ContentDelta, ContentStreamKind as Kind, ErrorClass, ItemCompleted, ItemLifecycle, ItemStarted,
    ItemStatus, ItemType, ItemUpdated, TurnStarted,
};
use crate::json::OwnedJson;
use crate::kit::ledger::scoped_name;
use crate::kit::mapping::{Cx, EmittedBy, Out};
use crate::kit::parts::{filled, joined, part};
use crate::providers::opencode::wire::event::row;
use crate::providers::opencode::wire::{EventSessionNextStepEndedPropertiesTokens, LlmToolContent};

use super::failures::Told;
use super::messages::{Count, is_of_turn, tell, uses};
use super::thread::{Message, Part, Role, Thread};
use super::tools::{input_summary, item_type, named};
use super::turns::TOOLS;

/// How the server says that the user or the host broke a step off.
const INTERRUPTED: &str = "Provider turn interrupted";

/// A part of a message: its own id is its message's only.
#[derive(Clone, Copy)]
pub(super) struct Piece<'m> {
    pub message: &'m str,
    pub id: &'m str,
}

impl Piece<'_> {
    /// The name of its item.
    fn item(self) -> Arc<str> {
        scoped_name(self.message, self.id)
    }
}

/// The user's prompt goes to the model. A turn that was refused or failed may have had no end.
pub(super) fn prompted(
    thread: &mut Thread,
    cx: &mut Cx<'_>,
    (id, text): (&str, &str),
    out: &Out<row::SessionNextPrompted>,
) {
    let refused = thread.turn.as_ref().is_some_and(|it| it.failure.is_some());
    if refused {
        thread.end_turn(cx, out);
    }
    let id: Arc<str> = Arc::from(id);
    thread.begin_turn(cx, Some(&id), None, out);
    let turn = thread.turn_name().cloned();
    let known = thread.messages.get(&id).is_some();
    let message = Message::new(Role::User, turn);
    thread.messages.insert(Arc::clone(&id), message);
    if !known {
        says(cx, id, text, out);
    }
}

/// Words that stand for the user's: an item that comes whole.
pub(super) fn says<R>(cx: &mut Cx<'_>, item: Arc<str>, text: &str, out: &Out<R>)
where
    ItemStarted: EmittedBy<R>,
    ItemCompleted: EmittedBy<R>,
{
    cx.refs.item = Some(item);
    let said = ItemLifecycle {
        status: Some(ItemStatus::Completed),
        detail: filled(text),
        data: Some(part(cx, &["properties"])),
        ..ItemLifecycle::new(ItemType::UserMessage)
    };
    out.emit(
        cx,
        ItemStarted(ItemLifecycle {
            status: Some(ItemStatus::InProgress),
            ..ItemLifecycle::new(ItemType::UserMessage)
        }),
    );
    out.emit(cx, ItemCompleted(said));
}

/// The model begins a step.
pub(super) fn step(
    thread: &mut Thread,
    cx: &mut Cx<'_>,
    message: &str,
    model: &str,
) -> Option<TurnStarted> {
    let id: Arc<str> = Arc::from(message);
    let begins = thread.opens_turn(cx, None, Some(model));
    let turn = thread.turn_name().cloned();
    if thread.messages.get(&id).is_none() {
        let message = Message::new(Role::Assistant, turn);
        thread.messages.insert(Arc::clone(&id), message);
    }
    if let Some(turn) = &mut thread.turn {
        turn.works(&id);
        turn.stepped = true;
    }
    thread.told_failure = None;
    begins
}

/// How a step ended.
pub(super) struct Step<'m> {
    pub message: &'m str,
    pub finish: &'m str,
    pub tokens: &'m EventSessionNextStepEndedPropertiesTokens,
    pub cost: f64,
}

/// A step ended. True where its tokens are told now.
pub(super) fn step_ended(
    thread: &mut Thread,
    cx: &mut Cx<'_>,
    step: &Step<'_>,
    out: &Out<row::SessionNextStepEnded>,
) -> bool {
    let id: Arc<str> = Arc::from(step.message);
    cx.refs.turn = thread.turn_of(&id);
    thread.close_all(cx, Some(&id), None, out);
    cx.refs.turn = thread.turn_of(&id);
    cx.refs.item = None;
    let tokens = step.tokens.count();
    uses(thread, cx, tokens, step.cost);
    let of_turn = is_of_turn(thread, cx);
    if let Some(turn) = thread.turn.as_mut().filter(|_| of_turn) {
        turn.working = None;
        turn.finish = Some(step.finish.to_owned());
    }
    tokens.any()
}

/// Whether the turn is over after a step that ended so.
pub(super) fn is_over(thread: &Thread, cx: &Cx<'_>, finish: &str) -> bool {
    is_of_turn(thread, cx) && finish != TOOLS
}

/// A step failed, and its turn with it.
pub(super) fn step_failed(
    thread: &mut Thread,
    cx: &mut Cx<'_>,
    (message, words): (&str, &str),
    out: &Out<row::SessionNextStepFailed>,
) {
    let id: Arc<str> = Arc::from(message);
    cx.refs.turn = thread.turn_of(&id);
    if words == INTERRUPTED {
        return thread.break_off(cx, out);
    }
    let told = Told::words(words, class(words), cx.raw(&["properties", "error"]));
    tell(thread, cx, &told, out);
    thread.end_turn(cx, out);
}

/// The class of a failure, of which the server tells words only.
fn class(words: &str) -> ErrorClass {
    const STATUS: &str = "failed with HTTP ";
    let status = crate::kit::failures::status_after(STATUS, words);
    status.map_or(ErrorClass::ProviderError, crate::kit::failures::of_status)
}

/// A text, a reasoning or a call begins. Gives the item where it does.
pub(super) fn starts(
    thread: &mut Thread,
    cx: &mut Cx<'_>,
    piece: Piece<'_>,
    (item_type, kind): (ItemType, Kind),
    title: Option<&str>,
) -> ItemLifecycle {
    let (item, message): (Arc<str>, Arc<str>) = (piece.item(), Arc::from(piece.message));
    let key = (Arc::clone(&message), Arc::from(piece.id));
    thread.calls.insert(key, Arc::clone(&item));
    let (_, part) = thread.part(&item, || Part::new(&message, item_type, kind));
    cx.refs.item = Some(item);
    let title = title.and_then(filled);
    if let Some(part) = part {
        cx.refs.turn.clone_from(&part.turn);
        part.item_type = item_type;
        part.kind = kind;
        if title.is_some() && part.is_open() {
            part.title.clone_from(&title);
        }
    }
    ItemLifecycle {
        status: Some(ItemStatus::InProgress),
        title,
        data: cx.raw(&["properties"]),
        ..ItemLifecycle::new(item_type)
    }
}

/// A piece is streamed into an item. One that was never told opens.
pub(super) fn streams<R>(
    thread: &mut Thread,
    cx: &mut Cx<'_>,
    piece: Piece<'_>,
    (item_type, kind): (ItemType, Kind),
    delta: &str,
    out: &Out<R>,
) where
    ItemStarted: EmittedBy<R>,
    ContentDelta: EmittedBy<R>,
{
    let (item, message) = (piece.item(), Arc::from(piece.message));
    let (is_new, part) = thread.part(&item, || Part::new(&message, item_type, kind));
    let Some(part) = part else { return };
    cx.refs.turn.clone_from(&part.turn);
    cx.refs.item = Some(item);
    if is_new {
        out.emit(
            cx,
            ItemStarted(ItemLifecycle {
                status: Some(ItemStatus::InProgress),
                ..ItemLifecycle::new(item_type)
            }),
        );
    }
    let new = match part.is_open() {
        true => part.text.stream(delta),
        false => None,
    };
    match new {
        Some(new) => out.emit(cx, ContentDelta::new(kind, new)),
        None => cx.dropped("the whole text told it already"),
    }
}

/// A text or a reasoning is whole: what was not streamed of it, and its end.
pub(super) fn ends<R>(
    thread: &mut Thread,
    cx: &mut Cx<'_>,
    piece: Piece<'_>,
    (item_type, kind): (ItemType, Kind),
    text: &str,
    out: &Out<R>,
) where
    ItemUpdated: EmittedBy<R>,
    ContentDelta: EmittedBy<R>,
    ItemCompleted: EmittedBy<R>,
{
    let (item, message) = (piece.item(), Arc::from(piece.message));
    let (_, part) = thread.part(&item, || Part::new(&message, item_type, kind));
    let Some(part) = part else { return };
    cx.refs.turn.clone_from(&part.turn);
    cx.refs.item = Some(Arc::clone(&item));
    let told = ItemLifecycle {
        status: Some(ItemStatus::Completed),
        title: part.title.clone(),
        detail: filled(text),
        data: cx.raw(&["properties"]),
        ..ItemLifecycle::new(item_type)
    };
    if !part.is_open() {
        return out.emit(cx, ItemUpdated(told));
    }
    let new = part.text.whole(text);
    if let Some(new) = new {
        out.emit(cx, ContentDelta::new(kind, new));
    }
    thread.close(&item);
    out.emit(cx, ItemCompleted(told));
}

/// What a call is, by the name of its tool.
pub(super) fn call_type(tool: &str) -> (ItemType, Kind) {
    // What is streamed before a call runs is its input, and no output.
    (item_type(tool), Kind::Unknown)
}

/// A call has its whole input.
pub(super) fn called(
    thread: &mut Thread,
    cx: &mut Cx<'_>,
    piece: Piece<'_>,
    tool: &str,
) -> (bool, ItemLifecycle) {
    let item = piece.item();
    let is_new = thread.parts.get(&item).is_none();
    let input = cx.raw(&["properties", "input"]);
    let title = input.as_ref().and_then(input_summary);
    let kinds = call_type(tool);
    let title = title.or_else(|| named(kinds.0).then(|| tool.to_owned()));
    let told = starts(thread, cx, piece, kinds, title.as_deref());
    (is_new, told)
}

/// News of a call that goes on: the item as it was told before.
pub(super) fn goes_on(thread: &mut Thread, cx: &mut Cx<'_>, piece: Piece<'_>) -> ItemUpdated {
    let item = piece.item();
    let message: Arc<str> = Arc::from(piece.message);
    let (_, part) = thread.part(&item, || {
        Part::new(&message, ItemType::DynamicToolCall, Kind::Unknown)
    });
    let mut told = ItemLifecycle::new(ItemType::DynamicToolCall);
    told.status = Some(ItemStatus::InProgress);
    if let Some(part) = part {
        cx.refs.turn.clone_from(&part.turn);
        told.item_type = part.item_type;
        told.title.clone_from(&part.title);
    }
    cx.refs.item = Some(item);
    told.data = cx.raw(&["properties"]);
    ItemUpdated(told)
}

/// A piece of the input of a call, as text.
pub(super) fn input(
    thread: &mut Thread,
    cx: &mut Cx<'_>,
    piece: Piece<'_>,
    delta: &str,
    out: &Out<row::SessionNextToolInputDelta>,
) {
    let known = thread.parts.get(&piece.item()).map(|part| part.item_type);
    let item_type = known.unwrap_or(ItemType::DynamicToolCall);
    streams(thread, cx, piece, (item_type, Kind::Unknown), delta, out);
}

/// A compaction goes on. Gives its item.
pub(super) fn compacts(thread: &mut Thread, cx: &mut Cx<'_>, message: &str) -> Arc<str> {
    let item = Arc::from(message);
    let (_, part) = thread.part(&item, || {
        Part::new(&item, ItemType::ContextCompaction, Kind::Unknown)
    });
    if let Some(part) = part {
        cx.refs.turn.clone_from(&part.turn);
    }
    cx.refs.item = Some(Arc::clone(&item));
    item
}

/// A call ended. True where the user refused it.
pub(super) fn call_ended(
    thread: &mut Thread,
    cx: &mut Cx<'_>,
    piece: Piece<'_>,
    status: ItemStatus,
    detail: Option<String>,
) -> (bool, ItemCompleted) {
    let ItemUpdated(told) = goes_on(thread, cx, piece);
    let item = piece.item();
    let refused = thread.parts.get(&item).is_some_and(|it| it.refused);
    let status = if refused && status == ItemStatus::Failed {
        ItemStatus::Declined
    } else {
        status
    };
    let was_open = thread.close(&item);
    let ended = ItemLifecycle {
        status: Some(status),
        detail,
        ..told
    };
    (refused && was_open, ItemCompleted(ended))
}

/// What a tool gave back, for people: its texts.
pub(super) fn output(content: &[LlmToolContent<'_>]) -> Option<String> {
    joined(content.iter().filter_map(|content| match content {
        LlmToolContent::Text(text) => Some(text.text.to_string()),
        LlmToolContent::File(_) | LlmToolContent::Unrecognized(_) => None,
    }))
}

/// A setting of the thread, by which projections know its model.
pub(super) fn model_setting(id: &str) -> OwnedJson {
    OwnedJson::from_value(&serde_json::json!({ "model": id }))
}
