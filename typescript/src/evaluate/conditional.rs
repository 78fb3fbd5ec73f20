//! Conditional types, and whether one type is another.

use std::collections::BTreeMap;

use super::Evaluator;
use crate::syntax::{Conditional, Form, Literal, Node};
use crate::types::{Env, Function, Object, Type};

/// What `infer` found, by name.
type Inferred = BTreeMap<String, Type>;

impl Evaluator<'_> {
    /// A conditional type; over a parameter it distributes over the members of a union.
    pub(super) fn conditional(&mut self, parts: &Conditional, node: &Node, env: &Env) -> Type {
        let checked = self.node(&parts.check, env);
        let parameter = match &parts.check.form {
            Form::Reference(names, _) => names
                .first()
                .filter(|name| names.len() == 1 && env.binding(name).is_some()),
            _ => None,
        };
        let Some(parameter) = parameter else {
            return self.branch(&checked, parts, node, env);
        };
        let mut members = Vec::new();
        for member in self.split(&checked) {
            let inner = env.with(parameter, member.clone());
            members.push(self.branch(&member, parts, node, &inner));
        }
        Type::union(members)
    }

    /// The members of a union, where true and false are two.
    pub(super) fn split(&mut self, ty: &Type) -> Vec<Type> {
        let mut members = self.constituents(ty);
        if let Some(at) = members.iter().position(|member| *member == Type::Boolean) {
            let two = [true, false].map(|value| Type::Literal(Literal::Boolean(value)));
            members.splice(at..=at, two);
        }
        members
    }

    fn branch(&mut self, checked: &Type, parts: &Conditional, node: &Node, env: &Env) -> Type {
        let target = self.node(&parts.extends, env);
        let mut inferred = Inferred::new();
        let holds = self.is(checked, &target, &mut inferred, node, env);
        let mut inner = env.clone();
        for (name, ty) in inferred {
            inner = inner.with(&name, ty);
        }
        if self.force(checked) == Type::Any {
            let (then, otherwise) = (
                self.node(&parts.then, &inner),
                self.node(&parts.otherwise, env),
            );
            return Type::union([then, otherwise]);
        }
        if holds {
            self.node(&parts.then, &inner)
        } else {
            self.node(&parts.otherwise, env)
        }
    }

    /// Whether every value of `source` is one of `target`.
    pub(super) fn is(
        &mut self,
        source: &Type,
        target: &Type,
        inferred: &mut Inferred,
        node: &Node,
        env: &Env,
    ) -> bool {
        if let Type::Infer(name) = target {
            let known = inferred.remove(&**name).into_iter();
            inferred.insert(name.to_string(), Type::union(known.chain([source.clone()])));
            return true;
        }
        if source == target {
            return true;
        }
        if self.is_undeclared(source) || self.is_undeclared(target) {
            self.fail(
                node,
                env,
                "a comparison with a name that is declared nowhere",
            );
            return false;
        }
        let (source, target) = (self.force(source), self.force(target));
        match (&source, &target) {
            (_, Type::Any | Type::Unknown) | (Type::Any | Type::Never, _) => true,
            (same, other) if same == other => true,
            (Type::Union(members), _) => members
                .iter()
                .all(|member| self.is(member, &target, inferred, node, env)),
            (Type::Boolean, Type::Union(members)) if !members.contains(&Type::Boolean) => false,
            (_, Type::Union(members)) => members
                .iter()
                .any(|member| self.is(&source, member, inferred, node, env)),
            (
                Type::Literal(Literal::Text(_)) | Type::Template(_) | Type::AnyText | Type::String,
                Type::String | Type::AnyText,
            )
            | (Type::Literal(Literal::Number(_)), Type::Number)
            | (Type::Literal(Literal::Boolean(_)), Type::Boolean) => true,
            (
                Type::Object(_)
                | Type::Array(_)
                | Type::Tuple(_)
                | Type::Function(_)
                | Type::Foreign(_),
                Type::AnyObject,
            ) => true,
            (Type::Array(one), Type::Array(two)) => self.is(one, two, inferred, node, env),
            (Type::Tuple(places), Type::Array(element)) => places
                .iter()
                .all(|place| self.is(&place.ty, element, inferred, node, env)),
            (Type::Tuple(one), Type::Tuple(two)) => {
                one.len() == two.len()
                    && one.iter().zip(two.iter()).all(|(one, two)| {
                        one.rest == two.rest && self.is(&one.ty, &two.ty, inferred, node, env)
                    })
            }
            (
                Type::Null | Type::Undefined | Type::Unknown | Type::AnyObject,
                Type::Object(object),
            ) => {
                source == Type::AnyObject
                    && object.properties.values().all(|property| property.optional)
            }
            (Type::Object(one), Type::Object(two)) => self.is_object(one, two, inferred, node, env),
            (Type::Foreign(_), Type::Object(object)) => match (
                self.zod_output(&source, node, env),
                object.properties.get("_output"),
            ) {
                (Some(output), Some(wanted)) => {
                    self.is(&output, &wanted.ty.clone(), inferred, node, env)
                }
                _ => object.properties.is_empty(),
            },
            (_, Type::Object(object)) => object.properties.is_empty() && object.call.is_none(),
            (Type::Function(one), Type::Function(two)) => {
                self.is_function(one, two, inferred, node, env)
            }
            (Type::Object(object), Type::Function(two)) => match &object.call {
                Some(one) => self.is_function(&one.clone(), two, inferred, node, env),
                None => false,
            },
            (Type::Foreign(one), Type::Foreign(two)) => {
                one.name == two.name
                    && one
                        .arguments
                        .iter()
                        .zip(&two.arguments)
                        .all(|(one, two)| self.is(one, two, inferred, node, env))
            }
            (Type::Literal(Literal::Text(text)), Type::Template(template)) => {
                let (first, last) = (template.0.first(), template.0.last());
                match (template.0.len(), first, last) {
                    (2, Some(first), Some(last)) if template.1 == [Type::String] => {
                        text.len() >= first.len() + last.len()
                            && text.starts_with(first)
                            && text.ends_with(last)
                    }
                    _ => {
                        self.fail(node, env, "a comparison with a text of this form");
                        false
                    }
                }
            }
            // These two share no value with any other type.
            (_, Type::Opaque(opaque)) if matches!(opaque.0.as_str(), "bigint" | "symbol") => false,
            (Type::Opaque(_) | Type::Infer(_), _) | (_, Type::Opaque(_)) => {
                self.fail(node, env, "a comparison of these types");
                false
            }
            _ => false,
        }
    }

    fn is_object(
        &mut self,
        one: &Object,
        two: &Object,
        inferred: &mut Inferred,
        node: &Node,
        env: &Env,
    ) -> bool {
        for (name, wanted) in &two.properties {
            let holds = match one.properties.get(name) {
                Some(property) if property.optional && !wanted.optional => false,
                Some(property) => self.is(&property.ty, &wanted.ty, inferred, node, env),
                None => wanted.optional,
            };
            if !holds {
                return false;
            }
        }
        let Some(value) = &two.index else { return true };
        let own = one
            .properties
            .values()
            .map(|property| &property.ty)
            .chain(&one.index);
        own.cloned()
            .collect::<Vec<Type>>()
            .iter()
            .all(|ty| self.is(ty, value, inferred, node, env))
    }

    /// Arguments are compared place by place, the result last.
    fn is_function(
        &mut self,
        one: &Function,
        two: &Function,
        inferred: &mut Inferred,
        node: &Node,
        env: &Env,
    ) -> bool {
        for (index, wanted) in two.signature.arguments.iter().enumerate() {
            let wanted_ty = self.node(&wanted.node, &two.env);
            if wanted.rest {
                let rest = self.arguments_from(one, index);
                if !self.is(&rest, &wanted_ty, inferred, node, env) {
                    return false;
                }
                break;
            }
            let Some(given) = one.signature.arguments.get(index) else {
                break;
            };
            let given = self.node(&given.node, &one.env);
            if matches!(wanted_ty, Type::Infer(_)) {
                self.is(&given, &wanted_ty, inferred, node, env);
            }
        }
        let (result, wanted) = (self.result(one), self.result(two));
        self.is(&result, &wanted, inferred, node, env)
    }
}
