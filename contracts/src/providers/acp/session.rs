//! A session with an agent that speaks the agent client protocol: bytes of both directions in,
//! outcomes with events out.

use std::ops::Range;
use std::sync::Arc;

use crate::canonical::{Decision, RawSource, RequestResolved, TurnStarted, UserInputResolved};
use crate::json::{Note, OwnedJson, Reader, Wire};
use crate::kit::core::{Core, Place};
use crate::kit::envelope::{Envelope, Message, RequestId, RpcError};
use crate::kit::remembered::Remembered;
use crate::kit::session::{Direction, Outcome, Verdict};
use crate::kit::streams::{Streams, session_api};

use super::generation::{One, Two};
use super::mapping::{AcpMapping, OpenRequest};
use super::pending::{Pending, Version};
use super::reader::{self, label};
use super::rpc_errors::map_error;
use super::v1_answers::USER_INPUT;

/// How many requests of the client are remembered until they are answered.
const PENDING: usize = 4096;

/// The request whose answer decides about a tool call.
const PERMISSION: &str = "session/request_permission";

/// Reads one connection with an agent, of the protocol version that `initialize` negotiates.
///
/// Sans-I/O: push the bytes that the agent writes, and the bytes that you write to it, and take
/// the outcomes. Nothing is lost: what no vendored version knows becomes a `runtime.warning` with
/// the untouched message, what does not decode a `runtime.error` that names the place, and the
/// stream goes on.
///
/// A connection may hold several of the protocol's sessions; each is a thread here. Its turns are
/// the prompts that go out, so the reader must be told what the host writes.
///
/// What the agent leaves open ends with what it belongs to: a text with what follows it, a call
/// with its turn, which is then no success, and is declined where the client did not allow it.
pub struct AcpSession {
    core: Core<AcpMapping>,
    streams: Streams,
    version: Version,
    pending: Remembered<RequestId, Pending>,
}

session_api! {
    /// Takes bytes of one direction, in pieces of any size: what the agent wrote, and what the
    /// host wrote to it. Without the latter, replies can't be decoded, since a reply does not say
    /// what it answers, and turns are not known.
    AcpSession {
        version: Version::One,
        pending: Remembered::new(PENDING)
    }
}

