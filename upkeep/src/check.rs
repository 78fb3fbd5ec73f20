//! The whole check: everything that is checked in against what its inputs say.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use agentwire_codegen::FOLDER;
use agentwire_codegen::diagnostics::{Code, Diagnostic};
use agentwire_codegen::inputs::Inputs;
use agentwire_codegen::source::SourceFile;
use agentwire_codegen::{Output, generate};

use crate::drift::drift;
use crate::pages::{PAGES, pages};
use crate::stems::broken;
use crate::vendor::unlocked::{is_vendored, unlocked};

/// What a check found.
#[derive(Debug, Default)]
pub struct Checked {
    /// What is wrong with the inputs; nothing can be made while it is.
    pub wrong: Vec<Diagnostic>,
    /// What is made from them; nothing where they are wrong.
    pub output: Option<Output>,
    /// The pages that are made of them.
    pub pages: BTreeMap<String, String>,
    /// What is checked in and is not what is made.
    pub stale: Vec<Diagnostic>,
    /// How many vendored files there are.
    pub vendored: usize,
    /// How many surfaces there are, once the places of each were looked for.
    pub surfaces: Option<usize>,
    /// How many files the canonical model is described by, once they were compared.
    pub described: Option<usize>,
}

/// What is checked, in the order in which it is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Section {
    /// Vendored files are those of the lock, and the window is vendored.
    Provenance,
    /// Schemas and the list of sources can be read, and versions agree or are decided.
    Schemas,
    /// Every variant has its row, and every row its variant.
    Rows,
    /// Quirks and overlays are still needed.
    Decisions,
    /// The generated files: path sets first, then bytes.
    Generated,
    /// The seal of the row tables.
    Seal,
    /// Pages that are made from the tables.
    Docs,
    /// Each surface has all of its places, and no folder has the stem of none.
    Stems,
    /// The canonical model in the forms for other hosts.
    Model,
}

impl Section {
    /// Every section, in order.
    pub const ALL: [Self; 9] = [
        Self::Provenance,
        Self::Schemas,
        Self::Rows,
        Self::Decisions,
        Self::Generated,
        Self::Seal,
        Self::Docs,
        Self::Stems,
        Self::Model,
    ];

    /// The word for it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Provenance => "provenance",
            Self::Schemas => "schemas",
            Self::Rows => "rows",
            Self::Decisions => "decisions",
            Self::Generated => "generated",
            Self::Seal => "seal",
            Self::Docs => "docs",
            Self::Stems => "stems",
            Self::Model => "model",
        }
    }

    /// The section that a finding belongs to.
    pub fn of(finding: &Diagnostic) -> Self {
        match finding.code {
            Code::UnlockedSource => Self::Provenance,
            Code::MissingRow
            | Code::StaleRow
            | Code::TodoRow
            | Code::UnknownEvent
            | Code::BadRow
            | Code::BadSet
            | Code::UnsortedRows => Self::Rows,
            Code::StaleQuirk => Self::Decisions,
            Code::BrokenStem => Self::Stems,
            Code::NameCollision | Code::UnloweredSchema | Code::MergeConflict | Code::BadSource => {
                Self::Schemas
            }
            Code::StaleOutput if finding.group == DOCS => Self::Docs,
            Code::StaleOutput if finding.group == MODEL => Self::Model,
            Code::StaleOutput if finding.message.contains(&seal_path()) => Self::Seal,
            Code::StaleOutput | Code::BrokenOutput => Self::Generated,
        }
    }
}

impl fmt::Display for Section {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

impl Checked {
    /// Every finding.
    pub fn findings(&self) -> Vec<Diagnostic> {
        self.wrong.iter().chain(&self.stale).cloned().collect()
    }

    /// Whether the files of the model can be made: their program compiles what is checked in.
    pub fn is_in_order(&self) -> bool {
        self.output.is_some() && self.wrong.is_empty() && self.stale.is_empty()
    }

    /// The texts with everything that is made, and nothing that is made no longer; nothing where the
    /// inputs are wrong.
    pub fn made(&self, texts: &BTreeMap<String, String>) -> Option<BTreeMap<String, String>> {
        let output = self.output.as_ref()?;
        let generated = format!("{FOLDER}/");
        let mut after = texts.clone();
        after.retain(|path, _| !path.starts_with(&generated));
        after.extend(output.files.clone());
        after.extend(self.pages.clone());
        Some(after)
    }

