//! The report of a small invented repository, whose names try to be markup.

#![allow(clippy::unwrap_used, clippy::panic)]

use std::collections::BTreeMap;

use expect_test::expect_file;
use serde_json::{Value, json};

use super::{Cell, Coverage, Shown, coverage, history, html, markdown};

const SOURCES: &str = r#"
[provider.harbour]
package = "@lamp/<harbour>"
licence = "MIT"
versions = ["1.0.0", "1.1.0", "2.0.0"]
faces = ["stable"]

[provider.jetty]
package = "@lamp/jetty"
licence = "MIT"
versions = ["1.0.0"]
faces = ["stable"]

[surface."harbour.event"]
provider = "harbour"
module = "event"
union = "Event"
by = { "moor" = "rope" }

[surface."harbour.reply"]
provider = "harbour"
module = "reply"
union = "Reply"
results-of = "Ask"

[value."harbour.rope"]
provider = "harbour"
type = "Rope"
"#;

const EVENTS: &str = r#"
pub enum EventPayload {
    #[serde(rename = "item.started")]
    ItemStarted(ItemStarted),
    #[serde(rename = "turn.started")]
    TurnStarted(TurnStarted),
    #[serde(rename = "turn.aborted")]
    TurnAborted(TurnAborted),
}
"#;

const STATES: &str = r#"
wire_enum! {
    pub enum ItemStatus {
        Completed = "completed",
        Failed = "failed",
    }
}
"#;

const EVENT_ROWS: &str = r#"surface = "harbour.event"

[rows]
"<b>&\"x|y`" = { drop = "<script>alert(1)</script> & `<i>` | no more" }
"light" = { split = ["item.started", "turn.started"], note = "the lamp" }
"moor" = { rename = "turn.started" }
"moor:slack" = { rename = "turn.started", note = "loose" }
"moor:tight" = { todo = "new in 2.0.0" }
"#;

const REPLY_ROWS: &str = r#"surface = "harbour.reply"

[rows]
"chart" = { rename = "item.started" }
"#;

const ROPE_ROWS: &str = r#"surface = "harbour.rope"
target = "item-status"

[rows]
"slack" = { rename = "failed" }
"tight" = { rename = "completed" }
"#;

/// What a version has: an event with a hostile name until the last version, and a value that only that
/// one has.
fn schema(ropes: &[&str], hostile: bool) -> String {
    let variant = |tag: &str, members: Value, required: &[&str]| {
        let mut properties = members;
        properties["type"] = json!({"type": "string", "enum": [tag]});
        let required: Vec<&str> = ["type"].iter().chain(required).copied().collect();
        json!({"type": "object", "properties": properties, "required": required})
    };
    let mut events = vec![
        variant("light", json!({}), &[]),
        variant("moor", json!({"rope": {"$ref": "#/definitions/Rope"}}), &[]),
    ];
    if hostile {
        events.push(variant("<b>&\"x|y`", json!({}), &[]));
    }
    let ask = json!({"type": "object", "required": ["method", "params"], "properties": {
        "method": {"type": "string", "enum": ["chart"]},
        "params": {"$ref": "#/definitions/ChartParams"},
    }});
    let definitions = json!({
        "Ask": {"oneOf": [ask]},
        "ChartParams": {"type": "object", "properties": {}},
        "ChartResponse": {"type": "object", "properties": {"rope": {"$ref": "#/definitions/Rope"}}},
        "Event": {"oneOf": events},
        "Rope": {"type": "string", "enum": ropes},
    });
    serde_json::to_string_pretty(&json!({"definitions": definitions})).unwrap()
}

/// Files by path.
type Files = BTreeMap<String, String>;

fn files() -> Files {
    let old = schema(&["slack"], true);
    let new = schema(&["slack", "tight"], false);
    Files::from(
        [
            ("schemas/sources.toml", SOURCES),
            ("schemas/harbour/1.0.0/stable/schema.json", &old),
            ("schemas/harbour/1.1.0/stable/schema.json", &old),
            ("schemas/harbour/2.0.0/stable/schema.json", &new),
            ("schemas/jetty/1.0.0/stable/schema.json", &new),
            ("contracts/src/canonical/event.rs", EVENTS),
            ("contracts/src/canonical/state.rs", STATES),
            ("contracts/mapping/harbour.event.toml", EVENT_ROWS),
            ("contracts/mapping/harbour.reply.toml", REPLY_ROWS),
            ("contracts/mapping/harbour.rope.toml", ROPE_ROWS),
        ]
        .map(|(path, text)| (path.to_owned(), text.to_owned())),
    )
}

/// A line of a transcript.
fn said(direction: &str, message: &Value) -> String {
    format!(
        "{}\n",
        json!({"dir": direction, "line": message.to_string()})
    )
}

fn transcripts() -> Files {
    let talk = [
        said("in", &json!({"id": 1, "method": "chart", "params": {}})),
        said("out", &json!({"id": 1, "result": {"rope": "tight"}})),
        // A reply to nothing, and a tag that no version has, show nothing.
        said("out", &json!({"id": 2, "result": {"rope": "slack"}})),
        said("out", &json!({"type": "storm", "rope": "slack"})),
        "no JSON\n".to_owned(),
    ];
    let moored = said("out", &json!({"type": "moor", "rope": "slack"}));
    // What looks like a value somewhere else is none, and what the host says is not the agent's.
    let loose = said("out", &json!({"type": "light", "rope": "slack"}))
        + &said("in", &json!({"type": "moor"}));
    Files::from(
        [
            ("tests/transcripts/README.md", "not a stream"),
            ("tests/transcripts/INDEX.tsv", "scenario\tversion\tface\tlines\tshows\ntalk\t2.0.0\tstable\t5\ta chart, <asked> for\n"),
            ("tests/transcripts/harbour.event/1.0.0/moored.jsonl", &moored),
            ("tests/transcripts/harbour.event/invented/loose.jsonl", &loose),
            ("tests/transcripts/harbour/2.0.0/talk.jsonl", &talk.concat()),
        ]
        .map(|(path, text)| (path.to_owned(), text.to_owned())),
    )
}

