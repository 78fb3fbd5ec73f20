//! What the ledger remembers of one kind of thing: bounded, the oldest that ended goes first.

use std::collections::BTreeMap;
use std::sync::Arc;

/// A bounded map from a scope and a name in it to a value.
///
/// Every operation costs the logarithm of the size. The two queues hold the names in the order in
/// which they came (`open`) or ended (`ended`), so that the one to forget is always at hand.
#[derive(Debug)]
pub(super) struct Memory<V> {
    limit: usize,
    clock: u64,
    scopes: BTreeMap<Arc<str>, BTreeMap<Arc<str>, Entry<V>>>,
    open: BTreeMap<u64, Key>,
    ended: BTreeMap<u64, Key>,
}

type Key = (Arc<str>, Arc<str>);

#[derive(Debug)]
struct Entry<V> {
    value: V,
    since: u64,
    ended: bool,
}

impl<V> Memory<V> {
    /// An empty memory that holds at least one thing and at most so many.
    pub(super) fn new(limit: usize) -> Self {
        Self {
            limit: limit.max(1),
            clock: 0,
            scopes: BTreeMap::new(),
            open: BTreeMap::new(),
            ended: BTreeMap::new(),
        }
    }

    pub(super) fn get(&self, scope: &str, name: &str) -> Option<&V> {
        self.scopes.get(scope)?.get(name).map(|entry| &entry.value)
    }

    pub(super) fn get_mut(&mut self, scope: &str, name: &str) -> Option<&mut V> {
        self.scopes
            .get_mut(scope)?
            .get_mut(name)
            .map(|entry| &mut entry.value)
    }

    /// Remembers a thing as open, in place of what had its name.
    pub(super) fn insert(&mut self, scope: &Arc<str>, name: &Arc<str>, value: V) {
        self.remove(scope, name);
        while self.len() >= self.limit {
            let oldest = self.ended.pop_first().or_else(|| self.open.pop_first());
            let Some((_, (scope, name))) = oldest else {
                break;
            };
            self.remove(&scope, &name);
        }
        let since = self.tick();
        let entry = Entry {
            value,
            since,
            ended: false,
        };
        self.scopes
            .entry(Arc::clone(scope))
            .or_default()
            .insert(Arc::clone(name), entry);
        self.open
            .insert(since, (Arc::clone(scope), Arc::clone(name)));
    }

    /// Marks a thing as ended, once: it is then forgotten before any open one.
    pub(super) fn end(&mut self, scope: &str, name: &str) {
        let since = self.tick();
        let Some(entry) = self
            .scopes
            .get_mut(scope)
            .and_then(|names| names.get_mut(name))
        else {
            return;
        };
        if entry.ended {
            return;
        }
        entry.ended = true;
        let opened = std::mem::replace(&mut entry.since, since);
        if let Some(key) = self.open.remove(&opened) {
            self.ended.insert(since, key);
        }
    }

    /// What is open, the oldest first: scope, name and value.
    pub(super) fn open(&self) -> impl Iterator<Item = (&Arc<str>, &Arc<str>, &V)> {
        self.open.values().filter_map(|(scope, name)| {
            let value = self.get(scope, name)?;
            Some((scope, name, value))
        })
    }

    /// Forgets everything in a scope.
    pub(super) fn forget_scope(&mut self, scope: &str) {
        for entry in self.scopes.remove(scope).unwrap_or_default().into_values() {
            self.queue(entry.ended).remove(&entry.since);
        }
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.scopes.clear();
        self.open.clear();
        self.ended.clear();
    }

    /// Forgets those things in a scope whose names are such.
    pub(super) fn forget_named(&mut self, scope: &str, such: impl Fn(&str) -> bool) {
        let names = self.scopes.get(scope).into_iter().flat_map(BTreeMap::keys);
        let named: Vec<Arc<str>> = names.filter(|name| such(name)).cloned().collect();
        for name in named {
            self.remove(scope, &name);
        }
    }

    /// How many things are remembered.
    pub(super) fn len(&self) -> usize {
        self.open.len() + self.ended.len()
    }

    fn remove(&mut self, scope: &str, name: &str) {
        let Some(names) = self.scopes.get_mut(scope) else {
            return;
        };
        let removed = names.remove(name);
        if names.is_empty() {
            self.scopes.remove(scope);
        }
        if let Some(entry) = removed {
            self.queue(entry.ended).remove(&entry.since);
        }
    }

    fn queue(&mut self, ended: bool) -> &mut BTreeMap<u64, Key> {
        if ended {
            &mut self.ended
        } else {
            &mut self.open
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

    #[test]
    fn the_oldest_that_ended_goes_first_and_then_the_oldest() {
        let mut memory = Memory::new(3);
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
        assert_eq!(held(&memory), [true, true, false, true, false, false]);
        memory.insert(&text("s"), &text("e"), ());
        assert_eq!(held(&memory), [true, false, false, true, true, false]);
        memory.insert(&text("s"), &text("f"), ());
        assert_eq!(held(&memory), [false, false, false, true, true, true]);
        assert_eq!(memory.len(), 3);
    }

    #[test]
    fn scopes_are_apart_and_are_forgotten_whole() {
        let mut memory = Memory::new(8);
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
        let mut memory = Memory::new(2);
        for value in 0..10 {
            memory.insert(&text("s"), &text("a"), value);
            memory.end("s", "a");
        }
        assert_eq!((memory.len(), memory.get("s", "a")), (1, Some(&9)));
    }
}
