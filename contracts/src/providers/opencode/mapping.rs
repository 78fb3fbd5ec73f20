//! What the mapping of OpenCode's events remembers between events.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::canonical::ProviderKind;
use crate::generated::lifecycles;
use crate::kit::core::{Provider, Slot};
use crate::kit::ledger::{Lifecycle, Refs};
use crate::kit::mapping::Cx;
use crate::kit::remembered::Remembered;

use super::thread::Thread;
use super::waiting::Requests;

/// How many events are remembered by their ids.
const EVENTS: usize = 16_384;

/// How many threads are remembered; past it, those that were used the longest ago are forgotten.
const THREADS: usize = 1_024;

/// Maps the events of one server, of one stream or of several that tell the same.
#[derive(Debug)]
pub struct OpenCodeMapping {
    /// Whether a session was made.
    pub(super) begun: bool,
    /// The sessions of the server.
    pub(super) threads: Threads,
    /// Requests that wait for the user.
    pub(super) requests: Requests,
    seen: Remembered<Arc<str>, ()>,
}

/// The sessions of the server, by their ids.
#[derive(Debug, Default)]
pub(super) struct Threads {
    known: BTreeMap<Arc<str>, Used>,
    uses: u64,
}

#[derive(Debug, Default)]
struct Used {
    last: u64,
    thread: Thread,
}

impl Default for OpenCodeMapping {
    fn default() -> Self {
        Self {
            begun: false,
            threads: Threads::default(),
            requests: Requests::default(),
            seen: Remembered::new(EVENTS),
        }
    }
}

impl OpenCodeMapping {
    /// With nothing remembered.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Notes an event by its id and type. False where it was told before: streams of one server tell
    /// the same events, and one that is taken up again may repeat some.
    pub(super) fn is_new(&mut self, id: &str, kind: &str) -> bool {
        let name: Arc<str> = Arc::from(format!("{id} {kind}"));
        let is_new = self.seen.get(&name).is_none();
        self.seen.insert(name, ());
        is_new
    }
}

impl Threads {
    /// The thread that the context speaks of.
    pub fn of(&mut self, cx: &Cx<'_>) -> Option<&mut Thread> {
        let id = cx.refs.thread.as_ref().filter(|id| !id.is_empty())?;
        self.uses += 1;
        if !self.known.contains_key(id) {
            self.make_room();
        }
        let used = self.known.entry(Arc::clone(id)).or_default();
        used.last = self.uses;
        Some(&mut used.thread)
    }

    /// Forgets the thread that the context speaks of.
    pub fn forget(&mut self, cx: &Cx<'_>) {
        if let Some(id) = &cx.refs.thread {
            self.known.remove(id);
        }
    }

    /// The turn that is going on in the thread that the context speaks of.
    pub fn turn(&self, cx: &Cx<'_>) -> Option<Arc<str>> {
        self.turn_of(cx.refs.thread.as_ref()?).cloned()
    }

    /// The same, or else the turn that ended last.
    pub fn turn_or_last(&self, cx: &Cx<'_>) -> Option<Arc<str>> {
        let used = self.known.get(cx.refs.thread.as_ref()?)?;
        used.thread.turn_or_last().cloned()
    }

    /// The only thread that has a turn which is going on.
    pub fn only_working(&self) -> Option<(&Arc<str>, &Thread)> {
        let mut working = self
            .known
            .iter()
            .filter(|(_, used)| used.thread.turn.is_some());
        match (working.next(), working.next()) {
            (Some((id, used)), None) => Some((id, &used.thread)),
            (Some(_) | None, _) => None,
        }
    }

    /// All threads, in the order of their ids.
    pub fn all(&mut self) -> impl Iterator<Item = (&Arc<str>, &mut Thread)> {
        self.known
            .iter_mut()
            .map(|(id, used)| (id, &mut used.thread))
    }

    /// The turn that is going on in a thread.
    fn turn_of(&self, thread: &Arc<str>) -> Option<&Arc<str>> {
        self.known.get(thread)?.thread.turn_name()
    }

    /// Forgets threads until one more has room: those without a turn that is going on first.
    fn make_room(&mut self) {
        while self.known.len() >= THREADS {
            let works = |used: &Used| used.thread.turn.is_some();
            let known = self.known.iter();
            let oldest = known.min_by_key(|(_, used)| (works(used), used.last));
            let Some(oldest) = oldest.map(|(id, _)| Arc::clone(id)) else {
                return;
            };
            self.known.remove(&oldest);
        }
    }
}

impl Provider for OpenCodeMapping {
    const KIND: ProviderKind = ProviderKind::OpenCode;
    const LIFECYCLE: Lifecycle = lifecycles::OPENCODE;

    fn slot(member: &str) -> Option<Slot> {
        match member {
            "sessionID" => Some(Slot::Thread),
            _ => None,
        }
    }

    fn place(&self, refs: &mut Refs) {
        if let (Some(thread), None) = (&refs.thread, &refs.turn) {
            refs.turn = self.threads.turn_of(thread).cloned();
        }
    }
}
