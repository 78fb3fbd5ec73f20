//! Rows bind: over all transcripts of the repository and every provider, each event is one that the
//! row of its message lists, or that the surface or the kit says to come beside the rows.

#![allow(clippy::unwrap_used, clippy::panic)]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use agentwire::canonical::{EventType, RuntimeEvent};
use agentwire::frame::Limits;
use agentwire::mapping::{Implied, RowVerb, Surface, UNIVERSAL};
use agentwire::session::{Direction, Outcome, Verdict};
use agentwire::sources::{SequentialIds, WireClock};
use agentwire::transcript::Recorded;
use agentwire::{PROVIDERS, Provider, Sources};
use agentwire_tests::root;

/// The folders of transcripts, the provider that each is of, and whether it holds stored sessions.
const FOLDERS: &[(&str, &str, bool)] = &[
    ("amp.stream-json", "amp", false),
    ("claude.sdk.message", "claude", false),
    ("claude.sdk.permission", "claude", false),
    ("codex.app-server", "codex", false),
    ("codex.eventmsg", "codex", true),
    ("codex.sdk.thread-event", "codex-sdk", false),
    ("cursor.acp", "acp", false),
    ("opencode.event", "opencode", false),
];

/// By what an event may come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum By {
    /// The row of its message.
    Row,
    /// A rule of its surface.
    Surface,
    /// A rule of the kit.
    Kit,
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{folder:?}: {error}"));
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let below = paths.into_iter().flat_map(|path| match path.is_dir() {
        true => files(&path),
        false => vec![path],
    });
    below.collect()
}

fn read(provider: &Provider, stored: bool, path: &Path) -> Vec<Outcome> {
    let sources = Sources {
        ids: Box::new(SequentialIds::new()),
        clock: Box::new(WireClock::default()),
        limits: Limits::default(),
    };
    let mut session = match stored {
        true => provider.stored.unwrap()(sources),
        false => provider.open(sources),
    };
    let text = fs::read_to_string(path).unwrap();
    let mut outcomes = Vec::new();
    for line in text.lines().filter(|line| !line.is_empty()) {
        match stored {
            true => session.push(Direction::FromAgent, format!("{line}\n").as_bytes()),
            false => match Recorded::read(line) {
                Ok(recorded) => session.push_recorded(&recorded),
                // What only the agent writes is kept as it is.
                Err(_) => session.push(Direction::FromAgent, format!("{line}\n").as_bytes()),
            },
        }
        outcomes.extend(std::iter::from_fn(|| session.next_outcome()));
    }
    session.finish();
    outcomes.extend(std::iter::from_fn(|| session.next_outcome()));
    outcomes
}

/// The surfaces of an id. Two versions of a protocol are told as one, and so are both kinds of
/// notifications.
fn surfaces<'p>(provider: &'p Provider, id: &str) -> Vec<&'p Surface> {
    let merged = |id: &str| id.replace(".v2.", ".").replace(".method", "");
    let all = provider.surfaces.iter().copied().flatten();
    all.filter(|surface| merged(surface.id) == merged(id))
        .collect()
}

/// The events that the rows of a tag list. Where a tag is told by its first part only, the rows
/// below it are meant.
fn listed(surfaces: &[&Surface], tag: &str) -> BTreeSet<&'static str> {
    let tag = tag.strip_prefix("history/").unwrap_or(tag);
    let rows = surfaces.iter().flat_map(|surface| surface.rows);
    let meant = rows.filter(|row| {
        let below = row.tag.strip_prefix(tag);
        below.is_some_and(|below| below.is_empty() || below.starts_with(':'))
    });
    let events = meant.flat_map(|row| match row.verb {
        RowVerb::Keep(event) | RowVerb::Rename(event) => vec![event],
        RowVerb::Split(events) => events.to_vec(),
        RowVerb::Drop(_) => Vec::new(),
    });
    events.collect()
}

