//! The JSON Schema front end: drafts 7 and 2020-12 as agents publish them, to the IR.
//!
//! Only what the roots reach is lowered. A construct without a rule is an error with its JSON
//! path; nothing becomes "anything" in silence.

mod composed;
mod document;
mod marked;
mod methods;
mod object;
#[cfg(test)]
mod tests;
mod union;
mod untagged;

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::diagnostics::Code;
use crate::document::{only_part, says_nothing};
use crate::ir::{Definition, Integer, Module, Seen, Shape, Type};
use crate::names;
use crate::problem::Problem;

pub use document::{Document, base};
pub use methods::bound_result;

/// How deep schemas may nest: no published one comes near, and deeper ones would cost the stack of
/// whatever reads the code.
const DEEPEST: usize = 40;

/// Lowers everything that the roots reach; all findings at once.
pub fn lower(document: &Document<'_>, roots: &BTreeSet<String>) -> Result<Module, Vec<Problem>> {
    whole(run(document, roots, true))
}

/// Lowers the roots alone: what they refer to stays a name.
pub fn lower_shallow(
    document: &Document<'_>,
    roots: &BTreeSet<String>,
) -> Result<Module, Vec<Problem>> {
    whole(run(document, roots, false))
}

/// Lowers all that can be, with or without what the roots refer to: what can't be is an opaque value,
/// and reported beside.
pub fn lower_partly(
    document: &Document<'_>,
    roots: &BTreeSet<String>,
    follow: bool,
) -> (Module, Vec<Problem>) {
    run(document, roots, follow)
}

fn whole((module, problems): (Module, Vec<Problem>)) -> Result<Module, Vec<Problem>> {
    if problems.is_empty() {
        Ok(module)
    } else {
        Err(problems)
    }
}

fn run(document: &Document<'_>, roots: &BTreeSet<String>, follow: bool) -> (Module, Vec<Problem>) {
    let mut lowering = Lowering {
        document,
        done: BTreeMap::new(),
        problems: Vec::new(),
    };
    let mut queue: Vec<String> = roots.iter().rev().cloned().collect();
    let mut visited = BTreeSet::new();
    while let Some(name) = queue.pop() {
        if !visited.insert(name.clone()) {
            continue;
        }
        if let Some(entry) = document.definitions.get(&name) {
            lowering.define(&name, entry.schema, &entry.path);
        }
        if follow && let Some(definition) = lowering.done.get(&name) {
            queue.extend(definition.shape.references());
        }
    }
    lowering.check_circles();
    // A schema that is looked at from two sides is reported once.
    let mut problems: Vec<Problem> = Vec::new();
    for problem in lowering.problems {
        if !problems.contains(&problem) {
            problems.push(problem);
        }
    }
    let definitions = lowering.done;
    (Module { definitions }, problems)
}

/// The state of one run: what is lowered and what went wrong.
pub(super) struct Lowering<'d, 'a> {
    document: &'d Document<'a>,
    done: BTreeMap<String, Definition>,
    problems: Vec<Problem>,
}

