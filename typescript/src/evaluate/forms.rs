//! The forms that types are written in, each worked out.

use std::rc::Rc;

use super::{DEEPEST, Evaluator};
use crate::modules::Want;
use crate::syntax::{Element, Form, Keyword, Literal, Member, Node, Signature};
use crate::types::{Env, Function, Object, Place, Property, Type};

impl Evaluator<'_> {
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

    pub(super) fn opaque(name: &str, reason: &str) -> Type {
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
    pub(super) fn object(&mut self, members: &[Member], env: &Env) -> Object {
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

    pub(super) fn function(&self, signature: &Rc<Signature>, env: &Env) -> Function {
        Function {
            signature: Rc::clone(signature),
            env: env.clone(),
        }
    }
}
