//! Messages whose tag is known and whose body does not decode: loud, at their place, with the
//! untouched line, and the stream goes on.

use std::collections::{BTreeMap, BTreeSet};

use agentwire::session::{Direction, Outcome, Verdict};
use serde_json::{Value, json};

use crate::claude::dialogue::{Dialogue, told, tree};
use crate::claude::lines::{
    INIT, SUCCESS, asks, begins, call, line, opens, result, result_of, system,
};
use crate::claude::recordings::committed;
use crate::support::replay::{assert_raw, event_types, only};

/// A runtime error that names the message, the place and what was expected there.
fn loud(outcome: &Outcome, line: &str, place: &str) {
    let Verdict::Malformed { path, message } = &outcome.verdict else {
        panic!("{:?}: {line}", outcome.verdict)
    };
    assert_eq!(path, place, "{line}");
    assert_raw(outcome, line);
    let errors: Vec<Value> = outcome
        .events
        .iter()
        .map(tree)
        .filter(|event| event["type"] == "runtime.error")
        .collect();
    let [error] = &errors[..] else {
        panic!("{errors:#?}: {line}")
    };
    let payload = &error["payload"];
    assert_eq!(payload["class"], "validation_error", "{line}");
    assert_eq!(
        (&payload["detail"]["path"], &payload["detail"]["problem"]),
        (&path.as_str().into(), &message.as_str().into()),
        "{line}"
    );
    assert!(
        payload["message"].as_str().unwrap().contains(place),
        "{line}"
    );
}