    /// Compares the files that describe the model with those that were made of it.
    pub fn compare_model(
        &mut self,
        made: &BTreeMap<String, String>,
        present: &BTreeMap<String, String>,
    ) {
        self.described = Some(made.len());
        let found = drift(made, present);
        self.stale.extend(found.into_iter().map(|it| Diagnostic {
            group: MODEL.to_owned(),
            ..it
        }));
    }

    /// Looks for the places of each surface among the paths of all files, where code could be made.
    pub fn find_stems(&mut self, texts: &BTreeMap<String, String>, others: &BTreeSet<String>) {
        let Some(output) = &self.output else {
            return;
        };
        let file = SourceFile::new(SOURCES, texts.get(SOURCES).map_or("", String::as_str));
        // What is generated and not checked in is told by its own section.
        let paths = texts.keys().chain(output.files.keys()).chain(others);
        let paths: BTreeSet<&str> = paths.map(String::as_str).collect();
        self.surfaces = Some(output.sources.surface.len());
        let found = broken(&file, &output.sources, &paths);
        self.stale.extend(found);
    }

    /// The findings of each section. Where the inputs are wrong, what would be made of them could not
    /// be compared, and those sections are none. The model is left out where nothing makes its files.
    pub fn sections(&self) -> BTreeMap<Section, Option<usize>> {
        let findings = self.findings();
        let sections = Section::ALL.into_iter();
        let counted = sections
            .filter(|section| {
                *section != Section::Model || self.described.is_some() || !self.is_in_order()
            })
            .map(|section| {
                let count = findings.iter().filter(|it| Section::of(it) == section);
                let compared = match section {
                    Section::Provenance | Section::Schemas | Section::Rows | Section::Decisions => {
                        true
                    }
                    Section::Generated | Section::Seal | Section::Docs => self.output.is_some(),
                    Section::Stems => self.surfaces.is_some(),
                    Section::Model => self.described.is_some(),
                };
                (section, compared.then_some(count.count()))
            });
        counted.collect()
    }
}

/// The list of sources, from the root of the repository.
const SOURCES: &str = "schemas/sources.toml";

/// The group of findings about pages.
const DOCS: &str = "docs";

/// The group of findings about the files that describe the canonical model.
const MODEL: &str = "canonical model";

fn seal_path() -> String {
    format!("{FOLDER}/seal.rs")
}

/// Checks all texts of the repository that matter, by path from its root: the inputs, the generated
/// code and the pages. A schema that was edited by hand must not become code, whatever else is wrong.
pub fn check(files: &BTreeMap<String, String>, sha256: &dyn Fn(&[u8]) -> String) -> Checked {
    let mut checked = Checked {
        wrong: unlocked(files, sha256),
        vendored: files
            .keys()
            .filter(|path| path.strip_prefix("schemas/").is_some_and(is_vendored))
            .count(),
        ..Checked::default()
    };
    match Inputs::from_files(files).and_then(|inputs| generate(&inputs)) {
        Err(found) => {
            // Both look at the list of sources.
            let new = found.into_iter().filter(|it| !checked.wrong.contains(it));
            let new: Vec<Diagnostic> = new.collect();
            checked.wrong.extend(new);
        }
        Ok(output) if checked.wrong.is_empty() => {
            checked.stale = drift(&output.files, &below(files, FOLDER));
            checked.pages = pages(&output);
            let pages = drift(&checked.pages, &named(files, &PAGES));
            checked
                .stale
                .extend(pages.into_iter().map(|page| Diagnostic {
                    group: DOCS.to_owned(),
                    help: vec![String::from(
                        "run `cargo xtask regen` and commit what it writes",
                    )],
                    ..page
                }));
            checked.output = Some(output);
        }
        Ok(_) => {}
    }
    checked
}

/// The files below a folder.
fn below(files: &BTreeMap<String, String>, folder: &str) -> BTreeMap<String, String> {
    let prefix = format!("{folder}/");
    let inside = files.iter().filter(|(path, _)| path.starts_with(&prefix));
    inside
        .map(|(path, text)| (path.clone(), text.clone()))
        .collect()
}

fn named(files: &BTreeMap<String, String>, paths: &[&str]) -> BTreeMap<String, String> {
    let found = paths.iter().filter_map(|path| files.get_key_value(*path));
    found
        .map(|(path, text)| (path.clone(), text.clone()))
        .collect()
}
