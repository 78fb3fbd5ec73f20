//! A session with the Codex app server: bytes of both directions in, outcomes with events out.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use crate::canonical::{RawSource, RequestOpened, RequestResolved, RequestType, UserInputResolved};
use crate::json::{Object, OwnedJson, Reader, Wire};
use crate::kit::envelope::{Envelope, Message, RequestId, RpcError};
use crate::kit::ledger::Refs;
use crate::kit::mapping::RowInfo;
use crate::kit::remembered::Remembered;
use crate::kit::session::{Direction, Oddity, Outcome, Verdict};
use crate::kit::streams::{Streams, session_api};
use crate::providers::codex::wire::{
    self as wire, ClientAnswer, EventMsg, ServerNotification, ServerRequestKind, ServerResponse,
};

use crate::providers::codex::wire::app_server_request::implied::{host_message, unread_request};

use super::answers::{RESOLVED_BY_ANSWER, USER_INPUT, answer};
use super::app_server_request::request_type;
use super::mapping::CodexMapping;
use super::requests::{Answer, OpenRequest};
use super::rpc_errors::map_error;
use super::secrets::without_secrets;
use super::turn_memory::Carrier;
use crate::kit::core::{Core, Label, Place, peek_refs};

/// How many requests of the client are remembered until they are answered.
const PENDING: usize = 4096;

/// The methods that carry an `EventMsg` begin with this, on the wire of 0.107.0 and 0.113.0.
const EVENT_PREFIX: &str = "codex/event/";

/// Reads one session with `codex app-server`, of any version in the window.
///
/// Sans-I/O: push the bytes that the agent writes, and the bytes that you write to it, and take
/// the outcomes. Nothing is lost: what no vendored version knows becomes a `runtime.warning` with
/// the untouched message, what does not decode a `runtime.error` that names the place, and the
/// stream goes on.
pub struct CodexSession {
    core: Core<CodexMapping>,
    streams: Streams,
    pending: Remembered<RequestId, Pending>,
}

/// A request of the client that waits for its reply.
struct Pending {
    method: Arc<str>,
    /// What its parameters name: most replies name nothing.
    refs: Refs,
}

session_api! {
    /// Takes bytes of one direction, in pieces of any size: what the agent wrote, and what the
    /// host wrote to it. Without the latter, replies can't be decoded, since a reply does not say
    /// what it answers, and decisions are not known.
    CodexSession { pending: Remembered::new(PENDING) }
}

impl CodexSession {
    fn drain(&mut self, direction: Direction) {
        while let Some((number, line)) = self.streams.next_line(direction) {
            for message in self.streams.messages(number, &line, direction) {
                let outcome = self.message(number, &line, message, direction);
                self.streams.add(outcome);
            }
        }
    }

    fn message(
        &mut self,
        number: u64,
        line: &Arc<str>,
        envelope: Envelope<'_>,
        direction: Direction,
    ) -> Outcome {
        let whole = envelope.start..envelope.end;
        let place = |body: Option<&Range<usize>>| Place {
            number,
            line,
            message: whole.clone(),
            body: body.cloned().unwrap_or(envelope.end..envelope.end),
            direction,
        };
        match (direction, &envelope.message) {
            (Direction::FromAgent, Message::Notification { method, params }) => {
                let place = place(params.as_ref());
                match method.strip_prefix(EVENT_PREFIX) {
                    Some(_) => self.event(&place, method),
                    None => self.notification(&place, method),
                }
            }
            (Direction::FromAgent, Message::Request { id, method, params }) => self.request(
                &place(params.as_ref()),
                id,
                method,
                params.clone(),
                envelope.notes,
            ),
            (Direction::FromAgent, Message::Response { id, result }) => {
                self.response(&place(Some(result)), id, result.clone(), envelope.notes)
            }
            (Direction::FromAgent, Message::Error { id, error }) => {
                self.error(&place(Some(error)), id.as_ref(), error.clone())
            }
            (Direction::FromAgent, Message::Other) => {
                let label = label(RawSource::CodexAppServerNotification, None);
                let message =
                    String::from("a message that is no request, notification, response or error");
                self.core
                    .warned(&place(None), &label, Verdict::Unrecognized, message)
            }
            (Direction::ToAgent, Message::Request { id, method, params }) => {
                let refs = params
                    .as_ref()
                    .map(|range| peek_refs::<CodexMapping>(line, range.clone()))
                    .unwrap_or_default();
                self.pending.insert(
                    id.clone(),
                    Pending {
                        method: Arc::from(&**method),
                        refs,
                    },
                );
                self.core.silent(
                    &place(params.as_ref()),
                    &label(RawSource::CodexAppServerResponse, Some(method)),
                    Verdict::Noted,
                )
            }
            (Direction::ToAgent, Message::Response { id, result }) => {
                self.answer(&place(Some(result)), id, result.clone())
            }
            (Direction::ToAgent, Message::Error { id, error }) => {
                let place = place(Some(error));
                let resolution = OwnedJson::from_text(Arc::clone(line), error.clone());
                let given = Answer {
                    decision: None,
                    resolution: Some(without_secrets(resolution)),
                };
                match id {
                    Some(id) => self.answered(&place, id, given),
                    None => self.core.silent(
                        &place,
                        &label(RawSource::CodexAppServerRequest, None),
                        Verdict::Noted,
                    ),
                }
            }
            (Direction::ToAgent, Message::Notification { method, .. }) => self.core.silent(
                &place(None),
                &label(RawSource::CodexAppServerNotification, Some(method)),
                Verdict::Noted,
            ),
            (Direction::ToAgent, Message::Other) => self.core.silent(
                &place(None),
                &label(RawSource::CodexAppServerRequest, None),
                Verdict::Noted,
            ),
        }
    }

