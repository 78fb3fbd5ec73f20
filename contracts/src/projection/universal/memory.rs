//! What is remembered of the items of a session: bounded, and the longest ended go first.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

use super::content::{Call, Form};

/// How many items may be open at once. Past it the oldest is forgotten, as if it were never told.
const OPEN: usize = 4096;
/// How many ended items, and ids that are taken, are remembered.
const REMEMBERED: usize = 65_536;
/// How much text of open items is kept, in bytes.
const KEPT_TEXT: usize = 16 * 1024 * 1024;

/// The items of a session.
#[derive(Debug, Default)]
pub(super) struct Memory {
    open: BTreeMap<u64, Entry>,
    known: BTreeMap<Arc<str>, Known>,
    ended: VecDeque<Arc<str>>,
    taken: BTreeSet<Arc<str>>,
    taken_order: VecDeque<Arc<str>>,
    count: u64,
    kept: usize,
}

/// Where an open item stands, or the ids of one that ended.
#[derive(Debug)]
enum Known {
    Open(u64),
    Ended(Ids),
}

/// The ids of an item in the transcript.
#[derive(Clone, Debug)]
pub(super) struct Ids {
    pub item_id: Arc<str>,
    pub native: Option<Arc<str>>,
}

/// What is known of an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Phase {
    /// Nothing.
    New,
    /// It is open.
    Open,
    /// It ended.
    Ended,
}

/// An open item.
#[derive(Debug)]
pub(super) struct Entry {
    /// The key under which it is known.
    pub key: Arc<str>,
    /// Its id in the transcript.
    pub item_id: Arc<str>,
    /// The provider's id of it.
    pub native: Option<Arc<str>>,
    /// The message that it belongs to.
    pub parent: Option<Arc<str>>,
    /// How it is told.
    pub form: Form,
    /// The thread and the turn in which it began.
    pub place: Place,
    /// Whether only a stub tells its beginning, so that nobody may tell its end.
    pub stub: bool,
    /// Whether a delta of it was told.
    pub has_delta: bool,
    /// Its text so far; nothing where that is unknown or too long to be kept.
    pub text: Option<String>,
    /// The call that it is.
    pub call: Option<Call>,
    /// Whether it is a reasoning that is the model's own.
    pub private: bool,
}

/// A thread and a turn, as far as an event names them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Place {
    pub thread: Option<Arc<str>>,
    pub turn: Option<Arc<str>>,
}

impl Entry {
    fn ids(&self) -> Ids {
        Ids {
            item_id: Arc::clone(&self.item_id),
            native: self.native.clone(),
        }
    }
}

impl Memory {
    pub fn phase(&self, key: &str) -> Phase {
        match self.known.get(key) {
            None => Phase::New,
            Some(Known::Open(_)) => Phase::Open,
            Some(Known::Ended(_)) => Phase::Ended,
        }
    }

    pub fn get_mut(&mut self, key: &str) -> Option<&mut Entry> {
        match self.known.get(key)? {
            Known::Open(order) => self.open.get_mut(order),
            Known::Ended(_) => None,
        }
    }

    /// The ids of an item, be it open or ended.
    pub fn ids(&self, key: &str) -> Option<Ids> {
        match self.known.get(key)? {
            Known::Ended(ids) => Some(ids.clone()),
            Known::Open(order) => self.open.get(order).map(Entry::ids),
        }
    }

    /// Remembers an item as open.
    pub fn open(&mut self, entry: Entry) {
        while self.open.len() >= OPEN
            && let Some((_, oldest)) = self.open.pop_first()
        {
            self.forget_text(&oldest);
            self.known.remove(&oldest.key);
        }
        self.count += 1;
        self.known
            .insert(Arc::clone(&entry.key), Known::Open(self.count));
        self.open.insert(self.count, entry);
    }

    /// Takes an open item out: it has ended.
    pub fn end(&mut self, key: &str) -> Option<Entry> {
        let known = self.known.get_mut(key)?;
        let entry = match known {
            Known::Open(order) => self.open.remove(order)?,
            Known::Ended(_) => return None,
        };
        *known = Known::Ended(entry.ids());
        self.forget_text(&entry);
        self.ended.push_back(Arc::clone(&entry.key));
        while self.ended.len() > REMEMBERED
            && let Some(oldest) = self.ended.pop_front()
        {
            if let Some(Known::Ended(_)) = self.known.get(&oldest) {
                self.known.remove(&oldest);
            }
        }
        Some(entry)
    }

    /// Adds to the text of an open item, as long as there is room for it.
    pub fn append(&mut self, key: &str, piece: &str) {
        let room = KEPT_TEXT.saturating_sub(self.kept);
        let Some(entry) = self.get_mut(key) else {
            return;
        };
        let Some(text) = &mut entry.text else {
            return;
        };
        if piece.len() <= room {
            text.push_str(piece);
            self.kept += piece.len();
        } else {
            let freed = text.len();
            entry.text = None;
            self.kept -= freed.min(self.kept);
        }
    }

