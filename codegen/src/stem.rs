//! One stem, five places: where everything about a surface stands.
//!
//! | place | of `codex.app-server.notification` |
//! |---|---|
//! | entry | `[surface."codex.app-server.notification"]` in `schemas/sources.toml` |
//! | row table | `contracts/mapping/codex.app-server.notification.toml` |
//! | generated code | `contracts/src/generated/codex/app_server_notification.rs` |
//! | hand-written mapping | `contracts/src/providers/codex/app_server_notification.rs` |
//! | transcripts | `tests/transcripts/codex.app-server/` |
//!
//! The two files of code are called after the provider and the `module` of the entry. Where several
//! wires of one provider share a folder, the entry names the mapping itself (`mapping = "acp/v1_request"`).
//! A transcript shows all surfaces of one connection, so it stands under the part of the id that these
//! share: the whole id, or what is left of it without its last words, of which two always remain.

use crate::backend::FOLDER;
use crate::inputs::ROW_TABLES;
use crate::names;
use crate::sources::{Sources, Surface};

/// Where the hand-written code of each provider stands, from the root of the repository.
pub const PROVIDERS: &str = "contracts/src/providers";

/// Where the recorded streams stand, from the root of the repository.
pub const TRANSCRIPTS: &str = "tests/transcripts";

/// Where a surface is at home, beside its entry; all paths are from the root of the repository.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Places {
    /// The row table.
    pub table: String,
    /// The generated types, trait and match.
    pub generated: String,
    /// The hand-written implementation of the trait.
    pub mapping: String,
    /// The folders that may hold its transcripts, the nearest first.
    pub transcripts: Vec<String>,
}

impl Places {
    /// The places of the surface that has this id and this entry.
    pub fn of(id: &str, surface: &Surface) -> Self {
        let own = format!("{}/{}", names::field(&surface.provider), surface.module);
        let mapping = surface.mapping.as_ref().unwrap_or(&own);
        Self {
            table: format!("{ROW_TABLES}/{id}.toml"),
            generated: format!("{FOLDER}/{own}.rs"),
            mapping: format!("{PROVIDERS}/{mapping}.rs"),
            transcripts: carriers(id)
                .map(|carrier| format!("{TRANSCRIPTS}/{carrier}"))
                .collect(),
        }
    }
}

impl Sources {
    /// The places of every surface, by its id.
    pub fn places(&self) -> impl Iterator<Item = (&str, Places)> {
        let surfaces = self.surface.iter();
        surfaces.map(|(id, surface)| (id.as_str(), Places::of(id, surface)))
    }
}

/// What a stream that carries the surface may be called after: the id, then less and less of it.
fn carriers(id: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(id), move |id| {
        let (rest, _) = id.rsplit_once('.')?;
        rest.contains('.').then_some(rest)
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    fn places(entry: &str, id: &str) -> Places {
        let text = format!("[provider]\n[surface.\"{id}\"]\n{entry}");
        Sources::parse(&text)
            .unwrap()
            .places()
            .next()
            .map(|(_, places)| places)
            .unwrap()
    }

    #[test]
    fn every_place_follows_from_the_entry() {
        let entry = "provider = \"big-agent\"\nmodule = \"live_note\"\nunion = \"Note\"\n";
        let own = places(entry, "big.live.note");
        assert_eq!(own.table, "contracts/mapping/big.live.note.toml");
        assert_eq!(
            own.generated,
            "contracts/src/generated/big_agent/live_note.rs"
        );
        assert_eq!(
            own.mapping,
            "contracts/src/providers/big_agent/live_note.rs"
        );
        assert_eq!(
            own.transcripts,
            [
                "tests/transcripts/big.live.note",
                "tests/transcripts/big.live"
            ]
        );
        let entry = format!("{entry}mapping = \"big/v1_note\"\n");
        let shared = places(&entry, "big.note");
        assert_eq!(shared.mapping, "contracts/src/providers/big/v1_note.rs");
        assert_eq!(shared.generated, own.generated);
        assert_eq!(shared.transcripts, ["tests/transcripts/big.note"]);
    }
}
