//! Requests of the agent: their decisions, those that nobody knows, and an answer for each.

use agentwire::canonical::RuntimeEvent;
use agentwire::codex::default_answer;
use agentwire::codex::wire::{
    CommandExecutionApprovalDecision as Decision, ServerRequest, ServerRequestKind,
};
use agentwire::envelope::{Message, RequestId, envelopes};
use agentwire::json::{decode, encode};
use agentwire::session::Verdict;
use serde_json::{Value, json};

use super::given;
use crate::support::replay::{Dialogue, assert_raw, event_types, oddities, payload, told, tree};

#[test]
fn decisions_mixed() {
    let line = given("decisions-mixed");
    let outcome = told(&line);
    assert_eq!(
        (&outcome.verdict, outcome.oddities.len()),
        (&Verdict::Mapped, 0)
    );
    assert_eq!(event_types(&outcome), ["item.started", "request.opened"]);
    assert_raw(&outcome, &line);
    assert_eq!(
        payload(&outcome)["requestType"],
        "command_execution_approval"
    );
    let event = tree(&outcome.events[1]);
    assert_eq!(
        event["providerRefs"],
        json!({"providerThreadId": "t", "providerTurnId": "u", "providerItemId": "i", "providerRequestId": "9"})
    );
    let decisions = decisions(&line);
    let [
        Decision::Accept,
        Decision::AcceptWithExecpolicyAmendment(amendment),
    ] = &decisions[..]
    else {
        panic!("{decisions:?}");
    };
    assert_eq!(amendment.execpolicy_amendment.len(), 1);
    comes_back(&line);
}

fn decisions(line: &str) -> Vec<Decision<'_>> {
    let (request, _) = decode::<ServerRequest<'_>>(line).unwrap();
    let ServerRequestKind::ItemCommandExecutionRequestApproval(params) = request.kind else {
        panic!("{line}")
    };
    params.available_decisions.clone().unwrap()
}

fn comes_back(line: &str) {
    let (request, _) = decode::<ServerRequest<'_>>(line).unwrap();
    let again: Value = serde_json::from_str(&encode(&request)).unwrap();
    assert_eq!(again, serde_json::from_str::<Value>(line).unwrap());
}

#[test]
fn decisions_that_nobody_knows_keep_their_place() {
    let line = r#"{"id":9,"method":"item/commandExecution/requestApproval","params":{"threadId":"t","turnId":"u","itemId":"i","availableDecisions":["decline","ponder",{"acceptForMoon":{"phase":"full"}},{"applyNetworkPolicyAmendment":{"network_policy_amendment":{"host":"h","action":"allow"}}}]}}"#;
    let outcome = told(line);
    assert_eq!(
        oddities(&outcome),
        [
            "params.availableDecisions[1]: unrecognized CommandExecutionApprovalDecision `ponder`",
            "params.availableDecisions[2]: unrecognized CommandExecutionApprovalDecision `acceptForMoon`",
        ]
    );
    assert_eq!(event_types(&outcome), ["item.started", "request.opened"]);
    let decisions = decisions(line);
    let tags: Vec<&str> = decisions.iter().map(Decision::tag).collect();
    assert_eq!(
        tags,
        [
            "decline",
            "ponder",
            "acceptForMoon",
            "applyNetworkPolicyAmendment"
        ]
    );
    comes_back(line);
}

#[test]
fn a_decision_with_a_broken_body_is_loud() {
    let line = r#"{"id":9,"method":"item/commandExecution/requestApproval","params":{"threadId":"t","turnId":"u","itemId":"i","availableDecisions":["accept",{"acceptWithExecpolicyAmendment":{"execpolicy_amendment":"ls"}}]}}"#;
    let outcome = told(line);
    let Verdict::Malformed { path, .. } = &outcome.verdict else {
        panic!("{:?}", outcome.verdict)
    };
    assert_eq!(
        path,
        "params.availableDecisions[1].acceptWithExecpolicyAmendment.execpolicy_amendment"
    );
}

