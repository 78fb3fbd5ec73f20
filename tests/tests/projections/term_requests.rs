//! Terms of what waits for the user, of errors, and of what the user sends.

use agentwire::canonical::IsoDateTime;
use agentwire::json::OwnedJson;
use agentwire::projection::universal::{SentMessage, Universal};
use serde_json::{Value, json};

use super::events::{Script, types};
use super::term_items::{lamp_call, lamp_result};
use super::terms::{assert_agent, assert_daemon};

pub fn permission(provider: &'static str) {
    let mut decisions = 0;
    for (decision, status) in [
        (Some("accept"), "approved"),
        (Some("acceptForSession"), "approved"),
        (Some("acceptWithAmendment"), "approved"),
        (Some("decline"), "denied"),
        (Some("cancel"), "denied"),
        (Some("timedOut"), "denied"),
        (Some("a word of a later version"), "denied"),
        (None, "denied"),
    ] {
        let kind = "command_execution_approval";
        let mut answer = json!({"requestType": kind, "resolution": {"said": 1}});
        if let Some(decision) = decision {
            answer["decision"] = json!(decision);
        }
        let script = Script::of(provider)
            .request(
                "request.opened",
                "r",
                json!({"requestType": kind, "detail": "light", "args": {"a": 1}}),
            )
            .request("request.resolved", "r", answer);
        let (asked, answered) = (
            script.one("permission.requested"),
            script.one("permission.resolved"),
        );
        let data = json!({"permission_id": "r", "action": "light", "status": "requested", "metadata": {"a": 1}});
        assert_eq!(asked["data"], data);
        let data = json!({"permission_id": "r", "action": "light", "status": status, "metadata": {"said": 1}});
        assert_eq!(answered["data"], data);
        assert_agent(&asked);
        assert_agent(&answered);
        decisions += 1;
    }
    assert_eq!(decisions, 8);
}

/// What the client answers by itself asks the user nothing.
pub fn no_permission(provider: &'static str) {
    let mut script = Script::of(provider)
        .tell("turn.started", json!({}))
        .item("item.started", "i", lamp_call())
        .item("item.completed", "i", lamp_result());
    for kind in ["dynamic_tool_call", "auth_tokens_refresh", "attestation"] {
        script = script
            .request("request.opened", kind, json!({"requestType": kind}))
            .request("request.resolved", kind, json!({"requestType": kind}));
    }
    let whole = script
        .tell("turn.completed", json!({"state": "completed"}))
        .whole();
    assert!(whole.len() > 5);
    let asks = |event: &&Value| {
        let name = event["type"].as_str().unwrap();
        name.starts_with("permission.") || name.starts_with("question.")
    };
    assert_eq!(whole.iter().find(asks), None);
}

fn questions() -> Value {
    json!({"questions": [{
        "id": "q", "question": "Which lamp?", "options": [{"label": "Red"}, {"label": "Green"}],
    }]})
}

pub fn question(provider: &'static str) {
    let script = Script::of(provider)
        .request("user-input.requested", "r", questions())
        .request(
            "request.opened",
            "r",
            json!({"requestType": "tool_user_input", "detail": "Which lamp?"}),
        )
        .request(
            "user-input.resolved",
            "r",
            json!({"answers": {"q": {"answers": ["Red"]}}}),
        )
        .request(
            "request.resolved",
            "r",
            json!({"requestType": "tool_user_input", "decision": "accept"}),
        );
    let (asked, answered) = (
        script.one("question.requested"),
        script.one("question.resolved"),
    );
    let mut data = json!({
        "question_id": "r", "prompt": "Which lamp?", "options": ["Red", "Green"], "status": "requested",
    });
    assert_eq!(asked["data"], data);
    data["status"] = json!("answered");
    data["response"] = json!("Red");
    assert_eq!(answered["data"], data);
    assert_agent(&asked);
    assert_agent(&answered);
}

pub fn question_rejected(provider: &'static str) {
    let script = Script::of(provider)
        .request("user-input.requested", "r", questions())
        .request(
            "request.resolved",
            "r",
            json!({"requestType": "tool_user_input", "decision": "decline"}),
        );
    assert_eq!(
        script.one("question.resolved")["data"]["status"],
        "rejected"
    );
    // Without a form there is a request and nothing else.
    let link = Script::of(provider)
        .request(
            "request.opened",
            "r",
            json!({"requestType": "mcp_elicitation", "detail": "Open the pass."}),
        )
        .request(
            "request.resolved",
            "r",
            json!({"requestType": "mcp_elicitation"}),
        );
    assert_eq!(
        link.one("question.requested")["data"]["prompt"],
        "Open the pass."
    );
    assert_eq!(link.one("question.resolved")["data"]["status"], "rejected");
}

