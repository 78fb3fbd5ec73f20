//! What became of one provider.

use std::collections::{BTreeMap, BTreeSet};

use agentwire_codegen::listing::Listing;

use super::neighbour;

/// What became of one provider.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Moved {
    /// The provider.
    pub provider: String,
    /// The window before.
    pub window_before: Vec<String>,
    /// The window afterwards.
    pub window: Vec<String>,
    /// The version that came into the window, or was there and asked for again.
    pub version: Option<String>,
    /// The version that came into the window.
    pub arrived: Option<String>,
    /// Whether its files were taken from its package by this run.
    pub fetched: bool,
    /// The version that it is compared with.
    pub from: Option<String>,
    /// The versions that left.
    pub left: Vec<String>,
    /// The versions of other packages that go with the new version.
    pub pins: BTreeMap<String, String>,
    /// Overlays that hold for the new version, too.
    pub overlays_carried: Vec<String>,
    /// Overlays that do not fit it, with the reason.
    pub overlays_left: Vec<(String, String)>,
    /// Overlays that are left without a version.
    pub overlays_removed: Vec<String>,
    /// Decisions of `sources.toml` that no version needs any more.
    pub decisions: BTreeSet<String>,
    /// Variants that the version before does not have, by surface.
    pub added: Vec<Variants>,
    /// Variants that the version before has and the new one does not, by surface.
    pub gone: Vec<Variants>,
    /// Variants that only versions had which left, by surface.
    pub lost: Vec<Variants>,
    /// Rows that lost their variant.
    pub removed_rows: Vec<RemovedRow>,
}

/// Variants of one surface.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variants {
    /// The surface.
    pub surface: String,
    /// The tags, sorted.
    pub tags: Vec<String>,
}

/// A row that lost its variant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RemovedRow {
    /// The provider.
    pub provider: String,
    /// The surface.
    pub surface: String,
    /// The module of generated code; none of a value surface, whose rows have no code by hand.
    pub module: Option<String>,
    /// The tag.
    pub tag: String,
    /// The table.
    pub path: String,
    /// The line that the row had.
    pub line: usize,
    /// The method of the mapping that was written for it.
    pub method: String,
}

impl Moved {
    pub(super) fn new(provider: &str, window: &[String]) -> Self {
        Self {
            provider: provider.to_owned(),
            window_before: window.to_vec(),
            ..Self::default()
        }
    }

    pub(super) fn arrive(&mut self, version: &str, fetched: bool) {
        self.version = Some(version.to_owned());
        self.fetched = fetched;
        if !self.window_before.iter().any(|known| known == version) {
            self.arrived = Some(version.to_owned());
        }
        self.from = neighbour(&self.window_before, version).cloned();
    }

    /// Whether anything came or went.
    pub fn is_move(&self) -> bool {
        self.arrived.is_some() || self.fetched || !self.left.is_empty()
    }

    /// Compares the versions by their variants, on the surfaces themselves.
    pub(super) fn compare(&mut self, before: &Listing, now: &Listing) {
        if let (Some(version), Some(from)) = (&self.arrived, &self.from) {
            let has = |versions: &[String], one: &String| versions.contains(one);
            self.added = select(now, &self.provider, |versions| {
                has(versions, version) && !has(versions, from)
            });
            self.gone = select(now, &self.provider, |versions| {
                has(versions, from) && !has(versions, version)
            });
        }
        if !self.left.is_empty() {
            self.lost = select(before, &self.provider, |versions| {
                versions.iter().all(|version| self.left.contains(version))
            });
        }
    }
}

/// The tags of a provider whose versions pass, by surface.
fn select(listing: &Listing, provider: &str, pass: impl Fn(&[String]) -> bool) -> Vec<Variants> {
    let surfaces = listing.surfaces.iter();
    surfaces
        .filter(|surface| surface.provider == provider)
        .filter_map(|surface| {
            let tags: Vec<String> = surface
                .rows
                .iter()
                .filter(|row| !row.versions.is_empty() && pass(&row.versions))
                .map(|row| row.tag.clone())
                .collect();
            (!tags.is_empty()).then(|| Variants {
                surface: surface.id.clone(),
                tags,
            })
        })
        .collect()
}
