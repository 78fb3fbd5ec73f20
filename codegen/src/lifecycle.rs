//! Lifecycle tables: what the ends of a provider close, and what may follow them.

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use toml::Spanned;
use toml::de::{DeString, DeTable, DeValue};

use crate::diagnostics::{Code, Diagnostic, Fix};
use crate::names::nearest;
use crate::source::{SourceFile, Span};
use crate::sources::Sources;

/// How the name of such a table ends, after the name of its provider.
pub const ENDING: &str = ".lifecycle.toml";

/// The table of one provider.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LifecycleTable {
    /// The provider, as the name of the file has it.
    pub provider: String,
    /// What is open when a turn ends, by the names of [`THINGS`], each with its word.
    pub turn_ends: BTreeMap<&'static str, &'static str>,
    /// The same when a thread closes.
    pub thread_closes: BTreeMap<&'static str, &'static str>,
    /// The same when the program is gone.
    pub exit: BTreeMap<&'static str, &'static str>,
    /// Whether the next turn of a thread ends the one before it.
    pub one_at_a_time: bool,
    /// Whether a turn that is open when its thread closes goes on to its own end.
    pub outlive_their_thread: bool,
    /// Which word may stand in the place of which end: the later one, and the first.
    pub corrections: Vec<(&'static str, &'static str)>,
}

/// What may be open, and which words say what becomes of it.
pub const THINGS: [(&str, &[&str]); 8] = [
    ("items", &["fail", "keep"]),
    ("commands", &["fail", "keep"]),
    ("background", &["fail", "keep"]),
    ("requests", &["cancel", "keep"]),
    ("questions", &["cancel", "keep"]),
    ("tasks", &["fail", "stop", "keep"]),
    ("background-tasks", &["fail", "stop", "keep"]),
    ("hooks", &["cancel", "keep"]),
];

const SECTIONS: [&str; 5] = [
    "turn-ends",
    "thread-closes",
    "exit",
    "turns",
    "after-the-end",
];
const TURNS: [&str; 2] = ["one-at-a-time", "outlive-their-thread"];
const LATER: [&str; 3] = ["completed", "failed", "declined"];
const FIRST: [&str; 4] = ["completed", "failed", "declined", "closed"];

type Errors = Vec<Diagnostic>;

/// Reads a lifecycle table, or says everything that is wrong with it.
pub fn read(file: &SourceFile, sources: &Sources) -> Result<LifecycleTable, Errors> {
    let provider = provider(file, sources)?;
    let (root, problems) = DeTable::parse_recoverable(file.text());
    if !problems.is_empty() {
        let told = problems.into_iter().map(|problem| {
            let message = format!("{} is not TOML: {}", file.path(), problem.message());
            let span = file.span(problem.span().unwrap_or_default());
            Diagnostic::new(Code::BadSource, file.stem(), message).at(span, "here")
        });
        return Err(told.collect());
    }
    let mut reader = Reader {
        file,
        errors: unknown_keys(file, root.get_ref(), &SECTIONS),
    };
    let root = root.get_ref();
    if let Some(turns) = reader.section(root, "turns") {
        reader.errors.extend(unknown_keys(file, turns, &TURNS));
    }
    let table = LifecycleTable {
        provider,
        turn_ends: reader.ends(root, "turn-ends"),
        thread_closes: reader.ends(root, "thread-closes"),
        exit: reader.ends(root, "exit"),
        one_at_a_time: reader.of_turns(root, "one-at-a-time"),
        outlive_their_thread: reader.of_turns(root, "outlive-their-thread"),
        corrections: reader.corrections(root),
    };
    if reader.errors.is_empty() {
        Ok(table)
    } else {
        Err(reader.errors)
    }
}

/// What the name of a table has after its provider where it is of stored sessions.
const STORED: &str = "-stored";

/// The name of a table: its provider, or its provider's stored sessions. Generations of one wire have
/// one table.
fn provider(file: &SourceFile, sources: &Sources) -> Result<String, Errors> {
    let name = file.path().rsplit('/').next().unwrap_or_default();
    let name = name.strip_suffix(ENDING).unwrap_or(name);
    let mut names: Vec<&str> = sources
        .provider
        .keys()
        .map(|it| without_generation(it))
        .collect();
    names.dedup();
    if names.contains(&name.strip_suffix(STORED).unwrap_or(name)) {
        return Ok(name.to_owned());
    }
    let message = format!("{} is of no provider", file.path());
    let error = Diagnostic::new(Code::BadRow, file.stem(), message).at(file.span(0..0), "here");
    Err(vec![match nearest(name, names.iter().copied()) {
        Some(meant) => error.help(format!("the nearest provider is `{meant}`")),
        None => error.help(format!("the providers are {}", names.join(", "))),
    }])
}

fn without_generation(provider: &str) -> &str {
    match provider.rsplit_once("-v") {
        Some((name, number)) if number.chars().all(|it| it.is_ascii_digit()) => name,
        _ => provider,
    }
}

struct Reader<'f> {
    file: &'f SourceFile,
    errors: Errors,
}

