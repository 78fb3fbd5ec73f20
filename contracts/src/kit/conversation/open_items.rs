//! The items that are open, in the order in which they were started: a turn that ends closes them.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::canonical::ItemType;

use super::turns::Scope;

/// How many are remembered; past it the oldest are forgotten.
const REMEMBERED: usize = 16_384;

/// How deep agents may start agents.
const DEPTH: usize = 64;

/// The open items.
#[derive(Debug, Default)]
pub(crate) struct OpenItems {
    started: u64,
    items: BTreeMap<u64, OpenItem>,
    places: BTreeMap<Arc<str>, u64>,
    /// Those of agents, by the calls that started them: every result of a call asks.
    of_agents: BTreeMap<Arc<str>, BTreeSet<u64>>,
}

/// An item that is open.
#[derive(Clone, Debug)]
pub(crate) struct OpenItem {
    /// Its id.
    pub item: Arc<str>,
    /// What it is.
    pub item_type: ItemType,
    /// Where it belongs.
    pub scope: Option<Scope>,
    /// The call that started the agent that it belongs to.
    pub parent: Option<Arc<str>>,
}

impl OpenItems {
    /// An item is started.
    pub fn insert(&mut self, item: OpenItem) {
        self.remove(&item.item);
        self.started += 1;
        self.places.insert(Arc::clone(&item.item), self.started);
        if let Some(parent) = &item.parent {
            let of_agent = self.of_agents.entry(Arc::clone(parent)).or_default();
            of_agent.insert(self.started);
        }
        self.items.insert(self.started, item);
        while self.items.len() > REMEMBERED
            && let Some((_, oldest)) = self.items.first_key_value()
        {
            let oldest = Arc::clone(&oldest.item);
            self.remove(&oldest);
        }
    }

    /// An item ended.
    pub fn remove(&mut self, item: &str) -> Option<OpenItem> {
        let place = self.places.remove(item)?;
        let removed = self.items.remove(&place)?;
        if let Some(parent) = &removed.parent
            && let Some(of_agent) = self.of_agents.get_mut(parent)
        {
            of_agent.remove(&place);
            if of_agent.is_empty() {
                self.of_agents.remove(parent);
            }
        }
        Some(removed)
    }

    /// Takes the items that end with a turn: those of it, but not those of agents that go on in
    /// the background, since the call that started them has its result.
    pub fn take_of_turn(&mut self, scope: &Scope) -> Vec<OpenItem> {
        let of_turn = self.items.values().filter(|item| {
            item.scope.as_ref() == Some(scope) && self.in_foreground(item.parent.as_ref())
        });
        let ended: Vec<OpenItem> = of_turn.cloned().collect();
        for item in &ended {
            self.remove(&item.item);
        }
        ended
    }

    /// The items of a turn that are still open: after its end, those that go on in the background.
    pub fn of_turn<'s>(&'s self, scope: &'s Scope) -> impl Iterator<Item = &'s Arc<str>> {
        let items = self.items.values();
        let of_turn = items.filter(move |item| item.scope.as_ref() == Some(scope));
        of_turn.map(|item| &item.item)
    }

    /// Takes the items of an agent that ended.
    pub fn take_of_agent(&mut self, call: &str) -> Vec<OpenItem> {
        let places = self.of_agents.get(call).into_iter().flatten();
        let of_agent = places.filter_map(|place| self.items.get(place));
        let ended: Vec<OpenItem> = of_agent.cloned().collect();
        for item in &ended {
            self.remove(&item.item);
        }
        ended
    }

    fn get(&self, item: &str) -> Option<&OpenItem> {
        self.items.get(self.places.get(item)?)
    }

    fn in_foreground<'s>(&'s self, mut parent: Option<&'s Arc<str>>) -> bool {
        for _ in 0..DEPTH {
            let Some(call) = parent else { return true };
            let Some(item) = self.get(call) else {
                return false;
            };
            parent = item.parent.as_ref();
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scope(turn: &str) -> Scope {
        Scope {
            thread: Arc::from("t"),
            turn: Arc::from(turn),
        }
    }

    fn open(item: &str, turn: &str, parent: Option<&str>) -> OpenItem {
        OpenItem {
            item: Arc::from(item),
            item_type: ItemType::Unknown,
            scope: Some(scope(turn)),
            parent: parent.map(Arc::from),
        }
    }

    fn names(items: &[OpenItem]) -> Vec<&str> {
        items.iter().map(|item| &*item.item).collect()
    }

    #[test]
    fn a_turn_ends_its_items_but_not_those_of_agents_in_the_background() {
        let mut items = OpenItems::default();
        for (item, turn, parent) in [
            ("text", "1", None),
            ("near", "1", None),
            ("far", "1", None),
            ("of near", "1", Some("near")),
            ("of far", "1", Some("far")),
            ("deeper", "1", Some("of far")),
            ("later", "2", None),
        ] {
            items.insert(open(item, turn, parent));
        }
        items.remove("far");
        assert_eq!(
            names(&items.take_of_turn(&scope("1"))),
            ["text", "near", "of near"]
        );
        assert!(items.take_of_turn(&scope("1")).is_empty());
        assert_eq!(names(&items.take_of_agent("far")), ["of far"]);
        assert_eq!(names(&items.take_of_turn(&scope("2"))), ["later"]);
    }

    #[test]
    fn calls_that_name_each_other_end() {
        let mut items = OpenItems::default();
        items.insert(open("a", "1", Some("b")));
        items.insert(open("b", "1", Some("a")));
        assert!(items.take_of_turn(&scope("1")).is_empty());
    }
}
