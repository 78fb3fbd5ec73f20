//! Responses of the Codex app server.

use std::collections::BTreeMap;

use crate::canonical::{
    AccountRateLimitsUpdated, AccountUpdated, AuthStatus, McpStatusUpdated, ProviderThreadId,
    RuntimeWarning, SessionConfigured, ThreadMetadataUpdated, ThreadStarted, ThreadState,
    ThreadStateChanged,
};
use crate::kit::mapping::{Cx, Out};
use crate::providers::codex::wire::GatewayOAuthStatus;
use crate::providers::codex::wire::app_server_response::{
    AccountSessionsSwitchResponse, CollaborationModeListResponse, ConfigReadResponse,
    ConfigRequirementsReadResponse, ExperimentalFeatureEnablementSetResponse,
    ExperimentalFeatureListResponse, GatewayOAuthReadResponse, GetAccountRateLimitsResponse,
    GetAccountResponse, GetAuthStatusResponse, GetUserSavedConfigResponse, HooksListResponse,
    InitializeResponse, ListMcpServerStatusResponse, LoginAccountResponse, LoginChatGptResponse,
    Mapping, ModelListResponse, ModelProviderCapabilitiesReadResponse, ModelProviderListResponse,
    NewConversationResponse, PermissionProfileListResponse, RemoteControlStatusReadResponse,
    SkillsListResponse, ThreadForkResponse, ThreadMetadataUpdateResponse, ThreadResumeResponse,
    ThreadRollbackResponse, ThreadStartResponse, row,
};

use super::mapping::CodexMapping;
use super::secrets::without_secrets;
use crate::kit::members::{members_of, text};
use crate::kit::parts::{config, part, pick, rest, state};

/// What a response that opens a thread holds besides its settings: the thread with its history,
/// and the places to page from.
const THREAD_MEMBERS: &[&str] = &[
    "initialTurnsPage",
    "itemsBackwardsCursor",
    "thread",
    "turnsBackwardsCursor",
];

/// What an account may show. The answer of `getAuthStatus` can also hold a token, and that must
/// not get into a payload; so these are named, instead of what is left out.
const ACCOUNT_MEMBERS: &[&[&str]] = &[&["authMethod"], &["requiresOpenaiAuth"]];

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

/// The members of the result's `config`.
fn settings(cx: &Cx<'_>) -> SessionConfigured {
    SessionConfigured {
        config: members_of(cx, &part(cx, &["config"])),
    }
}

/// A list: its `data` under the key, and each other member under the key with the member's name
/// after it, as in `modelsNextCursor`.
fn listed(cx: &Cx<'_>, key: &str) -> SessionConfigured {
    let members = rest(cx, &[]).into_iter();
    let config = members
        .map(|(name, value)| (list_key(key, &name), value))
        .collect();
    SessionConfigured { config }
}

fn list_key(key: &str, name: &str) -> String {
    let mut rest = name.chars();
    match rest.next() {
        Some(first) if name != "data" => {
            format!("{key}{}{}", first.to_uppercase(), rest.as_str())
        }
        Some(_) | None => key.to_owned(),
    }
}

#[cfg(test)]
#[path = "app_server_response_tests.rs"]
mod tests;
