//! Connections that went wrong on their way: lines that are lost, doubled, out of order or cut,
//! and values that nobody knows. Nothing panics, no message is lost, and the events hang together.

use agentwire::canonical::RuntimeEvent;
use agentwire::envelope::envelopes;
use agentwire::session::{Direction, Outcome, Verdict};
use serde_json::{Map, Value, json};

use crate::acp::session;
use crate::support::acp::{agent, committed, host, lines};
use crate::support::lifecycle;
use crate::support::recorded::Line;
use crate::support::replay::tree;

/// Reads a connection, and checks what holds for any.
fn read(lines: &[Line]) -> Vec<Outcome> {
    let mut session = session();
    let mut all = Vec::new();
    for line in lines {
        session.push(line.direction, line.text.as_bytes());
        session.push(line.direction, b"\n");
        let outcomes: Vec<Outcome> = session.outcomes().collect();
        // A list without a message is told, too.
        let messages = envelopes(&line.text).map_or(1, |messages| messages.len().max(1));
        assert_eq!(outcomes.len(), messages, "{}", line.text);
        for outcome in &outcomes {
            let told = outcome.verdict != Verdict::Mapped || !outcome.events.is_empty();
            assert!(told, "silence: {}: {outcome:#?}", line.text);
        }
        all.extend(outcomes);
    }
    let events: Vec<RuntimeEvent> = all.iter().flat_map(|it| it.events.clone()).collect();
    let breaches = lifecycle::breaches(&events);
    assert!(
        breaches.is_empty(),
        "{breaches:#?} in\n{}",
        lines
            .iter()
            .map(|line| format!("{:?} {}", line.direction, line.text))
            .collect::<Vec<_>>()
            .join("\n")
    );
    all
}

/// Each connection in the repository, and how many variants of it are read.
fn each(mut vary: impl FnMut(&[Line]) -> usize) -> usize {
    committed().iter().map(|path| vary(&lines(path))).sum()
}

#[test]
fn lines_may_be_lost() {
    let read = each(|lines| {
        for lost in 0..lines.len() {
            let kept = [&lines[..lost], &lines[lost + 1..]].concat();
            read(&kept);
        }
        lines.len()
    });
    assert!(read > 900, "only {read}");
}

#[test]
fn lines_may_come_twice() {
    let read = each(|lines| {
        let mut count = 0;
        for twice in 0..lines.len() {
            if !asks(&lines[twice]) {
                read(&[&lines[..=twice], &lines[twice..]].concat());
                count += 1;
            }
        }
        count
    });
    assert!(read > 800, "only {read}");
}

/// Whether the agent asks something.
fn asks(line: &Line) -> bool {
    let tree: Value = serde_json::from_str(&line.text).unwrap_or_default();
    line.direction == Direction::FromAgent && tree["method"].is_string() && tree.get("id").is_some()
        || tree.is_array()
}

