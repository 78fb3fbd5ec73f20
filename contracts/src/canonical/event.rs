//! The canonical event: its envelope and the union of its payloads.

use serde::{Deserialize, Deserializer, Serialize, de};
use serde_json::value::RawValue;

use super::ids::*;
use super::item::*;
use super::payload::*;
use super::raw::{ProviderKind, RuntimeEventRaw};
use super::request::*;
use super::telemetry::*;
use super::time::IsoDateTime;
use super::wire_enum::wire_enum;

/// One canonical event.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", schemars(rename = "ProviderRuntimeEventV2"))]
pub struct RuntimeEvent {
    /// The id of this event.
    pub event_id: EventId,
    /// The agent program that it comes from.
    pub provider: ProviderKind,
    /// The session that it belongs to.
    pub session_id: RuntimeSessionId,
    /// When it was made.
    pub created_at: IsoDateTime,
    /// The thread, where it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub thread_id: Option<ThreadId>,
    /// The turn, where it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub turn_id: Option<TurnId>,
    /// The item, where it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub item_id: Option<RuntimeItemId>,
    /// The request, where it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub request_id: Option<RuntimeRequestId>,
    /// The provider's own ids.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub provider_refs: Option<ProviderRefs>,
    /// What happened: the members `type` and `payload` on the wire.
    #[serde(flatten)]
    pub payload: EventPayload,
    /// The message that caused the event.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub raw: Option<RuntimeEventRaw>,
}

impl RuntimeEvent {
    /// The type of the event.
    #[must_use]
    pub const fn event_type(&self) -> EventType {
        self.payload.event_type()
    }

    /// The event as one line of JSON.
    ///
    /// # Errors
    /// Only where an opaque value was built from text that is not JSON.
    pub fn to_json(&self) -> serde_json::Result<String> {
        serde_json::to_string(self).map(one_line)
    }
}

/// A text of JSON without line breaks. Where it has one, a message that was sent in several lines
/// stands in it, and there a line break is only a blank between two tokens.
pub(crate) fn one_line(json: String) -> String {
    match json.contains(['\n', '\r']) {
        true => json.replace(['\n', '\r'], " "),
        false => json,
    }
}

/// The provider's own ids of what an event is about.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ProviderRefs {
    /// The session.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub provider_session_id: Option<ProviderSessionId>,
    /// The thread.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub provider_thread_id: Option<ProviderThreadId>,
    /// The turn.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub provider_turn_id: Option<ProviderTurnId>,
    /// The item.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub provider_item_id: Option<ProviderItemId>,
    /// The request.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub provider_request_id: Option<TrimmedNonEmptyString>,
}

/// A payload type that belongs to exactly one type of event.
pub trait CanonicalEvent: Into<EventPayload> {
    /// The type of the event, as the wire has it.
    const TYPE: &'static str;
}

