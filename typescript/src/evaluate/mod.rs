//! Works types out: from what is written to what is meant.
//!
//! A declaration with a name and no parameters stays a name until something asks what is in it, so
//! that types may refer to themselves. An instance of a generic type is worked out in place, and
//! gets a definition of its own only when it contains itself.

#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "a rule names the types that it is for, and reports every other one"
)]

mod algebra;
mod conditional;
mod forms;
mod keys;
mod mapped;
mod names;
mod utility;
mod zod;

use std::collections::{BTreeMap, BTreeSet};

use crate::modules::{Home, Modules};
use crate::problem::{Kind, Problem};
use crate::syntax::Node;
use crate::types::{Env, Type};

/// Deeper ones can only be generic types that grow without an end.
const DEEPEST: usize = 120;

/// A declaration that types refer to by its number.
#[derive(Debug)]
pub struct Definition {
    /// Where it is declared; an undeclared one has no home.
    pub home: Option<Home>,
    /// Its name there.
    pub name: String,
    /// Its name in the dump.
    pub shown: String,
    state: State,
}

#[derive(Clone, Debug)]
enum State {
    Waiting,
    Working,
    Done(Type),
}

/// The types of some modules.
pub struct Evaluator<'t> {
    /// The modules.
    pub modules: Modules<'t>,
    /// What was found to be wrong.
    pub problems: BTreeSet<Problem>,
    /// The prefixes of definitions by package.
    aliases: BTreeMap<String, String>,
    /// Names that are known to be declared nowhere.
    undeclared: BTreeSet<String>,
    definitions: Vec<Definition>,
    numbers: BTreeMap<(Option<Home>, String), usize>,
    instances: Vec<Instance>,
    within: Vec<String>,
    depth: usize,
}

/// A generic type that is being worked out.
struct Instance {
    home: Home,
    name: String,
    arguments: Vec<Type>,
    /// The definition that it got because it contains itself.
    number: Option<usize>,
}

impl<'t> Evaluator<'t> {
    /// Nothing worked out yet.
    pub fn new(
        modules: Modules<'t>,
        aliases: BTreeMap<String, String>,
        undeclared: BTreeSet<String>,
    ) -> Self {
        Self {
            modules,
            problems: BTreeSet::new(),
            aliases,
            undeclared,
            definitions: Vec::new(),
            numbers: BTreeMap::new(),
            instances: Vec::new(),
            within: Vec::new(),
            depth: 0,
        }
    }

    /// A definition by its number.
    pub fn definition(&self, number: usize) -> Option<&Definition> {
        self.definitions.get(number)
    }

    /// What a definition is.
    pub fn body(&mut self, number: usize) -> Type {
        let Some(definition) = self.definitions.get_mut(number) else {
            return Type::Never;
        };
        let (home, name, shown) = (
            definition.home.clone(),
            definition.name.clone(),
            definition.shown.clone(),
        );
        match std::mem::replace(&mut definition.state, State::Working) {
            State::Done(ty) => {
                definition.state = State::Done(ty.clone());
                return ty;
            }
            State::Working => return self.circular(home.as_ref(), &name),
            State::Waiting => {}
        }
        self.within.push(shown);
        let ty = match home {
            Some(home) => {
                let declarations = self.modules.declarations(&home, &name);
                self.declared(&declarations, &Env::at(home), &name)
            }
            None => Type::Never,
        };
        self.within.pop();
        if let Some(definition) = self.definitions.get_mut(number) {
            definition.state = State::Done(ty.clone());
        }
        ty
    }

    /// What is found from here on belongs to a definition.
    pub fn enter(&mut self, shown: &str) {
        self.within.push(shown.to_owned());
    }

    /// The definition that was entered last is done with.
    pub fn leave(&mut self) {
        self.within.pop();
    }

    fn circular(&mut self, home: Option<&Home>, name: &str) -> Type {
        let at = home.and_then(|home| {
            Some((
                home.module,
                self.modules.declarations(home, name).first()?.at,
            ))
        });
        let (module, at) = at.unwrap_or_default();
        self.report(module, at, Kind::Circular(name.to_owned()))
    }

    /// The type behind names.
    pub fn force(&mut self, ty: &Type) -> Type {
        let mut ty = ty.clone();
        // A chain of names longer than all names is a circle.
        for _ in 0..=self.definitions.len() {
            let Type::Named(number) = ty else { return ty };
            ty = self.body(number);
        }
        Type::Never
    }

    /// The members of a union, also of one that is behind a name. Other names stay names.
    pub fn constituents(&mut self, ty: &Type) -> Vec<Type> {
        let mut found = Vec::new();
        for member in ty.members() {
            match self.force(&member) {
                Type::Union(members) => {
                    for member in members.iter() {
                        found.extend(self.constituents(member));
                    }
                }
                Type::Never if !self.is_undeclared(&member) => {}
                _ => found.push(member),
            }
        }
        found
    }

    /// Whether a type is a name that is declared nowhere.
    pub fn is_undeclared(&self, ty: &Type) -> bool {
        matches!(ty, Type::Named(number) if self.definition(*number).is_some_and(|known| known.home.is_none()))
    }

    /// Notes a problem; the type in its place has no values.
    pub fn report(&mut self, module: usize, at: u32, kind: Kind) -> Type {
        let file = self.modules.path(module).to_owned();
        let line = self.modules.line(module, at);
        let within = self.within.last().cloned().unwrap_or_default();
        self.problems.insert(Problem {
            file,
            line,
            within,
            kind,
        });
        Type::Never
    }

    pub(super) fn fail(&mut self, node: &Node, env: &Env, what: impl Into<String>) -> Type {
        self.report(env.home.module, node.at, Kind::NoRule(what.into()))
    }
}
