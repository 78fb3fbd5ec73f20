//! The plan: definitions with their names in code, and surfaces joined with their rows.
//!
//! Everything that a back end needs is decided here; a back end sees the plan and nothing
//! earlier.

pub mod set;

use std::collections::{BTreeMap, BTreeSet};

use crate::diagnostics::Code;
use crate::ir::{Definition, Fields, Module, Seen, Shape, Type};
use crate::names;
use crate::problem::Problem;
use crate::rows::{Implied, Row};
use crate::sources::Lift;

/// What one provider's generated code is made from.
pub struct Plan {
    /// The provider.
    pub provider: String,
    /// The window, oldest first.
    pub window: Vec<String>,
    /// Every type, by definition name.
    pub types: BTreeMap<String, PlannedType>,
    /// Surfaces by id.
    pub surfaces: Vec<PlannedSurface>,
    /// Value surfaces by id.
    pub values: Vec<PlannedValue>,
    /// Integers that have names.
    pub code_names: CodeNames,
}

/// The variants of integers, by the module and the name of their type.
pub type CodeNames = BTreeMap<(String, String), BTreeMap<String, String>>;

/// A projection joined with its rows: each canonical event has one.
pub struct PlannedProjection {
    /// The id, which is also the stem of its table.
    pub id: String,
    /// The rows, by the names of the canonical events.
    pub rows: Vec<ProjectedRow>,
}

/// A canonical event with what becomes of it.
pub struct ProjectedRow {
    /// The name of the event's variant and of its payload.
    pub name: String,
    /// The row.
    pub row: Row,
}

/// A definition with its place in code.
pub struct PlannedType {
    /// What it is.
    pub definition: Definition,
    /// Name in code.
    pub name: String,
    /// Module in code.
    pub module: String,
    /// In a namespace: found in its module only, not at the provider's root.
    pub namespaced: bool,
    /// Borrows from the line.
    pub borrows: bool,
    /// Bytes that a value takes, roughly; decides what is boxed.
    pub size: usize,
    /// Definitions that must be boxed where this one holds them, so that it has a size at all.
    pub boxed: BTreeSet<String>,
    /// Made from a table of results: it has no form of its own on the wire.
    pub results: bool,
}

/// A surface joined with its rows.
pub struct PlannedSurface {
    /// The id.
    pub id: String,
    /// Module in code.
    pub module: String,
    /// The definition that is the union.
    pub union: String,
    /// One for each variant, sorted by tag.
    pub rows: Vec<PlannedRow>,
    /// What it tells beside its rows.
    pub implied: Vec<Implied>,
    /// Where messages name their thread, turn and item.
    pub lift: Lift,
}

/// A variant with its row.
pub struct PlannedRow {
    /// The tag.
    pub tag: String,
    /// The row in code: its marker, and its method.
    pub name: String,
    /// The variant in code.
    pub variant: String,
    /// What it must be further inside for this row, from outside in.
    pub picks: Vec<Pick>,
    /// What it carries.
    pub payload: Option<Type>,
    /// Where it was seen.
    pub seen: Seen,
    /// The decision.
    pub row: Row,
    /// The event, where the row says all of it.
    pub set: Option<set::PlannedSet>,
    /// The ids that the row names.
    pub refs: Vec<set::PlannedRef>,
}

/// One step of a tag path below the variant.
#[derive(Clone, PartialEq, Eq)]
pub struct Pick {
    /// The member on the wire that picks; none where the payload is itself the union.
    pub member: Option<String>,
    /// What it picks.
    pub case: Case,
}

/// What a step of a tag path asks for.
#[derive(Clone, PartialEq, Eq)]
pub enum Case {
    /// A value of a text enum, in code.
    Text {
        /// The enum.
        definition: String,
        /// The value.
        value: String,
    },
    /// A variant of a union, in code.
    Variant {
        /// The union.
        definition: String,
        /// The variant.
        variant: String,
        /// What it carries.
        payload: Option<Type>,
    },
    /// A flag that is set.
    Set,
}

