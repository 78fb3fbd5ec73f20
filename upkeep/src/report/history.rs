//! How a surface grew: what each version of the window has, and what came and went with it.

use agentwire_codegen::listing::{ListedRow, ListedSurface};

/// A version of a surface.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The version.
    pub version: String,
    /// How many variants it has.
    pub variants: usize,
    /// The tags that the version before does not have. Nothing comes with the oldest version.
    pub added: Vec<String>,
    /// The tags that only the version before has.
    pub removed: Vec<String>,
}

/// The history of a surface through a window, the oldest version first.
pub fn history(surface: &ListedSurface, window: &[String]) -> Vec<Step> {
    let mut steps = Vec::new();
    let mut before: Option<&String> = None;
    for version in window {
        let (mut added, mut removed) = (Vec::new(), Vec::new());
        if let Some(before) = before {
            let came = having(surface, version).filter(|row| !row.versions.contains(before));
            added.extend(came.map(|row| row.tag.clone()));
            let went = having(surface, before).filter(|row| !row.versions.contains(version));
            removed.extend(went.map(|row| row.tag.clone()));
        }
        steps.push(Step {
            version: version.clone(),
            variants: having(surface, version).count(),
            added,
            removed,
        });
        before = Some(version);
    }
    steps
}

/// The rows whose variants a version has.
fn having<'s>(
    surface: &'s ListedSurface,
    version: &'s String,
) -> impl Iterator<Item = &'s ListedRow> {
    let rows = surface.rows.iter();
    rows.filter(move |row| row.versions.contains(version))
}
