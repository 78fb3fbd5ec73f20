//! Values of enums that no vendored version has. None of them is read as success.

use agentwire::codex::wire::{
    AccountUpdatedNotification, PlanType, ServerNotification, ServerNotificationKind,
};
use agentwire::json::{NoteKind, decode, encode};
use agentwire::session::Verdict;
use serde_json::{Value, json};

use super::given;
use crate::support::replay::{
    Dialogue, assert_raw, event_types, oddities, only, payload, rollout, told, tree,
};

fn account(line: &str) -> AccountUpdatedNotification {
    let (notification, _) = decode::<ServerNotification<'_>>(line).unwrap();
    let ServerNotificationKind::AccountUpdated(account) = notification.kind else {
        panic!("{line}")
    };
    account
}

#[test]
fn unrecognized_plan_type() {
    let line = given("unrecognized-plan-type");
    let outcome = told(&line);
    assert_eq!(outcome.verdict, Verdict::Mapped);
    assert_eq!(event_types(&outcome), ["account.updated"]);
    assert_eq!(
        oddities(&outcome),
        ["params.planType: unrecognized PlanType `platinum_2030`"]
    );
    let kind = NoteKind::UnrecognizedValue {
        of: "PlanType",
        value: "platinum_2030".into(),
    };
    assert_eq!(outcome.oddities[0].kind, kind);
    assert_raw(&outcome, &line);
    assert_eq!(
        account(&line).plan_type,
        Some(PlanType::Unrecognized("platinum_2030".into()))
    );
}

