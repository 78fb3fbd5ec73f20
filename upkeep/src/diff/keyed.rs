//! How the variants of a union are told apart: by one or two members, by the only member, or by form.

use std::collections::{BTreeMap, BTreeSet};

use super::schema::{Document, Listed, Node, Object, Rest, Shape, Union};

/// A union whose variants have keys.
pub struct Keyed<'a> {
    /// How they are told apart.
    pub form: Form,
    /// Each with its key; a key may come more than once.
    pub arms: Vec<(String, Arm<'a>)>,
    /// The variant for every tag that no other variant has.
    pub rest: Option<&'a Node>,
}

/// How variants are told apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Form {
    /// By members that have a constant value each.
    Tagged {
        /// The members.
        tags: Vec<String>,
        /// Every variant must have the first of them.
        certain: bool,
    },
    /// By the only member of an object, or a text.
    External,
    /// By the form of the value only.
    Untagged,
}

/// What a key stands for.
#[derive(Clone, Copy)]
pub enum Arm<'a> {
    /// A schema.
    Node(&'a Node),
    /// One of the texts of a list of values, at this pointer.
    Value(&'a str),
}

impl<'a> Arm<'a> {
    /// The pointer to it.
    pub fn at(&self) -> &'a str {
        match self {
            Self::Node(node) => &node.at,
            Self::Value(at) => at,
        }
    }
}

/// The members of an object that are constant: their values, and whether they must be there.
type Constants = BTreeMap<String, (BTreeSet<String>, bool)>;

/// Members that pick a variant more often than others do.
const USUAL: &[&str] = &["method", "type", "kind", "status", "mode"];

/// Gives the variants their keys; `prefer` is what tells the variants of the other version apart.
pub fn keyed<'a>(document: &'a Document, union: &'a Union, prefer: &[String]) -> Keyed<'a> {
    of_arms(
        document,
        &union.arms.iter().collect::<Vec<_>>(),
        &union.tags,
        prefer,
    )
}

/// The same for a schema that is no union: a union of one.
pub fn alone<'a>(document: &'a Document, node: &'a Node, prefer: &[String]) -> Keyed<'a> {
    of_arms(document, &[node], &[], prefer)
}

fn of_arms<'a>(
    document: &'a Document,
    nodes: &[&'a Node],
    named: &[String],
    prefer: &[String],
) -> Keyed<'a> {
    let others = |node: &&&'a Node| document.follow(node).0.limits.contains_key("not");
    let rest = nodes.iter().find(others).copied();
    let told: Vec<&'a Node> = nodes
        .iter()
        .filter(|node| !rest.is_some_and(|rest| std::ptr::eq(rest, **node)))
        .copied()
        .collect();
    let constants: Vec<Option<Constants>> = told
        .iter()
        .map(|node| constants(document, node, 0))
        .collect();
    let tags = pick(&constants, named, prefer);
    if let Some(first) = tags.first() {
        let certain = constants
            .iter()
            .flatten()
            .all(|own| own.get(first).is_some_and(|(_, required)| *required));
        let mut arms = Vec::new();
        for (node, own) in told.iter().zip(&constants) {
            let keys = own.as_ref().map(|own| keys(own, &tags)).unwrap_or_default();
            if keys.is_empty() {
                arms.push((form_key(node), Arm::Node(node)));
            }
            arms.extend(keys.into_iter().map(|key| (key, Arm::Node(node))));
        }
        let form = Form::Tagged { tags, certain };
        return Keyed { form, arms, rest };
    }
    // A catch-all beside variants that nothing tells apart is one of them.
    if let Some(arms) = external(nodes) {
        return Keyed {
            form: Form::External,
            arms,
            rest: None,
        };
    }
    let keys: Vec<String> = nodes.iter().map(|node| form_key(node)).collect();
    let arms = nodes.iter().zip(&keys).map(|(node, key)| {
        let alone = keys.iter().filter(|other| *other == key).count() == 1;
        // Forms that are alike but for a constant are called by it.
        let key = if let (Shape::Object(object), false) = (&node.shape, alone) {
            constant_key(document, object)
        } else {
            key.clone()
        };
        (key, Arm::Node(node))
    });
    Keyed {
        form: Form::Untagged,
        arms: arms.collect(),
        rest: None,
    }
}

/// The members that pick: those that the schema names, else one that every variant has as a constant of its own.
fn pick(constants: &[Option<Constants>], named: &[String], prefer: &[String]) -> Vec<String> {
    let has = |tag: &String| constants.iter().flatten().any(|own| own.contains_key(tag));
    if named.first().is_some_and(has) {
        return named.to_vec();
    }
    let Some(Some(first)) = constants.first() else {
        return Vec::new();
    };
    if constants.iter().any(Option::is_none) {
        return Vec::new();
    }
    let picks = |name: &String| {
        let mut seen = BTreeSet::new();
        constants.iter().flatten().all(|own| match own.get(name) {
            Some((values, _)) => values.iter().all(|value| seen.insert(value)),
            None => false,
        })
    };
    if prefer.first().is_some_and(|tag| first.contains_key(tag)) && prefer.iter().take(1).all(picks)
    {
        return prefer[..1].to_vec();
    }
    let usual = |name: &&String| {
        USUAL
            .iter()
            .position(|it| it == name)
            .unwrap_or(USUAL.len())
    };
    let required = |name: &&String| {
        !constants
            .iter()
            .flatten()
            .all(|own| own.get(*name).is_some_and(|(_, required)| *required))
    };
    let picked = first
        .keys()
        .filter(|name| picks(name))
        .min_by_key(|name| (required(name), usual(name)));
    picked.cloned().into_iter().collect()
}

