#![allow(clippy::unwrap_used, clippy::panic)]
use std::sync::Arc;

use super::*;
use crate::json::decode;
use crate::kit::ledger::Draft;
use crate::kit::mapping::RowInfo;
use crate::providers::codex::wire::app_server_response::ROWS;

fn failed(method: Option<&str>, error: &str) -> Draft {
    let line: Arc<str> = Arc::from(error);
    let mut drafts = Vec::new();
    let mut cx = Cx::new(&line, 0..line.len(), &mut drafts);
    cx.refs.thread = Some(Arc::from("th"));
    let (read, _): (RpcError<'_>, _) = decode(error).unwrap();
    let raw = cx.body();
    map_error(&mut cx, method, &read, raw);
    assert_eq!(drafts.len(), 1);
    drafts.remove(0)
}

fn event(method: Option<&str>, error: &str) -> String {
    serde_json::to_string(&failed(method, error).payload).unwrap()
}

#[test]
fn the_failure_of_an_essential_request_is_an_error_with_its_class() {
    for (code, class) in [
        (-32600, "validation_error"),
        (-32601, "validation_error"),
        (-32602, "validation_error"),
        (-32603, "provider_error"),
        (-32000, "unknown"),
        (7, "unknown"),
    ] {
        let error = format!(r#"{{"code":{code},"message":"no such model","data":{{"x": 1.0}}}}"#);
        let expected = format!(
            r#"{{"type":"runtime.error","payload":{{"message":"turn/start failed: no such model","class":"{class}","detail":{error}}}}}"#
        );
        assert_eq!(event(Some("turn/start"), &error), expected);
    }
}

#[test]
fn the_failure_of_another_request_is_a_warning() {
    let error = r#"{"code":-32600,"message":"not found","later":1}"#;
    for (method, message) in [
        (Some("thread/archive"), "thread/archive failed: not found"),
        (Some("item/nebula/ask"), "item/nebula/ask failed: not found"),
        (None, "a request failed: not found"),
    ] {
        let expected = format!(
            r#"{{"type":"runtime.warning","payload":{{"message":"{message}","detail":{error}}}}}"#
        );
        assert_eq!(event(method, error), expected);
    }
}

#[test]
fn every_essential_request_is_one_of_the_wire_and_its_failure_an_error() {
    assert!(ESSENTIAL.is_sorted());
    for method in ESSENTIAL {
        assert!(RowInfo::find(ROWS, method).is_some(), "{method}");
        let event = event(Some(method), r#"{"code":1,"message":"m"}"#);
        assert!(event.contains(r#""type":"runtime.error""#), "{event}");
    }
    assert_eq!(ESSENTIAL.len(), 9);
}

#[test]
fn a_failed_request_makes_nothing_known() {
    let draft = failed(
        Some("thread/resume"),
        r#"{"code":-32600,"message":"no rollout found"}"#,
    );
    assert_eq!(draft.refs.thread.as_deref(), Some("th"));
    assert!(!draft.refs.minted);
}
