//! What single agents do beside the schema: Cursor's own methods, members and methods that left
//! the schema, and errors that answer nothing.

use agentwire::acp::wire::v1;
use agentwire::session::Verdict;
use serde_json::{Value, json};

use crate::acp::{last, led};
use crate::support::replay::{event_types, tree};

const PROMPT: &str =
    r#">{"id":1,"method":"session/prompt","params":{"sessionId":"s","prompt":[]}}"#;

fn told(method: &str, params: &Value) -> String {
    format!("<{}", json!({"method": method, "params": params}))
}

fn asked(id: i64, method: &str, params: &Value) -> String {
    format!("<{}", json!({"id": id, "method": method, "params": params}))
}

fn answered(id: i64, result: &Value) -> String {
    format!(">{}", json!({"id": id, "result": result}))
}

/// The last event of the last line.
fn outcome(lines: &[String]) -> Value {
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    tree(last(&lines).events.last().unwrap())
}

fn todos(list: &[(&str, &str, &str)], merge: bool) -> String {
    let todo = |(id, content, status): &(&str, &str, &str)| json!({"id": id, "content": content, "status": status});
    let todos: Vec<Value> = list.iter().map(todo).collect();
    told(
        "cursor/update_todos",
        &json!({"toolCallId": "c", "todos": todos, "merge": merge}),
    )
}

fn steps(event: &Value) -> Vec<(String, String)> {
    assert_eq!(event["type"], "turn.plan.updated");
    let plan = event["payload"]["plan"].as_array().unwrap();
    let text = |step: &Value, name: &str| step[name].as_str().unwrap().to_owned();
    plan.iter()
        .map(|step| (text(step, "step"), text(step, "status")))
        .collect()
}

#[test]
fn todos_that_are_merged_change_the_plan_and_others_replace_it() {
    let first = todos(
        &[("1", "Boil", "in_progress"), ("2", "Pour", "pending")],
        false,
    );
    let merged = todos(
        &[("2", "Pour tea", "completed"), ("3", "Sing", "cancelled")],
        true,
    );
    let replaced = todos(&[("9", "Rest", "pending")], false);
    let plan = |lines: &[&String]| {
        let lines: Vec<String> = lines.iter().map(|line| (*line).clone()).collect();
        steps(&outcome(&lines))
    };
    let step = |step: &str, status: &str| (step.to_owned(), status.to_owned());
    assert_eq!(
        plan(&[&first, &merged]),
        [
            step("Boil", "inProgress"),
            step("Pour tea", "completed"),
            // There is no word for a step that was given up, and it is not done.
            step("Sing", "pending"),
        ]
    );
    assert_eq!(
        plan(&[&first, &merged, &replaced]),
        [step("Rest", "pending")]
    );
    assert_eq!(plan(&[&merged]).len(), 2);
}

