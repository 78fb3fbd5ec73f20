//! The universal transcript: canonical events as the events of the Universal Event schema.
//!
//! The schema is that of the Sandbox Agent daemon: a session is a list of numbered events, and each
//! says whether the agent sent it (`source: agent`) or it fills a gap that the agent leaves
//! (`source: daemon`, `synthetic: true`). Sources: the daemon's table of terms (*Universal ↔ Agent
//! Term Mapping*), and its public page *Session Transcript Schema* for the members of each event.
//!
//! What is promised:
//! - a session starts once, before anything else is told, and ends once, after everything else;
//!   a start or an end that the agent does not send is synthetic;
//! - an item is started before anything is said about it, and ends at most once;
//! - a message always has an `item.delta`: those of the agent as they are, or else one synthetic
//!   delta with the whole text, right before its `item.completed`;
//! - what can't be read is never `completed`, never `approved` and never `answered`.
//!
//! Where the table and the canonical model leave a choice:
//! - `native_session_id` is the provider's thread, else its session: one id for both;
//! - `item_id` is the provider's own id, else the canonical one; the latter also where another item
//!   took the provider's id before;
//! - the call of a tool and its result are two items. A call stands below the message of the
//!   assistant that is open in its turn (`parent_id`), and so does its result;
//! - the last message of a turn of Claude and Amp is the end of the session in the table. A further
//!   turn may follow, so the end is told by [`Universal::finish`]; the agent stays its source;
//! - events that belong to no thread wait until the session starts, so that a start which the agent
//!   sends comes first all the same.

mod content;
mod event;
mod item;
mod lives;
mod memory;
mod questions;
mod rows;

use std::sync::Arc;

use crate::canonical::{IsoDateTime, RuntimeEvent};
use crate::generated::projection::universal::project;
use crate::json::OwnedJson;
use crate::projection::Out;

pub use crate::generated::projection::universal::{PROJECTION, ROWS};
pub(crate) use event::Draft;
pub use event::{
    EndReason, Error, EventSource, ItemCompleted, ItemDelta, ItemStarted, PermissionRequested,
    PermissionResolved, PermissionStatus, QuestionRequested, QuestionResolved, QuestionStatus,
    SessionEnded, SessionStarted, UniversalData, UniversalEvent, UniversalEventType,
};
pub use item::{ContentPart, FileAction, Item, ItemKind, ItemRole, ItemStatus, Visibility};
use rows::{End, State};

/// How many events wait for the session to start.
const WAITING: usize = 256;

/// Projects the canonical events of one session.
#[derive(Debug)]
pub struct Universal {
    state: State,
    sequence: u64,
    with_raw: bool,
    waiting: Vec<(Stamp, Draft)>,
    last: Option<Stamp>,
    finished: bool,
}

/// What the host sent and the agent does not repeat among its events.
#[derive(Clone, Debug, PartialEq)]
pub struct SentMessage {
    /// An id that no event has.
    pub event_id: Arc<str>,
    /// The session, by its canonical id.
    pub session_id: Arc<str>,
    /// The provider's own id of it, where it is known.
    pub native_session_id: Option<Arc<str>>,
    /// When it was sent.
    pub time: IsoDateTime,
    /// What it says.
    pub text: String,
    /// The input as it was sent, to be kept with the event.
    pub input: Option<OwnedJson>,
}

/// What an event is about, as far as it says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Within {
    Nothing,
    Thread,
    Turn,
}

/// What the events that come from one canonical event have in common.
#[derive(Clone, Debug)]
struct Stamp {
    event_id: Arc<str>,
    given: u32,
    time: IsoDateTime,
    session_id: Arc<str>,
    native_session_id: Option<Arc<str>>,
    raw: Option<OwnedJson>,
}

impl Default for Universal {
    fn default() -> Self {
        Self::new()
    }
}

impl Universal {
    /// For a session of which nothing is known.
    #[must_use]
    pub fn new() -> Self {
        Self {
            state: State::default(),
            sequence: 0,
            with_raw: true,
            waiting: Vec::new(),
            last: None,
            finished: false,
        }
    }

