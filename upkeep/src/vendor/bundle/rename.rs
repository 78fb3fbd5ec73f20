//! Gives the second meaning of a name its own name.

use std::collections::BTreeMap;

use agentwire_codegen::sources::Rename;
use serde_json::Value;

use super::{Definitions, insert_equal};
use crate::vendor::problem::Problem;
use crate::vendor::walk::{references, rewrite_references};

/// Applies the rename where the files have two bodies for the name, and returns whether it changed anything.
pub(super) fn apply(
    files: &mut BTreeMap<String, Definitions>,
    rename: &Rename,
) -> Result<bool, Vec<Problem>> {
    let mut bodies = files
        .values()
        .filter_map(|file| file.get(&rename.definition));
    let first = bodies.next();
    if bodies.all(|body| Some(body) == first) {
        return Ok(false);
    }
    let mut changed = false;
    let mut problems = Vec::new();
    for (path, definitions) in files {
        match rename_in_file(definitions, rename) {
            Renamed::No => {}
            Renamed::Yes => changed = true,
            Renamed::Taken => problems.push(Problem::Clash {
                name: rename.to.clone(),
                bodies: vec![
                    vec![path.clone()],
                    vec![format!("{path}, as {}", rename.definition)],
                ],
            }),
        }
    }
    if problems.is_empty() {
        Ok(changed)
    } else {
        Err(problems)
    }
}

enum Renamed {
    No,
    Yes,
    Taken,
}

fn rename_in_file(definitions: &mut Definitions, rename: &Rename) -> Renamed {
    let Some(body) = definitions.get(&rename.definition) else {
        return Renamed::No;
    };
    let mut renamed = body.clone();
    let mut first_meaning = false;
    let mut second_meaning = false;
    for (name, body) in definitions.iter_mut() {
        if *name == rename.definition || !references(body).contains(rename.definition.as_str()) {
            continue;
        }
        if rename.referrers.contains(name) {
            second_meaning = true;
            redirect(body, rename);
        } else {
            first_meaning = true;
        }
    }
    if !second_meaning {
        return Renamed::No;
    }
    redirect(&mut renamed, rename);
    if !first_meaning {
        definitions.remove(&rename.definition);
    }
    if insert_equal(definitions, &rename.to, renamed) {
        Renamed::Yes
    } else {
        Renamed::Taken
    }
}

fn redirect(body: &mut Value, rename: &Rename) {
    rewrite_references(body, &mut |reference| {
        if *reference == rename.definition {
            rename.to.clone_into(reference);
        }
    });
}
