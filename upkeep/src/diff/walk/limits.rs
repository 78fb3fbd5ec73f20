//! Constraints and formats: tighter, looser, or another thing.

use std::collections::BTreeSet;

use serde_json::Value;

use super::Comparing;
use crate::diff::check::Check;
use crate::diff::schema::Node;

/// How one constraint stands to another.
#[derive(Clone, Copy)]
enum Change {
    Tightened,
    Loosened,
    Other,
}

impl Comparing<'_> {
    /// Compares the keywords that limit values.
    pub(super) fn limits(&mut self, old: &Node, new: &Node) {
        let keys: BTreeSet<&String> = old.limits.keys().chain(new.limits.keys()).collect();
        for key in keys {
            let (before, after) = (old.limits.get(key), new.limits.get(key));
            if before == after {
                continue;
            }
            let check = match change(key, before, after) {
                Change::Tightened => Check::ConstraintTightened,
                Change::Loosened => Check::ConstraintLoosened,
                Change::Other => Check::ConstraintChanged,
            };
            self.constraint(check, key, old, new, before.map(short), after.map(short));
            // The line of the keyword says more than the line of its schema.
            if let Some(found) = self.unit.found.last_mut() {
                let at = |node: &Node, value: Option<&Value>| {
                    value.map_or(node.at.clone(), |_| format!("{}/{key}", node.at))
                };
                found.old_at = Some(at(old, before));
                found.new_at = Some(at(new, after));
            }
        }
    }

    /// A constraint that says something else.
    pub(super) fn constraint(
        &mut self,
        check: Check,
        keyword: &str,
        old: &Node,
        new: &Node,
        before: Option<String>,
        after: Option<String>,
    ) {
        self.found(check, Some(old), Some(new), |found| {
            found.subject = Some(keyword.to_owned());
            found.before = before;
            found.after = after;
        });
    }

    /// Compares formats.
    pub(super) fn formats(&mut self, old: &Node, new: &Node) {
        if old.format == new.format {
            return;
        }
        let (before, after) = (old.format.as_deref(), new.format.as_deref());
        let check = match (before, after) {
            (Some(_), None) => Check::FormatWidened,
            (None, Some(_)) => Check::FormatNarrowed,
            (Some(before), Some(after)) if holds(after, before) => Check::FormatWidened,
            (Some(before), Some(after)) if holds(before, after) => Check::FormatNarrowed,
            (Some(_) | None, Some(_) | None) => Check::FormatChanged,
        };
        self.found(check, Some(old), Some(new), |found| {
            found.before = before.map(str::to_owned);
            found.after = after.map(str::to_owned);
        });
    }
}

/// Constraints that grow tighter as their number grows, and those that grow looser.
fn change(key: &str, before: Option<&Value>, after: Option<&Value>) -> Change {
    let (before, after) = match (before, after) {
        (Some(before), Some(after)) => (before, after),
        (None, Some(Value::Bool(after))) if key == "uniqueItems" && !after => {
            return Change::Loosened;
        }
        (Some(Value::Bool(before)), None) if key == "uniqueItems" && !before => {
            return Change::Tightened;
        }
        (None, Some(Value::Bool(true))) | (Some(Value::Bool(true)), None)
            if key == "unevaluatedProperties" =>
        {
            return Change::Other;
        }
        (None, _) => return Change::Tightened,
        (Some(_), None) => return Change::Loosened,
    };
    if key == "uniqueItems" {
        return if after == &Value::Bool(true) {
            Change::Tightened
        } else {
            Change::Loosened
        };
    }
    let (Some(before), Some(after)) = (before.as_f64(), after.as_f64()) else {
        return Change::Other;
    };
    match key {
        "minimum" | "exclusiveMinimum" | "minLength" | "minItems" | "minProperties"
            if after > before =>
        {
            Change::Tightened
        }
        "minimum" | "exclusiveMinimum" | "minLength" | "minItems" | "minProperties" => {
            Change::Loosened
        }
        "maximum" | "exclusiveMaximum" | "maxLength" | "maxItems" | "maxProperties"
            if after < before =>
        {
            Change::Tightened
        }
        "maximum" | "exclusiveMaximum" | "maxLength" | "maxItems" | "maxProperties" => {
            Change::Loosened
        }
        _ => Change::Other,
    }
}

/// Whether a format has all values of another one.
fn holds(wide: &str, narrow: &str) -> bool {
    match (bounds(wide), bounds(narrow)) {
        (Some((low, high)), Some((from, to))) => low <= from && to <= high,
        _ => {
            wide == "double"
                && (narrow == "float" || matches!(bounds(narrow), Some((_, to)) if to <= 32))
        }
    }
}

/// The powers of two between which the integers of a format lie; a negative one is below zero.
fn bounds(format: &str) -> Option<(i16, i16)> {
    Some(match format {
        "int8" => (-7, 7),
        "uint8" => (0, 8),
        "int16" => (-15, 15),
        "uint16" => (0, 16),
        "int32" => (-31, 31),
        "uint32" => (0, 32),
        "int64" => (-63, 63),
        "uint64" | "uint" => (0, 64),
        _ => return None,
    })
}

/// A value as a change shows it.
fn short(value: &Value) -> String {
    let text = value.to_string();
    match text.char_indices().nth(60) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}
