//! What the ledger remembers of one kind of thing: bounded, the oldest that ended goes first.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// What an entry costs besides its texts, roughly.
const ENTRY: usize = 256;

/// A bounded map from a scope and a name in it to a value.
///
/// Every operation costs the logarithm of the size. The two queues hold the names in the order in
/// which they came (`open`) or ended (`ended`), so that the one to forget is always at hand. What
/// is open stands in the group that it ends with, too: a thread and a turn of it.
#[derive(Debug)]
pub(super) struct Memory<V> {
    limit: usize,
    bytes: usize,
    held: usize,
    clock: u64,
    scopes: BTreeMap<Arc<str>, BTreeMap<Arc<str>, Entry<V>>>,
    open: BTreeMap<u64, Key>,
    ended: BTreeMap<u64, Key>,
    groups: BTreeMap<Key, BTreeSet<u64>>,
}

/// A scope and a name in it; or a thread and a turn of it, blank where there is none.
pub(super) type Key = (Arc<str>, Arc<str>);

#[derive(Debug)]
struct Entry<V> {
    value: V,
    since: u64,
    ended: bool,
    group: Option<Key>,
    weight: usize,
}

impl<V> Memory<V> {
    /// An empty memory that is full with so many things, or with so many bytes of them.
    pub(super) fn new(limit: usize, bytes: usize) -> Self {
        Self {
            limit: limit.max(1),
            bytes,
            held: 0,
            clock: 0,
            scopes: BTreeMap::new(),
            open: BTreeMap::new(),
            ended: BTreeMap::new(),
            groups: BTreeMap::new(),
        }
    }

    pub(super) fn get(&self, scope: &str, name: &str) -> Option<&V> {
        self.entry(scope, name).map(|entry| &entry.value)
    }

    pub(super) fn get_mut(&mut self, scope: &str, name: &str) -> Option<&mut V> {
        self.entry_mut(scope, name).map(|entry| &mut entry.value)
    }

    /// Remembers a thing as open, in place of what had its name.
    pub(super) fn insert(&mut self, scope: &Arc<str>, name: &Arc<str>, value: V) {
        self.remove(scope, name);
        let since = self.tick();
        let weight = ENTRY + scope.len() + name.len();
        self.held += weight;
        let entry = Entry {
            value,
            since,
            ended: false,
            group: None,
            weight,
        };
        self.scopes
            .entry(Arc::clone(scope))
            .or_default()
            .insert(Arc::clone(name), entry);
        self.open
            .insert(since, (Arc::clone(scope), Arc::clone(name)));
    }

    /// Says what a thing that is open ends with, and how long the texts are that it holds besides.
    pub(super) fn group(&mut self, scope: &str, name: &str, group: Key, texts: usize) {
        let Some(entry) = self.entry_mut(scope, name) else {
            return;
        };
        let weight = ENTRY + scope.len() + name.len() + texts;
        let before = std::mem::replace(&mut entry.weight, weight);
        if entry.ended {
            self.held = self.held + weight - before;
            return;
        }
        let (since, old) = (entry.since, entry.group.replace(group.clone()));
        self.held = self.held + weight - before;
        if let Some(old) = old.filter(|old| *old != group) {
            self.leave(&old, since);
        }
        self.groups.entry(group).or_default().insert(since);
    }

    /// Marks a thing as ended, once: it is then forgotten before any open one.
    pub(super) fn end(&mut self, scope: &str, name: &str) {
        let since = self.tick();
        let Some(entry) = self.entry_mut(scope, name) else {
            return;
        };
        if entry.ended {
            return;
        }
        entry.ended = true;
        let opened = std::mem::replace(&mut entry.since, since);
        if let Some(group) = entry.group.take() {
            self.leave(&group, opened);
        }
        if let Some(key) = self.open.remove(&opened) {
            self.ended.insert(since, key);
        }
    }

    /// What is open, the oldest first: scope, name and value.
    pub(super) fn open(&self) -> impl Iterator<Item = (&Arc<str>, &Arc<str>, &V)> {
        self.open.values().filter_map(|key| self.at(key))
    }

