//! What holds for the events of any session, whatever the agent sent.

use std::collections::{BTreeMap, BTreeSet};

use agentwire::canonical::{EventType, RuntimeEvent};

/// What became of an item so far.
#[derive(Default)]
struct Item {
    started: usize,
    completed: usize,
}

/// Which requests were opened and resolved so far.
#[derive(Default)]
struct Requests {
    opened: BTreeSet<String>,
    resolved: BTreeSet<String>,
}

impl Requests {
    fn breach(&mut self, event: &RuntimeEvent) -> Option<&'static str> {
        let id = event.request_id.as_ref()?.as_str().to_owned();
        if event.event_type() == EventType::RequestOpened {
            return (!self.opened.insert(id)).then_some("a request is opened twice");
        }
        if event.event_type() != EventType::RequestResolved {
            return None;
        }
        if !self.opened.contains(&id) {
            return Some("a request is resolved that was not opened");
        }
        (!self.resolved.insert(id)).then_some("a request is resolved twice")
    }
}

/// The rules that a session's events break, on a wire that names threads, turns and items.
pub fn breaches(events: &[RuntimeEvent]) -> Vec<String> {
    let unnamed = events.iter().filter(|event| unnamed(event)).map(|event| {
        let id = &event.event_id;
        format!("{id}: a canonical id stands for no id of the provider")
    });
    let mut breaches = breaches_of_any(events);
    breaches.extend(unnamed);
    breaches
}

/// The rules that a session's events break, on a wire that may leave things without a name.
pub fn breaches_of_any(events: &[RuntimeEvent]) -> Vec<String> {
    let mut breaches = Vec::new();
    let mut items: BTreeMap<String, Item> = BTreeMap::new();
    let mut turns: BTreeSet<String> = BTreeSet::new();
    let mut ended: BTreeSet<String> = BTreeSet::new();
    let mut requests = Requests::default();
    let mut ids: BTreeSet<&str> = BTreeSet::new();
    for event in events {
        let mut breach = |what: &str| breaches.push(format!("{}: {what}", event.event_id));
        if !ids.insert(event.event_id.as_str()) {
            breach("an event id comes twice");
        }
        if event.session_id != events[0].session_id {
            breach("another session");
        }
        if event.event_type() == EventType::TurnStarted
            && let Some(turn) = &event.turn_id
            && !turns.insert(turn.as_str().to_owned())
        {
            breach("a turn is started twice");
        }
        if ENDS_OF_TURNS.contains(&event.event_type())
            && let Some(turn) = &event.turn_id
            && !ended.insert(turn.as_str().to_owned())
        {
            breach("a turn ends twice");
        }
        if let Some(what) = requests.breach(event) {
            breach(what);
        }
        if let Some(what) = misplaced_id(event) {
            breach(what);
        }
        let Some(id) = &event.item_id else { continue };
        let item = items.entry(id.as_str().to_owned()).or_default();
        if event.event_type() == EventType::ItemStarted {
            item.started += 1;
            if item.started > 1 {
                breach("an item is started twice");
            }
        } else if ABOUT_ITEMS.contains(&event.event_type()) && item.started == 0 {
            breach("something is said about an item that was not started");
        }
        if event.event_type() == EventType::ItemCompleted {
            item.completed += 1;
            if item.completed > 1 {
                breach("an item is completed twice");
            }
        }
    }
    breaches
}

/// The events that need a started item.
const ABOUT_ITEMS: &[EventType] = &[
    EventType::ItemUpdated,
    EventType::ItemCompleted,
    EventType::ContentDelta,
];

const ENDS_OF_TURNS: &[EventType] = &[EventType::TurnCompleted, EventType::TurnAborted];

/// An id of the provider that stands as a canonical one.
fn misplaced_id(event: &RuntimeEvent) -> Option<&'static str> {
    let is_misplaced = id_pairs(event)
        .iter()
        .any(|(canonical, provider)| canonical.is_some() && canonical == provider);
    is_misplaced.then_some("an id of the provider stands as a canonical one")
}

/// Whether a canonical id is without the provider's own.
fn unnamed(event: &RuntimeEvent) -> bool {
    id_pairs(event)
        .iter()
        .any(|(canonical, provider)| canonical.is_some() && provider.is_none())
}

/// The canonical ids of an event, each beside the provider's own.
fn id_pairs(event: &RuntimeEvent) -> [(Option<String>, Option<String>); 4] {
    fn text(id: Option<&impl AsRef<str>>) -> Option<String> {
        id.map(|id| id.as_ref().to_owned())
    }
    let refs = event.provider_refs.clone().unwrap_or_default();
    [
        (
            text(event.thread_id.as_ref()),
            text(refs.provider_thread_id.as_ref()),
        ),
        (
            text(event.turn_id.as_ref()),
            text(refs.provider_turn_id.as_ref()),
        ),
        (
            text(event.item_id.as_ref()),
            text(refs.provider_item_id.as_ref()),
        ),
        (
            text(event.request_id.as_ref()),
            text(refs.provider_request_id.as_ref()),
        ),
    ]
}
