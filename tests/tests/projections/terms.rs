//! The table of terms that maps agents to universal events: each of its cells and sentences is a
//! check, or a difference that says where and why we differ.

use std::collections::BTreeSet;

use agentwire::canonical::IsoDateTime;
use agentwire::json::OwnedJson;
use agentwire::projection::universal::{SentMessage, Universal};
use serde_json::{Value, json};

use super::events::{Script, types};
use super::recorded;

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
    assert_eq!(differing.count(), 12);
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

const USER: &str = "user_message";
const ASSISTANT: &str = "assistant_message";

fn said(item_type: &str, text: &str) -> Value {
    json!({"itemType": item_type, "status": "completed", "detail": text})
}

fn begun(item_type: &str) -> Value {
    json!({"itemType": item_type, "status": "inProgress", "data": {}})
}

fn assert_daemon(event: &Value) {
    assert_eq!(event["source"], "daemon", "{event:#}");
    assert_eq!(event["synthetic"], true);
}

fn assert_agent(event: &Value) {
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

fn message(provider: &'static str, item_type: &str, role: &str) {
    let script = Script::of(provider)
        .item("item.started", "i", begun(item_type))
        .item("item.completed", "i", said(item_type, "Is the lamp lit?"));
    let whole = script.open();
    let told = [
        "session.started",
        "item.started",
        "item.delta",
        "item.completed",
    ];
    assert_eq!(types(&whole), told);
    let (start, end) = (&whole[1]["data"]["item"], &whole[3]["data"]["item"]);
    assert_agent(&whole[1]);
    assert_agent(&whole[3]);
    assert_eq!(
        (&start["status"], &start["content"]),
        (&json!("in_progress"), &json!([]))
    );
    assert_eq!(
        (&start["kind"], &start["role"]),
        (&json!("message"), &json!(role))
    );
    assert_eq!(
        (&end["status"], &end["role"]),
        (&json!("completed"), &json!(role))
    );
    assert_eq!(
        end["content"],
        json!([{"type": "text", "text": "Is the lamp lit?"}])
    );
    assert_eq!(whole[3]["raw"], json!({"said": [1, 2.50]}));
}

fn delta_synthetic(provider: &'static str) {
    let script = Script::of(provider)
        .item("item.started", "i", begun(ASSISTANT))
        .item("item.completed", "i", said(ASSISTANT, "The lamp is lit."));
    let whole = script.open();
    let told = [
        "session.started",
        "item.started",
        "item.delta",
        "item.completed",
    ];
    assert_eq!(types(&whole), told);
    assert_daemon(&whole[2]);
    assert_eq!(whole[2]["data"]["delta"], "The lamp is lit.");
    let item = &whole[3]["data"]["item"];
    assert_eq!(whole[2]["data"]["item_id"], item["item_id"]);
    assert_eq!(whole[2]["data"]["native_item_id"], item["native_item_id"]);
    assert_agent(&whole[3]);
}

fn delta_forwarded(provider: &'static str) {
    let delta = |text: &str| json!({"streamKind": "assistant_text", "delta": text});
    let script = Script::of(provider)
        .item("item.started", "i", begun(ASSISTANT))
        .item("content.delta", "i", delta("The lamp "))
        .item("content.delta", "i", delta("is lit."))
        .item("item.completed", "i", said(ASSISTANT, "The lamp is lit."));
    let deltas = script.all("item.delta");
    let texts: Vec<&Value> = deltas.iter().map(|event| &event["data"]["delta"]).collect();
    assert_eq!(texts, ["The lamp ", "is lit."]);
    deltas.iter().for_each(assert_agent);
    let end = script.one("item.completed");
    assert_eq!(
        end["data"]["item"]["content"],
        json!([{"type": "text", "text": "The lamp is lit."}])
    );
}

fn other_deltas(provider: &'static str) {
    let mut kinds = 0;
    for (stream, kind) in [
        ("reasoning_text", "message"),
        ("reasoning_summary_text", "message"),
        ("plan_text", "message"),
        ("command_output", "tool_call"),
        ("file_change_output", "tool_call"),
        ("unknown", "unknown"),
    ] {
        let delta = json!({"streamKind": stream, "delta": "lit"});
        let script = Script::of(provider).item("content.delta", "i", delta);
        let whole = script.open();
        assert_eq!(
            types(&whole),
            ["session.started", "item.started", "item.delta"]
        );
        assert_eq!(whole[1]["data"]["item"]["kind"], kind, "{stream}");
        assert_daemon(&whole[1]);
        assert_agent(&whole[2]);
        kinds += 1;
    }
    assert_eq!(kinds, 6);
}

fn end_of_a_streamed_message(provider: &'static str) {
    // A message of which the agent never tells the end is whole when its turn is.
    let delta = |text: &str| json!({"streamKind": "assistant_text", "delta": text});
    for (state, status) in [
        ("completed", "completed"),
        ("failed", "failed"),
        ("cancelled", "failed"),
    ] {
        let script = Script::of(provider)
            .tell("turn.started", json!({}))
            .tell("content.delta", delta("The lamp "))
            .tell("content.delta", delta("is lit."))
            .tell("turn.completed", json!({"state": state}));
        let end = script.one("item.completed");
        assert_daemon(&end);
        assert_eq!(end["data"]["item"]["status"], status);
        assert_eq!(
            end["data"]["item"]["content"][0]["text"],
            "The lamp is lit."
        );
        assert_eq!(script.all("item.started").len(), 1);
    }
    // What the user says may come in pieces that are no deltas.
    let script = Script::of(provider)
        .message_type("user_message_chunk")
        .tell(
            "item.updated",
            json!({"itemType": USER, "detail": "Is it "}),
        )
        .tell("item.updated", json!({"itemType": USER, "detail": "lit?"}))
        .tell("content.delta", delta("Yes."));
    let deltas = script.all("item.delta");
    assert_eq!(deltas[0]["data"]["delta"], "Is it lit?");
    assert_daemon(&deltas[0]);
}

fn delta_before_its_message(provider: &'static str) {
    let delta = json!({"streamKind": "assistant_text", "delta": "The lamp"});
    let script = Script::of(provider)
        .item("content.delta", "i", delta)
        .item("item.started", "i", begun(ASSISTANT))
        .item("item.completed", "i", said(ASSISTANT, "The lamp is lit."));
    let whole = script.open();
    let told = [
        "session.started",
        "item.started",
        "item.delta",
        "item.completed",
    ];
    assert_eq!(types(&whole), told);
    assert_daemon(&whole[1]);
    assert_agent(&whole[2]);
    assert_eq!(
        whole[1]["data"]["item"]["item_id"],
        whole[2]["data"]["item_id"]
    );
    // The ledger has put such a stub there already where its events come from a reader.
    let stub = json!({"itemType": ASSISTANT, "status": "inProgress"});
    let whole = Script::of(provider).item("item.started", "i", stub).open();
    assert_daemon(&whole[1]);
}

fn lamp_call() -> Value {
    json!({
        "itemType": "mcp_tool_call", "status": "inProgress", "title": "harbour/light",
        "data": {"arguments": {"lamp": 1.50}},
    })
}

fn lamp_result() -> Value {
    json!({
        "itemType": "mcp_tool_call", "status": "completed", "title": "harbour/light",
        "data": {"arguments": {"lamp": 1.50}, "result": {"lit": true}},
    })
}

fn call(provider: &'static str) {
    let script = Script::of(provider).item("item.started", "i", lamp_call());
    let whole = script.open();
    assert_eq!(types(&whole), ["session.started", "item.started"]);
    let item = &whole[1]["data"]["item"];
    assert_eq!(
        (&item["kind"], &item["parent_id"]),
        (&json!("tool_call"), &Value::Null)
    );
    let part = json!([{
        "type": "tool_call", "name": "harbour/light", "arguments": "{\"lamp\":1.5}",
        "call_id": item["item_id"],
    }]);
    assert_eq!(item["content"], part);
}

fn call_progress(provider: &'static str) {
    let progress = json!({"toolUseId": "x", "toolName": "light", "summary": "Looking for matches"});
    let script = Script::of(provider).item("tool.progress", "i", progress.clone());
    let whole = script.open();
    assert_eq!(
        types(&whole),
        ["session.started", "item.started", "item.delta"]
    );
    assert_daemon(&whole[1]);
    assert_eq!(whole[1]["data"]["item"]["kind"], "tool_call");
    assert_eq!(whole[2]["data"]["delta"], "Looking for matches");
    assert_agent(&whole[2]);
    let known = Script::of(provider)
        .item("item.started", "i", lamp_call())
        .item("tool.progress", "i", progress);
    assert_eq!(known.all("item.started").len(), 1);
}

fn call_below_its_message(provider: &'static str) {
    let script = Script::of(provider)
        .item("item.started", "m", begun(ASSISTANT))
        .item("item.started", "i", lamp_call())
        .item("item.completed", "i", lamp_result())
        .item("item.completed", "m", said(ASSISTANT, "It is lit."));
    let below: Vec<Value> = script
        .whole()
        .into_iter()
        .filter(|event| event["data"]["item"]["kind"] != "message" && event["type"] != "item.delta")
        .filter(|event| event["data"].get("item").is_some())
        .collect();
    assert_eq!(
        below.len(),
        4,
        "call and result, each with its start and its end"
    );
    let parent = &script.all("item.started")[0]["data"]["item"]["item_id"];
    assert!(
        below
            .iter()
            .all(|event| event["data"]["item"]["parent_id"] == *parent)
    );
}

fn result(provider: &'static str) {
    let script = Script::of(provider)
        .item("item.started", "i", lamp_call())
        .item("item.completed", "i", lamp_result());
    let whole = script.open();
    let told = [
        "session.started",
        "item.started",
        "item.completed",
        "item.started",
        "item.completed",
    ];
    assert_eq!(types(&whole), told);
    assert_daemon(&whole[3]);
    assert_agent(&whole[4]);
    let (call, result) = (&whole[2]["data"]["item"], &whole[4]["data"]["item"]);
    assert_eq!(
        (&call["kind"], &call["status"]),
        (&json!("tool_call"), &json!("completed"))
    );
    assert_eq!(
        (&result["kind"], &result["role"]),
        (&json!("tool_result"), &json!("tool"))
    );
    let part =
        json!([{"type": "tool_result", "call_id": call["item_id"], "output": "{\"lit\":true}"}]);
    assert_eq!(result["content"], part);
    for status in ["failed", "declined", "inProgress"] {
        let mut failed = lamp_result();
        failed["status"] = json!(status);
        let script = Script::of(provider).item("item.completed", "i", failed);
        let ended = script.all("item.completed");
        assert_eq!(ended.len(), 2);
        assert!(
            ended
                .iter()
                .all(|event| event["data"]["item"]["status"] == "failed")
        );
    }
    let change = json!({
        "itemType": "file_change", "status": "completed",
        "data": {"changes": [{"path": "lamp.txt", "diff": "+lit", "kind": {"type": "add"}}]},
    });
    let script = Script::of(provider).item("item.completed", "i", change);
    let parts = script.all("item.completed")[1]["data"]["item"]["content"].clone();
    let file = json!({"type": "file_ref", "path": "lamp.txt", "action": "write", "diff": "+lit"});
    assert_eq!(parts[1], file);
}

fn permission(provider: &'static str) {
    let mut decisions = 0;
    for (decision, status) in [
        (Some("accept"), "approved"),
        (Some("acceptForSession"), "approved"),
        (Some("acceptWithAmendment"), "approved"),
        (Some("decline"), "denied"),
        (Some("cancel"), "denied"),
        (Some("timedOut"), "denied"),
        (Some("a word of a later version"), "denied"),
        (None, "denied"),
    ] {
        let kind = "command_execution_approval";
        let mut answer = json!({"requestType": kind, "resolution": {"said": 1}});
        if let Some(decision) = decision {
            answer["decision"] = json!(decision);
        }
        let script = Script::of(provider)
            .request(
                "request.opened",
                "r",
                json!({"requestType": kind, "detail": "light", "args": {"a": 1}}),
            )
            .request("request.resolved", "r", answer);
        let (asked, answered) = (
            script.one("permission.requested"),
            script.one("permission.resolved"),
        );
        let data = json!({"permission_id": "r", "action": "light", "status": "requested", "metadata": {"a": 1}});
        assert_eq!(asked["data"], data);
        let data = json!({"permission_id": "r", "action": "light", "status": status, "metadata": {"said": 1}});
        assert_eq!(answered["data"], data);
        assert_agent(&asked);
        assert_agent(&answered);
        decisions += 1;
    }
    assert_eq!(decisions, 8);
}

/// What the client answers by itself asks the user nothing.
fn no_permission(provider: &'static str) {
    let mut script = Script::of(provider)
        .tell("turn.started", json!({}))
        .item("item.started", "i", lamp_call())
        .item("item.completed", "i", lamp_result());
    for kind in ["dynamic_tool_call", "auth_tokens_refresh", "attestation"] {
        script = script
            .request("request.opened", kind, json!({"requestType": kind}))
            .request("request.resolved", kind, json!({"requestType": kind}));
    }
    let whole = script
        .tell("turn.completed", json!({"state": "completed"}))
        .whole();
    assert!(whole.len() > 5);
    let asks = |event: &&Value| {
        let name = event["type"].as_str().unwrap();
        name.starts_with("permission.") || name.starts_with("question.")
    };
    assert_eq!(whole.iter().find(asks), None);
}

fn questions() -> Value {
    json!({"questions": [{
        "id": "q", "question": "Which lamp?", "options": [{"label": "Red"}, {"label": "Green"}],
    }]})
}

fn question(provider: &'static str) {
    let script = Script::of(provider)
        .request("user-input.requested", "r", questions())
        .request(
            "request.opened",
            "r",
            json!({"requestType": "tool_user_input", "detail": "Which lamp?"}),
        )
        .request(
            "user-input.resolved",
            "r",
            json!({"answers": {"q": {"answers": ["Red"]}}}),
        )
        .request(
            "request.resolved",
            "r",
            json!({"requestType": "tool_user_input", "decision": "accept"}),
        );
    let (asked, answered) = (
        script.one("question.requested"),
        script.one("question.resolved"),
    );
    let mut data = json!({
        "question_id": "r", "prompt": "Which lamp?", "options": ["Red", "Green"], "status": "requested",
    });
    assert_eq!(asked["data"], data);
    data["status"] = json!("answered");
    data["response"] = json!("Red");
    assert_eq!(answered["data"], data);
    assert_agent(&asked);
    assert_agent(&answered);
}

fn question_rejected(provider: &'static str) {
    let script = Script::of(provider)
        .request("user-input.requested", "r", questions())
        .request(
            "request.resolved",
            "r",
            json!({"requestType": "tool_user_input", "decision": "decline"}),
        );
    assert_eq!(
        script.one("question.resolved")["data"]["status"],
        "rejected"
    );
    // Without a form there is a request and nothing else.
    let link = Script::of(provider)
        .request(
            "request.opened",
            "r",
            json!({"requestType": "mcp_elicitation", "detail": "Open the pass."}),
        )
        .request(
            "request.resolved",
            "r",
            json!({"requestType": "mcp_elicitation"}),
        );
    assert_eq!(
        link.one("question.requested")["data"]["prompt"],
        "Open the pass."
    );
    assert_eq!(link.one("question.resolved")["data"]["status"], "rejected");
}

fn plan_item(status: &str) -> Value {
    json!({
        "itemType": "dynamic_tool_call", "status": status, "title": "ExitPlanMode",
        "data": {"name": "ExitPlanMode", "input": {"plan": "1. Light the lamp."}},
    })
}

fn plan(provider: &'static str, status: &str, answer: &str) {
    let script = Script::of(provider)
        .item("item.started", "i", plan_item("inProgress"))
        .item("item.completed", "i", plan_item(status));
    let (asked, answered) = (
        script.one("question.requested"),
        script.one("question.resolved"),
    );
    assert_daemon(&asked);
    assert_daemon(&answered);
    assert_eq!(asked["data"]["prompt"], "1. Light the lamp.");
    assert_eq!(asked["data"]["options"], json!(["approve", "reject"]));
    assert_eq!(answered["data"]["status"], answer);
    assert_eq!(
        answered["data"]["question_id"],
        asked["data"]["question_id"]
    );
    assert_eq!(
        script.all("item.started").len(),
        2,
        "the call is told besides"
    );
}

/// The same question may come as a request for leave; it is asked once.
fn plan_by_permission(provider: &'static str) {
    let request = json!({
        "requestType": "unknown",
        "args": {"tool_name": "ExitPlanMode", "input": {"plan": "1. Light the lamp."}},
    });
    let answer = json!({"requestType": "unknown", "decision": "accept"});
    let alone = Script::of(provider)
        .request("request.opened", "r", request.clone())
        .request("request.resolved", "r", answer.clone());
    assert_eq!(
        alone.one("question.requested")["data"]["prompt"],
        "1. Light the lamp."
    );
    assert_eq!(alone.one("question.resolved")["data"]["status"], "answered");
    assert!(alone.all("permission.requested").is_empty());
    let both = Script::of(provider)
        .item("item.started", "i", plan_item("inProgress"))
        .told(
            "request.opened",
            request,
            json!({"requestId": "r", "itemId": "i"}),
            None,
        )
        .told(
            "request.resolved",
            answer,
            json!({"requestId": "r", "itemId": "i"}),
            None,
        )
        .item("item.completed", "i", plan_item("completed"));
    both.one("question.requested");
    assert_eq!(both.one("question.resolved")["data"]["status"], "answered");
}

fn error(provider: &'static str) {
    let script = Script::of(provider).tell(
        "runtime.error",
        json!({"message": "The oil is out.", "class": "provider_error", "detail": {"litres": 0.0}}),
    );
    let error = script.one("error");
    assert_agent(&error);
    let data =
        json!({"message": "The oil is out.", "code": "provider_error", "details": {"litres": 0.0}});
    assert_eq!(error["data"], data);
}

fn error_of_a_turn(provider: &'static str) {
    let ended = json!({"state": "failed", "errorMessage": "The oil is out."});
    let silent = Script::of(provider)
        .tell("turn.started", json!({}))
        .tell("turn.completed", ended.clone());
    assert_eq!(
        silent.one("error")["data"],
        json!({"message": "The oil is out."})
    );
    // Where a message has told what failed, the end of the turn does not tell it again.
    let told = Script::of(provider)
        .tell("turn.started", json!({}))
        .tell("runtime.error", json!({"message": "The oil is out."}))
        .tell("turn.completed", ended);
    told.one("error");
}

fn sent_message(_: &'static str) {
    let mut universal = Universal::new();
    let told = universal.sent(SentMessage {
        event_id: "sent-1".into(),
        session_id: "session-1".into(),
        native_session_id: None,
        time: IsoDateTime::from_millis(5),
        text: String::from("Is the lamp lit?"),
        input: Some(OwnedJson::parse(r#"{"prompt":"Is the lamp lit?"}"#).unwrap()),
    });
    let told: Vec<Value> = told
        .iter()
        .map(|it| serde_json::to_value(it).unwrap())
        .collect();
    assert_eq!(
        types(&told),
        [
            "session.started",
            "item.started",
            "item.delta",
            "item.completed"
        ]
    );
    told.iter().for_each(assert_daemon);
    assert_eq!(told[3]["raw"], json!({"prompt": "Is the lamp lit?"}));
    assert_eq!(told[3]["data"]["item"]["role"], "user");
    assert_eq!(told[3]["data"]["item"]["status"], "completed");
}