    fn notification(&mut self, place: &Place<'_>, method: &str) -> Outcome {
        let mut label = label(RawSource::CodexAppServerNotification, Some(method));
        let mut reader = Reader::over(place.line, place.message.clone());
        let decoded = ServerNotification::read(&mut reader);
        let notes = reader.take_notes();
        match decoded {
            Err(error) => self.core.malformed(place, &label, &error, notes),
            Ok(notification) => {
                label.wire_ms = notification.emitted_at_ms;
                let seen = self.core.seen_refs(place);
                self.core.mapped(place, &label, notes, |mapping, cx| {
                    if matches!(
                        notification.kind,
                        wire::ServerNotificationKind::Unrecognized(_)
                    ) {
                        cx.refs = seen;
                    }
                    cx.lift(wire::app_server_notification::refs(&notification.kind));
                    wire::app_server_notification::map(mapping, cx, &notification.kind);
                })
            }
        }
    }

    fn request(
        &mut self,
        place: &Place<'_>,
        id: &RequestId,
        method: &str,
        params: Option<Range<usize>>,
        mut notes: Vec<crate::json::Note>,
    ) -> Outcome {
        let label = label(RawSource::CodexAppServerRequest, Some(method));
        let request: Arc<str> = Arc::from(id.to_wire());
        let mut refs = self.core.seen_refs(place);
        refs.request = Some(Arc::clone(&request));
        let mut reader = Reader::over(place.line, place.message.clone());
        let object = Object::at(place.message.start);
        let decoded =
            ServerRequestKind::read_content(&mut reader, &object, Cow::Borrowed(method), params);
        notes.extend(reader.take_notes());
        let (mut outcome, request_type) = match decoded {
            Ok(kind @ ServerRequestKind::Unrecognized(_)) => {
                let opened = unknown_request(method, place);
                let outcome = self.core.mapped(place, &label, notes, |mapping, cx| {
                    cx.refs = Refs {
                        minted: true,
                        ..refs.clone()
                    };
                    unread_request().emit(cx, opened);
                    cx.refs = refs.clone();
                    wire::app_server_request::map(mapping, cx, &kind);
                });
                (outcome, RequestType::Unknown)
            }
            Ok(kind) => {
                let outcome = self.core.mapped(place, &label, notes, |mapping, cx| {
                    cx.refs.request = Some(Arc::clone(&request));
                    cx.lift(wire::app_server_request::refs(&kind));
                    wire::app_server_request::map(mapping, cx, &kind);
                });
                (outcome, request_type(&kind))
            }
            Err(error) => {
                let mut outcome = self.core.malformed(place, &label, &error, notes);
                // The agent waits for an answer all the same.
                let opened = unknown_request(method, place);
                let shown = self.core.mapped(place, &label, Vec::new(), |_, cx| {
                    cx.refs = Refs {
                        minted: true,
                        ..refs.clone()
                    };
                    unread_request().emit(cx, opened);
                });
                outcome.append(shown);
                (outcome, RequestType::Unknown)
            }
        };
        outcome.tag = Some(Arc::from(method));
        refs.minted = true;
        let open = OpenRequest {
            method: Arc::from(method),
            request_type,
            refs,
            answer: None,
        };
        self.core.mapping.requests.open(id.clone(), open);
        outcome
    }

