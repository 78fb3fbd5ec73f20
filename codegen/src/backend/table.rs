//! The printer of types: a type is a table, with one line a member. What is too long for a line goes
//! on in the next one, further in.

use proc_macro2::{TokenStream, TokenTree};

use crate::ir::Seen;

/// The longest line of a generated file, in characters.
pub const WIDTH: usize = 120;

/// One type as a table: a call of the macro that declares it.
pub struct Table {
    text: String,
}

impl Table {
    /// Begins the table of a type: the macro, and what it says of the type as a whole.
    pub fn new(declares: &str, head: &str, fact: Option<String>) -> Self {
        let mut table = Self {
            text: String::new(),
        };
        let mut parts = vec![format!("{declares}! {{ {head}")];
        parts.extend(fact.map(|fact| bracketed(&first_upper(&fact))));
        table.pieces(0, &parts, " {");
        table
    }

    /// A line: its parts with spaces between them.
    pub fn line(&mut self, parts: &[String], end: &str) {
        self.pieces(1, parts, end);
    }

    /// The text of the table.
    pub fn end(mut self) -> String {
        self.text.push_str("}}\n");
        self.text
    }

    fn pieces(&mut self, level: usize, parts: &[String], end: &str) {
        self.text.push_str(&wrapped(level, parts, end));
    }
}

/// Parts with spaces between them, in as few lines as they need.
pub fn wrapped(level: usize, parts: &[String], end: &str) -> String {
    let mut text = String::new();
    let mut line = "    ".repeat(level);
    let mut first = true;
    for (index, part) in parts.iter().enumerate() {
        let last = index + 1 == parts.len();
        let room = if last { end.len() } else { 0 };
        let space = usize::from(!first);
        if !first && width(&line) + space + width(part) + room > WIDTH {
            text.push_str(&line);
            text.push('\n');
            line = "    ".repeat(level + 1);
            first = true;
        }
        if !first {
            line.push(' ');
        }
        line.push_str(part);
        first = false;
    }
    text + &line + end + "\n"
}

/// A text literal in brackets, broken where it is too long for a line.
pub fn bracketed(text: &str) -> String {
    let literal = format!("[{text:?}]");
    if width(&literal) + 12 <= WIDTH {
        return literal;
    }
    let mut broken = String::new();
    let mut room = WIDTH - 12;
    for part in literal.split_inclusive([',', ' ']) {
        let (part, space) = match part.strip_suffix(' ') {
            Some(part) => (part, " "),
            None => (part, ""),
        };
        if width(part) + 2 > room {
            // A backslash at the end of a line takes the white space of the next one with it.
            broken.push_str("\\\n        ");
            room = WIDTH - 12;
        }
        broken.push_str(part);
        broken.push_str(space);
        room = room.saturating_sub(width(part) + width(space));
    }
    broken
}

/// A line of documentation or of comment, broken at spaces; the breaks begin like the line did.
pub fn paragraph(line: &str) -> String {
    let body = line.trim_start();
    let indent = line.len() - body.len();
    let marks = body
        .split_once(' ')
        .filter(|(mark, _)| mark.starts_with("//"));
    let (Some((mark, words)), true) = (marks, width(line) > WIDTH) else {
        return line.to_owned();
    };
    let begin = format!("{}{mark}", " ".repeat(indent));
    let mut text = String::new();
    let mut current = begin.clone();
    for word in words.split(' ') {
        if current != begin && width(&current) + 1 + width(word) > WIDTH {
            text.push_str(&current);
            text.push('\n');
            current.clone_from(&begin);
        }
        current.push(' ');
        current.push_str(word);
    }
    text + &current
}

/// A type as it is written: no spaces but after commas and keywords.
pub fn spelled(tokens: &TokenStream) -> String {
    let mut text = String::new();
    for token in tokens.clone() {
        match token {
            TokenTree::Punct(punct) if punct.as_char() == ',' => text.push_str(", "),
            TokenTree::Group(group) => {
                let (open, close) = match group.delimiter() {
                    proc_macro2::Delimiter::Parenthesis => ("(", ")"),
                    proc_macro2::Delimiter::Bracket => ("[", "]"),
                    proc_macro2::Delimiter::Brace => ("{", "}"),
                    proc_macro2::Delimiter::None => ("", ""),
                };
                text.push_str(open);
                text.push_str(&spelled(&group.stream()));
                text.push_str(close);
            }
            // A lifetime before a type, as in `&'m str`.
            TokenTree::Ident(ident) if needs_space(&text) => {
                text.push(' ');
                text.push_str(&ident.to_string());
            }
            other @ (TokenTree::Ident(_) | TokenTree::Punct(_) | TokenTree::Literal(_)) => {
                text.push_str(&other.to_string());
            }
        }
    }
    text
}

