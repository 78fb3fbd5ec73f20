//! Requests that wait for the user: approvals, input, and calls that the client answers.

use serde::{Deserialize, Serialize};

use super::form::opaque;
use super::wire_enum::wire_enum;
use crate::json::OwnedJson;

wire_enum! {
    /// What a request asks for.
    #[cfg_attr(feature = "schema", schemars(rename = "CanonicalRequestType"))]
    pub enum RequestType {
        /// Approval of a command.
        CommandExecutionApproval = "command_execution_approval",
        /// Approval of a change of files.
        FileChangeApproval = "file_change_approval",
        /// Approval of a patch, by the older way of asking.
        ApplyPatchApproval = "apply_patch_approval",
        /// Approval of a command, by the older way of asking.
        ExecCommandApproval = "exec_command_approval",
        /// Answers to questions of a tool.
        ToolUserInput = "tool_user_input",
        /// The result of a tool that the client runs.
        DynamicToolCall = "dynamic_tool_call",
        /// Fresh tokens for the account.
        AuthTokensRefresh = "auth_tokens_refresh",
        /// Nothing that the model names.
        Unknown = "unknown",
        /// Approval of reading a file.
        FileReadApproval = "file_read_approval"
            extension "reading is neither a command nor a change, and a user judges it differently",
        /// Approval of wider permissions for the turn or the session.
        PermissionsApproval = "permissions_approval"
            extension "the answer grants a set of permissions instead of one action",
        /// A form or a link that an MCP server wants the user to act on.
        McpElicitation = "mcp_elicitation"
            extension "the question has the shape of a server's own schema, not of a tool's questions",
        /// A proof from the client about its device.
        Attestation = "attestation"
            extension "the client answers it without the user, and no other type says so",
    }
}

wire_enum! {
    /// The words that mappings use for `decision`; a decision that has no word here is kept as sent.
    pub enum Decision {
        /// Yes, this once.
        Accept = "accept",
        /// Yes, and do not ask again in this session.
        AcceptForSession = "acceptForSession",
        /// Yes, and with the change to the rules that was proposed or made.
        AcceptWithAmendment = "acceptWithAmendment",
        /// No; the turn goes on.
        Decline = "decline",
        /// No, and the turn ends.
        Cancel = "cancel",
        /// Nobody answered in time.
        TimedOut = "timedOut",
    }
}

impl From<Decision> for String {
    fn from(decision: Decision) -> Self {
        decision.as_str().to_owned()
    }
}

/// A request waits for an answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct RequestOpened {
    /// What it asks for.
    pub request_type: RequestType,
    /// A text for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
    /// The provider's own arguments.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        deserialize_with = "opaque"
    )]
    pub args: Option<OwnedJson>,
}

/// A request has been answered, or needs no answer any more.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct RequestResolved {
    /// What it asked for.
    pub request_type: RequestType,
    /// What was decided: a word of [`Decision`], or the provider's own word.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decision: Option<String>,
    /// The whole answer.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        deserialize_with = "opaque"
    )]
    pub resolution: Option<OwnedJson>,
}

/// The user is asked questions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct UserInputRequested {
    /// The provider's own questions.
    pub questions: OwnedJson,
}

/// The user has answered questions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct UserInputResolved {
    /// The answers in the provider's form.
    pub answers: OwnedJson,
}
