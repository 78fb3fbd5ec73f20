//! Walks two documents side by side, from the roots of the surfaces, one pair of definitions at a time.
//!
//! A pair is compared once, however many places refer to it, so that what changed in a shared
//! definition is one change.

mod limits;
mod objects;
mod similar;
mod types;
mod unions;

use std::collections::{BTreeMap, BTreeSet};

use super::check::Check;
use super::path::{Step, text};
use super::schema::{Document, Node, Shape};

/// A definition of the old version and the one that stands in its place in the new version.
pub type Pair = (String, String);

/// What differs between two definitions, and which pairs they refer to.
#[derive(Default, Debug)]
pub struct Unit {
    /// What differs in them.
    pub found: Vec<Found>,
    /// What they refer to.
    pub edges: Vec<Edge>,
}

/// A reference of both.
#[derive(Debug)]
pub struct Edge {
    /// To which pair.
    pub to: Pair,
    /// From where.
    pub path: Vec<Step>,
    /// What differs in the pair is told by a change at this place.
    pub folded: bool,
}

/// One difference.
#[derive(Clone, Debug)]
pub struct Found {
    /// What was found.
    pub check: Check,
    /// Where, from the definition.
    pub path: Vec<Step>,
    /// The value or the keyword that it is about.
    pub subject: Option<String>,
    /// Where the old version has it.
    pub old_at: Option<String>,
    /// Where the new version has it.
    pub new_at: Option<String>,
    /// What the old version says.
    pub before: Option<String>,
    /// What the new version says.
    pub after: Option<String>,
    /// The pair whose differences decide the class.
    pub inside: Option<Pair>,
    /// Further differences that decide the class.
    pub nested: Vec<Found>,
    /// The path of the change that it may be one rename with.
    pub renamed: Option<(Check, Vec<Step>, Option<String>)>,
}

/// Two documents, and what was found so far.
pub struct Walk<'a> {
    /// The old one.
    pub old: &'a Document,
    /// The new one.
    pub new: &'a Document,
    /// What was compared.
    pub units: BTreeMap<Pair, Unit>,
    /// What both have: members, variants and values.
    pub kept: BTreeSet<String>,
}

impl<'a> Walk<'a> {
    /// Nothing compared yet.
    pub fn new(old: &'a Document, new: &'a Document) -> Self {
        Self {
            old,
            new,
            units: BTreeMap::new(),
            kept: BTreeSet::new(),
        }
    }

    /// Compares a pair and all pairs that are reached from it.
    pub fn pair(&mut self, pair: Pair) {
        let mut open = vec![pair];
        while let Some(pair) = open.pop() {
            if self.units.contains_key(&pair) {
                continue;
            }
            let nodes = (
                self.old.definitions.get(&pair.0),
                self.new.definitions.get(&pair.1),
            );
            let (Some(old), Some(new)) = nodes else {
                continue;
            };
            let unit = self.compare(&name(&pair), old, new);
            open.extend(unit.edges.iter().map(|edge| edge.to.clone()));
            self.units.insert(pair, unit);
        }
    }

    /// Compares two nodes under a name of their own, and all pairs that are reached from them.
    pub fn nodes(&mut self, own: &Pair, old: &Node, new: &Node) {
        let unit = self.compare(&name(own), old, new);
        let reached: Vec<Pair> = unit.edges.iter().map(|edge| edge.to.clone()).collect();
        self.units.insert(own.clone(), unit);
        for pair in reached {
            self.pair(pair);
        }
    }

    fn compare(&mut self, name: &str, old: &Node, new: &Node) -> Unit {
        let mut comparing = Comparing::new(self.old, self.new);
        comparing.node(old, new);
        self.kept.extend(
            comparing
                .kept
                .into_iter()
                .map(|path| format!("{name}{path}")),
        );
        comparing.unit
    }
}

/// What stands around a shape at its place. Where one version wrote a definition out, the other one's
/// definition counts, too; what the place itself says goes before it.
fn said_around(place: &Node, inner: &Node) -> Node {
    let mut all = Node::new(&place.at, Shape::Any);
    all.default = place.default.clone().or_else(|| inner.default.clone());
    all.markers.clone_from(&inner.markers);
    all.markers.extend(place.markers.clone());
    all
}

/// How changes and ids call a pair.
pub fn name((old, new): &Pair) -> String {
    if old == new {
        old.clone()
    } else {
        format!("{old}=>{new}")
    }
}

/// The comparison of one pair.
pub(super) struct Comparing<'a> {
    old: &'a Document,
    new: &'a Document,
    unit: Unit,
    path: Vec<Step>,
    kept: Vec<String>,
    /// Inside the variant of a method.
    method: bool,
    /// Only to know whether anything differs.
    scratch: bool,
}

impl<'a> Comparing<'a> {
    pub(super) fn new(old: &'a Document, new: &'a Document) -> Self {
        Self {
            old,
            new,
            unit: Unit::default(),
            path: Vec::new(),
            kept: Vec::new(),
            method: false,
            scratch: false,
        }
    }

    /// Compares two schemas that stand at the same place.
    pub(super) fn node<'n>(&mut self, old: &'n Node, new: &'n Node)
    where
        'a: 'n,
    {
        let method = std::mem::take(&mut self.method);
        if let Some((check, old_name, new_name)) = method.then(|| self.bound(old, new)).flatten() {
            self.rebound(check, old, new, old_name, new_name);
            return;
        }
        if let (Shape::Ref(before), Shape::Ref(after)) = (&old.shape, &new.shape) {
            self.around(old, new);
            self.nullability(old, new, old.nullable, new.nullable);
            self.reference(old, new, before, after);
            return;
        }
        let (inner_old, null_before) = self.old.follow(old);
        let (inner_new, null_after) = self.new.follow(new);
        self.nullability(old, new, null_before, null_after);
        self.around(&said_around(old, inner_old), &said_around(new, inner_new));
        self.shapes(inner_old, inner_new);
    }

