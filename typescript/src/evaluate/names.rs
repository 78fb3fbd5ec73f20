//! Names: what a reference means, instances of generic types, and declarations.

use std::rc::Rc;

use super::{Definition, Evaluator, Instance, State};
use crate::modules::{Found, Home, Want};
use crate::problem::Kind;
use crate::syntax::{Body, Declaration, Form, Keyword, Node};
use crate::types::{Env, Foreign, Object, Type};

impl Evaluator<'_> {
    /// The type of a constant or function.
    pub(super) fn query(&mut self, names: &[String], node: &Node, env: &Env) -> Type {
        let shown = names.join(".");
        match self.modules.look_up(&env.home, names, Want::Value) {
            Some(Found::Declared(home, name)) => match self.modules.value(&home, &name) {
                Some(value) => self.node(&value, &Env::at(home)),
                None => self.fail(node, env, format!("`typeof {shown}`")),
            },
            Some(Found::Foreign(module, names)) => Self::foreign(&module, &names, Vec::new()),
            Some(Found::NoModule(specifier)) => {
                self.report(env.home.module, node.at, Kind::NoModule(specifier))
            }
            Some(Found::Namespace(_)) => self.fail(node, env, format!("`typeof {shown}`")),
            None => self.report(env.home.module, node.at, Kind::Undeclared(shown)),
        }
    }

    pub(super) fn foreign(module: &str, names: &[String], arguments: Vec<Type>) -> Type {
        let name = names.last().cloned().unwrap_or_default();
        Type::Foreign(Rc::new(Foreign {
            module: module.to_owned(),
            name,
            arguments,
        }))
    }

    pub(super) fn reference(
        &mut self,
        names: &[String],
        arguments: &[Node],
        node: &Node,
        env: &Env,
    ) -> Type {
        if let [name] = names
            && let Some(bound) = env.binding(name)
        {
            return bound.clone();
        }
        let found = self.modules.look_up(&env.home, names, Want::Type);
        self.found(found, names, arguments, node, env)
    }

    pub(super) fn found(
        &mut self,
        found: Option<Found>,
        names: &[String],
        given: &[Node],
        node: &Node,
        env: &Env,
    ) -> Type {
        match found {
            Some(Found::Declared(home, name)) => {
                let arguments: Vec<Type> = given
                    .iter()
                    .map(|argument| self.node(argument, env))
                    .collect();
                self.instance(home, &name, arguments, node, env)
            }
            Some(Found::Foreign(module, names)) => {
                let arguments: Vec<Type> = given
                    .iter()
                    .map(|argument| self.node(argument, env))
                    .collect();
                self.known_foreign(&module, &names, arguments, node, env)
            }
            Some(Found::NoModule(specifier)) => {
                self.report(env.home.module, node.at, Kind::NoModule(specifier))
            }
            Some(Found::Namespace(_)) => self.fail(
                node,
                env,
                format!("the namespace `{}` as a type", names.join(".")),
            ),
            None => {
                let last = names.last().cloned().unwrap_or_default();
                if names.len() == 1 {
                    let arguments: Vec<Type> = given
                        .iter()
                        .map(|argument| self.node(argument, env))
                        .collect();
                    if let Some(ty) = self.utility(&last, &arguments, node, env) {
                        return ty;
                    }
                }
                if !self.undeclared.contains(&last) {
                    self.report(env.home.module, node.at, Kind::Undeclared(last.clone()));
                }
                Type::Named(self.number(None, &last))
            }
        }
    }

    /// The root of this name in a module.
    pub fn root(&mut self, module: usize, name: &str) -> Option<Type> {
        let home = Home {
            module,
            path: Vec::new(),
        };
        let found = self
            .modules
            .look_up(&home, &[name.to_owned()], Want::Type)?;
        let node = Node {
            at: 0,
            form: Form::Keyword(Keyword::Never),
        };
        Some(self.found(Some(found), &[name.to_owned()], &[], &node, &Env::at(home)))
    }

    /// The number of a definition.
    pub(super) fn number(&mut self, home: Option<Home>, name: &str) -> usize {
        let key = (home, name.to_owned());
        if let Some(number) = self.numbers.get(&key) {
            return *number;
        }
        let shown = self.shown(key.0.as_ref(), name);
        let number = self.define(key.0.clone(), name, shown, State::Waiting);
        self.numbers.insert(key, number);
        number
    }

    fn define(&mut self, home: Option<Home>, name: &str, shown: String, state: State) -> usize {
        self.definitions.push(Definition {
            home,
            name: name.to_owned(),
            shown,
            state,
        });
        self.definitions.len() - 1
    }

    /// The name in the dump: packages and namespaces before it.
    pub(super) fn shown(&self, home: Option<&Home>, name: &str) -> String {
        let Some(home) = home else {
            return name.to_owned();
        };
        let alias = self.aliases.get(self.modules.package(home.module));
        let parts = alias
            .into_iter()
            .chain(&home.path)
            .map(String::as_str)
            .chain([name]);
        parts.collect::<Vec<&str>>().join(".")
    }

    fn instance(
        &mut self,
        home: Home,
        name: &str,
        arguments: Vec<Type>,
        node: &Node,
        env: &Env,
    ) -> Type {
        let declarations = self.modules.declarations(&home, name);
        let Some(first) = declarations.first() else {
            return Type::Never;
        };
        if first.parameters.is_empty() {
            return Type::Named(self.number(Some(home), name));
        }
        let mut inner = Env::at(home.clone());
        let mut bound = Vec::new();
        for (index, parameter) in first.parameters.iter().enumerate() {
            let argument = match (arguments.get(index), &parameter.default) {
                (Some(argument), _) => argument.clone(),
                (None, Some(default)) => self.node(default, &inner),
                (None, None) => {
                    return self.fail(node, env, format!("`{name}` without an argument"));
                }
            };
            bound.push(argument.clone());
            inner = inner.with(&parameter.name, argument);
        }
        let open = self
            .instances
            .iter()
            .position(|open| open.home == home && open.name == name && open.arguments == bound);
        if let Some(open) = open {
            return Type::Named(self.own_definition(open));
        }
        self.instances.push(Instance {
            home,
            name: name.to_owned(),
            arguments: bound,
            number: None,
        });
        let ty = self.declared(&declarations, &inner, name);
        let number = self.instances.pop().and_then(|instance| instance.number);
        let Some(number) = number else { return ty };
        if let Some(definition) = self.definitions.get_mut(number) {
            definition.state = State::Done(ty);
        }
        Type::Named(number)
    }

    /// The definition of a generic instance that contains itself.
    fn own_definition(&mut self, open: usize) -> usize {
        let Some(instance) = self.instances.get(open) else {
            return 0;
        };
        if let Some(number) = instance.number {
            return number;
        }
        let (home, name) = (instance.home.clone(), instance.name.clone());
        let same = self
            .definitions
            .iter()
            .filter(|known| known.name == name && known.home.as_ref() == Some(&home))
            .count();
        let shown = format!("{}.{}", self.shown(Some(&home), &name), same + 1);
        let number = self.define(Some(home), &name, shown, State::Working);
        if let Some(instance) = self.instances.get_mut(open) {
            instance.number = Some(number);
        }
        number
    }

    /// What declarations of one name say together.
    pub(super) fn declared(
        &mut self,
        declarations: &[Rc<Declaration>],
        env: &Env,
        name: &str,
    ) -> Type {
        let mut whole = Object::default();
        let mut is_object = false;
        for declaration in declarations {
            match &declaration.body {
                Body::Alias(node) => return self.node(node, env),
                Body::Enum(values) => {
                    return Type::union(values.iter().cloned().map(Type::Literal));
                }
                Body::Class => return Self::opaque(name, "it is a class"),
                Body::Interface(bases, members) => {
                    is_object = true;
                    for base in bases {
                        let written = self.node(base, env);
                        if self.is_undeclared(&written) {
                            let what = "an interface that extends a name that is declared nowhere";
                            return self.fail(base, env, what);
                        }
                        match self.force(&written) {
                            Type::Object(inherited) => self.inherit(&mut whole, &inherited),
                            Type::Never => {}
                            _ => {
                                return Self::opaque(
                                    name,
                                    "it extends what is no object of the wire",
                                );
                            }
                        }
                    }
                    let own = self.object(members, env);
                    whole.properties.extend(own.properties);
                    whole.index = own.index.or(whole.index);
                    whole.call = own.call.or(whole.call);
                }
            }
        }
        if is_object {
            Type::object(whole)
        } else {
            Type::Never
        }
    }

    fn inherit(&self, whole: &mut Object, base: &Object) {
        whole.properties.extend(
            base.properties
                .iter()
                .map(|(name, property)| (name.clone(), property.clone())),
        );
        whole.index = base.index.clone().or(whole.index.take());
        whole.call = base.call.clone().or(whole.call.take());
    }
}
