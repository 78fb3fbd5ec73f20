//! Messages about work that goes on: tasks, hooks, tools, files.

use std::sync::Arc;

use crate::canonical::{
    FilesPersisted, HookCompleted, HookOutcome, HookProgress, HookStarted, ItemLifecycle,
    ItemStatus, ItemType, ItemUpdated, PersistFailure, PersistedFile, TaskProgress, TaskStarted,
    ToolProgress, ToolSummary,
};
use crate::kit::mapping::Cx;
use crate::kit::members::text;
use crate::kit::parts::{filled, pick};
use crate::providers::claude::wire;
use crate::providers::claude::wire::values;

use super::blocks::tool_type;
use super::mapping::ClaudeMapping;
use super::tasks::asks_for_background;

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

pub(super) fn task_progress(
    mapping: &mut ClaudeMapping,
    cx: &mut Cx<'_>,
    params: &wire::SdkTaskProgressMessage<'_>,
) -> TaskProgress {
    mapping.about_task(cx, &params.task_id, params.tool_use_id.as_deref());
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
    let call = params.tool_use_id.as_deref();
    let known = call.and_then(|call| mapping.talk.calls.get(call));
    let asked = asks_for_background(known.and_then(|call| call.input.as_ref()));
    let runs_on = params.is_backgrounded == Some(true) || asked;
    mapping.running.start(&params.task_id, call, runs_on);
    mapping.about_task(cx, &params.task_id, call);
    TaskStarted {
        task_id: (&*params.task_id).into(),
        description: filled(&*params.description),
        task_type: params.task_type.as_deref().and_then(filled),
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
        Some(parent) if mapping.talk.calls.get(call).is_none() => parent,
        _ => call,
    };
    mapping.talk.about(cx, &Arc::from(call));
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

pub(super) fn thinking_tokens(
    mapping: &mut ClaudeMapping,
    cx: &mut Cx<'_>,
    _: &wire::SdkThinkingTokensMessage<'_>,
) -> ItemUpdated {
    if let Some(block) = mapping.messages.open_block(ItemType::Reasoning) {
        mapping.talk.about(cx, &block);
    }
    let figures = pick(cx, &[&["estimated_tokens"], &["estimated_tokens_delta"]]);
    ItemUpdated(ItemLifecycle {
        data: Some(figures),
        ..ItemLifecycle::new(ItemType::Reasoning)
    })
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

pub(super) fn permission_denied(
    mapping: &mut ClaudeMapping,
    cx: &mut Cx<'_>,
    params: &wire::SdkPermissionDeniedMessage<'_>,
) -> ItemUpdated {
    let call = &*params.tool_use_id;
    mapping.talk.calls.deny(call);
    mapping.talk.about(cx, &Arc::from(call));
    ItemUpdated(ItemLifecycle {
        status: Some(ItemStatus::Declined),
        title: filled(&*params.tool_name),
        detail: filled(&*params.message),
        data: Some(cx.body()),
        ..ItemLifecycle::new(tool_type(&params.tool_name))
    })
}
