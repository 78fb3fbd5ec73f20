//! A map that remembers a bounded number of things: a peer that never ends any must not fill the
//! memory.

use std::collections::BTreeMap;

/// Values by key; past the limit the oldest is forgotten first.
#[derive(Clone, Debug)]
pub(crate) struct Remembered<K, V> {
    /// Each with its place in the order.
    values: BTreeMap<K, (u64, V)>,
    order: BTreeMap<u64, K>,
    inserted: u64,
    limit: usize,
}

impl<K: Ord + Clone, V> Remembered<K, V> {
    /// With room for this many.
    pub fn new(limit: usize) -> Self {
        Self {
            values: BTreeMap::new(),
            order: BTreeMap::new(),
            inserted: 0,
            limit,
        }
    }

    /// Remembers a value; one with the same key is replaced, and keeps its place.
    pub fn insert(&mut self, key: K, value: V) {
        if let Some((_, known)) = self.values.get_mut(&key) {
            *known = value;
            return;
        }
        self.inserted += 1;
        self.order.insert(self.inserted, key.clone());
        self.values.insert(key, (self.inserted, value));
        while self.values.len() > self.limit
            && let Some((_, oldest)) = self.order.pop_first()
        {
            self.values.remove(&oldest);
        }
    }

    /// The value of a key.
    pub fn get(&self, key: &K) -> Option<&V> {
        self.values.get(key).map(|(_, value)| value)
    }

    /// The value of a key, to be changed.
    pub fn get_mut(&mut self, key: &K) -> Option<&mut V> {
        self.values.get_mut(key).map(|(_, value)| value)
    }

    /// Forgets the values that are not such.
    pub fn retain(&mut self, such: impl Fn(&V) -> bool) {
        let order = &mut self.order;
        self.values.retain(|_, (place, value)| {
            let stays = such(value);
            if !stays {
                order.remove(place);
            }
            stays
        });
    }

    /// Forgets a key.
    pub fn remove(&mut self, key: &K) -> Option<V> {
        let (place, value) = self.values.remove(key)?;
        self.order.remove(&place);
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
        memory.retain(|value| *value == 4);
        memory.insert("e", 6);
        assert_eq!((memory.get(&"c"), memory.get(&"d")), (Some(&4), None));
        assert_eq!((memory.get(&"e"), memory.order.len()), (Some(&6), 2));
    }
}
