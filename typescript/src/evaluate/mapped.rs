//! Mapped types: `{ [K in Keys]: V }`.

use std::rc::Rc;

use super::Evaluator;
use crate::syntax::{Form, Literal, Mapped, Node};
use crate::types::{Env, Object, Property, Type};

impl Evaluator<'_> {
    /// A mapped type. Over the keys of a type, its properties keep whether they may be left out.
    pub(super) fn mapped(&mut self, mapped: &Mapped, node: &Node, env: &Env) -> Type {
        let Form::KeyOf(of) = &mapped.constraint.form else {
            let keys = self.node(&mapped.constraint, env);
            let object = self.over_keys(&keys, None, mapped, node, env);
            return Type::object(object);
        };
        let source = self.node(of, env);
        let parameter = match &of.form {
            Form::Reference(names, _) => names
                .first()
                .filter(|name| names.len() == 1 && env.binding(name).is_some()),
            _ => None,
        };
        let Some(parameter) = parameter else {
            return self.over(&source, mapped, node, env);
        };
        // Over a parameter it distributes: `T[K]` means the member at hand.
        let mut members = Vec::new();
        for member in self.constituents(&source) {
            let inner = env.with(parameter, member.clone());
            members.push(self.over(&member, mapped, node, &inner));
        }
        Type::union(members)
    }

    /// Over the properties of a type; what has none stays as it is.
    fn over(&mut self, source: &Type, mapped: &Mapped, node: &Node, env: &Env) -> Type {
        if self.is_undeclared(source) {
            return self.fail(node, env, "the keys of a name that is declared nowhere");
        }
        match self.force(source) {
            Type::Object(object) => {
                let names = Type::union(
                    object
                        .properties
                        .keys()
                        .map(|name| Type::text(name.as_str())),
                );
                let mut result = self.over_keys(&names, Some(&object), mapped, node, env);
                if object.index.is_some() {
                    let inner = env.with(&mapped.key, Type::String);
                    result.index = Some(self.node(&mapped.value, &inner));
                }
                Type::object(result)
            }
            Type::Array(element) => {
                let each = self.element_of(&element, mapped, env);
                Type::list(each)
            }
            Type::Tuple(places) => {
                let mut mapped_places = places.to_vec();
                for place in &mut mapped_places {
                    place.ty = self.element_of(&place.ty.clone(), mapped, env);
                }
                Type::Tuple(Rc::new(mapped_places))
            }
            Type::Union(_) => {
                let keys = self.keys(source, node, env);
                Type::object(self.over_keys(&keys, None, mapped, node, env))
            }
            Type::AnyObject => Type::object(Object::default()),
            other => other,
        }
    }

    /// In a list, `T[K]` is its element.
    fn element_of(&mut self, _element: &Type, mapped: &Mapped, env: &Env) -> Type {
        let inner = env.with(&mapped.key, Type::Number);
        self.node(&mapped.value, &inner)
    }

    fn over_keys(
        &mut self,
        keys: &Type,
        source: Option<&Object>,
        mapped: &Mapped,
        node: &Node,
        env: &Env,
    ) -> Object {
        let mut object = Object::default();
        for key in self.constituents(keys) {
            let key = self.force(&key);
            let inner = env.with(&mapped.key, key.clone());
            let names = match &mapped.renamed {
                Some(renamed) => {
                    let renamed = self.node(renamed, &inner);
                    self.constituents(&renamed)
                }
                None => vec![key.clone()],
            };
            if names.is_empty() {
                continue;
            }
            let mut ty = self.node(&mapped.value, &inner);
            let before = match &key {
                Type::Literal(Literal::Text(name)) => {
                    source.and_then(|source| source.properties.get(name))
                }
                _ => None,
            };
            let optional = mapped
                .optional
                .unwrap_or(before.is_some_and(|property| property.optional));
            if mapped.optional == Some(false) {
                ty = ty.without(|member| *member == Type::Undefined);
            }
            for name in names {
                match self.force(&name) {
                    Type::Literal(Literal::Text(name) | Literal::Number(name)) => {
                        object.properties.insert(
                            name,
                            Property {
                                ty: ty.clone(),
                                optional,
                            },
                        );
                    }
                    Type::String | Type::Number | Type::AnyText | Type::Template(_) => {
                        let known = object.index.take().into_iter();
                        object.index = Some(Type::union(known.chain([ty.clone()])));
                    }
                    Type::Opaque(_) => {}
                    _ => {
                        self.fail(node, env, "a mapped type over these keys");
                    }
                }
            }
        }
        object
    }
}
