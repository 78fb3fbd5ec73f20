//! `cargo xtask diff`: what differs between two versions of a provider, and for whom that matters.

use std::collections::BTreeMap;
use std::io::{IsTerminal, Write};
use std::path::Path;
use std::process::ExitCode;

use agentwire_codegen::diagnostics::{Diagnostic, render};
use agentwire_codegen::source::SourceFile;
use agentwire_upkeep::diff::{
    Accepted, Class, Diff, FaceFile, Side, classes_markdown, classes_text, compare, github, json,
    markdown, markdown_within, text,
};
use clap::ValueEnum;

use crate::failure::Failure;
use crate::files::{files_below, read_text};
use crate::workspace::SOURCES;

/// The exit code of a comparison that found what `--fail-on` names.
const FOUND: u8 = 1;

/// The exit code where nothing could be compared.
const NOT_RUN: u8 = 2;

/// Flags of the command.
#[derive(clap::Args)]
pub struct Arguments {
    /// The provider, as schemas/sources.toml names it.
    #[arg(required_unless_present = "classes")]
    provider: Option<String>,
    /// The old version: a vendored one (`0.171.0`), one face of it (`0.171.0/stable`), or a path to a
    /// folder with `stable/schema.json`, `schema.json` or `types.json`, or to such a file.
    #[arg(required_unless_present = "classes")]
    old: Option<String>,
    /// The new version, named in the same way.
    #[arg(required_unless_present = "classes")]
    new: Option<String>,
    /// What is printed.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// With `markdown`: leave out what matters least where all of it would be longer.
    #[arg(long, value_name = "BYTES")]
    max_bytes: Option<usize>,
    /// Exit with 1 when a change is this bad or worse; `any` is any change at all.
    #[arg(long, value_enum, value_name = "CLASS")]
    fail_on: Option<FailOn>,
    /// A TOML file of accepted changes, by id, each with a reason.
    #[arg(long, value_name = "FILE")]
    accept: Option<std::path::PathBuf>,
    /// Print the table of checks and classes, and nothing else.
    #[arg(long, alias = "explain", value_enum, value_name = "FORMAT", num_args = 0..=1, default_missing_value = "text")]
    classes: Option<TableFormat>,
}

/// What is printed.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For a terminal.
    Text,
    /// For a pull request.
    Markdown,
    /// For programs; docs/diff.md describes it.
    Json,
    /// Annotations of GitHub Actions.
    Github,
}

/// The forms of the table of classes.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum TableFormat {
    /// For a terminal.
    Text,
    /// The text of docs/diff-classes.md.
    Markdown,
}

/// What makes the command fail.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum FailOn {
    /// A breaking change.
    Breaking,
    /// A breaking or a dangerous change.
    Dangerous,
    /// Any change that was not accepted.
    Any,
}

/// Compares and prints. What could not be read ends in 2, never in "no changes".
pub fn run(root: &Path, arguments: &Arguments) -> ExitCode {
    let (printed, code) = match answer(root, arguments) {
        Ok(answer) => answer,
        Err(failure) => {
            if failure.is_rendered() {
                eprintln!("{failure}");
            } else {
                eprintln!("error: {failure}");
            }
            return ExitCode::from(NOT_RUN);
        }
    };
    // A reader that went away, as in `… | head`, wanted no more.
    match std::io::stdout().write_all(printed.as_bytes()) {
        Ok(()) => code,
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => code,
        Err(error) => {
            eprintln!("error: cannot print: {error}");
            ExitCode::from(NOT_RUN)
        }
    }
}

