//! Lives that agents leave in doubt: texts outside of turns, requests that nobody answers, commands
//! that go on, replies that look different.

use serde_json::{Value, json};

use agentwire::session::Outcome;

use crate::acp::led;
use crate::support::replay::tree;

const NEW: [&str; 2] = [
    r#">{"id":1,"method":"session/new","params":{"cwd":"/w","mcpServers":[]}}"#,
    r#"<{"id":1,"result":{"sessionId":"s"}}"#,
];

fn prompt(id: i64) -> String {
    let params = json!({"sessionId": "s", "prompt": [{"type": "text", "text": "go"}]});
    let message = json!({"id": id, "method": "session/prompt", "params": params});
    format!(">{message}")
}

fn reply(id: i64, reason: &str) -> String {
    format!("<{}", json!({"id": id, "result": {"stopReason": reason}}))
}

fn update(update: Value) -> String {
    let params = json!({"sessionId": "s", "update": update});
    format!("<{}", json!({"method": "session/update", "params": params}))
}

fn said(text: &str) -> String {
    let content = json!({"type": "text", "text": text});
    update(json!({"sessionUpdate": "agent_message_chunk", "content": content}))
}

fn outcomes(lines: &[String]) -> Vec<Outcome> {
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    led(&lines).concat()
}

/// What is told, one line an event: its type, its turn if it has one, and what the test is about.
fn told(lines: &[String]) -> Vec<String> {
    let outcomes = outcomes(lines);
    let events = outcomes.iter().flat_map(|outcome| &outcome.events);
    let line = |event: Value| {
        let payload = &event["payload"];
        let members = ["itemType", "status", "detail", "delta", "state", "decision"];
        let words = members.map(|member| payload[member].as_str().map(str::to_owned));
        let turn = event["turnId"].as_str().map(str::to_owned);
        let mut line = vec![event["type"].as_str().map(str::to_owned), turn];
        line.extend(words);
        line.into_iter().flatten().collect::<Vec<_>>().join(" ")
    };
    events.map(tree).map(line).collect()
}

/// The lines after a session began.
fn in_session(lines: &[String]) -> Vec<String> {
    let begun = NEW.map(str::to_owned);
    let all = [&begun[..], lines].concat();
    let told = told(&all);
    told.into_iter().skip(3).collect()
}

#[test]
fn a_text_outside_of_turns_is_an_item_that_starts_and_ends() {
    // A note between two turns.
    let note = [
        prompt(2),
        said("a"),
        reply(2, "end_turn"),
        said("a newer "),
        said("version"),
        prompt(3),
        said("b"),
        reply(3, "end_turn"),
    ];
    assert_eq!(
        in_session(&note),
        [
            "turn.started turn-1",
            "item.started turn-1 assistant_message inProgress",
            "content.delta turn-1 a",
            "item.completed turn-1 assistant_message completed a",
            "turn.completed turn-1 completed",
            "item.started assistant_message inProgress",
            "content.delta a newer ",
            "content.delta version",
            "item.completed assistant_message completed a newer version",
            "turn.started turn-2",
            "item.started turn-2 assistant_message inProgress",
            "content.delta turn-2 b",
            "item.completed turn-2 assistant_message completed b",
            "turn.completed turn-2 completed",
        ]
    );
    // The answer comes after the reply, and a call ends it.
    let late = update(
        json!({"sessionUpdate": "tool_call", "toolCallId": "c", "title": "late",
        "kind": "read", "status": "completed"}),
    );
    let answer = [
        prompt(2),
        reply(2, "end_turn"),
        said("the whole "),
        said("answer"),
        late,
    ];
    assert_eq!(
        in_session(&answer)[2..],
        [
            "item.started assistant_message inProgress",
            "content.delta the whole ",
            "content.delta answer",
            "item.completed assistant_message completed the whole answer",
            "item.started dynamic_tool_call inProgress",
            "item.completed dynamic_tool_call completed",
        ]
    );
    // Another session, and the closing of its own, leave it and end it.
    let close = [
        said("note"),
        said("s").replace("\"sessionId\":\"s\"", "\"sessionId\":\"t\""),
        r#">{"id":9,"method":"session/close","params":{"sessionId":"s"}}"#.to_owned(),
        r#"<{"id":9,"result":{}}"#.to_owned(),
    ];
    let told = in_session(&close);
    assert_eq!(
        told[4..6],
        [
            "item.completed assistant_message completed note",
            "thread.state.changed closed"
        ]
    );
}