    /// What stands around a shape: default, markers.
    fn around(&mut self, old: &Node, new: &Node) {
        if old.default != new.default {
            let text = |node: &Node| node.default.as_ref().map(ToString::to_string);
            self.found(Check::DefaultChanged, Some(old), Some(new), |found| {
                found.before = text(old);
                found.after = text(new);
            });
        }
        let keys: BTreeSet<&String> = old.markers.keys().chain(new.markers.keys()).collect();
        for key in keys {
            let (before, after) = (old.markers.get(key), new.markers.get(key));
            // What binds methods, and what picks variants, is told where it acts.
            let told = ["x-method", "x-side", "x-tag", "x-known-values"].contains(&key.as_str());
            if before != after && !told {
                self.found(Check::MarkerChanged, Some(old), Some(new), |found| {
                    found.subject = Some(key.clone());
                    found.before = before.map(ToString::to_string);
                    found.after = after.map(ToString::to_string);
                });
            }
        }
    }

    fn nullability(&mut self, old: &Node, new: &Node, before: bool, after: bool) {
        // Where anything goes, `null` does, too: what the type says of it says it all.
        let any =
            |document: &Document, node: &Node| matches!(document.follow(node).0.shape, Shape::Any);
        if any(self.old, old) || any(self.new, new) {
            return;
        }
        let check = match (before, after) {
            (false, true) => Check::BecameNullable,
            (true, false) => Check::BecameNonNull,
            (true, true) | (false, false) => return,
        };
        self.found(check, Some(old), Some(new), |found| {
            found.before = Some(old.describe());
            found.after = Some(new.describe());
        });
    }

    /// Both refer to a definition.
    fn reference(&mut self, old: &Node, new: &Node, before: &str, after: &str) {
        let pair = (before.to_owned(), after.to_owned());
        let gone = !self.new.definitions.contains_key(before);
        let fresh = !self.old.definitions.contains_key(after);
        let base = |name: &str| name.rsplit('/').next().unwrap_or_default().to_owned();
        // The same name in another namespace, or a new name for what is gone: definitions that stand
        // for each other. Anything else is another definition at this one place.
        let folded = before != after && base(before) != base(after) && !(gone && fresh);
        if folded {
            self.found(Check::Retargeted, Some(old), Some(new), |found| {
                found.before = Some(before.to_owned());
                found.after = Some(after.to_owned());
                found.inside = Some(pair.clone());
            });
        }
        self.edge(pair, folded);
    }

    /// A method's parameters or result that are not one and the same definition.
    fn bound<'n>(
        &self,
        old: &'n Node,
        new: &'n Node,
    ) -> Option<(Check, Option<&'n str>, Option<&'n str>)> {
        let check = match self.path.last() {
            Some(Step::Field(name)) if name == "params" => Check::MethodParamsChanged,
            Some(Step::Field(name)) if name == "result" => Check::MethodResultChanged,
            Some(
                Step::Field(_) | Step::Items | Step::Place(_) | Step::Values | Step::Variant(_),
            )
            | None => return None,
        };
        let (before, after) = (old.shape.reference(), new.shape.reference());
        (before != after).then_some((check, before, after))
    }

    fn rebound(
        &mut self,
        check: Check,
        old: &Node,
        new: &Node,
        before: Option<&str>,
        after: Option<&str>,
    ) {
        let pair = before
            .zip(after)
            .map(|(before, after)| (before.to_owned(), after.to_owned()));
        let mut inner = Comparing::new(self.old, self.new);
        inner.path.clone_from(&self.path);
        match &pair {
            Some(pair) => {
                inner.around(old, new);
                inner.nullability(old, new, old.nullable, new.nullable);
                inner.edge(pair.clone(), true);
            }
            None => inner.node(old, new),
        }
        self.found(check, Some(old), Some(new), |found| {
            found.before = Some(old.describe());
            found.after = Some(new.describe());
            found.inside = pair;
            found.nested = inner.unit.found;
        });
        self.unit.edges.extend(inner.unit.edges);
    }

    fn edge(&mut self, to: Pair, folded: bool) {
        let path = self.path.clone();
        self.unit.edges.push(Edge { to, path, folded });
    }

    /// Notes a difference at the current place.
    fn found(
        &mut self,
        check: Check,
        old: Option<&Node>,
        new: Option<&Node>,
        more: impl FnOnce(&mut Found),
    ) {
        let mut found = Found {
            check,
            path: self.path.clone(),
            subject: None,
            old_at: old.map(|node| node.at.clone()),
            new_at: new.map(|node| node.at.clone()),
            before: None,
            after: None,
            inside: None,
            nested: Vec::new(),
            renamed: None,
        };
        more(&mut found);
        self.unit.found.push(found);
    }

    /// Runs with one step more.
    fn below<R>(&mut self, step: Step, run: impl FnOnce(&mut Self) -> R) -> R {
        self.path.push(step);
        let result = run(self);
        self.path.pop();
        result
    }

    /// Notes that both have what the current place is.
    fn keep(&mut self, value: Option<&str>) {
        let at = text(&self.path);
        self.kept.push(match value {
            Some(value) => format!("{at}={value}"),
            None => at,
        });
    }
}
