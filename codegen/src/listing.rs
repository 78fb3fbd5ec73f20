//! The listing: every variant with its row, and what is still missing, also where code can't be made.
//!
//! `generate` stops a provider at the first stage that finds something wrong. Who upgrades needs to
//! know which rows are missing all the same, so the listing goes on with what can be read.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::canonical::{self, CanonicalModel};
use crate::diagnostics::{Code, Diagnostic};
use crate::frontend::json_schema::{bound_result, lower_partly};
use crate::inputs::{Inputs, ROW_TABLES};
use crate::ir::{Face, Module, Seen, Variant};
use crate::join::{kin, like};
use crate::merge::merge_partly;
use crate::names;
use crate::pipeline::locating::Locator;
use crate::pipeline::members::{Member, members};
use crate::pipeline::picked::expand;
use crate::pipeline::{schemas, surfaces};
use crate::problem::Problem;
use crate::result_unions::result_names;
use crate::rows::{self, Row, RowTable, Verb};
use crate::source::SourceFile;
use crate::sources::{Provider, Sources};
use crate::wires::Wires;

/// Every surface with its rows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Listing {
    /// Surfaces and value surfaces of all providers, by id.
    pub surfaces: Vec<ListedSurface>,
    /// Entries of `results` tables whose method no version requests.
    pub stale_results: Vec<StaleResult>,
    /// What could not be read on the way, so that rows may be missing here.
    pub problems: Vec<Diagnostic>,
}

/// An entry of a `results` table in `sources.toml` that no version needs.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct StaleResult {
    /// The kind of table: `surface` or `union`.
    pub kind: &'static str,
    /// The id of the surface or union.
    pub id: String,
    /// The method.
    pub method: String,
}

/// One surface or value surface.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedSurface {
    /// The id.
    pub id: String,
    /// The provider.
    pub provider: String,
    /// Whether it is a value surface.
    pub value: bool,
    /// The module of the generated code; none of a value surface.
    pub module: Option<String>,
    /// The row table, from the root of the repository, whether or not it is there.
    pub path: String,
    /// The canonical enum that the table names as its target.
    pub target: Option<String>,
    /// Sorted by tag.
    pub rows: Vec<ListedRow>,
}

/// A variant with its row, or one of the two without the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedRow {
    /// The tag.
    pub tag: String,
    /// What is known of its row.
    pub state: State,
    /// The canonical events, or members of the target, that the row names.
    pub events: Vec<String>,
    /// The note, the reason of a drop, or the question of a todo.
    pub text: Option<String>,
    /// The versions that have the variant, oldest first.
    pub versions: Vec<String>,
    /// Whether only experimental schemas have it.
    pub experimental: bool,
    /// The line of the row in its table.
    pub line: Option<usize>,
    /// Where the newest version that has the variant declares it: file and line.
    pub declared: Option<(String, usize)>,
    /// The tag of a decided row that looks most like this one, where it is undecided.
    pub like: Option<String>,
    /// What the generator calls the row: the method of a surface's mapping.
    pub method: String,
}

/// What is known of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum State {
    /// It names one event that has the name of the tag.
    Keep,
    /// It names one event.
    Rename,
    /// It names several events.
    Split,
    /// It drops the variant.
    Drop,
    /// It is there and asks.
    Todo,
    /// It is there and can't be read.
    Unreadable,
    /// No row is there.
    Missing,
    /// No vendored version has its variant.
    Stale,
}

impl State {
    /// The word for it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Keep => "keep",
            Self::Rename => "rename",
            Self::Split => "split",
            Self::Drop => "drop",
            Self::Todo => "todo",
            Self::Unreadable => "unreadable",
            Self::Missing => "missing",
            Self::Stale => "stale",
        }
    }

    /// Whether somebody must still decide something.
    pub const fn is_open(self) -> bool {
        matches!(
            self,
            Self::Todo | Self::Unreadable | Self::Missing | Self::Stale
        )
    }
}

impl ListedRow {
    /// The face: `experimental` where only experimental schemas have the variant.
    pub const fn face(&self) -> &'static str {
        if self.experimental {
            "experimental"
        } else {
            "stable"
        }
    }
}

impl Listing {
    /// One surface.
    pub fn surface(&self, id: &str) -> Option<&ListedSurface> {
        self.surfaces.iter().find(|surface| surface.id == id)
    }

