//! Parts of messages that are said, given or taken back.

use std::sync::Arc;

use crate::canonical::{
    ContentDelta, ContentStreamKind as Kind, ItemCompleted, ItemLifecycle, ItemStarted, ItemStatus,
    ItemType, ItemUpdated,
};
use crate::kit::mapping::{Cx, EmittedBy, Out};
use crate::kit::parts::{boolean, filled, object};
use crate::providers::opencode::wire::EventMessagePartDeltaProperties as Delta;
use crate::providers::opencode::wire::event::row;

use super::pieces::Texts;
use super::thread::{Part, Role, Thread};

/// Where a part stands in an event.
pub(super) const PART: &[&str] = &["properties", "part"];

/// What is told by a part of a message.
type OfPart = Out<row::MessagePartUpdated>;

/// A text of a message, as far as it was written.
pub(super) struct Text<'m> {
    pub id: &'m str,
    pub message: &'m str,
    pub text: &'m str,
    /// The piece by which it grew, where that is told beside it.
    pub delta: Option<&'m str>,
    pub ended: bool,
}

/// A text or a reasoning.
pub(super) fn text(
    thread: &mut Thread,
    cx: &mut Cx<'_>,
    text: &Text<'_>,
    item_type: ItemType,
    out: &OfPart,
) {
    let message: Arc<str> = Arc::from(text.message);
    if said_by(thread, &message) == Role::User {
        return says(thread, cx, &message, text, out);
    }
    let kind = if item_type == ItemType::Reasoning {
        Kind::ReasoningText
    } else {
        Kind::AssistantText
    };
    let item: Arc<str> = Arc::from(text.id);
    let (is_new, part) = thread.part(&item, || Part::new(&message, item_type, kind));
    let Some(part) = part else { return };
    part.item_type = item_type;
    part.kind = kind;
    cx.refs.turn.clone_from(&part.turn);
    cx.refs.item = Some(Arc::clone(&item));
    let shown = |status: Option<ItemStatus>, detail: Option<String>, cx: &Cx<'_>| ItemLifecycle {
        status,
        detail,
        data: cx.raw(PART),
        ..ItemLifecycle::new(item_type)
    };
    if !part.is_open() {
        let again = shown(Some(ItemStatus::Completed), filled(text.text), cx);
        return out.emit(cx, ItemUpdated(again));
    }
    let (works, completed) = (Some(ItemStatus::InProgress), Some(ItemStatus::Completed));
    if is_new {
        let begins = shown(works, None, cx);
        out.emit(cx, ItemStarted(begins));
    }
    let new = match text.delta {
        Some(delta) => part.text.grown(text.text, delta),
        None => part.text.whole(text.text),
    };
    let grew = new.is_some();
    if let Some(new) = new {
        out.emit(cx, ContentDelta::new(kind, new));
    }
    if text.ended {
        thread.close(&item);
        let ends = shown(completed, filled(text.text), cx);
        out.emit(cx, ItemCompleted(ends));
    } else if !is_new && !grew {
        let goes_on = shown(works, None, cx);
        out.emit(cx, ItemUpdated(goes_on));
    }
}

/// Who speaks in a message, as far as it was told.
pub(super) fn said_by(thread: &Thread, message: &Arc<str>) -> Role {
    let known = thread.messages.get(message);
    known.map_or(Role::Unknown, |message| message.role)
}

/// A text of the user is part of what the user said.
fn says(thread: &mut Thread, cx: &mut Cx<'_>, id: &Arc<str>, text: &Text<'_>, out: &OfPart) {
    let Some(message) = thread.messages.get_mut(id) else {
        return;
    };
    let part: Arc<str> = Arc::from(text.id);
    let detail = match message.is_open {
        true => message.texts.set(part, text.text).and_then(filled),
        false => filled(text.text),
    };
    attached(thread, cx, id, detail, out);
}

/// A message of the user has another part.
pub(super) fn attached(
    thread: &Thread,
    cx: &mut Cx<'_>,
    message: &Arc<str>,
    detail: Option<String>,
    out: &OfPart,
) {
    let known = thread.messages.get(message);
    let is_open = known.is_some_and(|it| it.is_open);
    cx.refs.turn = thread.turn_of(message);
    cx.refs.item = Some(Arc::clone(message));
    out.emit(
        cx,
        ItemUpdated(ItemLifecycle {
            status: Some(match is_open {
                true => ItemStatus::InProgress,
                false => ItemStatus::Completed,
            }),
            detail,
            data: cx.raw(PART),
            ..ItemLifecycle::new(ItemType::UserMessage)
        }),
    );
}

/// An item that goes on after it was told begins.
pub(super) fn opens(
    thread: &mut Thread,
    cx: &mut Cx<'_>,
    (item, message): (&Arc<str>, &str),
    item_type: ItemType,
    out: &OfPart,
) {
    let message: Arc<str> = Arc::from(message);
    let (is_new, part) = thread.part(item, || Part::new(&message, item_type, Kind::Unknown));
    let Some(part) = part else { return };
    cx.refs.turn.clone_from(&part.turn);
    cx.refs.item = Some(Arc::clone(item));
    let told = ItemLifecycle {
        status: part.is_open().then_some(ItemStatus::InProgress),
        data: cx.raw(PART),
        ..ItemLifecycle::new(item_type)
    };
    match is_new {
        true => out.emit(cx, ItemStarted(told)),
        false => out.emit(cx, ItemUpdated(told)),
    }
}

