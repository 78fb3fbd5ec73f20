//! Variants whose rows are told apart by the value of a member: `tool_call_update:completed`.

use std::collections::BTreeMap;

use super::surfaces::{Definitions, Member};
use crate::ir::{Seen, Shape, Type};
use crate::names;
use crate::plan::Pick;
use crate::report::{Code, Diagnostic};

/// Adds a member for each value of the listed members, beside the variant that they belong to.
pub fn expand(
    id: &str,
    members: Vec<Member>,
    by: &BTreeMap<String, String>,
    types: &impl Definitions,
) -> Result<Vec<Member>, Vec<Diagnostic>> {
    let mut expanded = Vec::new();
    for (variant, member) in by {
        if !members.iter().any(|known| known.tag == *variant) {
            let message = format!(
                "`by` of `{id}` lists `{variant}`, which no version has, for its member `{member}`"
            );
            return Err(vec![
                Diagnostic::new(Code::StaleQuirk, id, message)
                    .help("remove the entry from schemas/sources.toml"),
            ]);
        }
    }
    for member in members {
        let Some(wire) = by.get(&member.tag) else {
            expanded.push(member);
            continue;
        };
        let Some((definition, values)) = values_of(&member, wire, types) else {
            let message = format!(
                "`{}` of `{id}` has no member `{wire}` that holds a text enum",
                member.tag
            );
            return Err(vec![
                Diagnostic::new(Code::BadSource, id, message)
                    .help("correct `by` in schemas/sources.toml"),
            ]);
        };
        let texts: Vec<&str> = values.keys().map(String::as_str).collect();
        let named = names::variants(&texts).unwrap_or_default();
        let own = values.iter().map(|(value, seen)| Member {
            tag: format!("{}:{value}", member.tag),
            seen: seen.clone(),
            pick: Some(Pick {
                member: wire.clone(),
                definition: definition.to_owned(),
                value: named.get(value).cloned().unwrap_or_default(),
            }),
            ..member.clone()
        });
        expanded.extend(own.collect::<Vec<_>>());
        expanded.push(member);
    }
    expanded.sort_by(|a, b| a.tag.cmp(&b.tag));
    Ok(expanded)
}

/// The text enum that a member of a variant's payload holds.
fn values_of<'t>(
    member: &Member,
    wire: &str,
    types: &'t impl Definitions,
) -> Option<(&'t str, &'t BTreeMap<String, Seen>)> {
    let Type::Ref(payload) = member.payload.as_ref()? else {
        return None;
    };
    let Shape::Struct(fields) = &types.definition(payload)?.1.shape else {
        return None;
    };
    let Type::Ref(name) = fields.get(wire)?.ty.non_null() else {
        return None;
    };
    let (key, definition) = types.definition(name)?;
    match &definition.shape {
        Shape::Enum(values) => Some((key, values)),
        Shape::Struct(_)
        | Shape::Tagged { .. }
        | Shape::External(_)
        | Shape::Codes(_)
        | Shape::Untagged(_)
        | Shape::Alias(_) => None,
    }
}
