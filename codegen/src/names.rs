//! Names: how a wire name becomes a Rust name, and which known name is nearest to an unknown one.

mod words;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use words::{style, words};

/// Wire names that give one Rust name although each was told apart by its spelling.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Collision {
    /// The Rust name that they share.
    pub name: String,
    /// The wire names, sorted.
    pub values: Vec<String>,
}

impl fmt::Display for Collision {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let values: Vec<String> = self.values.iter().map(|it| format!("`{it}`")).collect();
        write!(formatter, "{} all give `{}`", values.join(", "), self.name)
    }
}

/// The name of an enum variant: `item/agentMessage/delta` gives `ItemAgentMessageDelta`.
pub fn variant(wire: &str) -> String {
    let name = upper_camel(wire);
    match name.as_str() {
        // `Self` can't be an identifier, and each open enum has its own `Unrecognized`.
        "Self" => "Self_".to_owned(),
        "Unrecognized" => "UnrecognizedValue".to_owned(),
        _ => name,
    }
}

/// The name of a type: the last segment of a path, and never a name that generated code needs.
/// `v2/ThreadItem` gives `ThreadItem`, and `Option` gives `OptionType`.
pub fn type_name(path: &str) -> String {
    own_type(&upper_camel(path.rsplit('/').next().unwrap_or_default()))
}

/// The name of a field or a module: `emittedAtMs` gives `emitted_at_ms`, and `type` gives `type_`.
pub fn field(wire: &str) -> String {
    let words: Vec<String> = words(wire).iter().map(|it| it.to_lowercase()).collect();
    let name = not_a_digit_first(words.join("_"), 'n');
    if KEYWORDS.contains(&name.as_str()) {
        name + "_"
    } else {
        name
    }
}

/// Names for all variants of one enum. Where several values give one name, each of them gets its
/// style added (`InProgressSnake`, `InProgressCamel`). None of them keeps the bare name, because a
/// value that a later version adds must not take over a name that stood for another value.
pub fn variants(values: &[&str]) -> Result<BTreeMap<String, String>, Collision> {
    distinct(values, variant, |name, value| {
        name + upper_first(style(value)).as_str()
    })
}

/// Names for all fields of one struct, told apart in the same way (`thread_id_snake`).
pub fn fields(names: &[&str]) -> Result<BTreeMap<String, String>, Collision> {
    distinct(names, field, |name, value| {
        format!("{}_{}", name.trim_end_matches('_'), style(value))
    })
}

/// The candidate that most looks like the wanted name, if one is near enough to be meant.
pub fn nearest<'a>(wanted: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let limit = wanted.chars().count().div_ceil(3).max(1);
    candidates
        .into_iter()
        .map(|candidate| (distance(wanted, candidate), candidate))
        .filter(|(distance, _)| *distance <= limit)
        .min()
        .map(|(_, candidate)| candidate)
}

fn distinct(
    values: &[&str],
    name: fn(&str) -> String,
    told_apart: impl Fn(String, &str) -> String,
) -> Result<BTreeMap<String, String>, Collision> {
    let values: BTreeSet<&str> = values.iter().copied().collect();
    let mut sharers: BTreeMap<String, usize> = BTreeMap::new();
    for value in &values {
        *sharers.entry(name(value)).or_default() += 1;
    }
    let mut taken: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for value in values {
        let plain = name(value);
        let own = match sharers.get(&plain) {
            Some(2..) => told_apart(plain, value),
            Some(_) | None => plain,
        };
        taken.entry(own).or_default().push(value);
    }
    let mut names = BTreeMap::new();
    for (name, values) in taken {
        match values.as_slice() {
            [value] => names.insert((*value).to_owned(), name),
            _ => {
                return Err(Collision {
                    name,
                    values: values.into_iter().map(str::to_owned).collect(),
                });
            }
        };
    }
    Ok(names)
}

fn upper_camel(wire: &str) -> String {
    let name = words(wire)
        .iter()
        .map(|word| upper_first(&word.to_lowercase()))
        .collect();
    not_a_digit_first(name, 'N')
}

fn upper_first(word: &str) -> String {
    let mut chars = word.chars();
    let first = chars.next().map(|first| first.to_ascii_uppercase());
    first.into_iter().chain(chars).collect()
}

fn not_a_digit_first(name: String, mark: char) -> String {
    if name.starts_with(|first: char| first.is_ascii_digit()) {
        format!("{mark}{name}")
    } else {
        name
    }
}

fn own_type(name: &str) -> String {
    if TAKEN_TYPES.contains(&name) {
        format!("{name}Type")
    } else {
        name.to_owned()
    }
}

/// The edit distance: insertions, deletions and replacements of one character.
fn distance(left: &str, right: &str) -> usize {
    let right: Vec<char> = right.chars().collect();
    let mut row: Vec<usize> = (0..=right.len()).collect();
    for (index, from) in left.chars().enumerate() {
        let mut next = vec![index + 1];
        let mut best = index + 1;
        for ((&to, &replaced), &above) in right.iter().zip(&row).zip(row.iter().skip(1)) {
            best = (replaced + usize::from(from != to))
                .min(above + 1)
                .min(best + 1);
            next.push(best);
        }
        row = next;
    }
    row.last().copied().unwrap_or_default()
}

/// Strict and reserved keywords up to edition 2024.
const KEYWORDS: &[&str] = &[
    "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "crate",
    "do", "dyn", "else", "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl",
    "in", "let", "loop", "macro", "match", "mod", "move", "mut", "override", "priv", "pub", "ref",
    "return", "self", "static", "struct", "super", "trait", "true", "try", "type", "typeof",
    "unsafe", "unsized", "use", "virtual", "where", "while", "yield",
];

