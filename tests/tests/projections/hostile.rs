//! Streams that no ledger would let pass: projections keep their promises, their memory and their
//! nerve.

use agentwire::canonical::{
    ContentDelta, ContentStreamKind, EventPayload, EventType, ItemCompleted, ItemLifecycle,
    ItemStarted, ItemStatus, ItemType, ItemUpdated, RuntimeEvent,
};
use agentwire::projection::agent_event::{AgentEvents, AgentRuns};
use agentwire::projection::universal::Universal;

use super::invariants;
use crate::canonical_conformance::instances;

/// Numbers that only look like chance, the same in each run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 16).unwrap() % limit
    }

    fn of<T: Clone>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())].clone()
    }
}

fn item(dice: &mut Dice) -> ItemLifecycle {
    let mut item = ItemLifecycle::new(dice.of(ItemType::ALL));
    item.status = (dice.below(4) > 0).then(|| dice.of(ItemStatus::ALL));
    item.title = (dice.below(2) > 0).then(|| String::from("ExitPlanMode"));
    item.detail = (dice.below(2) > 0).then(|| String::from("a lamp"));
    item.data = (dice.below(2) > 0).then(instances::opaque);
    item
}

/// Any event but those that ask and answer, whose order the ledger keeps.
fn any(dice: &mut Dice, others: &[EventPayload]) -> EventPayload {
    match dice.below(8) {
        0 => ItemStarted(item(dice)).into(),
        1 => ItemUpdated(item(dice)).into(),
        2 => ItemCompleted(item(dice)).into(),
        3 | 4 => ContentDelta::new(dice.of(ContentStreamKind::ALL), "x").into(),
        _ => dice.of(others),
    }
}

#[test]
fn any_order_of_events_keeps_the_promises() {
    let [full, _] = instances::events();
    let asks = [
        EventType::RequestOpened,
        EventType::RequestResolved,
        EventType::UserInputRequested,
        EventType::UserInputResolved,
    ];
    let others: Vec<EventPayload> = instances::payloads()
        .into_iter()
        .flat_map(|it| [it.full, it.small])
        .filter(|payload| !asks.contains(&payload.event_type()))
        .collect();
    let (mut told, mut runs) = (0, 0);
    for seed in 1..=300_u64 {
        let mut dice = Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let events: Vec<RuntimeEvent> = (0..120)
            .map(|number| RuntimeEvent {
                event_id: format!("event-{number}").into(),
                thread_id: (dice.below(5) > 0).then(|| format!("t{}", dice.below(2)).into()),
                turn_id: (dice.below(4) > 0).then(|| format!("u{}", dice.below(3)).into()),
                item_id: (dice.below(4) > 0).then(|| format!("i{}", dice.below(12)).into()),
                request_id: None,
                provider_refs: None,
                payload: any(&mut dice, &others),
                ..full.clone()
            })
            .collect();
        let (count, breaches) = invariants::of_transcript(&events);
        assert_eq!(breaches, [] as [String; 0], "seed {seed}");
        told += count;
        let (count, breaches) = invariants::of_runs(&events);
        // What a message says may come in any order here, so only its text is not looked for.
        let breaches: Vec<String> = breaches
            .into_iter()
            .filter(|breach| !breach.contains("does not say"))
            .collect();
        assert_eq!(breaches, [] as [String; 0], "seed {seed}");
        runs += count;
    }
    println!("{told} events, {runs} runs");
    assert!(told > 20_000 && runs > 500, "{told} events, {runs} runs");
}

/// An agent that ends nothing does not fill the memory: the time that each event takes stays the
/// same, and what was forgotten is started again.
#[test]
fn an_agent_that_ends_nothing_is_borne() {
    let [full, _] = instances::events();
    let mut universal = Universal::new().without_raw();
    let mut runs = AgentRuns::new();
    let mut events = 0;
    let mut started = ItemLifecycle::new(ItemType::AssistantMessage);
    started.data = Some(instances::opaque());
    for number in 0..24_000_u32 {
        let payload = match number % 2 {
            0 => ItemStarted(started.clone()).into(),
            _ => ContentDelta::new(ContentStreamKind::AssistantText, "y".repeat(2_000)).into(),
        };
        let event = RuntimeEvent {
            event_id: format!("event-{number}").into(),
            turn_id: Some(format!("turn-{}", number / 8).into()),
            item_id: Some(format!("item-{}", number / 2).into()),
            provider_refs: None,
            payload,
            ..full.clone()
        };
        events += universal.push(&event).len() + runs.push(&event).len();
    }
    assert!(events > 36_000, "{events}");
    // 4096 items are open at most, and each ends; none is ended before.
    let ended = universal.finish();
    assert_eq!(ended.len(), 4_096 + 1);
    let size: usize = ended
        .iter()
        .map(|event| event.to_json().unwrap().len())
        .sum();
    assert!(size < 18 * 1024 * 1024, "{size} bytes of text were kept");
    assert!(runs.finish().len() <= 256);
}

#[test]
fn a_reasoning_stops_growing_and_never_shrinks() {
    let [full, _] = instances::events();
    let mut run = AgentEvents::new();
    let mut longest = 0;
    for number in 0..40 {
        let event = RuntimeEvent {
            event_id: format!("event-{number}").into(),
            turn_id: Some("turn".into()),
            payload: ContentDelta::new(ContentStreamKind::ReasoningText, "z".repeat(64 * 1024))
                .into(),
            ..full.clone()
        };
        for told in run.push(&event) {
            let length = told.text.map_or(0, |text| text.len());
            assert!(length == 0 || length > longest);
            longest = longest.max(length);
        }
    }
    assert_eq!(longest, 1024 * 1024);
}