    /// The rows in some state, each with its surface.
    pub fn in_state(&self, state: State) -> impl Iterator<Item = (&ListedSurface, &ListedRow)> {
        self.surfaces.iter().flat_map(move |surface| {
            let rows = surface.rows.iter().filter(move |row| row.state == state);
            rows.map(move |row| (surface, row))
        })
    }
}

/// Lists every variant and every row. Errors are what leaves nothing to list at all.
pub fn listing(inputs: &Inputs) -> Result<Listing, Vec<Diagnostic>> {
    Ok(listing_and_wires(inputs)?.0)
}

/// The listing, and what it was made from: the types of each provider's wires.
pub fn listing_and_wires(inputs: &Inputs) -> Result<(Listing, Vec<Wires>), Vec<Diagnostic>> {
    let mut wires = Vec::new();
    let sources = Sources::read(&inputs.sources)?;
    let model = canonical::read(&inputs.events, &inputs.canonical)?;
    let locator = Locator::new(inputs);
    let mut listing = Listing::default();
    let (tables, unreadable) = read_tables(inputs, &model);
    listing.problems.extend(unreadable);
    let there: BTreeSet<&str> = inputs.rows.iter().map(SourceFile::stem).collect();
    let (overlays, found) = schemas::overlays(inputs, &sources, &locator);
    listing
        .problems
        .extend(locator.diagnostics("overlays", found));
    let bound: BTreeSet<&str> = sources.bound().map(|(_, provider)| provider).collect();
    for (provider, listed) in &sources.provider {
        if !bound.contains(provider.as_str()) {
            continue;
        }
        let (values, wrong) = schemas::parse_partly(inputs, provider, listed, &overlays);
        // A decision that decides nothing hides no variant; what can't be read does.
        let readable = wrong.iter().all(|it| it.code == Code::StaleQuirk);
        let read = if readable {
            let stale = locator.diagnostics(provider, wrong);
            listing.problems.extend(stale);
            modules(inputs, &sources, provider, listed, &values)
        } else {
            Err(wrong)
        };
        match read {
            Ok(read) => {
                listing
                    .problems
                    .extend(locator.diagnostics(provider, read.problems));
                let reading = Reading {
                    sources: &sources,
                    provider,
                    window: &listed.versions,
                    requests: &read.requests,
                    module: &read.module,
                    tables: &tables,
                    there: &there,
                    locator: &locator,
                };
                listing.surfaces.extend(reading.surfaces());
                listing.stale_results.extend(reading.stale_results());
                wires.push(Wires::new(&sources, provider, read.module, read.results));
            }
            Err(problems) => listing
                .problems
                .extend(locator.diagnostics(provider, problems)),
        }
    }
    listing.surfaces.sort_by(|a, b| a.id.cmp(&b.id));
    Ok((listing, wires))
}

/// What can be read of a provider.
struct Read {
    /// The unions of requests.
    requests: Module,
    /// Everything that the surfaces reach.
    module: Module,
    /// The definitions of results by the union that they make, and by method.
    results: BTreeMap<String, BTreeMap<String, (String, Variant)>>,
    problems: Vec<Problem>,
}

/// The unions of requests, and everything that the surfaces reach, as far as it can be lowered.
fn modules(
    inputs: &Inputs,
    sources: &Sources,
    provider: &str,
    listed: &Provider,
    values: &BTreeMap<usize, Value>,
) -> Result<Read, Vec<Problem>> {
    let documents = schemas::documents(inputs, provider, listed, values)?;
    let mut problems = Vec::new();
    let mut lowered = |roots: &BTreeSet<String>, follow: bool| {
        let mut modules = Vec::new();
        for document in &documents {
            let (module, found) = lower_partly(document, roots, follow);
            modules.push(module);
            problems.extend(found);
        }
        let (module, found) = merge_partly(provider, modules, &mut BTreeSet::new());
        problems.extend(found);
        module
    };
    let asked = surfaces::requests(sources, provider);
    let requests = lowered(
        &asked.iter().map(|it| it.requests.to_owned()).collect(),
        false,
    );
    let mut roots = surfaces::roots(sources, provider);
    let mut unnamed = Vec::new();
    let mut results = BTreeMap::new();
    for request in &asked {
        let defined = |name: &str| {
            let mut documents = documents.iter();
            documents.any(|document| document.definitions.contains_key(name))
        };
        let (names, found) = result_names(&requests, request, &defined, &|params| {
            bound_result(&documents, params)
        });
        roots.extend(names.values().map(|(name, _)| name.clone()));
        results.insert(request.name.to_owned(), names);
        // An entry without a method is listed by itself.
        unnamed.extend(found.into_iter().filter(|it| it.code != Code::StaleQuirk));
    }
    let module = lowered(&roots, true);
    problems.extend(unnamed);
    Ok(Read {
        requests,
        module,
        results,
        problems,
    })
}

