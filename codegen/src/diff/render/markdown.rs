//! For a pull request.

use std::collections::BTreeMap;

use super::{counts, place, rename};
use crate::diff::check::{Class, Direction};
use crate::diff::model::{Change, Diff};

/// How many safe changes of a surface are shown without a click.
const SHOWN: usize = 10;

/// A heading, the summary, and the changes by the first surface that shows them.
pub fn markdown(diff: &Diff) -> String {
    listing(diff, Class::None)
}

/// The same in at most so many bytes: a pull request has room for 65,536 letters. What would not fit is
/// counted and not listed, beginning with what matters least.
pub fn markdown_within(diff: &Diff, bytes: usize) -> String {
    let listings = Class::ALL.iter().rev().map(|least| listing(diff, *least));
    let mut fitting = listings.filter(|text| text.len() <= bytes);
    fitting.next().unwrap_or_else(|| {
        let unlisted = format!("\n{}\n", unlisted(diff.changes.len()));
        heading(diff) + &markdown_summary(diff) + &unlisted
    })
}

/// The changes of a class and of worse ones.
fn listing(diff: &Diff, least: Class) -> String {
    let mut out = heading(diff) + &markdown_summary(diff);
    let mut groups: BTreeMap<(Direction, String), Vec<&Change>> = BTreeMap::new();
    let mut free = Vec::new();
    let (listed, counted): (Vec<&Change>, Vec<&Change>) = diff
        .changes
        .iter()
        .partition(|change| change.class <= least);
    for change in listed {
        let first = change
            .reached
            .iter()
            .min_by_key(|reached| (reached.class, reached.direction, &reached.surface));
        match first {
            Some(first) => groups
                .entry((first.direction, first.surface.clone()))
                .or_default()
                .push(change),
            None => free.push(change),
        }
    }
    for ((direction, surface), changes) in groups {
        out += &format!("\n### `{surface}` ({direction})\n\n");
        let (loud, safe): (Vec<&Change>, Vec<&Change>) = changes
            .into_iter()
            .partition(|change| change.class < Class::Additive);
        for change in loud {
            out += &line(change, &surface);
        }
        out += &folded(&safe, &surface, SHOWN, "safe");
    }
    if !free.is_empty() {
        out += "\n### Reached by no surface\n\n";
        out += &folded(&free, "", 0, "without an effect on a wire");
    }
    if !counted.is_empty() {
        out += &format!("\n{}\n", unlisted(counted.len()));
    }
    if !diff.notes.is_empty() {
        out += "\n### Notes\n\n";
        for note in &diff.notes {
            let at = note
                .at
                .as_ref()
                .map(|at| format!(" (`{}:{}`)", at.file, at.line))
                .unwrap_or_default();
            out += &format!("- {}{at}\n", escaped(&note.message));
        }
    }
    out
}

fn heading(diff: &Diff) -> String {
    format!("## {} {} → {}\n\n", diff.provider, diff.old, diff.new)
}

fn unlisted(count: usize) -> String {
    let (noun, verb) = if count == 1 {
        ("change", "is")
    } else {
        ("changes", "are")
    };
    format!("{count} {noun} of lesser weight {verb} not listed, for want of room.")
}

/// How many changes there are of each class, for each direction.
pub fn markdown_summary(diff: &Diff) -> String {
    if diff.is_empty() {
        return "No changes.\n".to_owned();
    }
    let mut out = String::from("| class | changes | output | input | |\n|---|--:|--:|--:|---|\n");
    for class in Class::ALL {
        let shown = |direction: Direction| {
            let shows = |change: &&Change| {
                change
                    .reached
                    .iter()
                    .any(|it| it.direction == direction && it.class == *class)
            };
            diff.open().filter(shows).count()
        };
        let count = diff.count(*class);
        let bold = if *class == Class::Breaking && count > 0 {
            "**"
        } else {
            ""
        };
        out += &format!(
            "| {bold}{class}{bold} | {bold}{count}{bold} | {} | {} | {} |\n",
            shown(Direction::Output),
            shown(Direction::Input),
            class.meaning()
        );
    }
    out + &format!("\n{}.\n", counts(diff))
}

fn folded(changes: &[&Change], surface: &str, shown: usize, what: &str) -> String {
    let lines: String = changes.iter().map(|change| line(change, surface)).collect();
    if changes.len() <= shown {
        return lines;
    }
    let noun = if changes.len() == 1 {
        "change"
    } else {
        "changes"
    };
    format!(
        "<details><summary>{} {noun} {what}</summary>\n\n{lines}\n</details>\n",
        changes.len()
    )
}

fn line(change: &Change, surface: &str) -> String {
    let mut out = format!("- **{}** {}", change.class, escaped(&change.message));
    if let Some(own) = change
        .reached
        .iter()
        .find(|it| it.surface == surface && !it.path.is_empty())
    {
        out += &format!(", at `{}`", own.path);
    }
    let mut others: Vec<String> = change
        .reached
        .iter()
        .filter(|it| it.surface != surface)
        .map(|it| format!("`{}` ({}, {})", it.surface, it.direction, it.class))
        .collect();
    others.dedup();
    if !others.is_empty() {
        out += &format!("; also {}", others.join(", "));
    }
    if !change
        .faces
        .iter()
        .any(|face| face == crate::diff::side::STABLE)
    {
        out += &format!(" _({})_", change.faces.join(", "));
    }
    out.push('\n');
    for detail in &change.details {
        out += &format!("  - {}\n", escaped(detail));
    }
    if let Some(rename) = rename(change) {
        out += &format!("  - {}\n", escaped(&rename));
    }
    if let Some(reason) = &change.accepted {
        out += &format!("  - accepted: {}\n", escaped(reason));
    }
    let at = place(change)
        .map(|at| format!(" · `{}:{}`", at.file, at.line))
        .unwrap_or_default();
    out + &format!("  <br><sub>`{}`{at}</sub>\n", change.id.replace('`', "'"))
}

/// Text outside of backticks, with what Markdown or HTML would read as its own made harmless.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    let mut code = false;
    for letter in text.chars() {
        match letter {
            '`' => {
                code = !code;
                out.push(letter);
            }
            '<' | '>' | '*' | '_' | '|' | '[' | ']' | '\\' if !code => {
                out.push('\\');
                out.push(letter);
            }
            '\n' | '\r' => out.push(' '),
            _ => out.push(letter),
        }
    }
    out
}
