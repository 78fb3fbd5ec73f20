//! Reads the messages of protocol version 2: decodes each, and maps it.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use crate::canonical::{Decision, RawSource, RequestType};
use crate::core::{Core, Label, Place};
use crate::generated::acp_v2::{
    self as wire, AgentNotification, AgentRequestKind, AgentResult, ClientAnswer, SessionUpdate,
};
use crate::json::{Note, Object, Reader};
use crate::ledger::Refs;
use crate::mapping::member;
use crate::session::Outcome;

use super::mapping::{AcpMapping, Asks};
use super::session::{Pending, label};
use super::v2_answers::decision;

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
                wire::request::map(mapping, cx, kind);
                // The call that it is about stands deeper in it than ids are looked for.
                lifted = cx.refs.clone();
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

/// A result of the client's request. That of a prompt only says that the agent took it: its turn
/// goes on until the state of the session ends it.
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
    match decoded {
        Err(error) => core.malformed(place, &label, &error, notes),
        Ok(result) => core.mapped(place, &label, notes, |mapping, cx| {
            cx.refs = pending.named();
            cx.lift(wire::response::refs(&result));
            cx.refs.session = cx.refs.thread.clone();
            if pending.turn.is_some() {
                mapping.prompt_accepted(cx);
            }
            wire::response::map(mapping, cx, &result);
        }),
    }
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
    // The agent decides what an unreadable answer means; no decision is claimed here.
    let answer = ClientAnswer::read_content(&mut reader, &object, Cow::Borrowed(method), content);
    decision(&answer.ok()?, asks)
}
