//! What agents leave open: items that nothing ends are ended with what they belong to.
//!
//! A call may be rejected, cancelled or forgotten, and its turn ends without another word about
//! it. It has not succeeded, as far as anyone can tell.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::canonical::{
    EventPayload, ItemCompleted, ItemLifecycle, ItemStarted, ItemStatus, ItemType, ItemUpdated,
    ThreadState, TurnState,
};
use crate::kit::ledger::{Draft, Refs};
use crate::kit::mapping::Cx;
use crate::kit::remembered::Remembered;

use super::mapping::AcpMapping;
use super::tool_calls::Key;

/// How many open items are watched; those beyond are left as they are.
const WATCHED: usize = 16_384;

/// How many items that ended are remembered.
const ENDED: usize = 16_384;

/// The items of one connection that are open, but for texts.
#[derive(Debug)]
pub(super) struct OpenItems {
    open: BTreeMap<Key, Open>,
    ended: Remembered<Key, Ended>,
    /// The calls that the client does not allow. Some are announced only after that.
    declined: Remembered<Key, ()>,
    /// How many were opened, which gives them an order.
    opened: u64,
}

#[derive(Clone, Debug)]
struct Open {
    since: u64,
    refs: Refs,
    item_type: ItemType,
    title: Option<String>,
    /// Only a call can fail.
    call: bool,
}

#[derive(Clone, Debug)]
struct Ended {
    turn: Option<Arc<str>>,
    item_type: ItemType,
}

impl Default for OpenItems {
    fn default() -> Self {
        Self {
            open: BTreeMap::new(),
            ended: Remembered::new(ENDED),
            declined: Remembered::new(ENDED),
            opened: 0,
        }
    }
}

impl OpenItems {
    /// What the client decided about a call.
    pub fn decided(&mut self, refs: &Refs, declined: bool) {
        match key(refs) {
            Some(key) if declined => self.declined.insert(key, ()),
            Some(key) => {
                self.declined.remove(&key);
            }
            None => {}
        }
    }

    /// The ends of the open items of a session that `ends` picks, in the order in which they were
    /// opened.
    fn end(&mut self, thread: &Arc<str>, well: bool, ends: impl Fn(&Refs) -> bool) -> Vec<Draft> {
        let first: Key = (Arc::clone(thread), Arc::from(""));
        let of_thread = self.open.range(first..);
        let of_thread = of_thread.take_while(|((known, _), _)| known == thread);
        let picked: Vec<Key> = of_thread
            .filter(|(_, open)| ends(&open.refs))
            .map(|(key, _)| key.clone())
            .collect();
        let mut ended: Vec<(Key, Open)> = picked
            .into_iter()
            .filter_map(|key| self.open.remove_entry(&key))
            .collect();
        ended.sort_by_key(|(_, open)| open.since);
        let drafts = ended.into_iter().map(|(key, open)| {
            let declined = self.declined.remove(&key).is_some();
            self.ended.insert(key, open.ended());
            open.completed(well, declined)
        });
        drafts.collect()
    }
}

impl Open {
    fn ended(&self) -> Ended {
        Ended {
            turn: self.refs.turn.clone(),
            item_type: self.item_type,
        }
    }

    fn completed(self, well: bool, declined: bool) -> Draft {
        let status = match (declined, self.call, well) {
            (true, _, _) => ItemStatus::Declined,
            (false, false, true) => ItemStatus::Completed,
            (false, true, _) | (false, false, false) => ItemStatus::Failed,
        };
        let item = ItemLifecycle {
            status: Some(status),
            title: self.title,
            ..ItemLifecycle::new(self.item_type)
        };
        Draft {
            refs: self.refs,
            payload: ItemCompleted(item).into(),
        }
    }
}

impl AcpMapping {
    /// Puts the ends of what is over before the events of a message.
    pub(super) fn with_ends(&mut self, drafts: Vec<Draft>) -> Vec<Draft> {
        let mut settled = Vec::with_capacity(drafts.len());
        for mut draft in drafts {
            if let Some(thread) = draft.refs.thread.clone().filter(|_| draft.refs.minted) {
                self.settle(&thread, &mut draft, &mut settled);
                draft.refs.runs_on |= self.is_terminal(&draft);
            }
            settled.push(draft);
        }
        settled
    }

    /// Whether a draft is about a command that is no call of a tool: it may outlive its turn, and
    /// says itself how it ends.
    fn is_terminal(&self, draft: &Draft) -> bool {
        let EventPayload::ItemStarted(ItemStarted(item)) = &draft.payload else {
            return false;
        };
        let key = key(&draft.refs);
        item.item_type == ItemType::CommandExecution
            && key.is_some_and(|key| !self.calls.knows_call(&key))
    }

    /// The history that the context's session tells is over, and with it what it leaves open.
    pub(super) fn end_history(&mut self, cx: &mut Cx<'_>) {
        let Some(thread) = cx.refs.thread.clone() else {
            return;
        };
        for draft in self.open.end(&thread, false, |refs| refs.turn.is_none()) {
            let refs = std::mem::replace(&mut cx.refs, draft.refs);
            cx.emit_unlisted(draft.payload);
            cx.refs = refs;
        }
    }

