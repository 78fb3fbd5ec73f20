//! Recorded streams of every provider: what holds for all projections, and the agreed ones.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use agentwire::acp::AcpSession;
use agentwire::canonical::RuntimeEvent;
use agentwire::claude::ClaudeSession;
use agentwire::frame::Limits;
use agentwire::projection::agent_event::{AgentEventType, AgentRuns};
use agentwire::projection::universal::Universal;
use agentwire::session::Outcome;
use agentwire::sources::{SequentialIds, WireClock};
use agentwire_tests::root;
use expect_test::expect_file;

use super::events::transcript;
use super::invariants;
use crate::support::acp;
use crate::support::recorded::all;
use crate::support::replay::{replay, told};
use crate::support::wires::WIRES;

/// Where whole recordings stand, as `agents/<agent>-<version>/*.jsonl` below it.
const MORE: &str = "AGENTWIRE_RECORDED";

/// Reads lines with a new session of a type.
macro_rules! read {
    ($session:ident, $lines:expr) => {{
        let mut session = $session::with_sources(
            SequentialIds::new(),
            WireClock::default(),
            Limits::default(),
        );
        for line in $lines {
            session.push(line.direction, line.text.as_bytes());
            session.push(line.direction, b"\n");
        }
        session.finish();
        events(session.outcomes().collect())
    }};
}

/// The canonical events of every recording, by a name for it.
static STREAMS: LazyLock<BTreeMap<String, Vec<RuntimeEvent>>> = LazyLock::new(|| {
    let mut streams = BTreeMap::new();
    for recording in all() {
        let outcomes = replay(recording.carrier, &recording.lines());
        let name = format!("{}-{}", recording.version, recording.key());
        add(&mut streams, name, events(outcomes));
    }
    let connections = [acp::committed(), acp::whole().unwrap_or_default()].concat();
    for path in connections {
        let (agent, scenario) = acp::key(&path);
        let events = read!(AcpSession, acp::lines(&path));
        add(&mut streams, format!("acp-{agent}-{scenario}"), events);
    }
    for path in of_claude() {
        let (version, scenario) = acp::key(&path);
        let events = read!(ClaudeSession, acp::lines(&path));
        add(&mut streams, format!("claude-{version}-{scenario}"), events);
    }
    for wire in WIRES {
        for recording in [wire.committed(), wire.whole()].concat() {
            let outcomes = wire.replayed(&recording.lines()).concat();
            let (version, scenario) = (&recording.version, &recording.scenario);
            let name = format!("{}-{version}-{scenario}", wire.surface());
            add(&mut streams, name, events(outcomes));
        }
    }
    // The progress of a call is in no recording.
    let outcome = told(PROGRESS);
    streams.insert(String::from("wire-progress"), outcome.events);
    assert!(streams.len() >= 275, "only {} streams", streams.len());
    streams
});

const PROGRESS: &str = r#"{"method":"item/mcpToolCall/progress","params":{"threadId":"t","turnId":"u","itemId":"i","message":"Looking for matches"}}"#;

pub fn events(outcomes: Vec<Outcome>) -> Vec<RuntimeEvent> {
    let events = outcomes.into_iter().flat_map(|outcome| outcome.events);
    events.collect()
}

/// Adds a stream. A whole recording has the name of its excerpt, and is another stream.
fn add(streams: &mut BTreeMap<String, Vec<RuntimeEvent>>, name: String, events: Vec<RuntimeEvent>) {
    let name = match streams.contains_key(&name) {
        true => format!("{name}, whole"),
        false => name,
    };
    let earlier = streams.insert(name, events);
    assert_eq!(earlier, None, "two streams have one name");
}

/// The excerpts of Claude's recordings.
pub fn claude_excerpts() -> Vec<PathBuf> {
    let folder = root().join("tests/transcripts");
    let mut found = below(&folder.join("claude.sdk.message"));
    found.extend(below(&folder.join("claude.sdk.permission")));
    assert!(found.len() >= 45, "only {} excerpts", found.len());
    found
}

/// The recordings of Claude: the excerpts, and the whole ones where a folder of them is named.
fn of_claude() -> Vec<PathBuf> {
    let mut found = claude_excerpts();
    if let Some(more) = std::env::var_os(MORE) {
        let mut whole = below(&Path::new(&more).join("agents"));
        whole.retain(|path| {
            let (agent, _) = acp::key(path);
            agent.starts_with("claude-cli-") || agent.starts_with("claude-sdk-")
        });
        assert!(whole.len() >= 150, "only {} recordings", whole.len());
        found.extend(whole);
    }
    found
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

/// The program tells the total of the thread only, and each run counts its own part of it.
#[test]
fn runs_of_a_thread_that_goes_on_are_charged_once() {
    let events = &STREAMS["codex.sdk.thread-event-0.171.0-exec_resume"];
    let used = |mut runs: AgentRuns| -> Vec<Option<[u64; 3]>> {
        let frames = events.iter().flat_map(|event| runs.push(event));
        let ends = frames.filter(|frame| frame.event.event_type == AgentEventType::Done);
        let usage = ends.map(|frame| frame.event.usage);
        usage
            .map(|usage| usage.map(|it| [it.input_tokens, it.cache_read_tokens, it.output_tokens]))
            .collect()
    };
    let runs = || AgentRuns::new().model("lamp", None);
    let second = Some([160, 80, 60]);
    assert_eq!(
        used(runs().threads_begin_here()),
        [Some([80, 40, 30]), second]
    );
    assert_eq!(used(runs()), [None, second], "the thread may be older");
    assert_eq!(
        used(AgentRuns::new()),
        [None, None],
        "nobody names the model"
    );
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
    "amp.stream-json-0.0.1768018268-multi_turn",
    "amp.stream-json-0.0.1768018268-todo",
    "claude-0.3.332-bash_allow",
    "claude-0.3.332-subagent",
    "codex.sdk.thread-event-0.171.0-exec_resume",
    "codex.sdk.thread-event-0.171.0-plan",
    "opencode.event-1.18.33-abort_tool",
    "opencode.event-1.18.33-question",
    "opencode.event-1.18.33-subagent",
    "opencode.event-1.18.33-v2_lifecycle",
    "opencode.event-1.18.33-write_read_edit",
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
    assert!(agreed.len() >= 27, "only {}", agreed.len());
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
