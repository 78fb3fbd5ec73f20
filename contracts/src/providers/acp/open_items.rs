//! What is known of items that agents leave open, beyond what the ledger knows: which calls the
//! client did not allow, which items are no calls and so can't fail, and which go on in a terminal
//! of their own. All others have failed when what they belong to ends, as the ledger says.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::canonical::{ItemCompleted, ItemLifecycle, ItemStatus, ItemType};
use crate::kit::ledger::Refs;
use crate::kit::remembered::Remembered;

use super::keys::{Key, item_key};
use super::texts::Ended;

/// How many open items are watched; those beyond are left as they are.
const WATCHED: usize = 16_384;

/// How many items that ended are remembered.
const ENDED: usize = 16_384;

/// The items of one connection that are open, but for texts.
#[derive(Debug)]
pub(super) struct OpenItems {
    open: BTreeMap<Key, Open>,
    ended: Remembered<Key, Over>,
    /// The calls that the client does not allow. Some are announced only after that.
    declined: Remembered<Key, ()>,
    /// What was said to outlive its turn before it turned out to be a call, which does not.
    outliving: Remembered<Key, ()>,
    /// How many were opened, which gives them an order.
    opened: u64,
}

#[derive(Clone, Debug)]
struct Open {
    since: u64,
    refs: Refs,
    item_type: ItemType,
    /// Only a call can fail.
    call: bool,
    life: Life,
}

/// How long an item may be open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Life {
    /// With its turn.
    Turn,
    /// It has a terminal of its own, which may go on after a turn that ended well.
    Terminal,
    /// It does go on.
    Background,
}

#[derive(Clone, Debug)]
struct Over {
    turn: Option<Arc<str>>,
    item_type: ItemType,
}

/// Where an event stands in the life of its item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    Starts,
    GoesOn,
    Ends,
}

/// Which items end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Which {
    /// Those of turns that are over. What has a terminal of its own goes on.
    TurnEndedWell,
    /// Those of turns that are over.
    TurnEnded,
    /// Those that belong to no turn.
    History,
    /// All.
    All,
}