/// The row tables that can be read, by surface. What is wrong with them is for `generate` to say.
pub fn tables(inputs: &Inputs, model: &CanonicalModel) -> BTreeMap<String, RowTable> {
    read_tables(inputs, model).0
}

/// The row tables that can be read, by surface, and why the others can't.
fn read_tables(
    inputs: &Inputs,
    model: &CanonicalModel,
) -> (BTreeMap<String, RowTable>, Vec<Diagnostic>) {
    let mut tables = BTreeMap::new();
    let mut problems = Vec::new();
    for file in &inputs.rows {
        match rows::read(file, model) {
            (Some(table), _) => drop(tables.insert(file.stem().to_owned(), table)),
            (None, errors) => problems.extend(errors),
        }
    }
    (tables, problems)
}

/// One provider while its surfaces are listed.
struct Reading<'r> {
    sources: &'r Sources,
    provider: &'r str,
    window: &'r [String],
    /// The unions of requests, for the surfaces of their results.
    requests: &'r Module,
    module: &'r Module,
    tables: &'r BTreeMap<String, RowTable>,
    /// The surfaces that have a table, be it one that can't be read.
    there: &'r BTreeSet<&'r str>,
    locator: &'r Locator<'r>,
}

impl Reading<'_> {
    fn surfaces(&self) -> Vec<ListedSurface> {
        let own = |provider: &str| provider == self.provider;
        let surfaces = self
            .sources
            .surface
            .iter()
            .filter(|(_, surface)| own(&surface.provider))
            .filter_map(|(id, surface)| {
                // A union of results has the methods of the requests, whatever they answer with.
                let all = match &surface.results_of {
                    Some(requests) => members_of(self.requests, requests)?,
                    None => members_of(self.module, &surface.union)?,
                };
                let members = expand(id, all.clone(), &surface.by, self.module).unwrap_or(all);
                Some(self.surface(id, Some(surface.module.as_str()), &members))
            });
        let values = self
            .sources
            .value
            .iter()
            .filter(|(_, value)| own(&value.provider))
            .filter_map(|(id, value)| match &value.ty {
                Some(definition) => {
                    Some(self.surface(id, None, &members_of(self.module, definition)?))
                }
                None => Some(self.texts(id)),
            });
        surfaces.chain(values).collect()
    }

    fn stale_results(&self) -> Vec<StaleResult> {
        let surfaces = self.sources.surface.iter();
        let surfaces = surfaces.map(|(id, it)| {
            (
                "surface",
                id,
                &it.provider,
                it.results_of.as_ref(),
                &it.results,
            )
        });
        let unions = self.sources.union.iter();
        let unions = unions.map(|(id, it)| {
            (
                "union",
                id,
                &it.provider,
                it.results_of.as_ref(),
                &it.results,
            )
        });
        surfaces
            .chain(unions)
            .filter(|(_, _, provider, _, _)| *provider == self.provider)
            .filter_map(|(kind, id, _, requests, results)| {
                let requested = members(self.requests, requests?)?;
                let requested: BTreeSet<String> =
                    requested.into_iter().map(|member| member.tag).collect();
                let stale = results.keys().filter(move |it| !requested.contains(*it));
                Some(stale.map(move |method| StaleResult {
                    kind,
                    id: id.clone(),
                    method: method.clone(),
                }))
            })
            .flatten()
            .collect()
    }

    /// A value surface of texts that no schema lists, so that each row speaks for itself.
    fn texts(&self, id: &str) -> ListedSurface {
        let table = self.tables.get(id);
        let lines = table.into_iter().flat_map(|table| &table.lines);
        let rows = lines.map(|line| {
            let method = names::field(&names::variant(&line.tag));
            row(table, &line.tag, State::Unreadable, method)
        });
        let rows = rows.collect();
        ListedSurface {
            rows,
            ..self.surface(id, None, &[])
        }
    }

    fn surface(&self, id: &str, module: Option<&str>, members: &[Member]) -> ListedSurface {
        let table = self.tables.get(id);
        let tags: Vec<&str> = members.iter().map(|member| &*member.tag).collect();
        let named = names::variants(&tags).unwrap_or_default();
        let method = |tag: &str| {
            let variant = named
                .get(tag)
                .cloned()
                .unwrap_or_else(|| names::variant(tag));
            names::field(&variant)
        };
        // What a table says that can't be read is not known, and nothing is missing from it.
        let without = if table.is_none() && self.there.contains(id) {
            State::Unreadable
        } else {
            State::Missing
        };
        let mut rows: Vec<ListedRow> = members
            .iter()
            .map(|member| {
                let span = self.locator.span(&member.at);
                ListedRow {
                    versions: versions(&member.seen, self.window),
                    experimental: member
                        .seen
                        .0
                        .values()
                        .all(|face| *face == Face::Experimental),
                    declared: Some((span.file.path().to_owned(), span.line_col().line)),
                    ..row(table, &member.tag, without, method(&member.tag))
                }
            })
            .collect();
        let known: BTreeSet<&str> = tags.into_iter().collect();
        let lines = table.into_iter().flat_map(|table| &table.lines);
        rows.extend(
            lines
                .filter(|line| !known.contains(&*line.tag))
                .map(|line| ListedRow {
                    state: State::Stale,
                    ..row(table, &line.tag, State::Stale, method(&line.tag))
                }),
        );
        rows.sort_by(|a, b| a.tag.cmp(&b.tag));
        ListedSurface {
            id: id.to_owned(),
            provider: self.provider.to_owned(),
            value: module.is_none(),
            module: module.map(str::to_owned),
            path: format!("{ROW_TABLES}/{id}.toml"),
            target: table.and_then(|table| table.target.clone()),
            rows,
        }
    }
}

