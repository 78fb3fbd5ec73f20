//! Messages that tell one thing each: settings, states, tasks, hooks, notices.

use std::borrow::Cow;
use std::sync::Arc;

use crate::canonical::{
    AccountRateLimitsUpdated, AuthStatus, ExitKind, FilesPersisted, HookCompleted, HookOutcome,
    HookProgress, HookStarted, ItemCompleted, ItemLifecycle, ItemStatus, ItemType, ItemUpdated,
    ModelRerouted, PersistFailure, PersistedFile, RuntimeWarning, SessionConfigured, SessionExited,
    SessionStateChanged, TaskProgress, TaskStarted, ThreadMetadataUpdated, ThreadState,
    ThreadStateChanged, ToolProgress, ToolSummary,
};
use crate::generated::claude as wire;
use crate::generated::claude::values;
use crate::mapping::Cx;
use crate::members::text;
use crate::parts::{config, filled, metadata, part, pick, rest};

use super::blocks::tool_type;
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
    mapping.turns.next_thread();
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

pub(super) fn streamlined_tool_use_summary(
    _: &mut ClaudeMapping,
    cx: &mut Cx<'_>,
    _: &wire::SdkStreamlinedToolUseSummaryMessage,
) -> ToolSummary {
    let summary = text(cx, &["tool_summary"]);
    ToolSummary {
        summary: summary.unwrap_or_default(),
        preceding_tool_use_ids: None,
    }
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

pub(super) fn control_request_progress(
    _: &mut ClaudeMapping,
    cx: &mut Cx<'_>,
    params: &wire::SdkControlRequestProgressMessage<'_>,
) -> ToolProgress {
    cx.refs.request = Some(Arc::from(&*params.request_id));
    cx.refs.minted = false;
    ToolProgress {
        summary: filled(params.status.as_str()),
        ..ToolProgress::default()
    }
}

pub(super) fn files_persisted(
    _: &mut ClaudeMapping,
    _: &mut Cx<'_>,
    params: &wire::SdkFilesPersistedEvent<'_>,
) -> FilesPersisted {
    let files = params.files.iter().map(|file| PersistedFile {
        filename: file.filename.to_string(),
        file_id: file.file_id.to_string(),
    });
    let failed = params.failed.iter().map(|file| PersistFailure {
        filename: file.filename.to_string(),
        error: file.error.to_string(),
    });
    FilesPersisted {
        files: files.collect(),
        failed: Some(failed.collect()),
    }
}

pub(super) fn hook_progress(
    _: &mut ClaudeMapping,
    _: &mut Cx<'_>,
    params: &wire::SdkHookProgressMessage<'_>,
) -> HookProgress {
    HookProgress {
        hook_id: params.hook_id.to_string(),
        output: filled(&*params.output),
        stdout: filled(&*params.stdout),
        stderr: filled(&*params.stderr),
    }
}

pub(super) fn hook_response(
    _: &mut ClaudeMapping,
    _: &mut Cx<'_>,
    params: &wire::SdkHookResponseMessage<'_>,
) -> HookCompleted {
    HookCompleted {
        hook_id: params.hook_id.to_string(),
        // An outcome that no version has is no success.
        outcome: values::hook_outcome(&params.outcome).unwrap_or(HookOutcome::Error),
        output: filled(&*params.output),
        stdout: filled(&*params.stdout),
        stderr: filled(&*params.stderr),
        exit_code: params.exit_code,
    }
}

pub(super) fn hook_started(
    _: &mut ClaudeMapping,
    _: &mut Cx<'_>,
    params: &wire::SdkHookStartedMessage<'_>,
) -> HookStarted {
    HookStarted {
        hook_id: params.hook_id.to_string(),
        hook_name: params.hook_name.to_string(),
        hook_event: params.hook_event.to_string(),
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

pub(super) fn permission_denied(
    mapping: &mut ClaudeMapping,
    cx: &mut Cx<'_>,
    params: &wire::SdkPermissionDeniedMessage<'_>,
) -> ItemUpdated {
    let call = &*params.tool_use_id;
    mapping.calls.deny(call);
    mapping.about(cx, &Arc::from(call));
    ItemUpdated(ItemLifecycle {
        status: Some(ItemStatus::Declined),
        title: filled(&*params.tool_name),
        detail: filled(&*params.message),
        data: Some(cx.body()),
        ..ItemLifecycle::new(tool_type(&params.tool_name))
    })
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

pub(super) fn task_progress(
    mapping: &mut ClaudeMapping,
    cx: &mut Cx<'_>,
    params: &wire::SdkTaskProgressMessage<'_>,
) -> TaskProgress {
    mapping.about_task(cx, params.tool_use_id.as_deref());
    TaskProgress {
        task_id: (&*params.task_id).into(),
        description: params.description.to_string(),
        usage: cx.raw(&["usage"]),
        last_tool_name: params.last_tool_name.as_deref().and_then(filled),
    }
}

pub(super) fn task_started(
    mapping: &mut ClaudeMapping,
    cx: &mut Cx<'_>,
    params: &wire::SdkTaskStartedMessage<'_>,
) -> TaskStarted {
    if let Some(call) = params.tool_use_id.as_deref() {
        mapping
            .task_calls
            .insert(Arc::from(&*params.task_id), Arc::from(call));
    }
    mapping.about_task(cx, params.tool_use_id.as_deref());
    TaskStarted {
        task_id: (&*params.task_id).into(),
        description: filled(&*params.description),
        task_type: params.task_type.as_deref().and_then(filled),
    }
}

pub(super) fn task_updated(
    mapping: &mut ClaudeMapping,
    cx: &mut Cx<'_>,
    params: &wire::SdkTaskUpdatedMessage<'_>,
) -> TaskProgress {
    let call = mapping
        .task_calls
        .get(&Arc::from(&*params.task_id))
        .cloned();
    mapping.about_task(cx, call.as_deref());
    let patch = &params.patch;
    let status = patch.status.as_ref().map(|status| status.as_str());
    let words = [
        patch.error.as_deref(),
        status,
        patch.description.as_deref(),
        patch
            .is_backgrounded
            .filter(|it| *it)
            .map(|_| "in the background"),
    ];
    TaskProgress {
        task_id: (&*params.task_id).into(),
        description: words
            .into_iter()
            .flatten()
            .next()
            .unwrap_or_default()
            .to_owned(),
        usage: None,
        last_tool_name: None,
    }
}

pub(super) fn thinking_tokens(
    mapping: &mut ClaudeMapping,
    cx: &mut Cx<'_>,
    _: &wire::SdkThinkingTokensMessage<'_>,
) -> ItemUpdated {
    if let Some(block) = mapping.messages.open_block(ItemType::Reasoning) {
        mapping.about(cx, &block);
    }
    let figures = pick(cx, &[&["estimated_tokens"], &["estimated_tokens_delta"]]);
    ItemUpdated(ItemLifecycle {
        data: Some(figures),
        ..ItemLifecycle::new(ItemType::Reasoning)
    })
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

pub(super) fn tool_progress(
    mapping: &mut ClaudeMapping,
    cx: &mut Cx<'_>,
    params: &wire::SdkToolProgressMessage<'_>,
) -> ToolProgress {
    // Some versions number the signs of life, and name the call as their parent.
    let call = &*params.tool_use_id;
    let parent = params.parent_tool_use_id.as_deref();
    let call = match parent {
        Some(parent) if mapping.calls.get(call).is_none() => parent,
        _ => call,
    };
    mapping.about(cx, &Arc::from(call));
    ToolProgress {
        tool_use_id: filled(call),
        tool_name: filled(&*params.tool_name),
        summary: None,
        elapsed_seconds: Some(params.elapsed_time_seconds),
    }
}

pub(super) fn tool_use_summary(
    _: &mut ClaudeMapping,
    _: &mut Cx<'_>,
    params: &wire::SdkToolUseSummaryMessage<'_>,
) -> ToolSummary {
    let calls = params.preceding_tool_use_ids.iter();
    ToolSummary {
        summary: params.summary.to_string(),
        preceding_tool_use_ids: Some(calls.map(ToString::to_string).collect()),
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
