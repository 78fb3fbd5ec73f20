//! Row tables: each way in which one can be right or wrong, in the smallest table that shows it.
#![allow(clippy::unwrap_used, clippy::panic)]

use super::*;
use crate::canonical;

pub(crate) fn model() -> CanonicalModel {
    let event = SourceFile::new(
        "canonical/event.rs",
        "pub enum EventPayload {\n#[serde(rename = \"content.delta\")] ContentDelta(ContentDelta),\n\
         #[serde(rename = \"turn.started\")] TurnStarted(TurnStarted),\n\
         #[serde(rename = \"runtime.warning\")] RuntimeWarning(RuntimeWarning),\n}\n",
    );
    let state = SourceFile::new(
        "canonical/state.rs",
        "wire_enum! { pub enum TurnState { Failed = \"failed\", Completed = \"completed\", } }",
    );
    canonical::read(&event, &[state]).unwrap()
}

pub(crate) fn table(rows: &str) -> SourceFile {
    let text = format!("surface = \"x.y\"\n\n[rows]\n{rows}");
    SourceFile::new("contracts/mapping/x.y.toml", text)
}

fn read_rows(rows: &str) -> (RowTable, Vec<Diagnostic>) {
    let (table, errors) = read(&table(rows), &model());
    (table.unwrap(), errors)
}

/// The one error of a table, as a line without its path.
fn error(file: &SourceFile) -> String {
    let (_, errors) = read(file, &model());
    let [error] = errors.as_slice() else {
        panic!("{errors:#?}");
    };
    assert!(!crate::diagnostics::render(&errors, false).is_empty());
    error.to_line().replace("contracts/mapping/", "")
}

fn row_error(rows: &str) -> String {
    error(&table(rows))
}

/// The text after all edits of the fix.
pub(crate) fn fixed(error: &Diagnostic) -> String {
    let mut edits = error.fix.clone().unwrap().edits;
    let mut text = edits[0].0.file.text().to_owned();
    edits.sort_by_key(|(span, _)| std::cmp::Reverse((span.range.start, span.range.end)));
    for (span, new) in edits {
        text.replace_range(span.range, &new);
    }
    text
}

#[test]
fn a_table_of_every_verb() {
    let (table, errors) = read_rows(
        "\"a\" = { drop = \"wire-internal\" }\n\
         \"b/c\" = { rename = \"content.delta\", note = \"n\", echo = \"e\", twin = \"t\" }\n\
         # Why.\n\"d\" = { split = [\n  \"turn.started\",\n  \"runtime.warning\",\n] }\n\
         \"turn/started\" = { keep = \"turn.started\" }\n",
    );
    assert_eq!(errors, []);
    assert_eq!((table.surface.as_str(), table.target), ("x.y", None));
    let verbs: Vec<(&str, usize)> = (table.rows.iter())
        .map(|row| (row.verb.as_str(), row.verb.events().len()))
        .collect();
    assert_eq!(
        verbs,
        [("drop", 0), ("rename", 1), ("split", 2), ("keep", 1)]
    );
    let row = &table.rows[1];
    assert_eq!(row.verb.events()[0].rust, "ContentDelta");
    assert_eq!(row.verb.events()[0].span.text(), "\"content.delta\"");
    assert_eq!((row.tag.as_str(), row.span.text()), ("b/c", "\"b/c\""));
    assert_eq!(row.note.as_deref(), Some("n"));
    assert_eq!(row.echo.as_deref(), Some("e"));
    assert_eq!(row.twin.as_deref(), Some("t"));
    assert_eq!(table.rows_end, table.file.text().len());
    assert!(table.file.text()[table.lines[2].range.clone()].starts_with("# Why.\n"));
    assert_eq!(table.lines[2].range.end, table.lines[3].range.start);
}

#[test]
fn a_table_of_values() {
    let of = |rows: &str| {
        let text = format!("surface = \"v\"\ntarget = \"turn-state\"\n[rows]\n{rows}");
        SourceFile::new("mapping/v.toml", text)
    };
    let file = of("\"a/b\" = { rename = \"failed\" }\n\"failed\" = { keep = \"failed\" }\n");
    let (table, errors) = read(&file, &model());
    assert_eq!(errors, []);
    let table = table.unwrap();
    assert_eq!(table.target.as_deref(), Some("turn-state"));
    assert_eq!(table.rows[1].verb.events()[0].rust, "Failed");
    assert_eq!(
        error(&of("\"a\" = { rename = \"turn.started\" }")),
        "mapping/v.toml:4:18: unknown-event: the row `a` names `turn.started`, which is not a \
         member of `TurnState`"
    );
    assert!(error(&of("\"a/b\" = { keep = \"failed\" }")).contains("can't be kept as `failed`"));
}

#[test]
fn what_a_merge_left_is_one_error() {
    let both = "surface = \"x\"\n\n[rows]\n<<<<<<< ours\n\"a\" = { keep = \"a\" }\n=======\n\"b\" = { keep = \"b\" }\n>>>>>>> theirs\n";
    let (table, errors) = read(&SourceFile::new("x.toml", both), &model());
    assert!(table.is_none());
    let told: Vec<String> = errors.iter().map(Diagnostic::to_line).collect();
    assert_eq!(
        told,
        ["x.toml:4:1: bad-source: x.toml holds both sides of a merge"]
    );
}