    /// The same without the provider's messages.
    #[must_use]
    pub fn without_raw(mut self) -> Self {
        self.with_raw = false;
        self
    }

    /// The events that one canonical event becomes, and those that waited for it.
    pub fn push(&mut self, event: &RuntimeEvent) -> Vec<UniversalEvent> {
        let mut drafts = Vec::new();
        project(&mut self.state, event, &mut drafts);
        // A turn is in a session, also where nothing is told of it.
        let within = if event.turn_id.is_some() {
            Within::Turn
        } else if event.thread_id.is_some() {
            Within::Thread
        } else {
            Within::Nothing
        };
        self.tell(self.stamp(event), drafts, within)
    }

    /// A message of the user that the host sent. Only for agents that do not repeat it.
    pub fn sent(&mut self, message: SentMessage) -> Vec<UniversalEvent> {
        let mut drafts = Vec::new();
        // The host's message has no row: it is no canonical event.
        let mut out = Out::<Sent, Draft>::new(&mut drafts);
        self.state
            .lives
            .sent(&message.event_id, &message.text, &mut out);
        let stamp = Stamp {
            event_id: message.event_id,
            given: 0,
            time: message.time,
            session_id: message.session_id,
            native_session_id: message.native_session_id,
            raw: message.input.filter(|_| self.with_raw),
        };
        self.tell(stamp, drafts, Within::Turn)
    }

    /// The end of the stream: what is still open ends as failed, and the session ends. Nothing
    /// where nothing was told, or the session has ended.
    pub fn finish(&mut self) -> Vec<UniversalEvent> {
        let mut told = Vec::new();
        if self.finished {
            return told;
        }
        if let Some((stamp, _)) = self.waiting.first() {
            self.start(stamp.clone(), &mut told);
        }
        let Some(mut stamp) = self.last.clone().filter(|_| self.state.open) else {
            return told;
        };
        stamp.event_id = Arc::from(format!("{}:end", stamp.session_id));
        stamp.given = 0;
        stamp.raw = None;
        let mut drafts = Vec::new();
        let mut out = Out::<Finish, Draft>::new(&mut drafts);
        self.state.lives.end_all(&mut out);
        let end = self.ending();
        let explicit = end.explicit;
        let by = if explicit {
            EventSource::Agent
        } else {
            EventSource::Daemon
        };
        drafts.push(Draft {
            data: end.told(by).into(),
            synthetic: !explicit,
        });
        for draft in drafts {
            self.number(&mut stamp, draft, &mut told);
        }
        self.finished = true;
        told
    }

    /// How the session ends if nothing more comes.
    fn ending(&mut self) -> End {
        match self.state.last.take() {
            Some(end) => end,
            None if self.state.turns_running => End {
                reason: EndReason::Error,
                message: Some(String::from("the stream ended while a turn was running")),
                explicit: false,
            },
            None => End {
                reason: EndReason::Completed,
                message: None,
                explicit: false,
            },
        }
    }

    fn stamp(&self, event: &RuntimeEvent) -> Stamp {
        let refs = event.provider_refs.as_ref();
        let thread = refs.and_then(|refs| refs.provider_thread_id.as_ref());
        let session = refs.and_then(|refs| refs.provider_session_id.as_ref());
        let raw = event.raw.as_ref().filter(|_| self.with_raw);
        Stamp {
            event_id: Arc::clone(event.event_id.shared()),
            given: 0,
            time: event.created_at,
            session_id: Arc::clone(event.session_id.shared()),
            native_session_id: thread
                .map(|id| Arc::clone(id.shared()))
                .or_else(|| session.map(|id| Arc::clone(id.shared()))),
            raw: raw.map(|raw| raw.payload.clone()),
        }
    }

