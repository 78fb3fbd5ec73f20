//! Vendored files that are not what `sources.lock` says, as diagnostics.

use std::collections::BTreeMap;

use agentwire_codegen::diagnostics::{Code, Diagnostic};
use agentwire_codegen::source::SourceFile;
use agentwire_codegen::sources::Sources;
use agentwire_codegen::toml_place::entry;

use super::lock::{Lock, Mismatch, check_files, check_sources};

const GROUP: &str = "vendored schemas";
const FOLDER: &str = "schemas/";
const LOCK: &str = "schemas/sources.lock";
const SOURCES: &str = "schemas/sources.toml";

/// Every disagreement between `sources.lock`, `sources.toml` and the vendored files. `texts` holds
/// all files under `schemas/` by path from the root of the repository.
pub fn unlocked(
    texts: &BTreeMap<String, String>,
    sha256: &dyn Fn(&[u8]) -> String,
) -> Vec<Diagnostic> {
    let file = |path: &str| SourceFile::new(path, texts.get(path).map_or("", String::as_str));
    let (lock_file, sources_file) = (file(LOCK), file(SOURCES));
    let lock = match Lock::parse(lock_file.text()) {
        Ok(lock) => lock,
        Err(error) => {
            let message = format!("{LOCK} can't be read: {}", error.0.trim_end());
            return vec![
                Diagnostic::new(Code::BadSource, GROUP, message).at(lock_file.span(0..0), "here"),
            ];
        }
    };
    let hashes = texts.iter().filter_map(|(path, text)| {
        let path = path.strip_prefix(FOLDER).filter(|path| is_vendored(path))?;
        Some((path.to_owned(), sha256(text.as_bytes())))
    });
    let mut found: Vec<Diagnostic> = check_files(&lock, &hashes.collect())
        .iter()
        .map(|mismatch| diagnostic(mismatch, &lock_file))
        .collect();
    let sources = match Sources::read(&sources_file) {
        Ok(sources) => sources,
        Err(unreadable) => {
            found.extend(unreadable);
            return found;
        }
    };
    let unknown = lock.0.keys();
    for name in unknown.filter(|name| !sources.provider.contains_key(*name)) {
        let message = format!("{LOCK} has the provider `{name}`, which {SOURCES} does not have");
        found.push(Diagnostic::new(Code::UnlockedSource, GROUP, message));
    }
    for (name, provider) in &sources.provider {
        let mismatches = check_sources(&lock, name, provider);
        let mismatches = mismatches.iter();
        found.extend(mismatches.map(|mismatch| diagnostic(mismatch, &sources_file)));
    }
    found
}

/// What is written by hand stands beside the providers or in the folder of overlays.
pub(crate) fn is_vendored(path: &str) -> bool {
    path.contains('/') && !path.starts_with("overlays/")
}

/// The finding with its sentence, and the line of the file that says otherwise.
fn diagnostic(mismatch: &Mismatch, file: &SourceFile) -> Diagnostic {
    let text = mismatch.to_string();
    let (message, help) = text
        .split_once(": ")
        .map_or((text.as_str(), None), |(message, help)| {
            (message, Some(help))
        });
    let diagnostic = Diagnostic::new(Code::UnlockedSource, GROUP, message);
    let written = |needle: &str| {
        let start = file.text().find(needle)?;
        Some(file.span(start..start + needle.len()))
    };
    let window = |provider: &str, version: Option<&str>| {
        entry(file, &["provider", provider, "versions"], version)
    };
    let place = match mismatch {
        Mismatch::Changed { path } | Mismatch::Missing { path } | Mismatch::Unlocked { path } => {
            written(&format!("\"{path}\""))
        }
        // Other providers may have a version of that number.
        Mismatch::NotVendored { provider, version } => window(provider, Some(version)),
        Mismatch::OutsideWindow { provider, .. } => window(provider, None),
        Mismatch::StaleDecision { decision, .. } | Mismatch::LostDecision { decision, .. } => {
            written(decision.rsplit(' ').next().unwrap_or_default())
        }
    };
    let diagnostic = match place {
        Some(span) => diagnostic.at(span, "listed here"),
        None => diagnostic,
    };
    match help {
        Some(help) => diagnostic.help(help),
        None => diagnostic,
    }
}
