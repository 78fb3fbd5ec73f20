//! A program that is gone leaves nothing open.

use super::*;
use crate::canonical::{ExitKind, SessionExited, SessionStarted};

fn exit(kind: Option<ExitKind>) -> SessionExited {
    SessionExited {
        reason: Some(String::from("signal 9")),
        exit_kind: kind,
        ..SessionExited::default()
    }
}

fn tree(events: &[RuntimeEvent]) -> Vec<(EventType, serde_json::Value)> {
    let tree = |event: &RuntimeEvent| serde_json::to_value(event).unwrap()["payload"].clone();
    let pair = |event: &RuntimeEvent| (event.event_type(), tree(event));
    events.iter().map(pair).collect()
}

/// Something of each kind that is open, and something of each kind that ended.
fn busy() -> Bench {
    let mut bench = Bench::new();
    for (turn, item) in [("t", "i"), ("u", "j")] {
        bench.one(refs("A", turn, ""), TurnStarted::default());
        bench.one(
            refs("A", turn, item),
            crate::canonical::ItemStarted(life(ItemType::CommandExecution)),
        );
        let asks = RequestOpened {
            request_type: RequestType::CommandExecutionApproval,
            detail: None,
            args: None,
        };
        let about = Refs {
            request: Some(item.into()),
            ..refs("A", turn, item)
        };
        bench.one(about, asks);
    }
    let answer = RequestResolved {
        request_type: RequestType::CommandExecutionApproval,
        decision: None,
        resolution: None,
    };
    bench.one(request("i"), answer);
    bench.one(
        refs("A", "t", "i"),
        ItemCompleted(life(ItemType::CommandExecution)),
    );
    bench.one(refs("A", "t", ""), TurnCompleted::new(TurnState::Completed));
    // Only mentioned: nobody was told that they began.
    bench.one(refs("A", "v", "k"), RuntimeWarning::new("w"));
    bench
}

#[test]
fn what_is_open_ends_and_then_the_session() {
    let mut bench = busy();
    let asks = UserInputRequested {
        questions: OwnedJson::from_value(&serde_json::json!([])),
    };
    bench.one(request("q"), asks);
    let events = bench.ledger.exit(exit(Some(ExitKind::Error)));
    assert_eq!(
        tree(&events),
        [
            (
                EventType::RequestResolved,
                serde_json::json!({"requestType": "command_execution_approval", "decision": "cancel"})
            ),
            (
                EventType::UserInputResolved,
                serde_json::json!({"answers": null})
            ),
            (
                EventType::ItemCompleted,
                serde_json::json!({"itemType": "command_execution", "status": "failed"})
            ),
            (
                EventType::TurnCompleted,
                serde_json::json!({"state": "failed", "errorMessage": "signal 9"})
            ),
            (
                EventType::SessionExited,
                serde_json::json!({"reason": "signal 9", "exitKind": "error"})
            ),
        ]
    );
    // What ends has the ids with which it began.
    let item = &events[2];
    assert_eq!(item.turn_id, events[3].turn_id);
    let provider = item.provider_refs.as_ref().unwrap();
    assert_eq!(provider.provider_item_id, Some("j".into()));
    assert_eq!(events[0].item_id, item.item_id);
    assert!(events.iter().all(|event| event.raw.is_none()));
}

#[test]
fn it_is_told_once() {
    let mut bench = busy();
    assert_eq!(bench.ledger.exit(exit(None)).len(), 4);
    assert_eq!(bench.ledger.exit(exit(None)), []);
    // The agent may say it itself.
    let mut bench = busy();
    let said = bench.types(Refs::default(), exit(None));
    assert_eq!(said.len(), 4);
    assert_eq!(said.last(), Some(&EventType::SessionExited));
    assert_eq!(bench.ledger.exit(exit(None)), []);
    let types = |events: Vec<RuntimeEvent>| {
        let types = events.iter().map(RuntimeEvent::event_type);
        types.collect::<Vec<_>>()
    };
    // And begin again.
    bench.one(Refs::default(), SessionStarted::default());
    assert_eq!(
        types(bench.ledger.exit(exit(None))),
        [EventType::SessionExited]
    );
}

