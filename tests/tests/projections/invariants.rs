//! What holds for the projections of any stream.

use std::collections::{BTreeMap, BTreeSet};

use agentwire::canonical::{EventPayload, ItemLifecycle, RuntimeEvent, TurnState};
use agentwire::projection::agent_event::{AgentEventType, AgentRuns, RunFrame};
use agentwire_upkeep::report::without_halves;
use serde_json::Value;

use super::events::transcript;

#[derive(Default)]
struct Item {
    deltas: usize,
    ended: bool,
    is_message: bool,
}

/// The rules that the transcript of a stream breaks, and how many events it has.
pub fn of_transcript(events: &[RuntimeEvent]) -> (usize, Vec<String>) {
    let told = transcript(events);
    let mut breaches = Vec::new();
    let mut items: BTreeMap<String, Item> = BTreeMap::new();
    let mut ids = BTreeSet::new();
    let mut asked: BTreeSet<String> = BTreeSet::new();
    let mut open = false;
    let mut ended = 0;
    for (index, event) in told.iter().enumerate() {
        let text = event.to_json().unwrap();
        // A message may hold half a surrogate pair, which the parser here refuses.
        let tree: Value = serde_json::from_str(&without_halves(&text)).unwrap();
        let mut breach = |what: &str| breaches.push(format!("{what}: {text:.400}"));
        if event.sequence != index as u64 + 1 {
            breach("a gap in the sequence");
        }
        if !ids.insert(event.event_id.clone()) {
            breach("an event id comes twice");
        }
        if event.synthetic != (event.source.as_str() == "daemon") {
            breach("synthetic and source differ");
        }
        let data = &tree["data"];
        let name = tree["type"].as_str().unwrap();
        match name {
            "session.started" => {
                if open {
                    breach("started twice");
                }
                open = true;
            }
            _ if !open => breach("before the start"),
            "session.ended" => {
                open = false;
                ended += 1;
            }
            "item.started" => {
                let item = &data["item"];
                let is_message = item["kind"] == "message";
                let known = items.insert(
                    item["item_id"].as_str().unwrap().to_owned(),
                    Item {
                        is_message,
                        ..Item::default()
                    },
                );
                if known.is_some() {
                    breach("an item is started twice");
                }
                if item["status"] != "in_progress" {
                    breach("a start that is over");
                }
                let parent = item["parent_id"].as_str();
                if parent.is_some_and(|parent| !items.contains_key(parent)) {
                    breach("a parent that is not there");
                }
            }
            "item.delta" => match items.get_mut(data["item_id"].as_str().unwrap()) {
                Some(item) => item.deltas += 1,
                None => breach("a delta of nothing"),
            },
            "item.completed" => match items.get_mut(data["item"]["item_id"].as_str().unwrap()) {
                None => breach("the end of nothing"),
                Some(item) => {
                    if item.ended {
                        breach("an item ends twice");
                    }
                    if item.is_message && item.deltas == 0 {
                        breach("a message without a delta");
                    }
                    if data["item"]["status"] == "in_progress" {
                        breach("an end that goes on");
                    }
                    item.ended = true;
                }
            },
            "permission.requested" | "question.requested" => {
                let id = data.get("permission_id").unwrap_or(&data["question_id"]);
                if !asked.insert(id.as_str().unwrap().to_owned()) {
                    breach("asked twice");
                }
            }
            "permission.resolved" | "question.resolved" => {
                let id = data.get("permission_id").unwrap_or(&data["question_id"]);
                if !asked.remove(id.as_str().unwrap()) {
                    breach("an answer to nothing");
                }
            }
            "error" => (),
            other => breach(&format!("a type that there is not, {other}")),
        }
    }
    if !told.is_empty() && (open || ended == 0) {
        breaches.push(String::from("the session does not end"));
    }
    if let Some((id, _)) = items.iter().find(|(_, item)| !item.ended) {
        breaches.push(format!("{id} does not end"));
    }
    (told.len(), breaches)
}

/// The runs of a stream.
pub fn runs(events: &[RuntimeEvent]) -> Vec<RunFrame> {
    let mut runs = AgentRuns::new();
    let mut frames: Vec<RunFrame> = Vec::new();
    for event in events {
        frames.extend(runs.push(event));
    }
    frames.extend(runs.finish());
    frames
}

