//! The lives of items.

use std::sync::Arc;

use super::{First, Ledger, Lifecycle, Phase, Refs, Rule, Verdict};
use crate::canonical::{
    EventPayload, ItemCompleted, ItemLifecycle, ItemStarted, ItemStatus, ItemType, ItemUpdated,
    RuntimeItemId,
};
use crate::kit::sources::{Clock, IdKind, IdSource};

#[derive(Debug)]
pub(super) struct Item {
    id: RuntimeItemId,
    pub phase: Phase,
    pub item_type: ItemType,
    /// What it was first mentioned with, or started with.
    pub refs: Refs,
    /// It does not end with its turn.
    pub runs_on: bool,
    /// Only a request named it so far: nothing tells whether it is more than that.
    pub asked_for: bool,
    end: Option<End>,
}

/// The end of an item, as it was told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct End {
    status: Option<ItemStatus>,
    /// The ledger closed it, since the wire did not.
    closed: bool,
}

/// What an event does to its item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    Start,
    Piece,
    Go,
    End,
}

impl Item {
    /// Whether an event that names an item which ended means another one: an id is used again for
    /// an item of another type, or is started once more in another turn.
    fn is_another(&self, step: Step, item_type: ItemType, turn: Option<&Arc<str>>) -> bool {
        let known = |item_type| item_type != ItemType::Unknown;
        let other_type = known(self.item_type) && known(item_type) && self.item_type != item_type;
        let first = self.refs.turn.as_ref();
        let other_turn = turn.is_some() && first.is_some() && first != turn;
        self.phase == Phase::Ended
            && match step {
                Step::Start => other_type || other_turn,
                Step::End => other_type,
                Step::Piece | Step::Go => false,
            }
    }

    /// What an event becomes that comes after the end.
    fn after_the_end(&mut self, step: Step, payload: EventPayload, table: &Lifecycle) -> Verdict {
        let Some(mut item) = lifecycle(payload) else {
            return Verdict::refuse(Rule::AfterTheEnd);
        };
        let first = self.end.and_then(|end| end.status);
        let closed = self.end.is_some_and(|end| end.closed);
        let mut rule = (step != Step::Go).then_some(Rule::AfterTheEnd);
        match item.status {
            None if step == Step::Go => {}
            None | Some(ItemStatus::InProgress) => item.status = first,
            Some(later) if first == Some(later) => {}
            Some(later) if table.corrects(later, first, closed) => {
                rule = Some(Rule::Correction);
                self.end = Some(End {
                    status: Some(later),
                    closed: false,
                });
                if let Some(first) = first {
                    let words = || format!("{} was told first", first.as_str());
                    item.detail.get_or_insert_with(words);
                }
            }
            Some(_) => {
                rule = Some(Rule::AfterTheEnd);
                item.status = first;
            }
        }
        Verdict {
            changed: rule,
            ..Verdict::pass(ItemUpdated(item))
        }
    }
}

impl Lifecycle {
    /// Whether a later word may stand in the place of the status of an end. What the ledger closed
    /// may always turn out worse; that it ended well after all, only the table can say.
    fn corrects(&self, later: ItemStatus, first: Option<ItemStatus>, closed: bool) -> bool {
        let Some(first) = first else { return true };
        let such = |first| {
            let mut corrections = self.corrections.iter();
            corrections.any(|it| it.later == later && it.first == first)
        };
        such(First::Told(first))
            || (closed && (later != ItemStatus::Completed || such(First::Closed)))
    }
}

impl<I: IdSource, C: Clock> Ledger<I, C> {
    /// The type that a started item was started with, or that a later event made known.
    pub fn item_type_of(&self, thread: Option<&str>, item: &str) -> Option<ItemType> {
        let known = self.items.get(thread.unwrap_or_default(), item)?;
        (known.phase != Phase::Mentioned).then_some(known.item_type)
    }

    /// An item runs on in the background: it does not end with its turn. Said of what was started
    /// before; a draft says it of its own item.
    pub fn runs_on(&mut self, thread: Option<&str>, item: &str) {
        if let Some(item) = self.items.get_mut(thread.unwrap_or_default(), item) {
            item.runs_on = true;
        }
    }

    pub(super) fn item_id(
        &mut self,
        scope: &Arc<str>,
        refs: &Refs,
        payload: &EventPayload,
    ) -> Option<RuntimeItemId> {
        let name = refs.item.as_ref()?;
        let known = self.items.get(scope, name);
        let is_new = match (known, step(payload)) {
            (None, _) => true,
            (Some(known), Some(step)) => {
                known.is_another(step, item_type(payload), refs.turn.as_ref())
            }
            (Some(_), None) => false,
        };
        if is_new && refs.minted {
            let item = Item {
                id: self.ids.next(IdKind::Item).into(),
                phase: Phase::Mentioned,
                item_type: ItemType::Unknown,
                refs: of_item(refs),
                runs_on: false,
                asked_for: false,
                end: None,
            };
            self.items.insert(scope, name, item);
            self.items.group(scope, name, self.group(refs), refs.len());
        }
        Some(self.items.get(scope, name)?.id.clone())
    }