/// The prelude, and what generated code declares itself or brings in from std and the runtime.
const TAKEN_TYPES: &[&str] = &[
    "Arc",
    "AsMut",
    "AsRef",
    "AsyncFn",
    "AsyncFnMut",
    "AsyncFnOnce",
    "BTreeMap",
    "Box",
    "Clone",
    "Copy",
    "Cow",
    "Cx",
    "Debug",
    "Default",
    "Display",
    "DoubleEndedIterator",
    "Drop",
    "EmittedBy",
    "Eq",
    "Err",
    "ExactSizeIterator",
    "Extend",
    "External",
    "Fn",
    "FnMut",
    "FnOnce",
    "From",
    "FromIterator",
    "Future",
    "Hash",
    "Into",
    "IntoFuture",
    "IntoIterator",
    "Iterator",
    "Json",
    "JsonKind",
    "Kind",
    "Malformed",
    "Map",
    "Mapping",
    "None",
    "Object",
    "Ok",
    "Option",
    "Ord",
    "Out",
    "PartialEq",
    "PartialOrd",
    "Range",
    "Reader",
    "Result",
    "RowInfo",
    "RowVerb",
    "Self",
    "Send",
    "Sized",
    "Some",
    "String",
    "Sync",
    "ToOwned",
    "ToString",
    "TryFrom",
    "TryInto",
    "Unpin",
    "Unrecognized",
    "Vec",
    "Wire",
    "Writer",
];

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic)]
    use super::*;

    #[test]
    fn variant_names() {
        for (wire, name) in [
            ("item/agentMessage/delta", "ItemAgentMessageDelta"),
            ("mcpServer/oauthLogin", "McpServerOauthLogin"),
            ("system:init", "SystemInit"),
            ("SDKMessage", "SdkMessage"),
            ("MCPServer", "McpServer"),
            ("toolUseIDs", "ToolUseIds"),
            ("IN_PROGRESS", "InProgress"),
            ("gpt-5.2", "Gpt52"),
            ("2024-11-05", "N20241105"),
            ("", "Empty"),
            ("+", "Plus"),
            ("-", "Minus"),
            ("*", "Asterisk"),
            ("-1", "Minus1"),
            ("+1", "Plus1"),
            (">=", "GreaterEqual"),
            ("c++", "CPlusPlus"),
            ("_", "Underscore"),
            ("日", "U65e5"),
            ("self", "Self_"),
            ("unrecognized", "UnrecognizedValue"),
            ("unknown", "Unknown"),
            ("None", "None"),
        ] {
            assert_eq!(variant(wire), name, "{wire}");
        }
    }

    #[test]
    fn field_names() {
        for (wire, name) in [
            ("emittedAtMs", "emitted_at_ms"),
            ("text_elements", "text_elements"),
            ("type", "type_"),
            ("self", "self_"),
            ("gen", "gen_"),
            ("_meta", "meta"),
            ("sha256Hash", "sha256_hash"),
            ("userInputV2", "user_input_v2"),
            ("2fa", "n2fa"),
            ("$ref", "dollar_ref"),
            ("app-server.notification", "app_server_notification"),
            ("", "empty"),
        ] {
            assert_eq!(field(wire), name, "{wire}");
        }
    }

    #[test]
    fn type_names_never_shadow_what_generated_code_needs() {
        assert_eq!(type_name("v2/ThreadItem"), "ThreadItem");
        assert_eq!(type_name("JSONRPCMessage"), "JsonrpcMessage");
        for taken in [
            "Option", "Vec", "String", "Result", "Box", "Some", "Default", "Self",
        ] {
            assert_eq!(type_name(taken), format!("{taken}Type"));
        }
    }

    #[test]
    fn values_that_share_a_name_are_told_apart_by_their_style() {
        let odd = [
            "in_progress",
            "inProgress",
            "in-progress",
            "+",
            "-",
            "",
            "*",
        ];
        let names = variants(&odd).unwrap();
        assert_eq!(names.len(), odd.len());
        assert_eq!(names["in_progress"], "InProgressSnake");
        assert_eq!(names["inProgress"], "InProgressCamel");
        assert_eq!(names["in-progress"], "InProgressKebab");
        assert_eq!(names["*"], "Asterisk");
        assert_eq!(variants(&["a", "a"]).unwrap().len(), 1);
        let names = fields(&["type", "Type", "threadId"]).unwrap();
        assert_eq!(names["type"], "type_plain");
        assert_eq!(names["threadId"], "thread_id");
        let collision = variants(&["a-b_c", "a_b-c"]).unwrap_err();
        assert_eq!(
            collision.to_string(),
            "`a-b_c`, `a_b-c` all give `ABCMixed`"
        );
    }

    #[test]
    fn the_nearest_name() {
        let known = ["content.delta", "item.started", "item.updated"];
        assert_eq!(nearest("content.detla", known), Some("content.delta"));
        assert_eq!(nearest("item.startd", known), Some("item.started"));
        assert_eq!(nearest("session.exited", known), None);
        assert_eq!(distance("kitten", "sitting"), 3);
        assert_eq!(distance("", "abc"), 3);
    }

    #[test]
    fn every_name_is_an_identifier() {
        for wire in (0..0x250).filter_map(char::from_u32) {
            for text in [wire.to_string(), format!("a{wire}"), format!("{wire}1")] {
                for name in [variant(&text), field(&text), type_name(&text)] {
                    assert!(
                        syn::parse_str::<syn::Ident>(&name).is_ok(),
                        "{text:?}: {name}"
                    );
                }
            }
        }
    }
}
