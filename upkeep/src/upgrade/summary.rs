//! The summary of an upgrade: what was done, and what is left to decide, with file and line.

use std::fmt::Write;

use agentwire_codegen::diagnostics::{Diagnostic, closing_line};

use super::{Moved, Upgraded, Variants};
use crate::diff::code;

/// Whether something was done or would be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tense {
    /// It was done.
    Done,
    /// It was done before: there was nothing to write.
    Before,
    /// Nothing was written.
    Would,
}

/// How many tags a line shows before it counts.
const SHOWN: usize = 12;

/// The summary for a terminal.
pub fn text(upgraded: &Upgraded, tense: Tense) -> String {
    let mut out = String::new();
    for moved in &upgraded.moved {
        head(&mut out, moved);
        body(&mut out, moved);
    }
    if !upgraded.proposed.is_empty() {
        line(
            &mut out,
            "rows",
            &format!("{} proposed", upgraded.proposed.len()),
        );
    }
    out.push('\n');
    for decision in &upgraded.todo {
        out += &place(decision);
    }
    for row in &upgraded.others {
        out += &format!("{}\n", row.to_line());
    }
    out + &verdict(upgraded, tense) + "\n"
}

/// The summary for the description of a pull request; what changed in the schemas goes below it.
pub fn markdown(upgraded: &Upgraded, tense: Tense) -> String {
    let mut out = String::new();
    for moved in &upgraded.moved {
        let title = title(moved);
        // Writing to a string does not fail.
        let _ = writeln!(out, "## {title}\n");
        let _ = writeln!(out, "Window: {}\n", moved.window.join(", "));
        for (what, variants) in [
            ("New variants", &moved.added),
            ("Variants that are gone", &moved.gone),
            ("Variants that only left versions had", &moved.lost),
        ] {
            if variants.is_empty() {
                continue;
            }
            let _ = writeln!(out, "**{what}**: {}\n", count(variants));
            for it in variants {
                let tags: Vec<String> = it.tags.iter().map(|tag| code(tag)).collect();
                let _ = writeln!(out, "- `{}`: {}", it.surface, tags.join(", "));
            }
            out.push('\n');
        }
        if !moved.decisions.is_empty() {
            let _ = writeln!(out, "**Decisions that go**, as no version needs them\n");
            for decision in &moved.decisions {
                let _ = writeln!(out, "- {}", code(decision));
            }
            out.push('\n');
        }
        if !moved.overlays_carried.is_empty() || !moved.overlays_left.is_empty() {
            let _ = writeln!(out, "**Overlays**\n");
            for path in &moved.overlays_carried {
                let _ = writeln!(out, "- `{path}` fits, and is carried on");
            }
            for (path, reason) in &moved.overlays_left {
                let _ = writeln!(out, "- `{path}` does not fit: {reason}");
            }
            out.push('\n');
        }
    }
    if !upgraded.todo.is_empty() || !upgraded.others.is_empty() {
        let _ = writeln!(out, "### To decide\n");
        for decision in upgraded.todo.iter().chain(&upgraded.others) {
            let _ = writeln!(out, "- [ ] {}", code(&decision.to_line()));
        }
        out.push('\n');
    }
    let _ = writeln!(out, "{}", verdict(upgraded, tense));
    out
}

fn title(moved: &Moved) -> String {
    let mut title = moved.provider.clone();
    match (&moved.arrived, &moved.version, &moved.from) {
        (Some(version), _, Some(from)) => title += &format!(" {from} → {version}"),
        (Some(version), _, None) => title += &format!(" {version}"),
        (None, Some(version), _) if moved.fetched => {
            title += &format!(" {version}, vendored again")
        }
        (None, Some(version), _) => title += &format!(" {version} is in the window"),
        (None, None, _) if moved.left.is_empty() => title += " stays as it is",
        (None, None, _) => {}
    }
    if !moved.left.is_empty() {
        title += &format!(" without {}", moved.left.join(", "));
    }
    title
}

