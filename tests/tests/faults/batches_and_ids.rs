//! Several messages in one line, and the ids of requests: whatever they look like, they go back as
//! they came.

use agentwire::codex::default_answer;
use agentwire::envelope::{Message, envelopes};
use agentwire::session::{Outcome, Verdict};
use serde_json::json;

use crate::support::replay::{Dialogue, assert_raw, event_types, tree};

const WARNING: &str = r#"{"method":"warning","params":{"message":"fog"}}"#;

#[test]
fn a_malformed_message_costs_its_batch_nothing() {
    let unknown = r#"{"method":"nebula/changed"}"#;
    let broken = r#"{"method":"item/agentMessage/delta","params":{"threadId":7}}"#;
    let line = format!("[{WARNING}, {broken} ,{unknown},5,[{WARNING}],{WARNING}]");
    let mut dialogue = Dialogue::new();
    let outcomes = dialogue.agent(&line);
    assert_eq!(outcomes.len(), 6);
    let messages = [
        WARNING,
        broken,
        unknown,
        "5",
        &format!("[{WARNING}]"),
        WARNING,
    ];
    for (outcome, message) in outcomes.iter().zip(messages) {
        assert_raw(outcome, message);
        assert_eq!(outcome.line, 1);
    }
    assert_eq!(outcomes[0].verdict, Verdict::Mapped);
    let Verdict::Malformed { path, message } = &outcomes[1].verdict else {
        panic!("{:?}", outcomes[1])
    };
    assert_eq!(
        (path.as_str(), message.as_str()),
        ("[1].params.threadId", "expected string, found number")
    );
    for outcome in &outcomes[2..5] {
        assert_eq!(outcome.verdict, Verdict::Unrecognized);
    }
    assert_eq!(outcomes[5].verdict, Verdict::Mapped);
    dialogue.goes_on();
}

#[test]
fn oddities_in_a_batch_are_found_at_their_place() {
    let account = r#"{"method":"account/updated","params":{"authMode":"chatgpt","planType":"zz"}}"#;
    let outcomes = Dialogue::new().agent(&format!("[{WARNING},{account}]"));
    assert_eq!(outcomes[1].oddities[0].path, "[1].params.planType");
}

#[test]
fn an_empty_batch_is_told_as_no_message() {
    let mut dialogue = Dialogue::new();
    for line in ["[]", " [ ] "] {
        let outcome = dialogue.told(line);
        assert!(
            matches!(outcome.verdict, Verdict::NotJson { .. }),
            "{:?}",
            outcome.verdict
        );
    }
    dialogue.goes_on();
}

#[test]
fn a_batch_that_is_cut_short_is_one_line_that_is_not_json() {
    let mut dialogue = Dialogue::new();
    let outcome = dialogue.told(&format!("[{WARNING},"));
    assert!(
        matches!(outcome.verdict, Verdict::NotJson { .. }),
        "{:?}",
        outcome.verdict
    );
    dialogue.goes_on();
}

fn asked(dialogue: &mut Dialogue, id: &str) -> Outcome {
    let outcome = dialogue.told(&format!(
        r#"{{"method":"item/fileChange/requestApproval","id":{id},"params":{{"threadId":"t","turnId":"u","itemId":"i"}}}}"#
    ));
    // The first request about an item opens it.
    let types = event_types(&outcome);
    let opened = types.strip_prefix(&["item.started"]).unwrap_or(&types);
    assert_eq!(opened, ["request.opened"], "{id}");
    outcome
}

