//! What version 2 of the agent client protocol becomes, each in the smallest exchange.
#![allow(clippy::unwrap_used, clippy::panic)]

use serde_json::{Value, json};

use crate::kit::frame::Limits;
use crate::kit::session::{Direction, Outcome};
use crate::kit::sources::{SequentialIds, WireClock};
use crate::providers::acp::AcpSession;

/// A connection of version 2.
pub(super) struct Connection(AcpSession);

impl Connection {
    pub(super) fn new() -> Self {
        let session = AcpSession::with_sources(
            SequentialIds::default(),
            WireClock::default(),
            Limits::default(),
        );
        let mut connection = Self(session);
        connection.sends(&json!({"id": "i", "method": "initialize", "params": {}}));
        connection.gets(&json!({"id": "i", "result": {
            "protocolVersion": 2, "capabilities": {"x": 1}, "info": {"name": "a", "version": "1"},
        }}));
        connection
    }

    pub(super) fn push(&mut self, direction: Direction, message: &Value) -> Outcome {
        self.0.push(direction, format!("{message}\n").as_bytes());
        let outcome = self.0.next_outcome().unwrap();
        assert!(self.0.next_outcome().is_none());
        outcome
    }

    /// What the host sends, as events.
    pub(super) fn sends(&mut self, message: &Value) -> Vec<Value> {
        events(&self.push(Direction::ToAgent, message))
    }

    /// What the agent sends, as events.
    pub(super) fn gets(&mut self, message: &Value) -> Vec<Value> {
        events(&self.push(Direction::FromAgent, message))
    }

    pub(super) fn prompt(&mut self, session: &str, id: i64) -> Vec<Value> {
        let params = json!({"sessionId": session, "prompt": []});
        self.sends(&json!({"id": id, "method": "session/prompt", "params": params}))
    }

    pub(super) fn takes(&mut self, id: i64) -> Outcome {
        let message = json!({"id": id, "result": {"messageId": "m"}});
        self.push(Direction::FromAgent, &message)
    }

    /// News about a session, as an outcome.
    pub(super) fn told(&mut self, session: &str, update: &Value) -> Outcome {
        let params = json!({"sessionId": session, "update": update});
        let message = json!({"method": "session/update", "params": params});
        self.push(Direction::FromAgent, &message)
    }

    /// News about the session `s`, as events.
    pub(super) fn news(&mut self, update: Value) -> Vec<Value> {
        events(&self.told("s", &update))
    }

    pub(super) fn state(&mut self, mut state: Value) -> Vec<Value> {
        state["sessionUpdate"] = json!("state_update");
        self.news(state)
    }

    pub(super) fn call(&mut self, mut call: Value) -> Vec<Value> {
        call["sessionUpdate"] = json!("tool_call_update");
        call["toolCallId"] = json!("c");
        self.news(call)
    }
}

pub(super) fn events(outcome: &Outcome) -> Vec<Value> {
    let events = outcome.events.iter();
    events
        .map(|event| serde_json::to_value(event).unwrap())
        .collect()
}

pub(super) fn types(events: &[Value]) -> Vec<&str> {
    let types = events.iter();
    types.map(|event| event["type"].as_str().unwrap()).collect()
}

/// The only event, which is of this type: its payload.
pub(super) fn only(event_type: &str, events: &[Value]) -> Value {
    assert_eq!(types(events), [event_type], "{events:?}");
    events[0]["payload"].clone()
}

