//! OpenCode: what its types declare, what goes wrong on its streams, and streams that were tampered
//! with.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use agentwire::canonical::RuntimeEvent;
use agentwire::frame::Limits;
use agentwire::json::{self, NoteKind};
use agentwire::mapping::{RowInfo, RowVerb};
use agentwire::opencode::OpenCodeSession;
use agentwire::opencode::wire::Event;
use agentwire::session::{Direction, Oddity, Outcome, Verdict};
use agentwire::sources::{SequentialIds, WireClock};
use agentwire::transcript::Recorded;
use agentwire_tests::root;
use agentwire_upkeep::report::without_halves;
use serde_json::{Map, Value, json};

use crate::support::compare::{differences, holds};
use crate::support::recorded::Line;
use crate::support::replay::{event_types, tree};
use crate::support::table;
use crate::support::wires::{Recording, Wire};

const OPENCODE: Wire = Wire::OpenCode;

fn session() -> OpenCodeSession {
    OpenCodeSession::with_sources(
        SequentialIds::new(),
        WireClock::default(),
        Limits::default(),
    )
}

fn agent(text: &str) -> Line {
    Line {
        direction: Direction::FromAgent,
        text: text.to_owned(),
    }
}

fn recordings() -> Vec<Recording> {
    [OPENCODE.committed(), OPENCODE.whole()].concat()
}

fn events(outcomes: Vec<Outcome>) -> Vec<RuntimeEvent> {
    outcomes.into_iter().flat_map(|it| it.events).collect()
}

/// The events of lines that are read one after the other.
fn told(lines: &[&str]) -> Vec<Outcome> {
    let lines: Vec<Line> = lines.iter().map(|line| agent(line)).collect();
    OPENCODE.replayed(&lines).concat()
}

/// What becomes of an event. An answer is to a request that was told before.
fn after_asking(line: &str) -> Outcome {
    let event: Value = serde_json::from_str(line).unwrap();
    let (tag, properties) = (event["type"].as_str().unwrap(), &event["properties"]);
    let is_question = tag.starts_with("question.");
    let is_answer = tag.ends_with(".replied") || tag.ends_with(".rejected");
    let ids = ["requestID", "permissionID"];
    let id = ids.iter().find_map(|name| properties[name].as_str());
    let asked = id.filter(|_| is_answer).map(|id| {
        let session = &properties["sessionID"];
        let event = match is_question {
            true => json!({"type": "question.asked", "properties": {
                "id": id, "sessionID": session, "questions": []}}),
            false => json!({"type": "permission.asked", "properties": {
                "id": id, "sessionID": session, "permission": "lamp", "patterns": [], "metadata": {}, "always": []}}),
        };
        event.to_string()
    });
    let lines = asked.into_iter().chain([line.to_owned()]).map(|text| Line {
        direction: Direction::FromAgent,
        text,
    });
    let lines: Vec<Line> = lines.collect();
    OPENCODE.replayed(&lines).concat().pop().unwrap()
}

#[test]
fn each_row_becomes_its_events() {
    let mut tags = BTreeSet::new();
    for [tag, canonical, payloads, line] in table::rows::<4>("opencode_seed_rows.tsv") {
        let row = RowInfo::find(OPENCODE.rows(), &tag).unwrap_or_else(|| panic!("no row `{tag}`"));
        let outcome = after_asking(&line);
        assert_eq!(outcome.verdict, Verdict::Mapped, "{line}");
        let events: Vec<Value> = outcome.events.iter().map(tree).collect();
        let types: Vec<&str> = events
            .iter()
            .map(|it| it["type"].as_str().unwrap())
            .collect();
        let wanted: Vec<&str> = canonical.split(" + ").collect();
        assert_eq!(types, wanted, "{tag}");
        let listed = match row.verb {
            RowVerb::Keep(event) | RowVerb::Rename(event) => vec![event],
            RowVerb::Split(events) => events.to_vec(),
            RowVerb::Drop(reason) => panic!("{tag}: {reason}"),
        };
        // What was never told to begin begins first.
        let begins = ["item.started", "thread.started"];
        let is_listed = |event: &&str| begins.contains(event) || listed.contains(event);
        assert!(wanted.iter().all(is_listed), "{tag} lists {listed:?}");
        let payloads: BTreeMap<String, Value> = serde_json::from_str(&payloads).unwrap();
        assert!(!payloads.is_empty(), "{tag}: nothing is compared");
        for (event_type, part) in payloads {
            let event = events
                .iter()
                .rev()
                .find(|it| it["type"] == *event_type)
                .unwrap();
            assert!(
                holds(&event["payload"], &part),
                "{tag}: {event} is not {part}"
            );
        }
        tags.insert(tag);
    }
    assert!(tags.len() >= 30, "only {} rows", tags.len());
}

