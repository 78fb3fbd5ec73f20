//! The upgrade: a repository with a version more, or without some, as a function from texts to texts.
//!
//! What a person must decide is never decided here: a variant without a row gets a `todo` row, an
//! overlay that does not fit the new version is told. What only follows from a version's coming or
//! going is done: the window, the lock, overlays that still fit, rows and entries without a variant.

mod moved;
mod summary;

use std::collections::{BTreeMap, BTreeSet};

use agentwire_codegen::diagnostics::{Code, Diagnostic};
use agentwire_codegen::inputs::Inputs;
use agentwire_codegen::listing::{Listing, State, listing, tables};
use agentwire_codegen::sources;

use crate::carry::{carry, retire};
use crate::check::check;
use crate::propose::{Proposed, propose};
use crate::vendor::lock::{Lock, Locked};
use crate::vendor::window::{Edited, compare};
pub use moved::{Moved, RemovedRow, Variants};
pub use summary::{Tense, markdown, text};

const SOURCES: &str = "schemas/sources.toml";
const LOCK: &str = "schemas/sources.lock";
const GROUP: &str = "upgrade";

/// Texts by path from the root of the repository.
type Texts = BTreeMap<String, String>;

/// What is to become of one provider.
#[derive(Clone, Debug, Default)]
pub struct Move {
    /// The provider.
    pub provider: String,
    /// The version that comes.
    pub arrival: Option<Arrival>,
    /// The versions that leave the window.
    pub leaving: BTreeSet<String>,
}

/// A version that comes.
#[derive(Clone, Debug, Default)]
pub struct Arrival {
    /// The version.
    pub version: String,
    /// The versions of other packages that go with it.
    pub pins: BTreeMap<String, String>,
    /// Its files by path below the folder of the version, and what the lock is to say; nothing where
    /// it is vendored already.
    pub vendored: Option<(Texts, Locked)>,
}

/// The repository afterwards, and what was done.
#[derive(Debug)]
pub struct Upgraded {
    /// Every text, also those that did not change.
    pub after: Texts,
    /// What became of each provider.
    pub moved: Vec<Moved>,
    /// The rows that were proposed.
    pub proposed: Vec<Proposed>,
    /// Rows to decide, those of earlier runs too.
    pub todo: Vec<Diagnostic>,
    /// What else must be decided before code can be made.
    pub others: Vec<Diagnostic>,
    /// Whether code was made: nothing is left to decide.
    pub complete: bool,
}

/// Makes the moves. Errors leave nothing to write.
pub fn upgrade(
    before: &Texts,
    moves: &[Move],
    sha256: &dyn Fn(&[u8]) -> String,
) -> Result<Upgraded, Vec<Diagnostic>> {
    let listed = listing(&Inputs::from_files(before)?)?;
    let mut after = before.clone();
    let mut moved = Vec::new();
    for it in moves {
        moved.push(apply(&mut after, it)?);
    }
    let leaving = moves.iter().any(|it| !it.leaving.is_empty());
    let inputs = Inputs::from_files(&after)?;
    let mut now = listing(&inputs)?;
    if leaving {
        let removed = remove_rows(&mut after, &listed, &now)?;
        remove_results(&mut after, &listed, &now)?;
        for it in &mut moved {
            it.removed_rows = removed
                .iter()
                .filter(|row| row.provider == it.provider)
                .cloned()
                .collect();
        }
        now = listing(&Inputs::from_files(&after)?)?;
    }
    for it in &mut moved {
        it.compare(&listed, &now);
    }
    let proposal = propose(&Inputs::from_files(&after)?, &now)?;
    after.extend(proposal.files);

    let checked = check(&after, sha256);
    let made = checked.made(&after);
    let wrong = checked.wrong;
    let (unlocked, wrong): (Vec<Diagnostic>, Vec<Diagnostic>) = wrong
        .into_iter()
        .partition(|it| it.code == Code::UnlockedSource);
    if !unlocked.is_empty() {
        return Err(unlocked);
    }
    let (todo, others) = wrong.into_iter().partition(|it| it.code == Code::TodoRow);
    let complete = made.is_some();
    let after = made.unwrap_or(after);
    Ok(Upgraded {
        after,
        moved,
        proposed: proposal.rows,
        todo,
        others,
        complete,
    })
}

