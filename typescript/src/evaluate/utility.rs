//! The types that the language brings with it, and the few of other packages that are known.

use std::rc::Rc;

use super::{Evaluator, zod};
use crate::syntax::{Literal, Node};
use crate::types::{Env, Foreign, Function, Object, Place, Property, Type};

/// Types of packages that are not read, and what they are on a wire.
const KNOWN: [(&str, &str, Type); 2] = [
    ("crypto", "UUID", Type::String),
    ("node:crypto", "UUID", Type::String),
];

/// Generic types of the language that only mean something to a program.
const PROGRAM: [&str; 33] = [
    "AbortController",
    "AbortSignal",
    "ArrayBuffer",
    "AsyncGenerator",
    "AsyncIterable",
    "AsyncIterableIterator",
    "AsyncIterator",
    "Blob",
    "Buffer",
    "Date",
    "Error",
    "EventTarget",
    "File",
    "FormData",
    "Function",
    "Generator",
    "Headers",
    "Iterable",
    "IterableIterator",
    "Iterator",
    "Map",
    "NodeJS",
    "Object",
    "Promise",
    "PromiseLike",
    "ReadableStream",
    "RegExp",
    "Request",
    "Response",
    "Set",
    "URL",
    "Uint8Array",
    "WritableStream",
];