/// An instance of a schema, with every member that it has.
fn instance(schema: &Value, definitions: &Value, depth: usize) -> Value {
    if let Some(name) = schema.get("$ref").and_then(Value::as_str) {
        let name = name.rsplit('/').next().unwrap();
        return instance(&definitions[name], definitions, depth + 1);
    }
    if let Some(value) = schema.get("const") {
        return value.clone();
    }
    if let Some(values) = schema.get("enum") {
        return values[0].clone();
    }
    for key in ["oneOf", "anyOf"] {
        if let Some(branches) = schema.get(key).and_then(Value::as_array) {
            return instance(&branches[depth % branches.len()], definitions, depth + 1);
        }
    }
    match schema.get("type").and_then(Value::as_str) {
        Some("object") => {
            let members = schema.get("properties").and_then(Value::as_object);
            let members = members.into_iter().flatten().filter(|_| depth < 24);
            let made =
                members.map(|(name, it)| (name.clone(), instance(it, definitions, depth + 1)));
            Value::Object(made.collect::<Map<_, _>>())
        }
        Some("array") => json!([instance(&schema["items"], definitions, depth + 1)]),
        Some("number") => json!(depth),
        Some("boolean") => json!(true),
        Some("string") => json!("lamp"),
        _ => Value::Null,
    }
}

#[test]
fn what_both_generations_declare_is_read() {
    let mut counts = BTreeMap::new();
    for (provider, union) in [
        ("opencode-v1", "Event"),
        ("opencode-v2", "Event"),
        ("opencode-v2", "V2Event"),
    ] {
        let path = root().join(format!("schemas/{provider}/1.18.33/types.json"));
        let types: Value = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
        let definitions = &types["definitions"];
        let branches = definitions[union]["oneOf"].as_array().unwrap();
        for branch in branches {
            // What stands below may be one of several: each depth takes another.
            for depth in 0..6 {
                let name = branch["$ref"].as_str().unwrap().rsplit('/').next().unwrap();
                let event = instance(&definitions[name], definitions, depth);
                let tag = event["type"].as_str().unwrap();
                assert!(
                    RowInfo::find(OPENCODE.rows(), tag).is_some(),
                    "no row `{tag}`"
                );
                let line = event.to_string();
                let outcome = after_asking(&line);
                // What answers a request that nobody opened here says so.
                let is_read = match outcome.verdict {
                    Verdict::Told(_) => !outcome.refused.is_empty(),
                    Verdict::Mapped
                    | Verdict::Dropped(_)
                    | Verdict::Unrecognized
                    | Verdict::Malformed { .. }
                    | Verdict::Unmatched
                    | Verdict::Noted
                    | Verdict::Outside
                    | Verdict::NotJson { .. }
                    | Verdict::TooLong { .. } => {
                        matches!(outcome.verdict, Verdict::Mapped | Verdict::Dropped(_))
                    }
                };
                assert!(is_read, "{line}: {:?}", outcome.verdict);
                // An answer was any text once; those that nobody gives are told as such.
                let is_answer = |it: &Oddity| it.path == "properties.response";
                assert!(outcome.oddities.iter().all(is_answer), "{line}");
                if union == "Event" {
                    let (read, _) = json::decode::<Event<'_>>(&line).unwrap();
                    let again = serde_json::from_str(&json::encode(&read)).unwrap();
                    assert_eq!(differences(&event, &again), [], "nothing is left out");
                }
            }
            *counts.entry((provider, union)).or_insert(0) += 1;
        }
    }
    let counts: Vec<i32> = counts.into_values().collect();
    assert_eq!(counts, [32, 89, 88]);
}

