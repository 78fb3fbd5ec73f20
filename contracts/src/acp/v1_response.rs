//! Results of the client's requests, version 1.

use std::sync::Arc;

use crate::canonical::{
    AuthStatus, SessionConfigured, SessionStarted, SessionState, SessionStateChanged,
    ThreadMetadataUpdated, ThreadStarted, ThreadState, ThreadStateChanged, TurnCompleted,
    TurnState,
};
use crate::generated::acp_v1::response::{Mapping, row};
use crate::generated::acp_v1::{
    ArchiveSessionResponse, AuthStatusResponse, AuthenticateResponse, CloseSessionResponse,
    CursorListAvailableModelsResponse, DeleteSessionResponse, ForkSessionResponse,
    InitializeResponse, LoadSessionResponse, LogoutResponse, NewSessionResponse, PromptResponse,
    ResumeSessionResponse, SetSessionConfigOptionResponse, SetSessionModeResponse,
    SetSessionModelResponse, SetSessionTitleResponse, UnarchiveSessionResponse, values,
};
use crate::json::OwnedJson;
use crate::mapping::{Cx, Out};
use crate::members::each_member;
use crate::parts::{config, null, part, rest};

use super::mapping::AcpMapping;
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
        out.emit(cx, started(original));
        out.emit(cx, thread(cx));
        out.emit(cx, ready());
    }

    fn session_load(
        &mut self,
        cx: &mut Cx<'_>,
        _: &LoadSessionResponse<'_>,
        out: Out<row::SessionLoad>,
    ) {
        out.emit(cx, started(self.asked_member("sessionId")));
        out.emit(cx, thread(cx));
        out.emit(cx, ready());
    }

    fn session_new(
        &mut self,
        cx: &mut Cx<'_>,
        params: &NewSessionResponse<'_>,
        out: Out<row::SessionNew>,
    ) {
        name(cx, params.session_id.as_str());
        out.emit(cx, started(None));
        out.emit(cx, thread(cx));
        out.emit(cx, ready());
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
        out.emit(cx, started(self.asked_member("sessionId")));
        out.emit(cx, thread(cx));
        out.emit(cx, ready());
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

impl AcpMapping {
    /// A member of the request that is answered.
    pub(super) fn asked_member(&self, name: &str) -> Option<OwnedJson> {
        let mut found = None;
        each_member(self.asked.as_ref()?, |known, value| {
            if known == name {
                found = Some(value.to_owned_json());
            }
        });
        found
    }
}

/// What follows is about the session of this id, which is the protocol's word for a thread.
pub(super) fn name(cx: &mut Cx<'_>, session: &str) {
    cx.refs.thread = Some(Arc::from(session));
    cx.refs.session = cx.refs.thread.clone();
}

/// A session began; `from` is the session that it takes up.
pub(super) fn started(from: Option<OwnedJson>) -> SessionStarted {
    SessionStarted {
        message: None,
        resume: from.map(|id| crate::parts::object(&[("sessionId", id)])),
    }
}

/// The thread of the session.
pub(super) fn thread(cx: &Cx<'_>) -> ThreadStarted {
    ThreadStarted {
        provider_thread_id: cx.refs.thread.clone().map(Into::into),
    }
}

/// The session takes prompts.
pub(super) const fn ready() -> SessionStateChanged {
    SessionStateChanged {
        state: SessionState::Ready,
        reason: None,
        detail: None,
    }
}