impl Evaluator<'_> {
    /// A type of the language; nothing when it has none of this name.
    pub(super) fn utility(
        &mut self,
        name: &str,
        arguments: &[Type],
        node: &Node,
        env: &Env,
    ) -> Option<Type> {
        let first = arguments.first().cloned();
        let second = arguments.get(1).cloned();
        Some(match (name, first, second) {
            ("Array" | "ReadonlyArray", Some(element), _) => Type::list(element),
            ("Readonly" | "NoInfer", Some(of), _) => of,
            ("Record", Some(keys), Some(value)) => self.record(&keys, &value, node, env),
            ("Partial", Some(of), _) => self.each(&of, node, env, &|_, property| {
                Some(Property {
                    optional: true,
                    ..property.clone()
                })
            }),
            ("Required", Some(of), _) => self.each(&of, node, env, &|_, property| {
                let ty = property.ty.without(|member| *member == Type::Undefined);
                Some(Property {
                    ty,
                    optional: false,
                })
            }),
            ("Pick", Some(of), Some(keys)) => {
                let keys = self.forced_members(&keys);
                self.select(&of, keys, node, env)
            }
            ("Omit", Some(of), Some(keys)) => {
                // Of what takes any key, only that is left: so the language has it.
                let keys = self.forced_members(&keys);
                let mut kept = self.keys(&of, node, env).members();
                kept.retain(|key| !keys.contains(key));
                self.select(&of, kept, node, env)
            }
            ("Exclude", Some(of), Some(what)) => self.filter(&of, &what, false, node, env),
            ("Extract", Some(of), Some(what)) => self.filter(&of, &what, true, node, env),
            ("NonNullable", Some(of), _) => {
                let members = self.constituents(&of);
                let kept = members
                    .into_iter()
                    .filter(|member| !matches!(member, Type::Null | Type::Undefined));
                Type::union(kept)
            }
            ("ReturnType", Some(of), _) => match self.callable(&of, node, env) {
                Some(function) => self.result(&function),
                None => Type::Never,
            },
            ("Parameters", Some(of), _) => match self.callable(&of, node, env) {
                Some(function) => self.arguments_from(&function, 0),
                None => Type::Never,
            },
            ("Awaited", Some(of), _) => self.awaited(&of),
            ("Uppercase" | "Lowercase" | "Capitalize" | "Uncapitalize", Some(of), _) => {
                let members = self.forced_members(&of);
                Type::union(members.into_iter().map(|member| match member {
                    Type::Literal(Literal::Text(text)) => Type::text(cased(name, &text)),
                    other => other,
                }))
            }
            (name, _, _) if PROGRAM.contains(&name) => {
                let foreign = Foreign {
                    module: String::new(),
                    name: name.to_owned(),
                    arguments: arguments.to_vec(),
                };
                Type::Foreign(Rc::new(foreign))
            }
            _ => return None,
        })
    }

    /// A type of a package that is not read.
    pub(super) fn known_foreign(
        &mut self,
        module: &str,
        names: &[String],
        arguments: Vec<Type>,
        node: &Node,
        env: &Env,
    ) -> Type {
        let name = names.last().map_or("", String::as_str);
        if let Some((_, _, ty)) = KNOWN
            .iter()
            .find(|(from, known, _)| *from == module && *known == name)
        {
            return ty.clone();
        }
        if zod::is_zod(module)
            && matches!(name, "infer" | "output" | "TypeOf")
            && let Some(schema) = arguments.first()
        {
            return match self.zod_output(schema, node, env) {
                Some(output) => output,
                None => self.fail(node, env, "`z.infer` of a type that is no zod type"),
            };
        }
        Self::foreign(module, names, arguments)
    }

    fn record(&mut self, keys: &Type, value: &Type, node: &Node, env: &Env) -> Type {
        let mut object = Object::default();
        for key in self.forced_members(keys) {
            match key {
                Type::Literal(Literal::Text(name) | Literal::Number(name)) => {
                    object.properties.insert(
                        name,
                        Property {
                            ty: value.clone(),
                            optional: false,
                        },
                    );
                }
                Type::String | Type::Number | Type::AnyText | Type::Template(_) | Type::Any => {
                    object.index = Some(value.clone());
                }
                Type::Opaque(_) => {}
                _ => return self.fail(node, env, "a record over these keys"),
            }
        }
        Type::object(object)
    }

    /// The members of a union, behind names too.
    fn forced_members(&mut self, ty: &Type) -> Vec<Type> {
        let members = self.constituents(ty);
        members.iter().map(|member| self.force(member)).collect()
    }

    /// Each object of a type with its properties changed; further properties stay.
    fn each(
        &mut self,
        of: &Type,
        node: &Node,
        env: &Env,
        change: &dyn Fn(&str, &Property) -> Option<Property>,
    ) -> Type {
        let mut changed = Vec::new();
        for member in self.forced_members(of) {
            changed.push(match member {
                Type::Object(object) => {
                    let properties = object.properties.iter();
                    let properties = properties.filter_map(|(name, property)| {
                        Some((name.clone(), change(name, property)?))
                    });
                    Type::object(Object {
                        properties: properties.collect(),
                        ..(*object).clone()
                    })
                }
                Type::Any => Type::Any,
                Type::Null | Type::Undefined | Type::Opaque(_) => member,
                _ => self.fail(node, env, "the properties of a type that is no object"),
            });
        }
        Type::union(changed)
    }

    /// One object with these keys, also of a union.
    fn select(&mut self, of: &Type, keys: Vec<Type>, node: &Node, env: &Env) -> Type {
        let members = self.forced_members(of);
        if let [Type::Any | Type::Opaque(_)] = members.as_slice() {
            return of.clone();
        }
        let mut object = Object::default();
        for key in keys {
            let ty = self.index(of, &key, node, env);
            let Type::Literal(Literal::Text(name)) = key else {
                object.index = Some(ty);
                continue;
            };
            let optional = members.iter().any(|member| match member {
                Type::Object(object) => object
                    .properties
                    .get(&name)
                    .is_some_and(|property| property.optional),
                _ => false,
            });
            object.properties.insert(name, Property { ty, optional });
        }
        Type::object(object)
    }

    fn filter(&mut self, of: &Type, what: &Type, keep: bool, node: &Node, env: &Env) -> Type {
        let mut kept = Vec::new();
        for member in self.split(of) {
            if self.is(
                &member,
                what,
                &mut std::collections::BTreeMap::new(),
                node,
                env,
            ) == keep
            {
                kept.push(member);
            }
        }
        Type::union(kept)
    }

    fn callable(&mut self, of: &Type, node: &Node, env: &Env) -> Option<Function> {
        match self.force(of) {
            Type::Function(function) => Some(function),
            Type::Object(object) if object.call.is_some() => object.call.clone(),
            _ => {
                self.fail(node, env, "a call of a type that is no function");
                None
            }
        }
    }

    /// What a function gives.
    pub(super) fn result(&mut self, function: &Function) -> Type {
        self.node(&function.signature.result, &function.env)
    }

    /// The arguments of a function from one on, as a tuple.
    pub(super) fn arguments_from(&mut self, function: &Function, from: usize) -> Type {
        let mut places = Vec::new();
        for argument in function.signature.arguments.iter().skip(from) {
            let ty = self.node(&argument.node, &function.env);
            match (argument.rest, self.force(&ty)) {
                (true, Type::Array(each)) => places.push(Place {
                    ty: (*each).clone(),
                    optional: false,
                    rest: true,
                }),
                (true, Type::Tuple(inner)) => places.extend(inner.iter().cloned()),
                (rest, _) => places.push(Place {
                    ty,
                    optional: argument.optional,
                    rest,
                }),
            }
        }
        Type::Tuple(Rc::new(places))
    }

    /// What a promise gives in the end.
    fn awaited(&mut self, of: &Type) -> Type {
        let mut members = Vec::new();
        for member in self.constituents(of) {
            members.push(match self.force(&member) {
                Type::Foreign(foreign)
                    if matches!(foreign.name.as_str(), "Promise" | "PromiseLike") =>
                {
                    match foreign.arguments.first() {
                        Some(inner) => self.awaited(inner),
                        None => Type::Unknown,
                    }
                }
                _ => member,
            });
        }
        Type::union(members)
    }

    /// The arguments and the result of a function type by its name, as a root may ask for them.
    pub fn call(&mut self, ty: &Type) -> Option<(Type, Type)> {
        let Type::Function(function) = self.force(ty) else {
            return None;
        };
        let (arguments, result) = (self.arguments_from(&function, 0), self.result(&function));
        Some((arguments, self.awaited(&result)))
    }
}

fn cased(how: &str, text: &str) -> String {
    let mut rest = text.chars();
    let first = rest.next().map(String::from).unwrap_or_default();
    match how {
        "Uppercase" => text.to_uppercase(),
        "Lowercase" => text.to_lowercase(),
        "Capitalize" => format!("{}{}", first.to_uppercase(), rest.as_str()),
        _ => format!("{}{}", first.to_lowercase(), rest.as_str()),
    }
}
