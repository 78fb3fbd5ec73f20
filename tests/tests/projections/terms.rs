//! The table of terms that maps agents to universal events: each of its cells and sentences is a
//! check, or a difference that says where and why we differ.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::events::{Script, types};
use super::recorded;
use super::term_items::{
    call, call_below_its_message, call_progress, delta_before_its_message, delta_forwarded,
    delta_synthetic, end_of_a_streamed_message, message, other_deltas, result,
};
use super::term_requests::{
    error, error_of_a_turn, no_permission, permission, plan, plan_by_permission, question,
    question_rejected, sent_message,
};

const TERMS: &str = include_str!("../../data/universal_terms.tsv");

struct Cell {
    table: &'static str,
    term: &'static str,
    provider: &'static str,
    checks: Vec<&'static str>,
    note: &'static str,
}

fn cells() -> Vec<Cell> {
    let lines = TERMS.lines().filter(|line| !line.starts_with('#'));
    let cells = lines.map(|line| match line.split('\t').collect::<Vec<_>>()[..] {
        [table, term, provider, _, checks, note] => Cell {
            table,
            term,
            provider,
            checks: checks.split(' ').collect(),
            note,
        },
        _ => panic!("not a cell: {line}"),
    });
    cells.collect()
}

#[test]
fn every_cell_holds_or_says_where_it_differs() {
    let observed = recorded::observed();
    let mut asserted = 0;
    let mut used = BTreeSet::new();
    for cell in cells() {
        let providers: &[&str] = match cell.provider {
            "all" => &["claude", "codex", "opencode", "amp"],
            "claude, amp" => &["claude", "amp"],
            one => &[one],
        };
        for name in &cell.checks {
            if let Some(pair) = name.strip_prefix("observed:") {
                let (method, event_type) = pair.split_once('>').unwrap();
                let pair = (method.to_owned(), event_type.to_owned());
                assert!(observed.contains(&pair), "{pair:?} is in no recording");
                asserted += 1;
                continue;
            }
            let (_, check) = CHECKS
                .iter()
                .find(|(known, _)| known == name)
                .unwrap_or_else(|| panic!("{} {}: no check {name}", cell.table, cell.term));
            for provider in providers {
                println!("{} {} {provider}: {name}", cell.table, cell.term);
                check(provider);
                asserted += 1;
            }
            used.insert(*name);
        }
        if let Some(reason) = cell.note.strip_prefix("difference: ") {
            assert!(reason.split(' ').count() >= 8, "{reason} is no reason");
        }
    }
    let all: BTreeSet<&str> = CHECKS.iter().map(|(name, _)| *name).collect();
    assert_eq!(used, all, "a check belongs to no cell");
    println!("{asserted} checks");
    assert!(asserted >= 110, "only {asserted}");
}

#[test]
fn the_table_is_whole() {
    let cells = cells();
    let count = |table: &str| cells.iter().filter(|cell| cell.table == table).count();
    let counts = [
        "identifiers",
        "events",
        "synthetics",
        "notes",
        "deltas",
        "policy",
        "normalization",
    ]
    .map(count);
    assert_eq!(counts, [4 * 4, 12 * 4, 8, 3, 3, 3, 3]);
    let keys: BTreeSet<(&str, &str, &str)> = cells
        .iter()
        .filter(|cell| ["identifiers", "events"].contains(&cell.table))
        .map(|cell| (cell.table, cell.term, cell.provider))
        .collect();
    assert_eq!(keys.len(), 16 * 4, "a cell stands twice");
    let differing = cells
        .iter()
        .filter(|cell| cell.note.starts_with("difference: "));
    assert_eq!(differing.count(), 14);
}

