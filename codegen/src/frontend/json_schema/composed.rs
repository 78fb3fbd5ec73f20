//! Forms that drafts from 2019-09 on are written in: a reference with members beside it, unions
//! that end with a variant for everything else, integers with names, and unions of lists.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::union::Member;
use super::{Lowering, base, child, constants, extend, is_null, kinds};
use crate::document::{reference_of, says_nothing};
use crate::ir::{Arm, Field, Fields, Guard, Shape, Type};

impl<'a> Lowering<'_, 'a> {
    /// Whether a member of a union only says that there may be others, which `Unrecognized` covers:
    /// an object with any other tag, anything at all, or any text beside those that have a meaning.
    pub(super) fn catches_rest(&self, member: &Value, listed: &'a [Value]) -> bool {
        if other_variant(member).is_some() {
            return true;
        }
        let anything = says_nothing(member);
        if anything && listed.len() > 1 {
            return true;
        }
        let any_text = is_plain(member, "string") && constants(member).is_none();
        let mut others = listed
            .iter()
            .filter(|other| *other != member && !is_null(other))
            .peekable();
        any_text
            && others.peek().is_some()
            && others.all(|other| constants(self.document.follow(other)).is_some())
    }

    /// The tag that a schema and its variant for everything else name is the one that was found,
    /// and that variant leaves out exactly the others.
    pub(super) fn check_tag(
        &mut self,
        schema: &'a Value,
        listed: &'a [Value],
        members: &[Member<'a>],
        tag: &str,
        path: &[String],
    ) {
        let named = schema
            .pointer("/discriminator/propertyName")
            .and_then(Value::as_str);
        if let Some(named) = named.filter(|named| *named != tag) {
            self.fail(
                path,
                format!(
                    "the discriminator is `{named}`, and what tells the variants apart is `{tag}`"
                ),
            );
        }
        let known: BTreeSet<String> = members
            .iter()
            .flat_map(|member| self.tag_values(member.schema, tag).unwrap_or_default())
            .collect();
        for (other, left_out) in listed.iter().filter_map(other_variant) {
            if other != tag || left_out != known {
                self.fail(
                    path,
                    "the variant for everything else leaves out other tags than there are",
                );
            }
        }
    }

    /// Integers with a meaning each; any other integer is one, too.
    pub(super) fn codes(&self, members: &[Member<'a>]) -> Option<Shape> {
        let integers = members
            .iter()
            .all(|member| is_plain(member.schema, "integer"));
        let codes: BTreeMap<i64, _> = members
            .iter()
            .filter_map(|member| member.schema.get("const").and_then(Value::as_i64))
            .map(|code| (code, self.seen()))
            .collect();
        (integers && !codes.is_empty()).then_some(Shape::Codes(codes))
    }

    /// Lists that only their elements tell apart are a list of what either holds.
    pub(super) fn lists(
        &mut self,
        members: &[Member<'a>],
        name: &str,
        path: &[String],
    ) -> Option<Shape> {
        let items: Option<Vec<Member<'a>>> = members
            .iter()
            .map(|member| {
                let schema = member
                    .schema
                    .get("items")
                    .filter(|_| is_plain(member.schema, "array"))?;
                Some(Member {
                    schema,
                    path: extend(&member.path, &["items"]),
                })
            })
            .collect();
        let items = items.filter(|items| items.len() > 1)?;
        let name = format!("{name}Item");
        let shape = self.untagged(&items, &name, path);
        let item = self.inline(shape, &name, path);
        Some(Shape::Alias(Type::List(Box::new(item))))
    }

    /// A member that several alternatives give another constant: one enum of all of them.
    pub(super) fn picks(
        &mut self,
        alternatives: &'a [Value],
        name: &str,
        path: &[String],
    ) -> Fields {
        let known: Vec<&'a Value> = alternatives
            .iter()
            .filter(|one| other_variant(one).is_none())
            .map(|one| self.document.follow(one))
            .collect();
        let property =
            |schema: &'a Value, wire: &str| schema.get("properties").and_then(|all| all.get(wire));
        let mut found: BTreeMap<&str, (usize, BTreeSet<String>)> = BTreeMap::new();
        for schema in &known {
            for (wire, member) in schema
                .get("properties")
                .and_then(Value::as_object)
                .into_iter()
                .flatten()
            {
                if let Some(texts) = constants(self.document.follow(member)) {
                    let (count, all) = found.entry(wire).or_default();
                    *count += 1;
                    all.extend(texts);
                }
            }
        }
        let mut fields = Fields::new();
        for (wire, (_, texts)) in found.into_iter().filter(|(_, (count, _))| *count > 1) {
            let seen = self.seen();
            let shape = Shape::Enum(texts.into_iter().map(|text| (text, seen.clone())).collect());
            let ty = self.inline(shape, &child(name, wire), path);
            let nullable = known
                .iter()
                .any(|schema| property(schema, wire).is_some_and(is_null));
            let required = known.iter().all(|schema| requires(schema, wire));
            let ty = if nullable { ty.or_null() } else { ty };
            fields.insert(
                wire.to_owned(),
                Field {
                    ty,
                    required,
                    patch: false,
                    default: None,
                    constant: None,
                    seen,
                },
            );
        }
        fields
    }

    /// The definition that a schema is but for constants, with those: who writes it writes them.
    pub(super) fn written_beside(
        &self,
        schema: &'a Value,
    ) -> Option<(Cow<'a, str>, BTreeMap<String, String>)> {
        let target = reference_of(base(schema)?)?;
        let members = schema.get("properties")?.as_object()?;
        let tags = members
            .iter()
            .map(|(wire, member)| match constants(member)?.as_slice() {
                [text] => Some((wire.clone(), text.clone())),
                _ => None,
            });
        Some((target, tags.collect::<Option<_>>()?))
    }

    /// Where some arms have a tag, an object with another tag is none of the arms without one.
    pub(super) fn keep_tags_apart(&self, members: &[Member<'a>], arms: &mut [Arm]) {
        let tags: BTreeSet<String> = arms
            .iter()
            .flat_map(|arm| arm.tags.keys().cloned())
            .collect();
        for (member, arm) in members
            .iter()
            .zip(arms)
            .filter(|(_, arm)| arm.tags.is_empty())
        {
            let declared = self.document.follow(member.schema).get("properties");
            let foreign: BTreeSet<String> = tags
                .iter()
                .filter(|tag| declared.is_none_or(|own| own.get(tag.as_str()).is_none()))
                .cloned()
                .collect();
            for guard in &mut arm.guards {
                if let Guard::Object { absent, .. } = guard {
                    absent.extend(foreign.iter().cloned());
                }
            }
        }
    }

    /// The schema behind references, with the path at which it stands.
    pub(super) fn behind(&self, schema: &'a Value, path: Vec<String>) -> (&'a Value, Vec<String>) {
        let member = self.resolved(&Member { schema, path });
        (member.schema, member.path)
    }

    /// What lies beside a union and what one of its variants refers to share no member.
    pub(super) fn check_apart(&mut self, target: &str, common: &Fields, path: &[String]) {
        let Some(entry) = self.document.definitions.get(target) else {
            return;
        };
        let members = entry.schema.get("properties").and_then(Value::as_object);
        let shared: Vec<String> = members
            .into_iter()
            .flatten()
            .map(|(wire, _)| wire.clone())
            .filter(|wire| common.contains_key(wire))
            .collect();
        for wire in shared {
            self.fail(
                path,
                format!("member `{wire}` stands beside the union and in `{target}`, too"),
            );
        }
    }
}

/// The definition that a schema is but for its tag.
pub(super) fn names_only<'a>(schema: &'a Value, tag: &str) -> Option<Cow<'a, str>> {
    let members = schema.get("properties")?.as_object()?;
    reference_of(base(schema)?).filter(|_| members.len() == 1 && members.contains_key(tag))
}

/// The tag of an object with any tag but those that it lists.
pub(super) fn other_variant(schema: &Value) -> Option<(&str, BTreeSet<String>)> {
    let listed = schema.pointer("/not/anyOf")?.as_array()?;
    let first = listed.first()?.get("properties")?.as_object()?;
    let tag = first.keys().next().filter(|_| first.len() == 1)?;
    let mut left_out = BTreeSet::new();
    for member in listed {
        let members = member.get("properties")?.as_object()?;
        let texts =
            constants(members.get(tag)?).filter(|_| members.len() == 1 && requires(member, tag))?;
        left_out.extend(texts);
    }
    let open = is_plain(schema.get("properties")?.get(tag)?, "string") && requires(schema, tag);
    open.then_some((tag, left_out))
}

fn requires(schema: &Value, wire: &str) -> bool {
    let required = schema.get("required").and_then(Value::as_array);
    required.is_some_and(|names| names.iter().any(|name| name == wire))
}

fn is_plain(schema: &Value, kind: &str) -> bool {
    kinds(schema).is_some_and(|kinds| kinds == [kind])
}
