//! What changed in the schemas of a provider that got a version: how much of which class, and all of it as Markdown.

use agentwire_codegen::diagnostics::Diagnostic;
use agentwire_upkeep::diff::{Class, Diff, Side, compare, markdown_within};
use agentwire_upkeep::upgrade::{Moved, Upgraded};

use crate::workspace::Texts;

/// What changed in the schemas of one provider.
pub struct Changes {
    /// For a terminal: counts, and the command that shows everything.
    pub text: String,
    /// What differs, or why that is not known, for a pull request.
    told: Result<Diff, String>,
    /// Why the versions could not be compared, which is not the same as that nothing changed.
    pub problems: Vec<Diagnostic>,
}

impl Changes {
    /// For a pull request, in at most so many bytes as far as that can be.
    pub fn markdown(&self, bytes: usize) -> String {
        match &self.told {
            Ok(diff) => markdown_within(diff, bytes),
            Err(told) => told.clone(),
        }
    }
}

/// The changes of each provider that got a version and had one before.
pub fn changes(before: &Texts, upgraded: &Upgraded) -> Vec<Changes> {
    // The version that is compared with may be one that leaves.
    let mut texts = before.clone();
    texts.extend(upgraded.after.clone());
    let arrived = upgraded.moved.iter().filter(|it| it.arrived.is_some());
    arrived
        .filter_map(|moved| {
            let (from, version) = (moved.from.as_ref()?, moved.version.as_ref()?);
            Some(changes_of(&texts, moved, from, version))
        })
        .collect()
}

fn changes_of(texts: &Texts, moved: &Moved, from: &str, version: &str) -> Changes {
    let provider = moved.provider.as_str();
    let diff = Side::vendored(texts, provider, from)
        .and_then(|old| compare(&old, &Side::vendored(texts, provider, version)?));
    let shown = format!("cargo xtask diff {provider} {from} {version}");
    match diff {
        Ok(diff) => Changes {
            text: format!(
                "{provider} {from} → {version}: {}; `{shown}` shows them",
                counts(&diff)
            ),
            told: Ok(diff),
            problems: Vec::new(),
        },
        Err(problems) => {
            let text = format!("{provider} {from} and {version} could not be compared");
            Changes {
                told: Err(format!("## {text}\n\n`{shown}` says why.\n")),
                text: format!("{text}; `{shown}` says why"),
                problems,
            }
        }
    }
}

/// How many changes there are of each class.
fn counts(diff: &Diff) -> String {
    let classes = [
        (Class::Breaking, "breaking"),
        (Class::Dangerous, "dangerous"),
        (Class::Additive, "additive"),
        (Class::None, "without effect"),
    ];
    let counts: Vec<String> = classes
        .into_iter()
        .map(|(class, name)| format!("{} {name}", diff.count(class)))
        .collect();
    format!("{} changes, {}", diff.changes.len(), counts.join(", "))
}
