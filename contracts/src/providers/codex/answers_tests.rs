#![allow(clippy::unwrap_used, clippy::panic)]
use std::collections::BTreeSet;

use super::*;
use crate::kit::envelope::{Message, envelopes};
use crate::providers::codex::wire::app_server_request::ROWS;

fn read<'a>(method: &'a str, result: &'a str) -> Result<ClientAnswer<'a>, Malformed> {
    let object = Reader::new("{}").object().unwrap();
    let mut reader = Reader::new(result);
    ClientAnswer::read_content(&mut reader, &object, method.into(), Some(0..result.len()))
}

/// What is decided by a result, whose text must be kept.
fn decided(method: &str, result: &str) -> Option<String> {
    let answer = answer(
        &read(method, result).unwrap(),
        OwnedJson::parse(result).unwrap(),
    );
    assert_eq!(answer.resolution.unwrap().as_str(), result);
    answer.decision
}

fn decision(method: &str, value: &str) -> Option<String> {
    decided(method, &format!(r#"{{"decision":{value}}}"#))
}

#[test]
fn decisions_about_commands() {
    let method = "item/commandExecution/requestApproval";
    let network = |action: &str| {
        format!(
            r#"{{"applyNetworkPolicyAmendment":{{"network_policy_amendment":{{"host":"h","action":"{action}"}}}}}}"#
        )
    };
    for (value, expected) in [
        (String::from(r#""accept""#), Some("accept")),
        (
            String::from(r#""acceptForSession""#),
            Some("acceptForSession"),
        ),
        (String::from(r#""decline""#), Some("decline")),
        (String::from(r#""cancel""#), Some("cancel")),
        (
            String::from(r#"{"acceptWithExecpolicyAmendment":{"execpolicy_amendment":["ls"]}}"#),
            Some("acceptWithAmendment"),
        ),
        (network("allow"), Some("acceptWithAmendment")),
        (network("deny"), Some("decline")),
        (network("maybe"), None),
        (String::from(r#""perhaps""#), None),
    ] {
        assert_eq!(decision(method, &value).as_deref(), expected, "{value}");
    }
}

#[test]
fn decisions_about_file_changes() {
    for (value, expected) in [
        (r#""accept""#, Some("accept")),
        (r#""acceptForSession""#, Some("acceptForSession")),
        (r#""decline""#, Some("decline")),
        (r#""cancel""#, Some("cancel")),
        (r#""perhaps""#, None),
    ] {
        let found = decision("item/fileChange/requestApproval", value);
        assert_eq!(found.as_deref(), expected, "{value}");
    }
}

#[test]
fn decisions_of_the_older_approvals() {
    let network = |action: &str| {
        format!(
            r#"{{"network_policy_amendment":{{"network_policy_amendment":{{"host":"h","action":"{action}"}}}}}}"#
        )
    };
    for method in ["applyPatchApproval", "execCommandApproval"] {
        for (value, expected) in [
            (String::from(r#""approved""#), Some("accept")),
            (
                String::from(r#""approved_for_session""#),
                Some("acceptForSession"),
            ),
            (
                String::from(r#""approved_mcp_policy_amendment""#),
                Some("acceptWithAmendment"),
            ),
            (
                String::from(
                    r#"{"approved_execpolicy_amendment":{"proposed_execpolicy_amendment":["ls"]}}"#,
                ),
                Some("acceptWithAmendment"),
            ),
            (String::from(r#""denied""#), Some("decline")),
            (
                String::from(r#"{"denied":{"rejection":"no"}}"#),
                Some("decline"),
            ),
            (String::from(r#""abort""#), Some("cancel")),
            (String::from(r#""timed_out""#), Some("timedOut")),
            (network("allow"), Some("acceptWithAmendment")),
            (network("deny"), Some("decline")),
            (network("maybe"), None),
            (String::from(r#""perhaps""#), None),
        ] {
            assert_eq!(
                decision(method, &value).as_deref(),
                expected,
                "{method} {value}"
            );
        }
    }
}

#[test]
fn decisions_about_permissions() {
    let method = "item/permissions/requestApproval";
    for (result, expected) in [
        (
            r#"{"permissions":{"network":{"enabled":true}}}"#,
            Some("accept"),
        ),
        (
            r#"{"scope":"turn","permissions":{"fileSystem":{"read":["/a"]}}}"#,
            Some("accept"),
        ),
        (
            r#"{"scope":"session","permissions":{"network":{"enabled":true}}}"#,
            Some("acceptForSession"),
        ),
        (
            r#"{"scope":"ever","permissions":{"network":{"enabled":true}}}"#,
            None,
        ),
        // What no version knows is a grant as well.
        (r#"{"permissions":{"camera":"front"}}"#, Some("accept")),
        (r#"{"permissions":{"camera":3}}"#, Some("accept")),
        (r#"{"permissions":{}}"#, Some("decline")),
        (r#"{"scope":"session","permissions":{}}"#, Some("decline")),
        (
            r#"{"permissions":{"network":{"enabled":false},"fileSystem":{"read":[],"write":null},"camera":""}}"#,
            Some("decline"),
        ),
        (
            r#"{"permissions":{"network":{"enabled":true}},"permissions":{}}"#,
            Some("decline"),
        ),
    ] {
        assert_eq!(decided(method, result).as_deref(), expected, "{result}");
    }
}

#[test]
fn permissions_of_any_depth_are_walked_without_harm() {
    let deep = format!(
        r#"{{"permissions":{{"later":{}1{}}}}}"#,
        r#"{"x":"#.repeat(100_000),
        "}".repeat(100_000)
    );
    assert_eq!(
        decided("item/permissions/requestApproval", &deep).as_deref(),
        Some("accept"),
        "what is too deep to look at is not taken for nothing"
    );
}

#[test]
fn decisions_about_elicitations() {
    for (action, expected) in [
        ("accept", Some("accept")),
        ("decline", Some("decline")),
        ("cancel", Some("cancel")),
        ("perhaps", None),
    ] {
        let result = format!(r#"{{"action":"{action}","content":{{"n": 1.0}}}}"#);
        let found = decided("mcpServer/elicitation/request", &result);
        assert_eq!(found.as_deref(), expected, "{action}");
    }
}

#[test]
fn answers_to_questions_decide_nothing() {
    for (method, result) in [
        (
            "item/tool/call",
            r#"{"success":true,"contentItems":[],"later": 1}"#,
        ),
        (
            "item/tool/requestUserInput",
            r#"{"answers":{"q":{"answers":["Approve Once"]}}}"#,
        ),
        ("item/nebula/ask", r#"{"decision":"accept"}"#),
    ] {
        assert_eq!(decided(method, result), None, "{method}");
    }
}

#[test]
fn tokens_are_not_copied() {
    for (method, result, kept) in [
        (
            "account/chatgptAuthTokens/refresh",
            r#"{"accessToken":"secret","chatgptAccountId":"a","chatgptPlanType":"pro"}"#,
            r#"{"chatgptAccountId":"a","chatgptPlanType":"pro"}"#,
        ),
        (
            "attestation/generate",
            r#"{"token":"secret","later": 1.0}"#,
            r#"{"later":1.0}"#,
        ),
    ] {
        let answer = answer(
            &read(method, result).unwrap(),
            OwnedJson::parse(result).unwrap(),
        );
        let resolution = answer.resolution.unwrap();
        assert_eq!(
            (answer.decision, resolution.as_str()),
            (None, kept),
            "{method}"
        );
    }
}

/// The default answer of a method: a result's text, or the code of an error.
fn default_of(method: &str) -> Result<String, i64> {
    let line = default_answer(method, &RequestId::Integer(7));
    assert!(!line.contains('\n'));
    let messages = envelopes(&line).unwrap();
    let [message] = &messages[..] else {
        panic!("{line}")
    };
    match &message.message {
        Message::Response { id, result } => {
            assert_eq!(*id, RequestId::Integer(7));
            Ok(line[result.clone()].to_owned())
        }
        Message::Error { id, error } => {
            assert_eq!(*id, Some(RequestId::Integer(7)));
            let (error, _): (RpcError<'_>, _) = crate::json::decode(&line[error.clone()]).unwrap();
            Err(error.code)
        }
        Message::Request { .. } | Message::Notification { .. } | Message::Other => panic!("{line}"),
    }
}

#[test]
fn every_default_answer_is_valid_and_grants_nothing() {
    let mut found = BTreeSet::new();
    let mut refused = Vec::new();
    for row in ROWS {
        match default_of(row.tag) {
            Ok(result) => {
                let read = read(row.tag, &result).unwrap();
                assert_eq!(read.tag(), row.tag);
                assert!(
                    !matches!(read, ClientAnswer::Unrecognized(_)),
                    "{}",
                    row.tag
                );
                let raw = OwnedJson::parse(&result).unwrap();
                found.insert((row.tag, answer(&read, raw).decision));
            }
            Err(code) => {
                assert_eq!(code, -32601);
                refused.push(row.tag);
            }
        }
    }
    let decided = |decision: &str| Some(decision.to_owned());
    let expected = BTreeSet::from([
        ("applyPatchApproval", decided("cancel")),
        ("execCommandApproval", decided("cancel")),
        ("item/commandExecution/requestApproval", decided("decline")),
        ("item/fileChange/requestApproval", decided("decline")),
        ("item/permissions/requestApproval", decided("decline")),
        ("item/tool/call", None),
        ("item/tool/requestUserInput", None),
        ("mcpServer/elicitation/request", decided("decline")),
    ]);
    assert_eq!(found, expected);
    assert_eq!(
        refused,
        ["account/chatgptAuthTokens/refresh", "attestation/generate"]
    );
}

#[test]
fn a_default_answer_without_a_decision_gives_nothing_either() {
    let tool = default_of("item/tool/call").unwrap();
    let ClientAnswer::ItemToolCall(result) = read("item/tool/call", &tool).unwrap() else {
        panic!("{tool}")
    };
    assert!(!result.success && result.content_items.is_empty());
    let input = default_of("item/tool/requestUserInput").unwrap();
    let ClientAnswer::ItemToolRequestUserInput(result) =
        read("item/tool/requestUserInput", &input).unwrap()
    else {
        panic!("{input}")
    };
    assert!(result.answers.is_empty());
}

#[test]
fn an_unknown_request_is_refused_and_its_id_goes_back_as_it_came() {
    assert_eq!(default_of("item/nebula/ask"), Err(-32601));
    for (wire, method) in [
        ("9", "item/tool/call"),
        (r#""9""#, "item/tool/call"),
        (r#""a\"b""#, "item/nebula/ask"),
        ("1e3", "item/nebula/ask"),
        ("18446744073709551616", "say \"hello\"\n"),
    ] {
        let id = RequestId::from_wire(wire).unwrap();
        let line = default_answer(method, &id);
        assert!(line.contains(&format!(r#""id":{wire}"#)), "{line}");
        let messages = envelopes(&line).unwrap();
        match &messages[0].message {
            Message::Response { id: back, .. } => assert_eq!(*back, id),
            Message::Error { id: back, .. } => assert_eq!(back.as_ref(), Some(&id)),
            Message::Request { .. } | Message::Notification { .. } | Message::Other => {
                panic!("{line}")
            }
        }
    }
}

#[test]
fn the_tables_name_requests_of_the_surface_in_order() {
    let declined: Vec<&str> = DECLINED.iter().map(|(method, _)| *method).collect();
    for table in [RESOLVED_BY_ANSWER, &declined] {
        assert!(table.is_sorted());
        for method in table {
            assert!(ROWS.iter().any(|row| row.tag == *method), "{method}");
        }
    }
    assert_eq!((RESOLVED_BY_ANSWER.len(), declined.len()), (5, 8));
}
