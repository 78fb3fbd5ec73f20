//! For programs. The form is described in `docs/diff.md` and stays as it is while `format` does.

use serde::Serialize;

use crate::diff::check::Class;
use crate::diff::model::{Change, Diff, Location, Note, Reached, SurfaceInfo};

/// The form that is written.
const FORMAT: u32 = 1;

#[derive(Serialize)]
struct Whole<'a> {
    format: u32,
    provider: &'a str,
    old: &'a str,
    new: &'a str,
    counts: Counts,
    surfaces: &'a [SurfaceInfo],
    changes: Vec<One<'a>>,
    notes: &'a [Note],
}

#[derive(Serialize)]
struct Counts {
    breaking: usize,
    dangerous: usize,
    additive: usize,
    none: usize,
    accepted: usize,
}

#[derive(Serialize)]
struct One<'a> {
    id: &'a str,
    check: &'static str,
    class: &'static str,
    message: &'a str,
    definition: &'a str,
    path: &'a str,
    subject: Option<&'a str>,
    before: Option<&'a str>,
    after: Option<&'a str>,
    faces: &'a [String],
    surfaces: &'a [Reached],
    old: Option<&'a Location>,
    new: Option<&'a Location>,
    renamed: Option<&'a str>,
    details: &'a [String],
    accepted: Option<&'a str>,
}

/// One JSON object.
pub fn json(diff: &Diff) -> String {
    let whole = Whole {
        format: FORMAT,
        provider: &diff.provider,
        old: &diff.old,
        new: &diff.new,
        counts: Counts {
            breaking: diff.count(Class::Breaking),
            dangerous: diff.count(Class::Dangerous),
            additive: diff.count(Class::Additive),
            none: diff.count(Class::None),
            accepted: diff.changes.len() - diff.open().count(),
        },
        surfaces: &diff.surfaces,
        changes: diff.changes.iter().map(one).collect(),
        notes: &diff.notes,
    };
    // A structure of texts and numbers can always be written.
    let mut text = serde_json::to_string_pretty(&whole).unwrap_or_default();
    text.push('\n');
    text
}

fn one(change: &Change) -> One<'_> {
    One {
        id: &change.id,
        check: change.check.id(),
        class: change.class.as_str(),
        message: &change.message,
        definition: &change.definition,
        path: &change.path,
        subject: change.subject.as_deref(),
        before: change.before.as_deref(),
        after: change.after.as_deref(),
        faces: &change.faces,
        surfaces: &change.reached,
        old: change.old.as_ref(),
        new: change.new.as_ref(),
        renamed: change.renamed.as_deref(),
        details: &change.details,
        accepted: change.accepted.as_deref(),
    }
}