impl AcpSession {
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
        let notes = envelope.notes;
        let place = |body: Option<&Range<usize>>| Place {
            number,
            line,
            message: envelope.start..envelope.end,
            body: body.cloned().unwrap_or(envelope.end..envelope.end),
            direction,
        };
        match (direction, &envelope.message) {
            (Direction::FromAgent, Message::Notification { method, params }) => {
                self.notification(&place(params.as_ref()), method, params.clone(), notes)
            }
            (Direction::FromAgent, Message::Request { id, method, params }) => {
                self.request(&place(params.as_ref()), id, method, params.clone(), notes)
            }
            (Direction::FromAgent, Message::Response { id, result }) => {
                self.response(&place(Some(result)), id, result.clone(), notes)
            }
            (Direction::FromAgent, Message::Error { id, error }) => {
                self.error(&place(Some(error)), id.as_ref(), error.clone())
            }
            (Direction::FromAgent, Message::Other) => {
                let label = label(RawSource::CursorAcpNotification, None);
                let message =
                    String::from("a message that is no request, notification, response or error");
                self.core
                    .warned(&place(None), &label, Verdict::Unrecognized, message)
            }
            (Direction::ToAgent, Message::Request { id, method, params }) => {
                self.asked(&place(params.as_ref()), id, method, params.clone())
            }
            (Direction::ToAgent, Message::Response { id, result }) => {
                self.answer(&place(Some(result)), id, Some(result.clone()))
            }
            (Direction::ToAgent, Message::Error { id, error }) => match id {
                Some(id) => self.answer(&place(Some(error)), id, None),
                None => self.noted(&place(Some(error)), RawSource::CursorAcpRequest, None),
            },
            (Direction::ToAgent, Message::Notification { method, params }) => self.noted(
                &place(params.as_ref()),
                RawSource::CursorAcpNotification,
                Some(method),
            ),
            (Direction::ToAgent, Message::Other) => {
                self.noted(&place(None), RawSource::CursorAcpRequest, None)
            }
        }
    }

    fn noted(&mut self, place: &Place<'_>, source: RawSource, method: Option<&str>) -> Outcome {
        self.core
            .silent(place, &label(source, method), Verdict::Noted)
    }

    fn notification(
        &mut self,
        place: &Place<'_>,
        method: &str,
        params: Option<Range<usize>>,
        notes: Vec<Note>,
    ) -> Outcome {
        match self.version {
            Version::One => {
                reader::notification::<One>(&mut self.core, place, method, params, notes)
            }
            Version::Two => {
                reader::notification::<Two>(&mut self.core, place, method, params, notes)
            }
        }
    }

    fn request(
        &mut self,
        place: &Place<'_>,
        id: &RequestId,
        method: &str,
        params: Option<Range<usize>>,
        notes: Vec<Note>,
    ) -> Outcome {
        let mut refs = self.core.seen_refs(place);
        refs.request = Some(Arc::from(id.to_wire()));
        refs.minted = true;
        let core = &mut self.core;
        let (outcome, asks) = match self.version {
            Version::One => reader::request::<One>(core, place, method, params, &mut refs, notes),
            Version::Two => reader::request::<Two>(core, place, method, params, &mut refs, notes),
        };
        let open = OpenRequest {
            method: Arc::from(method),
            refs,
            asks,
        };
        self.core.mapping.requests.insert(id.clone(), open);
        outcome
    }

    /// A request of the client goes out. A prompt starts a turn.
    fn asked(
        &mut self,
        place: &Place<'_>,
        id: &RequestId,
        method: &str,
        params: Option<Range<usize>>,
    ) -> Outcome {
        let mut pending = Pending::of(place, method, params);
        let thread = pending.refs.thread.clone();
        if let Some(thread) = pending.replayed() {
            self.core.mapping.turns.load(Arc::clone(thread));
        }
        let source = RawSource::CursorAcpRequest;
        let outcome = if method == "session/prompt" {
            let turn = self.core.mapping.turns.start(thread, id);
            pending.turn = Some(turn);
            let refs = pending.named();
            self.core
                .mapped(place, &label(source, Some(method)), Vec::new(), |_, cx| {
                    cx.refs = refs;
                    cx.refs.session = cx.refs.thread.clone();
                    cx.emit_unlisted(TurnStarted::default());
                })
        } else {
            self.noted(place, source, Some(method))
        };
        self.pending.insert(id.clone(), pending);
        outcome
    }

    fn response(
        &mut self,
        place: &Place<'_>,
        id: &RequestId,
        result: Range<usize>,
        notes: Vec<Note>,
    ) -> Outcome {
        let Some(pending) = self.settle(id) else {
            let label = label(RawSource::CursorAcpResponse, None);
            let message = format!("a response to request {id}, which this reader was not told of");
            return self.core.warned(place, &label, Verdict::Unmatched, message);
        };
        if &*pending.method == "initialize" {
            self.version = Version::negotiated(place.line, result.clone());
        }
        let core = &mut self.core;
        match self.version {
            Version::One => reader::response::<One>(core, place, &pending, result, notes),
            Version::Two => reader::response::<Two>(core, place, &pending, result, notes),
        }
    }

    fn error(&mut self, place: &Place<'_>, id: Option<&RequestId>, error: Range<usize>) -> Outcome {
        let pending = id.and_then(|id| self.settle(id));
        if let Some(turn) = pending.as_ref().and_then(|pending| pending.turn.as_ref()) {
            self.core.mapping.turns.refuse(turn);
        }
        let method = pending.as_ref().map(|pending| &*pending.method);
        let turn = pending.as_ref().and_then(|pending| pending.turn.as_ref());
        let label = label(RawSource::CursorAcpResponse, method);
        let mut reader = Reader::over(place.line, error.clone());
        let decoded = RpcError::read(&mut reader);
        let notes = reader.take_notes();
        let rpc = match decoded {
            Ok(rpc) => rpc,
            // What failed has failed, however its error reads.
            Err(malformed) => RpcError {
                code: 0,
                message: format!("the error cannot be read: {malformed}").into(),
                data: None,
            },
        };
        let raw = OwnedJson::from_text(Arc::clone(place.line), error);
        let refs = pending.as_ref().map(Pending::named).unwrap_or_default();
        self.core.mapped(place, &label, notes, |_, cx| {
            cx.refs = refs;
            cx.refs.session = cx.refs.thread.clone();
            map_error(cx, method, turn, &rpc, raw);
        })
    }

    /// What the host answers to a request of the agent: a result, or an error where there is none.
    fn answer(
        &mut self,
        place: &Place<'_>,
        id: &RequestId,
        result: Option<Range<usize>>,
    ) -> Outcome {
        let Some(request) = self.core.mapping.requests.remove(id) else {
            return self.noted(place, RawSource::CursorAcpRequest, None);
        };
        let label = label(RawSource::CursorAcpRequest, Some(&request.method));
        let (method, asks) = (&request.method, &request.asks);
        let decision = result.and_then(|result| match self.version {
            Version::One => reader::decide::<One>(place, method, asks, result),
            Version::Two => reader::decide::<Two>(place, method, asks, result),
        });
        if let Some(decision) = decision.filter(|_| &*request.method == PERMISSION) {
            let declined = matches!(decision, Decision::Decline | Decision::Cancel);
            self.core.mapping.open.decided(&request.refs, declined);
        }
        let entered = USER_INPUT
            .iter()
            .find(|(method, _)| *method == &*request.method);
        self.core.mapped(place, &label, Vec::new(), |_, cx| {
            cx.refs = request.refs;
            cx.refs.minted = true;
            let answers = entered.and_then(|(_, path)| cx.raw(path));
            if let Some(answers) = answers.filter(|answers| answers.as_str() != "null") {
                cx.emit_unlisted(UserInputResolved { answers });
            }
            cx.emit_unlisted(RequestResolved {
                request_type: request.asks.request_type,
                decision: decision.map(String::from),
                resolution: Some(cx.body()),
            });
        })
    }

    /// The request that a reply answers; its session is loaded.
    fn settle(&mut self, id: &RequestId) -> Option<Pending> {
        let pending = self.pending.remove(id)?;
        if let Some(thread) = pending.replayed() {
            self.core.mapping.turns.loaded(thread);
        }
        Some(pending)
    }
}