impl Default for OpenItems {
    fn default() -> Self {
        Self {
            open: BTreeMap::new(),
            ended: Remembered::new(ENDED),
            declined: Remembered::new(ENDED),
            outliving: Remembered::new(ENDED),
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

    /// A call has a terminal of its own.
    pub fn has_terminal(&mut self, refs: &Refs) {
        let open = key(refs).and_then(|key| self.open.get_mut(&key));
        if let Some(open) = open.filter(|open| open.life == Life::Turn) {
            open.life = Life::Terminal;
        }
    }

    /// News about an item, and whether it is new, so that what was said before it is whole. `call`
    /// says whether it is a call of a tool.
    pub fn watch(&mut self, refs: &Refs, item: &mut ItemLifecycle, step: Step, call: bool) -> bool {
        let Some(key) = key(refs).filter(|_| refs.minted && !is_text(item.item_type)) else {
            return false;
        };
        if let Some(over) = self.ended.get(&key) {
            let again =
                step == Step::Starts && (over.item_type != item.item_type || over.turn != refs.turn);
            if !again {
                // What ended is not open again.
                item.status = item.status.filter(|it| *it != ItemStatus::InProgress);
                return false;
            }
            self.ended.remove(&key);
        }
        let call = call || item.item_type == ItemType::ContextCompaction;
        // A command that is no call of a tool may outlive its turn, and says itself how it ends.
        let watched = call || item.item_type != ItemType::CommandExecution;
        let is_new = !self.open.contains_key(&key) && (watched || step == Step::Starts);
        if !watched && refs.runs_on && step != Step::Ends {
            self.outliving.insert(key.clone(), ());
        }
        if step == Step::Ends {
            self.outliving.remove(&key);
            let open = self.open.remove(&key);
            let declined = self.declined.remove(&key).is_some();
            if declined && item.status == Some(ItemStatus::Failed) {
                item.status = Some(ItemStatus::Declined);
            }
            let turn = open.and_then(|open| open.refs.turn);
            let over = Over {
                turn: turn.or_else(|| refs.turn.clone()),
                item_type: item.item_type,
            };
            self.ended.insert(key, over);
        } else if let Some(open) = self.open.get_mut(&key) {
            if item.item_type != ItemType::Unknown {
                open.item_type = item.item_type;
            }
            open.call |= call;
        } else if watched && self.open.len() < WATCHED {
            self.opened += 1;
            let open = Open {
                since: self.opened,
                refs: Refs {
                    request: None,
                    ..refs.clone()
                },
                item_type: item.item_type,
                call,
                life: Life::Turn,
            };
            self.open.insert(key, open);
        }
        is_new
    }

    /// The ends of the open items of a session that are others than the ledger makes, in the order
    /// in which they were opened, and the items that go on in the background from now on. `goes_on`
    /// tells whether a turn does.
    pub fn end(
        &mut self,
        thread: &Arc<str>,
        which: Which,
        goes_on: impl Fn(&str) -> bool,
    ) -> (Vec<Ended>, Vec<Refs>) {
        let first: Key = (Arc::clone(thread), Arc::from(""));
        let of_thread = self.open.range_mut(first..);
        let of_thread = of_thread.take_while(|((known, _), _)| known == thread);
        let (mut picked, mut kept) = (Vec::new(), Vec::new());
        for (key, open) in of_thread {
            let declined = self.declined.get(key).is_some();
            if open.ends(which, declined, &goes_on) {
                picked.push(key.clone());
            } else if which == Which::TurnEndedWell && open.stays(&goes_on) {
                kept.push(open.refs.clone());
            }
        }
        let picked = picked.into_iter();
        let mut ended: Vec<(Key, Open)> = picked
            .filter_map(|key| self.open.remove_entry(&key))
            .collect();
        ended.sort_by_key(|(_, open)| open.since);
        let ended = ended.into_iter().filter_map(|(key, open)| {
            let declined = self.declined.remove(&key).is_some();
            let outlives = self.outliving.remove(&key).is_some();
            self.ended.insert(key, open.over());
            let status = open.status(which, declined, outlives)?;
            Some(open.completed(status))
        });
        (ended.collect(), kept)
    }
}

impl Open {
    fn ends(&self, which: Which, declined: bool, goes_on: impl Fn(&str) -> bool) -> bool {
        let turn = self.refs.turn.as_deref();
        let over = turn.is_some_and(|turn| !goes_on(turn));
        match which {
            Which::TurnEndedWell => over && (self.life == Life::Turn || declined),
            Which::TurnEnded => over && self.life != Life::Background,
            Which::History => turn.is_none(),
            Which::All => true,
        }
    }

    /// Whether it begins to go on without its turn.
    fn stays(&mut self, goes_on: impl Fn(&str) -> bool) -> bool {
        let turn = self.refs.turn.as_deref();
        let over = turn.is_some_and(|turn| !goes_on(turn));
        let stays = over && self.life == Life::Terminal;
        if stays {
            self.life = Life::Background;
        }
        stays
    }

    fn over(&self) -> Over {
        Over {
            turn: self.refs.turn.clone(),
            item_type: self.item_type,
        }
    }

    /// How it ended, where the ledger does not say that by itself.
    fn status(&self, which: Which, declined: bool, outlives: bool) -> Option<ItemStatus> {
        match which {
            _ if declined => Some(ItemStatus::Declined),
            Which::TurnEndedWell if !self.call => Some(ItemStatus::Completed),
            _ if outlives => Some(ItemStatus::Failed),
            Which::History => Some(ItemStatus::Failed),
            Which::TurnEndedWell | Which::TurnEnded | Which::All => None,
        }
    }

    fn completed(self, status: ItemStatus) -> Ended {
        let item = ItemLifecycle {
            status: Some(status),
            ..ItemLifecycle::new(self.item_type)
        };
        (self.refs, ItemCompleted(item))
    }
}

fn is_text(item_type: ItemType) -> bool {
    matches!(
        item_type,
        ItemType::UserMessage | ItemType::AssistantMessage | ItemType::Reasoning
    )
}

fn key(refs: &Refs) -> Option<Key> {
    refs.thread.as_ref()?;
    item_key(refs).filter(|(_, item)| !item.trim().is_empty())
}
