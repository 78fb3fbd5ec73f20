//! Responses of the Codex app server.

use std::collections::BTreeMap;

use crate::canonical::{
    AccountUpdated, AuthStatus, ProviderThreadId, RuntimeWarning, SessionConfigured,
    ThreadMetadataUpdated, ThreadStarted,
};
use crate::kit::mapping::{Cx, Out};
use crate::providers::codex::wire::GatewayOAuthStatus;
use crate::providers::codex::wire::app_server_response::{
    AccountSessionsSwitchResponse, GatewayOAuthReadResponse, GetAccountResponse,
    LoginAccountResponse, LoginChatGptResponse, Mapping, NewConversationResponse,
    ThreadMetadataUpdateResponse, ThreadResumeResponse, row,
};

use super::mapping::CodexMapping;
use super::secrets::without_secrets;
use crate::kit::members::text;
use crate::kit::parts::rest;

/// What a response that opens a thread holds besides its settings: the thread with its history,
/// and the places to page from.
const THREAD_MEMBERS: &[&str] = &[
    "initialTurnsPage",
    "itemsBackwardsCursor",
    "thread",
    "turnsBackwardsCursor",
];

impl Mapping for CodexMapping {
    fn account_gateway_o_auth_read(
        &mut self,
        _: &mut Cx<'_>,
        result: &GatewayOAuthReadResponse<'_>,
    ) -> AuthStatus {
        let (is_authenticating, failure) = match &result.status {
            Some(GatewayOAuthStatus::Started) => (Some(true), None),
            Some(GatewayOAuthStatus::Failed) => (Some(false), Some("failed")),
            None | Some(GatewayOAuthStatus::NotReady | GatewayOAuthStatus::Succeeded) => {
                (Some(false), None)
            }
            Some(GatewayOAuthStatus::Unrecognized(_)) => (None, None),
        };
        AuthStatus {
            is_authenticating,
            output: None,
            error: result.error.as_deref().or(failure).map(str::to_owned),
        }
    }

    fn account_login_start(
        &mut self,
        _: &mut Cx<'_>,
        result: &LoginAccountResponse<'_>,
    ) -> AuthStatus {
        match result {
            LoginAccountResponse::Chatgpt(login) => begun([&login.auth_url]),
            LoginAccountResponse::ChatgptDeviceCode(login) => {
                begun([&login.verification_url, &login.user_code])
            }
            // These need nothing more from the user, and account/login/completed tells their end.
            LoginAccountResponse::AmazonBedrock
            | LoginAccountResponse::ApiKey
            | LoginAccountResponse::ChatgptAuthTokens => AuthStatus {
                is_authenticating: Some(false),
                ..AuthStatus::default()
            },
            LoginAccountResponse::Unrecognized(_) => AuthStatus::default(),
        }
    }

    fn account_read(&mut self, cx: &mut Cx<'_>, _: &GetAccountResponse<'_>) -> AccountUpdated {
        AccountUpdated {
            account: without_secrets(cx.body()),
        }
    }

    fn account_session_switch(
        &mut self,
        cx: &mut Cx<'_>,
        result: &AccountSessionsSwitchResponse<'_>,
        out: Out<row::AccountSessionSwitch>,
    ) {
        match result {
            AccountSessionsSwitchResponse::AuthUrl(login) => out.emit(cx, begun([&login.auth_url])),
            AccountSessionsSwitchResponse::Sessions(_) => {
                let account = without_secrets(cx.body());
                out.emit(cx, AccountUpdated { account });
            }
            // The schema spells these two members unlike all others of this wire; the agent may
            // well send the usual spelling.
            AccountSessionsSwitchResponse::Unrecognized(_) => match text(cx, &["authUrl"]) {
                Some(auth_url) => out.emit(cx, begun([&auth_url])),
                None => {
                    let warning = RuntimeWarning {
                        message: String::from("unrecognized answer to `accountSession/switch`"),
                        detail: Some(without_secrets(cx.body())),
                    };
                    out.emit(cx, warning);
                }
            },
        }
    }

    fn login_chat_gpt(&mut self, _: &mut Cx<'_>, result: &LoginChatGptResponse<'_>) -> AuthStatus {
        match &result.auth_url {
            Some(auth_url) => begun([auth_url]),
            None => AuthStatus {
                is_authenticating: Some(true),
                ..AuthStatus::default()
            },
        }
    }

    fn new_conversation(
        &mut self,
        cx: &mut Cx<'_>,
        result: &NewConversationResponse<'_>,
        out: Out<row::NewConversation>,
    ) {
        cx.refs.thread = Some(result.conversation_id.as_ref().into());
        out.emit(cx, thread_started(&result.conversation_id));
        let configured = all_but(cx, &["conversationId"]);
        out.emit(cx, configured);
    }

    fn thread_metadata_update(
        &mut self,
        cx: &mut Cx<'_>,
        _: &ThreadMetadataUpdateResponse<'_>,
    ) -> ThreadMetadataUpdated {
        let git = cx.raw(&["thread", "gitInfo"]);
        let metadata = git.map(|git| BTreeMap::from([(String::from("gitInfo"), git)]));
        ThreadMetadataUpdated {
            name: None,
            metadata,
        }
    }

    fn thread_resume(
        &mut self,
        cx: &mut Cx<'_>,
        result: &ThreadResumeResponse<'_>,
        out: Out<row::ThreadResume>,
    ) {
        out.emit(cx, thread_started(&result.thread.id));
        let configured = all_but(cx, THREAD_MEMBERS);
        out.emit(cx, configured);
    }
}

/// A sign-in that waits for the user, who needs these texts for it.
fn begun<const N: usize>(output: [impl AsRef<str>; N]) -> AuthStatus {
    AuthStatus {
        is_authenticating: Some(true),
        output: Some(output.iter().map(|text| text.as_ref().to_owned()).collect()),
        error: None,
    }
}

fn thread_started(id: &str) -> ThreadStarted {
    ThreadStarted {
        provider_thread_id: Some(ProviderThreadId::from(id)),
    }
}

/// The members of the result as they were sent, but for these. What is named replaces what was
/// known under the name, so a member that was not sent must not be there.
fn all_but(cx: &Cx<'_>, but: &[&str]) -> SessionConfigured {
    SessionConfigured {
        config: rest(cx, but),
    }
}

#[cfg(test)]
#[path = "app_server_response_tests.rs"]
mod tests;