#[test]
fn known_tags_with_malformed_bodies() {
    let text = r#"{"type":"text","text":"a"}"#;
    let assistant = line("u1", "null", "m", text);
    let cases = [
        (assistant.replace(r#""text":"a""#, r#""text":7"#), "message.content[0].text"),
        (assistant.replace(&format!("[{text}]"), "7"), "message.content"),
        (assistant.replace(r#""id":"m","#, ""), "message.id"),
        (assistant.replace(r#""parent_tool_use_id":null"#, r#""parent_tool_use_id":7"#), "parent_tool_use_id"),
        (r#"{"type":"assistant","uuid":"u","session_id":"s"}"#.to_owned(), "message"),
        (r#"{"type":"user","message":"lamp","session_id":"s"}"#.to_owned(), "message"),
        (result_of("c", r#""is_error":"yes""#), "message.content[0].is_error"),
        (INIT.replace(r#""tools":["Bash"]"#, r#""tools":["Bash",7]"#), "tools[1]"),
        (INIT.replace(r#""model":"lamp-1","#, ""), "model"),
        (system("hook_started", r#""hook_id":[],"hook_name":"n","hook_event":"e""#), "hook_id"),
        (system("compact_boundary", r#""compact_metadata":null"#), "compact_metadata"),
        (begins("m").replace(r#""id":"m""#, r#""id":{}"#), "event.message.id"),
        (opens(0, r#"{"type":"tool_use","id":7,"name":"Bash","input":{}}"#), "event.content_block.id"),
        (opens(0, r#"{"text":""}"#), "event.content_block.type"),
        (opens(0, r#"[]"#), "event.content_block"),
        (r#"{"type":"stream_event","event":7,"parent_tool_use_id":null,"uuid":"u","session_id":"s"}"#.to_owned(), "event"),
        (r#"{"type":"stream_event","parent_tool_use_id":null,"uuid":"u","session_id":"s"}"#.to_owned(), "event"),
        (r#"{"type":"rate_limit_event","rate_limit_info":[],"uuid":"u","session_id":"s"}"#.to_owned(), "rate_limit_info"),
        (r#"{"type":"system","uuid":"u","session_id":"s"}"#.to_owned(), "subtype"),
        (r#"{"type":"system","subtype":null,"uuid":"u","session_id":"s"}"#.to_owned(), "subtype"),
        (r#"{"type":7,"uuid":"u"}"#.to_owned(), "type"),
        (r#"{"type":null}"#.to_owned(), "type"),
        (r#"{"type":{"a":1},"message":{}}"#.to_owned(), "type"),
        (r#"{"message":{}}"#.to_owned(), "type"),
        ("{}".to_owned(), "type"),
    ];
    for (line, place) in cases {
        let mut dialogue = Dialogue::begun();
        let outcome = dialogue.told(&line);
        loud(&outcome, &line, place);
        assert_eq!(event_types(&outcome), ["runtime.error"], "{line}");
        dialogue.goes_on();
    }
}

/// The line that does not decode takes nothing of the turn with it.
#[test]
fn the_turn_goes_on() {
    let mut dialogue = Dialogue::begun();
    dialogue.told(&line("u1", "null", "m", &call("c", "Bash", "{}")));
    dialogue.told(&result_of("c", r#""is_error":7"#));
    let outcome = dialogue.told(&result_of("c", r#""content":"x""#));
    assert_eq!(event_types(&outcome), ["item.completed"]);
    dialogue.told(&result("r", SUCCESS));
    assert_eq!(
        dialogue.of("turn.completed")[0]["payload"]["state"],
        "completed"
    );
    let of_turn = &dialogue.of("turn.completed")[0]["turnId"];
    assert_eq!(dialogue.of("runtime.error")[0]["turnId"], *of_turn);
}

/// What the program waits for must be seen, even where it can't be read.
#[test]
fn a_request_that_cannot_be_read_is_open() {
    let cases = [
        (r#"{"type":"control_request","request_id":"q","request":{"subtype":"can_use_tool"}}"#.to_owned(), "request.input"),
        (asks("q", "c", "Bash").replace(r#""tool_name":"Bash""#, r#""tool_name":null"#), "request.tool_name"),
        (r#"{"type":"control_request","request_id":"q","request":{"subtype":"hook_callback","callback_id":7}}"#.to_owned(), "request.callback_id"),
        (r#"{"type":"control_request","request_id":"q","request":{}}"#.to_owned(), "request.subtype"),
        (r#"{"type":"control_request","request_id":"q"}"#.to_owned(), "request"),
    ];
    for (line, place) in cases {
        let mut dialogue = Dialogue::begun();
        let outcome = dialogue.told(&line);
        loud(&outcome, &line, place);
        assert_eq!(
            event_types(&outcome),
            ["request.opened", "runtime.error"],
            "{line}"
        );
        let answer = r#"{"type":"control_response","response":{"subtype":"error","request_id":"q","error":"no"}}"#;
        let resolved = dialogue.host(answer);
        assert_eq!(event_types(&resolved), ["request.resolved"]);
        assert_eq!(resolved.events[0].request_id, outcome.events[0].request_id);
        dialogue.goes_on();
    }
}

/// Every message of the recordings, with each of its members in turn as what it can't be: the body
/// decodes all the same, or is loud at that place or within it, and nothing is called unrecognized.
#[test]
fn every_member_of_every_message() {
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    let mut verdicts: BTreeMap<&str, usize> = BTreeMap::new();
    let mut places = BTreeSet::new();
    let mut complaints = Vec::new();
    for recording in committed() {
        for (direction, text) in &recording.lines {
            let Ok(message @ Value::Object(_)) = serde_json::from_str::<Value>(text) else {
                continue;
            };
            let tag = format!(
                "{} {} {}",
                message["type"], message["subtype"], message["event"]["type"]
            );
            let count = seen.entry(tag.clone()).or_default();
            *count += 1;
            if *direction == Direction::ToAgent || *count > 1 {
                continue;
            }
            for path in paths(&message) {
                let wrong = changed(&message, &path);
                let line = wrong.to_string();
                let mut dialogue = Dialogue::begun();
                let outcome = only(dialogue.line(Direction::FromAgent, &line));
                places.insert(path.clone());
                let last = path.last().map(String::as_str);
                let kind = match &outcome.verdict {
                    Verdict::Malformed { path: found, .. } => {
                        let at = path.join(".");
                        let found = found.replace('[', ".").replace(']', "");
                        if !found.starts_with(&at) {
                            complaints.push(format!("{at} is told as {found}: {line:.200}"));
                        }
                        "malformed"
                    }
                    Verdict::Unrecognized => {
                        complaints.push(format!("{path:?} is told as unrecognized: {line:.200}"));
                        "unrecognized"
                    }
                    Verdict::NotJson { .. } => {
                        complaints.push(format!("{path:?} is told as no JSON: {line:.200}"));
                        "not JSON"
                    }
                    _ if matches!(last, Some("type" | "subtype")) && path.len() < 2 => {
                        complaints.push(format!("{path:?} is told as nothing: {line:.200}"));
                        "silent"
                    }
                    Verdict::Mapped
                    | Verdict::Dropped(_)
                    | Verdict::Told(_)
                    | Verdict::Unmatched
                    | Verdict::Noted
                    | Verdict::Outside
                    | Verdict::TooLong { .. } => "tolerated",
                };
                *verdicts.entry(kind).or_default() += 1;
                for event in &outcome.events {
                    assert_eq!(event.raw.as_ref().unwrap().payload.as_str(), line);
                }
                dialogue.goes_on();
            }
        }
    }
    println!(
        "{} messages, {} places: {verdicts:?}",
        seen.len(),
        places.len()
    );
    complaints.truncate(40);
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
    assert!(verdicts["malformed"] > 300, "{verdicts:?}");
}

/// The paths of all members and elements.
fn paths(value: &Value) -> Vec<Vec<String>> {
    let inner: Vec<(String, &Value)> = match value {
        Value::Object(members) => members
            .iter()
            .map(|(name, it)| (name.clone(), it))
            .collect(),
        Value::Array(elements) => elements
            .iter()
            .enumerate()
            .map(|(index, it)| (index.to_string(), it))
            .collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => Vec::new(),
    };
    let mut found = Vec::new();
    for (name, value) in inner {
        found.push(vec![name.clone()]);
        for mut below in paths(value) {
            below.insert(0, name.clone());
            found.push(below);
        }
    }
    found
}

/// The same with another kind of value at a place.
fn changed(message: &Value, path: &[String]) -> Value {
    let mut message = message.clone();
    let mut place = &mut message;
    for name in path {
        place = if place.is_array() {
            &mut place[name.parse::<usize>().unwrap()]
        } else {
            &mut place[name]
        };
    }
    *place = match place {
        Value::String(_) | Value::Null => json!([[]]),
        Value::Number(_) | Value::Bool(_) => json!("x"),
        Value::Array(_) | Value::Object(_) => json!(7),
    };
    message
}

#[test]
fn a_response_that_cannot_be_read() {
    let mut dialogue = Dialogue::begun();
    dialogue
        .host(r#"{"type":"control_request","request_id":"i","request":{"subtype":"initialize"}}"#);
    let line = r#"{"type":"control_response","response":{"subtype":"success","request_id":"i","response":{"commands":7}}}"#;
    let outcome = dialogue.told(line);
    loud(&outcome, line, "response.response.commands");
    dialogue.goes_on();
    let cases = [
        (r#"{"type":"control_response"}"#, "response"),
        (
            r#"{"type":"control_response","response":{"subtype":"success"}}"#,
            "response.request_id",
        ),
        (
            r#"{"type":"control_response","response":{"request_id":"i"}}"#,
            "response.subtype",
        ),
        (
            r#"{"type":"control_response","response":{"subtype":"error","request_id":"i"}}"#,
            "response.error",
        ),
    ];
    for (line, place) in cases {
        loud(&told(line), line, place);
    }
}

/// Contents that are neither a text nor blocks: no type has that form, so that it is warned of.
#[test]
fn contents_of_another_form() {
    for content in ["7", "true", "null", r#"{"type":"text","text":"a"}"#] {
        let line = crate::claude::lines::user(content);
        let mut dialogue = Dialogue::begun();
        let outcome = dialogue.told(&line);
        assert_eq!(event_types(&outcome), ["runtime.warning"], "{line}");
        assert_eq!(outcome.oddities.len(), 1, "{line}");
        assert_raw(&outcome, &line);
        dialogue.goes_on();
    }
}
