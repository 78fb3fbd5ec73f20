//! What the notifications of the Codex app server need beside copying: the payloads that are put
//! together from several members, and the rules about ids.

use std::borrow::Cow;

use crate::canonical::{
    AuthStatus, ErrorClass, HookCompleted, HookOutcome, ItemCompleted, ItemLifecycle, ItemStatus,
    ItemType, ItemUpdated, PlanStep, PlanStepStatus, RequestResolved, RequestType, RuntimeError,
    RuntimeWarning, SessionState, SessionStateChanged, ToolProgress, TurnCompleted,
    TurnPlanUpdated, TurnState,
};
use crate::json::OwnedJson;
use crate::kit::envelope::RequestId;
use crate::kit::ledger::Refs;
use crate::kit::mapping::{Cx, Out};
use crate::providers::codex::wire::app_server_notification::row;
use crate::providers::codex::wire::{
    ErrorNotification, FileChangePatchUpdatedNotification, GatewayOAuthChangedNotification,
    GatewayOAuthStatus, GuardianApprovalReview, GuardianApprovalReviewAction, HookRunStatus,
    HookRunSummary, ModelSafetyBufferingUpdatedNotification, ModelVerification,
    ModelVerificationNotification, ProcessExitedNotification, RequestId as WireRequestId, Turn,
    TurnPlanUpdatedNotification, TurnStatus, WindowsSandboxSetupCompletedNotification,
    WindowsWorldWritableWarningNotification, values,
};

use super::items::changes_title;
use super::mapping::CodexMapping;
use crate::kit::parts::{filled, joined, part, pick};

/// A warning with what belongs to it.
pub(super) fn warning(message: impl Into<String>, detail: OwnedJson) -> RuntimeWarning {
    RuntimeWarning {
        message: message.into(),
        detail: Some(detail),
    }
}

/// A sign of life of what the client started.
pub(super) fn progress(tool: &str, id: &str, summary: Option<String>) -> ToolProgress {
    ToolProgress {
        tool_use_id: filled(id),
        tool_name: filled(tool),
        summary,
        elapsed_seconds: None,
    }
}

/// The end of a sign-in. One that failed has an error, whether the agent tells one or not.
pub(super) fn signed_in(success: bool, error: Option<&str>) -> AuthStatus {
    let error = error.or((!success).then_some("the sign-in failed"));
    AuthStatus {
        is_authenticating: Some(false),
        output: None,
        error: error.map(str::to_owned),
    }
}

/// How far the sign-in at a gateway is; nothing is said where the status cannot be read.
pub(super) fn gateway_sign_in(params: &GatewayOAuthChangedNotification<'_>) -> AuthStatus {
    let (is_authenticating, failed) = match &params.status {
        GatewayOAuthStatus::Started => (Some(true), false),
        GatewayOAuthStatus::Failed => (Some(false), true),
        GatewayOAuthStatus::NotReady | GatewayOAuthStatus::Succeeded => (Some(false), false),
        GatewayOAuthStatus::Unrecognized(_) => (None, false),
    };
    AuthStatus {
        is_authenticating,
        output: params.auth_url.as_ref().map(|url| vec![url.to_string()]),
        ..signed_in(!failed, params.error.as_deref())
    }
}

/// A change of files that grew.
pub(super) fn patched(cx: &Cx<'_>, params: &FileChangePatchUpdatedNotification<'_>) -> ItemUpdated {
    ItemUpdated(ItemLifecycle {
        title: changes_title(&params.changes),
        data: cx.raw(&["changes"]),
        ..ItemLifecycle::new(ItemType::FileChange)
    })
}

/// The end of a process that the client started.
pub(super) fn process_end(cx: &Cx<'_>, params: &ProcessExitedNotification<'_>) -> ItemCompleted {
    let status = match params.exit_code {
        0 => ItemStatus::Completed,
        _ => ItemStatus::Failed,
    };
    ItemCompleted(ItemLifecycle {
        status: Some(status),
        detail: filled(&*params.stdout).or_else(|| filled(&*params.stderr)),
        data: Some(cx.body()),
        ..ItemLifecycle::new(ItemType::CommandExecution)
    })
}