    fn response(
        &mut self,
        place: &Place<'_>,
        id: &RequestId,
        result: Range<usize>,
        mut notes: Vec<crate::json::Note>,
    ) -> Outcome {
        let Some(pending) = self.pending.remove(id) else {
            let label = label(RawSource::CodexAppServerResponse, None);
            let message = format!("a response to request {id}, which this reader was not told of");
            let mut outcome = self.core.warned(place, &label, Verdict::Unmatched, message);
            let oddities = notes
                .into_iter()
                .map(|note| Oddity::locate(note, place.line));
            outcome.oddities.extend(oddities);
            return outcome;
        };
        let label = label(RawSource::CodexAppServerResponse, Some(&pending.method));
        let mut reader = Reader::over(place.line, place.message.clone());
        let object = Object::at(place.message.start);
        let method = Cow::Borrowed(&*pending.method);
        let decoded = ServerResponse::read_content(&mut reader, &object, method, Some(result));
        notes.extend(reader.take_notes());
        match decoded {
            Err(error) => self.core.malformed(place, &label, &error, notes),
            Ok(response) => self.core.mapped(place, &label, notes, |mapping, cx| {
                cx.refs = Refs {
                    minted: true,
                    ..pending.refs
                };
                cx.lift(wire::app_server_response::refs(&response));
                wire::app_server_response::map(mapping, cx, &response);
            }),
        }
    }

    fn error(&mut self, place: &Place<'_>, id: Option<&RequestId>, error: Range<usize>) -> Outcome {
        let pending = id.and_then(|id| self.pending.remove(id));
        let method = pending.as_ref().map(|pending| &*pending.method);
        let label = label(RawSource::CodexAppServerResponse, method);
        let mut reader = Reader::over(place.line, error.clone());
        match RpcError::read(&mut reader) {
            Err(malformed) => self
                .core
                .malformed(place, &label, &malformed, reader.take_notes()),
            Ok(rpc) => {
                let raw = OwnedJson::from_text(Arc::clone(place.line), error);
                let refs = pending
                    .as_ref()
                    .map(|pending| pending.refs.clone())
                    .unwrap_or_default();
                self.core
                    .mapped(place, &label, reader.take_notes(), |_, cx| {
                        cx.refs = refs;
                        map_error(cx, method, &rpc, raw);
                    })
            }
        }
    }

    /// An `EventMsg` on the live wire: `params` is `{id, msg, conversationId}`.
    fn event(&mut self, place: &Place<'_>, method: &str) -> Outcome {
        let label_of = |message_type| Label {
            source: RawSource::CodexEventmsg,
            method: Some(method),
            message_type,
            wire_ms: None,
        };
        let parts = match event_parts(place) {
            Ok(parts) => parts,
            Err(error) => {
                return self
                    .core
                    .malformed(place, &label_of(None), &error, Vec::new());
            }
        };
        let inner = Place {
            body: parts.msg.clone(),
            message: place.message.clone(),
            ..*place
        };
        let mut reader = Reader::over(place.line, parts.msg);
        let tag = match reader.tag("type") {
            Ok(tag) => tag,
            Err(error) => {
                return self
                    .core
                    .malformed(place, &label_of(None), &error, reader.take_notes());
            }
        };
        let label = label_of(Some(&tag));
        if let Some(row) = RowInfo::find(wire::eventmsg::ROWS, &tag)
            && let Some(echo) = row.echo
            && row
                .condition
                .is_none_or(|member| reader.has_key(member).unwrap_or(false))
        {
            return self.core.silent(&inner, &label, Verdict::Told(echo));
        }
        let decoded = EventMsg::read(&mut reader);
        let notes = reader.take_notes();
        match decoded {
            Err(error) => self.core.malformed(&inner, &label, &error, notes),
            Ok(event) => {
                let seen = self.core.seen_refs(place);
                let carrier = Carrier::Live {
                    thread: parts.thread,
                    turn: parts.turn,
                };
                self.core.mapped(&inner, &label, notes, |mapping, cx| {
                    if matches!(event, EventMsg::Unrecognized(_)) {
                        cx.refs = seen;
                    }
                    cx.lift(wire::eventmsg::refs(&event));
                    mapping.turns.place(cx, &event, &carrier);
                    wire::eventmsg::map(mapping, cx, &event);
                })
            }
        }
    }

