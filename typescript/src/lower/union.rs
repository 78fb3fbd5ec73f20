//! Unions: enums, open enums, unions that constants tell apart, and the rest.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};

use super::{Lowering, constant};
use crate::syntax::Literal;
use crate::types::Type;

/// Properties that conventionally tell the members of a union apart, tried before any other.
const USUAL: [&str; 6] = ["method", "type", "subtype", "kind", "role", "name"];

/// The constants of an object: what each required property may only be.
type Constants = BTreeMap<String, BTreeSet<Literal>>;

impl Lowering<'_, '_, '_> {
    pub(super) fn union(&mut self, members: &[Type]) -> Value {
        let mut literals = BTreeSet::new();
        let (mut null, mut any_text) = (false, false);
        let mut others = Vec::new();
        for member in members {
            match member {
                Type::Undefined => {}
                Type::Null => null = true,
                Type::AnyText => any_text = true,
                Type::Literal(literal) => {
                    literals.insert(literal.clone());
                }
                other if self.is_function(other) => self.lowered.dropped += 1,
                other => others.push(other.clone()),
            }
        }
        if any_text {
            others = self.take_texts(others, &mut literals);
        }
        if literals.is_empty()
            && !any_text
            && others.len() > 1
            && let Some(schema) = self.tagged(&others, null)
        {
            return schema;
        }
        let mut parts: Vec<Value> = others.iter().map(|member| self.schema(member)).collect();
        parts.extend(constants(&literals, any_text));
        joined("anyOf", parts, null)
    }

    /// The texts of named members are known values of an open enum, too.
    fn take_texts(&mut self, members: Vec<Type>, literals: &mut BTreeSet<Literal>) -> Vec<Type> {
        let mut kept = Vec::new();
        for member in members {
            let inner = self.evaluator.constituents(&member);
            let texts: Vec<Literal> = inner
                .iter()
                .filter_map(|ty| match ty {
                    Type::Literal(literal @ Literal::Text(_)) => Some(literal.clone()),
                    _ => None,
                })
                .collect();
            if texts.len() == inner.len() {
                literals.extend(texts);
            } else {
                kept.push(member);
            }
        }
        kept
    }

    /// A union of objects that have constants: one branch for each object, behind named unions too.
    fn tagged(&mut self, members: &[Type], null: bool) -> Option<Value> {
        let mut leaves = Vec::new();
        for member in members {
            leaves.extend(self.evaluator.constituents(member));
        }
        let null = null || leaves.contains(&Type::Null);
        leaves.retain(|leaf| !matches!(leaf, Type::Null | Type::Undefined));
        let mut told = Vec::new();
        for leaf in &leaves {
            // What is declared nowhere has constants only where they were decided.
            if let Some(constants) = self.constants_of(leaf)? {
                told.push(constants);
            }
        }
        let tag = Tag::find(&told)?;
        let parts = leaves.iter().map(|leaf| self.schema(leaf)).collect();
        let mut schema = joined(if tag.exact { "oneOf" } else { "anyOf" }, parts, null);
        if let Some(keywords) = schema.as_object_mut() {
            keywords.insert("x-tag".to_owned(), json!(tag.keys));
        }
        Some(schema)
    }

    /// The constants of a member; nothing at all when it is no object.
    fn constants_of(&mut self, leaf: &Type) -> Option<Option<Constants>> {
        if self.evaluator.is_undeclared(leaf) {
            let Type::Named(number) = leaf else {
                return Some(None);
            };
            let name = self
                .evaluator
                .definition(*number)
                .map(|known| known.name.clone())
                .unwrap_or_default();
            let tags = self
                .decisions
                .undeclared
                .get(&name)
                .filter(|tags| !tags.is_empty());
            let constants = |tags: &BTreeMap<String, String>| {
                tags.iter()
                    .map(|(key, text)| (key.clone(), BTreeSet::from([Literal::Text(text.clone())])))
                    .collect()
            };
            return Some(tags.map(constants));
        }
        let Type::Object(object) = self.evaluator.force(leaf) else {
            return None;
        };
        let mut constants = Constants::new();
        for (name, property) in object
            .properties
            .iter()
            .filter(|(_, property)| !property.optional)
        {
            let mut values = BTreeSet::new();
            let mut only_literals = true;
            for member in self.evaluator.constituents(&property.ty) {
                match self.evaluator.force(&member) {
                    Type::Literal(literal) => {
                        values.insert(literal);
                    }
                    _ => only_literals = false,
                }
            }
            if only_literals && !values.is_empty() {
                constants.insert(name.clone(), values);
            }
        }
        Some(Some(constants))
    }
}

