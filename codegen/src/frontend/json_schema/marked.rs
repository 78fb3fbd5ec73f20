//! Unions whose document names the members that pick (`x-tag`): one, or one after the other.
//!
//! What the first member tells apart is a union; where a second one goes on telling apart what
//! the first left together, that is a union of its own below it, so that a value which no version
//! has is unrecognized at its own level. Objects that nothing tells apart are one object.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::union::Member;
use super::{Lowering, child};
use crate::document::reference_of;
use crate::ir::{Field, Fields, Shape, Type, Variant};

impl<'a> Lowering<'_, 'a> {
    /// The union, where the document names what picks.
    pub(super) fn marked(
        &mut self,
        schema: &'a Value,
        members: &[Member<'a>],
        name: &str,
        path: &[String],
    ) -> Option<Shape> {
        let tags: Vec<&str> = schema
            .get("x-tag")?
            .as_array()?
            .iter()
            .filter_map(Value::as_str)
            .collect();
        let (tag, rest) = tags.split_first()?;
        Some(self.picked_by(members, tag, rest, name, path))
    }

    fn picked_by(
        &mut self,
        members: &[Member<'a>],
        tag: &str,
        rest: &[&str],
        name: &str,
        path: &[String],
    ) -> Shape {
        let mut groups: BTreeMap<String, Vec<Member<'a>>> = BTreeMap::new();
        for member in members {
            match self.tag_values(member.schema, tag) {
                Some(values) => {
                    for value in values {
                        groups.entry(value).or_default().push(member.clone());
                    }
                }
                None => {
                    let message = format!(
                        "`{tag}` picks among the others, and this one says no value for it"
                    );
                    self.fail(&member.path, message);
                }
            }
        }
        let mut variants = BTreeMap::new();
        for (value, members) in groups {
            let Some(at) = members
                .first()
                .map(|first| self.tag_place(first, tag, &value))
            else {
                continue;
            };
            let payload = self.group(&members, rest, &child(name, &value), path);
            let variant = Variant {
                payload: Some(payload),
                // Each object has the constants that tell it.
                tag_inside: true,
                bare: false,
                seen: self.seen(),
                at,
            };
            variants.insert(value, variant);
        }
        Shape::Tagged {
            tag: tag.to_owned(),
            content: None,
            common: Fields::new(),
            variants,
        }
    }

    /// What has one value of the member that picks.
    fn group(
        &mut self,
        members: &[Member<'a>],
        rest: &[&str],
        name: &str,
        path: &[String],
    ) -> Type {
        let told_on = rest.split_first().filter(|(next, _)| {
            members
                .iter()
                .any(|member| self.tag_values(member.schema, next).is_some())
        });
        if let Some((next, rest)) = told_on {
            let shape = self.picked_by(members, next, rest, name, path);
            return self.inline(shape, name, path);
        }
        if let [only] = members
            && let Some(target) = reference_of(only.schema)
        {
            return Type::Ref(target.into_owned());
        }
        let objects: Vec<Fields> = members
            .iter()
            .map(|member| {
                let member = self.resolved(member);
                self.members(member.schema, name, &member.path, &BTreeSet::new())
            })
            .collect();
        let fields = self.one_object(objects, path);
        self.inline(Shape::Struct(fields), name, path)
    }

    /// Objects that nothing tells apart: members by union, required where all require them.
    fn one_object(&mut self, objects: Vec<Fields>, path: &[String]) -> Fields {
        let count = objects.len();
        let mut found: BTreeMap<String, Vec<Field>> = BTreeMap::new();
        for (wire, field) in objects.into_iter().flatten() {
            found.entry(wire).or_default().push(field);
        }
        let mut fields = Fields::new();
        for (wire, copies) in found {
            let everywhere = copies.len() == count;
            let nullable = copies.iter().any(|copy| copy.ty.nullable());
            let required = everywhere && copies.iter().all(|copy| copy.required);
            let sometimes = copies.iter().any(|copy| copy.required);
            let Some(first) = copies.first() else {
                continue;
            };
            if copies
                .iter()
                .any(|copy| copy.ty.non_null() != first.ty.non_null())
            {
                let message =
                    format!("member `{wire}` has two types in objects that nothing tells apart");
                self.fail(path, message);
            }
            let same = copies.iter().all(|copy| copy.constant == first.constant);
            let ty = first.ty.clone();
            let field = Field {
                ty: if nullable { ty.or_null() } else { ty },
                required,
                patch: first.patch || (sometimes && !required && nullable),
                constant: first.constant.clone().filter(|_| same && required),
                ..first.clone()
            };
            fields.insert(wire, field);
        }
        fields
    }
}