/// A recording with what went by HTTP beside the streams: each line is accounted for.
#[test]
fn every_line_of_a_recording_has_an_outcome() {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for recording in recordings() {
        let mut session = session();
        for line in recording.text().split('\n').filter(|line| !line.is_empty()) {
            session.push_recorded(&Recorded::read(line).unwrap());
            let outcomes: Vec<Outcome> = session.outcomes().collect();
            let [outcome] = &outcomes[..] else {
                panic!("{recording:?}: {line}: {outcomes:#?}")
            };
            let kind = match outcome.verdict {
                Verdict::Mapped => "mapped",
                Verdict::Told(_) => "told",
                Verdict::Dropped(_) => "dropped",
                Verdict::Noted => "asked by HTTP",
                Verdict::Outside => "answered by HTTP",
                Verdict::Unrecognized
                | Verdict::Malformed { .. }
                | Verdict::Unmatched
                | Verdict::NotJson { .. }
                | Verdict::TooLong { .. } => {
                    panic!("{recording:?}: {line}: {:?}", outcome.verdict)
                }
            };
            *counts.entry(kind).or_default() += 1;
        }
        session.finish();
        assert_eq!(session.outcomes().count(), 0);
    }
    println!("{counts:#?}");
    assert!(
        counts["mapped"] > 800 && counts["answered by HTTP"] >= 1,
        "{counts:?}"
    );
}

#[test]
fn server_sent_events_tell_the_same() {
    let mut compared = 0;
    for recording in OPENCODE.committed() {
        let lines = recording.lines();
        let wanted = events(OPENCODE.replayed(&lines).concat());
        let mut stream = String::from(": hello\r\n\r\n");
        for line in &lines {
            // Data of several lines: a line may be broken wherever white space may stand.
            let (first, rest) = line.text.split_at(1);
            stream.push_str(&format!(
                "id: 7\r\ndata: {first}\r\ndata:{rest}\r\n\r\n:\r\n"
            ));
        }
        for size in [3, 4_096] {
            let mut session = session();
            for piece in stream.as_bytes().chunks(size) {
                session.push(Direction::FromAgent, piece);
            }
            session.finish();
            let told = events(session.outcomes().collect());
            let plain = |events: &[RuntimeEvent]| -> Vec<RuntimeEvent> {
                let bare = events.iter().cloned().map(|mut event| {
                    event.raw = None;
                    event
                });
                bare.collect()
            };
            assert_eq!(plain(&told).len(), plain(&wanted).len(), "{recording:?}");
            for (told, wanted) in told.iter().zip(&wanted) {
                assert_eq!(told.event_type(), wanted.event_type());
                assert_eq!(told.item_id, wanted.item_id);
                assert_eq!(told.created_at, wanted.created_at);
            }
            compared += 1;
        }
    }
    assert!(compared >= 50, "only {compared}");
}

/// Numbers that look like chance, and are the same in every run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % bound.max(1)
    }
}

/// What holds however the lines came: nothing begins or ends twice, and nothing is said before it.
fn hangs_together(events: &[RuntimeEvent]) -> Result<(), String> {
    let (mut started, mut ended) = (BTreeSet::new(), BTreeSet::new());
    let (mut turns, mut ends) = (BTreeSet::new(), BTreeSet::new());
    let mut resolved = BTreeSet::new();
    for event in events {
        let kind = event.event_type().as_str();
        let item = event.item_id.clone();
        let turn = event.turn_id.clone();
        let fresh = match kind {
            "item.started" => started.insert(item),
            "item.completed" => started.contains(&item) && ended.insert(item),
            "content.delta" => started.contains(&item),
            "item.updated" => item.is_none() || started.contains(&item),
            "turn.started" => turns.insert(turn),
            "turn.completed" => turns.contains(&turn) && ends.insert(turn),
            "request.resolved" => resolved.insert(event.request_id.clone()),
            _ => true,
        };
        if !fresh {
            return Err(format!("{kind}: {}", event.to_json().unwrap()));
        }
    }
    Ok(())
}

/// The same events without their ids, as older servers send them: nothing tells that one comes twice.
fn without_id(line: &str) -> String {
    match serde_json::from_str::<Value>(line) {
        Ok(mut event) => {
            if let Some(members) = event.as_object_mut() {
                members.remove("id");
            }
            event.to_string()
        }
        Err(_) => line.to_owned(),
    }
}

