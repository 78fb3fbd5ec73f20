//! Messages that tell one thing each about the session: settings, states, notices.

use std::borrow::Cow;
use std::sync::Arc;

use crate::canonical::{
    AccountRateLimitsUpdated, AuthStatus, ExitKind, ItemCompleted, ItemLifecycle, ItemStatus,
    ItemType, ItemUpdated, ModelRerouted, RuntimeWarning, SessionConfigured, SessionExited,
    SessionStateChanged, ThreadMetadataUpdated, ThreadState, ThreadStateChanged,
};
use crate::kit::mapping::Cx;
use crate::kit::members::text;
use crate::kit::parts::{config, filled, metadata, part, pick, rest};
use crate::providers::claude::wire;
use crate::providers::claude::wire::values;

use super::mapping::ClaudeMapping;

pub(super) fn active_goal(
    _: &mut ClaudeMapping,
    cx: &mut Cx<'_>,
    _: &wire::SdkActiveGoalMessage<'_>,
) -> ThreadMetadataUpdated {
    metadata("activeGoal", part(cx, &["value"]))
}

pub(super) fn auth_status(
    _: &mut ClaudeMapping,
    _: &mut Cx<'_>,
    params: &wire::SdkAuthStatusMessage<'_>,
) -> AuthStatus {
    AuthStatus {
        is_authenticating: Some(params.is_authenticating),
        output: Some(params.output.iter().map(ToString::to_string).collect()),
        error: params.error.as_deref().and_then(filled),
    }
}

pub(super) fn autocompact_state(
    _: &mut ClaudeMapping,
    cx: &mut Cx<'_>,
    _: &wire::SdkAutocompactStateMessage<'_>,
) -> ThreadMetadataUpdated {
    metadata("autocompactState", part(cx, &["value"]))
}

pub(super) fn command_lifecycle(
    _: &mut ClaudeMapping,
    cx: &mut Cx<'_>,
    _: &wire::SdkCommandLifecycleMessage<'_>,
) -> ThreadMetadataUpdated {
    let command = pick(cx, &[&["command_uuid"], &["state"]]);
    metadata("commandLifecycle", command)
}

pub(super) fn conversation_reset(
    mapping: &mut ClaudeMapping,
    cx: &mut Cx<'_>,
    _: &wire::SdkConversationResetMessage<'_>,
) -> ThreadStateChanged {
    mapping.talk.turns.next_thread();
    mapping.is_new_thread = true;
    ThreadStateChanged {
        state: ThreadState::Closed,
        detail: Some(cx.body()),
    }
}

pub(super) fn prompt_suggestion(
    _: &mut ClaudeMapping,
    cx: &mut Cx<'_>,
    _: &wire::SdkPromptSuggestionMessage<'_>,
) -> ItemUpdated {
    ItemUpdated(ItemLifecycle {
        detail: text(cx, &["suggestion"]),
        data: Some(cx.body()),
        ..ItemLifecycle::new(ItemType::Plan)
    })
}

pub(super) fn rate_limit_event(
    _: &mut ClaudeMapping,
    cx: &mut Cx<'_>,
    _: &wire::SdkRateLimitEvent<'_>,
) -> AccountRateLimitsUpdated {
    AccountRateLimitsUpdated {
        rate_limits: part(cx, &["rate_limit_info"]),
    }
}

pub(super) fn streamlined_text(
    _: &mut ClaudeMapping,
    cx: &mut Cx<'_>,
    _: &wire::SdkStreamlinedTextMessage,
) -> ItemCompleted {
    whole_text(cx, "text")
}

pub(super) fn api_retry(
    _: &mut ClaudeMapping,
    cx: &mut Cx<'_>,
    params: &wire::SdkapiRetryMessage<'_>,
) -> RuntimeWarning {
    let (attempt, of) = (params.attempt, params.max_retries);
    let message = format!(
        "the request to the model failed ({}), attempt {attempt} of {of}",
        params.error.as_str()
    );
    warning(cx, message)
}

pub(super) fn background_tasks_changed(
    _: &mut ClaudeMapping,
    cx: &mut Cx<'_>,
    _: &wire::SdkBackgroundTasksChangedMessage<'_>,
) -> ThreadMetadataUpdated {
    metadata("backgroundTasks", part(cx, &["tasks"]))
}

pub(super) fn commands_changed(
    _: &mut ClaudeMapping,
    cx: &mut Cx<'_>,
    _: &wire::SdkCommandsChangedMessage<'_>,
) -> SessionConfigured {
    config("commands", part(cx, &["commands"]))
}

pub(super) fn compact_boundary(
    _: &mut ClaudeMapping,
    cx: &mut Cx<'_>,
    _: &wire::SdkCompactBoundaryMessage<'_>,
) -> ThreadStateChanged {
    ThreadStateChanged {
        state: ThreadState::Compacted,
        detail: cx.raw(&["compact_metadata"]),
    }
}

pub(super) fn informational(
    _: &mut ClaudeMapping,
    cx: &mut Cx<'_>,
    params: &wire::SdkInformationalMessage<'_>,
) -> RuntimeWarning {
    warning(cx, params.content.to_string())
}

pub(super) fn init(
    mapping: &mut ClaudeMapping,
    cx: &mut Cx<'_>,
    params: &wire::SdkSystemMessage<'_>,
) -> SessionConfigured {
    mapping.model = Some(Arc::from(&*params.model));
    SessionConfigured {
        config: rest(cx, ENVELOPE),
    }
}

