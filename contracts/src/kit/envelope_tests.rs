//! The four envelopes, and what is none of them.
#![allow(clippy::unwrap_used, clippy::panic)]

use super::*;
use crate::json::decode;

fn one(line: &str) -> Envelope<'_> {
    let mut all = envelopes(line).unwrap();
    assert_eq!(all.len(), 1);
    all.remove(0)
}

#[test]
fn the_four_kinds_with_members_in_any_order() {
    let line = r#" {"params":{"id":9},"id":7,"method":"a\/b","more":1} "#;
    let request = one(line);
    let Message::Request {
        id: RequestId::Integer(7),
        method,
        params: Some(params),
    } = request.message
    else {
        panic!()
    };
    assert_eq!((&*method, &line[params]), ("a/b", r#"{"id":9}"#));
    assert_eq!(
        (request.start, request.end, request.jsonrpc),
        (1, line.len() - 1, false)
    );

    let notice = one(r#"{"jsonrpc":"2.0","method":"m"}"#);
    assert_eq!(
        notice.message,
        Message::Notification {
            method: "m".into(),
            params: None
        }
    );
    assert!(notice.jsonrpc);

    let response = one(r#"{"result":null,"id":"7"}"#);
    assert_eq!(
        response.message,
        Message::Response {
            id: RequestId::Text("7".into()),
            result: 10..14
        }
    );

    let line = r#"{"error":{"code":-32600,"message":"no","data":null},"id":0}"#;
    let Message::Error {
        id: Some(RequestId::Integer(0)),
        error,
    } = one(line).message
    else {
        panic!()
    };
    let expected = RpcError {
        code: -32600,
        message: "no".into(),
        data: None,
    };
    assert_eq!(decode::<RpcError<'_>>(&line[error]).unwrap().0, expected);
}

#[test]
fn what_is_both_or_neither() {
    let kind = |line: &str| match one(line).message {
        Message::Request { .. } => "request",
        Message::Notification { .. } => "notification",
        Message::Response { .. } => "response",
        Message::Error { id, .. } => {
            if id.is_some() {
                "error"
            } else {
                "error without id"
            }
        }
        Message::Other => "other",
    };
    for (line, expected) in [
        ("{}", "other"),
        (r#"{"id":1}"#, "other"),
        (r#"{"result":1}"#, "other"),
        (r#"{"method":1,"id":1}"#, "other"),
        (r#"{"method":"m","id":[]}"#, "other"),
        (r#"{"id":{},"result":1}"#, "other"),
        ("[3]", "other"),
        (r#"{"method":"m","id":null}"#, "request"),
        (r#"{"method":"m","result":1}"#, "notification"),
        (r#"{"id":1,"result":null,"error":{}}"#, "error"),
        (r#"{"id":1,"result":2,"error":null}"#, "response"),
        (r#"{"id":null,"error":{}}"#, "error without id"),
        (r#"{"error":{}}"#, "error without id"),
    ] {
        assert_eq!(kind(line), expected, "{line}");
    }
}

#[test]
fn ids_go_back_as_they_came() {
    for wire in [
        "0",
        "-5",
        "9223372036854775807",
        "9223372036854775808",
        "1.0",
        "-0",
        "1e3",
        "null",
        r#""1""#,
        r#""\ud800""#,
        r#""a\nb""#,
    ] {
        let id = RequestId::from_wire(wire).unwrap();
        assert_eq!(id.to_wire(), wire);
        assert_eq!(serde_json::to_string(&id).unwrap(), wire);
        assert_eq!(serde_json::from_str::<RequestId>(wire).unwrap(), id);
    }
    assert_ne!(RequestId::from_wire("1"), RequestId::from_wire("\"1\""));
    assert_ne!(RequestId::from_wire("1"), RequestId::from_wire("1.0"));
    assert_eq!(RequestId::from_wire("true"), None);
    assert_eq!(RequestId::Text("a".into()).to_string(), "a");
}

#[test]
fn arrays_are_iterated() {
    assert_eq!(envelopes(" [ ] ").unwrap(), []);
    let line = r#"[{"method":"a"}, {"id":1,"result":2} ,[],"x"]"#;
    let all = envelopes(line).unwrap();
    let texts: Vec<&str> = all
        .iter()
        .map(|message| &line[message.start..message.end])
        .collect();
    assert_eq!(
        texts,
        [r#"{"method":"a"}"#, r#"{"id":1,"result":2}"#, "[]", "\"x\""]
    );
    assert_eq!(
        all[1].message,
        Message::Response {
            id: RequestId::Integer(1),
            result: 34..35
        }
    );
    assert!(envelopes(&format!("[{}0]", "0,".repeat(BATCH))).is_err());
    assert_eq!(
        envelopes(&format!("[{}0]", "0,".repeat(BATCH - 1)))
            .unwrap()
            .len(),
        BATCH
    );
}

#[test]
fn the_last_duplicate_wins_with_a_note() {
    let message = one(r#"{"method":"a","x":1,"x":2,"method":"b\ud800"}"#);
    assert_eq!(
        message.message,
        Message::Notification {
            method: "b\u{fffd}".into(),
            params: None
        }
    );
    let notes: Vec<_> = message
        .notes
        .iter()
        .map(|note| (note.offset, &note.kind))
        .collect();
    assert_eq!(
        notes,
        [
            (35, &NoteKind::DuplicateKey),
            (35, &NoteKind::LoneSurrogate)
        ]
    );
}

#[test]
fn the_whole_line_is_checked() {
    let deep = format!(
        r#"{{"method":"m","x":{}{}}}"#,
        "[".repeat(200_000),
        "]".repeat(200_000)
    );
    assert!(matches!(one(&deep).message, Message::Notification { .. }));
    for line in [
        "",
        "hello",
        "{\"method\":\"m\",\"x\":[1,]}",
        "{} {}",
        "{\"a\":01}",
        "[{}",
        "{\"method\"}",
        "tru",
        "1 2",
    ] {
        assert!(
            matches!(
                envelopes(line),
                Err(Malformed {
                    problem: Problem::Syntax(_),
                    ..
                })
            ),
            "{line}"
        );
    }
    for line in ["1", "\"x\"", "null", " true "] {
        assert!(
            matches!(
                envelopes(line),
                Err(Malformed {
                    problem: Problem::Expected { .. },
                    ..
                })
            ),
            "{line}"
        );
    }
}
