//! Projections: the canonical events joined with the row table of each smaller model.
//!
//! A projection needs no entry in `sources.toml`: its table is bound by its name, its variants are
//! the canonical events, and its target is the enum of the model's events.

use std::collections::BTreeMap;

use crate::canonical::CanonicalModel;
use crate::diagnostics::{Code, Diagnostic};
use crate::join::{VariantFact, join};
use crate::plan::{PlannedProjection, ProjectedRow};
use crate::rows::{RowTable, is_projection};

/// What stands in messages where a surface names its versions.
const SEEN: &str = "the canonical model";

/// Joins every projection, or says what is missing in all of them.
pub fn join_all(
    tables: &BTreeMap<String, RowTable>,
    model: &CanonicalModel,
) -> Result<Vec<PlannedProjection>, Vec<Diagnostic>> {
    let mut planned = Vec::new();
    let mut errors = Vec::new();
    for table in tables.values().filter(|it| is_projection(&it.surface)) {
        match join_one(table, model) {
            Ok(projection) => planned.push(projection),
            Err(found) => errors.extend(found),
        }
    }
    if errors.is_empty() {
        Ok(planned)
    } else {
        Err(errors)
    }
}

fn join_one(
    table: &RowTable,
    model: &CanonicalModel,
) -> Result<PlannedProjection, Vec<Diagnostic>> {
    let target = table.target.as_ref();
    if target.is_none_or(|name| !model.targets.contains_key(name)) {
        let message = format!(
            "the row table of `{}` does not say what it projects to",
            table.surface
        );
        let error = Diagnostic::new(Code::BadRow, &*table.surface, message)
            .at(table.file.span(0..0), "`target` belongs here");
        return Err(vec![error.help("name the enum of the model's events")]);
    };
    let facts: Vec<VariantFact> = model
        .events
        .values()
        .map(|event| VariantFact {
            tag: event.wire.clone(),
            span: event.span.clone(),
            seen: SEEN.to_owned(),
        })
        .collect();
    let rows = join(table, &facts)?;
    let names: Vec<&str> = model
        .events
        .values()
        .map(|event| event.rust.as_str())
        .collect();
    Ok(PlannedProjection {
        id: table.surface.clone(),
        rows: rows
            .into_iter()
            .filter_map(|(index, row)| {
                Some(ProjectedRow {
                    name: (*names.get(index)?).to_owned(),
                    row: row.clone(),
                })
            })
            .collect(),
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic)]
    use super::*;
    use crate::backend::projection_files;
    use crate::pipeline::summary::SurfaceCount;
    use crate::rows;
    use crate::rows::tests::model;
    use crate::source::SourceFile;

    const ROWS: &str = "\"content.delta\" = { rename = \"completed\", when = \"it is the last\" }\n\
        \"runtime.warning\" = { split = [\"completed\", \"failed\"], note = \"either\" }\n\
        \"turn.started\" = { drop = \"no term for it\" }\n";

    fn joined(rows: &str, head: &str) -> Result<Vec<PlannedProjection>, Vec<String>> {
        let text = format!("surface = \"projection.small-one\"\n{head}\n[rows]\n{rows}");
        let file = SourceFile::new("contracts/mapping/projection.small-one.toml", text);
        let (table, errors) = rows::read(&file, &model());
        let mut lines: Vec<String> = errors.iter().map(Diagnostic::to_line).collect();
        let tables = BTreeMap::from([(file.stem().to_owned(), table.unwrap())]);
        match join_all(&tables, &model()) {
            Ok(planned) if lines.is_empty() => Ok(planned),
            Ok(_) => Err(lines),
            Err(found) => {
                lines.extend(found.iter().map(Diagnostic::to_line));
                Err(lines)
            }
        }
    }

    fn error(rows: &str, head: &str) -> String {
        let Err(errors) = joined(rows, head) else {
            panic!("no error");
        };
        errors.join("\n")
    }

    const TARGET: &str = "target = \"turn-state\"\n";

    #[test]
    fn each_event_has_a_method_and_an_arm() {
        let planned = joined(ROWS, TARGET).unwrap();
        let counted = SurfaceCount::of_projection(&planned[0]);
        assert_eq!((counted.rows, counted.drops), (3, 1));
        let files = projection_files(&planned);
        let names: Vec<&str> = files.keys().map(String::as_str).collect();
        let folder = "contracts/src/generated/projection";
        assert_eq!(
            names,
            [format!("{folder}/mod.rs"), format!("{folder}/small_one.rs")]
        );
        let text = &files[names[1]];
        for piece in [
            "-> Option<crate::projection::small_one::Completed>",
            "`content.delta` → `completed` when it is the last.",
            "impl crate::projection::GivenBy<RuntimeWarning>",
            "EventPayload::TurnStarted(_) => {}",
            "when: Some(\"it is the last\")",
        ] {
            assert!(text.contains(piece), "{piece} is not in\n{text}");
        }
        assert!(!text.contains("_ =>"), "{text}");
        assert!(projection_files(&[]).is_empty());
    }

    #[test]
    fn a_gap_is_an_error() {
        let gap = ROWS.replace("\"turn.started\" =", "\"turn.stopped\" =");
        let found = error(&gap, TARGET);
        assert!(
            found.contains("missing-row: the variant `turn.started` of projection.small-one"),
            "{found}"
        );
        assert!(
            found.contains("stale-row: the row `turn.stopped` belongs to no variant"),
            "{found}"
        );
        assert!(error(ROWS, "").contains("not a canonical event"));
        let unknown = ROWS.replace("\"failed\"", "\"done\"");
        assert!(error(&unknown, TARGET).contains("names `done`, which is not a member"));
        let idle = ROWS.replace("note = ", "when = ");
        assert!(error(&idle, TARGET).contains("the row `runtime.warning` can't have `when`"));
        let empty = ROWS.replace("it is the last", " ");
        assert!(error(&empty, TARGET).contains("`when` must be a text"));
    }

    #[test]
    fn only_a_projection_gives_an_event_at_times() {
        let text = "surface = \"x.y\"\n\n[rows]\n\"a\" = { rename = \"content.delta\", when = \"it is the last\" }\n";
        let file = SourceFile::new("contracts/mapping/x.y.toml", text);
        let (_, errors) = rows::read(&file, &model());
        let lines: Vec<String> = errors.iter().map(Diagnostic::to_line).collect();
        assert!(
            lines.join("").contains("the row `a` can't have `when`"),
            "{lines:?}"
        );
    }
}
