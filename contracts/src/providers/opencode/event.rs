//! Events of the server, in the terms of the canonical model: which function maps which row.

use crate::canonical::{
    ContentDelta, ItemCompleted, ItemStarted, ItemUpdated, McpStatusUpdated, RequestOpened,
    RequestResolved, RuntimeWarning, SessionConfigured, SessionStateChanged, ThreadMetadataUpdated,
    TurnPlanUpdated, TurnStarted,
};
use crate::kit::mapping::{Cx, Out};
use crate::kit::parts::{config, metadata, part};
use crate::providers::opencode::wire;
use crate::providers::opencode::wire::event::{Mapping, row};

use super::mapping::OpenCodeMapping;
use super::{
    next_events as next, request_events as request, server_events as server,
    session_events as session,
};

/// Rows that list several events.
macro_rules! split {
    ($($module:ident::$method:ident($params:ident, $row:ident);)+) => {$(
        fn $method(
            &mut self,
            cx: &mut Cx<'_>,
            params: &wire::$params<'_>,
            out: Out<row::$row>,
        ) {
            $module::$method(self, cx, params, &out);
        }
    )+};
}

/// Rows of exactly one event.
macro_rules! renamed {
    ($($module:ident::$method:ident($params:ident) -> $payload:ident;)+) => {$(
        fn $method(&mut self, cx: &mut Cx<'_>, params: &wire::$params<'_>) -> $payload {
            $module::$method(self, cx, params)
        }
    )+};
}

/// News about a setting or a capability: a member of the payload, or the whole payload.
macro_rules! configured {
    ($($method:ident($params:ident) = $name:literal at [$($member:literal)?];)+) => {$(
        fn $method(&mut self, cx: &mut Cx<'_>, _: &wire::$params<'_>) -> SessionConfigured {
            config($name, part(cx, &["properties" $(, $member)?]))
        }
    )+};
}

/// News about a thread: a member of the payload, or the whole payload.
macro_rules! noted {
    ($($method:ident($params:ident) = $name:literal at [$($member:literal)?];)+) => {$(
        fn $method(&mut self, cx: &mut Cx<'_>, _: &wire::$params<'_>) -> ThreadMetadataUpdated {
            cx.refs.turn = self.threads.turn(cx);
            metadata($name, part(cx, &["properties" $(, $member)?]))
        }
    )+};
}

/// Warnings in the server's own words.
macro_rules! warned {
    ($($method:ident($params:ident);)+) => {$(
        fn $method(&mut self, cx: &mut Cx<'_>, params: &wire::$params<'_>) -> RuntimeWarning {
            server::warning(cx, params.properties.message.to_string())
        }
    )+};
}

impl Mapping for OpenCodeMapping {
    configured! {
        catalog_updated(EventCatalogUpdated) = "catalog" at [];
        installation_update_available(EventInstallationUpdateAvailable) = "updateAvailable" at ["version"];
        installation_updated(EventInstallationUpdated) = "version" at ["version"];
        integration_connection_updated(EventIntegrationConnectionUpdated) = "integrationConnection" at ["integrationID"];
        integration_updated(EventIntegrationUpdated) = "integrations" at [];
        lsp_client_diagnostics(EventLspClientDiagnostics) = "lspDiagnostics" at [];
        lsp_updated(EventLspUpdated) = "lsp" at [];
        models_dev_refreshed(EventModelsDevRefreshed) = "models" at [];
        plugin_added(EventPluginAdded) = "plugin" at ["id"];
        project_directories_updated(EventProjectDirectoriesUpdated) = "projectDirectories" at ["projectID"];
        project_updated(EventProjectUpdated) = "project" at [];
        reference_updated(EventReferenceUpdated) = "references" at [];
        vcs_branch_updated(EventVcsBranchUpdated) = "branch" at ["branch"];
        worktree_ready(EventWorktreeReady) = "worktree" at [];
    }

    noted! {
        command_executed(EventCommandExecuted) = "command" at [];
        session_next_agent_switched(EventSessionNextAgentSwitched) = "agent" at ["agent"];
        session_next_context_updated(EventSessionNextContextUpdated) = "context" at ["text"];
        session_next_prompt_admitted(EventSessionNextPromptAdmitted) = "promptAdmitted" at [];
        session_next_revert_committed(EventSessionNextRevertCommitted) = "revertCommitted" at ["messageID"];
        session_next_revert_staged(EventSessionNextRevertStaged) = "revert" at ["revert"];
    }

    warned! {
        workspace_failed(EventWorkspaceFailed);
        worktree_failed(EventWorktreeFailed);
    }

