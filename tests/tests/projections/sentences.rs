//! The description of agent events, sentence by sentence.

use std::collections::BTreeSet;

use agentwire::projection::agent_event::{
    AgentEvent, AgentEventType, AgentEvents, AgentRuns, CostClass, ToolSlug,
};
use serde_json::{Value, json};

use super::events::{Script, types};
use super::sentence_usage::{nothing_spent, usage_members, usage_needs_a_model, usage_unknown};

const SENTENCES: &str = include_str!("../../data/agent_event_sentences.tsv");

#[test]
fn every_sentence_holds() {
    let mut used = BTreeSet::new();
    let mut ids = BTreeSet::new();
    for line in SENTENCES.lines().filter(|line| !line.starts_with('#')) {
        let [id, fact, name] = line.split('\t').collect::<Vec<_>>()[..] else {
            panic!("not a sentence: {line}");
        };
        println!("{id}: {fact}: {name}");
        let (name, check) = CHECKS
            .iter()
            .find(|(known, _)| *known == name)
            .unwrap_or_else(|| panic!("{id}: no check {name}"));
        check();
        used.insert(*name);
        assert!(ids.insert(id), "{id} twice");
    }
    assert_eq!(
        used,
        CHECKS.iter().map(|(name, _)| *name).collect(),
        "a check of no sentence"
    );
    assert_eq!(ids.len(), 38);
}

const CHECKS: &[(&str, fn())] = &[
    ("same-run-of-two-runtimes", same_run_of_two_runtimes),
    ("five-types", five_types),
    (
        "unknown-members-are-read-over",
        unknown_members_are_read_over,
    ),
    ("only-six-members", only_six_members),
    ("members-of-each-type", only_six_members),
    ("delta-appends", delta_appends),
    ("thinking-replaces", thinking_replaces),
    ("messages-are-safe", messages_are_safe),
    ("slugs-on-tools-only", slugs_on_tools_only),
    ("usage-on-done-only", only_six_members),
    ("tier-on-the-opening-only", only_six_members),
    ("terminal-types", terminal_types),
    ("opening", opening),
    ("opening-first", opening_first),
    ("downgrade-is-visible", downgrade_is_visible),
    ("twelve-slugs", twelve_slugs),
    ("usage-members", usage_members),
    ("usage-needs-a-model", usage_needs_a_model),
    ("usage-unknown", usage_unknown),
    ("nothing-spent", nothing_spent),
    ("whole-run", whole_run),
    ("nothing-after-the-end", nothing_after_the_end),
    ("failure-is-never-done", failure_is_never_done),
];

pub fn started() -> Script {
    Script::of("codex").tell("turn.started", json!({"model": "lamp-1"}))
}

fn delta(kind: &str, text: &str) -> Value {
    json!({"streamKind": kind, "delta": text})
}

pub fn usage() -> Value {
    json!({"input_tokens": 1840, "output_tokens": 210, "cache_read_input_tokens": 0})
}

/// A run in which everything happens.
fn eventful() -> Script {
    started()
        .tell("session.configured", json!({"config": {"secret": 1}}))
        .item("content.delta", "r", delta("reasoning_text", "Hm. "))
        .item("content.delta", "r", delta("reasoning_text", "A lamp."))
        .item("item.started", "c", json!({"itemType": "command_execution", "title": "light\nlamp"}))
        .item("content.delta", "c", delta("command_output", "lit"))
        .item("item.completed", "c", json!({"itemType": "command_execution", "status": "completed"}))
        .item("tool.progress", "c", json!({"toolName": "Grep", "summary": "3 lamps found"}))
        .tell("tool.summary", json!({"summary": "Looked at lamps"}))
        .tell("turn.plan.updated", json!({"plan": [{"step": "Light it", "status": "inProgress"}]}))
        .tell("task.started", json!({"taskId": "k", "description": "Find oil"}))
        .tell("task.progress", json!({"taskId": "k", "description": "Find oil"}))
        .tell("task.completed", json!({"taskId": "k", "status": "completed", "summary": "Oil found"}))
        .tell("model.rerouted", json!({"fromModel": "lamp-1", "toModel": "lamp-0", "reason": "x"}))
        .tell("thread.state.changed", json!({"state": "compacted"}))
        .request("request.opened", "q", json!({"requestType": "unknown", "detail": "Light it?"}))
        .request("user-input.requested", "w", json!({"questions": []}))
        .tell("runtime.error", json!({"message": "Trying again, 1 of 1", "class": "transport_error"}))
        .tell("runtime.warning", json!({"message": "unrecognized `x` on y"}))
        .item("content.delta", "m", delta("assistant_text", "The lamp "))
        .item("content.delta", "m", delta("assistant_text", "is lit."))
        .item("item.completed", "m", json!({"itemType": "assistant_message", "status": "completed", "detail": "The lamp is lit."}))
        .tell("turn.completed", json!({"state": "completed", "usage": usage()}))
}

