//! The pipeline: what is read, in which order it is decided, and what comes out.

mod code_names;
mod echoes;
pub(crate) mod listing;
mod locating;
mod picked;
mod projections;
mod schemas;
mod surfaces;
mod values;
pub(crate) mod wires;

use std::collections::{BTreeMap, BTreeSet};

use crate::backend;
use crate::canonical::{self, CanonicalModel};
use crate::docs;
use crate::frontend::json_schema::{Document, bound_result, lower, lower_shallow};
use crate::inputs::Inputs;
use crate::ir::{Module, Place};
use crate::merge::merge;
use crate::plan::{Plan, place_types, reach};
use crate::problem::Problem;
use crate::quirks::TYPE_CHANGES;
use crate::report::{Code, Diagnostic};
use crate::results::{self, Request};
use crate::rows::{self, RowTable};
use crate::source::SourceFile;
use crate::sources::Sources;
use locating::Locator;
use schemas::Overlays;

/// What comes out.
#[derive(Debug)]
pub struct Output {
    /// Every generated file, by path from the root of the repository.
    pub files: BTreeMap<String, String>,
    /// Every page that is made from the tables, by path from the root of the repository.
    pub pages: BTreeMap<String, String>,
    /// Counts for one short message.
    pub summary: Summary,
}

/// Counts of one run.
#[derive(Debug, Default)]
pub struct Summary {
    /// Surfaces and value surfaces with their rows.
    pub surfaces: Vec<SurfaceCount>,
    /// Types written, by provider.
    pub types: BTreeMap<String, usize>,
    /// Versions read, by provider.
    pub versions: BTreeMap<String, Vec<String>>,
}

/// One surface in the summary.
#[derive(Debug)]
pub struct SurfaceCount {
    /// The id.
    pub id: String,
    /// Whether it is a value surface.
    pub value: bool,
    /// All rows.
    pub rows: usize,
    /// Rows that drop.
    pub drops: usize,
}

/// Generates everything, or says all that stands in the way.
pub fn generate(inputs: &Inputs) -> Result<Output, Vec<Diagnostic>> {
    let sources = read_sources(&inputs.sources)?;
    let model = canonical::read(&inputs.events, &inputs.canonical)?;
    let locator = Locator::new(inputs);
    let mut errors = Vec::new();
    let mut tables = BTreeMap::new();
    for file in &inputs.rows {
        let (table, found) = rows::read(file, &model);
        errors.extend(found);
        tables.extend(table.map(|table| (file.stem().to_owned(), table)));
    }
    errors.extend(surfaces::unbound_tables(&sources, &inputs.rows));
    errors.extend(surfaces::unknown_providers(&sources));
    let (overlays, found) = schemas::overlays(inputs, &sources, &locator);
    errors.extend(locator.diagnostics("overlays", found));
    let mut files = BTreeMap::new();
    let mut summary = Summary::default();
    // A provider that no surface is bound to is vendored, and makes no code yet.
    let bound: BTreeSet<&str> = sources.bound().map(|(_, provider)| provider).collect();
    for provider in sources
        .provider
        .keys()
        .filter(|provider| bound.contains(provider.as_str()))
    {
        match provider_plan(
            inputs, &sources, provider, &overlays, &tables, &model, &locator,
        ) {
            Ok(plan) => {
                summary.add(&plan);
                files.extend(backend::files(&plan));
            }
            Err(found) => errors.extend(found),
        }
    }
    match projections::join_all(&tables, &model) {
        Ok(planned) => {
            summary
                .surfaces
                .extend(planned.iter().map(|projection| projection.count()));
            files.extend(backend::projection_files(&planned));
        }
        Err(found) => errors.extend(found),
    }
    if !errors.is_empty() {
        return Err(errors);
    }
    let texts = inputs
        .rows
        .iter()
        .map(|file| (file.path().to_owned(), file.text().to_owned()))
        .collect();
    files.insert(
        format!("{}/seal.rs", backend::FOLDER),
        backend::seal(&texts),
    );
    let broken = backend::broken(&files);
    if !broken.is_empty() {
        return Err(broken);
    }
    let pages = docs::pages(inputs.sources.text(), &sources, &tables);
    Ok(Output {
        files,
        pages,
        summary,
    })
}

pub(crate) fn read_sources(file: &SourceFile) -> Result<Sources, Vec<Diagnostic>> {
    Sources::parse(file.text()).map_err(|error| {
        let span = file.span(error.span().unwrap_or(0..0));
        vec![
            Diagnostic::new(Code::BadSource, "sources", error.message().to_owned())
                .at(span, "here"),
        ]
    })
}

