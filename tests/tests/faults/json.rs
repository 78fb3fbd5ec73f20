//! JSON as JavaScript reads it: half pairs, numbers in other spellings, keys that stand twice.

use agentwire::codex::wire::{ServerNotification, ServerNotificationKind};
use agentwire::json::{NoteKind, decode};
use agentwire::session::Verdict;
use serde_json::json;

use super::given;
use crate::support::replay::{Dialogue, assert_raw, event_types, oddities, payload, told, tree};

#[test]
fn lone_surrogate() {
    let line = given("lone-surrogate");
    assert!(line.contains(r"a\ud83db"), "{line}");
    let outcome = told(&line);
    assert_eq!(outcome.verdict, Verdict::Mapped);
    assert_eq!(event_types(&outcome), ["turn.diff.updated"]);
    assert_eq!(
        oddities(&outcome),
        ["params.diff: half a surrogate pair, read as U+FFFD"]
    );
    let agentwire::canonical::EventPayload::TurnDiffUpdated(diff) = &outcome.events[0].payload
    else {
        panic!("{:?}", outcome.events[0]);
    };
    assert_eq!(diff.unified_diff, "a\u{fffd}b");
    assert_raw(&outcome, &line);
    let json = outcome.events[0].to_json().unwrap();
    assert!(
        json.contains(&line),
        "the raw message goes out as it came in: {json}"
    );
    let again: agentwire::canonical::RuntimeEvent = serde_json::from_str(&json).unwrap();
    assert_eq!(again, outcome.events[0]);
}

#[test]
fn surrogates_wherever_they_stand() {
    let diff = |text: &str| {
        format!(
            r#"{{"method":"turn/diff/updated","params":{{"threadId":"t","turnId":"u","diff":"{text}"}}}}"#
        )
    };
    let cases = [
        (r"\ude00", "\u{fffd}", 1),
        (r"\ud83d\ud83d\ude00", "\u{fffd}\u{1f600}", 1),
        (r"\ud83d\u0041", "\u{fffd}A", 1),
        (r"\ude00\ud83d", "\u{fffd}\u{fffd}", 1),
        (r"\uD83D\uDE00", "\u{1f600}", 0),
        (r"\ud83d\\ude00", "\u{fffd}\\ude00", 1),
    ];
    for (sent, read, notes) in cases {
        let line = diff(sent);
        let (notification, found) = decode::<ServerNotification<'_>>(&line).unwrap();
        let ServerNotificationKind::TurnDiffUpdated(params) = &notification.kind else {
            panic!("{line}")
        };
        assert_eq!((&*params.diff, found.len()), (read, notes), "{line}");
        assert_eq!(told(&line).verdict, Verdict::Mapped);
    }
}

#[test]
fn surrogates_in_keys_in_ids_and_in_opaque_parts() {
    let key = r#"{"method":"turn/diff/updated","params":{"threadId":"t","turnId":"u","diff":"","\ud800":1}}"#;
    let outcome = told(key);
    assert_eq!(outcome.verdict, Verdict::Mapped);
    assert_raw(&outcome, key);
    let id =
        r#"{"method":"turn/diff/updated","params":{"threadId":"t\ud800","turnId":"u","diff":""}}"#;
    let outcome = told(id);
    assert_eq!(
        oddities(&outcome),
        ["params.threadId: half a surrogate pair, read as U+FFFD"]
    );
    let opaque = r#"{"method":"item/started","params":{"threadId":"t","turnId":"u","item":{"type":"mcpToolCall","id":"i","server":"s","tool":"x","status":"inProgress","arguments":{"\udc00":["\ud800"]}}}}"#;
    let outcome = told(opaque);
    assert_eq!(
        (&outcome.verdict, outcome.oddities.len()),
        (&Verdict::Mapped, 0),
        "opaque parts are not read"
    );
    assert_raw(&outcome, opaque);
    let mut dialogue = Dialogue::new();
    let method = r#"{"method":"nebula\ud800","params":{}}"#;
    let outcome = dialogue.told(method);
    assert_eq!(
        (&outcome.verdict, outcome.tag.as_deref()),
        (&Verdict::Unrecognized, Some("nebula\u{fffd}"))
    );
    assert_raw(&outcome, method);
    dialogue.goes_on();
}