/// An error of a turn. It is not the end of the turn: that is told on its own.
pub(super) fn failure(cx: &Cx<'_>, params: &ErrorNotification<'_>) -> RuntimeError {
    let info = params.error.codex_error_info.as_ref();
    let detail = pick(
        cx,
        &[
            &["willRetry"],
            &["error", "codexErrorInfo"],
            &["error", "additionalDetails"],
            &["error", "misalignment"],
        ],
    );
    RuntimeError {
        message: params.error.message.to_string(),
        class: Some(
            info.and_then(values::error_info)
                .unwrap_or(ErrorClass::Unknown),
        ),
        detail: Some(detail),
    }
}

/// The end of a run of a hook. An end that cannot be read is no success.
pub(super) fn hook_end(run: &HookRunSummary<'_>) -> HookCompleted {
    let unreadable = match &run.status {
        HookRunStatus::Unrecognized(status) => Some(format!("unrecognized status `{status}`")),
        HookRunStatus::Blocked
        | HookRunStatus::Completed
        | HookRunStatus::Failed
        | HookRunStatus::Running
        | HookRunStatus::Stopped => None,
    };
    let output = joined(run.entries.iter().map(|entry| &entry.text))
        .or_else(|| run.status_message.as_deref().and_then(filled))
        .or(unreadable);
    HookCompleted {
        hook_id: run.id.to_string(),
        outcome: values::hook_run_status(&run.status).unwrap_or(HookOutcome::Error),
        output,
        stdout: None,
        stderr: None,
        exit_code: None,
    }
}

/// What an automatic review says about an item. It says nothing about the item's status.
pub(super) fn reviewed(
    cx: &mut Cx<'_>,
    target: Option<&str>,
    action: &GuardianApprovalReviewAction<'_>,
    review: &GuardianApprovalReview<'_>,
) -> ItemUpdated {
    cx.refs.item = target.map(Into::into);
    let status = review.status.as_str();
    let detail = match review.rationale.as_deref() {
        Some(rationale) if !rationale.is_empty() => format!("{status}: {rationale}"),
        Some(_) | None => status.to_owned(),
    };
    ItemUpdated(ItemLifecycle {
        detail: Some(detail),
        data: Some(cx.body()),
        ..ItemLifecycle::new(values::guardian_review_action(action).unwrap_or(ItemType::Unknown))
    })
}

/// How a turn ended. An end that cannot be read is a failure, and the message names it.
pub(super) fn turn_end(turn: &Turn<'_>) -> TurnCompleted {
    let told = turn.error.as_ref().map(|error| error.message.to_string());
    let error_message = match &turn.status {
        TurnStatus::Unrecognized(status) => Some(match told {
            Some(told) => format!("unrecognized turn status `{status}`: {told}"),
            None => format!("unrecognized turn status `{status}`"),
        }),
        TurnStatus::Completed
        | TurnStatus::Failed
        | TurnStatus::InProgress
        | TurnStatus::Interrupted => told,
    };
    let state = match values::turn_status(&turn.status) {
        // A turn that tells an error did not succeed, whatever its status says.
        Some(TurnState::Completed) if turn.error.is_some() => TurnState::Failed,
        Some(state) => state,
        None => TurnState::Failed,
    };
    TurnCompleted {
        error_message,
        ..TurnCompleted::new(state)
    }
}

/// The plan of a turn. A step whose status cannot be read is not done.
pub(super) fn plan(cx: &Cx<'_>, params: &TurnPlanUpdatedNotification<'_>) -> TurnPlanUpdated {
    // The wire type does not tell an explanation that is absent from one that is `null`.
    let told = cx.raw(&["explanation"]).is_some();
    let explanation = params.explanation.as_ref().map(|text| text.to_string());
    let steps = params.plan.iter().map(|step| PlanStep {
        step: step.step.to_string(),
        status: values::plan_step_status(&step.status).unwrap_or(PlanStepStatus::Pending),
    });
    TurnPlanUpdated {
        explanation: told.then_some(explanation),
        plan: steps.collect(),
    }
}

