//! Results of the client's requests, version 1.

use crate::canonical::{
    AuthStatus, SessionConfigured, ThreadMetadataUpdated, ThreadState, ThreadStateChanged,
    TurnCompleted, TurnState,
};
use crate::kit::mapping::{Cx, Out};
use crate::kit::parts::{config, null, part, rest};
use crate::providers::acp::wire::v1::response::{Mapping, row};
use crate::providers::acp::wire::v1::{
    ArchiveSessionResponse, AuthStatusResponse, AuthenticateResponse, CloseSessionResponse,
    CursorListAvailableModelsResponse, DeleteSessionResponse, ForkSessionResponse,
    InitializeResponse, LoadSessionResponse, LogoutResponse, NewSessionResponse, PromptResponse,
    ResumeSessionResponse, SetSessionConfigOptionResponse, SetSessionModeResponse,
    SetSessionModelResponse, SetSessionTitleResponse, UnarchiveSessionResponse, values,
};

use super::mapping::AcpMapping;
use super::sessions::{begins, name};
use super::shared::{signed_in, signed_out};
use super::v1_method::status_of;

impl Mapping for AcpMapping {
    fn auth_status(&mut self, _: &mut Cx<'_>, params: &AuthStatusResponse<'_>) -> AuthStatus {
        status_of(&params.state, params.accounts.as_deref())
    }

    fn authenticate(&mut self, _: &mut Cx<'_>, _: &AuthenticateResponse<'_>) -> AuthStatus {
        signed_in()
    }

    fn cursor_list_available_models(
        &mut self,
        cx: &mut Cx<'_>,
        _: &CursorListAvailableModelsResponse<'_>,
    ) -> SessionConfigured {
        config("models", part(cx, &["models"]))
    }

    fn initialize(&mut self, cx: &mut Cx<'_>, _: &InitializeResponse<'_>) -> SessionConfigured {
        SessionConfigured {
            config: rest(cx, &[]),
        }
    }

    fn logout(&mut self, _: &mut Cx<'_>, _: &LogoutResponse<'_>) -> AuthStatus {
        signed_out()
    }

    fn session_archive(
        &mut self,
        _: &mut Cx<'_>,
        _: &ArchiveSessionResponse<'_>,
    ) -> ThreadStateChanged {
        ThreadStateChanged::new(ThreadState::Archived)
    }

    fn session_close(
        &mut self,
        _: &mut Cx<'_>,
        _: &CloseSessionResponse<'_>,
    ) -> ThreadStateChanged {
        ThreadStateChanged::new(ThreadState::Closed)
    }

    fn session_delete(
        &mut self,
        _: &mut Cx<'_>,
        _: &DeleteSessionResponse<'_>,
    ) -> ThreadStateChanged {
        ThreadStateChanged::new(ThreadState::Closed)
    }

    fn session_fork(
        &mut self,
        cx: &mut Cx<'_>,
        params: &ForkSessionResponse<'_>,
        out: Out<row::SessionFork>,
    ) {
        // The request names the session that is copied.
        let original = self.asked_member("sessionId");
        name(cx, params.session_id.as_str());
        begins(cx, original, &out);
    }

    fn session_load(
        &mut self,
        cx: &mut Cx<'_>,
        _: &LoadSessionResponse<'_>,
        out: Out<row::SessionLoad>,
    ) {
        begins(cx, self.asked_member("sessionId"), &out);
    }

    fn session_new(
        &mut self,
        cx: &mut Cx<'_>,
        params: &NewSessionResponse<'_>,
        out: Out<row::SessionNew>,
    ) {
        name(cx, params.session_id.as_str());
        begins(cx, None, &out);
    }

    fn session_prompt(&mut self, cx: &mut Cx<'_>, params: &PromptResponse<'_>) -> TurnCompleted {
        let reason = params.stop_reason.as_str();
        let state = values::stop_reason(&params.stop_reason);
        TurnCompleted {
            stop_reason: Some(Some(reason.to_owned())),
            usage: cx.raw(&["usage"]).filter(|usage| usage.as_str() != "null"),
            error_message: state
                .is_none()
                .then(|| format!("the turn stopped for a reason that is not known: {reason}")),
            ..TurnCompleted::new(state.unwrap_or(TurnState::Failed))
        }
    }

    fn session_resume(
        &mut self,
        cx: &mut Cx<'_>,
        _: &ResumeSessionResponse<'_>,
        out: Out<row::SessionResume>,
    ) {
        begins(cx, self.asked_member("sessionId"), &out);
    }

    fn session_set_config_option(
        &mut self,
        cx: &mut Cx<'_>,
        _: &SetSessionConfigOptionResponse<'_>,
    ) -> SessionConfigured {
        config("configOptions", part(cx, &["configOptions"]))
    }

    fn session_set_mode(
        &mut self,
        _: &mut Cx<'_>,
        _: &SetSessionModeResponse<'_>,
    ) -> SessionConfigured {
        let mode = self.asked_member("modeId");
        config("currentModeId", mode.unwrap_or_else(null))
    }

    fn session_set_model(
        &mut self,
        _: &mut Cx<'_>,
        _: &SetSessionModelResponse,
    ) -> SessionConfigured {
        let model = self.asked_member("modelId");
        config("currentModelId", model.unwrap_or_else(null))
    }

    fn session_set_title(
        &mut self,
        _: &mut Cx<'_>,
        params: &SetSessionTitleResponse<'_>,
    ) -> ThreadMetadataUpdated {
        ThreadMetadataUpdated {
            name: Some(params.title.to_string()),
            metadata: None,
        }
    }

    fn session_unarchive(
        &mut self,
        _: &mut Cx<'_>,
        _: &UnarchiveSessionResponse<'_>,
    ) -> ThreadStateChanged {
        ThreadStateChanged::new(ThreadState::Active)
    }
}
