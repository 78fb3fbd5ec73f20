//! Unions: variants by their keys, what picks them, members beside them.

use std::collections::BTreeSet;

use super::types::tags;
use super::{Comparing, Found};
use crate::diff::check::Check;
use crate::diff::keyed::{Arm, Form, Keyed, keyed};
use crate::diff::path::{EVERY, Step};
use crate::diff::schema::{Node, Shape, Union};

/// From how many variants on the same change in each of them is one change.
const MANY: usize = 3;

impl Comparing<'_> {
    /// Compares two unions.
    pub(super) fn unions(&mut self, old: &Node, new: &Node, before: &Union, after: &Union) {
        self.limits(old, new);
        self.variants(old, new, before, after, &BTreeSet::new());
    }

    /// The same, but for the members that are skipped.
    fn variants(
        &mut self,
        old: &Node,
        new: &Node,
        before: &Union,
        after: &Union,
        skip: &BTreeSet<String>,
    ) {
        let first = keyed(self.old, before, &[]);
        let is = keyed(self.new, after, tags(&first.form));
        let was = keyed(self.old, before, tags(&is.form));
        let mut skip = skip.clone();
        skip.extend(tags(&was.form).iter().cloned());
        skip.extend(tags(&is.form).iter().cloned());
        let common = (before.common.as_ref(), after.common.as_ref());
        self.common(old, new, common.0, common.1, &skip);
        self.arms(old, new, &was, &is);
    }

    /// Compares the variants of two unions.
    pub(super) fn arms(&mut self, old: &Node, new: &Node, was: &Keyed<'_>, is: &Keyed<'_>) {
        self.forms(old, new, &was.form, &is.form);
        let one_form = tags(&was.form) == tags(&is.form);
        let mut skip: BTreeSet<String> = tags(&was.form).iter().cloned().collect();
        skip.extend(tags(&is.form).iter().cloned());
        let paired = pair(self, was, is, one_form, &skip);
        // Two unions that are told apart in other ways and share nothing are two types.
        let untagged = tags(&was.form).is_empty() && tags(&is.form).is_empty();
        let other = was.form != is.form || was.form == Form::Untagged;
        let lists = !paired.removed.is_empty() && !paired.added.is_empty();
        if untagged && other && lists && paired.both.is_empty() {
            return self.types(Check::TypeChanged, old, new);
        }
        let method = one_form && tags(&is.form) == ["method"];
        let mut seen = BTreeSet::new();
        let mut runs = Vec::new();
        for (key, before, after) in &paired.both {
            self.path.push(Step::Variant(key.clone()));
            self.keep(None);
            if let (Arm::Node(before), Arm::Node(after)) = (before, after)
                // A variant with several tags is compared once.
                && seen.insert((std::ptr::from_ref::<Node>(before), std::ptr::from_ref::<Node>(after)))
            {
                let start = self.unit.found.len();
                self.method = method;
                self.arm(before, after, &skip);
                self.method = false;
                self.tag_requirement(before, after, &was.form, &is.form);
                runs.push(start..self.unit.found.len());
            }
            self.path.pop();
        }
        self.gather(&runs);
        let (mut removed, mut added) = (Vec::new(), Vec::new());
        for (key, arm) in &paired.removed {
            removed.push((self.unit.found.len(), key.as_str()));
            self.variant(Check::VariantRemoved, key, Some(arm.at()), Some(&new.at));
        }
        for (key, arm) in &paired.added {
            added.push((self.unit.found.len(), key.as_str()));
            self.variant(Check::VariantAdded, key, Some(&old.at), Some(arm.at()));
        }
        self.opening(was.rest.is_some(), is.rest.is_some(), old, new);
        if let (Some(before), Some(after)) = (was.rest, is.rest) {
            self.below(Step::Variant("…".to_owned()), |inner| {
                inner.arm(before, after, &skip)
            });
        }
        self.suggest(&removed, &added, |comparing, was_key, is_key| {
            let before = paired.removed.iter().find(|(key, _)| key == was_key);
            let after = paired.added.iter().find(|(key, _)| key == is_key);
            match (before, after) {
                (Some((_, Arm::Node(before))), Some((_, Arm::Node(after)))) => {
                    comparing.alike_by(&mut BTreeSet::new(), &mut |inner| {
                        inner.method = method;
                        inner.arm(before, after, &skip);
                    })
                }
                (Some((_, Arm::Value(_))), Some((_, Arm::Value(_)))) => true,
                _ => false,
            }
        });
    }

    /// What picks the variants.
    fn forms(&mut self, old: &Node, new: &Node, was: &Form, is: &Form) {
        let certain = |form: &Form| matches!(form, Form::Tagged { certain: true, .. });
        let check = match (certain(was), certain(is)) {
            (true, true) if tags(was) != tags(is) => Check::UnionTagChanged,
            (false, true) => Check::UnionTagged,
            (true, false) => Check::UnionUntagged,
            (true, true) | (false, false) => return,
        };
        self.found(check, Some(old), Some(new), |found| {
            found.before = Some(form_text(was));
            found.after = Some(form_text(is));
        });
    }

    /// Compares a variant, but for its tags: they are its key.
    fn arm(&mut self, before: &Node, after: &Node, skip: &BTreeSet<String>) {
        let named = |node: &Node| matches!(node.shape, Shape::Ref(_));
        // Two definitions are compared on their own; one that was written out in place is not.
        let (before, after) = if named(before) && named(after) {
            (before, after)
        } else {
            (self.old.follow(before).0, self.new.follow(after).0)
        };
        match (&before.shape, &after.shape) {
            (Shape::Object(was), Shape::Object(is)) => {
                self.around(before, after);
                self.objects(before, after, was, is, skip);
                self.limits_of_variant(before, after);
            }
            // A variant may be a union itself, with the tag beside it.
            (Shape::Union(was), Shape::Union(is)) => {
                self.method = false;
                self.around(before, after);
                self.limits_of_variant(before, after);
                self.variants(before, after, was, is, skip);
            }
            _ => {
                self.method = false;
                self.node(before, after);
            }
        }
    }

    /// Whether a tag must be there, where that is not told of the whole union.
    fn tag_requirement(&mut self, before: &Node, after: &Node, was: &Form, is: &Form) {
        let told = [was, is]
            .into_iter()
            .any(|form| matches!(form, Form::Tagged { certain: true, .. }));
        let (Shape::Object(old), Shape::Object(new)) = (&before.shape, &after.shape) else {
            return;
        };
        if told || tags(was) != tags(is) {
            return;
        }
        for tag in tags(is) {
            if let (Some(was), Some(is)) = (old.fields.get(tag), new.fields.get(tag)) {
                self.below(Step::Field(tag.clone()), |inner| {
                    inner.required(was.required, is.required, &was.node, &is.node);
                });
            }
        }
    }

    /// What the catch-all excludes follows from the other variants.
    fn limits_of_variant(&mut self, before: &Node, after: &Node) {
        let without = |node: &Node| {
            let mut bare = Node::new(&node.at, Shape::Any);
            bare.limits.clone_from(&node.limits);
            bare.limits.remove("not");
            bare
        };
        self.limits(&without(before), &without(after));
    }

    fn variant(&mut self, check: Check, key: &str, old_at: Option<&str>, new_at: Option<&str>) {
        self.path.push(Step::Variant(key.to_owned()));
        self.found(check, None, None, |found| {
            found.subject = Some(key.to_owned());
            found.old_at = old_at.map(str::to_owned);
            found.new_at = new_at.map(str::to_owned);
        });
        self.path.pop();
    }

    /// Where every variant has the same change, it is one change of all of them.
    fn gather(&mut self, runs: &[std::ops::Range<usize>]) {
        if runs.len() < MANY {
            return;
        }
        let depth = self.path.len();
        let key = |found: &Found| {
            let below = found.path.get(depth + 1..).unwrap_or_default().to_vec();
            (
                found.check,
                below,
                found.subject.clone(),
                found.before.clone(),
                found.after.clone(),
            )
        };
        let Some(first) = runs.first().cloned() else {
            return;
        };
        let everywhere: Vec<_> = self.unit.found[first]
            .iter()
            .map(key)
            .filter(|wanted| {
                runs.iter().all(|run| {
                    self.unit.found[run.clone()]
                        .iter()
                        .any(|found| key(found) == *wanted)
                })
            })
            .collect();
        if everywhere.is_empty() {
            return;
        }
        let start = runs.first().map_or(0, |run| run.start);
        let mut rest = self.unit.found.split_off(start);
        let mut told = BTreeSet::new();
        rest.retain_mut(|found| {
            let Some(index) = everywhere.iter().position(|wanted| *wanted == key(found)) else {
                return true;
            };
            if let Some(step) = found.path.get_mut(depth) {
                *step = Step::Variant(EVERY.to_owned());
            }
            found.renamed = None;
            told.insert(index)
        });
        self.unit.found.extend(rest);
    }
}

