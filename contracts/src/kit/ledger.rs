//! The ledger: gives drafts their canonical ids, and keeps the lives of things in order.
//!
//! Providers leave items open, complete them twice, stream into items that they never started and
//! end turns that never began. The ledger makes one promise out of this, about five kinds of thing:
//! threads, turns, items, requests (and questions), tasks and hooks. Each is opened once, before
//! anything else is said about it; each ends once, at the latest with what it belongs to; and
//! nothing follows its end but what the provider's [`Lifecycle`] names.

mod closing;
mod draft;
mod exit;
mod items;
mod memory;
mod policy;
mod requests;
#[cfg(test)]
mod tests;
mod told;
mod turns;
mod work;

use std::sync::Arc;

use crate::canonical::{
    EventId, EventPayload, IsoDateTime, ItemType, ProviderKind, RuntimeEvent, RuntimeEventRaw,
    RuntimeItemId, RuntimeRequestId, RuntimeSessionId, ThreadId, TurnId,
};
use crate::kit::sources::{Clock, IdKind, IdSource};
pub(crate) use draft::own_name;
pub(crate) use draft::scoped_name;
pub use draft::{Draft, Refs};
use items::Item;
use memory::{Key, Memory};
pub use policy::{Close, Correction, Ends, First, Lifecycle, Rule};
use requests::Request;
pub use told::{Admission, Made, Refusal, Told};
use turns::{Thread, Turn};
use work::Work;

/// How many things of each kind are remembered unless [`Ledger::remembering`] says otherwise.
pub const REMEMBERED: usize = 65_536;

/// How many bytes of each kind of thing are remembered unless [`Ledger::remembering`] says
/// otherwise.
pub const REMEMBERED_BYTES: usize = 64 << 20;

/// Turns the drafts of one session into canonical events.
#[derive(Debug)]
pub struct Ledger<I, C> {
    provider: ProviderKind,
    lifecycle: Lifecycle,
    ids: I,
    clock: C,
    session_id: RuntimeSessionId,
    threads: Memory<Thread>,
    turns: Memory<Turn>,
    items: Memory<Item>,
    requests: Memory<Request>,
    /// Tasks and hooks that run, by their own ids, and what they are about.
    work: Memory<Work>,
    /// The scope of what stands in no thread.
    nowhere: Arc<str>,
    /// Whether the last that was told of the session's life is its end.
    exited: bool,
    /// Whether the program is gone, and nothing came since then.
    gone: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// It has an id, and that is all.
    Mentioned,
    Started,
    Ended,
}

/// The canonical ids of one draft.
struct Ids {
    thread: Option<ThreadId>,
    turn: Option<TurnId>,
    item: Option<RuntimeItemId>,
    request: Option<RuntimeRequestId>,
}

/// Where the events of one draft come from.
#[derive(Clone, Copy)]
struct Source<'r> {
    raw: Option<&'r RuntimeEventRaw>,
    at: IsoDateTime,
}

/// What is to be done with a draft.
struct Verdict {
    /// The item is started first, as one of this type.
    stub: Option<ItemType>,
    /// The event, or the rule that forbids it.
    event: Result<EventPayload, Rule>,
    /// The rule that made another event of it.
    changed: Option<Rule>,
}

impl Verdict {
    fn pass(payload: impl Into<EventPayload>) -> Self {
        Self {
            stub: None,
            event: Ok(payload.into()),
            changed: None,
        }
    }

    fn refuse(rule: Rule) -> Self {
        Self {
            stub: None,
            event: Err(rule),
            changed: None,
        }
    }
}

/// What comes before an event: drafts, and the rule by which they are made.
type Before = Vec<(Draft, Rule)>;

impl<I: IdSource, C: Clock> Ledger<I, C> {
    /// A ledger for one session, whose canonical id is the first that it takes from the source.
    pub fn new(provider: ProviderKind, mut ids: I, clock: C) -> Self {
        let session_id = RuntimeSessionId::from(ids.next(IdKind::Session));
        Self {
            provider,
            lifecycle: Lifecycle::USUAL,
            ids,
            clock,
            session_id,
            threads: Memory::new(REMEMBERED, REMEMBERED_BYTES),
            turns: Memory::new(REMEMBERED, REMEMBERED_BYTES),
            items: Memory::new(REMEMBERED, REMEMBERED_BYTES),
            requests: Memory::new(REMEMBERED, REMEMBERED_BYTES),
            work: Memory::new(REMEMBERED, REMEMBERED_BYTES),
            nowhere: Arc::from(""),
            exited: false,
            gone: false,
        }
    }

    /// The same with the table of the provider.
    #[must_use]
    pub fn of(mut self, lifecycle: Lifecycle) -> Self {
        self.lifecycle = lifecycle;
        self
    }

    /// The same with other bounds on what is remembered, to be called before the first draft.
    ///
    /// The bounds hold for threads, turns, items, requests and tasks each. What ended is forgotten
    /// first, the longest ago before the others; what is mentioned again after that counts as new.
    /// Where more than that is open, the oldest is closed.
    #[must_use]
    pub fn remembering(mut self, things: usize, bytes: usize) -> Self {
        self.threads = Memory::new(things, bytes);
        self.turns = Memory::new(things, bytes);
        self.items = Memory::new(things, bytes);
        self.requests = Memory::new(things, bytes);
        self.work = Memory::new(things, bytes);
        self
    }

    /// The canonical id of the session.
    pub const fn session_id(&self) -> &RuntimeSessionId {
        &self.session_id
    }

