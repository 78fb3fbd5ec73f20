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
        let checks = Members {
            added: Check::FieldAdded,
            removed: Check::FieldRemoved,
        };
        self.extended(old, new, before, after, skip, &checks);
    }

    /// Compares what two objects extend: a definition that both extend is compared on its own, and so
    /// is what stands in the place of another one. What is left has members that count as their own.
    fn bases<'n>(
        &mut self,
        old: &Node,
        new: &Node,
        before: &'n Object,
        after: &'n Object,
    ) -> Left<'n> {
        let method = std::mem::take(&mut self.method);
        let mut left = Left {
            before: before.bases.iter().collect(),
            after: after.bases.iter().collect(),
        };
        let named = |base: &Node| base.shape.reference().is_some();
        let same =
            |was: &Node, is: &Node| named(was) && was.shape.reference() == is.shape.reference();
        for (was, is) in left.take(&mut |was, is| same(was, is)) {
            self.node(was, is);
        }
        // One definition more or less tells which is new; as many of both are exchanged one by one.
        let count = |list: &[&Node]| list.iter().filter(|base| named(base)).count();
        if count(&left.before) == count(&left.after) {
            for (was, is) in left.take(&mut |was, is| named(was) && named(is)) {
                self.node(was, is);
            }
        }
        let (olds, news) = (self.old, self.new);
        let is_object = |document: &Document, base: &Node| {
            matches!(document.follow(base).0.shape, Shape::Object(_))
        };
        for (was, is) in left.take(&mut |was, is| !is_object(olds, was) && !is_object(news, is)) {
            self.node(was, is);
        }
        // The members of objects count as the own ones; what else these say does not.
        let mut alone = Left {
            before: left.before.clone(),
            after: left.after.clone(),
        };
        for (was, is) in alone.take(&mut |was, is| is_object(olds, was) && is_object(news, is)) {
            let (was, is) = (olds.follow(was).0, news.follow(is).0);
            if let (Shape::Object(one), Shape::Object(other)) = (&was.shape, &is.shape) {
                self.limits(was, is);
                self.rest(was, is, one, other);
            }
        }
        for base in alone.before.iter().filter(|base| says_more(olds, base)) {
            let said = Some(base.describe());
            self.constraint(Check::ConstraintLoosened, "allOf", base, new, said, None);
        }
        for base in alone.after.iter().filter(|base| says_more(news, base)) {
            let said = Some(base.describe());
            self.constraint(Check::ConstraintTightened, "allOf", old, base, None, said);
        }
        self.method = method;
        left
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
        let checks = Members {
            added: Check::CommonFieldAdded,
            removed: Check::CommonFieldRemoved,
        };
        self.extended(old, new, before, after, skip, &checks);
    }

    /// Compares the members of two objects, and what they extend.
    fn extended(
        &mut self,
        old: &Node,
        new: &Node,
        before: &Object,
        after: &Object,
        skip: &BTreeSet<String>,
        checks: &Members,
    ) {
        self.rest(old, new, before, after);
        let bases = self.bases(old, new, before, after);
        let own_before = members_of(self.old, before, &bases.before);
        let own_after = members_of(self.new, after, &bases.after);
        // A member that went to what the object extends, or came from there, is where it was.
        let all_before = flat(self.old, before, 0);
        let all_after = flat(self.new, after, 0);
        let (named_before, named_after) = (names(&own_before), names(&own_after));
        let own_before = and(own_before, all_before, &named_after);
        let own_after = and(own_after, all_after, &named_before);
        self.members(old, new, &own_before, &own_after, skip, checks);
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
                    self.required(was.required, is.required, was.node, is.node);
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

    /// Whether a member must be there.
    pub(super) fn required(&mut self, before: bool, after: bool, was: &Node, is: &Node) {
        let check = match (before, after) {
            (true, false) => Check::BecameOptional,
            (false, true) => Check::BecameRequired,
            (true, true) | (false, false) => return,
        };
        self.found(check, Some(was), Some(is), |_| {});
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

/// What two objects extend that was not compared yet.
struct Left<'n> {
    before: Vec<&'n Node>,
    after: Vec<&'n Node>,
}

impl<'n> Left<'n> {
    /// Takes out what belongs together, each at most once.
    fn take(
        &mut self,
        together: &mut dyn FnMut(&Node, &Node) -> bool,
    ) -> Vec<(&'n Node, &'n Node)> {
        let mut pairs = Vec::new();
        self.before.retain(|was| {
            let Some(place) = self.after.iter().position(|is| together(was, is)) else {
                return true;
            };
            pairs.push((*was, self.after.remove(place)));
            false
        });
        pairs
    }
}

/// Whether a base limits more than the members that it names.
fn says_more(document: &Document, base: &Node) -> bool {
    let base = document.follow(base).0;
    match &base.shape {
        Shape::Object(object) => !base.limits.is_empty() || !matches!(object.rest, Rest::Open),
        Shape::Any
        | Shape::Never
        | Shape::Scalar(_)
        | Shape::Enum(_)
        | Shape::List(_)
        | Shape::Tuple(_)
        | Shape::Union(_)
        | Shape::Ref(_) => true,
    }
}

/// The members of an object with those of some of what it extends.
fn members_of<'n>(
    document: &'n Document,
    object: &'n Object,
    bases: &[&'n Node],
) -> BTreeMap<&'n str, Held<'n>> {
    let mut members = own(object);
    for base in bases {
        extend(document, &mut members, base, 0);
    }
    members
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

fn names(members: &BTreeMap<&str, Held<'_>>) -> BTreeSet<String> {
    members.keys().map(|name| (*name).to_owned()).collect()
}

/// Some members, and those of all that are named.
fn and<'n>(
    some: BTreeMap<&'n str, Held<'n>>,
    all: BTreeMap<&'n str, Held<'n>>,
    named: &BTreeSet<String>,
) -> BTreeMap<&'n str, Held<'n>> {
    let more = all.into_iter().filter(|(name, _)| named.contains(*name));
    more.chain(some).collect()
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
        extend(document, &mut members, base, depth);
    }
    members
}

/// Adds the members of a base.
fn extend<'n>(
    document: &'n Document,
    members: &mut BTreeMap<&'n str, Held<'n>>,
    base: &'n Node,
    depth: usize,
) {
    let Shape::Object(inner) = &document.follow(base).0.shape else {
        return;
    };
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
