//! Types: what kinds of value two schemas have.

use std::collections::BTreeSet;

use super::Comparing;
use crate::diff::check::{Check, Class, Direction, Verdict};
use crate::diff::keyed::{Form, Keyed, alone, keyed};
use crate::diff::path::Step;
use crate::diff::schema::{Document, Listed, Node, Shape, Union};

impl Comparing<'_> {
    /// Compares the shapes of two schemas, references followed.
    pub(super) fn shapes(&mut self, old: &Node, new: &Node) {
        match (&old.shape, &new.shape) {
            (Shape::Any, Shape::Any) | (Shape::Never, Shape::Never) => self.limits(old, new),
            // `null` alone against a value that may be null: only the value is new.
            (Shape::Never, _) | (_, Shape::Any) => self.types(Check::TypeWidened, old, new),
            (_, Shape::Never) | (Shape::Any, _) => self.types(Check::TypeNarrowed, old, new),
            (Shape::Scalar(before), Shape::Scalar(after)) => self.scalars(old, new, before, after),
            (Shape::Enum(before), Shape::Enum(after)) => self.values(old, new, before, after),
            (Shape::Enum(listed), Shape::Scalar(types)) if texts(listed, types) => {
                self.opening(listed.open, true, old, new);
                self.limits(old, new);
            }
            (Shape::Scalar(types), Shape::Enum(listed)) if texts(listed, types) => {
                self.opening(true, listed.open, old, new);
                self.limits(old, new);
            }
            (Shape::List(before), Shape::List(after)) => {
                self.limits(old, new);
                self.below(Step::Items, |inner| inner.node(before, after));
            }
            (Shape::Tuple(before), Shape::Tuple(after)) if before.len() == after.len() => {
                self.limits(old, new);
                for (index, (before, after)) in before.iter().zip(after).enumerate() {
                    self.below(Step::Place(index), |inner| inner.node(before, after));
                }
            }
            (Shape::Object(before), Shape::Object(after)) => {
                self.limits(old, new);
                self.objects(old, new, before, after, &BTreeSet::new());
            }
            (Shape::Union(_), _) | (_, Shape::Union(_)) => self.union_or_alone(old, new),
            _ => self.types(Check::TypeChanged, old, new),
        }
    }

    pub(super) fn types(&mut self, check: Check, old: &Node, new: &Node) {
        self.found(check, Some(old), Some(new), |found| {
            found.before = Some(old.describe());
            found.after = Some(new.describe());
        });
    }

    fn scalars(
        &mut self,
        old: &Node,
        new: &Node,
        before: &BTreeSet<String>,
        after: &BTreeSet<String>,
    ) {
        // Every integer is a number.
        let within = |few: &BTreeSet<String>, many: &BTreeSet<String>| {
            few.iter()
                .all(|kind| many.contains(kind) || kind == "integer" && many.contains("number"))
        };
        match (within(before, after), within(after, before)) {
            (true, true) => {
                self.formats(old, new);
                self.limits(old, new);
            }
            (true, false) => self.types(Check::TypeWidened, old, new),
            (false, true) => self.types(Check::TypeNarrowed, old, new),
            (false, false) => self.types(Check::TypeChanged, old, new),
        }
    }

    fn values(&mut self, old: &Node, new: &Node, before: &Listed, after: &Listed) {
        self.opening(before.open, after.open, old, new);
        self.limits(old, new);
        let mut removed = Vec::new();
        for (value, at) in &before.values {
            if after.values.contains_key(value) {
                self.keep(Some(value));
                continue;
            }
            removed.push((self.unit.found.len(), value.as_str()));
            self.found(Check::EnumValueRemoved, Some(old), Some(new), |found| {
                found.subject = Some(value.clone());
                found.old_at = Some(at.clone());
                found.before = Some(value.clone());
            });
        }
        let mut added = Vec::new();
        for (value, at) in after
            .values
            .iter()
            .filter(|(value, _)| !before.values.contains_key(*value))
        {
            added.push((self.unit.found.len(), value.as_str()));
            self.found(Check::EnumValueAdded, Some(old), Some(new), |found| {
                found.subject = Some(value.clone());
                found.new_at = Some(at.clone());
                found.after = Some(value.clone());
            });
        }
        self.suggest_values(&removed, &added);
    }

    pub(super) fn opening(&mut self, before: bool, after: bool, old: &Node, new: &Node) {
        match (before, after) {
            (false, true) => self.types(Check::Opened, old, new),
            (true, false) => self.types(Check::Closed, old, new),
            (true, true) | (false, false) => {}
        }
    }

    /// Two unions, or a union and a schema that may be one of its variants.
    fn union_or_alone(&mut self, old: &Node, new: &Node) {
        let check = match (&old.shape, &new.shape) {
            (Shape::Union(before), Shape::Union(after)) => {
                return self.unions(old, new, before, after);
            }
            (Shape::Union(before), _) => {
                let many = keyed(self.old, before, &[]);
                let one = alone(self.new, new, tags(&many.form));
                if before.common.is_none() && told_apart(&many, &one) {
                    return self.arms(old, new, &many, &one);
                }
                let holds = holds(self.new, self.old, before, new);
                if holds {
                    Check::TypeNarrowed
                } else {
                    Check::TypeChanged
                }
            }
            (_, Shape::Union(after)) => {
                let many = keyed(self.new, after, &[]);
                let one = alone(self.old, old, tags(&many.form));
                if after.common.is_none() && told_apart(&many, &one) {
                    return self.arms(old, new, &one, &many);
                }
                let holds = holds(self.old, self.new, after, old);
                if holds {
                    Check::TypeWidened
                } else {
                    Check::TypeChanged
                }
            }
            _ => return self.types(Check::TypeChanged, old, new),
        };
        self.types(check, old, new);
    }
}

/// Whether a variant of a union, with the members beside it, has every value of a schema of the other
/// version: nothing that fits the schema would be refused.
fn holds(schemas: &Document, unions: &Document, union: &Union, schema: &Node) -> bool {
    union.arms.iter().any(|arm| {
        let whole = match (&union.common, &arm.shape) {
            (Some(common), Shape::Object(own)) => {
                let mut both = common.clone();
                both.fields.extend(own.fields.clone());
                both.bases.extend(own.bases.clone());
                Node::new(&arm.at, Shape::Object(both))
            }
            _ => arm.clone(),
        };
        let mut scratch = Comparing::new(schemas, unions);
        scratch.scratch = true;
        // Whether null is allowed was compared before.
        scratch.shapes(schema, unions.follow(&whole).0);
        let harmless = |check: Check| {
            let verdict = check.verdict(Direction::Input);
            matches!(verdict, Verdict::Is(Class::Additive | Class::None))
        };
        scratch.unit.found.iter().all(|found| harmless(found.check))
            && scratch.unit.edges.iter().all(|edge| edge.to.0 == edge.to.1)
    })
}

/// Whether a schema that is no union has the key of a variant.
fn told_apart(many: &Keyed<'_>, one: &Keyed<'_>) -> bool {
    let known = one
        .arms
        .iter()
        .any(|(key, _)| many.arms.iter().any(|(other, _)| other == key));
    known && many.form != Form::Untagged
}

pub(super) fn tags(form: &Form) -> &[String] {
    match form {
        Form::Tagged { tags, .. } => tags,
        Form::External | Form::Untagged => &[],
    }
}

/// Listed texts against any text.
fn texts(listed: &Listed, types: &BTreeSet<String>) -> bool {
    types.len() == 1
        && types.contains("string")
        && listed.values.keys().all(|value| value.starts_with('"'))
}
