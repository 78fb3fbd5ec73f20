//! From a walk to changes: which surfaces reach what differs, and what it means for each.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::check::{Check, Class, Direction, Verdict};
use super::ends::{Ends, Free};
use super::message::{element, id, of, place, sentence};
use super::model::{Reached, SurfaceInfo};
use super::path::{Step, wire};
use super::roots::{From, Root, results};
use super::schema::{Document, Node};
use super::walk::{Found, Pair, Unit, Walk, name};

/// How many differences inside are told with a change.
const DETAILS: usize = 8;

/// What one face of two versions gives.
pub struct FaceResult {
    /// What differs.
    pub changes: Vec<FaceChange>,
    /// What both have: members, variants and values.
    pub kept: BTreeSet<String>,
    /// The definitions that a surface reaches in either version.
    pub reached: BTreeSet<String>,
    /// What was compared.
    pub surfaces: Vec<SurfaceInfo>,
    /// What could not be compared: a sentence, whether it is about the new version, and the pointer.
    pub notes: Vec<(String, Option<(bool, String)>)>,
}

/// A change as one face shows it.
#[derive(Clone, Debug)]
pub struct FaceChange {
    pub id: String,
    /// The id without the check.
    pub element: String,
    pub found: Found,
    pub definition: String,
    pub message: String,
    pub reached: Vec<Reached>,
    pub class: Class,
    pub renamed: Option<String>,
    pub details: Vec<String>,
}

/// A root that both versions have.
struct Start {
    id: String,
    direction: Direction,
    pair: Pair,
}

/// Compares two documents from the roots.
pub fn face(old: &Document, new: &Document, roots: &[Root]) -> FaceResult {
    let mut walk = Walk::new(old, new);
    let mut starts = Vec::new();
    let mut ends = Ends::default();
    let mut lone = Vec::new();
    let mut notes = Vec::new();
    let spelled = roots
        .iter()
        .flat_map(|root| root.spelled([old, new].into_iter()));
    for root in spelled {
        let start = |pair: Pair| Start {
            id: root.id.clone(),
            direction: root.direction,
            pair,
        };
        match &root.from {
            From::Definition(target) => {
                ends.begin(target);
                match (old.definitions.get(target), new.definitions.get(target)) {
                    (Some(_), Some(_)) => {
                        let pair = (target.clone(), target.clone());
                        walk.pair(pair.clone());
                        starts.push(start(pair));
                    }
                    (Some(node), None) => {
                        lone.push((root.clone(), target.clone(), Check::SurfaceRemoved, node))
                    }
                    (None, Some(node)) => {
                        lone.push((root.clone(), target.clone(), Check::SurfaceAdded, node))
                    }
                    (None, None) => notes.push((
                        format!(
                            "`{}` is not compared: neither version defines `{target}`",
                            root.id
                        ),
                        None,
                    )),
                }
            }
            From::Results {
                name,
                requests,
                listed,
            } => {
                let sides = (
                    results(old, requests, listed),
                    results(new, requests, listed),
                );
                for (side, newer) in [(&sides.0, false), (&sides.1, true)] {
                    if let Some((node, unnamed)) = side {
                        ends.also(node, newer);
                        notes.extend(unnamed.iter().map(|(method, at)| {
                            (format!("the result of `{method}` is not compared: no rule names it; list it in `results` of `{}`", root.id), Some((newer, at.clone())))
                        }));
                    }
                }
                if let (Some((before, _)), Some((after, _))) = &sides {
                    let pair = (name.clone(), name.clone());
                    walk.nodes(&pair, before, after);
                    // A method that comes or goes is told with the requests, and a result without a
                    // name in a note.
                    let unnamed: BTreeSet<&String> = [&sides.0, &sides.1]
                        .into_iter()
                        .flatten()
                        .flat_map(|(_, unnamed)| unnamed.iter().map(|(method, _)| method))
                        .collect();
                    if let Some(unit) = walk.units.get_mut(&pair) {
                        unit.found.retain(|found| match found.path.as_slice() {
                            [Step::Variant(_)] => false,
                            [Step::Variant(method), ..] => !unnamed.contains(method),
                            _ => true,
                        });
                    }
                    starts.push(start(pair));
                }
            }
        }
    }
    let (free, reached) = ends.free(old, new);
    for name in &free.both {
        walk.pair((name.clone(), name.clone()));
    }
    let mut telling = Telling {
        walk: &walk,
        changes: BTreeMap::new(),
        surfaces: Vec::new(),
    };
    for start in &starts {
        telling.start(start);
    }
    for (root, target, check, node) in lone {
        telling.lone(&root, &target, check, node, old, new);
    }
    telling.free(&free, old, new);
    let Telling {
        changes, surfaces, ..
    } = telling;
    FaceResult {
        changes: changes.into_values().collect(),
        surfaces,
        kept: walk.kept,
        reached,
        notes,
    }
}

