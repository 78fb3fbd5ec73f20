//! `cargo xtask report`: coverage, evidence and drift as one page that needs nothing beside it, and as
//! Markdown.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use agentwire_codegen::stem::TRANSCRIPTS;
use agentwire_upkeep::report::{Coverage, coverage, html, markdown};

use crate::failure::{CLEAN, EXIT_CODES, FOUND, Failure};
use crate::format::counted;
use crate::out;
use crate::workspace::{self, found, rendered, texts_below};

/// Where a report is written that nobody names a place for, from the root of the workspace.
const FOLDER: &str = "target/report";

/// Flags of the command.
#[derive(clap::Args)]
#[command(after_help = EXIT_CODES)]
pub struct Arguments {
    /// The folder for `index.html` and `report.md`; target/report by default.
    #[arg(long, value_name = "DIR", conflicts_with_all = ["html", "markdown"])]
    out: Option<PathBuf>,
    /// Write the page to this file; the Markdown only where --markdown names one.
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Write the Markdown to this file; the page only where --html names one.
    #[arg(long, value_name = "FILE")]
    markdown: Option<PathBuf>,
}

/// Reads everything, and writes the two files. What can't be read is told in them, and fails the
/// command all the same.
pub fn run(root: &Path, arguments: &Arguments) -> Result<ExitCode, Failure> {
    let files = workspace::texts(root)?;
    let transcripts = texts_below(root, &[TRANSCRIPTS])?;
    let coverage = coverage(&files, &transcripts).map_err(found)?;
    for (path, text) in wanted(root, arguments, &coverage) {
        write(&path, &text)?;
        let size = text.len().div_ceil(1024);
        out::print(&format!("{} ({size} KiB)\n", path.display()));
    }
    eprint!("{}", rendered(&coverage.problems));
    if coverage.problems.is_empty() {
        return Ok(ExitCode::from(CLEAN));
    }
    let problems = counted(coverage.problems.len(), "problem");
    eprintln!("the report is incomplete: {problems}");
    Ok(ExitCode::from(FOUND))
}

/// The files to write, with their texts.
fn wanted(root: &Path, arguments: &Arguments, coverage: &Coverage) -> Vec<(PathBuf, String)> {
    if arguments.html.is_none() && arguments.markdown.is_none() {
        let folder = arguments.out.clone().unwrap_or_else(|| root.join(FOLDER));
        return vec![
            (folder.join("index.html"), html(coverage)),
            (folder.join("report.md"), markdown(coverage)),
        ];
    }
    let page = arguments.html.clone().map(|path| (path, html(coverage)));
    let text = arguments
        .markdown
        .clone()
        .map(|path| (path, markdown(coverage)));
    page.into_iter().chain(text).collect()
}

fn write(path: &Path, text: &str) -> Result<(), Failure> {
    if let Some(folder) = path.parent().filter(|it| !it.as_os_str().is_empty()) {
        fs::create_dir_all(folder).map_err(|error| Failure::io("make", folder, &error))?;
    }
    fs::write(path, text).map_err(|error| Failure::io("write", path, &error))
}