fn usage(total: &str) -> String {
    given("integral-float").replacen("12.0", total, 1)
}

fn total_tokens(line: &str) -> i64 {
    let (notification, _) = decode::<ServerNotification<'_>>(line).unwrap();
    let ServerNotificationKind::ThreadTokenUsageUpdated(usage) = &notification.kind else {
        panic!("{line}")
    };
    usage.token_usage.total.total_tokens
}

#[test]
fn integral_float() {
    let line = given("integral-float");
    let outcome = told(&line);
    assert_eq!(
        (&outcome.verdict, outcome.oddities.len()),
        (&Verdict::Mapped, 0)
    );
    assert_eq!(event_types(&outcome), ["thread.token-usage.updated"]);
    assert_eq!(total_tokens(&line), 12);
    assert_raw(&outcome, &line);
    let line = usage("1.5");
    let mut dialogue = Dialogue::new();
    let outcome = dialogue.told(&line);
    let Verdict::Malformed { path, .. } = &outcome.verdict else {
        panic!("{:?}", outcome.verdict)
    };
    assert_eq!(path, "params.tokenUsage.total.totalTokens");
    assert_eq!(event_types(&outcome), ["runtime.error"]);
    assert_raw(&outcome, &line);
    dialogue.goes_on();
}

#[test]
fn integers_in_other_spellings() {
    let cases = [
        ("1e1", 10),
        ("1E+1", 10),
        ("120e-1", 12),
        ("1.20e1", 12),
        ("-0", 0),
        ("-0.0", 0),
        ("0e99", 0),
        ("-7.000", -7),
        ("9223372036854775807", i64::MAX),
        ("-9223372036854775808", i64::MIN),
        ("9007199254740993.0", 9_007_199_254_740_993),
    ];
    for (sent, read) in cases {
        assert_eq!(total_tokens(&usage(sent)), read, "{sent}");
        assert_eq!(told(&usage(sent)).verdict, Verdict::Mapped, "{sent}");
    }
}

#[test]
fn what_is_no_integer_is_loud() {
    for sent in [
        "1e-1",
        "12.5e0",
        "9223372036854775808",
        "1e400",
        "\"12\"",
        "true",
        "null",
        "[12]",
    ] {
        let outcome = told(&usage(sent));
        assert!(
            matches!(outcome.verdict, Verdict::Malformed { .. }),
            "{sent}: {:?}",
            outcome.verdict
        );
    }
    for sent in ["01", "+1", "1.", ".5", "0x1", "NaN", "1e", "--1"] {
        let outcome = told(&usage(sent));
        assert!(
            matches!(outcome.verdict, Verdict::NotJson { .. }),
            "{sent}: {:?}",
            outcome.verdict
        );
    }
}

#[test]
fn opaque_numbers_keep_their_text() {
    let arguments =
        r#"{"big":18446744073709551616,"far":1e400,"exact":0.1000000000000000055511151231257827}"#;
    let line = format!(
        r#"{{"method":"item/started","params":{{"threadId":"t","turnId":"u","item":{{"type":"mcpToolCall","id":"i","server":"s","tool":"x","status":"inProgress","arguments":{arguments}}}}}}}"#
    );
    let outcome = told(&line);
    assert_eq!(outcome.verdict, Verdict::Mapped);
    assert_raw(&outcome, &line);
    assert!(
        outcome.events[0]
            .to_json()
            .unwrap()
            .matches(arguments)
            .count()
            >= 2,
        "in data and in raw"
    );
}