/// Moves one provider: window, lock, vendored files and overlays.
fn apply(after: &mut Texts, it: &Move) -> Result<Moved, Vec<Diagnostic>> {
    let provider = it.provider.as_str();
    let text = |path: &str| after.get(path).cloned().unwrap_or_default();
    let (sources_text, lock_text) = (text(SOURCES), text(LOCK));
    let mut edited = Edited::new(&sources_text).map_err(|error| bad(SOURCES, &error.0))?;
    let mut lock = Lock::parse(&lock_text).map_err(|error| bad(LOCK, &error.0))?;
    let window_before = window(&sources_text, provider)?;
    let mut moved = Moved::new(provider, &window_before);
    let locked = lock.0.entry(provider.to_owned()).or_default();

    for version in &it.leaving {
        edited
            .drop_version(provider, version)
            .map_err(|error| bad(SOURCES, &error.0))?;
        locked.remove(version);
        let folder = format!("schemas/{provider}/{version}/");
        after.retain(|path, _| !path.starts_with(&folder));
        if window_before.contains(version) {
            moved.left.push(version.clone());
        }
    }
    if let Some(arrival) = &it.arrival {
        let version = arrival.version.as_str();
        let placed = edited.add_version(provider, version);
        placed.map_err(|error| bad(SOURCES, &error.0))?;
        for (package, pinned) in &arrival.pins {
            let pin = edited.pin(provider, package, version, pinned);
            pin.map_err(|error| bad(SOURCES, &error.0))?;
        }
        if let Some((files, entry)) = &arrival.vendored {
            let folder = format!("schemas/{provider}/{version}/");
            after.retain(|path, _| !path.starts_with(&folder));
            let files = files.iter();
            after.extend(files.map(|(path, text)| (format!("{folder}{path}"), text.clone())));
            locked.insert(version.to_owned(), entry.clone());
        }
        moved.pins.clone_from(&arrival.pins);
        moved.arrive(version, arrival.vendored.is_some());
    }
    if !it.leaving.is_empty() {
        moved.decisions = unneeded(&edited.text(), provider, &lock)?;
        edited.drop_decisions(provider, &moved.decisions);
    }
    let sources = edited.text();
    moved.window = window(&sources, provider)?;
    if moved.window.is_empty() {
        let message = format!("nothing would be left in the window of {provider}");
        return Err(vec![Diagnostic::new(Code::BadSource, GROUP, message).help(
            "drop fewer versions, or remove the provider from schemas/sources.toml by hand",
        )]);
    }
    let rendered = lock.render().map_err(|error| bad(LOCK, &error.0))?;
    if rendered != lock_text {
        after.insert(LOCK.to_owned(), rendered);
    }
    after.insert(SOURCES.to_owned(), sources);

    let retired = retire(after, provider, &it.leaving);
    for (path, text) in retired {
        match text {
            Some(text) => drop(after.insert(path, text)),
            None => {
                after.remove(&path);
                moved.overlays_removed.push(path);
            }
        }
    }
    if let Some(arrival) = &it.arrival
        && moved.arrived.is_some()
    {
        let carried = carry(after, provider, &arrival.version, &moved.window);
        moved.overlays_carried = carried.carried;
        moved.overlays_left = carried.left;
        for (path, text) in carried.files {
            match text {
                Some(text) => drop(after.insert(path, text)),
                None => drop(after.remove(&path)),
            }
        }
    }
    Ok(moved)
}

