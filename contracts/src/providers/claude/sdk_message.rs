//! Messages of the Claude Agent SDK, in the terms of the canonical model. One method a row.

use std::sync::Arc;

use crate::canonical::{
    AccountRateLimitsUpdated, AuthStatus, ContentDelta, ContentStreamKind, FilesPersisted,
    HookCompleted, HookOutcome, HookProgress, HookStarted, ItemCompleted, ItemLifecycle,
    ItemStarted, ItemType, ItemUpdated, McpStatusUpdated, ModelRerouted, RequestOpened,
    RequestResolved, RequestType, RuntimeWarning, SessionConfigured, SessionExited,
    SessionStateChanged, TaskCompleted, TaskProgress, TaskStarted, ThreadMetadataUpdated,
    ThreadStateChanged, ThreadTokenUsageUpdated, ToolProgress, ToolSummary, TurnStarted, TurnState,
    UserInputRequested, UserInputResolved,
};
use crate::kit::conversation::driver::Conversation;
use crate::kit::conversation::items::unknown_block;
use crate::kit::mapping::{Cx, Out};
use crate::kit::members::text;
use crate::kit::parts::{config, filled, part, pick};
use crate::providers::claude::wire;
use crate::providers::claude::wire::message::{Mapping, row};
use crate::providers::claude::wire::values;

use super::blocks::tool_type;
use super::lines::{IN_BACKGROUND, Line};
use super::mapping::{Asks, ClaudeMapping};
use super::notices;
use super::results::End;
use super::work;

/// Methods that a function stands for.
macro_rules! told_by_function {
    ($($method:ident($($params:tt)+) -> $event:ident = $module:ident::$function:ident;)+) => {$(
        fn $method(&mut self, cx: &mut Cx<'_>, params: &wire::$($params)+) -> $event {
            $module::$function(self, cx, params)
        }
    )+};
}

/// Pieces of text, and of inputs.
macro_rules! pieces {
    ($($method:ident($delta:ident.$text:ident) = $kind:ident;)+) => {$(
        fn $method(
            &mut self,
            cx: &mut Cx<'_>,
            params: &wire::SdkPartialAssistantMessage<'_>,
            event: &wire::AnthropicBetaRawContentBlockDeltaEvent<'_>,
            delta: &wire::$delta<'_>,
        ) -> ContentDelta {
            let parent = params.parent_tool_use_id.as_deref();
            self.piece(cx, parent, event.index, ContentStreamKind::$kind, &delta.$text)
        }
    )+};
}

/// Blocks that are no calls.
macro_rules! blocks {
    ($($method:ident($block:ident) = $item_type:ident;)+) => {$(
        fn $method(
            &mut self,
            cx: &mut Cx<'_>,
            params: &wire::SdkPartialAssistantMessage<'_>,
            event: &wire::AnthropicBetaRawContentBlockStartEvent<'_>,
            _: &wire::$block<'_>,
        ) -> ItemStarted {
            let parent = params.parent_tool_use_id.as_deref();
            self.text_starts(cx, parent, event.index, ItemType::$item_type)
        }
    )+};
}

/// Blocks that hold the result of a call.
macro_rules! results {
    ($($method:ident($block:ident) = $item_type:ident;)+) => {$(
        fn $method(
            &mut self,
            cx: &mut Cx<'_>,
            params: &wire::SdkPartialAssistantMessage<'_>,
            event: &wire::AnthropicBetaRawContentBlockStartEvent<'_>,
            block: &wire::$block<'_>,
        ) -> ItemCompleted {
            let parent = params.parent_tool_use_id.as_deref();
            let item_type = ItemType::$item_type;
            self.result_streams(cx, parent, event.index, &block.tool_use_id, item_type)
        }
    )+};
}

/// Results of turns that failed.
macro_rules! failures {
    ($($method:ident = $row:ident;)+) => {$(
        fn $method(
            &mut self,
            cx: &mut Cx<'_>,
            params: &wire::SdkResultError<'_>,
            out: Out<row::$row>,
        ) {
            self.ends(cx, &End::of_error(params), &out);
        }
    )+};
}