#[test]
fn request_unrecognized() {
    let line = given("request-unrecognized");
    let mut dialogue = Dialogue::new();
    let outcome = dialogue.told(&line);
    assert_eq!(outcome.verdict, Verdict::Unrecognized);
    assert_eq!(outcome.tag.as_deref(), Some("item/nebula/ask"));
    assert_raw(&outcome, &line);
    let opened = outcome
        .events
        .iter()
        .find(|event| event.event_type().as_str() == "request.opened");
    let opened = tree(opened.unwrap());
    assert_eq!(opened["payload"]["requestType"], "unknown");
    assert_eq!(opened["providerRefs"]["providerRequestId"], "9");
    assert!(
        opened["requestId"].is_string(),
        "it is visible as unanswered"
    );
    assert!(event_types(&outcome).contains(&"runtime.warning"));
    let answer = default_answer("item/nebula/ask", &RequestId::Integer(9));
    let answer: Value = serde_json::from_str(&answer).unwrap();
    assert_eq!(
        (&answer["id"], &answer["error"]["code"]),
        (&json!(9), &json!(-32601))
    );
    assert_eq!(answer.get("result"), None);
    dialogue.goes_on();
}

#[test]
fn an_unrecognized_request_is_resolved_as_such() {
    let mut dialogue = Dialogue::new();
    let asked = dialogue.told(r#"{"method":"item/nebula/ask","id":0,"params":{"threadId":"t","turnId":"u","itemId":"i","q":[1]}}"#);
    let mut events = asked.events.iter();
    let is_opened = |event: &&RuntimeEvent| event.event_type().as_str() == "request.opened";
    let opened = tree(events.find(is_opened).unwrap());
    assert_eq!(
        opened["payload"]["args"],
        json!({"threadId": "t", "turnId": "u", "itemId": "i", "q": [1]})
    );
    assert_eq!(opened["providerRefs"]["providerThreadId"], "t");
    let answered = dialogue.said(&default_answer("item/nebula/ask", &RequestId::Integer(0)));
    assert_eq!(answered.verdict, Verdict::Noted);
    let resolved = dialogue
        .told(r#"{"method":"serverRequest/resolved","params":{"threadId":"t","requestId":0}}"#);
    assert_eq!(event_types(&resolved), ["request.resolved"]);
    let resolved = tree(&resolved.events[0]);
    assert_eq!(resolved["payload"]["requestType"], "unknown");
    assert_eq!(resolved["payload"].get("decision"), None);
    assert_eq!(resolved["requestId"], opened["requestId"]);
}

#[test]
fn unrecognized_requests_of_any_form() {
    for line in [
        r#"{"id":1,"method":"item/nebula/ask"}"#,
        r#"{"id":1,"method":"item/nebula/ask","params":null}"#,
        r#"{"id":1,"method":"item/nebula/ask","params":[["deep"]]}"#,
        r#"{"id":1,"method":"turn/started","params":{}}"#,
        r#"{"jsonrpc":"2.0","id":"a","method":"","params":{}}"#,
    ] {
        let mut dialogue = Dialogue::new();
        let outcome = dialogue.told(line);
        assert_eq!(outcome.verdict, Verdict::Unrecognized, "{line}");
        assert!(event_types(&outcome).contains(&"request.opened"), "{line}");
        assert_raw(&outcome, line);
        dialogue.goes_on();
    }
}

#[test]
fn every_known_request_has_a_safe_answer_that_decodes() {
    use agentwire::codex::wire::ClientAnswer;
    use agentwire::codex::wire::app_server_request::ROWS;
    use agentwire::json::{Object, Reader};

    assert_eq!(ROWS.len(), 10);
    for row in ROWS {
        for id in [
            RequestId::Integer(0),
            RequestId::Text("1".into()),
            RequestId::Other("null".into()),
        ] {
            let answer = default_answer(row.tag, &id);
            let envelope = envelopes(&answer).unwrap().remove(0);
            let Message::Response { id: echoed, result } = envelope.message else {
                assert!(
                    matches!(envelope.message, Message::Error { .. }),
                    "{answer}"
                );
                continue;
            };
            assert_eq!(echoed, id, "{answer}");
            let mut reader = Reader::new(&answer);
            let decoded = ClientAnswer::read_content(
                &mut reader,
                &Object::at(0),
                row.tag.into(),
                Some(result),
            )
            .unwrap();
            assert!(!matches!(decoded, ClientAnswer::Unrecognized(_)));
            for yes in ["accept\"", "approved", "\"allow\"", "\"success\":true"] {
                assert!(!answer.contains(yes), "{answer}");
            }
        }
    }
}