#[test]
fn ids_are_distinct_and_go_back_as_they_came() {
    let ids = [
        "0",
        "\"1\"",
        "1",
        "-1",
        "null",
        "\"\"",
        "\"null\"",
        "1.0",
        "18446744073709551616",
        r#""\ud83d""#,
        "-0",
    ];
    let mut dialogue = Dialogue::new();
    let mut seen = Vec::new();
    for id in ids {
        let outcome = asked(&mut dialogue, id);
        let event = outcome.events.last().unwrap();
        let refs = event.provider_refs.as_ref().unwrap();
        assert_eq!(refs.provider_request_id.as_ref().unwrap().as_str(), id);
        let request = event.request_id.clone().unwrap();
        assert!(
            !seen.contains(&request),
            "{id} is taken for another request"
        );
        seen.push(request);
        let line = outcome.events[0]
            .raw
            .as_ref()
            .unwrap()
            .payload
            .as_str()
            .to_owned();
        let Message::Request { id: read, .. } = envelopes(&line).unwrap().remove(0).message else {
            panic!("{line}")
        };
        let answer = default_answer("item/fileChange/requestApproval", &read);
        assert!(answer.starts_with(&format!(r#"{{"id":{id},"#)), "{answer}");
    }
}

#[test]
fn an_answer_belongs_to_the_request_of_its_exact_id() {
    let mut dialogue = Dialogue::new();
    let number = tree(asked(&mut dialogue, "1").events.last().unwrap());
    let text = tree(asked(&mut dialogue, "\"1\"").events.last().unwrap());
    dialogue.said(r#"{"id":"1","result":{"decision":"decline"}}"#);
    dialogue.said(r#"{"id":1,"result":{"decision":"accept"}}"#);
    let mut resolved = |id: &str| {
        let line = format!(
            r#"{{"method":"serverRequest/resolved","params":{{"threadId":"t","requestId":{id}}}}}"#
        );
        tree(&dialogue.told(&line).events[0])
    };
    let (of_number, of_text) = (resolved("1"), resolved("\"1\""));
    assert_eq!(
        (&of_number["requestId"], &of_number["payload"]["decision"]),
        (&number["requestId"], &json!("accept"))
    );
    assert_eq!(
        (&of_text["requestId"], &of_text["payload"]["decision"]),
        (&text["requestId"], &json!("decline"))
    );
}

#[test]
fn a_reply_belongs_to_the_request_of_its_exact_id() {
    let mut dialogue = Dialogue::new();
    dialogue.said(r#"{"id":"1","method":"thread/archive","params":{"threadId":"t"}}"#);
    dialogue.said(r#"{"id":1,"method":"thread/loaded/list","params":{}}"#);
    let tags: Vec<_> = [
        r#"{"id":1,"result":{"data":[]}}"#,
        r#"{"id":"1","result":{}}"#,
    ]
    .map(|line| dialogue.told(line).tag.unwrap_or_default())
    .to_vec();
    assert_eq!(
        tags.iter().map(|tag| &**tag).collect::<Vec<_>>(),
        ["thread/loaded/list", "thread/archive"]
    );
}

#[test]
fn a_reply_to_nothing_is_told_and_not_guessed_at() {
    let mut dialogue = Dialogue::new();
    let line = r#"{"id":4,"result":{"thread":{}}}"#;
    let outcome = dialogue.told(line);
    assert_eq!(outcome.verdict, Verdict::Unmatched);
    assert_eq!(event_types(&outcome), ["runtime.warning"]);
    assert_raw(&outcome, line);
    dialogue.said(r#"{"id":4,"method":"thread/archive","params":{"threadId":"t"}}"#);
    assert!(matches!(
        dialogue.told(r#"{"id":4,"result":{}}"#).verdict,
        Verdict::Dropped(_) | Verdict::Mapped
    ));
    assert_eq!(
        dialogue.told(r#"{"id":4,"result":{}}"#).verdict,
        Verdict::Unmatched,
        "answered already"
    );
    dialogue.goes_on();
}

#[test]
fn errors_without_an_id_are_told() {
    for line in [
        r#"{"error":{"code":-32700,"message":"fog"}}"#,
        r#"{"error":{"code":-32700,"message":"fog"},"id":null}"#,
        r#"{"id":77,"error":{"code":-32600,"message":"fog","data":{"x":1}}}"#,
    ] {
        let mut dialogue = Dialogue::new();
        let outcome = dialogue.told(line);
        assert_raw(&outcome, line);
        let event = tree(&outcome.events[0]);
        assert!(
            event["type"].as_str().unwrap().starts_with("runtime."),
            "{event}"
        );
        assert!(
            event["payload"]["message"]
                .as_str()
                .unwrap()
                .contains("fog"),
            "{event}"
        );
        dialogue.goes_on();
    }
}

#[test]
fn the_failure_of_a_request_names_it() {
    let mut dialogue = Dialogue::new();
    dialogue.said(r#"{"id":4,"method":"turn/start","params":{"threadId":"t","input":[]}}"#);
    let line = r#"{"error":{"code":-32600,"message":"no such thread"},"id":4}"#;
    let outcome = dialogue.told(line);
    assert_eq!(outcome.tag.as_deref(), Some("turn/start"));
    let event = tree(&outcome.events[0]);
    assert_eq!(
        (&event["type"], &event["payload"]["class"]),
        (&json!("runtime.error"), &json!("validation_error"))
    );
    assert_eq!(event["providerRefs"]["providerThreadId"], "t");
    assert_eq!(
        event["payload"]["detail"],
        json!({"code": -32600, "message": "no such thread"})
    );
    assert_eq!(dialogue.told(line).tag, None, "answered already");
}
