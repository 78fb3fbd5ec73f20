//! The events of a universal transcript, in the JSON form of its schema.

use std::sync::Arc;

use serde::Serialize;

use super::item::Item;
use crate::canonical::IsoDateTime;
use crate::canonical::wire_enum::wire_enum;
use crate::json::OwnedJson;
use crate::projection::form::{shared, shared_or_null};

wire_enum! {
    /// The type of a universal event.
    pub enum UniversalEventType {
        /// A session began.
        SessionStarted = "session.started",
        /// A session ended.
        SessionEnded = "session.ended",
        /// An item began.
        ItemStarted = "item.started",
        /// A piece of an item's text.
        ItemDelta = "item.delta",
        /// An item ended; its status says how.
        ItemCompleted = "item.completed",
        /// The agent asks for leave.
        PermissionRequested = "permission.requested",
        /// The agent got leave, or did not.
        PermissionResolved = "permission.resolved",
        /// The agent asks a question.
        QuestionRequested = "question.requested",
        /// A question was answered, or will not be.
        QuestionResolved = "question.resolved",
        /// Something failed.
        Error = "error",
    }
}

wire_enum! {
    /// Where an event comes from: its origin.
    pub enum EventSource {
        /// The agent said it.
        Agent = "agent",
        /// It was made here, since the agent says no such thing.
        Daemon = "daemon",
    }
}

/// One event of a universal transcript.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct UniversalEvent {
    /// The id of this event: that of the canonical event, with a number behind it where that one
    /// became several.
    #[serde(serialize_with = "shared")]
    pub event_id: Arc<str>,
    /// Counts the events of the session from one, without gaps.
    pub sequence: u64,
    /// When the canonical event was made.
    pub time: IsoDateTime,
    /// The session, by an id that only the host gives.
    #[serde(serialize_with = "shared")]
    pub session_id: Arc<str>,
    /// The provider's own id of the session, thread or run.
    #[serde(serialize_with = "shared_or_null")]
    pub native_session_id: Option<Arc<str>>,
    /// Where it comes from.
    pub source: EventSource,
    /// Whether it fills a gap that the agent leaves: `source` is `daemon`.
    pub synthetic: bool,
    /// What happened: the members `type` and `data`.
    #[serde(flatten)]
    pub data: UniversalData,
    /// The provider's message that caused it, untouched.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub raw: Option<OwnedJson>,
}

impl UniversalEvent {
    /// The type of the event.
    #[must_use]
    pub const fn event_type(&self) -> UniversalEventType {
        self.data.event_type()
    }

    /// The event as one line of JSON.
    ///
    /// # Errors
    /// Only where an opaque value was built from text that is not JSON.
    pub fn to_json(&self) -> serde_json::Result<String> {
        serde_json::to_string(self).map(crate::canonical::event::one_line)
    }
}

macro_rules! data {
    ($($name:ident = $wire:literal,)+) => {
        /// The data of an event; which one it is decides the event's type.
        #[derive(Clone, Debug, PartialEq, Serialize)]
        #[serde(tag = "type", content = "data")]
        pub enum UniversalData {
            $(
                #[doc = concat!("`", $wire, "`")]
                #[serde(rename = $wire)]
                $name($name),
            )+
        }

        impl UniversalData {
            /// The type of the event that carries this.
            #[must_use]
            pub const fn event_type(&self) -> UniversalEventType {
                match self {
                    $(Self::$name(_) => UniversalEventType::$name,)+
                }
            }
        }

        $(
            impl From<$name> for UniversalData {
                fn from(data: $name) -> Self {
                    Self::$name(data)
                }
            }

            impl From<$name> for Draft {
                fn from(data: $name) -> Self {
                    Self { data: data.into(), synthetic: false }
                }
            }
        )+
    };
}

data! {
    SessionStarted = "session.started",
    SessionEnded = "session.ended",
    ItemStarted = "item.started",
    ItemDelta = "item.delta",
    ItemCompleted = "item.completed",
    PermissionRequested = "permission.requested",
    PermissionResolved = "permission.resolved",
    QuestionRequested = "question.requested",
    QuestionResolved = "question.resolved",
    Error = "error",
}