/// A value surface joined with its rows.
pub struct PlannedValue {
    /// The id.
    pub id: String,
    /// The name of its function in code.
    pub function: String,
    /// What its rows speak of.
    pub subject: Subject,
    /// The canonical enum in code.
    pub target: String,
    /// One for each member, sorted by wire value.
    pub members: Vec<PlannedMember>,
}

/// What the rows of a value surface speak of.
pub enum Subject {
    /// The members of a definition.
    Definition(String),
    /// Texts that no schema lists, and of what they are the texts.
    Texts(String),
}

/// A member of a value surface with its decision.
pub struct PlannedMember {
    /// The variant in code; the text, or what begins it, where no schema lists them.
    pub variant: String,
    /// Whether the variant carries something.
    pub carries: bool,
    /// The canonical member; none where the row drops it.
    pub target: Option<String>,
}

/// The largest payload that a variant holds unboxed, in bytes: the hot deltas stay below it.
pub const UNBOXED: usize = 128;

/// Gives every definition its name, module, lifetime and size.
///
/// A definition that one surface alone reaches belongs to that surface's module, and one in a
/// namespace to the module of that name; all others are shared.
pub fn place_types(
    module: Module,
    roots: &BTreeMap<String, Vec<String>>,
    results: &BTreeSet<String>,
) -> Result<BTreeMap<String, PlannedType>, Vec<Problem>> {
    let reached: BTreeMap<&String, BTreeSet<String>> = roots
        .iter()
        .map(|(name, roots)| (name, reach(&module, roots)))
        .collect();
    let mut types = BTreeMap::new();
    let mut problems = Vec::new();
    let mut taken: BTreeMap<(String, String), String> = BTreeMap::new();
    let boxed = boxed_edges(&module);
    for (key, definition) in &module.definitions {
        let owners: Vec<&String> = reached
            .iter()
            .filter(|(_, set)| set.contains(key))
            .map(|(name, _)| *name)
            .collect();
        if owners.is_empty() {
            continue;
        }
        let namespace = key
            .rsplit_once('/')
            .map(|(namespace, _)| namespace.to_owned());
        let owner = match (&namespace, owners.as_slice()) {
            (Some(namespace), _) => names::field(namespace),
            (None, [only]) => (*only).clone(),
            (None, _) => String::from("types"),
        };
        let name = names::type_name(key.rsplit('/').next().unwrap_or(key));
        // Names at the provider's root must differ whatever their module, and those of one module
        // whatever their namespace.
        let scopes: BTreeSet<&str> = if namespace.is_some() {
            [&*owner].into()
        } else {
            ["", &*owner].into()
        };
        for taken_name in code_names(&name, &definition.shape) {
            let others: BTreeSet<String> = scopes
                .iter()
                .filter_map(|scope| {
                    taken.insert(((*scope).to_owned(), taken_name.clone()), key.clone())
                })
                .collect();
            problems.extend(others.into_iter().map(|other| {
                let message = format!("`{key}` and `{other}` would both be called `{taken_name}`");
                let place = module
                    .definitions
                    .get(&other)
                    .map(|other| other.at.clone())
                    .unwrap_or_default();
                Problem::new(Code::NameCollision, definition.at.clone(), message)
                    .also(place, "the other one stands here")
            }));
        }
        if let Err(collision) = member_names(&definition.shape) {
            let message = format!("in `{key}`, {collision}");
            problems.push(
                Problem::new(Code::NameCollision, definition.at.clone(), message)
                    .help("names are told apart by their spelling: codegen/src/names needs a rule for these"),
            );
        }
        let planned = PlannedType {
            definition: definition.clone(),
            name,
            module: owner,
            namespaced: namespace.is_some(),
            borrows: false,
            size: 0,
            boxed: boxed.get(key).cloned().unwrap_or_default(),
            results: results.contains(key),
        };
        types.insert(key.clone(), planned);
    }
    mark_borrows(&mut types);
    measure(&mut types);
    if problems.is_empty() {
        Ok(types)
    } else {
        Err(problems)
    }
}

