//! Streams of agents that print a line for each thing that happens, and nothing else.

#![allow(clippy::unwrap_used, clippy::panic)]

use std::io::Write as _;
use std::process::{Command, Stdio};

use serde_json::Value;

/// The types of the events that the program makes of its standard input, and its summary.
fn replay(provider: &str, input: &str) -> (Vec<String>, Value) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_agentwire-replay"))
        .args([provider, "--summary", "json"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(input.as_bytes()).unwrap();
    drop(stdin);
    let output = child.wait_with_output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let types = text.lines().map(|line| {
        let event: Value = serde_json::from_str(line).unwrap();
        event["type"].as_str().unwrap().to_owned()
    });
    let summary = serde_json::from_slice(&output.stderr)
        .unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&output.stderr)));
    (types.collect(), summary)
}

#[test]
fn a_run_of_codex_exec() {
    let run = concat!(
        r#"{"type":"thread.started","thread_id":"t"}"#,
        "\n",
        r#"{"type":"turn.started"}"#,
        "\n",
        r#"{"type":"item.completed","item":{"id":"item_0","type":"agent_message","text":"Lit."}}"#,
        "\n",
        r#"{"type":"turn.completed","usage":{"input_tokens":1,"cached_input_tokens":0,"output_tokens":1}}"#,
        "\n",
    );
    let (types, summary) = replay("codex-sdk", run);
    let wanted = [
        "thread.started",
        "turn.started",
        "item.started",
        "item.completed",
        "turn.completed",
    ];
    assert_eq!(types, wanted);
    assert_eq!(summary["messages"], 4);
    assert_eq!(summary["malformed"], serde_json::json!([]));
}

#[test]
fn events_of_a_server_in_each_form() {
    let connected = r#"{"id":"e","type":"server.connected","properties":{}}"#;
    let busy = r#"{"id":"f","type":"session.status","properties":{"sessionID":"s","status":{"type":"busy"}}}"#;
    let recorded = |via: &str, line: &str| {
        serde_json::json!({"dir": "out", "line": line, "via": via}).to_string()
    };
    for input in [
        format!("{connected}\n{busy}\n"),
        format!(": hello\n\ndata: {connected}\n\ndata: {busy}\n\n"),
        [
            recorded("event", connected),
            recorded("POST /session 200", "true"),
            recorded("global/event", &format!(r#"{{"payload":{connected}}}"#)),
            recorded("event", busy),
        ]
        .join("\n"),
    ] {
        let (types, summary) = replay("opencode", &input);
        let wanted = [
            "session.state.changed",
            "turn.started",
            "thread.state.changed",
        ];
        assert_eq!(types, wanted, "{input}");
        assert_eq!(summary["malformed"], serde_json::json!([]));
    }
}

#[test]
fn both_directions_of_amp() {
    let said = r#"{\"type\":\"user\",\"message\":{\"role\":\"user\",\"content\":[{\"type\":\"text\",\"text\":\"Light it.\"}]}}"#;
    let told = said.replace(
        r#"{\"type\":\"user\","#,
        r#"{\"type\":\"user\",\"session_id\":\"T-1\","#,
    );
    let answer = r#"{\"type\":\"assistant\",\"message\":{\"type\":\"message\",\"role\":\"assistant\",\"content\":[{\"type\":\"text\",\"text\":\"Lit.\"}],\"stop_reason\":\"end_turn\"},\"session_id\":\"T-1\"}"#;
    let stream = [("in", said), ("out", &told), ("out", answer)]
        .map(|(direction, line)| format!(r#"{{"dir":"{direction}","line":"{line}"}}"#));
    let (types, summary) = replay("amp", &stream.join("\n"));
    let wanted = [
        "turn.started",
        "item.started",
        "item.completed",
        "session.started",
        "thread.started",
        "item.updated",
        "item.started",
        "item.completed",
    ];
    assert_eq!(types, wanted);
    assert_eq!(summary["unrecognized"], serde_json::json!({}));
    // What the program printed alone is a stream, too.
    let printed = told.replace("\\\"", "\"");
    let (types, _) = replay("amp", &printed);
    assert_eq!(
        types[..3],
        ["session.started", "thread.started", "turn.started"]
    );
}

/// A file of this name in the folder for tests, with this in it.
fn file(name: &str, bytes: &[u8]) -> std::path::PathBuf {
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, bytes).unwrap();
    path
}

#[test]
fn no_two_sessions_of_a_run_share_an_id() {
    let run = b"{\"type\":\"thread.started\",\"thread_id\":\"t\"}\n{\"type\":\"turn.started\"}\n";
    let path = file("one_run.jsonl", run);
    let output = Command::new(env!("CARGO_BIN_EXE_agentwire-replay"))
        .arg("codex-sdk")
        .args([&path, &path])
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let events: Vec<Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(events.len(), 4);
    for name in ["sessionId", "threadId", "eventId"] {
        assert_ne!(events[0][name], events[2][name], "{name}");
    }
    assert_eq!(events[0]["sessionId"], events[1]["sessionId"]);
}

#[test]
fn a_file_without_any_message_is_not_read() {
    for (name, bytes, code) in [
        ("compressed.gz", &b"\x1f\x8b\x08\x00\xff\xfe\n\x00"[..], 2),
        ("words.txt", b"no lamp here\nnone at all\n", 2),
        (
            "banner.jsonl",
            b"lamp 1.0\n{\"type\":\"turn.started\"}\n",
            0,
        ),
        ("empty.jsonl", b"", 0),
        ("blank.jsonl", b"\n\n", 0),
    ] {
        let output = Command::new(env!("CARGO_BIN_EXE_agentwire-replay"))
            .arg("codex-sdk")
            .arg(file(name, bytes))
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{name}: {said}");
        // The summary says why.
        assert!(code == 0 || said.contains("not JSON: "), "{said}");
    }
}
