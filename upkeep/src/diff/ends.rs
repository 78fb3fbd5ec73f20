//! What no surface reaches, in neither version.

use std::collections::BTreeSet;

use super::schema::{Document, Node};

/// What the walk began with, to know what no surface reaches.
#[derive(Default)]
pub struct Ends {
    old: BTreeSet<String>,
    new: BTreeSet<String>,
}

/// Definitions that no surface reaches.
pub struct Free {
    /// Of both versions.
    pub both: Vec<String>,
    /// Of the old version only.
    pub old: Vec<String>,
    /// Of the new version only.
    pub new: Vec<String>,
}

impl Ends {
    /// A definition that both begin with, where they have it.
    pub fn begin(&mut self, name: &str) {
        self.old.insert(name.to_owned());
        self.new.insert(name.to_owned());
    }

    /// What the results of one version refer to.
    pub fn also(&mut self, node: &Node, newer: bool) {
        let mut names = BTreeSet::new();
        node.references(&mut names);
        let side = if newer { &mut self.new } else { &mut self.old };
        side.extend(names.into_iter().map(str::to_owned));
    }

    /// What is never reached, and what is in either version.
    pub fn free(&self, old: &Document, new: &Document) -> (Free, BTreeSet<String>) {
        let (before, after) = (closure(old, &self.old), closure(new, &self.new));
        let names: BTreeSet<&String> = old
            .definitions
            .keys()
            .chain(new.definitions.keys())
            .collect();
        let mut free = Free {
            both: Vec::new(),
            old: Vec::new(),
            new: Vec::new(),
        };
        for name in names {
            let (was, is) = (
                old.definitions.contains_key(name),
                new.definitions.contains_key(name),
            );
            let (reached, reaches) = (
                before.contains(name.as_str()),
                after.contains(name.as_str()),
            );
            match (was, is) {
                (true, true) if !reached && !reaches => free.both.push(name.clone()),
                (true, false) if !reached => free.old.push(name.clone()),
                (false, true) if !reaches => free.new.push(name.clone()),
                _ => {}
            }
        }
        let reached = before.into_iter().chain(after).map(str::to_owned).collect();
        (free, reached)
    }
}

/// Everything that some definitions refer to, at any depth.
fn closure<'a>(document: &'a Document, starts: &'a BTreeSet<String>) -> BTreeSet<&'a str> {
    let mut reached = BTreeSet::new();
    let mut open: Vec<&str> = starts.iter().map(String::as_str).collect();
    while let Some(name) = open.pop() {
        let Some(node) = document
            .definitions
            .get(name)
            .filter(|_| reached.insert(name))
        else {
            continue;
        };
        let mut names = BTreeSet::new();
        node.references(&mut names);
        open.extend(names);
    }
    reached
}