/// Whether the members of a shape have names in code that tell them apart.
fn member_names(shape: &Shape) -> Result<(), names::Collision> {
    let wires = |keys: &mut dyn Iterator<Item = &String>| keys.cloned().collect::<Vec<_>>();
    let fields = |fields: &Fields| names::fields(&texts(&wires(&mut fields.keys()))).map(drop);
    let variants =
        |keys: &mut dyn Iterator<Item = &String>| names::variants(&texts(&wires(keys))).map(drop);
    match shape {
        Shape::Struct(members) => fields(members),
        Shape::Tagged {
            common,
            variants: members,
            ..
        } => fields(common).and_then(|()| variants(&mut members.keys())),
        Shape::External(members) => variants(&mut members.keys()),
        Shape::Enum(values) => variants(&mut values.keys()),
        Shape::Codes(values) => {
            variants(&mut values.keys().map(i64::to_string).collect::<Vec<_>>().iter())
        }
        Shape::Untagged(_) | Shape::Alias(_) => Ok(()),
    }
}

fn texts(wires: &[String]) -> Vec<&str> {
    wires.iter().map(String::as_str).collect()
}

/// The names that a definition takes up: a union with common members is two types.
fn code_names(name: &str, shape: &Shape) -> Vec<String> {
    match shape {
        Shape::Tagged { common, .. } if !common.is_empty() => {
            vec![name.to_owned(), kind_name(name)]
        }
        Shape::Tagged { .. }
        | Shape::Struct(_)
        | Shape::External(_)
        | Shape::Enum(_)
        | Shape::Codes(_)
        | Shape::Untagged(_)
        | Shape::Alias(_) => vec![name.to_owned()],
    }
}

/// The enum beside the common members of a union.
pub fn kind_name(name: &str) -> String {
    format!("{name}Kind")
}

/// Every definition that the roots reach, themselves included.
pub fn reach(module: &Module, roots: &[String]) -> BTreeSet<String> {
    let mut reached = BTreeSet::new();
    let mut queue: Vec<String> = roots.to_vec();
    while let Some(name) = queue.pop() {
        let Some(definition) = module.definitions.get(&name) else {
            continue;
        };
        if reached.insert(name) {
            queue.extend(definition.shape.references());
        }
    }
    reached
}

/// Definitions that hold each other without a list or a map between need a box somewhere.
fn boxed_edges(module: &Module) -> BTreeMap<String, BTreeSet<String>> {
    let direct: BTreeMap<&String, BTreeSet<String>> = module
        .definitions
        .iter()
        .map(|(key, definition)| (key, held_directly(&definition.shape)))
        .collect();
    let reaches = |from: &String, to: &String| {
        let mut queue = vec![from.clone()];
        let mut seen = BTreeSet::new();
        while let Some(name) = queue.pop() {
            if &name == to {
                return true;
            }
            if seen.insert(name.clone()) {
                queue.extend(direct.get(&name).into_iter().flatten().cloned());
            }
        }
        false
    };
    let mut boxed: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (key, held) in &direct {
        for other in held.iter().filter(|other| reaches(other, key)) {
            boxed
                .entry((*key).clone())
                .or_default()
                .insert(other.clone());
        }
    }
    boxed
}

fn held_directly(shape: &Shape) -> BTreeSet<String> {
    let mut held = BTreeSet::new();
    let mut add = |ty: &Type| {
        if let Type::Ref(name) = ty.non_null() {
            held.insert(name.clone());
        }
    };
    each_type(shape, &mut add);
    held
}

/// Calls `visit` with the type of each member and each payload.
fn each_type(shape: &Shape, visit: &mut dyn FnMut(&Type)) {
    match shape {
        Shape::Struct(fields) => fields
            .values()
            .filter(|field| field.constant.is_none())
            .for_each(|field| visit(&field.ty)),
        Shape::Tagged {
            common, variants, ..
        } => {
            common.values().for_each(|field| visit(&field.ty));
            variants
                .values()
                .filter_map(|v| v.payload.as_ref())
                .for_each(visit);
        }
        Shape::External(variants) => {
            variants
                .values()
                .filter_map(|v| v.payload.as_ref())
                .for_each(visit);
        }
        Shape::Untagged(arms) => arms.iter().for_each(|arm| visit(&arm.ty)),
        Shape::Alias(ty) => visit(ty),
        Shape::Enum(_) | Shape::Codes(_) => {}
    }
}