#[test]
fn streams_that_were_tampered_with_hang_together() {
    let mut tried = 0;
    for recording in recordings() {
        let lines = recording.lines();
        for seed in 0..24 {
            let mut dice = Dice(seed);
            let mut tampered: Vec<String> = lines.iter().map(|line| line.text.clone()).collect();
            if seed % 2 == 1 {
                tampered = tampered.iter().map(|line| without_id(line)).collect();
            }
            for _ in 0..1 + dice.below(8) {
                let (one, other) = (dice.below(tampered.len()), dice.below(tampered.len()));
                match dice.below(5) {
                    0 => drop(tampered.remove(one)),
                    1 => tampered.swap(one, other),
                    2 => tampered.insert(other, tampered[one].clone()),
                    3 => tampered.extend_from_within(one..),
                    _ => {
                        let line = &mut tampered[one];
                        let mut at = dice.below(line.len());
                        while !line.is_char_boundary(at) {
                            at -= 1;
                        }
                        line.truncate(at);
                    }
                }
            }
            let tampered: Vec<Line> = tampered.iter().map(|line| agent(line)).collect();
            let events = events(OPENCODE.replayed(&tampered).concat());
            if let Err(breach) = hangs_together(&events) {
                panic!("{recording:?} with {seed}: {breach}");
            }
            tried += 1;
        }
    }
    println!("{tried} streams");
    assert!(tried >= 700, "only {tried}");
}

/// Turns end, but for those of streams that end before.
#[test]
fn turns_end() {
    const CUT: &[&str] = &["abort_text", "sse_error", "v2_write"];
    let mut turns = 0;
    for recording in recordings() {
        let events = events(OPENCODE.replayed(&recording.lines()).concat());
        let count = |kind: &str| {
            events
                .iter()
                .filter(|it| it.event_type().as_str() == kind)
                .count()
        };
        let open = count("turn.started") - count("turn.completed");
        let cut = CUT.contains(&recording.scenario.as_str());
        assert_eq!(open, usize::from(cut), "{recording:?}");
        turns += count("turn.completed");
    }
    assert!(turns >= 40, "only {turns}");
}

const TOOL: &str = r#"{"id":"e","type":"message.part.updated","properties":{"sessionID":"s","time":1,"part":{"id":"p","sessionID":"s","messageID":"m","type":"tool","tool":"bash","callID":"c","state":{"status":"completed","input":{"command":"ls"},"output":"a","title":"ls","metadata":{"exit":0},"time":{"start":1,"end":2}}}}}"#;