/// The payload of an event; which one it is decides the event's type.
///
/// Events that the model's source does not have stand after the marker at the end, each with the
/// reason in a doc line that starts with `Extension: `.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "type", content = "payload")]
pub enum EventPayload {
    /// A session began.
    #[serde(rename = "session.started")]
    SessionStarted(SessionStarted),
    /// What a session can do or how it is set up became known.
    #[serde(rename = "session.configured")]
    SessionConfigured(SessionConfigured),
    /// A session is in another state.
    #[serde(rename = "session.state.changed")]
    SessionStateChanged(SessionStateChanged),
    /// A session ended.
    #[serde(rename = "session.exited")]
    SessionExited(SessionExited),
    /// A thread began, or became known.
    #[serde(rename = "thread.started")]
    ThreadStarted(ThreadStarted),
    /// A thread is in another state.
    #[serde(rename = "thread.state.changed")]
    ThreadStateChanged(ThreadStateChanged),
    /// Something that is known about a thread changed.
    #[serde(rename = "thread.metadata.updated")]
    ThreadMetadataUpdated(ThreadMetadataUpdated),
    /// The count of used tokens changed.
    #[serde(rename = "thread.token-usage.updated")]
    ThreadTokenUsageUpdated(ThreadTokenUsageUpdated),
    /// A realtime session began in a thread.
    #[serde(rename = "thread.realtime.started")]
    ThreadRealtimeStarted(ThreadRealtimeStarted),
    /// A realtime session got an item.
    #[serde(rename = "thread.realtime.item-added")]
    ThreadRealtimeItemAdded(ThreadRealtimeItemAdded),
    /// A realtime session sent a piece of audio.
    #[serde(rename = "thread.realtime.audio.delta")]
    ThreadRealtimeAudioDelta(ThreadRealtimeAudioDelta),
    /// A realtime session failed.
    #[serde(rename = "thread.realtime.error")]
    ThreadRealtimeError(ThreadRealtimeError),
    /// A realtime session ended.
    #[serde(rename = "thread.realtime.closed")]
    ThreadRealtimeClosed(ThreadRealtimeClosed),
    /// A turn began.
    #[serde(rename = "turn.started")]
    TurnStarted(TurnStarted),
    /// A turn ended; its state says how.
    #[serde(rename = "turn.completed")]
    TurnCompleted(TurnCompleted),
    /// A turn was broken off.
    #[serde(rename = "turn.aborted")]
    TurnAborted(TurnAborted),
    /// The plan of a turn changed.
    #[serde(rename = "turn.plan.updated")]
    TurnPlanUpdated(TurnPlanUpdated),
    /// The combined change of a turn's files changed.
    #[serde(rename = "turn.diff.updated")]
    TurnDiffUpdated(TurnDiffUpdated),
    /// An item began.
    #[serde(rename = "item.started")]
    ItemStarted(ItemStarted),
    /// Something about an item changed.
    #[serde(rename = "item.updated")]
    ItemUpdated(ItemUpdated),
    /// An item ended; its status says how.
    #[serde(rename = "item.completed")]
    ItemCompleted(ItemCompleted),
    /// A piece of streamed content.
    #[serde(rename = "content.delta")]
    ContentDelta(ContentDelta),
    /// A request waits for an answer.
    #[serde(rename = "request.opened")]
    RequestOpened(RequestOpened),
    /// A request has been answered, or needs no answer any more.
    #[serde(rename = "request.resolved")]
    RequestResolved(RequestResolved),
    /// The user is asked questions.
    #[serde(rename = "user-input.requested")]
    UserInputRequested(UserInputRequested),
    /// The user has answered questions.
    #[serde(rename = "user-input.resolved")]
    UserInputResolved(UserInputResolved),
    /// A background task began.
    #[serde(rename = "task.started")]
    TaskStarted(TaskStarted),
    /// A background task went on.
    #[serde(rename = "task.progress")]
    TaskProgress(TaskProgress),
    /// A background task ended; its status says how.
    #[serde(rename = "task.completed")]
    TaskCompleted(TaskCompleted),
    /// A hook began.
    #[serde(rename = "hook.started")]
    HookStarted(HookStarted),
    /// A hook printed something.
    #[serde(rename = "hook.progress")]
    HookProgress(HookProgress),
    /// A hook ended; its outcome says how.
    #[serde(rename = "hook.completed")]
    HookCompleted(HookCompleted),
    /// A running tool gave a sign of life.
    #[serde(rename = "tool.progress")]
    ToolProgress(ToolProgress),
    /// What some tool calls did, in short.
    #[serde(rename = "tool.summary")]
    ToolSummary(ToolSummary),
    /// A sign-in went on or ended.
    #[serde(rename = "auth.status")]
    AuthStatus(AuthStatus),
    /// Something about the account changed.
    #[serde(rename = "account.updated")]
    AccountUpdated(AccountUpdated),
    /// The limits of use changed.
    #[serde(rename = "account.rate-limits.updated")]
    AccountRateLimitsUpdated(AccountRateLimitsUpdated),
    /// The state of an MCP server changed.
    #[serde(rename = "mcp.status.updated")]
    McpStatusUpdated(McpStatusUpdated),
    /// A sign-in at an MCP server ended.
    #[serde(rename = "mcp.oauth.completed")]
    McpOauthCompleted(McpOauthCompleted),
    /// Another model answers than the one that was asked for.
    #[serde(rename = "model.rerouted")]
    ModelRerouted(ModelRerouted),
    /// Something is wrong with the configuration.
    #[serde(rename = "config.warning")]
    ConfigWarning(ConfigWarning),
    /// Something in use will go away.
    #[serde(rename = "deprecation.notice")]
    DeprecationNotice(DeprecationNotice),
    /// Files were stored.
    #[serde(rename = "files.persisted")]
    FilesPersisted(FilesPersisted),
    /// Something that the user or an operator should know, and that stops nothing.
    #[serde(rename = "runtime.warning")]
    RuntimeWarning(RuntimeWarning),
    /// Something failed.
    #[serde(rename = "runtime.error")]
    RuntimeError(RuntimeError),
    // Extension events
}

