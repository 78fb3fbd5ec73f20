//! From types to JSON Schema: one definition for each name that the roots reach.

#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "what is done to some types leaves the others as they are"
)]

mod union;

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};

use crate::evaluate::Evaluator;
use crate::problem::Kind;
use crate::syntax::Literal;
use crate::types::{Object, Place, Type};

/// What was decided about names that have no reading of their own.
#[derive(Clone, Debug, Default)]
pub struct Decisions {
    /// Names that are declared nowhere, with the constants by which the wire tells them.
    pub undeclared: BTreeMap<String, BTreeMap<String, String>>,
    /// Types without a meaning on a wire that may stand for anything.
    pub opaque: BTreeSet<String>,
}

/// What was lowered.
#[derive(Debug, Default)]
pub struct Lowered {
    /// Schemas by name.
    pub definitions: BTreeMap<String, Value>,
    /// Names that are declared nowhere.
    pub undeclared: BTreeSet<String>,
    /// Types that stand for anything because that was decided, with the reason why they have no reading.
    pub opaque: BTreeMap<String, String>,
    /// How many properties and members of unions were left out because they are functions.
    pub dropped: usize,
}

/// Lowers the roots and everything that they reach. What went wrong is among the evaluator's problems.
pub fn lower(
    evaluator: &mut Evaluator<'_>,
    roots: &[(String, Type)],
    decisions: &Decisions,
) -> Lowered {
    let mut lowering = Lowering {
        evaluator,
        decisions,
        lowered: Lowered::default(),
        numbers: BTreeMap::new(),
        queue: Vec::new(),
        at: (0, 0),
    };
    for (name, root) in roots {
        let schema = lowering.schema(root);
        if !matches!(root, Type::Named(_)) {
            lowering.lowered.definitions.insert(name.clone(), schema);
        }
    }
    while let Some(number) = lowering.queue.pop() {
        lowering.define(number);
    }
    lowering.lowered
}

struct Lowering<'e, 't, 'd> {
    evaluator: &'e mut Evaluator<'t>,
    decisions: &'d Decisions,
    lowered: Lowered,
    /// The number of the definition that has each name.
    numbers: BTreeMap<String, usize>,
    queue: Vec<usize>,
    /// The module and the offset of the declaration at hand.
    at: (usize, u32),
}