    /// What is open in a group, the oldest first.
    pub(super) fn open_in(&self, group: &Key) -> impl Iterator<Item = (&Arc<str>, &Arc<str>, &V)> {
        let places = self.groups.get(group).into_iter().flatten();
        let keys = places.filter_map(|place| self.open.get(place));
        keys.filter_map(|key| self.at(key))
    }

    /// What is open in all groups of a thread, the oldest first.
    pub(super) fn open_of(
        &self,
        thread: &Arc<str>,
    ) -> impl Iterator<Item = (&Arc<str>, &Arc<str>, &V)> {
        let first: Key = (Arc::clone(thread), Arc::from(""));
        let groups = self.groups.range(first..);
        let groups = groups.take_while(|((known, _), _)| known == thread);
        let places: BTreeSet<u64> = groups.flat_map(|(_, places)| places).copied().collect();
        places
            .into_iter()
            .filter_map(|place| self.at(self.open.get(&place)?))
    }

    /// The thing that is to be forgotten next, if there are too many: those that ended first, the
    /// longest ago before the others, and then those that are open.
    pub(super) fn excess(&self) -> Option<(Key, &V)> {
        if self.len() <= self.limit && self.held <= self.bytes {
            return None;
        }
        let oldest = self.ended.values().next();
        let key = oldest.or_else(|| self.open.values().next())?;
        Some((key.clone(), self.get(&key.0, &key.1)?))
    }

    /// Forgets a thing.
    pub(super) fn forget(&mut self, key: &Key) {
        self.remove(&key.0, &key.1);
    }

    /// Forgets everything in a scope.
    pub(super) fn forget_scope(&mut self, scope: &str) {
        self.forget_named(scope, |_| true);
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.scopes.clear();
        self.open.clear();
        self.ended.clear();
        self.groups.clear();
        self.held = 0;
    }

    /// Forgets those things in a scope whose names are such.
    pub(super) fn forget_named(&mut self, scope: &str, such: impl Fn(&str) -> bool) {
        let names = self.scopes.get(scope).into_iter().flat_map(BTreeMap::keys);
        let named: Vec<Arc<str>> = names.filter(|name| such(name)).cloned().collect();
        for name in named {
            self.remove(scope, &name);
        }
    }

    /// Forgets those things whose values are such.
    pub(super) fn forget_such(&mut self, such: impl Fn(&V) -> bool) {
        let keys = self.open.values().chain(self.ended.values());
        let keys: Vec<Key> = keys
            .filter(|(scope, name)| self.get(scope, name).is_some_and(&such))
            .cloned()
            .collect();
        for key in keys {
            self.forget(&key);
        }
    }

    /// How many things are remembered.
    pub(super) fn len(&self) -> usize {
        self.open.len() + self.ended.len()
    }

