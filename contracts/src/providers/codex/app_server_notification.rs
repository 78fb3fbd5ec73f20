//! Notifications of the Codex app server, as canonical events.

use crate::canonical::*;
use crate::kit::mapping::{Cx, Out};
use crate::providers::codex::wire::app_server_notification::*;

use super::items::{Step, lifecycle};
use super::mapping::CodexMapping;
use super::notices::*;
use super::secrets::without_secrets;
use crate::kit::parts::{joined, metadata, null, rest};

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
    fn account_updated(&mut self, cx: &mut Cx, _: &AccountUpdatedNotification) -> AccountUpdated {
        AccountUpdated {
            account: without_secrets(cx.body()),
        }
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
    fn error(&mut self, cx: &mut Cx, params: &ErrorNotification) -> RuntimeError {
        failure(cx, params)
    }
    fn hook_completed(&mut self, _: &mut Cx, params: &HookCompletedNotification) -> HookCompleted {
        hook_end(&params.run)
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
    fn item_completed(&mut self, cx: &mut Cx, params: &ItemCompletedNotification) -> ItemCompleted {
        let data = cx.raw(&["item"]);
        lifecycle(cx, &params.item, data, Step::Completed).into()
    }
    fn item_file_change_patch_updated(
        &mut self,
        cx: &mut Cx,
        params: &FileChangePatchUpdatedNotification,
    ) -> ItemUpdated {
        patched(cx, params)
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
    fn model_safety_buffering_updated(
        &mut self,
        cx: &mut Cx,
        params: &ModelSafetyBufferingUpdatedNotification,
    ) -> RuntimeWarning {
        buffering(cx, params)
    }
    fn model_verification(
        &mut self,
        cx: &mut Cx,
        params: &ModelVerificationNotification,
    ) -> RuntimeWarning {
        verification(cx, params)
    }
    fn process_exited(&mut self, cx: &mut Cx, params: &ProcessExitedNotification) -> ItemCompleted {
        process_end(cx, params)
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
    fn thread_search_partial(
        &mut self,
        _: &mut Cx,
        params: &ThreadSearchPartialNotification,
    ) -> ToolProgress {
        let snippets = joined(params.data.iter().map(|found| &found.snippet));
        progress("thread/search", &request_text(&params.request_id), snippets)
    }
    fn turn_completed(&mut self, _: &mut Cx, params: &TurnCompletedNotification) -> TurnCompleted {
        turn_end(&params.turn)
    }
    fn turn_plan_updated(
        &mut self,
        cx: &mut Cx,
        params: &TurnPlanUpdatedNotification,
    ) -> TurnPlanUpdated {
        plan(cx, params)
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
