//! Merge: the definitions of all versions and faces become one set.
//!
//! Variants, fields and enum values by union; `required` by intersection over the copies that
//! have the definition; a type that changed is widened where one of the two holds every value
//! of the other, and is a `merge-conflict` where neither does, until a quirk decides it.

use std::collections::{BTreeMap, BTreeSet};

use crate::diagnostics::Code;
use crate::ir::{
    Arm, Definition, Field, Fields, Guard, JsonKind, Module, Place, Shape, Type, Variant,
};
use crate::problem::Problem;
use crate::quirks::TYPE_CHANGES;

/// Merges the modules of a provider in order, oldest first. `used` gains the quirks that decided
/// something, by their position.
pub fn merge(
    provider: &str,
    modules: Vec<Module>,
    used: &mut BTreeSet<usize>,
) -> Result<Module, Vec<Problem>> {
    let (merged, problems) = merge_partly(provider, modules, used);
    if problems.is_empty() {
        Ok(merged)
    } else {
        Err(problems)
    }
}

/// Merges what can be merged; of what conflicts the older form stays, and the conflict is reported
/// beside.
pub fn merge_partly(
    provider: &str,
    modules: Vec<Module>,
    used: &mut BTreeSet<usize>,
) -> (Module, Vec<Problem>) {
    let mut problems = Vec::new();
    let mut conflicts = BTreeSet::new();
    let mut relaxed = BTreeSet::new();
    let mut merged = Module::default();
    // Aliases decide what a change between a text and its named form means, so all of them must
    // be known before the first comparison.
    let names = Names::collect(&modules);
    for module in modules {
        for (name, definition) in module.definitions {
            match merged.definitions.get_mut(&name) {
                None => {
                    merged.definitions.insert(name, definition);
                }
                Some(known) => Merging {
                    provider,
                    name: &name,
                    names: &names,
                    problems: &mut problems,
                    conflicts: &mut conflicts,
                    relaxed: &mut relaxed,
                    used,
                }
                .definition(known, definition),
            }
        }
    }
    for name in relaxed {
        if let Some(Definition {
            shape: Shape::Struct(fields),
            ..
        }) = merged.definitions.get_mut(&name)
        {
            fields.values_mut().for_each(|field| field.required = false);
        }
    }
    (merged, problems)
}

/// What each definition name is, as far as widening asks.
struct Names {
    /// Text enums and texts with a name.
    texts: BTreeSet<String>,
    /// Texts with a name alone.
    named_texts: BTreeSet<String>,
    /// Unions without a tag that let a text in.
    unions_with_text: BTreeSet<String>,
}

impl Names {
    fn collect(modules: &[Module]) -> Self {
        let named = |holds: &dyn Fn(&Shape) -> bool| -> BTreeSet<String> {
            let all = modules.iter().flat_map(|module| &module.definitions);
            all.filter(|(_, definition)| holds(&definition.shape))
                .map(|(name, _)| name.clone())
                .collect()
        };
        Self {
            texts: named(&|shape| matches!(shape, Shape::Enum(_) | Shape::Alias(Type::String))),
            named_texts: named(&|shape| matches!(shape, Shape::Alias(Type::String))),
            unions_with_text: named(&|shape| {
                let text = Guard::Kind(JsonKind::String);
                matches!(shape, Shape::Untagged(arms) if arms.iter().any(|arm| arm.guards.contains(&text)))
            }),
        }
    }
}

struct Merging<'a> {
    provider: &'a str,
    name: &'a str,
    names: &'a Names,
    problems: &'a mut Vec<Problem>,
    /// Members whose conflict has been reported.
    conflicts: &'a mut BTreeSet<(String, String)>,
    /// Objects that some version leaves out whole, so that none of their members is certain.
    relaxed: &'a mut BTreeSet<String>,
    used: &'a mut BTreeSet<usize>,
}