/// The properties that tell the members of a union apart.
struct Tag {
    keys: Vec<String>,
    /// Whether they tell all of them apart.
    exact: bool,
}

impl Tag {
    /// One property that every member has, or such a one and a second, or the best that there is.
    fn find(members: &[Constants]) -> Option<Self> {
        let mut common: Vec<&String> = members
            .first()?
            .keys()
            .filter(|key| members.iter().all(|member| member.contains_key(*key)))
            .collect();
        common.sort_by_key(|key| {
            let text = members
                .iter()
                .all(|member| member.get(*key).is_some_and(|all| all.iter().all(is_text)));
            (
                !text,
                USUAL
                    .iter()
                    .position(|usual| usual == key)
                    .unwrap_or(USUAL.len()),
                (*key).clone(),
            )
        });
        if let Some(key) = common
            .iter()
            .find(|key| apart(members, key, None) == members.len())
        {
            return Some(Self {
                keys: vec![(*key).clone()],
                exact: true,
            });
        }
        let every: BTreeSet<&String> = members.iter().flat_map(BTreeMap::keys).collect();
        let pairs = common
            .iter()
            .flat_map(|first| every.iter().map(move |second| (*first, *second)));
        let pairs: Vec<(&String, &String)> =
            pairs.filter(|(first, second)| first != second).collect();
        let best = pairs
            .iter()
            .rev()
            .max_by_key(|(first, second)| apart(members, first, Some(second)));
        match best {
            Some((first, second))
                if apart(members, first, Some(second)) > apart(members, first, None) =>
            {
                let exact = apart(members, first, Some(second)) == members.len();
                Some(Self {
                    keys: vec![(*first).clone(), (*second).clone()],
                    exact,
                })
            }
            _ => common
                .iter()
                .find(|key| apart(members, key, None) > 0)
                .map(|key| Self {
                    keys: vec![(*key).clone()],
                    exact: false,
                }),
        }
    }
}

/// How many members have values that no other member has.
fn apart(members: &[Constants], first: &str, second: Option<&str>) -> usize {
    let mut owners: BTreeMap<(&Literal, Option<&Literal>), usize> = BTreeMap::new();
    let values: Vec<Vec<(&Literal, Option<&Literal>)>> = members
        .iter()
        .map(|member| {
            let seconds: Vec<Option<&Literal>> = match second.and_then(|second| member.get(second))
            {
                Some(values) => values.iter().map(Some).collect(),
                None => vec![None],
            };
            let firsts = member.get(first).into_iter().flatten();
            firsts
                .flat_map(|first| seconds.iter().map(move |second| (first, *second)))
                .collect()
        })
        .collect();
    for value in values.iter().flatten() {
        *owners.entry(*value).or_default() += 1;
    }
    // A member that does not say the second one may have any there.
    let told = |(first, second): &(&Literal, Option<&Literal>)| {
        let same_first = || owners.iter().filter(|((other, _), _)| other == first);
        match second {
            Some(_) => {
                owners.get(&(first, *second)) == Some(&1) && !owners.contains_key(&(*first, None))
            }
            None => same_first().map(|(_, count)| count).sum::<usize>() == 1,
        }
    };
    values.iter().filter(|own| own.iter().all(told)).count()
}

fn is_text(literal: &Literal) -> bool {
    matches!(literal, Literal::Text(_))
}

/// The schemas of the literals of a union.
pub(super) fn constants(literals: &BTreeSet<Literal>, any_text: bool) -> Vec<Value> {
    let values = |wanted: fn(&Literal) -> bool| -> Vec<Value> {
        literals
            .iter()
            .filter(|literal| wanted(literal))
            .map(constant)
            .collect()
    };
    let texts = values(is_text);
    let mut schemas = Vec::new();
    if any_text {
        let mut schema = json!({"type": "string"});
        if !texts.is_empty() {
            schema["x-known-values"] = Value::Array(texts);
        }
        schemas.push(schema);
    } else {
        schemas.extend(one_or_all(texts));
    }
    schemas.extend(one_or_all(values(|literal| {
        matches!(literal, Literal::Number(_))
    })));
    schemas.extend(one_or_all(values(|literal| {
        matches!(literal, Literal::Boolean(_))
    })));
    schemas
}