pub(super) fn local_command_output(
    _: &mut ClaudeMapping,
    cx: &mut Cx<'_>,
    _: &wire::SdkLocalCommandOutputMessage<'_>,
) -> ItemCompleted {
    whole_text(cx, "content")
}

pub(super) fn memory_recall(
    _: &mut ClaudeMapping,
    cx: &mut Cx<'_>,
    _: &wire::SdkMemoryRecallMessage<'_>,
) -> ThreadMetadataUpdated {
    metadata("memoryRecall", pick(cx, &[&["mode"], &["memories"]]))
}

pub(super) fn mirror_error(
    _: &mut ClaudeMapping,
    cx: &mut Cx<'_>,
    params: &wire::SdkMirrorErrorMessage<'_>,
) -> RuntimeWarning {
    let message = format!("the session could not be stored: {}", params.error);
    warning(cx, message)
}

pub(super) fn model_fallback(
    mapping: &mut ClaudeMapping,
    _: &mut Cx<'_>,
    params: &wire::SdkModelFallbackMessage<'_>,
) -> ModelRerouted {
    let text = |text: &Option<Cow<'_, str>>| text.as_deref().unwrap_or_default().to_owned();
    let model = params.fallback_model.as_deref();
    mapping.model = model.map(Arc::from).or_else(|| mapping.model.take());
    ModelRerouted {
        from_model: text(&params.original_model),
        to_model: text(&params.fallback_model),
        reason: text(&params.trigger),
    }
}

pub(super) fn model_refusal_fallback(
    mapping: &mut ClaudeMapping,
    _: &mut Cx<'_>,
    params: &wire::SdkModelRefusalFallbackMessage<'_>,
) -> ModelRerouted {
    mapping.model = Some(Arc::from(&*params.fallback_model));
    ModelRerouted {
        from_model: params.original_model.to_string(),
        to_model: params.fallback_model.to_string(),
        reason: String::from("refusal"),
    }
}

pub(super) fn model_refusal_no_fallback(
    _: &mut ClaudeMapping,
    cx: &mut Cx<'_>,
    params: &wire::SdkModelRefusalNoFallbackMessage<'_>,
) -> RuntimeWarning {
    let reasons = [
        &params.api_refusal_explanation,
        &params.api_refusal_category,
    ];
    let reason = reasons.into_iter().flatten().next();
    let message = match reason {
        Some(reason) => format!("{} refused: {reason}", params.original_model),
        None => format!("{} refused", params.original_model),
    };
    warning(cx, message)
}

pub(super) fn notification(
    _: &mut ClaudeMapping,
    cx: &mut Cx<'_>,
    params: &wire::SdkNotificationMessage<'_>,
) -> RuntimeWarning {
    warning(cx, params.text.to_string())
}

pub(super) fn session_state_changed(
    mapping: &mut ClaudeMapping,
    _: &mut Cx<'_>,
    params: &wire::SdkSessionStateChangedMessage<'_>,
) -> SessionStateChanged {
    let state = values::session_state(&params.state);
    SessionStateChanged {
        state: state.unwrap_or_else(|| mapping.works_or_waits()),
        reason: filled(params.state.as_str()),
        detail: None,
    }
}

pub(super) fn session_title_changed(
    _: &mut ClaudeMapping,
    _: &mut Cx<'_>,
    params: &wire::SdkSessionTitleChangedMessage<'_>,
) -> ThreadMetadataUpdated {
    ThreadMetadataUpdated {
        name: Some(params.title.to_string()),
        metadata: None,
    }
}

pub(super) fn session_writes_lost(
    _: &mut ClaudeMapping,
    cx: &mut Cx<'_>,
    params: &wire::SdkSessionWritesLostMessage<'_>,
) -> RuntimeWarning {
    let message = format!(
        "the session could not be written: {}",
        params.error_code.as_str()
    );
    warning(cx, message)
}

pub(super) fn status(
    mapping: &mut ClaudeMapping,
    _: &mut Cx<'_>,
    params: &wire::SdkStatusMessage<'_>,
) -> SessionStateChanged {
    let status = params.status.as_ref();
    let state = status.and_then(values::status);
    let mode = params
        .permission_mode
        .as_ref()
        .map(wire::PermissionMode::as_str);
    SessionStateChanged {
        state: state.unwrap_or_else(|| mapping.works_or_waits()),
        reason: status.map(|status| status.as_str().to_owned()),
        detail: params.compact_error.as_deref().or(mode).and_then(filled),
    }
}

pub(super) fn worker_shutting_down(
    _: &mut ClaudeMapping,
    _: &mut Cx<'_>,
    params: &wire::SdkWorkerShuttingDownMessage<'_>,
) -> SessionExited {
    SessionExited {
        reason: filled(&*params.reason),
        recoverable: None,
        exit_kind: Some(ExitKind::Graceful),
    }
}

/// The members of a message that say what it is, and nothing of what it tells.
const ENVELOPE: &[&str] = &["session_id", "subtype", "type", "uuid"];

/// A warning with the message that it comes from.
pub(super) fn warning(cx: &Cx<'_>, message: String) -> RuntimeWarning {
    RuntimeWarning {
        message,
        detail: Some(cx.body()),
    }
}

/// A text that comes whole, under the id of its line.
fn whole_text(cx: &mut Cx<'_>, member: &str) -> ItemCompleted {
    cx.refs.item = text(cx, &["uuid"]).map(Arc::from);
    ItemCompleted(ItemLifecycle {
        status: Some(ItemStatus::Completed),
        detail: text(cx, &[member]),
        data: Some(cx.body()),
        ..ItemLifecycle::new(ItemType::AssistantMessage)
    })
}
