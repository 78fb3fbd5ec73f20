//! Paths of rows through the types of a payload.

#![allow(
    clippy::result_large_err,
    reason = "a run ends with its first wrong paths, and says all of what is wrong with them"
)]

use std::collections::BTreeMap;

use crate::canonical::Kind;
use crate::ir::{Fields, Integer, Shape, Type};
use crate::names;
use crate::plan::set::{Access, As, Leaf, Step};
use crate::plan::{Case, PlannedRow, PlannedType};

type Types = BTreeMap<String, PlannedType>;

/// What a table that speaks of texts speaks of.
pub const TEXTS: &str = "a text";

/// The payloads that the match of a row binds, from outside in, each with the member of the one
/// before that holds it.
pub struct Roots<'r>(Vec<(Option<&'r str>, &'r Type)>);

/// A path that does not lead anywhere.
pub struct Wrong {
    /// The step that fails.
    pub step: String,
    /// The type that has no such member.
    pub inside: Option<String>,
    /// One sentence.
    pub why: String,
    /// The members that are there.
    pub names: Vec<String>,
    /// The path before the step, with its dot.
    pub before: String,
    /// The path after it.
    pub after: String,
}

/// What stands at a path.
pub struct Found {
    root: usize,
    steps: Vec<Step>,
    each: Option<Vec<Step>>,
    ty: Type,
}

impl<'r> Roots<'r> {
    /// The payloads of a row.
    pub fn of(row: &'r PlannedRow) -> Self {
        let mut roots: Vec<(Option<&str>, &Type)> = Vec::new();
        roots.extend(row.payload.as_ref().map(|ty| (None, ty)));
        for pick in &row.picks {
            let Case::Variant { payload, .. } = &pick.case else {
                continue;
            };
            let held = match &pick.member {
                Some(member) => Some(member.as_str()),
                // The variant takes the place of the union that it is one of.
                None => roots.pop().and_then(|(held, _)| held),
            };
            roots.extend(payload.as_ref().map(|ty| (held, ty)));
        }
        Self(roots)
    }

    /// The payload in which a path goes on, and the steps that are left.
    fn start<'s>(&self, steps: &'s [&'s str]) -> Option<(usize, &'r Type, &'s [&'s str])> {
        let (mut root, mut left) = (0, steps);
        while let (Some((Some(member), _)), Some((first, rest))) =
            (self.0.get(root + 1), left.split_first())
            && member == first
            && !rest.is_empty()
        {
            (root, left) = (root + 1, rest);
        }
        self.0.get(root).map(|(_, ty)| (root, *ty, left))
    }

    /// What stands at a path, by its type. `files[].path` goes on inside each element of a list.
    pub fn find(&self, types: &Types, path: &str) -> Result<Found, Wrong> {
        let (outer, inner) = match path.split_once("[]") {
            Some((outer, inner)) => (outer, Some(inner)),
            None => (path, None),
        };
        let steps: Vec<&str> = outer.split('.').collect();
        let Some((root, ty, left)) = self.start(&steps) else {
            return Err(nothing(path, "the message carries nothing"));
        };
        let skipped = steps.len() - left.len();
        let (steps, ty) = walk(types, ty, path, &steps, skipped)?;
        let Some(inner) = inner else {
            let each = None;
            return Ok(Found {
                root,
                steps,
                each,
                ty,
            });
        };
        let Type::List(element) = resolved(types, ty.non_null()) else {
            return Err(nothing(outer, "this is no list"));
        };
        let inner: Vec<&str> = inner.split('.').skip(1).collect();
        let (each, ty) = walk(types, element, path, &inner, 0)?;
        Ok(Found {
            root,
            steps,
            each: Some(each),
            ty,
        })
    }

    /// A path to what is taken as sent, and whether that may be absent.
    pub fn raw(&self, types: &Types, path: &str) -> Result<(Vec<String>, bool), Wrong> {
        let steps: Vec<&str> = path.split('.').collect();
        let whole = || steps.iter().map(|step| (*step).to_owned()).collect();
        let Some((_, ty, left)) = self.start(&steps) else {
            return Err(nothing(path, "the message carries nothing"));
        };
        let skipped = steps.len() - left.len();
        match walk(types, ty, path, &steps, skipped) {
            Ok((steps, _)) => Ok((whole(), steps.iter().any(|step| step.options > 0))),
            Err(wrong) => match reaches(types, ty, left, 0) {
                true => Ok((whole(), true)),
                false => Err(wrong),
            },
        }
    }
}

impl Found {
    /// The definition that a table of values must speak of.
    pub fn subject(&self, types: &Types) -> Option<String> {
        match resolved(types, &self.ty) {
            Type::Ref(name) => Some(name.clone()),
            Type::String => Some(TEXTS.to_owned()),
            Type::Boolean
            | Type::Integer(_)
            | Type::Float
            | Type::Json
            | Type::List(_)
            | Type::Map(_)
            | Type::Nullable(_) => None,
        }
    }