#[test]
fn values_that_no_version_has_cost_nothing_but_themselves() {
    let replied = r#"{"type":"permission.replied","properties":{"sessionID":"s","requestID":"r","reply":"aurora"}}"#;
    let outcome = after_asking(replied);
    assert_eq!(event_types(&outcome), ["request.resolved"]);
    assert_eq!(tree(&outcome.events[0])["payload"]["decision"], "aurora");
    let diff = r#"{"type":"session.diff","properties":{"sessionID":"s","diff":[{"patch":"a\n","additions":1,"deletions":0,"status":"aurora"},{"patch":"b\n","additions":1,"deletions":0,"status":"added"}]}}"#;
    let outcome = OPENCODE.told(diff);
    assert_eq!(tree(&outcome.events[0])["payload"]["unifiedDiff"], "a\nb\n");
    assert!(matches!(
        outcome.oddities[0].kind,
        NoteKind::UnrecognizedValue { .. }
    ));
    let state = TOOL.replace(r#""status":"completed""#, r#""status":"aurora""#);
    let outcome = OPENCODE.told(&state);
    assert_eq!(event_types(&outcome), ["item.started"]);
    assert_eq!(outcome.oddities.len(), 1);
    let content = r#"{"type":"session.next.tool.success","properties":{"sessionID":"s","timestamp":1,"assistantMessageID":"m","callID":"c","structured":{},"content":[{"type":"hologram","d":1},{"type":"text","text":"lit"}],"provider":{"executed":false}}}"#;
    let outcome = OPENCODE.told(content);
    let end = tree(outcome.events.last().unwrap());
    assert_eq!(end["payload"]["detail"], "lit");
    assert_eq!(outcome.oddities.len(), 1);
    let todos = r#"{"type":"todo.updated","properties":{"sessionID":"s","todos":[{"content":"a","status":"aurora","priority":"urgent"},{"content":"b","status":"completed","priority":"low"}]}}"#;
    let plan = tree(&OPENCODE.told(todos).events[0])["payload"]["plan"].clone();
    assert_eq!(plan[0]["status"], "pending");
    assert_eq!(plan[1]["status"], "completed");
    let workspace =
        r#"{"type":"workspace.status","properties":{"workspaceID":"w","status":"aurora"}}"#;
    let state = tree(&OPENCODE.told(workspace).events[0])["payload"]["state"].clone();
    assert_eq!(state, "error");
}

#[test]
fn what_is_known_and_broken_is_loud_wherever_it_stands() {
    for (line, place) in [
        (
            TOOL.replace(r#""tool":"bash""#, r#""tool":7"#),
            "properties.part.tool",
        ),
        (
            TOOL.replace(r#","callID":"c""#, ""),
            "properties.part.callID",
        ),
        (
            format!(
                r#"{{"directory":"/w","payload":{}}}"#,
                TOOL.replace(r#""tool":"bash""#, r#""tool":7"#)
            ),
            "payload.properties.part.tool",
        ),
        (
            TOOL.replace("\"properties\"", "\"data\"")
                .replace(r#""tool":"bash""#, r#""tool":7"#),
            "data.part.tool",
        ),
        (
            String::from(
                r#"{"type":"session.status","properties":{"sessionID":7,"status":{"type":"busy"}}}"#,
            ),
            "properties.sessionID",
        ),
        (
            String::from(r#"{"type":"pty.exited","properties":{"id":"p","exitCode":1.5}}"#),
            "properties.exitCode",
        ),
        (
            String::from(r#"{"type":"server.connected","properties":{},"type":7}"#),
            "type",
        ),
    ] {
        let lines = [agent(&line), agent(TOOL)];
        let replayed = OPENCODE.replayed(&lines);
        let outcome = &replayed[0][0];
        assert!(
            matches!(&outcome.verdict, Verdict::Malformed { path, .. } if path == place),
            "{line}: {:?}",
            outcome.verdict
        );
        let event = tree(&outcome.events[0]);
        assert_eq!(event["type"], "runtime.error");
        assert_eq!(event["payload"]["class"], "validation_error");
        assert_eq!(event["payload"]["detail"]["path"], place);
        assert_eq!(
            outcome.events[0].raw.as_ref().unwrap().payload.as_str(),
            line
        );
        assert_eq!(
            replayed[1][0].verdict,
            Verdict::Mapped,
            "the stream goes on"
        );
    }
    let whole = r#"{"type":"pty.exited","properties":{"id":"p","exitCode":3.0}}"#;
    assert_eq!(OPENCODE.told(whole).verdict, Verdict::Mapped);
}

#[test]
fn what_is_null_is_as_good_as_absent() {
    let line = r#"{"id":null,"type":"message.updated","properties":{"sessionID":"s","info":{"id":"m","sessionID":"s","role":"assistant","parentID":"u","mode":"build","agent":null,"path":{"cwd":"/","root":"/"},"cost":0,"tokens":{"input":0,"output":0,"reasoning":0,"cache":{"read":0,"write":0}},"modelID":"x","providerID":"y","time":{"created":1,"completed":null},"error":null,"finish":null,"summary":null}}}"#;
    let outcome = OPENCODE.told(line);
    assert_eq!(outcome.verdict, Verdict::Mapped);
    assert_eq!(outcome.oddities, []);
    assert_eq!(event_types(&outcome), ["turn.started"]);
}

#[test]
fn a_call_that_is_only_told_at_its_end_begins_first() {
    let outcome = OPENCODE.told(TOOL);
    assert_eq!(event_types(&outcome), ["item.started", "item.completed"]);
    assert_eq!(outcome.events[0].item_id, outcome.events[1].item_id);
    // The same once more, as older servers would send it, is no second end.
    let again = without_id(TOOL);
    let outcomes = told(&[&again, &again]);
    assert_eq!(event_types(&outcomes[1]), ["item.updated"]);
}

#[test]
fn sessions_are_kept_apart() {
    let one = TOOL.replace(r#""id":"e","#, "");
    let other = one.replace(r#""sessionID":"s""#, r#""sessionID":"t""#);
    let outcomes = told(&[&one, &other]);
    let [first, second] = &outcomes[..] else {
        panic!("{outcomes:#?}")
    };
    assert_eq!(event_types(second), ["item.started", "item.completed"]);
    assert_ne!(first.events[0].thread_id, second.events[0].thread_id);
    assert_ne!(first.events[0].item_id, second.events[0].item_id);
}

/// Every event comes back as it was: the types leave nothing out that the wire has.
#[test]
fn every_event_comes_back() {
    let mut compared = 0;
    for recording in recordings() {
        for line in recording.lines() {
            let tree: Value = serde_json::from_str(&without_halves(&line.text)).unwrap();
            if tree.get("properties").is_none() {
                continue;
            }
            let (event, _) = json::decode::<Event<'_>>(&line.text).unwrap();
            let again: Value = serde_json::from_str(&json::encode(&event)).unwrap();
            let found = differences(&tree, &again);
            assert_eq!(found, [], "{}", line.text);
            compared += 1;
        }
    }
    assert!(compared >= 900, "only {compared}");
}
