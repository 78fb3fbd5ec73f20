//! One test for each promise of the ledger.

#![allow(clippy::unwrap_used)]

mod exit;
mod items;

use super::items::stub;
use super::*;
use crate::canonical::{
    ContentDelta, ContentStreamKind, EventType, RawSource, RequestOpened, RequestResolved,
    RequestType, RuntimeWarning, ThreadState, ThreadStateChanged, TurnCompleted, TurnStarted,
    TurnState, UserInputRequested, UserInputResolved,
};
use crate::canonical::{ItemCompleted, ItemLifecycle, ItemStarted, ItemStatus, ItemUpdated};
use crate::json::OwnedJson;
use crate::kit::sources::{SequentialIds, WireClock};

use EventType::{ItemCompleted as Completed, ItemStarted as Started, ItemUpdated as Updated};

struct Bench {
    ledger: Ledger<SequentialIds, WireClock>,
    raw: RuntimeEventRaw,
}

impl Bench {
    fn new() -> Self {
        let ledger = Ledger::new(ProviderKind::Codex, SequentialIds::new(), WireClock::new());
        Self { ledger, raw: raw() }
    }

    fn remembering(limit: usize) -> Self {
        let Self { ledger, raw } = Self::new();
        Self {
            ledger: ledger.remembering(limit, 1 << 30),
            raw,
        }
    }

    fn admit(
        &mut self,
        refs: Refs,
        payload: impl Into<EventPayload>,
    ) -> (Admission, Vec<RuntimeEvent>) {
        let (admission, told) = self.told(refs, payload);
        (admission, told.events)
    }

    fn told(&mut self, refs: Refs, payload: impl Into<EventPayload>) -> (Admission, Told) {
        let mut told = Told::default();
        let draft = Draft {
            refs,
            payload: payload.into(),
        };
        let admission = self.ledger.admit(draft, &self.raw, Some(7), &mut told);
        (admission, told)
    }

    fn types(&mut self, refs: Refs, payload: impl Into<EventPayload>) -> Vec<EventType> {
        self.admit(refs, payload)
            .1
            .iter()
            .map(RuntimeEvent::event_type)
            .collect()
    }

    fn one(&mut self, refs: Refs, payload: impl Into<EventPayload>) -> RuntimeEvent {
        let (_, mut out) = self.admit(refs, payload);
        assert_eq!(out.len(), 1);
        out.remove(0)
    }
}

fn raw() -> RuntimeEventRaw {
    RuntimeEventRaw {
        source: RawSource::CodexAppServerNotification,
        method: Some("some/method".into()),
        message_type: None,
        payload: OwnedJson::from_value(&serde_json::json!({ "line": 1 })),
    }
}

fn refs(thread: &str, turn: &str, item: &str) -> Refs {
    Refs {
        thread: Some(thread.into()),
        turn: Some(turn.into()),
        item: Some(item.into()),
        minted: true,
        ..Refs::default()
    }
}

fn request(id: &str) -> Refs {
    Refs {
        request: Some(id.into()),
        minted: true,
        ..Refs::default()
    }
}

fn life(item_type: ItemType) -> ItemLifecycle {
    ItemLifecycle::new(item_type)
}

fn delta(kind: ContentStreamKind) -> ContentDelta {
    ContentDelta::new(kind, "text")
}

#[test]
fn ids_are_minted_on_first_mention_and_kept() {
    let mut bench = Bench::new();
    let mut mention = |refs| {
        let event = bench.one(refs, RuntimeWarning::new("w"));
        [
            event.thread_id.unwrap().to_string(),
            event.turn_id.unwrap().to_string(),
            event.item_id.unwrap().to_string(),
        ]
    };
    assert_eq!(
        mention(refs("A", "t", "i")),
        ["thread-1", "turn-1", "item-1"]
    );
    assert_eq!(
        mention(refs("A", "t", "i")),
        ["thread-1", "turn-1", "item-1"]
    );
    assert_eq!(
        mention(refs("A", "u", "i")),
        ["thread-1", "turn-2", "item-1"]
    );
    assert_eq!(
        mention(refs("B", "t", "i")),
        ["thread-2", "turn-3", "item-2"]
    );
}

#[test]
fn provider_ids_stay_in_the_refs_and_unknown_ones_are_left_out() {
    let mut bench = Bench::new();
    let refs = Refs {
        session: Some("S".into()),
        request: Some(" 7 ".into()),
        item: Some(" ".into()),
        minted: true,
        ..Refs::default()
    };
    let event = bench.one(refs, RuntimeWarning::new("w"));
    assert_eq!(event.session_id.as_str(), "session-1");
    assert_eq!(event.session_id, *bench.ledger.session_id());
    assert_eq!(
        (event.thread_id, event.turn_id, event.item_id),
        (None, None, None)
    );
    assert_eq!(event.request_id.unwrap().as_str(), "request-1");
    let provider = event.provider_refs.unwrap();
    assert_eq!(provider.provider_session_id.unwrap().as_str(), "S");
    assert_eq!(provider.provider_request_id.unwrap().as_str(), "7");
    assert_eq!(
        (provider.provider_thread_id, provider.provider_item_id),
        (None, None)
    );
    assert_eq!((event.created_at.millis(), event.raw), (7, Some(raw())));
    assert_eq!(
        bench
            .one(Refs::default(), RuntimeWarning::new("w"))
            .provider_refs,
        None
    );
}

