//! Twins, turns and ids of the older event protocol, in the order in which a reader asks.

#![allow(clippy::unwrap_used, clippy::panic)]

use std::sync::Arc;

use serde_json::{Value, json};

use super::{Carrier, REMEMBERED};
use crate::canonical::ProviderKind;
use crate::json::{OwnedJson, decode};
use crate::kit::ledger::{Draft, Ledger, Refs};
use crate::kit::sources::{SequentialIds, WireClock};
use crate::providers::codex::CodexMapping;
use crate::providers::codex::eventmsg::tests::{rollout, run};
use crate::providers::codex::wire::eventmsg::{EventMsg, ROWS};

fn started(turn: &str) -> Value {
    json!({"type": "task_started", "turn_id": turn})
}

fn complete(turn: &str) -> Value {
    json!({"type": "task_complete", "turn_id": turn, "last_agent_message": null})
}

fn item(step: &str, item_type: &str, turn: &str) -> Value {
    json!({"type": step, "thread_id": "thread-1", "turn_id": turn, "item": {
        "type": item_type, "id": "i", "content": [], "summary_text": [], "query": "",
        "action": {"type": "other"}, "status": "completed", "result": "", "text": ""}})
}

/// A rollout that is read message by message.
#[derive(Default)]
struct Story {
    mapping: CodexMapping,
}

impl Story {
    /// The drafts of a message, or the twin that silences it.
    fn tell(&mut self, message: &Value) -> Result<Vec<Draft>, &'static str> {
        let text = message.to_string();
        let (decoded, _) = decode::<EventMsg<'_>>(&text).unwrap();
        match self.mapping.turns.silenced(&decoded) {
            Some(twin) => Err(twin),
            None => Ok(run(&mut self.mapping, &rollout(), message).0),
        }
    }

    /// The refs of the only event of a message.
    fn refs(&mut self, message: &Value) -> Refs {
        let mut drafts = self.tell(message).unwrap();
        assert_eq!(drafts.len(), 1, "{message}");
        drafts.remove(0).refs
    }

    /// How a turn ends: state and error message.
    fn end(&mut self, message: &Value) -> (Value, Value) {
        let drafts = self.tell(message).unwrap();
        let event = serde_json::to_value(&drafts[0].payload).unwrap();
        assert_eq!(event["type"], "turn.completed");
        (
            event["payload"]["state"].clone(),
            event["payload"]["errorMessage"].clone(),
        )
    }
}

/// A message for a tag path.
fn sample(path: &str) -> Value {
    if let Some((step, item_type)) = path.split_once(':') {
        return item(step, item_type, "t");
    }
    json!({"type": path, "message": "m", "text": "m", "delta": "m", "call_id": "c", "query": "",
        "action": {"type": "other"}, "status": "completed", "result": "", "item_id": "i",
        "thread_id": "x", "turn_id": "t", "target": {"type": "uncommittedChanges"}})
}

#[test]
fn a_told_twin_silences_until_its_turn_ends() {
    let mut pairs = 0;
    for row in ROWS {
        let Some(twin) = row.twin else { continue };
        pairs += 1;
        let mut story = Story::default();
        story.tell(&started("t")).unwrap();
        assert!(
            story.tell(&sample(row.tag)).is_ok(),
            "{} before its twin",
            row.tag
        );
        assert!(story.tell(&sample(twin)).is_ok());
        assert_eq!(story.tell(&sample(row.tag)), Err(twin));
        assert_eq!(story.tell(&sample(row.tag)), Err(twin));
        story.tell(&complete("t")).unwrap();
        story.tell(&started("u")).unwrap();
        assert!(
            story.tell(&sample(row.tag)).is_ok(),
            "{} in the next turn",
            row.tag
        );
    }
    assert_eq!(pairs, 13);
}

#[test]
fn a_twin_is_known_by_its_whole_tag_path() {
    let mut story = Story::default();
    story.tell(&started("t")).unwrap();
    for other in [
        "item_completed:Plan",
        "item_started:AgentMessage",
        "item_completed:Semaphore",
    ] {
        story.tell(&sample(other)).unwrap();
    }
    assert!(story.tell(&sample("agent_message")).is_ok());
    story.tell(&sample("item_completed:Reasoning")).unwrap();
    assert!(story.tell(&sample("agent_message")).is_ok());
    assert!(story.tell(&sample("agent_reasoning")).is_err());
}

