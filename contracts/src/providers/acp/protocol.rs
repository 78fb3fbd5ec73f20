//! What the messages of either generation mean to the driver: each is decoded, and mapped.

use std::ops::Range;
use std::sync::Arc;

use crate::canonical::{Decision, RawSource, RequestResolved, RuntimeWarning};
use crate::json::{Note, Object, Reader};
use crate::kit::core::{Core, Label, Place};
use crate::kit::envelope::RequestId;
use crate::kit::json_rpc::{Call, Protocol, Refusal, Reply, content, label, noted};
use crate::kit::ledger::Refs;
use crate::kit::mapping::member;
use crate::kit::session::Outcome;

use super::asked::Asked;
use super::generation::{Content, Generation, Message};
use super::mapping::AcpMapping;
use super::parts::{One, Two};
use super::requests::{Asks, OpenRequest};
use super::v1::answers::USER_INPUT;
use super::version::{Agreed, Version};

/// The request whose answer decides about a tool call.
const PERMISSION: &str = "session/request_permission";

/// Does what the generation of the connection does.
macro_rules! of_generation {
    ($core:ident, $function:ident($($argument:expr),*)) => {
        match $core.mapping.version {
            Version::One => $function::<One>($core, $($argument),*),
            Version::Two => $function::<Two>($core, $($argument),*),
        }
    };
}

impl Protocol for AcpMapping {
    const NOTIFICATIONS: RawSource = RawSource::CursorAcpNotification;
    const REQUESTS: RawSource = RawSource::CursorAcpRequest;
    const RESPONSES: RawSource = RawSource::CursorAcpResponse;

    type Asked = Asked;

    fn notified(core: &mut Core<Self>, call: Call<'_>) -> Outcome {
        of_generation!(core, notified(call))
    }

    fn requested(core: &mut Core<Self>, id: &RequestId, call: Call<'_>) -> Outcome {
        let method = call.method;
        let mut refs = core.seen_refs(&call.place);
        refs.request = Some(Arc::from(id.to_wire()));
        refs.minted = true;
        let mut outcome = of_generation!(core, requested(call, &mut refs));
        outcome.tag = Some(Arc::from(method));
        core.mapping.requests.opens(id, method, refs);
        outcome
    }

    fn asked(core: &mut Core<Self>, id: &RequestId, call: Call<'_>) -> (Outcome, Asked) {
        let mut asked = Asked::of(&call);
        let thread = asked.refs.thread.clone();
        if let Some(thread) = asked.replayed() {
            core.mapping.turns.load(Arc::clone(thread));
        }
        if call.method != "session/prompt" {
            let outcome = noted(core, &call.place, Self::REQUESTS, Some(call.method));
            return (outcome, asked);
        }
        asked.turn = Some(core.mapping.turns.start(thread, id));
        let outcome = of_generation!(core, prompted(&call, &asked));
        (outcome, asked)
    }

    fn replied(core: &mut Core<Self>, asked: Asked, reply: Reply<'_>) -> Outcome {
        settled(core, &asked);
        let mut unknown = None;
        if &*asked.method == "initialize" {
            let (line, result) = (reply.place.line, reply.result.clone());
            let agreed = Agreed::of(line, result, asked.params.as_ref());
            core.mapping.version = agreed.read_as;
            unknown = agreed.unknown;
        }
        of_generation!(core, replied(&asked, reply, unknown))
    }

    fn refused(core: &mut Core<Self>, asked: Option<Asked>, refusal: Refusal<'_>) -> Outcome {
        if let Some(asked) = &asked {
            settled(core, asked);
            if let Some(turn) = &asked.turn {
                core.mapping.turns.refuse(turn);
            }
        }
        of_generation!(core, refused(asked.as_ref(), refusal))
    }

    fn answered(
        core: &mut Core<Self>,
        id: &RequestId,
        place: &Place<'_>,
        result: Option<Range<usize>>,
    ) -> Outcome {
        let Some(request) = core.mapping.requests.answer(id) else {
            return noted(core, place, Self::REQUESTS, None);
        };
        of_generation!(core, answered(request, place, result))
    }
}

/// A request of the client is answered: its session is loaded.
fn settled(core: &mut Core<AcpMapping>, asked: &Asked) {
    if let Some(thread) = asked.replayed() {
        core.mapping.turns.loaded(thread);
    }
}