/// What is no text says its kind, too: its values alone tell less than they seem to.
fn one_or_all(mut values: Vec<Value>) -> Option<Value> {
    let kind = match values.first()? {
        Value::Bool(_) => Some("boolean"),
        Value::Number(_) => Some("number"),
        Value::Null | Value::String(_) | Value::Array(_) | Value::Object(_) => None,
    };
    let mut schema = if values.len() == 1 {
        json!({"const": values.swap_remove(0)})
    } else {
        json!({ "enum": values })
    };
    if let Some(kind) = kind {
        schema["type"] = json!(kind);
    }
    Some(schema)
}

/// The parts as one schema: sorted, and null inside a single part where there is room for it.
fn joined(keyword: &str, mut parts: Vec<Value>, null: bool) -> Value {
    parts.sort_by_cached_key(Value::to_string);
    parts.dedup();
    join_lists(&mut parts);
    if parts.len() > 1 {
        if null {
            parts.push(json!({"type": "null"}));
        }
        return json!({ keyword: parts });
    }
    let Some(part) = parts.pop() else {
        return if null {
            json!({"type": "null"})
        } else {
            Value::Bool(false)
        };
    };
    if !null || part == Value::Bool(true) {
        return part;
    }
    if let Some(keywords) = part.as_object()
        && let Some(schema) = with_null(keywords)
    {
        return schema;
    }
    json!({"anyOf": [part, {"type": "null"}]})
}

/// Lists of the same items whose bounds meet are one list: so tuples of two, three and four become
/// a list of two to four.
fn join_lists(parts: &mut Vec<Value>) {
    let mut index = 0;
    while index < parts.len() {
        let next = parts
            .iter()
            .enumerate()
            .skip(index + 1)
            .find_map(|(later, other)| Some((later, joined_lists(parts.get(index)?, other)?)));
        match next {
            Some((later, list)) => {
                parts.remove(later);
                if let Some(part) = parts.get_mut(index) {
                    *part = list;
                }
            }
            None => index += 1,
        }
    }
}

fn joined_lists(one: &Value, two: &Value) -> Option<Value> {
    let keys = ["items", "maxItems", "minItems", "type"];
    let plain = |list: &Value| {
        let known = list
            .as_object()?
            .keys()
            .all(|key| keys.contains(&key.as_str()));
        let bound = |name: &str| list.get(name).and_then(Value::as_u64);
        let same_items = list.get("items").is_some_and(|items| !items.is_array());
        (known && same_items).then(|| (bound("minItems").unwrap_or(0), bound("maxItems")))
    };
    let ((least, most), (other_least, other_most)) = (plain(one)?, plain(two)?);
    let meets =
        |most: Option<u64>, least: u64| most.is_none_or(|most| most.saturating_add(1) >= least);
    if one.get("items") != two.get("items")
        || !meets(most, other_least)
        || !meets(other_most, least)
    {
        return None;
    }
    let mut list = json!({"items": one.get("items"), "type": "array"});
    if least.min(other_least) > 0 {
        list["minItems"] = json!(least.min(other_least));
    }
    if let (Some(most), Some(other)) = (most, other_most) {
        list["maxItems"] = json!(most.max(other));
    }
    Some(list)
}

/// The same keywords, for null too.
fn with_null(keywords: &Map<String, Value>) -> Option<Value> {
    let mut keywords = keywords.clone();
    let kind = keywords
        .get("type")
        .and_then(Value::as_str)
        .map(str::to_owned);
    let constant = keywords.remove("const");
    if let Some(value) = &constant {
        keywords.insert("enum".to_owned(), json!([value]));
    }
    let listed = keywords.get_mut("enum").and_then(Value::as_array_mut);
    match (listed, &kind) {
        (Some(values), _) => values.push(Value::Null),
        (None, Some(_)) => {}
        (None, None) => return None,
    }
    if let Some(kind) = kind {
        keywords.insert("type".to_owned(), json!([kind, "null"]));
    }
    Some(Value::Object(keywords))
}