struct Telling<'w, 'a> {
    walk: &'w Walk<'a>,
    changes: BTreeMap<String, FaceChange>,
    surfaces: Vec<SurfaceInfo>,
}

impl Telling<'_, '_> {
    /// Tells what a surface reaches, by the shortest ways.
    fn start(&mut self, start: &Start) {
        let walk = self.walk;
        let mut ways: BTreeMap<&Pair, Vec<Step>> = BTreeMap::from([(&start.pair, Vec::new())]);
        let mut told: BTreeMap<&Pair, Vec<Step>> = ways.clone();
        let mut open = VecDeque::from([&start.pair]);
        while let Some(pair) = open.pop_front() {
            let way = ways.get(pair).cloned().unwrap_or_default();
            for edge in walk
                .units
                .get(pair)
                .into_iter()
                .flat_map(|unit| &unit.edges)
            {
                let longer: Vec<Step> = way.iter().chain(&edge.path).cloned().collect();
                if !edge.folded {
                    told.entry(&edge.to).or_insert_with(|| longer.clone());
                }
                if !ways.contains_key(&edge.to) && walk.units.contains_key(&edge.to) {
                    ways.insert(&edge.to, longer);
                    open.push_back(&edge.to);
                }
            }
        }
        self.surfaces.push(SurfaceInfo {
            id: start.id.clone(),
            direction: start.direction,
            union: start.pair.1.clone(),
            definitions: ways.len(),
        });
        for (pair, way) in told {
            if let Some(unit) = walk.units.get(pair) {
                self.unit(pair, unit, Some((start, &way)));
            }
        }
    }

    fn unit(&mut self, pair: &Pair, unit: &Unit, from: Option<(&Start, &Vec<Step>)>) {
        if pair.0 != pair.1 {
            let moved = self.moved(pair);
            self.add(pair, &moved, from);
        }
        for found in &unit.found {
            self.add(pair, found, from);
        }
    }

    /// The change of name itself.
    fn moved(&self, pair: &Pair) -> Found {
        let base = |name: &str| name.rsplit('/').next().unwrap_or_default().to_owned();
        let check = if base(&pair.0) == base(&pair.1) {
            Check::DefinitionMoved
        } else {
            Check::DefinitionRenamed
        };
        let at = |document: &Document, name: &String| {
            document.definitions.get(name).map(|node| node.at.clone())
        };
        Found {
            check,
            path: Vec::new(),
            subject: None,
            old_at: at(self.walk.old, &pair.0),
            new_at: at(self.walk.new, &pair.1),
            before: Some(pair.0.clone()),
            after: Some(pair.1.clone()),
            inside: None,
            nested: Vec::new(),
            renamed: None,
        }
    }

