//! The ledger: gives drafts their canonical ids, and keeps the life of turns and items in order.
//!
//! Providers leave items open, complete them twice, stream into items that they never started and
//! end turns that never began. The ledger makes one promise out of this: an item is started once,
//! before anything else is said about it, and is never open again after its completion.

mod draft;
mod exit;
mod memory;
#[cfg(test)]
mod tests;
mod work;

use std::sync::Arc;

use crate::canonical::{
    EventId, EventPayload, IsoDateTime, ItemCompleted, ItemLifecycle, ItemStarted, ItemStatus,
    ItemType, ItemUpdated, ProviderKind, RequestType, RuntimeEvent, RuntimeEventRaw, RuntimeItemId,
    RuntimeRequestId, RuntimeSessionId, ThreadId, ThreadState, TurnId,
};
use crate::kit::sources::{Clock, IdKind, IdSource};
pub(crate) use draft::own_name;
pub(crate) use draft::scoped_name;
pub use draft::{Draft, Refs};
use memory::Memory;
use work::Work;

/// What became of a draft.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Admission {
    /// It became one event as it was.
    Passed,
    /// An `item.started` was put before it, since the item had never been started.
    Stubbed,
    /// It became an `item.updated`, since the item had been started or completed before.
    Updated,
    /// It became no event: it would have started a turn that was started or ended before.
    Skipped,
}

/// How many things of each kind are remembered unless [`Ledger::remembering`] says otherwise.
pub const REMEMBERED: usize = 65_536;

/// Turns the drafts of one session into canonical events.
#[derive(Debug)]
pub struct Ledger<I, C> {
    provider: ProviderKind,
    ids: I,
    clock: C,
    session_id: RuntimeSessionId,
    threads: Memory<ThreadId>,
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

#[derive(Debug)]
struct Turn {
    id: TurnId,
    phase: Phase,
}

#[derive(Debug)]
struct Item {
    id: RuntimeItemId,
    phase: Phase,
    item_type: ItemType,
    /// The turn in which it was first mentioned.
    turn: Option<Arc<str>>,
}

impl Item {
    /// Whether an event that names an item which ended means another one: an id is used again for
    /// an item of another type, or is started once more in another turn.
    fn is_another(&self, step: ItemStep, item_type: ItemType, turn: Option<&Arc<str>>) -> bool {
        let known = |item_type| item_type != ItemType::Unknown;
        let other_type = known(self.item_type) && known(item_type) && self.item_type != item_type;
        let other_turn = turn.is_some() && self.turn.is_some() && self.turn.as_ref() != turn;
        self.phase == Phase::Ended
            && match step {
                ItemStep::Start => other_type || other_turn,
                ItemStep::End => other_type,
                ItemStep::Go => false,
            }
    }
}

#[derive(Debug)]
struct Request {
    id: RuntimeRequestId,
    phase: Phase,
    /// What it asks and what it is about, once it was opened.
    asked: Option<(Asked, Refs)>,
}

/// What waits for an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Asked {
    Request(RequestType),
    UserInput,
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

/// What is to be done with a draft.
enum Verdict {
    Pass,
    StubFirst(ItemType),
    Update,
    Skip,
}

impl<I: IdSource, C: Clock> Ledger<I, C> {
    /// A ledger for one session, whose canonical id is the first that it takes from the source.
    pub fn new(provider: ProviderKind, mut ids: I, clock: C) -> Self {
        let session_id = RuntimeSessionId::from(ids.next(IdKind::Session));
        Self {
            provider,
            ids,
            clock,
            session_id,
            threads: Memory::new(REMEMBERED),
            turns: Memory::new(REMEMBERED),
            items: Memory::new(REMEMBERED),
            requests: Memory::new(REMEMBERED),
            work: Memory::new(REMEMBERED),
            nowhere: Arc::from(""),
            exited: false,
            gone: false,
        }
    }

    /// The same with another bound on what is remembered, to be called before the first draft.
    ///
    /// The bound holds for threads, turns, items, requests and tasks each. What ended is forgotten first,
    /// the longest ago before the others; what is mentioned again after that counts as new.
    #[must_use]
    pub fn remembering(mut self, limit: usize) -> Self {
        self.threads = Memory::new(limit);
        self.turns = Memory::new(limit);
        self.items = Memory::new(limit);
        self.requests = Memory::new(limit);
        self.work = Memory::new(limit);
        self
    }

    /// The canonical id of the session.
    pub const fn session_id(&self) -> &RuntimeSessionId {
        &self.session_id
    }

    /// The type that a started item was started with, or that a later event made known.
    pub fn item_type_of(&self, thread: Option<&str>, item: &str) -> Option<ItemType> {
        let known = self.items.get(thread.unwrap_or_default(), item)?;
        (known.phase != Phase::Mentioned).then_some(known.item_type)
    }

