//! `cargo xtask check`: everything that is checked in against what its inputs say, in one offline command.

use std::path::Path;
use std::process::ExitCode;

use agentwire_codegen::check::{Checked, Section, check};
use serde_json::{Map, Value, json};

use crate::failure::{CLEAN, EXIT_CODES, FOUND, Failure};
use crate::files::sha256;
use crate::format::{Format, annotation, object, pretty};
use crate::workspace::{self, rendered};

/// Flags of the command.
#[derive(clap::Args)]
#[command(after_help = EXIT_CODES)]
pub struct Arguments {
    /// The form of the report.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

/// Checks; writes nothing, and asks nobody outside.
pub fn run(root: &Path, arguments: &Arguments) -> Result<ExitCode, Failure> {
    let checked = check(&workspace::texts(root)?, &sha256);
    let findings = checked.findings();
    match arguments.format {
        Format::Text => {
            eprint!("{}", rendered(&findings));
            print!("{}", text(&checked));
        }
        Format::Github => {
            print!("{}", findings.iter().map(annotation).collect::<String>());
        }
        Format::Json => print!("{}", pretty(&value(&checked))),
    }
    Ok(ExitCode::from(if findings.is_empty() {
        CLEAN
    } else {
        FOUND
    }))
}

fn text(checked: &Checked) -> String {
    let line = |(section, count): (Section, Option<usize>)| {
        let found = match count {
            None => "not compared, since nothing can be made".to_owned(),
            Some(0) => format!("ok, {}", counted(checked, section)),
            Some(1) => "1 finding".to_owned(),
            Some(more) => format!("{more} findings"),
        };
        format!("{:<12}{found}\n", section.as_str())
    };
    checked.sections().into_iter().map(line).collect()
}

/// What a section without findings looked at.
fn counted(checked: &Checked, section: Section) -> String {
    let output = checked.output.as_ref();
    let summary = output.map(|output| &output.summary);
    match section {
        Section::Provenance => format!("{} vendored files are those of the lock", checked.vendored),
        Section::Schemas => format!(
            "{} types of {} providers",
            summary.map_or(0, |it| it.types.values().sum::<usize>()),
            summary.map_or(0, |it| it.types.len())
        ),
        Section::Rows => format!(
            "{} rows of {} surfaces",
            summary.map_or(0, |it| it.surfaces.iter().map(|it| it.rows).sum::<usize>()),
            summary.map_or(0, |it| it.surfaces.len())
        ),
        Section::Decisions => "every quirk and overlay is needed".to_owned(),
        Section::Generated => format!("{} files", output.map_or(0, |it| it.files.len())),
        Section::Seal => "whole".to_owned(),
        Section::Docs => format!("{} pages", output.map_or(0, |it| it.pages.len())),
    }
}

fn value(checked: &Checked) -> Value {
    let findings = checked.findings();
    let sections: Map<String, Value> = checked
        .sections()
        .into_iter()
        .map(|(section, count)| (section.as_str().to_owned(), json!(count)))
        .collect();
    json!({
        "clean": findings.is_empty(),
        "sections": sections,
        "findings": findings
            .iter()
            .map(|finding| {
                let mut value = object(finding);
                value["section"] = json!(Section::of(finding).as_str());
                value
            })
            .collect::<Vec<Value>>(),
    })
}
