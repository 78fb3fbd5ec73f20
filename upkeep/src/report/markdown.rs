//! The report as Markdown: what the page shows, for places where only text is shown.

use agentwire_codegen::listing::{ListedRow, ListedSurface};

use super::history::{Step, history};
use super::html::facts;
use super::matrix::{Cell, Shown};
use super::model::{Coverage, CoveredProvider, Pair};
use super::words::{count, moved, seen, short, verbs};
use crate::diff;

/// How many recordings of a row are named.
const NAMED: usize = 3;

/// The whole report.
pub fn markdown(coverage: &Coverage) -> String {
    let mut out = String::from(
        "# Coverage and drift\n\nWhat every message of every agent becomes, in which versions it was seen, and which recording shows it.\n\n",
    );
    out += "| | |\n|---|--:|\n";
    for (name, number) in facts(coverage) {
        out += &format!("| {name} | {number} |\n");
    }
    problems(coverage, &mut out);
    matrix(coverage, &mut out);
    rows(coverage, &mut out);
    drift(coverage, &mut out);
    versions(coverage, &mut out);
    transcripts(coverage, &mut out);
    out
}

fn problems(coverage: &Coverage, out: &mut String) {
    if coverage.problems.is_empty() && coverage.stale_results.is_empty() {
        return;
    }
    *out += "\n## What could not be read\n\nRows and changes may be missing below.\n\n";
    for problem in &coverage.problems {
        *out += &format!(
            "- **{}** {}\n",
            problem.code.as_str(),
            text(&problem.message)
        );
    }
    for stale in &coverage.stale_results {
        *out += &format!(
            "- {} of the results of the {} {} is requested by no version\n",
            code(&stale.method),
            stale.kind,
            code(&stale.id)
        );
    }
}

fn matrix(coverage: &Coverage, out: &mut String) {
    let matrix = coverage.matrix();
    *out += "\n## Coverage matrix\n\nHow many rows of a surface give an event, and how many of these a recording shows: 3/5 means that 3 of 5 are recorded.\n\n| event |";
    for surface in &matrix.surfaces {
        *out += &format!(" {} |", code(&surface.id));
    }
    *out += " all |\n|---|";
    *out += &"--:|".repeat(matrix.surfaces.len() + 1);
    out.push('\n');
    let mut line = |name: String, cells: &[Cell]| {
        *out += &format!("| {name} |");
        for cell in cells {
            *out += &match cell.rows {
                0 => " |".to_owned(),
                rows => format!(" {}/{rows} |", cell.recorded),
            };
        }
        let sum: usize = cells.iter().map(|cell| cell.rows).sum();
        *out += &format!(" {sum} |\n");
    };
    for (event, cells) in &matrix.events {
        line(code(event), cells);
    }
    line("dropped".to_owned(), &matrix.dropped);
    line("to decide".to_owned(), &matrix.open);
    line("**all rows**".to_owned(), &matrix.all);
    let unheard: Vec<String> = coverage.unheard().into_iter().map(code).collect();
    if !unheard.is_empty() {
        *out += &format!("\nNo row gives {}.\n", unheard.join(", "));
    }
}

fn rows(coverage: &Coverage, out: &mut String) {
    *out += "\n## Rows\n";
    for provider in &coverage.providers {
        if let Some(why) = provider.without_rows() {
            *out += &format!("\n**{}** {why}.\n", text(&provider.name));
        }
        for surface in &provider.surfaces {
            let target = surface.target.as_ref();
            let target = target.map(|it| format!(", gives {it}")).unwrap_or_default();
            *out += &format!(
                "\n### {}\n\n{}{}{target}: {}\n\n| tag | decision | becomes | versions | evidence | note |\n|---|---|---|---|---|---|\n",
                code(&surface.id),
                text(&provider.name),
                if surface.value { ", value surface" } else { "" },
                verbs(surface)
            );
            for row in &surface.rows {
                *out += &line(coverage, provider, surface, row);
            }
        }
    }
}

fn line(
    coverage: &Coverage,
    provider: &CoveredProvider,
    surface: &ListedSurface,
    row: &ListedRow,
) -> String {
    let events: Vec<String> = row.events.iter().map(|it| code(it)).collect();
    let mut versions = seen(&row.versions, &provider.versions);
    if row.experimental && !row.versions.is_empty() {
        versions += " (experimental)";
    }
    let mut note = text(row.text.as_deref().unwrap_or_default());
    if let Some(like) = &row.like {
        note += &format!(" like {}", code(like));
    }
    format!(
        "| {} | {} | {} | {} | {} | {} |\n",
        code(&row.tag),
        row.state.as_str(),
        events.join(", "),
        text(&versions),
        evidence(coverage, surface, row),
        note.trim()
    )
}

fn evidence(coverage: &Coverage, surface: &ListedSurface, row: &ListedRow) -> String {
    let streams: Vec<_> = coverage.streams(&surface.id, &row.tag).collect();
    let named: Vec<String> = streams
        .iter()
        .take(NAMED)
        .map(|it| text(short(&it.name)))
        .collect();
    let named = named.join(", ");
    let more = match streams.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    match coverage.shown(&surface.id, &row.tag) {
        Shown::Nowhere => "none".to_owned(),
        Shown::Invented => format!("invented only: {named}{more}"),
        Shown::Recorded => format!("{named}{more}"),
    }
}

