//! The forms in which events come.

#![allow(clippy::unwrap_used, clippy::panic)]

use serde_json::json;

use super::bench::{last, led, new_session};
use crate::kit::session::{Direction, Outcome, Verdict};
use crate::kit::transcript::Recorded;

#[test]
fn an_event_counts_once_by_its_id_in_any_form() {
    let first = json!({"id": "e", "type": "session.next.text.delta", "properties": {"sessionID": "s", "timestamp": "2026-11-29T20:43:54.896Z",
        "assistantMessageID": "a", "textID": "t", "delta": "lamp"}});
    let mut second = first.clone();
    second["data"] = second["properties"].take();
    second.as_object_mut().unwrap().remove("properties");
    let third = json!({"directory": "/w", "payload": first});
    let outcomes = led(&[first, second, third]);
    assert_eq!(outcomes[0].events.len(), 2);
    for outcome in &outcomes[1..] {
        assert_eq!(outcome.verdict, Verdict::Told("an earlier event"));
    }
}

#[test]
fn the_other_forms_say_the_same() {
    let line = r#"{"id":"e","type":"session.next.text.delta","location":{"directory":"/w"}, "data" : {"sessionID":"s","timestamp":12.0,"assistantMessageID":"a","textID":"t","delta":"\ud83d"}}"#;
    let mut session = new_session();
    session.push(Direction::FromAgent, line.as_bytes());
    session.finish();
    let outcome = session.next_outcome().unwrap();
    assert_eq!(outcome.verdict, Verdict::Mapped);
    assert_eq!(
        outcome.events[1].raw.as_ref().unwrap().payload.as_str(),
        line
    );
    assert_eq!(outcome.oddities[0].path, "data.delta");
    assert_eq!(outcome.events[1].created_at.millis(), 12);
    let (types, _) =
        last(&[json!({"payload": {"id": "e", "type": "server.connected", "properties": {}}})]);
    assert_eq!(types, ["session.state.changed"]);
    let broken = line.replace(r#""textID":"t""#, r#""textID":7"#);
    let mut session = new_session();
    session.push(Direction::FromAgent, broken.as_bytes());
    session.finish();
    let outcome = session.next_outcome().unwrap();
    assert!(
        matches!(&outcome.verdict, Verdict::Malformed { path, .. } if path == "data.textID"),
        "{outcome:?}"
    );
}

#[test]
fn what_went_by_http_is_no_event() {
    let mut session = new_session();
    for (direction, via, line) in [
        (Direction::ToAgent, "POST /session", ""),
        (Direction::FromAgent, "GET /x 200", "<!doctype html>"),
        (
            Direction::FromAgent,
            "event",
            r#"{"type":"server.connected","properties":{}}"#,
        ),
    ] {
        session.push_recorded(&Recorded {
            direction,
            line: line.into(),
            via: Some(via.into()),
        });
    }
    let verdicts: Vec<Verdict> = session.outcomes().map(|it| it.verdict).collect();
    assert_eq!(
        verdicts,
        [Verdict::Noted, Verdict::Outside, Verdict::Mapped]
    );
}

#[test]
fn server_sent_events_are_read_in_any_pieces() {
    let stream = ": hello\r\n\r\nevent: message\r\ndata: {\"type\":\"server.connected\",\r\ndata: \"properties\":{}}\r\n\r\ndata: {\"type\":\"server.heartbeat\",\"properties\":{}}\r\n\r\ndata: nonsense\r\n\r\n";
    for size in [1, 5, 1_000] {
        let mut session = new_session();
        for piece in stream.as_bytes().chunks(size) {
            session.push(Direction::FromAgent, piece);
        }
        session.finish();
        let outcomes: Vec<Outcome> = session.outcomes().collect();
        assert_eq!(outcomes.len(), 3);
        assert_eq!(outcomes[0].verdict, Verdict::Mapped);
        assert!(matches!(outcomes[1].verdict, Verdict::Dropped(_)));
        assert!(matches!(outcomes[2].verdict, Verdict::NotJson { .. }));
    }
}