#[test]
fn duplicate_key() {
    let line = given("duplicate-key");
    let mut dialogue = Dialogue::new();
    let outcome = dialogue.told(&line);
    assert_eq!(
        outcome.tag.as_deref(),
        Some("thread/started"),
        "the last one wins"
    );
    let Verdict::Malformed { path, .. } = &outcome.verdict else {
        panic!("{:?}", outcome.verdict)
    };
    assert_eq!(path, "params.thread");
    assert_eq!(
        oddities(&outcome),
        ["method: the key stands twice, the last one counts"]
    );
    assert_raw(&outcome, &line);
    let typed = decode::<ServerNotification<'_>>(&line).unwrap_err();
    assert_eq!(typed.path(&line), "params.thread", "the same on every path");
    let through_serde = serde_json::from_str::<ServerNotification<'_>>(&line).unwrap_err();
    assert!(
        through_serde.to_string().contains("thread"),
        "{through_serde}"
    );
    dialogue.goes_on();
}

#[test]
fn the_last_of_each_key_counts_at_any_depth() {
    let cases = [
        (
            r#"{"method":"warning","params":{"message":"a"},"params":{"message":"b"}}"#,
            "params",
            json!({"message": "b"}),
        ),
        (
            r#"{"method":"warning","params":{"message":"a","message":"b"}}"#,
            "params.message",
            json!({"message": "b"}),
        ),
        (
            r#"{"method":"warning","params":{"message":"a","m\u0065ssage":"b"}}"#,
            r#"params["m\u0065ssage"]"#,
            json!({"message": "b"}),
        ),
    ];
    for (line, path, wanted) in cases {
        let outcome = told(line);
        assert_eq!(payload(&outcome), wanted, "{line}");
        assert_eq!(
            oddities(&outcome),
            [format!("{path}: the key stands twice, the last one counts")],
            "{line}"
        );
        assert_raw(&outcome, line);
    }
}

#[test]
fn a_value_of_another_kind_is_replaced_by_a_later_one_and_loud_without() {
    let line = r#"{"method":"warning","params":{"message":7,"message":"b"}}"#;
    let outcome = told(line);
    assert_eq!(payload(&outcome), json!({"message": "b"}));
    assert_eq!(outcome.oddities.len(), 1);
    assert_raw(&outcome, line);
    for line in [
        r#"{"method":"warning","params":{"message":7}}"#,
        r#"{"method":"warning","params":{"message":"b","message":7}}"#,
    ] {
        let mut dialogue = Dialogue::new();
        let outcome = dialogue.told(line);
        let Verdict::Malformed { path, .. } = &outcome.verdict else {
            panic!("{:?}", outcome.verdict)
        };
        assert_eq!(path, "params.message");
        assert_raw(&outcome, line);
        dialogue.goes_on();
    }
}

#[test]
fn a_tag_that_stands_twice_inside_an_item() {
    let line = r#"{"method":"item/started","params":{"threadId":"t","turnId":"u","item":{"type":"plan","type":"agentMessage","id":"i","text":"a","text":"b"}}}"#;
    let outcome = told(line);
    let event = tree(&outcome.events[0]);
    assert_eq!(event["payload"]["itemType"], "assistant_message");
    assert_eq!(event["payload"]["detail"], "b");
    let told: Vec<&NoteKind> = outcome.oddities.iter().map(|oddity| &oddity.kind).collect();
    assert_eq!(told, [&NoteKind::DuplicateKey, &NoteKind::DuplicateKey]);
    assert_raw(&outcome, line);
}

#[test]
fn an_id_that_stands_twice_is_the_last_one() {
    let line = r#"{"id":1,"id":2,"method":"item/nebula/ask","params":{}}"#;
    let outcome = told(line);
    assert_eq!(
        tree(&outcome.events[0])["providerRefs"]["providerRequestId"],
        "2"
    );
    assert!(
        oddities(&outcome).contains(&"id: the key stands twice, the last one counts".to_owned())
    );
}

#[test]
fn any_order_of_keys_and_any_white_space() {
    let line = "\t{ \"params\" : { \"diff\":\"d\",\r\"turnId\":\"u\",\"threadId\":\"t\" } , \"method\" : \"turn\\/diff\\/updated\" } ";
    let outcome = told(line);
    assert_eq!(event_types(&outcome), ["turn.diff.updated"]);
    assert_raw(&outcome, line.trim());
}