#[test]
fn history_that_comes_late_belongs_to_no_turn() {
    let lines = [
        r#">{"id":1,"method":"session/load","params":{"sessionId":"s","cwd":"/w","mcpServers":[]}}"#
            .to_owned(),
        r#"<{"id":1,"result":{}}"#.to_owned(),
        said("old"),
        prompt(2),
        said("new"),
        reply(2, "end_turn"),
    ];
    assert_eq!(
        told(&lines)[3..],
        [
            "item.started assistant_message inProgress",
            "content.delta old",
            "item.completed assistant_message completed old",
            "turn.started turn-1",
            "item.started turn-1 assistant_message inProgress",
            "content.delta turn-1 new",
            "item.completed turn-1 assistant_message completed new",
            "turn.completed turn-1 completed",
        ]
    );
}

#[test]
fn a_command_with_a_terminal_of_its_own_goes_on_after_a_turn_that_ended_well() {
    let served = |status: &str, meta: Value| {
        update(
            json!({"sessionUpdate": "tool_call", "toolCallId": "c", "title": "serve",
            "kind": "execute", "status": status, "_meta": meta}),
        )
    };
    let terminal = json!({"terminal_info": {"terminal_id": "c"}});
    let over = update(
        json!({"sessionUpdate": "tool_call_update", "toolCallId": "c",
        "status": "completed", "_meta": {"terminal_exit": {"exit_code": 0}}}),
    );
    let ends = |lines: &[String]| {
        let told = in_session(lines).into_iter();
        told.filter(|line| line.contains(".completed"))
            .collect::<Vec<_>>()
    };
    let goes_on = [
        prompt(2),
        served("in_progress", terminal.clone()),
        reply(2, "end_turn"),
        prompt(3),
        reply(3, "end_turn"),
        over.clone(),
    ];
    assert_eq!(
        ends(&goes_on),
        [
            "turn.completed turn-1 completed",
            "turn.completed turn-2 completed",
            "item.completed command_execution completed",
        ]
    );
    // One without, and one whose turn was stopped, have not succeeded.
    let failed = ["item.completed turn-1 command_execution failed"];
    let without = [
        prompt(2),
        served("in_progress", json!({})),
        reply(2, "end_turn"),
    ];
    assert_eq!(ends(&without)[..1], failed);
    let stopped = [
        prompt(2),
        served("in_progress", terminal),
        reply(2, "cancelled"),
    ];
    assert_eq!(ends(&stopped)[..1], failed);
}

#[test]
fn a_reply_finds_its_request_whatever_form_its_number_has() {
    for id in ["2.0", "2e0", "0.2e1"] {
        let lines = [
            prompt(2),
            said("a"),
            reply(2, "end_turn").replace("\"id\":2", &format!("\"id\":{id}")),
        ];
        let told = in_session(&lines);
        assert_eq!(
            told.last().unwrap(),
            "turn.completed turn-1 completed",
            "{id}"
        );
    }
    // What is another number, or a text, is another id.
    for id in ["2.5", "\"2\"", "-2", "20e300"] {
        let line = reply(2, "end_turn").replace("\"id\":2", &format!("\"id\":{id}"));
        let told = in_session(&[prompt(2), line]);
        assert_eq!(told.last().unwrap(), "runtime.warning", "{id}");
    }
}

#[test]
fn a_version_that_nobody_knows_is_read_as_the_one_that_was_offered() {
    let agree = |offered: i64, named: i64| {
        let params = json!({"protocolVersion": offered, "clientCapabilities": {}, "capabilities": {},
            "info": {"name": "h", "version": "1"}});
        let result = json!({"protocolVersion": named, "agentCapabilities": {}, "capabilities": {},
            "info": {"name": "a", "version": "1"}, "authMethods": []});
        [
            format!(
                ">{}",
                json!({"id": 0, "method": "initialize", "params": params})
            ),
            format!("<{}", json!({"id": 0, "result": result})),
        ]
    };
    let with = |agreed: [String; 2], lines: &[String]| told(&[&agreed[..], lines].concat());
    let turn = [prompt(2), said("a"), reply(2, "end_turn")];
    let told = with(agree(1, 3), &turn);
    assert_eq!(told[..2], ["runtime.warning", "session.configured"]);
    assert_eq!(told.last().unwrap(), "turn.completed turn-1 completed");
    assert!(
        told.contains(&String::from("content.delta turn-1 a")),
        "{told:?}"
    );
    // In version 2 the reply to a prompt ends nothing.
    let told = with(agree(2, 3), &turn);
    assert_eq!(told[..2], ["runtime.warning", "session.configured"]);
    assert!(!told.last().unwrap().starts_with("turn.completed"));
    // A known one is agreed on, whatever was offered.
    for (offered, named) in [(1, 1), (2, 1), (2, 2), (1, 2)] {
        assert_eq!(with(agree(offered, named), &[]), ["session.configured"]);
    }
}