    renamed! {
        server::file_edited(EventFileEdited) -> ThreadMetadataUpdated;
        server::mcp_browser_open_failed(EventMcpBrowserOpenFailed) -> RuntimeWarning;
        server::mcp_tools_changed(EventMcpToolsChanged) -> McpStatusUpdated;
        request::permission_asked(EventPermissionAsked) -> RequestOpened;
        request::permission_replied(EventPermissionReplied) -> RequestResolved;
        request::permission_updated(EventPermissionUpdated) -> RequestOpened;
        request::permission_v2_asked(EventPermissionV2Asked) -> RequestOpened;
        request::permission_v2_replied(EventPermissionV2Replied) -> RequestResolved;
        server::pty_created(EventPtyCreated) -> ItemStarted;
        server::pty_deleted(EventPtyDeleted) -> ItemCompleted;
        server::pty_exited(EventPtyExited) -> ItemCompleted;
        server::server_connected(EventServerConnected) -> SessionStateChanged;
        next::session_next_compaction_delta(EventSessionNextCompactionDelta) -> ContentDelta;
        next::session_next_compaction_started(EventSessionNextCompactionStarted) -> ItemStarted;
        next::session_next_model_switched(EventSessionNextModelSwitched) -> ThreadMetadataUpdated;
        next::session_next_moved(EventSessionNextMoved) -> ThreadMetadataUpdated;
        next::session_next_reasoning_started(EventSessionNextReasoningStarted) -> ItemStarted;
        next::session_next_retried(EventSessionNextRetried) -> RuntimeWarning;
        next::session_next_revert_cleared(EventSessionNextRevertCleared) -> ThreadMetadataUpdated;
        next::session_next_shell_started(EventSessionNextShellStarted) -> ItemStarted;
        next::session_next_step_started(EventSessionNextStepStarted) -> TurnStarted;
        next::session_next_text_started(EventSessionNextTextStarted) -> ItemStarted;
        next::session_next_tool_input_ended(EventSessionNextToolInputEnded) -> ItemUpdated;
        next::session_next_tool_input_started(EventSessionNextToolInputStarted) -> ItemStarted;
        next::session_next_tool_progress(EventSessionNextToolProgress) -> ItemUpdated;
        next::session_next_tool_success(EventSessionNextToolSuccess) -> ItemCompleted;
        session::session_updated(EventSessionUpdated) -> ThreadMetadataUpdated;
        session::todo_updated(EventTodoUpdated) -> TurnPlanUpdated;
        server::tui_toast_show(EventTuiToastShow2) -> RuntimeWarning;
        server::workspace_ready(EventWorkspaceReady) -> SessionStateChanged;
        server::workspace_status(EventWorkspaceStatus) -> SessionStateChanged;
    }

    split! {
        server::global_disposed(EventGlobalDisposed, GlobalDisposed);
        session::message_part_delta(EventMessagePartDelta, MessagePartDelta);
        session::message_part_removed(EventMessagePartRemoved, MessagePartRemoved);
        session::message_part_updated(EventMessagePartUpdated, MessagePartUpdated);
        session::message_removed(EventMessageRemoved, MessageRemoved);
        session::message_updated(EventMessageUpdated, MessageUpdated);
        server::pty_updated(EventPtyUpdated, PtyUpdated);
        request::question_asked(EventQuestionAsked, QuestionAsked);
        request::question_rejected(EventQuestionRejected, QuestionRejected);
        request::question_replied(EventQuestionReplied, QuestionReplied);
        request::question_v2_asked(EventQuestionV2Asked, QuestionV2Asked);
        request::question_v2_rejected(EventQuestionV2Rejected, QuestionV2Rejected);
        request::question_v2_replied(EventQuestionV2Replied, QuestionV2Replied);
        server::server_instance_disposed(EventServerInstanceDisposed, ServerInstanceDisposed);
        session::session_compacted(EventSessionCompacted, SessionCompacted);
        session::session_created(EventSessionCreated, SessionCreated);
        session::session_deleted(EventSessionDeleted, SessionDeleted);
        session::session_diff(EventSessionDiff, SessionDiff);
        session::session_error(EventSessionError, SessionError);
        session::session_idle(EventSessionIdle, SessionIdle);
        next::session_next_compaction_ended(EventSessionNextCompactionEnded, SessionNextCompactionEnded);
        next::session_next_prompted(EventSessionNextPrompted, SessionNextPrompted);
        next::session_next_reasoning_delta(EventSessionNextReasoningDelta, SessionNextReasoningDelta);
        next::session_next_reasoning_ended(EventSessionNextReasoningEnded, SessionNextReasoningEnded);
        next::session_next_shell_ended(EventSessionNextShellEnded, SessionNextShellEnded);
        next::session_next_step_ended(EventSessionNextStepEnded, SessionNextStepEnded);
        next::session_next_step_failed(EventSessionNextStepFailed, SessionNextStepFailed);
        next::session_next_synthetic(EventSessionNextSynthetic, SessionNextSynthetic);
        next::session_next_text_delta(EventSessionNextTextDelta, SessionNextTextDelta);
        next::session_next_text_ended(EventSessionNextTextEnded, SessionNextTextEnded);
        next::session_next_tool_called(EventSessionNextToolCalled, SessionNextToolCalled);
        next::session_next_tool_failed(EventSessionNextToolFailed, SessionNextToolFailed);
        next::session_next_tool_input_delta(EventSessionNextToolInputDelta, SessionNextToolInputDelta);
        session::session_status(EventSessionStatus, SessionStatus);
    }
}