impl CodexMapping {
    /// The end of a request of the agent, with the client's answer as far as it was seen.
    pub(super) fn resolved(&mut self, cx: &mut Cx<'_>) -> RequestResolved {
        let id = resolved_id(cx);
        let name = Some(id.to_wire().into());
        let Some(request) = self.requests.resolve(&id) else {
            // Nobody saw it opened, so that a new canonical id would lead nowhere.
            cx.refs.request = name;
            cx.refs.minted = false;
            return RequestResolved {
                request_type: RequestType::Unknown,
                decision: None,
                resolution: None,
            };
        };
        let thread = cx.refs.thread.take().or(request.refs.thread);
        cx.refs = Refs {
            thread,
            request: name,
            ..request.refs
        };
        let answer = request.answer.unwrap_or_default();
        RequestResolved {
            request_type: request.request_type,
            decision: answer.decision,
            resolution: answer.resolution,
        }
    }
}

/// The id of a request that is resolved, in the form in which it was sent: `1` and `"1"` differ.
fn resolved_id(cx: &Cx<'_>) -> RequestId {
    let id = part(cx, &["requestId"]);
    RequestId::from_wire(id.as_str()).unwrap_or_else(|| RequestId::Other(id.as_str().into()))
}

/// A model that holds its answer back.
pub(super) fn buffering(
    cx: &Cx<'_>,
    params: &ModelSafetyBufferingUpdatedNotification<'_>,
) -> RuntimeWarning {
    let reasons = params.reasons.join(", ");
    warning(
        format!(
            "{} holds its answer back for safety: {reasons}",
            params.model
        ),
        cx.body(),
    )
}

/// A model that wants to know more about its user.
pub(super) fn verification(
    cx: &Cx<'_>,
    params: &ModelVerificationNotification<'_>,
) -> RuntimeWarning {
    let asked: Vec<_> = params
        .verifications
        .iter()
        .map(ModelVerification::as_str)
        .collect();
    let message = format!("the model asks for verification: {}", asked.join(", "));
    warning(message, part(cx, &["verifications"]))
}

/// The end of the set-up of the sandbox; a failure is a state and a warning.
pub(super) fn sandbox_set_up(
    cx: &mut Cx<'_>,
    params: &WindowsSandboxSetupCompletedNotification<'_>,
    out: &Out<row::WindowsSandboxSetupCompleted>,
) {
    let reason = Some(params.mode.as_str().to_owned());
    if params.success {
        let ready = SessionStateChanged {
            state: SessionState::Ready,
            reason,
            detail: None,
        };
        return out.emit(cx, ready);
    }
    let message = params
        .error
        .as_deref()
        .unwrap_or("the Windows sandbox could not be set up");
    let detail = Some(message.to_owned());
    out.emit(
        cx,
        SessionStateChanged {
            state: SessionState::Error,
            reason,
            detail,
        },
    );
    out.emit(cx, RuntimeWarning::new(message));
}

/// The id of a request of the client, as text.
pub(super) fn request_text(id: &WireRequestId<'_>) -> String {
    match id {
        WireRequestId::Text(text) => text.to_string(),
        WireRequestId::Number(number) => number.to_string(),
        WireRequestId::Unrecognized(unrecognized) => unrecognized.raw.to_string(),
    }
}

/// A sentence about the folders that everyone can write to.
pub(super) fn world_writable(params: &WindowsWorldWritableWarningNotification<'_>) -> String {
    let mut folders: Vec<Cow<'_, str>> = params.sample_paths.clone();
    if params.extra_count > 0 {
        folders.push(format!("{} more", params.extra_count).into());
    }
    let mut sentence = "everyone can write to some folders".to_owned();
    if !folders.is_empty() {
        sentence = format!("{sentence}: {}", folders.join(", "));
    }
    if params.failed_scan {
        sentence.push_str("; not all folders could be checked");
    }
    sentence
}
