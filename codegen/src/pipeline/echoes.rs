//! What `echo` and `twin` name must be there: a wrong one would tell a message twice, or never.

use std::collections::BTreeSet;

use crate::diagnostics::{Code, Diagnostic};
use crate::names::nearest;
use crate::plan::{PlannedRow, PlannedSurface};

/// Rows whose `echo` names no message of the provider, or whose `twin` none of their surface.
pub fn check(surfaces: &[PlannedSurface]) -> Vec<Diagnostic> {
    let tags = |surface: &PlannedSurface| -> BTreeSet<String> {
        surface.rows.iter().map(|row| row.tag.clone()).collect()
    };
    let all: BTreeSet<String> = surfaces.iter().flat_map(tags).collect();
    let mut found = Vec::new();
    for surface in surfaces {
        let own = tags(surface);
        for row in &surface.rows {
            // Several messages may tell it together (`+`), or one of several (`|`).
            let echoes = row.row.echo.iter().flat_map(|echo| echo.split(['+', '|']));
            for echo in echoes.map(str::trim).filter(|echo| !all.contains(*echo)) {
                found.push(unknown(surface, row, "echo", echo, &all));
            }
            // A tag path is known by its first step.
            let twins = row
                .row
                .twin
                .iter()
                .map(|twin| twin.split(':').next().unwrap_or(twin));
            for twin in twins.filter(|twin| !own.contains(*twin)) {
                found.push(unknown(surface, row, "twin", twin, &own));
            }
        }
    }
    found
}

fn unknown(
    surface: &PlannedSurface,
    row: &PlannedRow,
    key: &str,
    tag: &str,
    known: &BTreeSet<String>,
) -> Diagnostic {
    let message = format!(
        "the `{key}` of `{}` names `{tag}`, which is no message",
        row.tag
    );
    let found = Diagnostic::new(Code::BadRow, surface.id.clone(), message)
        .at(row.row.span.clone(), "in this row");
    match nearest(tag, known.iter().map(String::as_str)) {
        Some(near) => found.help(format!("did you mean `{near}`?")),
        None => found.help("name the tag of the message that tells the same"),
    }
}