#[test]
fn twins_belong_to_the_turn_that_they_are_about() {
    let mut story = Story::default();
    // An item may come before its turn.
    story
        .tell(&item("item_completed", "EnteredReviewMode", "outer"))
        .unwrap();
    story.tell(&started("t")).unwrap();
    assert!(story.tell(&sample("entered_review_mode")).is_err());
    story.tell(&complete("t")).unwrap();
    // And after it.
    story
        .tell(&item("item_completed", "AgentMessage", "t"))
        .unwrap();
    story.tell(&started("u")).unwrap();
    assert!(story.tell(&sample("agent_message")).is_ok());
    // A turn that is cut short ends where the next one begins.
    story
        .tell(&item("item_completed", "AgentMessage", "u"))
        .unwrap();
    story.tell(&started("v")).unwrap();
    assert!(story.tell(&sample("agent_message")).is_ok());
    // A turn that was aborted is over as well.
    story
        .tell(&item("item_completed", "AgentMessage", "v"))
        .unwrap();
    assert!(story.tell(&sample("agent_message")).is_err());
    story
        .tell(&json!({"type": "turn_aborted", "turn_id": "v", "reason": "interrupted"}))
        .unwrap();
    assert!(story.tell(&sample("agent_message")).is_ok());
}

#[test]
fn a_turn_with_an_error_is_failed() {
    let error = |message: &str| json!({"type": "error", "message": message});
    let mut story = Story::default();
    story.tell(&error("before any turn")).unwrap();
    story.tell(&started("a")).unwrap();
    assert_eq!(story.end(&complete("a")), (json!("completed"), Value::Null));
    story.tell(&started("b")).unwrap();
    story.tell(&error("one")).unwrap();
    story.tell(&error("two")).unwrap();
    assert_eq!(story.end(&complete("b")), (json!("failed"), json!("two")));
    story.tell(&started("c")).unwrap();
    story
        .tell(&json!({"type": "stream_error", "message": "again"}))
        .unwrap();
    let mut rollback = error("not now");
    rollback["codex_error_info"] = json!("thread_rollback_failed");
    story.tell(&rollback).unwrap();
    assert_eq!(story.end(&complete("c")), (json!("completed"), Value::Null));
    story.tell(&started("d")).unwrap();
    story.tell(&error("told")).unwrap();
    let mut own = complete("d");
    own["error"] = json!({"message": "own", "codex_error_info": "cyber_policy"});
    assert_eq!(story.end(&own), (json!("failed"), json!("own")));
    // A turn that was cut short leaves no failure to the next one.
    story.tell(&started("e")).unwrap();
    story.tell(&error("lost")).unwrap();
    story.tell(&started("f")).unwrap();
    assert_eq!(story.end(&complete("f")), (json!("completed"), Value::Null));
}

#[test]
fn the_end_of_another_turn_does_not_end_the_one_that_runs() {
    let note = json!({"type": "warning", "message": "m"});
    let mut story = Story::default();
    assert_eq!(story.refs(&note).turn, None);
    story.tell(&started("a")).unwrap();
    story.tell(&started("b")).unwrap();
    story
        .tell(&json!({"type": "error", "message": "leak"}))
        .unwrap();
    assert_eq!(story.end(&complete("a")), (json!("completed"), Value::Null));
    assert_eq!(story.refs(&note).turn.as_deref(), Some("b"));
    // A review ends under another id than it began with.
    assert_eq!(
        story.end(&complete("review")),
        (json!("failed"), json!("leak"))
    );
    assert_eq!(story.refs(&note).turn, None);
    story.tell(&started("c")).unwrap();
    let aborted =
        story.refs(&json!({"type": "turn_aborted", "turn_id": null, "reason": "replaced"}));
    assert_eq!(aborted.turn.as_deref(), Some("c"));
    assert_eq!(story.refs(&note).turn, None);
}

#[test]
fn rollouts_know_their_thread_and_their_turn() {
    let mut story = Story::default();
    story.tell(&started("t")).unwrap();
    let refs = story.refs(&json!({"type": "agent_reasoning_section_break", "item_id": "r"}));
    assert_eq!(refs.turn.as_deref(), Some("t"));
    assert_eq!(
        (refs.thread.as_deref(), refs.item.as_deref()),
        (Some("thread-1"), Some("r"))
    );
    assert!(refs.minted);
    let patch = json!({"type": "patch_apply_begin", "call_id": "c", "turn_id": "",
        "auto_approved": true, "changes": {}});
    assert_eq!(story.refs(&patch).turn.as_deref(), Some("t"));
    let own = story.refs(&item("item_completed", "AgentMessage", "outer"));
    assert_eq!(own.turn.as_deref(), Some("outer"));
    // Without a thread of the file, the message's own is the best there is.
    let spawned = json!({"type": "collab_agent_spawn_end", "call_id": "c", "prompt": "p",
        "sender_thread_id": "parent", "new_thread_id": "child", "status": "running"});
    let (drafts, _) = run(
        &mut CodexMapping::new(),
        &Carrier::Rollout { thread: None },
        &spawned,
    );
    assert_eq!(drafts[0].refs.thread.as_deref(), Some("parent"));
}