fn needs_space(text: &str) -> bool {
    text.chars()
        .next_back()
        .is_some_and(|last| last.is_alphanumeric() || last == '_')
}

/// The versions in a few words; nothing where every version has it.
pub fn since(seen: &Seen, window: &[String]) -> Option<String> {
    let indices: Vec<usize> = seen.0.keys().copied().collect();
    let name = |index: usize| window.get(index).map_or("", String::as_str);
    let (first, last) = (*indices.first()?, *indices.last()?);
    let whole = indices.len() == last - first + 1;
    let newest = window.len().saturating_sub(1);
    let mut text = match (whole, first, last) {
        (true, 0, last) if last == newest => String::new(),
        (true, first, last) if last == newest => format!("since {}", name(first)),
        (true, 0, last) => format!("until {}", name(last)),
        (true, first, last) if first == last => format!("in {} only", name(first)),
        (true, first, last) => format!("from {} to {}", name(first), name(last)),
        (false, _, _) => {
            let all: Vec<&str> = indices.iter().map(|index| name(*index)).collect();
            format!("in {}", all.join(", "))
        }
    };
    if seen.experimental() {
        text.push_str(if text.is_empty() {
            "experimental"
        } else {
            ", experimental"
        });
    }
    (!text.is_empty()).then_some(text)
}

fn first_upper(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| {
        first.to_uppercase().chain(chars).collect()
    })
}

/// How wide the widest line is.
fn width(text: &str) -> usize {
    let lines = text.lines().map(|line| line.chars().count());
    lines.max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::ir::Face;
    use quote::quote;

    #[test]
    fn a_type_is_written_as_people_do() {
        let ty = quote!(Map<'a, Option<super::other::Name<'a>>>);
        assert_eq!(spelled(&ty), "Map<'a, Option<super::other::Name<'a>>>");
    }

    #[test]
    fn a_long_line_goes_on_further_in() {
        let mut table = Table::new("wire_struct", "Lamp<'a>", Some(String::from("since 2")));
        table.line(&["field \"on\" on:".into(), "bool".into()], ",");
        let long = "L".repeat(WIDTH - 10);
        table.line(
            &[
                "field \"x\" x:".into(),
                long.clone(),
                "[\"since 3\"]".into(),
            ],
            ",",
        );
        let expected = format!(
            "wire_struct! {{ Lamp<'a> [\"Since 2\"] {{\n    field \"on\" on: bool,\n    field \"x\" x:\n        {long}\n        [\"since 3\"],\n}}}}\n"
        );
        assert_eq!(table.end(), expected);
    }

    #[test]
    fn a_long_paragraph_is_broken_at_words() {
        let line = format!("    /// {} end", "word ".repeat(30).trim_end());
        let broken = paragraph(&line);
        assert!(broken.lines().all(|line| line.chars().count() <= WIDTH));
        assert!(broken.lines().all(|line| line.starts_with("    /// ")));
        assert_eq!(broken.lines().count(), 2);
        assert_eq!(paragraph("    let short = 1;"), "    let short = 1;");
    }

    #[test]
    fn a_long_text_is_broken_and_stays_one() {
        let text = format!("absent means `{}`", "{\"a\":1},".repeat(40));
        let literal = bracketed(&text);
        assert!(
            literal.lines().all(|line| width(line) <= WIDTH),
            "{literal}"
        );
        assert!(literal.lines().count() > 2);
        let literal: syn::LitStr = syn::parse_str(literal.trim_matches(['[', ']'])).unwrap();
        assert_eq!(literal.value(), text);
    }

    #[test]
    fn versions_are_told_where_they_are_not_all() {
        let window: Vec<String> = ["1", "2", "3"].map(String::from).to_vec();
        let seen = |list: &[usize]| Seen(list.iter().map(|index| (*index, Face::Stable)).collect());
        assert_eq!(since(&seen(&[0, 1, 2]), &window), None);
        assert_eq!(since(&seen(&[1, 2]), &window).as_deref(), Some("since 2"));
        assert_eq!(since(&seen(&[0, 1]), &window).as_deref(), Some("until 2"));
        assert_eq!(since(&seen(&[1]), &window).as_deref(), Some("in 2 only"));
        assert_eq!(since(&seen(&[0, 2]), &window).as_deref(), Some("in 1, 3"));
        let only = Seen::once(2, Face::Experimental);
        assert_eq!(
            since(&only, &window).as_deref(),
            Some("since 3, experimental")
        );
    }
}
