//! Unions whose payload lies in a member of its own, as with `method` and `params`.

use std::collections::BTreeMap;

use super::context::Context;
use super::objects::Members;
use super::table::Table;
use super::tagged::lines;
use crate::ir::{Fields, Type, Variant};
use crate::plan::{PlannedType, kind_name};

/// The union, and the struct around it where there are common members.
pub fn item(
    context: &Context<'_>,
    planned: &PlannedType,
    tag: &str,
    content: &str,
    common: &Fields,
    variants: &BTreeMap<String, Variant>,
) -> String {
    let fact = context.since(&planned.definition.seen);
    let bare = common.is_empty();
    // A reply does not say its method, so it can't be read from itself alone.
    let alone = if bare && !planned.results {
        " alone"
    } else {
        ""
    };
    let name = if bare {
        planned.name.clone()
    } else {
        kind_name(&planned.name)
    };
    let head = format!("{name}<'a> by {tag:?} in {content:?}{alone}");
    let mut table = Table::new("wire_message", &head, fact.clone());
    let how = |variant: &Variant| match &variant.payload {
        None => "bare",
        Some(Type::Nullable(_)) => "optional",
        Some(_) => "content",
    };
    lines(context, planned, variants, how, &mut table);
    let union = table.end();
    if bare || planned.results {
        return union;
    }
    let head = format!(
        "{}<'a> around {name} by {tag:?} in {content:?}",
        planned.name
    );
    let mut around = Table::new("wire_envelope", &head, fact);
    Members::common(common).lines(context, planned, &mut around);
    union + &around.end()
}