#[test]
fn the_live_wire_names_thread_and_turn_in_its_envelope() {
    let live = |thread: &str, turn: &str| Carrier::Live {
        thread: Some(Arc::from(thread)),
        turn: Some(Arc::from(turn)),
    };
    let mut mapping = CodexMapping::new();
    let mut place = |carrier: &Carrier, message: &Value| {
        let mut drafts = run(&mut mapping, carrier, message).0;
        let refs = drafts.remove(0).refs;
        (
            refs.thread.map(|id| id.to_string()),
            refs.turn.map(|id| id.to_string()),
        )
    };
    let pair =
        |thread: &str, turn: Option<&str>| (Some(thread.to_owned()), turn.map(str::to_owned));
    let hidden = json!({"type": "item_completed", "thread_id": "hidden", "turn_id": "hidden",
        "item": {"type": "Plan", "id": "i", "text": ""}});
    let note = json!({"type": "warning", "message": "m"});
    // A submission is no turn.
    assert_eq!(place(&live("a", "1"), &note), pair("a", None));
    assert_eq!(place(&live("a", "1"), &hidden), pair("a", None));
    // The turn of a review has another id inside, which nobody else mentions.
    assert_eq!(
        place(&live("a", "1"), &started("hidden")),
        pair("a", Some("1"))
    );
    assert_eq!(place(&live("a", "1"), &hidden), pair("a", Some("1")));
    assert_eq!(place(&live("a", "1"), &note), pair("a", Some("1")));
    assert_eq!(place(&live("a", ""), &note), pair("a", None));
    assert_eq!(place(&live("b", "1"), &note), pair("b", None));
    assert_eq!(place(&live("b", ""), &started("2")), pair("b", Some("2")));
    assert_eq!(place(&live("b", "2"), &note), pair("b", Some("2")));
}

#[test]
fn the_live_wire_does_not_mix_the_stories_of_its_threads() {
    let live = |turn: &str| Carrier::Live {
        thread: Some(Arc::from("a")),
        turn: Some(Arc::from(turn)),
    };
    let mut mapping = CodexMapping::new();
    run(&mut mapping, &live("1"), &started("1"));
    run(
        &mut mapping,
        &live("1"),
        &json!({"type": "error", "message": "m"}),
    );
    let (drafts, _) = run(&mut mapping, &live("1"), &complete("1"));
    let event = serde_json::to_value(&drafts[0].payload).unwrap();
    assert_eq!(event["payload"]["state"], "completed");
}

#[test]
fn memory_is_bounded() {
    let mut story = Story::default();
    for turn in 0..REMEMBERED + 10 {
        story.tell(&started(&turn.to_string())).unwrap();
    }
    let turns = &story.mapping.turns;
    assert_eq!(
        (turns.started.len(), turns.order.len()),
        (REMEMBERED, REMEMBERED)
    );
    assert!(!turns.is_over("9"));
    assert!(turns.is_over("10"));
}

#[test]
fn a_rollout_becomes_a_story() {
    let mut story = Story::default();
    let mut ledger = Ledger::new(
        ProviderKind::Codex,
        SequentialIds::default(),
        WireClock::default(),
    );
    let raw = crate::canonical::RuntimeEventRaw {
        source: crate::canonical::RawSource::CodexEventmsg,
        method: None,
        message_type: None,
        payload: OwnedJson::from_value(&Value::Null),
    };
    let mut told = crate::kit::ledger::Told::default();
    for message in [
        started("t"),
        item("item_completed", "UserMessage", "t"),
        sample("user_message"),
        item("item_completed", "AgentMessage", "t"),
        sample("agent_message"),
        json!({"type": "token_count", "info": null, "rate_limits": {"limit_id": "x"}}),
        complete("t"),
    ] {
        for draft in story.tell(&message).unwrap_or_default() {
            ledger.admit(draft, &raw, None, &mut told);
        }
    }
    let types: Vec<_> = told
        .events
        .iter()
        .map(|event| event.event_type().as_str())
        .collect();
    // Both items have the same id in this story and different types, so each is one of its own.
    let expected = [
        "turn.started",
        "item.started",
        "item.completed",
        "item.started",
        "item.completed",
        "account.rate-limits.updated",
        "turn.completed",
    ];
    assert_eq!(types, expected);
    let events = &told.events;
    let first = events.first().unwrap();
    assert!(first.turn_id.is_some());
    assert!(events.iter().all(|event| event.turn_id == first.turn_id));
    assert!(
        events
            .iter()
            .all(|event| event.thread_id == first.thread_id)
    );
}