#[test]
fn without_minting_ids_are_only_looked_up() {
    let mut bench = Bench::new();
    bench.one(refs("A", "t", "i"), RuntimeWarning::new("w"));
    let event = bench.one(
        Refs {
            minted: false,
            ..refs("A", "u", "i")
        },
        RuntimeWarning::new("w"),
    );
    assert_eq!(event.thread_id.unwrap().as_str(), "thread-1");
    assert_eq!(
        (event.turn_id, event.item_id.unwrap().as_str()),
        (None, "item-1")
    );
    assert_eq!(
        event
            .provider_refs
            .unwrap()
            .provider_turn_id
            .unwrap()
            .as_str(),
        "u"
    );
    let unseen = Refs {
        minted: false,
        ..refs("A", "t", "j")
    };
    assert_eq!(
        bench.types(unseen.clone(), ItemCompleted(life(ItemType::Plan))),
        [Completed]
    );
    assert_eq!(
        bench.types(unseen, TurnStarted::default()),
        [EventType::TurnStarted]
    );
    assert_eq!(bench.ledger.item_type_of(Some("A"), "j"), None);
}

#[test]
fn turns_start_once_and_end_once_and_no_end_is_without_a_start() {
    let mut bench = Bench::new();
    let turn = |name: &str| Refs {
        item: None,
        ..refs("A", name, "")
    };
    let end = || TurnCompleted::new(TurnState::Completed);
    assert_eq!(
        bench.types(turn("t"), TurnStarted::default()),
        [EventType::TurnStarted]
    );
    assert_eq!(
        bench.admit(turn("t"), TurnStarted::default()),
        (Admission::Refused(Rule::Twice), vec![])
    );
    assert_eq!(bench.types(turn("t"), end()), [EventType::TurnCompleted]);
    let (admission, told) = bench.told(turn("t"), end());
    assert_eq!(admission, Admission::Refused(Rule::AfterTheEnd));
    assert_eq!(told.events, []);
    let refused = told.refused[0].to_string();
    assert_eq!(
        refused,
        "no `turn.completed`: what it is about ended before"
    );
    assert_eq!(
        bench.admit(turn("t"), TurnStarted::default()).0,
        Admission::Refused(Rule::AfterTheEnd)
    );
    let (_, told) = bench.told(turn("never started"), end());
    let types: Vec<EventType> = told.events.iter().map(RuntimeEvent::event_type).collect();
    assert_eq!(types, [EventType::TurnStarted, EventType::TurnCompleted]);
    let start = &told.events[0];
    assert_eq!(start.turn_id, told.events[1].turn_id);
    assert_eq!(start.turn_id.as_ref().unwrap().as_str(), "turn-2");
    let made = Made {
        event: start.event_id.clone(),
        rule: Rule::Stub,
    };
    assert_eq!(told.made, [made]);
    let no_turn = || Refs {
        turn: None,
        ..turn("")
    };
    assert_eq!(
        bench.types(no_turn(), TurnStarted::default()),
        [EventType::TurnStarted]
    );
    assert_eq!(
        bench.types(no_turn(), TurnStarted::default()),
        [EventType::TurnStarted]
    );
    // Items may begin before their turn does.
    bench.admit(
        refs("A", "u", "i"),
        ItemStarted(life(ItemType::UserMessage)),
    );
    assert_eq!(
        bench.types(turn("u"), TurnStarted::default()),
        [EventType::TurnStarted]
    );
}

#[test]
fn an_answered_request_may_lend_its_id_to_the_next() {
    let mut bench = Bench::new();
    let opened = || RequestOpened {
        request_type: RequestType::ToolUserInput,
        detail: None,
        args: None,
    };
    let resolved = || RequestResolved {
        request_type: RequestType::ToolUserInput,
        decision: None,
        resolution: None,
    };
    let asked = UserInputRequested {
        questions: raw().payload,
    };
    let never = bench.admit(request("0"), resolved()).0;
    assert_eq!(never, Admission::Refused(Rule::NeverOpened));
    let mut id = |payload: EventPayload| bench.one(request("0"), payload).request_id.unwrap();
    let first = id(asked.clone().into());
    assert_eq!(id(opened().into()), first);
    assert_eq!(id(resolved().into()), first);
    let answers = raw().payload;
    assert_eq!(id(UserInputResolved { answers }.into()), first);
    assert_ne!(id(opened().into()), first);
    id(resolved().into());
    let twice = bench.admit(request("0"), resolved()).0;
    assert_eq!(twice, Admission::Refused(Rule::AfterTheEnd));
}

#[test]
fn memory_is_bounded_and_completed_items_are_forgotten_first() {
    let mut bench = Bench::remembering(100);
    bench.admit(
        refs("A", "t", "open"),
        ItemStarted(life(ItemType::CommandExecution)),
    );
    for number in 0..1_000 {
        let name = number.to_string();
        bench.admit(refs("A", &name, &name), ItemCompleted(life(ItemType::Plan)));
        bench.admit(request(&name), RuntimeWarning::new("w"));
        bench.admit(
            Refs {
                turn: None,
                item: None,
                ..refs(&name, "", "")
            },
            RuntimeWarning::new("w"),
        );
    }
    let Ledger {
        threads,
        turns,
        items,
        requests,
        ..
    } = &bench.ledger;
    assert_eq!(
        [threads.len(), turns.len(), items.len(), requests.len()],
        [100; 4]
    );
    assert_eq!(
        bench.ledger.item_type_of(Some("A"), "open"),
        Some(ItemType::CommandExecution)
    );
    assert_eq!(bench.ledger.item_type_of(Some("A"), "900"), None);
    assert_eq!(
        bench.ledger.item_type_of(Some("A"), "901"),
        Some(ItemType::Plan)
    );
}
