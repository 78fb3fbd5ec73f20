//! Values of declared types: with the least that they must have, with `null` wherever it is
//! allowed, or with all that they may have, taking another arm of each union every time.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::dump::{Dump, members, name_of};

/// How large a value is to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Size {
    /// Required members only, empty lists.
    Least,
    /// Required members only, each `null` that is allowed.
    Nulls,
    /// Every member.
    Most,
}

/// Deeper than this, a value has the least that it must have: some types hold themselves.
const DEEPEST: usize = 12;

/// Makes values.
pub struct Instances<'d> {
    dump: &'d Dump,
    /// How often each choice was made.
    taken: BTreeMap<String, usize>,
    /// How many enums there are to go until one gets a value that no version has.
    odd: Option<usize>,
    size: Size,
}

impl<'d> Instances<'d> {
    /// Nothing made yet.
    pub fn of(dump: &'d Dump) -> Self {
        Self {
            dump,
            taken: BTreeMap::new(),
            odd: None,
            size: Size::Least,
        }
    }

    /// A value of a definition.
    pub fn of_definition(&mut self, name: &str, size: Size) -> Value {
        self.size = size;
        self.value(self.dump.definition(name), name, 0)
    }

    /// A value whose n-th enum has a value that no version has; none where it has fewer.
    pub fn with_odd_value(&mut self, name: &str, index: usize) -> Option<Value> {
        self.odd = Some(index);
        let value = self.of_definition(name, Size::Most);
        self.odd.take().is_none().then_some(value)
    }

    fn value(&mut self, schema: &'d Value, place: &str, depth: usize) -> Value {
        if let Some(name) = name_of(schema) {
            return self.value(self.dump.definition(name), name, depth + 1);
        }
        if self.size == Size::Nulls && depth > 0 && allows_null(self.dump, schema) {
            return Value::Null;
        }
        if let Some(constant) = schema.get("const") {
            return constant.clone();
        }
        if let Some(texts) = schema["enum"].as_array() {
            let texts: Vec<&Value> = texts.iter().filter(|text| !text.is_null()).collect();
            let choice = self.choice(place, texts.len());
            return match self.odd {
                Some(0) => {
                    self.odd = None;
                    json!("x_new")
                }
                _ => {
                    self.odd = self.odd.map(|left| left - 1);
                    texts[choice].clone()
                }
            };
        }
        if let Some(arms) = members(schema) {
            let arms: Vec<&Value> = arms.iter().filter(|arm| arm["type"] != "null").collect();
            let choice = self.choice(place, arms.len());
            return self.value(arms[choice], &format!("{place}<{choice}>"), depth + 1);
        }
        match kind(schema) {
            Some("object") => self.object(schema, place, depth),
            Some("array") => self.list(schema, place, depth),
            Some("string") => json!("a text"),
            Some("number") => json!(3),
            Some("boolean") => json!(true),
            Some(other) => panic!("{other} at {place}"),
            None => json!({"free": [1, "b", null]}),
        }
    }

    fn object(&mut self, schema: &'d Value, place: &str, depth: usize) -> Value {
        let mut object = Map::new();
        let required: Vec<&str> = schema["required"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .collect();
        let all = self.size == Size::Most && depth < DEEPEST;
        for (name, member) in schema["properties"].as_object().into_iter().flatten() {
            if all || required.contains(&name.as_str()) {
                let value = self.value(member, &format!("{place}.{name}"), depth + 1);
                object.insert(name.clone(), value);
            }
        }
        if let Some(values) = schema.get("additionalProperties")
            && schema.get("properties").is_none()
            && all
        {
            let value = self.value(values, &format!("{place}{{}}"), depth + 1);
            object.insert("key".to_owned(), value);
        }
        Value::Object(object)
    }

    fn list(&mut self, schema: &'d Value, place: &str, depth: usize) -> Value {
        let items = &schema["items"];
        if let Some(places) = items.as_array() {
            let values = places.iter().enumerate();
            return values
                .map(|(index, item)| self.value(item, &format!("{place}[{index}]"), depth + 1))
                .collect();
        }
        let least = schema["minItems"].as_u64().unwrap_or_default();
        let count = if self.size == Size::Most && depth < DEEPEST {
            least.max(2)
        } else {
            least
        };
        (0..count)
            .map(|_| self.value(items, &format!("{place}[]"), depth + 1))
            .collect()
    }

    /// The next option at a place.
    fn choice(&mut self, place: &str, options: usize) -> usize {
        let taken = self.taken.entry(place.to_owned()).or_default();
        *taken += 1;
        (*taken - 1) % options
    }
}

/// The kind of a value, other than `null`.
fn kind(schema: &Value) -> Option<&str> {
    let kinds = schema["type"].as_array().into_iter().flatten();
    let mut kinds = kinds.filter_map(Value::as_str);
    schema["type"]
        .as_str()
        .or_else(|| kinds.find(|kind| *kind != "null"))
}

fn allows_null(dump: &Dump, schema: &Value) -> bool {
    let schema = dump.follow(schema);
    let listed = |key: &str| schema[key].as_array().into_iter().flatten();
    listed("type").any(|kind| kind == "null")
        || listed("enum").any(Value::is_null)
        || members(schema).is_some_and(|arms| arms.iter().any(|arm| arm["type"] == "null"))
}
