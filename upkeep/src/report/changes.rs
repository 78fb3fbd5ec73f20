//! The changes between any two versions, each told once: most of what differs between an old version
//! and the newest differs between others, too.

use std::collections::{BTreeMap, BTreeSet};

use super::model::Compared;
use crate::diff::{Change, Class};

/// A change, with the pairs of versions between which it is found.
pub struct Shared<'c> {
    /// One of the changes that say the same.
    pub change: &'c Change,
    /// Who shows it: `sends codex.eventmsg at item.status`, and others without their places.
    pub surfaces: Vec<String>,
    /// The pairs, by their place.
    pub pairs: BTreeSet<usize>,
}

/// All changes of a provider, the worst first.
pub fn shared(compared: &Compared) -> Vec<Shared<'_>> {
    type Key<'c> = (
        Class,
        &'c str,
        &'c str,
        &'c str,
        Vec<String>,
        Vec<String>,
        &'c [String],
    );
    let mut found: BTreeMap<Key<'_>, Shared<'_>> = BTreeMap::new();
    for (place, pair) in compared.pairs.iter().enumerate() {
        for change in pair.diff.iter().flat_map(|diff| &diff.changes) {
            let surfaces = surfaces(change);
            let key = (
                change.class,
                change.definition.as_str(),
                change.path.as_str(),
                change.message.as_str(),
                surfaces.clone(),
                change.faces.clone(),
                change.details.as_slice(),
            );
            let shared = found.entry(key).or_insert_with(|| Shared {
                change,
                surfaces,
                pairs: BTreeSet::new(),
            });
            shared.pairs.insert(place);
        }
    }
    found.into_values().collect()
}

/// Where a change is seen; the place on the wire for the first, which it means most to.
fn surfaces(change: &Change) -> Vec<String> {
    let mut reached: Vec<_> = change.reached.iter().collect();
    reached.sort_by_key(|it| (it.class, it.direction, &it.surface, &it.path));
    let mut told: Vec<String> = Vec::new();
    for it in reached {
        let mut text = format!("{} {}", it.direction, it.surface);
        if told.is_empty() && !it.path.is_empty() {
            text += &format!(" at {}", it.path);
        }
        if !told
            .iter()
            .any(|known| *known == text || known.starts_with(&format!("{text} at ")))
        {
            told.push(text);
        }
    }
    told
}