/// A type borrows when any part of it does; unions always do, since they keep what they don't
/// know.
fn mark_borrows(types: &mut BTreeMap<String, PlannedType>) {
    loop {
        let borrowing: BTreeSet<String> = types
            .iter()
            .filter(|(_, planned)| planned.borrows)
            .map(|(key, _)| key.clone())
            .collect();
        let mut changed = false;
        for planned in types.values_mut().filter(|planned| !planned.borrows) {
            let mut borrows = matches!(
                planned.definition.shape,
                Shape::Tagged { .. } | Shape::External(_) | Shape::Untagged(_)
            );
            each_type(&planned.definition.shape, &mut |ty| {
                borrows |= type_borrows(ty, &borrowing)
            });
            if borrows {
                planned.borrows = true;
                changed = true;
            }
        }
        if !changed {
            return;
        }
    }
}

fn type_borrows(ty: &Type, borrowing: &BTreeSet<String>) -> bool {
    match ty {
        Type::String | Type::Json | Type::Map(_) => true,
        Type::List(inner) | Type::Nullable(inner) => type_borrows(inner, borrowing),
        Type::Ref(name) => borrowing.contains(name),
        Type::Boolean | Type::Integer(_) | Type::Float => false,
    }
}

/// Sizes settle in as many rounds as definitions nest.
fn measure(types: &mut BTreeMap<String, PlannedType>) {
    for _ in 0..32 {
        let sizes: BTreeMap<String, usize> = types
            .iter()
            .map(|(key, planned)| (key.clone(), planned.size))
            .collect();
        let mut changed = false;
        for planned in types.values_mut() {
            let size = shape_size(planned, &sizes);
            changed |= size != planned.size;
            planned.size = size;
        }
        if !changed {
            return;
        }
    }
}

fn shape_size(planned: &PlannedType, sizes: &BTreeMap<String, usize>) -> usize {
    let boxed =
        |ty: &Type| matches!(ty.non_null(), Type::Ref(name) if planned.boxed.contains(name));
    let one = |ty: &Type| if boxed(ty) { 8 } else { type_size(ty, sizes) };
    let members = |fields: &Fields| {
        let kept = fields.values().filter(|field| field.constant.is_none());
        kept.map(|field| one(&field.ty)).sum::<usize>()
    };
    // `Unrecognized` holds a text and a slice.
    let largest = |payloads: &mut dyn Iterator<Item = &Type>| {
        payloads
            .map(one)
            .map(|size| if size > UNBOXED { 8 } else { size })
            .max()
            .unwrap_or(0)
            .max(40)
            + 8
    };
    match &planned.definition.shape {
        Shape::Struct(fields) => members(fields),
        Shape::Tagged {
            common, variants, ..
        } => members(common) + largest(&mut variants.values().filter_map(|v| v.payload.as_ref())),
        Shape::External(variants) => {
            largest(&mut variants.values().filter_map(|v| v.payload.as_ref()))
        }
        Shape::Untagged(arms) => largest(&mut arms.iter().map(|arm| &arm.ty)),
        Shape::Enum(_) | Shape::Codes(_) => 16,
        Shape::Alias(ty) => one(ty),
    }
}

/// The size of a value of the type, in bytes.
pub fn type_size(ty: &Type, sizes: &BTreeMap<String, usize>) -> usize {
    match ty {
        Type::Boolean => 1,
        Type::Integer(_) | Type::Float => 16,
        Type::String | Type::List(_) | Type::Map(_) => 24,
        Type::Json => 16,
        Type::Nullable(inner) => type_size(inner, sizes),
        Type::Ref(name) => sizes.get(name).copied().unwrap_or(0),
    }
}

impl Plan {
    /// Whether the payload of a variant is boxed.
    pub fn boxes(&self, owner: &PlannedType, ty: &Type) -> bool {
        match ty.non_null() {
            Type::Ref(name) => {
                owner.boxed.contains(name)
                    || self
                        .types
                        .get(name)
                        .is_some_and(|planned| planned.size > UNBOXED)
            }
            Type::Boolean
            | Type::Integer(_)
            | Type::Float
            | Type::String
            | Type::Json
            | Type::List(_)
            | Type::Map(_)
            | Type::Nullable(_) => false,
        }
    }
}
