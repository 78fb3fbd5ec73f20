//! Faults on the wire of the agent client protocol.

use agentwire::session::Verdict;
use serde_json::Value;

use crate::acp::{last, led};
use crate::support::replay::{event_types, oddities, tree};
use crate::support::table;

/// The lines of a case.
fn given(id: &str) -> Vec<String> {
    let cases = table::lines("acp_faults.jsonl");
    let cases = cases
        .iter()
        .map(|line| serde_json::from_str::<Value>(line).unwrap());
    let case = cases.into_iter().find(|case| case["id"] == id).unwrap();
    let agent = |line: &Value| format!("<{}", line.as_str().unwrap());
    match case["input"].as_array() {
        Some(lines) => lines.iter().map(agent).collect(),
        None => vec![agent(&case["input"])],
    }
}

fn texts(lines: &[String]) -> Vec<&str> {
    lines.iter().map(String::as_str).collect()
}

#[test]
fn an_unknown_update_is_a_warning_with_its_message() {
    let lines = given("unrecognized-update");
    let outcome = last(&texts(&lines));
    assert_eq!(outcome.verdict, Verdict::Unrecognized);
    assert_eq!(outcome.tag.as_deref(), Some("aurora_update"));
    assert_eq!(event_types(&outcome), ["runtime.warning"]);
    assert_eq!(tree(&outcome.events[0])["payload"]["detail"]["x"], 1);
    assert_eq!(outcome.oddities, []);
}

#[test]
fn a_plan_keeps_every_entry() {
    let outcome = last(&texts(&given("plan-entry-kept")));
    assert_eq!(event_types(&outcome), ["turn.plan.updated"]);
    let plan = tree(&outcome.events[0])["payload"]["plan"].clone();
    let steps: Vec<&str> = plan
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it["step"].as_str().unwrap())
        .collect();
    assert_eq!(steps, ["a", "b"]);
    let [oddity] = &oddities(&outcome)[..] else {
        panic!("{outcome:#?}")
    };
    assert!(oddity.contains("`urgent`"), "{oddity}");
}

#[test]
fn an_update_of_a_call_that_was_never_announced_opens_it() {
    let outcome = last(&texts(&given("delta-before-start")));
    assert_eq!(event_types(&outcome), ["item.started", "item.completed"]);
    assert_eq!(outcome.events[0].item_id, outcome.events[1].item_id);
    assert!(outcome.events[0].item_id.is_some());
}

#[test]
fn a_call_that_is_announced_twice_starts_once() {
    let outcomes = led(&texts(&given("duplicate-tool-call"))).concat();
    assert_eq!(event_types(&outcomes[0]), ["item.started"]);
    assert_eq!(event_types(&outcomes[1]), ["item.updated"]);
    assert_eq!(outcomes[0].events[0].item_id, outcomes[1].events[0].item_id);
}

#[test]
fn ids_are_told_apart_and_kept_as_they_are() {
    let mut lines = given("ids");
    lines.extend(["null", "-7"].map(|id| {
        format!(r#"<{{"jsonrpc":"2.0","id":{id},"method":"session/request_permission","params":{{"sessionId":"s","toolCall":{{"toolCallId":"c"}},"options":[]}}}}"#)
    }));
    let opened: Vec<Value> = led(&texts(&lines))
        .concat()
        .iter()
        .map(|outcome| tree(outcome.events.last().unwrap()))
        .collect();
    let ids: Vec<&str> = opened
        .iter()
        .map(|event| event["providerRefs"]["providerRequestId"].as_str().unwrap())
        .collect();
    assert_eq!(ids, ["0", r#""1""#, "1", "null", "-7"]);
    let mut canonical: Vec<&str> = opened
        .iter()
        .map(|event| event["requestId"].as_str().unwrap())
        .collect();
    canonical.dedup();
    assert_eq!(canonical.len(), 5);
    // An answer resolves the request whose id it echoes, in that form.
    lines.push(String::from(
        r#">{"jsonrpc":"2.0","id":"1","result":{"outcome":{"outcome":"cancelled"}}}"#,
    ));
    let resolved = tree(&last(&texts(&lines)).events[0]);
    assert_eq!(
        (&resolved["type"], &resolved["requestId"]),
        (&Value::from("request.resolved"), &opened[1]["requestId"])
    );
}

#[test]
fn messages_come_in_batches_and_without_a_version() {
    let chunk = r#"{"method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"a"}}}}"#;
    let [outcomes] = <[_; 1]>::try_from(led(&[&format!("<[{chunk},{chunk}]")])).unwrap();
    assert_eq!(outcomes.len(), 2);
    assert_eq!(event_types(&outcomes[0]), ["item.started", "content.delta"]);
    assert_eq!(event_types(&outcomes[1]), ["content.delta"]);
}

#[test]
fn what_does_not_decode_names_its_place() {
    let outcome = last(&[
        r#"<{"method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":7}}}}"#,
    ]);
    assert!(
        matches!(&outcome.verdict, Verdict::Malformed { path, .. } if path == "params.update.content.text"),
        "{outcome:#?}"
    );
    assert_eq!(event_types(&outcome), ["runtime.error"]);
}

#[test]
fn an_extension_of_an_agent_is_never_silent() {
    let told = last(&[r#"<{"jsonrpc":"2.0","method":"_aurora/end","params":{"sessionId":"s"}}"#]);
    assert_eq!(told.verdict, Verdict::Unrecognized);
    assert_eq!(event_types(&told), ["runtime.warning"]);
    let asked =
        last(&[r#"<{"jsonrpc":"2.0","id":1,"method":"_aurora/start","params":{"sessionId":"s"}}"#]);
    assert_eq!(event_types(&asked), ["request.opened", "runtime.warning"]);
}

#[test]
fn a_reply_to_a_prompt_that_cannot_be_read_ends_its_turn_as_a_failure() {
    let outcome = last(&[
        r#">{"id":1,"method":"session/prompt","params":{"sessionId":"s","prompt":[]}}"#,
        r#"<{"id":1,"result":{"stopReason":7}}"#,
    ]);
    assert!(matches!(outcome.verdict, Verdict::Malformed { .. }));
    assert_eq!(event_types(&outcome), ["runtime.error", "turn.completed"]);
    assert_eq!(tree(&outcome.events[1])["payload"]["state"], "failed");
}
