//! Changes to a valid instance, one at a time, and what the decoder must make of each.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};

use super::generate::Instance;
use super::sites::{Kind, Site, Step, UNRECOGNIZED, at, below};

/// A changed instance.
pub struct Mutation {
    /// What was done.
    pub what: &'static str,
    /// The place in the schema.
    pub place: String,
    /// The changed value.
    pub value: Value,
    /// What must come of it.
    pub expected: Expected,
}

/// What the decoder must make of a change.
pub enum Expected {
    /// Read without a note, and written as this.
    Same(Value),
    /// Read with exactly one note about the value at the path, and written as this.
    Noted(Value, Vec<Step>),
    /// Malformed at the path.
    Malformed(Vec<Step>),
    /// Read or malformed; where something was not recognized, nothing is lost.
    Loose(Value),
}

/// How often each kind of change is tried at each place of a copy.
const TRIES: usize = 2;

/// Which changes were tried.
#[derive(Default)]
pub struct Budget(BTreeMap<(String, String), usize>);

impl Budget {
    fn spend(&mut self, place: &str, what: &str) -> bool {
        let spent = self
            .0
            .entry((place.to_owned(), what.to_owned()))
            .or_default();
        *spent += 1;
        *spent <= TRIES
    }
}

/// What an instance is written as: without members whose `null` is their absence.
pub fn written(instance: &Instance) -> Value {
    without_nulls(&instance.value, &instance.nulls, None)
}

/// Every change to an instance that the budget has room for.
pub fn mutations(instance: &Instance, budget: &mut Budget) -> Vec<Mutation> {
    let mut all = vec![
        Mutation {
            what: "unknown fields",
            place: String::new(),
            value: with_unknown_fields(instance),
            expected: Expected::Same(written(instance)),
        },
        Mutation {
            what: "another order",
            place: String::new(),
            value: reversed(instance),
            expected: Expected::Same(written(instance)),
        },
    ];
    for site in &instance.sites {
        let mut changes = Changes {
            instance,
            site,
            budget,
            made: Vec::new(),
        };
        changes.site();
        all.extend(changes.made);
    }
    all
}

struct Changes<'i> {
    instance: &'i Instance,
    site: &'i Site,
    budget: &'i mut Budget,
    made: Vec<Mutation>,
}