    /// Appends the events that a draft becomes, with those that have to come before it.
    ///
    /// `raw` is the message that caused the draft; each event carries it. `wire_ms` is the time
    /// that came with the message, if one did.
    pub fn admit(
        &mut self,
        draft: Draft,
        raw: &RuntimeEventRaw,
        wire_ms: Option<i64>,
        told: &mut Told,
    ) -> Admission {
        // Another program speaks, whose end is still to be told.
        if std::mem::take(&mut self.gone) {
            self.exited = false;
        }
        let source = Source {
            raw: Some(raw),
            at: self.clock.now(wire_ms),
        };
        let admission = self.take(draft, None, source, told);
        self.forget_excess(source, told);
        admission
    }

    /// Takes a draft: of a mapping, or one that was made here by a rule.
    fn take(
        &mut self,
        draft: Draft,
        rule: Option<Rule>,
        source: Source<'_>,
        told: &mut Told,
    ) -> Admission {
        let Draft { refs, payload } = draft;
        let refs = refs.without_blanks();
        for draft in self.asked_anew(&refs, &payload) {
            self.take(draft, Some(Rule::AskedAnew), source, told);
        }
        let (payload, as_asked) = self.as_asked(&refs, payload);
        let rule = rule.or(as_asked.then_some(Rule::AsAsked));
        let ids = self.resolve(&refs, &payload);
        let event_type = payload.event_type();
        let verdict = match self.first(&refs, &payload, rule) {
            Err(rule) => Verdict::refuse(rule),
            Ok(first) => {
                for (draft, rule) in first {
                    self.take(draft, Some(rule), source, told);
                }
                self.judge(&refs, payload)
            }
        };
        let payload = match verdict.event {
            Ok(payload) => payload,
            Err(rule) => {
                told.refused.push(Refusal {
                    event: event_type,
                    rule,
                });
                return Admission::Refused(rule);
            }
        };
        if let Some(item_type) = verdict.stub {
            let stub = items::stub(item_type).into();
            self.tell(&refs, &ids, stub, Some(Rule::Stub), source, told);
        }
        if let (Some(_), Some(step)) = (rule, items::step(&payload)) {
            self.note_made(&refs, step);
        }
        self.tell(&refs, &ids, payload, verdict.changed.or(rule), source, told);
        match (verdict.stub, verdict.changed) {
            (Some(_), _) => Admission::Stubbed,
            (None, Some(_)) => Admission::Updated,
            (None, None) => Admission::Passed,
        }
    }

    /// What has to come before an event, or the rule that forbids it. Nothing changes yet.
    fn first(
        &self,
        refs: &Refs,
        payload: &EventPayload,
        rule: Option<Rule>,
    ) -> Result<Before, Rule> {
        let mut first = self.first_of_thread(refs, payload)?;
        first.extend(self.first_of_turn(refs, payload, rule)?);
        first.extend(self.first_of_request(refs, payload)?);
        first.extend(self.first_of_work(refs, payload)?);
        if let EventPayload::SessionExited(exit) = payload {
            let open = self.everything(exit);
            first.extend(open.into_iter().map(|draft| (draft, Rule::Exit)));
        }
        Ok(first)
    }

    /// Moves what an event is about to its next phase, and decides what the event is then.
    fn judge(&mut self, refs: &Refs, payload: EventPayload) -> Verdict {
        if let Some(step) = items::step(&payload) {
            return self.judge_item(refs, step, payload);
        }
        self.move_thread(refs, &payload);
        self.move_turn(refs, &payload);
        self.move_request(refs, &payload);
        self.move_work(refs, &payload);
        if let EventPayload::SessionStarted(_) = payload {
            self.exited = false;
        }
        if let EventPayload::SessionExited(_) = payload {
            self.exited = true;
        }
        Verdict::pass(payload)
    }

    /// Looks the canonical ids up, and mints those that are missing where that is allowed.
    fn resolve(&mut self, refs: &Refs, payload: &EventPayload) -> Ids {
        let scope = Arc::clone(self.scope(refs));
        Ids {
            thread: self.thread_id(refs),
            turn: self.turn_id(&scope, refs),
            item: self.item_id(&scope, refs, payload),
            request: self.request_id(refs, payload),
        }
    }

    /// Where the names of turns and items that a draft names are apart from others.
    fn scope<'s>(&'s self, refs: &'s Refs) -> &'s Arc<str> {
        refs.thread.as_ref().unwrap_or(&self.nowhere)
    }

    /// What a thing ends with: the thread that it names, and its turn, or that of its item.
    fn group(&self, refs: &Refs) -> Key {
        let scope = self.scope(refs);
        let of_item = || {
            let item = self.items.get(scope, refs.item.as_ref()?)?;
            item.refs.turn.as_ref()
        };
        let turn = refs.turn.as_ref().or_else(of_item);
        (Arc::clone(scope), Arc::clone(turn.unwrap_or(&self.nowhere)))
    }

    fn tell(
        &mut self,
        refs: &Refs,
        ids: &Ids,
        payload: EventPayload,
        rule: Option<Rule>,
        source: Source<'_>,
        told: &mut Told,
    ) {
        let event_id = EventId::from(self.ids.next(IdKind::Event));
        if let Some(rule) = rule {
            told.made.push(Made {
                event: event_id.clone(),
                rule,
            });
        }
        told.events.push(RuntimeEvent {
            event_id,
            provider: self.provider,
            session_id: self.session_id.clone(),
            created_at: source.at,
            thread_id: ids.thread.clone(),
            turn_id: ids.turn.clone(),
            item_id: ids.item.clone(),
            request_id: ids.request.clone(),
            provider_refs: refs.to_provider_refs(),
            payload,
            raw: source.raw.cloned(),
        });
    }
}