    /// What it is, in a message.
    pub fn describe(&self, types: &Types) -> String {
        match resolved(types, &self.ty) {
            Type::Boolean => "a flag".to_owned(),
            Type::Integer(_) => "an integer".to_owned(),
            Type::Float => "a number".to_owned(),
            Type::String => "a text".to_owned(),
            Type::Json => "opaque JSON".to_owned(),
            Type::List(_) => "a list".to_owned(),
            Type::Map(_) => "a map".to_owned(),
            Type::Nullable(_) => "a value or `null`".to_owned(),
            Type::Ref(name) => format!("a `{name}`"),
        }
    }

    /// The way there, for a table of values.
    pub fn access(self) -> Access {
        let leaf = match self.ty {
            Type::String => Leaf::Text,
            Type::Boolean
            | Type::Integer(_)
            | Type::Float
            | Type::Json
            | Type::List(_)
            | Type::Map(_)
            | Type::Nullable(_)
            | Type::Ref(_) => Leaf::Other,
        };
        self.with(leaf)
    }

    /// The way there and what becomes of it, where it is of the kind that is wanted.
    pub fn typed(self, types: &Types, kind: &Kind, text: &As) -> Option<(Access, As)> {
        let ty = resolved(types, &self.ty);
        let of_text = text_leaf(types, ty);
        let (leaf, to) = match (kind, ty) {
            (Kind::Text | Kind::Id(_), _) => (of_text?, text.clone()),
            (Kind::Boolean, Type::Boolean) => (Leaf::Plain, As::Boolean),
            (Kind::Integer, Type::Integer(Integer::I64)) => (Leaf::Plain, As::Integer),
            (Kind::Integer, Type::Integer(width)) if *width != Integer::U64 => {
                (Leaf::Narrow, As::Integer)
            }
            (Kind::Float, Type::Float) => (Leaf::Plain, As::Float),
            (Kind::Float, Type::Integer(width))
                if !matches!(width, Integer::U64 | Integer::I64) =>
            {
                (Leaf::Narrow, As::Float)
            }
            // The texts inside the elements of a list are a list of texts.
            (Kind::Texts, _) if self.each.is_some() => match of_text? {
                Leaf::Text => (Leaf::Texts, As::Texts),
                Leaf::Named
                | Leaf::Plain
                | Leaf::Narrow
                | Leaf::Texts
                | Leaf::NamedTexts
                | Leaf::Other => (Leaf::NamedTexts, As::Texts),
            },
            (Kind::Texts, Type::List(element)) => match text_leaf(types, resolved(types, element))?
            {
                Leaf::Text => (Leaf::Texts, As::Texts),
                Leaf::Named
                | Leaf::Plain
                | Leaf::Narrow
                | Leaf::Texts
                | Leaf::NamedTexts
                | Leaf::Other => (Leaf::NamedTexts, As::Texts),
            },
            _ => return None,
        };
        if self.each.is_some() && to != As::Texts {
            return None;
        }
        if self.each.iter().flatten().any(|step| step.options > 0) {
            return None;
        }
        Some((self.with(leaf), to))
    }

    fn with(self, leaf: Leaf) -> Access {
        Access {
            root: self.root,
            steps: self.steps,
            each: self.each,
            leaf,
        }
    }
}

/// How a text is read, where the type is one.
fn text_leaf(types: &Types, ty: &Type) -> Option<Leaf> {
    match ty {
        Type::String => Some(Leaf::Text),
        Type::Ref(name) => match &types.get(name)?.definition.shape {
            Shape::Enum(_) | Shape::Alias(Type::String) => Some(Leaf::Named),
            Shape::Struct(_)
            | Shape::Tagged { .. }
            | Shape::External(_)
            | Shape::Codes(_)
            | Shape::Untagged(_)
            | Shape::Alias(_) => None,
        },
        Type::Boolean
        | Type::Integer(_)
        | Type::Float
        | Type::Json
        | Type::List(_)
        | Type::Map(_)
        | Type::Nullable(_) => None,
    }
}

/// The type behind names that stand for another one; a named text is a type of its own.
fn resolved<'t>(types: &'t Types, ty: &'t Type) -> &'t Type {
    match ty {
        Type::Ref(name) => match types.get(name).map(|planned| &planned.definition.shape) {
            Some(Shape::Alias(inner)) if *inner != Type::String => resolved(types, inner),
            _ => ty,
        },
        Type::Boolean
        | Type::Integer(_)
        | Type::Float
        | Type::String
        | Type::Json
        | Type::List(_)
        | Type::Map(_)
        | Type::Nullable(_) => ty,
    }
}