/// Two open requests of one id are one to the host, which answers once; but neither is hidden.
#[test]
fn a_request_that_comes_twice_is_told_once() {
    let asked = agent(
        r#"{"id":7,"method":"session/request_permission","params":{"sessionId":"s","toolCall":{"toolCallId":"c"},"options":[]}}"#,
    );
    let answer = host(r#"{"id":7,"result":{"outcome":{"outcome":"cancelled"}}}"#);
    let mut session = session();
    for line in [&asked, &asked, &answer, &answer] {
        session.push(line.direction, line.text.as_bytes());
        session.push(line.direction, b"\n");
    }
    let events: Vec<Value> = session
        .outcomes()
        .flat_map(|it| it.events)
        .map(|event| tree(&event))
        .collect();
    let told: Vec<(&str, &str)> = events
        .iter()
        .skip(1)
        .map(|event| {
            let id = event["requestId"].as_str().unwrap();
            (event["type"].as_str().unwrap(), id)
        })
        .collect();
    assert_eq!(
        told,
        [
            ("request.opened", "request-1"),
            ("request.resolved", "request-1")
        ]
    );
}

#[test]
fn lines_may_change_places() {
    let read = each(|lines| {
        for late in 1..lines.len() {
            let mut swapped = lines.to_vec();
            swapped.swap(late - 1, late);
            read(&swapped);
        }
        lines.len()
    });
    assert!(read > 900, "only {read}");
}

#[test]
fn one_direction_may_be_missing() {
    let read = each(|lines| {
        for direction in [Direction::FromAgent, Direction::ToAgent] {
            let one: Vec<Line> = lines
                .iter()
                .filter(|line| line.direction == direction)
                .cloned()
                .collect();
            read(&one);
        }
        2
    });
    assert!(read > 60, "only {read}");
}

#[test]
fn the_version_may_be_another_than_agreed() {
    let read = each(|lines| {
        let mut flipped = lines.to_vec();
        for line in &mut flipped {
            let result = r#""result":{"protocolVersion":"#;
            let (one, two) = (format!("{result}1"), format!("{result}2"));
            line.text = match line.text.contains(&one) {
                true => line.text.replace(&one, &two),
                false => line.text.replace(&two, &one),
            };
        }
        let changed = flipped.iter().zip(lines).any(|(one, two)| one != two);
        read(&flipped);
        usize::from(changed)
    });
    assert!(read > 30, "only {read}");
}

#[test]
fn lines_may_be_cut() {
    let read = each(|lines| {
        let mut count = 0;
        for (cut, line) in lines.iter().enumerate() {
            for part in [3, 2] {
                let end = (0..=line.text.len() / part * (part - 1))
                    .rev()
                    .find(|end| line.text.is_char_boundary(*end))
                    .unwrap_or(0);
                let mut broken = lines.to_vec();
                broken[cut].text.truncate(end);
                if broken[cut].text.trim().is_empty() {
                    continue;
                }
                read(&broken);
                count += 1;
            }
        }
        count
    });
    assert!(read > 1_800, "only {read}");
}

/// The variants of a tree with one of its values replaced, each with the path to it.
fn replaced(tree: &Value, with: &Value) -> Vec<(String, Value)> {
    let inside = |name: &str, value: &Value, put: &dyn Fn(Value) -> Value| {
        let mut found: Vec<(String, Value)> = replaced(value, with)
            .into_iter()
            .map(|(path, value)| (format!("{name}.{path}"), put(value)))
            .collect();
        found.push((name.to_owned(), put(with.clone())));
        found
    };
    match tree {
        Value::Object(members) => members
            .iter()
            .flat_map(|(name, value)| {
                inside(name, value, &|value| {
                    let mut members: Map<String, Value> = members.clone();
                    members.insert(name.clone(), value);
                    Value::Object(members)
                })
            })
            .collect(),
        Value::Array(elements) => elements
            .iter()
            .enumerate()
            .flat_map(|(index, value)| {
                inside("[]", value, &|value| {
                    let mut elements = elements.clone();
                    elements[index] = value;
                    Value::Array(elements)
                })
            })
            .collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => Vec::new(),
    }
}

/// Where a message says how something went.
const FATES: &[&str] = &[
    "params.update.status",
    "params.update.stopReason",
    "params.update.state",
    "result.stopReason",
];

#[test]
fn values_may_be_unknown_or_of_another_kind() {
    let others = [json!("aurora"), json!(7), json!(null), json!([]), json!({})];
    let mut turn = 0;
    let read = each(|lines| {
        let (mut count, mut before) = (0, 0);
        for (at, line) in lines.iter().enumerate() {
            // A list without a message is told, too.
            let messages = envelopes(&line.text).map_or(1, |messages| messages.len().max(1));
            before += messages;
            let Ok(sent) = serde_json::from_str::<Value>(&line.text) else {
                continue;
            };
            let other = &others[turn % others.len()];
            for (place, changed) in replaced(&sent, other) {
                turn += 1;
                // One in some; an id that another request has is a matter of its own.
                if turn % 4 != 0 || place == "id" {
                    continue;
                }
                let mut lines = lines[..lines.len().min(at + 4)].to_vec();
                lines[at].text = changed.to_string();
                let outcomes = read(&lines);
                // A missing reason is another thing than one that cannot be read.
                let unread = FATES.contains(&place.as_str())
                    && line.direction == Direction::FromAgent
                    && !changed.to_string().contains("null");
                if unread && let Some(outcome) = outcomes.get(before - messages) {
                    never_well(outcome, &lines[at].text);
                }
                count += 1;
            }
        }
        count
    });
    assert!(read > 3_000, "only {read}");
}

/// What nobody can read is no success.
fn never_well(outcome: &Outcome, text: &str) {
    for event in outcome.events.iter().map(tree) {
        let of_call = event["providerRefs"]["providerItemId"].as_str();
        let told = of_call.is_none_or(|id| text.contains(&format!("\"{id}\"")));
        let state = &event["payload"]["state"];
        let status = &event["payload"]["status"];
        let is_text = event["payload"]["itemType"] == "assistant_message"
            || event["payload"]["itemType"] == "reasoning"
            || event["payload"]["itemType"] == "user_message";
        assert!(
            is_text || !told || (status != "completed" && state != "completed"),
            "{text} became {event}"
        );
    }
}

#[test]
fn a_long_connection_costs_time_by_its_length() {
    let update = |update: Value| {
        let params = json!({"sessionId": "s", "update": update});
        agent(json!({"method": "session/update", "params": params}).to_string())
    };
    let prompt =
        json!({"id": 1, "method": "session/prompt", "params": {"sessionId": "s", "prompt": []}});
    let mut lines = vec![host(prompt.to_string())];
    for index in 0..20_000 {
        let id = format!("c-{index}");
        lines.push(update(
            json!({"sessionUpdate": "tool_call", "toolCallId": id, "title": "t", "status": "pending"}),
        ));
        lines.push(update(
            json!({"sessionUpdate": "agent_message_chunk", "messageId": "m", "content": {"type": "text", "text": "a"}}),
        ));
        let asks = json!({"sessionId": "s", "toolCall": {"toolCallId": id}, "options": []});
        lines.push(agent(
            json!({"id": index, "method": "session/request_permission", "params": asks})
                .to_string(),
        ));
    }
    lines.push(agent(r#"{"id":1,"result":{"stopReason":"cancelled"}}"#));
    let begun = std::time::Instant::now();
    let outcomes = read(&lines);
    let ends = outcomes.last().unwrap().events.len();
    assert!(ends > 16_000, "only {ends} ends");
    assert!(
        begun.elapsed().as_secs() < 60,
        "{:?} for {} lines",
        begun.elapsed(),
        lines.len()
    );
}