    /// Appends the events that a draft becomes: none, one, or a stub and one.
    ///
    /// `raw` is the message that caused the draft; each event carries it. `wire_ms` is the time
    /// that came with the message, if one did.
    pub fn admit(
        &mut self,
        draft: Draft,
        raw: &RuntimeEventRaw,
        wire_ms: Option<i64>,
        out: &mut Vec<RuntimeEvent>,
    ) -> Admission {
        // Another program speaks, whose end is still to be told.
        if std::mem::take(&mut self.gone) {
            self.exited = false;
        }
        self.take(draft, Some(raw), wire_ms, out)
    }

    fn take(
        &mut self,
        draft: Draft,
        raw: Option<&RuntimeEventRaw>,
        wire_ms: Option<i64>,
        out: &mut Vec<RuntimeEvent>,
    ) -> Admission {
        let Draft { refs, payload } = draft;
        let refs = refs.without_blanks();
        let ids = self.resolve(&refs, &payload);
        let verdict = self.judge(&refs, &payload);
        let created_at = self.clock.now(wire_ms);
        let (payload, admission) = match verdict {
            Verdict::Skip => return Admission::Skipped,
            Verdict::Pass => (payload, Admission::Passed),
            Verdict::Update => (as_update(payload), Admission::Updated),
            Verdict::StubFirst(item_type) => {
                let stub = stub(item_type).into();
                out.push(self.event(&refs, &ids, stub, raw, created_at));
                (payload, Admission::Stubbed)
            }
        };
        out.push(self.event(&refs, &ids, payload, raw, created_at));
        admission
    }

    /// Looks the canonical ids up, and mints those that are missing where that is allowed.
    fn resolve(&mut self, refs: &Refs, payload: &EventPayload) -> Ids {
        let scope = Arc::clone(refs.thread.as_ref().unwrap_or(&self.nowhere));
        let nowhere = Arc::clone(&self.nowhere);
        let minted = refs.minted;
        let Self {
            ids,
            threads,
            turns,
            items,
            requests,
            ..
        } = self;
        let thread = refs.thread.as_ref().and_then(|name| {
            remembered(threads, &nowhere, name, minted, || {
                ids.next(IdKind::Thread).into()
            })
            .cloned()
        });
        let turn = refs.turn.as_ref().and_then(|name| {
            let mint = || Turn {
                id: ids.next(IdKind::Turn).into(),
                phase: Phase::Mentioned,
            };
            remembered(turns, &scope, name, minted, mint).map(|turn| turn.id.clone())
        });
        let item = refs.item.as_ref().and_then(|name| {
            let mut mint = || Item {
                id: ids.next(IdKind::Item).into(),
                phase: Phase::Mentioned,
                item_type: ItemType::Unknown,
                turn: refs.turn.clone(),
            };
            if minted
                && let Some((step, item_type)) = item_step(payload)
                && let Some(known) = items.get(&scope, name)
                && known.is_another(step, item_type, refs.turn.as_ref())
            {
                items.insert(&scope, name, mint());
            }
            remembered(items, &scope, name, minted, mint).map(|item| item.id.clone())
        });
        let request = refs.request.as_ref().and_then(|name| {
            let mut mint = || Request {
                id: ids.next(IdKind::Request).into(),
                phase: Phase::Mentioned,
                asked: None,
            };
            let known = requests.get(&nowhere, name);
            // An id may be used again once its request is answered, and then names another one.
            if minted && asks(payload).is_some() && known.is_some_and(|it| it.phase == Phase::Ended)
            {
                requests.insert(&nowhere, name, mint());
            }
            remembered(requests, &nowhere, name, minted, mint).map(|request| request.id.clone())
        });
        Ids {
            thread,
            turn,
            item,
            request,
        }
    }

    /// Decides what a draft becomes, and moves what it is about to its next phase.
    fn judge(&mut self, refs: &Refs, payload: &EventPayload) -> Verdict {
        if let Some((step, item_type)) = item_step(payload) {
            return self.judge_item(refs, step, item_type);
        }
        self.watch_work(refs, payload);
        let scope = refs.thread.as_ref().unwrap_or(&self.nowhere);
        if let Some(name) = &refs.turn {
            if let EventPayload::TurnStarted(_) = payload {
                match self.turns.get_mut(scope, name) {
                    Some(turn) if turn.phase == Phase::Mentioned => turn.phase = Phase::Started,
                    Some(_) => return Verdict::Skip,
                    None => {}
                }
            }
            if let EventPayload::TurnCompleted(_) | EventPayload::TurnAborted(_) = payload {
                if let Some(turn) = self.turns.get_mut(scope, name) {
                    turn.phase = Phase::Ended;
                }
                self.turns.end(scope, name);
            }
        }
        if let Some(asked) = asks(payload)
            && let Some(name) = &refs.request
            && let Some(request) = self.requests.get_mut(&self.nowhere, name)
        {
            request.asked = Some((asked, refs.clone()));
        }
        if let EventPayload::RequestResolved(_) | EventPayload::UserInputResolved(_) = payload
            && let Some(name) = &refs.request
        {
            if let Some(request) = self.requests.get_mut(&self.nowhere, name) {
                request.phase = Phase::Ended;
            }
            self.requests.end(&self.nowhere, name);
        }
        if let EventPayload::SessionStarted(_) = payload {
            self.exited = false;
        }
        if let EventPayload::SessionExited(_) = payload {
            self.exited = true;
        }
        if let EventPayload::ThreadStateChanged(change) = payload
            && change.state == ThreadState::Closed
        {
            self.items.forget_scope(scope);
            self.threads.end(&self.nowhere, scope);
        }
        Verdict::Pass
    }