    pub(super) fn judge_item(&mut self, refs: &Refs, step: Step, payload: EventPayload) -> Verdict {
        let is_over = self.is_over(refs);
        let scope = refs.thread.as_ref().unwrap_or(&self.nowhere);
        let Some(name) = &refs.item else {
            return Verdict::pass(payload);
        };
        // Without an entry the ids are not to be trusted, and then neither is the order.
        let Some(item) = self.items.get_mut(scope, name) else {
            return Verdict::pass(payload);
        };
        item.runs_on |= refs.runs_on;
        if item.phase == Phase::Ended {
            return item.after_the_end(step, payload, &self.lifecycle);
        }
        let item_type = item_type(&payload);
        let status = of(&payload).and_then(|item| item.status);
        let is_end = step == Step::End && status != Some(ItemStatus::InProgress);
        // Many a call is announced before it is known what it does; its end tells it.
        let learns = item.item_type == ItemType::Unknown || is_end || item.asked_for;
        if learns && (item_type != ItemType::Unknown || item.phase == Phase::Mentioned) {
            item.item_type = item_type;
        }
        item.asked_for = false;
        let begins = item.phase == Phase::Mentioned;
        let changed = match step {
            Step::Start if !begins => Some(Rule::Twice),
            Step::End if !is_end => Some(Rule::NotAnEnd),
            Step::Start | Step::Piece | Step::Go | Step::End => None,
        };
        if begins {
            item.phase = Phase::Started;
            // What begins after the end of its turn has no turn to end with.
            item.runs_on |= is_over;
            if item.refs.turn != refs.turn && refs.turn.is_some() {
                item.refs = of_item(refs);
                let group = self.group(refs);
                self.items.group(&group.0, name, group.clone(), refs.len());
            }
        }
        if is_end {
            let scope = refs.thread.as_ref().unwrap_or(&self.nowhere);
            if let Some(item) = self.items.get_mut(scope, name) {
                item.phase = Phase::Ended;
                item.end = Some(End {
                    status,
                    closed: false,
                });
            }
            self.items.end(scope, name);
        }
        Verdict {
            stub: (begins && step != Step::Start).then_some(item_type),
            event: Ok(match changed {
                Some(_) => as_update(payload),
                None => payload,
            }),
            changed,
        }
    }

    /// Notes that the ledger started or ended an item by itself: one is started because a request
    /// names it.
    pub(super) fn note_made(&mut self, refs: &Refs, step: Step) {
        let scope = refs.thread.as_ref().unwrap_or(&self.nowhere);
        let name = refs.item.as_ref();
        let Some(item) = name.and_then(|name| self.items.get_mut(scope, name)) else {
            return;
        };
        item.asked_for |= step == Step::Start;
        if let Some(end) = &mut item.end {
            end.closed = true;
        }
    }
}

fn of_item(refs: &Refs) -> Refs {
    Refs {
        request: None,
        minted: false,
        runs_on: false,
        ..refs.clone()
    }
}

/// What an event does to its item, where it is about the life of one.
pub(super) fn step(payload: &EventPayload) -> Option<Step> {
    if let EventPayload::ContentDelta(_) = payload {
        return Some(Step::Piece);
    }
    if let EventPayload::ItemStarted(_) = payload {
        return Some(Step::Start);
    }
    if let EventPayload::ItemUpdated(_) = payload {
        return Some(Step::Go);
    }
    matches!(payload, EventPayload::ItemCompleted(_)).then_some(Step::End)
}

fn item_type(payload: &EventPayload) -> ItemType {
    if let EventPayload::ContentDelta(delta) = payload {
        return delta.stream_kind.into();
    }
    of(payload).map_or(ItemType::Unknown, |item| item.item_type)
}

fn of(payload: &EventPayload) -> Option<&ItemLifecycle> {
    if let EventPayload::ItemStarted(ItemStarted(item))
    | EventPayload::ItemUpdated(ItemUpdated(item))
    | EventPayload::ItemCompleted(ItemCompleted(item)) = payload
    {
        return Some(item);
    }
    None
}

/// The start of an item that the provider never started.
pub(super) fn stub(item_type: ItemType) -> ItemStarted {
    ItemStarted(ItemLifecycle {
        status: Some(ItemStatus::InProgress),
        ..ItemLifecycle::new(item_type)
    })
}

fn lifecycle(payload: EventPayload) -> Option<ItemLifecycle> {
    if let EventPayload::ItemStarted(ItemStarted(item))
    | EventPayload::ItemUpdated(ItemUpdated(item))
    | EventPayload::ItemCompleted(ItemCompleted(item)) = payload
    {
        return Some(item);
    }
    None
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