#[test]
fn a_row_is_put_in_with_the_end_that_lines_have() {
    for (text, edit) in [
        ("surface = \"x\"\r\n\r\n[rows]\r\n", "\"a\" = 1\r\n"),
        ("surface = \"x\"\r\n\r\n[rows]", "\r\n\"a\" = 1"),
        ("surface = \"x\"\n\n[rows]\n", "\"a\" = 1\n"),
    ] {
        let (table, errors) = read(&SourceFile::new("x.toml", text), &model());
        assert_eq!(errors, []);
        let (_, line) = table.unwrap().insertion(text.len(), "\"a\" = 1");
        assert_eq!(line, edit, "{text:?}");
    }
}

#[test]
fn what_a_file_must_have() {
    let file = |text: &str| SourceFile::new("x.toml", text);
    let with = |head: &str| file(&format!("surface = \"x\"\n{head}\n[rows]\n"));
    for (file, line) in [
        (
            file("surface = \"x\"\n[rows"),
            "x.toml:2:6: bad-source: x.toml is not TOML: unclosed",
        ),
        (
            file("surface = \"x\"\n"),
            "x.toml:2:1: bad-row: the row table has no `[rows]`",
        ),
        (
            file("[rows]\n"),
            "x.toml:1:1: bad-row: the row table does not name its surface",
        ),
        (
            file("surface = 1\n[rows]\n"),
            "x.toml:1:11: bad-row: `surface` must be a text",
        ),
        (
            file("surface = \"y\"\n[rows]\n"),
            "x.toml:1:11: bad-row: the row table says that it",
        ),
        (
            file("surface = \"x\"\nrows = 1\n"),
            "x.toml:2:8: bad-row: `rows` must be a table",
        ),
        (
            file("surface = \"x\"\nrows = {}\n"),
            "x.toml:2:8: bad-row: `rows` must be a table",
        ),
        (
            with("traget = \"item-type\""),
            "x.toml:2:1: bad-row: `traget` is not a key",
        ),
        (
            with("target = \"itemtype\""),
            "x.toml:2:10: bad-row: `itemtype` is not a target",
        ),
        (
            with("target = \"item-type\""),
            "x.toml:2:10: bad-source: no canonical file declares",
        ),
    ] {
        let found = error(&file);
        assert!(found.starts_with(line), "{found}");
    }
}

#[test]
fn what_a_row_must_be() {
    for (rows, line) in [
        (
            "\"a\" = 1\n",
            "4:1: bad-row: the row `a` is not one keyed line",
        ),
        (
            "a.b = { drop = \"x\" }\n",
            "4:1: bad-row: the row `a` is not one keyed line",
        ),
        (
            "[rows.\"a\"]\ndrop = \"x\"\n",
            "4:7: bad-row: the row `a` is not one keyed line",
        ),
        ("\"a\" = {}\n", "4:1: bad-row: the row `a` has no verb"),
        (
            "\"a\" = { note = \"n\" }\n",
            "4:1: bad-row: the row `a` has no verb",
        ),
        (
            "\"a\" = { drop = \"x\", todo = \"y\" }\n",
            "4:9: bad-row: the row `a` has 2 verbs",
        ),
        (
            "\"a\" = { drop = \" \" }\n",
            "4:16: bad-row: `drop` must be a text",
        ),
        (
            "\"a\" = { keep = [\"turn.started\"] }\n",
            "4:16: bad-row: `keep` must be a text",
        ),
        (
            "\"a\" = { split = \"turn.started\" }\n",
            "4:17: bad-row: the split of `a` must be a list",
        ),
        (
            "\"a\" = { split = [\"turn.started\"] }\n",
            "4:17: bad-row: the split of `a` names fewer than two",
        ),
        (
            "\"a\" = { split = [\"turn.started\", \"turn.started\"] }\n",
            "4:34: bad-row: the split names `turn.started` twice",
        ),
        (
            "\"a\" = { drop = \"x\", nope = 1 }\n",
            "4:21: bad-row: `nope` is not a key",
        ),
        (
            "\"a\" = { drop = \"x\", drop = \"y\" }\n",
            "4:21: bad-row: the key `drop` stands twice",
        ),
        (
            "\"a\" = { drop = \"x\" }\n\"a\" = { drop = \"y\" }\n",
            "5:1: bad-row: the tag `a` has two rows",
        ),
        (
            "\"turn/start\" = { keep = \"turn.started\" }\n",
            "4:25: bad-row: `turn/start` can't be kept as `turn.started`",
        ),
        (
            "\"a\" = { todo = \"new in 0.171.0\" }\n",
            "4:16: todo-row: the row `a` is still to be decided",
        ),
        (
            "\"a\" = { rename = \"turn.strated\" }\n",
            "4:18: unknown-event: the row `a` names `turn.strated`, which is not a canonical event",
        ),
    ] {
        let found = row_error(rows);
        assert!(found.starts_with(&format!("x.y.toml:{line}")), "{found}");
    }
}

