//! Requests of the Codex app server.

use std::borrow::Cow;

use crate::canonical::{RequestOpened, RequestType, UserInputRequested};
use crate::kit::mapping::{Cx, Out};
use crate::providers::codex::wire::app_server_request::{Mapping, row};
use crate::providers::codex::wire::{
    ApplyPatchApprovalParams, AttestationGenerateParams, ChatgptAuthTokensRefreshParams,
    CommandExecutionRequestApprovalParams, DynamicToolCallParams, ExecCommandApprovalParams,
    FileChangeRequestApprovalParams, McpServerElicitationRequestParams,
    McpServerElicitationRequestParamsKind, PermissionsRequestApprovalParams, ServerRequestKind,
    ToolRequestUserInputParams, values,
};

use super::mapping::CodexMapping;
use crate::kit::members::{each_member, text};
use crate::kit::parts::{part, pick};

/// What a request asks for; the type that its `request.opened` carries.
pub(super) fn request_type(kind: &ServerRequestKind<'_>) -> RequestType {
    match kind {
        ServerRequestKind::AccountChatgptAuthTokensRefresh(_) => RequestType::AuthTokensRefresh,
        ServerRequestKind::ApplyPatchApproval(_) => RequestType::ApplyPatchApproval,
        ServerRequestKind::AttestationGenerate(_) => RequestType::Attestation,
        ServerRequestKind::ExecCommandApproval(_) => RequestType::ExecCommandApproval,
        ServerRequestKind::ItemCommandExecutionRequestApproval(params) => command_type(params),
        ServerRequestKind::ItemFileChangeRequestApproval(_) => RequestType::FileChangeApproval,
        ServerRequestKind::ItemPermissionsRequestApproval(_) => RequestType::PermissionsApproval,
        ServerRequestKind::ItemToolCall(_) => RequestType::DynamicToolCall,
        ServerRequestKind::ItemToolRequestUserInput(_) => RequestType::ToolUserInput,
        ServerRequestKind::McpServerElicitationRequest(_) => RequestType::McpElicitation,
        ServerRequestKind::Unrecognized(_) => RequestType::Unknown,
    }
}

impl Mapping for CodexMapping {
    fn account_chatgpt_auth_tokens_refresh(
        &mut self,
        cx: &mut Cx<'_>,
        params: &ChatgptAuthTokensRefreshParams<'_>,
    ) -> RequestOpened {
        opened(
            cx,
            RequestType::AuthTokensRefresh,
            [Some(params.reason.as_str())],
        )
    }

    fn apply_patch_approval(
        &mut self,
        cx: &mut Cx<'_>,
        params: &ApplyPatchApprovalParams<'_>,
    ) -> RequestOpened {
        let paths = first_and_count(params.file_changes.keys());
        let candidates = [params.reason.as_deref(), paths.as_deref()];
        opened(cx, RequestType::ApplyPatchApproval, candidates)
    }

    fn attestation_generate(
        &mut self,
        cx: &mut Cx<'_>,
        _: &AttestationGenerateParams,
    ) -> RequestOpened {
        // The host answers this one by itself, so there is no question for people.
        opened(cx, RequestType::Attestation, [])
    }

    fn exec_command_approval(
        &mut self,
        cx: &mut Cx<'_>,
        params: &ExecCommandApprovalParams<'_>,
    ) -> RequestOpened {
        let command = params.command.join(" ");
        let candidates = [params.reason.as_deref(), Some(command.as_str())];
        opened(cx, RequestType::ExecCommandApproval, candidates)
    }

    fn item_command_execution_request_approval(
        &mut self,
        cx: &mut Cx<'_>,
        params: &CommandExecutionRequestApprovalParams<'_>,
    ) -> RequestOpened {
        let network = params.network_approval_context.as_ref();
        let network = network.map(|context| format!("network access to {}", context.host));
        let candidates = [
            params.reason.as_deref(),
            params.command.as_deref(),
            network.as_deref(),
        ];
        opened(cx, command_type(params), candidates)
    }

    fn item_file_change_request_approval(
        &mut self,
        cx: &mut Cx<'_>,
        params: &FileChangeRequestApprovalParams<'_>,
    ) -> RequestOpened {
        let root = params
            .grant_root
            .as_ref()
            .map(|root| format!("write access below {root}"));
        let candidates = [params.reason.as_deref(), root.as_deref()];
        opened(cx, RequestType::FileChangeApproval, candidates)
    }

    fn item_permissions_request_approval(
        &mut self,
        cx: &mut Cx<'_>,
        params: &PermissionsRequestApprovalParams<'_>,
    ) -> RequestOpened {
        let wanted = permission_names(cx);
        let candidates = [params.reason.as_deref(), wanted.as_deref()];
        opened(cx, RequestType::PermissionsApproval, candidates)
    }

