//! Structs: an object with known members.

use proc_macro2::Ident;

use super::context::{Context, ident};
use super::table::{Table, bracketed, spelled};
use crate::ir::{Field, Fields};
use crate::names;
use crate::plan::PlannedType;

/// The struct of a definition.
pub fn item(context: &Context<'_>, planned: &PlannedType, fields: &Fields) -> String {
    let members = Members::new(fields);
    let generics = if planned.borrows { "<'a>" } else { "" };
    let head = format!("{}{generics}", planned.name);
    let fact = context.since(&planned.definition.seen);
    let mut table = Table::new("wire_struct", &head, fact);
    for (wire, text) in &members.constants {
        table.line(&[format!("{wire:?} = {text:?}")], ";");
    }
    members.lines(context, planned, &mut table);
    table.end()
}

/// The members of an object, with their names in code.
pub struct Members<'f> {
    fields: Vec<(&'f String, &'f Field, Ident)>,
    /// Members that always have one text: they are written and not kept.
    constants: Vec<(&'f String, &'f String)>,
}

impl<'f> Members<'f> {
    /// Names the members. That there are such names, the plan has made sure.
    pub fn new(fields: &'f Fields) -> Self {
        let wires: Vec<&str> = fields.keys().map(String::as_str).collect();
        let named = names::fields(&wires).unwrap_or_default();
        let constants = fields
            .iter()
            .filter_map(|(wire, field)| Some((wire, field.constant.as_ref()?)))
            .collect();
        let fields = fields
            .iter()
            .filter(|(_, field)| field.constant.is_none())
            .map(|(wire, field)| {
                (
                    wire,
                    field,
                    ident(named.get(wire).map_or("field", String::as_str)),
                )
            })
            .collect();
        Self { fields, constants }
    }

    /// Names the members beside a union, whose variant is the member `kind` of the same struct.
    pub fn common(fields: &'f Fields) -> Self {
        let mut members = Self::new(fields);
        for (_, _, name) in &mut members.fields {
            if name == "kind" {
                *name = ident("kind_");
            }
        }
        members
    }

    /// The member that is called `wire`, with its name in code.
    pub fn named(&self, wire: &str) -> Option<(&'f Field, &Ident)> {
        self.fields
            .iter()
            .find(|(known, _, _)| *known == wire)
            .map(|(_, field, name)| (*field, name))
    }

    /// The lines of a table: how a member is read, its two names, its type, and what else is known.
    pub fn lines(&self, context: &Context<'_>, owner: &PlannedType, table: &mut Table) {
        for (wire, field, name) in &self.fields {
            let how = match (field.patch, field.required) {
                (true, _) => "patch",
                (false, true) => "field",
                (false, false) => "optional",
            };
            let ty = spelled(&context.field_type(field, owner));
            let mut parts = vec![format!("{how} {wire:?} {name}:"), ty];
            let mut facts = Vec::new();
            if field.seen != owner.definition.seen {
                facts.push(context.seen_in(&field.seen));
            }
            if let Some(default) = &field.default {
                facts.push(format!("absent means `{default}`"));
            }
            if !facts.is_empty() {
                parts.push(bracketed(&facts.join("; ")));
            }
            table.line(&parts, ",");
        }
    }
}
