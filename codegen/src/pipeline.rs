//! The pipeline: what is read, in which order it is decided, and what comes out.

mod code_names;
mod echoes;
pub(crate) mod locating;
pub(crate) mod members;
pub(crate) mod picked;
mod projections;
pub(crate) mod schemas;
mod set;
mod summary;
pub(crate) mod surfaces;
mod values;

use std::collections::{BTreeMap, BTreeSet};

use crate::backend;
use crate::canonical::{self, CanonicalModel};
use crate::diagnostics::{Code, Diagnostic};
use crate::frontend::json_schema::{Document, bound_result, lower, lower_shallow};
use crate::inputs::Inputs;
use crate::ir::{Module, Place};
use crate::lifecycle::{self, LifecycleTable};
use crate::merge::merge;
use crate::plan::{Plan, place_types, reach};
use crate::problem::Problem;
use crate::quirks::TYPE_CHANGES;
use crate::result_unions::{Request, add_union, result_names};
use crate::rows::{self, RowTable};
use crate::sources::Sources;
use locating::Locator;
use schemas::Overlays;
pub use summary::{Summary, SurfaceCount};

/// What comes out.
#[derive(Debug)]
pub struct Output {
    /// Every generated file, by path from the root of the repository.
    pub files: BTreeMap<String, String>,
    /// What `schemas/sources.toml` says.
    pub sources: Sources,
    /// The row tables, by the surface that each is of.
    pub tables: BTreeMap<String, RowTable>,
    /// The lifecycle tables, by provider.
    pub lifecycles: BTreeMap<String, LifecycleTable>,
    /// Counts for one short message.
    pub summary: Summary,
}

/// Generates everything, or says all that stands in the way.
pub fn generate(inputs: &Inputs) -> Result<Output, Vec<Diagnostic>> {
    let sources = Sources::read(&inputs.sources)?;
    let model = canonical::read(&inputs.events, &inputs.canonical)?;
    let locator = Locator::new(inputs);
    let mut errors = Vec::new();
    let mut tables = BTreeMap::new();
    for file in &inputs.rows {
        let (table, found) = rows::read(file, &model);
        errors.extend(found);
        tables.extend(table.map(|table| (file.stem().to_owned(), table)));
    }
    let mut lifecycles = BTreeMap::new();
    for file in &inputs.lifecycles {
        match lifecycle::read(file, &sources) {
            Ok(table) => drop(lifecycles.insert(table.provider.clone(), table)),
            Err(found) => errors.extend(found),
        }
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
                .extend(planned.iter().map(SurfaceCount::of_projection));
            files.extend(backend::projection_files(&planned));
        }
        Err(found) => errors.extend(found),
    }
    if !errors.is_empty() {
        return Err(errors);
    }
    if !lifecycles.is_empty() {
        files.extend([backend::lifecycle::file(&lifecycles)]);
    }
    let tables_read = inputs.rows.iter().chain(&inputs.lifecycles);
    let texts = tables_read
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
    Ok(Output {
        files,
        sources,
        tables,
        lifecycles,
        summary,
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
        let (names, found) = result_names(
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
        add_union(&mut module, &name, results);
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
