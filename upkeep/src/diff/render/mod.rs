//! How a comparison is shown: to a person at a terminal, in a pull request, to a program, to a build.

mod github;
mod json;
mod markdown;
mod table;
mod text;

pub use github::github;
pub use json::json;
pub use markdown::{code, markdown, markdown_summary, markdown_within};
pub use table::{classes_markdown, classes_text};
pub use text::text;

use super::check::Class;
use super::model::{Change, Diff, Location};

/// Where a change is looked at: in the new version, unless only the old one has it.
fn place(change: &Change) -> Option<&Location> {
    let old = change.old.as_ref();
    let new = change.new.as_ref();
    if change.check.removes() {
        old.or(new)
    } else {
        new.or(old)
    }
}

/// `3 breaking, 1 dangerous`; what no class has is left out.
fn counts(diff: &Diff) -> String {
    let counted = Class::ALL.iter().map(|class| (*class, diff.count(*class)));
    let named: Vec<String> = counted
        .filter(|(_, count)| *count > 0)
        .map(|(class, count)| format!("{count} {class}"))
        .collect();
    let accepted = diff.changes.len() - diff.open().count();
    let mut text = if named.is_empty() {
        "no changes".to_owned()
    } else {
        named.join(", ")
    };
    if accepted > 0 {
        text = format!("{text}; {accepted} accepted");
    }
    text
}

/// The last line: `codex 0.107.0 to 0.113.0: 5 breaking`.
fn total(diff: &Diff) -> String {
    format!(
        "{} {} to {}: {}\n",
        diff.provider,
        diff.old,
        diff.new,
        counts(diff)
    )
}

/// The surfaces that show a change: `output codex.eventmsg at item.status`.
fn surfaces(change: &Change) -> Vec<String> {
    let named = change.reached.iter().map(|reached| {
        let at = if reached.path.is_empty() {
            String::new()
        } else {
            format!(" at {}", reached.path)
        };
        format!("{} {}{at}", reached.direction, reached.surface)
    });
    named.collect()
}

/// What the change may be one rename with, in words.
fn rename(change: &Change) -> Option<String> {
    let other = change.renamed.as_ref()?;
    Some(format!(
        "may be one rename with `{other}`: the names are near and the shapes alike"
    ))
}
