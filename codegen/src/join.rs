//! The join of a surface with its rows: total, or every gap reported with the line that closes it.

use std::collections::BTreeSet;

use crate::diagnostics::{Code, Diagnostic, Fix};
use crate::names::nearest;
use crate::rows::{Event, Row, RowTable, Verb};
use crate::source::Span;

/// What the join needs to know of a variant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VariantFact {
    /// The wire value, or path of wire values, that picks the variant.
    pub tag: String,
    /// Where the variant stands in its schema file.
    pub span: Span,
    /// The versions in which it was seen, as a text: `0.107.0, 0.171.0`.
    pub seen: String,
}

/// Gives each variant its row, in the order of the variants; or else says which variants have no
/// row and which rows have no variant. A row that can't be read counts as there, since reading it
/// has been reported: if nothing else is wrong, the list of errors is empty.
pub fn join<'a>(
    table: &'a RowTable,
    variants: &[VariantFact],
) -> Result<Vec<(usize, &'a Row)>, Vec<Diagnostic>> {
    let mut joined = Vec::new();
    let mut errors = Vec::new();
    let mut legible = true;
    for (index, variant) in variants.iter().enumerate() {
        match table.row(&variant.tag) {
            Some(row) => joined.push((index, row)),
            None if table.mentions(&variant.tag) => legible = false,
            None => errors.push(missing(table, variant)),
        }
    }
    let tags: BTreeSet<&str> = variants.iter().map(|variant| &*variant.tag).collect();
    let stale = table.lines.iter().filter(|line| !tags.contains(&*line.tag));
    errors.extend(stale.map(|line| {
        let edit = (table.file.span(line.range.clone()), String::new());
        self::stale(table, &line.tag, &line.span, edit, variants)
    }));
    if errors.is_empty() && legible {
        Ok(joined)
    } else {
        Err(errors)
    }
}

fn missing(table: &RowTable, variant: &VariantFact) -> Diagnostic {
    let VariantFact { tag, span, seen } = variant;
    let place = table.place(tag);
    let label = if place.before {
        "its row belongs before this one"
    } else {
        "its row belongs after this"
    };
    let (at, line) = table.insertion(place.at, &suggestion(table, variant));
    let message = format!("the variant `{tag}` of {} has no row", table.surface);
    Diagnostic::new(Code::MissingRow, &*table.surface, message)
        .at(place.neighbor, label)
        .and(
            span.clone(),
            format!("the variant stands here, seen in {seen}"),
        )
        .fix(Fix::new(
            "add its row, with the verb that is right for it",
            at,
            line,
        ))
}

/// A line that can be pasted: the verb of the row that looks most like it, or an open question.
fn suggestion(table: &RowTable, variant: &VariantFact) -> String {
    let tag = quoted(&variant.tag);
    let (verb, like) = match like(table, &variant.tag) {
        Some(row) => (verb_of(&row.verb), format!(" # like {}", quoted(&row.tag))),
        None => {
            let open = quoted(&format!("new in {}", variant.seen));
            (format!("todo = {open}"), String::new())
        }
    };
    format!("{tag} = {{ {verb} }}{like}")
}

/// The decided row that looks most like a tag.
pub(crate) fn like<'t>(table: &'t RowTable, tag: &str) -> Option<&'t Row> {
    let decided = table.rows.iter().filter(|row| match row.verb {
        Verb::Keep(_) | Verb::Rename(_) | Verb::Split(_) | Verb::Drop(_) => true,
        Verb::Todo(_) => false,
    });
    nearest(tag, decided.map(|row| &*row.tag)).and_then(|tag| table.row(tag))
}

/// The decided row of the longest path that a tag shares from its first segment on, for a tag that
/// looks like none: `command/exec/write` is kin of `command/exec`.
pub(crate) fn kin<'t>(table: &'t RowTable, tag: &str) -> Option<&'t Row> {
    let segments =
        |tag: &str| -> Vec<String> { tag.split(['/', ':', '_', '.']).map(str::to_owned).collect() };
    let own = segments(tag);
    let mut best: Option<(usize, &Row)> = None;
    for row in &table.rows {
        let shared = segments(&row.tag)
            .iter()
            .zip(&own)
            .take_while(|(a, b)| a == b)
            .count();
        let decided = !matches!(row.verb, Verb::Todo(_));
        if decided && shared > best.map_or(0, |(most, _)| most) {
            best = Some((shared, row));
        }
    }
    best.map(|(_, row)| row)
}

