//! What the server tells of permissions and questions.

use crate::canonical::{RequestOpened, RequestResolved};
use crate::kit::mapping::{Cx, Out};
use crate::providers::opencode::wire;
use crate::providers::opencode::wire::event::row;

use super::mapping::OpenCodeMapping;
use super::requests::{self, Permission};

/// `permission.asked`.
pub(super) fn permission_asked(
    mapping: &mut OpenCodeMapping,
    cx: &mut Cx<'_>,
    params: &wire::EventPermissionAsked<'_>,
) -> RequestOpened {
    let asked = &params.properties;
    let call = asked.tool.as_ref();
    let asked = Permission {
        id: &asked.id,
        action: &asked.permission,
        shown: asked.patterns.iter().map(ToString::to_string).collect(),
        call: call.map(|call| (&*call.message_id, &*call.call_id)),
    };
    requests::permission(mapping, cx, &asked)
}

/// `permission.replied`.
pub(super) fn permission_replied(
    mapping: &mut OpenCodeMapping,
    cx: &mut Cx<'_>,
    params: &wire::EventPermissionReplied<'_>,
) -> RequestResolved {
    let replied = &params.properties;
    let id = replied.request_id.as_deref();
    let id = id.or(replied.permission_id.as_deref()).unwrap_or_default();
    let reply = replied.reply.as_ref().or(replied.response.as_ref());
    requests::replied(mapping, cx, id, reply)
}

/// `permission.updated`.
pub(super) fn permission_updated(
    mapping: &mut OpenCodeMapping,
    cx: &mut Cx<'_>,
    params: &wire::EventPermissionUpdated<'_>,
) -> RequestOpened {
    let asked = &params.properties;
    let call = asked.call_id.as_deref();
    let asked = Permission {
        id: &asked.id,
        action: &asked.type_,
        shown: vec![asked.title.to_string()],
        call: call.map(|call| (&*asked.message_id, call)),
    };
    requests::permission(mapping, cx, &asked)
}

/// `permission.v2.asked`.
pub(super) fn permission_v2_asked(
    mapping: &mut OpenCodeMapping,
    cx: &mut Cx<'_>,
    params: &wire::EventPermissionV2Asked<'_>,
) -> RequestOpened {
    let asked = &params.properties;
    let call = asked.source.as_ref();
    let asked = Permission {
        id: &asked.id,
        action: &asked.action,
        shown: asked.resources.iter().map(ToString::to_string).collect(),
        call: call.map(|call| (&*call.message_id, &*call.call_id)),
    };
    requests::permission(mapping, cx, &asked)
}

/// `permission.v2.replied`.
pub(super) fn permission_v2_replied(
    mapping: &mut OpenCodeMapping,
    cx: &mut Cx<'_>,
    params: &wire::EventPermissionV2Replied<'_>,
) -> RequestResolved {
    let replied = &params.properties;
    requests::replied(mapping, cx, &replied.request_id, Some(&replied.reply))
}

/// `question.asked`.
pub(super) fn question_asked(
    mapping: &mut OpenCodeMapping,
    cx: &mut Cx<'_>,
    params: &wire::EventQuestionAsked<'_>,
    out: &Out<row::QuestionAsked>,
) {
    let asked = &params.properties;
    let texts = asked.questions.iter().map(|it| it.question.to_string());
    let call = asked.tool.as_ref();
    let call = call.map(|call| (&*call.message_id, &*call.call_id));
    requests::questions(mapping, cx, (&asked.id, texts.collect(), call), out);
}

/// `question.rejected`.
pub(super) fn question_rejected(
    mapping: &mut OpenCodeMapping,
    cx: &mut Cx<'_>,
    params: &wire::EventQuestionRejected<'_>,
    out: &Out<row::QuestionRejected>,
) {
    requests::rejected(mapping, cx, &params.properties.request_id, out);
}

/// `question.replied`.
pub(super) fn question_replied(
    mapping: &mut OpenCodeMapping,
    cx: &mut Cx<'_>,
    params: &wire::EventQuestionReplied<'_>,
    out: &Out<row::QuestionReplied>,
) {
    requests::answers(mapping, cx, &params.properties.request_id, out);
}

/// `question.v2.asked`.
pub(super) fn question_v2_asked(
    mapping: &mut OpenCodeMapping,
    cx: &mut Cx<'_>,
    params: &wire::EventQuestionV2Asked<'_>,
    out: &Out<row::QuestionV2Asked>,
) {
    let asked = &params.properties;
    let texts = asked.questions.iter().map(|it| it.question.to_string());
    let call = asked.tool.as_ref();
    let call = call.map(|call| (&*call.message_id, &*call.call_id));
    requests::questions(mapping, cx, (&asked.id, texts.collect(), call), out);
}

/// `question.v2.rejected`.
pub(super) fn question_v2_rejected(
    mapping: &mut OpenCodeMapping,
    cx: &mut Cx<'_>,
    params: &wire::EventQuestionV2Rejected<'_>,
    out: &Out<row::QuestionV2Rejected>,
) {
    requests::rejected(mapping, cx, &params.properties.request_id, out);
}

/// `question.v2.replied`.
pub(super) fn question_v2_replied(
    mapping: &mut OpenCodeMapping,
    cx: &mut Cx<'_>,
    params: &wire::EventQuestionV2Replied<'_>,
    out: &Out<row::QuestionV2Replied>,
) {
    requests::answers(mapping, cx, &params.properties.request_id, out);
}