/// By what an event of an outcome comes; nothing where no table says it.
fn comes_by(surfaces: &[&Surface], outcome: &Outcome, event: &RuntimeEvent) -> Option<By> {
    let event_type = event.event_type().as_str();
    let implied = |rule: Option<&str>| {
        let is = |it: &Implied| it.event == event_type && rule.is_none_or(|rule| it.rule == rule);
        let mut of_surfaces = surfaces.iter().flat_map(|surface| surface.implied);
        if of_surfaces.any(is) {
            return Some(By::Surface);
        }
        let mut of_kit = UNIVERSAL.iter();
        let of_kit = rule.is_some() && of_kit.any(is);
        of_kit.then_some(By::Kit)
    };
    let made = outcome
        .made
        .iter()
        .find(|made| made.event == event.event_id);
    if let Some(made) = made {
        return implied(Some(made.rule.as_str()));
    }
    let of_rows = outcome
        .tag
        .as_deref()
        .is_some_and(|tag| listed(surfaces, tag).contains(event_type));
    if of_rows {
        return Some(By::Row);
    }
    let rule = match &outcome.verdict {
        Verdict::Unrecognized => Some("unrecognized"),
        Verdict::Malformed { .. } => Some("malformed"),
        Verdict::Mapped
        | Verdict::Dropped(_)
        | Verdict::Told(_)
        | Verdict::Unmatched
        | Verdict::Noted
        | Verdict::Outside
        | Verdict::NotJson { .. }
        | Verdict::TooLong { .. } => None,
    };
    rule.and_then(|rule| implied(Some(rule)))
        .or_else(|| implied(None))
}

#[test]
fn each_event_is_in_a_table() {
    let mut complaints: BTreeMap<String, (usize, String)> = BTreeMap::new();
    let mut counted: BTreeMap<&str, BTreeMap<By, usize>> = BTreeMap::new();
    for (folder, name, stored) in FOLDERS {
        let provider = Provider::find(name).unwrap();
        for path in files(&root().join("tests/transcripts").join(folder)) {
            for outcome in read(provider, *stored, &path) {
                let surfaces = surfaces(provider, outcome.surface.unwrap_or_default());
                for event in &outcome.events {
                    if let Some(by) = comes_by(&surfaces, &outcome, event) {
                        *counted.entry(name).or_default().entry(by).or_default() += 1;
                        continue;
                    }
                    let made = outcome
                        .made
                        .iter()
                        .find(|made| made.event == event.event_id);
                    let rule = made.map_or("no rule", |made| made.rule.as_str());
                    let what = format!(
                        "{} `{}` gives `{}` by {rule}",
                        outcome.surface.unwrap_or("no surface"),
                        outcome.tag.as_deref().unwrap_or_default(),
                        event.event_type().as_str()
                    );
                    let place = format!("{}:{}", path.display(), outcome.line);
                    complaints.entry(what).or_insert((0, place)).0 += 1;
                }
            }
        }
    }
    println!("{counted:#?}");
    assert!(complaints.is_empty(), "{complaints:#?}");
    let names: BTreeSet<&str> = PROVIDERS.iter().map(|provider| provider.name).collect();
    let seen: BTreeSet<&str> = counted.keys().copied().collect();
    assert_eq!(seen, names, "a provider without a transcript");
    for (name, by) in &counted {
        let all: usize = by.values().sum();
        assert!(by[&By::Row] * 2 > all && all >= 100, "{name}: {by:?}");
    }
    let all: usize = counted.values().flat_map(BTreeMap::values).sum();
    assert!(all > 5_000, "only {all} events");
}

#[test]
fn the_rules_of_the_kit_are_about_events_that_there_are() {
    let mut known = BTreeSet::new();
    for Implied { event, rule } in UNIVERSAL {
        assert!(
            EventType::ALL.iter().any(|it| it.as_str() == *event),
            "{event}"
        );
        let of_ledger = agentwire::ledger::Rule::ALL
            .iter()
            .any(|it| it.as_str() == *rule);
        assert!(
            of_ledger || ["unrecognized", "malformed"].contains(rule),
            "{rule}"
        );
        assert!(known.insert((event, rule)), "{event}: {rule} stands twice");
    }
}
