//! Requests that wait for the user: permissions and questions.

use std::sync::Arc;

use crate::canonical::{
    Decision, RequestOpened, RequestResolved, RequestType, UserInputRequested, UserInputResolved,
};
use crate::json::OwnedJson;
use crate::kit::mapping::{Cx, EmittedBy, Out};
use crate::kit::parts::{joined, null, part};
use crate::providers::opencode::wire::{PermissionV2Reply, values};

use super::mapping::OpenCodeMapping;
use super::waiting::Request;

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
    let known = mapping.requests.0.get(&id);
    // A request that is told once more is about what it was about.
    let request = match known.filter(|known| known.turn == turn) {
        Some(known) => known.clone(),
        None => Request {
            request_type,
            item,
            turn,
        },
    };
    speak(cx, &id, &request);
    mapping.requests.0.insert(id, request);
}

fn answered(
    mapping: &mut OpenCodeMapping,
    cx: &mut Cx<'_>,
    id: &str,
    unknown: RequestType,
) -> RequestType {
    let id: Arc<str> = Arc::from(id);
    if let Some(request) = mapping.requests.0.remove(&id) {
        speak(cx, &id, &request);
        return request.request_type;
    }
    cx.refs.turn = mapping.threads.turn(cx);
    cx.refs.request = Some(id);
    unknown
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
