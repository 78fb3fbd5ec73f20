//! Requests that wait for the user: permissions and questions.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::canonical::{
    Decision, EventPayload, RequestOpened, RequestResolved, RequestType, ThreadState,
    UserInputRequested, UserInputResolved,
};
use crate::json::OwnedJson;
use crate::kit::ledger::{Draft, Refs};
use crate::kit::mapping::{Cx, EmittedBy, Out};
use crate::kit::parts::{joined, null, part};
use crate::kit::remembered::Remembered;
use crate::providers::opencode::wire::{PermissionV2Reply, values};

use super::mapping::OpenCodeMapping;

/// How many requests are remembered.
const REQUESTS: usize = 4_096;

/// Requests by their ids.
#[derive(Debug)]
pub(super) struct Requests {
    known: Remembered<Arc<str>, Request>,
    /// Those that are told and not answered, by what they are about.
    waiting: BTreeMap<Arc<str>, Refs>,
}

#[derive(Clone, Debug)]
struct Request {
    request_type: RequestType,
    item: Option<Arc<str>>,
    turn: Option<Arc<str>>,
    /// That it waits was told.
    told: bool,
    resolved: bool,
}

impl Default for Requests {
    fn default() -> Self {
        Self {
            known: Remembered::new(REQUESTS),
            waiting: BTreeMap::new(),
        }
    }
}

impl Requests {
    /// Notes that a request is answered. False where it was before.
    pub fn resolve(&mut self, id: &Arc<str>) -> bool {
        self.waiting.remove(id);
        match self.known.get_mut(id) {
            Some(request) => !std::mem::replace(&mut request.resolved, true),
            None => {
                let unknown = Request {
                    request_type: RequestType::Unknown,
                    item: None,
                    turn: None,
                    told: false,
                    resolved: true,
                };
                self.known.insert(Arc::clone(id), unknown);
                true
            }
        }
    }

    /// Notes that it is told that a request waits. False where that was told before, or where its
    /// answer was.
    pub fn open(&mut self, id: &Arc<str>, refs: &Refs) -> bool {
        let is_new = match self.known.get_mut(id) {
            Some(request) => !request.resolved && !std::mem::replace(&mut request.told, true),
            None => true,
        };
        if is_new {
            self.waiting.insert(Arc::clone(id), refs.clone());
            while self.waiting.len() > REQUESTS {
                self.waiting.pop_first();
            }
        }
        is_new
    }

    /// The ends of the requests that wait in what this draft ends: a turn, a thread, or the server.
    pub fn cancelled(&mut self, end: &Draft) -> Vec<Draft> {
        let of = &end.refs;
        let (turn, thread, server) = (
            matches!(end.payload, EventPayload::TurnCompleted(_)) && of.turn.is_some(),
            matches!(&end.payload, EventPayload::ThreadStateChanged(it) if it.state == ThreadState::Closed),
            matches!(end.payload, EventPayload::SessionExited(_)),
        );
        if !(turn || thread || server) {
            return Vec::new();
        }
        let waiting = self.waiting.iter();
        let over = waiting.filter(|(_, refs)| {
            server || (refs.thread == of.thread && (thread || refs.turn == of.turn))
        });
        let ids: Vec<Arc<str>> = over.map(|(id, _)| Arc::clone(id)).collect();
        ids.iter().filter_map(|id| self.cancel(id)).collect()
    }

    fn cancel(&mut self, id: &Arc<str>) -> Option<Draft> {
        let refs = self.waiting.get(id)?.clone();
        let known = self.known.get(id);
        let request_type = known.map_or(RequestType::Unknown, |request| request.request_type);
        self.resolve(id);
        let resolved = RequestResolved {
            request_type,
            decision: Some(Decision::Cancel.into()),
            resolution: None,
        };
        Some(Draft {
            refs,
            payload: resolved.into(),
        })
    }

    /// Whether it is told that a request waits, or was answered.
    pub fn is_told(&self, id: &Arc<str>) -> bool {
        let known = self.known.get(id);
        known.is_some_and(|request| request.told || request.resolved)
    }

    /// Whether a request is answered.
    pub fn is_resolved(&self, id: &Arc<str>) -> bool {
        self.known.get(id).is_some_and(|request| request.resolved)
    }
}

/// What a permission is asked for.
pub(super) struct Permission<'m> {
    pub id: &'m str,
    /// What it is for, by the server's word.
    pub action: &'m str,
    /// What people read about it.
    pub shown: Vec<String>,
    /// The message and the id of the call that needs it.
    pub call: Option<(&'m str, &'m str)>,
}

/// A permission is asked for.
pub(super) fn permission(
    mapping: &mut OpenCodeMapping,
    cx: &mut Cx<'_>,
    asked: &Permission<'_>,
) -> RequestOpened {
    let request_type = values::permission(asked.action).unwrap_or(RequestType::Unknown);
    opened(mapping, cx, asked.id, request_type, asked.call);
    RequestOpened {
        request_type,
        detail: joined(&asked.shown),
        args: Some(part(cx, &["properties"])),
    }
}