impl Merging<'_> {
    fn definition(&mut self, known: &mut Definition, other: Definition) {
        let places = (known.at.clone(), other.at.clone());
        let old = std::mem::replace(&mut known.shape, Shape::Alias(Type::Json));
        known.shape = self.shape(old, other.shape, &places);
        known.seen.join(&other.seen);
        // Messages point at the newest copy.
        known.at = other.at;
    }

    fn shape(&mut self, known: Shape, other: Shape, places: &(Place, Place)) -> Shape {
        match (known, other) {
            (Shape::Struct(a), Shape::Struct(b)) => Shape::Struct(self.fields(a, b, places)),
            (Shape::Enum(mut a), Shape::Enum(b)) => {
                for (value, seen) in b {
                    a.entry(value).or_default().join(&seen);
                }
                Shape::Enum(a)
            }
            (Shape::Codes(mut a), Shape::Codes(b)) => {
                for (value, seen) in b {
                    a.entry(value).or_default().join(&seen);
                }
                Shape::Codes(a)
            }
            (Shape::External(a), Shape::External(b)) => Shape::External(self.variants(a, b, true)),
            // Texts that later gained a payload: the union holds both.
            (Shape::Enum(a), Shape::External(b)) | (Shape::External(b), Shape::Enum(a)) => {
                let bare = |seen| Variant {
                    payload: None,
                    tag_inside: false,
                    bare: true,
                    seen,
                    at: places.1.clone(),
                };
                let a = a
                    .into_iter()
                    .map(|(value, seen)| (value, bare(seen)))
                    .collect();
                Shape::External(self.variants(a, b, true))
            }
            (
                Shape::Tagged {
                    tag,
                    content,
                    common,
                    variants,
                },
                Shape::Tagged {
                    tag: tag2,
                    content: content2,
                    common: common2,
                    variants: variants2,
                },
            ) if tag == tag2 && content == content2 => Shape::Tagged {
                common: self.fields(common, common2, places),
                variants: self.variants(variants, variants2, content.is_some()),
                tag,
                content,
            },
            (Shape::Untagged(a), Shape::Untagged(b)) => Shape::Untagged(self.arms(a, b, places)),
            (Shape::Alias(a), Shape::Alias(b)) => Shape::Alias(self.ty(a, b, "", places)),
            // A text that became an enum stays open, so the enum holds every text.
            (Shape::Alias(Type::String), texts @ Shape::Enum(_))
            | (texts @ Shape::Enum(_), Shape::Alias(Type::String)) => texts,
            // An empty object says nothing that an opaque value would not.
            (Shape::Alias(Type::Json | Type::Map(_)), Shape::Struct(fields))
            | (Shape::Struct(fields), Shape::Alias(Type::Json | Type::Map(_))) => {
                if fields.is_empty() {
                    Shape::Alias(Type::Json)
                } else {
                    let optional = |mut field: crate::ir::Field| {
                        field.required = false;
                        field
                    };
                    Shape::Struct(
                        fields
                            .into_iter()
                            .map(|(name, field)| (name, optional(field)))
                            .collect(),
                    )
                }
            }
            (known, other) => {
                let message = format!(
                    "`{}` was {} and became {}",
                    self.name,
                    describe(&known),
                    describe(&other)
                );
                self.conflict("", message, places);
                known
            }
        }
    }

    fn fields(&mut self, mut known: Fields, other: Fields, places: &(Place, Place)) -> Fields {
        for (wire, field) in &mut known {
            if !other.contains_key(wire) {
                relax(field);
            }
        }
        for (wire, mut field) in other {
            match known.remove(&wire) {
                None => relax(&mut field),
                Some(mut old) => {
                    if field.required != old.required {
                        relax(&mut field);
                        relax(&mut old);
                    }
                    let places = &below(places, &["properties", &wire]);
                    field.ty = self.ty(old.ty, field.ty, &wire, places);
                    field.required &= old.required;
                    if field.constant != old.constant {
                        field.constant = None;
                    }
                    field.patch |= old.patch;
                    field.default = field.default.or(old.default);
                    let mut seen = old.seen;
                    seen.join(&field.seen);
                    field.seen = seen;
                }
            }
            known.insert(wire, field);
        }
        known
    }

    fn variants(
        &mut self,
        mut known: BTreeMap<String, Variant>,
        other: BTreeMap<String, Variant>,
        apart: bool,
    ) -> BTreeMap<String, Variant> {
        for (tag, mut variant) in other {
            if let Some(old) = known.remove(&tag) {
                let places = &(old.at, variant.at.clone());
                variant.payload = match (old.payload, variant.payload) {
                    (Some(a), Some(b)) => Some(self.ty(a, b, &tag, places)),
                    // A bare tag that gained a payload, or lost it: the payload may be absent.
                    // Beside its tag, the members of the payload may be.
                    (Some(only), None) | (None, Some(only)) if apart => Some(only.or_null()),
                    (Some(only), None) | (None, Some(only)) => {
                        only.references(self.relaxed);
                        Some(only)
                    }
                    (None, None) => None,
                };
                variant.tag_inside |= old.tag_inside;
                variant.bare |= old.bare;
                let mut seen = old.seen;
                seen.join(&variant.seen);
                variant.seen = seen;
            }
            known.insert(tag, variant);
        }
        known
    }

    fn arms(&mut self, mut known: Vec<Arm>, other: Vec<Arm>, places: &(Place, Place)) -> Vec<Arm> {
        for arm in other {
            match known.iter_mut().find(|old| old.name == arm.name) {
                None => known.push(arm),
                Some(old) => {
                    old.ty = self.ty(old.ty.clone(), arm.ty, &arm.name, places);
                    for guard in arm.guards {
                        if !old.guards.contains(&guard) {
                            old.guards.push(guard);
                        }
                    }
                    old.tags.extend(arm.tags);
                    old.seen.join(&arm.seen);
                }
            }
        }
        Arm::order(&mut known);
        if let Some((first, later)) = Arm::hidden(&known) {
            let (first, later) = (&first.name, &later.name);
            let message = format!(
                "nothing tells the arms `{first}` and `{later}` of `{}` apart, which two versions have",
                self.name
            );
            self.conflict("", message, places);
        }
        known
    }

    /// The type that holds the values of both.
    fn ty(&mut self, known: Type, other: Type, member: &str, places: &(Place, Place)) -> Type {
        match (known, other) {
            (a, b) if a == b => a,
            (Type::Nullable(a), Type::Nullable(b)) => self.ty(*a, *b, member, places).or_null(),
            (Type::Nullable(a), b) | (b, Type::Nullable(a)) => {
                // The order of the two only matters for the message.
                self.ty(*a, b, member, places).or_null()
            }
            (Type::Json, _) | (_, Type::Json) => Type::Json,
            (Type::Integer(a), Type::Integer(b)) => Type::Integer(a.widen(b)),
            (Type::Integer(_), Type::Float) | (Type::Float, Type::Integer(_)) => Type::Float,
            (Type::List(a), Type::List(b)) => Type::List(Box::new(self.ty(*a, *b, member, places))),
            (Type::Map(a), Type::Map(b)) => Type::Map(Box::new(self.ty(*a, *b, member, places))),
            (Type::String, Type::Ref(name)) | (Type::Ref(name), Type::String)
                if self.names.texts.contains(&name) =>
            {
                Type::Ref(name)
            }
            (Type::Ref(a), Type::Ref(b))
                if self.names.named_texts.contains(&a) && self.names.named_texts.contains(&b) =>
            {
                Type::Ref(b)
            }
            (Type::String, Type::Ref(name)) | (Type::Ref(name), Type::String)
                if self.names.unions_with_text.contains(&name) =>
            {
                Type::Ref(name)
            }
            (a, b) => {
                if let Some(decided) = self.quirk(member) {
                    return decided;
                }
                let message = format!(
                    "`{}{}{member}` was {} and became {}",
                    self.name,
                    if member.is_empty() { "" } else { "." },
                    describe_type(&a),
                    describe_type(&b)
                );
                self.conflict(member, message, places);
                a
            }
        }
    }

    fn quirk(&mut self, member: &str) -> Option<Type> {
        let index = TYPE_CHANGES.iter().position(|quirk| {
            quirk.provider == self.provider
                && quirk.definition == self.name
                && quirk.member == member
        })?;
        self.used.insert(index);
        TYPE_CHANGES
            .get(index)
            .map(crate::quirks::TypeChange::decided)
    }

    /// A member is reported once, however many copies disagree about it.
    fn conflict(&mut self, member: &str, message: String, places: &(Place, Place)) {
        if !self
            .conflicts
            .insert((self.name.to_owned(), member.to_owned()))
        {
            return;
        }
        let problem = Problem::new(Code::MergeConflict, places.1.clone(), message)
            .also(places.0.clone(), "the older copy stands here")
            .help("decide it in a quirk or in an overlay under schemas/overlays/");
        self.problems.push(problem);
    }
}

