//! `keyof T` and `T[K]`.

use super::Evaluator;
use crate::syntax::{Literal, Node};
use crate::types::{Env, Object, Type};

impl Evaluator<'_> {
    /// The keys of a type as a union of texts.
    pub(super) fn keys(&mut self, of: &Type, node: &Node, env: &Env) -> Type {
        let members = self.constituents(of);
        let mut common: Option<Vec<Type>> = None;
        for member in members {
            if self.is_undeclared(&member) {
                return self.fail(node, env, "`keyof` of a name that is declared nowhere");
            }
            let keys = match self.force(&member) {
                Type::Object(object) => object_keys(&object),
                Type::Any | Type::Never => vec![Type::String],
                Type::Unknown | Type::AnyObject | Type::Null | Type::Undefined => Vec::new(),
                _ => {
                    self.fail(node, env, "`keyof` of a type that is no object");
                    Vec::new()
                }
            };
            common = Some(match common {
                None => keys,
                Some(known) if known.contains(&Type::String) => keys,
                Some(known) if keys.contains(&Type::String) => known,
                Some(known) => known.into_iter().filter(|key| keys.contains(key)).collect(),
            });
        }
        Type::union(common.unwrap_or_default())
    }

    /// The type of a property, or of several.
    pub(super) fn index(&mut self, object: &Type, key: &Type, node: &Node, env: &Env) -> Type {
        let (objects, keys) = (self.constituents(object), self.constituents(key));
        let mut found = Vec::new();
        for object in &objects {
            let object = self.force(object);
            for key in &keys {
                let key = self.force(key);
                found.push(self.index_one(&object, &key, node, env));
            }
        }
        Type::union(found)
    }

    fn index_one(&mut self, object: &Type, key: &Type, node: &Node, env: &Env) -> Type {
        let number = match key {
            Type::Number => Some(None),
            Type::Literal(Literal::Number(text)) => Some(text.parse::<usize>().ok()),
            _ => None,
        };
        match (object, key) {
            (Type::Any, _) => Type::Any,
            (Type::Infer(_) | Type::Opaque(_), _) => object.clone(),
            (Type::Object(object), Type::Literal(Literal::Text(name) | Literal::Number(name))) => {
                if let Some(property) = object.properties.get(name) {
                    let absent = property.optional.then_some(Type::Undefined);
                    return Type::union([property.ty.clone()].into_iter().chain(absent));
                }
                match &object.index {
                    Some(value) => value.clone(),
                    None => self.fail(
                        node,
                        env,
                        format!("the property `{name}`, which the type does not have"),
                    ),
                }
            }
            (Type::Object(object), Type::String | Type::Number | Type::AnyText) => {
                match &object.index {
                    Some(value) => value.clone(),
                    None => self.fail(
                        node,
                        env,
                        "a property of any name of a type that lists its properties",
                    ),
                }
            }
            (Type::Array(element), _) if number.is_some() => (**element).clone(),
            (Type::Tuple(places), _) => match number {
                Some(None) => Type::union(places.iter().map(|place| place.ty.clone())),
                Some(Some(index)) if index < places.len() => places
                    .get(index)
                    .map_or(Type::Never, |place| place.ty.clone()),
                Some(Some(_)) => Type::Undefined,
                None => self.fail(node, env, "a property of a tuple"),
            },
            _ => self.fail(node, env, "a property of a type that is no object"),
        }
    }
}

fn object_keys(object: &Object) -> Vec<Type> {
    if object.index.is_some() {
        return vec![Type::String];
    }
    object
        .properties
        .keys()
        .map(|name| Type::text(name.as_str()))
        .collect()
}