/// An event before it has its number.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Draft {
    pub data: UniversalData,
    pub synthetic: bool,
}

/// An event that fills a gap which the agent leaves.
pub(super) struct Synthetic<E>(pub E);

impl<R, E: crate::projection::GivenBy<R>> crate::projection::GivenBy<R> for Synthetic<E> {}

impl<E: Into<UniversalData>> From<Synthetic<E>> for Draft {
    fn from(event: Synthetic<E>) -> Self {
        Self {
            data: event.0.into(),
            synthetic: true,
        }
    }
}

/// A session began.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct SessionStarted {
    /// What the provider tells about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub metadata: Option<OwnedJson>,
}

wire_enum! {
    /// Why a session ended.
    pub enum EndReason {
        /// Its last turn ran to its end.
        Completed = "completed",
        /// It failed.
        Error = "error",
        /// It was stopped.
        Terminated = "terminated",
    }
}

/// A session ended.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SessionEnded {
    /// Why.
    pub reason: EndReason,
    /// Who says so.
    pub terminated_by: EventSource,
    /// What went wrong; only where the reason is an error.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
}

/// An item began.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ItemStarted {
    /// The item.
    pub item: Item,
}

/// A piece of an item's text.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ItemDelta {
    /// The item.
    #[serde(serialize_with = "shared")]
    pub item_id: Arc<str>,
    /// The provider's own id of it.
    #[serde(serialize_with = "shared_or_null")]
    pub native_item_id: Option<Arc<str>>,
    /// The text to append.
    pub delta: String,
}

/// An item ended; its status says how.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ItemCompleted {
    /// The item.
    pub item: Item,
}

wire_enum! {
    /// What became of a request for leave.
    pub enum PermissionStatus {
        /// It waits.
        Requested = "requested",
        /// It was granted.
        Approved = "approved",
        /// It was not.
        Denied = "denied",
    }
}

/// The agent asks for leave.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PermissionRequested {
    /// The request, by its canonical id.
    #[serde(serialize_with = "shared")]
    pub permission_id: Arc<str>,
    /// What the agent wants to do.
    pub action: String,
    /// Always `requested`.
    pub status: PermissionStatus,
    /// What belongs to it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub metadata: Option<OwnedJson>,
}

/// The agent got leave, or did not.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PermissionResolved {
    /// The request, by its canonical id.
    #[serde(serialize_with = "shared")]
    pub permission_id: Arc<str>,
    /// What the agent wants to do.
    pub action: String,
    /// What was decided; `denied` where the decision can't be read.
    pub status: PermissionStatus,
    /// The whole answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub metadata: Option<OwnedJson>,
}

wire_enum! {
    /// What became of a question.
    pub enum QuestionStatus {
        /// It waits.
        Requested = "requested",
        /// It was answered.
        Answered = "answered",
        /// It will not be.
        Rejected = "rejected",
    }
}

/// The agent asks a question.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct QuestionRequested {
    /// The question, by the canonical id of its request.
    #[serde(serialize_with = "shared")]
    pub question_id: Arc<str>,
    /// The question.
    pub prompt: String,
    /// The answers to choose from.
    pub options: Vec<String>,
    /// Always `requested`.
    pub status: QuestionStatus,
}

/// A question was answered, or will not be.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct QuestionResolved {
    /// The question, by the canonical id of its request.
    #[serde(serialize_with = "shared")]
    pub question_id: Arc<str>,
    /// The question.
    pub prompt: String,
    /// The answers to choose from.
    pub options: Vec<String>,
    /// The answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub response: Option<String>,
    /// What became of it.
    pub status: QuestionStatus,
}

/// Something failed.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Error {
    /// What.
    pub message: String,
    /// What kind of failure it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<&'static str>,
    /// Whatever belongs to it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub details: Option<OwnedJson>,
}

impl Error {
    /// An error that is no more than its text.
    pub(super) fn new(message: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            code: None,
            details: None,
        }
    }
}
