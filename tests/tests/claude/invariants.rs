//! What holds for the events of any session of Claude, whatever the program and the host wrote.

use std::collections::{BTreeMap, BTreeSet};

use agentwire::canonical::{
    EventPayload, ItemLifecycle, ItemStatus, ItemType, RuntimeEvent, TurnState,
};
use agentwire::session::Outcome;
use agentwire_upkeep::report::without_halves;
use serde_json::Value;

use crate::support::lifecycle;

/// The rules that a session's outcomes break.
pub fn breaches(outcomes: &[Outcome]) -> Vec<String> {
    let events: Vec<RuntimeEvent> = outcomes
        .iter()
        .flat_map(|outcome| outcome.events.iter().cloned())
        .collect();
    let mut breaches = lifecycle::breaches(&events);
    // The wire names no turns and no threads, so that there are no ids of the provider for them.
    breaches.retain(|breach| !breach.ends_with("stands for no id of the provider"));
    for event in &events {
        let mut breach = |what: &str| breaches.push(format!("{}: {what}", event.event_id));
        if let Some(what) = does_not_come_back(event) {
            breach(&what);
        }
        if claims_success(event) && !proves_success(event) {
            breach("a turn is told as a success that its result is no proof of");
        }
        if let EventPayload::ItemCompleted(done) = &event.payload
            && !proven(event, &done.0)
        {
            breach("a call is told as done that no result is a proof of");
        }
    }
    breaches
}

/// The texts that stream into an item that ended, which no stream does that keeps its order.
pub fn late(outcomes: &[Outcome]) -> Vec<String> {
    let mut ended = BTreeSet::new();
    let mut late = Vec::new();
    for event in outcomes.iter().flat_map(|outcome| &outcome.events) {
        let Some(item) = event.item_id.as_ref().map(|id| id.as_str()) else {
            continue;
        };
        if let EventPayload::ItemCompleted(_) = &event.payload {
            ended.insert(item);
        } else if let EventPayload::ContentDelta(_) = &event.payload
            && ended.contains(item)
        {
            late.push(format!(
                "{}: text streams into an item that ended",
                event.event_id
            ));
        }
    }
    late
}

/// The items that were started and never ended, as far as turns say that they should have: those
/// of turns that ended. Agents in the background go on after their turn, and so does what they do.
pub fn left_open(outcomes: &[Outcome]) -> Vec<String> {
    let mut open: BTreeMap<String, (Option<String>, String)> = BTreeMap::new();
    let mut turns = Vec::new();
    for event in outcomes.iter().flat_map(|outcome| &outcome.events) {
        let turn = event.turn_id.as_ref().map(|id| id.as_str().to_owned());
        let item = event.item_id.as_ref().map(|id| id.as_str().to_owned());
        match (&event.payload, item) {
            (EventPayload::ItemStarted(started), Some(item)) => {
                let what = format!("{:?} {item}", started.0.item_type);
                open.insert(item, (turn, what));
            }
            (EventPayload::ItemCompleted(_), Some(item)) => {
                open.remove(&item);
            }
            (EventPayload::TurnCompleted(_), _) => turns.extend(turn),
            _ => {}
        }
    }
    let of_ended = open
        .into_values()
        .filter(|(turn, _)| turn.as_ref().is_some_and(|turn| turns.contains(turn)));
    of_ended.map(|(_, what)| what).collect()
}

/// How many turns were begun, and how many of them ended.
pub fn turns(outcomes: &[Outcome]) -> (usize, usize) {
    let events = || outcomes.iter().flat_map(|outcome| &outcome.events);
    let begun = events().filter(|event| matches!(event.payload, EventPayload::TurnStarted(_)));
    let ended = events().filter(|event| matches!(event.payload, EventPayload::TurnCompleted(_)));
    (begun.count(), ended.count())
}

fn does_not_come_back(event: &RuntimeEvent) -> Option<String> {
    let json = match event.to_json() {
        Ok(json) => json,
        Err(error) => return Some(format!("cannot be written: {error}")),
    };
    match serde_json::from_str::<RuntimeEvent>(&json) {
        Ok(again) if again == *event => None,
        Ok(again) => Some(format!("{event:?} came back as {again:?}")),
        Err(error) => Some(format!("{error}: {json}")),
    }
}

fn claims_success(event: &RuntimeEvent) -> bool {
    matches!(&event.payload, EventPayload::TurnCompleted(turn) if turn.state == TurnState::Completed)
}

/// The message that an event comes from. Half a surrogate pair is no text for other readers.
fn message(event: &RuntimeEvent) -> Value {
    let raw = event.raw.as_ref().unwrap().payload.as_str();
    serde_json::from_str(&without_halves(raw)).unwrap_or_else(|error| panic!("{error}: {raw}"))
}

fn proves_success(event: &RuntimeEvent) -> bool {
    let result = message(event);
    result["type"] == "result" && result["subtype"] == "success" && result["is_error"] == false
}

const CALLS: &[ItemType] = &[
    ItemType::CommandExecution,
    ItemType::FileChange,
    ItemType::McpToolCall,
    ItemType::CollabAgentToolCall,
    ItemType::WebSearch,
    ItemType::Plan,
];

/// Whether the end of an item has the proof that it claims: that of a call is its result, which
/// is no failure.
fn proven(event: &RuntimeEvent, item: &ItemLifecycle) -> bool {
    if item.status != Some(ItemStatus::Completed) || !CALLS.contains(&item.item_type) {
        return true;
    }
    let refs = event.provider_refs.clone().unwrap_or_default();
    let call = refs.provider_item_id.unwrap();
    let message = message(event);
    let blocks = [
        message["message"]["content"].as_array().cloned(),
        message["event"]
            .get("content_block")
            .map(|block| vec![block.clone()]),
    ];
    let mut blocks = blocks.into_iter().flatten().flatten();
    blocks.any(|block| block["tool_use_id"] == call.as_str() && block["is_error"] != true)
}
