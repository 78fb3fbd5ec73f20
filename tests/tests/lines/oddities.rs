//! What is odd on the wires and tolerated: each costs nothing but itself, and is counted.

use agentwire::json::NoteKind;
use agentwire::session::{Direction, Outcome, Verdict};
use serde_json::Value;

use crate::support::recorded::Line;
use crate::support::replay::{event_types, tree};
use crate::support::wires::Wire;

const COMMAND: &str = r#"{"type":"item.completed","item":{"id":"i","type":"command_execution","command":"ls","aggregated_output":"","exit_code":0,"status":"completed"}}"#;
const CALL: &str = r#"{"type":"item.completed","item":{"id":"i","type":"mcp_tool_call","server":"s","tool":"t","arguments":{"a":1},"result":{"content":[]},"error":null,"status":"completed"}}"#;
const HELPER: &str = r#"{"type":"item.completed","item":{"id":"i","type":"collab_tool_call","tool":"wait","sender_thread_id":"t","receiver_thread_ids":[],"prompt":null,"agents_states":{"u":{"status":"running","message":null}},"status":"completed"}}"#;
const PATCH: &str = r#"{"type":"item.completed","item":{"id":"i","type":"file_change","changes":[{"path":"a","kind":"add"}],"status":"completed"}}"#;
const ENDS: &str = r#"{"type":"turn.completed","usage":{"input_tokens":3,"cached_input_tokens":1,"output_tokens":2,"reasoning_output_tokens":1}}"#;
const SAYS: &str = r#"{"type":"assistant","message":{"type":"message","role":"assistant","content":[{"type":"text","text":"Lit."}],"stop_reason":"end_turn","usage":{"input_tokens":1,"output_tokens":2,"service_tier":"standard"}},"parent_tool_use_id":null,"session_id":"T-1"}"#;
const CALLS: &str = r#"{"type":"assistant","message":{"type":"message","role":"assistant","content":[{"type":"tool_use","id":"c","name":"Bash","input":{"cmd":"ls"}}],"stop_reason":"tool_use"},"parent_tool_use_id":null,"session_id":"T-1"}"#;
const GIVES: &str = r#"{"type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"c","content":"lamp","is_error":false}]},"parent_tool_use_id":null,"session_id":"T-1"}"#;
const RESULT: &str = r#"{"type":"result","subtype":"success","duration_ms":2,"is_error":false,"num_turns":1,"result":"Lit.","session_id":"T-1"}"#;

/// A line that a wire understands.
const LINES: &[(Wire, &str)] = &[
    (Wire::CodexSdk, COMMAND),
    (Wire::CodexSdk, CALL),
    (Wire::CodexSdk, HELPER),
    (Wire::CodexSdk, PATCH),
    (Wire::CodexSdk, ENDS),
    (Wire::Amp, SAYS),
    (Wire::Amp, CALLS),
    (Wire::Amp, GIVES),
    (Wire::Amp, RESULT),
];

/// The outcome of a line, and that the next line is read like any other.
fn told(wire: Wire, line: &str) -> Outcome {
    let lines = [line, r#"{"type":"aurora.lit"}"#].map(|text| Line {
        direction: Direction::FromAgent,
        text: text.to_owned(),
    });
    let replayed = wire.replayed(&lines);
    assert_eq!(replayed[1][0].verdict, Verdict::Unrecognized, "{line}");
    let [outcome] = &replayed[0][..] else {
        panic!("{line}: {:#?}", replayed[0])
    };
    outcome.clone()
}

fn mapped(wire: Wire, line: &str) -> Outcome {
    let outcome = told(wire, line);
    assert_eq!(outcome.verdict, Verdict::Mapped, "{line}");
    outcome
}

/// What the events say, apart from what they quote.
fn said(outcome: &Outcome) -> Vec<Value> {
    let events = outcome.events.iter().map(|event| {
        let mut event = tree(event);
        event["raw"] = Value::Null;
        event["payload"]["data"] = Value::Null;
        event
    });
    events.collect()
}