fn drift(coverage: &Coverage, out: &mut String) {
    *out += "\n## Drift history\n\nHow many variants each vendored version has, and what came (+) and went (\u{2212}) since the version before.\n";
    for provider in coverage
        .providers
        .iter()
        .filter(|it| !it.surfaces.is_empty())
    {
        *out += &format!("\n### {}\n\n| surface |", text(&provider.name));
        for version in &provider.versions {
            *out += &format!(" {} |", text(version));
        }
        *out += &format!("\n|---|{}\n", "--:|".repeat(provider.versions.len()));
        let mut names = String::new();
        for surface in &provider.surfaces {
            let steps = history(surface, &provider.versions);
            *out += &format!("| {} |", code(&surface.id));
            for step in &steps {
                let moved = moved(step.added.len(), step.removed.len());
                let moved = if moved.is_empty() {
                    moved
                } else {
                    format!(" ({moved})")
                };
                *out += &format!(" {}{moved} |", step.variants);
            }
            out.push('\n');
            for step in &steps {
                names += &came_and_went(surface, step);
            }
        }
        if !names.is_empty() {
            *out += &format!(
                "\n<details><summary>What came and went</summary>\n\n{names}\n</details>\n"
            );
        }
    }
}

fn came_and_went(surface: &ListedSurface, step: &Step) -> String {
    let named = |what: &str, tags: &[String]| {
        let tags: Vec<String> = tags.iter().map(|it| code(it)).collect();
        if tags.is_empty() {
            return String::new();
        }
        format!(
            "- {} {}, {what}: {}\n",
            code(&surface.id),
            text(&step.version),
            tags.join(", ")
        )
    };
    named("came", &step.added) + &named("went", &step.removed)
}

fn versions(coverage: &Coverage, out: &mut String) {
    *out += "\n## Between versions\n\nThe newest two of each provider first; any other two are folded.\n";
    for provider in &coverage.providers {
        if let Some(why) = provider.without_pairs() {
            let versions = text(&provider.versions.join(", "));
            *out += &format!("\n**{}** {versions}: {why}.\n", text(&provider.name));
        }
        for (number, pair) in provider.compared.pairs.iter().rev().enumerate() {
            *out += &between(provider, pair, number > 0);
        }
    }
}

fn between(provider: &CoveredProvider, pair: &Pair, folded: bool) -> String {
    let name = |place: usize| provider.compared.side(place);
    let title = format!(
        "{} {} \u{2192} {}",
        provider.name,
        name(pair.old),
        name(pair.new)
    );
    let body = match &pair.diff {
        None => format!("### {}\n\nCould not be compared.\n", text(&title)),
        Some(diff) => {
            let told = diff::markdown(diff);
            let deeper = told.lines().map(|line| {
                let heading = line.starts_with("## ") || line.starts_with("### ");
                format!("{}{line}\n", if heading { "#" } else { "" })
            });
            deeper.collect()
        }
    };
    if folded {
        format!(
            "\n<details><summary>{}</summary>\n\n{body}\n</details>\n",
            text(&title)
        )
    } else {
        format!("\n{body}")
    }
}

fn transcripts(coverage: &Coverage, out: &mut String) {
    let streams = &coverage.evidence.transcripts;
    *out += &format!(
        "\n## Transcripts\n\nEach message of a stream is followed along the types of its wire, and shows the row of every variant and value in it that has one. Invented streams were written by hand: they show what the readers do, and nothing of what agents do.\n\n<details><summary>{}</summary>\n\n| stream | lines | rows | shows |\n|---|--:|--:|---|\n",
        count(streams.len(), "stream")
    );
    for stream in streams {
        *out += &format!(
            "| {} | {} | {} | {}{} |\n",
            code(&stream.name),
            stream.lines,
            stream.rows,
            if stream.invented { "(invented) " } else { "" },
            text(stream.shows.as_deref().unwrap_or_default())
        );
    }
    *out += "\n</details>\n";
}

/// A text as code, also in a table.
fn code(text: &str) -> String {
    let flat = text.replace(['\n', '\r'], " ").replace('`', "'");
    format!("`{}`", flat.replace('|', "\\|"))
}

/// A text in a table, whose parts in backticks are code.
fn text(text: &str) -> String {
    let mut out = String::new();
    let pairs = text.matches('`').count() / 2 * 2;
    let mut ticks = 0;
    for letter in text.chars() {
        match letter {
            '`' if ticks < pairs => {
                ticks += 1;
                out.push('`');
            }
            '\n' | '\r' => out.push(' '),
            '|' => out.push_str("\\|"),
            '`' | '<' | '>' | '&' | '*' | '_' | '[' | ']' | '\\' if ticks % 2 == 0 => {
                out.push('\\');
                out.push(letter);
            }
            _ => out.push(letter),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::{code, text};

    #[test]
    fn cells_hold_their_text() {
        assert_eq!(code("a|b`c\nd"), "`a\\|b'c d`");
        assert_eq!(
            text("<b> | `x|<y>` *z* `"),
            "\\<b\\> \\| `x\\|<y>` \\*z\\* \\`"
        );
    }
}