fn answer(root: &Path, arguments: &Arguments) -> Result<(String, ExitCode), Failure> {
    match arguments.classes {
        Some(TableFormat::Text) => return Ok((classes_text(), ExitCode::SUCCESS)),
        Some(TableFormat::Markdown) => return Ok((classes_markdown(), ExitCode::SUCCESS)),
        None => {}
    }
    let named = arguments
        .provider
        .as_deref()
        .zip(arguments.old.as_deref())
        .zip(arguments.new.as_deref());
    let Some(((provider, old), new)) = named else {
        return Err(Failure::new("name a provider and two versions"));
    };
    let accepted = arguments.accept.as_deref().map(accepted).transpose()?;
    let mut diff =
        compare(&side(root, provider, old)?, &side(root, provider, new)?).map_err(found)?;
    if let Some(accepted) = &accepted {
        diff.accept(accepted).map_err(found)?;
    }
    let printed = match arguments.format {
        Format::Text => text(&diff, std::io::stdout().is_terminal()),
        Format::Markdown => match arguments.max_bytes {
            Some(bytes) => markdown_within(&diff, bytes),
            None => markdown(&diff),
        },
        Format::Json => json(&diff),
        Format::Github => github(&diff),
    };
    let code = if arguments.fail_on.is_some_and(|limit| hit(&diff, limit)) {
        ExitCode::from(FOUND)
    } else {
        ExitCode::SUCCESS
    };
    Ok((printed, code))
}

fn hit(diff: &Diff, limit: FailOn) -> bool {
    let limit = match limit {
        FailOn::Breaking => Class::Breaking,
        FailOn::Dangerous => Class::Dangerous,
        FailOn::Any => Class::None,
    };
    diff.worst().is_some_and(|worst| worst <= limit)
}

/// A vendored version, or a tree that stands anywhere.
fn side(root: &Path, provider: &str, named: &str) -> Result<Side, Failure> {
    let vendored = format!("schemas/{provider}/{named}");
    if root.join(&vendored).is_dir() {
        let mut files = BTreeMap::from([(SOURCES.to_owned(), read_text(&root.join(SOURCES))?)]);
        for (path, text) in texts(&root.join(&vendored))? {
            files.insert(format!("{vendored}/{path}"), text);
        }
        return Side::vendored(&files, provider, named).map_err(found);
    }
    let path = Path::new(named);
    let sources = SourceFile::new(SOURCES, read_text(&root.join(SOURCES))?);
    if path.is_file() {
        let face = FaceFile {
            face: "stable".to_owned(),
            file: SourceFile::new(named, read_text(path)?),
        };
        return Side::new(&sources, provider, named, vec![face]).map_err(found);
    }
    if path.is_dir() {
        let folder = named.trim_end_matches('/');
        let faces = texts(path)?.into_iter().filter_map(|(path, text)| {
            let face = match path.as_str() {
                "schema.json" | "types.json" => "stable",
                _ => path
                    .strip_suffix("/schema.json")
                    .filter(|face| !face.contains('/'))?,
            };
            Some(FaceFile {
                face: face.to_owned(),
                file: SourceFile::new(format!("{folder}/{path}"), text),
            })
        });
        return Side::new(&sources, provider, folder, faces.collect()).map_err(found);
    }
    // Neither: what is vendored is the likelier thing to be meant, and its message lists the versions.
    let mut files = BTreeMap::from([(SOURCES.to_owned(), read_text(&root.join(SOURCES))?)]);
    for path in files_below(&root.join(format!("schemas/{provider}")))?.into_keys() {
        files.insert(format!("schemas/{provider}/{path}"), String::new());
    }
    Side::vendored(&files, provider, named).map_err(found)
}

/// The texts of JSON files below a folder.
fn texts(folder: &Path) -> Result<BTreeMap<String, String>, Failure> {
    let mut texts = BTreeMap::new();
    for (path, bytes) in files_below(folder)? {
        if path.ends_with(".json") {
            let text = String::from_utf8(bytes).map_err(|_| {
                Failure::new(format!(
                    "{} is not UTF-8 text",
                    folder.join(&path).display()
                ))
            })?;
            texts.insert(path, text);
        }
    }
    Ok(texts)
}

fn accepted(path: &Path) -> Result<Accepted, Failure> {
    let file = SourceFile::new(path.display().to_string(), read_text(path)?);
    Accepted::parse(&file).map_err(found)
}

fn found(diagnostics: Vec<Diagnostic>) -> Failure {
    Failure::rendered(render(&diagnostics, std::io::stderr().is_terminal()))
}