/// No version can be sure of the member any more. Where one requires it and allows `null`, `null`
/// and absence stay apart: what is read must be written in a form that is valid for its version.
fn relax(field: &mut Field) {
    // A mark that may be missing is a text like any other.
    field.constant = None;
    field.patch |= field.required && field.ty.nullable();
    field.required = false;
}

fn below(places: &(Place, Place), steps: &[&str]) -> (Place, Place) {
    (places.0.below(steps), places.1.below(steps))
}

fn describe(shape: &Shape) -> &'static str {
    match shape {
        Shape::Struct(_) => "an object",
        Shape::Tagged { .. } => "a union picked by a member",
        Shape::External(_) => "a union of texts and one-member objects",
        Shape::Enum(_) => "a set of texts",
        Shape::Codes(_) => "a set of integers",
        Shape::Untagged(_) => "a union without a tag",
        Shape::Alias(_) => "a plain type",
    }
}

fn describe_type(ty: &Type) -> String {
    match ty {
        Type::Boolean => "a boolean".to_owned(),
        Type::Integer(_) => "an integer".to_owned(),
        Type::Float => "a number".to_owned(),
        Type::String => "a text".to_owned(),
        Type::Json => "any value".to_owned(),
        Type::List(_) => "a list".to_owned(),
        Type::Map(_) => "a map".to_owned(),
        Type::Nullable(inner) => format!("{} or null", describe_type(inner)),
        Type::Ref(name) => format!("`{name}`"),
    }
}
