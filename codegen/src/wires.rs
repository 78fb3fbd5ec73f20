//! The wires of a provider as types: what a recorded message is read along, to find the rows that
//! it shows.
//!
//! A message is followed through the merged types of all versions, so each union and enum is found
//! wherever it stands, and a row is shown by the very value that needs it. What the types do not
//! know is passed over here: to tell that is the decoders' work.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};

use crate::ir::{Arm, Guard, JsonKind, Module, Shape, Type, Variant};
use crate::pipeline::members::{Member, members};
use crate::pipeline::picked::expand;
use crate::pipeline::surfaces::type_name;
use crate::plan::Case;
use crate::result_unions::add_union;
use crate::sources::Sources;

/// Rows: the id of a surface or value surface, and a tag.
pub type Rows = BTreeSet<(String, String)>;

/// The wires of one provider.
pub struct Wires {
    /// The provider.
    pub provider: String,
    module: Module,
    /// The unions that messages are, with the surface where they have rows.
    unions: Vec<Union>,
    /// What is bound to a definition.
    bound: BTreeMap<String, Vec<Bound>>,
}

struct Union {
    surface: Option<String>,
    name: String,
    results: bool,
}

enum Bound {
    Surface { id: String, members: Vec<Member> },
    Value(String),
}

/// Who wrote a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Writer {
    /// The agent.
    Agent,
    /// The host, which answers.
    Host,
}

impl Wires {
    /// The wires of a provider, with its unions of results.
    pub(crate) fn new(
        sources: &Sources,
        provider: &str,
        mut module: Module,
        results: BTreeMap<String, BTreeMap<String, (String, Variant)>>,
    ) -> Self {
        for (union, names) in results {
            add_union(&mut module, &union, names);
        }
        let mut unions = Vec::new();
        let mut bound: BTreeMap<String, Vec<Bound>> = BTreeMap::new();
        for (id, surface) in &sources.surface {
            if surface.provider != provider {
                continue;
            }
            unions.push(Union {
                surface: Some(id.clone()),
                name: surface.union.clone(),
                results: surface.results_of.is_some(),
            });
            let all = members(&module, &surface.union).unwrap_or_default();
            let members = expand(id, all.clone(), &surface.by, &module).unwrap_or(all);
            let id = id.clone();
            let surface = bound.entry(surface.union.clone()).or_default();
            surface.push(Bound::Surface { id, members });
        }
        for (id, union) in &sources.union {
            if union.provider == provider && union.results_of.is_some() {
                unions.push(Union {
                    surface: None,
                    name: type_name(id).to_owned(),
                    results: true,
                });
            }
        }
        for (id, value) in &sources.value {
            if let Some(ty) = value.ty.as_ref().filter(|_| value.provider == provider) {
                let values = bound.entry(ty.clone()).or_default();
                values.push(Bound::Value(id.clone()));
            }
        }
        Self {
            provider: provider.to_owned(),
            module,
            unions,
            bound,
        }
    }

    /// The ids of the surfaces.
    pub fn surfaces(&self) -> impl Iterator<Item = &str> {
        self.unions.iter().filter_map(|it| it.surface.as_deref())
    }

    /// The rows that a message of the agent shows: a notification, a request, a record.
    pub fn message(&self, message: &Value, rows: &mut Rows) {
        for union in self.unions.iter().filter(|it| !it.results) {
            self.union(&union.name, message, rows);
        }
    }

    /// The rows that the result of a request shows; `by` wrote the result.
    pub fn result(&self, method: &str, result: &Value, by: Writer, rows: &mut Rows) {
        let answer = Value::Object(Map::from_iter([
            ("method".to_owned(), Value::from(method)),
            ("result".to_owned(), result.clone()),
        ]));
        let of_writer =
            |union: &&Union| union.results && (union.surface.is_some() == (by == Writer::Agent));
        for union in self.unions.iter().filter(of_writer) {
            self.union(&union.name, &answer, rows);
        }
    }

    /// Follows a message along a union, if it is one of its variants.
    fn union(&self, name: &str, message: &Value, rows: &mut Rows) {
        let Some(Shape::Tagged { tag, variants, .. }) = self.shape(name) else {
            return;
        };
        let own = message.get(tag).and_then(Value::as_str);
        if own.is_some_and(|own| variants.contains_key(own)) {
            self.definition(name, message, rows);
        }
    }

    fn shape(&self, name: &str) -> Option<&Shape> {
        Some(&self.module.definitions.get(name)?.shape)
    }

    fn ty(&self, ty: &Type, value: &Value, rows: &mut Rows) {
        match (ty, value) {
            (Type::Ref(name), _) => self.definition(name, value, rows),
            (Type::Nullable(inner), _) => self.ty(inner, value, rows),
            (Type::List(inner), Value::Array(items)) => {
                items.iter().for_each(|item| self.ty(inner, item, rows));
            }
            (Type::Map(inner), Value::Object(members)) => {
                members.values().for_each(|item| self.ty(inner, item, rows));
            }
            (
                Type::List(_)
                | Type::Map(_)
                | Type::Boolean
                | Type::Integer(_)
                | Type::Float
                | Type::String
                | Type::Json,
                _,
            ) => {}
        }
    }