    /// What the host answers to a request of the agent.
    fn answer(&mut self, place: &Place<'_>, id: &RequestId, result: Range<usize>) -> Outcome {
        let raw = OwnedJson::from_text(Arc::clone(place.line), result.clone());
        let Some(request) = self.core.mapping.requests.get(id) else {
            return self.core.silent(
                place,
                &label(RawSource::CodexAppServerRequest, None),
                Verdict::Noted,
            );
        };
        let method = Arc::clone(&request.method);
        let mut reader = Reader::over(place.line, place.message.clone());
        let object = Object::at(place.message.start);
        let decoded =
            ClientAnswer::read_content(&mut reader, &object, Cow::Borrowed(&*method), Some(result));
        let given = match decoded {
            Ok(read) => answer(&read, raw),
            // The agent decides what an unreadable answer means; no decision is claimed here, and
            // since it may hold a secret it stays in the raw message.
            Err(_) => Answer::default(),
        };
        self.answered(place, id, given)
    }

    fn answered(&mut self, place: &Place<'_>, id: &RequestId, given: Answer) -> Outcome {
        let method = self
            .core
            .mapping
            .requests
            .get(id)
            .map(|request| Arc::clone(&request.method));
        let label = label(RawSource::CodexAppServerRequest, method.as_deref());
        self.core.mapping.requests.answer(id, given);
        let by_answer = method
            .as_deref()
            .is_some_and(|method| RESOLVED_BY_ANSWER.contains(&method));
        if by_answer && let Some(request) = self.core.mapping.requests.resolve(id) {
            let given = request.answer.unwrap_or_default();
            return self.core.mapped(place, &label, Vec::new(), |_, cx| {
                cx.refs = request.refs;
                let resolved = RequestResolved {
                    request_type: request.request_type,
                    decision: given.decision,
                    resolution: given.resolution,
                };
                host_message().emit(cx, resolved);
            });
        }
        self.entered(place, id, &label)
    }

    /// What a person entered is told when the client sends it: the agent only says later that the
    /// request is resolved.
    fn entered(&mut self, place: &Place<'_>, id: &RequestId, label: &Label<'_>) -> Outcome {
        let request = self.core.mapping.requests.get(id);
        let member = request.and_then(|request| {
            let known = |(method, _): &&(&str, &str)| *method == &*request.method;
            USER_INPUT.iter().find(known)
        });
        let (Some(request), Some((_, member))) = (request, member) else {
            return self.core.silent(place, label, Verdict::Noted);
        };
        let refs = request.refs.clone();
        let mut outcome = self.core.mapped(place, label, Vec::new(), |_, cx| {
            cx.refs = refs;
            if let Some(answers) = cx
                .raw(&[member])
                .filter(|answers| answers.as_str() != "null")
            {
                host_message().emit(cx, UserInputResolved { answers });
            }
        });
        if outcome.events.is_empty() {
            outcome.verdict = Verdict::Noted;
        }
        outcome
    }
}

fn label(source: RawSource, method: Option<&str>) -> Label<'_> {
    Label {
        source,
        method,
        message_type: None,
        wire_ms: None,
    }
}

fn unknown_request(method: &str, place: &Place<'_>) -> RequestOpened {
    let args = (!place.body.is_empty())
        .then(|| OwnedJson::from_text(Arc::clone(place.line), place.body.clone()));
    RequestOpened {
        request_type: RequestType::Unknown,
        detail: Some(method.to_owned()),
        args,
    }
}

/// The members of a live `EventMsg`'s envelope.
struct EventParts {
    msg: Range<usize>,
    thread: Option<Arc<str>>,
    turn: Option<Arc<str>>,
}

fn event_parts(place: &Place<'_>) -> Result<EventParts, crate::json::Malformed> {
    let mut reader = Reader::over(place.line, place.body.clone());
    let mut msg = None;
    let mut thread: Option<Cow<'_, str>> = None;
    let mut turn: Option<Cow<'_, str>> = None;
    let mut object = reader.object()?;
    while let Some(key) = reader.key(&mut object)? {
        match &*key {
            "msg" => reader.noted_span(&mut msg)?,
            "conversationId" => reader.optional(&mut thread)?,
            "id" => reader.optional(&mut turn)?,
            _ => reader.skip()?,
        }
    }
    Ok(EventParts {
        msg: object.required(msg, "msg")?,
        thread: thread.as_deref().map(Arc::from),
        turn: turn
            .as_deref()
            .filter(|turn| !turn.is_empty())
            .map(Arc::from),
    })
}