/// The constant members of an object, through references and what it extends.
fn constants(document: &Document, node: &Node, depth: usize) -> Option<Constants> {
    // Objects that extend each other in a circle have no members.
    if depth > 16 {
        return None;
    }
    let (node, _) = document.follow(node);
    match &node.shape {
        Shape::Object(object) => Some(of_object(document, object, depth)),
        Shape::Union(union) => {
            let mut all: Option<Constants> = None;
            for arm in &union.arms {
                let own = constants(document, arm, depth + 1)?;
                all = Some(match all {
                    None => own,
                    Some(all) => both(all, &own),
                });
            }
            let mut all = all?;
            if let Some(common) = &union.common {
                all.extend(of_object(document, common, depth));
            }
            Some(all)
        }
        Shape::Any
        | Shape::Never
        | Shape::Scalar(_)
        | Shape::Enum(_)
        | Shape::List(_)
        | Shape::Tuple(_)
        | Shape::Ref(_) => None,
    }
}

fn of_object(document: &Document, object: &Object, depth: usize) -> Constants {
    let mut out = Constants::new();
    for base in &object.bases {
        out.extend(constants(document, base, depth + 1).unwrap_or_default());
    }
    for (name, field) in &object.fields {
        if let Shape::Enum(Listed {
            values,
            open: false,
        }) = &field.node.shape
            && !field.node.nullable
        {
            let values = values.keys().map(|value| plain(value)).collect();
            out.insert(name.clone(), (values, field.required));
        }
    }
    out
}

fn both(mut one: Constants, other: &Constants) -> Constants {
    one.retain(|name, _| other.contains_key(name));
    for (name, (values, required)) in &mut one {
        if let Some((more, also)) = other.get(name) {
            values.extend(more.iter().cloned());
            *required &= *also;
        }
    }
    one
}

/// The keys of a variant: the values of the tags, joined.
fn keys(own: &Constants, tags: &[String]) -> Vec<String> {
    let mut keys: Vec<String> = Vec::new();
    for (values, _) in tags.iter().filter_map(|tag| own.get(tag)) {
        keys = if keys.is_empty() {
            values.iter().cloned().collect()
        } else {
            let joined = keys
                .iter()
                .flat_map(|key| values.iter().map(move |value| format!("{key}:{value}")));
            joined.collect()
        };
    }
    keys
}

/// Texts, and objects with one member that must be there.
fn external<'a>(nodes: &[&'a Node]) -> Option<Vec<(String, Arm<'a>)>> {
    let mut arms = Vec::new();
    let mut objects = 0;
    for node in nodes {
        match &node.shape {
            Shape::Enum(listed) => {
                let values = listed.values.iter();
                arms.extend(values.map(|(value, at)| (plain(value), Arm::Value(at))));
            }
            Shape::Object(object) => {
                let mut fields = object.fields.iter();
                let (Some((name, field)), None) = (fields.next(), fields.next()) else {
                    return None;
                };
                if !field.required || !object.bases.is_empty() || matches!(object.rest, Rest::Of(_))
                {
                    return None;
                }
                objects += 1;
                arms.push((name.clone(), Arm::Node(node)));
            }
            Shape::Any
            | Shape::Never
            | Shape::Scalar(_)
            | Shape::List(_)
            | Shape::Tuple(_)
            | Shape::Union(_)
            | Shape::Ref(_) => return None,
        }
    }
    (objects > 0).then_some(arms)
}

/// What a variant is called that nothing tells apart but its form.
pub fn form_key(node: &Node) -> String {
    match &node.shape {
        Shape::Any => "anything".to_owned(),
        Shape::Never => "null".to_owned(),
        Shape::Scalar(types) => types.iter().cloned().collect::<Vec<_>>().join("|"),
        Shape::Enum(_) => "values".to_owned(),
        Shape::List(element) => format!("[{}]", form_key(element)),
        Shape::Tuple(_) => "[…]".to_owned(),
        Shape::Object(object) => {
            let names = object.fields.iter().filter(|(_, field)| field.required);
            let names: Vec<&str> = names.map(|(name, _)| name.as_str()).collect();
            format!("{{{}}}", names.join(","))
        }
        Shape::Union(_) => "union".to_owned(),
        Shape::Ref(name) => name.clone(),
    }
}

/// The members that must be there, and what is constant: `{id,type=moon}`.
fn constant_key(document: &Document, object: &Object) -> String {
    let constants = of_object(document, object, 0);
    let constant = |name: &String| {
        let (values, _) = constants.get(name)?;
        let value = values.first().filter(|_| values.len() == 1)?;
        Some(format!("{name}={value}"))
    };
    let names = object.fields.iter().filter_map(|(name, field)| {
        constant(name).or_else(|| field.required.then(|| name.clone()))
    });
    format!("{{{}}}", names.collect::<Vec<_>>().join(","))
}

/// A JSON text without its quotes, other values as they are.
pub fn plain(value: &str) -> String {
    serde_json::from_str::<String>(value).unwrap_or_else(|_| value.to_owned())
}
