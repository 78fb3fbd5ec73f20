//! Objects of an instance: which members are there, and what is known of each.

use serde_json::{Map, Value};

use super::super::form::{Form, Members, form, without_null};
use super::super::sites::{Kind, Member, Step};
use super::{Building, Role, only_null};

impl<'c> Building<'_, 'c> {
    pub(super) fn object(
        &mut self,
        mut members: Members<'c>,
        at: &str,
        role: Role<'_>,
    ) -> Map<String, Value> {
        if !members.alternatives.is_empty() {
            let choice = self.any(&format!("{at}|members"), members.alternatives.len());
            let chosen = members.alternatives.swap_remove(choice);
            members.properties.extend(chosen.properties);
            members.required.extend(chosen.required);
        }
        let facts = self.generator.facts;
        let mut listed = Vec::new();
        let mut object = Map::new();
        for (name, schema) in &members.properties {
            let place = format!("{at}.{name}");
            let required = members.required.contains(name);
            let Some(value) = self.member(schema, &place, name, required, role) else {
                continue;
            };
            let kept = facts.at(at).requires(name);
            if value.is_null() && !facts.at(at).null_is_told(name) && self.hidden == 0 {
                self.nulls
                    .push([&self.path[..], &[Step::Key((*name).to_owned())]].concat());
            }
            object.insert((*name).to_owned(), value);
            let content = matches!(role, Role::Variant("method")) && *name == "params";
            listed.push(Member {
                name: (*name).to_owned(),
                declared: required,
                required: kept,
                // Content that can be empty may be left out with its member.
                loose: matches!(role, Role::Arm) || (content && !self.content_requires(schema)),
            });
        }
        self.site(at, Kind::Object(listed));
        if let Role::Variant(tag) = role {
            let content = (tag == "method").then(|| String::from("params"));
            self.site(
                at,
                Kind::Tag {
                    member: tag.to_owned(),
                    content,
                },
            );
        }
        object
    }

    fn content_requires(&self, schema: &Value) -> bool {
        let Form::Reference(name) = form(self.generator.copy, schema, false) else {
            return false;
        };
        self.generator.facts.at(name).requires_any()
    }

    fn member(
        &mut self,
        schema: &'c Value,
        place: &str,
        name: &str,
        required: bool,
        role: Role<'_>,
    ) -> Option<Value> {
        let (inner, nullable) = without_null(schema);
        let steps = self.trail.len();
        let options: Vec<Option<bool>> = [
            (!required).then_some(None),
            nullable.then_some(Some(false)),
            (!only_null(schema)).then_some(Some(true)),
        ]
        .into_iter()
        .flatten()
        .collect();
        let choice = if options.len() > 1 {
            self.sized(&format!("{place}|member"), options.len())
        } else {
            0
        };
        let present = options[choice];
        let value = present.map(|value| {
            if value {
                self.present(inner, place, name, required, role)
            } else {
                Value::Null
            }
        });
        self.trail.truncate(steps);
        value
    }

    fn present(
        &mut self,
        schema: &'c Value,
        place: &str,
        name: &str,
        required: bool,
        role: Role<'_>,
    ) -> Value {
        self.inside(Step::Key(name.to_owned()), |this| match role {
            Role::Variant(tag) if tag == name => {
                // The tag has a site of its own.
                this.hidden += 1;
                let tag = this.solid(schema, place, false, Role::Plain);
                this.hidden -= 1;
                tag
            }
            Role::Arm if required => this.solid(schema, place, false, Role::Guard),
            Role::Variant(_) | Role::Plain | Role::Arm | Role::Guard => {
                this.solid(schema, place, false, Role::Plain)
            }
        })
    }
}
