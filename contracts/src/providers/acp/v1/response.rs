//! Results of the client's requests, version 1.

use crate::canonical::{
    AuthStatus, SessionConfigured, ThreadMetadataUpdated, ThreadState, ThreadStateChanged,
    TurnCompleted, TurnState,
};
use crate::kit::mapping::{Cx, Out};
use crate::kit::parts::{config, null, part, rest};
use crate::providers::acp::wire::v1::response::{Mapping, implied, row};
use crate::providers::acp::wire::v1::{
    ArchiveSessionResponse, AuthStatusResponse, AuthenticateResponse, CloseSessionResponse,
    CursorListAvailableModelsResponse, DeleteSessionResponse, ForkSessionResponse,
    InitializeResponse, LoadSessionResponse, LogoutResponse, NewSessionResponse, PromptResponse,
    ResumeSessionResponse, SetSessionConfigOptionResponse, SetSessionModeResponse,
    SetSessionModelResponse, SetSessionTitleResponse, UnarchiveSessionResponse, values,
};

use crate::providers::acp::mapping::AcpMapping;
use crate::providers::acp::sessions::{begins, name};
use crate::providers::acp::shared::{signed_in, signed_out};
use super::notification_method::status_of;

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
        cx: &mut Cx<'_>,
        _: &CloseSessionResponse<'_>,
    ) -> ThreadStateChanged {
        self.close_session(cx, &implied::thread_closes());
        ThreadStateChanged::new(ThreadState::Closed)
    }

    fn session_delete(
        &mut self,
        cx: &mut Cx<'_>,
        _: &DeleteSessionResponse<'_>,
    ) -> ThreadStateChanged {
        self.close_session(cx, &implied::thread_closes());
        ThreadStateChanged::new(ThreadState::Closed)
    }

    fn session_fork(
        &mut self,
        cx: &mut Cx<'_>,
        params: &ForkSessionResponse<'_>,
        out: Out<row::SessionFork>,
    ) {
        // The request names the session that is copied.
        let from = self.asked_member("sessionId");
        name(cx, params.session_id.as_str());
        begins(self, cx, from, &out, &implied::history_ends());
    }

    fn session_load(
        &mut self,
        cx: &mut Cx<'_>,
        _: &LoadSessionResponse<'_>,
        out: Out<row::SessionLoad>,
    ) {
        // A session that goes on elsewhere may end in time what its history leaves open.
        self.end_history(cx, &implied::history_ends());
        let from = self.asked_member("sessionId");
        begins(self, cx, from, &out, &implied::history_ends());
    }

    fn session_new(
        &mut self,
        cx: &mut Cx<'_>,
        params: &NewSessionResponse<'_>,
        out: Out<row::SessionNew>,
    ) {
        name(cx, params.session_id.as_str());
        begins(self, cx, None, &out, &implied::history_ends());
    }

    fn session_prompt(&mut self, cx: &mut Cx<'_>, params: &PromptResponse<'_>) -> TurnCompleted {
        let reason = params.stop_reason.as_str();
        let known = values::stop_reason(&params.stop_reason);
        let state = known.unwrap_or(TurnState::Failed);
        self.end_turn(cx, state, &implied::turn_ends());
        TurnCompleted {
            stop_reason: Some(Some(reason.to_owned())),
            usage: cx.raw(&["usage"]).filter(|usage| usage.as_str() != "null"),
            error_message: known
                .is_none()
                .then(|| format!("the turn stopped for a reason that is not known: {reason}")),
            ..TurnCompleted::new(state)
        }
    }

    fn session_resume(
        &mut self,
        cx: &mut Cx<'_>,
        _: &ResumeSessionResponse<'_>,
        out: Out<row::SessionResume>,
    ) {
        let from = self.asked_member("sessionId");
        begins(self, cx, from, &out, &implied::history_ends());
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

/// The reply to a prompt ends its turn, however it reads.
pub(in crate::providers::acp) fn ended_unreadably(mapping: &mut AcpMapping, cx: &mut Cx<'_>) {
    mapping.end_turn(cx, TurnState::Failed, &implied::turn_ends());
    let completed = TurnCompleted {
        error_message: Some(String::from("the reply to the prompt cannot be read")),
        ..TurnCompleted::new(TurnState::Failed)
    };
    implied::unreadable_end().emit(cx, completed);
}