#[test]
fn a_program_that_was_asked_to_end_interrupts_its_turns() {
    let events = busy().ledger.exit(exit(Some(ExitKind::Graceful)));
    let turn = &tree(&events)[2];
    assert_eq!(turn.0, EventType::TurnCompleted);
    assert_eq!(turn.1["state"], "interrupted");
    // An item that was cut off is no success either way.
    assert_eq!(tree(&events)[1].1["status"], "failed");
}

#[test]
fn a_turn_says_why_it_failed_where_nobody_knows_more() {
    let events = busy().ledger.exit(SessionExited::default());
    assert_eq!(
        tree(&events)[2].1["errorMessage"],
        "the agent's program ended"
    );
}

#[test]
fn another_program_has_turns_and_items_of_its_own() {
    let own = |name: &str| refs(&super::super::draft::own_name(name), "1", "i");
    let start = || crate::canonical::ItemStarted(life(ItemType::CommandExecution));
    for thread in ["A", "\u{1}thread-1"] {
        let mut bench = Bench::new();
        let scope = if thread == "A" {
            refs("A", "1", "i")
        } else {
            own("thread-1")
        };
        let turn = Refs {
            item: None,
            ..scope.clone()
        };
        let first = bench.one(turn.clone(), TurnStarted::default());
        let item = bench.one(scope.clone(), start());
        assert_eq!(bench.ledger.exit(exit(None)).len(), 3);
        let second = bench.one(turn, TurnStarted::default());
        assert_eq!(second.event_type(), EventType::TurnStarted);
        assert_ne!(second.turn_id, first.turn_id);
        // A thread that the provider names goes on; a name of ours says nothing here.
        assert_eq!(second.thread_id == first.thread_id, thread == "A");
        let another = bench.one(scope, start());
        assert_eq!(another.event_type(), EventType::ItemStarted);
        assert_ne!(another.item_id, item.item_id);
        // And it ends, too.
        assert_eq!(bench.ledger.exit(exit(None)).len(), 3);
        assert_eq!(bench.ledger.exit(exit(None)), []);
    }
}

#[test]
fn tasks_and_hooks_end_once() {
    let task = |id: &str| crate::canonical::TaskStarted {
        task_id: id.into(),
        description: None,
        task_type: None,
    };
    let hook = || crate::canonical::HookStarted {
        hook_id: String::from("a"),
        hook_name: String::from("h"),
        hook_event: String::from("e"),
    };
    let done = crate::canonical::TaskCompleted {
        task_id: "b".into(),
        status: crate::canonical::TaskStatus::Completed,
        summary: None,
        usage: None,
    };
    for (kind, status) in [(ExitKind::Error, "failed"), (ExitKind::Graceful, "stopped")] {
        let mut bench = Bench::new();
        let started = bench.one(refs("A", "t", ""), task("a"));
        bench.one(refs("A", "t", ""), task("b"));
        bench.one(refs("A", "t", ""), hook());
        bench.one(refs("A", "t", ""), done.clone());
        let events = bench.ledger.exit(exit(Some(kind)));
        assert_eq!(
            tree(&events)[..2],
            [
                (
                    EventType::TaskCompleted,
                    serde_json::json!({"taskId": "a", "status": status})
                ),
                (
                    EventType::HookCompleted,
                    serde_json::json!({"hookId": "a", "outcome": "cancelled"})
                ),
            ]
        );
        assert_eq!(events.len(), 3);
        assert_eq!(events[0].turn_id, started.turn_id);
        assert_eq!(bench.ledger.exit(exit(Some(kind))), []);
    }
}