/// Decisions that no version needs which is left.
fn unneeded(text: &str, provider: &str, lock: &Lock) -> Result<BTreeSet<String>, Vec<Diagnostic>> {
    let listed = sources::provider(text, provider).map_err(|error| bad(SOURCES, &error.0))?;
    let left = lock.0.get(provider).into_iter().flat_map(BTreeMap::values);
    let needed: BTreeSet<&String> = left.flat_map(|version| &version.decisions).collect();
    let decisions = listed.decisions().into_iter();
    Ok(decisions.filter(|it| !needed.contains(it)).collect())
}

/// Removes the rows that have lost their variant, with the comment right above each.
fn remove_rows(
    after: &mut Texts,
    before: &Listing,
    now: &Listing,
) -> Result<Vec<RemovedRow>, Vec<Diagnostic>> {
    let inputs = Inputs::from_files(after)?;
    let model = agentwire_codegen::canonical::read(&inputs.events, &inputs.canonical)?;
    let tables = tables(&inputs, &model);
    let mut removed = Vec::new();
    for surface in &now.surfaces {
        let stale_before: BTreeSet<&str> = before
            .surface(&surface.id)
            .into_iter()
            .flat_map(|surface| &surface.rows)
            .filter(|row| row.state == State::Stale)
            .map(|row| row.tag.as_str())
            .collect();
        let Some(table) = tables.get(&surface.id) else {
            continue;
        };
        let mut text = table.file.text().to_owned();
        for row in surface.rows.iter().rev() {
            if row.state != State::Stale || stale_before.contains(row.tag.as_str()) {
                continue;
            }
            let Some(line) = table.lines.iter().find(|line| line.tag == row.tag) else {
                continue;
            };
            text.replace_range(line.range.clone(), "");
            // What was known of the variant is known before the version went.
            let known = before.surface(&surface.id);
            let known = known.and_then(|it| it.rows.iter().find(|old| old.tag == row.tag));
            removed.push(RemovedRow {
                provider: surface.provider.clone(),
                surface: surface.id.clone(),
                module: surface.module.clone(),
                tag: row.tag.clone(),
                path: surface.path.clone(),
                line: line.span.line_col().line,
                method: known.map_or_else(|| row.method.clone(), |row| row.method.clone()),
            });
        }
        if text != table.file.text() {
            after.insert(surface.path.clone(), text);
        }
    }
    removed.reverse();
    Ok(removed)
}

/// Removes the entries of `results` that have lost their method.
fn remove_results(
    after: &mut Texts,
    before: &Listing,
    now: &Listing,
) -> Result<(), Vec<Diagnostic>> {
    let mut edited = Edited::new(after.get(SOURCES).map_or("", String::as_str))
        .map_err(|error| bad(SOURCES, &error.0))?;
    for stale in &now.stale_results {
        if !before.stale_results.contains(stale) {
            let methods = BTreeSet::from([stale.method.clone()]);
            edited.drop_results(stale.kind, &stale.id, &methods);
        }
    }
    after.insert(SOURCES.to_owned(), edited.text());
    Ok(())
}

fn window(text: &str, provider: &str) -> Result<Vec<String>, Vec<Diagnostic>> {
    sources::provider(text, provider)
        .map(|it| it.versions)
        .map_err(|error| bad(SOURCES, &error.0))
}

fn bad(path: &str, message: &str) -> Vec<Diagnostic> {
    let message = format!("{path}: {}", message.trim_end());
    vec![Diagnostic::new(Code::BadSource, GROUP, message)]
}

/// The version of a window that another one is compared with: the one before it, or else the one after.
pub fn neighbour<'w>(window: &'w [String], version: &str) -> Option<&'w String> {
    let others = || window.iter().filter(|other| *other != version);
    let before = others().filter(|other| compare(other, version).is_lt());
    before
        .max_by(|a, b| compare(a, b))
        .or_else(|| others().min_by(|a, b| compare(a, b)))
}
