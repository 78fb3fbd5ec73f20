//! Notifications of the Codex app server, as canonical events.

use crate::canonical::*;
use crate::kit::mapping::{Cx, Out};
use crate::providers::codex::wire::app_server_notification::*;
use crate::providers::codex::wire::values;

use super::CodexMapping;
use super::items::{Step, lifecycle};
use super::notices::*;
use super::secrets::without_secrets;
use crate::kit::parts::{boolean, config, filled, joined, metadata, null, part, pick, rest, state};

impl Mapping for CodexMapping {
    fn account_gateway_o_auth_changed(
        &mut self,
        _: &mut Cx,
        params: &GatewayOAuthChangedNotification,
    ) -> AuthStatus {
        gateway_sign_in(params)
    }
    fn account_login_completed(
        &mut self,
        _: &mut Cx,
        params: &AccountLoginCompletedNotification,
    ) -> AuthStatus {
        signed_in(params.success, params.error.as_deref())
    }
    fn account_rate_limits_updated(
        &mut self,
        cx: &mut Cx,
        _: &AccountRateLimitsUpdatedNotification,
    ) -> AccountRateLimitsUpdated {
        AccountRateLimitsUpdated {
            rate_limits: part(cx, &["rateLimits"]),
        }
    }
    fn account_updated(&mut self, cx: &mut Cx, _: &AccountUpdatedNotification) -> AccountUpdated {
        AccountUpdated {
            account: without_secrets(cx.body()),
        }
    }
    fn app_list_updated(&mut self, cx: &mut Cx, _: &AppListUpdatedNotification) -> RuntimeWarning {
        warning("the list of apps changed", part(cx, &["data"]))
    }
    fn auth_status_change(
        &mut self,
        cx: &mut Cx,
        _: &AuthStatusChangeNotification,
    ) -> AccountUpdated {
        AccountUpdated {
            account: without_secrets(cx.body()),
        }
    }
    fn auto_approval_review_strict_review_required(
        &mut self,
        cx: &mut Cx,
        _: &StrictReviewRequiredNotification,
    ) -> RuntimeWarning {
        look_up_turn(cx);
        warning(
            "every action of this turn is now reviewed strictly",
            cx.body(),
        )
    }
    fn command_exec_output_delta(
        &mut self,
        _: &mut Cx,
        params: &CommandExecOutputDeltaNotification,
    ) -> ContentDelta {
        output(&params.delta_base64)
    }
    fn config_warning(&mut self, cx: &mut Cx, params: &ConfigWarningNotification) -> ConfigWarning {
        config_warning(cx, params)
    }
    fn deprecation_notice(
        &mut self,
        _: &mut Cx,
        params: &DeprecationNoticeNotification,
    ) -> DeprecationNotice {
        DeprecationNotice {
            summary: params.summary.to_string(),
            details: params.details.as_deref().map(str::to_owned),
        }
    }
    fn error(&mut self, cx: &mut Cx, params: &ErrorNotification) -> RuntimeError {
        look_up_turn(cx);
        failure(cx, params)
    }
    fn external_agent_config_import_completed(
        &mut self,
        cx: &mut Cx,
        _: &ExternalAgentConfigImportCompletedNotification,
    ) -> SessionConfigured {
        config("externalAgentImport", cx.body())
    }
    fn external_agent_config_import_progress(
        &mut self,
        cx: &mut Cx,
        _: &ExternalAgentConfigImportProgressNotification,
    ) -> SessionConfigured {
        config("externalAgentImport", cx.body())
    }
    fn fs_changed(&mut self, _: &mut Cx, params: &FsChangedNotification) -> ToolProgress {
        progress(
            "fs/watch",
            &params.watch_id,
            joined(params.changed_paths.iter().map(|it| &it.0)),
        )
    }
    fn fuzzy_file_search_session_completed(
        &mut self,
        _: &mut Cx,
        params: &FuzzyFileSearchSessionCompletedNotification,
    ) -> ToolSummary {
        searched(&params.session_id)
    }
    fn fuzzy_file_search_session_updated(
        &mut self,
        _: &mut Cx,
        params: &FuzzyFileSearchSessionUpdatedNotification,
    ) -> ToolProgress {
        let found = joined(params.files.iter().map(|file| &file.path));
        progress("fuzzyFileSearch", &params.session_id, found)
    }
    fn guardian_warning(
        &mut self,
        _: &mut Cx,
        params: &GuardianWarningNotification,
    ) -> RuntimeWarning {
        RuntimeWarning::new(&*params.message)
    }
    fn hook_completed(&mut self, cx: &mut Cx, params: &HookCompletedNotification) -> HookCompleted {
        look_up_turn(cx);
        hook_end(&params.run)
    }
    fn hook_started(&mut self, cx: &mut Cx, params: &HookStartedNotification) -> HookStarted {
        look_up_turn(cx);
        hook_start(&params.run)
    }
    fn item_agent_message_delta(
        &mut self,
        _: &mut Cx,
        params: &AgentMessageDeltaNotification,
    ) -> ContentDelta {
        ContentDelta::new(ContentStreamKind::AssistantText, &*params.delta)
    }
    fn item_auto_approval_review_completed(
        &mut self,
        cx: &mut Cx,
        params: &ItemGuardianApprovalReviewCompletedNotification,
    ) -> ItemUpdated {
        reviewed(
            cx,
            params.target_item_id.as_deref(),
            &params.action,
            &params.review,
        )
    }
    fn item_auto_approval_review_started(
        &mut self,
        cx: &mut Cx,
        params: &ItemGuardianApprovalReviewStartedNotification,
    ) -> ItemUpdated {
        reviewed(
            cx,
            params.target_item_id.as_deref(),
            &params.action,
            &params.review,
        )
    }
    fn item_command_execution_output_delta(
        &mut self,
        _: &mut Cx,
        params: &CommandExecutionOutputDeltaNotification,
    ) -> ContentDelta {
        ContentDelta::new(ContentStreamKind::CommandOutput, &*params.delta)
    }
    fn item_command_execution_terminal_interaction(
        &mut self,
        cx: &mut Cx,
        params: &TerminalInteractionNotification,
    ) -> ItemUpdated {
        interaction(cx, params)
    }
    fn item_completed(&mut self, cx: &mut Cx, params: &ItemCompletedNotification) -> ItemCompleted {
        let data = cx.raw(&["item"]);
        lifecycle(cx, &params.item, data, Step::Completed).into()
    }
    fn item_file_change_output_delta(
        &mut self,
        _: &mut Cx,
        params: &FileChangeOutputDeltaNotification,
    ) -> ContentDelta {
        ContentDelta::new(ContentStreamKind::FileChangeOutput, &*params.delta)
    }
    fn item_file_change_patch_updated(
        &mut self,
        cx: &mut Cx,
        params: &FileChangePatchUpdatedNotification,
    ) -> ItemUpdated {
        patched(cx, params)
    }
    fn item_mcp_tool_call_progress(
        &mut self,
        _: &mut Cx,
        params: &McpToolCallProgressNotification,
    ) -> ToolProgress {
        let tool_use_id = Some(params.item_id.to_string());
        let summary = filled(&*params.message);
        ToolProgress {
            tool_use_id,
            summary,
            ..ToolProgress::default()
        }
    }
    fn item_plan_delta(&mut self, _: &mut Cx, params: &PlanDeltaNotification) -> ContentDelta {
        ContentDelta::new(ContentStreamKind::PlanText, &*params.delta)
    }
    fn item_reasoning_summary_part_added(
        &mut self,
        cx: &mut Cx,
        _: &ReasoningSummaryPartAddedNotification,
    ) -> ItemUpdated {
        let data = Some(pick(cx, &[&["summaryIndex"]]));
        ItemUpdated(ItemLifecycle {
            data,
            ..ItemLifecycle::new(ItemType::Reasoning)
        })
    }
    fn item_reasoning_summary_text_delta(
        &mut self,
        _: &mut Cx,
        params: &ReasoningSummaryTextDeltaNotification,
    ) -> ContentDelta {
        let delta = ContentDelta::new(ContentStreamKind::ReasoningSummaryText, &*params.delta);
        ContentDelta {
            summary_index: Some(params.summary_index),
            ..delta
        }
    }
    fn item_reasoning_text_delta(
        &mut self,
        _: &mut Cx,
        params: &ReasoningTextDeltaNotification,
    ) -> ContentDelta {
        let delta = ContentDelta::new(ContentStreamKind::ReasoningText, &*params.delta);
        ContentDelta {
            content_index: Some(params.content_index),
            ..delta
        }
    }
    fn item_started(&mut self, cx: &mut Cx, params: &ItemStartedNotification) -> ItemStarted {
        let data = cx.raw(&["item"]);
        lifecycle(cx, &params.item, data, Step::Started).into()
    }
    fn login_chat_gpt_complete(
        &mut self,
        _: &mut Cx,
        params: &LoginChatGptCompleteNotification,
    ) -> AuthStatus {
        signed_in(params.success, params.error.as_deref())
    }
    fn mcp_server_event_stream_notification(
        &mut self,
        cx: &mut Cx,
        _: &McpServerEventStreamNotification,
    ) -> McpStatusUpdated {
        McpStatusUpdated { status: cx.body() }
    }
    fn mcp_server_oauth_login_completed(
        &mut self,
        _: &mut Cx,
        params: &McpServerOauthLoginCompletedNotification,
    ) -> McpOauthCompleted {
        mcp_signed_in(params)
    }
    fn mcp_server_startup_status_updated(
        &mut self,
        cx: &mut Cx,
        _: &McpServerStatusUpdatedNotification,
    ) -> McpStatusUpdated {
        McpStatusUpdated { status: cx.body() }
    }
    fn model_rerouted(&mut self, cx: &mut Cx, params: &ModelReroutedNotification) -> ModelRerouted {
        look_up_turn(cx);
        ModelRerouted {
            from_model: params.from_model.to_string(),
            to_model: params.to_model.to_string(),
            reason: params.reason.as_str().to_owned(),
        }
    }
    fn model_safety_buffering_updated(
        &mut self,
        cx: &mut Cx,
        params: &ModelSafetyBufferingUpdatedNotification,
    ) -> RuntimeWarning {
        look_up_turn(cx);
        buffering(cx, params)
    }
    fn model_verification(
        &mut self,
        cx: &mut Cx,
        params: &ModelVerificationNotification,
    ) -> RuntimeWarning {
        look_up_turn(cx);
        verification(cx, params)
    }
    fn model_provider_auth_recovery_completed(
        &mut self,
        cx: &mut Cx,
        params: &AuthRecoveryNotification,
    ) -> AuthStatus {
        look_up_turn(cx);
        recovering(false, &params.message)
    }
    fn model_provider_auth_recovery_started(
        &mut self,
        cx: &mut Cx,
        params: &AuthRecoveryNotification,
    ) -> AuthStatus {
        look_up_turn(cx);
        recovering(true, &params.message)
    }
    fn process_exited(&mut self, cx: &mut Cx, params: &ProcessExitedNotification) -> ItemCompleted {
        cx.refs.item = Some(params.process_handle.as_ref().into());
        process_end(cx, params)
    }
    fn process_output_delta(
        &mut self,
        cx: &mut Cx,
        params: &ProcessOutputDeltaNotification,
    ) -> ContentDelta {
        cx.refs.item = Some(params.process_handle.as_ref().into());
        output(&params.delta_base64)
    }
    fn project_changed(
        &mut self,
        cx: &mut Cx,
        _: &ProjectChangedNotification,
    ) -> ThreadMetadataUpdated {
        metadata("project", cx.body())
    }
    fn remote_control_status_changed(
        &mut self,
        cx: &mut Cx,
        _: &RemoteControlStatusChangedNotification,
    ) -> SessionConfigured {
        config("remoteControl", cx.body())
    }
    fn server_request_resolved(
        &mut self,
        cx: &mut Cx,
        _: &ServerRequestResolvedNotification,
    ) -> RequestResolved {
        self.resolved(cx)
    }
    fn session_configured(
        &mut self,
        cx: &mut Cx,
        params: &SessionConfiguredNotification,
        out: Out<row::SessionConfigured>,
    ) {
        cx.refs.thread = Some(params.session_id.as_ref().into());
        let provider_thread_id = Some(params.session_id.as_ref().into());
        out.emit(cx, ThreadStarted { provider_thread_id });
        let config = rest(cx, &["sessionId", "initialMessages"]);
        out.emit(cx, SessionConfigured { config });
    }
    fn skills_changed(&mut self, _: &mut Cx, _: &SkillsChangedNotification) -> SessionConfigured {
        config("skillsChanged", boolean(true))
    }
    fn thread_archived(
        &mut self,
        _: &mut Cx,
        _: &ThreadArchivedNotification,
    ) -> ThreadStateChanged {
        state(ThreadState::Archived, "archived")
    }
    fn thread_attachment_updated(
        &mut self,
        cx: &mut Cx,
        _: &ThreadAttachmentUpdatedNotification,
    ) -> ThreadMetadataUpdated {
        metadata("attachment", cx.body())
    }
    fn thread_closed(&mut self, _: &mut Cx, _: &ThreadClosedNotification) -> ThreadStateChanged {
        state(ThreadState::Closed, "closed")
    }
    fn thread_compacted(
        &mut self,
        cx: &mut Cx,
        _: &ContextCompactedNotification,
    ) -> ThreadStateChanged {
        look_up_turn(cx);
        state(ThreadState::Compacted, "compacted")
    }
    fn thread_deleted(&mut self, _: &mut Cx, _: &ThreadDeletedNotification) -> ThreadStateChanged {
        state(ThreadState::Closed, "deleted")
    }
    fn thread_environment_connected(
        &mut self,
        cx: &mut Cx,
        _: &EnvironmentConnectionNotification,
    ) -> ThreadMetadataUpdated {
        environment(cx, true)
    }
    fn thread_environment_disconnected(
        &mut self,
        cx: &mut Cx,
        _: &EnvironmentConnectionNotification,
    ) -> ThreadMetadataUpdated {
        environment(cx, false)
    }
    fn thread_goal_cleared(
        &mut self,
        _: &mut Cx,
        _: &ThreadGoalClearedNotification,
    ) -> ThreadMetadataUpdated {
        metadata("goal", null())
    }
    fn thread_goal_updated(
        &mut self,
        cx: &mut Cx,
        _: &ThreadGoalUpdatedNotification,
    ) -> ThreadMetadataUpdated {
        look_up_turn(cx);
        metadata("goal", part(cx, &["goal"]))
    }
    fn thread_name_updated(
        &mut self,
        _: &mut Cx,
        params: &ThreadNameUpdatedNotification,
    ) -> ThreadMetadataUpdated {
        match &params.thread_name {
            Some(name) => ThreadMetadataUpdated {
                name: Some(name.to_string()),
                metadata: None,
            },
            None => metadata("name", null()),
        }
    }
    fn thread_prediction_updated(
        &mut self,
        cx: &mut Cx,
        _: &ThreadPredictionUpdatedNotification,
    ) -> ThreadMetadataUpdated {
        metadata("prediction", pick(cx, &[&["sourceTurnId"], &["result"]]))
    }
    fn thread_project_updated(
        &mut self,
        cx: &mut Cx,
        _: &ThreadProjectUpdatedNotification,
    ) -> ThreadMetadataUpdated {
        metadata("projectId", part(cx, &["projectId"]))
    }
    fn thread_queue_changed(
        &mut self,
        _: &mut Cx,
        _: &ThreadQueueChangedNotification,
    ) -> ThreadMetadataUpdated {
        metadata("queueChanged", boolean(true))
    }
    fn thread_read_state_changed(
        &mut self,
        cx: &mut Cx,
        _: &ThreadReadStateChangedNotification,
    ) -> ThreadMetadataUpdated {
        metadata("readState", part(cx, &["readState"]))
    }
    fn thread_realtime_closed(
        &mut self,
        _: &mut Cx,
        params: &ThreadRealtimeClosedNotification,
    ) -> ThreadRealtimeClosed {
        ThreadRealtimeClosed {
            reason: params.reason.as_deref().map(str::to_owned),
        }
    }
    fn thread_realtime_error(
        &mut self,
        _: &mut Cx,
        params: &ThreadRealtimeErrorNotification,
    ) -> ThreadRealtimeError {
        ThreadRealtimeError {
            message: params.message.to_string(),
        }
    }
    fn thread_realtime_item_completed(
        &mut self,
        cx: &mut Cx,
        _: &ThreadRealtimeItemCompletedNotification,
    ) -> ThreadRealtimeItemAdded {
        cx.refs.item = None; // It is no item of the thread.
        ThreadRealtimeItemAdded {
            item: part(cx, &["item"]),
        }
    }
    fn thread_realtime_item_started(
        &mut self,
        cx: &mut Cx,
        _: &ThreadRealtimeItemStartedNotification,
    ) -> ThreadRealtimeItemAdded {
        cx.refs.item = None; // It is no item of the thread.
        ThreadRealtimeItemAdded {
            item: part(cx, &["item"]),
        }
    }
    fn thread_realtime_item_transcript_delta(
        &mut self,
        cx: &mut Cx,
        _: &ThreadRealtimeItemTranscriptDeltaNotification,
    ) -> ThreadRealtimeItemAdded {
        cx.refs.item = None; // It is no item of the thread.
        ThreadRealtimeItemAdded {
            item: pick(cx, &[&["itemId"], &["delta"]]),
        }
    }
    fn thread_realtime_item_added(
        &mut self,
        cx: &mut Cx,
        _: &ThreadRealtimeItemAddedNotification,
    ) -> ThreadRealtimeItemAdded {
        ThreadRealtimeItemAdded {
            item: part(cx, &["item"]),
        }
    }
    fn thread_realtime_output_audio_delta(
        &mut self,
        cx: &mut Cx,
        _: &ThreadRealtimeOutputAudioDeltaNotification,
    ) -> ThreadRealtimeAudioDelta {
        ThreadRealtimeAudioDelta {
            audio: part(cx, &["audio"]),
        }
    }
    fn thread_realtime_sdp(
        &mut self,
        cx: &mut Cx,
        _: &ThreadRealtimeSdpNotification,
    ) -> ThreadRealtimeItemAdded {
        ThreadRealtimeItemAdded {
            item: pick(cx, &[&["sdp"]]),
        }
    }
    fn thread_realtime_started(
        &mut self,
        _: &mut Cx,
        params: &ThreadRealtimeStartedNotification,
    ) -> ThreadRealtimeStarted {
        let id = params
            .realtime_session_id
            .as_ref()
            .or(params.session_id.as_ref());
        ThreadRealtimeStarted {
            realtime_session_id: id.map(|id| id.to_string()),
        }
    }
    fn thread_realtime_transcript_delta(
        &mut self,
        cx: &mut Cx,
        _: &ThreadRealtimeTranscriptDeltaNotification,
    ) -> ThreadRealtimeItemAdded {
        ThreadRealtimeItemAdded {
            item: pick(cx, &[&["role"], &["delta"]]),
        }
    }
    fn thread_realtime_transcript_done(
        &mut self,
        cx: &mut Cx,
        _: &ThreadRealtimeTranscriptDoneNotification,
    ) -> ThreadRealtimeItemAdded {
        ThreadRealtimeItemAdded {
            item: pick(cx, &[&["role"], &["text"]]),
        }
    }
    fn thread_reverted(
        &mut self,
        _: &mut Cx,
        _: &ThreadRevertedNotification,
    ) -> ThreadStateChanged {
        state(ThreadState::Idle, "reverted")
    }
    fn thread_search_partial(
        &mut self,
        _: &mut Cx,
        params: &ThreadSearchPartialNotification,
    ) -> ToolProgress {
        let snippets = joined(params.data.iter().map(|found| &found.snippet));
        progress("thread/search", &request_text(&params.request_id), snippets)
    }
    fn thread_section_changed(
        &mut self,
        cx: &mut Cx,
        _: &ThreadSectionChangedNotification,
    ) -> ThreadMetadataUpdated {
        metadata("sectionId", part(cx, &["sectionId"]))
    }
    fn thread_settings_updated(
        &mut self,
        cx: &mut Cx,
        _: &ThreadSettingsUpdatedNotification,
    ) -> ThreadMetadataUpdated {
        metadata("settings", part(cx, &["threadSettings"]))
    }
    fn thread_started(&mut self, _: &mut Cx, params: &ThreadStartedNotification) -> ThreadStarted {
        ThreadStarted {
            provider_thread_id: Some(params.thread.id.as_ref().into()),
        }
    }
    fn thread_status_changed(
        &mut self,
        cx: &mut Cx,
        params: &ThreadStatusChangedNotification,
    ) -> ThreadStateChanged {
        // A status that cannot be read may be a failure; the detail has it as it was sent.
        let state = values::thread_status(&params.status).unwrap_or(ThreadState::Error);
        ThreadStateChanged {
            state,
            detail: cx.raw(&["status"]),
        }
    }
    fn thread_token_usage_updated(
        &mut self,
        cx: &mut Cx,
        _: &ThreadTokenUsageUpdatedNotification,
    ) -> ThreadTokenUsageUpdated {
        look_up_turn(cx);
        ThreadTokenUsageUpdated {
            usage: part(cx, &["tokenUsage"]),
        }
    }
    fn thread_unarchived(
        &mut self,
        _: &mut Cx,
        _: &ThreadUnarchivedNotification,
    ) -> ThreadStateChanged {
        state(ThreadState::Idle, "unarchived")
    }
    fn turn_completed(&mut self, _: &mut Cx, params: &TurnCompletedNotification) -> TurnCompleted {
        turn_end(&params.turn)
    }
    fn turn_diff_updated(
        &mut self,
        _: &mut Cx,
        params: &TurnDiffUpdatedNotification,
    ) -> TurnDiffUpdated {
        TurnDiffUpdated {
            unified_diff: params.diff.to_string(),
        }
    }
    fn turn_moderation_metadata(
        &mut self,
        cx: &mut Cx,
        _: &TurnModerationMetadataNotification,
    ) -> ThreadMetadataUpdated {
        metadata("moderation", part(cx, &["metadata"]))
    }
    fn turn_plan_updated(
        &mut self,
        cx: &mut Cx,
        params: &TurnPlanUpdatedNotification,
    ) -> TurnPlanUpdated {
        plan(cx, params)
    }
    fn turn_started(&mut self, _: &mut Cx, _: &TurnStartedNotification) -> TurnStarted {
        TurnStarted::default()
    }
    fn warning(&mut self, _: &mut Cx, params: &WarningNotification) -> RuntimeWarning {
        RuntimeWarning::new(&*params.message)
    }
    fn windows_world_writable_warning(
        &mut self,
        cx: &mut Cx,
        params: &WindowsWorldWritableWarningNotification,
    ) -> RuntimeWarning {
        warning(world_writable(params), cx.body())
    }
    fn windows_sandbox_setup_completed(
        &mut self,
        cx: &mut Cx,
        params: &WindowsSandboxSetupCompletedNotification,
        out: Out<row::WindowsSandboxSetupCompleted>,
    ) {
        sandbox_set_up(cx, params, &out);
    }
}

#[cfg(test)]
#[path = "app_server_notification_tests.rs"]
pub(super) mod tests;
