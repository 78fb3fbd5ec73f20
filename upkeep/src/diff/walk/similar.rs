//! What may be a rename: the same shape under a near name. It is suggested, never assumed.

use std::collections::BTreeSet;

use agentwire_codegen::names::nearest;

use super::{Comparing, Pair};
use crate::diff::check::Check;
use crate::diff::schema::Node;

impl Comparing<'_> {
    /// Links what was removed with what was added where the names are near and the shapes alike.
    /// Both lists have the position of the finding and the name.
    pub(super) fn suggest(
        &mut self,
        removed: &[(usize, &str)],
        added: &[(usize, &str)],
        alike: impl Fn(&Self, &str, &str) -> bool,
    ) {
        // Whether two schemas are alike is known without suggestions.
        if self.scratch {
            return;
        }
        let mut free: Vec<(usize, &str)> = added.to_vec();
        for (was, name) in removed {
            let likely = free
                .iter()
                .map(|(_, name)| *name)
                .filter(|other| alike(self, name, other));
            let Some(other) = nearest(name, likely.collect::<Vec<_>>()) else {
                continue;
            };
            let Some(place) = free.iter().position(|(_, name)| *name == other) else {
                continue;
            };
            let (is, _) = free.remove(place);
            self.link(*was, is);
        }
    }

    /// The same for listed values, which have no shape: only where one was exchanged for another, or
    /// where the spelling is all that differs.
    pub(super) fn suggest_values(&mut self, removed: &[(usize, &str)], added: &[(usize, &str)]) {
        let exchanged = removed.len() == 1 && added.len() == 1;
        self.suggest(removed, added, |_, was, is| {
            exchanged || letters(was) == letters(is)
        });
    }

    fn link(&mut self, was: usize, is: usize) {
        let key = |found: &super::Found| (found.check, found.path.clone(), found.subject.clone());
        let (Some(old), Some(new)) = (
            self.unit.found.get(was).map(key),
            self.unit.found.get(is).map(key),
        ) else {
            return;
        };
        if let Some(found) = self.unit.found.get_mut(was) {
            found.renamed = Some(new);
        }
        if let Some(found) = self.unit.found.get_mut(is) {
            found.renamed = Some(old);
        }
    }

    /// Whether two schemas have the same shape, whatever their definitions are called.
    pub(super) fn alike(&self, old: &Node, new: &Node) -> bool {
        self.alike_by(&mut BTreeSet::new(), &mut |inner| inner.node(old, new))
    }

    /// Whether a comparison finds nothing but other names of definitions.
    pub(super) fn alike_by(
        &self,
        seen: &mut BTreeSet<Pair>,
        run: &mut dyn FnMut(&mut Self),
    ) -> bool {
        let mut scratch = Comparing::new(self.old, self.new);
        scratch.scratch = true;
        run(&mut scratch);
        let names_only = scratch.unit.found.iter().all(|found| {
            let named = matches!(
                found.check,
                Check::Retargeted | Check::MethodParamsChanged | Check::MethodResultChanged
            );
            named && found.inside.is_some() && found.nested.is_empty()
        });
        names_only
            && scratch.unit.edges.iter().all(|edge| {
                // A definition that both have under this name is compared on its own.
                if edge.to.0 == edge.to.1 || !seen.insert(edge.to.clone()) {
                    return true;
                }
                let nodes = self
                    .old
                    .definitions
                    .get(&edge.to.0)
                    .zip(self.new.definitions.get(&edge.to.1));
                nodes.is_some_and(|(old, new)| {
                    self.alike_by(seen, &mut |inner| inner.node(old, new))
                })
            })
    }
}

/// A name without what separates its words.
fn letters(name: &str) -> String {
    let letters = name.chars().filter(|letter| letter.is_alphanumeric());
    letters.flat_map(char::to_lowercase).collect()
}
