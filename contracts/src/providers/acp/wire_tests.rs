//! What the generated types of the agent client protocol keep, each in the smallest message.
#![allow(clippy::unwrap_used, clippy::panic)]

use crate::json::{NoteKind, decode, encode};

use super::wire::{v1, v2};

const SESSION: &str = r#"{"sessionId":"s","update":UPDATE}"#;

fn update(text: &str) -> String {
    SESSION.replace("UPDATE", text)
}

#[test]
fn an_update_that_no_version_has_keeps_its_raw() {
    let text = update(r#"{"sessionUpdate":"aurora_update","x":1}"#);
    let (message, notes) = decode::<v1::SessionNotification<'_>>(&text).unwrap();
    let v1::SessionUpdate::Unrecognized(unrecognized) = &message.update else {
        panic!("{message:?}")
    };
    assert_eq!(
        unrecognized.raw.as_str(),
        r#"{"sessionUpdate":"aurora_update","x":1}"#
    );
    assert_eq!(notes.len(), 1);
    assert_eq!(encode(&message), text);
}

#[test]
fn an_unknown_value_costs_none_of_its_neighbours() {
    let text = update(
        r#"{"sessionUpdate":"plan","entries":[{"content":"a","priority":"urgent","status":"pending"},{"content":"b","priority":"low","status":"pending"}]}"#,
    );
    let (message, notes) = decode::<v1::SessionNotification<'_>>(&text).unwrap();
    let v1::SessionUpdate::Plan(plan) = &message.update else {
        panic!("{message:?}")
    };
    assert_eq!(plan.entries.len(), 2);
    assert_eq!(
        plan.entries[0].priority,
        v1::PlanEntryPriority::Unrecognized("urgent".into())
    );
    assert!(
        matches!(&notes[0].kind, NoteKind::UnrecognizedValue { value, .. } if &**value == "urgent")
    );
}

#[test]
fn what_is_left_out_of_an_update_is_not_what_it_clears() {
    let text = update(r#"{"sessionUpdate":"tool_call_update","status":null,"toolCallId":"c"}"#);
    let (message, _) = decode::<v2::UpdateSessionNotification<'_>>(&text).unwrap();
    let v2::SessionUpdate::ToolCallUpdate(call) = &message.update else {
        panic!("{message:?}")
    };
    assert_eq!((&call.status, &call.title), (&Some(None), &None));
    assert_eq!(encode(&message), text);
}

#[test]
fn the_default_of_a_union_does_not_take_a_tag_that_no_version_has() {
    let method = r#"{"id":"key","name":"Key","type":"env_var","vars":[]}"#;
    let (unknown, _) = decode::<v1::AuthMethod<'_>>(method).unwrap();
    let v1::AuthMethod::Unrecognized(unrecognized) = &unknown else {
        panic!("{unknown:?}")
    };
    assert_eq!(unrecognized.tag, "env_var");
    assert_eq!(encode(&unknown), method);
    let (agent, _) = decode::<v1::AuthMethod<'_>>(r#"{"id":"login","name":"Log in"}"#).unwrap();
    assert!(matches!(agent, v1::AuthMethod::Agent(_)));
    let terminal = r#"{"type":"terminal","id":"tty","name":"Terminal"}"#;
    let (tagged, _) = decode::<v1::AuthMethod<'_>>(terminal).unwrap();
    assert!(matches!(tagged, v1::AuthMethod::Terminal(_)));
    assert_eq!(encode(&tagged), terminal);
}

#[test]
fn error_codes_keep_their_number() {
    let text = r#"{"code":401,"message":"no"}"#;
    let (error, notes) = decode::<v1::Error<'_>>(text).unwrap();
    assert_eq!(
        (error.code, notes.len()),
        (v1::ErrorCode::Unrecognized(401), 1)
    );
    assert_eq!(encode(&error), text);
    assert_eq!(v1::ErrorCode::of(-32601).number(), -32601);
    assert_eq!(
        v1::values::error_code(&v1::ErrorCode::of(-32000)),
        Some(crate::canonical::ErrorClass::PermissionError)
    );
}

#[test]
fn an_answer_of_cursor_is_nested() {
    let nested = r#"{"outcome":{"outcome":"accepted"}}"#;
    let (answer, _) = decode::<v1::CursorCreatePlanResponse<'_>>(nested).unwrap();
    assert_eq!(answer.outcome.tag(), "accepted");
    assert_eq!(encode(&answer), nested);
    assert!(decode::<v1::CursorCreatePlanResponse<'_>>(r#"{"outcome":"accepted"}"#).is_err());
}
