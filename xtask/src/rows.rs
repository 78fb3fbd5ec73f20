//! `cargo xtask rows`: what each variant becomes, in which versions it was seen, and what is missing.

use std::path::Path;
use std::process::ExitCode;

use agentwire_codegen::listing::{ListedRow, ListedSurface, Listing, State, listing};
use serde_json::{Value, json};

use crate::failure::{CLEAN, EXIT_CODES, FOUND, Failure};
use crate::format::{Form, counted, pretty};
use crate::out;
use crate::workspace::{self, found, inputs, rendered};

/// Flags of the command.
#[derive(clap::Args)]
#[command(after_help = EXIT_CODES)]
pub struct Arguments {
    /// Only what somebody must see to: missing, stale, todo and unreadable rows.
    #[arg(long)]
    missing: bool,
    /// Only surfaces with this id, or whose ids begin with it and a dot.
    #[arg(long, value_name = "SURFACE")]
    surface: Option<String>,
    /// The form of the list.
    #[arg(long, value_enum, default_value_t = Form::Text)]
    format: Form,
}

/// Lists; writes nothing.
pub fn run(root: &Path, arguments: &Arguments) -> Result<ExitCode, Failure> {
    let texts = workspace::texts(root)?;
    let mut listed = listing(&inputs(&texts)?).map_err(found)?;
    select(&mut listed, arguments)?;
    match arguments.format {
        Form::Text => out::print(&text(&listed, arguments.missing)),
        Form::Json => out::print(&pretty(&value(&listed))),
    }
    eprint!("{}", rendered(&listed.problems));
    let open = rows(&listed).any(|(_, row)| row.state.is_open());
    let code = if open || !listed.problems.is_empty() {
        FOUND
    } else {
        CLEAN
    };
    Ok(ExitCode::from(code))
}

fn select(listed: &mut Listing, arguments: &Arguments) -> Result<(), Failure> {
    if let Some(wanted) = &arguments.surface {
        let known: Vec<String> = listed.surfaces.iter().map(|it| it.id.clone()).collect();
        let prefix = format!("{wanted}.");
        listed
            .surfaces
            .retain(|it| it.id == *wanted || it.id.starts_with(&prefix));
        if listed.surfaces.is_empty() {
            return Err(Failure::new(format!(
                "no surface is called `{wanted}`; there are {}",
                known.join(", ")
            )));
        }
    }
    if arguments.missing {
        for surface in &mut listed.surfaces {
            surface.rows.retain(|row| row.state.is_open());
        }
        listed.surfaces.retain(|surface| !surface.rows.is_empty());
    }
    Ok(())
}

fn rows(listed: &Listing) -> impl Iterator<Item = (&ListedSurface, &ListedRow)> {
    let surfaces = listed.surfaces.iter();
    surfaces.flat_map(|surface| surface.rows.iter().map(move |row| (surface, row)))
}

fn text(listed: &Listing, missing: bool) -> String {
    let mut out = String::new();
    for surface in &listed.surfaces {
        out += &format!("{} ({})\n", surface.id, surface.path);
        if is_unreadable(surface) {
            out += "    -  unreadable the whole table\n\n";
            continue;
        }
        let width = surface.rows.iter().map(|row| row.tag.chars().count()).max();
        let width = width.unwrap_or_default().min(56);
        for row in &surface.rows {
            let line = row
                .line
                .map_or_else(|| "-".to_owned(), |line| line.to_string());
            let mut said = row.events.join(", ");
            if let (true, Some(text)) = (said.is_empty(), &row.text) {
                said.clone_from(text);
            }
            if let Some(like) = &row.like {
                said += &format!("{}like {like}", if said.is_empty() { "" } else { "; " });
            }
            out += format!(
                "{line:>5}  {:<10} {:<width$}  {}{}  {said}",
                row.state.as_str(),
                row.tag,
                row.versions.join(", "),
                if row.experimental {
                    " (experimental)"
                } else {
                    ""
                },
            )
            .trim_end();
            out.push('\n');
        }
        out.push('\n');
    }
    if missing && listed.surfaces.is_empty() {
        // What can't be read may hide rows.
        let all = if listed.problems.is_empty() {
            ""
        } else {
            ", as far as the schemas can be read"
        };
        return format!("No row is left to decide{all}.\n");
    }
    let open = rows(listed).filter(|(_, row)| row.state.is_open()).count();
    out + &format!(
        "{} of {}, {open} of them to decide\n",
        counted(rows(listed).count(), "row"),
        counted(listed.surfaces.len(), "surface"),
    )
}

/// Whether nothing of its table can be read.
fn is_unreadable(surface: &ListedSurface) -> bool {
    let unknown = |row: &ListedRow| row.state == State::Unreadable && row.line.is_none();
    !surface.rows.is_empty() && surface.rows.iter().all(unknown)
}

fn value(listed: &Listing) -> Value {
    let row = |row: &ListedRow| {
        json!({
            "tag": row.tag,
            "state": row.state.as_str(),
            "events": row.events,
            "text": row.text,
            "versions": row.versions,
            "face": row.face(),
            "line": row.line,
            "declared": row.declared.as_ref().map(|(path, line)| json!({"path": path, "line": line})),
            "like": row.like,
        })
    };
    let surfaces: Vec<Value> = listed
        .surfaces
        .iter()
        .map(|surface| {
            json!({
                "id": surface.id,
                "provider": surface.provider,
                "value": surface.value,
                "path": surface.path,
                "target": surface.target,
                "rows": surface.rows.iter().map(row).collect::<Vec<Value>>(),
            })
        })
        .collect();
    json!({"surfaces": surfaces})
}
