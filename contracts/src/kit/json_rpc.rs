//! The driver of wires that speak JSON-RPC: which message is what, and which reply answers which
//! request. What each of them means is the protocol's, whose mapping implements [`Protocol`].

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use crate::canonical::{RawSource, RequestOpened, RequestType};
use crate::json::{Malformed, Note, Object, OwnedJson, Reader, Wire};
use crate::kit::core::{Core, Label, Place, Provider};
use crate::kit::envelope::{Envelope, Message, RequestId, RpcError};
use crate::kit::remembered::Remembered;
use crate::kit::session::{Direction, Oddity, Outcome, Verdict};
use crate::kit::streams::Streams;

/// How many requests of the host are remembered until they are answered.
const ASKED: usize = 4096;

/// What the driver's messages mean in one protocol.
pub(crate) trait Protocol: Provider {
    /// The surface of what the agent tells.
    const NOTIFICATIONS: RawSource;
    /// The surface of what the agent asks for, and of the host's answers.
    const REQUESTS: RawSource;
    /// The surface of the agent's replies.
    const RESPONSES: RawSource;

    /// What is remembered of a request of the host until its reply comes.
    type Asked;

    /// The agent tells something.
    fn notified(core: &mut Core<Self>, call: Call<'_>) -> Outcome;

    /// The agent asks for something.
    fn requested(core: &mut Core<Self>, id: &RequestId, call: Call<'_>) -> Outcome;

    /// The host asks for something.
    fn asked(core: &mut Core<Self>, id: &RequestId, call: Call<'_>) -> (Outcome, Self::Asked);

    /// The agent answers the host.
    fn replied(core: &mut Core<Self>, asked: Self::Asked, reply: Reply<'_>) -> Outcome;

    /// The agent refuses what the host asks for, which is known where the reader saw it.
    fn refused(core: &mut Core<Self>, asked: Option<Self::Asked>, refusal: Refusal<'_>) -> Outcome;

    /// The host answers the agent: with a result, or with an error where there is none.
    fn answered(
        core: &mut Core<Self>,
        id: &RequestId,
        place: &Place<'_>,
        result: Option<Range<usize>>,
    ) -> Outcome;
}

/// A notification or a request, not decoded yet.
pub(crate) struct Call<'m> {
    /// Where it lies; its body are the parameters.
    pub place: Place<'m>,
    /// The method on the wire.
    pub method: &'m str,
    /// The parameters.
    pub params: Option<Range<usize>>,
    /// What was odd so far.
    pub notes: Vec<Note>,
}

/// The result of a request, not decoded yet.
pub(crate) struct Reply<'m> {
    /// Where it lies; its body is the result.
    pub place: Place<'m>,
    /// The result.
    pub result: Range<usize>,
    /// What was odd so far.
    pub notes: Vec<Note>,
}

/// The error in place of a result.
pub(crate) struct Refusal<'m> {
    /// Where it lies; its body is the error.
    pub place: Place<'m>,
    /// The error. What failed has failed, however its error reads.
    pub error: RpcError<'m>,
    /// The error as it was sent.
    pub raw: OwnedJson,
    /// What was odd so far.
    pub notes: Vec<Note>,
}

/// The host's requests that wait for a reply.
pub(crate) struct Driver<M: Protocol> {
    asked: Remembered<RequestId, M::Asked>,
}

impl<M: Protocol> Driver<M> {
    /// Nothing was asked yet.
    pub fn new() -> Self {
        Self {
            asked: Remembered::new(ASKED),
        }
    }

    /// Reads what is complete in one direction.
    pub fn drain(&mut self, core: &mut Core<M>, streams: &mut Streams, direction: Direction) {
        while let Some((number, line)) = streams.next_line(direction) {
            for envelope in streams.messages(number, &line, direction) {
                let (message, outer) = (envelope.start..envelope.end, envelope.end);
                let place = |body: Option<&Range<usize>>| Place {
                    number,
                    line: &line,
                    message: message.clone(),
                    body: body.cloned().unwrap_or(outer..outer),
                    direction,
                };
                let outcome = match direction {
                    Direction::FromAgent => self.of_agent(core, envelope, place),
                    Direction::ToAgent => self.of_host(core, envelope, place),
                };
                streams.add(outcome);
            }
        }
    }

    fn of_agent<'l>(
        &mut self,
        core: &mut Core<M>,
        envelope: Envelope<'l>,
        place: impl Fn(Option<&Range<usize>>) -> Place<'l>,
    ) -> Outcome {
        let notes = envelope.notes;
        match envelope.message {
            Message::Notification { method, params } => {
                M::notified(core, Call::of(place, &method, params, notes))
            }
            Message::Request { id, method, params } => {
                M::requested(core, &id, Call::of(place, &method, params, notes))
            }
            Message::Response { id, result } => {
                let place = place(Some(&result));
                match self.asked.remove(&id.plain()) {
                    Some(asked) => {
                        let reply = Reply {
                            place,
                            result,
                            notes,
                        };
                        M::replied(core, asked, reply)
                    }
                    None => unmatched(core, &place, &id, notes),
                }
            }
            Message::Error { id, error } => {
                let asked = id.and_then(|id| self.asked.remove(&id.plain()));
                M::refused(core, asked, Refusal::read(place(Some(&error)), error))
            }
            Message::Other => {
                let label = label(M::NOTIFICATIONS, None);
                let message = "a message that is no request, notification, response or error";
                let verdict = Verdict::Unrecognized;
                core.warned(&place(None), &label, verdict, message.to_owned())
            }
        }
    }

    fn of_host<'l>(
        &mut self,
        core: &mut Core<M>,
        envelope: Envelope<'l>,
        place: impl Fn(Option<&Range<usize>>) -> Place<'l>,
    ) -> Outcome {
        match envelope.message {
            Message::Request { id, method, params } => {
                let call = Call::of(place, &method, params, envelope.notes);
                let (outcome, asked) = M::asked(core, &id, call);
                self.asked.insert(id.plain(), asked);
                outcome
            }
            Message::Response { id, result } => {
                let place = place(Some(&result));
                M::answered(core, &id, &place, Some(result))
            }
            Message::Error { id, error } => {
                let place = place(Some(&error));
                match id {
                    Some(id) => M::answered(core, &id, &place, None),
                    None => noted(core, &place, M::REQUESTS, None),
                }
            }
            Message::Notification { method, params } => {
                let place = place(params.as_ref());
                noted(core, &place, M::NOTIFICATIONS, Some(&method))
            }
            Message::Other => noted(core, &place(None), M::REQUESTS, None),
        }
    }
}