pub fn subscribed() -> AgentEvents {
    AgentEvents::new().tier(CostClass::user_subscription())
}

/// The events that the app sees do not tell which runtime ran.
fn same_run_of_two_runtimes() {
    let told = |provider: &'static str, tool: &str| {
        let mut run = Script::of(provider)
            .tell("turn.started", json!({}))
            .item(
                "item.started",
                "i",
                json!({"itemType": "dynamic_tool_call", "title": tool,
                "data": {"name": tool, "input": {"path": "README.md"}}}),
            )
            .item("content.delta", "m", delta("assistant_text", "It is lit."))
            .tell(
                "turn.completed",
                json!({"state": "completed", "usage": usage()}),
            )
            .run_with(AgentEvents::new().model("sonnet", Some("lamps")));
        let slug = run[1]["tool"].take();
        (slug, run)
    };
    let mut compared = 0;
    for (slug, claude, codex) in [
        ("read", "Read", "read_file"),
        ("edit", "MultiEdit", "apply_patch"),
        ("bash", "Bash", "exec_command"),
        ("todo", "TodoWrite", "update_plan"),
        ("search", "WebSearch", "web_search"),
        ("agent", "Task", "spawn_agent"),
    ] {
        let (one, other) = (told("claude", claude), told("codex", codex));
        assert_eq!(one, other);
        assert_eq!(one.0, slug);
        compared += 1;
    }
    assert_eq!(compared, 6);
}