fn provider_plan(
    inputs: &Inputs,
    sources: &Sources,
    provider: &str,
    overlays: &Overlays,
    tables: &BTreeMap<String, RowTable>,
    model: &CanonicalModel,
    locator: &Locator<'_>,
) -> Result<Plan, Vec<Diagnostic>> {
    let located = |problems: Vec<Problem>| locator.diagnostics(provider, problems);
    let Some(listed) = sources.provider.get(provider) else {
        return Err(Vec::new());
    };
    let window = listed.versions.clone();
    let values = schemas::parse(inputs, provider, listed, overlays).map_err(located)?;
    let documents = schemas::documents(inputs, provider, listed, &values).map_err(located)?;
    let defined: BTreeSet<&str> = documents
        .iter()
        .flat_map(|document| document.definitions.keys().map(String::as_str))
        .collect();

    // The unions of requests tell which results there are, before anything they reach is lowered.
    let requests: Vec<Request<'_>> = surfaces::requests(sources, provider);
    let request_roots: BTreeSet<String> = requests
        .iter()
        .map(|request| request.requests.to_owned())
        .collect();
    let mut used = BTreeSet::new();
    let shallow = lower_all(
        provider,
        &documents,
        &request_roots,
        lower_shallow,
        &mut used,
    )
    .map_err(located)?;
    let mut result_unions = BTreeMap::new();
    let mut problems = Vec::new();
    for request in &requests {
        let (names, found) = results::result_names(
            &shallow,
            request,
            &|name| defined.contains(name),
            &|params| bound_result(&documents, params),
        );
        result_unions.insert(request.name.to_owned(), names);
        problems.extend(found);
    }
    if !problems.is_empty() {
        return Err(located(problems));
    }

    let mut roots = surfaces::roots(sources, provider);
    roots.extend(
        result_unions
            .values()
            .flatten()
            .map(|(_, (name, _))| name.clone()),
    );
    let mut module = lower_all(provider, &documents, &roots, lower, &mut used).map_err(located)?;
    let stale = located(stale_quirks(provider, &used));
    let result_names: BTreeSet<String> = result_unions.keys().cloned().collect();
    for (name, results) in result_unions {
        results::add_union(&mut module, &name, results);
    }
    let owners = surfaces::owners(sources, provider);
    let kept: BTreeSet<String> = owners
        .values()
        .flat_map(|roots| reach(&module, roots))
        .collect();
    module.definitions.retain(|name, _| kept.contains(name));
    let types = place_types(module, &owners, &result_names).map_err(located)?;
    let joined = surfaces::join_all(sources, provider, &types, &window, tables, model, locator);
    let (surfaces, mut values) = match joined {
        Ok(joined) if stale.is_empty() => joined,
        Ok(_) => return Err(stale),
        Err(found) => return Err(stale.into_iter().chain(found).collect()),
    };
    let code_names = code_names::named(sources, provider, &types, &mut values)?;
    Ok(Plan {
        provider: provider.to_owned(),
        window,
        types,
        surfaces,
        values,
        code_names,
    })
}

type Lower = fn(&Document<'_>, &BTreeSet<String>) -> Result<Module, Vec<Problem>>;

fn lower_all(
    provider: &str,
    documents: &[Document<'_>],
    roots: &BTreeSet<String>,
    lower: Lower,
    used: &mut BTreeSet<usize>,
) -> Result<Module, Vec<Problem>> {
    let mut modules = Vec::new();
    let mut problems = Vec::new();
    for document in documents {
        match lower(document, roots) {
            Ok(module) => modules.push(module),
            Err(found) => problems.extend(found),
        }
    }
    if problems.is_empty() {
        merge(provider, modules, used)
    } else {
        Err(problems)
    }
}

/// Quirks of the provider that decided nothing.
fn stale_quirks(provider: &str, used: &BTreeSet<usize>) -> Vec<Problem> {
    let all = TYPE_CHANGES.iter().enumerate();
    let unused = all.filter(|(index, quirk)| quirk.provider == provider && !used.contains(index));
    unused
        .map(|(_, quirk)| {
            let message = format!(
                "the quirk for `{}.{}` ({}) decides nothing any more",
                quirk.definition, quirk.member, quirk.what
            );
            Problem::new(Code::StaleQuirk, Place::default(), message)
                .help("remove its entry from `TYPE_CHANGES` in codegen/src/quirks.rs")
        })
        .collect()
}

impl Summary {
    fn add(&mut self, plan: &Plan) {
        self.types.insert(plan.provider.clone(), plan.types.len());
        self.versions
            .insert(plan.provider.clone(), plan.window.clone());
        for surface in &plan.surfaces {
            let drops = surface
                .rows
                .iter()
                .filter(|row| matches!(row.row.verb, rows::Verb::Drop(_)))
                .count();
            self.surfaces.push(SurfaceCount {
                id: surface.id.clone(),
                value: false,
                rows: surface.rows.len(),
                drops,
            });
        }
        for value in &plan.values {
            let drops = value
                .members
                .iter()
                .filter(|member| member.target.is_none())
                .count();
            self.surfaces.push(SurfaceCount {
                id: value.id.clone(),
                value: true,
                rows: value.members.len(),
                drops,
            });
        }
    }
}