/// A file or another thing that somebody gives: the user with what they say, or the model.
pub(super) fn given(
    thread: &mut Thread,
    cx: &mut Cx<'_>,
    (id, message): (&str, &str),
    title: Option<String>,
    out: &OfPart,
) {
    let of: Arc<str> = Arc::from(message);
    match said_by(thread, &of) {
        Role::User => attached(thread, cx, &of, title, out),
        Role::Assistant | Role::Unknown => {
            whole(thread, cx, (id, message), title, out);
        }
    }
}

/// A message of the user is taken back.
pub(super) fn unsaid(
    thread: &mut Thread,
    cx: &mut Cx<'_>,
    id: &Arc<str>,
    out: &Out<row::MessageRemoved>,
) {
    let Some(message) = thread.messages.get_mut(id) else {
        return;
    };
    if !std::mem::take(&mut message.is_open) {
        return;
    }
    cx.refs.turn.clone_from(&message.turn);
    cx.refs.item = Some(Arc::clone(id));
    message.texts = Texts::default();
    thread.saying.retain(|saying| saying != id);
    out.emit(
        cx,
        ItemCompleted(ItemLifecycle {
            data: Some(object(&[("removed", boolean(true))])),
            ..ItemLifecycle::new(ItemType::UserMessage)
        }),
    );
}

/// A part that comes whole, in a message of the model.
fn whole(
    thread: &mut Thread,
    cx: &mut Cx<'_>,
    (id, message): (&str, &str),
    title: Option<String>,
    out: &OfPart,
) {
    let item_type = ItemType::AssistantMessage;
    let (item, message): (Arc<str>, Arc<str>) = (Arc::from(id), Arc::from(message));
    let (is_new, part) = thread.part(&item, || Part::new(&message, item_type, Kind::Unknown));
    let Some(part) = part else { return };
    cx.refs.turn.clone_from(&part.turn);
    cx.refs.item = Some(Arc::clone(&item));
    let told = ItemLifecycle {
        status: Some(ItemStatus::Completed),
        title,
        data: cx.raw(PART),
        ..ItemLifecycle::new(item_type)
    };
    if is_new {
        out.emit(
            cx,
            ItemStarted(ItemLifecycle {
                status: Some(ItemStatus::InProgress),
                ..told.clone()
            }),
        );
    }
    match thread.close(&item) {
        true => out.emit(cx, ItemCompleted(told)),
        false => out.emit(cx, ItemUpdated(told)),
    }
}

/// A piece of a part. One that was never told opens: a text, as most parts are.
pub(super) fn piece(
    thread: &mut Thread,
    cx: &mut Cx<'_>,
    delta: &Delta<'_>,
    out: &Out<row::MessagePartDelta>,
) {
    let (item, message): (Arc<str>, Arc<str>) =
        (Arc::from(&*delta.part_id), Arc::from(&*delta.message_id));
    if said_by(thread, &message) == Role::User {
        if thread.messages.get(&message).is_none_or(|it| !it.is_open) {
            return cx.dropped("what the user said was told whole");
        }
        cx.refs.turn = thread.turn_of(&message);
        cx.refs.item = Some(message);
        return out.emit(cx, ContentDelta::new(Kind::Unknown, &*delta.delta));
    }
    let (is_new, part) = thread.part(&item, || {
        Part::new(&message, ItemType::AssistantMessage, Kind::AssistantText)
    });
    let Some(part) = part else { return };
    cx.refs.turn.clone_from(&part.turn);
    cx.refs.item = Some(item);
    if is_new {
        out.emit(
            cx,
            ItemStarted(ItemLifecycle {
                status: Some(ItemStatus::InProgress),
                ..ItemLifecycle::new(part.item_type)
            }),
        );
    }
    if delta.field != "text" && part.is_open() {
        return out.emit(cx, ContentDelta::new(Kind::Unknown, &*delta.delta));
    }
    // What comes after the end is in the whole text already.
    let new = match part.is_open() {
        true => part.text.stream(&delta.delta),
        false => None,
    };
    match new {
        Some(new) => out.emit(cx, ContentDelta::new(part.kind, new)),
        None => cx.dropped("the whole text told it already"),
    }
}

/// A part is taken back.
pub(super) fn removed<R>(thread: &mut Thread, cx: &mut Cx<'_>, item: &Arc<str>, out: &Out<R>)
where
    ItemUpdated: EmittedBy<R>,
    ItemCompleted: EmittedBy<R>,
{
    let known = thread.parts.get(item);
    let item_type = known.map_or(ItemType::Unknown, |part| part.item_type);
    cx.refs.turn = match known {
        Some(part) => part.turn.clone(),
        None => thread.turn_name().cloned(),
    };
    cx.refs.item = Some(Arc::clone(item));
    let taken = ItemLifecycle {
        data: Some(object(&[("removed", boolean(true))])),
        ..ItemLifecycle::new(item_type)
    };
    match thread.close(item) {
        true => out.emit(cx, ItemCompleted(taken)),
        false => out.emit(cx, ItemUpdated(taken)),
    }
}