fn five_types() {
    let names: Vec<&str> = AgentEventType::ALL.iter().map(|it| it.as_str()).collect();
    assert_eq!(names, ["delta", "thinking", "status", "done", "error"]);
    let seen: BTreeSet<String> = types(&eventful().run())
        .into_iter()
        .map(str::to_owned)
        .collect();
    assert_eq!(
        seen,
        ["delta", "thinking", "status", "done"]
            .map(str::to_owned)
            .into()
    );
    assert!(serde_json::from_str::<AgentEvent>(r#"{"type":"news"}"#).is_err());
}

fn unknown_members_are_read_over() {
    let text = r#"{"type":"delta","text":"lit","mood":{"warm":true}}"#;
    let event: AgentEvent = serde_json::from_str(text).unwrap();
    assert_eq!(event.to_json().unwrap(), r#"{"type":"delta","text":"lit"}"#);
}

/// Each type has its members, and nothing of one runtime comes through.
fn only_six_members() {
    let run = eventful().run_with(subscribed());
    assert!(run.len() >= 18, "only {}", run.len());
    for (index, event) in run.iter().enumerate() {
        let mut members: BTreeSet<&str> = event
            .as_object()
            .unwrap()
            .keys()
            .map(String::as_str)
            .collect();
        let mut expected = match event["type"].as_str().unwrap() {
            "delta" | "thinking" => BTreeSet::from(["type", "text"]),
            "status" => {
                members.remove("tool");
                BTreeSet::from(["type", "message"])
            }
            "done" => BTreeSet::from(["type", "usage"]),
            other => panic!("{other}"),
        };
        if index == 0 {
            expected.insert("tier");
        }
        assert_eq!(members, expected, "{event}");
    }
    let failed = started()
        .tell("turn.completed", json!({"state": "failed"}))
        .run();
    let members: BTreeSet<&str> = failed[1]
        .as_object()
        .unwrap()
        .keys()
        .map(String::as_str)
        .collect();
    assert_eq!(members, BTreeSet::from(["message", "type"]));
    let silent = started()
        .tell("turn.completed", json!({"state": "completed"}))
        .run();
    assert_eq!(silent[1], json!({"type": "done"}));
}

fn delta_appends() {
    let run = started()
        .item("content.delta", "a", delta("assistant_text", "The "))
        .item("content.delta", "a", delta("assistant_text", "lamp"))
        // The end of a message adds what was not streamed of it, and only that.
        .item(
            "item.completed",
            "a",
            json!({"itemType": "assistant_message", "detail": "The lamp is"}),
        )
        .item(
            "item.completed",
            "a",
            json!({"itemType": "user_message", "detail": "Hello"}),
        )
        // A message that was not streamed at all.
        .item(
            "item.completed",
            "b",
            json!({"itemType": "assistant_message", "detail": "Lit."}),
        )
        // One that is known from updates only.
        .item(
            "item.updated",
            "c",
            json!({"itemType": "assistant_message", "detail": "By"}),
        )
        .item(
            "item.updated",
            "c",
            json!({"itemType": "assistant_message", "detail": "Bye."}),
        )
        .tell("turn.completed", json!({"state": "completed"}))
        .run();
    let texts: Vec<&str> = run.iter().filter_map(|it| it["text"].as_str()).collect();
    assert_eq!(texts, ["The ", "lamp", " is", "\n\nLit.", "\n\nBye."]);
    assert_eq!(types(&run).last(), Some(&"done"));
}

fn thinking_replaces() {
    let summary = |index: i64, text: &str| json!({"streamKind": "reasoning_summary_text", "delta": text, "summaryIndex": index});
    let run = started()
        .item("content.delta", "r", summary(0, "Oil"))
        .item("content.delta", "r", summary(0, " first."))
        .item("content.delta", "r", summary(1, "Then light."))
        .item(
            "item.completed",
            "r",
            json!({"itemType": "reasoning", "detail": "Oil first.\nThen light."}),
        )
        .item(
            "item.completed",
            "s",
            json!({"itemType": "reasoning", "detail": "Done."}),
        )
        .run();
    let texts: Vec<&str> = run.iter().filter_map(|it| it["text"].as_str()).collect();
    assert_eq!(
        texts,
        [
            "Oil",
            "Oil first.",
            "Oil first.\n\nThen light.",
            "Oil first.\n\nThen light.\n\nDone.",
        ]
    );
}

fn messages_are_safe() {
    let run = eventful()
        .tell("config.warning", json!({"summary": "/etc/lamp: line 3"}))
        .run();
    let messages: Vec<&str> = run.iter().filter_map(|it| it["message"].as_str()).collect();
    assert_eq!(
        messages,
        [
            "Starting",
            "Running light lamp",
            "3 lamps found",
            "Looked at lamps",
            "Updating the plan: Light it",
            "Working with an agent: Find oil",
            "Working with an agent: Find oil",
            "Oil found",
            "Now with lamp-0 instead of lamp-1",
            "The context was compacted",
            "Waiting for approval: Light it?",
            "Waiting for an answer",
            "Trying again, 1 of 1",
        ]
    );
    // What speaks of messages and paths is for an operator.
    let malformed =
        json!({"message": "malformed `x`: params.y: expected string", "class": "validation_error"});
    assert_eq!(started().tell("runtime.error", malformed).run().len(), 2);
}

fn slugs_on_tools_only() {
    let run = eventful().run();
    let tools: Vec<(&str, Option<&str>)> = run
        .iter()
        .filter(|event| event["type"] == "status")
        .map(|event| (event["message"].as_str().unwrap(), event["tool"].as_str()))
        .collect();
    let slugs: Vec<Option<&str>> = tools.iter().map(|(_, slug)| *slug).collect();
    let (none, agent) = (None, Some("agent"));
    assert_eq!(
        slugs,
        [
            none,
            Some("bash"),
            Some("search"),
            Some("tool"),
            Some("todo"),
            agent,
            agent,
            agent,
            none,
            none,
            none,
            none,
            none,
        ],
        "{tools:?}"
    );
    let mut calls = 0;
    for item_type in [
        "command_execution",
        "file_change",
        "mcp_tool_call",
        "dynamic_tool_call",
        "collab_agent_tool_call",
        "web_search",
        "image_view",
    ] {
        let run = started()
            .item("item.started", "i", json!({"itemType": item_type}))
            .run();
        let slug = run[1]["tool"].as_str().unwrap();
        assert!(ToolSlug::from_wire(slug).is_some());
        calls += 1;
    }
    for item_type in [
        "user_message",
        "assistant_message",
        "reasoning",
        "plan",
        "error",
        "unknown",
    ] {
        let run = started()
            .item("item.started", "i", json!({"itemType": item_type}))
            .run();
        assert_eq!(types(&run), ["status", "error"], "{item_type}");
        calls += 1;
    }
    assert_eq!(calls, 13);
}

fn terminal_types() {
    let mut ends = 0;
    for event_type in AgentEventType::ALL {
        let text = format!("{{\"type\":\"{event_type}\"}}");
        let event: AgentEvent = serde_json::from_str(&text).unwrap();
        let terminal = matches!(event_type, AgentEventType::Done | AgentEventType::Error);
        assert_eq!(event.is_terminal(), terminal);
        ends += usize::from(terminal);
    }
    assert_eq!(ends, 2);
}

fn opening() {
    let mut run = subscribed();
    let told = run.push(&started().events[0]);
    let [event] = told.as_slice() else {
        panic!("{told:?}")
    };
    let text = r#"{"type":"status","message":"Starting","tier":"user-subscription"}"#;
    let (ours, theirs): (Value, Value) = (
        serde_json::to_value(event).unwrap(),
        serde_json::from_str(text).unwrap(),
    );
    assert_eq!(ours, theirs);
    assert_eq!(event.to_json().unwrap(), text);
}

fn opening_first() {
    // A run of which nobody sees the start opens all the same.
    let run = Script::of("codex")
        .item("content.delta", "m", delta("assistant_text", "Lit."))
        .tell("turn.started", json!({}))
        .run_with(subscribed());
    assert_eq!(types(&run), ["status", "delta", "error"]);
    assert_eq!(run[0]["tier"], "user-subscription");
    // History is no output.
    let history = Script::of("cursor")
        .about(json!({"threadId": "thread-1"}))
        .item("content.delta", "m", delta("assistant_text", "Earlier."))
        .about(json!({"threadId": "thread-1", "turnId": "turn-1"}))
        .tell("turn.started", json!({}))
        .run();
    assert_eq!(types(&history), ["status", "error"]);
}

fn downgrade_is_visible() {
    let run = started().run_with(AgentEvents::new().tier(CostClass::new("a-cheaper-one")));
    assert_eq!(run[0]["tier"], "a-cheaper-one");
    let rerouted = json!({"fromModel": "lamp-1", "toModel": "lamp-0", "reason": "busy"});
    let run = started().tell("model.rerouted", rerouted).run();
    assert_eq!(run[1]["message"], "Now with lamp-0 instead of lamp-1");
}

fn twelve_slugs() {
    let slugs: Vec<&str> = ToolSlug::ALL.iter().map(|slug| slug.as_str()).collect();
    let stated = [
        "search", "fetch", "read", "write", "edit", "bash", "files", "agent", "todo", "think",
        "sources", "tool",
    ];
    assert_eq!(slugs, stated);
}

fn whole_run() {
    let script = Script::of("claude")
        .about(json!({"threadId": "thread-1", "turnId": "r_01"}))
        .tell("turn.started", json!({}))
        .item(
            "item.started",
            "i",
            json!({"itemType": "dynamic_tool_call", "title": "Read",
            "data": {"name": "Read", "input": {"file_path": "README.md"}}}),
        )
        .item(
            "item.completed",
            "i",
            json!({"itemType": "dynamic_tool_call", "status": "completed"}),
        )
        .item(
            "content.delta",
            "m",
            delta("assistant_text", "The harbour has "),
        )
        .item("content.delta", "m", delta("assistant_text", "four lamps."))
        .tell(
            "turn.completed",
            json!({"state": "completed", "usage": usage(), "totalCostUsd": 0.02}),
        );
    let mut runs = AgentRuns::new()
        .tier(CostClass::user_subscription())
        .model("sonnet", None);
    let mut frames = Vec::new();
    for event in &script.events {
        frames.extend(runs.push(event));
    }
    assert!(runs.finish().is_empty());
    let told: Vec<Value> = frames
        .iter()
        .map(|it| serde_json::to_value(it).unwrap())
        .collect();
    let stated = [
        r#"{"type":"event","runId":"r_01","event":{"type":"status","message":"Starting","tier":"user-subscription"}}"#,
        r#"{"type":"event","runId":"r_01","event":{"type":"status","message":"Reading README.md","tool":"read"}}"#,
        r#"{"type":"event","runId":"r_01","event":{"type":"delta","text":"The harbour has "}}"#,
        r#"{"type":"event","runId":"r_01","event":{"type":"delta","text":"four lamps."}}"#,
        r#"{"type":"event","runId":"r_01","event":{"type":"done","usage":{"model":"sonnet","costClass":"user-subscription","inputTokens":1840,"outputTokens":210,"cacheReadTokens":0,"cacheWriteTokens":0,"webSearches":0}}}"#,
    ];
    let mut stated: Vec<Value> = stated
        .iter()
        .map(|text| serde_json::from_str(text).unwrap())
        .collect();
    // The optional provider is told where it is known.
    stated[4]["event"]["usage"]["provider"] = json!("claude");
    assert_eq!(told, stated);
}

fn nothing_after_the_end() {
    let mut run = AgentEvents::new();
    let script = eventful()
        .item("content.delta", "n", delta("assistant_text", "More."))
        .tell("turn.completed", json!({"state": "failed"}))
        .about(json!({"threadId": "thread-1", "turnId": "turn-2"}))
        .tell("turn.started", json!({}));
    let mut told = Vec::new();
    for event in &script.events {
        told.extend(run.push(event));
    }
    assert!(run.has_ended() && run.finish().is_empty());
    assert_eq!(told.iter().filter(|event| event.is_terminal()).count(), 1);
    assert!(told.last().unwrap().is_terminal());
    // What another turn does is not told either.
    let others = started()
        .about(json!({"threadId": "thread-2", "turnId": "turn-9"}))
        .tell("turn.started", json!({}))
        .item("content.delta", "n", delta("assistant_text", "Elsewhere."))
        .tell("turn.completed", json!({"state": "completed"}));
    assert_eq!(types(&others.run()), ["status", "error"]);
}

fn failure_is_never_done() {
    let ended = |event_type: &str, payload: Value| {
        let run = started().tell(event_type, payload).run();
        (
            run.last().unwrap()["type"].clone(),
            run.last().unwrap()["message"].clone(),
        )
    };
    let error = |message: &str| (json!("error"), json!(message));
    for (event_type, payload, message) in [
        (
            "turn.completed",
            json!({"state": "failed", "errorMessage": "The oil\nis out."}),
            "The oil is out.",
        ),
        (
            "turn.completed",
            json!({"state": "failed"}),
            "The run failed",
        ),
        (
            "turn.completed",
            json!({"state": "interrupted"}),
            "The run was interrupted",
        ),
        (
            "turn.completed",
            json!({"state": "cancelled"}),
            "The run was cancelled",
        ),
        (
            "turn.aborted",
            json!({"reason": "interrupted"}),
            "The run was stopped: interrupted",
        ),
        (
            "session.exited",
            json!({"exitKind": "graceful"}),
            "The agent exited before the run ended",
        ),
        (
            "runtime.error",
            json!({"message": "The oil is out."}),
            "The oil is out.",
        ),
        (
            "session.configured",
            json!({"config": {}}),
            "The run broke off without a result",
        ),
    ] {
        assert_eq!(ended(event_type, payload), error(message), "{event_type}");
    }
    // What the agent said on the way is told where the end says nothing.
    let run = started()
        .tell("runtime.error", json!({"message": "The oil is out."}))
        .tell("turn.completed", json!({"state": "failed"}))
        .run();
    assert_eq!(types(&run), ["status", "status", "error"]);
    assert_eq!(run[2]["message"], "The oil is out.");
}
