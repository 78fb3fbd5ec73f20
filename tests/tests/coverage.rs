//! The report over the repository's own tables and recordings: it tells every row once, counts what
//! the listing counts, shows the evidence that the readers see, and is a page that needs nothing else.

#![allow(clippy::unwrap_used, clippy::panic)]

use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

use agentwire::acp::AcpSession;
use agentwire::frame::Limits;
use agentwire::session::Direction;
use agentwire::sources::{SequentialIds, WireClock};
use agentwire_codegen::listing::listing;
use agentwire_codegen::sources::Sources;
use agentwire_codegen::stem::TRANSCRIPTS;
use agentwire_codegen::{FOLDERS, Inputs};
use agentwire_tests::repository_files;
use agentwire_upkeep::report::{Coverage, coverage, html, markdown};

use crate::support::messages::messages;
use crate::support::recorded::committed;
use crate::support::wires::WIRES;

/// The page may not be larger, in bytes.
const LARGEST: usize = 2_000_000;

fn gathered() -> Coverage {
    let files = repository_files(FOLDERS);
    coverage(&files, &repository_files(&[TRANSCRIPTS])).unwrap()
}

fn report() -> &'static Coverage {
    static REPORT: OnceLock<Coverage> = OnceLock::new();
    REPORT.get_or_init(gathered)
}

/// The ids of rows, by surface and tag.
type Rows = BTreeSet<(String, String)>;

/// The rows that recordings of one kind show, for the report.
fn shown(coverage: &Coverage, carriers: &[&str]) -> Rows {
    let rows = coverage.evidence.rows.iter();
    let of_carriers = rows.filter(|(_, streams)| {
        let mut names = streams
            .iter()
            .map(|number| coverage.evidence.transcripts[*number].name.as_str());
        names.any(|name| carriers.iter().any(|it| name.split('/').next() == Some(it)))
    });
    of_carriers.map(|(row, _)| row.clone()).collect()
}

#[test]
fn the_transcripts_of_a_surface_show_it() {
    let files = repository_files(FOLDERS);
    let sources = Sources::parse(&files["schemas/sources.toml"]).unwrap();
    let mut counted = 0;
    for (id, places) in sources.places() {
        let folders = places.transcripts.iter();
        let carriers: Vec<&str> = folders.filter_map(|it| it.rsplit('/').next()).collect();
        let rows = shown(report(), &carriers);
        // The report reads what agents write; half of this surface is the host's answers.
        if id != "claude.sdk.permission" {
            assert!(
                rows.iter().any(|(surface, _)| surface == id),
                "no transcript of {carriers:?} shows `{id}`"
            );
        }
        counted += 1;
    }
    assert!(counted > 15, "only {counted} surfaces");
}

#[test]
fn evidence_of_codex_is_what_the_readers_see() {
    let coverage = report();
    let mut read: Rows = BTreeSet::new();
    for recording in committed() {
        for message in messages(&recording) {
            read.insert((message.surface.to_owned(), message.tag));
        }
    }
    let known: Rows = coverage
        .surfaces()
        .flat_map(|it| it.rows.iter().map(|row| (it.id.clone(), row.tag.clone())))
        .collect();
    // What no version has is shown to the readers, and has no row.
    let read: Rows = read.intersection(&known).cloned().collect();
    let surfaces: BTreeSet<String> = read.iter().map(|(surface, _)| surface.clone()).collect();
    assert_eq!(surfaces.len(), 4, "{surfaces:?}");
    let told: Rows = shown(coverage, &["codex.app-server", "codex.eventmsg"])
        .into_iter()
        .filter(|(surface, _)| surfaces.contains(surface))
        .collect();
    assert_eq!(told, read);
    assert!(told.len() > 150, "only {} rows", told.len());
}