#[test]
fn a_plan_of_a_kind_that_nobody_knows_is_warned_of_and_counted_in_both_versions() {
    let plan =
        update(json!({"sessionUpdate": "plan_update", "plan": {"type": "graph", "planId": "p"}}));
    for version in [1, 2] {
        let result = json!({"protocolVersion": version, "agentCapabilities": {}, "capabilities": {},
            "info": {"name": "a", "version": "1"}});
        let lines = [
            r#">{"id":0,"method":"initialize","params":{"protocolVersion":2}}"#.to_owned(),
            format!("<{}", json!({"id": 0, "result": result})),
            plan.clone(),
        ];
        let outcomes = outcomes(&lines);
        let last = outcomes.last().unwrap();
        let verdict = agentwire::session::Verdict::Unrecognized;
        assert_eq!(
            (&last.verdict, last.tag.as_deref()),
            (&verdict, Some("plan_update"))
        );
        let event = tree(&last.events[0]);
        assert_eq!(event["type"], "runtime.warning", "version {version}");
        assert_eq!(event["payload"]["detail"]["planId"], "p");
    }
}

#[test]
fn a_command_without_a_description_costs_no_other() {
    let commands = json!([{"name": "x", "description": "d"}, {"name": "bare"}]);
    let line = update(json!({"sessionUpdate": "available_commands_update",
        "availableCommands": commands}));
    let outcomes = outcomes(&[line]);
    let event = tree(&outcomes[0].events[0]);
    assert_eq!(event["type"], "session.configured");
    assert_eq!(event["payload"]["config"]["availableCommands"], commands);
}

fn permission(id: i64, call: &str) -> String {
    let options = json!([
        {"optionId": "yes", "name": "Yes", "kind": "allow_once"},
        {"optionId": "no", "name": "No", "kind": "reject_once"},
    ]);
    let call = json!({"toolCallId": call, "title": "sink", "kind": "execute"});
    let params = json!({"sessionId": "s", "toolCall": call, "options": options});
    let message = json!({"id": id, "method": "session/request_permission", "params": params});
    format!("<{message}")
}

fn chosen(id: i64, option: &str) -> String {
    let outcome = json!({"outcome": "selected", "optionId": option});
    format!(">{}", json!({"id": id, "result": {"outcome": outcome}}))
}

#[test]
fn a_request_that_nobody_answers_is_cancelled_with_its_turn() {
    let unanswered = |reason: &str| {
        let lines = [
            prompt(2),
            permission(7, "c"),
            r#">{"method":"session/cancel","params":{"sessionId":"s"}}"#.to_owned(),
            reply(2, reason),
            // It comes too late.
            chosen(7, "yes"),
        ];
        let told = in_session(&lines).into_iter();
        let told = told.filter(|line| !line.contains("item.started"));
        told.collect::<Vec<_>>()
    };
    for (reason, state) in [("cancelled", "cancelled"), ("end_turn", "completed")] {
        let told = unanswered(reason);
        let cancelled = told
            .iter()
            .filter(|line| *line == "request.resolved turn-1 cancel");
        assert_eq!(cancelled.count(), 1, "{told:?}");
        let resolved = told
            .iter()
            .filter(|line| line.starts_with("request.resolved"));
        assert_eq!(resolved.count(), 1, "{told:?}");
        assert_eq!(
            told.last().unwrap(),
            &format!("turn.completed turn-1 {state}")
        );
    }
}

#[test]
fn what_was_declined_does_not_fail_later() {
    let news = |status: &str| {
        update(json!({"sessionUpdate": "tool_call_update", "toolCallId": "c", "status": status}))
    };
    let lines = [
        prompt(2),
        permission(7, "c"),
        chosen(7, "no"),
        news("failed"),
        news("failed"),
        reply(2, "end_turn"),
    ];
    let told = in_session(&lines).into_iter();
    let of_item = told.filter(|line| line.starts_with("item."));
    let statuses: Vec<String> = of_item
        .map(|line| line.replace(" turn-1 command_execution", ""))
        .collect();
    assert_eq!(
        statuses[..2],
        ["item.started inProgress", "item.completed declined"]
    );
    assert!(
        statuses[2..].iter().all(|line| !line.contains("failed")),
        "{statuses:?}"
    );
}

#[test]
fn what_was_closed_with_its_turn_may_still_end_as_the_agent_says() {
    let call = update(
        json!({"sessionUpdate": "tool_call", "toolCallId": "c", "title": "sink",
        "kind": "edit", "status": "in_progress"}),
    );
    let over = update(
        json!({"sessionUpdate": "tool_call_update", "toolCallId": "c",
        "status": "completed"}),
    );
    let lines = [prompt(2), call, reply(2, "end_turn"), over.clone(), over];
    let told = in_session(&lines);
    assert_eq!(
        told[2..4],
        [
            "item.completed turn-1 file_change failed",
            "turn.completed turn-1 completed",
        ]
    );
    assert!(told[4].starts_with("item.updated"), "{told:?}");
    assert!(told[4].contains("completed"), "{told:?}");
}
