//! Names of integers: a number says nothing in code, so `schemas/sources.toml` may name its
//! meaning.

use std::collections::BTreeMap;

use crate::diagnostics::{Code, Diagnostic};
use crate::ir::Shape;
use crate::names;
use crate::plan::{CodeNames, PlannedType, PlannedValue, Subject};
use crate::sources::Sources;

/// The variants of every integer of the provider that has a name, which the value surfaces get,
/// too.
pub fn named(
    sources: &Sources,
    provider: &str,
    types: &BTreeMap<String, PlannedType>,
    planned: &mut [PlannedValue],
) -> Result<CodeNames, Vec<Diagnostic>> {
    let mut all = CodeNames::new();
    let mut errors = Vec::new();
    let of_provider = sources.value.iter();
    for (id, value) in
        of_provider.filter(|(_, value)| value.provider == provider && !value.names.is_empty())
    {
        let Some((definition, ty)) = value
            .ty
            .as_ref()
            .and_then(|definition| Some((definition, types.get(definition)?)))
        else {
            errors.push(bad(
                id,
                format!("`names` of `{id}` are for the integers of a `type`"),
            ));
            continue;
        };
        let Shape::Codes(codes) = &ty.definition.shape else {
            let message =
                format!("`names` of `{id}` are for integers, which `{definition}` is not");
            errors.push(bad(id, message));
            continue;
        };
        let texts: Vec<String> = codes.keys().map(i64::to_string).collect();
        for number in value.names.keys().filter(|number| !texts.contains(number)) {
            let message = format!("`names` of `{id}` has `{number}`, which no version has");
            errors.push(
                Diagnostic::new(Code::StaleQuirk, id, message)
                    .help("remove the entry from schemas/sources.toml"),
            );
        }
        match variants(&texts, &value.names) {
            Err(collision) => errors.push(Diagnostic::new(
                Code::NameCollision,
                id,
                format!("of the names, {collision}"),
            )),
            Ok(variants) => {
                rename(planned, definition, &texts, &variants);
                all.insert((ty.module.clone(), ty.name.clone()), variants);
            }
        }
    }
    if errors.is_empty() {
        Ok(all)
    } else {
        Err(errors)
    }
}

/// The variant of each integer: after its name, or else after its digits.
fn variants(
    texts: &[String],
    named: &BTreeMap<String, String>,
) -> Result<BTreeMap<String, String>, names::Collision> {
    let word = |text: &String| named.get(text).unwrap_or(text).clone();
    let words: Vec<String> = texts.iter().map(word).collect();
    let references: Vec<&str> = words.iter().map(String::as_str).collect();
    let mut taken: BTreeMap<&String, &String> = BTreeMap::new();
    for (text, word) in texts.iter().zip(&words) {
        if let Some(other) = taken.insert(word, text) {
            return Err(names::Collision {
                name: word.clone(),
                values: vec![other.clone(), text.clone()],
            });
        }
    }
    let variants = names::variants(&references)?;
    let of_text = texts.iter().zip(&words).filter_map(|(text, word)| {
        let variant = variants.get(word)?;
        Some((text.clone(), variant.clone()))
    });
    Ok(of_text.collect())
}

/// Gives the members of value surfaces, which are named after digits so far, their names.
fn rename(
    planned: &mut [PlannedValue],
    definition: &str,
    texts: &[String],
    variants: &BTreeMap<String, String>,
) {
    let digits: Vec<&str> = texts.iter().map(String::as_str).collect();
    let digits = names::variants(&digits).unwrap_or_default();
    let of_digits: BTreeMap<&String, &String> = digits
        .iter()
        .filter_map(|(text, variant)| Some((variant, variants.get(text)?)))
        .collect();
    let of_definition = planned.iter_mut();
    for value in of_definition
        .filter(|value| matches!(&value.subject, Subject::Definition(name) if name == definition))
    {
        for member in &mut value.members {
            if let Some(name) = of_digits.get(&member.variant) {
                member.variant.clone_from(name);
            }
        }
    }
}

fn bad(id: &str, message: String) -> Diagnostic {
    Diagnostic::new(Code::BadSource, id, message).help("correct `names` in schemas/sources.toml")
}
