//! How items end that no message of the agent ends.

use serde_json::{Value, json};

use crate::acp::led;
use crate::support::replay::tree;

const PROMPT: &str =
    r#">{"id":1,"method":"session/prompt","params":{"sessionId":"s","prompt":[]}}"#;

fn update(update: Value) -> String {
    let params = json!({"sessionId": "s", "update": update});
    format!("<{}", json!({"method": "session/update", "params": params}))
}

fn chunk(kind: &str, text: &str) -> String {
    update(json!({"sessionUpdate": kind, "content": {"type": "text", "text": text}}))
}

fn named(kind: &str, id: &str, text: &str) -> String {
    update(
        json!({"sessionUpdate": kind, "messageId": id, "content": {"type": "text", "text": text}}),
    )
}

fn call(id: &str, status: &str) -> String {
    update(
        json!({"sessionUpdate": "tool_call", "toolCallId": id, "title": id, "kind": "execute", "status": status}),
    )
}

fn news(id: &str, status: &str) -> String {
    update(json!({"sessionUpdate": "tool_call_update", "toolCallId": id, "status": status}))
}

fn asked(id: &str, call: &str) -> String {
    let options = json!([
        {"optionId": "yes", "name": "Yes", "kind": "allow_once"},
        {"optionId": "no", "name": "No", "kind": "reject_once"},
    ]);
    let params = json!({"sessionId": "s", "toolCall": {"toolCallId": call, "kind": "edit", "title": "write"}, "options": options});
    format!(
        "<{}",
        json!({"id": id, "method": "session/request_permission", "params": params})
    )
}

fn chosen(id: &str, option: &str) -> String {
    let outcome = match option {
        "cancelled" => json!({"outcome": "cancelled"}),
        option => json!({"outcome": "selected", "optionId": option}),
    };
    format!(">{}", json!({"id": id, "result": {"outcome": outcome}}))
}

fn reply(reason: &str) -> String {
    format!("<{}", json!({"id": 1, "result": {"stopReason": reason}}))
}

/// The ends of items, each as its type, its status and its detail, with `|` for the end of a turn.
fn ends(lines: &[String]) -> Vec<String> {
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    let outcomes = led(&lines).concat();
    let events = outcomes
        .iter()
        .flat_map(|outcome| &outcome.events)
        .map(tree);
    let told = events.filter_map(|event| match event["type"].as_str().unwrap() {
        "item.completed" => {
            let payload = &event["payload"];
            let words = ["itemType", "status", "detail"].map(|name| payload[name].as_str());
            Some(words.into_iter().flatten().collect::<Vec<_>>().join(" "))
        }
        "turn.completed" => Some(String::from("|")),
        _ => None,
    });
    told.collect()
}

#[test]
fn a_text_ends_with_another_kind_a_call_and_the_turn() {
    let lines = [
        PROMPT.to_owned(),
        chunk("agent_thought_chunk", "h"),
        chunk("agent_thought_chunk", "m"),
        chunk("agent_message_chunk", "a"),
        call("c", "pending"),
        chunk("agent_message_chunk", "b"),
        news("c", "in_progress"),
        chunk("agent_message_chunk", "c"),
        news("c", "completed"),
        reply("end_turn"),
    ];
    assert_eq!(
        ends(&lines),
        [
            "reasoning completed hm",
            "assistant_message completed a",
            "command_execution completed",
            "assistant_message completed bc",
            "|",
        ]
    );
}

#[test]
fn a_message_that_goes_on_after_a_call_is_another_item() {
    let lines = [
        PROMPT.to_owned(),
        named("agent_message_chunk", "m", "a"),
        call("c", "completed"),
        named("agent_message_chunk", "m", "b"),
        named("agent_message_chunk", "n", "c"),
        reply("end_turn"),
    ];
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    let outcomes = led(&lines).concat();
    let names: Vec<Value> = outcomes
        .iter()
        .flat_map(|outcome| &outcome.events)
        .map(tree)
        .filter(|event| event["type"] == "content.delta")
        .map(|event| event["providerRefs"]["providerItemId"].clone())
        .collect();
    assert_eq!(names, ["m", "m#2", "n"]);
}

#[test]
fn what_is_cut_short_has_not_succeeded() {
    for reason in [
        "cancelled",
        "refusal",
        "max_tokens",
        "max_turn_requests",
        "aurora",
    ] {
        let lines = [
            PROMPT.to_owned(),
            call("c", "in_progress"),
            chunk("agent_message_chunk", "a"),
            reply(reason),
        ];
        assert_eq!(
            ends(&lines),
            [
                "assistant_message failed a",
                "command_execution failed",
                "|"
            ],
            "{reason}"
        );
    }
    let refused = r#"<{"id":1,"error":{"code":-32603,"message":"no"}}"#.to_owned();
    let unread = r#"<{"id":1,"result":{"stopReason":7}}"#.to_owned();
    for end in [refused, unread] {
        let lines = [PROMPT.to_owned(), chunk("agent_message_chunk", "a"), end];
        assert_eq!(ends(&lines), ["assistant_message failed a", "|"]);
    }
}