type Check = fn(&'static str);

const CHECKS: &[(&str, Check)] = &[
    ("session-id-is-the-hosts", session_id_is_the_hosts),
    ("native-session-null", native_session_null),
    ("native-session-is-the-thread", native_session_is_the_thread),
    (
        "native-session-is-the-session",
        native_session_is_the_session,
    ),
    ("item-id-synthetic", item_id_synthetic),
    ("item-id-native", item_id_native),
    ("native-item-null", item_id_synthetic),
    ("native-item-kept", item_id_native),
    ("start-synthetic", start_synthetic),
    ("start-from-the-thread", start_from_the_thread),
    ("start-from-the-session", start_from_the_session),
    ("end-explicit", end_explicit),
    ("end-synthetic", end_synthetic),
    ("end-reasons", end_reasons),
    ("user-message", |provider| {
        message(provider, "user_message", "user")
    }),
    ("assistant-message", |provider| {
        message(provider, "assistant_message", "assistant")
    }),
    ("delta-synthetic", delta_synthetic),
    ("delta-forwarded", delta_forwarded),
    ("other-deltas", other_deltas),
    ("end-of-a-streamed-message", end_of_a_streamed_message),
    ("delta-before-its-message", delta_before_its_message),
    ("call", call),
    ("call-progress", call_progress),
    ("call-below-its-message", call_below_its_message),
    ("result", result),
    ("permission", permission),
    ("no-permission", no_permission),
    ("question", question),
    ("question-rejected", question_rejected),
    ("no-question", no_permission),
    ("plan-question", |provider| {
        plan(provider, "completed", "answered")
    }),
    ("plan-rejected", |provider| {
        plan(provider, "declined", "rejected")
    }),
    ("plan-by-permission", plan_by_permission),
    ("error", error),
    ("error-of-a-turn", error_of_a_turn),
    ("sent-message", sent_message),
];

pub const USER: &str = "user_message";
pub const ASSISTANT: &str = "assistant_message";

pub fn said(item_type: &str, text: &str) -> Value {
    json!({"itemType": item_type, "status": "completed", "detail": text})
}

pub fn begun(item_type: &str) -> Value {
    json!({"itemType": item_type, "status": "inProgress", "data": {}})
}

pub fn assert_daemon(event: &Value) {
    assert_eq!(event["source"], "daemon", "{event:#}");
    assert_eq!(event["synthetic"], true);
}

pub fn assert_agent(event: &Value) {
    assert_eq!(event["source"], "agent", "{event:#}");
    assert_eq!(event["synthetic"], false);
}

fn session_id_is_the_hosts(provider: &'static str) {
    let script = Script::of(provider).item("item.completed", "i", said(USER, "Hello"));
    let whole = script.whole();
    assert!(whole.len() >= 5);
    assert!(whole.iter().all(|event| event["session_id"] == "session-1"));
}

fn native_session_null(provider: &'static str) {
    let script =
        Script::of(provider)
            .refs(json!({}))
            .item("item.completed", "i", said(USER, "Hello"));
    assert!(
        script
            .whole()
            .iter()
            .all(|event| event["native_session_id"].is_null())
    );
}

fn native_session_is_the_thread(provider: &'static str) {
    let refs = json!({"providerThreadId": "the-thread", "providerSessionId": "the-session"});
    let script = Script::of(provider)
        .refs(refs)
        .tell("thread.started", json!({"providerThreadId": "the-thread"}));
    let start = script.one("session.started");
    assert_eq!(start["native_session_id"], "the-thread");
}

fn native_session_is_the_session(provider: &'static str) {
    let script = Script::of(provider)
        .refs(json!({"providerSessionId": "the-session"}))
        .tell("session.started", json!({}));
    let start = script.one("session.started");
    assert_eq!(start["native_session_id"], "the-session");
}

fn item_id_synthetic(provider: &'static str) {
    let script = Script::of(provider)
        .told(
            "item.started",
            begun(ASSISTANT),
            json!({"itemId": "item-7"}),
            None,
        )
        .told(
            "item.completed",
            said(ASSISTANT, "Yes"),
            json!({"itemId": "item-7"}),
            None,
        )
        .told("item.completed", said(ASSISTANT, "No"), json!({}), None);
    let ended = script.all("item.completed");
    assert_eq!(ended.len(), 2);
    for event in &ended {
        assert!(event["data"]["item"]["native_item_id"].is_null());
        assert!(
            event["data"]["item"]
                .as_object()
                .unwrap()
                .contains_key("native_item_id")
        );
    }
    assert_eq!(ended[0]["data"]["item"]["item_id"], "item-7");
    assert_ne!(ended[1]["data"]["item"]["item_id"], "item-7");
}

fn item_id_native(provider: &'static str) {
    let named = |script: Script, item: &str, text: &str| {
        script.told(
            "item.completed",
            said(ASSISTANT, text),
            json!({"itemId": item}),
            Some(String::from("msg_1")),
        )
    };
    let script = named(
        named(Script::of(provider), "item-1", "One"),
        "item-2",
        "Two",
    );
    let ended = script.all("item.completed");
    let ids: Vec<&Value> = ended
        .iter()
        .map(|event| &event["data"]["item"]["item_id"])
        .collect();
    // The id names another item the second time, and an item has an id of its own.
    assert_eq!(ids, ["msg_1", "item-2"]);
    let natives = ended
        .iter()
        .map(|event| &event["data"]["item"]["native_item_id"]);
    assert!(natives.into_iter().all(|id| id == "msg_1"));
}

fn start_synthetic(provider: &'static str) {
    let script = Script::of(provider).item("item.completed", "i", said(USER, "Hello"));
    let whole = script.open();
    assert_eq!(whole[0]["type"], "session.started");
    assert_daemon(&whole[0]);
    assert_eq!(
        types(&whole)
            .iter()
            .filter(|it| **it == "session.started")
            .count(),
        1
    );
}

fn start_from_the_thread(provider: &'static str) {
    // What belongs to no thread waits for the start that the agent sends.
    let script = Script::of(provider)
        .about(json!({}))
        .tell("config.warning", json!({"summary": "No spare wick."}))
        .about(json!({"threadId": "thread-1"}))
        .tell(
            "thread.started",
            json!({"providerThreadId": "native-thread"}),
        )
        .tell(
            "thread.started",
            json!({"providerThreadId": "native-thread"}),
        );
    let whole = script.open();
    assert_eq!(
        types(&whole),
        ["session.started", "item.started", "item.completed"]
    );
    assert_agent(&whole[0]);
    assert_eq!(whole[0]["data"], json!({}));
    assert_eq!(whole[2]["data"]["item"]["kind"], "status");
}

fn start_from_the_session(provider: &'static str) {
    let script = Script::of(provider)
        .tell(
            "session.started",
            json!({"message": "Hello", "resume": {"from": 1.50}}),
        )
        .tell("thread.started", json!({}));
    let whole = script.open();
    assert_eq!(types(&whole), ["session.started"]);
    assert_agent(&whole[0]);
    assert_eq!(
        whole[0]["data"]["metadata"],
        json!({"message": "Hello", "resume": {"from": 1.50}})
    );
}

fn end_explicit(provider: &'static str) {
    let script = Script::of(provider)
        .tell("turn.started", json!({}))
        .tell("turn.completed", json!({"state": "completed"}))
        .about(json!({"threadId": "thread-1", "turnId": "turn-2"}))
        .tell("turn.started", json!({}))
        .tell(
            "turn.completed",
            json!({"state": "failed", "errorMessage": "The oil is out."}),
        );
    let end = script.one("session.ended");
    assert_agent(&end);
    let data = json!({"reason": "error", "terminated_by": "agent", "message": "The oil is out."});
    assert_eq!(end["data"], data);
    assert_eq!(script.whole().last().unwrap()["type"], "session.ended");
}

fn end_synthetic(provider: &'static str) {
    let script = Script::of(if provider == "amp" || provider == "claude" {
        "cursor"
    } else {
        provider
    })
    .tell("thread.started", json!({}))
    .tell("turn.started", json!({}))
    .tell("turn.completed", json!({"state": "completed"}))
    .tell("thread.state.changed", json!({"state": "closed"}));
    assert!(!types(&script.open()).contains(&"session.ended"));
    let end = script.one("session.ended");
    assert_daemon(&end);
    assert_eq!(
        end["data"],
        json!({"reason": "completed", "terminated_by": "daemon"})
    );
}

fn end_reasons(provider: &'static str) {
    let ended = |state: Option<&str>| {
        let script = Script::of(provider).tell("turn.started", json!({}));
        let script = match state {
            Some(state) => script.tell("turn.completed", json!({"state": state})),
            None => script.item("item.started", "i", begun(ASSISTANT)),
        };
        script.one("session.ended")["data"]["reason"].clone()
    };
    assert_eq!(ended(Some("completed")), "completed");
    assert_eq!(ended(Some("failed")), "error");
    assert_eq!(ended(Some("interrupted")), "terminated");
    assert_eq!(ended(Some("cancelled")), "terminated");
    // A stream that is cut off is no success.
    assert_eq!(ended(None), "error");
    for (kind, reason) in [("graceful", "completed"), ("error", "error")] {
        let script = Script::of(provider).tell("thread.started", json!({})).tell(
            "session.exited",
            json!({"exitKind": kind, "reason": "The lamp is out."}),
        );
        let end = script.one("session.ended");
        assert_agent(&end);
        assert_eq!(end["data"]["reason"], reason);
        assert_eq!(end["data"]["terminated_by"], "agent");
    }
    let silent = Script::of(provider)
        .tell("thread.started", json!({}))
        .tell("session.exited", json!({}));
    assert_eq!(silent.one("session.ended")["data"]["reason"], "terminated");
}
