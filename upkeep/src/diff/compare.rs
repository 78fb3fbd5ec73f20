//! Compares two versions, face by face, and tells each change once.

use std::collections::{BTreeMap, BTreeSet};

use agentwire_codegen::diagnostics::{Code, Diagnostic};
use agentwire_codegen::json_place::Lines;

use super::check::Check;
use super::message::{of, sentence};
use super::model::{Change, Diff, Location, Note, SurfaceInfo};
use super::reach::{FaceChange, FaceResult, face};
use super::schema::Document;
use super::side::{STABLE, Side};

/// The face that is not promised.
const EXPERIMENTAL: &str = "experimental";

/// Everything that differs between two versions of a provider.
pub fn compare(old: &Side, new: &Side) -> Result<Diff, Vec<Diagnostic>> {
    if old.provider != new.provider {
        let message = format!(
            "{} of {} and {} of {} can't be compared",
            old.label, old.provider, new.label, new.provider
        );
        return Err(vec![Diagnostic::new(Code::BadSource, "diff", message)]);
    }
    let (faces, mut notes) = shared(old, new)?;
    let mut compared: Vec<Compared<'_>> = Vec::new();
    for (label, before, after) in faces {
        compared.push(Compared {
            result: face(before, after, &new.roots),
            old: Lines::new(&before.file),
            new: Lines::new(&after.file),
            before,
            after,
            label,
        });
    }
    // Definitions that no surface reaches say nothing about a wire.
    let on_a_wire = |one: &Compared<'_>| {
        let told = one
            .result
            .changes
            .iter()
            .any(|change| !change.reached.is_empty());
        told || !one.result.surfaces.is_empty()
    };
    if !compared.iter().any(on_a_wire) {
        let message = format!(
            "nothing that {} sends or accepts is defined in {} and {}: its surfaces in schemas/sources.toml name other definitions",
            old.provider, old.label, new.label
        );
        return Err(vec![Diagnostic::new(Code::BadSource, "diff", message)]);
    }
    face_moves(&mut compared);
    reached_elsewhere(&mut compared);
    let mut changes: BTreeMap<String, Change> = BTreeMap::new();
    let mut surfaces: BTreeMap<(String, super::check::Direction), SurfaceInfo> = BTreeMap::new();
    for one in &mut compared {
        for info in std::mem::take(&mut one.result.surfaces) {
            surfaces
                .entry((info.id.clone(), info.direction))
                .or_insert(info);
        }
        for (message, at) in std::mem::take(&mut one.result.notes) {
            let at = at.map(|(newer, pointer)| one.location(newer, &pointer));
            if !notes.iter().any(|note: &Note| note.message == message) {
                notes.push(Note { message, at });
            }
        }
        for change in std::mem::take(&mut one.result.changes) {
            one.tell(change, &mut changes);
        }
    }
    let mut changes: Vec<Change> = changes.into_values().collect();
    let ids: BTreeSet<String> = changes.iter().map(|change| change.id.clone()).collect();
    for change in &mut changes {
        change.renamed = change.renamed.take().filter(|other| ids.contains(other));
        change.reached.sort();
    }
    changes.sort_by(|a, b| {
        (a.class, &a.definition, &a.path, &a.id).cmp(&(b.class, &b.definition, &b.path, &b.id))
    });
    Ok(Diff {
        provider: old.provider.clone(),
        old: old.label.clone(),
        new: new.label.clone(),
        surfaces: surfaces.into_values().collect(),
        changes,
        notes,
    })
}

type Faces<'a> = Vec<(String, &'a Document, &'a Document)>;

/// The faces that are compared: those of one name, or the only one of each side.
fn shared<'a>(old: &'a Side, new: &'a Side) -> Result<(Faces<'a>, Vec<Note>), Vec<Diagnostic>> {
    let mut faces: Faces<'a> = Vec::new();
    let mut notes = Vec::new();
    for (name, before) in &old.faces {
        if let Some(after) = new.faces.get(name) {
            faces.push((name.clone(), before, after));
        }
    }
    // The stable face is told first, and its lines are shown.
    faces.sort_by_key(|(name, ..)| (name != STABLE, name.clone()));
    if faces.is_empty() {
        let mut both = old.faces.iter().zip(&new.faces);
        match (both.next(), old.faces.len(), new.faces.len()) {
            (Some(((was, before), (is, after))), 1, 1) => {
                faces.push((format!("{was} to {is}"), before, after))
            }
            _ => {
                let list = |side: &Side| side.faces().collect::<Vec<_>>().join(", ");
                let message = format!(
                    "{} has the faces {}, {} has {}: name one of each",
                    old.label,
                    list(old),
                    new.label,
                    list(new)
                );
                return Err(vec![Diagnostic::new(Code::BadSource, "diff", message)]);
            }
        }
        return Ok((faces, notes));
    }
    for (side, other) in [(old, new), (new, old)] {
        for face in side.faces().filter(|face| !other.faces.contains_key(*face)) {
            notes.push(Note {
                message: format!(
                    "the face `{face}` is not compared: {} does not have it",
                    other.label
                ),
                at: None,
            });
        }
    }
    Ok((faces, notes))
}

