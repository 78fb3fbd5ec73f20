//! Unions that a member of the object picks; members beside the union become a struct around it.

use std::collections::BTreeMap;

use super::context::Context;
use super::objects::Members;
use super::table::{Table, bracketed, spelled};
use super::texts::variant_names;
use crate::ir::{Fields, Variant};
use crate::plan::{PlannedType, kind_name};

/// The union, and the struct around it where there are common members.
pub fn item(
    context: &Context<'_>,
    planned: &PlannedType,
    tag: &str,
    common: &Fields,
    variants: &BTreeMap<String, Variant>,
) -> String {
    let fact = context.since(&planned.definition.seen);
    let union = |name: &str| {
        let head = format!("{name}<'a> by {tag:?}");
        let mut table = Table::new("wire_union", &head, fact.clone());
        let how = |variant: &Variant| match (&variant.payload, variant.tag_inside) {
            (None, _) => "bare",
            (Some(_), true) => "inside",
            (Some(_), false) => "beside",
        };
        lines(context, planned, variants, how, &mut table);
        table.end()
    };
    if common.is_empty() {
        return union(&planned.name);
    }
    let kind = kind_name(&planned.name);
    let head = format!("{}<'a> around {kind}", planned.name);
    let mut around = Table::new("wire_around", &head, fact.clone());
    Members::common(common).lines(context, planned, &mut around);
    around.end() + &union(&kind)
}

/// The lines of a union: how each variant stands on the wire, its tag, its name and what it carries.
pub fn lines(
    context: &Context<'_>,
    planned: &PlannedType,
    variants: &BTreeMap<String, Variant>,
    how: impl Fn(&Variant) -> &'static str,
    table: &mut Table,
) {
    let named = variant_names(variants.keys());
    for (wire, variant) in variants {
        let how = how(variant);
        let name = &named[wire];
        let mut parts = match &variant.payload {
            None => vec![format!("{how} {wire:?} {name}")],
            Some(ty) => vec![
                format!("{how} {wire:?} {name}:"),
                spelled(&context.payload(ty, planned)),
            ],
        };
        if variant.seen != planned.definition.seen {
            parts.push(bracketed(&context.seen_in(&variant.seen)));
        }
        table.line(&parts, ",");
    }
}
