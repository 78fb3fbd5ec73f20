//! The way from a definition, or from a message, to a place in it.

/// One step of the way.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Step {
    /// To a member of an object.
    Field(String),
    /// To the elements of a list.
    Items,
    /// To one place of a list.
    Place(usize),
    /// To the values of a map.
    Values,
    /// To a variant of a union, by its tag: nothing that a wire shows as a step.
    Variant(String),
}

/// The variant that stands for all variants of a union, where the same happened to each of them.
pub const EVERY: &str = "*";

/// With variants, as ids have it: `<item/started>.params.item`.
pub fn text(steps: &[Step]) -> String {
    let mut out = String::new();
    for step in steps {
        match step {
            Step::Field(name) => out.extend([".", visible(name).as_str()]),
            Step::Items => out.push_str("[]"),
            Step::Place(index) => out.push_str(&format!("[{index}]")),
            Step::Values => out.push_str("{}"),
            Step::Variant(tag) => out.extend(["<", visible(tag).as_str(), ">"]),
        }
    }
    out
}

/// A name with what a terminal or a list would act on written out: ends of lines, escape sequences.
pub fn visible(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    for letter in name.chars() {
        if letter.is_control() {
            out.extend(letter.escape_default());
        } else {
            out.push(letter);
        }
    }
    out
}

/// As a wire has it: `params.item.content[].type`; empty for the message itself.
pub fn wire(steps: &[Step]) -> String {
    let shown = steps
        .iter()
        .filter(|step| !matches!(step, Step::Variant(_)));
    let shown: Vec<Step> = shown.cloned().collect();
    let out = text(&shown);
    out.strip_prefix('.').map(str::to_owned).unwrap_or(out)
}