impl<'a> Lowering<'_, 'a> {
    /// Lowers a schema that has a name of its own.
    fn define(&mut self, name: &str, schema: &'a Value, path: &[String]) {
        self.document
            .check_keywords(schema, path, &mut self.problems);
        // What may be null is so wherever it is used, so the definition itself is what it is besides.
        if let Some((inner, steps)) = without_null(schema) {
            let at: Vec<String> = path.iter().cloned().chain(steps).collect();
            return self.define(name, inner, &at);
        }
        let before = self.problems.len();
        let shape = match self.shape(schema, name, path) {
            Some(shape) => shape,
            None if self.problems.len() > before => Shape::Alias(Type::Json),
            None => Shape::Alias(self.plain(schema, name, path).non_null().clone()),
        };
        let definition = Definition {
            shape,
            seen: self.seen(),
            at: self.document.place(path),
        };
        if let Some(previous) = self.done.get(name)
            && previous.shape != definition.shape
        {
            let message = format!("two shapes would both be called `{name}`");
            let problem = Problem::new(Code::NameCollision, self.document.place(path), message)
                .also(previous.at.clone(), "the other one stands here");
            self.problems.push(problem);
            return;
        }
        self.done.insert(name.to_owned(), definition);
    }

    /// A name for nothing but itself, be it in a list, is no type.
    fn check_circles(&mut self) {
        for (name, definition) in &self.done {
            let Shape::Alias(ty) = &definition.shape else {
                continue;
            };
            let mut reached = BTreeSet::new();
            ty.references(&mut reached);
            let mut queue: Vec<String> = reached.iter().cloned().collect();
            while let Some(next) = queue.pop() {
                if let Some(Definition {
                    shape: Shape::Alias(ty),
                    ..
                }) = self.done.get(&next)
                {
                    let mut more = BTreeSet::new();
                    ty.references(&mut more);
                    queue.extend(more.into_iter().filter(|name| reached.insert(name.clone())));
                }
            }
            if reached.contains(name) {
                let message = format!("`{name}` is only another name for itself");
                self.problems
                    .push(self.document.problem(&definition.at.path, message));
            }
        }
    }

    fn seen(&self) -> Seen {
        Seen::once(self.document.version, self.document.face)
    }

    fn fail(&mut self, path: &[String], message: impl Into<String>) -> Type {
        self.problems
            .push(self.document.problem(path, message.into()));
        Type::Json
    }

    /// The type of a schema at a use site; `hint` names it should it need a definition.
    fn type_of(&mut self, schema: &'a Value, hint: &str, path: &[String]) -> Type {
        if path.len() > DEEPEST {
            return self.fail(
                path,
                "a schema that is nested this deep has no lowering rule",
            );
        }
        self.document
            .check_keywords(schema, path, &mut self.problems);
        if let Some((inner, steps)) = without_null(schema) {
            let mut at = path.to_vec();
            at.extend(steps);
            return self.type_of(inner, hint, &at).or_null();
        }
        if let Some(split) = nullable_union(schema) {
            return self.inline_union(schema, split, hint, path).or_null();
        }
        if nullable_kind(schema) {
            // The shape below reads the kinds without null.
            return self.non_null_type(schema, hint, path).or_null();
        }
        self.non_null_type(schema, hint, path)
    }

    fn non_null_type(&mut self, schema: &'a Value, hint: &str, path: &[String]) -> Type {
        if let Some(reference) = schema.get("$ref").and_then(Value::as_str) {
            return match self.document.resolve(reference) {
                Some((name, entry)) if self.allows_null(entry.schema) => {
                    Type::Ref(name.to_owned()).or_null()
                }
                Some((name, _)) => Type::Ref(name.to_owned()),
                None => self.fail(path, format!("`{reference}` names nothing in this file")),
            };
        }
        if let Some(only) = only_part(schema) {
            let at = extend(path, &["allOf", "0"]);
            return self.type_of(only, hint, &at);
        }
        let before = self.problems.len();
        match self.shape(schema, hint, path) {
            Some(shape) => self.inline(shape, hint, path),
            None if self.problems.len() > before => Type::Json,
            None => self.plain(schema, hint, path),
        }
    }

    /// Whether `null` is a value of a definition.
    fn allows_null(&self, schema: &'a Value) -> bool {
        let schema = self.document.follow(schema);
        without_null(schema).is_some() || nullable_union(schema).is_some() || nullable_kind(schema)
    }

    /// Gives an inline shape its name.
    fn inline(&mut self, shape: Shape, hint: &str, path: &[String]) -> Type {
        let definition = Definition {
            shape,
            seen: self.seen(),
            at: self.document.place(path),
        };
        let clash = self
            .document
            .definitions
            .get(hint)
            .map(|entry| entry.path.clone())
            .or_else(|| {
                let previous = self
                    .done
                    .get(hint)
                    .filter(|known| known.shape != definition.shape)?;
                Some(previous.at.path.clone())
            });
        if let Some(other) = clash {
            let message = format!("an inline shape would be called `{hint}`, which another has");
            let problem = Problem::new(Code::NameCollision, self.document.place(path), message)
                .also(self.document.place(&other), "the other one stands here");
            self.problems.push(problem);
        } else {
            self.done.insert(hint.to_owned(), definition);
        }
        Type::Ref(hint.to_owned())
    }

    /// The shape of a schema that needs a definition; nothing for a plain type.
    fn shape(&mut self, schema: &'a Value, name: &str, path: &[String]) -> Option<Shape> {
        if let Some(shape) = self.method_union(schema, name, path) {
            return Some(shape);
        }
        if let Some(shape) = self.union(schema, name, path) {
            return Some(shape);
        }
        if let Some(values) = constants(schema) {
            if values.is_empty() {
                self.fail(path, "an enum without values has no reading");
            }
            let seen = self.seen();
            return Some(Shape::Enum(
                values.into_iter().map(|v| (v, seen.clone())).collect(),
            ));
        }
        let object = kinds(schema).is_some_and(|kinds| kinds == ["object"])
            || (kinds(schema).is_none() && schema.get("properties").is_some());
        if object {
            return self.object(schema, name, path);
        }
        None
    }

    /// A type without a definition of its own.
    fn plain(&mut self, schema: &'a Value, hint: &str, path: &[String]) -> Type {
        if schema.get("$ref").is_some() || only_part(schema).is_some() {
            return self.type_of(schema, hint, path);
        }
        if schema.get("allOf").is_some() {
            // Reported with the keywords.
            return Type::Json;
        }
        match schema {
            Value::Bool(true) => return Type::Json,
            Value::Object(_) if says_nothing(schema) => return Type::Json,
            Value::Object(_) => {}
            Value::Bool(false)
            | Value::Null
            | Value::Number(_)
            | Value::String(_)
            | Value::Array(_) => {
                return self.fail(path, "this is not a schema with values");
            }
        }
        let Some(kinds) = kinds(schema) else {
            return self.fail(path, "a schema that says no type has no lowering rule");
        };
        match kinds.as_slice() {
            ["string"] => Type::String,
            ["boolean"] => Type::Boolean,
            ["number"] => Type::Float,
            ["integer"] => self.integer(schema, path),
            ["null"] => Type::Json,
            ["array"] => match schema.get("items") {
                None => Type::List(Box::new(Type::Json)),
                Some(items @ (Value::Object(_) | Value::Bool(_))) => {
                    let at = extend(path, &["items"]);
                    Type::List(Box::new(self.type_of(items, &format!("{hint}Item"), &at)))
                }
                Some(_) => self.fail(
                    path,
                    "a list with one schema a position has no lowering rule",
                ),
            },
            ["object"] => match schema.get("additionalProperties") {
                Some(values @ Value::Object(_)) => {
                    let at = extend(path, &["additionalProperties"]);
                    Type::Map(Box::new(self.type_of(values, &format!("{hint}Value"), &at)))
                }
                Some(Value::Bool(true)) => Type::Map(Box::new(Type::Json)),
                _ => Type::Json,
            },
            several => self.fail(
                path,
                format!(
                    "a value of several kinds ({}) has no name for each",
                    several.join(", ")
                ),
            ),
        }
    }

    fn integer(&mut self, schema: &Value, path: &[String]) -> Type {
        let Some(format) = schema.get("format").and_then(Value::as_str) else {
            return Type::Integer(Integer::I64);
        };
        Type::Integer(match format {
            "uint8" => Integer::U8,
            "uint16" => Integer::U16,
            "uint32" => Integer::U32,
            // `uint` is the machine's word where it was written, so it may need 64 bits.
            "uint" | "uint64" => Integer::U64,
            "int16" => Integer::I16,
            "int32" => Integer::I32,
            "int" | "int64" => Integer::I64,
            other => {
                return self.fail(
                    path,
                    format!("integer format `{other}` has no lowering rule"),
                );
            }
        })
    }
}

