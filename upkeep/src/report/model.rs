//! What a report holds, gathered from the texts of the repository.

use std::collections::{BTreeMap, BTreeSet};

use agentwire_codegen::canonical;
use agentwire_codegen::diagnostics::Diagnostic;
use agentwire_codegen::inputs::Inputs;
use agentwire_codegen::listing::{ListedSurface, StaleResult, listing_and_wires};
use agentwire_codegen::sources::Sources;

use super::evidence::{Evidence, Transcript, evidence};
use crate::diff::{Diff, Side, compare};

/// Everything that a report tells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Coverage {
    /// The canonical events by name.
    pub events: Vec<String>,
    /// By name.
    pub providers: Vec<CoveredProvider>,
    /// What the recorded streams show.
    pub evidence: Evidence,
    /// Entries of `results` tables that no version needs.
    pub stale_results: Vec<StaleResult>,
    /// What could not be read, so that something may be missing.
    pub problems: Vec<Diagnostic>,
}

/// One provider.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CoveredProvider {
    /// The name.
    pub name: String,
    /// The package that describes its wire.
    pub package: String,
    /// The window, the oldest version first.
    pub versions: Vec<String>,
    /// The faces.
    pub faces: Vec<String>,
    /// Whether `sources.toml` binds surfaces to it; before, it makes no code.
    pub bound: bool,
    /// Whether `sources.toml` says what goes over its wire; before, nothing is compared.
    pub known: bool,
    /// Surfaces, then value surfaces, by id.
    pub surfaces: Vec<ListedSurface>,
    /// Any two versions, or of a single version its faces.
    pub compared: Compared,
}

/// What was compared with each other.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Compared {
    /// What can be chosen, the oldest first.
    pub sides: Vec<String>,
    /// Every older one with every newer one.
    pub pairs: Vec<Pair>,
}

impl Compared {
    /// The name of a side.
    pub(super) fn side(&self, place: usize) -> &str {
        self.sides.get(place).map_or("", String::as_str)
    }
}

/// Two versions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pair {
    /// The older one, by its place among the sides.
    pub old: usize,
    /// The newer one.
    pub new: usize,
    /// What differs; none where that could not be told, which is a problem of the report.
    pub diff: Option<Diff>,
}

/// Gathers a report: from what the generator reads, and from the recorded streams.
pub fn coverage(
    files: &BTreeMap<String, String>,
    transcripts: &BTreeMap<String, String>,
) -> Result<Coverage, Vec<Diagnostic>> {
    let inputs = Inputs::from_files(files)?;
    let read = Sources::read(&inputs.sources)?;
    let model = canonical::read(&inputs.events, &inputs.canonical)?;
    let (listing, wires) = listing_and_wires(&inputs)?;
    let mut problems = listing.problems;
    let mut providers = Vec::new();
    // Of a provider that nothing is said about yet, no side of the wire is known.
    let surfaces = read.surface.values().map(|it| it.provider.as_str());
    let values = read.value.values().map(|it| it.provider.as_str());
    let bound: BTreeSet<&str> = surfaces.chain(values).collect();
    let mut known: BTreeSet<&str> = read.bound().map(|(_, provider)| provider).collect();
    known.extend(read.wire.keys().map(String::as_str));
    for (name, provider) in &read.provider {
        let own = listing.surfaces.iter().filter(|it| it.provider == *name);
        let mut surfaces: Vec<ListedSurface> = own.cloned().collect();
        surfaces.sort_by(|a, b| (a.value, &a.id).cmp(&(b.value, &b.id)));
        providers.push(CoveredProvider {
            name: name.clone(),
            package: provider.package.clone(),
            versions: provider.versions.clone(),
            faces: provider.faces.clone(),
            bound: bound.contains(name.as_str()),
            known: known.contains(name.as_str()),
            surfaces,
            compared: if known.contains(name.as_str()) {
                compared(files, name, &provider.versions, &mut problems)
            } else {
                Compared::default()
            },
        });
    }
    Ok(Coverage {
        events: model.events.into_keys().collect(),
        providers,
        evidence: evidence(&wires, transcripts),
        stale_results: listing.stale_results,
        problems,
    })
}

/// Compares any two versions of a provider; of a single one its faces.
fn compared(
    files: &BTreeMap<String, String>,
    provider: &str,
    versions: &[String],
    problems: &mut Vec<Diagnostic>,
) -> Compared {
    let read = |version: &String| Side::vendored(files, provider, version);
    let mut sides: Vec<Side> = Vec::new();
    for version in versions {
        match read(version) {
            Ok(side) => sides.push(side),
            Err(found) => problems.extend(found),
        }
    }
    if let ([version], [side]) = (versions, sides.as_slice())
        && side.faces().count() > 1
    {
        // Backwards, so that the stable face is the older side.
        let mut faces: Vec<String> = side.faces().map(|it| format!("{version}/{it}")).collect();
        faces.reverse();
        let read: Result<Vec<Side>, _> = faces.iter().map(read).collect();
        match read {
            Ok(faces) => sides = faces,
            Err(found) => problems.extend(found),
        }
    }
    let mut pairs = Vec::new();
    for (new, newer) in sides.iter().enumerate() {
        for (old, older) in sides.iter().enumerate().take(new) {
            let diff = match compare(older, newer) {
                Ok(diff) => Some(diff),
                Err(found) => {
                    problems.extend(found);
                    None
                }
            };
            pairs.push(Pair { old, new, diff });
        }
    }
    Compared {
        sides: sides.iter().map(|it| it.label().to_owned()).collect(),
        pairs,
    }
}

impl Coverage {
    /// All surfaces and value surfaces.
    pub fn surfaces(&self) -> impl Iterator<Item = &ListedSurface> {
        self.providers.iter().flat_map(|it| &it.surfaces)
    }

    /// The streams that show a row: recorded ones first, and of these the newest and shortest.
    pub fn streams(&self, surface: &str, tag: &str) -> impl Iterator<Item = &Transcript> {
        let key = (surface.to_owned(), tag.to_owned());
        let numbers = self.evidence.rows.get(&key).into_iter().flatten();
        let mut streams: Vec<&Transcript> = numbers
            .filter_map(|number| self.evidence.transcripts.get(*number))
            .collect();
        let version = |it: &Transcript| it.name.split('/').nth(1).unwrap_or_default().to_owned();
        streams.sort_by(|a, b| {
            let newest = version(b).cmp(&version(a));
            let place = a.invented.cmp(&b.invented).then(newest);
            place.then((a.lines, &a.name).cmp(&(b.lines, &b.name)))
        });
        streams.into_iter()
    }
}

impl CoveredProvider {
    /// Why there are no rows, where there are none.
    pub fn without_rows(&self) -> Option<&'static str> {
        match (self.surfaces.is_empty(), self.bound) {
            (false, _) => None,
            (true, false) => Some("is vendored and has no row tables yet"),
            (true, true) => Some("could not be listed"),
        }
    }

    /// Why nothing is compared, where nothing is.
    pub fn without_pairs(&self) -> Option<&'static str> {
        match (self.compared.pairs.is_empty(), self.known) {
            (false, _) => None,
            (true, false) => Some("nothing is said of its wire yet"),
            (true, true) if self.compared.sides.len() < self.versions.len() => {
                Some("its versions could not be read")
            }
            (true, true) => Some("one version is vendored, so there is nothing to compare"),
        }
    }
}

impl Compared {
    /// The newest two: what is shown before anyone chooses.
    pub fn newest(&self) -> Option<&Pair> {
        self.pairs.last()
    }
}
