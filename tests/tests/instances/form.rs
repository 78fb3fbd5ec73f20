//! What a schema says, in one word: the same reading that the generator makes, made again here.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::copies::{SchemaCopy, reference};

/// What a schema is, `null` left out.
pub enum Form<'s> {
    /// Anything, or any object.
    Opaque,
    /// `true` or `false`.
    Boolean,
    /// A whole number, with its format and limits.
    Integer(&'s Value),
    /// Any number.
    Number,
    /// A text with a least length.
    Text(usize),
    /// A list of something.
    List(&'s Value),
    /// An object with free keys.
    Map(&'s Value),
    /// Another definition.
    Reference(&'s str),
    /// One of these texts.
    Texts(Vec<&'s str>),
    /// An object with known members.
    Object(Members<'s>),
    /// Objects that a member picks, with the members beside the union.
    Tagged {
        tag: &'s str,
        common: Members<'s>,
        arms: Vec<Arm<'s>>,
    },
    /// Texts, and objects with one member that picks.
    External {
        texts: Vec<&'s str>,
        keyed: BTreeMap<&'s str, &'s Value>,
    },
    /// Told apart by their form alone.
    Untagged(Vec<&'s Value>),
}

/// Members of an object.
#[derive(Default)]
pub struct Members<'s> {
    /// By name.
    pub properties: BTreeMap<&'s str, &'s Value>,
    /// What must be there.
    pub required: BTreeSet<&'s str>,
    /// One of these sets of members comes in addition.
    pub alternatives: Vec<Members<'s>>,
}

/// An arm of a tagged union.
pub struct Arm<'s> {
    /// The tag values that pick it.
    pub tags: Vec<&'s str>,
    /// What it looks like.
    pub schema: &'s Value,
}

static ANY: Value = Value::Bool(true);

/// Members that conventionally pick, tried before any other.
const USUAL_TAGS: &[&str] = &["method", "type", "kind", "mode", "state"];

/// What a schema says; `named` where it is a definition of its own and no inline one.
pub fn form<'s>(copy: &'s SchemaCopy, schema: &'s Value, named: bool) -> Form<'s> {
    if let Some(name) = reference(schema) {
        return Form::Reference(name);
    }
    for key in ["oneOf", "anyOf"] {
        if let Some(members) = schema.get(key).and_then(Value::as_array) {
            return union(
                copy,
                schema,
                members.iter().filter(|member| !is_null(member)).collect(),
            );
        }
    }
    if let Some(texts) = constants(schema) {
        return Form::Texts(texts);
    }
    match kinds(schema).as_slice() {
        [] => Form::Opaque,
        ["null"] => Form::Opaque,
        ["boolean"] => Form::Boolean,
        ["integer"] => Form::Integer(schema),
        ["number"] => Form::Number,
        ["string"] => Form::Text(
            schema
                .get("minLength")
                .and_then(Value::as_u64)
                .map_or(0, |least| least.try_into().unwrap()),
        ),
        ["array"] => Form::List(schema.get("items").unwrap_or(&ANY)),
        ["object"] => object(schema, named),
        kinds => panic!("no form for {kinds:?}: {schema}"),
    }
}

/// The schema without `null`, and whether `null` is allowed.
pub fn without_null(schema: &Value) -> (&Value, bool) {
    for key in ["anyOf", "oneOf"] {
        if let Some(members) = schema.get(key).and_then(Value::as_array)
            && members.iter().any(is_null)
        {
            let others: Vec<&Value> = members.iter().filter(|member| !is_null(member)).collect();
            // What stays a union is read without its null.
            return if let [only] = others[..] {
                (without_null(only).0, true)
            } else {
                (schema, true)
            };
        }
    }
    let listed = schema.get("type").and_then(Value::as_array);
    let nullable = listed.is_some_and(|kinds| kinds.iter().any(|kind| kind == "null"));
    (schema, nullable || is_null(schema) || anything(schema))
}

/// Whether it lets in every value.
pub fn anything(schema: &Value) -> bool {
    let structure = [
        "$ref",
        "allOf",
        "anyOf",
        "const",
        "enum",
        "oneOf",
        "properties",
        "type",
    ];
    *schema == Value::Bool(true)
        || schema
            .as_object()
            .is_some_and(|map| structure.iter().all(|key| !map.contains_key(*key)))
}

fn object(schema: &Value, named: bool) -> Form<'_> {
    let members = members(schema);
    match schema.get("additionalProperties") {
        _ if !members.properties.is_empty() => Form::Object(members),
        Some(values @ Value::Object(_)) => Form::Map(values),
        Some(Value::Bool(true)) => Form::Map(&ANY),
        _ if named || schema.get("properties").is_some() => Form::Object(members),
        _ => Form::Opaque,
    }
}

/// The members that a schema itself lists.
pub fn members(schema: &Value) -> Members<'_> {
    let properties = schema
        .get("properties")
        .and_then(Value::as_object)
        .into_iter()
        .flatten();
    let alternatives = ["anyOf", "oneOf"]
        .into_iter()
        .filter_map(|key| schema.get(key)?.as_array())
        .flatten();
    Members {
        properties: properties
            .map(|(name, member)| (name.as_str(), member))
            .collect(),
        required: required(schema).collect(),
        alternatives: alternatives.map(members).collect(),
    }
}

fn required(schema: &Value) -> impl Iterator<Item = &str> {
    schema
        .get("required")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
}

fn union<'s>(copy: &'s SchemaCopy, schema: &'s Value, arms: Vec<&'s Value>) -> Form<'s> {
    let texts: Option<Vec<Vec<&str>>> =
        arms.iter().map(|arm| constants(copy.follow(arm))).collect();
    if let Some(texts) = texts {
        return Form::Texts(texts.concat());
    }
    if let Some(external) = external(copy, &arms) {
        return external;
    }
    let common = schema.get("properties").is_some();
    if let Some(tag) = find_tag(copy, &arms) {
        let arms = arms.into_iter().map(|arm| Arm {
            tags: tag_values(copy, arm, tag).unwrap(),
            schema: arm,
        });
        let common = Members {
            alternatives: Vec::new(),
            ..members(schema)
        };
        return Form::Tagged {
            tag,
            common,
            arms: arms.collect(),
        };
    }
    if common {
        Form::Object(members(schema))
    } else {
        Form::Untagged(arms)
    }
}