#[test]
fn a_call_is_announced_once_and_ends_once() {
    let mut agent = Connection::new();
    let started = agent.call(json!({"status": "pending", "kind": "execute", "title": "ls"}));
    let payload = only("item.started", &started);
    assert_eq!(payload["itemType"], "command_execution");
    assert_eq!(
        (&payload["status"], &payload["title"]),
        (&json!("inProgress"), &json!("ls"))
    );
    let updated = only(
        "item.updated",
        &agent.call(json!({"status": "in_progress"})),
    );
    assert_eq!(updated["itemType"], "command_execution");
    let completed = agent.call(json!({"status": "completed", "rawOutput": {"stdout": "a\n"}}));
    let payload = only("item.completed", &completed);
    assert_eq!(
        (&payload["status"], &payload["detail"]),
        (&json!("completed"), &json!("a\n"))
    );
    // It is not opened again.
    let again = only(
        "item.updated",
        &agent.call(json!({"status": "in_progress"})),
    );
    assert!(again.get("status").is_none(), "{again}");
}

#[test]
fn patches_have_three_states_and_statuses_may_be_unreadable() {
    let mut agent = Connection::new();
    assert_eq!(
        only("item.started", &agent.call(json!({})))["status"],
        "inProgress"
    );
    for status in [
        json!({}),
        json!({"status": null}),
        json!({"status": "napping"}),
    ] {
        let updated = only("item.updated", &agent.call(status.clone()));
        assert!(updated.get("status").is_none(), "{status}");
    }
    let cancelled = only(
        "item.completed",
        &agent.call(json!({"status": "cancelled"})),
    );
    assert_eq!(cancelled["status"], "failed");
    let unreadable = Connection::new().call(json!({"status": "napping"}));
    assert!(only("item.started", &unreadable).get("status").is_none());
}

#[test]
fn a_terminal_of_a_call_ends_with_the_call() {
    let mut agent = Connection::new();
    let terminal = |mut update: Value| {
        update["sessionUpdate"] = json!("terminal_update");
        update["terminalId"] = json!("c");
        update
    };
    let opened = agent.news(terminal(json!({})));
    assert_eq!(
        only("item.started", &opened)["itemType"],
        "command_execution"
    );
    only(
        "item.updated",
        &agent.call(json!({"status": "pending", "kind": "execute"})),
    );
    let printed = agent.news(terminal(json!({"output": {"data": "YQ=="}})));
    assert_eq!(only("item.updated", &printed)["detail"], "a");
    let exit = agent.news(terminal(json!({"exitStatus": {"exitCode": 0}})));
    assert!(only("item.updated", &exit).get("status").is_none());
    only("item.completed", &agent.call(json!({"status": "failed"})));
}

#[test]
fn a_terminal_by_itself_ends_with_its_exit() {
    for (exit, status) in [
        (json!({"exitCode": 0}), json!("completed")),
        (json!({"exitCode": 1}), json!("failed")),
        (json!({"signal": "TERM"}), json!("failed")),
        (json!({}), json!(null)),
    ] {
        let mut agent = Connection::new();
        agent.news(json!({"sessionUpdate": "terminal_update", "terminalId": "t", "command": "ls"}));
        let update =
            json!({"sessionUpdate": "terminal_update", "terminalId": "t", "exitStatus": exit});
        let payload = only("item.completed", &agent.news(update));
        assert_eq!(
            (&payload["status"], &payload["title"]),
            (&status, &json!("ls")),
            "{exit}"
        );
    }
}

#[test]
fn characters_may_be_cut_between_pieces_of_output() {
    let mut agent = Connection::new();
    let mut delta = |data: &str| {
        let update =
            json!({"sessionUpdate": "terminal_output_chunk", "terminalId": "t", "data": data});
        let events = agent.news(update);
        events.last().unwrap()["payload"]["delta"].clone()
    };
    // "gr", and the first of the two bytes of "ü"; then the second, and "n".
    assert_eq!(delta("Z3LD"), "gr");
    assert_eq!(delta("vG4="), "ün");
    assert_eq!(delta("no base64"), "no base64");
}