    fn add(&mut self, pair: &Pair, found: &Found, from: Option<(&Start, &Vec<Step>)>) {
        let unit = name(pair);
        let id = id(&unit, found);
        let reached = from.map(|(start, way)| {
            let way: Vec<Step> = way.iter().chain(&found.path).cloned().collect();
            // What happened to a variant happened where its union is.
            Reached {
                surface: start.id.clone(),
                direction: start.direction,
                class: class(self.walk, found, start.direction, &mut BTreeSet::new()),
                path: wire(&way),
            }
        });
        let known = self
            .changes
            .entry(id.clone())
            .or_insert_with(|| FaceChange {
                element: element(&unit, found),
                message: sentence(&unit, found),
                details: details(self.walk, found),
                renamed: found.renamed.as_ref().map(|(check, path, subject)| {
                    of(*check, &place(&unit, *check, path, subject.as_deref()))
                }),
                found: found.clone(),
                definition: unit,
                reached: Vec::new(),
                class: Class::None,
                id,
            });
        if let Some(reached) = reached {
            known.class = known.class.min(reached.class);
            known.reached.push(reached);
        }
    }

    /// A surface that one version lacks.
    fn lone(
        &mut self,
        root: &Root,
        target: &str,
        check: Check,
        node: &Node,
        old: &Document,
        new: &Document,
    ) {
        let pair = (target.to_owned(), target.to_owned());
        let mut found = self.moved(&pair);
        found.check = check;
        found.subject = Some(root.id.clone());
        (found.before, found.after) = (None, None);
        let file = |document: &Document| document.definitions.keys().next().map(|_| String::new());
        let at = Some(node.at.clone());
        (found.old_at, found.new_at) = if check.adds() {
            (file(old), at)
        } else {
            (at, file(new))
        };
        let start = Start {
            id: root.id.clone(),
            direction: root.direction,
            pair: pair.clone(),
        };
        self.add(&pair, &found, Some((&start, &Vec::new())));
    }

    /// What no surface reaches.
    fn free(&mut self, free: &Free, old: &Document, new: &Document) {
        let walk = self.walk;
        for name in &free.both {
            let pair = (name.clone(), name.clone());
            if let Some(unit) = walk.units.get(&pair) {
                self.unit(&pair, unit, None);
            }
        }
        for (names, check, document) in [
            (&free.old, Check::DefinitionRemoved, old),
            (&free.new, Check::DefinitionAdded, new),
        ] {
            for name in names {
                let pair = (name.clone(), name.clone());
                let mut found = self.moved(&pair);
                found.check = check;
                (found.before, found.after) = (None, None);
                let at = document.definitions.get(name).map(|node| node.at.clone());
                (found.old_at, found.new_at) = if check.adds() { (None, at) } else { (at, None) };
                self.add(&pair, &found, None);
            }
        }
    }
}

/// What a difference means for a direction.
pub fn class(
    walk: &Walk<'_>,
    found: &Found,
    direction: Direction,
    seen: &mut BTreeSet<Pair>,
) -> Class {
    match found.check.verdict(direction) {
        Verdict::Is(class) => class,
        Verdict::AsInside => {
            let mut worst = Class::None;
            for nested in &found.nested {
                worst = worst.min(class(walk, nested, direction, seen));
            }
            // Definitions that refer to each other in a circle add nothing more.
            if let Some(pair) = found
                .inside
                .as_ref()
                .filter(|pair| seen.insert((*pair).clone()))
            {
                for inner in walk
                    .units
                    .get(pair)
                    .into_iter()
                    .flat_map(|unit| &unit.found)
                {
                    worst = worst.min(class(walk, inner, direction, seen));
                }
            }
            worst
        }
    }
}

fn details(walk: &Walk<'_>, found: &Found) -> Vec<String> {
    let nested = found.nested.iter().map(|nested| (String::new(), nested));
    let inside = found
        .inside
        .as_ref()
        .and_then(|pair| Some((name(pair), walk.units.get(pair)?)));
    let inner = inside
        .iter()
        .flat_map(|(name, unit)| unit.found.iter().map(|found| (name.clone(), found)));
    let all: Vec<String> = nested
        .chain(inner)
        .map(|(name, found)| sentence(&name, found))
        .collect();
    let more = all.len().saturating_sub(DETAILS);
    let mut told: Vec<String> = all.into_iter().take(DETAILS).collect();
    if more > 0 {
        told.push(format!("and {more} more"));
    }
    told
}
