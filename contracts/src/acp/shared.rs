//! What both generations of the protocol tell in the same way, whatever their types.

use std::sync::Arc;

use crate::canonical::{AuthStatus, Decision, RequestResolved, RuntimeWarning, UserInputResolved};
use crate::envelope::RequestId;
use crate::mapping::Cx;

use super::mapping::AcpMapping;

/// The state of an agent's login, with the labels of its accounts.
pub(super) fn auth_status<'m>(
    state: &'m str,
    labels: impl Iterator<Item = &'m str>,
    is_missing: bool,
) -> AuthStatus {
    let output = std::iter::once(state).chain(labels).map(str::to_owned);
    AuthStatus {
        is_authenticating: Some(false),
        output: Some(output.collect()),
        error: is_missing.then(|| String::from("not authenticated")),
    }
}

/// A login in the words of an extension of two agents: its kind, its label, more about it.
pub(super) fn login<'m>(words: impl IntoIterator<Item = Option<&'m str>>) -> AuthStatus {
    let words = words.into_iter().flatten().map(str::to_owned);
    AuthStatus {
        output: Some(words.collect()),
        ..signed_in()
    }
}

/// A login that is over.
pub(super) fn signed_in() -> AuthStatus {
    AuthStatus {
        is_authenticating: Some(false),
        ..AuthStatus::default()
    }
}

/// A logout.
pub(super) fn signed_out() -> AuthStatus {
    login([Some("logged out")])
}

impl AcpMapping {
    /// The agent takes a request back. One that is not open is worth a warning.
    pub(super) fn taken_back(
        &mut self,
        cx: &mut Cx<'_>,
        id: Option<RequestId>,
    ) -> Result<RequestResolved, RuntimeWarning> {
        let Some(request) = id.and_then(|id| self.requests.remove(&id)) else {
            cx.refs.minted = false;
            return Err(RuntimeWarning {
                message: String::from("the agent cancels a request that is not open"),
                detail: Some(cx.body()),
            });
        };
        cx.refs = request.refs;
        Ok(RequestResolved {
            request_type: request.asks.request_type,
            decision: Some(Decision::Cancel.into()),
            resolution: Some(cx.body()),
        })
    }

    /// A question was answered, another way than through the client.
    pub(super) fn answered_elsewhere(
        &mut self,
        cx: &mut Cx<'_>,
        question: &str,
    ) -> UserInputResolved {
        match self.elicitations.remove(&Arc::from(question)) {
            Some(refs) => cx.refs = refs,
            None => cx.refs.minted = false,
        }
        UserInputResolved { answers: cx.body() }
    }
}
