//! The rows of a surface as data, one line a row.

use super::context::Context;
use super::table::wrapped;
use crate::plan::{PlannedRow, PlannedSurface};
use crate::rows::Verb;

/// The table of a surface's rows, sorted by tag.
pub fn table(context: &Context<'_>, surface: &PlannedSurface) -> String {
    let mut text = String::from(
        "/// The rows of the surface, sorted by tag.\npub const ROWS: &[RowInfo] = &[\n",
    );
    for planned in &surface.rows {
        let seen = format!("{:?}", context.seen(&planned.seen));
        text.push_str(&wrapped(1, &line(planned, seen), ","));
    }
    text + "];\n"
}

/// The parts of a line: the tag, the versions, the decision, and what else the row says.
fn line(planned: &PlannedRow, seen: String) -> Vec<String> {
    let (verb, decision) = match &planned.row.verb {
        Verb::Keep(event) => ("keep", format!("{:?}", event.wire)),
        Verb::Rename(event) => ("rename", format!("{:?}", event.wire)),
        Verb::Split(events) => {
            let events: Vec<&str> = events.iter().map(|event| event.wire.as_str()).collect();
            ("split", format!("&{events:?}"))
        }
        Verb::Drop(reason) => ("drop", format!("{:?}", reason.value)),
        // A row to be decided never gets past the plan.
        Verb::Todo(_) => ("todo", String::from("()")),
    };
    let further = [
        ("echo", &planned.row.echo),
        ("condition", &planned.row.condition),
        ("twin", &planned.row.twin),
    ];
    let further: String = further
        .into_iter()
        .filter_map(|(name, text)| Some(format!(".{name}({:?})", text.as_ref()?)))
        .collect();
    vec![
        format!("RowInfo::{verb}({:?},", planned.tag),
        format!("{seen},"),
        format!("{decision}){further}"),
    ]
}
