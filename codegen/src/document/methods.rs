//! Messages whose schema leaves the method free: the markers `x-method` and `x-side` of the
//! parameters and of the results say which belong together.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::{Definitions, reference_of, says_nothing};

/// The side of methods that both sides may use.
const BOTH_SIDES: &str = "protocol";

/// What is known of a definition of parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Parameters<'a> {
    /// A marker gives it this method.
    Of(&'a str),
    /// It stands for parameters of any other method.
    Any,
    /// Nothing gives it a method.
    Unmarked,
    /// The document does not define it.
    Undefined,
}

/// Of a request or notification with any method and any of several parameters: the definitions of
/// parameters, by name. Nothing where the schema is no such message, or its parameters have no markers.
pub fn method_parameters<'a>(
    definitions: &Definitions<'a>,
    schema: &Value,
) -> Option<BTreeMap<String, Parameters<'a>>> {
    let members = schema.get("properties")?.as_object()?;
    let method = members.get("method")?;
    let free = method.get("enum").is_none() && method.get("const").is_none();
    if method.get("type")?.as_str()? != "string" || !free {
        return None;
    }
    let named = listed(members.get("params")?)?;
    let named = named.iter().filter_map(reference_of);
    let mut names: BTreeSet<String> = named.map(Cow::into_owned).collect();
    if !names.iter().any(|name| marked(definitions, name).is_some()) {
        return None;
    }
    // A notification has no id; those of both sides are listed at neither.
    if !members.contains_key("id") {
        let side = |name: &str| marked(definitions, name).map(|(_, side)| side);
        let both = definitions
            .keys()
            .filter(|name| side(name) == Some(BOTH_SIDES));
        names.extend(both.cloned());
    }
    let known = |name: &str| match (definitions.get(name), marked(definitions, name)) {
        (None, _) => Parameters::Undefined,
        (Some(_), Some((method, _))) => Parameters::Of(method),
        (Some(entry), None) if says_nothing(entry.schema) => Parameters::Any,
        (Some(_), None) => Parameters::Unmarked,
    };
    let names = names.into_iter().map(|name| {
        let parameters = known(&name);
        (name, parameters)
    });
    Some(names.collect())
}

/// The method and the side that a definition is marked with.
pub fn marked<'a>(definitions: &Definitions<'a>, name: &str) -> Option<(&'a str, &'a str)> {
    let schema = definitions.get(name)?.schema;
    Some((
        schema.get("x-method")?.as_str()?,
        schema.get("x-side")?.as_str()?,
    ))
}

/// The members of a union, which may stand in a union with `null`.
fn listed(schema: &Value) -> Option<&Vec<Value>> {
    let members = schema
        .get("anyOf")
        .or_else(|| schema.get("oneOf"))?
        .as_array()?;
    members.iter().find_map(listed).or(Some(members))
}
