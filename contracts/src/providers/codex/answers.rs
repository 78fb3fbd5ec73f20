//! The client's answers to requests of the agent: what one decides, and one that is always safe.

use std::sync::Arc;

use crate::canonical::Decision;
use crate::json::{Kind, Malformed, OwnedJson, Reader, Writer};
use crate::kit::envelope::{RequestId, RpcError};
use crate::providers::codex::wire::app_server_request::{
    ClientAnswer, PermissionGrantScope, PermissionsRequestApprovalResponse,
};
use crate::providers::codex::wire::{
    CommandExecutionApprovalDecision, NetworkPolicyAmendment, NetworkPolicyRuleAction,
    ReviewDecision, values,
};

use super::requests::Answer;
use super::secrets::without_secrets;

/// The requests for which the agent never sends `serverRequest/resolved`, as recorded: the
/// client's answer is the only sign that they are resolved. Sorted.
pub(super) const RESOLVED_BY_ANSWER: &[&str] = &[
    "account/chatgptAuthTokens/refresh",
    "applyPatchApproval",
    "attestation/generate",
    "execCommandApproval",
    "item/tool/call",
];

/// The requests that ask a person for input, and the member of the result that holds what was
/// entered.
pub(super) const USER_INPUT: &[(&str, &str)] = &[
    ("item/tool/requestUserInput", "answers"),
    ("mcpServer/elicitation/request", "content"),
];