/// The kinds that `type` lists, `null` left out.
pub(super) fn kinds(schema: &Value) -> Option<Vec<&str>> {
    match schema.get("type")? {
        Value::String(kind) => Some(vec![kind.as_str()]),
        Value::Array(kinds) => Some(
            kinds
                .iter()
                .filter_map(Value::as_str)
                .filter(|kind| *kind != "null")
                .collect(),
        ),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => None,
    }
}

/// The texts that a schema allows by `const` or `enum`.
pub(super) fn constants(schema: &Value) -> Option<Vec<String>> {
    if let Some(Value::String(text)) = schema.get("const") {
        return Some(vec![text.clone()]);
    }
    let values = schema.get("enum")?.as_array()?;
    values
        .iter()
        .filter(|value| !value.is_null())
        .map(|value| value.as_str().map(str::to_owned))
        .collect()
}

/// The one schema beside `null` in an `anyOf` or `oneOf` of two.
fn without_null(schema: &Value) -> Option<(&Value, Vec<String>)> {
    for key in ["anyOf", "oneOf"] {
        if let Some(Value::Array(members)) = schema.get(key)
            && members.len() == 2
            && let Some(null) = members.iter().position(is_null)
        {
            let other = 1 - null;
            return Some((members.get(other)?, vec![key.to_owned(), other.to_string()]));
        }
    }
    None
}

/// A union of three or more with `null` among the members: the key that holds it.
fn nullable_union(schema: &Value) -> Option<&'static str> {
    ["anyOf", "oneOf"].into_iter().find(|key| {
        schema
            .get(key)
            .and_then(Value::as_array)
            .is_some_and(|all| all.len() > 2 && all.iter().any(is_null))
    })
}

/// A list of kinds, or of values, with null among them.
fn nullable_kind(schema: &Value) -> bool {
    let listed = |key| {
        schema
            .get(key)
            .and_then(Value::as_array)
            .map_or(&[][..], Vec::as_slice)
    };
    listed("type").iter().any(|kind| kind == "null") || listed("enum").iter().any(Value::is_null)
}

/// A schema for nothing but `null`, in every spelling.
pub(super) fn is_null(schema: &Value) -> bool {
    let values = schema.get("enum").and_then(Value::as_array);
    schema.get("type").and_then(Value::as_str) == Some("null")
        || schema.get("const").is_some_and(Value::is_null)
        || values.is_some_and(|values| !values.is_empty() && values.iter().all(Value::is_null))
}

pub(super) fn extend(path: &[String], steps: &[&str]) -> Vec<String> {
    path.iter()
        .cloned()
        .chain(steps.iter().map(|step| (*step).to_owned()))
        .collect()
}

/// The definition name of something inline: its owner's name and its own.
pub(super) fn child(owner: &str, wire: &str) -> String {
    format!("{owner}{}", names::variant(wire))
}