/// The verb as it would stand in another row. What one tag keeps is a rename for every other.
fn verb_of(verb: &Verb) -> String {
    match verb {
        Verb::Keep(event) | Verb::Rename(event) => format!("rename = {}", quoted(&event.wire)),
        Verb::Split(events) => {
            let name = |event: &Event| quoted(&event.wire);
            let names: Vec<String> = events.iter().map(name).collect();
            format!("split = [{}]", names.join(", "))
        }
        Verb::Drop(reason) => format!("drop = {}", quoted(&reason.value)),
        Verb::Todo(open) => format!("todo = {}", quoted(&open.value)),
    }
}

fn stale(
    table: &RowTable,
    tag: &str,
    span: &Span,
    removal: (Span, String),
    variants: &[VariantFact],
) -> Diagnostic {
    let message = format!("the row `{tag}` belongs to no variant of {}", table.surface);
    let error = Diagnostic::new(Code::StaleRow, &*table.surface, message)
        .at(span.clone(), "no vendored version has this tag");
    let (removed, nothing) = removal;
    let error = error.fix(Fix::new("remove the row", removed, nothing));
    // A variant that has a row already is a worse guess than one that is looking for its row.
    let without = variants.iter().filter(|it| !table.mentions(&it.tag));
    let meant = nearest(tag, without.map(|it| &*it.tag))
        .or_else(|| nearest(tag, variants.iter().map(|it| &*it.tag)));
    match variants.iter().find(|it| Some(&*it.tag) == meant) {
        Some(near) if table.mentions(&near.tag) => error.and(
            near.span.clone(),
            format!("the nearest variant, `{}`, has its row", near.tag),
        ),
        Some(near) => error.and(
            near.span.clone(),
            format!("the nearest variant, `{}`, has no row", near.tag),
        ),
        None => error,
    }
}

