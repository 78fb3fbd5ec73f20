//! Payloads about the provider itself: tasks, hooks, tools, accounts, notices and errors.

use serde::{Deserialize, Serialize};

use super::form::{number, opaque};
use super::ids::RuntimeTaskId;
use super::state::{ErrorClass, HookOutcome, TaskStatus};
use crate::json::OwnedJson;

/// A background task began.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct TaskStarted {
    /// The task.
    pub task_id: RuntimeTaskId,
    /// What it is for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The provider's own word for its kind.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub task_type: Option<String>,
}

/// A background task went on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct TaskProgress {
    /// The task.
    pub task_id: RuntimeTaskId,
    /// What it is doing.
    pub description: String,
    /// The provider's own figures of use.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        deserialize_with = "opaque"
    )]
    pub usage: Option<OwnedJson>,
    /// The tool that it used last.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_tool_name: Option<String>,
}

/// A background task ended; its status says how.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct TaskCompleted {
    /// The task.
    pub task_id: RuntimeTaskId,
    /// How it ended.
    pub status: TaskStatus,
    /// What came of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub summary: Option<String>,
    /// The provider's own figures of use.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        deserialize_with = "opaque"
    )]
    pub usage: Option<OwnedJson>,
}

/// A hook began.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct HookStarted {
    /// The run of the hook.
    pub hook_id: String,
    /// The name of the hook.
    pub hook_name: String,
    /// What set it off.
    pub hook_event: String,
}

/// A hook printed something.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct HookProgress {
    /// The run of the hook.
    pub hook_id: String,
    /// Both outputs together.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output: Option<String>,
    /// The standard output.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stdout: Option<String>,
    /// The standard error.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stderr: Option<String>,
}

/// A hook ended; its outcome says how.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct HookCompleted {
    /// The run of the hook.
    pub hook_id: String,
    /// How it ended.
    pub outcome: HookOutcome,
    /// Both outputs together.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output: Option<String>,
    /// The standard output.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stdout: Option<String>,
    /// The standard error.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stderr: Option<String>,
    /// The exit code of its process.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exit_code: Option<i64>,
}

/// A running tool gave a sign of life.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ToolProgress {
    /// The provider's own id of the call.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool_use_id: Option<String>,
    /// The tool.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool_name: Option<String>,
    /// What it is doing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub summary: Option<String>,
    /// How long it has been running.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "number")]
    pub elapsed_seconds: Option<f64>,
}

/// What some tool calls did, in short.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ToolSummary {
    /// The summary.
    pub summary: String,
    /// The calls that it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub preceding_tool_use_ids: Option<Vec<String>>,
}

/// A sign-in went on or ended.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct AuthStatus {
    /// Whether it is still going on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub is_authenticating: Option<bool>,
    /// What it printed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output: Option<Vec<String>>,
    /// What went wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// Something about the account changed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct AccountUpdated {
    /// The provider's own account.
    pub account: OwnedJson,
}

/// The limits of use changed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct AccountRateLimitsUpdated {
    /// The provider's own limits.
    pub rate_limits: OwnedJson,
}

/// The state of an MCP server changed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct McpStatusUpdated {
    /// The provider's own status.
    pub status: OwnedJson,
}

/// A sign-in at an MCP server ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct McpOauthCompleted {
    /// Whether it worked.
    pub success: bool,
    /// The server.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// What went wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// Another model answers than the one that was asked for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ModelRerouted {
    /// The one that was asked for.
    pub from_model: String,
    /// The one that answers.
    pub to_model: String,
    /// Why.
    pub reason: String,
}

/// Something is wrong with the configuration.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ConfigWarning {
    /// What, in one sentence.
    pub summary: String,
    /// The rest.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub details: Option<String>,
    /// The file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// The place in the file.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        deserialize_with = "opaque"
    )]
    pub range: Option<OwnedJson>,
}

/// Something in use will go away.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct DeprecationNotice {
    /// What, in one sentence.
    pub summary: String,
    /// The rest.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub details: Option<String>,
}

/// A file that was stored.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct PersistedFile {
    /// Its name.
    pub filename: String,
    /// The id that it was stored under.
    pub file_id: String,
}

/// A file that could not be stored.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct PersistFailure {
    /// Its name.
    pub filename: String,
    /// What went wrong.
    pub error: String,
}

/// Files were stored.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct FilesPersisted {
    /// The ones that were.
    pub files: Vec<PersistedFile>,
    /// The ones that could not be.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failed: Option<Vec<PersistFailure>>,
}

/// Something that the user or an operator should know, and that stops nothing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct RuntimeWarning {
    /// The text.
    pub message: String,
    /// Whatever belongs to it.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        deserialize_with = "opaque"
    )]
    pub detail: Option<OwnedJson>,
}

/// Something failed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct RuntimeError {
    /// What.
    pub message: String,
    /// What kind of failure it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub class: Option<ErrorClass>,
    /// Whatever belongs to it.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        deserialize_with = "opaque"
    )]
    pub detail: Option<OwnedJson>,
}

impl RuntimeWarning {
    /// A warning that is no more than its text.
    pub fn new(message: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            detail: None,
        }
    }
}

impl RuntimeError {
    /// An error of a class, with no detail.
    pub fn new(message: impl Into<String>, class: ErrorClass) -> Self {
        Self {
            message: message.into(),
            class: Some(class),
            detail: None,
        }
    }
}
