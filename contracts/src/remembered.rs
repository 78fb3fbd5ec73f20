//! A map that remembers a bounded number of things: a peer that never ends any must not fill the
//! memory.

use std::collections::{BTreeMap, VecDeque};

/// Values by key; past the limit the oldest is forgotten first.
#[derive(Clone, Debug)]
pub(crate) struct Remembered<K, V> {
    values: BTreeMap<K, V>,
    order: VecDeque<K>,
    limit: usize,
}

impl<K: Ord + Clone, V> Remembered<K, V> {
    /// With room for this many.
    pub fn new(limit: usize) -> Self {
        Self {
            values: BTreeMap::new(),
            order: VecDeque::new(),
            limit,
        }
    }

    /// Remembers a value; one with the same key is replaced.
    pub fn insert(&mut self, key: K, value: V) {
        if self.values.insert(key.clone(), value).is_none() {
            self.order.push_back(key);
        }
        while self.values.len() > self.limit
            && let Some(oldest) = self.order.pop_front()
        {
            self.values.remove(&oldest);
        }
    }

    /// The value of a key.
    pub fn get(&self, key: &K) -> Option<&V> {
        self.values.get(key)
    }

    /// The value of a key, to be changed.
    pub fn get_mut(&mut self, key: &K) -> Option<&mut V> {
        self.values.get_mut(key)
    }

    /// Forgets a key.
    pub fn remove(&mut self, key: &K) -> Option<V> {
        let value = self.values.remove(key)?;
        self.order.retain(|known| known != key);
        Some(value)
    }
}

#[cfg(test)]
mod tests {
    use super::Remembered;

    #[test]
    fn the_oldest_is_forgotten_first() {
        let mut memory = Remembered::new(2);
        memory.insert("a", 1);
        memory.insert("b", 2);
        memory.insert("a", 3);
        memory.insert("c", 4);
        assert_eq!(memory.get(&"a"), None);
        assert_eq!(memory.remove(&"b"), Some(2));
        memory.insert("d", 5);
        assert_eq!((memory.get(&"c"), memory.get(&"d")), (Some(&4), Some(&5)));
    }
}
