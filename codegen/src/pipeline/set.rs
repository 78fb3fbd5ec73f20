//! What rows set, held against the payload of the message and the members of the event: a lost
//! member, a typo or a wrong type is an error at the row.

mod paths;

use std::collections::BTreeMap;

use super::values::ValueFunctions;
use crate::canonical::{CanonicalModel, Kind, Member, Payload};
use crate::diagnostics::{Code, Diagnostic, Fix};
use crate::names::nearest;
use crate::plan::PlannedType;
use crate::plan::set::{Access, As, Expr, Filling, Opaque, PlannedRef, PlannedSet};
use crate::rows::set::{Ref, Set, Value};
use crate::rows::{Event, Row, Verb};
use crate::source::{Located, Span};
use paths::Found;
pub use paths::{Roots, TEXTS};

type Errors = Vec<Diagnostic>;

/// What a row is held against.
pub struct Checker<'c> {
    /// The id of the surface.
    pub surface: &'c str,
    /// The types of the provider.
    pub types: &'c BTreeMap<String, PlannedType>,
    /// The canonical model.
    pub model: &'c CanonicalModel,
    /// The functions of the provider's value surfaces.
    pub values: &'c ValueFunctions,
}

/// What a value is for.
struct Wanted<'w> {
    kind: &'w Kind,
    /// Whether it may be absent.
    optional: bool,
    /// What it is called in a message.
    name: String,
    /// What a text becomes.
    text: As,
}

