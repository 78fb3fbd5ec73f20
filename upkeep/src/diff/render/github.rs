//! For GitHub Actions: workflow commands that become annotations at files and lines.

use super::{place, rename, surfaces, total};
use crate::diff::check::Class;
use crate::diff::model::Diff;

/// One annotation a change, the worst first, and the number of all at the end. Accepted changes and
/// those without an effect on a wire are only counted.
pub fn github(diff: &Diff) -> String {
    let mut out = String::new();
    for change in diff.open().filter(|change| change.class != Class::None) {
        let level = match change.class {
            Class::Breaking => "error",
            Class::Dangerous => "warning",
            Class::Additive | Class::None => "notice",
        };
        let mut message = change.message.clone();
        let more = surfaces(change)
            .into_iter()
            .chain(change.details.iter().cloned())
            .chain(rename(change));
        for line in more {
            message += &format!("\n{line}");
        }
        message += &format!("\nid: {}", change.id);
        let at = place(change)
            .map(|at| format!("file={},line={},", property(&at.file), at.line))
            .unwrap_or_default();
        let title = property(&format!("{}: {}", change.class, change.check));
        out += &format!("::{level} {at}title={title}::{}\n", data(&message));
    }
    for note in &diff.notes {
        let at = note
            .at
            .as_ref()
            .map(|at| format!("file={},line={},", property(&at.file), at.line))
            .unwrap_or_default();
        out += &format!("::notice {at}title=not compared::{}\n", data(&note.message));
    }
    out + &total(diff)
}

/// The text of a command: percent signs and ends of lines are its own.
fn data(text: &str) -> String {
    text.replace('%', "%25")
        .replace('\r', "%0D")
        .replace('\n', "%0A")
}

/// A property of a command: colons and commas are its own, too.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
