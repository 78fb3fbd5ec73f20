//! Notifications besides updates of a session, in version 2 of the agent client protocol.

use crate::canonical::{AuthStatus, UserInputResolved};
use crate::kit::mapping::{Cx, Out};
use crate::providers::acp::wire::v2::notification_method::{Mapping, row};
use crate::providers::acp::wire::v2::{
    AuthStatusUpdateNotification, CancelRequestNotification,
    CompleteElicitationNotification, ExtAuthStatusUpdateNotification,
};

use crate::providers::acp::mapping::AcpMapping;
use crate::providers::acp::parts::{Parts, Two};
use crate::providers::acp::shared::login;
use super::parts::status_of;

impl Mapping for AcpMapping {
    fn dollar_cancel_request(
        &mut self,
        cx: &mut Cx<'_>,
        params: &CancelRequestNotification<'_>,
        out: Out<row::DollarCancelRequest>,
    ) {
        let id = Two::id(&params.request_id);
        match self.taken_back(cx, Some(id)) {
            Ok(resolved) => out.emit(cx, resolved),
            Err(warning) => out.emit(cx, warning),
        }
    }

    fn auth_status_update_underscored(
        &mut self,
        _: &mut Cx<'_>,
        params: &ExtAuthStatusUpdateNotification<'_>,
    ) -> AuthStatus {
        let status = &params.auth_status;
        login([
            Some(status.kind.as_str()),
            status.label.as_deref(),
            status.detail.as_deref(),
        ])
    }

    fn auth_status_update_mixed(
        &mut self,
        _: &mut Cx<'_>,
        params: &AuthStatusUpdateNotification<'_>,
    ) -> AuthStatus {
        status_of(&params.state, params.accounts.as_deref())
    }

    fn elicitation_complete(
        &mut self,
        cx: &mut Cx<'_>,
        params: &CompleteElicitationNotification<'_>,
    ) -> UserInputResolved {
        self.answered_elsewhere(cx, params.elicitation_id.as_str())
    }
}
