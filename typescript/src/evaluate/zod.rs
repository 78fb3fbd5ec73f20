//! What `z.infer` gives: zod's types, told by their names, without reading zod.

use super::Evaluator;
use crate::syntax::Node;
use crate::types::{Env, Foreign, Object, Place, Property, Type};

/// Whether a module is zod, in any of its versions.
pub(super) fn is_zod(module: &str) -> bool {
    module == "zod" || module.starts_with("zod/")
}

impl Evaluator<'_> {
    /// The values that a zod type lets out; nothing for what is no zod type.
    pub(super) fn zod_output(&mut self, schema: &Type, node: &Node, env: &Env) -> Option<Type> {
        let Type::Foreign(foreign) = self.force(schema) else {
            return None;
        };
        is_zod(&foreign.module).then(|| self.zod_type(&foreign, node, env))
    }

    fn zod_type(&mut self, zod: &Foreign, node: &Node, env: &Env) -> Type {
        let argument = |index: usize| zod.arguments.get(index).cloned();
        let name = zod.name.strip_prefix("Zod").unwrap_or(&zod.name);
        match (name, argument(0), argument(1)) {
            (
                "String" | "StringFormat" | "Email" | "UUID" | "GUID" | "URL" | "Base64" | "JWT",
                _,
                _,
            ) => Type::String,
            (iso, _, _) if iso.starts_with("ISO") => Type::String,
            ("Number" | "Int" | "NumberFormat", _, _) => Type::Number,
            ("Boolean", _, _) => Type::Boolean,
            ("Null", _, _) => Type::Null,
            ("Undefined" | "Void", _, _) => Type::Undefined,
            ("Any", _, _) => Type::Any,
            ("Unknown", _, _) => Type::Unknown,
            ("Never", _, _) => Type::Never,
            ("Literal", Some(value), _) => value,
            ("Enum" | "NativeEnum", Some(values), _) => self.zod_enum(&values),
            ("Array", Some(element), _) => Type::list(self.zod_inner(&element, node, env)),
            ("Optional", Some(inner), _) => {
                let inner = self.zod_inner(&inner, node, env);
                Type::union([inner, Type::Undefined])
            }
            ("Nullable", Some(inner), _) => {
                let inner = self.zod_inner(&inner, node, env);
                Type::union([inner, Type::Null])
            }
            ("Nullish", Some(inner), _) => {
                let inner = self.zod_inner(&inner, node, env);
                Type::union([inner, Type::Null, Type::Undefined])
            }
            ("Default" | "Prefault" | "NonOptional", Some(inner), _) => {
                let inner = self.zod_inner(&inner, node, env);
                inner.without(|member| *member == Type::Undefined)
            }
            (
                "Catch" | "Readonly" | "Lazy" | "Branded" | "Brand" | "Preprocess" | "Promise",
                Some(inner),
                _,
            ) => self.zod_inner(&inner, node, env),
            // These say themselves what they let out.
            ("Transform" | "Custom" | "Type", Some(output), _) => output,
            ("Effects", _, Some(output)) => output,
            ("Effects", Some(inner), None) => self.zod_inner(&inner, node, env),
            ("Pipe" | "Pipeline" | "Codec", _, Some(end)) => self.zod_inner(&end, node, env),
            ("Object", Some(shape), _) => match argument(3) {
                // In zod 3 the object says itself what it lets out.
                Some(output) => output,
                None => self.zod_object(&shape, argument(1).as_ref(), node, env),
            },
            ("Record", Some(keys), Some(value)) => {
                let (keys, value) = (
                    self.zod_inner(&keys, node, env),
                    self.zod_inner(&value, node, env),
                );
                self.utility("Record", &[keys, value], node, env)
                    .unwrap_or(Type::Never)
            }
            ("Union", Some(members), _) => self.zod_union(&members, node, env),
            ("DiscriminatedUnion", Some(first), second) => {
                // The order of the two changed between versions: one of them is a text.
                let is_text = matches!(self.force(&first), Type::Literal(_) | Type::String);
                let members = if is_text {
                    second.unwrap_or(Type::Never)
                } else {
                    first
                };
                self.zod_union(&members, node, env)
            }
            ("Intersection", Some(one), Some(two)) => {
                let (one, two) = (
                    self.zod_inner(&one, node, env),
                    self.zod_inner(&two, node, env),
                );
                self.intersect(&one, &two, node, env)
            }
            ("Tuple", Some(places), _) => match self.force(&places) {
                Type::Tuple(places) => {
                    let place = |place: &Place, ty| Place {
                        ty,
                        ..place.clone()
                    };
                    let places = places
                        .iter()
                        .map(|one| place(one, self.zod_inner(&one.ty, node, env)))
                        .collect();
                    Type::Tuple(std::rc::Rc::new(places))
                }
                _ => self.fail(node, env, "a zod tuple of this form"),
            },
            _ => self.fail(node, env, format!("the zod type `{}`", zod.name)),
        }
    }

    fn zod_inner(&mut self, schema: &Type, node: &Node, env: &Env) -> Type {
        match self.force(schema) {
            Type::Any => Type::Any,
            Type::Unknown => Type::Unknown,
            _ => match self.zod_output(schema, node, env) {
                Some(output) => output,
                None => self.fail(node, env, "a part of a zod type that is none itself"),
            },
        }
    }

    fn zod_enum(&mut self, values: &Type) -> Type {
        match self.force(values) {
            Type::Object(object) => Type::union(
                object
                    .properties
                    .values()
                    .map(|property| property.ty.clone()),
            ),
            Type::Tuple(places) => Type::union(places.iter().map(|place| place.ty.clone())),
            other => other,
        }
    }

    fn zod_union(&mut self, members: &Type, node: &Node, env: &Env) -> Type {
        let members: Vec<Type> = match self.force(members) {
            Type::Tuple(places) => places.iter().map(|place| place.ty.clone()).collect(),
            Type::Array(each) => each.members(),
            _ => return self.fail(node, env, "a zod union of this form"),
        };
        let outputs: Vec<Type> = members
            .iter()
            .map(|member| self.zod_inner(member, node, env))
            .collect();
        Type::union(outputs)
    }

    /// Whether a type lets a property be left out, though its values do not tell: what is optional and
    /// may be anything is anything.
    fn zod_leaves_out(&mut self, schema: &Type) -> bool {
        let Type::Foreign(zod) = self.force(schema) else {
            return false;
        };
        let name = zod.name.strip_prefix("Zod").unwrap_or(&zod.name);
        match (name, zod.arguments.first(), zod.arguments.get(1)) {
            ("Optional" | "Nullish", _, _) => true,
            ("Catch" | "Readonly" | "Lazy" | "Nullable", Some(inner), _)
            | ("Pipe", _, Some(inner)) => self.zod_leaves_out(inner),
            ("Union", Some(members), _) => match self.force(members) {
                Type::Tuple(places) => places.iter().any(|place| self.zod_leaves_out(&place.ty)),
                _ => false,
            },
            _ => false,
        }
    }

    /// A property that may be absent is one that may be left out.
    fn zod_object(&mut self, shape: &Type, config: Option<&Type>, node: &Node, env: &Env) -> Type {
        let Type::Object(shape) = self.force(shape) else {
            return self.fail(node, env, "a zod object of this form");
        };
        let mut object = Object::default();
        for (name, property) in &shape.properties {
            let ty = self.zod_inner(&property.ty, node, env);
            let optional = ty.allows_undefined() || self.zod_leaves_out(&property.ty);
            let ty = ty.without(|member| *member == Type::Undefined);
            object
                .properties
                .insert(name.clone(), Property { ty, optional });
        }
        if let Some(config) = config
            && let Type::Foreign(config) = self.force(config)
        {
            object.index = match (config.name.as_str(), config.arguments.first()) {
                ("$loose", _) => Some(Type::Unknown),
                ("$catchall", Some(value)) => Some(self.zod_inner(value, node, env)),
                ("$strip" | "$strict", _) => None,
                (other, _) => {
                    self.fail(node, env, format!("a zod object with `{other}`"));
                    None
                }
            };
        }
        Type::object(object)
    }
}
