//! For a terminal.

use super::{place, rename, surfaces, total};
use crate::diff::check::Class;
use crate::diff::model::Diff;

/// The changes by class, the worst first, and their number at the end.
pub fn text(diff: &Diff, color: bool) -> String {
    let mut out = String::new();
    for class in Class::ALL {
        let changes: Vec<_> = diff
            .changes
            .iter()
            .filter(|change| change.class == *class)
            .collect();
        if changes.is_empty() {
            continue;
        }
        out += &format!(
            "{}: {}\n\n",
            painted(class.as_str(), *class, color),
            class.meaning()
        );
        for change in changes {
            out += &format!("  {}\n", painted(&change.id, *class, color));
            out += &format!("      {}\n", change.message);
            for surface in surfaces(change) {
                out += &format!("      {surface}\n");
            }
            for detail in &change.details {
                out += &format!("      - {detail}\n");
            }
            if let Some(rename) = rename(change) {
                out += &format!("      {rename}\n");
            }
            if let [face] = change.faces.as_slice()
                && face != crate::diff::side::STABLE
            {
                out += &format!("      face: {face}\n");
            }
            if let Some(reason) = &change.accepted {
                out += &format!("      accepted: {reason}\n");
            }
            if let Some(at) = place(change) {
                out += &format!("      {}:{}\n", at.file, at.line);
            }
        }
        out.push('\n');
    }
    for note in &diff.notes {
        let at = note
            .at
            .as_ref()
            .map(|at| format!("{}:{}: ", at.file, at.line))
            .unwrap_or_default();
        out += &format!("note: {at}{}\n", note.message);
    }
    out + &total(diff)
}

fn painted(text: &str, class: Class, color: bool) -> String {
    let code = match class {
        Class::Breaking => "31",
        Class::Dangerous => "33",
        Class::Additive => "32",
        Class::None => "2",
    };
    if color {
        format!("\u{1b}[{code}m{text}\u{1b}[0m")
    } else {
        text.to_owned()
    }
}
