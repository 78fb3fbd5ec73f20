//! What all copies together say about each place in the schemas, since one decoder reads all of
//! them: what is required everywhere, which texts are known, what has no form of its own.
//!
//! A place is a definition and the way into it: `ThreadItem[reasoning].content[]`.

use std::collections::{BTreeMap, BTreeSet};

use agentwire_codegen::TYPE_CHANGES;
use serde_json::Value;

use super::copies::{SchemaCopy, reference};
use super::form::{Form, Members, form, members, without_null};
use super::roots::Roots;

/// Facts by place.
pub struct Facts {
    places: BTreeMap<String, Place>,
    /// What is known of any other place.
    nothing: Place,
}

/// What is known of one place.
#[derive(Default)]
pub struct Place {
    /// How many copies have it.
    copies: usize,
    /// In how many of them a member is required.
    required: BTreeMap<String, usize>,
    /// Members that some copy requires and allows to be `null`.
    nullable: BTreeSet<String>,
    /// Some copy, or a decision, says that it may be anything.
    pub opaque: bool,
    /// Some copy tells values apart by their form.
    pub untagged: bool,
    /// The texts that some copy lists.
    pub texts: BTreeSet<String>,
    /// Definitions that some copy names here.
    references: BTreeSet<String>,
}

impl Facts {
    /// Reads all copies from the roots on.
    pub fn of(copies: &[SchemaCopy], roots: &Roots) -> Self {
        let mut facts = Self {
            places: BTreeMap::new(),
            nothing: Place::default(),
        };
        for copy in copies {
            let mut done = BTreeSet::new();
            let mut open: Vec<String> = roots.start(copy).into_iter().collect();
            while let Some(name) = open.pop() {
                if done.insert(name.clone()) {
                    let schema = copy
                        .definition(&name)
                        .unwrap_or_else(|| panic!("{name} is missing"));
                    facts.walk(copy, schema, &name, true, &mut open);
                }
            }
        }
        for change in TYPE_CHANGES.iter().filter(|it| it.provider == "codex") {
            let place = facts
                .places
                .get_mut(&format!("{}.{}", change.definition, change.member));
            place
                .unwrap_or_else(|| panic!("{} has no place", change.what))
                .opaque = true;
        }
        facts
    }

    /// What is known of a place.
    pub fn at(&self, place: &str) -> &Place {
        self.places.get(place).unwrap_or(&self.nothing)
    }

    /// Whether the decoder has the definition at all.
    #[allow(dead_code, reason = "the oracle asks")]
    pub fn knows(&self, definition: &str) -> bool {
        self.places.contains_key(definition)
    }

    /// Texts that every reader knows here; none where any text goes.
    pub fn texts(&self, place: &str) -> BTreeSet<&str> {
        let place = self.at(place);
        let named = place
            .references
            .iter()
            .flat_map(|name| &self.at(name).texts);
        place
            .texts
            .iter()
            .chain(named)
            .map(String::as_str)
            .collect()
    }

    /// Whether some copy tells values apart by their form here.
    pub fn untagged(&self, place: &str) -> bool {
        let place = self.at(place);
        place.untagged || place.references.iter().any(|name| self.at(name).untagged)
    }

    fn walk(
        &mut self,
        copy: &SchemaCopy,
        schema: &Value,
        at: &str,
        named: bool,
        open: &mut Vec<String>,
    ) {
        let (schema, _) = without_null(schema);
        let form = form(copy, schema, named);
        let place = self.places.entry(at.to_owned()).or_default();
        place.copies += 1;
        match form {
            Form::Opaque => place.opaque = true,
            Form::Boolean | Form::Integer(_) | Form::Number | Form::Text(_) => {}
            Form::List(items) => self.walk(copy, items, &format!("{at}[]"), false, open),
            Form::Map(values) => self.walk(copy, values, &format!("{at}{{}}"), false, open),
            Form::Reference(name) => {
                place.references.insert(name.to_owned());
                open.push(name.to_owned());
            }
            Form::Texts(texts) => place.texts.extend(texts.into_iter().map(str::to_owned)),
            Form::Object(members) => self.members(copy, &members, at, open),
            Form::Tagged { common, arms, .. } => {
                self.members(copy, &common, at, open);
                for arm in arms {
                    let place = arm_place(at, arm.tags[0]);
                    match reference(arm.schema) {
                        Some(name) => open.push(name.to_owned()),
                        None => {
                            self.places.entry(place.clone()).or_default().copies += 1;
                            self.members(copy, &members(arm.schema), &place, open);
                        }
                    }
                }
            }
            Form::External { texts, keyed } => {
                place.texts.extend(texts.into_iter().map(str::to_owned));
                for (key, payload) in keyed {
                    self.walk(copy, payload, &arm_place(at, key), false, open);
                }
            }
            Form::Untagged(arms) => {
                place.untagged = true;
                for (index, arm) in arms.into_iter().enumerate() {
                    self.walk(copy, arm, &arm_place(at, &index.to_string()), false, open);
                }
            }
        }
    }

    fn members(
        &mut self,
        copy: &SchemaCopy,
        members: &Members<'_>,
        at: &str,
        open: &mut Vec<String>,
    ) {
        let place = self.places.entry(at.to_owned()).or_default();
        let everywhere = |name: &str| {
            !members.alternatives.is_empty()
                && members
                    .alternatives
                    .iter()
                    .all(|other| other.required.contains(name))
        };
        let alternatives = members
            .alternatives
            .iter()
            .flat_map(|other| &other.properties);
        let all: BTreeMap<&str, &Value> = members
            .properties
            .iter()
            .chain(alternatives)
            .map(|(name, member)| (*name, *member))
            .collect();
        for name in all
            .keys()
            .filter(|name| members.required.contains(*name) || everywhere(name))
        {
            *place.required.entry((*name).to_owned()).or_default() += 1;
            if without_null(all[name]).1 {
                place.nullable.insert((*name).to_owned());
            }
        }
        for (name, member) in all {
            self.walk(copy, member, &format!("{at}.{name}"), false, open);
        }
    }
}

impl Place {
    /// Whether every copy requires the member.
    pub fn requires(&self, member: &str) -> bool {
        self.copies > 0 && self.required.get(member) == Some(&self.copies)
    }

    /// Whether `null` and absence of a member are told apart: where it is required, and where one
    /// copy requires what another lacks.
    pub fn null_is_told(&self, member: &str) -> bool {
        self.requires(member) || self.nullable.contains(member)
    }

    /// Whether some member is required by every copy.
    pub fn requires_any(&self) -> bool {
        self.copies > 0 && self.required.values().any(|count| *count == self.copies)
    }
}

/// The place of one arm of a union.
pub fn arm_place(union: &str, arm: &str) -> String {
    format!("{union}[{arm}]")
}
