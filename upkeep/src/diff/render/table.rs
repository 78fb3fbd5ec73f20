//! The table of checks and classes.

use crate::diff::check::{Check, Class, Direction, Verdict};

/// For a terminal.
pub fn classes_text() -> String {
    let width = Check::ALL
        .iter()
        .map(|check| check.id().len())
        .max()
        .unwrap_or_default();
    let mut out = format!("{:width$}  {:10}  {:10}\n", "check", "output", "input");
    for check in Check::ALL {
        let (output, input) = (
            word(*check, Direction::Output),
            word(*check, Direction::Input),
        );
        out += &format!(
            "{:width$}  {output:10}  {input:10}  {}\n",
            check.id(),
            check.what()
        );
    }
    out.push('\n');
    for class in Class::ALL {
        out += &format!("{:10}  {}\n", class.as_str(), class.meaning());
    }
    out + &format!("{INSIDE:10}  as the worst of what differs inside\n")
}

/// The text of `docs/diff-classes.md`.
pub fn classes_markdown() -> String {
    let mut out = String::from(
        "# What a change means\n\nWritten by `cargo xtask diff --classes markdown > docs/diff-classes.md`: do not edit by hand.\n\n\
         What a provider sends (output) and what it accepts (input) are opposite contracts: to send more than \
         before endangers readers, to accept more than before endangers nobody. A definition that goes both ways is judged both ways, \
         and its change has the worse class. What no surface reaches has the class `none`, whatever changed.\n\n\
         | class | |\n|---|---|\n",
    );
    for class in Class::ALL {
        out += &format!("| `{class}` | {} |\n", class.meaning());
    }
    out += "\n| check | what | output | input | why |\n|---|---|---|---|---|\n";
    for check in Check::ALL {
        out += &format!(
            "| `{check}` | {} | {} | {} | {} |\n",
            check.what(),
            word(*check, Direction::Output),
            word(*check, Direction::Input),
            check.why()
        );
    }
    out += &format!(
        "\n`{INSIDE}`: as the worst of what differs inside, which is told with the change; `none` where nothing does.\n\n"
    );
    out + "A rename is no check: a removed and an added name that are near, with shapes that are alike, are told as two changes with a note at each that names the other.\n"
}

const INSIDE: &str = "as inside";

fn word(check: Check, direction: Direction) -> &'static str {
    match check.verdict(direction) {
        Verdict::Is(class) => class.as_str(),
        Verdict::AsInside => INSIDE,
    }
}