#[test]
fn what_has_no_value_is_null_or_not_there() {
    let mut compared = 0;
    for (wire, line, members) in [
        (Wire::CodexSdk, COMMAND, &[r#""exit_code":0,"#][..]),
        (
            Wire::CodexSdk,
            CALL,
            &[
                r#""result":{"content":[]},"#,
                r#""error":null,"#,
                r#""arguments":{"a":1},"#,
            ],
        ),
        (
            Wire::CodexSdk,
            HELPER,
            &[
                r#""prompt":null,"#,
                r#""receiver_thread_ids":[],"#,
                r#""agents_states":{"u":{"status":"running","message":null}},"#,
            ],
        ),
        (Wire::Amp, SAYS, &[r#""parent_tool_use_id":null,"#]),
        (Wire::Amp, GIVES, &[r#""content":"lamp","#]),
    ] {
        for member in members {
            assert!(line.contains(member), "{line} has no {member}");
            let name = member.split(':').next().unwrap();
            let absent = mapped(wire, &line.replace(member, ""));
            let null = mapped(wire, &line.replace(member, &format!("{name}:null,")));
            assert_eq!((&absent.oddities, &null.oddities), (&vec![], &vec![]));
            assert_eq!(said(&absent), said(&null), "{line}: {member}");
            compared += 1;
        }
    }
    assert_eq!(compared, 9);
}

#[test]
fn a_value_that_no_version_has_is_no_success() {
    for (wire, line, value) in [
        (Wire::CodexSdk, COMMAND, r#""status":"completed""#),
        (Wire::CodexSdk, CALL, r#""status":"completed""#),
        (Wire::CodexSdk, HELPER, r#""status":"completed""#),
        (Wire::CodexSdk, PATCH, r#""status":"completed""#),
    ] {
        let known = mapped(wire, line);
        assert_eq!(
            tree(known.events.last().unwrap())["payload"]["status"],
            "completed"
        );
        let outcome = mapped(wire, &line.replace(value, r#""status":"aurora""#));
        let [oddity] = &outcome.oddities[..] else {
            panic!("{outcome:#?}")
        };
        assert!(
            matches!(&oddity.kind, NoteKind::UnrecognizedValue { value, .. } if &**value == "aurora")
        );
        let end = tree(outcome.events.last().unwrap());
        assert_eq!(end["type"], "item.completed");
        assert_eq!(end["payload"].get("status"), None, "{line}");
        assert_eq!(end["payload"]["data"]["status"], "aurora");
    }
    // What kind of change it is costs neither its neighbours nor the status.
    let kinds = r#"{"path":"a","kind":"aurora"},{"path":"b","kind":"add"}"#;
    let line = PATCH.replace(r#"{"path":"a","kind":"add"}"#, kinds);
    let outcome = mapped(Wire::CodexSdk, &line);
    assert_eq!(outcome.oddities.len(), 1);
    let end = tree(outcome.events.last().unwrap());
    assert_eq!(end["payload"]["status"], "completed");
    assert_eq!(end["payload"]["detail"], "a\nb");
    // A reason to stop that no version has ends no turn well.
    let stops = SAYS.replace(r#""end_turn""#, r#""aurora""#);
    assert_eq!(mapped(Wire::Amp, &stops).oddities.len(), 1);
    let replayed = Wire::Amp.replayed(&[&stops, RESULT].map(|text| Line {
        direction: Direction::FromAgent,
        text: text.to_owned(),
    }));
    let end = tree(replayed[1][0].events.last().unwrap());
    assert_eq!(end["type"], "turn.completed");
    assert_eq!(end["payload"]["state"], "failed");
}

#[test]
fn whole_numbers_may_be_written_with_a_point() {
    let mut checked = 0;
    for (wire, line, member) in [
        (Wire::CodexSdk, COMMAND, r#""exit_code":0"#),
        (Wire::CodexSdk, ENDS, r#""input_tokens":3"#),
        (Wire::CodexSdk, ENDS, r#""reasoning_output_tokens":1"#),
        (Wire::Amp, SAYS, r#""output_tokens":2"#),
        (Wire::Amp, RESULT, r#""num_turns":1"#),
    ] {
        assert!(line.contains(member), "{line}");
        let whole = mapped(wire, &line.replace(member, &format!("{member}.0")));
        assert_eq!(event_types(&whole), event_types(&mapped(wire, line)));
        let broken = told(wire, &line.replace(member, &format!("{member}.5")));
        assert!(
            matches!(broken.verdict, Verdict::Malformed { .. }),
            "{line}: {broken:#?}"
        );
        assert_eq!(event_types(&broken)[0], "runtime.error");
        checked += 1;
    }
    assert_eq!(checked, 5);
}

#[test]
fn the_last_of_two_members_counts() {
    let line = COMMAND.replace(r#""command":"ls""#, r#""command":"rm","command":"ls""#);
    let outcome = mapped(Wire::CodexSdk, &line);
    assert!(matches!(outcome.oddities[0].kind, NoteKind::DuplicateKey));
    assert_eq!(
        tree(outcome.events.last().unwrap())["payload"]["title"],
        "ls"
    );
    let line = SAYS.replace(r#""text":"Lit.""#, r#""text":"Dark.","text":"Lit.""#);
    let outcome = mapped(Wire::Amp, &line);
    assert!(matches!(outcome.oddities[0].kind, NoteKind::DuplicateKey));
    assert!(
        said(&outcome)
            .iter()
            .any(|event| event["payload"]["detail"] == "Lit.")
    );
}

#[test]
fn half_a_pair_costs_no_line() {
    for (wire, line, text) in [
        (Wire::CodexSdk, COMMAND, r#""aggregated_output":""#),
        (Wire::Amp, SAYS, r#""text":""#),
        (Wire::Amp, GIVES, r#""content":""#),
    ] {
        let line = line.replace(text, &format!(r"{text}\ud83d"));
        let outcome = mapped(wire, &line);
        let halves = outcome.oddities.iter();
        let halves = halves.filter(|oddity| matches!(oddity.kind, NoteKind::LoneSurrogate));
        assert!(halves.count() >= 1, "{line}: {outcome:#?}");
        let told = said(&outcome);
        let has = told.iter().any(|event| {
            let detail = event["payload"]["detail"].as_str();
            detail.is_some_and(|detail| detail.starts_with('\u{FFFD}'))
        });
        assert!(has, "{told:#?}");
        let raw = &outcome.events[0].raw.as_ref().unwrap().payload;
        assert!(raw.as_str().contains(r"\ud83d"));
    }
}

#[test]
fn members_that_no_version_has_are_kept() {
    let mut checked = 0;
    for (wire, line) in LINES {
        let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
        let more = format!(r#"{{"aurora":{deep},{}"#, line.strip_prefix('{').unwrap());
        let outcome = mapped(*wire, &more);
        assert_eq!(outcome.oddities, [], "{line}");
        assert_eq!(event_types(&outcome), event_types(&mapped(*wire, line)));
        let raw = &outcome.events[0].raw.as_ref().unwrap().payload;
        assert_eq!(raw.as_str(), more);
        checked += 1;
    }
    assert_eq!(checked, 9);
}

#[test]
fn what_stands_before_and_after_a_line_is_no_part_of_it() {
    for (wire, line) in LINES {
        let lines = [
            format!("\u{feff}{line}\r"),
            String::from("\r"),
            String::from("Reading the prompt..."),
            format!("{line}\r"),
        ];
        let replayed = wire.replayed(&lines.map(|text| Line {
            direction: Direction::FromAgent,
            text,
        }));
        assert_eq!(replayed[0][0].verdict, Verdict::Mapped, "{line}");
        assert!(replayed[1].is_empty());
        assert!(matches!(replayed[2][0].verdict, Verdict::NotJson { .. }));
        assert_eq!(replayed[3].len(), 1, "{line}");
        assert_eq!(replayed[3][0].line, 4);
        let verdict = &replayed[3][0].verdict;
        assert!(
            matches!(verdict, Verdict::Mapped | Verdict::Told(_)),
            "{line}: {verdict:?}"
        );
    }
}

/// Every member that must be there, taken away: loud, with its place, and the stream goes on.
#[test]
fn a_member_that_must_be_there_is_missed() {
    let mut missed = 0;
    for (wire, line, member, place) in [
        (
            Wire::CodexSdk,
            COMMAND,
            r#","status":"completed""#,
            "item.status",
        ),
        (
            Wire::CodexSdk,
            COMMAND,
            r#""command":"ls","#,
            "item.command",
        ),
        (Wire::CodexSdk, CALL, r#""tool":"t","#, "item.tool"),
        (
            Wire::CodexSdk,
            ENDS,
            r#""output_tokens":2,"#,
            "usage.output_tokens",
        ),
        (
            Wire::Amp,
            SAYS,
            r#","text":"Lit.""#,
            "message.content[0].text",
        ),
        (
            Wire::Amp,
            GIVES,
            r#""tool_use_id":"c","#,
            "message.content[0].tool_use_id",
        ),
        (Wire::Amp, RESULT, r#""num_turns":1,"#, "num_turns"),
    ] {
        assert!(line.contains(member), "{line} has no {member}");
        let outcome = told(wire, &line.replace(member, ""));
        let Verdict::Malformed { path, .. } = &outcome.verdict else {
            panic!("{line} without {member}: {outcome:#?}")
        };
        assert_eq!(path, place);
        assert_eq!(event_types(&outcome)[0], "runtime.error");
        let completed = said(&outcome)
            .into_iter()
            .any(|event| event["payload"]["status"] == "completed");
        assert!(!completed, "{outcome:#?}");
        missed += 1;
    }
    assert_eq!(missed, 7);
}
