//! Tags that no vendored version has: of messages, and of values inside messages.

use agentwire::session::Verdict;
use serde_json::json;

use super::given;
use crate::support::replay::{
    Dialogue, assert_raw, event_types, oddities, only, payload, rollout, told, tree,
};

const THREAD: &str = r#"{"id":"t","cliVersion":"0","createdAt":1,"cwd":"/w","ephemeral":false,"modelProvider":"p","preview":"","source":"cli","status":{"type":"idle"},"updatedAt":1,"turns":[]}"#;

#[test]
fn unrecognized_method() {
    let line = given("unrecognized-method");
    let mut dialogue = Dialogue::new();
    let outcome = dialogue.told(&line);
    assert_eq!(outcome.verdict, Verdict::Unrecognized);
    assert_eq!(outcome.tag.as_deref(), Some("nebula/changed"));
    assert_eq!(outcome.surface, Some("codex.app-server.notification"));
    assert_eq!(event_types(&outcome), ["runtime.warning"]);
    assert_raw(&outcome, &line);
    let event = tree(&outcome.events[0]);
    assert_eq!(event["providerRefs"], json!({"providerThreadId": "t"}));
    assert_eq!(
        event.get("threadId"),
        None,
        "an unknown message mints no ids"
    );
    assert_eq!(
        event["payload"]["detail"],
        json!({"threadId": "t", "x": [1, 2]})
    );
    assert!(
        event["payload"]["message"]
            .as_str()
            .unwrap()
            .contains("nebula/changed")
    );
    dialogue.goes_on();
}

#[test]
fn an_unrecognized_method_finds_the_thread_that_is_known() {
    let mut dialogue = Dialogue::new();
    let started = dialogue.told(&format!(
        r#"{{"method":"thread/started","params":{{"thread":{THREAD}}}}}"#
    ));
    assert_eq!(event_types(&started), ["thread.started"]);
    let line = r#"{"params":{"turnId":"u","threadId":"t"},"method":"nebula/changed"}"#;
    let outcome = dialogue.told(line);
    assert_raw(&outcome, line);
    let event = tree(&outcome.events[0]);
    assert_eq!(event["threadId"], tree(&started.events[0])["threadId"]);
    assert_eq!(event.get("turnId"), None, "the turn was never told of");
    assert_eq!(
        event["providerRefs"],
        json!({"providerThreadId": "t", "providerTurnId": "u"})
    );
}

#[test]
fn an_unrecognized_method_may_have_any_body() {
    let bodies = [
        r#"{"method":"nebula/changed"}"#,
        r#"{"method":"nebula/changed","params":null}"#,
        r#"{"method":"nebula/changed","params":[1,{"threadId":"t"}]}"#,
        r#"{"method":"nebula/changed","params":"text"}"#,
        r#"{"method":"nebula/changed","params":{"threadId":7,"turnId":null,"itemId":["i"]}}"#,
        r#"{"method":"","params":{}}"#,
        r#"{"method":"turn/Started","params":{"threadId":""}}"#,
        r#"{"jsonrpc":"2.0","method":"thread/started/again","emittedAtMs":1,"params":{}}"#,
    ];
    let mut dialogue = Dialogue::new();
    for line in bodies {
        let outcome = dialogue.told(line);
        assert_eq!(outcome.verdict, Verdict::Unrecognized, "{line}");
        assert_eq!(event_types(&outcome), ["runtime.warning"], "{line}");
        assert_raw(&outcome, line);
        assert_eq!(tree(&outcome.events[0]).get("providerRefs"), None, "{line}");
        dialogue.goes_on();
    }
}