    fn settle(&mut self, thread: &Arc<str>, draft: &mut Draft, settled: &mut Vec<Draft>) {
        let Draft { refs, payload } = draft;
        if let EventPayload::ItemStarted(ItemStarted(item)) = payload {
            self.watch(thread, refs, item, Step::Starts, settled);
        } else if let EventPayload::ItemUpdated(ItemUpdated(item)) = payload {
            self.watch(thread, refs, item, Step::GoesOn, settled);
        } else if let EventPayload::ItemCompleted(ItemCompleted(item)) = payload {
            self.watch(thread, refs, item, Step::Ends, settled);
        } else if let EventPayload::ContentDelta(delta) = payload {
            let mut item = ItemLifecycle::new(delta.stream_kind.into());
            self.watch(thread, refs, &mut item, Step::GoesOn, settled);
        } else if let EventPayload::TurnStarted(_) | EventPayload::ThreadStarted(_) = payload {
            // What belongs to no turn ends before one, and history with the answer that follows it.
            let text = self.texts.going(thread);
            if text.is_some_and(|text| text.refs.turn.is_none()) {
                settled.extend(self.ended_text(thread, ItemStatus::Completed));
            }
        } else if let EventPayload::TurnCompleted(end) = payload {
            let well = end.state == TurnState::Completed;
            let turns = &self.turns;
            let over = |refs: &Refs| refs.turn.as_ref().is_some_and(|turn| !turns.goes_on(turn));
            let text = self.texts.going(thread);
            let is_text_over = text.is_some_and(|text| over(&text.refs));
            let ended = self.open.end(thread, well, over);
            if is_text_over {
                settled.extend(self.ended_text(thread, status(well)));
            }
            settled.extend(ended);
        } else if let EventPayload::ThreadStateChanged(change) = payload
            && change.state == ThreadState::Closed
        {
            let turn = self
                .texts
                .going(thread)
                .and_then(|text| text.refs.turn.as_ref());
            let cut = turn.is_some_and(|turn| self.turns.goes_on(turn));
            settled.extend(self.ended_text(thread, status(!cut)));
            settled.extend(self.open.end(thread, false, |_| true));
        }
    }

    /// News about an item. A new one that is no text ends the text that goes on.
    fn watch(
        &mut self,
        thread: &Arc<str>,
        refs: &Refs,
        item: &mut ItemLifecycle,
        step: Step,
        settled: &mut Vec<Draft>,
    ) {
        let Some(key) = key(refs).filter(|_| !is_text(item.item_type)) else {
            return;
        };
        if let Some(ended) = self.open.ended.get(&key) {
            let again = step == Step::Starts
                && (ended.item_type != item.item_type || ended.turn != refs.turn);
            if !again {
                // What ended is not open again.
                item.status = item.status.filter(|it| *it != ItemStatus::InProgress);
                return;
            }
            self.open.ended.remove(&key);
        }
        let call = self.calls.knows_call(&key) || item.item_type == ItemType::ContextCompaction;
        // A command that is no call of a tool may outlive its turn, and says itself how it ends.
        let watched = call || item.item_type != ItemType::CommandExecution;
        if !self.open.open.contains_key(&key) && (watched || step == Step::Starts) {
            settled.extend(self.ended_text(thread, ItemStatus::Completed));
        }
        if step == Step::Ends {
            let open = self.open.open.remove(&key);
            let declined = self.open.declined.remove(&key).is_some();
            if declined && item.status == Some(ItemStatus::Failed) {
                item.status = Some(ItemStatus::Declined);
            }
            let turn = open.and_then(|open| open.refs.turn);
            let ended = Ended {
                turn: turn.or_else(|| refs.turn.clone()),
                item_type: item.item_type,
            };
            self.open.ended.insert(key, ended);
        } else if let Some(open) = self.open.open.get_mut(&key) {
            if item.item_type != ItemType::Unknown {
                open.item_type = item.item_type;
            }
            open.call |= call;
            open.title = item.title.clone().or_else(|| open.title.take());
        } else if watched && self.open.open.len() < WATCHED {
            self.open.opened += 1;
            let open = Open {
                since: self.open.opened,
                refs: Refs {
                    request: None,
                    ..refs.clone()
                },
                item_type: item.item_type,
                title: item.title.clone(),
                call,
            };
            self.open.open.insert(key, open);
        }
    }

    fn ended_text(&mut self, thread: &Arc<str>, status: ItemStatus) -> Option<Draft> {
        let (refs, completed) = self.texts.end(thread)?.completed(status);
        let payload = completed.into();
        Some(Draft { refs, payload })
    }
}

/// Where an event stands in the life of its item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    Starts,
    GoesOn,
    Ends,
}

fn status(well: bool) -> ItemStatus {
    if well {
        ItemStatus::Completed
    } else {
        ItemStatus::Failed
    }
}

fn is_text(item_type: ItemType) -> bool {
    matches!(
        item_type,
        ItemType::UserMessage | ItemType::AssistantMessage | ItemType::Reasoning
    )
}

fn key(refs: &Refs) -> Option<Key> {
    let item = refs.item.clone().filter(|item| !item.trim().is_empty());
    Some((refs.thread.clone()?, item?))
}