impl Lowering<'_, '_, '_> {
    fn define(&mut self, number: usize) {
        let Some(definition) = self.evaluator.definition(number) else {
            return;
        };
        let (home, name, shown) = (
            definition.home.clone(),
            definition.name.clone(),
            definition.shown.clone(),
        );
        let Some(home) = home else {
            let tags = self.decisions.undeclared.get(&name);
            self.lowered.definitions.insert(shown, undeclared(tags));
            self.lowered.undeclared.insert(name);
            return;
        };
        let declarations = self.evaluator.modules.declarations(&home, &name);
        self.at = (
            home.module,
            declarations.first().map_or(0, |declaration| declaration.at),
        );
        self.evaluator.enter(&shown);
        let body = self.evaluator.body(number);
        let schema = if self.is_circle(&body) {
            self.fail(Kind::Circular(name))
        } else {
            self.schema(&body)
        };
        self.evaluator.leave();
        self.lowered.definitions.insert(shown, schema);
    }

    /// Whether a name is only another name for itself.
    fn is_circle(&mut self, body: &Type) -> bool {
        let mut seen = BTreeSet::new();
        let mut body = body.clone();
        while let Type::Named(number) = body {
            if !seen.insert(number) {
                return true;
            }
            body = self.evaluator.body(number);
        }
        false
    }

    fn fail(&mut self, kind: Kind) -> Value {
        self.evaluator.report(self.at.0, self.at.1, kind);
        Value::Bool(false)
    }

    fn schema(&mut self, ty: &Type) -> Value {
        match ty {
            Type::Any | Type::Unknown => Value::Bool(true),
            Type::Never | Type::Undefined => Value::Bool(false),
            Type::Null => json!({"type": "null"}),
            Type::Boolean => json!({"type": "boolean"}),
            Type::Number => json!({"type": "number"}),
            Type::String | Type::AnyText => json!({"type": "string"}),
            Type::AnyObject => json!({"type": "object"}),
            Type::Literal(literal) => {
                let only = BTreeSet::from([literal.clone()]);
                union::constants(&only, false).pop().unwrap_or_default()
            }
            Type::Template(template) => match self.pattern(&template.0, &template.1) {
                Some(pattern) => json!({"pattern": pattern, "type": "string"}),
                None => self.fail(Kind::NoRule("a text with this type in it".to_owned())),
            },
            Type::Array(element) => {
                let items = self.schema(element);
                json!({"items": items, "type": "array"})
            }
            Type::Tuple(places) => self.tuple(places),
            Type::Object(object) => self.object(object),
            Type::Union(members) => self.union(members),
            Type::Named(number) => self.reference(*number),
            Type::Function(_) => self.opaque("a function", "a function is no data"),
            Type::Foreign(foreign) => {
                let reason = if foreign.module.is_empty() {
                    "it belongs to the program and not to its data".to_owned()
                } else {
                    format!("the package of `{}` is not read", foreign.module)
                };
                self.opaque(&foreign.name, &reason)
            }
            Type::Infer(name) => {
                self.fail(Kind::NoRule(format!("`infer {name}` outside a condition")))
            }
            Type::Opaque(opaque) => self.opaque(&opaque.0, &opaque.1),
        }
    }

    fn opaque(&mut self, name: &str, reason: &str) -> Value {
        if self.decisions.opaque.contains(name) {
            self.lowered
                .opaque
                .insert(name.to_owned(), reason.to_owned());
            return Value::Bool(true);
        }
        self.fail(Kind::Opaque(name.to_owned(), reason.to_owned()))
    }

    fn reference(&mut self, number: usize) -> Value {
        let Some(definition) = self.evaluator.definition(number) else {
            return Value::Bool(false);
        };
        let shown = definition.shown.clone();
        match self.numbers.get(&shown) {
            Some(known) if *known != number => {
                let home = self
                    .evaluator
                    .definition(*known)
                    .and_then(|known| known.home.clone());
                let other = home.map(|home| self.evaluator.modules.path(home.module).to_owned());
                self.fail(Kind::Collision(shown.clone(), other.unwrap_or_default()));
            }
            Some(_) => {}
            None => {
                self.numbers.insert(shown.clone(), number);
                self.queue.push(number);
            }
        }
        json!({"$ref": format!("#/definitions/{shown}")})
    }

    /// A tuple whose places are all alike is a list with bounds.
    fn tuple(&mut self, places: &[Place]) -> Value {
        let fixed: Vec<&Place> = places.iter().filter(|place| !place.rest).collect();
        let least = fixed.iter().filter(|place| !place.optional).count();
        let mut items: Vec<Value> = fixed.iter().map(|place| self.schema(&place.ty)).collect();
        let rest = places
            .iter()
            .find(|place| place.rest)
            .map(|place| self.schema(&place.ty));
        let mut schema = json!({"type": "array"});
        if least > 0 {
            schema["minItems"] = json!(least);
        }
        if rest.is_none() {
            schema["maxItems"] = json!(fixed.len());
        }
        items.extend(rest.clone());
        match items.first() {
            Some(first) if items.iter().all(|item| item == first) => {
                schema["items"] = first.clone()
            }
            Some(_) => {
                items.truncate(fixed.len());
                schema["items"] = Value::Array(items);
                if let Some(rest) = rest {
                    schema["additionalItems"] = rest;
                }
            }
            None => schema["items"] = json!([]),
        }
        schema
    }

    fn object(&mut self, object: &Object) -> Value {
        let mut properties = Map::new();
        let mut required = Vec::new();
        for (name, property) in &object.properties {
            if self.is_function(&property.ty) {
                self.lowered.dropped += 1;
                continue;
            }
            let members = self.evaluator.constituents(&property.ty);
            let present = property.ty.without(|member| *member == Type::Undefined);
            let optional = property.optional || members.contains(&Type::Undefined);
            let nothing = members.iter().all(|member| *member == Type::Undefined);
            if nothing && optional {
                // It may only be left out.
                continue;
            }
            let schema = self.schema(&present);
            properties.insert(name.clone(), schema);
            if !optional {
                required.push(Value::String(name.clone()));
            }
        }
        let mut schema = Map::new();
        if let Some(index) = &object.index {
            let values = index.without(|member| *member == Type::Undefined);
            let values = self.schema(&values);
            schema.insert("additionalProperties".to_owned(), values);
        }
        if !properties.is_empty() {
            schema.insert("properties".to_owned(), Value::Object(properties));
        }
        if !required.is_empty() {
            schema.insert("required".to_owned(), Value::Array(required));
        }
        schema.insert("type".to_owned(), json!("object"));
        Value::Object(schema)
    }

    /// Whether a type is a function, or may be left out and is one otherwise.
    fn is_function(&mut self, ty: &Type) -> bool {
        let members = self.evaluator.constituents(ty);
        let mut functions = 0;
        for member in &members {
            match self.evaluator.force(member) {
                Type::Function(_) => functions += 1,
                Type::Object(object) if object.call.is_some() => functions += 1,
                Type::Undefined | Type::Null => {}
                _ => return false,
            }
        }
        functions > 0
    }

    /// The pattern of a text with types in it.
    fn pattern(&mut self, texts: &[String], types: &[Type]) -> Option<String> {
        let mut pattern = format!("^{}", escaped(texts.first().map_or("", String::as_str)));
        for (ty, text) in types.iter().zip(texts.iter().skip(1)) {
            let mut alternatives = Vec::new();
            for member in self.evaluator.constituents(ty) {
                alternatives.push(match self.evaluator.force(&member) {
                    Type::String | Type::AnyText => "[\\s\\S]*".to_owned(),
                    Type::Number => "-?[0-9]+(\\.[0-9]+)?([eE][+-]?[0-9]+)?".to_owned(),
                    Type::Boolean => "true|false".to_owned(),
                    Type::Literal(Literal::Text(text) | Literal::Number(text)) => escaped(&text),
                    Type::Literal(Literal::Boolean(value)) => value.to_string(),
                    Type::Template(inner) => {
                        let inner = self.pattern(&inner.0, &inner.1)?;
                        inner
                            .trim_start_matches('^')
                            .trim_end_matches('$')
                            .to_owned()
                    }
                    _ => return None,
                });
            }
            alternatives.sort();
            pattern.push_str(&format!("({}){}", alternatives.join("|"), escaped(text)));
        }
        pattern.push('$');
        Some(pattern)
    }
}

/// An undeclared type has no form, so no value is told by it; with constants it has these.
fn undeclared(tags: Option<&BTreeMap<String, String>>) -> Value {
    let Some(tags) = tags.filter(|tags| !tags.is_empty()) else {
        return Value::Bool(false);
    };
    let properties: Map<String, Value> = tags
        .iter()
        .map(|(name, text)| (name.clone(), json!({"const": text})))
        .collect();
    let required: Vec<&String> = tags.keys().collect();
    json!({"properties": properties, "required": required, "type": "object"})
}

fn constant(literal: &Literal) -> Value {
    match literal {
        Literal::Boolean(value) => Value::Bool(*value),
        Literal::Number(text) => {
            serde_json::from_str(text).unwrap_or_else(|_| Value::String(text.clone()))
        }
        Literal::Text(text) => Value::String(text.clone()),
    }
}

fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for letter in text.chars() {
        if "\\^$.|?*+()[]{}/".contains(letter) {
            escaped.push('\\');
        }
        escaped.push(letter);
    }
    escaped
}
