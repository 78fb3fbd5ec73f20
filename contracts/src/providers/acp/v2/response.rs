//! Answers of an agent, in version 2 of the agent client protocol.
//!
//! The context names the session of the request; an answer that makes a session names that one.

use crate::canonical::{
    AuthStatus, SessionConfigured, ThreadMetadataUpdated, ThreadState, ThreadStateChanged,
};
use crate::kit::mapping::{Cx, Out};
use crate::kit::parts::{config, part, rest};
use crate::providers::acp::wire::v2::response::{Mapping, implied, row};
use crate::providers::acp::wire::v2::{
    ArchiveSessionResponse, AuthStatusResponse, CloseSessionResponse, DeleteSessionResponse,
    ForkSessionResponse, InitializeResponse, LoginAuthResponse, LogoutAuthResponse,
    NewSessionResponse, ResumeSessionResponse, SetSessionConfigOptionResponse,
    SetSessionTitleResponse, UnarchiveSessionResponse,
};

use crate::providers::acp::mapping::AcpMapping;
use crate::providers::acp::sessions::{begins, name};
use crate::providers::acp::shared::{signed_in, signed_out};
use super::parts::status_of;

/// Members of the answer to `initialize` that the first version of the protocol names otherwise:
/// a reader of events finds both under one name.
const RENAMED: &[(&str, &str)] = &[("capabilities", "agentCapabilities"), ("info", "agentInfo")];

impl Mapping for AcpMapping {
    fn auth_login(&mut self, _: &mut Cx<'_>, _: &LoginAuthResponse<'_>) -> AuthStatus {
        signed_in()
    }

    fn auth_logout(&mut self, _: &mut Cx<'_>, _: &LogoutAuthResponse<'_>) -> AuthStatus {
        signed_out()
    }

    fn auth_status(&mut self, _: &mut Cx<'_>, params: &AuthStatusResponse<'_>) -> AuthStatus {
        status_of(&params.state, params.accounts.as_deref())
    }

    fn initialize(&mut self, cx: &mut Cx<'_>, _: &InitializeResponse<'_>) -> SessionConfigured {
        let mut config = rest(cx, &[]);
        for (from, to) in RENAMED {
            if let Some(value) = config.remove(*from) {
                config.insert((*to).to_owned(), value);
            }
        }
        SessionConfigured { config }
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

    fn session_new(
        &mut self,
        cx: &mut Cx<'_>,
        params: &NewSessionResponse<'_>,
        out: Out<row::SessionNew>,
    ) {
        name(cx, params.session_id.as_str());
        begins(self, cx, None, &out, &implied::history_ends());
    }

    fn session_resume(
        &mut self,
        cx: &mut Cx<'_>,
        _: &ResumeSessionResponse<'_>,
        out: Out<row::SessionResume>,
    ) {
        cx.refs.session.clone_from(&cx.refs.thread);
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

/// The reply to a prompt says only that the agent took it.
pub(in crate::providers::acp) fn ended_unreadably(_: &mut AcpMapping, _: &mut Cx<'_>) {}
