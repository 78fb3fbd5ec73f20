//! Intersections.

use std::rc::Rc;

use super::Evaluator;
use crate::syntax::{Literal, Node};
use crate::types::{Env, Object, Property, Type};

impl Evaluator<'_> {
    /// What both types allow; over a union, member by member.
    pub(super) fn intersect(&mut self, left: &Type, right: &Type, node: &Node, env: &Env) -> Type {
        match (left, right) {
            (Type::Unknown, other) | (other, Type::Unknown) => return other.clone(),
            (same, other) if same == other => return same.clone(),
            _ => {}
        }
        let (lefts, rights) = (self.constituents(left), self.constituents(right));
        if lefts.len() != 1 || rights.len() != 1 {
            let mut members = Vec::new();
            for left in &lefts {
                for right in &rights {
                    members.push(self.intersect_one(left, right, node, env));
                }
            }
            return Type::union(members);
        }
        self.intersect_one(left, right, node, env)
    }

    fn intersect_one(&mut self, left: &Type, right: &Type, node: &Node, env: &Env) -> Type {
        if left == right {
            return left.clone();
        }
        if self.is_undeclared(left) || self.is_undeclared(right) {
            let what = "an intersection with a name that is declared nowhere";
            return self.fail(node, env, what);
        }
        let (left, right) = (self.force(left), self.force(right));
        match (&left, &right) {
            (Type::Any, _) | (_, Type::Any) => Type::Any,
            (Type::Never, _) | (_, Type::Never) => Type::Never,
            (Type::Unknown, other) | (other, Type::Unknown) => other.clone(),
            (same, other) if same == other => left.clone(),
            (Type::Object(one), Type::Object(two)) => self.merge(one, two, node, env),
            (Type::Object(object), Type::AnyObject) | (Type::AnyObject, Type::Object(object)) => {
                Type::Object(Rc::clone(object))
            }
            // A text with a brand is a text; with `{}` or `Record<never, never>` it is any text.
            (Type::String | Type::AnyText, Type::Object(brand))
            | (Type::Object(brand), Type::String | Type::AnyText) => {
                if brand.properties.is_empty() {
                    Type::AnyText
                } else {
                    Type::String
                }
            }
            (
                plain @ (Type::Number | Type::Boolean | Type::Literal(_) | Type::Template(_)),
                Type::Object(_),
            )
            | (
                Type::Object(_),
                plain @ (Type::Number | Type::Boolean | Type::Literal(_) | Type::Template(_)),
            ) => plain.clone(),
            (
                literal @ (Type::Literal(Literal::Text(_)) | Type::Template(_)),
                Type::String | Type::AnyText,
            )
            | (
                Type::String | Type::AnyText,
                literal @ (Type::Literal(Literal::Text(_)) | Type::Template(_)),
            ) => literal.clone(),
            (Type::String, Type::AnyText) | (Type::AnyText, Type::String) => Type::AnyText,
            (literal @ Type::Literal(Literal::Number(_)), Type::Number)
            | (Type::Number, literal @ Type::Literal(Literal::Number(_)))
            | (literal @ Type::Literal(Literal::Boolean(_)), Type::Boolean)
            | (Type::Boolean, literal @ Type::Literal(Literal::Boolean(_))) => literal.clone(),
            (one, two) if is_plain(one) && is_plain(two) => Type::Never,
            (one, Type::Object(_) | Type::AnyObject) | (Type::Object(_) | Type::AnyObject, one)
                if matches!(one, Type::Null | Type::Undefined) =>
            {
                Type::Never
            }
            (Type::Opaque(_) | Type::Foreign(_), _) => left.clone(),
            (_, Type::Opaque(_) | Type::Foreign(_)) => right.clone(),
            (Type::Function(function), Type::Object(object))
            | (Type::Object(object), Type::Function(function)) => Type::object(Object {
                call: Some(function.clone()),
                ..(**object).clone()
            }),
            _ => self.fail(node, env, "an intersection of these types"),
        }
    }

    fn merge(&mut self, one: &Object, two: &Object, node: &Node, env: &Env) -> Type {
        let mut whole = one.clone();
        for (name, property) in &two.properties {
            let merged = match whole.properties.get(name) {
                None => property.clone(),
                Some(known) => {
                    let known = known.clone();
                    let ty = self.intersect(&known.ty, &property.ty, node, env);
                    let optional = known.optional && property.optional;
                    if ty == Type::Never
                        && !optional
                        && known.ty != Type::Never
                        && property.ty != Type::Never
                    {
                        // No object has both values.
                        return Type::Never;
                    }
                    Property { ty, optional }
                }
            };
            whole.properties.insert(name.clone(), merged);
        }
        whole.index = match (&one.index, &two.index) {
            (Some(one), Some(two)) => Some(self.intersect(one, two, node, env)),
            (index, None) | (None, index) => index.clone(),
        };
        whole.call = whole.call.or_else(|| two.call.clone());
        Type::object(whole)
    }
}

/// Types of which no two share a value, unless one holds the other.
fn is_plain(ty: &Type) -> bool {
    matches!(
        ty,
        Type::Null
            | Type::Undefined
            | Type::Boolean
            | Type::Number
            | Type::String
            | Type::AnyText
            | Type::Literal(_)
            | Type::Array(_)
    )
}
