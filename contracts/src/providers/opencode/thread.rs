//! What is known about one session of the server, which is a thread.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::canonical::{ContentStreamKind, ItemType};
use crate::kit::remembered::Remembered;

use super::pieces::{Growing, Texts};
use super::turns::Turn;

/// How many messages and turns of a thread are remembered.
const MESSAGES: usize = 1_024;

/// How many parts of a thread are remembered.
const PARTS: usize = 8_192;

/// A thread.
#[derive(Debug)]
pub(super) struct Thread {
    /// How many turns have begun.
    pub turns: u64,
    /// The turn that is going on.
    pub turn: Option<Turn>,
    /// The turn that ended last.
    pub last: Option<Arc<str>>,
    /// When the session was made: what is older was copied from another one.
    pub created: f64,
    /// The folder that the session works in, as far as it tells.
    pub directory: Option<String>,
    /// The model that answers, as far as the session tells.
    pub model: Option<String>,
    /// The names of turns that ended, so that none is used twice.
    pub ended: Remembered<Arc<str>, ()>,
    /// Messages by their ids.
    pub messages: Remembered<Arc<str>, Message>,
    /// Messages of the user whose items are open.
    pub saying: Vec<Arc<str>>,
    /// Parts of messages that are items, by the names of the items.
    pub parts: Remembered<Arc<str>, Part>,
    /// The items of calls, by their message and the id of the call.
    pub calls: Remembered<(Arc<str>, Arc<str>), Arc<str>>,
    /// Items that are open, in the order in which they began.
    pub open: BTreeMap<u64, Arc<str>>,
    /// The compaction that is going on, by its item.
    pub compaction: Option<Arc<str>>,
    /// The failure that was told last.
    pub told_failure: Option<String>,
    /// `session.status` told that the server has done its work: `session.idle` says the same after it.
    pub idle_follows: bool,
    begun: u64,
}

/// Who speaks in a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// Only parts of it were told.
    Unknown,
    /// The user.
    User,
    /// The model.
    Assistant,
}

/// What told the tokens of a message: one of the two does, and steps may be several.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Counted {
    /// The message itself.
    ByMessage,
    /// The ends of its steps.
    BySteps,
}

/// A message.
#[derive(Clone, Debug)]
pub(super) struct Message {
    /// Who speaks.
    pub role: Role,
    /// The turn in which it was first told.
    pub turn: Option<Arc<str>>,
    /// The texts of the user, in the order in which their parts came.
    pub texts: Texts,
    /// The item of what the user said is open.
    pub is_open: bool,
    /// What told its tokens.
    pub counted: Option<Counted>,
}

/// A part of a message that is an item.
#[derive(Clone, Debug)]
pub(super) struct Part {
    /// The message.
    pub message: Arc<str>,
    /// What it is.
    pub item_type: ItemType,
    /// What is streamed into it.
    pub kind: ContentStreamKind,
    /// How much of its text was told.
    pub text: Growing,
    /// The name of its tool, or another title.
    pub title: Option<String>,
    /// The turn in which it was first told.
    pub turn: Option<Arc<str>>,
    /// The user refused what it asked for.
    pub refused: bool,
    /// Its place among the open ones; nothing where it has ended.
    place: Option<u64>,
}

impl Default for Thread {
    fn default() -> Self {
        Self {
            turns: 0,
            turn: None,
            last: None,
            created: 0.0,
            directory: None,
            model: None,
            ended: Remembered::new(MESSAGES),
            messages: Remembered::new(MESSAGES),
            saying: Vec::new(),
            parts: Remembered::new(PARTS),
            calls: Remembered::new(PARTS),
            open: BTreeMap::new(),
            compaction: None,
            told_failure: None,
            idle_follows: false,
            begun: 0,
        }
    }
}

impl Message {
    /// A message of which nothing else is known.
    pub fn new(role: Role, turn: Option<Arc<str>>) -> Self {
        Self {
            role,
            turn,
            texts: Texts::default(),
            is_open: false,
            counted: None,
        }
    }
}

impl Part {
    /// A part that begins.
    pub fn new(message: &Arc<str>, item_type: ItemType, kind: ContentStreamKind) -> Self {
        Self {
            message: Arc::clone(message),
            item_type,
            kind,
            text: Growing::default(),
            title: None,
            turn: None,
            refused: false,
            place: None,
        }
    }

    /// Whether it has not ended.
    pub fn is_open(&self) -> bool {
        self.place.is_some()
    }
}

impl Thread {
    /// The name of the turn that is going on.
    pub fn turn_name(&self) -> Option<&Arc<str>> {
        self.turn.as_ref().map(|turn| &turn.name)
    }

    /// The turn that is going on, else the one that ended last.
    pub fn turn_or_last(&self) -> Option<&Arc<str>> {
        self.turn_name().or(self.last.as_ref())
    }

    /// The message of an id; one that was never told is a stub from now on.
    pub fn message(&mut self, id: &Arc<str>) -> Option<&mut Message> {
        if self.messages.get(id).is_none() {
            let turn = self.turn_name().cloned();
            let stub = Message::new(Role::Unknown, turn);
            self.messages.insert(Arc::clone(id), stub);
        }
        self.messages.get_mut(id)
    }

    /// The turn of a message: the one in which it was first told.
    pub fn turn_of(&self, message: &Arc<str>) -> Option<Arc<str>> {
        let known = self.messages.get(message);
        known.map_or_else(|| self.turn_name().cloned(), |message| message.turn.clone())
    }

    /// The part of an item; one that was never told begins. True where it does.
    pub fn part(
        &mut self,
        item: &Arc<str>,
        begin: impl FnOnce() -> Part,
    ) -> (bool, Option<&mut Part>) {
        let is_new = self.parts.get(item).is_none();
        if is_new {
            let mut part = begin();
            self.message(&part.message);
            part.turn = self.turn_of(&part.message);
            self.begun += 1;
            part.place = Some(self.begun);
            self.open.insert(self.begun, Arc::clone(item));
            self.parts.insert(Arc::clone(item), part);
            while self.open.len() > PARTS {
                self.open.pop_first();
            }
        }
        (is_new, self.parts.get_mut(item))
    }

    /// The item of a call.
    pub fn call(&self, message: &str, call: &str) -> Option<Arc<str>> {
        let key = (Arc::from(message), Arc::from(call));
        self.calls.get(&key).cloned()
    }

    /// An item has ended. False where it had before, or was never open.
    pub fn close(&mut self, item: &Arc<str>) -> bool {
        let Some(part) = self.parts.get_mut(item) else {
            return false;
        };
        let Some(place) = part.place.take() else {
            return false;
        };
        // Of what has ended, only that it did is of use.
        part.text.forget();
        part.title = None;
        self.open.remove(&place).is_some()
    }

    /// The items that are open: those of a message, or all.
    pub fn open_items(&self, message: Option<&Arc<str>>) -> Vec<Arc<str>> {
        let of_message = |item: &&Arc<str>| match message {
            None => true,
            Some(message) => self
                .parts
                .get(*item)
                .is_some_and(|part| part.message == *message),
        };
        self.open.values().filter(of_message).cloned().collect()
    }
}
