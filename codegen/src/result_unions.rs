//! Unions of results: a reply says no method, so the pending request's method picks its type.

use std::collections::BTreeMap;

use crate::diagnostics::Code;
use crate::ir::{Definition, Module, Place, Shape, Type, Variant};
use crate::problem::Problem;

/// What a union of results is made from.
pub struct Request<'a> {
    /// The name of the union.
    pub name: &'a str,
    /// The union of requests.
    pub requests: &'a str,
    /// Result types that no naming rule finds.
    pub listed: &'a BTreeMap<String, String>,
}

/// The names of the definitions that the results of a union of requests have, by method, as far
/// as a rule finds one; methods without one are reported.
///
/// The rules: the result that upstream marks as bound to the method; else the parameters `XParams`
/// belong to the result `XResponse`.
pub fn result_names(
    module: &Module,
    request: &Request<'_>,
    exists: &dyn Fn(&str) -> bool,
    bound: &dyn Fn(&str) -> Option<String>,
) -> (BTreeMap<String, (String, Variant)>, Vec<Problem>) {
    let Some(Definition {
        shape: Shape::Tagged { variants, .. },
        ..
    }) = module.definitions.get(request.requests)
    else {
        let message = format!("`{}` is no union of requests", request.requests);
        let problem = Problem::new(Code::BadSource, Place::default(), message);
        return (BTreeMap::new(), vec![problem]);
    };
    let mut names = BTreeMap::new();
    let mut problems = Vec::new();
    for (method, variant) in variants {
        let ruled = match variant.payload.as_ref().map(Type::non_null) {
            Some(Type::Ref(params)) => bound(params).or_else(|| {
                params
                    .strip_suffix("Params")
                    .map(|stem| format!("{stem}Response"))
            }),
            _ => None,
        };
        let listed = request.listed.get(method);
        let name = listed.cloned().or(ruled).filter(|name| exists(name));
        match name {
            Some(name) => {
                names.insert(method.clone(), (name, variant.clone()));
            }
            None => {
                let message = match listed {
                    Some(name) => format!(
                        "the result of `{method}` is listed as `{name}`, which no schema defines"
                    ),
                    None => format!("no naming rule finds the result type of `{method}`"),
                };
                problems.push(
                    Problem::new(Code::BadSource, variant.at.clone(), message).help(format!(
                        "name it in schemas/sources.toml, in the `results` table of `{}`",
                        request.name
                    )),
                );
            }
        }
    }
    for method in request
        .listed
        .keys()
        .filter(|method| !variants.contains_key(*method))
    {
        let message = format!(
            "`results` of `{}` lists `{method}`, which no version requests",
            request.name
        );
        problems.push(
            Problem::new(Code::StaleQuirk, Place::default(), message).help("remove the entry"),
        );
    }
    (names, problems)
}

/// Adds the union itself.
pub fn add_union(module: &mut Module, name: &str, results: BTreeMap<String, (String, Variant)>) {
    let mut seen = crate::ir::Seen::default();
    let variants = results
        .into_iter()
        .map(|(method, (result, request))| {
            seen.join(&request.seen);
            (
                method,
                Variant {
                    payload: Some(Type::Ref(result)),
                    tag_inside: false,
                    ..request
                },
            )
        })
        .collect();
    let shape = Shape::Tagged {
        tag: String::from("method"),
        content: Some(String::from("result")),
        common: BTreeMap::new(),
        variants,
    };
    module.definitions.insert(
        name.to_owned(),
        Definition {
            shape,
            seen,
            at: Place::default(),
        },
    );
}