impl Mapping for ClaudeMapping {
    told_by_function! {
        active_goal(SdkActiveGoalMessage<'_>) -> ThreadMetadataUpdated = notices::active_goal;
        auth_status(SdkAuthStatusMessage<'_>) -> AuthStatus = notices::auth_status;
        autocompact_state(SdkAutocompactStateMessage<'_>) -> ThreadMetadataUpdated = notices::autocompact_state;
        command_lifecycle(SdkCommandLifecycleMessage<'_>) -> ThreadMetadataUpdated = notices::command_lifecycle;
        conversation_reset(SdkConversationResetMessage<'_>) -> ThreadStateChanged = notices::conversation_reset;
        prompt_suggestion(SdkPromptSuggestionMessage<'_>) -> ItemUpdated = notices::prompt_suggestion;
        rate_limit_event(SdkRateLimitEvent<'_>) -> AccountRateLimitsUpdated = notices::rate_limit_event;
        streamlined_text(SdkStreamlinedTextMessage) -> ItemCompleted = notices::streamlined_text;
        streamlined_tool_use_summary(SdkStreamlinedToolUseSummaryMessage) -> ToolSummary = work::streamlined_tool_use_summary;
        system_api_retry(SdkapiRetryMessage<'_>) -> RuntimeWarning = notices::api_retry;
        system_background_tasks_changed(SdkBackgroundTasksChangedMessage<'_>) -> ThreadMetadataUpdated = notices::background_tasks_changed;
        system_commands_changed(SdkCommandsChangedMessage<'_>) -> SessionConfigured = notices::commands_changed;
        system_compact_boundary(SdkCompactBoundaryMessage<'_>) -> ThreadStateChanged = notices::compact_boundary;
        system_control_request_progress(SdkControlRequestProgressMessage<'_>) -> ToolProgress = work::control_request_progress;
        system_files_persisted(SdkFilesPersistedEvent<'_>) -> FilesPersisted = work::files_persisted;
        system_hook_progress(SdkHookProgressMessage<'_>) -> HookProgress = work::hook_progress;
        system_hook_response(SdkHookResponseMessage<'_>) -> HookCompleted = work::hook_response;
        system_hook_started(SdkHookStartedMessage<'_>) -> HookStarted = work::hook_started;
        system_informational(SdkInformationalMessage<'_>) -> RuntimeWarning = notices::informational;
        system_init(SdkSystemMessage<'_>) -> SessionConfigured = notices::init;
        system_local_command_output(SdkLocalCommandOutputMessage<'_>) -> ItemCompleted = notices::local_command_output;
        system_memory_recall(SdkMemoryRecallMessage<'_>) -> ThreadMetadataUpdated = notices::memory_recall;
        system_mirror_error(SdkMirrorErrorMessage<'_>) -> RuntimeWarning = notices::mirror_error;
        system_model_fallback(SdkModelFallbackMessage<'_>) -> ModelRerouted = notices::model_fallback;
        system_model_refusal_fallback(SdkModelRefusalFallbackMessage<'_>) -> ModelRerouted = notices::model_refusal_fallback;
        system_model_refusal_no_fallback(SdkModelRefusalNoFallbackMessage<'_>) -> RuntimeWarning = notices::model_refusal_no_fallback;
        system_notification(SdkNotificationMessage<'_>) -> RuntimeWarning = notices::notification;
        system_permission_denied(SdkPermissionDeniedMessage<'_>) -> ItemUpdated = work::permission_denied;
        system_session_state_changed(SdkSessionStateChangedMessage<'_>) -> SessionStateChanged = notices::session_state_changed;
        system_session_title_changed(SdkSessionTitleChangedMessage<'_>) -> ThreadMetadataUpdated = notices::session_title_changed;
        system_session_writes_lost(SdkSessionWritesLostMessage<'_>) -> RuntimeWarning = notices::session_writes_lost;
        system_status(SdkStatusMessage<'_>) -> SessionStateChanged = notices::status;
        system_task_progress(SdkTaskProgressMessage<'_>) -> TaskProgress = work::task_progress;
        system_task_started(SdkTaskStartedMessage<'_>) -> TaskStarted = work::task_started;
        system_thinking_tokens(SdkThinkingTokensMessage<'_>) -> ItemUpdated = work::thinking_tokens;
        system_worker_shutting_down(SdkWorkerShuttingDownMessage<'_>) -> SessionExited = notices::worker_shutting_down;
        tool_progress(SdkToolProgressMessage<'_>) -> ToolProgress = work::tool_progress;
        tool_use_summary(SdkToolUseSummaryMessage<'_>) -> ToolSummary = work::tool_use_summary;
    }

    pieces! {
        stream_event_content_block_delta_input_json_delta(AnthropicBetaInputJsonDelta.partial_json) = Unknown;
        stream_event_content_block_delta_text_delta(AnthropicBetaTextDelta.text) = AssistantText;
        stream_event_content_block_delta_thinking_delta(AnthropicBetaThinkingDelta.thinking) = ReasoningText;
    }

    blocks! {
        stream_event_content_block_start_compaction(AnthropicBetaCompactionBlock) = ContextCompaction;
        stream_event_content_block_start_container_upload(AnthropicBetaContainerUploadBlock) = DynamicToolCall;
        stream_event_content_block_start_redacted_thinking(AnthropicBetaRedactedThinkingBlock) = Reasoning;
        stream_event_content_block_start_text(AnthropicBetaTextBlock) = AssistantMessage;
        stream_event_content_block_start_thinking(AnthropicBetaThinkingBlock) = Reasoning;
    }

    results! {
        stream_event_content_block_start_advisor_tool_result(AnthropicBetaAdvisorToolResultBlock) = DynamicToolCall;
        stream_event_content_block_start_bash_code_execution_tool_result(AnthropicBetaBashCodeExecutionToolResultBlock) = CommandExecution;
        stream_event_content_block_start_code_execution_tool_result(AnthropicBetaCodeExecutionToolResultBlock) = CommandExecution;
        stream_event_content_block_start_mcp_tool_result(AnthropicBetaMcpToolResultBlock) = McpToolCall;
        stream_event_content_block_start_text_editor_code_execution_tool_result(AnthropicBetaTextEditorCodeExecutionToolResultBlock) = FileChange;
        stream_event_content_block_start_tool_search_tool_result(AnthropicBetaToolSearchToolResultBlock) = DynamicToolCall;
        stream_event_content_block_start_web_fetch_tool_result(AnthropicBetaWebFetchToolResultBlock) = WebSearch;
        stream_event_content_block_start_web_search_tool_result(AnthropicBetaWebSearchToolResultBlock) = WebSearch;
    }

    failures! {
        result_error_during_execution = ResultErrorDuringExecution;
        result_error_max_budget_usd = ResultErrorMaxBudgetUsd;
        result_error_max_structured_output_retries = ResultErrorMaxStructuredOutputRetries;
        result_error_max_turns = ResultErrorMaxTurns;
    }

    fn assistant(
        &mut self,
        cx: &mut Cx<'_>,
        params: &wire::SdkAssistantMessage<'_>,
        out: Out<row::Assistant>,
    ) {
        self.line_of_model(cx, params, &out);
    }

    fn control_cancel_request(
        &mut self,
        cx: &mut Cx<'_>,
        params: &wire::SdkControlCancelRequest<'_>,
        out: Out<row::ControlCancelRequest>,
    ) {
        let request = self.requests.remove(&Arc::from(&*params.request_id));
        cx.refs.request = Some(Arc::from(&*params.request_id));
        let request_type = match request {
            Some(request) => {
                cx.refs = request.refs;
                cx.refs.minted = true;
                match request.asks {
                    Asks::Hook => {
                        return out.emit(
                            cx,
                            HookCompleted {
                                hook_id: params.request_id.to_string(),
                                outcome: HookOutcome::Cancelled,
                                output: None,
                                stdout: None,
                                stderr: None,
                                exit_code: None,
                            },
                        );
                    }
                    Asks::Permission { request_type, .. } | Asks::Other(request_type) => {
                        request_type
                    }
                    Asks::Elicitation => RequestType::McpElicitation,
                    Asks::Dialog => RequestType::ToolUserInput,
                }
            }
            None => {
                cx.refs.minted = false;
                RequestType::Unknown
            }
        };
        out.emit(
            cx,
            RequestResolved {
                request_type,
                decision: Some(String::from("cancel")),
                resolution: Some(cx.body()),
            },
        );
    }

    fn control_request_elicitation(
        &mut self,
        cx: &mut Cx<'_>,
        _: &wire::SdkControlRequest<'_>,
        request: &wire::SdkControlElicitationRequest<'_>,
        out: Out<row::ControlRequestElicitation>,
    ) {
        if let Some(id) = request.elicitation_id.as_deref() {
            self.links.insert(Arc::from(id), cx.refs.clone());
        }
        let questions = pick(
            cx,
            &[
                &["request", "mcp_server_name"],
                &["request", "message"],
                &["request", "mode"],
                &["request", "requested_schema"],
                &["request", "url"],
            ],
        );
        out.emit(cx, UserInputRequested { questions });
        let words = [Some(&*request.message), request.url.as_deref()];
        let words: Vec<&str> = words.into_iter().flatten().collect();
        let opened = asked(cx, RequestType::McpElicitation, &words.join(" "));
        out.emit(cx, opened);
    }

    fn control_request_hook_callback(
        &mut self,
        cx: &mut Cx<'_>,
        params: &wire::SdkControlRequest<'_>,
        request: &wire::SdkHookCallbackRequest<'_>,
    ) -> HookStarted {
        if let Some(call) = request.tool_use_id.as_deref() {
            self.talk.about(cx, &Arc::from(call));
        }
        let event = text(cx, &["request", "input", "hook_event_name"]);
        HookStarted {
            hook_id: params.request_id.to_string(),
            hook_name: request.callback_id.to_string(),
            hook_event: event.unwrap_or_default(),
        }
    }

    fn control_request_mcp_message(
        &mut self,
        cx: &mut Cx<'_>,
        _: &wire::SdkControlRequest<'_>,
        request: &wire::SdkControlMcpMessageRequest<'_>,
    ) -> RequestOpened {
        let method = text(cx, &["request", "message", "method"]);
        let words = format!("{} {}", request.server_name, method.unwrap_or_default());
        asked(cx, RequestType::DynamicToolCall, words.trim())
    }

    fn control_request_request_user_dialog(
        &mut self,
        cx: &mut Cx<'_>,
        _: &wire::SdkControlRequest<'_>,
        request: &wire::SdkControlRequestUserDialogRequest<'_>,
        out: Out<row::ControlRequestRequestUserDialog>,
    ) {
        if let Some(call) = request.tool_use_id.as_deref() {
            self.talk.about(cx, &Arc::from(call));
        }
        let questions = pick(cx, &[&["request", "dialog_kind"], &["request", "payload"]]);
        out.emit(cx, UserInputRequested { questions });
        let opened = asked(cx, RequestType::ToolUserInput, &request.dialog_kind);
        out.emit(cx, opened);
    }

    fn control_response_error(
        &mut self,
        cx: &mut Cx<'_>,
        _: &wire::SdkControlResponse<'_>,
        response: &wire::ControlErrorResponse<'_>,
        out: Out<row::ControlResponseError>,
    ) {
        self.refused(cx, response, &out);
    }

    fn control_response_success(
        &mut self,
        cx: &mut Cx<'_>,
        _: &wire::SdkControlResponse<'_>,
        _: &wire::ControlResponse<'_>,
        out: Out<row::ControlResponseSuccess>,
    ) {
        self.done(cx, &out);
    }

    fn result_success(
        &mut self,
        cx: &mut Cx<'_>,
        params: &wire::SdkResultSuccess<'_>,
        out: Out<row::ResultSuccess>,
    ) {
        self.ends(cx, &End::of_success(params), &out);
    }

    fn stream_event_content_block_delta_citations_delta(
        &mut self,
        cx: &mut Cx<'_>,
        params: &wire::SdkPartialAssistantMessage<'_>,
        event: &wire::AnthropicBetaRawContentBlockDeltaEvent<'_>,
        _: &wire::AnthropicBetaCitationsDelta<'_>,
    ) -> ItemUpdated {
        let parent = params.parent_tool_use_id.as_deref();
        let item_type = self.about_block(cx, parent, event.index);
        ItemUpdated(ItemLifecycle {
            data: Some(part(cx, &["event", "delta", "citation"])),
            ..ItemLifecycle::new(item_type)
        })
    }

    fn stream_event_content_block_delta_compaction_delta(
        &mut self,
        cx: &mut Cx<'_>,
        params: &wire::SdkPartialAssistantMessage<'_>,
        event: &wire::AnthropicBetaRawContentBlockDeltaEvent<'_>,
        delta: &wire::AnthropicBetaCompactionContentBlockDelta<'_>,
        out: Out<row::StreamEventContentBlockDeltaCompactionDelta>,
    ) {
        let parent = params.parent_tool_use_id.as_deref();
        if let Some(content) = &delta.content {
            let piece = self.piece(cx, parent, event.index, ContentStreamKind::Unknown, content);
            return out.emit(cx, piece);
        }
        let item_type = self.about_block(cx, parent, event.index);
        out.emit(
            cx,
            ItemUpdated(ItemLifecycle {
                data: Some(part(cx, &["event", "delta"])),
                ..ItemLifecycle::new(item_type)
            }),
        );
    }

    fn stream_event_content_block_start_fallback(
        &mut self,
        cx: &mut Cx<'_>,
        _: &wire::SdkPartialAssistantMessage<'_>,
        _: &wire::AnthropicBetaRawContentBlockStartEvent<'_>,
        _: &wire::AnthropicBetaFallbackBlock,
    ) -> ModelRerouted {
        let model = |which| text(cx, &["event", "content_block", which, "model"]);
        ModelRerouted {
            from_model: model("from").unwrap_or_default(),
            to_model: model("to").unwrap_or_default(),
            reason: String::from("refusal"),
        }
    }

    fn stream_event_content_block_start_mcp_tool_listing(
        &mut self,
        cx: &mut Cx<'_>,
        _: &wire::SdkPartialAssistantMessage<'_>,
        _: &wire::AnthropicBetaRawContentBlockStartEvent<'_>,
        _: &wire::AnthropicBetaMcpToolListingBlock<'_>,
    ) -> McpStatusUpdated {
        McpStatusUpdated {
            status: part(cx, &["event", "content_block"]),
        }
    }

    fn stream_event_content_block_start_mcp_tool_use(
        &mut self,
        cx: &mut Cx<'_>,
        params: &wire::SdkPartialAssistantMessage<'_>,
        event: &wire::AnthropicBetaRawContentBlockStartEvent<'_>,
        content_block: &wire::AnthropicBetaMcpToolUseBlock<'_>,
    ) -> ItemStarted {
        let parent = params.parent_tool_use_id.as_deref();
        let call = (&*content_block.id, &*content_block.name);
        self.call_starts(cx, parent, event.index, call, ItemType::McpToolCall)
    }

    fn stream_event_content_block_start_server_tool_use(
        &mut self,
        cx: &mut Cx<'_>,
        params: &wire::SdkPartialAssistantMessage<'_>,
        event: &wire::AnthropicBetaRawContentBlockStartEvent<'_>,
        content_block: &wire::AnthropicBetaServerToolUseBlock<'_>,
    ) -> ItemStarted {
        let parent = params.parent_tool_use_id.as_deref();
        let name = content_block.name.as_str();
        let call = (&*content_block.id, name);
        self.call_starts(cx, parent, event.index, call, tool_type(name))
    }

    fn stream_event_content_block_start_tool_use(
        &mut self,
        cx: &mut Cx<'_>,
        params: &wire::SdkPartialAssistantMessage<'_>,
        event: &wire::AnthropicBetaRawContentBlockStartEvent<'_>,
        content_block: &wire::AnthropicBetaToolUseBlock<'_>,
    ) -> ItemStarted {
        let parent = params.parent_tool_use_id.as_deref();
        let call = (&*content_block.id, &*content_block.name);
        let item_type = tool_type(&content_block.name);
        self.call_starts(cx, parent, event.index, call, item_type)
    }

    fn stream_event_content_block_stop(
        &mut self,
        cx: &mut Cx<'_>,
        params: &wire::SdkPartialAssistantMessage<'_>,
        event: &wire::AnthropicBetaRawContentBlockStopEvent,
        out: Out<row::StreamEventContentBlockStop>,
    ) {
        let parent = params.parent_tool_use_id.as_deref();
        self.block_stops(cx, parent, event.index, &out);
    }

    fn stream_event_message_delta(
        &mut self,
        cx: &mut Cx<'_>,
        params: &wire::SdkPartialAssistantMessage<'_>,
        event: &wire::AnthropicBetaRawMessageDeltaEvent<'_>,
        out: Out<row::StreamEventMessageDelta>,
    ) {
        let parent = params.parent_tool_use_id.as_deref().map(Arc::<str>::from);
        if self.messages.take_streamed_usage(parent.as_ref()) {
            let usage = part(cx, &["event", "usage"]);
            out.emit(cx, ThreadTokenUsageUpdated { usage });
        }
        let reason = event.delta.stop_reason.as_ref();
        if let Some(reason) = reason.filter(|reason| !stops_well(reason)) {
            let message = format!("the reply stopped early: {}", reason.as_str());
            let detail = Some(part(cx, &["event", "delta"]));
            out.emit(cx, RuntimeWarning { message, detail });
        }
    }

    fn stream_event_message_start(
        &mut self,
        cx: &mut Cx<'_>,
        params: &wire::SdkPartialAssistantMessage<'_>,
        event: &wire::AnthropicBetaRawMessageStartEvent<'_>,
    ) -> TurnStarted {
        let parent = params.parent_tool_use_id.as_deref();
        let key = parent.map(Arc::<str>::from);
        self.messages.start(key.as_ref(), &event.message.id);
        if self.talk.scope(parent).is_none() {
            self.talk.turns.start();
            self.talk.speak(cx, parent);
        }
        TurnStarted {
            model: text(cx, &["event", "message", "model"]),
            effort: None,
        }
    }

    fn stream_event_message_stop(
        &mut self,
        cx: &mut Cx<'_>,
        params: &wire::SdkPartialAssistantMessage<'_>,
        _: &wire::AnthropicBetaRawMessageStopEvent,
        out: Out<row::StreamEventMessageStop>,
    ) {
        let parent = params.parent_tool_use_id.as_deref();
        self.message_stops(cx, parent, &out);
    }

    fn system_elicitation_complete(
        &mut self,
        cx: &mut Cx<'_>,
        params: &wire::SdkElicitationCompleteMessage<'_>,
        out: Out<row::SystemElicitationComplete>,
    ) {
        if let Some(refs) = self.links.remove(&Arc::from(&*params.elicitation_id)) {
            cx.refs.request = refs.request;
        }
        let waits = cx.refs.request.as_ref();
        let waits = waits.and_then(|request| self.requests.remove(request));
        let answers = pick(cx, &[&["mcp_server_name"], &["elicitation_id"]]);
        out.emit(cx, UserInputResolved { answers });
        if waits.is_some() {
            let resolved = RequestResolved {
                request_type: RequestType::McpElicitation,
                decision: None,
                resolution: Some(cx.body()),
            };
            out.emit(cx, resolved);
        }
    }

    fn system_plugin_install(
        &mut self,
        cx: &mut Cx<'_>,
        params: &wire::SdkPluginInstallMessage<'_>,
        out: Out<row::SystemPluginInstall>,
    ) {
        let name = params.name.as_deref().unwrap_or("plugin");
        if let Some(error) = &params.error {
            let message = format!("{name} could not be installed: {error}");
            let warning = notices::warning(cx, message);
            return out.emit(cx, warning);
        }
        let progress = pick(cx, &[&["name"], &["status"]]);
        out.emit(cx, config("pluginInstall", progress));
    }

    fn system_task_notification(
        &mut self,
        cx: &mut Cx<'_>,
        params: &wire::SdkTaskNotificationMessage<'_>,
        out: Out<row::SystemTaskNotification>,
    ) {
        let call = params.tool_use_id.as_deref();
        let known = call.and_then(|call| self.talk.calls.get(call));
        if let (Some(call), true) = (call, known.is_some_and(|call| call.ended)) {
            self.ends_agent(cx, call);
        }
        self.about_task(cx, &params.task_id, call);
        let Some(status) = values::task_status(&params.status) else {
            // How it ended can't be read, so it is not told that it ended.
            let progress = TaskProgress {
                task_id: (&*params.task_id).into(),
                description: params.status.as_str().to_owned(),
                usage: cx.raw(&["usage"]),
                last_tool_name: None,
            };
            return out.emit(cx, progress);
        };
        if !self.running.end(&params.task_id) {
            return cx.dropped("the task had ended");
        }
        let completed = TaskCompleted {
            task_id: (&*params.task_id).into(),
            status,
            summary: filled(&*params.summary),
            usage: cx.raw(&["usage"]),
        };
        out.emit(cx, completed);
    }

    fn system_task_updated(
        &mut self,
        cx: &mut Cx<'_>,
        params: &wire::SdkTaskUpdatedMessage<'_>,
    ) -> TaskProgress {
        let patch = &params.patch;
        if patch.is_backgrounded == Some(true) {
            self.running.runs_on(&params.task_id);
        }
        self.about_task(cx, &params.task_id, None);
        let status = patch.status.as_ref();
        let ended = status.and_then(values::task_patch_status);
        if let Some(status) = ended {
            let end = TaskCompleted {
                task_id: (&*params.task_id).into(),
                status,
                summary: patch.error.as_deref().and_then(filled),
                usage: None,
            };
            self.running.ends_soon(cx.refs.clone(), end);
        }
        let words = [
            patch.error.as_deref(),
            status.map(|status| status.as_str()),
            patch.description.as_deref(),
            patch.is_backgrounded.filter(|it| *it).map(|_| IN_BACKGROUND),
        ];
        TaskProgress {
            task_id: (&*params.task_id).into(),
            description: words.into_iter().flatten().next().unwrap_or_default().to_owned(),
            usage: None,
            last_tool_name: None,
        }
    }

    fn user(&mut self, cx: &mut Cx<'_>, params: &wire::StdoutMessageUser<'_>, out: Out<row::User>) {
        if let wire::AnthropicMessageParamContent::Unrecognized(other) = &params.message.content {
            let message = String::from("what the user says is neither a text nor a list of blocks");
            let detail = Some(cx.own(other.raw));
            return out.emit(cx, RuntimeWarning { message, detail });
        }
        if let wire::AnthropicMessageParamContent::List(blocks) = &params.message.content {
            for block in blocks {
                if let wire::AnthropicContentBlockParam::Unrecognized(unrecognized) = block {
                    out.emit(cx, unknown_block(cx, unrecognized));
                }
            }
        }
        let line = Line {
            parent: params
                .parent_tool_use_id
                .as_ref()
                .and_then(Option::as_deref),
            uuid: params.uuid.as_deref(),
            is_replay: params.is_replay == Some(true),
        };
        self.line_of_user(cx, &line, &out);
    }
}

/// A request of the program, as it was sent.
fn asked(cx: &Cx<'_>, request_type: RequestType, detail: &str) -> RequestOpened {
    RequestOpened {
        request_type,
        detail: filled(detail),
        args: cx.raw(&["request"]),
    }
}

/// Whether a reply that stopped for this reason is as long as it was meant to be.
fn stops_well(reason: &wire::AnthropicBetaStopReason) -> bool {
    values::stop_reason(reason) == Some(TurnState::Completed)
}