/// The members on the way, and the type at its end without the `null` that a step accounts for.
fn walk(
    types: &Types,
    from: &Type,
    path: &str,
    all: &[&str],
    skipped: usize,
) -> Result<(Vec<Step>, Type), Wrong> {
    let mut ty = resolved(types, from);
    let mut steps = Vec::new();
    if let Type::Nullable(inner) = ty {
        steps.push(Step {
            field: None,
            options: 1,
        });
        ty = resolved(types, inner);
    }
    for (index, wire) in all.iter().enumerate().skip(skipped) {
        let wrong = |why: &str, inside: Option<&str>, names: Vec<String>| Wrong {
            step: (*wire).to_owned(),
            inside: inside.map(str::to_owned),
            why: why.to_owned(),
            names,
            before: path_of(&all[..index], true),
            after: path_of(&all[index + 1..], false),
        };
        let Type::Ref(name) = ty else {
            return Err(wrong(
                "what stands before it has no members",
                None,
                Vec::new(),
            ));
        };
        let fields = match types.get(name).map(|planned| &planned.definition.shape) {
            Some(Shape::Struct(fields)) => (fields, false),
            Some(Shape::Tagged { common, .. }) if common.contains_key(*wire) => (common, true),
            Some(Shape::Tagged { .. } | Shape::External(_) | Shape::Untagged(_)) => {
                let why = format!("`{name}` is a union, whose variants code tells apart");
                return Err(wrong(&why, None, Vec::new()));
            }
            _ => return Err(wrong(&format!("`{name}` has no members"), None, Vec::new())),
        };
        let Some((step, inner)) = member(fields.0, fields.1, wire) else {
            let names = kept(fields.0).map(|(name, _)| name.clone()).collect();
            return Err(wrong("no version has it", Some(name), names));
        };
        steps.push(step);
        ty = resolved(types, inner);
    }
    let _ = path;
    Ok((steps, ty.clone()))
}

fn path_of(steps: &[&str], before: bool) -> String {
    let joined = steps.join(".");
    match (joined.is_empty(), before) {
        (true, _) => joined,
        (false, true) => joined + ".",
        (false, false) => format!(".{joined}"),
    }
}

/// Members that are kept: a constant is only a mark.
fn kept(fields: &Fields) -> impl Iterator<Item = (&String, &crate::ir::Field)> {
    fields.iter().filter(|(_, field)| field.constant.is_none())
}

fn member<'f>(fields: &'f Fields, common: bool, wire: &str) -> Option<(Step, &'f Type)> {
    let (_, field) = kept(fields).find(|(name, _)| *name == wire)?;
    let wires: Vec<&str> = fields.keys().map(String::as_str).collect();
    let name = names::fields(&wires).ok()?.remove(wire)?;
    let options = if field.patch {
        2
    } else {
        usize::from(!field.required || field.ty.nullable())
    };
    let name = if common && name == "kind" {
        // The variant is called so.
        "kind_".to_owned()
    } else {
        name
    };
    let step = Step {
        field: Some(name),
        options,
    };
    Some((step, field.ty.non_null()))
}

/// Whether some value of the type has something at these steps.
fn reaches(types: &Types, ty: &Type, steps: &[&str], depth: usize) -> bool {
    let Some((first, rest)) = steps.split_first() else {
        return true;
    };
    if depth > 16 {
        return false;
    }
    let below = |ty: &Type, steps: &[&str]| reaches(types, ty, steps, depth + 1);
    match ty {
        Type::Json => true,
        Type::Map(inner) => below(inner, rest),
        Type::Nullable(inner) => below(inner, steps),
        Type::Boolean | Type::Integer(_) | Type::Float | Type::String | Type::List(_) => false,
        Type::Ref(name) => match types.get(name).map(|planned| &planned.definition.shape) {
            None | Some(Shape::Enum(_) | Shape::Codes(_)) => false,
            Some(Shape::Alias(inner)) => below(inner, steps),
            Some(Shape::Struct(fields)) => fields
                .get(*first)
                .is_some_and(|field| below(&field.ty, rest)),
            Some(Shape::Tagged {
                tag,
                content,
                common,
                variants,
            }) => {
                let inside = |steps: &[&str]| {
                    let mut payloads = variants.values().filter_map(|it| it.payload.as_ref());
                    payloads.any(|ty| below(ty, steps))
                };
                first == tag
                    || common
                        .get(*first)
                        .is_some_and(|field| below(&field.ty, rest))
                    || match content {
                        Some(content) => first == content && inside(rest),
                        None => inside(steps),
                    }
            }
            Some(Shape::External(variants)) => variants
                .get(*first)
                .and_then(|variant| variant.payload.as_ref())
                .is_some_and(|ty| below(ty, rest)),
            Some(Shape::Untagged(arms)) => arms.iter().any(|arm| below(&arm.ty, steps)),
        },
    }
}

fn nothing(path: &str, why: &str) -> Wrong {
    Wrong {
        step: path.to_owned(),
        inside: None,
        why: why.to_owned(),
        names: Vec::new(),
        before: String::new(),
        after: String::new(),
    }
}
