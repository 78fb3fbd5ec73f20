//! Reads the messages of either generation: decodes each, and maps it.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use crate::canonical::{Decision, RawSource, RequestType, TurnCompleted, TurnState};
use crate::json::{Malformed, Note, Object, Reader};
use crate::kit::core::{Core, Label, Place};
use crate::kit::ledger::Refs;
use crate::kit::mapping::member;
use crate::kit::session::Outcome;

use super::generation::{Content, Generation, Message};
use super::mapping::{AcpMapping, Asks};
use super::pending::Pending;

/// A notification of the agent.
pub(super) fn notification<G: Generation>(
    core: &mut Core<AcpMapping>,
    place: &Place<'_>,
    method: &str,
    params: Option<Range<usize>>,
    mut notes: Vec<Note>,
) -> Outcome {
    let label = label(RawSource::CursorAcpNotification, Some(method));
    let decoded = decoded::<G::Notification<'_>>(place, method, params, &mut notes);
    let message = match decoded {
        Err(error) => return core.malformed(place, &label, &error, notes),
        Ok(message) => message,
    };
    if let Some((session, news)) = G::update(&message) {
        return update(core, place, session, news, notes);
    }
    let seen = core.seen_refs(place);
    core.mapped(place, &label, notes, |mapping, cx| {
        cx.refs = Refs {
            minted: true,
            ..seen
        };
        cx.lift(message.refs());
        if of_cursor(method) {
            mapping.adopt(cx);
        }
        mapping.place(cx);
        message.map(mapping, cx);
    })
}

/// News about a session. While the client loads it, they are its history: they belong to no turn,
/// and the type in their raw message says so.
fn update(
    core: &mut Core<AcpMapping>,
    place: &Place<'_>,
    session: &str,
    update: &impl Message,
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
        cx.lift(update.refs());
        mapping.place(cx);
        update.map(mapping, cx);
    });
    outcome.tag = Some(Arc::from(tag));
    outcome
}

/// A request of the agent, and what it asks for.
pub(super) fn request<G: Generation>(
    core: &mut Core<AcpMapping>,
    place: &Place<'_>,
    method: &str,
    params: Option<Range<usize>>,
    refs: &mut Refs,
    mut notes: Vec<Note>,
) -> (Outcome, Asks) {
    let label = label(RawSource::CursorAcpRequest, Some(method));
    let decoded = decoded::<G::Request<'_>>(place, method, params, &mut notes);
    core.mapping.asks = None;
    let mut outcome = match &decoded {
        Err(error) => {
            let opened = unreadable(core, place, &label, refs);
            let outcome = core.malformed(place, &label, error, notes);
            after(opened, outcome)
        }
        Ok(message) if !G::is_known(message) => {
            let opened = unreadable(core, place, &label, refs);
            let outcome = core.mapped(place, &label, notes, |mapping, cx| {
                message.map(mapping, cx);
            });
            after(opened, outcome)
        }
        Ok(message) => {
            let given = refs.clone();
            core.mapped(place, &label, notes, |mapping, cx| {
                cx.refs = given;
                cx.lift(message.refs());
                if of_cursor(method) {
                    mapping.adopt(cx);
                }
                mapping.place(cx);
                message.map(mapping, cx);
                // The call that it is about may stand deeper in it than ids are looked for.
                refs.clone_from(&cx.refs);
            })
        }
    };
    outcome.tag = Some(Arc::from(method));
    let asks = core.mapping.asks.take();
    let unknown = Asks::of(RequestType::Unknown);
    (outcome, asks.unwrap_or(unknown))
}

/// A request that nobody can read is open all the same: the agent waits for an answer.
fn unreadable(
    core: &mut Core<AcpMapping>,
    place: &Place<'_>,
    label: &Label<'_>,
    refs: &Refs,
) -> Outcome {
    core.mapped(place, label, Vec::new(), |mapping, cx| {
        cx.refs = refs.clone();
        mapping.place(cx);
        let method = label.method.unwrap_or_default();
        let opened = mapping.opened(cx, RequestType::Unknown, method);
        cx.emit_unlisted(opened);
    })
}

/// An outcome, with the events of what came before it.
fn after(before: Outcome, mut outcome: Outcome) -> Outcome {
    outcome.prepend(before);
    outcome
}

/// A result of the client's request.
pub(super) fn response<G: Generation>(
    core: &mut Core<AcpMapping>,
    place: &Place<'_>,
    pending: &Pending,
    result: Range<usize>,
    mut notes: Vec<Note>,
) -> Outcome {
    let label = label(RawSource::CursorAcpResponse, Some(&pending.method));
    let ended = pending.turn.as_ref().filter(|_| G::REPLY_ENDS_TURN);
    if let Some(turn) = ended {
        core.mapping.turns.end(turn);
    }
    let content = told(place, result);
    let decoded = decoded::<G::Result<'_>>(place, &pending.method, content, &mut notes);
    core.mapping.asked.clone_from(&pending.params);
    let mut outcome = match decoded {
        Err(error) => core.malformed(place, &label, &error, notes),
        Ok(message) => {
            return core.mapped(place, &label, notes, |mapping, cx| {
                cx.refs = pending.named();
                cx.lift(message.refs());
                cx.refs.session = cx.refs.thread.clone();
                if pending.turn.is_some() && !G::REPLY_ENDS_TURN {
                    mapping.prompt_accepted(cx);
                }
                // A session that goes on elsewhere may end in time what its history leaves open.
                if pending.replays && G::REPLY_ENDS_TURN {
                    mapping.end_history(cx);
                }
                message.map(mapping, cx);
            });
        }
    };
    if ended.is_some() {
        // The turn is over, however its end reads.
        let ended = core.mapped(place, &label, Vec::new(), |_, cx| {
            cx.refs = pending.named();
            cx.refs.session = cx.refs.thread.clone();
            cx.emit_unlisted(TurnCompleted {
                error_message: Some(String::from("the reply to the prompt cannot be read")),
                ..TurnCompleted::new(TurnState::Failed)
            });
        });
        outcome.append(ended);
    }
    outcome
}

/// What the client's result decides.
pub(super) fn decide<G: Generation>(
    place: &Place<'_>,
    method: &str,
    asks: &Asks,
    result: Range<usize>,
) -> Option<Decision> {
    let mut reader = Reader::over(place.line, place.message.clone());
    let object = Object::at(place.message.start);
    G::decide(&mut reader, &object, method, told(place, result), asks)
}

/// Whether a method is one of Cursor's own, which name no session.
fn of_cursor(method: &str) -> bool {
    method.starts_with("cursor/")
}

/// What is known about a message before it is decoded.
pub(super) fn label(source: RawSource, method: Option<&str>) -> Label<'_> {
    Label {
        source,
        method,
        message_type: None,
        wire_ms: None,
    }
}

/// A result, which is `null` where there is nothing to say.
fn told(place: &Place<'_>, result: Range<usize>) -> Option<Range<usize>> {
    Some(result).filter(|range| place.line.get(range.clone()) != Some("null"))
}

fn decoded<'a, M: Content<'a>>(
    place: &Place<'a>,
    method: &'a str,
    content: Option<Range<usize>>,
    notes: &mut Vec<Note>,
) -> Result<M, Malformed> {
    let mut reader = Reader::over(place.line, place.message.clone());
    let object = Object::at(place.message.start);
    let decoded = M::read(&mut reader, &object, Cow::Borrowed(method), content);
    notes.extend(reader.take_notes());
    decoded
}