/// A TOML string.
pub fn quoted(text: &str) -> String {
    toml::Value::String(text.to_owned()).to_string()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic)]
    use super::*;
    use crate::diagnostics::render;
    use crate::rows::tests::{fixed, model, table};
    use crate::source::SourceFile;

    const ROWS: &str = "\"thread/goal/cleared\" = { rename = \"content.delta\" }\n\
                        \"turn/started\" = { keep = \"turn.started\" }\n\
                        \"windows\" = { drop = \"odd \\\"one\\\"\" }\n";

    fn read(rows: &str) -> RowTable {
        crate::rows::read(&table(rows), &model()).0.unwrap()
    }

    fn variants(tags: &[&str]) -> Vec<VariantFact> {
        let text: String = tags
            .iter()
            .map(|tag| format!("  \"const\": \"{tag}\"\n"))
            .collect();
        let file = SourceFile::new("schemas/codex/0.171.0/stable/bundle.json", text);
        let place = |tag: &&str| {
            let start = file.text().find(&format!("\"{tag}\"")).unwrap();
            file.span(start..start + tag.len() + 2)
        };
        tags.iter()
            .map(|tag| VariantFact {
                tag: (*tag).to_owned(),
                span: place(tag),
                seen: "0.171.0".to_owned(),
            })
            .collect()
    }

    #[test]
    fn a_total_join_keeps_the_order_of_the_variants() {
        let table = read(ROWS);
        let joined = join(
            &table,
            &variants(&["windows", "turn/started", "thread/goal/cleared"]),
        );
        let tags: Vec<(usize, &str)> = joined
            .unwrap()
            .into_iter()
            .map(|(index, row)| (index, &*row.tag))
            .collect();
        assert_eq!(
            tags,
            [
                (0, "windows"),
                (1, "turn/started"),
                (2, "thread/goal/cleared")
            ]
        );
    }

    #[test]
    fn a_missing_row_shows_both_files_and_the_line() {
        let table = read(ROWS);
        let all = [
            "thread/goal/cleared",
            "thread/goal/updated",
            "turn/started",
            "windows",
        ];
        let errors = join(&table, &variants(&all)).unwrap_err();
        let expected = r#"
x.y: 1 error

error[missing-row]: the variant `thread/goal/updated` of x.y has no row
 --> contracts/mapping/x.y.toml:5:1
  |
5 | "turn/started" = { keep = "turn.started" }
  | ^^^^^^^^^^^^^^ its row belongs before this one
  |
 ::: schemas/codex/0.171.0/stable/bundle.json:2:12
  |
2 |   "const": "thread/goal/updated"
  |            --------------------- the variant stands here, seen in 0.171.0
  |
help: add its row, with the verb that is right for it
  |
5 + "thread/goal/updated" = { rename = "content.delta" } # like "thread/goal/cleared"
  |

1 error: 1 missing-row
"#;
        assert_eq!(render(&errors, false), expected.trim_start());
    }

    #[test]
    fn the_suggested_line_can_be_pasted() {
        for (tag, line) in [
            (
                "aurora/began",
                "\"aurora/began\" = { todo = \"new in 0.171.0\" }\n\"thread",
            ),
            (
                "turn/start",
                "\"turn/start\" = { rename = \"turn.started\" } # like \"turn/started\"",
            ),
            (
                "zebra",
                "\"windows\" = { drop = 'odd \"one\"' }\n\"zebra\" = { todo =",
            ),
            (
                "windowz",
                "\"windowz\" = { drop = 'odd \"one\"' } # like \"windows\"",
            ),
            ("", "\"\" = { todo = \"new in 0.171.0\" }\n"),
        ] {
            for rows in [ROWS, ROWS.trim_end()] {
                let rows = rows.replace("\"odd \\\"one\\\"\"", "'odd \"one\"'");
                let table = read(&rows);
                let tags = [tag, "thread/goal/cleared", "turn/started", "windows"];
                let errors = join(&table, &variants(&tags)).unwrap_err();
                assert_eq!(errors.len(), 1);
                let text = fixed(&errors[0]);
                assert!(text.contains(line), "{text}");
                let again = SourceFile::new("m/x.y.toml", text);
                let (table, _) = crate::rows::read(&again, &model());
                assert!(join(&table.unwrap(), &variants(&tags)).is_ok());
            }
        }
    }

    #[test]
    fn a_first_row_goes_under_the_header() {
        for rows in ["", "# Nothing yet.\n"] {
            let table = read(rows);
            let errors = join(&table, &variants(&["a"])).unwrap_err();
            assert_eq!(errors[0].primary.as_ref().unwrap().0.text(), "[rows]");
            assert!(fixed(&errors[0]).contains("[rows]\n\"a\" = { todo"));
        }
    }

    #[test]
    fn a_stale_row_names_the_nearest_tag_and_goes() {
        let table = read(ROWS);
        let tags = ["thread/goal/removed", "turn/started", "windows"];
        let errors = join(&table, &variants(&tags)).unwrap_err();
        let codes: Vec<Code> = errors.iter().map(|error| error.code).collect();
        assert_eq!(codes, [Code::MissingRow, Code::StaleRow]);
        let stale = &errors[1];
        assert_eq!(
            stale.to_line(),
            "contracts/mapping/x.y.toml:4:1: stale-row: the row `thread/goal/cleared` belongs to \
             no variant of x.y"
        );
        let near = "the nearest variant, `thread/goal/removed`, has no row";
        assert_eq!(stale.secondary[0].1, near);
        assert_eq!(
            fixed(stale).lines().nth(3),
            Some("\"turn/started\" = { keep = \"turn.started\" }")
        );
    }

    #[test]
    fn a_row_that_is_wrong_is_not_missing() {
        let table = read("\"a\" = { nope = 1 }\n");
        assert_eq!(join(&table, &variants(&["a"])), Err(Vec::new()));
    }
}
