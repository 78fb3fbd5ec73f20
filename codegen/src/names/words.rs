//! The words that a wire name is made of, and the style in which it joins them.

use std::collections::BTreeSet;

/// The words of a wire name, never none. Separators only separate, as long as a letter or a digit
/// is left to name the value; every other character becomes a word of its own.
pub(super) fn words(wire: &str) -> Vec<String> {
    if wire.is_empty() {
        return vec!["empty".to_owned()];
    }
    let telling = wire.chars().any(|it| it.is_ascii_alphanumeric());
    let chars: Vec<char> = wire.chars().collect();
    let mut words: Vec<String> = Vec::new();
    let mut open = false;
    for (index, &it) in chars.iter().enumerate() {
        let next = chars.get(index + 1).copied();
        if it.is_ascii_alphanumeric() {
            let previous = index.checked_sub(1).and_then(|before| chars.get(before));
            let after_next = chars.get(index + 2).copied();
            match words.last_mut() {
                Some(word) if open && !begins_word(previous, it, next, after_next) => word.push(it),
                Some(_) | None => words.push(it.to_string()),
            }
            open = true;
            continue;
        }
        open = false;
        let negative = index == 0 && it == '-' && next.is_some_and(|it| it.is_ascii_digit());
        if !telling || negative || !is_separator(it) {
            words.push(symbol(it));
        }
    }
    words
}

/// Whether a word begins at this letter: after a small letter or a digit, and at the last letter
/// of a run of capitals (`MCPServer`), unless that run is a plural (`toolUseIDs`).
fn begins_word(previous: Option<&char>, it: char, next: Option<char>, then: Option<char>) -> bool {
    if !it.is_ascii_uppercase() {
        return false;
    }
    let small_next = next.is_some_and(|it| it.is_ascii_lowercase());
    let plural = next == Some('s') && !then.is_some_and(|it| it.is_ascii_lowercase());
    match previous {
        Some(previous) if previous.is_ascii_uppercase() => small_next && !plural,
        Some(_) | None => true,
    }
}

fn is_separator(it: char) -> bool {
    it.is_ascii_whitespace() || "_-/.:,;()[]{}'\"`".contains(it)
}

fn symbol(it: char) -> String {
    let name = match it {
        ' ' => "space",
        '!' => "exclamation",
        '"' => "quote",
        '#' => "hash",
        '$' => "dollar",
        '%' => "percent",
        '&' => "ampersand",
        '\'' => "apostrophe",
        '(' => "left paren",
        ')' => "right paren",
        '*' => "asterisk",
        '+' => "plus",
        ',' => "comma",
        '-' => "minus",
        '.' => "dot",
        '/' => "slash",
        ':' => "colon",
        ';' => "semicolon",
        '<' => "less",
        '=' => "equal",
        '>' => "greater",
        '?' => "question",
        '@' => "at",
        '[' => "left bracket",
        '\\' => "backslash",
        ']' => "right bracket",
        '^' => "caret",
        '_' => "underscore",
        '`' => "backtick",
        '{' => "left brace",
        '|' => "pipe",
        '}' => "right brace",
        '~' => "tilde",
        '\t' => "tab",
        '\n' => "newline",
        '\r' => "return",
        other => return format!("u{:04x}", u32::from(other)),
    };
    name.replace(' ', "")
}

/// How a wire name is spelled, as the word that tells it from other spellings of the same words.
pub(super) fn style(wire: &str) -> &'static str {
    let has = |it: char| wire.contains(it);
    let lower = wire.contains(|it: char| it.is_ascii_lowercase());
    let upper = wire.contains(|it: char| it.is_ascii_uppercase());
    let separators = wire.chars().filter(|it| is_separator(*it));
    if wire.is_empty() {
        return "blank";
    }
    if !wire.contains(|it: char| it.is_ascii_alphanumeric()) {
        return "sign";
    }
    if wire.starts_with('_') {
        return "underscored";
    }
    match separators.collect::<BTreeSet<_>>().len() {
        0 if upper && !lower => "upper",
        0 if upper && wire.starts_with(|it: char| it.is_ascii_uppercase()) => "pascal",
        0 if upper => "camel",
        0 => "plain",
        1 if has('_') && upper && !lower => "screaming",
        1 if has('_') => "snake",
        1 if has('-') => "kebab",
        1 if has('/') => "path",
        1 if has('.') => "dotted",
        1 if has(':') => "colon",
        1 if has(' ') => "spaced",
        _ => "mixed",
    }
}