fn plan_item(status: &str) -> Value {
    json!({
        "itemType": "dynamic_tool_call", "status": status, "title": "ExitPlanMode",
        "data": {"name": "ExitPlanMode", "input": {"plan": "1. Light the lamp."}},
    })
}

pub fn plan(provider: &'static str, status: &str, answer: &str) {
    let script = Script::of(provider)
        .item("item.started", "i", plan_item("inProgress"))
        .item("item.completed", "i", plan_item(status));
    let (asked, answered) = (
        script.one("question.requested"),
        script.one("question.resolved"),
    );
    assert_daemon(&asked);
    assert_daemon(&answered);
    assert_eq!(asked["data"]["prompt"], "1. Light the lamp.");
    assert_eq!(asked["data"]["options"], json!(["approve", "reject"]));
    assert_eq!(answered["data"]["status"], answer);
    assert_eq!(
        answered["data"]["question_id"],
        asked["data"]["question_id"]
    );
    assert_eq!(
        script.all("item.started").len(),
        2,
        "the call is told besides"
    );
}

/// The same question may come as a request for leave; it is asked once.
pub fn plan_by_permission(provider: &'static str) {
    let request = json!({
        "requestType": "unknown",
        "args": {"tool_name": "ExitPlanMode", "input": {"plan": "1. Light the lamp."}},
    });
    let answer = json!({"requestType": "unknown", "decision": "accept"});
    let alone = Script::of(provider)
        .request("request.opened", "r", request.clone())
        .request("request.resolved", "r", answer.clone());
    assert_eq!(
        alone.one("question.requested")["data"]["prompt"],
        "1. Light the lamp."
    );
    assert_eq!(alone.one("question.resolved")["data"]["status"], "answered");
    assert!(alone.all("permission.requested").is_empty());
    let both = Script::of(provider)
        .item("item.started", "i", plan_item("inProgress"))
        .told(
            "request.opened",
            request,
            json!({"requestId": "r", "itemId": "i"}),
            None,
        )
        .told(
            "request.resolved",
            answer,
            json!({"requestId": "r", "itemId": "i"}),
            None,
        )
        .item("item.completed", "i", plan_item("completed"));
    both.one("question.requested");
    assert_eq!(both.one("question.resolved")["data"]["status"], "answered");
}

pub fn error(provider: &'static str) {
    let script = Script::of(provider).tell(
        "runtime.error",
        json!({"message": "The oil is out.", "class": "provider_error", "detail": {"litres": 0.0}}),
    );
    let error = script.one("error");
    assert_agent(&error);
    let data =
        json!({"message": "The oil is out.", "code": "provider_error", "details": {"litres": 0.0}});
    assert_eq!(error["data"], data);
}

pub fn error_of_a_turn(provider: &'static str) {
    let ended = json!({"state": "failed", "errorMessage": "The oil is out."});
    let silent = Script::of(provider)
        .tell("turn.started", json!({}))
        .tell("turn.completed", ended.clone());
    assert_eq!(
        silent.one("error")["data"],
        json!({"message": "The oil is out."})
    );
    // Where a message has told what failed, the end of the turn does not tell it again.
    let told = Script::of(provider)
        .tell("turn.started", json!({}))
        .tell("runtime.error", json!({"message": "The oil is out."}))
        .tell("turn.completed", ended);
    told.one("error");
}

pub fn sent_message(_: &'static str) {
    let mut universal = Universal::new();
    let told = universal.sent(SentMessage {
        event_id: "sent-1".into(),
        session_id: "session-1".into(),
        native_session_id: None,
        time: IsoDateTime::from_millis(5),
        text: String::from("Is the lamp lit?"),
        input: Some(OwnedJson::parse(r#"{"prompt":"Is the lamp lit?"}"#).unwrap()),
    });
    let told: Vec<Value> = told
        .iter()
        .map(|it| serde_json::to_value(it).unwrap())
        .collect();
    assert_eq!(
        types(&told),
        [
            "session.started",
            "item.started",
            "item.delta",
            "item.completed"
        ]
    );
    told.iter().for_each(assert_daemon);
    assert_eq!(told[3]["raw"], json!({"prompt": "Is the lamp lit?"}));
    assert_eq!(told[3]["data"]["item"]["role"], "user");
    assert_eq!(told[3]["data"]["item"]["status"], "completed");
}