    /// Puts another text in the place of the known one.
    pub fn replace(&mut self, key: &str, text: &str) {
        let freed = self
            .get_mut(key)
            .map(|entry| entry.text.replace(String::new()).map_or(0, |it| it.len()));
        self.kept -= freed.unwrap_or_default().min(self.kept);
        self.append(key, text);
    }

    /// The open items that fit, the oldest first.
    pub fn open_keys(&self, fits: impl Fn(&Entry) -> bool) -> Vec<Arc<str>> {
        let fitting = self.open.values().filter(|entry| fits(entry));
        fitting.map(|entry| Arc::clone(&entry.key)).collect()
    }

    /// The latest open message of the assistant in a turn.
    pub fn message_in(&self, place: &Place) -> Option<Arc<str>> {
        let is_parent = |entry: &&Entry| {
            entry.form == Form::Said(super::item::ItemRole::Assistant) && entry.place == *place
        };
        let found = self.open.values().rev().find(is_parent);
        found.map(|entry| Arc::clone(&entry.item_id))
    }

    /// The first of some ids that no other item took, else a new one; it is taken from now on.
    pub fn take<'i>(&mut self, wanted: impl IntoIterator<Item = &'i Arc<str>>) -> Arc<str> {
        let mut last = Arc::from("item");
        for id in wanted {
            if !self.taken.contains(id) {
                return self.taken(Arc::clone(id));
            }
            last = Arc::clone(id);
        }
        let mut number = 2_u64;
        loop {
            let id: Arc<str> = Arc::from(format!("{last}:{number}"));
            if !self.taken.contains(&id) {
                return self.taken(id);
            }
            number += 1;
        }
    }

    fn taken(&mut self, id: Arc<str>) -> Arc<str> {
        self.taken.insert(Arc::clone(&id));
        self.taken_order.push_back(Arc::clone(&id));
        while self.taken_order.len() > 2 * REMEMBERED
            && let Some(oldest) = self.taken_order.pop_front()
        {
            self.taken.remove(&oldest);
        }
        id
    }

    fn forget_text(&mut self, entry: &Entry) {
        let freed = entry.text.as_ref().map_or(0, String::len);
        self.kept -= freed.min(self.kept);
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic)]
    use super::*;
    use crate::projection::universal::item::ItemRole;

    fn entry(key: &str) -> Entry {
        Entry {
            key: Arc::from(key),
            item_id: Arc::from(key),
            native: None,
            parent: None,
            form: Form::Said(ItemRole::Assistant),
            place: Place::default(),
            stub: false,
            has_delta: false,
            text: Some(String::new()),
            call: None,
            private: false,
        }
    }

    #[test]
    fn the_oldest_open_item_is_forgotten_first() {
        let mut memory = Memory::default();
        for number in 0..=OPEN {
            memory.open(entry(&number.to_string()));
        }
        assert_eq!(
            (memory.phase("0"), memory.phase("1")),
            (Phase::New, Phase::Open)
        );
        assert!(memory.end("1").is_some());
        assert!(memory.end("1").is_none());
        assert_eq!(memory.phase("1"), Phase::Ended);
        assert_eq!(memory.open.len(), OPEN - 1);
        assert_eq!(
            memory.message_in(&Place::default()).as_deref(),
            Some("4096")
        );
    }

    #[test]
    fn ended_items_and_ids_are_bounded() {
        let mut memory = Memory::default();
        for number in 0..=REMEMBERED {
            memory.open(entry(&number.to_string()));
            assert!(memory.end(&number.to_string()).is_some());
        }
        assert_eq!(
            (memory.phase("0"), memory.phase("1")),
            (Phase::New, Phase::Ended)
        );
        assert_eq!(memory.known.len(), REMEMBERED);
        for number in 0..3 * REMEMBERED {
            memory.take([&Arc::from(number.to_string())]);
        }
        assert_eq!(memory.taken.len(), 2 * REMEMBERED);
    }

    #[test]
    fn text_is_kept_while_there_is_room() {
        let mut memory = Memory::default();
        memory.open(entry("a"));
        memory.append("a", "lamp");
        memory.replace("a", "light");
        assert_eq!(memory.kept, 5);
        memory.append("a", &"x".repeat(KEPT_TEXT));
        assert_eq!(
            (memory.kept, memory.get_mut("a").unwrap().text.as_deref()),
            (0, None)
        );
        memory.append("a", "more");
        assert_eq!(memory.end("a").unwrap().text, None);
        memory.open(entry("b"));
        memory.append("b", "lamp");
        memory.end("b");
        assert_eq!(memory.kept, 0);
    }

    #[test]
    fn an_id_is_taken_once() {
        let mut memory = Memory::default();
        let (native, own): (Arc<str>, Arc<str>) = (Arc::from("n"), Arc::from("o"));
        let ids = [0; 4].map(|_| memory.take([&native, &own]).to_string());
        assert_eq!(ids, ["n", "o", "o:2", "o:3"]);
    }
}
