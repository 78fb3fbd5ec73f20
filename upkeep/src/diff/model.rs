//! What a comparison gives: changes, each with what it means for whom.

use serde::Serialize;

use super::check::{Check, Class, Direction};

/// Everything that differs between two versions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diff {
    /// The provider.
    pub provider: String,
    /// What the old version is called.
    pub old: String,
    /// What the new version is called.
    pub new: String,
    /// What was compared.
    pub surfaces: Vec<SurfaceInfo>,
    /// What differs, the worst first.
    pub changes: Vec<Change>,
    /// What else is to be known: what could not be compared, and why.
    pub notes: Vec<Note>,
}

/// A surface, or another definition that goes over a wire.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SurfaceInfo {
    /// The id in `sources.toml`, or the name of the definition.
    pub id: String,
    /// `output` or `input`.
    #[serde(serialize_with = "direction")]
    pub direction: Direction,
    /// The definition that it is; for results, the name of their union.
    pub union: String,
    /// How many pairs of definitions it reaches in both versions.
    pub definitions: usize,
}

/// One change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// Stays the same when other things change.
    pub id: String,
    /// What was found.
    pub check: Check,
    /// The worst that it means for anyone.
    pub class: Class,
    /// Which surfaces show it; none: no surface reaches it.
    pub reached: Vec<Reached>,
    /// The definition that it is in.
    pub definition: String,
    /// Where in the definition, with variants.
    pub path: String,
    /// The tag, value, member or keyword that it is about.
    pub subject: Option<String>,
    /// One sentence without a full stop.
    pub message: String,
    /// What the old version says.
    pub before: Option<String>,
    /// What the new version says.
    pub after: Option<String>,
    /// The faces whose schemas show it.
    pub faces: Vec<String>,
    /// Where the old version has it, or what it is in.
    pub old: Option<Location>,
    /// Where the new version has it, or what it is in.
    pub new: Option<Location>,
    /// The id of the change that it may be one rename with.
    pub renamed: Option<String>,
    /// What differs inside.
    pub details: Vec<String>,
    /// Why it was accepted.
    pub accepted: Option<String>,
}

/// How a surface shows a change.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Reached {
    /// The surface.
    pub surface: String,
    /// Which way its values go.
    #[serde(serialize_with = "direction")]
    pub direction: Direction,
    /// What the change means there.
    #[serde(serialize_with = "class")]
    pub class: Class,
    /// The nearest place on the wire.
    pub path: String,
}

/// A place in a vendored file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Location {
    /// The path of the file.
    pub file: String,
    /// The line, counted from one.
    pub line: usize,
    /// JSON pointer in the file.
    pub pointer: String,
}

/// Something to know that is no change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Note {
    /// One sentence without a full stop.
    pub message: String,
    /// Where.
    pub at: Option<Location>,
}

impl Diff {
    /// Whether nothing differs.
    pub fn is_empty(&self) -> bool {
        self.changes.is_empty()
    }

    /// The changes that were not accepted.
    pub fn open(&self) -> impl Iterator<Item = &Change> {
        self.changes
            .iter()
            .filter(|change| change.accepted.is_none())
    }

    /// How many changes of a class there are, accepted ones apart.
    pub fn count(&self, class: Class) -> usize {
        self.open().filter(|change| change.class == class).count()
    }

    /// The worst class, accepted changes apart.
    pub fn worst(&self) -> Option<Class> {
        self.open().map(|change| change.class).min()
    }

    /// The changes that a surface shows.
    pub fn of_surface<'a>(&'a self, surface: &'a str) -> impl Iterator<Item = &'a Change> {
        self.changes
            .iter()
            .filter(move |change| change.reached.iter().any(|it| it.surface == surface))
    }

    /// The tags of variants that were added to or removed from the union that a surface is.
    pub fn variants(&self, surface: &str, check: Check) -> Vec<&str> {
        let union = self
            .surfaces
            .iter()
            .find(|info| info.id == surface)
            .map(|info| info.union.as_str());
        let own = |change: &&Change| {
            let tag = change.subject.as_deref().unwrap_or_default();
            change.check == check
                && Some(change.definition.as_str()) == union
                && change.path == format!("<{tag}>")
        };
        let mut tags: Vec<&str> = self
            .changes
            .iter()
            .filter(own)
            .filter_map(|change| change.subject.as_deref())
            .collect();
        tags.sort_unstable();
        tags
    }
}

fn direction<S: serde::Serializer>(value: &Direction, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(value.as_str())
}

fn class<S: serde::Serializer>(value: &Class, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(value.as_str())
}
