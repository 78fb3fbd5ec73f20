//! Variants whose rows are told apart further inside: by a value of a member
//! (`tool_call_update:completed`), by a union that the payload is or holds (`system:init`), or by
//! a flag that is set (`deny+interrupt`).

use std::collections::{BTreeMap, BTreeSet};

use super::members::{Definitions, Member};
use crate::diagnostics::{Code, Diagnostic};
use crate::ir::{Seen, Shape, Type, Variant};
use crate::names;
use crate::plan::{Case, Pick};

/// How deep tag paths may go: a circle of unions would have no end.
const DEEPEST: usize = 8;

/// Puts in the place of each listed member the ones that it is told apart into, and keeps it
/// beside them for what is none of them.
pub fn expand(
    id: &str,
    members: Vec<Member>,
    by: &BTreeMap<String, String>,
    types: &impl Definitions,
) -> Result<Vec<Member>, Vec<Diagnostic>> {
    let mut expanded = Vec::new();
    let mut used = BTreeSet::new();
    let mut errors = Vec::new();
    let mut queue = members;
    while let Some(member) = queue.pop() {
        let Some((tag, wire)) = by.get_key_value(&member.tag) else {
            expanded.push(member);
            continue;
        };
        used.insert(tag);
        match inside(&member, wire, types).filter(|_| member.picks.len() < DEEPEST) {
            Some(Inside { cases, own }) => {
                queue.extend(cases);
                // Its own row is for what has none of the values.
                expanded.extend(own.then_some(member));
            }
            None => {
                let message = format!(
                    "`{tag}` of `{id}` has no member `{wire}` that holds a text enum, a union or a flag, and is no union that `{wire}` picks"
                );
                errors.push(
                    Diagnostic::new(Code::BadSource, id, message)
                        .help("correct `by` in schemas/sources.toml"),
                );
            }
        }
    }
    errors.extend(
        by.iter()
            .filter(|(tag, _)| !used.contains(tag))
            .map(|(tag, member)| {
                let message = format!(
                    "`by` of `{id}` lists `{tag}`, which no version has, for its member `{member}`"
                );
                Diagnostic::new(Code::StaleQuirk, id, message)
                    .help("remove the entry from schemas/sources.toml")
            }),
    );
    if errors.is_empty() {
        expanded.sort_by(|a, b| a.tag.cmp(&b.tag));
        Ok(expanded)
    } else {
        Err(errors)
    }
}

/// What a member is told apart into.
struct Inside {
    cases: Vec<Member>,
    /// Whether something is left for a row of its own.
    own: bool,
}

fn inside(member: &Member, wire: &str, types: &impl Definitions) -> Option<Inside> {
    let Some(Type::Ref(payload)) = member.last_payload() else {
        return None;
    };
    match &types.definition(payload)?.1.shape {
        Shape::Tagged { tag, variants, .. } if tag == wire => Some(Inside {
            cases: variants_of(member, None, payload, variants),
            own: false,
        }),
        Shape::Struct(fields) => {
            let field = fields.get(wire)?;
            let absent = !field.required || field.ty.nullable();
            match field.ty.non_null() {
                Type::Boolean => Some(Inside {
                    cases: vec![member.with(
                        format!("{}+{wire}", member.tag),
                        &field.seen,
                        Pick {
                            member: Some(wire.to_owned()),
                            case: Case::Set,
                        },
                    )],
                    own: true,
                }),
                Type::Ref(name) => {
                    let (name, definition) = types.definition(name)?;
                    match &definition.shape {
                        Shape::Enum(values) => Some(Inside {
                            cases: values_of(member, wire, name, values),
                            own: true,
                        }),
                        Shape::Tagged { variants, .. } => Some(Inside {
                            cases: variants_of(member, Some(wire), name, variants),
                            own: absent,
                        }),
                        Shape::Struct(_)
                        | Shape::External(_)
                        | Shape::Codes(_)
                        | Shape::Untagged(_)
                        | Shape::Alias(_) => None,
                    }
                }
                Type::Integer(_)
                | Type::Float
                | Type::String
                | Type::Json
                | Type::List(_)
                | Type::Map(_)
                | Type::Nullable(_) => None,
            }
        }
        Shape::Tagged { .. }
        | Shape::External(_)
        | Shape::Enum(_)
        | Shape::Codes(_)
        | Shape::Untagged(_)
        | Shape::Alias(_) => None,
    }
}

fn values_of(
    member: &Member,
    wire: &str,
    definition: &str,
    values: &BTreeMap<String, Seen>,
) -> Vec<Member> {
    let texts: Vec<&str> = values.keys().map(String::as_str).collect();
    let named = names::variants(&texts).unwrap_or_default();
    let cases = values.iter().map(|(value, seen)| {
        let pick = Pick {
            member: Some(wire.to_owned()),
            case: Case::Text {
                definition: definition.to_owned(),
                value: named.get(value).cloned().unwrap_or_default(),
            },
        };
        member.with(format!("{}:{value}", member.tag), seen, pick)
    });
    cases.collect()
}

fn variants_of(
    member: &Member,
    wire: Option<&str>,
    definition: &str,
    variants: &BTreeMap<String, Variant>,
) -> Vec<Member> {
    let tags: Vec<&str> = variants.keys().map(String::as_str).collect();
    let named = names::variants(&tags).unwrap_or_default();
    let cases = variants.iter().map(|(tag, variant)| {
        let pick = Pick {
            member: wire.map(str::to_owned),
            case: Case::Variant {
                definition: definition.to_owned(),
                variant: named.get(tag).cloned().unwrap_or_default(),
                payload: variant.payload.clone(),
            },
        };
        let case = member.with(format!("{}:{tag}", member.tag), &variant.seen, pick);
        Member {
            at: variant.at.clone(),
            ..case
        }
    });
    cases.collect()
}

impl Member {
    /// The payload of the innermost union on the way to it.
    fn last_payload(&self) -> Option<&Type> {
        let inner = self.picks.iter().rev().find_map(|pick| match &pick.case {
            Case::Variant { payload, .. } => Some(payload.as_ref()),
            Case::Text { .. } | Case::Set => None,
        });
        inner.unwrap_or(self.payload.as_ref())
    }

    fn with(&self, tag: String, seen: &Seen, pick: Pick) -> Self {
        let picks = self.picks.iter().cloned().chain([pick]).collect();
        Self {
            tag,
            seen: seen.clone(),
            picks,
            ..self.clone()
        }
    }
}
