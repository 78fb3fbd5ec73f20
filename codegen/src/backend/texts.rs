//! Text enums and names of their own for plain types.

use std::collections::BTreeMap;

use super::context::Context;
use super::table::{Table, bracketed, spelled, wrapped};
use crate::ir::{Seen, Type};
use crate::names;
use crate::plan::PlannedType;

/// An open enum of texts.
pub fn item(
    context: &Context<'_>,
    planned: &PlannedType,
    values: &BTreeMap<String, Seen>,
) -> String {
    let fact = context.since(&planned.definition.seen);
    let mut table = Table::new("wire_text", &planned.name, fact);
    let variants = variant_names(values.keys());
    for (wire, seen) in values {
        let mut parts = vec![format!("{} {wire:?}", variants[wire])];
        if *seen != planned.definition.seen {
            parts.push(bracketed(&context.seen_in(seen)));
        }
        table.line(&parts, ",");
    }
    table.end()
}

/// A newtype for a text that the schema names; another name for any other type.
pub fn alias(context: &Context<'_>, planned: &PlannedType, ty: &Type) -> String {
    let name = &planned.name;
    if *ty == Type::String {
        let mut parts = vec![format!("wire_name! {{ {name}")];
        parts.extend(
            context
                .since(&planned.definition.seen)
                .map(|fact| bracketed(&fact)),
        );
        return wrapped(0, &parts, "; }");
    }
    let generics = if planned.borrows { "<'a>" } else { "" };
    let ty = spelled(&context.ty(ty, Some(planned)));
    wrapped(0, &[format!("pub type {name}{generics} ="), ty], ";")
}

/// Names for a set of wire values. That there are such names, the plan has made sure.
pub fn variant_names<'v>(values: impl Iterator<Item = &'v String>) -> BTreeMap<String, String> {
    let wires: Vec<&str> = values.map(String::as_str).collect();
    names::variants(&wires).unwrap_or_else(|_| {
        wires
            .iter()
            .map(|wire| ((*wire).to_owned(), names::variant(wire)))
            .collect()
    })
}