macro_rules! events {
    ($( $variant:ident = $wire:literal $(extension $reason:literal)?, )+) => {
        wire_enum! {
            /// The type of a canonical event.
            pub enum EventType {
                $(
                    #[doc = concat!("`", $wire, "`")]
                    $variant = $wire $(extension $reason)?,
                )+
            }
        }

        impl EventPayload {
            /// The type of the event that carries this payload.
            #[must_use]
            pub const fn event_type(&self) -> EventType {
                match self {
                    $(Self::$variant(_) => EventType::$variant,)+
                }
            }

            fn read(event_type: EventType, payload: &RawValue) -> serde_json::Result<Self> {
                match event_type {
                    $(EventType::$variant => {
                        serde_json::from_str(payload.get()).map(Self::$variant)
                    })+
                }
            }
        }

        $(
            impl CanonicalEvent for $variant {
                const TYPE: &'static str = $wire;
            }

            impl From<$variant> for EventPayload {
                fn from(payload: $variant) -> Self {
                    Self::$variant(payload)
                }
            }
        )+
    };
}

events! {
    SessionStarted = "session.started",
    SessionConfigured = "session.configured",
    SessionStateChanged = "session.state.changed",
    SessionExited = "session.exited",
    ThreadStarted = "thread.started",
    ThreadStateChanged = "thread.state.changed",
    ThreadMetadataUpdated = "thread.metadata.updated",
    ThreadTokenUsageUpdated = "thread.token-usage.updated",
    ThreadRealtimeStarted = "thread.realtime.started",
    ThreadRealtimeItemAdded = "thread.realtime.item-added",
    ThreadRealtimeAudioDelta = "thread.realtime.audio.delta",
    ThreadRealtimeError = "thread.realtime.error",
    ThreadRealtimeClosed = "thread.realtime.closed",
    TurnStarted = "turn.started",
    TurnCompleted = "turn.completed",
    TurnAborted = "turn.aborted",
    TurnPlanUpdated = "turn.plan.updated",
    TurnDiffUpdated = "turn.diff.updated",
    ItemStarted = "item.started",
    ItemUpdated = "item.updated",
    ItemCompleted = "item.completed",
    ContentDelta = "content.delta",
    RequestOpened = "request.opened",
    RequestResolved = "request.resolved",
    UserInputRequested = "user-input.requested",
    UserInputResolved = "user-input.resolved",
    TaskStarted = "task.started",
    TaskProgress = "task.progress",
    TaskCompleted = "task.completed",
    HookStarted = "hook.started",
    HookProgress = "hook.progress",
    HookCompleted = "hook.completed",
    ToolProgress = "tool.progress",
    ToolSummary = "tool.summary",
    AuthStatus = "auth.status",
    AccountUpdated = "account.updated",
    AccountRateLimitsUpdated = "account.rate-limits.updated",
    McpStatusUpdated = "mcp.status.updated",
    McpOauthCompleted = "mcp.oauth.completed",
    ModelRerouted = "model.rerouted",
    ConfigWarning = "config.warning",
    DeprecationNotice = "deprecation.notice",
    FilesPersisted = "files.persisted",
    RuntimeWarning = "runtime.warning",
    RuntimeError = "runtime.error",
}

impl<'de> Deserialize<'de> for RuntimeEvent {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let parts = EventParts::deserialize(deserializer)?;
        Ok(Self {
            event_id: parts.event_id,
            provider: parts.provider,
            session_id: parts.session_id,
            created_at: parts.created_at,
            thread_id: parts.thread_id,
            turn_id: parts.turn_id,
            item_id: parts.item_id,
            request_id: parts.request_id,
            provider_refs: parts.provider_refs,
            payload: EventPayload::read(parts.event_type, &parts.payload)
                .map_err(de::Error::custom)?,
            raw: parts.raw,
        })
    }
}

impl<'de> Deserialize<'de> for EventPayload {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let parts = PayloadParts::deserialize(deserializer)?;
        Self::read(parts.event_type, &parts.payload).map_err(de::Error::custom)
    }
}

/// The event with its payload still unread.
///
/// The type may come after the payload, and serde's own buffering would lose the text of the
/// opaque values in it.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct EventParts {
    event_id: EventId,
    provider: ProviderKind,
    session_id: RuntimeSessionId,
    created_at: IsoDateTime,
    thread_id: Option<ThreadId>,
    turn_id: Option<TurnId>,
    item_id: Option<RuntimeItemId>,
    request_id: Option<RuntimeRequestId>,
    provider_refs: Option<ProviderRefs>,
    #[serde(rename = "type")]
    event_type: EventType,
    payload: Box<RawValue>,
    raw: Option<RuntimeEventRaw>,
}

/// The same without an envelope.
#[derive(Deserialize)]
struct PayloadParts {
    #[serde(rename = "type")]
    event_type: EventType,
    payload: Box<RawValue>,
}