    fn tell(
        &mut self,
        mut stamp: Stamp,
        drafts: Vec<Draft>,
        within: Within,
    ) -> Vec<UniversalEvent> {
        let mut told = Vec::new();
        let starts = drafts
            .iter()
            .any(|draft| matches!(draft.data, UniversalData::SessionStarted(_)));
        if drafts.is_empty() && (self.state.open || within != Within::Turn) {
            return told;
        }
        let ends = drafts
            .iter()
            .any(|draft| matches!(draft.data, UniversalData::SessionEnded(_)));
        if ends && !self.state.open && self.finished {
            return told;
        }
        // Nothing comes after the end, so that what waits is told with it.
        let ready = self.state.open
            || starts
            || ends
            || within != Within::Nothing
            || self.waiting.len() >= WAITING;
        if !ready {
            let waiting = drafts.into_iter().map(|draft| (stamp.clone(), draft));
            self.waiting.extend(waiting);
            return told;
        }
        if !self.state.open && !starts {
            let first = self.waiting.first().map(|(stamp, _)| stamp.clone());
            match first {
                Some(first) => self.start(first, &mut told),
                None => self.begin(&mut stamp, Draft::start(), &mut told),
            }
        }
        for draft in drafts {
            if matches!(draft.data, UniversalData::SessionStarted(_)) {
                self.begin(&mut stamp, draft, &mut told);
                self.release(&mut told);
            } else {
                self.number(&mut stamp, draft, &mut told);
            }
        }
        told
    }

    /// Starts the session as of an event that waits, and tells what waits.
    fn start(&mut self, mut stamp: Stamp, told: &mut Vec<UniversalEvent>) {
        stamp.event_id = Arc::from(format!("{}:start", stamp.event_id));
        stamp.raw = None;
        self.begin(&mut stamp, Draft::start(), told);
        self.release(told);
    }

    fn begin(&mut self, stamp: &mut Stamp, draft: Draft, told: &mut Vec<UniversalEvent>) {
        self.number(stamp, draft, told);
        self.state.open = true;
        self.finished = false;
    }

    fn release(&mut self, told: &mut Vec<UniversalEvent>) {
        let mut before: Option<Stamp> = None;
        for (stamp, draft) in std::mem::take(&mut self.waiting) {
            let mut stamp = match before.take() {
                Some(before) if before.event_id == stamp.event_id => before,
                Some(_) | None => stamp,
            };
            self.number(&mut stamp, draft, told);
            before = Some(stamp);
        }
    }

    fn number(&mut self, stamp: &mut Stamp, draft: Draft, told: &mut Vec<UniversalEvent>) {
        self.sequence += 1;
        stamp.given += 1;
        let event_id = match stamp.given {
            1 => Arc::clone(&stamp.event_id),
            more => Arc::from(format!("{}:{more}", stamp.event_id)),
        };
        if let UniversalData::SessionEnded(_) = draft.data {
            self.state.open = false;
            self.state.last = None;
            self.state.turns_running = false;
            self.finished = true;
        }
        told.push(UniversalEvent {
            event_id,
            sequence: self.sequence,
            time: stamp.time,
            session_id: Arc::clone(&stamp.session_id),
            native_session_id: stamp.native_session_id.clone(),
            source: if draft.synthetic {
                EventSource::Daemon
            } else {
                EventSource::Agent
            },
            synthetic: draft.synthetic,
            data: draft.data,
            raw: stamp.raw.clone(),
        });
        self.last = Some(stamp.clone());
    }
}

impl Draft {
    /// A start that the agent does not send.
    fn start() -> Self {
        Self {
            data: SessionStarted::default().into(),
            synthetic: true,
        }
    }
}

/// The host's own message, in the place of a row.
enum Sent {}

impl crate::projection::GivenBy<Sent> for ItemStarted {}
impl crate::projection::GivenBy<Sent> for ItemDelta {}
impl crate::projection::GivenBy<Sent> for ItemCompleted {}

/// The end of the stream, in the place of a row.
enum Finish {}

impl crate::projection::GivenBy<Finish> for ItemDelta {}
impl crate::projection::GivenBy<Finish> for ItemCompleted {}
