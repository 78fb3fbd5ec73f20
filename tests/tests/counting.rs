//! Counts rows, and the variants that no committed recording shows.

#![allow(clippy::unwrap_used, clippy::panic)]

use std::collections::{BTreeMap, BTreeSet};

use agentwire::codex::wire::{
    app_server_notification, app_server_request, app_server_response, eventmsg,
};
use agentwire::mapping::{RowInfo, RowVerb};

use crate::support::messages::messages;
use crate::support::recorded::committed;

/// How many rows each surface has.
const SURFACES: &[(&str, &[RowInfo], usize)] = &[
    (
        app_server_notification::SURFACE,
        app_server_notification::ROWS,
        92,
    ),
    (app_server_request::SURFACE, app_server_request::ROWS, 10),
    (app_server_response::SURFACE, app_server_response::ROWS, 214),
    (eventmsg::SURFACE, eventmsg::ROWS, 80),
];

#[test]
fn rows_and_what_shows_them() {
    let mut shown: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    for recording in committed() {
        for message in messages(&recording) {
            shown
                .entry(message.surface)
                .or_default()
                .insert(message.tag);
        }
    }
    for (surface, rows, count) in SURFACES {
        assert_eq!(rows.len(), *count, "{surface}");
        let tags: BTreeSet<&str> = rows.iter().map(|row| row.tag).collect();
        assert_eq!(tags.len(), *count, "{surface}: a tag comes twice");
        let shown = &shown[surface];
        let unseen: Vec<&str> = tags
            .iter()
            .copied()
            .filter(|tag| !shown.contains(*tag))
            .collect();
        println!(
            "{surface}: {count} rows ({}), {} without a recording",
            verbs(rows),
            unseen.len()
        );
        println!("  {}", unseen.join("\n  "));
        let seen = tags.len() - unseen.len();
        assert!(
            seen * 3 >= tags.len(),
            "{surface}: recordings show {seen} of {count}"
        );
        let foreign: Vec<&String> = shown
            .iter()
            .filter(|tag| !tags.contains(tag.as_str()))
            .collect();
        assert!(foreign.is_empty(), "{surface}: no rows for {foreign:?}");
    }
}

fn verbs(rows: &[RowInfo]) -> String {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for row in rows {
        let verb = match row.verb {
            RowVerb::Keep(_) => "keep",
            RowVerb::Rename(_) => "rename",
            RowVerb::Split(_) => "split",
            RowVerb::Drop(_) => "drop",
        };
        *counts.entry(verb).or_default() += 1;
    }
    let counts: Vec<String> = counts
        .iter()
        .map(|(verb, count)| format!("{count} {verb}"))
        .collect();
    counts.join(", ")
}

#[test]
fn every_drop_has_a_reason_and_every_table_is_sorted() {
    let mut drops = 0;
    for (surface, rows, _) in SURFACES {
        assert!(rows.is_sorted_by_key(|row| row.tag), "{surface}");
        for row in *rows {
            assert!(!row.seen.is_empty(), "{surface}: {}", row.tag);
            if let RowVerb::Drop(reason) = row.verb {
                assert!(reason.len() >= 10, "{surface}: {}: {reason}", row.tag);
                drops += 1;
            }
        }
    }
    assert!(drops > 100, "only {drops} drops");
}
