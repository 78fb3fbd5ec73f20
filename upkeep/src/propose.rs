//! Proposals: a `todo` row for each variant that has none, put where the order of the tags wants it.
//!
//! A proposal decides nothing. A `todo` row fails every build until somebody writes its verb, so
//! it only says where the decision belongs and which row it may be like.

use std::collections::BTreeMap;

use agentwire_codegen::canonical::{self, TARGETS};
use agentwire_codegen::diagnostics::Diagnostic;
use agentwire_codegen::inputs::Inputs;
use agentwire_codegen::join::quoted;
use agentwire_codegen::listing::{ListedRow, ListedSurface, Listing, State, tables};
use agentwire_codegen::rows::{self, RowTable};
use agentwire_codegen::source::SourceFile;

/// Row tables with the proposed rows in them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Proposal {
    /// The tables that change, by path from the root of the repository.
    pub files: BTreeMap<String, String>,
    /// The rows that were added.
    pub rows: Vec<Proposed>,
}

/// One proposed row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proposed {
    /// The surface.
    pub surface: String,
    /// The tag.
    pub tag: String,
    /// The table, from the root of the repository.
    pub path: String,
    /// The line of the row.
    pub line: usize,
    /// The whole line.
    pub text: String,
}

/// Adds a `todo` row for everything that the listing misses. Every other byte of the tables stays.
pub fn propose(inputs: &Inputs, listing: &Listing) -> Result<Proposal, Vec<Diagnostic>> {
    let model = canonical::read(&inputs.events, &inputs.canonical)?;
    let tables = tables(inputs, &model);
    let mut proposal = Proposal::default();
    for surface in &listing.surfaces {
        let missing: Vec<&ListedRow> = surface
            .rows
            .iter()
            .filter(|row| row.state == State::Missing)
            .collect();
        if missing.is_empty() {
            continue;
        }
        let known = inputs.rows.iter().any(|file| file.path() == surface.path);
        let text = match tables.get(&surface.id) {
            Some(table) => with_rows(table, &missing),
            // A table that can't be read has no place for a row; reading it says why.
            None if known => continue,
            None => {
                let header = SourceFile::new(surface.path.as_str(), header(surface, listing));
                match rows::read(&header, &model).0 {
                    Some(table) => with_rows(&table, &missing),
                    None => continue,
                }
            }
        };
        let file = SourceFile::new(surface.path.as_str(), text);
        let (table, _) = rows::read(&file, &model);
        for row in missing {
            let lines = table.as_ref().map(|table| table.lines.as_slice());
            let line = lines
                .unwrap_or_default()
                .iter()
                .find(|line| line.tag == row.tag);
            proposal.rows.push(Proposed {
                surface: surface.id.clone(),
                tag: row.tag.clone(),
                path: surface.path.clone(),
                line: line.map_or(1, |line| line.span.line_col().line),
                text: proposed(row),
            });
        }
        proposal
            .files
            .insert(surface.path.clone(), file.text().to_owned());
    }
    Ok(proposal)
}

/// The line: `"turn/paused" = { todo = "new in 0.172.0" } # like "turn/started"`.
fn proposed(row: &ListedRow) -> String {
    let first = row.versions.first().map_or("no version", String::as_str);
    let face = if row.experimental {
        " (experimental)"
    } else {
        ""
    };
    let question = quoted(&format!("new in {first}{face}"));
    let like = row
        .like
        .as_ref()
        .map_or_else(String::new, |like| format!(" # like {}", quoted(like)));
    format!("{} = {{ todo = {question} }}{like}", quoted(&row.tag))
}

fn with_rows(table: &RowTable, missing: &[&ListedRow]) -> String {
    let mut missing = missing.to_vec();
    missing.sort_by(|a, b| a.tag.cmp(&b.tag));
    let mut text = table.file.text().to_owned();
    // From the end, so that the offsets before stay true; rows of one place end up in order.
    for row in missing.into_iter().rev() {
        let at = table.place(&row.tag).at;
        let (span, line) = table.insertion(at, &proposed(row));
        text.insert_str(span.range.start, &line);
    }
    text
}

/// A table without rows. The target of a value surface is that of a table whose name ends alike, or
/// is left to be written.
fn header(surface: &ListedSurface, listing: &Listing) -> String {
    let mut text = format!("surface = {}\n", quoted(&surface.id));
    if surface.value {
        let last = |id: &str| id.rsplit('.').next().unwrap_or_default().to_owned();
        let alike = listing
            .surfaces
            .iter()
            .filter(|other| other.value && last(&other.id) == last(&surface.id))
            .find_map(|other| Some((&other.id, other.target.as_ref()?)));
        match alike {
            Some((id, target)) => {
                text += &format!("target = {} # like {id}\n", quoted(target));
            }
            None => {
                let names: Vec<&str> = TARGETS.iter().map(|(name, _)| *name).collect();
                text += &format!("# `target = \"…\"` belongs here: {}\n", names.join(", "));
            }
        }
    }
    text + "\n[rows]\n"
}