fn notified<G: Generation>(core: &mut Core<AcpMapping>, mut call: Call<'_>) -> Outcome {
    let label = label(AcpMapping::NOTIFICATIONS, Some(call.method));
    let decoded = call.decoded(<G::Notification<'_>>::read);
    let (place, method, notes) = (call.place, call.method, call.notes);
    let message = match decoded {
        Err(error) => return core.malformed(&place, &label, &error, notes),
        Ok(message) => message,
    };
    if let Some((session, news)) = G::update(&message) {
        return updated(core, &place, session, news, notes);
    }
    let seen = core.seen_refs(&place);
    core.mapped(&place, &label, notes, |mapping, cx| {
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
fn updated(
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
        ..label(AcpMapping::NOTIFICATIONS, Some("session/update"))
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

/// A request of the agent. One that nobody can read is open all the same: the agent waits for an
/// answer.
fn requested<G: Generation>(
    core: &mut Core<AcpMapping>,
    mut call: Call<'_>,
    refs: &mut Refs,
) -> Outcome {
    let label = label(AcpMapping::REQUESTS, Some(call.method));
    let decoded = call.decoded(<G::Request<'_>>::read);
    let (opened, method) = (call.opened(), call.method);
    let (place, notes) = (call.place, call.notes);
    let seen = refs.clone();
    let open = |core: &mut Core<AcpMapping>| {
        core.mapped(&place, &label, Vec::new(), |mapping, cx| {
            cx.refs = seen;
            mapping.place(cx);
            G::asks_unreadably(cx, opened);
        })
    };
    match &decoded {
        Err(error) => {
            let before = open(core);
            after(before, core.malformed(&place, &label, error, notes))
        }
        Ok(message) if !G::is_known(message) => {
            let before = open(core);
            let outcome = core.mapped(&place, &label, notes, |mapping, cx| {
                message.map(mapping, cx);
            });
            after(before, outcome)
        }
        Ok(message) => {
            let given = refs.clone();
            core.mapped(&place, &label, notes, |mapping, cx| {
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
    }
}

/// An outcome, with the events of what came before it.
fn after(before: Outcome, mut outcome: Outcome) -> Outcome {
    outcome.prepend(before);
    outcome
}

/// A prompt goes out: a turn begins.
fn prompted<G: Generation>(
    core: &mut Core<AcpMapping>,
    call: &Call<'_>,
    asked: &Asked,
) -> Outcome {
    let label = label(AcpMapping::REQUESTS, Some(call.method));
    core.mapped(&call.place, &label, Vec::new(), |mapping, cx| {
        cx.refs = asked.named();
        G::prompted(mapping, cx);
    })
}

/// A result of the client's request.
fn replied<G: Generation>(
    core: &mut Core<AcpMapping>,
    asked: &Asked,
    reply: Reply<'_>,
    unknown: Option<i64>,
) -> Outcome {
    let Reply {
        place,
        result,
        mut notes,
    } = reply;
    let label = label(AcpMapping::RESPONSES, Some(&asked.method));
    let ended = asked.turn.as_ref().filter(|_| G::REPLY_ENDS_TURN);
    if let Some(turn) = ended {
        core.mapping.turns.end(turn);
    }
    let told = told(&place, result);
    let decoded = content(&place, &asked.method, told, &mut notes, <G::Result<'_>>::read);
    core.mapping.asked.clone_from(&asked.params);
    let message = match decoded {
        Ok(message) => message,
        Err(error) => {
            let mut outcome = core.malformed(&place, &label, &error, notes);
            if ended.is_some() {
                // The turn is over, however its end reads.
                let ended = core.mapped(&place, &label, Vec::new(), |mapping, cx| {
                    cx.refs = asked.named();
                    G::ended_unreadably(mapping, cx);
                });
                outcome.append(ended);
            }
            return outcome;
        }
    };
    core.mapped(&place, &label, notes, |mapping, cx| {
        cx.refs = asked.named();
        cx.lift(message.refs());
        cx.refs.session = cx.refs.thread.clone();
        if asked.turn.is_some() && !G::REPLY_ENDS_TURN {
            mapping.prompt_accepted(cx);
        }
        if let Some(unknown) = unknown {
            let read_as = mapping.version.number();
            let message = format!(
                "the agent speaks version {unknown} of the protocol, which is not known here; \
                 it is read as version {read_as}"
            );
            let detail = None;
            G::agreed_on_unknown(cx, RuntimeWarning { message, detail });
        }
        message.map(mapping, cx);
    })
}

/// An error in place of the result of the client's request.
fn refused<G: Generation>(
    core: &mut Core<AcpMapping>,
    asked: Option<&Asked>,
    refusal: Refusal<'_>,
) -> Outcome {
    let method = asked.map(|asked| &*asked.method);
    let label = label(AcpMapping::RESPONSES, method);
    let refs = asked.map(Asked::named).unwrap_or_default();
    let Refusal {
        place,
        error,
        raw,
        notes,
    } = refusal;
    core.mapped(&place, &label, notes, |mapping, cx| {
        cx.refs = refs;
        cx.refs.session = cx.refs.thread.clone();
        G::refused(mapping, cx, method, &error, raw);
    })
}

/// What the client answers to a request of the agent.
fn answered<G: Generation>(
    core: &mut Core<AcpMapping>,
    request: OpenRequest,
    place: &Place<'_>,
    result: Option<Range<usize>>,
) -> Outcome {
    let OpenRequest { method, refs, asks } = request;
    let label = label(AcpMapping::REQUESTS, Some(&method));
    let decision = result.and_then(|result| decided::<G>(place, &method, &asks, result));
    if let Some(decision) = decision.filter(|_| &*method == PERMISSION) {
        let declined = matches!(decision, Decision::Decline | Decision::Cancel);
        core.mapping.open.decided(&refs, declined);
    }
    let entered = USER_INPUT.iter().find(|(known, _)| *known == &*method);
    core.mapped(place, &label, Vec::new(), |_, cx| {
        cx.refs = Refs {
            minted: true,
            ..refs
        };
        let answers = entered.and_then(|(_, path)| cx.raw(path));
        let answers = answers.filter(|answers| answers.as_str() != "null");
        let resolved = RequestResolved {
            request_type: asks.request_type,
            decision: decision.map(String::from),
            resolution: Some(cx.body()),
        };
        G::answered(cx, answers, resolved);
    })
}

/// What the client's result decides.
fn decided<G: Generation>(
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

/// A result, which is `null` where there is nothing to say.
fn told(place: &Place<'_>, result: Range<usize>) -> Option<Range<usize>> {
    Some(result).filter(|range| place.line.get(range.clone()) != Some("null"))
}