#[test]
fn a_method_without_a_session_belongs_to_its_call_or_to_the_only_turn() {
    let call = told(
        "session/update",
        &json!({"sessionId": "t", "update": {"sessionUpdate": "tool_call", "toolCallId": "c", "title": "t"}}),
    );
    let thread = |lines: &[String]| outcome(lines)["providerRefs"]["providerThreadId"].clone();
    let plan = todos(&[("1", "Boil", "pending")], false);
    assert_eq!(thread(&[call.clone(), plan.clone()]), "t");
    let elsewhere = plan.replace("\"toolCallId\":\"c\"", "\"toolCallId\":\"d\"");
    let lines = [PROMPT.to_owned(), call.clone(), elsewhere.clone()];
    assert_eq!(thread(&lines), "s");
    assert_eq!(outcome(&lines)["providerRefs"]["providerTurnId"], "1");
    let second = PROMPT
        .replace(r#""id":1"#, r#""id":2"#)
        .replace(r#""s""#, r#""u""#);
    let lines = [PROMPT.to_owned(), second, elsewhere];
    assert_eq!(thread(&lines), Value::Null);
}

/// What an answer of the client decides.
fn decided(method: &str, params: &Value, result: &Value) -> Value {
    let event = outcome(&[asked(4, method, params), answered(4, result)]);
    assert_eq!(event["type"], "request.resolved");
    event["payload"]["decision"].clone()
}

#[test]
fn an_answer_to_cursor_is_nested_and_a_flat_one_cancels() {
    let plan = json!({"name": "Picnic", "overview": "o", "plan": "p", "todos": []});
    let create = |result: Value| decided("cursor/create_plan", &plan, &result);
    assert_eq!(
        create(json!({"outcome": {"outcome": "accepted"}})),
        "accept"
    );
    assert_eq!(
        create(json!({"outcome": {"outcome": "rejected", "reason": "r"}})),
        "decline"
    );
    assert_eq!(
        create(json!({"outcome": {"outcome": "cancelled"}})),
        "cancel"
    );
    assert_eq!(create(json!({"outcome": "accepted"})), "cancel");
    // A word that no version has decides nothing that we could name.
    assert_eq!(
        create(json!({"outcome": {"outcome": "postponed"}})),
        Value::Null
    );
}

#[test]
fn a_question_of_cursor_is_answered_skipped_or_cancelled() {
    let questions = json!({"title": "t", "questions": [{"id": "q", "prompt": "p", "options": [{"id": "a", "label": "A"}]}]});
    let ask = |result: Value| decided("cursor/ask_question", &questions, &result);
    let answers = json!([{"questionId": "q", "selectedOptionIds": ["a"]}]);
    let answer = json!({"outcome": {"outcome": "answered", "answers": answers}});
    assert_eq!(ask(answer.clone()), "accept");
    let skipped = json!({"outcome": {"outcome": "skipped", "reason": "r"}});
    assert_eq!(ask(skipped), "decline");
    assert_eq!(ask(json!({"outcome": {"outcome": "cancelled"}})), "cancel");
    assert_eq!(ask(json!({"outcome": "answered"})), "cancel");
    let lines = [
        asked(4, "cursor/ask_question", &questions),
        answered(4, &answer),
    ];
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    let outcomes = led(&lines).concat();
    assert_eq!(
        event_types(&outcomes[0]),
        ["user-input.requested", "request.opened"]
    );
    assert_eq!(
        event_types(&outcomes[1]),
        ["user-input.resolved", "request.resolved"]
    );
    assert_eq!(tree(&outcomes[1].events[0])["payload"]["answers"], answers);
}

#[test]
fn models_of_a_session_and_a_session_that_a_load_names_are_typed() {
    let text = r#"{"models":{"availableModels":[{"modelId":"m","name":"M"}],"currentModelId":"m"},"sessionId":"s"}"#;
    let new: v1::NewSessionResponse<'_> = serde_json::from_str(text).unwrap();
    let models = new.models.as_ref().unwrap();
    assert_eq!(models.current_model_id.as_deref(), Some("m"));
    let listed = models.available_models.as_ref().unwrap();
    assert_eq!(listed[0].model_id.as_deref(), Some("m"));
    assert_eq!(serde_json::to_string(&new).unwrap(), text);
    let load: v1::LoadSessionResponse<'_> = serde_json::from_str(text).unwrap();
    assert_eq!(load.session_id.as_ref().unwrap().as_str(), "s");
    assert_eq!(serde_json::to_string(&load).unwrap(), text);
}

#[test]
fn a_model_is_set_by_a_method_that_left_the_schema() {
    let outcome = last(&[
        r#">{"id":2,"method":"session/set_model","params":{"sessionId":"s","modelId":"tide"}}"#,
        r#"<{"id":2,"result":{}}"#,
    ]);
    assert_eq!(event_types(&outcome), ["session.configured"]);
    let config = &tree(&outcome.events[0])["payload"]["config"];
    assert_eq!(config["currentModelId"], "tide");
}

#[test]
fn an_error_without_an_id_is_told() {
    for id in ["", r#""id":null,"#] {
        let outcome = last(&[&format!(
            r#"<{{{id}"error":{{"code":-32601,"message":"no such method"}}}}"#
        )]);
        assert_eq!(event_types(&outcome), ["runtime.warning"], "{id}");
        assert_eq!(outcome.verdict, Verdict::Mapped);
    }
}

#[test]
fn two_options_of_one_kind_are_told_apart_by_their_ids() {
    let options = json!([
        {"optionId": "a", "name": "A", "kind": "allow_always"},
        {"optionId": "b", "name": "B", "kind": "allow_always"},
        {"optionId": "c", "name": "C", "kind": "reject_once"},
        {"optionId": "d", "name": "D", "kind": "some_day"},
    ]);
    let params = json!({"sessionId": "s", "toolCall": {"toolCallId": "c"}, "options": options});
    let choose = |id: &str| {
        let result = json!({"outcome": {"outcome": "selected", "optionId": id}});
        decided("session/request_permission", &params, &result)
    };
    assert_eq!(choose("a"), "acceptForSession");
    assert_eq!(choose("b"), "acceptForSession");
    assert_eq!(choose("c"), "decline");
    assert_eq!(choose("d"), Value::Null);
    assert_eq!(choose("e"), Value::Null);
}

#[test]
fn history_gives_no_turn_and_says_that_it_is_one() {
    let outcomes = led(&[
        r#">{"id":5,"method":"session/load","params":{"sessionId":"s","cwd":"/w","mcpServers":[]}}"#,
        r#"<{"method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"tool_call","toolCallId":"c","title":"t","status":"completed"}}}"#,
        r#"<{"id":5,"result":{"sessionId":"s"}}"#,
    ])
    .concat();
    for event in outcomes[1].events.iter().map(tree) {
        assert_eq!(event["raw"]["messageType"], "history/tool_call");
        assert_eq!(event.get("turnId"), None);
    }
    let taken_up = tree(&outcomes[2].events[0]);
    assert_eq!(taken_up["payload"]["resume"], json!({"sessionId": "s"}));
}