/// Variants of both, and those that one side lacks.
struct Paired<'n> {
    both: Vec<(String, Arm<'n>, Arm<'n>)>,
    removed: Vec<(String, Arm<'n>)>,
    added: Vec<(String, Arm<'n>)>,
}

fn pair<'n>(
    comparing: &Comparing<'_>,
    was: &Keyed<'n>,
    is: &Keyed<'n>,
    one_form: bool,
    skip: &BTreeSet<String>,
) -> Paired<'n> {
    let mut paired = Paired {
        both: Vec::new(),
        removed: was.arms.clone(),
        added: is.arms.clone(),
    };
    let name = |arm: &Arm<'_>| match arm {
        Arm::Node(Node {
            shape: Shape::Ref(name),
            ..
        }) => Some(name.clone()),
        Arm::Node(_) | Arm::Value(_) => None,
    };
    let untagged = tags(&is.form).is_empty();
    if one_form {
        paired.take(|(key, before), (other, after)| {
            key == other && name(before).is_some() && name(before) == name(after)
        });
        if !untagged {
            paired.take(|(key, _), (other, _)| key == other);
        }
    }
    if !one_form || untagged {
        paired
            .take(|(_, before), (_, after)| name(before).is_some() && name(before) == name(after));
        paired.take(|(_, before), (_, after)| match (before, after) {
            (Arm::Node(before), Arm::Node(after)) => comparing
                .alike_by(&mut BTreeSet::new(), &mut |inner| {
                    inner.arm(before, after, skip)
                }),
            _ => false,
        });
        // A form is a name that changes with what is inside: it tells less than what is the same.
        if one_form {
            paired.take(|(key, _), (other, _)| key == other);
        }
        // What is left of one kind on each side is the same place, unless it has a name.
        let inline = |arm: &Arm<'_>| name(arm).is_none() && matches!(arm, Arm::Node(_));
        let kind = |arm: &Arm<'_>| match arm {
            Arm::Node(node) => std::mem::discriminant(&node.shape),
            Arm::Value(_) => std::mem::discriminant(&Shape::Never),
        };
        let count = |list: &[(String, Arm<'_>)], of: &Arm<'_>| {
            list.iter()
                .filter(|(_, arm)| inline(arm) && kind(arm) == kind(of))
                .count()
        };
        let single: Vec<bool> = paired
            .removed
            .iter()
            .map(|(_, arm)| {
                inline(arm) && count(&paired.removed, arm) == 1 && count(&paired.added, arm) == 1
            })
            .collect();
        let alone: BTreeSet<String> = paired
            .removed
            .iter()
            .zip(single)
            .filter(|(_, single)| *single)
            .map(|((key, _), _)| key.clone())
            .collect();
        paired.take(|(key, before), (_, after)| {
            alone.contains(key) && inline(after) && kind(before) == kind(after)
        });
    }
    paired.both.sort_by(|a, b| a.0.cmp(&b.0));
    paired
}

impl<'n> Paired<'n> {
    /// Pairs what belongs together, each at most once.
    fn take(&mut self, together: impl Fn(&(String, Arm<'n>), &(String, Arm<'n>)) -> bool) {
        let mut left = Vec::new();
        for before in std::mem::take(&mut self.removed) {
            match self.added.iter().position(|after| together(&before, after)) {
                Some(place) => {
                    let (key, after) = self.added.remove(place);
                    self.both.push((key, before.1, after));
                }
                None => left.push(before),
            }
        }
        self.removed = left;
    }
}

fn form_text(form: &Form) -> String {
    match form {
        Form::Tagged {
            tags,
            certain: true,
        } => format!("picked by `{}`", tags.join("`, `")),
        Form::Tagged {
            tags,
            certain: false,
        } => format!("picked by `{}` where it is there", tags.join("`, `")),
        Form::External => "picked by the only member".to_owned(),
        Form::Untagged => "picked by form only".to_owned(),
    }
}