#[test]
fn evidence_of_the_agent_client_protocol_is_what_the_readers_see() {
    let coverage = report();
    // The readers tell the first part of a tag, and one name for both kinds of notifications.
    let merged = |surface: &str, tag: &str| {
        let tag = tag.split(':').next().unwrap().to_owned();
        (surface.replace(".v2.", ".").replace(".method", ""), tag)
    };
    let mut read: Rows = BTreeSet::new();
    for path in crate::support::acp::committed() {
        let mut session = AcpSession::with_sources(
            SequentialIds::new(),
            WireClock::default(),
            Limits::default(),
        );
        for line in crate::support::acp::lines(&path) {
            session.push(line.direction, line.text.as_bytes());
            session.push(line.direction, b"\n");
        }
        session.finish();
        for outcome in session.outcomes() {
            if let (Direction::FromAgent, Some(surface), Some(tag)) =
                (outcome.direction, outcome.surface, &outcome.tag)
            {
                read.insert(merged(surface, tag));
            }
        }
    }
    let known: Rows = coverage
        .surfaces()
        .filter(|it| !it.value)
        .flat_map(|it| it.rows.iter().map(|row| merged(&it.id, &row.tag)))
        .collect();
    let read: Rows = read.intersection(&known).cloned().collect();
    let told: Rows = shown(coverage, &["cursor.acp"])
        .into_iter()
        .map(|(surface, tag)| merged(&surface, &tag))
        .filter(|row| known.contains(row))
        .collect();
    let unseen: Vec<_> = read.difference(&told).collect();
    assert!(unseen.is_empty(), "the report does not tell {unseen:#?}");
    // An update is the content of a notification that is a row itself.
    let more: Vec<_> = told
        .difference(&read)
        .filter(|(_, tag)| tag != "session/update")
        .collect();
    assert!(more.is_empty(), "no reader sees {more:#?}");
    assert!(told.len() > 40, "only {} rows", told.len());
}

#[test]
fn evidence_of_the_wires_of_lines_is_what_the_readers_see() {
    let coverage = report();
    for wire in WIRES {
        let surface = wire.surface();
        let known = coverage.surfaces().find(|it| it.id == surface).unwrap();
        let known: BTreeSet<&str> = known.rows.iter().map(|row| row.tag.as_str()).collect();
        let mut read: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for recording in wire.committed() {
            for outcome in wire.replayed(&recording.lines()).concat() {
                let tag = outcome.tag.filter(|tag| known.contains(&**tag));
                if let (Direction::FromAgent, Some(tag)) = (outcome.direction, tag) {
                    let streams = read.entry(tag.to_string()).or_default();
                    streams.insert(recording.name());
                }
            }
        }
        let streams = &coverage.evidence.transcripts;
        let told = coverage
            .evidence
            .rows
            .iter()
            .filter(|((of, _), _)| of == surface);
        let told: BTreeMap<String, BTreeSet<String>> = told
            .map(|((_, tag), numbers)| {
                let names = numbers.iter().map(|number| streams[*number].name.clone());
                (tag.clone(), names.collect())
            })
            .collect();
        assert_eq!(told, read, "{surface}");
        assert!(told.len() >= 6, "{surface}: only {} rows", told.len());
        let undescribed = streams.iter().find(|stream| {
            stream.name.starts_with(&format!("{surface}/")) && stream.shows.is_none()
        });
        assert_eq!(undescribed, None, "the index does not tell what it shows");
    }
    // The same scenario and version on two wires are two streams.
    let shows = |name: &str| {
        let mut streams = coverage.evidence.transcripts.iter();
        streams.find(|it| it.name == name).unwrap().shows.clone()
    };
    let of_exec = shows("codex.sdk.thread-event/0.107.0/patch_many");
    assert_eq!(of_exec.as_deref(), Some("changes of files"));
    assert_ne!(of_exec, shows("codex.app-server/0.107.0/patch_many"));
}

#[test]
fn the_matrix_counts_what_the_listing_lists() {
    let files = repository_files(FOLDERS);
    let listed = listing(&Inputs::from_files(&files).unwrap()).unwrap();
    let coverage = report();
    assert!(coverage.problems.is_empty(), "{:#?}", coverage.problems);
    let matrix = coverage.matrix();
    let mut counted: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    for surface in listed.surfaces.iter().filter(|it| !it.value) {
        for row in &surface.rows {
            for event in &row.events {
                *counted.entry((&surface.id, event)).or_default() += 1;
            }
        }
    }
    let mut cells = 0;
    for (event, line) in &matrix.events {
        assert_eq!(line.len(), matrix.surfaces.len());
        for (surface, cell) in matrix.surfaces.iter().zip(line) {
            let wanted = counted.remove(&(surface.id.as_str(), *event)).unwrap_or(0);
            assert_eq!(cell.rows, wanted, "{} {event}", surface.id);
            assert!(cell.recorded <= cell.rows);
            cells += usize::from(cell.rows > 0);
        }
    }
    assert!(counted.is_empty(), "{counted:?}");
    assert!(cells > 150, "only {cells} cells");
    let all: usize = matrix.all.iter().map(|cell| cell.rows).sum();
    let wanted = listed.surfaces.iter().filter(|it| !it.value);
    assert_eq!(all, wanted.map(|it| it.rows.len()).sum::<usize>());
}

