//! The whole way: from the texts of packages to the text of a dump.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use crate::evaluate::Evaluator;
use crate::lower::{self, Lowered};
use crate::modules::{Modules, Texts};
use crate::problem::{Kind, Problem};
use crate::render;
use crate::request::{Package, Request};
use crate::types::Type;

/// A dump and what is to be said about it.
#[derive(Debug)]
pub struct Dump {
    /// The text of the file.
    pub text: String,
    /// How many definitions are of the package itself, and how many of others.
    pub definitions: (usize, usize),
    /// How many files were read.
    pub files: usize,
    /// How many functions were left out.
    pub dropped: usize,
    /// Unions among the roots: how many members they list, and how many variants these are.
    pub unions: BTreeMap<String, (usize, usize)>,
    /// The decisions without which the dump would be another: `undeclared X`, `opaque X`.
    pub decisions: BTreeSet<String>,
}

/// Lowers the roots of a request. The texts are found by name of the package and path in it.
pub fn dump(request: &Request, texts: &dyn Texts) -> Result<Dump, Vec<Problem>> {
    let read = [&request.package]
        .into_iter()
        .chain(&request.externals)
        .map(|package| package.name.clone());
    let aliases = request
        .externals
        .iter()
        .map(|package| (package.name.clone(), package.alias.clone()))
        .collect();
    let undeclared = request.decisions.undeclared.keys().cloned().collect();
    let mut evaluator = Evaluator::new(Modules::new(texts, read.collect()), aliases, undeclared);
    let roots = roots(request, &mut evaluator);
    let lowered = lower::lower(&mut evaluator, &roots, &request.decisions);
    let unions = unions(&mut evaluator, &roots);

    let unreadable = evaluator.modules.unreadable.iter().map(|file| Problem {
        file: file.path.clone(),
        line: file.line,
        within: String::new(),
        kind: Kind::Unreadable(file.message.clone()),
    });
    let problems: Vec<Problem> = unreadable
        .chain(evaluator.problems.iter().cloned())
        .collect();
    if !problems.is_empty() {
        return Err(problems);
    }
    let decided = lowered
        .undeclared
        .iter()
        .map(|name| format!("undeclared {name}"));
    let decisions = decided
        .chain(lowered.opaque.keys().map(|name| format!("opaque {name}")))
        .collect();
    let prefixes: Vec<String> = request
        .externals
        .iter()
        .map(|package| format!("{}.", package.alias))
        .collect();
    let external = |name: &&String| {
        prefixes
            .iter()
            .any(|prefix| name.starts_with(prefix.as_str()))
    };
    let others = lowered.definitions.keys().filter(external).count();
    Ok(Dump {
        text: text(request, &lowered),
        definitions: (lowered.definitions.len() - others, others),
        files: evaluator.modules.count(),
        dropped: lowered.dropped,
        unions,
        decisions,
    })
}

fn roots(request: &Request, evaluator: &mut Evaluator<'_>) -> Vec<(String, Type)> {
    let mut roots = Vec::new();
    for root in &request.roots {
        let path = format!("{}/{}", request.package.name, root.file);
        let Some(module) = evaluator.modules.open(&path) else {
            let kind = Kind::Unreadable("there is no such file".to_owned());
            evaluator.problems.insert(Problem {
                file: path,
                line: 0,
                within: String::new(),
                kind,
            });
            continue;
        };
        for asked in &root.types {
            let name = asked.trim_end_matches("()");
            let names = if name.contains('*') {
                evaluator.modules.like(module, name)
            } else {
                vec![name.to_owned()]
            };
            for name in names {
                let Some(ty) = evaluator.root(module, &name) else {
                    evaluator.report(module, 0, Kind::NoRoot(name));
                    continue;
                };
                if !asked.ends_with("()") {
                    roots.push((name, ty));
                } else if let Some((arguments, result)) = evaluator.call(&ty) {
                    roots.push((format!("{name}.arguments"), arguments));
                    roots.push((format!("{name}.result"), result));
                } else {
                    evaluator.report(
                        module,
                        0,
                        Kind::NoRule(format!("a call of `{name}`, which is no function")),
                    );
                }
            }
        }
    }
    roots
}

fn unions(
    evaluator: &mut Evaluator<'_>,
    roots: &[(String, Type)],
) -> BTreeMap<String, (usize, usize)> {
    let mut found = BTreeMap::new();
    for (name, root) in roots {
        if let Type::Union(members) = evaluator.force(root) {
            found.insert(
                name.clone(),
                (members.len(), evaluator.constituents(root).len()),
            );
        }
    }
    found
}

fn text(request: &Request, lowered: &Lowered) -> String {
    let package = |package: &Package| {
        json!({
            "alias": package.alias,
            "integrity": package.integrity,
            "licence": package.licence,
            "package": package.name,
            "version": package.version,
        })
    };
    let mut externals: Vec<&Package> = request.externals.iter().collect();
    externals.sort_by(|one, two| one.name.cmp(&two.name));
    let mut roots = request.roots.clone();
    roots.sort_by(|one, two| one.file.cmp(&two.file));
    let roots: serde_json::Map<String, Value> = roots
        .into_iter()
        .map(|mut root| {
            root.types.sort();
            (root.file, json!(root.types))
        })
        .collect();
    render::render(&[
        ("package", json!(request.package.name)),
        ("version", json!(request.package.version)),
        ("licence", json!(request.package.licence)),
        ("integrity", json!(request.package.integrity)),
        ("externals", externals.into_iter().map(package).collect()),
        ("roots", Value::Object(roots)),
        ("undeclared", json!(lowered.undeclared)),
        ("opaque", json!(lowered.opaque)),
        ("dropped", json!(lowered.dropped)),
        ("definitions", json!(lowered.definitions)),
    ])
}
