//! Payloads of the session, thread and turn families.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::form::{nullable, number, opaque};
use super::ids::ProviderThreadId;
use super::state::{ExitKind, PlanStepStatus, SessionState, ThreadState, TurnState};
use crate::json::OwnedJson;

/// A session began.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct SessionStarted {
    /// A text for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// What the session continues, as the provider tells it.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        deserialize_with = "opaque"
    )]
    pub resume: Option<OwnedJson>,
}

/// What a session can do or how it is set up became known.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct SessionConfigured {
    /// The settings and capabilities by name.
    pub config: BTreeMap<String, OwnedJson>,
}

/// A session is in another state.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct SessionStateChanged {
    /// The state.
    pub state: SessionState,
    /// Why it changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// A text for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
}

/// A session ended.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct SessionExited {
    /// Why it ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Whether the session can be taken up again.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub recoverable: Option<bool>,
    /// How it ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exit_kind: Option<ExitKind>,
}

/// A thread began, or became known.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ThreadStarted {
    /// The provider's own id of the thread.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub provider_thread_id: Option<ProviderThreadId>,
}

/// A thread is in another state.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ThreadStateChanged {
    /// The state.
    pub state: ThreadState,
    /// The provider's own status.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        deserialize_with = "opaque"
    )]
    pub detail: Option<OwnedJson>,
}

/// Something that is known about a thread changed.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ThreadMetadataUpdated {
    /// The name of the thread.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Everything else, by name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub metadata: Option<BTreeMap<String, OwnedJson>>,
}

/// The count of used tokens changed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ThreadTokenUsageUpdated {
    /// The provider's own figures.
    pub usage: OwnedJson,
}

/// A realtime session began in a thread.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ThreadRealtimeStarted {
    /// The id of the realtime session.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub realtime_session_id: Option<String>,
}

/// A realtime session got an item.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ThreadRealtimeItemAdded {
    /// The provider's own item.
    pub item: OwnedJson,
}

/// A realtime session sent a piece of audio.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ThreadRealtimeAudioDelta {
    /// The piece, with what is needed to play it.
    pub audio: OwnedJson,
}

/// A realtime session failed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ThreadRealtimeError {
    /// What went wrong.
    pub message: String,
}

/// A realtime session ended.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ThreadRealtimeClosed {
    /// Why it ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// A turn began.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct TurnStarted {
    /// The model that answers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// How hard the model is told to think.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub effort: Option<String>,
}

/// A turn ended; its state says how.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct TurnCompleted {
    /// How it ended.
    pub state: TurnState,
    /// Why the model stopped; `null` where the provider says that there is no reason.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        deserialize_with = "nullable"
    )]
    #[cfg_attr(feature = "schema", schemars(extend("x-nullable" = true)))]
    pub stop_reason: Option<Option<String>>,
    /// The provider's own figures of use.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        deserialize_with = "opaque"
    )]
    pub usage: Option<OwnedJson>,
    /// The figures of use by model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model_usage: Option<BTreeMap<String, OwnedJson>>,
    /// What it cost, in US dollars.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "number")]
    pub total_cost_usd: Option<f64>,
    /// What went wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error_message: Option<String>,
}

/// A turn was broken off.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct TurnAborted {
    /// Why.
    pub reason: String,
}

/// One step of a plan.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct PlanStep {
    /// What is to be done.
    pub step: String,
    /// How far it is.
    pub status: PlanStepStatus,
}

/// The plan of a turn changed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct TurnPlanUpdated {
    /// Why the plan changed; `null` where the provider says that there is no explanation.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        deserialize_with = "nullable"
    )]
    #[cfg_attr(feature = "schema", schemars(extend("x-nullable" = true)))]
    pub explanation: Option<Option<String>>,
    /// The whole plan.
    pub plan: Vec<PlanStep>,
}

/// The combined change of a turn's files changed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct TurnDiffUpdated {
    /// The change as a unified diff.
    pub unified_diff: String,
}

impl TurnCompleted {
    /// A payload that says no more than how the turn ended.
    #[must_use]
    pub const fn new(state: TurnState) -> Self {
        Self {
            state,
            stop_reason: None,
            usage: None,
            model_usage: None,
            total_cost_usd: None,
            error_message: None,
        }
    }
}

impl ThreadStateChanged {
    /// A payload that says no more than the state.
    #[must_use]
    pub const fn new(state: ThreadState) -> Self {
        Self {
            state,
            detail: None,
        }
    }
}
