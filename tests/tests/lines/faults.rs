//! Faults on the wires: each is loud where it must be, and the stream goes on.

use agentwire::session::{Direction, Verdict};

use crate::support::recorded::Line;
use crate::support::replay::{event_types, tree};
use crate::support::wires::{WIRES, Wire};

fn agent(text: &str) -> Line {
    Line {
        direction: Direction::FromAgent,
        text: text.to_owned(),
    }
}

#[test]
fn a_code_that_is_null_is_none() {
    let line = r#"{"type":"item.started","item":{"id":"i","type":"command_execution","command":"ls","aggregated_output":"","exit_code":null,"status":"in_progress"}}"#;
    let outcome = Wire::CodexSdk.told(line);
    assert_eq!(outcome.verdict, Verdict::Mapped);
    assert_eq!(outcome.oddities, []);
    assert_eq!(event_types(&outcome), ["item.started"]);
    let event: agentwire::codex_sdk::wire::ThreadEvent<'_> = serde_json::from_str(line).unwrap();
    let agentwire::codex_sdk::wire::ThreadEvent::ItemStarted(started) = event else {
        panic!("{event:?}")
    };
    let agentwire::codex_sdk::wire::ThreadItem::CommandExecution(command) = started.item else {
        panic!("{:?}", started.item)
    };
    assert_eq!(command.exit_code, None);
}

#[test]
fn a_type_that_no_version_has_is_a_warning_with_the_line() {
    for wire in WIRES {
        let line = r#"{"type":"aurora.lit","level":"calm"}"#;
        let outcome = wire.told(line);
        assert_eq!(outcome.verdict, Verdict::Unrecognized, "{wire:?}");
        assert_eq!(event_types(&outcome), ["runtime.warning"]);
        let event = tree(&outcome.events[0]);
        assert_eq!(event["payload"]["detail"]["level"], "calm");
        assert_eq!(event["raw"]["source"], wire.surface());
        assert_eq!(
            outcome.events[0].raw.as_ref().unwrap().payload.as_str(),
            line
        );
    }
}

#[test]
fn lines_that_are_no_messages_are_told_and_cost_nothing() {
    for wire in WIRES {
        for line in ["{not json", "7", "\"lamp\"", "{\"a\":1}", "{\"type\":7}"] {
            let replayed = wire.replayed(&[agent(line), agent(r#"{"type":"aurora"}"#)]);
            let [first, second, end] = &replayed[..] else {
                panic!("{replayed:#?}")
            };
            let [outcome] = &first[..] else {
                panic!("{wire:?} {line}: {first:#?}")
            };
            assert!(
                matches!(
                    outcome.verdict,
                    Verdict::NotJson { .. } | Verdict::Malformed { .. }
                ),
                "{wire:?} {line}: {outcome:#?}"
            );
            assert_eq!(second[0].verdict, Verdict::Unrecognized);
            assert!(end.is_empty());
        }
    }
}

#[test]
fn a_body_that_does_not_decode_names_its_place() {
    for (wire, line, place) in [
        (
            Wire::Amp,
            r#"{"type":"assistant","message":{"type":"message","role":"assistant","content":[{"type":"text","text":7}],"stop_reason":null},"session_id":"T-1"}"#,
            "message.content[0].text",
        ),
        (
            Wire::CodexSdk,
            r#"{"type":"item.started","item":{"id":"i","type":"command_execution","command":7,"aggregated_output":"","status":"in_progress"}}"#,
            "item.command",
        ),
    ] {
        let outcome = wire.told(line);
        assert!(
            matches!(&outcome.verdict, Verdict::Malformed { path, .. } if path == place),
            "{outcome:#?}"
        );
        assert_eq!(event_types(&outcome)[0], "runtime.error");
        let event = tree(&outcome.events[0]);
        assert_eq!(event["payload"]["class"], "validation_error");
        assert_eq!(event["payload"]["detail"]["path"], place);
    }
}