    fn at<'s>(&'s self, key: &'s Key) -> Option<(&'s Arc<str>, &'s Arc<str>, &'s V)> {
        let value = self.get(&key.0, &key.1)?;
        Some((&key.0, &key.1, value))
    }

    fn entry(&self, scope: &str, name: &str) -> Option<&Entry<V>> {
        self.scopes.get(scope)?.get(name)
    }

    fn entry_mut(&mut self, scope: &str, name: &str) -> Option<&mut Entry<V>> {
        self.scopes.get_mut(scope)?.get_mut(name)
    }

    fn remove(&mut self, scope: &str, name: &str) {
        let Some(names) = self.scopes.get_mut(scope) else {
            return;
        };
        let removed = names.remove(name);
        if names.is_empty() {
            self.scopes.remove(scope);
        }
        let Some(entry) = removed else { return };
        self.held -= entry.weight;
        if entry.ended {
            self.ended.remove(&entry.since);
        } else {
            self.open.remove(&entry.since);
        }
        if let Some(group) = entry.group {
            self.leave(&group, entry.since);
        }
    }

    fn leave(&mut self, group: &Key, since: u64) {
        if let Some(places) = self.groups.get_mut(group) {
            places.remove(&since);
            if places.is_empty() {
                self.groups.remove(group);
            }
        }
    }

    fn tick(&mut self) -> u64 {
        self.clock += 1;
        self.clock
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(text: &str) -> Arc<str> {
        Arc::from(text)
    }

    fn shrink<V>(memory: &mut Memory<V>) {
        while let Some((key, _)) = memory.excess() {
            memory.forget(&key);
        }
    }

    #[test]
    fn the_oldest_that_ended_goes_first_and_then_the_oldest() {
        let mut memory = Memory::new(3, 1 << 20);
        for name in ["a", "b", "c"] {
            memory.insert(&text("s"), &text(name), ());
        }
        memory.end("s", "c");
        memory.end("s", "b");
        memory.end("s", "c");
        let held = |memory: &Memory<()>| {
            ["a", "b", "c", "d", "e", "f"].map(|name| memory.get("s", name).is_some())
        };
        memory.insert(&text("s"), &text("d"), ());
        shrink(&mut memory);
        assert_eq!(held(&memory), [true, true, false, true, false, false]);
        memory.insert(&text("s"), &text("e"), ());
        shrink(&mut memory);
        assert_eq!(held(&memory), [true, false, false, true, true, false]);
        memory.insert(&text("s"), &text("f"), ());
        shrink(&mut memory);
        assert_eq!(held(&memory), [false, false, false, true, true, true]);
        assert_eq!(memory.len(), 3);
    }

    #[test]
    fn scopes_are_apart_and_are_forgotten_whole() {
        let mut memory = Memory::new(8, 1 << 20);
        memory.insert(&text("s"), &text("a"), 1);
        memory.insert(&text("t"), &text("a"), 2);
        memory.insert(&text("s"), &text("b"), 3);
        memory.end("s", "b");
        assert_eq!(memory.get("t", "a"), Some(&2));
        memory.forget_scope("s");
        assert_eq!(
            (memory.len(), memory.get("s", "a"), memory.get("t", "a")),
            (1, None, Some(&2))
        );
        assert!(memory.ended.is_empty());
    }

    #[test]
    fn inserting_again_replaces() {
        let mut memory = Memory::new(2, 1 << 20);
        for value in 0..10 {
            memory.insert(&text("s"), &text("a"), value);
            memory.end("s", "a");
        }
        assert_eq!((memory.len(), memory.get("s", "a")), (1, Some(&9)));
    }

    #[test]
    fn what_is_open_stands_in_its_group_until_it_ends() {
        let mut memory = Memory::new(8, 1 << 20);
        let group = |turn: &str| (text("s"), text(turn));
        for (name, turn) in [("a", "t"), ("b", "u"), ("c", "t"), ("d", "")] {
            memory.insert(&text("s"), &text(name), ());
            memory.group("s", name, group(turn), 0);
        }
        memory.group("s", "a", group("u"), 0);
        memory.end("s", "b");
        let names = |memory: &Memory<()>, turn| {
            let group = group(turn);
            let open = memory.open_in(&group);
            open.map(|(_, name, ())| name.to_string())
                .collect::<Vec<_>>()
        };
        assert_eq!(names(&memory, "t"), ["c"]);
        assert_eq!(names(&memory, "u"), ["a"]);
        let thread = text("s");
        let of = memory.open_of(&thread);
        let of: Vec<&str> = of.map(|(_, name, ())| &**name).collect();
        assert_eq!(of, ["a", "c", "d"]);
        memory.forget_scope("s");
        assert!(memory.groups.is_empty());
        assert_eq!(memory.held, 0);
    }

    #[test]
    fn it_is_bounded_by_bytes_too() {
        let mut memory = Memory::new(1_000, 10_000);
        for number in 0..100 {
            let name = text(&format!("{number}{}", "x".repeat(1_000)));
            memory.insert(&text("s"), &name, ());
            shrink(&mut memory);
            assert!(memory.held <= 10_000);
        }
        assert_eq!(memory.len(), 7);
    }
}