/// What stands between the first `from` and the next `to` after it.
fn between<'t>(text: &'t str, from: &str, to: &str) -> &'t str {
    let start = text.find(from).unwrap_or_else(|| panic!("no {from}"));
    let rest = &text[start..];
    &rest[..rest.find(to).unwrap()]
}

#[test]
fn each_row_is_told_once() {
    let coverage = report();
    let page = html(coverage);
    let text = markdown(coverage);
    let mut rows = 0;
    for surface in coverage.surfaces() {
        let table = between(&page, &format!("id=\"s-{}\"", surface.id), "</table>");
        let told = table.matches("<tr class=").count();
        assert_eq!(told, surface.rows.len(), "{}", surface.id);
        let heading = format!("\n### `{}`\n", surface.id);
        assert_eq!(text.matches(&heading).count(), 1, "{}", surface.id);
        let section = text.split(&heading).nth(1).unwrap();
        let section = section.split("\n#").next().unwrap();
        let lines = section.lines().filter(|line| line.starts_with("| `"));
        assert_eq!(lines.count(), surface.rows.len(), "{}", surface.id);
        for row in &surface.rows {
            let escaped = row
                .tag
                .replace('&', "&amp;")
                .replace('<', "&lt;")
                .replace('>', "&gt;");
            let head = format!("<th scope=\"row\"><code>{escaped}</code></th>");
            assert_eq!(
                table.matches(&head).count(),
                1,
                "{} {}",
                surface.id,
                row.tag
            );
        }
        rows += told;
    }
    assert!(rows > 1_000, "only {rows} rows");
}

#[test]
fn the_page_needs_nothing_else_and_is_well_formed() {
    let page = html(report());
    assert!(page.len() < LARGEST, "{} bytes", page.len());
    for asset in [
        "<img",
        "<link rel=\"style",
        "src=",
        "@import",
        "url(",
        "<iframe",
    ] {
        assert!(!page.contains(asset), "the page has {asset}");
    }
    assert!(!page.contains("http://") && !page.contains("https://"));
    let (elements, ids, links) = parsed(&page);
    assert!(elements > 10_000, "only {elements} elements");
    let broken: Vec<_> = links.iter().filter(|link| !ids.contains(*link)).collect();
    assert!(broken.is_empty(), "links to nowhere: {broken:?}");
    assert!(links.len() > 100, "only {} links", links.len());
}

#[test]
fn it_is_the_same_each_time() {
    let again = gathered();
    assert_eq!(report(), &again);
    assert_eq!(html(report()), html(&again));
    assert_eq!(markdown(report()), markdown(&again));
}

/// Elements without an inside.
const VOID: &[&str] = &["input", "link", "meta", "!DOCTYPE"];

/// Reads the page as XML would, apart from [`VOID`] elements: everything that is opened is closed, ids
/// are there once. Gives the number of elements, the ids, and where links within the page lead.
fn parsed(page: &str) -> (usize, BTreeSet<String>, BTreeSet<String>) {
    let (mut ids, mut links) = (BTreeSet::new(), BTreeSet::new());
    let mut open: Vec<&str> = Vec::new();
    let mut elements = 0;
    let mut rest = page;
    while let Some(start) = rest.find('<') {
        let text = &rest[..start];
        assert!(!text.contains('>'), "a bare > in {text:?}");
        let end = start + rest[start..].find('>').unwrap();
        let tag = &rest[start + 1..end];
        rest = &rest[end + 1..];
        let name = tag.split([' ', '\n']).next().unwrap();
        if let Some(closed) = name.strip_prefix('/') {
            assert_eq!(open.pop(), Some(closed), "{tag}");
            continue;
        }
        elements += 1;
        for attribute in tag.split(" id=\"").skip(1) {
            let id = attribute.split('"').next().unwrap();
            assert!(ids.insert(id.to_owned()), "the id {id} is there twice");
        }
        for attribute in tag.split(" href=\"#").skip(1) {
            links.insert(attribute.split('"').next().unwrap().to_owned());
        }
        if matches!(name, "style" | "script") {
            let close = format!("</{name}>");
            let end = rest.find(&close).unwrap();
            rest = &rest[end + close.len()..];
        } else if !VOID.contains(&name) {
            open.push(name);
        }
    }
    assert!(open.is_empty(), "never closed: {open:?}");
    (elements, ids, links)
}
