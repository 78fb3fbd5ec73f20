//! Valid instances of a definition, and what stands where in them.

#[path = "members.rs"]
mod objects;

use serde_json::{Value, json};

use super::copies::{SchemaCopy, reference};
use super::coverage::{Coverage, Dice, Size, Trail};
use super::facts::{Facts, arm_place};
use super::foreign::{foreign, unrecognized};
use super::form::{Form, anything, form, members, without_null};
use super::scalars;
use super::sites::{Kind, Site, Step};

/// How often a definition may stand inside itself.
const NESTED: usize = 2;

/// A valid value with its sites.
pub struct Instance {
    /// The value.
    pub value: Value,
    /// What can be changed in it.
    pub sites: Vec<Site>,
    /// Members whose `null` means the same as their absence.
    pub nulls: Vec<Vec<Step>>,
}

/// Makes instances of one copy.
pub struct Generator<'c> {
    copy: &'c SchemaCopy,
    facts: &'c Facts,
    /// What was taken so far.
    pub coverage: Coverage,
    /// For choices without a reason.
    pub dice: Dice,
}

impl<'c> Generator<'c> {
    /// Makes instances of a copy.
    pub fn new(copy: &'c SchemaCopy, facts: &'c Facts) -> Self {
        Self {
            copy,
            facts,
            coverage: Coverage::default(),
            dice: Dice::new(1),
        }
    }

    /// The number of arms of a union whose member picks; one for anything else.
    pub fn arms(&self, definition: &str) -> usize {
        let form = form(self.copy, self.copy.definition(definition).unwrap(), true);
        if let Form::Tagged { arms, .. } = form {
            arms.len()
        } else {
            1
        }
    }

    /// An instance of a definition, of the given arm. At the places in `wishes` it takes what is
    /// wished for.
    pub fn instance(
        &mut self,
        definition: &str,
        arm: usize,
        size: Size,
        wishes: &Trail,
    ) -> Instance {
        let union = self.arms(definition) > 1;
        let mut building = Building {
            generator: self,
            size,
            arm: union.then_some(arm),
            wishes,
            trail: Trail::new(),
            path: Vec::new(),
            open: Vec::new(),
            hidden: 0,
            closed: 0,
            sites: Vec::new(),
            nulls: Vec::new(),
        };
        let value = building.definition(definition, Role::Plain);
        let Building { sites, nulls, .. } = building;
        Instance {
            value,
            sites,
            nulls,
        }
    }
}

/// What a value is for the union around it.
#[derive(Clone, Copy)]
enum Role<'s> {
    /// Nothing, or there is no union.
    Plain,
    /// An arm that this member picks.
    Variant(&'s str),
    /// An arm that its form picks.
    Arm,
    /// A member by whose value such an arm is known.
    Guard,
}

struct Building<'g, 'c> {
    generator: &'g mut Generator<'c>,
    size: Size,
    /// The arm that the outermost union takes.
    arm: Option<usize>,
    wishes: &'g Trail,
    /// The choices that lead here.
    trail: Trail,
    path: Vec<Step>,
    /// Definitions around this place.
    open: Vec<String>,
    /// Depth of what the decoder keeps untouched.
    hidden: usize,
    /// Depth of what must end, because it is recursive.
    closed: usize,
    sites: Vec<Site>,
    nulls: Vec<Vec<Step>>,
}

