//! The older event protocol of Codex, `EventMsg`, as canonical events.

use std::sync::Arc;

use crate::canonical::*;
use crate::kit::mapping::{Cx, Out};
use crate::providers::codex::wire::eventmsg::*;
use crate::providers::codex::wire::values;

use super::eventmsg_parts::*;
use super::items::{Step, image_generation_status};
use super::mapping::CodexMapping;
use super::notices::request_text;
use super::turn_items::{changes_title, command_line, lifecycle, patch_text, review_text};
use crate::kit::parts::{boolean, filled, metadata, null, part, qualified, rest};

impl Mapping for CodexMapping {
    fn apply_patch_approval_request(
        &mut self,
        cx: &mut Cx,
        params: &EventMsgApplyPatchApprovalRequest,
    ) -> RequestOpened {
        let question = params.reason.as_deref().and_then(filled);
        let question = question.or_else(|| changes_title(&params.changes));
        asked(cx, RequestType::ApplyPatchApproval, question)
    }
    fn collab_agent_interaction_end(
        &mut self,
        cx: &mut Cx,
        params: &EventMsgCollabAgentInteractionEnd,
    ) -> ItemCompleted {
        collab_end(cx, "send_input", [&params.status])
    }
    fn collab_agent_spawn_end(
        &mut self,
        cx: &mut Cx,
        params: &EventMsgCollabAgentSpawnEnd,
    ) -> ItemCompleted {
        let mut end = collab_end(cx, "spawn_agent", [&params.status]);
        // Without a thread no agent was made, whatever its status is said to be.
        if params.new_thread_id.is_none() {
            end.0.status = Some(ItemStatus::Failed);
        }
        end
    }
    fn collab_close_end(&mut self, cx: &mut Cx, params: &EventMsgCollabCloseEnd) -> ItemCompleted {
        collab_end(cx, "close_agent", [&params.status])
    }
    fn collab_resume_end(
        &mut self,
        cx: &mut Cx,
        params: &EventMsgCollabResumeEnd,
    ) -> ItemCompleted {
        collab_end(cx, "resume_agent", [&params.status])
    }
    fn collab_waiting_end(
        &mut self,
        cx: &mut Cx,
        params: &EventMsgCollabWaitingEnd,
    ) -> ItemCompleted {
        collab_end(cx, "wait", params.statuses.values())
    }
    fn dynamic_tool_call_request(
        &mut self,
        cx: &mut Cx,
        params: &EventMsgDynamicToolCallRequest,
        out: Out<row::DynamicToolCallRequest>,
    ) {
        let item = begun(cx, ItemType::DynamicToolCall, filled(&*params.tool));
        out.emit(cx, item);
        cx.refs.request = Some(Arc::from(&*params.call_id));
        let request = asked(cx, RequestType::DynamicToolCall, filled(&*params.tool));
        out.emit(cx, request);
    }
    fn dynamic_tool_call_response(
        &mut self,
        cx: &mut Cx,
        params: &EventMsgDynamicToolCallResponse,
        out: Out<row::DynamicToolCallResponse>,
    ) {
        let item = ItemLifecycle {
            status: Some(succeeded(params.success)),
            title: filled(&*params.tool),
            detail: params.error.as_deref().and_then(filled),
            ..whole(cx, ItemType::DynamicToolCall)
        };
        out.emit(cx, ItemCompleted(item));
        cx.refs.request = Some(Arc::from(&*params.call_id));
        let resolution = Some(cx.body());
        let request_type = RequestType::DynamicToolCall;
        // The answer is a result, not a decision.
        out.emit(
            cx,
            RequestResolved {
                request_type,
                decision: None,
                resolution,
            },
        );
    }
    fn elicitation_request(
        &mut self,
        cx: &mut Cx,
        params: &EventMsgElicitationRequest,
    ) -> RequestOpened {
        // Each server counts its requests on its own.
        let request = format!("{}/{}", params.server_name, request_text(&params.id));
        cx.refs.request = Some(Arc::from(request));
        let question = params.message.as_deref().and_then(filled);
        let question = question.or_else(|| params.request.as_ref().and_then(elicited));
        asked(cx, RequestType::McpElicitation, question)
    }
    fn error(&mut self, cx: &mut Cx, params: &EventMsgError) -> RuntimeError {
        let info = params.codex_error_info.as_ref();
        // A rollback that is refused while a turn runs does that turn no harm.
        if !matches!(info, Some(CodexErrorInfo::ThreadRollbackFailed)) {
            self.turns.fail(&params.message);
        }
        failure(cx, &params.message, info, false)
    }
    fn exec_approval_request(
        &mut self,
        cx: &mut Cx,
        params: &EventMsgExecApprovalRequest,
    ) -> RequestOpened {
        let question = params.reason.as_deref().and_then(filled);
        let question = question.or_else(|| command_line(&params.command));
        asked(cx, RequestType::ExecCommandApproval, question)
    }
    fn exec_command_begin(
        &mut self,
        cx: &mut Cx,
        params: &EventMsgExecCommandBegin,
    ) -> ItemStarted {
        begun(
            cx,
            ItemType::CommandExecution,
            command_line(&params.command),
        )
    }
    fn exec_command_end(&mut self, cx: &mut Cx, params: &EventMsgExecCommandEnd) -> ItemCompleted {
        let printed = params.aggregated_output.as_deref().and_then(filled);
        ItemCompleted(ItemLifecycle {
            status: values::eventmsg_exec_command_status(&params.status),
            title: command_line(&params.command),
            detail: printed.or_else(|| filled(&*params.formatted_output)),
            ..whole(cx, ItemType::CommandExecution)
        })
    }
    fn exited_review_mode(
        &mut self,
        cx: &mut Cx,
        params: &EventMsgExitedReviewMode,
    ) -> ItemCompleted {
        let text = params.review_output.as_ref().and_then(review_text);
        said(cx, ItemType::ReviewExited, &text.unwrap_or_default())
    }
    fn image_generation_end(
        &mut self,
        cx: &mut Cx,
        params: &EventMsgImageGenerationEnd,
    ) -> ItemCompleted {
        ItemCompleted(ItemLifecycle {
            status: image_generation_status(&params.status),
            title: params.revised_prompt.as_deref().and_then(filled),
            ..whole(cx, ItemType::ImageView)
        })
    }
    fn item_completed(&mut self, cx: &mut Cx, params: &EventMsgItemCompleted) -> ItemCompleted {
        lifecycle(cx, &params.item, Step::Completed).into()
    }
    fn item_started(&mut self, cx: &mut Cx, params: &EventMsgItemStarted) -> ItemStarted {
        lifecycle(cx, &params.item, Step::Started).into()
    }
    fn mcp_tool_call_begin(
        &mut self,
        cx: &mut Cx,
        params: &EventMsgMcpToolCallBegin,
    ) -> ItemStarted {
        let tool = qualified(Some(&params.invocation.server), &params.invocation.tool);
        begun(cx, ItemType::McpToolCall, filled(tool))
    }
    fn mcp_tool_call_end(&mut self, cx: &mut Cx, params: &EventMsgMcpToolCallEnd) -> ItemCompleted {
        let (status, detail) = mcp_result(&params.result);
        let tool = qualified(Some(&params.invocation.server), &params.invocation.tool);
        let title = filled(tool);
        ItemCompleted(ItemLifecycle {
            status,
            title,
            detail,
            ..whole(cx, ItemType::McpToolCall)
        })
    }
    fn patch_apply_begin(&mut self, cx: &mut Cx, params: &EventMsgPatchApplyBegin) -> ItemUpdated {
        ItemUpdated(ItemLifecycle {
            status: Some(ItemStatus::InProgress),
            title: changes_title(&params.changes),
            ..whole(cx, ItemType::FileChange)
        })
    }
    fn patch_apply_end(&mut self, cx: &mut Cx, params: &EventMsgPatchApplyEnd) -> ItemCompleted {
        let status = values::eventmsg_patch_apply_status(&params.status);
        let status = match status {
            Some(ItemStatus::Completed) => Some(succeeded(params.success)),
            other => other,
        };
        ItemCompleted(ItemLifecycle {
            status,
            title: params.changes.as_ref().and_then(changes_title),
            detail: patch_text(Some(&params.stdout), Some(&params.stderr)),
            ..whole(cx, ItemType::FileChange)
        })
    }
    fn plan_update(&mut self, cx: &mut Cx, params: &EventMsgPlanUpdate) -> TurnPlanUpdated {
        plan(cx, params)
    }
    fn realtime_conversation_realtime(
        &mut self,
        cx: &mut Cx,
        params: &EventMsgRealtimeConversationRealtime,
        out: Out<row::RealtimeConversationRealtime>,
    ) {
        match &params.payload {
            RealtimeEvent::AudioOut(_) => {
                let audio = part(cx, &["payload", "AudioOut"]);
                out.emit(cx, ThreadRealtimeAudioDelta { audio });
            }
            RealtimeEvent::Error(message) => {
                out.emit(
                    cx,
                    ThreadRealtimeError {
                        message: message.to_string(),
                    },
                );
            }
            RealtimeEvent::ConversationItemAdded(_)
            | RealtimeEvent::ConversationItemDone(_)
            | RealtimeEvent::HandoffRequested(_)
            | RealtimeEvent::SessionCreated(_)
            | RealtimeEvent::SessionUpdated(_)
            | RealtimeEvent::Unrecognized(_) => {
                let item = part(cx, &["payload"]);
                out.emit(cx, ThreadRealtimeItemAdded { item });
            }
        }
    }
    fn request_permissions(
        &mut self,
        cx: &mut Cx,
        params: &EventMsgRequestPermissions,
    ) -> RequestOpened {
        let question = params.reason.as_deref().and_then(filled);
        asked(cx, RequestType::PermissionsApproval, question)
    }
    fn session_configured(
        &mut self,
        cx: &mut Cx,
        params: &EventMsgSessionConfigured,
        out: Out<row::SessionConfigured>,
    ) {
        let thread: Arc<str> = Arc::from(params.session_id.as_str());
        cx.refs.thread = Some(Arc::clone(&thread));
        out.emit(
            cx,
            ThreadStarted {
                provider_thread_id: Some(thread.into()),
            },
        );
        let config = rest(cx, &["type", "session_id", "initial_messages"]);
        out.emit(cx, SessionConfigured { config });
    }
    fn stream_error(&mut self, cx: &mut Cx, params: &EventMsgStreamError) -> RuntimeError {
        // The agent tries again, so the turn has not failed.
        failure(cx, &params.message, params.codex_error_info.as_ref(), true)
    }
    fn task_complete(&mut self, cx: &mut Cx, params: &EventMsgTaskComplete) -> TurnCompleted {
        let told = self.turns.end(cx);
        let own = params.error.as_ref().map(|error| error.message.to_string());
        match own.or(told) {
            None => TurnCompleted::new(TurnState::Completed),
            error_message => TurnCompleted {
                error_message,
                ..TurnCompleted::new(TurnState::Failed)
            },
        }
    }
    fn thread_name_updated(
        &mut self,
        _: &mut Cx,
        params: &EventMsgThreadNameUpdated,
    ) -> ThreadMetadataUpdated {
        match &params.thread_name {
            Some(name) => ThreadMetadataUpdated {
                name: Some(name.to_string()),
                metadata: None,
            },
            None => metadata("name", null()),
        }
    }
    fn token_count(&mut self, cx: &mut Cx, params: &EventMsgTokenCount, out: Out<row::TokenCount>) {
        if params.info.is_some() {
            let usage = part(cx, &["info"]);
            out.emit(cx, ThreadTokenUsageUpdated { usage });
        }
        if params.rate_limits.is_some() {
            let rate_limits = part(cx, &["rate_limits"]);
            out.emit(cx, AccountRateLimitsUpdated { rate_limits });
        }
    }
    fn turn_aborted(&mut self, cx: &mut Cx, params: &EventMsgTurnAborted) -> TurnAborted {
        self.turns.end(cx);
        TurnAborted {
            reason: params.reason.as_str().to_owned(),
        }
    }
    fn undo_completed(
        &mut self,
        cx: &mut Cx,
        params: &EventMsgUndoCompleted,
    ) -> ThreadStateChanged {
        let detail = noted(cx, "undone", boolean(params.success));
        let state = if params.success {
            ThreadState::Idle
        } else {
            ThreadState::Error
        };
        ThreadStateChanged {
            state,
            detail: Some(detail),
        }
    }
    fn undo_started(&mut self, cx: &mut Cx, _: &EventMsgUndoStarted) -> ThreadStateChanged {
        let detail = noted(cx, "undoing", boolean(true));
        ThreadStateChanged {
            state: ThreadState::Active,
            detail: Some(detail),
        }
    }
}

#[cfg(test)]
#[path = "eventmsg_news_tests.rs"]
mod news_tests;
#[cfg(test)]
#[path = "eventmsg_tests.rs"]
pub(super) mod tests;