impl<'m> Call<'m> {
    fn of<'l: 'm>(
        place: impl Fn(Option<&Range<usize>>) -> Place<'l>,
        method: &'m str,
        params: Option<Range<usize>>,
        notes: Vec<Note>,
    ) -> Self {
        Self {
            place: place(params.as_ref()),
            method,
            params,
            notes,
        }
    }

    /// The call as `read` decodes it: the reader of the union that has the method as its tag.
    pub fn decoded<T>(&mut self, read: ReadContent<'m, T>) -> Result<T, Malformed> {
        let params = self.params.clone();
        content(&self.place, self.method, params, &mut self.notes, read)
    }

    /// What opens a request that nobody can read: the agent waits for an answer all the same.
    pub fn opened(&self) -> RequestOpened {
        let Place { line, body, .. } = &self.place;
        let args = || OwnedJson::from_text(Arc::clone(line), body.clone());
        RequestOpened {
            request_type: RequestType::Unknown,
            detail: Some(self.method.to_owned()),
            args: (!body.is_empty()).then(args),
        }
    }
}

impl<'m> Refusal<'m> {
    fn read(place: Place<'m>, error: Range<usize>) -> Self {
        let mut reader = Reader::over(place.line, error.clone());
        let decoded = RpcError::read(&mut reader);
        let raw = OwnedJson::from_text(Arc::clone(place.line), error);
        let error = decoded.unwrap_or_else(|malformed| RpcError {
            code: 0,
            message: format!("the error cannot be read: {malformed}").into(),
            data: None,
        });
        Self {
            notes: reader.take_notes(),
            place,
            error,
            raw,
        }
    }
}

/// The generated reader of a union whose tag stands in the envelope.
pub(crate) type ReadContent<'a, T> =
    fn(&mut Reader<'a>, &Object, Cow<'a, str>, Option<Range<usize>>) -> Result<T, Malformed>;

/// A payload as `read` decodes it.
pub(crate) fn content<'a, T>(
    place: &Place<'a>,
    tag: &'a str,
    range: Option<Range<usize>>,
    notes: &mut Vec<Note>,
    read: ReadContent<'a, T>,
) -> Result<T, Malformed> {
    let mut reader = Reader::over(place.line, place.message.clone());
    let object = Object::at(place.message.start);
    let decoded = read(&mut reader, &object, Cow::Borrowed(tag), range);
    notes.extend(reader.take_notes());
    decoded
}

/// What is known about a message before it is decoded.
pub(crate) fn label(source: RawSource, method: Option<&str>) -> Label<'_> {
    Label {
        source,
        method,
        message_type: None,
        wire_ms: None,
    }
}

/// A message that the host wrote and that tells nothing.
pub(crate) fn noted<M: Provider>(
    core: &mut Core<M>,
    place: &Place<'_>,
    source: RawSource,
    method: Option<&str>,
) -> Outcome {
    core.silent(place, &label(source, method), Verdict::Noted)
}

fn unmatched<M: Protocol>(
    core: &mut Core<M>,
    place: &Place<'_>,
    id: &RequestId,
    notes: Vec<Note>,
) -> Outcome {
    let label = label(M::RESPONSES, None);
    let message = format!("a response to request {id}, which this reader was not told of");
    let mut outcome = core.warned(place, &label, Verdict::Unmatched, message);
    let oddities = notes.into_iter();
    let oddities = oddities.map(|note| Oddity::locate(note, place.line));
    outcome.oddities.extend(oddities);
    outcome
}