/// The result that declines each request which can be declined by a result. Sorted by method.
///
/// Each is valid in every vendored version that has the request. That is why the two older
/// approvals are aborted: how `denied` is spelled depends on the version. For
/// `account/chatgptAuthTokens/refresh` and `attestation/generate` no result declines, and a
/// made-up token would be worse than an error.
const DECLINED: &[(&str, &str)] = &[
    ("applyPatchApproval", r#"{"decision":"abort"}"#),
    ("execCommandApproval", r#"{"decision":"abort"}"#),
    (
        "item/commandExecution/requestApproval",
        r#"{"decision":"decline"}"#,
    ),
    (
        "item/fileChange/requestApproval",
        r#"{"decision":"decline"}"#,
    ),
    ("item/permissions/requestApproval", r#"{"permissions":{}}"#),
    ("item/tool/call", r#"{"contentItems":[],"success":false}"#),
    ("item/tool/requestUserInput", r#"{"answers":{}}"#),
    ("mcpServer/elicitation/request", r#"{"action":"decline"}"#),
];

/// The JSON-RPC code of a method that the receiver does not have.
const METHOD_NOT_FOUND: i64 = -32601;

/// An answer to a request of the agent that a host does not know or does not want to treat: the
/// JSON text to send back, to be followed by a line feed. It grants nothing.
///
/// A request that can be declined is declined. Any other, of whatever method, gets a JSON-RPC
/// error that says that the method is not there. The agent goes on in both cases, while a request
/// without an answer keeps its turn waiting. The id goes back in the form in which it came.
#[must_use]
pub fn default_answer(method: &str, id: &RequestId) -> String {
    let mut writer = Writer::new();
    let mut object = writer.object();
    object.field("id", id);
    match DECLINED.iter().find(|(known, _)| *known == method) {
        Some((_, result)) => {
            let result = OwnedJson::from_text(Arc::from(*result), 0..result.len());
            object.field("result", &result);
        }
        None => {
            let message = format!("this client does not answer `{method}`").into();
            object.field(
                "error",
                &RpcError {
                    code: METHOD_NOT_FOUND,
                    message,
                    data: None,
                },
            );
        }
    }
    object.end();
    writer.finish()
}

/// What the client's result says, with the result as it was sent.
pub(super) fn answer(answer: &ClientAnswer<'_>, raw: OwnedJson) -> Answer {
    let decision = match answer {
        ClientAnswer::ApplyPatchApproval(result) => review_decision(&result.decision),
        ClientAnswer::ExecCommandApproval(result) => review_decision(&result.decision),
        ClientAnswer::ItemCommandExecutionRequestApproval(result) => {
            command_decision(&result.decision)
        }
        ClientAnswer::ItemFileChangeRequestApproval(result) => {
            values::file_change_decision(&result.decision)
        }
        ClientAnswer::ItemPermissionsRequestApproval(result) => permissions_decision(result, &raw),
        ClientAnswer::McpServerElicitationRequest(result) => {
            values::mcp_elicitation_action(&result.action)
        }
        ClientAnswer::AccountChatgptAuthTokensRefresh(_) | ClientAnswer::AttestationGenerate(_) => {
            return Answer {
                decision: None,
                resolution: Some(without_secrets(raw)),
            };
        }
        // These are answers to questions, and no decisions.
        ClientAnswer::ItemToolCall(_)
        | ClientAnswer::ItemToolRequestUserInput(_)
        | ClientAnswer::Unrecognized(_) => None,
    };
    Answer {
        decision: decision.map(String::from),
        resolution: Some(without_secrets(raw)),
    }
}

fn command_decision(decision: &CommandExecutionApprovalDecision<'_>) -> Option<Decision> {
    if let CommandExecutionApprovalDecision::ApplyNetworkPolicyAmendment(amendment) = decision {
        return amended(
            &amendment.network_policy_amendment,
            values::command_decision(decision),
        );
    }
    values::command_decision(decision)
}

fn review_decision(decision: &ReviewDecision<'_>) -> Option<Decision> {
    if let ReviewDecision::NetworkPolicyAmendment(amendment) = decision {
        return amended(
            &amendment.network_policy_amendment,
            values::review_decision(decision),
        );
    }
    values::review_decision(decision)
}

/// An amendment of the network rules is a yes only where it allows: one that denies blocks the
/// host from now on, and one that can't be read decides nothing that we could name.
fn amended(amendment: &NetworkPolicyAmendment<'_>, allowed: Option<Decision>) -> Option<Decision> {
    match amendment.action {
        NetworkPolicyRuleAction::Allow => allowed,
        NetworkPolicyRuleAction::Deny => Some(Decision::Decline),
        NetworkPolicyRuleAction::Unrecognized(_) => None,
    }
}

fn permissions_decision(
    result: &PermissionsRequestApprovalResponse<'_>,
    raw: &OwnedJson,
) -> Option<Decision> {
    if !grants_anything(raw) {
        return Some(Decision::Decline);
    }
    match &result.scope {
        None | Some(PermissionGrantScope::Turn) => Some(Decision::Accept),
        Some(PermissionGrantScope::Session) => Some(Decision::AcceptForSession),
        Some(PermissionGrantScope::Unrecognized(_)) => None,
    }
}

/// Whether the granted permissions hold more than empty values. The text is asked and not the
/// type, so that a permission which no version knows is not taken for none. What can't be walked
/// to its end counts as a grant.
fn grants_anything(raw: &OwnedJson) -> bool {
    let permissions = |reader: &mut Reader<'_>| {
        let mut granted = false;
        let mut object = reader.object()?;
        while let Some(name) = reader.key(&mut object)? {
            if name == "permissions" {
                granted = holds_something(reader)?;
            } else {
                reader.skip()?;
            }
        }
        Ok::<_, Malformed>(granted)
    };
    permissions(&mut raw.reader()).unwrap_or(true)
}

/// Consumes a value; the reader bounds how deep objects may nest.
fn holds_something(reader: &mut Reader<'_>) -> Result<bool, Malformed> {
    Ok(match reader.kind()? {
        Kind::Null => {
            reader.skip()?;
            false
        }
        Kind::Boolean => reader.boolean()?,
        Kind::Number => {
            reader.skip()?;
            true
        }
        Kind::String => !reader.string()?.is_empty(),
        Kind::Array => {
            let mut array = reader.array()?;
            let mut any = false;
            while reader.element(&mut array)? {
                reader.skip()?;
                any = true;
            }
            any
        }
        Kind::Object => {
            let mut object = reader.object()?;
            let mut any = false;
            while reader.key(&mut object)?.is_some() {
                any |= holds_something(reader)?;
            }
            any
        }
    })
}

#[cfg(test)]
#[path = "answers_tests.rs"]
mod tests;
