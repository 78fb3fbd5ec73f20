//! Unions: what picks the member is found here, so that no back end has to guess.
//!
//! In order: text enums in every spelling, texts mixed with objects of one member (the member
//! picks), objects picked by a constant member, and last the unions that only the form of the
//! value tells apart.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::composed::names_only;
use super::{Lowering, child, constants, extend, is_null, kinds};
use crate::document::{only_part, reference_of};
use crate::ir::{Field, Fields, Place, Seen, Shape, Type, Variant};

/// The member that picks in a union of requests and notifications, and the one that carries.
const METHOD: (&str, &str) = ("method", "params");

/// Members that conventionally pick, tried before any other.
const USUAL_TAGS: &[&str] = &["method", "type", "kind", "mode", "state"];

/// One member of a union with its path.
#[derive(Clone)]
pub(super) struct Member<'a> {
    pub(super) schema: &'a Value,
    pub(super) path: Vec<String>,
}

impl<'a> Lowering<'_, 'a> {
    /// The union that a schema is; nothing where it is none.
    pub(super) fn union(
        &mut self,
        schema: &'a Value,
        name: &str,
        path: &[String],
    ) -> Option<Shape> {
        let key = ["oneOf", "anyOf"]
            .into_iter()
            .find(|key| schema.get(key).is_some())?;
        self.union_of(schema, key, name, path)
    }

    /// A union that had `null` among its members, under a name of its own.
    pub(super) fn inline_union(
        &mut self,
        schema: &'a Value,
        key: &'static str,
        name: &str,
        path: &[String],
    ) -> Type {
        match self.union_of(schema, key, name, path) {
            Some(shape) => self.inline(shape, name, path),
            None => self.fail(path, "a nullable union has no lowering rule here"),
        }
    }

    fn union_of(
        &mut self,
        schema: &'a Value,
        key: &str,
        name: &str,
        path: &[String],
    ) -> Option<Shape> {
        let listed = schema.get(key)?.as_array()?;
        let members: Vec<Member<'a>> = listed
            .iter()
            .enumerate()
            .filter(|(_, member)| !is_null(member) && !self.catches_rest(member, listed))
            .map(|(index, schema)| Member {
                schema,
                path: extend(path, &[key, &index.to_string()]),
            })
            .collect();
        if members.is_empty() {
            self.fail(path, "a union without members has no reading");
            return None;
        }
        let besides_null = listed.iter().filter(|member| !is_null(member)).count();
        if besides_null == 1 && listed.len() > 1 {
            return None;
        }
        for member in &members {
            self.document
                .check_keywords(member.schema, &member.path, &mut self.problems);
            if constants(self.document.follow(member.schema))
                .is_some_and(|values| values.is_empty())
            {
                self.fail(&member.path, "an enum without values has no reading");
            }
        }
        if let Some(shape) = self.marked(schema, &members, name, path) {
            return Some(shape);
        }
        if let Some(shape) = self.text_enum(&members) {
            return Some(shape);
        }
        if let Some(shape) = self
            .codes(&members)
            .or_else(|| self.lists(&members, name, path))
        {
            return Some(shape);
        }
        if let Some(shape) = self.external(&members, name) {
            return Some(shape);
        }
        let common = schema
            .get("properties")
            .and_then(Value::as_object)
            .is_some();
        if let Some(tag) = self.find_tag(&members) {
            self.check_tag(schema, listed, &members, &tag, path);
            return Some(self.tagged(schema, &members, &tag, name, path));
        }
        let inline_objects = members
            .iter()
            .all(|member| member.schema.get("$ref").is_none());
        if common && inline_objects {
            // The members only say which of the object's own members must be there.
            return None;
        }
        if common {
            self.fail(
                path,
                "common members beside a union that nothing picks have no lowering rule",
            );
            return None;
        }
        Some(self.untagged(&members, name, path))
    }

    /// Text enums: `enum`, `const`, and unions of them, through references too.
    fn text_enum(&self, members: &[Member<'a>]) -> Option<Shape> {
        let mut values = BTreeMap::new();
        for member in members {
            let texts = constants(self.document.follow(member.schema))?;
            values.extend(texts.into_iter().map(|text| (text, self.seen())));
        }
        Some(Shape::Enum(values))
    }

    /// Texts beside objects of one member. A member that allows any text or object is the
    /// declared catch-all, which `Unrecognized` covers.
    fn external(&mut self, members: &[Member<'a>], name: &str) -> Option<Shape> {
        enum Form<'a> {
            Texts(Vec<String>),
            Keyed(String, &'a Value),
            CatchAll,
        }
        let mut forms = Vec::new();
        for member in members {
            let schema = member.schema;
            if let Some(texts) = constants(schema) {
                forms.push((member, Form::Texts(texts)));
                continue;
            }
            if schema.get("type").is_some_and(Value::is_array) && schema.get("properties").is_none()
            {
                let catches = kinds(schema)? == ["string", "object"];
                if !catches {
                    return None;
                }
                forms.push((member, Form::CatchAll));
                continue;
            }
            let properties = schema.get("properties")?.as_object()?;
            let required = schema.get("required").and_then(Value::as_array)?;
            let mut entries = properties.iter();
            let (key, payload) = entries.next()?;
            let picks = entries.next().is_none() && required.len() == 1 && required[0] == **key;
            if !picks || constants(self.document.follow(payload)).is_some() {
                return None;
            }
            forms.push((member, Form::Keyed(key.clone(), payload)));
        }
        let keyed = forms
            .iter()
            .any(|(_, form)| matches!(form, Form::Keyed(..)));
        if !keyed {
            return None;
        }
        let mut variants = BTreeMap::new();
        for (member, form) in forms {
            let at = self.document.place(&member.path);
            let seen = self.seen();
            match form {
                Form::Texts(texts) => {
                    for text in texts {
                        let variant = slot(&mut variants, &text, &seen, &at);
                        variant.bare = true;
                        variant.payload = variant.payload.take().map(Type::or_null);
                    }
                }
                Form::Keyed(key, payload) => {
                    let path = extend(&member.path, &["properties", &key]);
                    let ty = self.type_of(payload, &child(name, &key), &path);
                    let variant = slot(&mut variants, &key, &seen, &at);
                    variant.payload = Some(if variant.bare { ty.or_null() } else { ty });
                }
                Form::CatchAll => {}
            }
        }
        Some(Shape::External(variants))
    }

    /// The member that has constants, required and distinct, in every object of the union.
    fn find_tag(&self, members: &[Member<'a>]) -> Option<String> {
        let first = self.document.follow(members.first()?.schema);
        let mut candidates: Vec<&str> = first
            .get("properties")?
            .as_object()?
            .keys()
            .map(String::as_str)
            .collect();
        candidates.sort_by_key(|name| {
            (
                USUAL_TAGS
                    .iter()
                    .position(|usual| usual == name)
                    .unwrap_or(99),
                *name,
            )
        });
        let picks = |tag: &str, only_one: bool| {
            let mut all = BTreeSet::new();
            members
                .iter()
                .all(|member| match self.tag_values(member.schema, tag) {
                    Some(values) if !only_one || values.len() == 1 => {
                        values.into_iter().all(|v| all.insert(v))
                    }
                    _ => false,
                })
        };
        let found = candidates.iter().find(|tag| picks(tag, true));
        found
            .or_else(|| candidates.iter().find(|tag| picks(tag, false)))
            .map(|tag| (*tag).to_owned())
    }

    pub(super) fn tag_values(&self, member: &'a Value, tag: &str) -> Option<Vec<String>> {
        let object = self.document.follow(member);
        let required = object
            .get("required")?
            .as_array()?
            .iter()
            .any(|name| name == tag);
        let values = constants(self.document.follow(object.get("properties")?.get(tag)?))?;
        (required && !values.is_empty()).then_some(values)
    }

    fn tagged(
        &mut self,
        schema: &'a Value,
        members: &[Member<'a>],
        tag: &str,
        name: &str,
        path: &[String],
    ) -> Shape {
        let content = (tag == METHOD.0).then(|| METHOD.1.to_owned());
        let skip: BTreeSet<&str> = std::iter::once(tag).chain(content.as_deref()).collect();
        let mut common = self.members_beside(schema, name, path, &skip);
        let mut variants = BTreeMap::new();
        let mut hoisted: Vec<Fields> = Vec::new();
        for member in members {
            let values = self.tag_values(member.schema, tag).unwrap_or_default();
            let Some(first) = values.first() else {
                continue;
            };
            let payload_name = child(name, first);
            let reference = reference_of(member.schema).filter(|_| content.is_none());
            let extended = names_only(member.schema, tag).filter(|_| content.is_none());
            let payload = if let Some(target) = &reference {
                Some(Type::Ref(target.clone().into_owned()))
            } else if let Some(target) = extended {
                self.check_apart(&target, &common, &member.path);
                Some(Type::Ref(target.into_owned()))
            } else if let Some(content) = &content {
                // With or without a name of its own, a message carries its payload in a member.
                let member = self.resolved(member);
                hoisted.push(self.members(member.schema, name, &member.path, &skip));
                self.content_type(&member, content, &payload_name)
            } else {
                let mut fields = self.members(member.schema, &payload_name, &member.path, &skip);
                self.leave_common(&mut fields, &common, &member.path);
                (!fields.is_empty())
                    .then(|| self.inline(Shape::Struct(fields), &payload_name, &member.path))
            };
            for value in values {
                let at = self.tag_place(member, tag, &value);
                let variant = Variant {
                    payload: payload.clone(),
                    tag_inside: reference.is_some(),
                    bare: false,
                    seen: self.seen(),
                    at,
                };
                variants.insert(value, variant);
            }
        }
        self.hoist(hoisted, &mut common, path);
        Shape::Tagged {
            tag: tag.to_owned(),
            content,
            common,
            variants,
        }
    }

    /// Where the value of a tag stands, which is what a person looks for.
    pub(super) fn tag_place(&self, member: &Member<'a>, tag: &str, value: &str) -> Place {
        let member = self.resolved(member);
        let schema = member
            .schema
            .get("properties")
            .and_then(|properties| properties.get(tag));
        let listed = schema
            .and_then(|schema| schema.get("enum"))
            .and_then(Value::as_array);
        let index = listed.and_then(|values| values.iter().position(|listed| listed == value));
        let place = self
            .document
            .place(&member.path)
            .below(&["properties", tag]);
        match index {
            Some(index) => place.below(&["enum", &index.to_string()]),
            None => place.below(&["const"]),
        }
    }

    /// The member behind references, with the path at which it stands.
    pub(super) fn resolved(&self, member: &Member<'a>) -> Member<'a> {
        let mut member = member.clone();
        // A chain longer than the number of definitions can only be a circle.
        for _ in 0..=self.document.definitions.len() {
            let reference = member.schema.get("$ref").and_then(Value::as_str);
            if let Some((_, entry)) =
                reference.and_then(|reference| self.document.resolve(reference))
            {
                member = Member {
                    schema: entry.schema,
                    path: entry.path.clone(),
                };
            } else if let Some(only) = only_part(member.schema) {
                member = Member {
                    schema: only,
                    path: extend(&member.path, &["allOf", "0"]),
                };
            } else {
                break;
            }
        }
        member
    }

    /// A member that the union declares for all its variants is not declared by one of them again.
    fn leave_common(&mut self, fields: &mut Fields, common: &Fields, path: &[String]) {
        for (name, shared) in common {
            if fields.get(name).is_some_and(|own| own.ty != shared.ty) {
                self.fail(
                    path,
                    format!("member `{name}` has another type beside the union"),
                );
            }
            fields.remove(name);
        }
    }

    /// The members beside a union, which belong to every variant.
    pub(super) fn members_beside(
        &mut self,
        schema: &'a Value,
        name: &str,
        path: &[String],
        skip: &BTreeSet<&str>,
    ) -> Fields {
        let Some(properties) = schema.get("properties").and_then(Value::as_object) else {
            return Fields::new();
        };
        let required: Vec<&str> = schema
            .get("required")
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .collect();
        let mut fields = Fields::new();
        for (wire, member) in properties
            .iter()
            .filter(|(wire, _)| !skip.contains(wire.as_str()))
        {
            let at = extend(path, &["properties", wire]);
            let field = Field {
                ty: self.type_of(member, &child(name, wire), &at),
                required: required.contains(&wire.as_str()),
                patch: false,
                default: member
                    .get("default")
                    .filter(|value| !value.is_null())
                    .map(Value::to_string),
                constant: None,
                seen: self.seen(),
            };
            fields.insert(wire.clone(), field);
        }
        fields
    }

    fn content_type(&mut self, member: &Member<'a>, content: &str, hint: &str) -> Option<Type> {
        let schema = member.schema.get("properties")?.get(content)?;
        if is_null(schema) {
            return None;
        }
        let path = extend(&member.path, &["properties", content]);
        let ty = self.type_of(schema, hint, &path);
        let required = member.schema.get("required").and_then(Value::as_array);
        let always = required.is_some_and(|names| names.iter().any(|name| name == content));
        Some(if always { ty } else { ty.or_null() })
    }

    /// What every variant declares beside tag and content belongs to the envelope.
    fn hoist(&mut self, hoisted: Vec<Fields>, common: &mut Fields, path: &[String]) {
        let Some(first) = hoisted.first() else { return };
        let same = hoisted.iter().all(|fields| {
            fields.len() == first.len()
                && fields
                    .iter()
                    .all(|(name, field)| first.get(name).is_some_and(|other| other.ty == field.ty))
        });
        if !same {
            self.fail(
                path,
                "members beside method and params differ from variant to variant",
            );
            return;
        }
        for (name, field) in first {
            let required = hoisted
                .iter()
                .all(|fields| fields.get(name).is_some_and(|field| field.required));
            common.insert(
                name.clone(),
                Field {
                    required,
                    ..field.clone()
                },
            );
        }
    }
}

/// The variant of a tag in a union of texts and objects, made where it is new.
fn slot<'v>(
    variants: &'v mut BTreeMap<String, Variant>,
    tag: &str,
    seen: &Seen,
    at: &Place,
) -> &'v mut Variant {
    variants.entry(tag.to_owned()).or_insert_with(|| Variant {
        payload: None,
        tag_inside: false,
        bare: false,
        seen: seen.clone(),
        at: at.clone(),
    })
}
