//! Objects: members, and alternatives that only differ in which members must be there.

use std::collections::BTreeSet;

use serde_json::Value;

use super::composed::other_variant;
use super::{Lowering, base, child, extend, is_null};
use crate::ir::{Field, Fields, Shape, Type};

impl<'a> Lowering<'_, 'a> {
    /// An object with members; nothing for an object used as a map or for any object.
    pub(super) fn object(
        &mut self,
        schema: &'a Value,
        name: &str,
        path: &[String],
    ) -> Option<Shape> {
        let members = schema.get("properties").and_then(Value::as_object);
        let has_members = members.is_some_and(|members| !members.is_empty());
        let open = match schema.get("additionalProperties") {
            None | Some(Value::Bool(false)) => false,
            Some(Value::Bool(true)) => !has_members,
            Some(_) => true,
        };
        if open && has_members {
            self.fail(
                path,
                "members beside a schema for all further members have no lowering rule",
            );
            return None;
        }
        // An inline object that declares nothing is opaque; one with a name may yet gain members.
        let declared = path.len() == 2 || schema.get("properties").is_some();
        if open || !(has_members || declared) {
            return None;
        }
        Some(Shape::Struct(self.members(
            schema,
            name,
            path,
            &BTreeSet::new(),
        )))
    }

    /// The members of an object but those in `skip`, alternatives merged in: a member of one
    /// alternative is optional unless all of them require it.
    pub(super) fn members(
        &mut self,
        schema: &'a Value,
        name: &str,
        path: &[String],
        skip: &BTreeSet<&str>,
    ) -> Fields {
        let mut fields = self.own_members(schema, name, path, skip);
        for key in ["anyOf", "oneOf"] {
            let Some(alternatives) = schema.get(key).and_then(Value::as_array) else {
                continue;
            };
            let mut lowered = Vec::new();
            let picks = self.picks(alternatives, name, path);
            let skip: BTreeSet<&str> = skip
                .iter()
                .copied()
                .chain(picks.keys().map(String::as_str))
                .collect();
            for (index, alternative) in alternatives
                .iter()
                .enumerate()
                .filter(|(_, one)| other_variant(one).is_none())
            {
                let at = extend(path, &[key, &index.to_string()]);
                self.document
                    .check_keywords(alternative, &at, &mut self.problems);
                let (alternative, at) = self.behind(alternative, at);
                lowered.push(self.members(alternative, name, &at, &skip));
            }
            let everywhere = |member: &str| {
                lowered
                    .iter()
                    .all(|fields| fields.get(member).is_some_and(|field| field.required))
            };
            let mut merged = Fields::new();
            for (member, field) in lowered.iter().flatten() {
                let required = everywhere(member);
                match merged.get(member) {
                    Some(known) if known.ty != field.ty => {
                        let message =
                            format!("member `{member}` has two types in the alternatives");
                        self.problems.push(self.document.problem(path, message));
                    }
                    _ => {
                        merged.insert(
                            member.clone(),
                            Field {
                                required,
                                ..field.clone()
                            },
                        );
                    }
                }
            }
            fields.extend(merged);
            fields.extend(picks);
        }
        fields
    }

    fn own_members(
        &mut self,
        schema: &'a Value,
        name: &str,
        path: &[String],
        skip: &BTreeSet<&str>,
    ) -> Fields {
        let required: BTreeSet<&str> = schema
            .get("required")
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .collect();
        let mut fields = Fields::new();
        if let Some(part) = base(schema) {
            let (part, at) = self.behind(part, extend(path, &["allOf", "0"]));
            fields = self.members(part, name, &at, skip);
        }
        let Some(members) = schema.get("properties").and_then(Value::as_object) else {
            return fields;
        };
        let patched = says(schema, "x-patch");
        for (wire, member) in members {
            if skip.contains(wire.as_str()) {
                continue;
            }
            let at = extend(path, &["properties", wire]);
            let constant = member
                .get("const")
                .and_then(Value::as_str)
                .filter(|_| says(member, "x-constant"));
            let ty = if constant.is_some() {
                Type::String
            } else if is_null(member) {
                Type::Nullable(Box::new(Type::Json))
            } else {
                self.type_of(member, &child(name, wire), &at)
            };
            let ty = if says(member, "x-deserialize-default-on-null") {
                ty.or_null()
            } else {
                ty
            };
            let required = required.contains(wire.as_str());
            let field = Field {
                patch: (patched || says(member, "x-patch"))
                    && !required
                    && (ty.nullable() || ty == Type::Json),
                ty,
                required,
                default: member
                    .get("default")
                    .filter(|value| !value.is_null())
                    .map(Value::to_string),
                constant: constant.map(str::to_owned),
                seen: self.seen(),
            };
            fields.insert(wire.clone(), field);
        }
        fields
    }
}

/// Whether a marker stands in a schema.
fn says(schema: &Value, marker: &str) -> bool {
    schema.get(marker) == Some(&Value::Bool(true))
}