#[test]
fn a_thought_and_its_message_are_two_items() {
    let mut agent = Connection::new();
    let chunk = |kind: &str, block: Value| json!({"sessionUpdate": kind, "messageId": "m", "content": block});
    let text = |text: &str| json!({"type": "text", "text": text});
    let thought = agent.news(chunk("agent_thought_chunk", text("hm")));
    assert_eq!(types(&thought), ["item.started", "content.delta"]);
    assert_eq!(thought[1]["payload"]["streamKind"], "reasoning_text");
    let message = agent.news(chunk("agent_message_chunk", text("ah")));
    assert_eq!(
        types(&message),
        ["item.completed", "item.started", "content.delta"]
    );
    assert_eq!(
        message[0]["payload"],
        json!({"itemType": "reasoning", "status": "completed", "detail": "hm"})
    );
    assert_eq!(
        message[2]["payload"],
        json!({"streamKind": "assistant_text", "delta": "ah"})
    );
    assert_eq!(thought[1]["itemId"], message[0]["itemId"]);
    assert_ne!(thought[1]["itemId"], message[2]["itemId"]);
    let link = json!({"type": "resource_link", "name": "n", "uri": "u"});
    let linked = agent.news(chunk("agent_message_chunk", link.clone()));
    assert_eq!(only("item.updated", &linked)["data"], link);
    let whole = agent.news(json!({"sessionUpdate": "agent_message", "messageId": "m", "content": [text("ah"), text("so")]}));
    assert_eq!(only("item.updated", &whole)["detail"], "ah\nso");
    let cleared =
        agent.news(json!({"sessionUpdate": "agent_message", "messageId": "m", "content": null}));
    assert!(only("item.updated", &cleared).get("detail").is_none());
}

#[test]
fn one_id_of_two_things_names_two_items() {
    let mut agent = Connection::new();
    let call = agent.call(json!({"status": "pending"}));
    let message = json!({"sessionUpdate": "session_message", "messageId": "c", "content": []});
    let said = agent.news(message);
    assert_eq!(types(&said), ["item.started", "item.updated"]);
    assert_eq!(said[1]["payload"]["itemType"], "collab_agent_tool_call");
    assert_ne!(call[0]["itemId"], said[1]["itemId"]);
}

#[test]
fn plans_have_steps_or_are_items() {
    let mut agent = Connection::new();
    let step = |content: &str, status: &str| json!({"content": content, "priority": "low", "status": status});
    let steps = json!([step("a", "completed"), step("b", "someday")]);
    let update = json!({"sessionUpdate": "plan_update", "plan": {"type": "items", "planId": "p", "entries": steps}});
    assert_eq!(
        only("turn.plan.updated", &agent.news(update))["plan"],
        json!([{"step": "a", "status": "completed"}, {"step": "b", "status": "pending"}])
    );
    let update = json!({"sessionUpdate": "plan_update", "plan": {"type": "markdown", "planId": "p", "content": "# A"}});
    let text = agent.news(update);
    assert_eq!(types(&text), ["item.started", "item.updated"]);
    assert_eq!(text[1]["payload"]["detail"], "# A");
    let removed = agent.news(json!({"sessionUpdate": "plan_removed", "planId": "p"}));
    assert_eq!(only("turn.plan.updated", &removed)["plan"], json!([]));
}

#[test]
fn settings_and_metadata_are_kept_as_sent() {
    let mut agent = Connection::new();
    let commands = json!([{"type": "command", "name": "n", "description": "d", "extra": 1}]);
    let update =
        json!({"sessionUpdate": "available_commands_update", "availableCommands": commands});
    assert_eq!(
        only("session.configured", &agent.news(update)),
        json!({"config": {"availableCommands": commands}})
    );
    let update = json!({"sessionUpdate": "config_option_update", "configOptions": []});
    assert_eq!(
        only("session.configured", &agent.news(update)),
        json!({"config": {"configOptions": []}})
    );
    let named =
        agent.news(json!({"sessionUpdate": "session_info_update", "title": "T", "updatedAt": "x"}));
    assert_eq!(
        only("thread.metadata.updated", &named),
        json!({"name": "T", "metadata": {"updatedAt": "x"}})
    );
    let cleared = agent.news(json!({"sessionUpdate": "session_info_update", "title": null}));
    assert_eq!(
        only("thread.metadata.updated", &cleared),
        json!({"metadata": {"title": null}})
    );
}