#[test]
fn an_unrecognized_event_of_the_older_protocol() {
    let line = r#"{"method":"codex/event/aurora","params":{"id":"u","msg":{"type":"aurora","x":1},"conversationId":"t"}}"#;
    let mut dialogue = Dialogue::new();
    let outcome = dialogue.told(line);
    assert_eq!(outcome.verdict, Verdict::Unrecognized);
    assert_eq!(
        (outcome.surface, outcome.tag.as_deref()),
        (Some("codex.eventmsg"), Some("aurora"))
    );
    assert_eq!(event_types(&outcome), ["runtime.warning"]);
    assert_raw(&outcome, line);
    let event = tree(&outcome.events[0]);
    assert_eq!(event["providerRefs"]["providerThreadId"], "t");
    assert_eq!(event.get("threadId"), None);
    assert_eq!(
        event["payload"]["detail"],
        json!({"type": "aurora", "x": 1})
    );
    dialogue.goes_on();
}

#[test]
fn an_unrecognized_event_of_a_session_file() {
    let line = r#"{"timestamp":"2026-11-29T20:00:00.000Z","type":"event_msg","payload":{"type":"aurora","turn_id":"u"}}"#;
    let mut file = rollout();
    file.push(format!("{line}\n").as_bytes());
    let outcome = only(file.outcomes().collect());
    assert_eq!(outcome.verdict, Verdict::Unrecognized);
    assert_eq!(event_types(&outcome), ["runtime.warning"]);
    assert_raw(&outcome, line);
    let event = tree(&outcome.events[0]);
    assert_eq!(event["createdAt"], "2026-11-29T20:00:00.000Z");
    assert_eq!(event["providerRefs"]["providerTurnId"], "u");
}