/// The rules that the runs of a stream break, and how many runs there are.
pub fn of_runs(events: &[RuntimeEvent]) -> (usize, Vec<String>) {
    let mut by_run: BTreeMap<String, Vec<RunFrame>> = BTreeMap::new();
    for frame in runs(events) {
        by_run
            .entry(frame.run_id.as_str().to_owned())
            .or_default()
            .push(frame);
    }
    let mut breaches = Vec::new();
    for (run, frames) in &by_run {
        let mut breach = |what: &str| breaches.push(format!("{run}: {what}"));
        let first = &frames[0].event;
        if first.event_type != AgentEventType::Status
            || first.message.as_deref() != Some("Starting")
        {
            breach("it does not open");
        }
        let terminal: Vec<usize> = frames
            .iter()
            .enumerate()
            .filter(|(_, frame)| frame.event.is_terminal())
            .map(|(index, _)| index)
            .collect();
        if terminal != [frames.len() - 1] {
            breach("it does not end once, and last");
        }
        let completed = events.iter().any(|event| {
            event.turn_id.as_ref().is_none_or(|turn| turn.as_str() == run)
                && matches!(&event.payload, EventPayload::TurnCompleted(turn) if turn.state == TurnState::Completed)
        });
        let last = frames.last().unwrap().event.event_type;
        if (last == AgentEventType::Done) && !completed {
            breach("done, and its turn did not complete");
        }
        let mut thought = "";
        for frame in frames {
            let event = &frame.event;
            if event.event_type == AgentEventType::Thinking {
                let text = event.text.as_deref().unwrap();
                if !text.starts_with(thought) || text.len() <= thought.len() {
                    breach("the reasoning does not grow");
                }
                thought = text;
            }
            let message = event.message.as_deref().unwrap_or("-");
            if message.is_empty() || message.contains(['\n', '\r', '\u{1b}']) {
                breach("a message that is not one line");
            }
            let text = serde_json::to_string(frame).unwrap();
            let back: RunFrame = serde_json::from_str(&text).unwrap();
            if back != *frame {
                breach("it does not come back from its JSON");
            }
        }
        let said: String = frames
            .iter()
            .filter(|frame| frame.event.event_type == AgentEventType::Delta)
            .filter_map(|frame| frame.event.text.as_deref())
            .collect();
        if let Some(message) = unsaid(events, run, &said) {
            breach(&format!("it does not say `{message:.80}`"));
        }
    }
    (by_run.len(), breaches)
}

/// A message of the assistant in a turn that the deltas of its run do not hold.
fn unsaid(events: &[RuntimeEvent], run: &str, said: &str) -> Option<String> {
    let mut over = false;
    for event in events {
        if event
            .turn_id
            .as_ref()
            .is_none_or(|turn| turn.as_str() != run)
        {
            continue;
        }
        if let EventPayload::TurnCompleted(_) | EventPayload::TurnAborted(_) = &event.payload {
            over = true;
        }
        if let EventPayload::ItemCompleted(item) = &event.payload
            && !over
            && item.0.item_type.as_str() == "assistant_message"
            && !is_of_helper(&item.0)
            && let Some(text) = &item.0.detail
            && !said.contains(text)
            && !is_replaced(events, event, text)
        {
            return Some(text.clone());
        }
    }
    None
}

/// Whether an agent said it that a call of the run started: that is none of the answer.
fn is_of_helper(item: &ItemLifecycle) -> bool {
    let Some(data) = &item.data else { return false };
    let Ok(tree) = serde_json::from_str::<serde_json::Value>(data.as_str()) else {
        return false;
    };
    ["parentToolUseId", "parent_tool_use_id"]
        .iter()
        .any(|name| tree[name].is_string())
}

/// Whether a message was streamed as another text than the one it ends with: a delta can't be taken
/// back.
fn is_replaced(events: &[RuntimeEvent], end: &RuntimeEvent, whole: &str) -> bool {
    let of_item = events.iter().filter(|it| it.item_id == end.item_id);
    let streamed: String = of_item
        .filter_map(|event| {
            if let EventPayload::ContentDelta(delta) = &event.payload {
                Some(delta.delta.as_str())
            } else {
                None
            }
        })
        .collect();
    !whole.starts_with(&streamed)
}
