//! Objects: members, what is required, what other members may be.

use std::collections::{BTreeMap, BTreeSet};

use super::Comparing;
use crate::diff::check::Check;
use crate::diff::path::Step;
use crate::diff::schema::{Document, Field, Node, Object, Rest, Shape};

impl Comparing<'_> {
    /// Compares two objects, but for the members that are skipped.
    pub(super) fn objects(
        &mut self,
        old: &Node,
        new: &Node,
        before: &Object,
        after: &Object,
        skip: &BTreeSet<String>,
    ) {
        self.rest(old, new, before, after);
        let checks = Members {
            added: Check::FieldAdded,
            removed: Check::FieldRemoved,
        };
        let (all_before, all_after) = (flat(self.old, before, 0), flat(self.new, after, 0));
        if !named_bases(before, after) {
            self.members(old, new, &all_before, &all_after, skip, &checks);
            return;
        }
        let method = std::mem::take(&mut self.method);
        for (before, after) in before.bases.iter().zip(&after.bases) {
            self.node(before, after);
        }
        self.method = method;
        // A member that went to what the object extends, or came from there, is where it was.
        let (mut own_before, mut own_after) = (own(before), own(after));
        for (name, held) in all_before {
            if own_after.contains_key(name) {
                own_before.entry(name).or_insert(held);
            }
        }
        for (name, held) in all_after {
            if own_before.contains_key(name) {
                own_after.entry(name).or_insert(held);
            }
        }
        self.members(old, new, &own_before, &own_after, skip, &checks);
    }

    /// Compares the members beside two unions; no object has no members.
    pub(super) fn common(
        &mut self,
        old: &Node,
        new: &Node,
        before: Option<&Object>,
        after: Option<&Object>,
        skip: &BTreeSet<String>,
    ) {
        let nothing = Object::default();
        let (before, after) = (before.unwrap_or(&nothing), after.unwrap_or(&nothing));
        self.rest(old, new, before, after);
        let checks = Members {
            added: Check::CommonFieldAdded,
            removed: Check::CommonFieldRemoved,
        };
        let (before, after) = (flat(self.old, before, 0), flat(self.new, after, 0));
        self.members(old, new, &before, &after, skip, &checks);
    }

    fn members(
        &mut self,
        old: &Node,
        new: &Node,
        before: &BTreeMap<&str, Held<'_>>,
        after: &BTreeMap<&str, Held<'_>>,
        skip: &BTreeSet<String>,
        checks: &Members,
    ) {
        let names: BTreeSet<&str> = before.keys().chain(after.keys()).copied().collect();
        let (mut removed, mut added) = (Vec::new(), Vec::new());
        let method = self.method;
        for name in names.into_iter().filter(|name| !skip.contains(*name)) {
            self.path.push(Step::Field(name.to_owned()));
            match (before.get(name), after.get(name)) {
                (Some(was), Some(is)) => {
                    self.keep(None);
                    self.requirement(was, is);
                    self.method = method;
                    self.node(was.node, is.node);
                }
                (Some(was), None) => {
                    removed.push((self.unit.found.len(), name));
                    let check = if was.required {
                        Check::RequiredFieldRemoved
                    } else {
                        checks.removed
                    };
                    self.found(check, Some(was.node), Some(new), |found| {
                        found.before = Some(was.node.describe())
                    });
                }
                (None, Some(is)) => {
                    added.push((self.unit.found.len(), name));
                    let check = if is.required {
                        Check::RequiredFieldAdded
                    } else {
                        checks.added
                    };
                    self.found(check, Some(old), Some(is.node), |found| {
                        found.after = Some(is.node.describe())
                    });
                }
                (None, None) => {}
            }
            self.path.pop();
        }
        self.method = false;
        self.suggest(&removed, &added, |comparing, was, is| {
            match (before.get(was), after.get(is)) {
                (Some(was), Some(is)) => {
                    was.required == is.required && comparing.alike(was.node, is.node)
                }
                _ => false,
            }
        });
    }

    fn requirement(&mut self, was: &Held<'_>, is: &Held<'_>) {
        let check = match (was.required, is.required) {
            (true, false) => Check::BecameOptional,
            (false, true) => Check::BecameRequired,
            (true, true) | (false, false) => return,
        };
        self.found(check, Some(was.node), Some(is.node), |_| {});
    }

    fn rest(&mut self, old: &Node, new: &Node, before: &Object, after: &Object) {
        let check = match (&before.rest, &after.rest) {
            (Rest::Open, Rest::Open) | (Rest::Closed, Rest::Closed) => return,
            (Rest::Of(was), Rest::Of(is)) => {
                self.below(Step::Values, |inner| inner.node(was, is));
                return;
            }
            (Rest::Open, Rest::Of(_) | Rest::Closed) | (Rest::Of(_), Rest::Closed) => {
                Check::ConstraintTightened
            }
            (Rest::Closed, Rest::Of(_) | Rest::Open) | (Rest::Of(_), Rest::Open) => {
                Check::ConstraintLoosened
            }
        };
        let text = |rest: &Rest| match rest {
            Rest::Open => "true".to_owned(),
            Rest::Closed => "false".to_owned(),
            Rest::Of(node) => node.describe(),
        };
        let (was, is) = (text(&before.rest), text(&after.rest));
        self.constraint(check, "additionalProperties", old, new, Some(was), Some(is));
    }
}

/// How members that one side lacks are called.
struct Members {
    added: Check,
    removed: Check,
}

/// A member as an object has it, be it by what it extends.
struct Held<'n> {
    node: &'n Node,
    required: bool,
}

/// Both extend as many definitions, which are compared on their own.
fn named_bases(before: &Object, after: &Object) -> bool {
    let named = |object: &Object| {
        object
            .bases
            .iter()
            .all(|base| matches!(base.shape, Shape::Ref(_)))
    };
    before.bases.len() == after.bases.len() && named(before) && named(after)
}

fn own(object: &Object) -> BTreeMap<&str, Held<'_>> {
    let held = object
        .fields
        .iter()
        .map(|(name, field)| (name.as_str(), held(field)));
    held.collect()
}

fn held(field: &Field) -> Held<'_> {
    Held {
        node: &field.node,
        required: field.required,
    }
}

/// The members with those of all that the object extends; its own come first.
fn flat<'n>(
    document: &'n Document,
    object: &'n Object,
    depth: usize,
) -> BTreeMap<&'n str, Held<'n>> {
    let mut members = own(object);
    // Objects that extend each other in a circle add nothing more.
    if depth > 16 {
        return members;
    }
    for base in &object.bases {
        if let Shape::Object(inner) = &document.follow(base).0.shape {
            for (name, more) in flat(document, inner, depth + 1) {
                let known = members.entry(name).or_insert(Held {
                    node: more.node,
                    required: more.required,
                });
                known.required |= more.required;
                // A member that is only named as required is declared elsewhere.
                if known.node.at.ends_with("/required") {
                    known.node = more.node;
                }
            }
        }
    }
    members
}
