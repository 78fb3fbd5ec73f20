//! The canonical event model: what every provider's stream is turned into.
//!
//! The serde form of each type here is the form that the model's TypeScript declaration gives it:
//! camelCase members, an absent option is left out, and `null` stands only where the declaration
//! says so. Members that a reader does not know are ignored.

#[cfg(feature = "schema")]
mod described;
mod form;
pub(crate) mod names;
pub(crate) mod wire_enum;

pub mod event;
pub mod ids;
pub mod item;
pub mod payload;
pub mod raw;
pub mod request;
pub mod state;
pub mod telemetry;
pub mod time;

#[cfg(test)]
mod tests;

pub use event::{CanonicalEvent, EventPayload, EventType, ProviderRefs, RuntimeEvent};
pub use ids::{
    EventId, ProviderItemId, ProviderSessionId, ProviderThreadId, ProviderTurnId, RuntimeItemId,
    RuntimeRequestId, RuntimeSessionId, RuntimeTaskId, ThreadId, TrimmedNonEmptyString, TurnId,
};
pub use item::{ContentDelta, ItemCompleted, ItemLifecycle, ItemStarted, ItemType, ItemUpdated};
pub use payload::{
    PlanStep, SessionConfigured, SessionExited, SessionStarted, SessionStateChanged,
    ThreadMetadataUpdated, ThreadRealtimeAudioDelta, ThreadRealtimeClosed, ThreadRealtimeError,
    ThreadRealtimeItemAdded, ThreadRealtimeStarted, ThreadStarted, ThreadStateChanged,
    ThreadTokenUsageUpdated, TurnAborted, TurnCompleted, TurnDiffUpdated, TurnPlanUpdated,
    TurnStarted,
};
pub use raw::{ProviderKind, RawSource, RuntimeEventRaw};
pub use request::{
    Decision, RequestOpened, RequestResolved, RequestType, UserInputRequested, UserInputResolved,
};
pub use state::{
    ContentStreamKind, ErrorClass, ExitKind, HookOutcome, ItemStatus, PlanStepStatus, SessionState,
    TaskStatus, ThreadState, TurnState,
};
pub use telemetry::{
    AccountRateLimitsUpdated, AccountUpdated, AuthStatus, ConfigWarning, DeprecationNotice,
    FilesPersisted, HookCompleted, HookProgress, HookStarted, McpOauthCompleted, McpStatusUpdated,
    ModelRerouted, PersistFailure, PersistedFile, RuntimeError, RuntimeWarning, TaskCompleted,
    TaskProgress, TaskStarted, ToolProgress, ToolSummary,
};
pub use time::IsoDateTime;
