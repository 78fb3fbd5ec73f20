//! Reads the messages of protocol version 1: decodes each, and maps it.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use crate::canonical::{Decision, RawSource, RequestType, TurnCompleted, TurnState};
use crate::core::{Core, Label, Place};
use crate::generated::acp_v1::{
    self as wire, AgentNotification, AgentRequestKind, AgentResult, ClientAnswer, SessionUpdate,
};
use crate::json::{Note, Object, Reader};
use crate::ledger::Refs;
use crate::mapping::member;
use crate::session::Outcome;

use super::mapping::{AcpMapping, Asks};
use super::session::{Pending, label};
use super::v1_answers::{CANCELLED_WHERE_UNREADABLE, decision};

/// A notification of the agent.
pub(super) fn notification(
    core: &mut Core<AcpMapping>,
    place: &Place<'_>,
    method: &str,
    params: Option<Range<usize>>,
    mut notes: Vec<Note>,
) -> Outcome {
    let label = label(RawSource::CursorAcpNotification, Some(method));
    let mut reader = Reader::over(place.line, place.message.clone());
    let object = Object::at(place.message.start);
    let tag = Cow::Borrowed(method);
    let decoded = AgentNotification::read_content(&mut reader, &object, tag, params);
    notes.extend(reader.take_notes());
    match decoded {
        Err(error) => core.malformed(place, &label, &error, notes),
        Ok(AgentNotification::SessionUpdate(news)) => {
            update(core, place, news.session_id.as_str(), &news.update, notes)
        }
        Ok(message) => {
            let seen = core.seen_refs(place);
            core.mapped(place, &label, notes, |mapping, cx| {
                cx.refs = Refs {
                    minted: true,
                    ..seen
                };
                cx.lift(wire::notification_method::refs(&message));
                mapping.place(cx);
                wire::notification_method::map(mapping, cx, &message);
            })
        }
    }
}

/// News about a session. While the client loads it, they are its history: they belong to no turn,
/// and the type in their raw message says so.
fn update(
    core: &mut Core<AcpMapping>,
    place: &Place<'_>,
    session: &str,
    update: &SessionUpdate<'_>,
    notes: Vec<Note>,
) -> Outcome {
    let tag = update.tag();
    let history = core.mapping.turns.is_history(session);
    let marked = format!("history/{tag}");
    let label = Label {
        message_type: Some(if history { &marked } else { tag }),
        ..label(RawSource::CursorAcpNotification, Some("session/update"))
    };
    let body = member(place.line, place.body.clone(), "update");
    let inner = Place {
        body: body.unwrap_or(place.body.clone()),
        message: place.message.clone(),
        ..*place
    };
    let mut outcome = core.mapped(&inner, &label, notes, |mapping, cx| {
        cx.refs.thread = Some(Arc::from(session));
        cx.lift(wire::notification::refs(update));
        mapping.place(cx);
        wire::notification::map(mapping, cx, update);
    });
    outcome.tag = Some(Arc::from(tag));
    outcome
}

/// A request of the agent, and what it asks for.
pub(super) fn request(
    core: &mut Core<AcpMapping>,
    place: &Place<'_>,
    method: &str,
    params: Option<Range<usize>>,
    refs: &mut Refs,
    mut notes: Vec<Note>,
) -> (Outcome, Asks) {
    let label = label(RawSource::CursorAcpRequest, Some(method));
    let mut reader = Reader::over(place.line, place.message.clone());
    let object = Object::at(place.message.start);
    let tag = Cow::Borrowed(method);
    let decoded = AgentRequestKind::read_content(&mut reader, &object, tag, params);
    notes.extend(reader.take_notes());
    core.mapping.asks = None;
    let (mut outcome, is_known) = match &decoded {
        Err(error) => (core.malformed(place, &label, error, notes), false),
        Ok(kind @ AgentRequestKind::Unrecognized(_)) => {
            let outcome = core.mapped(place, &label, notes, |mapping, cx| {
                wire::request::map(mapping, cx, kind);
            });
            (outcome, false)
        }
        Ok(kind) => {
            let given = refs.clone();
            let mut lifted = Refs::default();
            let outcome = core.mapped(place, &label, notes, |mapping, cx| {
                cx.refs = given;
                cx.lift(wire::request::refs(kind));
                mapping.place(cx);
                lifted = cx.refs.clone();
                wire::request::map(mapping, cx, kind);
            });
            *refs = lifted;
            (outcome, true)
        }
    };
    if !is_known {
        // The agent waits for an answer all the same.
        let given = refs.clone();
        let shown = core.mapped(place, &label, Vec::new(), |mapping, cx| {
            cx.refs = given;
            mapping.place(cx);
            let opened = mapping.opened(cx, RequestType::Unknown, method);
            cx.emit(opened);
        });
        outcome.events.splice(0..0, shown.events);
    }
    outcome.tag = Some(Arc::from(method));
    let asks = core.mapping.asks.take();
    let unknown = Asks::of(RequestType::Unknown);
    (outcome, asks.unwrap_or(unknown))
}

/// A result of the client's request.
pub(super) fn response(
    core: &mut Core<AcpMapping>,
    place: &Place<'_>,
    pending: &Pending,
    result: Range<usize>,
    mut notes: Vec<Note>,
) -> Outcome {
    let label = label(RawSource::CursorAcpResponse, Some(&pending.method));
    let mut reader = Reader::over(place.line, place.message.clone());
    let object = Object::at(place.message.start);
    let tag = Cow::Borrowed(&*pending.method);
    // Agents answer with `null` where there is nothing to say.
    let content = Some(result).filter(|range| place.line.get(range.clone()) != Some("null"));
    let decoded = AgentResult::read_content(&mut reader, &object, tag, content);
    notes.extend(reader.take_notes());
    core.mapping.asked.clone_from(&pending.params);
    let mut outcome = match decoded {
        Err(error) => core.malformed(place, &label, &error, notes),
        Ok(result) => {
            return core.mapped(place, &label, notes, |mapping, cx| {
                cx.refs = pending.named();
                cx.lift(wire::response::refs(&result));
                cx.refs.session = cx.refs.thread.clone();
                wire::response::map(mapping, cx, &result);
            });
        }
    };
    if pending.turn.is_some() {
        // The turn is over, however its end reads.
        let ended = core.mapped(place, &label, Vec::new(), |_, cx| {
            cx.refs = pending.named();
            cx.refs.session = cx.refs.thread.clone();
            cx.emit(TurnCompleted {
                error_message: Some(String::from("the reply to the prompt cannot be read")),
                ..TurnCompleted::new(TurnState::Failed)
            });
        });
        outcome.events.extend(ended.events);
    }
    outcome
}

/// What the client's result decides.
pub(super) fn decide(
    place: &Place<'_>,
    method: &str,
    asks: &Asks,
    result: Range<usize>,
) -> Option<Decision> {
    let mut reader = Reader::over(place.line, place.message.clone());
    let object = Object::at(place.message.start);
    let content = Some(result).filter(|range| place.line.get(range.clone()) != Some("null"));
    match ClientAnswer::read_content(&mut reader, &object, Cow::Borrowed(method), content) {
        Ok(answer) => decision(&answer, asks),
        Err(_) if CANCELLED_WHERE_UNREADABLE.contains(&method) => Some(Decision::Cancel),
        // The agent decides what an unreadable answer means; no decision is claimed here.
        Err(_) => None,
    }
}