#[test]
fn a_call_that_its_turn_forgets_has_not_succeeded() {
    let lines = [
        PROMPT.to_owned(),
        call("c", "in_progress"),
        reply("end_turn"),
        news("c", "in_progress"),
        news("c", "completed"),
    ];
    assert_eq!(ends(&lines), ["command_execution failed", "|"]);
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    let statuses: Vec<Value> = led(&lines[..])
        .concat()
        .iter()
        .skip(3)
        .map(|outcome| tree(&outcome.events[0]))
        .map(|event| json!([event["type"], event["payload"]["status"]]))
        .collect();
    // It is not open again; that it has succeeded after all is news.
    assert_eq!(
        statuses,
        [
            json!(["item.updated", null]),
            json!(["item.updated", "completed"])
        ]
    );
}

#[test]
fn a_call_that_the_client_does_not_allow_is_declined() {
    for option in ["no", "cancelled"] {
        // The agent says that it failed, or nothing more.
        for last in [Some(news("c", "failed")), None] {
            let mut lines = vec![PROMPT.to_owned(), asked("p", "c"), chosen("p", option)];
            let agent_ends = last.is_some();
            lines.extend(last);
            lines.push(reply("end_turn"));
            assert_eq!(
                ends(&lines),
                ["file_change declined", "|"],
                "{option} {agent_ends}"
            );
        }
    }
    let allowed = [
        PROMPT.to_owned(),
        asked("p", "c"),
        chosen("p", "yes"),
        news("c", "failed"),
        reply("end_turn"),
    ];
    assert_eq!(ends(&allowed), ["file_change failed", "|"]);
    let asked_again = [
        PROMPT.to_owned(),
        asked("p", "c"),
        chosen("p", "no"),
        asked("q", "c"),
        chosen("q", "yes"),
        news("c", "failed"),
    ];
    assert_eq!(ends(&asked_again), ["file_change failed"]);
    // Version 2 asks about commands whose calls are announced later, if at all.
    let agreed = r#"<{"id":0,"result":{"protocolVersion":2,"capabilities":{},"info":{"name":"a","version":"1"}}}"#;
    let subject = json!({"type": "command", "command": "sink", "cwd": "/w", "toolCallId": "c"});
    let options = json!([{"optionId": "no", "name": "No", "kind": "reject_once"}]);
    let params = json!({"sessionId": "s", "title": "t", "subject": subject, "options": options});
    let announced_late = [
        r#">{"id":0,"method":"initialize","params":{}}"#.to_owned(),
        agreed.to_owned(),
        PROMPT.to_owned(),
        format!(
            "<{}",
            json!({"id": "p", "method": "session/request_permission", "params": params})
        ),
        chosen("p", "no"),
        news("c", "cancelled"),
    ];
    assert_eq!(ends(&announced_late), ["unknown declined"]);
    let unreadable = [PROMPT.to_owned(), asked("p", "c"), chosen("p", "perhaps")];
    let unreadable = [&unreadable[..], &[news("c", "failed")]].concat();
    assert_eq!(ends(&unreadable), ["file_change failed"]);
}

#[test]
fn the_end_of_one_turn_leaves_the_others() {
    let elsewhere = |line: String| line.replace(r#""sessionId":"s""#, r#""sessionId":"t""#);
    let second = elsewhere(PROMPT.replace(r#""id":1"#, r#""id":2"#));
    let lines = [
        PROMPT.to_owned(),
        second,
        call("c", "in_progress"),
        elsewhere(call("c", "in_progress")),
        elsewhere(chunk("agent_message_chunk", "a")),
        reply("end_turn"),
        elsewhere(news("c", "completed")),
        reply("end_turn").replace(r#""id":1"#, r#""id":2"#),
    ];
    assert_eq!(
        ends(&lines),
        [
            "command_execution failed",
            "|",
            "command_execution completed",
            "assistant_message completed a",
            "|",
        ]
    );
}

#[test]
fn history_ends_with_the_answer_that_follows_it() {
    let load = r#">{"id":5,"method":"session/load","params":{"sessionId":"s","cwd":"/w","mcpServers":[]}}"#;
    let lines = [
        load.to_owned(),
        chunk("user_message_chunk", "q"),
        call("c", "pending"),
        chunk("agent_message_chunk", "a"),
        r#"<{"id":5,"result":{}}"#.to_owned(),
    ];
    assert_eq!(
        ends(&lines),
        [
            "user_message completed q",
            "command_execution failed",
            "assistant_message completed a",
        ]
    );
}

#[test]
fn a_closed_session_leaves_nothing_open() {
    let lines = [
        PROMPT.to_owned(),
        call("c", "in_progress"),
        chunk("agent_message_chunk", "a"),
        r#">{"id":9,"method":"session/close","params":{"sessionId":"s"}}"#.to_owned(),
        r#"<{"id":9,"result":{}}"#.to_owned(),
    ];
    assert_eq!(
        ends(&lines),
        [
            "assistant_message failed a",
            "command_execution failed",
            "|"
        ]
    );
}

#[test]
fn an_id_that_comes_again_in_another_turn_is_another_call() {
    let again = PROMPT.replace(r#""id":1"#, r#""id":2"#);
    let lines = [
        PROMPT.to_owned(),
        call("c", "completed"),
        reply("end_turn"),
        again,
        call("c", "in_progress"),
        reply("end_turn").replace(r#""id":1"#, r#""id":2"#),
    ];
    assert_eq!(
        ends(&lines),
        [
            "command_execution completed",
            "|",
            "command_execution failed",
            "|"
        ]
    );
}
