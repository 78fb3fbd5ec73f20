//! The accept file: changes that somebody has looked at, by id, each with a reason.

use std::collections::BTreeMap;

use agentwire_codegen::diagnostics::{Code, Diagnostic};
use agentwire_codegen::source::{SourceFile, Span};
use serde::Deserialize;
use toml::Spanned;

use super::model::Diff;

/// How many changes a file may accept where it does not say itself. A longer list is one that nobody reads.
pub const CAP: usize = 50;

/// What an accept file says.
#[derive(Clone, Debug)]
pub struct Accepted {
    file: SourceFile,
    entries: Vec<Entry>,
}

#[derive(Clone, Debug)]
struct Entry {
    id: String,
    reason: String,
    span: Span,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Raw {
    cap: Option<Spanned<usize>>,
    #[serde(default)]
    accept: Vec<RawEntry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawEntry {
    id: Spanned<String>,
    reason: Spanned<String>,
}

impl Accepted {
    /// Reads a file; everything that is wrong with it is told with its line.
    pub fn parse(file: &SourceFile) -> Result<Self, Vec<Diagnostic>> {
        let raw: Raw = toml::from_str(file.text()).map_err(|error| {
            let told = bad(file, error.message().to_owned());
            vec![match error.span() {
                Some(span) => told.at(file.span(span), "here"),
                None => told,
            }]
        })?;
        let mut problems = Vec::new();
        let mut seen: BTreeMap<String, Span> = BTreeMap::new();
        let mut entries = Vec::new();
        for RawEntry { id, reason } in raw.accept {
            let span = file.span(id.span());
            if reason.get_ref().trim().is_empty() {
                let told = bad(
                    file,
                    format!("`{}` is accepted without a reason", id.get_ref()),
                );
                problems.push(told.at(file.span(reason.span()), "say why this change is fine"));
            }
            if let Some(first) = seen.insert(id.get_ref().clone(), span.clone()) {
                let told = bad(file, format!("`{}` is accepted twice", id.get_ref()));
                problems.push(told.at(span.clone(), "again").and(first, "first"));
            }
            entries.push(Entry {
                id: id.into_inner(),
                reason: reason.into_inner(),
                span,
            });
        }
        let (cap, at) = match &raw.cap {
            Some(cap) => (*cap.get_ref(), Some(file.span(cap.span()))),
            None => (CAP, None),
        };
        if entries.len() > cap {
            let message = format!(
                "{} changes are accepted, and the cap is {cap}",
                entries.len()
            );
            let told = bad(file, message).help("vendor the new version in place of accepting its changes, or raise `cap` in this file");
            let at = at.or_else(|| entries.get(cap).map(|entry| entry.span.clone()));
            problems.push(match at {
                Some(span) => told.at(span, "the cap"),
                None => told,
            });
        }
        if problems.is_empty() {
            Ok(Self {
                file: file.clone(),
                entries,
            })
        } else {
            Err(problems)
        }
    }

    /// How many changes it accepts.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether it accepts nothing.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }
}

impl Diff {
    /// Marks the changes that the file accepts. An entry for a change that is not there is an error:
    /// it would let the change in unseen when it comes back.
    pub fn accept(&mut self, accepted: &Accepted) -> Result<(), Vec<Diagnostic>> {
        let mut problems = Vec::new();
        for entry in &accepted.entries {
            match self.changes.iter_mut().find(|change| change.id == entry.id) {
                Some(change) => change.accepted = Some(entry.reason.clone()),
                None => {
                    let known = self.changes.iter().map(|change| change.id.as_str());
                    let near =
                        agentwire_codegen::names::nearest(&entry.id, known).map(str::to_owned);
                    let told = Diagnostic::new(
                        Code::StaleQuirk,
                        accepted.file.path(),
                        format!(
                            "`{}` is accepted, and nothing of that id changed between {} and {}",
                            entry.id, self.old, self.new
                        ),
                    );
                    let told = told
                        .at(entry.span.clone(), "stale")
                        .help("remove the entry");
                    problems.push(match near {
                        Some(near) => told.help(format!("the nearest change is `{near}`")),
                        None => told,
                    });
                }
            }
        }
        if problems.is_empty() {
            Ok(())
        } else {
            Err(problems)
        }
    }
}

fn bad(file: &SourceFile, message: String) -> Diagnostic {
    Diagnostic::new(Code::BadSource, file.path(), message)
}
