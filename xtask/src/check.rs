//! `cargo xtask check`: everything that is checked in against what its inputs say, in one offline command.

use std::path::Path;
use std::process::ExitCode;

use agentwire_codegen::Summary;
use agentwire_codegen::stem::{PROVIDERS, TRANSCRIPTS};
use agentwire_upkeep::check::{Checked, Section, check};
use serde_json::{Map, Value, json};

use crate::described;
use crate::failure::{CLEAN, EXIT_CODES, FOUND, Failure};
use crate::files::sha256;
use crate::format::{Format, annotation, counted, object, pretty};
use crate::out;
use crate::workspace::{self, rendered};

/// Flags of the command.
#[derive(clap::Args)]
#[command(after_help = EXIT_CODES)]
pub struct Arguments {
    /// The form of the findings.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

/// Checks; writes nothing, and asks nobody outside.
pub fn run(root: &Path, arguments: &Arguments) -> Result<ExitCode, Failure> {
    let texts = workspace::texts(root)?;
    let mut checked = check(&texts, &sha256);
    if checked.is_in_order()
        && let Some(made) = described::files(root)?
    {
        checked.compare_model(&made, &described::present(root)?);
    }
    checked.find_stems(
        &texts,
        &workspace::paths_below(root, &[PROVIDERS, TRANSCRIPTS])?,
    );
    let findings = checked.findings();
    match arguments.format {
        Format::Text => {
            eprint!("{}", rendered(&findings));
            out::print(&text(&checked));
        }
        Format::Github => {
            out::print(&findings.iter().map(annotation).collect::<String>());
        }
        Format::Json => out::print(&pretty(&value(&checked))),
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
            None if section == Section::Model => {
                "not compared before all else is in order".to_owned()
            }
            None => "not compared, since nothing can be made".to_owned(),
            Some(0) => format!("ok, {}", looked_at(checked, section)),
            Some(some) => counted(some, "finding"),
        };
        format!("{:<12}{found}\n", section.as_str())
    };
    checked.sections().into_iter().map(line).collect()
}

/// What a section without findings looked at.
fn looked_at(checked: &Checked, section: Section) -> String {
    let output = checked.output.as_ref();
    let summary = output.map(|output| &output.summary);
    let sum = |count: fn(&Summary) -> usize| summary.map_or(0, count);
    match section {
        Section::Provenance => format!(
            "{} as in the lock",
            counted(checked.vendored, "vendored file")
        ),
        Section::Schemas => format!(
            "{} of {}",
            counted(sum(|it| it.types.values().sum()), "type"),
            counted(sum(|it| it.types.len()), "provider")
        ),
        Section::Rows => format!(
            "{} of {}",
            counted(sum(|it| it.surfaces.iter().map(|it| it.rows).sum()), "row"),
            counted(sum(|it| it.surfaces.len()), "surface")
        ),
        Section::Decisions => "every quirk and overlay is needed".to_owned(),
        Section::Generated => counted(output.map_or(0, |it| it.files.len()), "file"),
        Section::Seal => "whole".to_owned(),
        Section::Stems => format!(
            "all places of {}",
            counted(checked.surfaces.unwrap_or_default(), "surface")
        ),
        Section::Docs => counted(checked.pages.len(), "page"),
        Section::Model => counted(checked.described.unwrap_or_default(), "file"),
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