#[test]
fn notices_and_compactions() {
    let mut agent = Connection::new();
    let notice = |severity: &str| json!({"sessionUpdate": "notice", "severity": severity, "title": "T", "description": "d"});
    assert_eq!(
        only("runtime.warning", &agent.news(notice("info")))["message"],
        "T: d"
    );
    only("runtime.warning", &agent.news(notice("grave")));
    only("runtime.error", &agent.news(notice("error")));
    let compaction = |id: &str, status: &str| json!({"sessionUpdate": "compaction_update", "compactionId": id, "status": status});
    only("item.started", &agent.news(compaction("a", "in_progress")));
    let done = agent.news(compaction("a", "completed"));
    assert_eq!(types(&done), ["item.completed", "thread.state.changed"]);
    assert_eq!(done[1]["payload"]["state"], "compacted");
    let failed = agent.news(compaction("b", "cancelled"));
    assert_eq!(types(&failed), ["item.started", "item.completed"]);
    assert_eq!(failed[1]["payload"]["status"], "failed");
}

#[test]
fn a_permission_knows_its_options_by_their_ids() {
    let mut agent = Connection::new();
    let option = |id: &str, kind: &str| json!({"optionId": id, "name": "n", "kind": kind});
    let call = json!({"toolCallId": "c", "kind": "execute", "title": "ls", "status": "pending"});
    let params = json!({
        "sessionId": "s", "title": "Run?", "description": "Please.",
        "subject": {"type": "tool_call", "toolCall": call},
        "options": [option("a", "allow_always"), option("b", "reject_once"), option("c", "allow_sometimes")],
    });
    let request =
        |id: i64| json!({"id": id, "method": "session/request_permission", "params": params});
    let answer = |id: i64, option: &str| json!({"id": id, "result": {"outcome": {"outcome": "selected", "optionId": option}}});
    let opened = agent.gets(&request(0));
    assert_eq!(types(&opened), ["item.started", "request.opened"]);
    assert_eq!(opened[0]["payload"]["data"], call);
    assert_eq!(
        opened[1]["payload"],
        json!({"requestType": "command_execution_approval", "detail": "Run? ls Please.", "args": params})
    );
    let resolved = agent.sends(&answer(0, "a"));
    assert_eq!(
        only("request.resolved", &resolved)["decision"],
        "acceptForSession"
    );
    assert_eq!(resolved[0]["requestId"], opened[1]["requestId"]);
    assert_eq!(resolved[0]["itemId"], opened[1]["itemId"]);
    for (id, option, decision) in [
        (1, "b", json!("decline")),
        (2, "c", json!(null)),
        (3, "z", json!(null)),
    ] {
        // The call is announced once.
        only("request.opened", &agent.gets(&request(id)));
        let resolved = only("request.resolved", &agent.sends(&answer(id, option)));
        assert_eq!(resolved["decision"], decision, "{option}");
    }
    agent.gets(&request(4));
    let taken_back = json!({"method": "$/cancel_request", "params": {"requestId": 4}});
    assert_eq!(
        only("request.resolved", &agent.gets(&taken_back))["decision"],
        "cancel"
    );
    only("runtime.warning", &agent.gets(&taken_back));
}

#[test]
fn a_subject_that_nobody_can_read_may_be_anything() {
    let mut agent = Connection::new();
    let mut ask = |id: i64, subject: Value| {
        let params = json!({"sessionId": "s", "title": "T", "options": [], "subject": subject});
        let request = json!({"id": id, "method": "session/request_permission", "params": params});
        let events = agent.gets(&request);
        events.last().unwrap()["payload"].clone()
    };
    let command = json!({"type": "command", "command": "ls", "cwd": "/d", "toolCallId": "c"});
    assert_eq!(ask(0, command)["requestType"], "command_execution_approval");
    assert_eq!(ask(1, json!({"type": "moon"}))["requestType"], "unknown");
    assert_eq!(ask(2, json!(null))["requestType"], "unknown");
}

