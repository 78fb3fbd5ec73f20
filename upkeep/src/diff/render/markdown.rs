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
                .map(|at| format!(" ({})", code(&format!("{}:{}", at.file, at.line))))
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
        out += &format!(", at {}", code(&own.path));
    }
    let mut others: Vec<String> = change
        .reached
        .iter()
        .filter(|it| it.surface != surface)
        .map(|it| format!("{} ({}, {})", code(&it.surface), it.direction, it.class))
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
        .map(|at| format!(" · {}", code(&format!("{}:{}", at.file, at.line))))
        .unwrap_or_default();
    out + &format!("  <br><sub>{}{at}</sub>\n", code(&change.id))
}

/// Text in which what Markdown or HTML would read as its own is harmless, outside of code; what stands
/// between backticks is code, and a backtick without another one is a letter.
fn escaped(text: &str) -> String {
    let text = text.replace(['\n', '\r'], " ");
    let mut out = String::new();
    let mut rest = text.as_str();
    while let Some(letter) = rest.chars().next() {
        let run = rest.len() - rest.trim_start_matches('`').len();
        if run > 0 {
            let (ticks, after) = rest.split_at(run);
            let Some(end) = closing(after, run) else {
                out.push_str(&"\\`".repeat(run));
                rest = after;
                continue;
            };
            let (inside, after) = after.split_at(end);
            out.extend([ticks, inside, ticks]);
            rest = after.get(run..).unwrap_or_default();
            continue;
        }
        if matches!(letter, '<' | '>' | '*' | '_' | '|' | '[' | ']' | '\\' | '&') {
            out.push('\\');
        }
        out.push(letter);
        rest = rest.get(letter.len_utf8()..).unwrap_or_default();
    }
    out
}

/// Where the next run of exactly so many backticks begins: only that ends what such a run began.
fn closing(text: &str, run: usize) -> Option<usize> {
    let mut at = 0;
    while let Some(found) = text.get(at..)?.find('`') {
        let start = at + found;
        let from = text.get(start..)?;
        let length = from.len() - from.trim_start_matches('`').len();
        if length == run {
            return Some(start);
        }
        at = start + length;
    }
    None
}

/// A text as code, whatever backticks are in it.
pub fn code(text: &str) -> String {
    let text = text.replace(['\n', '\r'], " ");
    let mut fence = "`".to_owned();
    while closing(&text, fence.len()).is_some() {
        fence.push('`');
    }
    // A space keeps backticks at the ends apart from the fence; a pair of them is not shown.
    let space = if text.starts_with('`') || text.ends_with('`') {
        " "
    } else {
        ""
    };
    format!("{fence}{space}{text}{space}{fence}")
}

#[cfg(test)]
mod tests {
    use super::{code, escaped};

    #[test]
    fn names_of_a_provider_are_no_markup() {
        for (text, shown) in [
            ("variant `a` of B", "variant `a` of B"),
            ("a <b>|*x*", "a \\<b\\>\\|\\*x\\*"),
            ("`a|<b>`", "`a|<b>`"),
            // Markdown reads these three as one run, which nothing ends.
            ("```<img src=x>` was", "\\`\\`\\`\\<img src=x\\>\\` was"),
            ("`a``<b>` and `c`", "`a``<b>` and `c`"),
            ("one ` tick\n<b>", "one \\` tick \\<b\\>"),
            ("&lt;", "\\&lt;"),
        ] {
            assert_eq!(escaped(text), shown, "{text}");
        }
        for (text, shown) in [
            ("a", "`a`"),
            ("a`b", "``a`b``"),
            ("`a``", "``` `a`` ```"),
            ("a\nb", "`a b`"),
        ] {
            assert_eq!(code(text), shown, "{text}");
        }
    }
}