    fn item_tool_call(
        &mut self,
        cx: &mut Cx<'_>,
        params: &DynamicToolCallParams<'_>,
    ) -> RequestOpened {
        let name = match &params.namespace {
            Some(namespace) => format!("{namespace}/{}", params.tool),
            None => params.tool.to_string(),
        };
        opened(cx, RequestType::DynamicToolCall, [Some(name.as_str())])
    }

    fn item_tool_request_user_input(
        &mut self,
        cx: &mut Cx<'_>,
        params: &ToolRequestUserInputParams<'_>,
        out: Out<row::ItemToolRequestUserInput>,
    ) {
        let questions = part(cx, &["questions"]);
        out.emit(cx, UserInputRequested { questions });
        let asked: Vec<&str> = params
            .questions
            .iter()
            .map(|question| question.question.as_ref())
            .collect();
        let asked = asked.join(" ");
        let request = opened(cx, RequestType::ToolUserInput, [Some(asked.as_str())]);
        out.emit(cx, request);
    }

    fn mcp_server_elicitation_request(
        &mut self,
        cx: &mut Cx<'_>,
        params: &McpServerElicitationRequestParams<'_>,
        out: Out<row::McpServerElicitationRequest>,
    ) {
        let (form, question) = elicitation(cx, &params.kind);
        // An approval of a tool call comes as a form with nothing to fill in.
        if form && has_fields(cx) && !approves_a_tool_call(cx) {
            let questions = pick(cx, &[&["message"], &["requestedSchema"]]);
            out.emit(cx, UserInputRequested { questions });
        }
        let request = opened(cx, RequestType::McpElicitation, [question.as_deref()]);
        out.emit(cx, request);
    }
}

/// An approval of a kind that nobody knows is of type `unknown`: it may ask for anything.
fn command_type(params: &CommandExecutionRequestApprovalParams<'_>) -> RequestType {
    match &params.kind {
        None => RequestType::CommandExecutionApproval,
        Some(kind) => values::command_approval_kind(kind).unwrap_or(RequestType::Unknown),
    }
}

/// A request with the first of the texts that says something, in one line.
fn opened<const N: usize>(
    cx: &Cx<'_>,
    request_type: RequestType,
    candidates: [Option<&str>; N],
) -> RequestOpened {
    let detail = candidates.into_iter().flatten().find_map(one_line);
    // A request may come without params.
    let args = Some(cx.body()).filter(|body| body.as_str() != "null");
    RequestOpened {
        request_type,
        detail,
        args,
    }
}

/// The text with its lines joined; nothing where it is blank.
fn one_line(text: &str) -> Option<String> {
    let lines = text.split(['\n', '\r', '\u{2028}', '\u{2029}']);
    let lines: Vec<&str> = lines
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .collect();
    (!lines.is_empty()).then(|| lines.join(" "))
}

fn first_and_count<'p>(paths: impl ExactSizeIterator<Item = &'p Cow<'p, str>>) -> Option<String> {
    let mut paths = paths;
    let first = paths.next()?;
    Some(match paths.len() {
        0 => first.to_string(),
        more => format!("{first} and {more} more"),
    })
}

/// The names of the permissions that are asked for, where there are any.
fn permission_names(cx: &Cx<'_>) -> Option<String> {
    let permissions = cx.raw(&["permissions"])?;
    let mut names = Vec::new();
    each_member(&permissions, |name, value| {
        if value.as_str() != "null" {
            names.push(name);
        }
    });
    (!names.is_empty()).then(|| format!("permissions: {}", names.join(", ")))
}

/// Whether an elicitation is a form, and its question.
fn elicitation(
    cx: &Cx<'_>,
    kind: &McpServerElicitationRequestParamsKind<'_>,
) -> (bool, Option<String>) {
    type Elicitation<'a> = McpServerElicitationRequestParamsKind<'a>;
    match kind {
        Elicitation::Form(form) => (true, Some(form.message.to_string())),
        Elicitation::OpenaiFormPath(form) | Elicitation::OpenaiFormCamel(form) => {
            (true, Some(form.message.to_string()))
        }
        Elicitation::OpenaiUserVerification(check) => (false, Some(check.title.to_string())),
        Elicitation::Url(link) => (false, Some(format!("{} {}", link.message, link.url))),
        Elicitation::Unrecognized(_) => (false, text(cx, &["message"])),
    }
}

fn has_fields(cx: &Cx<'_>) -> bool {
    let mut any = false;
    if let Some(properties) = cx.raw(&["requestedSchema", "properties"]) {
        each_member(&properties, |_, _| any = true);
    }
    any
}

fn approves_a_tool_call(cx: &Cx<'_>) -> bool {
    let kind = cx.raw(&["_meta", "codex_approval_kind"]);
    kind.is_some_and(|kind| kind.as_str() != "null")
}

#[cfg(test)]
#[path = "app_server_request_tests.rs"]
mod tests;