impl Checker<'_> {
    /// The event that a row says whole; none where code says it.
    pub fn set(&self, row: &Row, roots: &Roots<'_>) -> Result<Option<PlannedSet>, Errors> {
        let (Some(set), Verb::Keep(event) | Verb::Rename(event)) = (&row.set, &row.verb) else {
            return Ok(None);
        };
        self.event(row, set, event, roots).map(Some)
    }

    /// The ids that a row names.
    pub fn refs(&self, row: &Row, roots: &Roots<'_>) -> Result<Vec<PlannedRef>, Errors> {
        let planned = row.refs.iter().map(|named| match named {
            Ref::LookUpTurn => Ok(PlannedRef::LookUpTurn),
            Ref::Named { what, id: None } => Ok(PlannedRef::Named(what, Filling::Absent)),
            Ref::Named { what, id: Some(id) } => {
                let wanted = Wanted {
                    kind: &Kind::Text,
                    optional: true,
                    name: format!("the {what}"),
                    text: As::Shared,
                };
                let (expr, optional) = self.value(id, &wanted, roots)?;
                Ok(PlannedRef::Named(what, filling(expr, optional, 1)))
            }
        });
        all(planned)
    }

    fn event(
        &self,
        row: &Row,
        set: &Set,
        event: &Event,
        roots: &Roots<'_>,
    ) -> Result<PlannedSet, Errors> {
        let (name, payload) = self.payload(event)?;
        let mut errors = Errors::new();
        let mut given: BTreeMap<&str, Filling> = BTreeMap::new();
        for (said, value) in &set.members {
            let Some(member) = payload
                .members
                .iter()
                .find(|member| member.wire == said.value)
            else {
                errors.push(self.no_member(said, event, payload));
                continue;
            };
            match self.member(member, value, event, roots) {
                Ok(filling) => drop(given.insert(&member.rust, filling)),
                Err(found) => errors.extend(found),
            }
        }
        let named = |member: &Member| {
            set.members
                .iter()
                .any(|(said, _)| said.value == member.wire)
        };
        for member in &payload.members {
            if member.options == 0 && !named(member) {
                let message = format!("the row `{}` does not set `{}`", row.tag, member.wire);
                let help = format!(
                    "`{}` of `{}` is always there: {}",
                    member.wire,
                    event.wire,
                    member.kind.describe()
                );
                errors.push(
                    self.bad(message)
                        .at(set.span.clone(), "it is not here")
                        .help(help),
                );
            }
        }
        if !errors.is_empty() {
            return Err(errors);
        }
        let members = payload.members.iter().map(|member| {
            let filling = given.remove(&*member.rust).unwrap_or(Filling::Absent);
            (member.rust.clone(), filling)
        });
        Ok(PlannedSet {
            members: members.collect(),
            wrapped: (name != event.rust).then(|| event.rust.clone()),
            payload: name,
        })
    }

    /// The struct of an event.
    fn payload(&self, event: &Event) -> Result<(String, &Payload), Errors> {
        let named = |name: &str| self.model.payloads.get_key_value(name);
        let found = match named(&event.rust) {
            Some((
                _,
                Payload {
                    wraps: Some(inner), ..
                },
            )) => named(inner),
            other => other,
        };
        found
            .map(|(name, payload)| (name.clone(), payload))
            .ok_or_else(|| {
                let message = format!("no canonical file declares the struct `{}`", event.rust);
                vec![
                    self.bad(message)
                        .at(event.span.clone(), "so it can't be set here"),
                ]
            })
    }

    fn no_member(&self, said: &Located<String>, event: &Event, payload: &Payload) -> Diagnostic {
        let message = format!("`{}` has no member `{}`", event.wire, said.value);
        let error = self.bad(message).at(said.span.clone(), "no such member");
        let error = error.and(payload.span.clone(), "its members stand here");
        let names = payload.members.iter().map(|member| &*member.wire);
        self.meant(error, &said.value, said.span.clone(), names, |name| {
            name.to_owned()
        })
    }

    /// Adds the nearest name as the fix, or all of them as help.
    fn meant<'n>(
        &self,
        error: Diagnostic,
        said: &str,
        span: Span,
        names: impl Iterator<Item = &'n str> + Clone,
        written: impl Fn(&str) -> String,
    ) -> Diagnostic {
        match nearest(said, names.clone()) {
            Some(meant) => error.fix(Fix::new(format!("write `{meant}`"), span, written(meant))),
            None => {
                let all: Vec<&str> = names.collect();
                error.help(format!("there are {}", all.join(", ")))
            }
        }
    }

    fn member(
        &self,
        member: &Member,
        value: &Located<Value>,
        event: &Event,
        roots: &Roots<'_>,
    ) -> Result<Filling, Errors> {
        let wanted = Wanted {
            kind: &member.kind,
            optional: member.options > 0,
            name: format!("`{}` of `{}`", member.wire, event.wire),
            text: match &member.kind {
                Kind::Id(name) => As::Id(name.clone()),
                Kind::Text
                | Kind::Boolean
                | Kind::Integer
                | Kind::Float
                | Kind::Json
                | Kind::Map
                | Kind::Texts
                | Kind::Enum(_)
                | Kind::Other(_) => As::Text,
            },
        };
        let (expr, optional) = self.value(value, &wanted, roots)?;
        Ok(filling(expr, optional, member.options))
    }

    /// A value, and whether it may be absent.
    fn value(
        &self,
        value: &Located<Value>,
        wanted: &Wanted<'_>,
        roots: &Roots<'_>,
    ) -> Result<(Expr, bool), Errors> {
        let found = match wanted.kind {
            Kind::Json => self
                .opaque(value, roots)
                .map(|(json, optional)| (Expr::Json(json), optional)),
            Kind::Map => self.map(value, wanted, roots),
            Kind::Enum(name) => self.of_enum(value, name, wanted, roots),
            Kind::Other(_) => Err(vec![self.wrong(value.span.clone(), "this", wanted)]),
            Kind::Text
            | Kind::Id(_)
            | Kind::Boolean
            | Kind::Integer
            | Kind::Float
            | Kind::Texts => self.typed(value, wanted, roots),
        };
        let (expr, optional) = found?;
        if optional && !wanted.optional {
            // What is opaque and not there is `null`.
            if matches!(expr, Expr::Json(_)) {
                return Ok((expr, false));
            }
            let message = format!("the value of {} may be absent", wanted.name);
            let help = match wanted.kind {
                Kind::Enum(_) => "say what it is then: `or = \"…\"`",
                Kind::Text
                | Kind::Id(_)
                | Kind::Boolean
                | Kind::Integer
                | Kind::Float
                | Kind::Json
                | Kind::Map
                | Kind::Texts
                | Kind::Other(_) => "say what it is then: `{ first = [ …, { const = \"…\" } ] }`",
            };
            return Err(vec![
                self.bad(message)
                    .at(value.span.clone(), "this is not always there")
                    .help(help),
            ]);
        }
        Ok((expr, optional))
    }

    fn typed(
        &self,
        value: &Located<Value>,
        wanted: &Wanted<'_>,
        roots: &Roots<'_>,
    ) -> Result<(Expr, bool), Errors> {
        let span = || value.span.clone();
        let is_text = matches!(wanted.kind, Kind::Text | Kind::Id(_));
        match &value.value {
            Value::Text(path) => {
                let (access, to) =
                    self.access(&Located::new(path.clone(), span()), wanted, roots)?;
                let optional = access.optional();
                Ok((Expr::Read(access, to), optional))
            }
            Value::Constant(text) if is_text => {
                Ok((Expr::Text(text.clone(), wanted.text.clone()), false))
            }
            Value::Boolean(flag) if *wanted.kind == Kind::Boolean => {
                Ok((Expr::Boolean(*flag), false))
            }
            Value::Integer(number) if *wanted.kind == Kind::Integer => {
                Ok((Expr::Integer(*number), false))
            }
            Value::Integer(number) if *wanted.kind == Kind::Float => {
                Ok((Expr::Float(*number), false))
            }
            Value::Filled(path) if *wanted.kind == Kind::Text && wanted.text == As::Text => {
                let (access, _) = self.access(path, wanted, roots)?;
                Ok((Expr::Filled(access), true))
            }
            Value::Base64(path) if *wanted.kind == Kind::Text && wanted.text == As::Text => {
                let (access, _) = self.access(path, wanted, roots)?;
                let optional = access.optional();
                Ok((Expr::Base64(access), optional))
            }
            Value::Lines(path) if *wanted.kind == Kind::Text && wanted.text == As::Text => {
                let texts = Wanted {
                    kind: &Kind::Texts,
                    optional: true,
                    name: wanted.name.clone(),
                    text: As::Text,
                };
                let (access, _) = self.access(path, &texts, roots)?;
                Ok((Expr::Lines(access), true))
            }
            Value::List(values) if *wanted.kind == Kind::Texts => {
                let element = Wanted {
                    kind: &Kind::Text,
                    optional: true,
                    name: wanted.name.clone(),
                    text: As::Text,
                };
                let values = all(values
                    .iter()
                    .map(|value| self.value(value, &element, roots)))?;
                // A list of nothing is none.
                let optional = values.iter().all(|(_, optional)| *optional);
                Ok((Expr::List(values), optional))
            }
            Value::First(values) => self.first(values, wanted, roots),
            Value::Constant(_) => Err(vec![self.wrong(span(), "a text", wanted)]),
            Value::Boolean(_) => Err(vec![self.wrong(span(), "a flag", wanted)]),
            Value::Integer(_) => Err(vec![self.wrong(span(), "an integer", wanted)]),
            Value::Filled(_) | Value::Base64(_) | Value::Lines(_) => {
                Err(vec![self.wrong(span(), "a text", wanted)])
            }
            Value::List(_) => Err(vec![self.wrong(span(), "a list of texts", wanted)]),
            Value::Null | Value::Body(_) | Value::Pick(_) | Value::Object(_) | Value::Page(_) => {
                Err(vec![self.wrong(span(), "opaque JSON", wanted)])
            }
            Value::Table { .. } => Err(vec![self.wrong(span(), "a member of an enum", wanted)]),
        }
    }

    /// The first of several values that is there.
    fn first(
        &self,
        values: &[Located<Value>],
        wanted: &Wanted<'_>,
        roots: &Roots<'_>,
    ) -> Result<(Expr, bool), Errors> {
        let inner = Wanted {
            kind: wanted.kind,
            optional: true,
            name: wanted.name.clone(),
            text: wanted.text.clone(),
        };
        let found = all(values.iter().map(|value| self.value(value, &inner, roots)))?;
        let last = found.len().saturating_sub(1);
        for (index, (value, (_, optional))) in values.iter().zip(&found).enumerate() {
            if index < last && !optional {
                let message = format!("of the values of {}, one is always there", wanted.name);
                let error = self
                    .bad(message)
                    .at(value.span.clone(), "none after it is ever read");
                return Err(vec![error]);
            }
        }
        let optional = found.last().is_some_and(|(_, optional)| *optional);
        Ok((Expr::First(found), optional))
    }

    fn of_enum(
        &self,
        value: &Located<Value>,
        name: &str,
        wanted: &Wanted<'_>,
        roots: &Roots<'_>,
    ) -> Result<(Expr, bool), Errors> {
        match &value.value {
            Value::Text(said) | Value::Constant(said) => {
                let said = Located::new(said.clone(), value.span.clone());
                let member = self.enum_member(&said, name)?;
                Ok((Expr::Member(name.to_owned(), member), false))
            }
            Value::Table { table, path, or } => {
                let or = or
                    .as_ref()
                    .map(|or| self.enum_member(or, name))
                    .transpose()?;
                let (function, subject) = self.table(table, name)?;
                let found = self.path(path, roots)?;
                if found.subject(self.types).as_deref() != Some(&*subject) {
                    let of = match &*subject {
                        TEXTS => "texts mean".to_owned(),
                        name => format!("a `{name}` means"),
                    };
                    let message = format!("`{}` says what {of}", table.value);
                    let label = format!("this is {}", found.describe(self.types));
                    return Err(vec![self.bad(message).at(path.span.clone(), label)]);
                }
                let optional = or.is_none();
                let or = or.map(|member| (name.to_owned(), member));
                Ok((Expr::Table(function, found.access(), or), optional))
            }
            Value::Boolean(_)
            | Value::Integer(_)
            | Value::Null
            | Value::Body(_)
            | Value::Pick(_)
            | Value::Object(_)
            | Value::Page(_)
            | Value::List(_)
            | Value::Lines(_)
            | Value::First(_)
            | Value::Filled(_)
            | Value::Base64(_) => Err(vec![self.wrong(value.span.clone(), "this", wanted)]),
        }
    }

    fn enum_member(&self, said: &Located<String>, name: &str) -> Result<String, Errors> {
        let target = self
            .model
            .targets
            .values()
            .find(|target| target.name == name);
        let Some(target) = target else {
            let message = format!("no canonical file declares `{name}`");
            return Err(vec![self.bad(message).at(said.span.clone(), "meant here")]);
        };
        target.members.get(&said.value).cloned().ok_or_else(|| {
            let message = format!("`{}` is no member of `{name}`", said.value);
            let error = self.bad(message).at(said.span.clone(), "no such member");
            let names = target.members.keys().map(String::as_str);
            vec![
                self.meant(error, &said.value, said.span.clone(), names, |name| {
                    format!("\"{name}\"")
                }),
            ]
        })
    }

    /// The function of a value surface whose rows give this enum, and what they speak of.
    fn table(&self, said: &Located<String>, name: &str) -> Result<(String, String), Errors> {
        let Some(value) = self.values.get(&said.value) else {
            let message = format!(
                "no value surface of this provider is called `{}`",
                said.value
            );
            let error = self.bad(message).at(said.span.clone(), "no such table");
            let names = self.values.iter().filter(|(_, value)| value.target == name);
            let names = names.map(|(id, _)| id.as_str());
            let written = |name: &str| format!("\"{name}\"");
            return Err(vec![self.meant(
                error,
                &said.value,
                said.span.clone(),
                names,
                written,
            )]);
        };
        if value.target != name {
            let message = format!("`{}` gives `{}`", said.value, value.target);
            let label = format!("a `{name}` belongs here");
            return Err(vec![self.bad(message).at(said.span.clone(), label)]);
        }
        Ok((value.function.clone(), value.subject.clone()))
    }

    fn map(
        &self,
        value: &Located<Value>,
        wanted: &Wanted<'_>,
        roots: &Roots<'_>,
    ) -> Result<(Expr, bool), Errors> {
        match &value.value {
            Value::Body(_) | Value::Object(_) | Value::Text(_) => {
                let (json, _) = self.opaque(value, roots)?;
                Ok((Expr::Map(json), false))
            }
            Value::Page(name) => Ok((Expr::Map(Opaque::Page(name.clone())), false)),
            Value::Boolean(_)
            | Value::Integer(_)
            | Value::Constant(_)
            | Value::Null
            | Value::Pick(_)
            | Value::List(_)
            | Value::Lines(_)
            | Value::First(_)
            | Value::Filled(_)
            | Value::Base64(_)
            | Value::Table { .. } => {
                let error = self.wrong(value.span.clone(), "this", wanted);
                Err(vec![error.help(
                    "a path to an object, `body`, `object` and `page` have names",
                )])
            }
        }
    }

    fn opaque(&self, value: &Located<Value>, roots: &Roots<'_>) -> Result<(Opaque, bool), Errors> {
        let raw = |path: &Located<String>| {
            let found = roots.raw(self.types, &path.value);
            found.map_err(|wrong| vec![self.lost(path, &wrong)])
        };
        match &value.value {
            Value::Text(path) => {
                let (path, optional) = raw(&Located::new(path.clone(), value.span.clone()))?;
                Ok((Opaque::Raw(path), optional))
            }
            Value::Body(but) => {
                for name in but {
                    raw(name)?;
                }
                let but = but.iter().map(|name| name.value.clone());
                Ok((Opaque::Body(but.collect()), false))
            }
            Value::Pick(paths) => {
                let paths = all(paths.iter().map(|path| raw(path).map(|(path, _)| path)))?;
                Ok((Opaque::Pick(paths), false))
            }
            Value::Object(members) => {
                let members = members.iter().map(|(name, value)| {
                    let (json, _) = self.opaque(value, roots)?;
                    Ok((name.value.clone(), json))
                });
                Ok((Opaque::Object(all(members)?), false))
            }
            Value::Constant(text) => Ok((Opaque::Text(text.clone()), false)),
            Value::Boolean(flag) => Ok((Opaque::Boolean(*flag), false)),
            Value::Integer(number) => Ok((Opaque::Integer(*number), false)),
            Value::Null => Ok((Opaque::Null, false)),
            Value::List(_)
            | Value::Lines(_)
            | Value::First(_)
            | Value::Filled(_)
            | Value::Base64(_)
            | Value::Page(_)
            | Value::Table { .. } => {
                let error = self.bad("opaque JSON is what was sent, or a constant");
                Err(vec![error.at(value.span.clone(), "this form gives none")])
            }
        }
    }

    fn access(
        &self,
        path: &Located<String>,
        wanted: &Wanted<'_>,
        roots: &Roots<'_>,
    ) -> Result<(Access, As), Errors> {
        let found = self.path(path, roots)?;
        let what = found.describe(self.types);
        let typed = found.typed(self.types, wanted.kind, &wanted.text);
        typed.ok_or_else(|| vec![self.wrong(path.span.clone(), &what, wanted)])
    }

    fn path(&self, path: &Located<String>, roots: &Roots<'_>) -> Result<Found, Errors> {
        let found = roots.find(self.types, &path.value);
        found.map_err(|wrong| vec![self.lost(path, &wrong)])
    }

    /// A path that does not lead anywhere.
    fn lost(&self, path: &Located<String>, wrong: &paths::Wrong) -> Diagnostic {
        let message = match &wrong.inside {
            Some(name) => format!("`{}` is no member of `{name}`", wrong.step),
            None => format!("`{}` can't be reached by a path", wrong.step),
        };
        let error = self.bad(message).at(path.span.clone(), &*wrong.why);
        if wrong.names.is_empty() {
            return error;
        }
        let names = wrong.names.iter().map(String::as_str);
        self.meant(error, &wrong.step, path.span.clone(), names, |name| {
            format!("\"{}{name}{}\"", wrong.before, wrong.after)
        })
    }

    fn wrong(&self, span: Span, what: &str, wanted: &Wanted<'_>) -> Diagnostic {
        let message = format!("{} is {}", wanted.name, wanted.kind.describe());
        self.bad(message).at(span, format!("{what} does not fit"))
    }

    fn bad(&self, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(Code::BadSet, self.surface, message)
    }
}

fn filling(expr: Expr, optional: bool, options: usize) -> Filling {
    if optional && options > 0 {
        Filling::Optional(expr, options)
    } else {
        Filling::Always(expr, options)
    }
}

/// All of them, or the errors of all.
fn all<T>(results: impl Iterator<Item = Result<T, Errors>>) -> Result<Vec<T>, Errors> {
    let (mut found, mut errors) = (Vec::new(), Errors::new());
    for result in results {
        match result {
            Ok(value) => found.push(value),
            Err(wrong) => errors.extend(wrong),
        }
    }
    if errors.is_empty() {
        Ok(found)
    } else {
        Err(errors)
    }
}
