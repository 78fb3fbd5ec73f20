//! What a connection's messages become together.

use agentwire::session::Verdict;
use serde_json::Value;

use crate::acp::led;
use crate::support::replay::tree;

const PROMPT: &str =
    r#">{"id":1,"method":"session/prompt","params":{"sessionId":"s","prompt":[]}}"#;
const SECOND: &str =
    r#">{"id":2,"method":"session/prompt","params":{"sessionId":"s","prompt":[]}}"#;
const CHUNK: &str = r#"<{"method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"a"}}}}"#;

fn reply(id: u32, reason: &str) -> String {
    format!(r#"<{{"id":{id},"result":{{"stopReason":"{reason}"}}}}"#)
}

/// The events, each as its type, its turn and its state.
fn told(lines: &[&str]) -> Vec<(String, Value, Value)> {
    let outcomes = led(lines).concat();
    let events = outcomes
        .iter()
        .flat_map(|outcome| &outcome.events)
        .map(tree);
    let told = events.map(|event| {
        let kind = event["type"].as_str().unwrap().to_owned();
        (
            kind,
            event["providerRefs"]["providerTurnId"].clone(),
            event["payload"]["state"].clone(),
        )
    });
    told.collect()
}

fn event(kind: &str, turn: &str, state: &str) -> (String, Value, Value) {
    let state = if state.is_empty() {
        Value::Null
    } else {
        state.into()
    };
    let turn = if turn.is_empty() {
        Value::Null
    } else {
        turn.into()
    };
    (kind.to_owned(), turn, state)
}

#[test]
fn a_prompt_that_goes_out_starts_a_turn_and_its_reply_ends_it() {
    assert_eq!(
        told(&[CHUNK, PROMPT, CHUNK, &reply(1, "end_turn"), CHUNK]),
        [
            // A text that belongs to no turn is an item of its own.
            event("item.started", "", ""),
            event("content.delta", "", ""),
            event("item.completed", "", ""),
            event("turn.started", "1", ""),
            event("item.started", "1", ""),
            event("content.delta", "1", ""),
            event("item.completed", "1", ""),
            event("turn.completed", "1", "completed"),
            event("item.started", "", ""),
            event("content.delta", "", ""),
        ]
    );
}

#[test]
fn a_second_prompt_supersedes_the_first() {
    assert_eq!(
        told(&[
            PROMPT,
            SECOND,
            &reply(1, "cancelled"),
            CHUNK,
            &reply(2, "end_turn")
        ]),
        [
            event("turn.started", "1", ""),
            event("turn.started", "2", ""),
            event("turn.completed", "1", "cancelled"),
            event("item.started", "2", ""),
            event("content.delta", "2", ""),
            event("item.completed", "2", ""),
            event("turn.completed", "2", "completed"),
        ]
    );
}

#[test]
fn an_id_that_is_used_again_is_another_turn() {
    let end = reply(1, "end_turn");
    let turns: Vec<Value> = told(&[PROMPT, &end, PROMPT, &end])
        .into_iter()
        .map(|(_, turn, _)| turn)
        .collect();
    assert_eq!(turns, ["1", "1", "1#2", "1#2"]);
}

#[test]
fn a_prompt_that_an_agent_never_answers_does_not_keep_the_next_turns() {
    let third = SECOND.replace("\"id\":2", "\"id\":3");
    let turns = told(&[PROMPT, SECOND, &reply(2, "end_turn"), &third, CHUNK]);
    assert_eq!(turns.last(), Some(&event("content.delta", "3", "")));
}

#[test]
fn history_belongs_to_no_turn_and_is_marked() {
    let load = r#">{"id":5,"method":"session/load","params":{"sessionId":"s","cwd":"/w","mcpServers":[]}}"#;
    let outcomes = led(&[load, CHUNK, r#"<{"id":5,"result":{}}"#, PROMPT, CHUNK]).concat();
    let kinds: Vec<(Option<String>, Option<&str>)> = outcomes
        .iter()
        .filter(|outcome| outcome.tag.as_deref() == Some("agent_message_chunk"))
        .map(|outcome| {
            let event = &outcome.events[0];
            let kind = event
                .raw
                .as_ref()
                .unwrap()
                .message_type
                .as_deref()
                .map(str::to_owned);
            (kind, event.turn_id.as_ref().map(AsRef::as_ref))
        })
        .collect();
    assert_eq!(
        kinds,
        [
            (Some("history/agent_message_chunk".to_owned()), None),
            (Some("agent_message_chunk".to_owned()), Some("turn-1")),
        ]
    );
    assert_eq!(outcomes[0].verdict, Verdict::Noted);
}

#[test]
fn a_thought_is_another_item_than_its_message() {
    let chunk = |kind: &str| {
        format!(
            r#"<{{"method":"session/update","params":{{"sessionId":"s","update":{{"sessionUpdate":"{kind}","messageId":"m","content":{{"type":"text","text":"a"}}}}}}}}"#
        )
    };
    let outcomes = led(&[&chunk("agent_thought_chunk"), &chunk("agent_message_chunk")]).concat();
    let [thought, message] = &outcomes[..] else {
        panic!("{outcomes:#?}")
    };
    let [started, _] = &thought.events[..] else {
        panic!("{thought:#?}")
    };
    let [ended, message, _] = &message.events[..] else {
        panic!("{message:#?}")
    };
    assert_eq!(tree(started)["payload"]["itemType"], "reasoning");
    assert_eq!(tree(ended)["payload"]["status"], "completed");
    assert_eq!(started.item_id, ended.item_id);
    assert_eq!(tree(message)["payload"]["itemType"], "assistant_message");
    assert_ne!(started.item_id, message.item_id);
}

#[test]
fn a_call_keeps_its_type_after_its_end() {
    let update = |members: &str| {
        format!(
            r#"<{{"method":"session/update","params":{{"sessionId":"s","update":{{"toolCallId":"c",{members}}}}}}}"#
        )
    };
    let outcomes = led(&[
        &update(r#""sessionUpdate":"tool_call","title":"t","kind":"other""#),
        &update(r#""sessionUpdate":"tool_call_update","kind":"edit""#),
        &update(r#""sessionUpdate":"tool_call_update","status":"completed""#),
        &update(r#""sessionUpdate":"tool_call_update","kind":"execute","status":"completed""#),
    ])
    .concat();
    let kinds: Vec<(Value, Value)> = outcomes
        .iter()
        .flat_map(|outcome| &outcome.events)
        .map(|event| {
            (
                tree(event)["type"].clone(),
                tree(event)["payload"]["itemType"].clone(),
            )
        })
        .collect();
    let wanted = [
        ("item.started", "dynamic_tool_call"),
        ("item.updated", "file_change"),
        ("item.completed", "file_change"),
        ("item.updated", "file_change"),
    ];
    assert_eq!(kinds, wanted.map(|(kind, item)| (kind.into(), item.into())));
}

#[test]
fn the_agent_cancels_its_own_request() {
    let outcomes = led(&[
        r#"<{"id":"p","method":"session/request_permission","params":{"sessionId":"s","toolCall":{"toolCallId":"c"},"options":[]}}"#,
        r#"<{"method":"$/cancel_request","params":{"requestId":"p"}}"#,
        r#"<{"method":"$/cancel_request","params":{"requestId":"p"}}"#,
    ])
    .concat();
    let kinds: Vec<Value> = outcomes
        .iter()
        .flat_map(|it| &it.events)
        .map(|it| tree(it)["type"].clone())
        .collect();
    assert_eq!(
        kinds,
        [
            "item.started",
            "request.opened",
            "request.resolved",
            "runtime.warning"
        ]
    );
}