/// The members of a union or enum. One that no version has is without any; nothing is known of one that
/// is there in another form.
fn members_of(module: &Module, name: &str) -> Option<Vec<Member>> {
    if module.definitions.contains_key(name) {
        members(module, name)
    } else {
        Some(Vec::new())
    }
}

/// What the table says of a tag; `otherwise` where it has no line.
fn row(table: Option<&RowTable>, tag: &str, otherwise: State, method: String) -> ListedRow {
    let line = table.and_then(|table| table.lines.iter().find(|line| line.tag == tag));
    let decided = table.and_then(|table| table.row(tag));
    let (state, text) = match decided {
        None if line.is_some() => (State::Unreadable, None),
        None => (otherwise, None),
        Some(row) => match &row.verb {
            Verb::Keep(_) => (State::Keep, said(row)),
            Verb::Rename(_) => (State::Rename, said(row)),
            Verb::Split(_) => (State::Split, row.note.clone()),
            Verb::Drop(reason) => (State::Drop, Some(reason.value.clone())),
            Verb::Todo(question) => (State::Todo, Some(question.value.clone())),
        },
    };
    let near = match state {
        State::Missing | State::Todo => {
            table.and_then(|table| like(table, tag).or_else(|| kin(table, tag)))
        }
        State::Keep
        | State::Rename
        | State::Split
        | State::Drop
        | State::Unreadable
        | State::Stale => None,
    };
    ListedRow {
        tag: tag.to_owned(),
        state,
        events: decided
            .map(|row| row.verb.events())
            .unwrap_or_default()
            .iter()
            .map(|event| event.wire.clone())
            .collect(),
        text,
        versions: Vec::new(),
        experimental: false,
        line: line.map(|line| line.span.line_col().line),
        declared: None,
        like: near.map(|row| row.tag.clone()),
        method,
    }
}

/// What a row says about its event, with its note.
fn said(row: &Row) -> Option<String> {
    let set = row.set.as_ref().map(|set| {
        let text = set
            .span
            .text()
            .trim_start_matches('{')
            .trim_end_matches('}');
        text.trim()
    });
    match (set.filter(|text| !text.is_empty()), &row.note) {
        (Some(set), Some(note)) => Some(format!("{set}; {note}")),
        (Some(set), None) => Some(set.to_owned()),
        (None, note) => note.clone(),
    }
}

fn versions(seen: &Seen, window: &[String]) -> Vec<String> {
    let indices = seen.0.keys();
    indices
        .filter_map(|index| window.get(*index).cloned())
        .collect()
}
