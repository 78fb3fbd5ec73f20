//! One stem, five places: whether each surface has all of them.

use std::collections::BTreeSet;

use agentwire_codegen::diagnostics::{Code, Diagnostic};
use agentwire_codegen::source::SourceFile;
use agentwire_codegen::sources::Sources;
use agentwire_codegen::stem::TRANSCRIPTS;
use agentwire_codegen::toml_place::entry;

const GROUP: &str = "stems";

/// Every surface that lacks one of its places, and every folder of transcripts that is of no surface.
/// `paths` are those of all files, from the root of the repository; `sources` is read from `file`.
pub fn broken(file: &SourceFile, sources: &Sources, paths: &BTreeSet<&str>) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let mut carriers = BTreeSet::new();
    for (id, places) in sources.places() {
        let lacks = |what: &str, path: &str| {
            let message = format!("`{id}` has no {what}: {path} is missing");
            let told = Diagnostic::new(Code::BrokenStem, GROUP, message);
            match entry(file, &["surface", id], None) {
                Some(span) => told.at(span, "this surface"),
                None => told,
            }
        };
        for (what, path) in [
            ("row table", &places.table),
            ("generated code", &places.generated),
        ] {
            if !paths.contains(path.as_str()) {
                found.push(lacks(what, path));
            }
        }
        if !paths.contains(places.mapping.as_str()) {
            found.push(lacks("hand-written mapping", &places.mapping).help(
                "put the implementation of its trait there, or let `mapping` of its entry name the file",
            ));
        }
        let carried = places.transcripts.iter().find(|it| has_streams(paths, it));
        match (carried, places.transcripts.as_slice()) {
            (Some(folder), _) => {
                carriers.insert(folder.clone());
            }
            (None, [own, ..]) => found.push(lacks("transcript", &format!("{own}/…/*.jsonl")).help(
                "record one, or write one by hand below a folder `invented`; a stream that carries several surfaces stands under what their ids share",
            )),
            (None, []) => {}
        }
    }
    let folders: BTreeSet<String> = paths.iter().filter_map(|path| folder(path)).collect();
    found.extend(folders.difference(&carriers).map(|folder| {
        let message = format!("{folder} holds transcripts of no surface");
        Diagnostic::new(Code::BrokenStem, GROUP, message)
            .help("call it after a surface, or after what the ids of several surfaces share")
    }));
    found
}

/// Whether a folder has a transcript somewhere in it.
fn has_streams(paths: &BTreeSet<&str>, folder: &str) -> bool {
    let start = format!("{folder}/");
    let inside = paths
        .range(start.as_str()..)
        .take_while(|path| path.starts_with(&start));
    inside.into_iter().any(|path| path.ends_with(".jsonl"))
}

/// The folder of a carrier that a path stands in.
fn folder(path: &str) -> Option<String> {
    let (carrier, _) = path
        .strip_prefix(TRANSCRIPTS)?
        .strip_prefix('/')?
        .split_once('/')?;
    Some(format!("{TRANSCRIPTS}/{carrier}"))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    const SOURCES: &str = "\
[provider.big]
versions = []
faces = []

[surface.\"big.live.note\"]
provider = \"big\"
module = \"note\"
union = \"Note\"

[surface.\"big.live.question\"]
provider = \"big\"
module = \"question\"
mapping = \"big/asked\"
union = \"Question\"
";

    const WHOLE: [&str; 8] = [
        "contracts/mapping/big.live.note.toml",
        "contracts/mapping/big.live.question.toml",
        "contracts/src/generated/big/note.rs",
        "contracts/src/generated/big/question.rs",
        "contracts/src/providers/big/asked.rs",
        "contracts/src/providers/big/note.rs",
        "tests/transcripts/big.live/1.0.0/a.jsonl",
        "tests/transcripts/big.live.question/invented/b.jsonl",
    ];

    fn found(paths: &[&str]) -> Vec<String> {
        let file = SourceFile::new("schemas/sources.toml", SOURCES);
        let sources = Sources::read(&file).unwrap();
        let paths = paths.iter().copied().collect();
        let found = broken(&file, &sources, &paths).into_iter();
        found.map(|it| it.to_line()).collect()
    }

    #[test]
    fn each_place_is_missed_by_name() {
        assert_eq!(found(&WHOLE), [""; 0]);
        for (path, said) in [
            (
                0,
                "5:10: broken-stem: `big.live.note` has no row table: contracts/mapping/big.live.note.toml is missing",
            ),
            (
                3,
                "10:10: broken-stem: `big.live.question` has no generated code: contracts/src/generated/big/question.rs is missing",
            ),
            (
                4,
                "10:10: broken-stem: `big.live.question` has no hand-written mapping: contracts/src/providers/big/asked.rs is missing",
            ),
            (
                6,
                "5:10: broken-stem: `big.live.note` has no transcript: tests/transcripts/big.live.note/…/*.jsonl is missing",
            ),
        ] {
            let mut paths = WHOLE.to_vec();
            paths.remove(path);
            let found = found(&paths);
            assert_eq!(found.len(), 1, "{found:?}");
            assert!(found[0].ends_with(said), "{found:?}");
        }
    }

    #[test]
    fn what_has_no_surface_is_told() {
        let renamed = "tests/transcripts/big.live.qeustion/1.0.0/b.jsonl";
        let mut paths = WHOLE.to_vec();
        paths[7] = renamed;
        // The stream of both surfaces is left.
        assert_eq!(
            found(&paths),
            ["broken-stem: tests/transcripts/big.live.qeustion holds transcripts of no surface"]
        );
        // A folder without a stream is no evidence.
        paths[6] = "tests/transcripts/big.live/README.md";
        assert_eq!(found(&paths).len(), 4);
    }
}