/// The items of a thread's only turn, with the request that asks for them.
fn thread_read(dialogue: &mut Dialogue, line: &str) -> agentwire::session::Outcome {
    dialogue
        .said(r#"{"id":4,"method":"thread/read","params":{"threadId":"t","includeTurns":true}}"#);
    dialogue.told(line)
}

#[test]
fn unrecognized_item_in_list() {
    let line = given("unrecognized-item-in-list");
    let mut dialogue = Dialogue::new();
    let outcome = thread_read(&mut dialogue, &line);
    assert!(
        !matches!(
            outcome.verdict,
            Verdict::Malformed { .. } | Verdict::Unmatched
        ),
        "{:?}",
        outcome.verdict
    );
    assert_eq!(
        oddities(&outcome),
        ["result.thread.turns[0].items[1]: unrecognized ThreadItemKind `hologramCall`"]
    );
    both_items_survive(&line);
    dialogue.goes_on();
}

/// Decodes the reply and proves that its second item is there, untouched, and comes back.
fn both_items_survive(line: &str) {
    use agentwire::codex::wire::{ServerResponse, ThreadItemKind};
    use agentwire::json::{Object, Reader, Writer};

    let result = line.find("{\"thread\"").unwrap()..line.len() - 1;
    let mut reader = Reader::new(line);
    let object = Object::at(0);
    let response = ServerResponse::read_content(
        &mut reader,
        &object,
        "thread/read".into(),
        Some(result.clone()),
    )
    .unwrap();
    let ServerResponse::ThreadRead(read) = &response else {
        panic!("{response:?}")
    };
    let items = &read.thread.turns[0].items;
    assert_eq!(items.len(), 2);
    assert!(matches!(&items[0].kind, ThreadItemKind::AgentMessage(message) if message.text == "x"));
    let ThreadItemKind::Unrecognized(second) = &items[1].kind else {
        panic!("{:?}", items[1])
    };
    assert_eq!(
        (&*second.tag, second.raw.as_str()),
        ("hologramCall", r#"{"type":"hologramCall","id":"b"}"#)
    );
    let mut writer = Writer::new();
    let mut object = writer.object();
    response.write_content(&mut object);
    object.end();
    let again: serde_json::Value = serde_json::from_str(&writer.finish()).unwrap();
    let before: serde_json::Value = serde_json::from_str(&line[result]).unwrap();
    assert_eq!(
        again["result"]["thread"]["turns"],
        before["thread"]["turns"]
    );
}

#[test]
fn an_unrecognized_item_of_a_whole_thread() {
    let turns = r#""turns":[{"id":"u","status":"completed","items":[{"type":"agentMessage","id":"a","text":"x"},{"type":"hologramCall","id":"b"}]}]"#;
    let thread = THREAD.replace(r#""turns":[]"#, turns);
    let line = format!(r#"{{"id":4,"result":{{"thread":{thread}}}}}"#);
    let mut dialogue = Dialogue::new();
    let outcome = thread_read(&mut dialogue, &line);
    assert_eq!(
        oddities(&outcome),
        ["result.thread.turns[0].items[1]: unrecognized ThreadItemKind `hologramCall`"]
    );
    both_items_survive(&line);
}

#[test]
fn an_unrecognized_item_of_a_turn_that_ends() {
    let line = r#"{"method":"turn/completed","params":{"threadId":"t","turn":{"id":"u","status":"completed","items":[{"type":"hologramCall"},{"type":"agentMessage","id":"a","text":"x"},{"type":""}]}}}"#;
    let outcome = told(line);
    assert_eq!(
        oddities(&outcome),
        [
            "params.turn.items[0]: unrecognized ThreadItemKind `hologramCall`",
            "params.turn.items[2]: unrecognized ThreadItemKind ``",
        ]
    );
    assert_eq!(event_types(&outcome), ["turn.started", "turn.completed"]);
    assert_eq!(payload(&outcome)["state"], "completed");
    assert_raw(&outcome, line);
}

#[test]
fn an_unrecognized_item_has_a_life() {
    let mut dialogue = Dialogue::new();
    let item = r#"{"type":"hologramCall","id":"b","beams":3}"#;
    let line = |method: &str| {
        format!(r#"{{"method":"{method}","params":{{"threadId":"t","turnId":"u","item":{item}}}}}"#)
    };
    let started = dialogue.told(&line("item/started"));
    assert_eq!(started.verdict, Verdict::Mapped);
    assert_eq!(event_types(&started), ["item.started"]);
    assert_eq!(
        oddities(&started),
        ["params.item: unrecognized ThreadItemKind `hologramCall`"]
    );
    assert_eq!(payload(&started)["itemType"], "unknown");
    assert_eq!(
        payload(&started)["data"],
        json!({"type": "hologramCall", "id": "b", "beams": 3})
    );
    let completed = dialogue.told(&line("item/completed"));
    assert_eq!(event_types(&completed), ["item.completed"]);
    assert_eq!(completed.events[0].item_id, started.events[0].item_id);
    assert!(completed.events[0].item_id.is_some());
    assert_eq!(
        payload(&completed).get("status"),
        None,
        "how it ended is not known"
    );
}

#[test]
fn an_unrecognized_part_costs_its_neighbours_nothing() {
    let line = r#"{"method":"item/completed","params":{"threadId":"t","turnId":"u","item":{"type":"userMessage","id":"a","content":[{"type":"text","text":"one"},{"type":"scent","notes":["salt"]},{"type":"text","text":"two"}]}}}"#;
    let outcome = told(line);
    assert_eq!(
        oddities(&outcome),
        ["params.item.content[1]: unrecognized UserInput `scent`"]
    );
    let completed = tree(outcome.events.last().unwrap());
    assert_eq!(completed["payload"]["detail"], "one\ntwo");
    assert_eq!(
        completed["payload"]["data"]["content"][1],
        json!({"type": "scent", "notes": ["salt"]})
    );
    assert_raw(&outcome, line);
}

#[test]
fn an_unrecognized_message_with_an_id_but_no_method_is_told_of() {
    for line in [
        r#"{"id":1}"#,
        r#"{"hello":"world"}"#,
        "{}",
        r#"{"method":7,"params":{}}"#,
        r#"{"id":true,"method":"x"}"#,
    ] {
        let mut dialogue = Dialogue::new();
        let outcome = dialogue.told(line);
        assert_eq!(outcome.verdict, Verdict::Unrecognized, "{line}");
        assert_eq!(event_types(&outcome), ["runtime.warning"], "{line}");
        assert_raw(&outcome, line);
        dialogue.goes_on();
    }
}
