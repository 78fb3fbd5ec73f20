//! Recorded streams of every provider: what holds for all projections, and the agreed ones.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use agentwire::acp::AcpSession;
use agentwire::canonical::RuntimeEvent;
use agentwire::frame::Limits;
use agentwire::projection::universal::Universal;
use agentwire::sources::{SequentialIds, WireClock};
use agentwire::transcript::Recorded;
use agentwire_tests::root;
use expect_test::expect_file;

use super::events::transcript;
use super::invariants;
use crate::support::recorded::committed;
use crate::support::replay::{replay, told};

/// The canonical events of every recording, by a name for it.
static STREAMS: LazyLock<BTreeMap<String, Vec<RuntimeEvent>>> = LazyLock::new(|| {
    let mut streams = BTreeMap::new();
    for recording in committed() {
        let outcomes = replay(recording.carrier, &recording.lines());
        let events = outcomes.into_iter().flat_map(|outcome| outcome.events);
        streams.insert(
            format!("{}-{}", recording.version, recording.key()),
            events.collect(),
        );
    }
    for path in below(&root().join("tests/transcripts/cursor.acp")) {
        let agent = path
            .parent()
            .unwrap()
            .file_name()
            .unwrap()
            .to_string_lossy();
        let stem = path.file_stem().unwrap().to_string_lossy();
        streams.insert(format!("acp-{agent}-{stem}"), acp(&path));
    }
    // The progress of a call is in no recording.
    let outcome = told(PROGRESS);
    streams.insert(String::from("wire-progress"), outcome.events);
    assert!(streams.len() >= 195, "only {} streams", streams.len());
    streams
});

const PROGRESS: &str = r#"{"method":"item/mcpToolCall/progress","params":{"threadId":"t","turnId":"u","itemId":"i","message":"Looking for matches"}}"#;

fn acp(path: &Path) -> Vec<RuntimeEvent> {
    let mut session = AcpSession::with_sources(
        SequentialIds::new(),
        WireClock::default(),
        Limits::default(),
    );
    for line in fs::read_to_string(path)
        .unwrap()
        .split('\n')
        .filter(|line| !line.is_empty())
    {
        let recorded = Recorded::read(line).unwrap();
        session.push(recorded.direction, recorded.line.as_bytes());
        session.push(recorded.direction, b"\n");
    }
    session.finish();
    session
        .outcomes()
        .flat_map(|outcome| outcome.events)
        .collect()
}

fn below(folder: &Path) -> Vec<PathBuf> {
    let entries = |folder: &Path| -> Vec<PathBuf> {
        let entries = fs::read_dir(folder).unwrap();
        entries.map(|entry| entry.unwrap().path()).collect()
    };
    let mut files: Vec<PathBuf> = entries(folder).iter().flat_map(|it| entries(it)).collect();
    files.retain(|path| path.extension().is_some_and(|it| it == "jsonl"));
    files.sort();
    files
}

/// Which methods give which events of the transcript.
pub fn observed() -> BTreeSet<(String, String)> {
    let mut pairs = BTreeSet::new();
    for events in STREAMS.values() {
        let mut universal = Universal::new();
        for event in events {
            let raw = event.raw.as_ref().unwrap();
            let method = raw.method.as_deref().or(raw.message_type.as_deref());
            for told in universal.push(event) {
                let own = told.event_id.split(':').next() == Some(event.event_id.as_str());
                if let Some(method) = method.filter(|_| own && !told.synthetic) {
                    pairs.insert((method.to_owned(), told.event_type().as_str().to_owned()));
                }
            }
        }
    }
    pairs
}

#[test]
fn every_transcript_is_whole() {
    let mut told = 0;
    let mut complaints = Vec::new();
    for (name, events) in &*STREAMS {
        let (count, breaches) = invariants::of_transcript(events);
        told += count;
        complaints.extend(
            breaches
                .into_iter()
                .map(|breach| format!("{name}: {breach}")),
        );
    }
    println!("{} streams, {told} events", STREAMS.len());
    assert!(
        complaints.is_empty(),
        "{}:\n{}",
        complaints.len(),
        complaints.join("\n")
    );
    assert!(told > 3_000, "only {told} events");
}