impl<'c> Building<'_, 'c> {
    fn definition(&mut self, name: &str, role: Role<'_>) -> Value {
        let schema = self.generator.copy.definition(name).unwrap();
        let nested = self.open.iter().filter(|open| *open == name).count() >= NESTED;
        self.closed += usize::from(nested);
        self.open.push(name.to_owned());
        let value = self.value(schema, name, true, role);
        self.open.pop();
        self.closed -= usize::from(nested);
        value
    }

    fn value(&mut self, schema: &'c Value, at: &str, named: bool, role: Role<'_>) -> Value {
        let (inner, nullable) = without_null(schema);
        let steps = self.trail.len();
        let null = only_null(schema) || (nullable && self.sized(&format!("{at}|null"), 2) == 0);
        let value = if null {
            Value::Null
        } else {
            self.solid(inner, at, named, role)
        };
        self.trail.truncate(steps);
        value
    }

    /// A value other than `null`.
    fn solid(&mut self, schema: &'c Value, at: &str, named: bool, role: Role<'_>) -> Value {
        let steps = self.trail.len();
        let hidden = self.generator.facts.at(at).opaque;
        self.hidden += usize::from(hidden);
        let value = match form(self.generator.copy, schema, named) {
            Form::Opaque => scalars::opaque(!anything(schema), &mut self.generator.dice),
            Form::Boolean => json!(self.any(at, 2) == 1),
            Form::Integer(schema) => self.one_of(at, scalars::integers(schema)),
            Form::Number => self.one_of(at, scalars::numbers()),
            Form::Text(least) => self.text(least, at, role),
            Form::List(items) => self.list(items, at),
            Form::Map(values) => self.map(values, at),
            Form::Reference(name) => self.definition(name, role),
            Form::Texts(texts) => {
                let choice = self.any(at, texts.len());
                self.site(
                    at,
                    Kind::Value {
                        guard: matches!(role, Role::Guard),
                    },
                );
                json!(texts[choice])
            }
            Form::Object(members) => Value::Object(self.object(members, at, role)),
            Form::Tagged { tag, common, arms } => {
                let choice = match self.arm.take() {
                    Some(arm) => self
                        .generator
                        .coverage
                        .take(at, arms.len(), &self.trail, arm),
                    None => self.any(at, arms.len()),
                };
                let arm = &arms[choice];
                let place = arm_place(at, arm.tags[0]);
                let role = Role::Variant(tag);
                let mut object = match reference(arm.schema) {
                    Some(name) => self.definition(name, role),
                    None => Value::Object(self.object(members(arm.schema), &place, role)),
                };
                object
                    .as_object_mut()
                    .unwrap()
                    .extend(self.object(common, at, Role::Plain));
                object
            }
            Form::External { texts, keyed } => {
                let choice = self.any(at, texts.len() + keyed.len());
                if let Some(text) = texts.get(choice) {
                    self.site(at, Kind::ExternalText);
                    json!(text)
                } else {
                    let (key, payload) = keyed.into_iter().nth(choice - texts.len()).unwrap();
                    self.site(at, Kind::ExternalKey(key.to_owned()));
                    let value = self.inside(Step::Key(key.to_owned()), |this| {
                        this.value(payload, &arm_place(at, key), false, Role::Plain)
                    });
                    json!({ key: value })
                }
            }
            Form::Untagged(arms) => {
                let choice = self.any(at, arms.len());
                self.site(at, Kind::Form(foreign(self.generator.copy, schema)));
                self.value(
                    arms[choice],
                    &arm_place(at, &choice.to_string()),
                    false,
                    Role::Arm,
                )
            }
        };
        self.hidden -= usize::from(hidden);
        self.trail.truncate(steps);
        value
    }

    fn text(&mut self, least: usize, at: &str, role: Role<'_>) -> Value {
        let facts = self.generator.facts;
        let known: Vec<&str> = facts.texts(at).into_iter().collect();
        if !known.is_empty() {
            // An enum elsewhere: any text is valid here, and those that are known come without note.
            self.site(at, Kind::Value { guard: false });
            return json!(known[self.generator.dice.below(known.len())]);
        }
        if !matches!(role, Role::Arm) && !facts.untagged(at) {
            self.site(at, Kind::Text);
        }
        json!(scalars::text(least, &mut self.generator.dice))
    }

    fn list(&mut self, items: &'c Value, at: &str) -> Value {
        let place = format!("{at}[]");
        let count = self.sized(at, 3);
        let element = |this: &mut Self, index| {
            this.inside(Step::Index(index), |this| {
                this.value(items, &place, false, Role::Plain)
            })
        };
        let list: Vec<Value> = (0..count).map(|index| element(self, index)).collect();
        if !self.generator.facts.at(&place).opaque {
            let extra = unrecognized(self.generator.copy, items, list.first());
            self.sites(at, extra.map(Kind::List));
        }
        Value::Array(list)
    }

    fn map(&mut self, values: &'c Value, at: &str) -> Value {
        let keys = scalars::keys(&mut self.generator.dice);
        let place = format!("{at}{{}}");
        let count = 2 * self.sized(at, 2);
        let entries = keys.into_iter().take(count).map(|key| {
            let step = Step::Key(key.to_owned());
            (
                key.to_owned(),
                self.inside(step, |this| this.value(values, &place, false, Role::Plain)),
            )
        });
        Value::Object(entries.collect())
    }

    fn one_of(&mut self, at: &str, mut values: Vec<Value>) -> Value {
        let choice = self.any(at, values.len());
        values.swap_remove(choice)
    }

    fn inside<T>(&mut self, step: Step, make: impl FnOnce(&mut Self) -> T) -> T {
        self.path.push(step);
        let made = make(self);
        self.path.pop();
        made
    }

    fn site(&mut self, place: &str, kind: Kind) {
        self.sites(place, Some(kind));
    }

    fn sites(&mut self, place: &str, kinds: Option<Kind>) {
        if self.hidden == 0 {
            let path = &self.path;
            self.sites.extend(kinds.map(|kind| Site {
                path: path.clone(),
                place: place.to_owned(),
                kind,
            }));
        }
    }

    /// One of the options at a place, which stand in the order of size.
    fn sized(&mut self, place: &str, options: usize) -> usize {
        if self.closed > 0 {
            return 0;
        }
        let dice = &mut self.generator.dice;
        match self.size {
            Size::Minimal => self.choose(place, options, Some(0)),
            Size::Full => self.choose(place, options, Some(options - 1)),
            Size::Mixed if dice.below(3) > 0 => self.choose(place, options, Some(options - 1)),
            Size::Mixed => self.choose(place, options, None),
        }
    }

    /// One of the options at a place, none smaller than another.
    fn any(&mut self, place: &str, options: usize) -> usize {
        self.choose(place, options, None)
    }

    fn choose(&mut self, place: &str, options: usize, preferred: Option<usize>) -> usize {
        let Generator { coverage, dice, .. } = &mut *self.generator;
        let wished = self
            .wishes
            .iter()
            .find(|(at, _)| at == place)
            .map(|(_, option)| *option);
        let choice = wished
            .or(preferred)
            .or_else(|| coverage.untaken(place, options, &self.trail))
            .unwrap_or_else(|| dice.below(options));
        coverage.take(place, options, &self.trail, choice);
        self.trail.push((place.to_owned(), choice));
        choice
    }
}

fn only_null(schema: &Value) -> bool {
    schema.get("type").is_some_and(|kind| kind == "null")
}