    fn judge_item(&mut self, refs: &Refs, step: ItemStep, item_type: ItemType) -> Verdict {
        let scope = refs.thread.as_ref().unwrap_or(&self.nowhere);
        let Some(name) = &refs.item else {
            return Verdict::Pass;
        };
        // Without an entry the ids are not to be trusted, and then neither is the order.
        let Some(item) = self.items.get_mut(scope, name) else {
            return Verdict::Pass;
        };
        let verdict = match (step, item.phase) {
            (ItemStep::Start, Phase::Mentioned) => Verdict::Pass,
            (ItemStep::Start, Phase::Started | Phase::Ended) => Verdict::Update,
            (ItemStep::Go, Phase::Started | Phase::Ended) => Verdict::Pass,
            (ItemStep::Go | ItemStep::End, Phase::Mentioned) => Verdict::StubFirst(item_type),
            (ItemStep::End, Phase::Started) => Verdict::Pass,
            (ItemStep::End, Phase::Ended) => Verdict::Update,
        };
        // Many a call is announced before it is known what it does; its end tells it.
        let told_by_end =
            step == ItemStep::End && item.phase != Phase::Ended && item_type != ItemType::Unknown;
        if item.item_type == ItemType::Unknown || told_by_end {
            item.item_type = item_type;
        }
        if step == ItemStep::End {
            item.phase = Phase::Ended;
            self.items.end(scope, name);
        } else if item.phase == Phase::Mentioned {
            item.phase = Phase::Started;
        }
        verdict
    }

    fn event(
        &mut self,
        refs: &Refs,
        ids: &Ids,
        payload: EventPayload,
        raw: Option<&RuntimeEventRaw>,
        created_at: IsoDateTime,
    ) -> RuntimeEvent {
        RuntimeEvent {
            event_id: EventId::from(self.ids.next(IdKind::Event)),
            provider: self.provider,
            session_id: self.session_id.clone(),
            created_at,
            thread_id: ids.thread.clone(),
            turn_id: ids.turn.clone(),
            item_id: ids.item.clone(),
            request_id: ids.request.clone(),
            provider_refs: refs.to_provider_refs(),
            payload,
            raw: raw.cloned(),
        }
    }
}

/// What an event does to its item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ItemStep {
    Start,
    Go,
    End,
}

fn item_step(payload: &EventPayload) -> Option<(ItemStep, ItemType)> {
    if let EventPayload::ContentDelta(delta) = payload {
        return Some((ItemStep::Go, delta.stream_kind.into()));
    }
    if let EventPayload::ItemStarted(ItemStarted(item)) = payload {
        return Some((ItemStep::Start, item.item_type));
    }
    if let EventPayload::ItemUpdated(ItemUpdated(item)) = payload {
        return Some((ItemStep::Go, item.item_type));
    }
    if let EventPayload::ItemCompleted(ItemCompleted(item)) = payload {
        return Some((ItemStep::End, item.item_type));
    }
    None
}

/// What an event asks for, if it waits for an answer.
fn asks(payload: &EventPayload) -> Option<Asked> {
    if let EventPayload::RequestOpened(request) = payload {
        return Some(Asked::Request(request.request_type));
    }
    if let EventPayload::UserInputRequested(_) = payload {
        return Some(Asked::UserInput);
    }
    None
}

/// The start of an item that the provider never started.
fn stub(item_type: ItemType) -> ItemStarted {
    ItemStarted(ItemLifecycle {
        status: Some(ItemStatus::InProgress),
        ..ItemLifecycle::new(item_type)
    })
}

/// The same news about an item, as an update.
fn as_update(payload: EventPayload) -> EventPayload {
    if let EventPayload::ItemStarted(ItemStarted(item))
    | EventPayload::ItemCompleted(ItemCompleted(item)) = payload
    {
        return ItemUpdated(item).into();
    }
    payload
}

fn remembered<'m, V>(
    memory: &'m mut Memory<V>,
    scope: &Arc<str>,
    name: &Arc<str>,
    minted: bool,
    mint: impl FnOnce() -> V,
) -> Option<&'m V> {
    if minted && memory.get(scope, name).is_none() {
        memory.insert(scope, name, mint());
    }
    memory.get(scope, name)
}