/// One face of both versions.
struct Compared<'a> {
    label: String,
    result: FaceResult,
    old: Lines,
    new: Lines,
    before: &'a Document,
    after: &'a Document,
}

impl Compared<'_> {
    fn location(&mut self, newer: bool, pointer: &str) -> Location {
        let (lines, document) = if newer {
            (&mut self.new, self.after)
        } else {
            (&mut self.old, self.before)
        };
        Location {
            file: document.file.path().to_owned(),
            line: lines.line(pointer),
            pointer: pointer.to_owned(),
        }
    }

    /// Adds a change, or this face to what another face told.
    fn tell(&mut self, change: FaceChange, changes: &mut BTreeMap<String, Change>) {
        let mut id = change.id.clone();
        if let Some(known) = changes.get_mut(&id) {
            if (&known.before, &known.after) == (&change.found.before, &change.found.after) {
                known.faces.push(self.label.clone());
                known.class = known.class.min(change.class);
                for reached in change.reached {
                    let surfaces = known.reached.iter().map(|it| (&it.surface, it.direction));
                    if !surfaces
                        .into_iter()
                        .any(|it| it == (&reached.surface, reached.direction))
                    {
                        known.reached.push(reached);
                    }
                }
                return;
            }
            id = format!("{id}@{}", self.label);
        }
        let old = change
            .found
            .old_at
            .as_ref()
            .map(|pointer| self.location(false, pointer));
        let new = change
            .found
            .new_at
            .as_ref()
            .map(|pointer| self.location(true, pointer));
        let told = Change {
            id: id.clone(),
            check: change.found.check,
            class: change.class,
            reached: change.reached,
            path: super::path::text(&change.found.path),
            definition: change.definition,
            subject: subject(&change.found),
            message: change.message,
            before: change.found.before,
            after: change.found.after,
            faces: vec![self.label.clone()],
            old,
            new,
            renamed: change.renamed,
            details: change.details,
            accepted: None,
        };
        changes.insert(id, told);
    }
}

/// The tag, value, member or keyword that a difference is about.
fn subject(found: &super::walk::Found) -> Option<String> {
    use super::path::Step;
    found.subject.clone().or_else(|| match found.path.last()? {
        Step::Field(name) | Step::Variant(name) => Some(name.clone()),
        Step::Items | Step::Place(_) | Step::Values => None,
    })
}

/// What the stable face gained and the experimental one had all along has moved, and the other way round.
fn face_moves(compared: &mut [Compared<'_>]) {
    let Some(kept) = compared
        .iter()
        .find(|one| one.label == EXPERIMENTAL)
        .map(|one| one.result.kept.clone())
    else {
        return;
    };
    let Some(stable) = compared.iter_mut().find(|one| one.label == STABLE) else {
        return;
    };
    for change in &mut stable.result.changes {
        let Some(check) = moved(change.found.check).filter(|_| kept.contains(&change.element))
        else {
            continue;
        };
        let inner = change.found.clone();
        change.details = vec![sentence(&change.definition, &inner)];
        change.found.check = check;
        change.found.nested = vec![inner];
        change.message = sentence(&change.definition, &change.found);
        change.id = of(check, &change.element);
        change.renamed = None;
    }
}

/// What an addition or a removal is, where the other face has it all along.
fn moved(check: Check) -> Option<Check> {
    if check.adds() {
        Some(Check::BecameStable)
    } else if check.removes() {
        Some(Check::BecameExperimental)
    } else {
        None
    }
}

/// A definition that another face reaches is told where it is reached.
fn reached_elsewhere(compared: &mut [Compared<'_>]) {
    let reached: BTreeSet<String> = compared
        .iter()
        .flat_map(|one| one.result.reached.clone())
        .collect();
    for one in compared {
        one.result.changes.retain(|change| {
            let free = matches!(
                change.found.check,
                Check::DefinitionAdded | Check::DefinitionRemoved
            );
            !(free && reached.contains(&change.definition))
        });
    }
}