#[test]
fn every_run_is_whole() {
    let mut runs = 0;
    let mut complaints = Vec::new();
    for (name, events) in &*STREAMS {
        let (count, breaches) = invariants::of_runs(events);
        runs += count;
        complaints.extend(
            breaches
                .into_iter()
                .map(|breach| format!("{name}: {breach}")),
        );
    }
    println!("{} streams, {runs} runs", STREAMS.len());
    assert!(
        complaints.is_empty(),
        "{}:\n{}",
        complaints.len(),
        complaints.join("\n")
    );
    assert!(runs > 200, "only {runs} runs");
}

/// A stream that breaks off anywhere ends as it should, and never well.
#[test]
fn a_stream_may_break_off_anywhere() {
    let mut cuts = 0;
    for (name, events) in &*STREAMS {
        for cut in 0..events.len().min(60) {
            let events = &events[..cut];
            let (_, breaches) = invariants::of_transcript(events);
            assert!(breaches.is_empty(), "{name} at {cut}: {breaches:#?}");
            let (_, breaches) = invariants::of_runs(events);
            assert!(breaches.is_empty(), "{name} at {cut}: {breaches:#?}");
            cuts += 1;
        }
    }
    println!("{cuts} cuts");
    assert!(cuts > 2_000, "only {cuts}");
}

/// The streams whose projections are agreed to.
const AGREED: &[&str] = &[
    "0.107.0-approve_exec",
    "0.107.0-mcp_write-x",
    "0.107.0-reason.rollout",
    "0.171.0-http401",
    "0.171.0-imagegen",
    "0.171.0-interrupt_tool",
    "0.171.0-mcp_write",
    "0.171.0-patch_add",
    "0.171.0-plan",
    "0.171.0-rawreason",
    "0.171.0-text",
    "0.171.0-websearch",
    "acp-claude-agent-acp-0.101.0-load",
    "acp-gemini-cli-0.61.0-write_reject",
    "acp-opencode-1.18.33-bash_allow",
    "acp-qwen-code-0.24.4-subagent",
];

fn agreed() -> Vec<(&'static str, &'static [RuntimeEvent])> {
    let found = |name: &&'static str| {
        let events = STREAMS
            .get(*name)
            .unwrap_or_else(|| panic!("{name} is not recorded"));
        (*name, events.as_slice())
    };
    AGREED.iter().map(found).collect()
}

#[test]
fn projections_are_as_agreed() {
    let agreed = agreed();
    assert!(agreed.len() >= 16, "only {}", agreed.len());
    for (name, events) in &agreed {
        let folder = root().join("tests/goldens.projections");
        let lines = transcript(events).into_iter().map(|mut event| {
            event.raw = None;
            format!("{}\n", event.to_json().unwrap())
        });
        let path = folder.join(format!("{name}.universal.jsonl"));
        expect_file![path].assert_eq(&lines.collect::<String>());
        let frames = invariants::runs(events).into_iter();
        let lines = frames.map(|frame| format!("{}\n", serde_json::to_string(&frame).unwrap()));
        let path = folder.join(format!("{name}.agent-event.jsonl"));
        expect_file![path].assert_eq(&lines.collect::<String>());
    }
}

#[test]
fn no_golden_is_left_over() {
    let wanted: BTreeSet<String> = agreed()
        .iter()
        .flat_map(|(name, _)| {
            ["universal", "agent-event"].map(|projection| format!("{name}.{projection}.jsonl"))
        })
        .collect();
    let found: BTreeSet<String> = fs::read_dir(root().join("tests/goldens.projections"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    assert_eq!(found, wanted);
}
