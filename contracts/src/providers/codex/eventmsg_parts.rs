//! What the messages of the older event protocol need beside copying: the payloads that several of
//! them share, and those that are put together.

use crate::canonical::{
    ErrorClass, ItemCompleted, ItemLifecycle, ItemStarted, ItemStatus, ItemType, PlanStep,
    PlanStepStatus, RequestOpened, RequestType, RuntimeError, TurnPlanUpdated,
};
use crate::json::OwnedJson;
use crate::kit::mapping::Cx;
use crate::providers::codex::wire::eventmsg::{
    CodexErrorInfo, ElicitationRequest, EventMsgPlanUpdate, ResultOfCallToolResultOrString,
};
use crate::providers::codex::wire::{AgentStatus, values};

use super::turn_items::agent_text;
use crate::kit::parts::{boolean, filled, joined, object};

/// An item that the whole message is about, with no status yet.
pub(super) fn whole(cx: &Cx<'_>, item_type: ItemType) -> ItemLifecycle {
    ItemLifecycle {
        data: Some(cx.body()),
        ..ItemLifecycle::new(item_type)
    }
}

/// The start of an item that the whole message is about.
pub(super) fn begun(cx: &Cx<'_>, item_type: ItemType, title: Option<String>) -> ItemStarted {
    let status = Some(ItemStatus::InProgress);
    ItemStarted(ItemLifecycle {
        status,
        title,
        ..whole(cx, item_type)
    })
}

/// An item that is no more than its text.
pub(super) fn said(cx: &Cx<'_>, item_type: ItemType, text: &str) -> ItemCompleted {
    let status = Some(ItemStatus::Completed);
    ItemCompleted(ItemLifecycle {
        status,
        detail: filled(text),
        ..whole(cx, item_type)
    })
}

/// A request with its question. The arguments are the message as sent.
pub(super) fn asked(
    cx: &Cx<'_>,
    request_type: RequestType,
    question: Option<String>,
) -> RequestOpened {
    let detail = question.map(|text| text.split_whitespace().collect::<Vec<_>>().join(" "));
    RequestOpened {
        request_type,
        detail: detail.and_then(filled),
        args: Some(cx.body()),
    }
}

/// An end with no more than a yes or a no.
pub(super) const fn succeeded(success: bool) -> ItemStatus {
    if success {
        ItemStatus::Completed
    } else {
        ItemStatus::Failed
    }
}

/// The end of a call that was about other agents: the worst of their statuses is its own.
pub(super) fn collab_end<'m>(
    cx: &Cx<'_>,
    tool: &str,
    statuses: impl IntoIterator<Item = &'m AgentStatus<'m>>,
) -> ItemCompleted {
    let mut end = Some(ItemStatus::Completed);
    let mut texts = Vec::new();
    for agent in statuses {
        let status = values::eventmsg_agent_status(agent);
        if end != Some(ItemStatus::Failed) && status != Some(ItemStatus::Completed) {
            end = status;
        }
        texts.extend(agent_text(agent));
    }
    ItemCompleted(ItemLifecycle {
        status: end,
        title: filled(tool),
        detail: joined(texts),
        ..whole(cx, ItemType::CollabAgentToolCall)
    })
}

/// How a call of a tool on an MCP server ended, and what went wrong.
pub(super) fn mcp_result(
    result: &ResultOfCallToolResultOrString<'_>,
) -> (Option<ItemStatus>, Option<String>) {
    match result {
        ResultOfCallToolResultOrString::Err(message) => {
            (Some(ItemStatus::Failed), filled(&**message))
        }
        ResultOfCallToolResultOrString::Ok(result) => {
            (Some(succeeded(result.is_error != Some(true))), None)
        }
        ResultOfCallToolResultOrString::Unrecognized(_) => (None, None),
    }
}

/// An error, with the same members in its detail as the one of the app server.
pub(super) fn failure(
    cx: &Cx<'_>,
    message: &str,
    info: Option<&CodexErrorInfo<'_>>,
    will_retry: bool,
) -> RuntimeError {
    let mut members = vec![("willRetry", boolean(will_retry))];
    for (name, path) in [
        ("codexErrorInfo", "codex_error_info"),
        ("additionalDetails", "additional_details"),
    ] {
        members.extend(cx.raw(&[path]).map(|value| (name, value)));
    }
    let class = info
        .and_then(values::eventmsg_error_info)
        .unwrap_or(ErrorClass::Unknown);
    RuntimeError {
        message: message.to_owned(),
        class: Some(class),
        detail: Some(object(&members)),
    }
}

/// The question of an elicitation of 0.113.0.
pub(super) fn elicited(request: &ElicitationRequest<'_>) -> Option<String> {
    match request {
        ElicitationRequest::Form(form) => filled(&*form.message),
        ElicitationRequest::Url(link) => filled(format!("{} {}", link.message, link.url)),
        ElicitationRequest::Unrecognized(_) => None,
    }
}

/// The plan of a turn. A step whose status cannot be read is not done.
pub(super) fn plan(cx: &Cx<'_>, params: &EventMsgPlanUpdate<'_>) -> TurnPlanUpdated {
    // The wire type does not tell an explanation that is absent from one that is `null`.
    let told = cx.raw(&["explanation"]).is_some();
    let explanation = params.explanation.as_ref().map(|text| text.to_string());
    let steps = params.plan.iter().map(|step| PlanStep {
        step: step.step.to_string(),
        status: values::eventmsg_step_status(&step.status).unwrap_or(PlanStepStatus::Pending),
    });
    TurnPlanUpdated {
        explanation: told.then_some(explanation),
        plan: steps.collect(),
    }
}

/// A word about a thread, with the message for people where there is one.
pub(super) fn noted(cx: &Cx<'_>, word: &str, value: OwnedJson) -> OwnedJson {
    let message = cx.raw(&["message"]).map(|message| ("message", message));
    let members: Vec<_> = [(word, value)].into_iter().chain(message).collect();
    object(&members)
}