#[test]
fn own_unknown_value() {
    let own = given("own-unknown-value");
    let outcome = told(&own);
    assert_eq!(
        outcome.oddities,
        [],
        "the provider's own `unknown` is nothing odd"
    );
    assert_eq!(event_types(&outcome), ["account.updated"]);
    let foreign = own.replace(r#""unknown""#, r#""zz""#);
    let (own_value, foreign_value) = (account(&own).plan_type, account(&foreign).plan_type);
    assert_eq!(own_value, Some(PlanType::Unknown));
    assert_eq!(foreign_value, Some(PlanType::Unrecognized("zz".into())));
    assert_ne!(own_value, foreign_value);
    for line in [own, foreign] {
        let (notification, _) = decode::<ServerNotification<'_>>(&line).unwrap();
        let again: Value = serde_json::from_str(&encode(&notification)).unwrap();
        assert_eq!(again, serde_json::from_str::<Value>(&line).unwrap());
    }
}

#[test]
fn another_enum_has_an_unknown_of_its_own() {
    use agentwire::codex::wire::app_server_notification::AccountUpdateReason as Reason;

    let line = |reason: &str| {
        format!(
            r#"{{"method":"account/updated","params":{{"authMode":null,"reason":"{reason}"}}}}"#
        )
    };
    assert_eq!(account(&line("unknown")).reason, Some(Reason::Unknown));
    assert_eq!(
        account(&line("why")).reason,
        Some(Reason::Unrecognized("why".into()))
    );
    let read = |reason: &str| told(&line(reason)).oddities.len();
    assert_eq!((read("unknown"), read("why")), (0, 1));
}

#[test]
fn an_unrecognized_value_that_reads_unknown_or_nothing_stays_itself() {
    for value in [
        "Unknown",
        "UNKNOWN",
        "Unrecognized",
        "",
        " unknown",
        "p\\u006cus ",
        "\\u0000",
    ] {
        let line = format!(
            r#"{{"method":"account/updated","params":{{"authMode":null,"planType":"{value}"}}}}"#
        );
        let outcome = told(&line);
        assert_eq!(outcome.oddities.len(), 1, "{line}");
        let Some(PlanType::Unrecognized(kept)) = account(&line).plan_type else {
            panic!("{line}")
        };
        assert_eq!(
            serde_json::from_str::<String>(&format!("\"{value}\"")).unwrap(),
            &*kept
        );
    }
    let escaped =
        r#"{"method":"account/updated","params":{"authMode":null,"planType":"\u0070lus"}}"#;
    assert_eq!(account(escaped).plan_type, Some(PlanType::Plus));
}

#[test]
fn unreadable_status_is_not_success() {
    let line = given("unreadable-status-is-not-success");
    let outcome = told(&line);
    assert_eq!(outcome.verdict, Verdict::Mapped);
    assert_eq!(
        oddities(&outcome),
        ["params.item.status: unrecognized PatchApplyStatus `timedOut`"]
    );
    assert_eq!(event_types(&outcome), ["item.started", "item.completed"]);
    assert_raw(&outcome, &line);
    let completed = tree(&outcome.events[1]);
    assert_eq!(completed["payload"].get("status"), None);
    assert_eq!(
        completed["payload"]["data"]["status"], "timedOut",
        "the status itself is kept"
    );
}

/// One item of a kind that has a status, with a status that nobody knows.
fn unreadable(item: &str) -> Value {
    let line = format!(
        r#"{{"method":"item/completed","params":{{"threadId":"t","turnId":"u","item":{item}}}}}"#
    );
    let outcome = told(&line);
    assert_eq!(outcome.verdict, Verdict::Mapped, "{line}");
    assert_eq!(outcome.oddities.len(), 1, "{line}: {:?}", outcome.oddities);
    assert!(
        outcome.oddities[0].path.starts_with("params.item."),
        "{line}"
    );
    tree(outcome.events.last().unwrap())["payload"].clone()
}

#[test]
fn no_item_succeeds_with_a_status_that_nobody_knows() {
    let items = [
        r#"{"type":"commandExecution","id":"i","command":"ls","commandActions":[],"cwd":"/w","status":"suspended"}"#,
        r#"{"type":"mcpToolCall","id":"i","server":"s","tool":"t","arguments":{},"status":"suspended"}"#,
        r#"{"type":"dynamicToolCall","id":"i","tool":"t","arguments":{},"status":"suspended","success":true}"#,
        r#"{"type":"collabAgentToolCall","id":"i","tool":"wait","status":"suspended","senderThreadId":"t","receiverThreadIds":[],"agentsStates":{}}"#,
    ];
    for item in items {
        let payload = unreadable(item);
        assert_eq!(payload.get("status"), None, "{item}");
        assert_eq!(
            payload["data"],
            serde_json::from_str::<Value>(item).unwrap()
        );
    }
}

#[test]
fn no_turn_succeeds_with_a_status_that_nobody_knows() {
    let line = r#"{"method":"turn/completed","params":{"threadId":"t","turn":{"id":"u","items":[],"status":"evaporated"}}}"#;
    let outcome = told(line);
    assert_eq!(
        oddities(&outcome),
        ["params.turn.status: unrecognized TurnStatus `evaporated`"]
    );
    let payload = payload(&outcome);
    assert_eq!(payload["state"], "failed");
    assert!(
        payload["errorMessage"]
            .as_str()
            .unwrap()
            .contains("evaporated"),
        "{payload}"
    );
}

#[test]
fn no_thread_idles_with_a_status_that_nobody_knows() {
    let line = r#"{"method":"thread/status/changed","params":{"threadId":"t","status":{"type":"levitating","height":3}}}"#;
    let outcome = told(line);
    assert_eq!(
        oddities(&outcome),
        ["params.status: unrecognized ThreadStatus `levitating`"]
    );
    let wanted = json!({"state": "error", "detail": {"type": "levitating", "height": 3}});
    assert_eq!(payload(&outcome), wanted);
}

#[test]
fn no_hook_succeeds_with_a_status_that_nobody_knows() {
    let run = r#"{"id":"h","displayOrder":0,"entries":[],"eventName":"stop","executionMode":"sync","handlerType":"command","scope":"turn","sourcePath":"/w/hook","startedAt":1,"status":"napping"}"#;
    let line = format!(
        r#"{{"method":"hook/completed","params":{{"threadId":"t","turnId":"u","run":{run}}}}}"#
    );
    let outcome = told(&line);
    assert_eq!(
        oddities(&outcome),
        ["params.run.status: unrecognized HookRunStatus `napping`"]
    );
    let payload = payload(&outcome);
    assert_eq!(payload["outcome"], "error");
    assert!(
        payload["output"].as_str().unwrap().contains("napping"),
        "{payload}"
    );
}

#[test]
fn nothing_stored_succeeds_with_a_status_that_nobody_knows() {
    let records = [
        r#"{"type":"exec_command_end","call_id":"i","turn_id":"u","command":["ls"],"cwd":"/w","parsed_cmd":[],"duration":{"secs":0,"nanos":1},"exit_code":0,"formatted_output":"","stdout":"","stderr":"","status":"suspended"}"#,
        r#"{"type":"patch_apply_end","call_id":"i","status":"suspended","success":true,"stdout":"","stderr":""}"#,
        r#"{"type":"collab_close_end","call_id":"i","sender_thread_id":"t","receiver_thread_id":"r","status":"suspended"}"#,
        r#"{"type":"collab_close_end","call_id":"i","sender_thread_id":"t","receiver_thread_id":"r","status":{"suspended":"since noon"}}"#,
    ];
    for record in records {
        let mut file = rollout();
        file.push(format!("{{\"type\":\"event_msg\",\"payload\":{record}}}\n").as_bytes());
        let outcome = only(file.outcomes().collect());
        assert_eq!(outcome.verdict, Verdict::Mapped, "{record}");
        assert_eq!(
            outcome.oddities.len(),
            1,
            "{record}: {:?}",
            outcome.oddities
        );
        let completed = tree(outcome.events.last().unwrap());
        assert_eq!(completed["type"], "item.completed");
        assert_eq!(completed["payload"].get("status"), None, "{record}");
    }
}

#[test]
fn values_nested_in_lists_are_told_each() {
    let line = r#"{"method":"turn/plan/updated","params":{"threadId":"t","turnId":"u","plan":[{"step":"a","status":"completed"},{"step":"b","status":"postponed"},{"step":"c","status":"lost"}]}}"#;
    let outcome = told(line);
    assert_eq!(
        oddities(&outcome),
        [
            "params.plan[1].status: unrecognized TurnPlanStepStatus `postponed`",
            "params.plan[2].status: unrecognized TurnPlanStepStatus `lost`",
        ]
    );
    let plan = payload(&outcome)["plan"].clone();
    assert_eq!(plan.as_array().unwrap().len(), 3, "no step is lost");
    assert_eq!(plan[0], json!({"step": "a", "status": "completed"}));
    for step in [&plan[1], &plan[2]] {
        assert_ne!(step["status"], "completed", "{plan}");
    }
}

#[test]
fn an_unrecognized_error_is_still_an_error() {
    for info in [
        r#""solarFlare""#,
        r#"{"solarFlare":{"class":"X9"}}"#,
        "7",
        "{}",
    ] {
        let line = format!(
            r#"{{"method":"error","params":{{"threadId":"t","turnId":"u","willRetry":false,"error":{{"message":"m","codexErrorInfo":{info}}}}}}}"#
        );
        let mut dialogue = Dialogue::new();
        let outcome = dialogue.told(&line);
        assert_eq!(event_types(&outcome), ["runtime.error"], "{line}");
        assert_raw(&outcome, &line);
        dialogue.goes_on();
        if !matches!(outcome.verdict, Verdict::Malformed { .. }) {
            assert_eq!(outcome.oddities.len(), 1, "{line}");
            assert_eq!(payload(&outcome)["class"], "unknown", "{line}");
            let kept = serde_json::from_str::<Value>(info).unwrap();
            assert_eq!(payload(&outcome)["detail"]["codexErrorInfo"], kept);
        }
    }
}

#[test]
fn model_rerouted() {
    let line = given("model-rerouted");
    let outcome = told(&line);
    assert_eq!(
        (event_types(&outcome), outcome.oddities.len()),
        (vec!["model.rerouted"], 0)
    );
    let wanted = json!({"fromModel": "m1", "toModel": "m2", "reason": "highRiskCyberActivity"});
    assert_eq!(payload(&outcome), wanted);
    assert_raw(&outcome, &line);
}

#[test]
fn a_model_rerouted_in_a_stored_session() {
    for (reason, odd) in [("high_risk_cyber_activity", 0), ("high_tide", 1)] {
        let mut file = rollout();
        file.push(
            format!(
                r#"{{"type":"event_msg","payload":{{"type":"model_reroute","from_model":"a","to_model":"b","reason":"{reason}"}}}}"#
            )
            .as_bytes(),
        );
        file.finish();
        let outcome = only(file.outcomes().collect());
        assert_eq!(outcome.oddities.len(), odd);
        let wanted = json!({"fromModel": "a", "toModel": "b", "reason": reason});
        assert_eq!(payload(&outcome), wanted);
    }
}

#[test]
fn a_model_rerouted_for_another_reason_keeps_the_reason() {
    let line = given("model-rerouted").replace("highRiskCyberActivity", "highTide");
    let outcome = told(&line);
    assert_eq!(
        oddities(&outcome),
        ["params.reason: unrecognized ModelRerouteReason `highTide`"]
    );
    assert_eq!(payload(&outcome)["reason"], "highTide");
}
