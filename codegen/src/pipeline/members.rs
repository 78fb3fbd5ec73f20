//! The members of unions and enums: what needs a row each, and the join with the rows.

use std::collections::BTreeMap;

use super::locating::Locator;
use crate::diagnostics::{Code, Diagnostic};
use crate::inputs::ROW_TABLES;
use crate::ir::{Definition, Module, Place, Seen, Shape, Type, Variant};
use crate::join::{VariantFact, join};
use crate::names;
use crate::plan::{Pick, PlannedRow, PlannedType};
use crate::rows::RowTable;

/// A variant, or one value of a member of a variant, which needs a row.
#[derive(Clone)]
pub struct Member {
    pub tag: String,
    /// The tag of the variant itself.
    pub variant: String,
    pub payload: Option<Type>,
    pub seen: Seen,
    pub at: Place,
    pub picks: Vec<Pick>,
}

/// Definitions by name, wherever they are kept.
pub trait Definitions {
    /// A definition, with the name that it is kept by.
    fn definition(&self, name: &str) -> Option<(&str, &Definition)>;
}

impl Definitions for BTreeMap<String, PlannedType> {
    fn definition(&self, name: &str) -> Option<(&str, &Definition)> {
        let (name, planned) = self.get_key_value(name)?;
        Some((name, &planned.definition))
    }
}

impl Definitions for Module {
    fn definition(&self, name: &str) -> Option<(&str, &Definition)> {
        let (name, definition) = self.definitions.get_key_value(name)?;
        Some((name, definition))
    }
}

/// The members of a union or of a text enum.
pub fn members(types: &impl Definitions, name: &str) -> Option<Vec<Member>> {
    let (_, definition) = types.definition(name)?;
    let from_variants = |variants: &BTreeMap<String, Variant>| {
        variants
            .iter()
            .map(|(tag, variant)| Member {
                tag: tag.clone(),
                variant: tag.clone(),
                payload: variant.payload.clone(),
                seen: variant.seen.clone(),
                at: variant.at.clone(),
                picks: Vec::new(),
            })
            .collect()
    };
    let plain = |tag: String, seen: &Seen| Member {
        variant: tag.clone(),
        tag,
        payload: None,
        seen: seen.clone(),
        at: definition.at.clone(),
        picks: Vec::new(),
    };
    match &definition.shape {
        Shape::Tagged { variants, .. } | Shape::External(variants) => Some(from_variants(variants)),
        Shape::Enum(values) => Some(
            values
                .iter()
                .map(|(value, seen)| plain(value.clone(), seen))
                .collect(),
        ),
        Shape::Codes(values) => Some(
            values
                .iter()
                .map(|(value, seen)| plain(value.to_string(), seen))
                .collect(),
        ),
        Shape::Struct(_) | Shape::Untagged(_) | Shape::Alias(_) => None,
    }
}

pub fn joined(
    id: &str,
    members: &[Member],
    window: &[String],
    tables: &BTreeMap<String, RowTable>,
    locator: &Locator<'_>,
) -> Result<Vec<PlannedRow>, Vec<Diagnostic>> {
    let Some(table) = tables.get(id) else {
        let message = format!("`{id}` has no readable row table at contracts/mapping/{id}.toml");
        return Err(vec![Diagnostic::new(Code::BadSource, id, message)]);
    };
    let facts: Vec<VariantFact> = members
        .iter()
        .map(|member| VariantFact {
            tag: member.tag.clone(),
            span: locator.span(&member.at),
            seen: member.seen.describe(window),
        })
        .collect();
    let tags: Vec<&str> = members.iter().map(|member| member.tag.as_str()).collect();
    let of_variants: Vec<&str> = members
        .iter()
        .map(|member| member.variant.as_str())
        .collect();
    let collides = |collision: names::Collision| {
        vec![Diagnostic::new(
            Code::NameCollision,
            id,
            format!("of the tags, {collision}"),
        )]
    };
    let named = names::variants(&tags).map_err(collides)?;
    let variant_names = names::variants(&of_variants).map_err(collides)?;
    // The methods of the mapping are named after the variants.
    let variants: Vec<&str> = named.values().map(String::as_str).collect();
    let mut methods: BTreeMap<String, &str> = BTreeMap::new();
    for variant in variants {
        if let Some(other) = methods.insert(names::field(variant), variant) {
            let name = names::field(variant);
            return Err(collides(names::Collision {
                name,
                values: vec![other.to_owned(), variant.to_owned()],
            }));
        }
    }
    let rows = join(table, &facts)?;
    let planned = rows.into_iter().filter_map(|(index, row)| {
        let member = members.get(index)?;
        Some(PlannedRow {
            tag: member.tag.clone(),
            name: named.get(&member.tag).cloned().unwrap_or_default(),
            variant: variant_names
                .get(&member.variant)
                .cloned()
                .unwrap_or_default(),
            picks: member.picks.clone(),
            payload: member.payload.clone(),
            seen: member.seen.clone(),
            row: row.clone(),
            set: None,
            refs: Vec::new(),
        })
    });
    Ok(planned.collect())
}

pub fn not_a_union(id: &str, definition: &str, locator: &Locator<'_>) -> Diagnostic {
    let message = format!(
        "`{definition}`, which `{id}` is bound to, is no union or text enum of any vendored version"
    );
    let told = Diagnostic::new(Code::BadSource, id, message).help(format!(
        "correct the binding; where the type is gone for good, remove the binding, and {ROW_TABLES}/{id}.toml"
    ));
    match locator.binding(id) {
        Some(span) => told.at(span, "bound here"),
        None => told,
    }
}