fn small() -> Coverage {
    coverage(&files(), &transcripts()).unwrap_or_else(|found| panic!("{found:#?}"))
}

#[test]
fn a_row_is_shown_where_its_type_says_so() {
    let coverage = small();
    assert!(coverage.problems.is_empty(), "{:#?}", coverage.problems);
    let shown = |surface: &str, tag: &str| coverage.shown(surface, tag);
    assert_eq!(shown("harbour.event", "moor:slack"), Shown::Recorded);
    assert_eq!(shown("harbour.event", "moor"), Shown::Nowhere);
    assert_eq!(shown("harbour.event", "moor:tight"), Shown::Nowhere);
    assert_eq!(shown("harbour.event", "light"), Shown::Invented);
    assert_eq!(shown("harbour.reply", "chart"), Shown::Recorded);
    assert_eq!(shown("harbour.rope", "tight"), Shown::Recorded);
    let slack: Vec<&str> = coverage
        .streams("harbour.rope", "slack")
        .map(|it| it.name.as_str())
        .collect();
    assert_eq!(slack, ["harbour.event/1.0.0/moored"]);
    let talk = coverage.evidence.transcripts.iter();
    let talk = talk
        .rev()
        .find(|it| it.name == "harbour/2.0.0/talk")
        .unwrap();
    assert_eq!((talk.lines, talk.rows), (5, 2));
    assert_eq!(talk.shows.as_deref(), Some("a chart, <asked> for"));
}

#[test]
fn the_matrix_counts_rows() {
    let coverage = small();
    let matrix = coverage.matrix();
    let surfaces: Vec<&str> = matrix.surfaces.iter().map(|it| it.id.as_str()).collect();
    assert_eq!(surfaces, ["harbour.event", "harbour.reply"]);
    let cell = |rows, recorded| Cell { rows, recorded };
    assert_eq!(
        matrix.events,
        [
            ("item.started", vec![cell(1, 0), cell(1, 1)]),
            ("turn.aborted", vec![cell(0, 0), cell(0, 0)]),
            ("turn.started", vec![cell(3, 1), cell(0, 0)]),
        ]
    );
    assert_eq!(matrix.dropped, [cell(1, 0), cell(0, 0)]);
    assert_eq!(matrix.open, [cell(1, 0), cell(0, 0)]);
    assert_eq!(matrix.all, [cell(5, 1), cell(1, 1)]);
    assert_eq!(coverage.unheard(), ["turn.aborted"]);
}

#[test]
fn the_history_tells_what_came_and_went() {
    let coverage = small();
    let event = coverage.surfaces().find(|it| it.id == "harbour.event");
    let steps = history(event.unwrap(), &coverage.providers[0].versions);
    let told: Vec<(usize, Vec<String>, Vec<String>)> = steps
        .into_iter()
        .map(|step| (step.variants, step.added, step.removed))
        .collect();
    let none = Vec::<String>::new();
    let gone = vec!["<b>&\"x|y`".to_owned()];
    assert_eq!(
        told,
        [
            (4, none.clone(), none.clone()),
            (4, none.clone(), none.clone()),
            (4, vec!["moor:tight".to_owned()], gone)
        ]
    );
}

#[test]
fn any_two_versions_are_compared_and_the_newest_stand_open() {
    let coverage = small();
    let compared = &coverage.providers[0].compared;
    let pairs: Vec<(usize, usize)> = compared.pairs.iter().map(|it| (it.old, it.new)).collect();
    assert_eq!(pairs, [(0, 1), (0, 2), (1, 2)]);
    let changes: Vec<usize> = compared
        .pairs
        .iter()
        .map(|pair| pair.diff.as_ref().unwrap().changes.len())
        .collect();
    assert_eq!(changes[0], 0);
    assert!(changes[1] > 1 && changes[1] == changes[2], "{changes:?}");
    // Both later pairs differ in the same way, which is told once, and is shown.
    let page = html(&coverage);
    assert_eq!(page.matches("<tr data-p=\"1 2\">").count(), changes[1]);
    assert_eq!(page.matches("<tr data-p").count(), changes[1]);
    assert!(coverage.providers[1].compared.pairs.is_empty());
}

#[test]
fn a_version_that_cannot_be_read_is_told() {
    let mut files = files();
    let broken = "schemas/harbour/1.1.0/stable/schema.json";
    files.insert(broken.to_owned(), "{\"definitions\": <nothing>".to_owned());
    let coverage = coverage(&files, &transcripts()).unwrap();
    assert!(!coverage.problems.is_empty());
    let page = html(&coverage);
    assert!(page.contains("What could not be read"));
    assert!(markdown(&coverage).contains("## What could not be read"));
    assert!(!page.contains("<nothing>"));
}

#[test]
fn the_page_is_as_agreed() {
    let page = html(&small());
    assert!(!page.contains("<script>alert") && !page.contains("<i>"));
    let body = page.split("<body>").nth(1).unwrap();
    let body = body.split("<script>").next().unwrap();
    expect_file!["page.html"].assert_eq(&format!("{body}\n"));
    assert_eq!(page, html(&small()));
}

#[test]
fn the_markdown_is_as_agreed() {
    expect_file!["report.md"].assert_eq(&markdown(&small()));
}