fn head(out: &mut String, moved: &Moved) {
    *out += &title(moved);
    out.push('\n');
}

fn body(out: &mut String, moved: &Moved) {
    if moved.is_move() {
        line(out, "window", &moved.window.join(", "));
    }
    for (package, version) in &moved.pins {
        line(out, "pinned", &format!("{package} {version}"));
    }
    for path in &moved.overlays_carried {
        line(out, "overlay", &format!("{path} fits, and is carried on"));
    }
    for (path, reason) in &moved.overlays_left {
        line(out, "overlay", &format!("{path} does not fit: {reason}"));
    }
    for path in &moved.overlays_removed {
        line(
            out,
            "overlay",
            &format!("{path} goes: no version is left for it"),
        );
    }
    for decision in &moved.decisions {
        line(
            out,
            "decision",
            &format!("`{decision}` goes: no version needs it"),
        );
    }
    variants(out, "new", '+', &moved.added);
    variants(out, "gone", '-', &moved.gone);
    variants(out, "only there", '-', &moved.lost);
    if !moved.removed_rows.is_empty() {
        line(
            out,
            "rows",
            &format!("{} lose their variant and go", moved.removed_rows.len()),
        );
        for row in &moved.removed_rows {
            *out += &format!("    {}:{} {}\n", row.path, row.line, row.tag);
        }
    }
}

fn variants(out: &mut String, what: &str, sign: char, variants: &[Variants]) {
    if variants.is_empty() {
        return;
    }
    line(out, what, &count(variants));
    for it in variants {
        *out += &format!("    {} {sign}{}\n", it.surface, it.tags.len());
        for tag in it.tags.iter().take(SHOWN) {
            *out += &format!("      {sign} {tag}\n");
        }
        if it.tags.len() > SHOWN {
            *out += &format!("      … and {} more\n", it.tags.len() - SHOWN);
        }
    }
}

fn count(variants: &[Variants]) -> String {
    let tags: usize = variants.iter().map(|it| it.tags.len()).sum();
    let surfaces = variants.len();
    let of = if surfaces == 1 { "surface" } else { "surfaces" };
    let what = if tags == 1 { "variant" } else { "variants" };
    format!("{tags} {what} in {surfaces} {of}")
}

fn line(out: &mut String, what: &str, text: &str) {
    *out += &format!("  {what:<11}{text}\n");
}

/// A row to decide as it stands, so that a click on the place leads to it.
fn place(decision: &Diagnostic) -> String {
    let Some((span, _)) = &decision.primary else {
        return format!("{}\n", decision.to_line());
    };
    let text = span.file.text();
    let start = span.file.line_start(span.range.start);
    let row = text.get(start..).and_then(|rest| rest.lines().next());
    format!(
        "{}:{}: {}\n",
        span.file.path(),
        span.line_col().line,
        row.unwrap_or_default()
    )
}

fn verdict(upgraded: &Upgraded, tense: Tense) -> String {
    let (todo, others) = (upgraded.todo.len(), upgraded.others.len());
    let rows = if todo == 1 { "row" } else { "rows" };
    match (upgraded.complete, tense) {
        (true, Tense::Done) => {
            "Nothing is left to decide: code was made. Now run `cargo test --workspace`.".to_owned()
        }
        (true, Tense::Before) => "Nothing is left to decide.".to_owned(),
        (true, Tense::Would) => "Nothing would be left to decide.".to_owned(),
        (false, tense) => {
            let then = match tense {
                Tense::Done | Tense::Before => ", then run `cargo xtask regen`",
                Tense::Would => "; nothing was written",
            };
            let mut parts = Vec::new();
            if todo > 0 {
                parts.push(format!("{todo} {rows}"));
            }
            if others > 0 {
                parts.push(closing_line(&upgraded.others));
            }
            format!("To decide: {}{then}.", parts.join(" and "))
        }
    }
}
