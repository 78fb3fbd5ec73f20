//! Small phrases that the page and the Markdown share.

use agentwire_codegen::listing::ListedSurface;

/// A number with its noun.
pub fn count(number: usize, noun: &str) -> String {
    let end = if number == 1 { "" } else { "s" };
    format!("{number} {noun}{end}")
}

/// The versions that have a variant, in the words of their window.
pub fn seen(versions: &[String], window: &[String]) -> String {
    let places: Vec<usize> = window
        .iter()
        .enumerate()
        .filter(|(_, version)| versions.contains(version))
        .map(|(place, _)| place)
        .collect();
    let one_run = places
        .windows(2)
        .all(|pair| matches!(pair, [first, next] if next - first == 1));
    match versions {
        [] => "no version says".to_owned(),
        [first, .., last] if one_run && places.len() > 2 => format!("{first} to {last}"),
        some => some.join(", "),
    }
}

/// The version and the scenario of a stream, without the folder of its carrier.
pub fn short(name: &str) -> &str {
    name.split_once('/').map_or(name, |(_, rest)| rest)
}

/// How many rows of a surface have each decision: `12 rename, 3 split`.
pub fn verbs(surface: &ListedSurface) -> String {
    let mut counts: Vec<(&str, usize)> = Vec::new();
    for row in &surface.rows {
        let word = row.state.as_str();
        match counts.iter_mut().find(|(known, _)| *known == word) {
            Some((_, count)) => *count += 1,
            None => counts.push((word, 1)),
        }
    }
    counts.sort_by_key(|(word, count)| (std::cmp::Reverse(*count), *word));
    if counts.is_empty() {
        return "no rows".to_owned();
    }
    let told: Vec<String> = counts
        .iter()
        .map(|(word, count)| format!("{count} {word}"))
        .collect();
    told.join(", ")
}

/// What came and went: `+24 −3`, or nothing.
pub fn moved(added: usize, removed: usize) -> String {
    let signed = [("+", added), ("\u{2212}", removed)];
    let told: Vec<String> = signed
        .iter()
        .filter(|(_, count)| *count > 0)
        .map(|(sign, count)| format!("{sign}{count}"))
        .collect();
    told.join(" ")
}