impl Changes<'_> {
    fn site(&mut self) {
        let path = &self.site.path;
        match &self.site.kind {
            Kind::Object(members) => {
                for member in members.iter().filter(|member| member.declared) {
                    let what = if member.required {
                        "required member removed"
                    } else {
                        "optional member removed"
                    };
                    if !self
                        .budget
                        .spend(&format!("{}.{}", self.site.place, member.name), what)
                    {
                        continue;
                    }
                    let mut value = self.instance.value.clone();
                    at(&mut value, path)
                        .as_object_mut()
                        .unwrap()
                        .remove(&member.name);
                    let gone = below(path, &member.name);
                    let nulls = self
                        .instance
                        .nulls
                        .iter()
                        .filter(|null| !null.starts_with(&gone))
                        .cloned()
                        .collect::<Vec<_>>();
                    let rest = without_nulls(&value, &nulls, None);
                    let expected = match (member.loose, member.required) {
                        (true, _) => Expected::Loose(without_nulls(&value, &nulls, Some(path))),
                        (false, true) => Expected::Malformed(gone),
                        (false, false) => Expected::Same(rest),
                    };
                    self.made.push(Mutation {
                        what,
                        place: self.site.place.clone(),
                        value,
                        expected,
                    });
                }
            }
            Kind::Text => self.replace("text becomes number", path, json!(7), Some),
            Kind::Value { guard } => {
                if *guard {
                    self.guard(path);
                } else {
                    self.replace("unrecognized value", path, json!(UNRECOGNIZED), |_| None);
                    self.replace("text becomes number", path, json!(7), Some);
                }
            }
            Kind::Tag { member, content } => {
                let tag = below(path, member);
                let raw = content
                    .as_ref()
                    .map_or(path.clone(), |content| below(path, content));
                self.tag("unrecognized tag", &tag, raw);
                self.replace("text becomes number", &tag, json!(7), Some);
            }
            Kind::ExternalText => {
                self.replace("unrecognized tag", path, json!(UNRECOGNIZED), |_| None);
                self.replace("text becomes number", path, json!(7), Some);
            }
            Kind::ExternalKey(key) => {
                if self.budget.spend(&self.site.place, "unrecognized tag") {
                    let mut value = self.instance.value.clone();
                    let object = at(&mut value, path);
                    *object = json!({ UNRECOGNIZED: object[key.as_str()].take() });
                    let nulls: Vec<_> = self
                        .instance
                        .nulls
                        .iter()
                        .filter(|null| !null.starts_with(path))
                        .cloned()
                        .collect();
                    let json = without_nulls(&value, &nulls, None);
                    self.push(
                        "unrecognized tag",
                        value,
                        Expected::Noted(json, path.clone()),
                    );
                }
            }
            Kind::Form(other) => self.replace("another form", path, other.clone(), |_| None),
            Kind::List(extra) => {
                if self.budget.spend(&self.site.place, "unrecognized element") {
                    let mut value = self.instance.value.clone();
                    let list = at(&mut value, path).as_array_mut().unwrap();
                    let place = [&path[..], &[Step::Index(list.len())]].concat();
                    list.push(extra.clone());
                    let json = without_nulls(&value, &self.instance.nulls, None);
                    self.push("unrecognized element", value, Expected::Noted(json, place));
                }
            }
        }
    }

    /// Replaces the value at a path; `malformed` gives the path to complain about, if any.
    fn replace(
        &mut self,
        what: &'static str,
        path: &[Step],
        by: Value,
        malformed: fn(Vec<Step>) -> Option<Vec<Step>>,
    ) {
        if !self.budget.spend(&self.site.place, what) {
            return;
        }
        let mut value = self.instance.value.clone();
        *at(&mut value, path) = by;
        let expected = match malformed(path.to_vec()) {
            Some(path) => Expected::Malformed(path),
            None => {
                let nulls: Vec<_> = self
                    .instance
                    .nulls
                    .iter()
                    .filter(|null| !null.starts_with(path))
                    .cloned()
                    .collect();
                Expected::Noted(without_nulls(&value, &nulls, None), path.to_vec())
            }
        };
        self.push(what, value, expected);
    }

    /// Replaces a value by which an arm is known; the object around it may be read as another arm.
    fn guard(&mut self, path: &[Step]) {
        let what = "unrecognized guard";
        if self.budget.spend(&self.site.place, what) {
            let mut value = self.instance.value.clone();
            *at(&mut value, path) = json!(UNRECOGNIZED);
            let json = without_nulls(&value, &self.instance.nulls, path.get(..path.len() - 1));
            self.push(what, value, Expected::Loose(json));
        }
    }

    /// Replaces a tag; what it stood for is kept untouched, nulls and all.
    fn tag(&mut self, what: &'static str, tag: &[Step], raw: Vec<Step>) {
        if self.budget.spend(&self.site.place, what) {
            let mut value = self.instance.value.clone();
            *at(&mut value, tag) = json!(UNRECOGNIZED);
            let json = without_nulls(&value, &self.instance.nulls, Some(&raw));
            self.push(what, value, Expected::Noted(json, raw));
        }
    }

    fn push(&mut self, what: &'static str, value: Value, expected: Expected) {
        self.made.push(Mutation {
            what,
            place: self.site.place.clone(),
            value,
            expected,
        });
    }
}

fn without_nulls(value: &Value, nulls: &[Vec<Step>], kept: Option<&[Step]>) -> Value {
    let mut value = value.clone();
    for path in nulls
        .iter()
        .filter(|path| kept.is_none_or(|kept| !path.starts_with(kept)))
    {
        let (Some(Step::Key(name)), object) = (path.last(), &path[..path.len() - 1]) else {
            panic!("no member")
        };
        at(&mut value, object).as_object_mut().unwrap().remove(name);
    }
    value
}

/// An unknown member first and last in every object with known members; after the member that
/// picks where the first one does.
fn with_unknown_fields(instance: &Instance) -> Value {
    let mut value = instance.value.clone();
    let unknown = || json!({"type": UNRECOGNIZED, "more": [null, {"x": "}]"}]});
    for (path, picks) in objects(instance) {
        let object = at(&mut value, path).as_object_mut().unwrap();
        let mut members = Map::new();
        if !picks {
            members.insert(String::from("zzUnknownFirst"), unknown());
        }
        members.append(object);
        members.insert(String::from("zzUnknownLast"), unknown());
        *object = members;
    }
    value
}

fn reversed(instance: &Instance) -> Value {
    let mut value = instance.value.clone();
    for (path, _) in objects(instance) {
        let object = at(&mut value, path).as_object_mut().unwrap();
        *object = std::mem::take(object).into_iter().rev().collect();
    }
    value
}

/// The objects with known members, and whether their first member picks.
fn objects(instance: &Instance) -> BTreeSet<(&Vec<Step>, bool)> {
    let objects = instance.sites.iter().filter_map(|site| match site.kind {
        Kind::Object(_) => Some((&site.path, false)),
        Kind::ExternalKey(_) => Some((&site.path, true)),
        Kind::Text
        | Kind::Value { .. }
        | Kind::Tag { .. }
        | Kind::ExternalText
        | Kind::Form(_)
        | Kind::List(_) => None,
    });
    objects.collect()
}
