//! Unions without a tag: what the form of a value says about the member that it belongs to.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::union::Member;
use super::{Lowering, base, constants, kinds};
use crate::document::reference_of;
use crate::ir::{Arm, Guard, JsonKind, Shape, Type};
use crate::names;

impl<'a> Lowering<'_, 'a> {
    /// The union of these members, by form.
    pub(super) fn untagged(
        &mut self,
        members: &[Member<'a>],
        name: &str,
        path: &[String],
    ) -> Shape {
        let mut arms = Vec::new();
        for member in members {
            let guards = self.guards(member.schema, 0);
            let arm_name = arm_name(member.schema, &guards, name);
            let (ty, tags) = match self.written_beside(member.schema) {
                Some((target, tags)) => (Type::Ref(target.into_owned()), tags),
                None => {
                    let hint = format!("{name}{arm_name}");
                    (
                        self.type_of(member.schema, &hint, &member.path),
                        BTreeMap::new(),
                    )
                }
            };
            arms.push(Arm {
                name: arm_name,
                guards,
                ty,
                tags,
                seen: self.seen(),
            });
        }
        self.keep_tags_apart(members, &mut arms);
        Arm::order(&mut arms);
        let same_name = arms
            .iter()
            .enumerate()
            .find(|(index, arm)| arms[..*index].iter().any(|other| other.name == arm.name));
        if let Some(arm) = arms.iter().find(|arm| arm.guards.is_empty()) {
            self.fail(
                path,
                format!("nothing tells the arm `{}` from the others", arm.name),
            );
        } else if let Some((first, later)) = Arm::hidden(&arms) {
            self.fail(
                path,
                format!(
                    "nothing tells the arms `{}` and `{}` apart",
                    first.name, later.name
                ),
            );
        } else if let Some((_, arm)) = same_name {
            self.fail(
                path,
                format!("two arms would both be called `{}`", arm.name),
            );
        }
        Shape::Untagged(arms)
    }

    /// What lets a value into an arm; a reference to another union lets in what that lets in.
    fn guards(&self, schema: &'a Value, depth: usize) -> Vec<Guard> {
        let schema = self.document.follow(schema);
        for key in ["anyOf", "oneOf"] {
            if let Some(Value::Array(members)) = schema.get(key)
                && depth < 8
            {
                return members
                    .iter()
                    .flat_map(|member| self.guards(member, depth + 1))
                    .collect();
            }
        }
        let Some(kinds) = kinds(schema) else {
            let object = schema.get("properties").map(|_| self.object_guard(schema));
            return object
                .or_else(|| constants(schema).map(|_| Guard::Kind(JsonKind::String)))
                .into_iter()
                .collect();
        };
        kinds
            .into_iter()
            .filter_map(|kind| match kind {
                "string" => Some(Guard::Kind(JsonKind::String)),
                "integer" | "number" => Some(Guard::Kind(JsonKind::Number)),
                "boolean" => Some(Guard::Kind(JsonKind::Boolean)),
                "array" => Some(Guard::Kind(JsonKind::Array)),
                "object" => Some(self.object_guard(schema)),
                _ => None,
            })
            .collect()
    }

    fn object_guard(&self, schema: &'a Value) -> Guard {
        let mut required: BTreeSet<String> = schema
            .get("required")
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
            .filter_map(|name| name.as_str().map(str::to_owned))
            .collect();
        let mut constant_members = BTreeMap::new();
        for (name, member) in schema
            .get("properties")
            .and_then(Value::as_object)
            .into_iter()
            .flatten()
        {
            if let Some(values) = constants(self.document.follow(member))
                && required.contains(name)
            {
                constant_members.insert(name.clone(), values.into_iter().collect());
            }
        }
        if let Some(Guard::Object {
            required: more,
            constants,
            ..
        }) = base(schema).map(|part| self.object_guard(self.document.follow(part)))
        {
            required.extend(more);
            constant_members.extend(constants);
        }
        if required.is_empty() {
            return Guard::Kind(JsonKind::Object);
        }
        Guard::Object {
            required,
            constants: constant_members,
            absent: BTreeSet::new(),
        }
    }
}

/// A readable name: the definition's, or the kind's, or the member that sets it apart.
fn arm_name(schema: &Value, guards: &[Guard], union: &str) -> String {
    if let Some(target) = reference_of(schema) {
        let target = target.rsplit('/').next().unwrap_or(&target);
        let common = union
            .chars()
            .zip(target.chars())
            .take_while(|(a, b)| a == b)
            .count();
        let boundary = target
            .char_indices()
            .filter(|(index, c)| *index <= common && c.is_uppercase())
            .map(|(i, _)| i)
            .next_back();
        let short = boundary
            .and_then(|index| target.get(index..))
            .filter(|rest| !rest.is_empty());
        return names::variant(short.unwrap_or(target));
    }
    let tagged = schema
        .get("properties")
        .and_then(Value::as_object)
        .and_then(|members| members.values().find_map(constants));
    if let Some(text) = base(schema)
        .and(tagged)
        .as_ref()
        .and_then(|texts| texts.first())
    {
        return names::variant(text);
    }
    match guards.first() {
        Some(Guard::Kind(kind)) => match kind {
            JsonKind::Boolean => "Boolean",
            JsonKind::Number => "Number",
            JsonKind::String => "Text",
            JsonKind::Array => "List",
            JsonKind::Object => "Object",
        }
        .to_owned(),
        Some(Guard::Object { required, .. }) => {
            let usual = ["uri", "id", "type", "name"];
            let telling = required.iter().find(|name| !usual.contains(&name.as_str()));
            names::variant(
                telling
                    .or_else(|| required.first())
                    .map_or("Object", String::as_str),
            )
        }
        None => String::from("Other"),
    }
}