/// A permission is given or refused.
pub(super) fn replied(
    mapping: &mut OpenCodeMapping,
    cx: &mut Cx<'_>,
    id: &str,
    reply: Option<&PermissionV2Reply>,
) -> RequestResolved {
    let request_type = answered(mapping, cx, id, RequestType::Unknown);
    let decision = reply.map(|reply| match values::permission_reply(reply) {
        Some(decision) => String::from(decision),
        None => reply.as_str().to_owned(),
    });
    if let Some(PermissionV2Reply::Reject) = reply {
        refuse(mapping, cx);
    }
    RequestResolved {
        request_type,
        decision,
        resolution: Some(part(cx, &["properties"])),
    }
}

/// Questions are asked: their id, their texts, and the call that asks them.
pub(super) fn questions<R>(
    mapping: &mut OpenCodeMapping,
    cx: &mut Cx<'_>,
    (id, texts, call): (&str, Vec<String>, Option<(&str, &str)>),
    out: &Out<R>,
) where
    UserInputRequested: EmittedBy<R>,
    RequestOpened: EmittedBy<R>,
{
    opened(mapping, cx, id, RequestType::ToolUserInput, call);
    let questions = part(cx, &["properties", "questions"]);
    out.emit(cx, UserInputRequested { questions });
    let request = RequestOpened {
        request_type: RequestType::ToolUserInput,
        detail: joined(&texts),
        args: Some(part(cx, &["properties"])),
    };
    out.emit(cx, request);
}

/// Questions are answered.
pub(super) fn answers<R>(mapping: &mut OpenCodeMapping, cx: &mut Cx<'_>, id: &str, out: &Out<R>)
where
    UserInputResolved: EmittedBy<R>,
    RequestResolved: EmittedBy<R>,
{
    let answers = part(cx, &["properties", "answers"]);
    over(mapping, cx, id, (answers, Decision::Accept), out);
}

/// Questions are not answered: the user refuses to.
pub(super) fn rejected<R>(mapping: &mut OpenCodeMapping, cx: &mut Cx<'_>, id: &str, out: &Out<R>)
where
    UserInputResolved: EmittedBy<R>,
    RequestResolved: EmittedBy<R>,
{
    over(mapping, cx, id, (null(), Decision::Decline), out);
    refuse(mapping, cx);
}

/// Questions wait no longer.
fn over<R>(
    mapping: &mut OpenCodeMapping,
    cx: &mut Cx<'_>,
    id: &str,
    (answers, decision): (OwnedJson, Decision),
    out: &Out<R>,
) where
    UserInputResolved: EmittedBy<R>,
    RequestResolved: EmittedBy<R>,
{
    let request_type = answered(mapping, cx, id, RequestType::ToolUserInput);
    out.emit(cx, UserInputResolved { answers });
    let request = RequestResolved {
        request_type,
        decision: Some(decision.into()),
        resolution: Some(part(cx, &["properties"])),
    };
    out.emit(cx, request);
}

fn opened(
    mapping: &mut OpenCodeMapping,
    cx: &mut Cx<'_>,
    id: &str,
    request_type: RequestType,
    call: Option<(&str, &str)>,
) {
    let thread = mapping.threads.of(cx);
    let (item, turn) = match &thread {
        Some(thread) => (
            call.and_then(|(message, call)| thread.call(message, call)),
            thread.turn_name().cloned(),
        ),
        None => (None, None),
    };
    let of_item = |item: &Arc<str>| thread.as_ref()?.parts.get(item)?.turn.clone();
    let turn = item.as_ref().and_then(of_item).or(turn);
    let id: Arc<str> = Arc::from(id);
    let request = Request {
        request_type,
        item,
        turn,
        told: false,
        resolved: false,
    };
    speak(cx, &id, &request);
    // An id may be used again once its request is answered, and then names another one.
    let known = mapping.requests.known.get(&id);
    if known.is_none_or(|known| known.told && known.resolved) {
        mapping.requests.known.insert(id, request);
    }
}

fn answered(
    mapping: &mut OpenCodeMapping,
    cx: &mut Cx<'_>,
    id: &str,
    unknown: RequestType,
) -> RequestType {
    let id: Arc<str> = Arc::from(id);
    match mapping.requests.known.get(&id) {
        Some(request) => {
            speak(cx, &id, request);
            request.request_type
        }
        None => {
            cx.refs.turn = mapping
                .threads
                .of(cx)
                .and_then(|it| it.turn_name().cloned());
            cx.refs.request = Some(id);
            unknown
        }
    }
}

fn speak(cx: &mut Cx<'_>, id: &Arc<str>, request: &Request) {
    cx.refs.request = Some(Arc::clone(id));
    cx.refs.item.clone_from(&request.item);
    cx.refs.turn.clone_from(&request.turn);
}

/// The user refuses what the item asked for: its failure, whatever it says, is that of a refusal.
fn refuse(mapping: &mut OpenCodeMapping, cx: &Cx<'_>) {
    let Some(thread) = mapping.threads.of(cx) else {
        return;
    };
    if let Some(turn) = &mut thread.turn {
        turn.refused = true;
    }
    if let Some(part) = cx
        .refs
        .item
        .as_ref()
        .and_then(|it| thread.parts.get_mut(it))
    {
        part.refused = true;
    }
}
