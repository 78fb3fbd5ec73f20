//! What a change is called: its id, and one sentence.

use super::check::Check;
use super::path::{Step, text, visible};
use super::walk::Found;

/// The id: the check and the place, which is all that must stay the same for it to stay the same.
pub fn id(unit: &str, found: &Found) -> String {
    of(found.check, &element(unit, found))
}

/// The id of a check at a place.
pub fn of(check: Check, element: &str) -> String {
    format!("{}:{element}", check.id())
}

/// The place, with the value or the keyword that it is about.
pub fn element(unit: &str, found: &Found) -> String {
    place(unit, found.check, &found.path, found.subject.as_deref())
}

/// The same from its parts.
pub fn place(unit: &str, check: Check, path: &[Step], subject: Option<&str>) -> String {
    let path = text(path);
    let subject = subject.map(visible);
    match (check, subject) {
        (Check::EnumValueAdded | Check::EnumValueRemoved, Some(value)) => {
            format!("{unit}{path}={value}")
        }
        (Check::VariantAdded | Check::VariantRemoved, _) | (_, None) => format!("{unit}{path}"),
        (_, Some(keyword)) => format!("{unit}{path}#{keyword}"),
    }
}

/// What happened, in one sentence.
pub fn sentence(definition: &str, found: &Found) -> String {
    visible(&said(definition, found))
}

fn said(definition: &str, found: &Found) -> String {
    let subject = found.subject.as_deref().unwrap_or_default();
    let before = found.before.as_deref().unwrap_or("nothing");
    let after = found.after.as_deref().unwrap_or("nothing");
    let path = text(&found.path);
    let here = format!("`{definition}{path}`");
    let around = match found.path.split_last() {
        Some((_, around)) => format!("`{definition}{}`", text(around)),
        None => here.clone(),
    };
    let last = match found.path.last() {
        Some(Step::Field(name) | Step::Variant(name)) => name.as_str(),
        Some(Step::Items | Step::Place(_) | Step::Values) | None => "",
    };
    match found.check {
        Check::VariantAdded => format!("variant `{last}` was added to {around}"),
        Check::VariantRemoved => format!("variant `{last}` was removed from {around}"),
        Check::EnumValueAdded => format!("value {subject} was added to {here}"),
        Check::EnumValueRemoved => format!("value {subject} was removed from {here}"),
        Check::Opened => {
            format!("{here} may have values that are not listed: {before} became {after}")
        }
        Check::Closed => format!("{here} has only listed values: {before} became {after}"),
        Check::FieldAdded => format!("optional member `{last}` was added to {around}: {after}"),
        Check::RequiredFieldAdded => {
            format!("required member `{last}` was added to {around}: {after}")
        }
        Check::FieldRemoved => {
            format!("optional member `{last}` was removed from {around}: {before}")
        }
        Check::RequiredFieldRemoved => {
            format!("required member `{last}` was removed from {around}: {before}")
        }
        Check::CommonFieldAdded => {
            format!("optional member `{last}` was added beside the variants of {around}: {after}")
        }
        Check::CommonFieldRemoved => format!(
            "optional member `{last}` was removed beside the variants of {around}: {before}"
        ),
        Check::BecameOptional => format!("{here} may be left out"),
        Check::BecameRequired => format!("{here} must be there"),
        Check::TypeChanged => format!("type of {here} changed from {before} to {after}"),
        Check::TypeWidened => format!("type of {here} widened from {before} to {after}"),
        Check::TypeNarrowed => format!("type of {here} narrowed from {before} to {after}"),
        Check::Retargeted => format!("{here} is `{after}` in place of `{before}`"),
        Check::FormatChanged | Check::FormatWidened | Check::FormatNarrowed => {
            let (before, after) = (
                found.before.as_deref().unwrap_or("none"),
                found.after.as_deref().unwrap_or("none"),
            );
            let verb = found.check.id().trim_start_matches("format-");
            format!("format of {here} {verb} from {before} to {after}")
        }
        Check::BecameNullable => format!("{here} may be null"),
        Check::BecameNonNull => format!("{here} is never null"),
        Check::ConstraintTightened | Check::ConstraintLoosened | Check::ConstraintChanged => {
            format!("constraint `{subject}` of {here}: {before} became {after}")
        }
        Check::DefaultChanged => format!("default of {here}: {before} became {after}"),
        Check::UnionTagged => format!("variants of {here} are {after}"),
        Check::UnionUntagged => format!("variants of {here} are {after}, no longer {before}"),
        Check::UnionTagChanged => format!("variants of {here} are {after}, no longer {before}"),
        Check::MethodParamsChanged => format!(
            "method `{}` takes {after} in place of {before}",
            method(found)
        ),
        Check::MethodResultChanged => format!(
            "method `{}` results in {after} in place of {before}",
            method(found)
        ),
        Check::BecameStable => format!("{here} is no longer experimental"),
        Check::BecameExperimental => format!("{here} is experimental only"),
        Check::SurfaceAdded => format!("surface `{subject}` was added: `{definition}`"),
        Check::SurfaceRemoved => format!("surface `{subject}` was removed: `{definition}`"),
        Check::DefinitionMoved => format!("definition `{before}` is now `{after}`"),
        Check::DefinitionRenamed => format!("definition `{before}` is now called `{after}`"),
        Check::DefinitionAdded => {
            format!("definition `{definition}` was added; no surface reaches it")
        }
        Check::DefinitionRemoved => {
            format!("definition `{definition}` was removed; no surface reached it")
        }
        Check::MarkerChanged => format!("marker `{subject}` of {here}: {before} became {after}"),
    }
}

fn method(found: &Found) -> &str {
    let mut variants = found.path.iter().rev().filter_map(|step| match step {
        Step::Variant(tag) => Some(tag.as_str()),
        Step::Field(_) | Step::Items | Step::Place(_) | Step::Values => None,
    });
    variants.next().unwrap_or_default()
}