    fn definition(&self, name: &str, value: &Value, rows: &mut Rows) {
        let Some(shape) = self.shape(name) else {
            return;
        };
        match shape {
            Shape::Struct(fields) => {
                for (key, field) in fields {
                    if let Some(value) = value.get(key) {
                        self.ty(&field.ty, value, rows);
                    }
                }
            }
            Shape::Tagged {
                tag,
                content,
                common,
                variants,
            } => {
                let own = value.get(tag).and_then(Value::as_str);
                let Some((own, variant)) = own.and_then(|own| variants.get_key_value(own)) else {
                    return;
                };
                let payload = content.as_ref().map_or(Some(value), |name| value.get(name));
                self.shown(name, own, payload, rows);
                for (key, field) in common {
                    if let Some(value) = value.get(key) {
                        self.ty(&field.ty, value, rows);
                    }
                }
                if let (Some(ty), Some(payload)) = (&variant.payload, payload) {
                    self.ty(ty, payload, rows);
                }
            }
            Shape::External(variants) => {
                let (own, payload) = match value {
                    Value::String(own) => (own, None),
                    Value::Object(members) => match members.iter().next() {
                        Some((own, payload)) => (own, Some(payload)),
                        None => return,
                    },
                    Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) => return,
                };
                let Some(variant) = variants.get(own) else {
                    return;
                };
                self.shown(name, own, payload, rows);
                if let (Some(ty), Some(payload)) = (&variant.payload, payload) {
                    self.ty(ty, payload, rows);
                }
            }
            Shape::Enum(values) => {
                if let Some(own) = value.as_str().filter(|own| values.contains_key(*own)) {
                    self.shown(name, own, None, rows);
                }
            }
            Shape::Codes(values) => {
                if let Some(own) = value.as_i64().filter(|own| values.contains_key(own)) {
                    self.shown(name, &own.to_string(), None, rows);
                }
            }
            Shape::Untagged(arms) => {
                if let Some(arm) = arms.iter().find(|arm| admits(arm, value)) {
                    self.ty(&arm.ty, value, rows);
                }
            }
            Shape::Alias(ty) => self.ty(ty, value, rows),
        }
    }

    /// A variant of a definition stands in a message.
    fn shown(&self, definition: &str, tag: &str, payload: Option<&Value>, rows: &mut Rows) {
        for bound in self.bound.get(definition).into_iter().flatten() {
            match bound {
                Bound::Value(id) => {
                    rows.insert((id.clone(), tag.to_owned()));
                }
                Bound::Surface { id, members } => {
                    let own = members.iter().filter(|member| member.variant == tag);
                    let held = own.filter(|member| self.holds(member, payload).is_some());
                    // The row of the whole variant is for what has none of the values.
                    if let Some(member) = held.max_by_key(|member| member.picks.len()) {
                        rows.insert((id.clone(), member.tag.clone()));
                    }
                }
            }
        }
    }

    /// Whether a payload has all that a tag path asks for below its variant.
    fn holds(&self, member: &Member, payload: Option<&Value>) -> Option<()> {
        let mut rest = member.tag.strip_prefix(&member.variant)?;
        let mut at = payload;
        for pick in &member.picks {
            let named = pick.member.as_ref();
            match &pick.case {
                Case::Set => {
                    let name = named?;
                    rest = rest.strip_prefix('+')?.strip_prefix(name.as_str())?;
                    at?.get(name)?.as_bool().filter(|set| *set)?;
                }
                Case::Text { .. } => {
                    rest = rest
                        .strip_prefix(':')?
                        .strip_prefix(at?.get(named?)?.as_str()?)?;
                }
                Case::Variant { definition, .. } => {
                    let union = match named {
                        Some(name) => at?.get(name)?,
                        None => at?,
                    };
                    let Shape::Tagged { tag, content, .. } = self.shape(definition)? else {
                        return None;
                    };
                    rest = rest
                        .strip_prefix(':')?
                        .strip_prefix(union.get(tag)?.as_str()?)?;
                    at = content.as_ref().map_or(Some(union), |name| union.get(name));
                }
            }
        }
        rest.is_empty().then_some(())
    }
}

/// Whether a value belongs to an arm of an untagged union.
fn admits(arm: &Arm, value: &Value) -> bool {
    arm.guards.iter().any(|guard| match guard {
        Guard::Kind(kind) => Some(*kind) == kind_of(value),
        Guard::Object {
            required,
            constants,
            absent,
        } => {
            value.is_object()
                && required.iter().all(|name| value.get(name).is_some())
                && absent.iter().all(|name| value.get(name).is_none())
                && constants.iter().all(|(name, texts)| {
                    let own = value.get(name).and_then(Value::as_str);
                    own.is_some_and(|own| texts.contains(own))
                })
        }
    })
}

/// The kind of a value; `null` is of none that a guard asks for.
fn kind_of(value: &Value) -> Option<JsonKind> {
    match value {
        Value::Null => None,
        Value::Bool(_) => Some(JsonKind::Boolean),
        Value::Number(_) => Some(JsonKind::Number),
        Value::String(_) => Some(JsonKind::String),
        Value::Array(_) => Some(JsonKind::Array),
        Value::Object(_) => Some(JsonKind::Object),
    }
}