/// A member that allows any text or object is the schema's own catch-all and makes no value here.
fn external<'s>(copy: &'s SchemaCopy, arms: &[&'s Value]) -> Option<Form<'s>> {
    let mut texts = Vec::new();
    let mut keyed = BTreeMap::new();
    for arm in arms {
        if let Some(constants) = constants(arm) {
            texts.extend(constants);
        } else if kinds(arm) != ["string", "object"] {
            let members = members(arm);
            let one = members.properties.len() == 1 && members.required.len() == 1;
            let (name, payload) = members.properties.into_iter().next().filter(|_| one)?;
            if constants(copy.follow(payload)).is_some() {
                return None;
            }
            keyed.insert(name, payload);
        }
    }
    (!keyed.is_empty()).then_some(Form::External { texts, keyed })
}

fn find_tag<'s>(copy: &'s SchemaCopy, arms: &[&'s Value]) -> Option<&'s str> {
    let mut candidates: Vec<&str> = members(copy.follow(arms.first()?))
        .properties
        .into_keys()
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
    let picks = |tag: &str, single: bool| {
        let mut all = BTreeSet::new();
        arms.iter().all(|arm| {
            tag_values(copy, arm, tag).is_some_and(|values| {
                (!single || values.len() == 1) && values.into_iter().all(|value| all.insert(value))
            })
        })
    };
    let single = candidates.iter().find(|tag| picks(tag, true));
    single
        .or_else(|| candidates.iter().find(|tag| picks(tag, false)))
        .copied()
}

fn tag_values<'s>(copy: &'s SchemaCopy, arm: &'s Value, tag: &str) -> Option<Vec<&'s str>> {
    let object = copy.follow(arm);
    let values = constants(copy.follow(object.get("properties")?.get(tag)?))?;
    (required(object).any(|name| name == tag) && !values.is_empty()).then_some(values)
}

fn constants(schema: &Value) -> Option<Vec<&str>> {
    if let Some(text) = schema.get("const").and_then(Value::as_str) {
        return Some(vec![text]);
    }
    let values = schema.get("enum")?.as_array()?;
    values
        .iter()
        .filter(|value| !value.is_null())
        .map(Value::as_str)
        .collect()
}

fn kinds(schema: &Value) -> Vec<&str> {
    match schema.get("type") {
        Some(Value::String(kind)) => vec![kind],
        Some(Value::Array(kinds)) => kinds
            .iter()
            .filter_map(Value::as_str)
            .filter(|kind| *kind != "null")
            .collect(),
        _ if schema.get("properties").is_some() => vec!["object"],
        _ => Vec::new(),
    }
}

fn is_null(schema: &Value) -> bool {
    schema.get("type").and_then(Value::as_str) == Some("null")
}
