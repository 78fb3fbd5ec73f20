#![allow(clippy::unwrap_used, clippy::panic)]
use std::collections::BTreeSet;
use std::sync::Arc;

use serde_json::json;

use super::*;
use crate::canonical::EventPayload;
use crate::json::{Object, Reader};
use crate::kit::ledger::{Draft, Refs};
use crate::providers::codex::wire::app_server_request::{ROWS, map, refs};

/// The drafts of a request, and the type that the reader remembers for it.
fn mapped(method: &str, params: Option<&str>) -> (Vec<Draft>, RequestType) {
    let line = match params {
        Some(params) => format!(r#"{{"id":0,"params":{params}}}"#),
        None => String::from(r#"{"id":0}"#),
    };
    let line: Arc<str> = Arc::from(line);
    let body = params.map(|_| r#"{"id":0,"params":"#.len()..line.len() - 1);
    let mut reader = Reader::new(&line);
    let object: Object = Reader::new(&line).object().unwrap();
    let kind =
        ServerRequestKind::read_content(&mut reader, &object, method.into(), body.clone()).unwrap();
    let mut drafts = Vec::new();
    let mut cx = Cx::new(&line, body.unwrap_or(line.len()..line.len()), &mut drafts);
    cx.refs.request = Some(Arc::from("0"));
    cx.lift(refs(&kind));
    map(&mut CodexMapping::new(), &mut cx, &kind);
    (drafts, request_type(&kind))
}

/// The only draft of a request: that it is opened.
fn only_opened(method: &str, params: &str) -> RequestOpened {
    let (mut drafts, request_type) = mapped(method, Some(params));
    assert_eq!(drafts.len(), 1, "{drafts:?}");
    let opened = as_opened(drafts.remove(0));
    assert_eq!(opened.request_type, request_type, "{method}");
    assert_eq!(
        opened.args.as_ref().unwrap().as_str(),
        params,
        "args are the params as sent"
    );
    opened
}

fn as_opened(draft: Draft) -> RequestOpened {
    let EventPayload::RequestOpened(opened) = draft.payload else {
        panic!("{draft:?}")
    };
    opened
}

fn questions(draft: &Draft) -> String {
    let EventPayload::UserInputRequested(asked) = &draft.payload else {
        panic!("{draft:?}")
    };
    asked.questions.to_string()
}

fn refs_of(thread: Option<&str>, turn: Option<&str>, item: Option<&str>) -> Refs {
    let arc = |id: Option<&str>| id.map(Arc::from);
    Refs {
        session: None,
        thread: arc(thread),
        turn: arc(turn),
        item: arc(item),
        request: arc(Some("0")),
        minted: true,
        runs_on: false,
    }
}

/// One request of each row: its params, its type, its detail, and the ids that it names.
struct Case {
    method: &'static str,
    params: &'static str,
    request_type: RequestType,
    detail: Option<&'static str>,
    refs: Refs,
}

fn cases() -> Vec<Case> {
    let full = || refs_of(Some("th"), Some("tu"), Some("it"));
    let call = || refs_of(Some("th"), None, Some("call"));
    vec![
        Case {
            method: "account/chatgptAuthTokens/refresh",
            params: r#"{"reason":"unauthorized","previousAccountId":"acct"}"#,
            request_type: RequestType::AuthTokensRefresh,
            detail: Some("unauthorized"),
            refs: refs_of(None, None, None),
        },
        Case {
            method: "applyPatchApproval",
            params: r#"{"conversationId":"th","callId":"call","fileChanges":{"src/b.rs":{"type":"add","content":""},"src/a.rs":{"type":"add","content":""}},"reason":" "}"#,
            request_type: RequestType::ApplyPatchApproval,
            detail: Some("src/a.rs and 1 more"),
            refs: call(),
        },
        Case {
            method: "attestation/generate",
            params: r#"{ "later" : 1 }"#,
            request_type: RequestType::Attestation,
            detail: None,
            refs: refs_of(None, None, None),
        },
        Case {
            method: "execCommandApproval",
            params: r#"{"conversationId":"th","callId":"call","approvalId":"ap","command":["touch","a b"],"cwd":"/w","parsedCmd":[]}"#,
            request_type: RequestType::ExecCommandApproval,
            detail: Some("touch a b"),
            refs: call(),
        },
        Case {
            method: "item/commandExecution/requestApproval",
            params: r#"{"threadId":"th","turnId":"tu","itemId":"it","approvalId":"ap","command":"cat <<X\n  hello\nX"}"#,
            request_type: RequestType::CommandExecutionApproval,
            detail: Some("cat <<X hello X"),
            refs: full(),
        },
        Case {
            method: "item/fileChange/requestApproval",
            params: r#"{"threadId":"th","turnId":"tu","itemId":"it","grantRoot":"/elsewhere","later":[1.0]}"#,
            request_type: RequestType::FileChangeApproval,
            detail: Some("write access below /elsewhere"),
            refs: full(),
        },
        Case {
            method: "item/permissions/requestApproval",
            params: r#"{"threadId":"th","turnId":"tu","itemId":"it","permissions":{"network":{"enabled":true},"fileSystem":null,"later":{}}}"#,
            request_type: RequestType::PermissionsApproval,
            detail: Some("permissions: network, later"),
            refs: full(),
        },
        Case {
            method: "item/tool/call",
            params: r#"{"threadId":"th","turnId":"tu","callId":"it","namespace":"sea","tool":"buoy","arguments":{"n": 2}}"#,
            request_type: RequestType::DynamicToolCall,
            detail: Some("sea/buoy"),
            refs: full(),
        },
    ]
}

#[test]
fn each_request_is_opened_with_its_params_as_sent() {
    for case in cases() {
        let opened = only_opened(case.method, case.params);
        assert_eq!(opened.request_type, case.request_type, "{}", case.method);
        assert_eq!(opened.detail.as_deref(), case.detail, "{}", case.method);
        let (drafts, _) = mapped(case.method, Some(case.params));
        assert_eq!(drafts[0].refs, case.refs, "{}", case.method);
    }
}

#[test]
fn every_row_has_a_test_here() {
    let mut tested: BTreeSet<&str> = cases().iter().map(|case| case.method).collect();
    tested.insert("item/tool/requestUserInput");
    tested.insert("mcpServer/elicitation/request");
    let rows: BTreeSet<&str> = ROWS.iter().map(|row| row.tag).collect();
    assert_eq!(tested, rows);
    assert_eq!(rows.len(), 10);
}

#[test]
fn a_reason_goes_before_what_is_asked_for() {
    let reason = |method: &str, more: &str| {
        let params = format!(
            r#"{{"threadId":"th","turnId":"tu","itemId":"it","reason":"why\r\nnot?"{more}}}"#
        );
        only_opened(method, &params).detail
    };
    for (method, more) in [
        (
            "item/commandExecution/requestApproval",
            r#","command":"ls""#,
        ),
        ("item/fileChange/requestApproval", r#","grantRoot":"/""#),
        (
            "item/permissions/requestApproval",
            r#","permissions":{"network":{}}"#,
        ),
    ] {
        assert_eq!(
            reason(method, more).as_deref(),
            Some("why not?"),
            "{method}"
        );
    }
}

#[test]
fn a_network_approval_names_its_host() {
    let params = r#"{"threadId":"th","turnId":"tu","itemId":"it","networkApprovalContext":{"host":"sea.example","protocol":"https"}}"#;
    let opened = only_opened("item/commandExecution/requestApproval", params);
    assert_eq!(
        opened.detail.as_deref(),
        Some("network access to sea.example")
    );
}

#[test]
fn an_approval_of_an_unknown_kind_is_not_taken_for_that_of_a_command() {
    let kind = |kind: &str| {
        let params = format!(r#"{{"threadId":"th","turnId":"tu","itemId":"it","kind":"{kind}"}}"#);
        only_opened("item/commandExecution/requestApproval", &params).request_type
    };
    for known in ["command", "humanCommand", "writeStdin"] {
        assert_eq!(kind(known), RequestType::CommandExecutionApproval);
    }
    assert_eq!(kind("selfDestruct"), RequestType::Unknown);
}

#[test]
fn a_request_without_params_has_no_args() {
    let (mut drafts, _) = mapped("attestation/generate", None);
    assert_eq!(drafts.len(), 1);
    assert_eq!(as_opened(drafts.remove(0)).args, None);
}

#[test]
fn questions_of_a_tool_are_asked_and_then_the_request_is_opened() {
    let asked = r#"[{"id":"a","header":"H","question":"Which?","later":1.0},{"id":"b","header":"I","question":"And why?"}]"#;
    let params = format!(r#"{{"threadId":"th","turnId":"tu","itemId":"it","questions":{asked}}}"#);
    let (mut drafts, request_type) = mapped("item/tool/requestUserInput", Some(&params));
    assert_eq!(drafts.len(), 2);
    assert_eq!(questions(&drafts[0]), asked);
    assert!(
        drafts
            .iter()
            .all(|draft| draft.refs == refs_of(Some("th"), Some("tu"), Some("it")))
    );
    let opened = as_opened(drafts.remove(1));
    assert_eq!(opened.request_type, RequestType::ToolUserInput);
    assert_eq!(request_type, RequestType::ToolUserInput);
    assert_eq!(opened.detail.as_deref(), Some("Which? And why?"));
    assert_eq!(opened.args.unwrap().as_str(), params);
}

/// The drafts of an elicitation whose mode and members are these.
fn elicited(members: &str) -> (Option<String>, RequestOpened) {
    let params = format!(r#"{{"threadId":"th","turnId":null,"serverName":"harbour",{members}}}"#);
    let (mut drafts, request_type) = mapped("mcpServer/elicitation/request", Some(&params));
    let opened = as_opened(drafts.pop().unwrap());
    assert_eq!(opened.request_type, RequestType::McpElicitation);
    assert_eq!(request_type, RequestType::McpElicitation);
    assert_eq!(opened.args.as_ref().unwrap().as_str(), params);
    assert!(drafts.len() < 2);
    (drafts.first().map(questions), opened)
}

#[test]
fn a_form_with_fields_asks_for_input() {
    let schema = r#"{"type":"object","properties":{"n":{"type":"string"}}}"#;
    for mode in ["form", "openai/form", "openaiForm"] {
        let members = format!(r#""mode":"{mode}","message":"Name?","requestedSchema":{schema}"#);
        let (asked, opened) = elicited(&members);
        let expected = format!(r#"{{"message":"Name?","requestedSchema":{schema}}}"#);
        assert_eq!(asked, Some(expected), "{mode}");
        assert_eq!(opened.detail.as_deref(), Some("Name?"), "{mode}");
    }
}

#[test]
fn a_form_without_fields_only_asks_for_consent() {
    let (asked, opened) = elicited(
        r#""mode":"form","message":"Allow?","requestedSchema":{"type":"object","properties":{}}"#,
    );
    assert_eq!((asked, opened.detail.as_deref()), (None, Some("Allow?")));
    let (asked, _) = elicited(r#""mode":"openaiForm","message":"Allow?","requestedSchema":null"#);
    assert_eq!(asked, None);
}

#[test]
fn an_approval_of_a_tool_call_asks_for_no_input() {
    let with_meta = |meta: &str| {
        let members = format!(
            r#""mode":"form","_meta":{meta},"message":"Run post?","requestedSchema":{{"type":"object","properties":{{"n":{{"type":"string"}}}}}}"#
        );
        elicited(&members).0
    };
    assert_eq!(
        with_meta(r#"{"codex_approval_kind":"mcp_tool_call"}"#),
        None
    );
    assert!(with_meta(r#"{"codex_approval_kind":null}"#).is_some());
    assert!(with_meta("null").is_some());
}

#[test]
fn links_and_checks_ask_for_no_input() {
    let (asked, opened) = elicited(
        r#""mode":"url","message":"Open the pass.","url":"https://sea.example/p","elicitationId":"e""#,
    );
    assert_eq!(asked, None);
    assert_eq!(
        opened.detail.as_deref(),
        Some("Open the pass. https://sea.example/p")
    );
    let (asked, opened) = elicited(
        r#""mode":"openai/userVerification","title":"Is it you?","description":"d","challenge":"c""#,
    );
    assert_eq!(
        (asked, opened.detail.as_deref()),
        (None, Some("Is it you?"))
    );
}

#[test]
fn an_elicitation_of_an_unknown_mode_is_opened_with_its_message() {
    let (asked, opened) =
        elicited(r#""mode":"song","message":"Sing?","requestedSchema":{"properties":{"n":1}}"#);
    assert_eq!((asked, opened.detail.as_deref()), (None, Some("Sing?")));
}

#[test]
fn an_unrecognized_request_is_of_unknown_type() {
    let (drafts, request_type) = mapped("item/nebula/ask", Some(r#"{"x":1}"#));
    assert_eq!(request_type, RequestType::Unknown);
    let payload = serde_json::to_value(&drafts[0].payload).unwrap();
    assert_eq!(payload["type"], "runtime.warning");
    assert_eq!(payload["payload"]["detail"], json!({"x": 1}));
}