impl Reader<'_> {
    fn section<'t>(&mut self, root: &'t DeTable<'t>, name: &str) -> Option<&'t DeTable<'t>> {
        let value = root.get(name)?;
        let table = value.get_ref().as_table();
        if table.is_none() {
            self.wrong(value, format!("`{name}` must be a table"));
        }
        table
    }

    /// A section that says what becomes of each thing.
    fn ends(&mut self, root: &DeTable<'_>, section: &str) -> BTreeMap<&'static str, &'static str> {
        let Some(table) = self.section(root, section) else {
            if root.get(section).is_none() {
                let message = format!("[{section}] is missing");
                let error = Diagnostic::new(Code::BadRow, self.file.stem(), message);
                let end = self.file.text().len();
                self.errors
                    .push(error.at(self.file.span(end..end), "it belongs in this file"));
            }
            return BTreeMap::new();
        };
        let things = THINGS.map(|(thing, _)| thing);
        self.errors.extend(unknown_keys(self.file, table, &things));
        let mut ends = BTreeMap::new();
        for (thing, words) in THINGS {
            let Some(value) = table.get(thing) else {
                let span = root.get_key_value(section).map(|(key, _)| key.span());
                let message = format!("[{section}] does not say what becomes of {thing}");
                let error = Diagnostic::new(Code::BadRow, self.file.stem(), message);
                let span = self.file.span(span.unwrap_or_default());
                let help = format!("`{thing}` is one of {}", words.join(", "));
                self.errors
                    .push(error.at(span, "in this section").help(help));
                continue;
            };
            let Some(word) = self.word(value, thing, words) else {
                continue;
            };
            if word == "keep" && section == "exit" {
                let message = "nothing stays open when the program is gone".to_owned();
                self.wrong(value, message);
            }
            ends.insert(thing, word);
        }
        ends
    }

    fn of_turns(&mut self, root: &DeTable<'_>, name: &str) -> bool {
        let turns = root.get("turns").and_then(|it| it.get_ref().as_table());
        let Some(value) = turns.and_then(|turns| turns.get(name)) else {
            return false;
        };
        let said = value.get_ref().as_bool();
        if said.is_none() {
            self.wrong(value, format!("`{name}` must be true or false"));
        }
        said.unwrap_or_default()
    }

    fn corrections(&mut self, root: &DeTable<'_>) -> Vec<(&'static str, &'static str)> {
        let Some(table) = self.section(root, "after-the-end") else {
            return Vec::new();
        };
        self.errors
            .extend(unknown_keys(self.file, table, &["items"]));
        let Some(value) = table.get("items") else {
            return Vec::new();
        };
        let Some(list) = value.get_ref().as_array() else {
            self.wrong(value, "`items` must be a list of texts".to_owned());
            return Vec::new();
        };
        let mut corrections = Vec::new();
        for value in list.iter() {
            let parts = value
                .get_ref()
                .as_str()
                .and_then(|it| it.split_once(" over "));
            let found = parts.and_then(|(later, first)| {
                let later = LATER.into_iter().find(|word| *word == later)?;
                let first = FIRST.into_iter().find(|word| *word == first)?;
                (later != first).then_some((later, first))
            });
            match found {
                Some(found) if !corrections.contains(&found) => corrections.push(found),
                Some(_) => self.wrong(value, "it stands twice".to_owned()),
                None => {
                    let message = "a correction is `\"later over first\"`".to_owned();
                    self.wrong(value, message);
                    let help = format!(
                        "later is one of {}; first is another one of {}",
                        LATER.join(", "),
                        FIRST.join(", ")
                    );
                    if let Some(error) = self.errors.pop() {
                        self.errors.push(error.help(help));
                    }
                }
            }
        }
        corrections
    }

    fn word(
        &mut self,
        value: &Spanned<DeValue<'_>>,
        thing: &str,
        words: &'static [&'static str],
    ) -> Option<&'static str> {
        let said = value.get_ref().as_str().unwrap_or_default();
        let word = words.iter().find(|word| **word == said).copied();
        if word.is_none() {
            let message = format!("`{thing}` is one of {}", words.join(", "));
            self.wrong(value, message);
        }
        word
    }

    fn wrong(&mut self, value: &Spanned<DeValue<'_>>, message: String) {
        let span = self.file.span(value.span());
        let error = Diagnostic::new(Code::BadRow, self.file.stem(), message);
        self.errors.push(error.at(span, "here"));
    }
}

fn unknown_keys(file: &SourceFile, table: &DeTable<'_>, known: &[&str]) -> Errors {
    let unknown = |key: &Spanned<DeString<'_>>| {
        let span: Span = file.span(key.span());
        let message = format!("`{}` is not a key of a lifecycle table here", key.get_ref());
        let error = Diagnostic::new(Code::BadRow, file.stem(), message);
        let error = error.at(span.clone(), "unknown key");
        match nearest(key.get_ref(), known.iter().copied()) {
            Some(meant) => error.fix(Fix::new(format!("write `{meant}`"), span, meant)),
            None => error.help(format!("the keys here are {}", known.join(", "))),
        }
    };
    let keys = table.keys();
    keys.filter(|key| !known.contains(&&**key.get_ref()))
        .map(unknown)
        .collect()
}
