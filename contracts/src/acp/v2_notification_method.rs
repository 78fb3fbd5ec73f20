//! Notifications besides updates of a session, in version 2 of the agent client protocol.

use std::sync::Arc;

use crate::canonical::{AuthStatus, Decision, RequestResolved, RuntimeWarning, UserInputResolved};
use crate::envelope::RequestId;
use crate::generated::acp_v2::notification_method::{Mapping, row};
use crate::generated::acp_v2::{
    self as wire, AuthStatusUpdateNotification, CancelRequestNotification,
    CompleteElicitationNotification, ExtAuthStatusUpdateNotification,
};
use crate::mapping::{Cx, Out};

use super::mapping::AcpMapping;
use super::v2_parts::auth_status;

impl Mapping for AcpMapping {
    fn dollar_cancel_request(
        &mut self,
        cx: &mut Cx<'_>,
        params: &CancelRequestNotification<'_>,
        out: Out<row::DollarCancelRequest>,
    ) {
        let id = match &params.request_id {
            wire::RequestId::Number(number) => RequestId::Integer(*number),
            wire::RequestId::Text(text) => RequestId::Text(Arc::from(&**text)),
            wire::RequestId::Unrecognized(other) => RequestId::Other(Arc::from(other.raw.as_str())),
        };
        let Some(request) = self.requests.remove(&id) else {
            cx.refs.minted = false;
            let warning = RuntimeWarning {
                message: String::from("the agent cancels a request that is not open"),
                detail: Some(cx.body()),
            };
            return out.emit(cx, warning);
        };
        cx.refs = request.refs;
        let resolved = RequestResolved {
            request_type: request.asks.request_type,
            decision: Some(Decision::Cancel.into()),
            resolution: Some(cx.body()),
        };
        out.emit(cx, resolved);
    }

    fn auth_status_update_underscored(
        &mut self,
        _: &mut Cx<'_>,
        params: &ExtAuthStatusUpdateNotification<'_>,
    ) -> AuthStatus {
        let status = &params.auth_status;
        let words = [
            Some(status.kind.as_str()),
            status.label.as_deref(),
            status.detail.as_deref(),
        ];
        AuthStatus {
            is_authenticating: Some(false),
            output: Some(words.into_iter().flatten().map(str::to_owned).collect()),
            error: None,
        }
    }

    fn auth_status_update_mixed(
        &mut self,
        _: &mut Cx<'_>,
        params: &AuthStatusUpdateNotification<'_>,
    ) -> AuthStatus {
        auth_status(&params.state, params.accounts.as_deref())
    }

    fn elicitation_complete(
        &mut self,
        cx: &mut Cx<'_>,
        params: &CompleteElicitationNotification<'_>,
    ) -> UserInputResolved {
        let id: Arc<str> = Arc::from(params.elicitation_id.as_str());
        match self.elicitations.remove(&id) {
            Some(refs) => cx.refs = refs,
            None => cx.refs.minted = false,
        }
        UserInputResolved { answers: cx.body() }
    }
}