#[test]
fn an_elicitation_may_be_answered_elsewhere() {
    let mut agent = Connection::new();
    let request = |id: i64, params: Value| json!({"id": id, "method": "elicitation/create", "params": params});
    let form = json!({"mode": "form", "sessionId": "s", "message": "M", "requestedSchema": {"type": "object", "properties": {}}});
    let asked = agent.gets(&request(0, form));
    assert_eq!(types(&asked), ["user-input.requested", "request.opened"]);
    let answered =
        agent.sends(&json!({"id": 0, "result": {"action": "accept", "content": {"a": 1}}}));
    assert_eq!(
        types(&answered),
        ["user-input.resolved", "request.resolved"]
    );
    assert_eq!(answered[0]["payload"]["answers"], json!({"a": 1}));
    assert_eq!(answered[1]["payload"]["decision"], "accept");
    let url = json!({"mode": "url", "sessionId": "s", "elicitationId": "e", "message": "M", "url": "https://x.example"});
    let asked = agent.gets(&request(1, url));
    assert_eq!(types(&asked), ["user-input.requested", "request.opened"]);
    assert_eq!(asked[1]["payload"]["detail"], "M https://x.example");
    let complete = json!({"method": "elicitation/complete", "params": {"elicitationId": "e"}});
    let elsewhere = agent.gets(&complete);
    only("user-input.resolved", &elsewhere);
    assert_eq!(elsewhere[0]["requestId"], asked[0]["requestId"]);
}

#[test]
fn sessions_begin_and_end() {
    let mut agent = Connection::new();
    let mut answered = |method: &str, result: Value| {
        let params = json!({"sessionId": "s", "replayFrom": null});
        agent.sends(&json!({"id": 7, "method": method, "params": params}));
        agent.gets(&json!({"id": 7, "result": result}))
    };
    for (method, result, named, resumed) in [
        ("session/new", json!({"sessionId": "n"}), "n", json!(null)),
        ("session/resume", json!({}), "s", json!("s")),
        ("session/fork", json!({"sessionId": "f"}), "f", json!("s")),
    ] {
        let events = answered(method, result);
        assert_eq!(
            types(&events),
            ["session.started", "thread.started", "session.state.changed"]
        );
        assert_eq!(
            events[0]["payload"]["resume"]["sessionId"], resumed,
            "{method}"
        );
        assert_eq!(events[0]["providerRefs"]["providerSessionId"], named);
        assert_eq!(events[1]["payload"]["providerThreadId"], named);
    }
    for (method, state) in [
        ("session/archive", "archived"),
        ("session/unarchive", "active"),
        ("session/close", "closed"),
    ] {
        let events = answered(method, json!({}));
        assert_eq!(only("thread.state.changed", &events)["state"], state);
    }
    let title = answered("session/set_title", json!({"title": "T"}));
    assert_eq!(only("thread.metadata.updated", &title)["name"], "T");
    let login = answered("auth/login", json!({}));
    assert_eq!(only("auth.status", &login)["isAuthenticating"], false);
    let status = answered("auth/status", json!({"state": "unauthenticated"}));
    assert!(only("auth.status", &status).get("error").is_some());
}

#[test]
fn the_answer_to_initialize_has_the_names_of_version_1() {
    let mut agent = Connection::new();
    agent.sends(&json!({"id": 9, "method": "initialize", "params": {}}));
    let result = json!({"protocolVersion": 2, "capabilities": {"x": 1}, "info": {"name": "a", "version": "1"}, "authMethods": []});
    let configured = agent.gets(&json!({"id": 9, "result": result}));
    assert_eq!(
        only("session.configured", &configured)["config"],
        json!({"protocolVersion": 2, "agentCapabilities": {"x": 1}, "agentInfo": {"name": "a", "version": "1"}, "authMethods": []})
    );
}