#[test]
fn every_error_is_reported_at_once_and_every_tag_is_known() {
    let (table, errors) = read_rows(
        "\"c\" = { todo = \"later\" }\n\"a\" = { drop = \"\", nope = 1 }\n\"b\" = { keep = \"x\" }\n",
    );
    let codes: Vec<&str> = errors.iter().map(|error| error.code.as_str()).collect();
    assert_eq!(
        codes,
        [
            "todo-row",
            "bad-row",
            "bad-row",
            "unknown-event",
            "unsorted-rows"
        ]
    );
    assert_eq!(table.rows.len(), 1);
    assert!(["a", "b", "c"].into_iter().all(|tag| table.mentions(tag)));
}

#[test]
fn the_fix_of_a_name_is_the_nearest_one() {
    let (_, errors) = read_rows("\"a\" = { rename = \"turn.strated\" }\n");
    assert!(fixed(&errors[0]).ends_with("\"a\" = { rename = \"turn.started\" }\n"));
    let (_, errors) = read_rows("\"b\" = { keep = \"turn.started\" }\n");
    assert!(fixed(&errors[0]).ends_with("\"b\" = { rename = \"turn.started\" }\n"));
    let (_, errors) = read_rows("\"b\" = { rename = \"quite another\" }\n");
    assert_eq!(
        errors[0].help,
        ["the canonical events stand in canonical/event.rs"]
    );
    let (_, errors) = read(
        &SourceFile::new("m/x.toml", "surface = \"y\"\n[rows]\n"),
        &model(),
    );
    assert_eq!(fixed(&errors[0]), "surface = \"x\"\n[rows]\n");
}

#[test]
fn rows_are_sorted_with_the_fewest_moves() {
    for (order, moved) in [
        ("a b c d", 0),
        ("b a", 1),
        ("d a b c", 1),
        ("b c d a", 1),
        ("a e b f c d", 2),
        ("d c b a", 3),
        ("c d a b", 2),
    ] {
        let line = |tag: &str| format!("# of {tag}\n\"{tag}\" = {{ drop = \"x\" }}\n");
        for end in ["", "\n"] {
            let rows: String = order.split(' ').map(line).collect();
            let (_, errors) = read_rows(&(rows.trim_end().to_owned() + end));
            assert_eq!(errors.len(), usize::from(moved > 0), "{order}");
            let Some(error) = errors.first() else {
                continue;
            };
            assert_eq!(error.code, Code::UnsortedRows);
            assert_eq!(error.secondary.len() + 1, moved, "{order}");
            let text = fixed(error);
            let mut tags: Vec<&str> = order.split(' ').collect();
            tags.sort_unstable();
            let sorted: String = tags.into_iter().map(line).collect();
            assert_eq!(text.trim_end(), table(&sorted).text().trim_end(), "{order}");
            assert!(
                read(&SourceFile::new("m/x.y.toml", text), &model())
                    .1
                    .is_empty()
            );
        }
    }
}

#[test]
fn the_fix_of_the_order_is_shown_as_moved_lines() {
    let (_, errors) = read_rows("\"b\" = { drop = \"x\" }\n\"a\" = { drop = \"x\" }\n");
    let shown = crate::diagnostics::render(&errors, false);
    let expected = r#"
x.y: 1 error

error[unsorted-rows]: the rows of `x.y` are not sorted by tag
 --> contracts/mapping/x.y.toml:5:1
  |
5 | "a" = { drop = "x" }
  | ^^^ belongs before `b`
  |
help: sort them
  |
4 + "a" = { drop = "x" }
  |
5 - "a" = { drop = "x" }
  |

1 error: 1 unsorted-rows
"#;
    assert_eq!(shown, expected.trim_start());
}

#[test]
fn no_text_makes_the_reader_panic() {
    let model = model();
    let whole = "surface = \"x.y\"\n[rows]\n# é\n\"a\" = { split = [\"turn.started\", 'é'] }\n\
                 b.c = { keep = 1, todo = \"\"\"\n\"\"\" }\n[rows.\"d\"]\n[[rows.e]]\nx = 1979-05-27\n";
    let pieces = [
        "\"", "'", "[", "]", "{", "}", "=", ".", "#", "\n", "é", "a", "[rows]\n", "\"\"\"",
    ];
    let mut read_any = 0;
    for (start, _) in whole.char_indices() {
        for piece in pieces {
            let end = start + whole[start..].chars().next().map_or(0, char::len_utf8);
            for text in [
                format!("{}{piece}{}", &whole[..start], &whole[start..]),
                format!("{}{piece}{}", &whole[..start], &whole[end..]),
                format!("{piece}{}", &whole[start..]),
            ] {
                let (table, errors) = read(&SourceFile::new("m/x.y.toml", text), &model);
                crate::diagnostics::render(&errors, false);
                read_any += usize::from(table.is_some());
            }
        }
    }
    assert!(read_any > 100, "{read_any}");
}
