//! Works types out: from what is written to what is meant.
//!
//! A declaration with a name and no parameters stays a name until something asks what is in it, so
//! that types may refer to themselves. An instance of a generic type is worked out in place, and
//! gets a definition of its own only when it contains itself.

mod algebra;
mod conditional;
mod keys;
mod mapped;
mod utility;
mod zod;

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use crate::modules::{Found, Home, Modules, Want};
use crate::problem::{Kind, Problem};
use crate::syntax::{Body, Declaration, Element, Form, Keyword, Literal, Member, Node, Signature};
use crate::types::{Env, Foreign, Function, Object, Place, Property, Type};

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

    fn fail(&mut self, node: &Node, env: &Env, what: impl Into<String>) -> Type {
        self.report(env.home.module, node.at, Kind::NoRule(what.into()))
    }

    /// Works a written type out.
    pub fn node(&mut self, node: &Node, env: &Env) -> Type {
        if self.depth > DEEPEST {
            return self.fail(node, env, "a type that is nested this deep");
        }
        self.depth += 1;
        let ty = self.form(node, env);
        self.depth -= 1;
        ty
    }

    fn form(&mut self, node: &Node, env: &Env) -> Type {
        match &node.form {
            Form::Keyword(keyword) => self.keyword(*keyword),
            Form::Literal(literal) => Type::Literal(literal.clone()),
            Form::Template(texts, types) => self.template(texts, types, node, env),
            Form::Reference(names, arguments) => self.reference(names, arguments, node, env),
            Form::Import(module, names, arguments) => {
                let found = self.modules.imported(&env.home, module, names, Want::Type);
                self.found(found, names, arguments, node, env)
            }
            Form::Query(names) => self.query(names, node, env),
            Form::Array(element) => Type::list(self.node(element, env)),
            Form::Tuple(elements) => self.tuple(elements, env),
            Form::Object(members) => Type::object(self.object(members, env)),
            Form::Union(members) => {
                let members: Vec<Type> = members
                    .iter()
                    .map(|member| self.node(member, env))
                    .collect();
                Type::union(members)
            }
            Form::Intersection(parts) => {
                let mut whole = Type::Unknown;
                for part in parts {
                    let part = self.node(part, env);
                    whole = self.intersect(&whole, &part, node, env);
                }
                whole
            }
            Form::Function(signature) => Type::Function(self.function(signature, env)),
            Form::Conditional(parts) => self.conditional(parts, node, env),
            Form::Infer(name) => Type::Infer(name.as_str().into()),
            Form::KeyOf(of) => {
                let of = self.node(of, env);
                self.keys(&of, node, env)
            }
            Form::Index(object, key) => {
                let (object, key) = (self.node(object, env), self.node(key, env));
                self.index(&object, &key, node, env)
            }
            Form::Mapped(mapped) => self.mapped(mapped, node, env),
            Form::Unsupported(what) => {
                Self::opaque(what, "it belongs to the program and not to its data")
            }
        }
    }

    fn keyword(&self, keyword: Keyword) -> Type {
        match keyword {
            Keyword::Any => Type::Any,
            Keyword::Unknown => Type::Unknown,
            Keyword::Never => Type::Never,
            Keyword::Null => Type::Null,
            Keyword::Undefined => Type::Undefined,
            Keyword::Boolean => Type::Boolean,
            Keyword::Number => Type::Number,
            Keyword::String => Type::String,
            Keyword::Object => Type::AnyObject,
            Keyword::BigInt => Self::opaque("bigint", "JSON has no form for it"),
            Keyword::Symbol => Self::opaque("symbol", "JSON has no form for it"),
        }
    }

    fn opaque(name: &str, reason: &str) -> Type {
        Type::Opaque(Rc::new((name.to_owned(), reason.to_owned())))
    }

    fn template(&mut self, texts: &[String], types: &[Node], node: &Node, env: &Env) -> Type {
        let types: Vec<Type> = types.iter().map(|ty| self.node(ty, env)).collect();
        self.join(texts, &types, node, env)
    }

    /// A text with types in it: a list of texts where each type is one.
    fn join(&mut self, texts: &[String], types: &[Type], node: &Node, env: &Env) -> Type {
        let mut joined = vec![texts.first().cloned().unwrap_or_default()];
        for (ty, text) in types.iter().zip(texts.iter().skip(1)) {
            let mut next = Vec::new();
            for member in self.constituents(ty) {
                let member = self.force(&member);
                let part = match &member {
                    Type::Literal(Literal::Text(part) | Literal::Number(part)) => part.clone(),
                    Type::Literal(Literal::Boolean(part)) => part.to_string(),
                    Type::String
                    | Type::AnyText
                    | Type::Number
                    | Type::Boolean
                    | Type::Template(_) => {
                        return Type::Template(Rc::new((texts.to_vec(), types.to_vec())));
                    }
                    _ => return self.fail(node, env, "a text with this type in it"),
                };
                next.extend(joined.iter().map(|before| format!("{before}{part}{text}")));
            }
            joined = next;
        }
        Type::union(joined.into_iter().map(Type::text))
    }

    fn tuple(&mut self, elements: &[Element], env: &Env) -> Type {
        let mut places = Vec::new();
        for element in elements {
            let ty = self.node(&element.node, env);
            if !element.rest {
                places.push(Place {
                    ty,
                    optional: element.optional,
                    rest: false,
                });
                continue;
            }
            match self.force(&ty) {
                Type::Array(each) => places.push(Place {
                    ty: (*each).clone(),
                    optional: false,
                    rest: true,
                }),
                Type::Tuple(inner) => places.extend(inner.iter().cloned()),
                other => places.push(Place {
                    ty: other,
                    optional: false,
                    rest: true,
                }),
            }
        }
        Type::Tuple(Rc::new(places))
    }

    /// The members of an object type as written.
    fn object(&mut self, members: &[Member], env: &Env) -> Object {
        let mut object = Object::default();
        for member in members {
            match member {
                Member::Property {
                    name,
                    optional,
                    node,
                } => {
                    let ty = self.node(node, env);
                    let property = Property {
                        ty,
                        optional: *optional,
                    };
                    object.properties.insert(name.clone(), property);
                }
                Member::Index(key, value) => {
                    let key = self.node(key, env);
                    if !matches!(self.force(&key), Type::Opaque(_)) {
                        let value = self.node(value, env);
                        let known = object.index.take().into_iter();
                        object.index = Some(Type::union(known.chain([value])));
                    }
                }
                Member::Call(signature) => object.call = Some(self.function(signature, env)),
                Member::Unnamed => {}
            }
        }
        object
    }

    fn function(&self, signature: &Rc<Signature>, env: &Env) -> Function {
        Function {
            signature: Rc::clone(signature),
            env: env.clone(),
        }
    }

    /// The type of a constant or function.
    fn query(&mut self, names: &[String], node: &Node, env: &Env) -> Type {
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

    fn foreign(module: &str, names: &[String], arguments: Vec<Type>) -> Type {
        let name = names.last().cloned().unwrap_or_default();
        Type::Foreign(Rc::new(Foreign {
            module: module.to_owned(),
            name,
            arguments,
        }))
    }

    fn reference(&mut self, names: &[String], arguments: &[Node], node: &Node, env: &Env) -> Type {
        if let [name] = names
            && let Some(bound) = env.binding(name)
        {
            return bound.clone();
        }
        let found = self.modules.look_up(&env.home, names, Want::Type);
        self.found(found, names, arguments, node, env)
    }

    fn found(
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
    fn number(&mut self, home: Option<Home>, name: &str) -> usize {
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
    fn shown(&self, home: Option<&Home>, name: &str) -> String {
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
    fn declared(&mut self, declarations: &[Rc<Declaration>], env: &Env, name: &str) -> Type {
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
